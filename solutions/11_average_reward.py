# %% [markdown] minutes=60
# # 11 · Average reward: what if the shift never ends?
#
# In this lesson you drop the discount, and train PPO for what a robot in a kitchen is really there
# for: as much as possible per step of a shift that never ends.
#
# Afterwards you can
#
# 1. compute what any policy earns per step, and the best that any could earn, exactly;
# 2. judge a step without a discount, by how much better than average it was;
# 3. turn PPO into average-reward PPO, and check the number that it believes it earns.
#
# **Time** about 60 minutes. **You need** [lesson 02](02_what_is_optimal.ipynb), where the bot
# circled, the advantages of [lesson 08](08_rollouts_and_advantages.ipynb), and
# [lesson 10](10_ppo_by_hand.ipynb). **The machine** can be any laptop: four cells train for half a
# minute or more each, with a progress bar or a curve that grows.
#
# Previous: [10 · PPO by hand](10_ppo_by_hand.ipynb) · Next: [12 · Many
# machines](12_many_machines.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. It loads PyTorch, which takes some seconds. Run it
# first.

# %% tags=["imports"]
import time

import gymnasium as gym
import numpy as np
import torch
from IPython.display import display
from tqdm.auto import tqdm

from burgerbot import show
from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import oracle
from burgerbot.learn.average_reward import AverageReward
from burgerbot.learn.ppo import Discounted, Objective, PPOConfig, train
from burgerbot.learn.rollout import collect
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import ACTIONS, V0_REWARDS, compile_kitchen, encode
from burgerbot.world.two_counters import BIG, NEXT_PLACE, REWARD, SMALL
from burgerbot.world.vector import BurgerBotVectorEnv

torch.set_num_threads(1)  # the networks here are small: more threads would only wait
RHO = {"xlabel": "transitions", "ylabel": "reward per step"}

# %% [markdown]
# ## After the delivery comes the next one
#
# Remember lesson 02. With the rewards of `BurgerBot-v0` and a discount of 0.99, the best policy
# never delivered. It drove laps for +1 a move, because a delivery *ends the episode*, and after the
# end there is nothing. With a discount of 0.95 it delivered.
#
# A real robot does not cease to exist when it has delivered. It goes back, and the next burger is
# waiting. `BurgerBotShift-v0` is that world: same kitchen, same rewards, but after a delivery or a
# crash the robot stands at the start again, and the shift goes on. Nothing terminates, nothing
# truncates.
#
# Let the two policies of lesson 02 work a long shift. **Predict** what each earns *per step*. The
# lap paid 115.9 points in 150 steps, the delivery 60.8 points in 14.

# %%
START = compile_kitchen(CLASSIC).start
episode = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
shift = oracle.model(compile_kitchen(CLASSIC, endless=True), V0_REWARDS)
habits = {gamma: oracle.value_iteration(episode, gamma)[1].argmax(axis=1) for gamma in (0.99, 0.95)}


def work(policy, steps=7000):
    """Let one robot follow a policy on the endless shift; the rollout."""
    envs = gym.make_vec("BurgerBotShift-v0", 1)
    return collect(envs, lambda seen: policy[encode(CLASSIC, *seen.T[:3])], steps)[0]


for gamma, policy in habits.items():
    print(f"planned with gamma {gamma}: {work(policy).rewards.mean():.3f} points a step")

# %% [markdown]
# The circling bot is not even close. Per step, a delivery every 14 steps is worth several times as
# much as laps without end.
#
# This number, reward per step in the long run, is the **average reward** of a policy. Its symbol is
# **rho**. For a robot on a shift it is what the owner would ask for: no discount, no horizon, no
# end.

# %% [markdown]
# ## Was it the discount?
#
# Look closer before you blame the discount. The circling policy was planned in a world that *ends*
# with the delivery. What if the same discounts plan in the world that goes on? **Predict** which
# lines of the right-hand column deliver.

# %%
print("gamma   planned for one episode   planned for the shift")
for gamma in (0.95, 0.98, 0.99, 0.999):
    plans = [oracle.value_iteration(world, gamma)[1].argmax(axis=1) for world in (episode, shift)]
    earns = [oracle.gain_and_bias(shift, plan, start=START)[0] for plan in plans]
    print(f"{gamma:<8}{earns[0]:14.3f}{earns[1]:24.3f}   points a step")

