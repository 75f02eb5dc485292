# %% [markdown] minutes=60
# # 02 · What is optimal: the best any bot could do, and does our reward ask for it?
#
# In this lesson you compute the best behaviour that BurgerBot's rewards allow, exactly, and find
# out that it is not what anybody wanted.
#
# Afterwards you can
#
# 1. turn the rules of any kitchen into one table of whole numbers, and step by looking up;
# 2. compute what every state is worth, and follow the best policy there is;
# 3. test whether a reward asks for what you want, mend it, and help a learner along without
#    changing what is best.
#
# **Time** about 60 minutes. **You need** [lesson 01](01_burgerbot_env.ipynb) and NumPy arrays.
# **The machine** can be any laptop: two cells train for half a minute to a minute each, all others
# take seconds.
#
# Previous: [01 · Meet BurgerBot](01_burgerbot_env.ipynb)
#
# Next: [03 · Many bots](03_many_bots.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. Run it first.

# %% tags=["imports"]
from typing import NamedTuple

import numpy as np

from burgerbot import show
from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import oracle
from burgerbot.world.kitchen import CLASSIC, MOVES, Kitchen
from burgerbot.world.rules import V0_REWARDS, V1_REWARDS, compile_kitchen, decode, encode

# %% [markdown]
# ## A kitchen is a small world
#
# How good can a bot be in this kitchen? You could train one and see. But a poor result would
# leave you guessing: is the training bad, or is there nothing better to be had? And a good one
# might not be the best. This kitchen is so small that you need not guess. You can *compute* the
# best.
#
# A **state** is all that matters about the present moment. Here it is the robot's pose: row,
# column and heading. A **policy** says which action to take in each state. Count the states, and
# the pairs of a state and an action:

# %%
num_states = CLASSIC.rows * CLASSIC.cols * 4
print(num_states, "states,", num_states * 4, "pairs of a state and an action")
show.show_kitchen(CLASSIC)

# %% [markdown]
# A few hundred pairs: a computer works through all of them in less than a blink. For that, the
# rules must be in a form that a computer reads fast. That form is a table.

# %% [markdown]
# ## Exercise 02.1: Compile the transition table
#
# Lesson 01's `step` asked the map anew at each step. Yet the answer for a given state and action
# never changes. So work it out once, for all of them, and from then on look it up: this idea
# carries the whole course, up to a million robots on one chip.
#
# | what | packed how |
# |---|---|
# | a state | `s = (row * cols + col) * 4 + heading` |
# | the place of an entry | `table[s * 4 + a]` |
# | an entry | `next_state * 4 + outcome` |
#
# In bits, the last line is `next_state << 2 | outcome`: `<< 2` moves a number two bits to the left,
# which makes room for the outcome, 0 to 3. Later `entry >> 2` is the next state, and `entry & 3`
# the outcome. Actions and outcomes are those of lesson 01:
#
# | action | what happens | outcome |
# |---|---|---|
# | 0 forward | one cell ahead, onto free floor | 1 moved |
# | 0 forward | into a counter or wall: the robot stays | 2 crashed |
# | 0 forward | one cell ahead, onto the goal | 3 delivered |
# | 1 turn left, 2 turn right | heading minus 1, plus 1, both `% 4` | 0 idle |
# | 3 stop | nothing | 0 idle |
#
# The array is flat, of dtype int32, and it must be right for any kitchen, square or not. No robot
# ever stands on a counter: what your table says about those states does not matter, as long as
# it names states that exist. A 0 will do.


# %% tags=["exercise:02.1"] minutes=10 difficulty=2
def compile_table(kitchen: Kitchen) -> np.ndarray:
    """Return int32 ``[rows * cols * 16]``: ``table[s * 4 + a] = next_state << 2 | outcome``."""
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    # BEGIN SOLUTION
    for row, col in kitchen.clear_cells():
        cell = (row * kitchen.cols + col) * 4
        for heading, (dr, dc) in enumerate(MOVES):
            state, ahead = cell + heading, (row + dr, col + dc)
            if not kitchen.is_clear(*ahead):
                after, outcome = state, 2
            else:
                after = (ahead[0] * kitchen.cols + ahead[1]) * 4 + heading
                outcome = 3 if ahead == kitchen.goal else 1
            table[state * 4 + 0] = after << 2 | outcome
            table[state * 4 + 1] = (cell + (heading - 1) % 4) << 2
            table[state * 4 + 2] = (cell + (heading + 1) % 4) << 2
            table[state * 4 + 3] = state << 2
    # END SOLUTION
    return table


