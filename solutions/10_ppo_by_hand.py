# %% [markdown] minutes=60
# # 10 · PPO by hand: what does PPO do, line by line?
#
# In this lesson you write PPO yourself, piece by piece, and let it run beside the library: the same
# numbers first, then the same learning.
#
# Afterwards you can
#
# 1. write PPO's loss from four short functions, and say what each of them is for;
# 2. measure how far an update has moved the policy, and stop it in time;
# 3. say what a change in the number of robots changes besides, and compare like with like.
#
# **Time** about 60 minutes. **You need** lessons [08](08_rollouts_and_advantages.ipynb) and
# [09](09_sb3_ppo.ipynb), and the very first steps of PyTorch: a tensor, `backward()`, an optimizer.
# **The machine** can be any laptop: some cells train for half a minute or so, with a progress bar
# or a curve that grows.
#
# Previous: [09 · SB3's PPO](09_sb3_ppo.ipynb) · Next: [11 · Average
# reward](11_average_reward.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. It loads PyTorch, which takes some seconds. Run it
# first.

# %% tags=["imports"]
import time
from collections.abc import Callable
from copy import deepcopy
from functools import partial

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3.common.utils import LinearSchedule
from torch import Tensor, nn
from tqdm.auto import tqdm

from burgerbot import show
from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import graphs, practice
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import Batch
from burgerbot.scale import measure, side_by_side

# %% tags=["given"]
torch.set_num_threads(1)  # the networks here are small: more threads would only wait for each other
V1, STEPS = "burgerbot:BurgerBot-v1", 64
RATE = LinearSchedule(2e-3, 1e-4, 1.0)


def native(n_envs):
    """Robots in one array."""
    return gym.make_vec(V1, num_envs=n_envs, autoreset_mode="SameStep")


# %% [markdown]
# The names stand for the world of this lesson, the steps of each robot in a rollout, and a learning
# rate that falls from 0.002 to nearly 0: all as in lesson 09.
#
# ## The idea
#
# A policy drives, and each of its steps is judged by an advantage. Then comes the obvious thing:
# make actions with a positive advantage likelier, and those with a negative one less likely. Two
# questions are left. *How far?* The rollout was made by the old policy. The further you move, the
# less it says about the new one. And *how often may the same rollout be used?* Collecting is dear,
# so once would be a waste.
#
# **PPO**, proximal policy optimization, uses each rollout several times and stays near, which is
# what *proximal* means. Its loop has three parts:
#
# | part | what happens | where it comes from |
# |---|---|---|
# | 1. collect | N robots take T steps | `collect`, lesson 08 |
# | 2. judge | each step gets an advantage and a return | `gae`, lesson 08 |
# | 3. improve | gradient steps on small parts of the rollout | this lesson |
#
# `practice.gather` does the first two. The policy is an `ActorCritic` from the package: a network
# that gives a score to each action, the **logits**, and another one that gives the value. In
# SAME_STEP mode each of the T rows is a transition, so time and robots can be flattened into
# B = T * N rows.

# %%
start, draws = ActorCritic.of(native(16), hidden=(64,), seed=10), torch.Generator()
batch, _ = practice.gather(start, native(16), STEPS, draws.manual_seed(10))
for name, part in batch._asdict().items():
    print(f"{name:13}{tuple(part.shape)!s:12}{part.dtype}  has a graph: {part.requires_grad}")

# %% [markdown]
# `log_probs` are the logarithms of the probability that the acting policy gave to the action that
# it then drew. No tensor has a **graph**, PyTorch's record of how a number came about. A batch is
# data: what the policy thought *then* must not change any more.

# %% [markdown]
# ## Exercise 10.1: Compare the new policy with the old
#
# Everything in PPO is made of one number for each row: how much likelier is the action now than it
# was then? That is the ratio of two probabilities. Computers prefer its logarithm, since
# products of many small factors vanish, and sums of logarithms do not.
#
# ```
# for each row b:
#     log_prob     = log(softmax(logits[b])[actions[b]])
#     log_ratio[b] = log_prob - old_log_probs[b]
# ```
#
# | log ratio | ratio | the action is now |
# |---|---|---|
# | 0 | 1 | as likely as then |
# | 0.69 | 2 | twice as likely |
# | -0.69 | 0.5 | half as likely |
#
# `logits` is `[B, A]`, the others are `[B]`, and so is the result. Keep the graph: the gradient
# has to find its way back into the logits. Large logits, 1000 and more, must not give infinities;
# `log_softmax` sees to that.