# %% [markdown]
# (`oracle.gain_and_bias` computes rho exactly; you write its first half in a moment. Lesson 08 had
# another rho, the share of a variance: the letter is used for both everywhere.)
#
# All of the right-hand column delivers. So the flaw of lesson 02 was in the *objective*: "the
# discounted return of one episode" was not what anybody wanted, and it was the end of the episode
# that made it so. The reward itself, +1 a move included, was good enough for the right question.
#
# Is a discount harmless, then, as long as the world goes on? Not quite. Here is a second kitchen.
# The robot drives on one-way tracks. At the hatch it takes a load and chooses a loop. The counter
# of the small loop is right at its beginning and pays 1; the big loop pays 2, at its end. Each loop
# takes five steps.

# %%
show.show_counters(title="The two-counter kitchen: which way round?")

# %% [markdown]
# You see at once that the big loop is twice as good: 0.4 a step against 0.2. Before you ask what a
# discount makes of it, compute those numbers, for any policy in any world.

# %% [markdown]
# ## Exercise 11.1: Find what a policy earns per step
#
# Under a fixed policy the robot wanders from state to state by chance alone. In the long run it
# spends a certain share of its steps in each state, the **stationary distribution**. With the
# shares, rho is one sum.
#
# | what | how it hangs together |
# |---|---|
# | `transition[s, s2]` | probability that the next state is `s2`, under the policy; rows sum to 1 |
# | `reward[s]` | expected reward of the step that the policy takes in s |
# | what flows in is what is there | `share[s2] = sum over s of share[s] * transition[s, s2]` |
# | shares are shares | `sum of share = 1` |
# | the average reward | `rho = sum over s of share[s] * reward[s]` |
#
# These are S + 1 equations for S shares. Solve them. Do not simulate, and do not multiply
# `share @ transition` until it settles: in a world of loops it never does, because all the robots
# that began together are together at the hatch again every five steps. The average over time exists
# all the same.
#
# You may count on it that the policy has one set of states in which it ends up, wherever it begins.
# Some states may never be visited again: their share is 0.


# %% tags=["exercise:11.1"] minutes=10 difficulty=2 seconds=90
def average_reward(transition: np.ndarray, reward: np.ndarray) -> tuple[np.ndarray, float]:
    """Return ``(share, rho)``: float64 ``[S]``, which sums to 1, and a number."""
    # BEGIN SOLUTION
    states = len(reward)
    equations = np.vstack([transition.T - np.eye(states), np.ones(states)])
    wanted = np.append(np.zeros(states), 1.0)
    share = np.linalg.lstsq(equations, wanted, rcond=None)[0]
    return share, float(share @ reward)
    # END SOLUTION


# %% tags=["check:11.1"]
check("11.1")

# %% [markdown]
# Stuck? Run `hint("11.1")` in a new cell; each call says a little more. After a pass,
# `solution("11.1")` shows one way to write it.

# %% [markdown] tags=["hints:11.1"]
# 1. Bring the first equations to the form "something times share is 0": for each `s2`, the sum over
#    s of `(transition.T - identity)[s2, s] * share[s]` is 0.
# 2. Put one more row below, of ones, and one more number on the right, 1. That makes S + 1
#    equations; `np.linalg.lstsq(equations, wanted, rcond=None)[0]` solves them, since they agree.
# 3. `equations = np.vstack([transition.T - np.eye(S), np.ones(S)])` and
#    `wanted = np.append(np.zeros(S), 1.0)`. Then `rho = float(share @ reward)`.

# %% [markdown]
# Now both loops. A policy that always takes the same one turns the kitchen into a chain without any
# chance in it, and your function does not mind.


# %%
def chain(chances):
    """The counters under a policy, ``[9, 2]`` probabilities: transition and reward."""
    move = sum(chances[:, [loop]] * np.eye(9)[NEXT_PLACE[:, loop]] for loop in (SMALL, BIG))
    return move, (chances * REWARD).sum(axis=1)


for name, loop in (("small", SMALL), ("big", BIG)):
    print(f"{name} loop: rho = {average_reward(*chain(np.eye(2)[[loop] * 9]))[1]:.3f}")
share, rho = average_reward(*chain(np.full((9, 2), 0.5)))
show.show_counters(share, title=f"A coin decides: rho = {rho:.2f}", unit="share of the steps")

# %% [markdown]
# ## What a discount sees
#
# The big loop pays twice as much per step. A discounted robot at the hatch compares something else:
# 1 now, or 2 in four steps, which it counts as `2 * gamma**4`. **Predict**: which loop does it take
# at gamma 0.8, and from which gamma on the other one?

# %%
counters = oracle.Model(NEXT_PLACE, REWARD, np.zeros((9, 2), dtype=bool))
for gamma in (0.5, 0.8, 0.84, 0.841, 0.9, 0.99):
    small, big = oracle.value_iteration(counters, gamma)[1][0]
    print(f"gamma {gamma:<6} small {small:7.3f}   big {big:7.3f}   big : small = {big / small:.4f}")