# %% tags=["check:02.1"]
check("02.1")

# %% [markdown]
# Stuck? Run `hint("02.1")` in a new cell; each call says a little more. After a pass,
# `solution("02.1")` shows one way to write it.

# %% [markdown] tags=["hints:02.1"]
# 1. Three loops: the cells (`kitchen.clear_cells()` lists those without a counter), the four
#    headings, the four actions. `MOVES[heading]` is the step of one move, `(row, col)`.
# 2. Only forward needs the map: ask `kitchen.is_clear(row, col)` of the cell ahead. The other
#    three actions stay on the cell, with outcome 0.
# 3. Let `cell = (row * kitchen.cols + col) * 4` and `state = cell + heading`. Then
#    `table[state * 4 + 1] = (cell + (heading - 1) % 4) << 2` is the left turn. Forward is
#    `after << 2 | outcome`, with `after = state` and outcome 2 if the way is blocked.

# %% [markdown]
# Now drive by looking up. No map is asked any more: each step below reads one number. (`encode`
# packs row, column and heading into a state, by the formula above; `decode` takes them out again.)

# %%
table = compile_table(CLASSIC)
START = encode(CLASSIC, *CLASSIC.start)
states, actions = [START], [0, 0, 2, 0, 0, 1, 0]
for action in actions:
    states.append(int(table[states[-1] * 4 + action] >> 2))
show.play(CLASSIC, states, actions=actions, title="Seven look-ups")

# %% [markdown]
# ## What a state is worth
#
# Four rewards stand for four outcomes. `table & 3` is the outcome of each entry, so one line
# gives the reward of every state and action, `[S, 4]`: row s, column a. S is the number of
# states. The row below belongs to the start. Which action does it seem to favour?

# %%
reward = np.array(V0_REWARDS)[table & 3].reshape(-1, 4)
print(reward.shape, reward[START])

# %% [markdown]
# One step is not enough to judge by. What counts is all that follows: the **return**. And later
# rewards count a little less than early ones, by the **discount** gamma, a number from 0 to 1:
#
# `return = r0 + gamma * r1 + gamma^2 * r2 + ...`
#
# With gamma = 0 only the next reward counts, with gamma near 1 the far future counts too. The
# **value** of a state, `v[s]`, is the best return that can be had from there.
#
# Values hang together. The best return from here is the best choice of: this step's reward, plus
# gamma times the value of the state it leads to. That sentence is the **Bellman equation**. And
# where the episode ends, nothing is added, for nothing follows.

# %% [markdown]
# ## Exercise 02.2: Compute what every state is worth
#
# Guess all values as 0. Then use the Bellman equation to improve every guess, over and over. One
# pass over all states is a **sweep**, and each sweep carries the news of the burger one step
# further from the goal. With gamma below 1 the guesses must settle, whatever they began with. This
# is **value iteration** (Bellman, 1957), and it needs no training, no luck and no seed.
#
# ```
# repeat
#     for every state s and action a:
#         q[s, a] = reward[s, a] + gamma * v[next state]     if the episode goes on
#         q[s, a] = reward[s, a]                             if it ends (outcome 2 or 3)
#     for every state s:
#         v[s] = the largest q[s, a]
# until no v[s] has moved by more than the tolerance in this sweep
# ```
#
# To use one guess in making the next is called **bootstrapping**. Cutting it where the episode
# ends is the line that is forgotten most often. `q[s, a]` is an **action value**: what you get by
# taking `a` now and the best actions ever after. Loops are fine; arrays are faster:
# `v[next_state]` works for a whole array `next_state` of shape `[S, 4]`.