# %% tags=["exercise:10.1"] minutes=8 difficulty=1
def log_ratio(logits: Tensor, actions: Tensor, old_log_probs: Tensor) -> Tensor:
    """Return ``[B]``: log of how much likelier each action is now than it was then."""
    # BEGIN SOLUTION
    every = logits.log_softmax(dim=-1)
    chosen = every.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    return chosen - old_log_probs
    # END SOLUTION


# %% tags=["check:10.1"]
check("10.1")

# %% [markdown]
# Stuck? Run `hint("10.1")` in a new cell; each call says a little more. After a pass,
# `solution("10.1")` shows one way to write it.

# %% [markdown] tags=["hints:10.1"]
# 1. `logits.log_softmax(dim=-1)` has the logarithm of every action's probability, `[B, A]`. One of
#    the A in each row is wanted, the one that `actions` points at.
# 2. `every[torch.arange(len(actions)), actions]` picks them, `[B]`; so does
#    `every.gather(-1, actions.unsqueeze(-1))`, but that has the shape `[B, 1]`: squeeze it.
# 3. Subtract: now minus then, `chosen - old_log_probs`. Both are `[B]`. Nothing is detached.

# %% [markdown]
# The policy has not changed since it collected the batch. **Predict** all 1,024 ratios. Then a copy
# of it takes 40 steps of the plainest loss there is, `-(ratio * advantage).mean()`, all of them on
# the same rows. (`practice.push` makes the copy and takes the steps, with your function.)

# %%
push = partial(practice.push, start, batch, log_ratio)
for steps in (0, 10, 40):
    ratio, _ = push(lambda change, good: -(change.exp() * good).mean(), steps)
    print(f"{steps:2} steps: ratios from {ratio.min():.3f} to {ratio.max():.3f}")

# %% [markdown]
# At first every ratio is 1. (If that is not so in a program of yours, the policy that learns is not
# the policy that drove: a normalizer was updated in between, or a layer with dropout is at work.)
# After 40 steps some ratios are close to 4. Such an action had about one chance in four, and is now
# all but certain; others are all but impossible. That is what one rollout has done, and it knew
# little. Nothing in this loss says stop.

# %% [markdown]
# ## Exercise 10.2: Clip what a step can gain
#
# PPO takes away the reason to go further. Once an action has become 20 percent likelier, becoming
# still likelier pays nothing:
#
# ```
# ratio   = exp(log_ratio)
# clipped = ratio, but at least 1 - clip and at most 1 + clip
# loss    = -mean(minimum(ratio * advantage, clipped * advantage))
# ```
#
# The minimum is the subtle part. It is the more *cautious* of two promises, and it treats the two
# directions differently:
#
# | advantage | ratio | what counts | gradient |
# |---|---|---|---|
# | positive | above 1 + clip | the clipped one | 0: it has been praised enough |
# | positive | below 1 - clip | the plain one | pulls back: a good action that got rarer |
# | negative | below 1 - clip | the clipped one | 0: it has been blamed enough |
# | negative | above 1 + clip | the plain one | pulls back: a bad action that got likelier |
#
# Write the **clip fraction** too, the share of rows whose ratio is *outside* of 1 - clip to
# 1 + clip. It is what you watch in a training: 0 means that the update is timid, 0.5 that half of
# the rows are out there, and most of those have nothing to say any more.