print(f"they are equal at gamma = 0.5 ** (1 / 4) = {0.5**0.25:.4f}")

# %% [markdown]
# Below the border the *exact optimum* is the poorer counter. Nothing was learned here and nothing
# can be learned better. The discount is a taste for soon, and a short-sighted taste chooses
# short-sighted loops. You may say: take a gamma near 1. That works here. But how near is near
# enough depends on the world, on loops you have not seen yet; and near 1, values grow large and
# learning from them becomes noisy and slow.
#
# The other way is to drop gamma altogether. Then the sum of all future rewards is infinite for
# *every* policy that earns anything, and sums cannot be compared. Subtracting rho mends that.

# %% [markdown]
# ## Exercise 11.2: Sum up what is above average
#
# The **differential return** of a step is what it and all later steps bring *above the average*.
# Each reward has rho taken from it, and nothing is discounted:
#
# | row | differential return, `[T, N]` |
# |---|---|
# | t = T - 1, the last one | `rewards[t] - rho + last_values` |
# | any other t | `rewards[t] - rho + returns[t + 1]` |
#
# `last_values`, `[N]`, stand for what comes after the rollout, as a bootstrap does in lesson 08. On
# an endless shift there are no flags to mind. The result is float64, also if the rewards are whole
# numbers.


# %% tags=["exercise:11.2"] minutes=6 difficulty=1
def differential_returns(rewards: np.ndarray, rho: float, last_values: np.ndarray) -> np.ndarray:
    """Return float64 ``[T, N]``: what each step and all later ones bring above the average."""
    # BEGIN SOLUTION
    returns, after = np.zeros(rewards.shape), last_values
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + after
        returns[t] = after
    return returns
    # END SOLUTION


# %% tags=["check:11.2"]
check("11.2")

# %% [markdown]
# A hint is at `hint("11.2")`.

# %% [markdown] tags=["hints:11.2"]
# 1. Work backwards, as for the discounted returns of lesson 08, with gamma 1 and `rewards[t] - rho`
#    in the place of the reward.
# 2. Keep `after = last_values` before the loop over `reversed(range(len(rewards)))`. In the loop,
#    `after = rewards[t] - rho + after` makes a new array (with `+=` you would write into the
#    caller's). Store it in `np.zeros(rewards.shape)`, which is float64.

# %% [markdown]
# Six deliveries in a row, 84 steps, with nothing after them. **Predict** the three curves: what
# happens to the sums if the rho you subtract is right, too small, too large?

# %%
drive, curves = work(habits[0.95], steps=84), {}
for rho in (60.8 / 14, 4.0, 4.7):
    returns = differential_returns(drive.rewards, rho, np.zeros(1))
    curves[f"rho = {rho:.3f}"] = range(84), returns[:, 0]
alt = """Differential returns of 84 steps. With the exact rho the saw-teeth stay level; with a rho
too small they climb towards the beginning, with one too large they fall."""
title, words = "Six deliveries: what each step brings above rho", {"xlabel": "step"}
show.line_chart(curves, title=title, ylabel="differential return (points)", alt=alt, **words)

# %% [markdown]
# With the right rho the sums stay level, however long the shift. A step close to the burger has
# much above average ahead of it, the first step after a delivery has little: that is all the
# information that values need to carry. With a wrong rho they drift without end. So an average
# reward learner lives by its estimate of rho.
#
# What a state has ahead of it above average is its **differential value**, also called its
# **bias**. The oracle computes it exactly. Yours agree, but for a constant:

# %%
rho, bias = oracle.gain_and_bias(shift, habits[0.95], start=START)
road = encode(CLASSIC, *drive.observations[:, 0].T[:3])
offset = differential_returns(drive.rewards, rho, np.zeros(1))[:, 0] - bias[road]
print(f"rho {rho:.6f}; yours minus the oracle's: from {offset.min():.6f} to {offset.max():.6f}")

# %% [markdown]
# That constant is not a fault. Add 100 to the value of every state, and no choice between states
# changes. Differential values have no zero of their own. Keep that in mind: it will drift.