# %% tags=["exercise:02.2"] minutes=12 difficulty=2
def value_iteration(
    table: np.ndarray, reward: np.ndarray, gamma: float, tolerance: float = 1e-8
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values, float64 ``[S]``, and the action values, ``[S, 4]``; 0 <= gamma < 1."""
    values = np.zeros(len(reward))
    # BEGIN SOLUTION
    next_state = (table >> 2).reshape(-1, 4)
    ends = (table & 3).reshape(-1, 4) >= 2
    while True:
        q = reward + gamma * np.where(ends, 0.0, values[next_state])
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q
    # END SOLUTION


# %% tags=["check:02.2"]
check("02.2")

# %% [markdown]
# A hint is at `hint("02.2")`.

# %% [markdown] tags=["hints:02.2"]
# 1. Unpack the table once, before the loop: `next_state = (table >> 2).reshape(-1, 4)`, and in
#    the same way the outcomes. The episode ends where the outcome is 2 or 3.
# 2. In a sweep, `np.where(ends, 0.0, values[next_state])` is what follows, for all states and
#    actions at once. Multiply by gamma and add `reward`: that is `q`.
# 3. The new values are `q.max(axis=1)`. Compare them with the old ones *before* you replace them:
#    `np.abs(new - values).max() <= tolerance` ends the loop.

# %% [markdown]
# Look at what your function finds. Each cell is cut into four triangles, one a heading, with the
# letter of the best action; the number is the value of the best heading. Follow the letters from
# row 0, col 0, facing east (the right-hand triangle).

# %%
values_95, q_95 = value_iteration(table, reward, gamma=0.95)
show.value_map(CLASSIC, values_95, q_95.argmax(axis=1), title="Rewards of v0, gamma 0.95")

# %% [markdown]
# The values rise towards the burger like a hill, and the best action always climbs. To act well
# you need nothing more: in each state take the action with the largest `q`, which is
# `q.argmax(axis=1)`. Such a policy is called **greedy**.

# %% [markdown]
# ## Exercise 02.3: Follow a policy
#
# A value is a promise. To see it kept, let the robot follow the policy and write down what
# happens. You also want the **plain return**, without discount, because that is what the episode
# pays in points.
#
# | part of the `Episode` | what it holds |
# |---|---|
# | `states` | a list: the start, then the state after each step |
# | `total` | the sum of `gamma**t * reward[state, action]`, t = 0 for the first step |
# | `terminated` | True if the last step crashed or delivered (outcome 2 or 3) |
# | `truncated` | True if `limit` steps were taken |
#
# Stop after the step that terminates, or after `limit` steps (1 or more). A step that terminates
# *at* the limit has both flags True, as in lesson 01. `policy[s]` is the action in state s.


# %% tags=["given"]
class Episode(NamedTuple):
    """What happened on the way from a start to an end."""

    states: list
    total: float
    terminated: bool
    truncated: bool


# %% tags=["exercise:02.3"] minutes=8 difficulty=1
def rollout(
    table: np.ndarray,
    reward: np.ndarray,
    policy: np.ndarray,
    start: int,
    limit: int,
    gamma: float = 1.0,
) -> Episode:
    """Follow ``policy`` from ``start`` until it terminates, for at most ``limit`` steps."""
    states, total, terminated = [start], 0.0, False
    # BEGIN SOLUTION
    while not terminated and len(states) <= limit:
        state = states[-1]
        action = policy[state]
        total += gamma ** (len(states) - 1) * reward[state, action]
        entry = table[state * 4 + action]
        states.append(int(entry >> 2))
        terminated = bool(entry & 3 >= 2)
    return Episode(states, total, terminated, len(states) > limit)
    # END SOLUTION


# %% tags=["check:02.3"]
check("02.3")

# %% [markdown]
# A hint is at `hint("02.3")`.

# %% [markdown] tags=["hints:02.3"]
# 1. In each step: look up the action in `policy`, the reward in `reward`, the entry in `table`,
#    in that order, all with the state the robot is in *now*.
# 2. `for t in range(limit)` counts the steps, and `gamma**t` is the weight of step t. Leave the
#    loop after a step whose outcome, `entry & 3`, is 2 or more.
# 3. `len(states) - 1` is the number of steps taken. So `truncated` is `len(states) - 1 == limit`,
#    whatever `terminated` is.

# %% [markdown]
# Here is the greedy policy of the map above, on its way. `LIMIT` is the step limit of
# `BurgerBot-v0`, and `delivered` tells a delivery from a crash.

# %%
LIMIT = 150


def delivered(episode):
    """Say whether an episode ended on the goal."""
    return episode.terminated and decode(CLASSIC, episode.states[-1])[:2] == CLASSIC.goal


delivery = rollout(table, reward, q_95.argmax(axis=1), START, LIMIT)
print(round(delivery.total, 1), "points, delivered:", delivered(delivery))
print("fewest steps of any delivery:", oracle.delivery_length(compile_kitchen(CLASSIC)))
paid = [reward[s, q_95[s].argmax()] for s in delivery.states[:-1]]
show.play(CLASSIC, delivery.states, rewards=paid, title="The best policy, gamma 0.95")

# %% [markdown]
# No bot can deliver in fewer steps: the package's `oracle`, which computes exact answers, has
# counted them in its own way. (It reads the kitchen from `compile_kitchen`, the package's version
# of your table.) So far, so good.

# %% [markdown]
# ## Predict, then look: gamma 0.99
#
# The library Stable-Baselines3 trains with gamma = 0.99 unless you say otherwise, and many papers
# do the same. It only means that the future counts a little more. **Predict** what the best
# policy does with it. Write your guess down before you run the cell.
#
# - The same delivery as before.
# - A longer way to the goal, which picks up some more +1 for moving.
# - Something else?

# %%
values_99, q_99 = value_iteration(table, reward, gamma=0.99)
circle = rollout(table, reward, q_99.argmax(axis=1), START, LIMIT)
print(round(circle.total, 1), "points, delivered:", delivered(circle))
paid = [reward[s, q_99[s].argmax()] for s in circle.states[:-1]]
show.play(CLASSIC, circle.states, rewards=paid, title="The best policy, gamma 0.99")

# %% [markdown]
# The best policy *never* delivers. It has found a lap through the kitchen and drives it until the
# limit cuts it off. It earns far more points than the delivery did. Nothing is broken: your value
# iteration is right, and so is the policy. The reward pays +1 for moving, and the robot moves.
#
# Look at the map. The values no longer rise towards the burger. The cell next to it, facing it,
# is now a place to turn away from:

# %%
show.value_map(CLASSIC, values_99, q_99.argmax(axis=1), title="Rewards of v0, gamma 0.99")

# %% [markdown]
# Where does it change? The table below takes a few discounts and shows, for the best policy of
# each, what the start is worth and what the episode pays.

# %%
GAMMAS = (0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995)


def compare(reward, gammas=GAMMAS):
    """Print what the best policy does under each discount."""
    print("gamma  value  steps  points  delivered")
    for gamma in gammas:
        values, q = value_iteration(table, reward, gamma)
        episode = rollout(table, reward, q.argmax(axis=1), START, LIMIT)
        steps, points = len(episode.states) - 1, round(episode.total, 1)
        print(f"{gamma:5} {values[START]:6.1f} {steps:6} {points:7}  {delivered(episode)}")


compare(reward)

# %% [markdown]
# There are only two kinds of behaviour, and a tiny change of gamma flips one into the other. To
# see why, take both policies and follow each one under *many* discounts, for so long that the
# rest no longer counts. Two lines, and they cross:

# %%
policies = {"deliver": q_95.argmax(axis=1), "drive in circles": q_99.argmax(axis=1)}
gammas = np.linspace(0.95, 0.99, 17)
lines = {
    name: (gammas, [rollout(table, reward, policy, START, 2500, g).total for g in gammas])
    for name, policy in policies.items()
}
show.line_chart(
    lines,
    title="What two policies are worth at the start (v0)",
    xlabel="discount gamma (no unit)",
    ylabel="discounted return (points)",
    alt="Discounted return against gamma. Delivering rises slowly, driving in circles rises "
    "steeply; they cross between 0.98 and 0.99.",
)

# %% [markdown]
# You can find the crossing with a pencil. A policy that earns c points a step, for ever, is worth
# `c / (1 - gamma)`: that is the sum of `c * gamma^t`. The delivery ends with 50, and then nothing.
# So circling wins, roughly, when `c / (1 - gamma)` is more than 50. Measure c, over many laps:

# %%
laps = rollout(table, reward, policies["drive in circles"], START, 2000)
first = rollout(table, reward, policies["drive in circles"], START, 100)
c = (laps.total - first.total) / 1900
print(f"c = {c:.3f} points a step; circling wins above gamma = {1 - c / 50:.4f}")

# %% [markdown]
# That is where the lines cross. Read it as a rule of thumb: gamma looks about `1 / (1 - gamma)`
# steps ahead. If what the robot can pick up within that reach is worth more than the goal, the
# goal is in its way.

# %% [markdown]
# ## Would a deadline help?
#
# You may object that v0 has a limit of 150 steps, and value iteration knows nothing of it. Right.
# With a limit, the best action depends on the steps that are left, so there is one policy for each
# number of them. The package computes it, backwards from the last step: `oracle.finite_horizon`.
# **Predict** when this robot delivers.

# %%
model = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
_, plan = oracle.finite_horizon(model, LIMIT)
driven, paid = oracle.rollout(model, plan, START, LIMIT)
show.play(CLASSIC, driven, rewards=paid, title="The best plan for 150 steps, undiscounted")

# %% [markdown]
# It drives about until the last moment, and then delivers: all the moving points *and* the 50.
# The customer gets a cold burger. A deadline changes the plan, but it does not make the reward
# mean what we meant. (And a robot whose observation shows no clock could not follow such a plan.)

# %% [markdown]
# ## Does a learner find that out?
#
# Value iteration reads the rules. A learning program knows none of them; it acts and sees what
# comes. Does it hit upon the circles as well? Try the one that everybody uses: **PPO** of
# Stable-Baselines3, a method that lesson 10 takes apart. Here it is a black box with its default
# settings, gamma 0.99 among them. Only two numbers are ours, so that it learns in short time: 32
# robots at once, and 8 steps of each between two updates.
#
# PPO's policy is a small **network**, a formula with many numbers to adjust, and an *update*
# adjusts them. After each chunk of training the function asks it for its action in *every* state.
# That gives a policy like yours, and your own `rollout` follows it on the rewards `pay`.

# %%
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

torch.set_num_threads(1)  # the network is tiny: a second thread would only be waited for
CHUNK = budget(2560, fast=256)  # training steps between two looks at the policy


def train(env_id, pay, seed, **kwargs):
    """Train PPO; return its last episode, and the points of its policy after each chunk."""
    robots = make_vec_env(env_id, n_envs=32, seed=seed, env_kwargs=kwargs)
    ppo = PPO("MlpPolicy", robots, n_steps=8, seed=seed, device="cpu")
    points = []
    for _ in range(budget(8, fast=2)):
        ppo.learn(CHUNK, reset_num_timesteps=False)
        policy, _ = ppo.predict(compile_kitchen(CLASSIC).observations, deterministic=True)
        episode = rollout(table, pay, policy, START, LIMIT)
        points.append(round(float(episode.total), 1))
    print(f"{env_id}, seed {seed} {kwargs or ''}\n    points:", *points)
    print(f"    last policy: {len(episode.states) - 1} steps, delivered: {delivered(episode)}")
    return episode, points


# %% [markdown]
# The points below are what each policy earns after some more training. The cell takes about half
# a minute, and prints one seed at a time. **Predict** the last number of each seed: near 60.8, as
# for the delivery, or near 115.9, as for the exact optimum?

# %%
runs = {seed: train("BurgerBot-v0", reward, seed) for seed in range(1, budget(4, fast=2))}

# %%
trained = CHUNK * np.arange(1, len(runs[1][1]) + 1)
curves = {f"PPO, seed {seed}": (trained, points) for seed, (_, points) in runs.items()}
bounds = {
    "the delivery": (trained, np.full(len(trained), delivery.total)),
    "exact optimum": (trained, np.full(len(trained), circle.total)),
}
show.line_chart(
    curves | bounds,
    title="PPO on the rewards of v0: greedy policy after training",
    xlabel="training (robot steps, all 32 robots together)",
    ylabel="plain return (points)",
    alt="Points of PPO's greedy policy against training steps, with lines for the delivery and "
    "for the exact optimum.",
)

# %% [markdown]
# Each seed ends far above the delivery's line and close to the exact optimum, and none delivers.
# (Where the variable `FAST` is set, as automatic tests do, `budget` takes the smaller amount, and
# training is too short to show this.) PPO
# has learned what the reward asks for, and very well. Whoever looks at the points alone is
# content. Whoever looks at the robot sees this:

# %%
show.show_kitchen(CLASSIC, trail=runs[1][0].states, title="The way that PPO has learned, seed 1")

# %% [markdown]
# Before you blame a learner, ask what is optimal. Here the fault is in the reward.

# %% [markdown]
# ## Mend the reward
#
# What do we want? A delivery, soon, without a crash. So only the delivery pays, and time costs
# something. That is `BurgerBot-v1`:
#
# | outcome | v0 | v1 |
# |---|---|---|
# | 0 idle | -0.1 | -0.5 |
# | 1 moved | +1 | -0.1 |
# | 2 crashed | -10 | -10 |
# | 3 delivered | +50 | +50 |
#
# Nothing on the way can be collected any more. **Predict** the table below before you run it.

# %%
mended = np.array(V1_REWARDS)[table & 3].reshape(-1, 4)
compare(mended)

# %% [markdown]
# The best bot delivers by the shortest way, whatever the discount. Now the reward asks for what
# we want.
#
# But why does standing still cost five times as much as driving? The best policy never stands
# still, so it does not care. A *learner* does: it begins by acting at random, and most of that
# ends in a crash. What is the lazy way out worth to it? The package's `oracle.policy_evaluation`
# computes the exact value of any policy; driving straight ahead means crashing soon.

# %%
lazy = {
    "stand still": np.full(num_states, 3),
    "act at random": np.full((num_states, 4), 0.25),
    "drive straight ahead": np.zeros(num_states, dtype=int),
}
for idle in (-0.1, -0.5):
    model = oracle.model(compile_kitchen(CLASSIC), (idle, -0.1, -10, 50))
    for name, policy in lazy.items():
        worth = oracle.policy_evaluation(model, policy, gamma=0.99)[START]
        print(f"idle {idle}: to {name:20} is worth {worth:6.2f}")

# %% [markdown]
# At -0.1, standing still for ever is worth the same as trying things, and it is so much easier to
# learn: one action, and no risk. A learner that slips into it never meets the burger. At -0.5
# standing still is by far the worst. That trap is closed. But look at the last line: the lazy way
# out is now a quick crash.

# %% [markdown]
# ## Exercise 02.4: Shape without changing what is best
#
# The mended reward is honest, but it says little: -0.1, -0.1, -0.1, until a first delivery, and
# you saw in lesson 01 how rarely a random bot gets there. **Shaping** adds a hint to each step.
# After v0 you know how dangerous that is. There is one safe way (Ng, Harada and Russell, 1999):
# give each state a **potential** `phi(s)`, like a height above the sea, and pay for the climb.
#
# `F = gamma * phi(s') - phi(s)` is added to the reward of a step from s to s'.
#
# What a robot gains by climbing it pays back on the way down, so a lap wins nothing. The ends of
# an episode need care:
#
# | the step | `terminated` | `truncated` | F |
# |---|---|---|---|
# | goes on | False | False | `gamma * phi(s') - phi(s)` |
# | crashes or delivers | True | False | `0 - phi(s)` |
# | reaches the limit | False | True | `gamma * phi(s') - phi(s)` |
# | both | True | True | `0 - phi(s)` |
#
# After a termination there is nothing, so its potential is 0. A truncation only ends our
# watching. All arguments but gamma are arrays, one element a step. Their shapes fit together by
# NumPy's rules of broadcasting: `phi` may be `[S, 1]` and the others `[S, 4]`.


# %% tags=["exercise:02.4"] minutes=6 difficulty=1
def shaping(
    phi: np.ndarray,
    phi_next: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    gamma: float,
) -> np.ndarray:
    """Return F of each step; ``phi`` is the potential before it, ``phi_next`` after it."""
    # BEGIN SOLUTION
    return gamma * np.where(terminated, 0.0, phi_next) - phi
    # END SOLUTION


# %% tags=["check:02.4"]
check("02.4")

# %% [markdown]
# A hint is at `hint("02.4")`. One of the arguments is not needed. It is there because most people
# use it.

# %% [markdown] tags=["hints:02.4"]
# 1. Read the table by columns: which of the two flags changes F, and which one does not?
# 2. `np.where(terminated, 0.0, phi_next)` is the next potential with zeros where the episode has
#    terminated, and it leaves `phi_next` as it was.
# 3. Multiply that by gamma, then take `phi` away. `truncated` is not used.

# %% [markdown]
# Shape the whole table at once. The potential is minus the walking distance to the burger, as in
# `BurgerBot-v1`. Then ask your value iteration twice, without and with the hints.

# %%
GAMMA, distance = 0.97, compile_kitchen(CLASSIC).distance
next_state, ended = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4) >= 2
never = np.zeros_like(ended)
F = shaping(-distance[:, None], -distance[next_state], ended, never, GAMMA)

plain, q_plain = value_iteration(table, mended, GAMMA)
shaped, q_shaped = value_iteration(table, mended + F, GAMMA)
best_plain = q_plain > plain[:, None] - 1e-6
best_shaped = q_shaped > shaped[:, None] - 1e-6
print("the same best actions in every state:", np.array_equal(best_plain, best_shaped))
print(
    "largest gap of shaped - (plain + distance):", np.abs(shaped - plain - distance).max().round(6)
)
tied = [s for s in range(num_states) if best_plain[s].sum() > 1]
tied = [s for s in tied if CLASSIC.is_clear(*decode(CLASSIC, s)[:2])]
print("states with more than one best action:", len(tied))

# %% [markdown]
# The best actions are the same in every state. All that happens is that each value moves by
# minus the potential, here by plus the distance.
#
# Why? Add up the hints along the way, discounted, and they cancel in pairs, except at the two
# ends. Your `rollout` can show it: give it F as the reward, and stop it after 1, 2, 3, ... steps.

# %%
steps = np.arange(1, 101)
sums = {
    name: (steps, [rollout(table, F, policy, START, limit, GAMMA).total for limit in steps])
    for name, policy in policies.items()
}
show.line_chart(
    sums,
    title="The hints that a robot has collected",
    xlabel="steps taken",
    ylabel="discounted sum of F (points)",
    alt="Discounted sum of hints against steps. Delivering climbs to 12 and stays there; driving "
    "in circles goes up and down, less and less, and ends at 12 too.",
)

# %% [markdown]
# Whatever the robot does, it ends up with the same sum: minus the potential of the start. So hints
# cannot make one policy better than another. They only come *earlier* to a robot that goes the
# right way, and that is what a learner needs.
#
# Now PPO again, with the same seed, on three rewards: standing still at -0.1, then at -0.5 (both
# without hints), then `BurgerBot-v1` as it is registered, with shaping. All numbers are points of
# the mended reward. **Predict** where each of them ends; the lazy policies above are a help.

# %%
for kwargs in ({"rewards": (-0.1, -0.1, -10, 50), "shaping": 0}, {"shaping": 0}, {}):
    last, _ = train("BurgerBot-v1", mended, seed=2, **kwargs)

# %%
show.show_kitchen(CLASSIC, trail=last.states, title="PPO on BurgerBot-v1, with shaping, seed 2")

# %% [markdown]
# The first hardly leaves its place, the second has learned to crash at once, and the third
# delivers. (Not where `FAST` is set: then none has had the time to learn. And one seed is no proof:
# other seeds may be luckier without hints. "Try it yourself" below asks how often.) Notice that
# the first two do not fail because of what is optimal: under all three rewards the best policy
# delivers. There are two questions. Does the reward ask for the right thing? And can a learner find
# it? Value iteration answers the first, and only then is it worth working on the second.

# %% [markdown]
# ## Shaping that lies
#
# The formula leaves little room. Below are four bonuses. The first two are potentials. The third
# is the second with the zero at termination forgotten. The fourth is what comes to mind first:
# pay for being near the burger. **Predict** which of them still delivers.

# %%
low = -distance - 100  # a potential may start anywhere: a constant must not matter
bonuses = {
    "potential": F,
    "potential - 100": shaping(low[:, None], low[next_state], ended, never, GAMMA),
    "potential - 100, not 0 at the end": GAMMA * low[next_state] - low[:, None],
    "bonus for being near": 0.5 * (12 - distance)[next_state],
}
for name, bonus in bonuses.items():
    policy = value_iteration(table, mended + bonus, GAMMA)[1].argmax(axis=1)
    led = rollout(table, mended, policy, START, LIMIT)
    print(f"{name:34} {led.total:6.1f} points, delivered: {delivered(led)}")

# %% [markdown]
# Both wrong ones pay the robot for *being there*, so it stays and does not arrive. Taking 100 off
# the potential makes each step pay `(1 - gamma) * 100` more. In the second bonus the last step
# pays out the rest at once, so nothing is lost by arriving. In the third it does not, and
# arriving ends the wage. The fourth pays again and again for what should be paid once. See how it
# spends its time:

# %%
show.play(CLASSIC, led.states, title="The best policy with a bonus for being near")

# %% [markdown]
# ## When this goes wrong
#
# **The forgotten cut.** Take the end out of the table, and the bootstrap runs on after a delivery.
# `table & ~2` clears one bit: a delivery turns into a move, a crash into standing still.

# %%
for name, rules in {"as it is": table, "no ends": table & ~2}.items():
    values, q = value_iteration(rules, reward, gamma=0.99)
    arrived = delivered(rollout(table, reward, q.argmax(axis=1), START, LIMIT))
    print(f"{name:9} value of the start {values[START]:6.1f}, delivered: {arrived}")

# %% [markdown]
# The value is far too large: the program thinks that it can deliver over and over. And look at
# the last word. With that bug, on v0, the robot *does* deliver. Two faults have hidden each
# other, and a test that only asks "does it deliver?" would pass.
#
# **Gamma 1.** Look at the value column of the table for v0 again. Halving `1 - gamma` doubles
# what a lap for ever is worth. At 1 there is no number to settle at, and the loop never ends.
# Interrupt the kernel (the square button) if that happens to you.
#
# **Ties.** Often two actions are equally good; you counted the states above. `argmax` takes the
# first of them, so two right programs may give different policies. Compare values, not actions.
#
# | what you see | what it is | what helps |
# |---|---|---|
# | values far too large | the bootstrap is not cut at the end | 0 where the outcome is 2 or 3 |
# | the loop never ends | gamma is 1, or the tolerance 0 | gamma below 1, tolerance 1e-8 |
# | it stops after one sweep | falling values count as no change | `np.abs` around the change |
# | right in 7x7, nonsense in 3x5 | `row * rows + col` | `row * cols + col`; test on odd shapes |
# | the map is mirrored | `(col, row)` for `(row, col)` | the row comes first, everywhere |
# | it stops beside the burger | the reward is looked up at the next state | `reward[s, a]` |
# | a crash seems to cost nothing | the mask covers the reward too | mask the bootstrap alone |

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - Find rewards of your own with which the best policy delivers at every gamma in `GAMMAS`, and
#   moving still pays more than 0. How much may it pay? The pencil rule above gives a good guess.
# - Draw a kitchen with one long way round and one short way past many counters. Let the floor be
#   greasy: `oracle.model(compile_kitchen(kitchen), V1_REWARDS, slip=0.15)`. Where does the best
#   way change, and why?
# - Give PPO what Stable-Baselines3 has by default: one robot (`n_envs=1`) and `n_steps=2048`.
#   What does it find first on v0, and how long does it stay with that?
# - Repeat the three trainings on v1 with several seeds. How many stand still, how many crash, how
#   many deliver?
#
# ## What was measured
#
# The exact optimum of v0 for seven discounts: it delivers up to a gamma between 0.98 and 0.985, and
# drives in circles above. Its best plan under a deadline. PPO on v0, which finds the circles. The
# exact optimum of v1, which delivers at each of these discounts. Shaping, which leaves every best
# action as it was and brings PPO to the burger, and two bonuses that change what is best.
#
# ## Sources
#
# - Bellman (1957), *Dynamic Programming*; Sutton and Barto (2018), [*Reinforcement Learning: An
#   Introduction*](http://incompleteideas.net/book/the-book-2nd.html), chapters 3 and 4, equation
#   4.10
# - Ng, Harada and Russell (1999), [Policy invariance under reward
#   transformations](https://people.eecs.berkeley.edu/~russell/papers/icml99-shaping.pdf)
# - Grzes (2017), [Reward shaping in episodic reinforcement
#   learning](https://www.ifaamas.org/Proceedings/aamas2017/pdfs/p565.pdf): why the potential is 0
#   at termination
# - Schulman and others (2017), [Proximal policy optimization
#   algorithms](https://arxiv.org/abs/1707.06347)
# - Stable-Baselines3, [PPO](https://stable-baselines3.readthedocs.io/en/master/modules/ppo.html):
#   the default settings
#
# Previous: [01 · Meet BurgerBot](01_burgerbot_env.ipynb)
#
# Next: [03 · Many bots](03_many_bots.ipynb)