# %% tags=["exercise:10.2"] minutes=10 difficulty=2
def clipped_loss(log_ratio: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """Return PPO's policy loss of B rows, one number with a graph."""
    # BEGIN SOLUTION
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(ratio * advantages, clipped * advantages).mean()
    # END SOLUTION


def clip_fraction(log_ratio: Tensor, clip: float) -> Tensor:
    """Return the share of rows whose ratio is more than ``clip`` away from 1."""
    # BEGIN SOLUTION
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()
    # END SOLUTION


# %% tags=["check:10.2"]
check("10.2")

# %% [markdown]
# A hint is at `hint("10.2")`.

# %% [markdown] tags=["hints:10.2"]
# 1. First `ratio = log_ratio.exp()`. It is the ratio that is clipped, not its logarithm:
#    `ratio.clamp(1 - clip, 1 + clip)`.
# 2. Two products, each row's ratio with its own advantage; `torch.minimum` takes the smaller one
#    row by row, and only then comes the mean. The minus makes a loss of it.
# 3. `((ratio - 1).abs() > clip)` is True where a ratio is outside. A mean needs numbers:
#    `.float().mean()`.

# %% [markdown]
# One row, all ratios, for a good and for a bad action. **Predict** where each line is flat.


# %%
def one_row(ratio, advantage):
    return clipped_loss(torch.tensor([ratio]).log(), torch.tensor([advantage]), 0.2)


show.loss_chart(one_row, clip=0.2, title="PPO's loss of one row, clip 0.2")

# %% [markdown]
# A loss is brought down, so read the lines as slopes to roll down: a good action rolls right until
# 1.2, a bad one left until 0.8. On the flat parts nothing moves. On the far side of each line, for
# a good action that has become rare or a bad one that has become likely, the slope is there in
# full: mistakes can always be taken back.
#
# Now the 40 steps again. **Predict**: do all ratios stay between 0.8 and 1.2?

# %%
clipped, pushed = push(partial(clipped_loss, clip=0.2), 40)
print(f"clip fraction {clip_fraction(clipped.log(), 0.2):.2f}", end=", ")
print(f"without clipping {clip_fraction(ratio.log(), 0.2):.2f}")
both = {"no clipping": ratio, "your clipped loss": clipped}
show.ratio_histogram(both, clip=0.2, title="40 steps on one rollout")

# %% [markdown]
# No, they do not. The clip holds nobody back; it only stops pushing. All rows share one network,
# so a row whose own gradient is 0 is moved along by the others. That is why PPO needs a second
# guard, which comes in the last exercise.

# %% [markdown]
# ## Exercise 10.3: Add the critic and a bonus for doubt
#
# Two more terms belong to the loss. The critic must learn, or the advantages stay poor. And a
# policy that is sure of itself too early sees nothing new, so doubt is rewarded. Its measure is the
# **entropy**: how hard is it to guess the action?
#
# | function | formula | shape |
# |---|---|---|
# | `entropy(logits)` | `-sum over a of p[a] * log(p[a])`, in each row | `[B]` |
# | `value_loss(values, returns)` | `mean((values - returns)**2)` | one number |
# | | shapes that differ: `ValueError` | |
#
# Entropy is in **nats**, with the natural logarithm: 0 for a policy that is certain, log(A) for one
# that has no idea. An action with a probability of 0 counts 0, though its logarithm is minus
# infinity: in a computer 0 times infinity is NaN, not a number, so mind large logits once more.
#
# The `ValueError` is worth its line. A critic's last layer returns `[B, 1]`, the returns are `[B]`,
# and their difference is `[B, B]`: each row compared with every other.


# %% tags=["exercise:10.3"] minutes=8 difficulty=2
def entropy(logits: Tensor) -> Tensor:
    """Return ``[B]``: the entropy of each row's policy, in nats."""
    # BEGIN SOLUTION
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)
    # END SOLUTION


def value_loss(values: Tensor, returns: Tensor) -> Tensor:
    """Return the critic's mean squared error, one number with a graph."""
    # BEGIN SOLUTION
    if values.shape != returns.shape:
        raise ValueError(f"expected one shape, got {values.shape} and {returns.shape}")
    return (values - returns).square().mean()
    # END SOLUTION


# %% tags=["check:10.3"]
check("10.3")

# %% [markdown]
# A hint is at `hint("10.3")`.

# %% [markdown] tags=["hints:10.3"]
# 1. `every = logits.log_softmax(dim=-1)` are the logarithms, `every.exp()` the probabilities, both
#    `[B, A]` and finite even where `softmax().log()` would be minus infinity.
# 2. The sum runs over the actions, `dim=-1`, and keeps the rows. The logarithm of a probability is
#    never positive: the minus makes the entropy positive.
# 3. In `value_loss` compare `values.shape` with `returns.shape` first. Then
#    `(values - returns).square().mean()`.

# %% [markdown]
# Four policies with four actions. **Predict** the order of their entropies. The `exp` of a
# number of nats says how many equally likely actions are just as hard to guess.

# %%
names = "no idea", "one of two", "nine of ten times", "certain"
odds = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [27, 1, 1, 1], [1, 0, 0, 0]]).float()
for name, nats in zip(names, entropy(odds.log().clamp(min=-1000)) + 0.0, strict=True):
    print(f"{name:18} entropy {nats:.3f} nats, like {nats.exp():.2f} actions")

# %% [markdown]
# And the trap of the shapes. The values are perfect, each equals its return. **Predict** the two
# losses without your `ValueError`:

# %%
returns = torch.tensor([1.0, 2.0, 3.0])
for values in (returns, returns[:, None]):
    error = values - returns
    print(f"{tuple(values.shape)!s:6} - (3,) is {tuple(error.shape)}", end=": ")
    print(f"loss {error.square().mean():.4f}")

# %% [markdown]
# A perfect critic gets a bad mark. The best it can do under this loss is to say the same mean value
# everywhere, and that is what such a critic learns.

# %% [markdown]
# ## Exercise 10.4: Measure how far the policy has moved
#
# The distance between two policies is measured by the **KL divergence**, KL for short: the mean,
# over actions that the *old* policy draws, of the logarithm of how much likelier the old one finds
# them than the new one. It is 0 if the two are the same, and never negative. To compute it exactly
# you would need every action of every row; what you have is the log ratio `lr` of the action that
# was drawn. Three estimates are in use, each a mean over the rows:
#
# | name | formula, new minus old | |
# |---|---|---|
# | k1 | `-lr` | the definition itself |
# | k2 | `lr**2 / 2` | half a square |
# | k3 | `exp(lr) - 1 - lr` | k1, plus something whose mean is 0 |
#
# (Why 0? The mean of a ratio, over the old policy's draws, is 1: where the new policy gives more to
# one action, it has less for the others.) These are numbers to look at, not to learn from.