# %% [markdown]
# ## Exercise 11.3: Update rho, once a rollout
#
# Nobody tells a learner its rho. It begins with a guess and corrects it. The error to learn from is
# the TD error without a discount:
#
# ```
# delta[t] = rewards[t] - rho + next_values[t] - values[t]
# rho     <- rho + rate * mean(delta)        the mean over valid rows; once for the whole rollout
# ```
#
# Why not simply `rho + rate * (mean(rewards) - rho)`? Because a rollout may end in the middle of
# something. The values in delta give credit for a burger that is on its way: summed up over T
# steps, they leave only what the robots gained between the first state and the last.
#
# | do not | since |
# |---|---|
# | put a gamma before `next_values` | then the level of the values, which is arbitrary, moves rho |
# | use the mean of the *advantages* | they count each delta many times over |
# | update rho within the rollout | every row is judged by the same rho |
# | count reset rows (`valid` False) | they are no steps, whatever stands in them |
#
# All arrays are `[T, N]`; at least one row is valid. Return a number.


# %% tags=["exercise:11.3"] minutes=7 difficulty=1
def update_rho(
    rho: float,
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    valid: np.ndarray,
    rate: float,
) -> float:
    """Return the new estimate of the average reward."""
    # BEGIN SOLUTION
    delta = rewards - rho + next_values - values
    return float(rho + rate * delta[valid].mean())
    # END SOLUTION


# %% tags=["check:11.3"]
check("11.3")

# %% [markdown]
# A hint is at `hint("11.3")`.

# %% [markdown] tags=["hints:11.3"]
# 1. `delta` is one line for the whole rollout, with the rho that came in.
# 2. `delta[valid]` picks the rows that are transitions; `.mean()` of it is one number for all
#    robots together. Return `rho + rate * ` that number.

# %% [markdown]
# A test of the first row of that table. A robot drives the big loop, and its values are exact but
# for a constant level. Feed the same rollout again and again, until rho has settled. **Predict**
# the four numbers (multiplying `next_values` by 0.99 is a gamma left in).

# %%
envs = gym.make_vec("BurgerBotTwoCounters-v0", 1)
lap, _ = collect(envs, lambda seen: np.array([BIG]), 20)
worth, valid = oracle.gain_and_bias(counters, np.full(9, BIG))[1], np.ones((20, 1), dtype=bool)
for gamma in (1.0, 0.99):
    for level in (0, 100):
        now, led_to = (worth[o[..., 0]] + level for o in (lap.observations, lap.next_observations))
        rho = 0.0
        for _ in range(500):
            rho = update_rho(rho, lap.rewards, now, gamma * led_to, valid, rate=0.1)
        print(f"gamma {gamma:<5} level {level:4}: rho settles at {rho:.3f}")

# %% [markdown]
# Without a discount the level of the values does not matter. With gamma left in, rho is whatever
# the level makes it, off by `(1 - gamma) * level`, and since the level drifts in training, so does
# rho. Nothing in the program looks wrong. It is easy to overlook.

# %% [markdown]
# ## Exercise 11.4: Judge a step without a discount
#
# Now the advantages. They are GAE with three changes, and PPO needs nothing else:
#
# ```
# delta[t] = rewards[t] - rho + next_values[t] - values[t]                      goes on
# delta[t] = rewards[t] - cost - rho + reset_values - values[t]                 terminated
# A[t]     = delta[t] + lam * A[t + 1]           after the last row: 0
# returns  = A + values - mean(values)
# ```
#
# | change | why |
# |---|---|
# | rho is subtracted, gamma is 1 | the average, not a taste for soon |
# | a termination leads to the start, and may cost something | the shift goes on after it |
# | the returns are centred | the level of the values is free, and would run away |
#
# `reset_values`, `[N]`, is V of where each robot begins anew. The sum *goes on* through a
# termination: driving on from the start is part of what the crash led to. (That is the difference
# to lesson 08, where a termination cut everything off.) Lambda must stay below 1: without a
# discount it is all that keeps the sum from collecting noise for ever.
#
# Return advantages and returns, both `[T, N]`, in the dtype of `values`.


# %% tags=["exercise:11.4"] minutes=12 difficulty=2
def differential_advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    terminated: np.ndarray,
    reset_values: np.ndarray,
    rho: float,
    lam: float,
    cost: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(advantages, returns)``, both ``[T, N]``."""
    # BEGIN SOLUTION
    led_to = np.where(terminated, reset_values, next_values)
    delta = rewards - cost * terminated - rho + led_to - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + values - values.mean()
    # END SOLUTION


# %% tags=["check:11.4"]
check("11.4")

# %% [markdown]
# A hint is at `hint("11.4")`.

# %% [markdown] tags=["hints:11.4"]
# 1. First all deltas at once. `np.where(terminated, reset_values, next_values)` is what the robot
#    drives on from; `cost * terminated` is the cost where there is one.
# 2. Then the loop of lesson 08, backwards over t, with `lam` alone as the factor, and no flag in
#    it: `later = advantages[t] = delta[t] + lam * later`, `later = 0.0` before the loop.
# 3. Make `advantages` with `np.zeros_like(values)`, and return
#    `advantages, advantages + values - values.mean()`: one mean for all robots and steps.

# %% [markdown]
# A world of two states, visited in turn, paying 0 and 1. So rho is 0.5, and the exact differential
# values are -0.25 and +0.25. **Predict** the advantages: with everything right, with 100 added to
# all values (their level), with rho forgotten.

# %%
paid, exact = np.array([[0.0], [1], [0], [1]]), np.array([[-0.25], [0.25], [-0.25], [0.25]])
never = np.zeros((4, 1), dtype=bool)
for level, rho in ((0, 0.5), (100, 0.5), (0, 0.0)):
    v, v_next = exact + level, np.roll(exact, -1, axis=0) + level
    judged = differential_advantages(paid, v, v_next, never, np.zeros(1), rho, lam=0.9)
    print(f"level {level:3}, rho {rho}:", judged[0][:, 0], "  mean return", judged[1].mean())

# %% [markdown]
# With exact values there is nothing to praise and nothing to blame. Without rho every step looks
# good, and the earlier ones better, for no other reason than that more steps come after them.

# %% [markdown]
# ## PPO without a discount
#
# The package's `train` is your loop of lesson 10, with one part exchangeable: it asks an
# **objective** what a rollout is worth. (`PPOConfig` holds its settings, by the names that you
# know.) That is the place to put your two functions. PPO's loss, its clipping, its minibatches stay
# as they are. Average-reward PPO is called **ARPPO** here. Nothing terminates in these worlds, so
# it does not matter which values of starts are passed on: `now[0]` will do.


# %%
class Mine(Objective):
    """ARPPO from your own functions, for worlds in which nothing ends."""

    def __init__(self, lam=0.9, rate=0.3):
        self.rho, self.lam, self.rate = 0.0, lam, rate

    @torch.no_grad()
    def __call__(self, policy, rollout, carry):
        next_values = policy.value(rollout.next_observations)
        parts = (rollout.rewards, rollout.values, next_values)
        rewards, now, led_to = (part.double().numpy() for part in parts)
        ends, valid = rollout.terminated.numpy(), rollout.valid.numpy()
        judged = differential_advantages(rewards, now, led_to, ends, now[0], self.rho, self.lam)
        self.rho = update_rho(self.rho, rewards, now, led_to, valid, self.rate)
        return tuple(torch.tensor(part, dtype=torch.float32) for part in judged)


# %% [markdown]
# Two learners at the two counters, 16 robots each: yours, and discounted PPO with gamma 0.8. The
# same networks, the same PPO, the same seed. **Predict** which loop each takes.


# %%
def learn(objective, seed=0, robots=16, steps=8192):
    """Train at the two counters, 256 transitions an update; the run, and rho after each update."""
    config = PPOConfig(256 // robots, epochs=4, minibatches=2, learning_rate=3e-3, entropy=0.01)
    envs, track = gym.make_vec("BurgerBotTwoCounters-v0", robots), []

    def note(run):
        track.append((run.steps, getattr(objective, "rho", None)))

    return train(envs, config, steps, seed=seed, objective=objective, callback=note), track


PLACES = torch.arange(9)[:, None]


def chances(run, seen=PLACES):
    """The probabilities ``[S, A]`` of a trained policy, for each observation of ``seen``."""
    return run.policy.logits(seen).softmax(-1).detach().double().numpy()


def values(run, seen=PLACES):
    """What a trained critic says, ``[S]``."""
    return run.policy.value(seen).detach().double().numpy()


# %%
(mine, track), (soon, _) = learn(Mine()), learn(Discounted(gamma=0.8, lam=0.9))
for name, run in (("ARPPO", mine), ("gamma 0.8", soon)):
    earned, big = average_reward(*chain(chances(run)))[1], chances(run)[0, BIG]
    print(f"{name:10} takes the big loop with chance {big:.3f}: {earned:.4f} a step, exactly")
    display(show.show_counters(values(run), chosen=int(big > 0.5), title=name, unit="V"))
curves = {"rho": tuple(zip(*track, strict=True)), "exact optimum": ([0, 8192], [0.4, 0.4])}
alt = "ARPPO's estimate rho climbs from 0 to the exact optimum of 0.4 and stays there."
print(f"ARPPO believes {track[-1][1]:.4f}")
show.line_chart(curves, title="Two counters: rho and its exact value", alt=alt, **RHO)

# %% [markdown]
# Beside each place stands V, what the critic has learned: for ARPPO how much above or below average
# it is to be there, for the other one a discounted sum. Only the places on the chosen loop are
# visited until the end; the others keep what was believed of them early on.
#
# Discounted PPO did not fail. It found the optimum of what it was told to optimize. Was one run
# each luck? Ten seeds:

# %%
seeds, found = budget(10, fast=2), {}
for name, make in (("ARPPO", Mine), ("gamma 0.8", lambda: Discounted(0.8, 0.9))):
    found[name] = [learn(make(), seed)[0] for seed in tqdm(range(seeds), desc=name)]
for name, runs in found.items():
    took = [chances(run)[0].argmax() for run in runs]
    print(f"{name:10} big loop {took.count(BIG)} times, small loop {took.count(SMALL)} times")
near = [abs(run.objective.rho / 0.4 - 1) < 0.02 for run in found["ARPPO"]]
print(f"ARPPO's rho is within 2 percent of 0.4 in {sum(near)} of {seeds} runs")

# %% [markdown]
# ## One robot, or eight?
#
# It is often said that eight robots halve the time and the spread. Measure it. Both learn from the
# same number of transitions, in rollouts of the same 256: eight robots drive 32 steps each, one
# robot 256. **Predict** for each column: half, less, or no change?

# %%
took, found = {}, {}
for robots in (1, 8):
    begun, later = time.perf_counter(), range(20, 20 + seeds)
    found[robots] = [learn(Mine(), seed, robots)[0] for seed in tqdm(later, desc=str(robots))]
    took[robots] = (time.perf_counter() - begun) / seeds
print("robots   seconds a run   rho: mean   spread (std)   policy earns: worst")
for robots, runs in found.items():
    rhos = [run.objective.rho for run in runs]
    worst = min(average_reward(*chain(chances(run)))[1] for run in runs)
    print(f"{robots:6}{took[robots]:16.1f}{np.mean(rhos):12.4f}{np.std(rhos):15.5f}{worst:22.4f}")

# %% [markdown]
# Read the seconds first. Collecting gets cheaper with eight robots, as one question to the network
# serves all; the updates cost the same; so the whole is faster by less than eight times, and how
# much it is depends on how much of the time was collecting. Then the spread. In this kitchen there
# is hardly any chance left once the policy has settled, so do not expect it to follow lesson 08's
# law. "Eight robots halve it" is not a law of nature: measure it where you need it.

# %% [markdown]
# ## Exercise 11.5: Find the best average there is
#
# So far rho belonged to a policy. Which policy earns most? Value iteration without a discount grows
# without end, by rho in each sweep. Two changes keep it in bounds (**relative value
# iteration**): subtract the value of one state from all, and look at the *change* from sweep to
# sweep. That becomes the same number for every state, the best rho, also called the **gain**; where
# it does not, a third change helps, `tau`.
#
# ```
# h = zeros
# at most `sweeps` times:
#     new[s] = (1 - tau) * h[s] + tau * (largest over a of reward[s, a] + h[next_state[s, a]])
#     change = new - h
#     h      = new - new[0]
#     if max(change) - min(change) <= tolerance:
#         return  (max(change) + min(change)) / 2 / tau,  h
# raise RuntimeError: not settled
# ```
#
# | tau | what it means |
# |---|---|
# | 1 | the plain iteration |
# | below 1 | with chance `1 - tau` the robot waits a moment, unpaid; gain is `tau` times as large |
#
# The waiting is a trick: it changes neither which policy is best nor h, and dividing by tau undoes
# what it does to the gain. Whatever the worlds of this exercise do, they do without chance, so
# `next_state[s, a]` is enough.


# %% tags=["exercise:11.5"] minutes=12 difficulty=3
def relative_value_iteration(
    next_state: np.ndarray,
    reward: np.ndarray,
    tau: float = 0.5,
    tolerance: float = 1e-9,
    sweeps: int = 5000,
) -> tuple[float, np.ndarray]:
    """Return ``(gain, h)``: the best average reward, and h ``[S]`` with ``h[0] == 0``."""
    h = np.zeros(len(reward))
    # BEGIN SOLUTION
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError(f"not settled after {sweeps} sweeps")
    # END SOLUTION


# %% tags=["check:11.5"]
check("11.5")

# %% [markdown]
# A hint is at `hint("11.5")`.

# %% [markdown] tags=["hints:11.5"]
# 1. It is lesson 02's value iteration with gamma 1, no ends, and three more lines. `h[next_state]`
#    works for the whole array `[S, A]`; `.max(axis=1)` is over the actions.
# 2. Take the change *before* you subtract `new[0]`: afterwards the change of state 0 is always 0,
#    and the gain is lost.
# 3. `return float(change.max() + change.min()) / 2 / tau, h` inside the loop, and
#    `raise RuntimeError(...)` after it.

# %% [markdown]
# **Predict** what the plain iteration, tau = 1, makes of the two counters, where everything comes
# back in a rhythm of five.

# %%
for tau in (1.0, 0.5):
    try:
        print(f"tau {tau}: gain {relative_value_iteration(NEXT_PLACE, REWARD, tau)[0]:.6f}")
    except RuntimeError as error:
        print(f"tau {tau}: {error}")

# %% [markdown]
# The rhythm never dies out by itself; the waiting breaks it. Now BurgerBot's endless shift. Each
# cell shows how many points more are ahead of it than of the start, beyond the average, and the
# best action for each heading.

# %%
gain, h = relative_value_iteration(shift.next_state, shift.reward)
best = (shift.reward + h[shift.next_state]).argmax(axis=1)
print(f"the best average: {gain:.6f}; 60.8 / 14 = {60.8 / 14:.6f}")
ahead = h - h[START]
show.value_map(CLASSIC, ahead, best, title="The endless shift", unit="points ahead of the start")

# %% [markdown]
# The very rewards that made a discounted bot circle for ever, asked for their best average, lead
# straight to the burger. And no gamma had to be chosen.
#
# ## ARPPO on the endless shift
#
# Now learn it. 64 robots, with the course's `AverageReward`, which is your two functions for every
# autoreset mode. Watch it as it goes: the curves grow while the cell runs. **Predict**: which of
# the two climbs first, the reward or rho? And how far will rho be from its exact value in the end?

# %%
SHIFT = PPOConfig(steps=64, epochs=4, minibatches=4, learning_rate=1e-3, entropy=0.01)


def long_shift(envs, steps, title):
    """Train 64 robots while a chart draws rho and the reward of each rollout; the run."""
    objective = AverageReward(lam=0.95, rate=0.1)
    levels = {"exact optimum": gain}
    with show.LiveCurve(title, **RHO, total=steps, levels=levels) as curve:

        def note(run):
            paid = run.history[-1]["reward_per_step"]
            curve.add(run.steps, reward_of_a_rollout=paid, rho=objective.rho)

        return train(envs, SHIFT, steps, objective=objective, callback=note)


# %%
STEPS = budget(400_000, fast=12_000)
bot = long_shift(gym.make_vec("BurgerBotShift-v0", 64), STEPS, "Learning the endless shift")

# %% [markdown]
# The rewards climb first, and the estimate follows: each update takes it a tenth of the way. `rho`
# is what the learner *believes*. What is true? Your first exercise answers it for any policy, and
# the oracle for this kitchen: once for the policy as it explores, which rho is an estimate of, and
# once for its **greedy** version, which always takes the likeliest action.

# %%
seen, rho = torch.tensor(compile_kitchen(CLASSIC).observations), bot.objective.rho
draws = chances(bot, seen)
print(f"rho, as estimated  {rho:.4f}   ({100 * (rho / gain - 1):+.2f} percent)")
for name, policy in (("as it explores", draws), ("greedy", draws.argmax(axis=1))):
    print(f"exact, {name:14}{oracle.gain_and_bias(shift, policy, start=START)[0]:8.4f}")

# %% [markdown]
# And its values? Along the road that it drives, the learned differential values beside the exact
# ones, each with its own mean subtracted, since the level says nothing:

# %%
road = encode(CLASSIC, *work(draws.argmax(axis=1), 14).observations[:, 0].T[:3])
lines = {name: worth[road] for name, worth in (("learned", values(bot, seen)), ("exact", h))}
lines = {name: (range(14), line - line.mean()) for name, line in lines.items()}
alt = "Learned and exact values of the fourteen states of a delivery rise towards the burger."
show.line_chart(lines, title="On the road to the burger", ylabel="points", alt=alt, xlabel="step")

# %% [markdown]
# ## Take the sensor away
#
# The observation is `[row, col, heading, sensor]`. On this one map the sensor tells nothing new:
# the pose alone determines what lies ahead. So take it away, and nothing should change. Should it?
# **Predict** what the robots learn.


# %%
class NoSensor(gym.vector.VectorObservationWrapper):
    """Put a plaster on the sensor: it always reads 0."""

    def observations(self, observations):
        return observations * np.array([1, 1, 1, 0])


# %%
blind = long_shift(NoSensor(gym.make_vec("BurgerBotShift-v0", 64)), STEPS // 2, "Without a sensor")
draws = chances(blind, seen * torch.tensor([1, 1, 1, 0]))
earned = oracle.gain_and_bias(shift, draws, start=START)[0]
print(f"rho {blind.objective.rho:.3f}; exact {earned:.3f} points a step; at the start it would")
print(*(f"{name} {p:.2f}" for name, p in zip(ACTIONS, draws[START], strict=True)), sep=", ")

# %% [markdown]
# It learned to stand still, or to turn on the spot, for -0.1 a step. The information is all there,
# in principle. Why, then? A likely reason: a beginner crashes often, each crash costs 10, and what
# can be learned *soon* is what holds everywhere. With the sensor that is "clear ahead: drive; else
# do not". Without it, "where is it safe?" has to be learned wall by wall, and before that is done,
# "never drive" is the quickest way out of losing points. Then nobody drives, and nothing more is
# learned. (You can put this reason to the test: see "Try it yourself".)
#
# The objective was right, and an exact planner would deliver. A right objective does not make
# learning easy. Look at what a policy *does*, not only at whether its curve went up.

# %% [markdown]
# ## When this goes wrong
#
# **"My average reward is far too good."** It is total reward by total steps. Whoever averages the
# reward per step *of each episode* lets short episodes count as much as long ones. Here two robots
# deliver, one in 2 steps, the other in 21:

# %%
envs = BurgerBotVectorEnv(2, [19 * "." + ">.G", ">" + 20 * "." + "G"], endless=True)
rows, _ = collect(envs, lambda seen: np.zeros(2, dtype=int), 420)
each = rows.rewards.mean(axis=0)  # points a step; all episodes of a robot are alike
print(f"total reward by total steps: {rows.rewards.mean():.2f} points a step")
print(f"mean over all episodes:      {np.average(each, weights=[210, 20]):.2f}")

# %% [markdown]
# **"The oracle refuses my policy."** Some policies have several habits, none of which is ever left.
# Their average depends on where they begin, so say it:

# %%
try:
    oracle.gain_and_bias(shift, np.full(196, 3))  # stop, everywhere
except ValueError as error:
    print(error)
print("from the start:", oracle.gain_and_bias(shift, np.full(196, 3), start=START)[0])

# %% [markdown]
# **"rho is fine at first, then wanders off."** A gamma was left in, or the values are not centred,
# or rho is moved by the mean of the advantages. Feed the learner a two-state world with known
# numbers, as above.
#
# **"rho and the greedy policy disagree."** They should, while the policy explores: rho estimates
# what the *exploring* policy earns. Report both, and say which is which.
#
# **"It earns less, and the rewards are shaped."** Shaping keeps the best policy only if its
# discount is the objective's. Here that means gamma 1, and the potential must be counted through
# every reset as well.
#
# ## What was measured
#
# - The circling bot of lesson 02 and a delivering one, in points per step; which of them each
#   objective asks for.
# - How often ARPPO and discounted PPO find the richer counter, over ten seeds, and how far rho is
#   from its exact value.
# - One robot against eight, at equal transitions: seconds and spread.
# - ARPPO on the endless shift beside the exact optimum, with the sensor and without.
#
# ## Try it yourself
#
# - Give the sensorless robots more time, more entropy (`entropy=0.05`) or a crash that costs 1.
#   What gets them moving?
# - Put a termination back: train `AverageReward(reset_cost=20.0)` on `BurgerBot-v0`, where
#   terminations are resets. What does the cost change, and what does the oracle say
#   (`oracle.relative_value_iteration(episode, start=START, reset_cost=20.0)`)?
# - Make the floor slip (`gym.make_vec("BurgerBotShift-v0", 64, slip=0.15)`) and compare with the
#   oracle's gain for the same slip.
# - Move the border: with which payments would a gamma of 0.95 still take the poorer loop?
#
# **Sources.** Puterman (1994), "Markov Decision Processes", chapter 8 · Mahadevan (1996), "Average
# reward reinforcement learning: foundations, algorithms, and empirical results", Machine Learning
# 22 · Zhang and Ross (2021), "On-policy deep reinforcement learning for the average-reward
# criterion", ICML · Ma, Tang, Xia, Yang and Zhao (2021), "Average-reward reinforcement learning
# with trust region methods", IJCAI · Wan, Naik and Sutton (2021), "Learning and planning in
# average-reward Markov decision processes", ICML
#
# Previous: [10 · PPO by hand](10_ppo_by_hand.ipynb) · Next: [12 · Many
# machines](12_many_machines.ipynb)