# %% tags=["exercise:10.4"] minutes=6 difficulty=1
def kl_estimates(log_ratio: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return k1, k2 and k3 in nats, means over the B rows, without a graph."""
    # BEGIN SOLUTION
    lr = log_ratio.detach()
    return (-lr).mean(), (lr**2 / 2).mean(), (lr.exp() - 1 - lr).mean()
    # END SOLUTION


# %% tags=["check:10.4"]
check("10.4")

# %% [markdown]
# A hint is at `hint("10.4")`.

# %% [markdown] tags=["hints:10.4"]
# 1. `log_ratio.detach()` has the same numbers and no graph; `torch.no_grad()` around the lines does
#    the same.
# 2. The mean comes last: `exp` of a mean is not the mean of `exp`.
# 3. Return three things: `(-lr).mean()`, `(lr**2 / 2).mean()`, `(lr.exp() - 1 - lr).mean()`.

# %% [markdown]
# Which one is good? The policy from before and its pushed copy are at hand, and with four actions
# the exact KL too. Draw 64 rows and an action in each, a thousand times over, and estimate.
# **Predict**: which of the three are sometimes negative, and which are right on average?

# %%
exact, found = practice.estimate_kl(start, pushed, batch.observations, kl_estimates, draws)
print(f"exact {exact:.4f}")
for name, k in zip(("k1", "k2", "k3"), found.T, strict=True):
    print(f"{name}: mean {k.mean():.4f} +- {k.std() / len(k) ** 0.5:.4f}", end=", ")
    print(f"deviation {k.std():.4f}, negative {np.mean(k < 0):.0%}")

# %%
columns = dict(zip(("k1", "k2", "k3"), found.T, strict=True))
alt = "Histograms of the three estimates. k1 is wide and reaches below 0; k2 and k3 are narrow."
axes = {"xlabel": "estimate (nats)", "ylabel": "how often", "alt": alt, "bins": 40}
show.histogram(columns, title=f"A thousand estimates of a KL of {exact:.3f} nats", **axes)

# %% [markdown]
# (The number behind `+-` is the standard error of the mean: how far it may be off by chance.) k1 is
# right on average and of little use in a single minibatch: it scatters widely, and says now and
# then that two policies are less than equal. k2 is narrow, and a little off, by several standard
# errors. k3 has the best of both: right on average, never negative, narrow. So a limit is put on
# k3, by SB3 and here.

# %% [markdown]
# ## Exercise 10.5: Stop in time
#
# The clip does not hold the policy back, so the second guard does: look at k3 *before* each step,
# and once it is above `1.5 * target_kl`, end the update. All of it: not this minibatch, not this
# epoch, but everything that was still to come from this rollout.
#
# ```
# for each of `epochs` epochs:
#     put the rows 0 ... size - 1 into a new random order       torch.randperm(size, generator=...)
#     cut it into `minibatches` parts, as equal as can be       .tensor_split(minibatches)
#     for each part:
#         total, stats = loss(rows)               rows: int64 tensor of row numbers
#         note stats, each number as a float
#         if target_kl is not None and stats["kl"] > 1.5 * target_kl:
#             leave both loops, without a step
#         take a step: old gradients away, backward, gradients scaled down to length 0.5, step
# ```
#
# | returned | what it is |
# |---|---|
# | `seen` | a list of dicts of Python floats, one for each minibatch that was looked at |
# | `steps` | how many steps were taken: one less than `len(seen)` after an early stop |
#
# Two details carry weight. `tensor_split` makes parts of equal size, give or take one row; cutting
# off 64 rows at a time may leave a last part of a single one. And a number that is noted as a
# tensor may keep a whole graph alive. `nn.utils.clip_grad_norm_(policy.parameters(), 0.5)` does the
# scaling, between `backward` and `step`. `size` is at least `minibatches`.


# %% tags=["exercise:10.5"] minutes=12 difficulty=3 seconds=40
def update(
    loss: Callable[[Tensor], tuple[Tensor, dict]],
    policy: nn.Module,
    optimizer: torch.optim.Optimizer,
    size: int,
    epochs: int,
    minibatches: int,
    target_kl: float | None,
    generator: torch.Generator,
) -> tuple[list[dict[str, float]], int]:
    """Improve the policy, until the KL says that it is enough; return ``(seen, steps)``."""
    # BEGIN SOLUTION
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps
    # END SOLUTION


# %% tags=["check:10.5"]
check("10.5")

# %% [markdown]
# A hint is at `hint("10.5")`.

# %% [markdown] tags=["hints:10.5"]
# 1. `break` leaves one loop, the inner one. `return` leaves everything, and here nothing is left to
#    do after the loops, so that is the plain way.
# 2. The order in the inner loop: loss, note, look, and only then `optimizer.zero_grad()`,
#    `total.backward()`, `nn.utils.clip_grad_norm_(policy.parameters(), 0.5)`, `optimizer.step()`,
#    and one more in `steps`.
# 3. `for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):` is the inner
#    loop, and the new order is drawn anew in each epoch. Note with
#    `seen.append({name: float(number) for name, number in stats.items()})`.

# %% [markdown]
# ## Your PPO
#
# All pieces are there. The loss of some rows of a batch is the policy's, plus half of the critic's,
# minus a little entropy. Advantages are brought to mean 0 and deviation 1 within the minibatch,
# since their scale says nothing. A single row has no deviation, so it is left as it is.


# %%
def ppo_loss(policy, batch, rows):
    """The loss of some rows, and what to watch."""
    part = Batch(*(column[rows] for column in batch))
    logits, values = policy(part.observations)
    change, good = log_ratio(logits, part.actions, part.log_probs), part.advantages
    if len(good) > 1:
        good = (good - good.mean()) / (good.std() + 1e-8)
    total = clipped_loss(change, good, 0.2) + 0.5 * value_loss(values, part.returns)
    total = total - 0.03 * entropy(logits).mean()
    return total, {"kl": kl_estimates(change)[2], "clip_fraction": clip_fraction(change, 0.2)}


# %% [markdown]
# One update, ten epochs of four minibatches, with a `target_kl` of 0.015. **Predict** the very
# first KL of the 40, and whether the update gets to its end.

# %%
learner = deepcopy(start)
optimizer = torch.optim.Adam(learner.parameters(), lr=2e-3, eps=1e-5)
loss = partial(ppo_loss, learner, batch)
seen, steps = update(loss, learner, optimizer, 16 * STEPS, 10, 4, 0.015, draws.manual_seed(1))
print(f"first KL {abs(seen[0]['kl']):.6f}; {steps} steps, {len(seen)} minibatches looked at")
show.update_chart(seen, limit=1.5 * 0.015, minibatches=4, title="One update of your PPO")

# %% [markdown]
# The first KL is 0, up to the rounding of 32-bit numbers: nothing has moved yet. From epoch to
# epoch the policy goes further, and more and more rows lie outside of 0.8 to 1.2, where most of
# them have no say any more. The ring marks the minibatch that was too much. It has moved nothing.
#
# ## The same numbers as the library
#
# Is it PPO, though? SB3 can tell. `side_by_side.one_update` lets it collect one rollout and learn
# from it, and keeps a copy of the policy as it was *before* it learned. Now your update learns from
# the very same rollout, beginning with that copy. With a whole rollout in one minibatch the order
# of the rows does not matter. **Predict** how far the weights of the two lie apart after ten steps.

# %%
same = {"n_steps": STEPS, "n_epochs": 10, "gamma": 0.97, "gae_lambda": 0.9, "ent_coef": 0.03}
same |= {"policy_kwargs": {"net_arch": [64]}}
whole = {"batch_size": 16 * STEPS, "learning_rate": 1e-3, "seed": 0}
policy, rows, theirs = side_by_side.one_update(native(16), **same, **whole)

# %%
before, loss = side_by_side.weights(policy), partial(ppo_loss, policy, rows)
update(loss, policy, policy.optimizer, 16 * STEPS, 10, 1, None, draws)
yours = side_by_side.weights(policy)
print(f"{len(yours):,} weights; your update moved them by up to {(yours - before).abs().max():.4f}")
print(f"largest difference to where SB3's update took them: {(yours - theirs).abs().max():.0e}")

# %% [markdown]
# The difference is the rounding of 32-bit numbers. Line by line, you have written what the library
# does. With several minibatches the two still do the same, only that each draws its own order of
# the rows, and from then on their paths part.
#
# ## Side by side
#
# So compare them as one compares trainings: several runs each, with the same settings, seeds,
# network and number of transitions. Here is your whole PPO, with its three parts. What is measured
# after each update is the percentage of the exact optimum, as in lesson 09; a `curve`, if there is
# one, draws it as you train.


# %%
def train_by_hand(n_envs, seed, total, target_kl=None, curve=None):
    """Train with your own update; return the policy, and a dict for each update."""
    envs, carry = native(n_envs), None
    policy, history = ActorCritic.of(envs, hidden=(64,), seed=seed), []
    optimizer = torch.optim.Adam(policy.parameters(), eps=1e-5)
    generator, size = torch.Generator().manual_seed(seed), n_envs * STEPS
    for done in range(size, total + 1, size):
        # 1. Collect, and 2. judge.
        batch, carry = practice.gather(policy, envs, STEPS, generator, carry)
        # 3. Improve.
        optimizer.param_groups[0]["lr"] = RATE(1 - done / total)
        loss = partial(ppo_loss, policy, batch)
        seen, steps = update(loss, policy, optimizer, size, 10, 4, target_kl, generator)
        means = {name: np.mean([noted[name] for noted in seen]) for name in seen[0]}
        history.append({"when": done, "percent": percent(policy), "steps": steps, **means})
        if curve:
            curve.add(done, percent=history[-1]["percent"])
    return policy, history


def percent(policy):
    """Percent of the exact optimum, for the greedy policy."""
    return measure.percent_of_optimum(lambda seen: policy.greedy(torch.as_tensor(seen)).numpy())


# %% [markdown]
# Watch the first of your runs; the others have a progress bar. SB3 is then measured at the same
# moments, after each update. **Predict**: what does the curve of one run look like? And which of
# the two programs learns faster, in transitions?

# %%
total, seeds, timed = budget(30_720, fast=4_096), range(budget(6, fast=2)), time.perf_counter
percents = {"ylabel": "percent of the exact optimum", "low": 0, "high": 100}
begun, when = timed(), {"xlabel": "transitions", "total": total}
with show.LiveCurve("The first run of your PPO", **when, **percents) as curve:
    mine = [train_by_hand(16, 0, total, curve=curve)[1]]
mine += [train_by_hand(16, 1000 * seed, total)[1] for seed in tqdm(seeds[1:])]
print(f"your PPO: {(timed() - begun) / len(mine):.1f} seconds a run")

# %%
same |= {"learning_rate": RATE, "batch_size": 16 * STEPS // 4}
begun = timed()
sb3s = [side_by_side.train(native(16), total, seed=1000 * k, **same)[1] for k in tqdm(seeds)]
print(f"SB3's PPO: {(timed() - begun) / len(sb3s):.1f} seconds a run")

# %%
runs = {"your PPO": mine, "SB3's PPO": sb3s}
chart = show.training_chart(runs, "percent", title="Your PPO beside SB3's", **percents)
print(chart)
chart

# %% [markdown]
# Two programs, one algorithm: they end at the same percentages, each mean inside the other's
# interval. On the way one curve may lead by a lot, and that is luck: a run jumps from 0 to nearly
# 100 at a moment of its own, as your first one did, and the bands, of a few runs, are as wide as
# the chart. Do not read much into the seconds either. Both spend most of their time in the update,
# with the same networks.
#
# What did your updates look like? This was noted as you went along:

# %%
share = {"ylabel": "clip fraction (share of rows)", "low": 0, "high": 1}
title = "Clip fraction of your updates"
show.training_chart({"your PPO": mine}, "clip_fraction", title=title, **share)

# %%
nats = {"ylabel": "KL (nats)", "low": 0}
show.training_chart({"your PPO": mine}, "kl", title="Mean KL of your updates", **nats)

# %% [markdown]
# Both are large while there is much to learn, and shrink with that and with the learning rate. A
# clip fraction that stays near 0 from the beginning would mean that the steps are timid; one that
# climbs, that they are too large.
#
# ## How often does the stop fire?
#
# You may have read that early stopping fires less often with more robots. It sounds right: more
# robots, more rows, less noise, so less wandering about by chance. Test it. One policy has learned
# for a while, and from this very policy each update begins, with a fresh rollout of N robots. That
# way nothing differs but N. (The robots first drive 64 steps, so that they do not all stand at the
# start.)

# %%
half, _ = train_by_hand(16, 0, 5_120)


def stops(n_envs, minibatches, updates):
    """Return how many updates stopped early, of how many."""
    early = 0
    for seed in range(updates):
        learner, draws = deepcopy(half), torch.Generator().manual_seed(seed)
        envs, optimizer = native(n_envs), torch.optim.Adam(learner.parameters(), lr=1e-3, eps=1e-5)
        _, carry = practice.gather(learner, envs, STEPS, draws)
        batch, _ = practice.gather(learner, envs, STEPS, draws, carry)
        loss, size = partial(ppo_loss, learner, batch), n_envs * STEPS
        seen, steps = update(loss, learner, optimizer, size, 10, minibatches, 0.03, draws)
        early += steps < len(seen)
    return early, updates


# %% [markdown]
# But nothing but N, what does that mean? Something has to give when the rollout grows: either the
# number of minibatches stays, and each has more rows, or the size of a minibatch stays, and there
# are more of them, with a step for each. The second is what happens in SB3 if you raise `n_envs`
# and leave `batch_size` alone. **Predict** both lines for N = 1, 4, 8, 16.

# %%
count, robots = budget(40, fast=4), (1, 4, 8, 16)
fired = {"4 minibatches": {n: stops(n, 4, count) for n in tqdm(robots)}}
fired["minibatches of 64 rows"] = {n: stops(n, n, count) for n in tqdm(robots)}
for name, found in fired.items():
    print(f"{name:23}", *(f"N = {n}: {early} of {of}   " for n, (early, of) in found.items()))
show.stop_chart(fired, title=f"{count} updates from one policy: how many stop early?")

# %% [markdown]
# The bars are 95 percent intervals. With the number of minibatches fixed, every update has at most
# 40 steps, and the claim holds: with 16 robots far fewer updates are stopped than with one. A step
# that averages more rows goes less in directions of mere chance, and the KL that is looked at is
# less noisy itself.
#
# With the size of a minibatch fixed, the claim does not hold. One robot's update has ten steps to
# take, and ten do not get far. With more robots there are more steps, and what the larger rollout
# saves in noise is spent on them.
#
# And in whole trainings? Give each N the same number of transitions, with four minibatches. One
# robot then makes sixteen times as many updates as sixteen robots do. **Predict** again.

# %%
less, few = budget(10_240, fast=2_048), range(budget(2, fast=1))
for n in tqdm(robots):
    runs = [train_by_hand(n, seed, less, target_kl=0.03)[1] for seed in few]
    early = np.array([[row["steps"] < 40 for row in history] for history in runs])
    print(
        f"N = {n:2}: {early.sum(axis=1)} of {early.shape[1]} updates, {early.mean():.0%};", end=""
    )
    print(f" after the tenth update {early[:, 10:].sum(axis=1)}")

# %% [markdown]
# Now the share does not go one way at all. From 4 robots on, each training has about the same few
# early stops, and they come early, while the policy still moves fast; what differs is the number of
# updates that they are divided by: a training of 16 robots has ten in all. One robot is another
# case: its minibatches of 16 rows are noisy enough to be stopped long after that.
#
# Nothing is wrong with any of the three. But whoever says "with more robots" has to say what stayed
# the same.

# %% [markdown]
# ## When this goes wrong
#
# **"All weights are NaN."** Thirty-three rows, cut into minibatches of 32: the last one has one
# row, its advantage no deviation, and the division makes NaN of it. One step later the whole
# network is NaN. Your `tensor_split` avoids it, and so does the rule for a single row in
# `ppo_loss`.

# %%
few = Batch(*(column[:33] for column in batch))
for rows in torch.arange(33).split(32):
    error = few.advantages[rows] - few.advantages[rows].mean()
    careless = error / ((error.square().sum() / (len(rows) - 1)).sqrt() + 1e-8)
    print(f"{len(rows):2} rows: last advantage, without the rule, {careless[-1]:.2f}", end="; ")
    print(f"your loss, with it, {ppo_loss(start, few, rows)[0]:.2f}")

# %% [markdown]
# **"Memory grows with every update."** Somebody keeps a KL for the chart, as a tensor, and each one
# holds all that it was computed from. `graphs.watch` counts what graphs hold. **Predict** both
# rows.

# %%
for name, keep in {"as it is": lambda kl: kl, "kl.item()": torch.Tensor.item}.items():
    with graphs.watch() as held:
        kept, sizes = [], []
        for _ in range(5):
            change = log_ratio(start.logits(batch.observations), batch.actions, batch.log_probs)
            kept.append(keep((change.exp() - 1 - change).mean()))
            del change
            sizes.append(held() // 1024)
        print(f"{name:9}", *(f"{size:6,} KiB" for size in sizes))

# %% [markdown]
# The same happens to values and log-probabilities in a rollout, and there it does worse than grow:
# the critic is then trained through its own targets. `policy.act` and `gae` give no graph.
#
# **"It stops, and yet it goes on."** The other faults of this kind, each one met in a real program:
#
# | what you see | what it is | what helps |
# |---|---|---|
# | KL far above the limit, in spite of `target_kl` | `break` left the inner loop only | `return` |
# | the KL is over the limit by one step, always | the check comes after the step | check first |
# | single steps are missing, and the update goes on | `continue` where it should end | `return` |
# | the first ratios are not 1 | the policy changed before it learned | update moments after |
# | the loss does not fall below a constant | `[B, 1]` minus `[B]` | compare shapes |
# | the policy is certain after a few updates | the entropy's sign | subtract the bonus |
# | a good action gets rarer | `maximum`, or a minus too many | the curves of 10.2 |
# | NaN after some thousand steps | `softmax().log()` | `log_softmax` |
#
# **"My KL is another one than theirs."** Programs differ, so read before you compare a `target_kl`:
#
# | program | estimate | looked at | limit |
# |---|---|---|---|
# | SB3, and yours | k3 of the minibatch | before each step | 1.5 times `target_kl` |
# | CleanRL | k3 of the last minibatch | at the end of an epoch | `target_kl` |
# | Spinning Up | k1 of the whole rollout, policy alone | before each step | 1.5 times `target_kl` |
# | rsl_rl | exact, from the two distributions | before each step | it moves the learning rate |
#
# ## What was measured
#
# Ratios after 0, 10 and 40 steps on one rollout, with the clip and without. Three estimates of one
# known KL, a thousand times each. KL and clip fraction within one update, with the stop. The
# weights of your update beside SB3's, from the same weights and the same rollout. Several trainings
# of both with the same settings, in percent of the exact optimum. How many of a number of updates
# stop early for 1, 4, 8 and 16 robots: with equal numbers of minibatches and with minibatches of
# equal size, all from one policy, and in whole trainings with equal numbers of transitions.
#
# ## Try it yourself
#
# Nothing here is graded.
#
# - Count early stops over whole trainings with the same number of *updates* for each N. Before you
#   run it, write down what you expect, and why.
# - Does `target_kl` help? Ten runs with 0.03 and ten without it, and the percentages of both.
# - Leave out one piece: no clip, no entropy, no normalization, one epoch. Use five runs of each.
# - Train on `BurgerBot-v0`, whose best policy never delivers (lesson 02). Does yours find that out?
# - The package's own `burgerbot.learn.ppo` is this lesson with checkpoints. Read it; you know each
#   line by now.
#
# ## Sources
#
# - Schulman, Wolski, Dhariwal, Radford and Klimov (2017), [Proximal policy optimization
#   algorithms](https://arxiv.org/abs/1707.06347)
# - Schulman (2020), [Approximating KL divergence](http://joschu.net/blog/kl-approx.html)
# - Andrychowicz and others (2021), [What matters for on-policy deep actor-critic
#   methods](https://openreview.net/forum?id=nIAxjsniDzg)
# - Huang and others (2022), [The 37 implementation details of proximal policy
#   optimization](https://iclr-blog-track.github.io/2022/03/25/ppo-implementation-details/)
# - Wilson (1927), "Probable inference, the law of succession, and statistical inference": the bars
#   of the last chart
#
# Previous: [09 · SB3's PPO](09_sb3_ppo.ipynb) · Next: [11 · Average
# reward](11_average_reward.ipynb)
