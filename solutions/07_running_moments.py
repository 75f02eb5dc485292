# %% [markdown] minutes=60
# # 07 · Running moments: why does the network choke on millimetres?
#
# In this lesson you find out why the same network learns from small numbers and fails on large
# ones, and you build what stands between the robots and the network: a normalizer that is exact,
# that many workers can share, that holds still when you measure, and that is saved with the policy.
#
# Afterwards you can
#
# 1. keep mean and variance of a stream, row by row and batch by batch, without losing digits, and
#    merge what several workers have seen;
# 2. normalize the observations of N robots, and say which rows count;
# 3. evaluate a policy without moving its statistics, and save both so that they act the same
#    tomorrow.
#
# **Time** about 60 minutes. **You need** [lesson 04](04_autoreset.ipynb) for the autoreset modes.
# **The machine** can be any laptop: one cell trains for a minute or two, the others are quick.
#
# Previous: [06 · One gather](06_one_gather.ipynb) ·
# Next: [08 · Rollouts and advantages](08_rollouts_and_advantages.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. `rng` is where its random numbers come from. Run it
# first.

# %% tags=["imports"]
import json
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import cloudpickle
import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.wrappers import NormalizeReward
from tqdm.auto import tqdm

import burgerbot
from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import oracle
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.normalize import NormalizeVectorEnv
from burgerbot.show import histogram, line_chart
from burgerbot.world.rules import compile_kitchen
from burgerbot.world.strata import random_kitchen, start_states

KITCHENS, rng = "BurgerBotKitchens-v0", np.random.default_rng(7)

# %% [markdown]
# ## Zeros, ones and millimetres
#
# `BurgerBotKitchens-v0` puts each robot into a random kitchen. The robot sees 28 numbers: 25 cells
# around it (1 is blocked, 0 is clear, its own cell in the middle), then how far the goal lies
# ahead, how far to the right, and how far in a straight line. The last three are in millimetres, as
# a real distance sensor would give them. Let 64 robots drive at random, and look at the first of
# them:

# %%
envs = gym.make_vec(KITCHENS, num_envs=64)
rows = [envs.reset(seed=0)[0]]
rows += [envs.step(actions)[0] for actions in rng.integers(4, size=(50, 64))]
seen = np.concatenate(rows)
print(seen[0, :25].reshape(5, 5).astype(int), seen[0, 25:], seen.shape, seen.dtype)

# %% [markdown]
# A network begins with a layer: each **unit** adds the 28 numbers up, each times a random weight,
# and squeezes the sum by `tanh` into the range from -1 to 1. Near 0, `tanh` answers to every change
# of its input. Far out it is flat: `tanh(5)` and `tanh(500)` are both 1, nearly. A unit out there
# is **saturated**. It hardly answers to anything, and learning, which works by small changes, gets
# no hold on it.
#
# **Predict**, before you run the cell. We put an obstacle into the cell straight ahead of each
# robot, or take it away if there is one. That is what matters most to a robot that wants to drive
# on. In which part of the units of a fresh layer does the output move by more than 0.01?

# %%
layer = rng.normal(size=(28, 64)) / np.sqrt(28)
AHEAD = 7  # the cell straight ahead
changed = seen.copy()
changed[:, AHEAD] = 1 - seen[:, AHEAD]


def noticed(rows, changed):
    """Share of saturated units, and of units that notice the change."""
    before, after = np.tanh(rows @ layer), np.tanh(changed @ layer)
    return (np.abs(before) > 0.999).mean(), (np.abs(after - before) > 0.01).mean()


print("saturated: {:.0%}   notice the obstacle: {:.0%}".format(*noticed(seen, changed)))

# %% [markdown]
# Nearly all units are saturated, by the three numbers that are hundreds of times larger than the
# rest. What stands in front of the robot makes no difference. The network is not blind to *all*: it
# can tell a goal on the left from one on the right. Remember that. You will meet a robot that was
# trained like this.
#
# The cure is simple to say: subtract from each column its **mean** mu, and divide by its **standard
# deviation**, the square root of the **variance**. Then every column is about as large as every
# other. The variance here is that of a whole population: the mean squared distance from the mean,
# divided by n, not by n - 1. Mean and variance are called **moments**.
#
# But the robots have only begun to drive. More rows come with every step, and nobody keeps them
# all. So the moments must be **running**: kept up to date, row by row, in little memory.

# %% [markdown]
# ## Sums of squares, and how they go wrong
#
# There is a formula that everybody finds first. The variance is the mean of the squares minus the
# square of the mean. So keep two sums, and you are done. **Predict** what it gives for these two
# lists. The spread of both is the same, and their variance is 1.25.

# %%
near = (1e4 + np.array([0, 1, 2, 3])).astype(np.float32)
far = 1e8 + np.array([0.0, 1.0, 2.0, 3.0])
for x in (near, far):
    print(x, x.dtype, "variance by sums:", (x * x).mean() - x.mean() ** 2)

# %% [markdown]
# Not even close. The squares are near 10 to the power 8, and a float32 has about seven digits. What
# you want stands in the digits behind those, and they were rounded away *before* the subtraction. A
# float64 has about sixteen digits, which only moves the trouble to larger numbers. And 1e4 is not
# far-fetched: it is ten metres in millimetres.
#
# A second trap lies in the counter. float32 cannot tell 16,777,216 from the next whole number:

# %%
print(np.float32(2**24) + np.float32(1))

# %% [markdown]
# A counter of this kind stops there for ever, which a vector env reaches in minutes. Count in whole
# numbers.

# %% [markdown]
# ## Exercise 07.1: Take in one row
#
# Welford's rule never squares a large number. It squares only distances from the mean, and keeps
# three things: the count n, the mean, and `m2`, the sum of the squared distances so far. The
# variance is `m2 / n`.
#
# | step | one new row x |
# |---|---|
# | count | `n = count + 1` |
# | distance from the *old* mean | `d = x - mean` |
# | new mean | `mean + d / n` |
# | new sum of squares | `m2 + d * (x - new mean)` |
#
# The last product takes one distance from the old mean and one from the new.
#
# A row is an array `[D]` of any number type, uint8 and float32 too. Mean and `m2` are float64
# `[D]`, the count is a whole number, and it all begins with `0, np.zeros(D), np.zeros(D)`. Return
# new arrays: those that you are given belong to the caller.


# %% tags=["exercise:07.1"] minutes=7 difficulty=1
def welford(
    count: int, mean: np.ndarray, m2: np.ndarray, row: np.ndarray
) -> tuple[int, np.ndarray, np.ndarray]:
    """Return ``(count, mean, m2)`` once ``row`` is taken in."""
    # BEGIN SOLUTION
    count = count + 1
    d = row - mean
    new_mean = mean + d / count
    return count, new_mean, m2 + d * (row - new_mean)
    # END SOLUTION


# %% tags=["check:07.1"]
check("07.1")

# %% [markdown]
# Stuck? Run `hint("07.1")` in a new cell; each call says a little more. After a pass,
# `solution("07.1")` shows one way to write it.

# %% [markdown] tags=["hints:07.1"]
# 1. Four lines, one for each row of the table. You need the old mean and the new one, so give them
#    two names.
# 2. `d = row - mean` and `new_mean = mean + d / count`, where `count` has already grown by 1. `+=`
#    would write into the caller's arrays.
# 3. The last factor is the distance from the *new* mean: `m2 + d * (row - new_mean)`.

# %% [markdown]
# Look on while it takes in four rows, far from 0. The variance is `m2 / n`:

# %%
state = 0, np.zeros(1), np.zeros(1)
for value in far:
    state = welford(*state, np.array([value]))
    print(*state, "  variance", state[2] / state[0])

# %% [markdown]
# And the 1.25 is there. Here are 1,000 numbers with a spread of about 1, pushed further and further
# from 0. How far off is each way to get their variance, as a share of the right value?


# %%
def naive_variance(x):
    """Mean of the squares minus square of the mean, in the dtype of x."""
    return (x * x).mean() - x.mean() ** 2


def one_by_one(x):
    """The variance by your function."""
    state = 0, np.zeros(1), np.zeros(1)
    for value in x:
        state = welford(*state, np.array([value]))
    return state[2][0] / state[0]


offsets, noise = 10.0 ** np.arange(10), rng.normal(size=1_000)
errors = {"sums of squares, float32": [], "sums of squares, float64": [], "yours, float64": []}
for offset in offsets:
    x = noise + offset
    found = naive_variance(x.astype(np.float32)), naive_variance(x), one_by_one(x)
    for errs, value in zip(errors.values(), found, strict=True):
        errs.append(max(abs(value / np.var(x) - 1), 1e-17))
line_chart(
    {name: (offsets, errs) for name, errs in errors.items()},
    title="The further from 0, the worse the sums of squares",
    xlabel="offset (same unit as the data; their spread is 1)",
    ylabel="relative error of the variance",
    logx=True,
    logy=True,
    alt="Relative error against offset, log axes. Sums of squares in float32 are useless from an "
    "offset of 1e4 on, in float64 from 1e8 on. Welford's rule stays far below.",
)

# %% [markdown]
# A relative error of 1, ten to the power 0, means that nothing is right. For each factor of ten in
# the offset, sums of squares lose about two digits. Yours loses one, and begins with sixteen: that
# one is in the data, since a number far from 0 has fewer digits left behind the point.

# %% [markdown]
# ## Exercise 07.2: Merge what two have seen
#
# Eight workers drive 64 robots each, on eight machines. Each keeps its own moments. To get those of
# all rows, nobody has to send a row: Chan's rule joins two sets A and B from their counts, means
# and sums of squares. It also joins a whole batch to what was seen before, which is how vector envs
# use it.
#
# | | of A and B together |
# |---|---|
# | count | `n = nA + nB` |
# | distance of the means | `d = meanB - meanA` |
# | mean | `meanA + d * nB / n` |
# | sum of squares | `m2A + m2B + d ** 2 * nA * nB / n` |
#
# The last term is what the sets do not know of each other: even if nobody varies *within* A and
# within B, the whole varies when their means differ. Either set may be empty (`count` 0), and both
# may be; then there is nothing to divide by. Counts may be huge, and stay whole numbers.


# %% tags=["exercise:07.2"] minutes=8 difficulty=2
def merge(a: tuple, b: tuple) -> tuple:
    """Join two ``(count, mean, m2)``; return ``(count, mean, m2)`` of all rows."""
    (count_a, mean_a, m2_a), (count_b, mean_b, m2_b) = a, b
    # BEGIN SOLUTION
    count = count_a + count_b
    share = count_b / count if count else 0.0
    d = mean_b - mean_a
    return count, mean_a + d * share, m2_a + m2_b + d**2 * (count_a * share)
    # END SOLUTION


# %% tags=["check:07.2"]
check("07.2")

# %% [markdown]
# A hint is at `hint("07.2")`.

# %% [markdown] tags=["hints:07.2"]
# 1. Again one line for each row of the table. The mean moves from A towards B, the further the more
#    rows B has.
# 2. Where A or B is empty the formulas still hold. Only with both empty is `n` 0, and `0 / 0` has
#    to be kept out.
# 3. `share = count_b / count if count else 0.0`. Then the mean is `mean_a + d * share`, and the new
#    term `d**2 * (count_a * share)`.

# %% [markdown]
# Cut the rows from above among eight workers, unfairly: some have few rows, and each has seen other
# distances, since we hand them out in order of the straight distance to the goal. Merge the eight
# in three random orders. **Predict**: where do the three lines end? And is the mean of the eight
# variances the variance of all?

# %%
distance = np.sort(seen[:, 27]).astype(np.float64)
parts = np.split(distance, [40, 90, 400, 700, 1_500, 1_600, 2_900])
workers = [(len(p), np.array([p.mean()]), np.array([p.var() * len(p)])) for p in parts]
lines, ends = {}, []
for name in ("first order", "second order", "third order"):
    total, path = (0, np.zeros(1), np.zeros(1)), []
    for i in rng.permutation(8):
        total = merge(total, workers[i])
        path.append(np.sqrt(total[2][0] / total[0]))
    lines[name] = range(1, 9), path
    ends.append(path[-1])
print("ends:", *ends, "  all rows at once:", distance.std())
print("root of the mean variance:", np.sqrt(np.mean([p.var() for p in parts])))
line_chart(
    lines,
    title="Eight workers, merged in three orders",
    xlabel="workers merged so far",
    ylabel="standard deviation of the distance (mm)",
    alt="Standard deviation against workers merged. Three lines take different ways and end in "
    "the same point.",
)

# %% [markdown]
# Three ways, one end, equal up to the last digit or two that a float64 holds. The mean of the
# variances is something else altogether: it knows nothing of the distances *between* the workers.
#
# One more way to get it wrong waits in lesson 12: if all workers begin with shared statistics and
# send back everything, the shared rows are counted once for each worker. Merge what is new only.

# %% [markdown]
# ## Exercise 07.3: Normalize N robots
#
# Now for the real thing. A class keeps the moments of each column, over the rows of all robots
# together, and turns observations into small numbers. Its base is given: it holds count, mean and
# `m2`, and its method `join` is Chan's rule.


# %% tags=["given"]
class Moments:
    """Count, mean and sum of squared distances of each of ``width`` columns."""

    def __init__(self, width: int) -> None:
        self.count, self.mean, self.m2 = 0, np.zeros(width), np.zeros(width)

    @property
    def var(self) -> np.ndarray:
        """Population variance of each column."""
        return self.m2 / max(self.count, 1)

    def join(self, count: int, mean: np.ndarray, m2: np.ndarray) -> None:
        """Take in ``count`` rows with this mean and sum of squared distances."""
        d, total = mean - self.mean, self.count + count
        self.mean = self.mean + d * count / total
        self.m2 = self.m2 + m2 + d**2 * self.count * count / total
        self.count = total


# %% [markdown]
# Before you write it, look at what one bad reading does to a mean, and what a column without any
# spread does to a division:

# %%
with np.errstate(invalid="ignore"):
    print(np.mean([900.0, 300.0, np.nan, 600.0]), np.float64(0) / np.float64(0))

# %% [markdown]
# NaN, "not a number", plus anything is NaN. *One* such row, and the mean of that column is NaN for
# the rest of the training, and so is everything that the network says. So refuse it at the door, by
# name. And give a column that never varied 0: it tells nothing yet.
#
# | method | what it does |
# |---|---|
# | `update(rows)` | takes in rows `[N, D]` of any number type, N of 1 or more, as one batch |
# | | a NaN or an infinity in column k: `ValueError` that names k, and nothing has changed |
# | `normalize(rows)` | `(row - mean) / standard deviation`, cut to -clip ... clip; float32 |
# | | a column that has been constant so far gives 0, whatever comes in it |
#
# Nothing is added to the variance "for safety", as many programs do: where it is small, that would
# be a large error. Work in float64, also if the rows are float32. Change none of the arrays that
# you are given.


# %% tags=["exercise:07.3"] minutes=12 difficulty=2
class Normalizer(Moments):
    """Moments of all rows of all robots, and observations made small by them."""

    def update(self, rows: np.ndarray) -> None:
        """Take in rows ``[N, D]``, or refuse them with a ``ValueError`` that names the column."""
        # BEGIN SOLUTION
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}: expected finite numbers")
        mean = rows.mean(axis=0)
        self.join(len(rows), mean, np.square(rows - mean).sum(axis=0))
        # END SOLUTION

    def normalize(self, rows: np.ndarray, clip: float = 10.0) -> np.ndarray:
        """Return the rows normalized, float32 ``[N, D]``; the statistics stay as they are."""
        # BEGIN SOLUTION
        spread = np.sqrt(self.var)
        varies = spread > 0
        scaled = np.where(varies, (rows - self.mean) / np.where(varies, spread, 1.0), 0.0)
        return np.clip(scaled, -clip, clip).astype(np.float32)
        # END SOLUTION


# %% tags=["check:07.3"]
check("07.3")

# %% [markdown]
# A hint is at `hint("07.3")`.

# %% [markdown] tags=["hints:07.3"]
# 1. In `update`, first make the rows float64, then look for what is not finite, and only then call
#    `self.join`. `axis=0` goes over the robots, and leaves one number a column.
# 2. `np.isfinite(rows).all(axis=0)` is True for each good column; `np.flatnonzero(~good)` lists the
#    bad ones. The batch has `rows.mean(axis=0)` and `np.square(rows - mean).sum(axis=0)`.
# 3. In `normalize`, divide by `np.where(spread > 0, spread, 1.0)`, so that nothing is divided by 0,
#    and set the constant columns to 0 by a second `np.where`. Then `np.clip`, then `astype`.

# %% [markdown]
# Feed it the rows step by step, 64 robots at a time, and look at what goes in and what comes out.
# **Predict**: which of the 25 cells is constant?

# %%
normalizer = Normalizer(28)
for batch in rows:
    normalizer.update(batch)
small, altered = normalizer.normalize(seen), normalizer.normalize(changed)
print("constant columns:", np.flatnonzero(normalizer.var == 0))

# %% [markdown]
# The own cell is always clear, since the robot stands in it. It comes out as 0. Mean and standard
# deviation of some others, before and after:

# %%
for name, k in {"ahead": AHEAD, "own cell": 12, "goal ahead": 25, "straight": 27}.items():
    print(f"{name:10} from {seen[:, k].mean():6.1f} and {seen[:, k].std():5.1f}", end="   ")
    print(f"to {small[:, k].mean():5.2f} and {small[:, k].std():4.2f}")
print("saturated: {:.0%}   notice the obstacle: {:.0%}".format(*noticed(small, altered)))

# %% [markdown]
# The same fresh layer that was blind now notices the obstacle nearly everywhere: not one weight has
# changed, only the units of measurement. Here is what three of the columns look like to the
# network:

# %%
histogram(
    {"obstacle ahead": small[:, AHEAD], "goal ahead": small[:, 25], "straight": small[:, 27]},
    title="Three columns, normalized",
    xlabel="normalized value (standard deviations from the mean)",
    ylabel="rows",
    alt="Three histograms between about -3 and 3. The obstacle has two values; the two distances "
    "spread around 0.",
)

# %% [markdown]
# ## In front of a vector env
#
# `NormalizeVectorEnv` of the package puts such a normalizer, `RunningMoments`, in front of a vector
# env. (It is exact to a few digits more than yours, and also says 0 for a constant like 0.1, whose
# mean is rounded.) Each step it takes in what the robots see, and hands on what has become of it.
# Which rows count is a question of lesson 04:
#
# | row | counts |
# |---|---|
# | what `reset` and `step` return | yes, once |
# | `final_obs` in SAME_STEP: the last observation of an episode | yes; it is normalized too |
# | a partial reset in DISABLED | only the robots in the mask: the others were counted before |
#
# So the same episodes give the same moments in every mode. In SAME_STEP, 64 robots that make 100
# steps show it more than 6,464 rows, as many more as episodes have ended:

# %%
envs = NormalizeVectorEnv(gym.make_vec(KITCHENS, num_envs=64, autoreset_mode="SameStep"))
envs.reset(seed=0)
ends = sum((envs.step(a)[2:4] for a in rng.integers(4, size=(100, 64))), ())
print(envs.moments, "  episodes ended:", np.sum(ends))
print(envs.single_observation_space)

# %% [markdown]
# The space says what comes out: float32 numbers without bounds, whatever the type of the env
# inside. Gymnasium's own `NormalizeObservation`
# works in NEXT_STEP only, and its statistics begin with a made-up mean of 0 and variance of 1.
#
# ## Does it matter?
#
# Now train. PPO, the learning program of the next lessons, from the library Stable-Baselines3, with
# mostly its usual settings and a network of `tanh` units; 64 robots in 64 random kitchens.
# Everything is the same but for what the network gets: raw millimetres, normalized observations, or
# normalized observations and scaled rewards (more on that below). Now and then each policy is
# examined: 100 robots in 100 kitchens that it has not trained in, one episode each. (`evaluate` is
# a function of the package; lesson 08 builds on it.)

# %%
ROUNDS, STEPS, SEEDS = budget(6, fast=1), budget(8_192, fast=2_048), budget(5, fast=2)
KINDS = {"raw millimetres": (False, False), "normalized": (True, False)}
KINDS["normalized, rewards scaled"] = True, True

# %% [markdown]
# What could the best robot do in those 100 kitchens, wherever it begins, within the limit of 100
# steps? `oracle` computes it exactly: let only a delivery pay, and pay 1, and the best possible
# reward is the best chance of a delivery.

# %%
kitchens = [random_kitchen("open", 1_000_000 + i) for i in range(100)]
models = [oracle.model(compile_kitchen(kitchen), (0, 0, 0, 1)) for kitchen in kitchens]
chances = [oracle.finite_horizon(model, 100)[0][100] for model in models]
best = np.concatenate([c[start_states(k)] for c, k in zip(chances, kitchens, strict=True)])
print(f"{len(best):,} starts; from the worst of them, the best chance is {best.min():.0%}")

# %% [markdown]
# So the optimum is 100 percent. The next cell only defines: an exam, and a training with an exam
# after each round. (`GymToSB3` is the adapter of lesson 09.)


# %%
from stable_baselines3 import PPO

from burgerbot.scale.sb3 import GymToSB3


def exam(model, training):
    """Delivered and crashed episodes, in percent, in 100 kitchens not trained in."""
    panel = gym.make_vec(KITCHENS, num_envs=100, autoreset_mode="SameStep")
    panel = NormalizeVectorEnv(panel, observations=training.normalizes_observations)
    panel.load_state_dict(training.state_dict())
    result = evaluate(
        panel, lambda seen: model.predict(seen, deterministic=True)[0], 1, seed=1_000_000
    )
    return 100 * result.success.mean, 100 * result.crash.mean


def train(observations, rewards, seed):
    """Train PPO; return the model, its envs, and an exam after each round."""
    envs = gym.make_vec(KITCHENS, num_envs=64, autoreset_mode="SameStep")
    envs = NormalizeVectorEnv(envs, observations=observations, rewards=rewards)
    settings = {"n_steps": 32, "batch_size": 256, "gamma": 0.97, "device": "cpu"}
    model, exams = PPO("MlpPolicy", GymToSB3(envs), seed=1_000 * seed, **settings), []
    for _ in range(ROUNDS):
        model.learn(STEPS, reset_num_timesteps=False)
        exams.append(exam(model, envs))
    return model, envs, np.array(exams)


# %% [markdown]
# **Predict** what share each kind delivers at the end. This is the cell that takes a minute or two:

# %%
jobs = [(name, seed) for name in KINDS for seed in range(SEEDS)]
runs = {job: train(*KINDS[job[0]], job[1]) for job in tqdm(jobs, desc="trainings")}

# %%
x, lines, bands = STEPS * np.arange(1, ROUNDS + 1), {}, {}
for name in KINDS:
    exams = np.array([runs[name, seed][2] for seed in range(SEEDS)])
    lines[name] = x, exams[:, :, 0].mean(axis=0)
    bands[name] = exams[:, :, 0].min(axis=0), exams[:, :, 0].max(axis=0)
    delivered, crashed = exams[:, -1].T.round().astype(int)
    print(f"{name:27} delivered", *delivered, "  crashed", *crashed, "  percent")
line_chart(
    lines,
    band=bands,
    title="The same network, the same budget, other units",
    xlabel="training (robot steps)",
    ylabel="delivered in new kitchens (percent)",
    alt="Delivered episodes in percent against training steps. Raw millimetres begin higher and "
    "stay on a plateau; both normalized kinds begin lower, overtake it and end far above.",
)

# %% [markdown]
# Each line is a mean over seeds, and the band reaches from the worst to the best of them. The raw
# robot is the best at first, and then stops improving. Look at how it fails: by crashing. It drives
# towards the goal, which is all that its saturated units can tell it, and into whatever stands in
# between. No error, no warning, and a good start: from the curve alone you would blame the
# algorithm, or ask for more steps.
#
# The third kind divides the *rewards*, too. A delivery pays 50, and a crash costs 10; the network
# that estimates what is still to come has to produce such numbers, and large errors push large
# changes through it. Scaling takes the standard deviation of the **discounted return**, the sum
# `R = gamma * R + r` that runs along each episode, and divides by it. It does not subtract the
# mean: that would turn a cost into a gain. At the end of each episode, by either flag, R goes back
# to 0. In the picture it comes to the same end as the second kind, and it is there sooner.

# %% [markdown]
# ## Hold still while you measure
#
# A normalizer moves with what it sees. During training that is its job. During an evaluation it is
# a fault: the policy is judged with other numbers than it was trained with, and the measurement
# changes what it measures. Here the last kind of policy drives 64 robots for 500 steps, twice, with
# the same seed, in three ways. Each line shows the running mean of the straight distance, in
# millimetres, and the mean reward a step. **Predict** which of the three gives the same result
# twice.

# %%
model, training, _ = runs["normalized, rewards scaled", 0]


def policy(seen):
    """The trained network's best action for each robot."""
    return model.predict(seen, deterministic=True)[0]


for kind in ("frozen", "moving", "fresh"):
    envs = NormalizeVectorEnv(gym.make_vec(KITCHENS, num_envs=64, autoreset_mode="SameStep"))
    envs.load_state_dict(training.state_dict() if kind != "fresh" else envs.state_dict())
    if kind == "frozen":
        envs.freeze()
    print(f"{kind}: {envs.moments.mean[27]:5.1f} mm", end="")
    for _ in range(2):
        sight, paid = envs.reset(seed=77)[0], 0.0
        for _ in range(500):
            sight, reward, *_ = envs.step(policy(sight))
            paid += reward.mean() / 500
        print(f"   {paid:.3f} a step, then {envs.moments.mean[27]:5.1f} mm", end="")
    print()

# %% [markdown]
# Frozen, the two evaluations agree in every digit. Moving, the statistics drift towards what *this*
# policy sees when it is examined, and the second result differs from the first, though policy,
# kitchens and seeds are the same. Had training gone on with these statistics, the evaluation would
# have changed the training. Fresh is what you get if you put a new normalizer around the evaluation
# env and forget to load the old one: the first robots are judged by statistics of almost nothing.

# %% [markdown]
# ## Exercise 07.4: Freeze at evaluation
#
# Write the evaluation so that none of this can happen. You get the wrapper that training goes on
# with, its rewards scaled perhaps, and a plain vector env to evaluate in.
#
# | what | is to be |
# |---|---|
# | the policy sees | observations of `envs`, normalized as `training` does it, with its `clip` |
# | `training` | not one bit of its statistics moves; not frozen afterwards, if it was not before |
# | result | the mean of the rewards as `envs` pays them, not scaled, over all robots and steps |
# | how | one `reset(seed=seed)`, then `steps` steps; `envs` resets itself, in SAME_STEP |
#
# `training` itself takes no step: its robots are in the middle of their episodes. What you need of
# it: `training.state_dict()`, `training.moments` and `training.clip`. `NormalizeVectorEnv(envs)`
# does not scale rewards unless you ask for it, `load_state_dict` takes over statistics, and
# `freeze()` closes them: after it no method changes them, `load_state_dict` included.


# %% tags=["exercise:07.4"] minutes=10 difficulty=2
def mean_reward(
    training: NormalizeVectorEnv, envs: VectorEnv, policy, steps: int, seed: int
) -> float:
    """Return the mean raw reward, per robot and step, of a policy in ``envs``."""
    # BEGIN SOLUTION
    frozen = NormalizeVectorEnv(envs, clip=training.clip)
    frozen.load_state_dict(training.state_dict())
    frozen.freeze()
    sight, _ = frozen.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        sight, reward, *_ = frozen.step(policy(sight))
        total += reward.mean()
    return total / steps
    # END SOLUTION


# %% tags=["check:07.4"]
check("07.4")

# %% [markdown]
# A hint is at `hint("07.4")`.

# %% [markdown] tags=["hints:07.4"]
# 1. Give `envs` a wrapper of its own, with statistics of its own, equal to those of `training`.
#    Then whatever you do to it cannot touch the training.
# 2. The order matters: wrap, load, freeze, reset. A frozen wrapper refuses to load, and one that is
#    reset before it is frozen has already taken in a row of each robot.
# 3. `frozen = NormalizeVectorEnv(envs, clip=training.clip)`, then
#    `frozen.load_state_dict(training.state_dict())` and `frozen.freeze()`. Add up `reward.mean()`
#    in a loop of `steps` steps, and divide by `steps`.

# %%
state = json.dumps(training.state_dict())
for _ in range(2):
    envs = gym.make_vec(KITCHENS, num_envs=64, autoreset_mode="SameStep")
    print(mean_reward(training, envs, policy, steps=500, seed=77))
print("training as before:", state == json.dumps(training.state_dict()), training.frozen)

# %% [markdown]
# The same number twice, and the same as in the line "frozen" above. The rewards were not scaled,
# although the training's are. That is worth a thought: a scaled reward is divided by a number that
# changes with the policy and with time. As a signal to learn from it is fine. As a *result* it
# means nothing, and two runs cannot be compared by it.

# %% [markdown]
# ## Exercise 07.5: Save the statistics with the policy
#
# To a policy, the statistics are as much a part of it as its weights: it has only ever seen what
# came out of them. Save one without the other, and you have saved neither. So put both into *one*
# file.
#
# | function | what it does |
# |---|---|
# | `save(path, weights, moments)` | writes one file, at exactly this path |
# | `load(path)` | returns `(weights, moments)`, in a process that knows nothing but the file |
#
# | part | comes back as |
# |---|---|
# | `weights`, a dictionary of arrays by name | the same names, dtypes, shapes and bits |
# | `moments`, a `RunningMoments` with rows in it | its whole `state_dict()`, to the bit; frozen |
#
# Frozen, since whoever loads a policy wants to use it; who wants to train on can `unfreeze()`. But
# `save` leaves the moments that it is given as they are: training goes on. Any format will do.
# Names of weights may be anything, `mean`, `count` or `moments` too.


# %% tags=["exercise:07.5"] minutes=10 difficulty=2
def save(path: str, weights: dict[str, np.ndarray], moments: RunningMoments) -> None:
    """Write weights and statistics to one file."""
    # BEGIN SOLUTION
    parts = {f"weight {name}": array for name, array in weights.items()}
    with open(path, "wb") as file:
        np.savez(file, moments=json.dumps(moments.state_dict()), **parts)
    # END SOLUTION


def load(path: str) -> tuple[dict[str, np.ndarray], RunningMoments]:
    """Read ``(weights, moments)`` back; the moments are frozen."""
    # BEGIN SOLUTION
    with np.load(path) as file:
        weights = {n.removeprefix("weight "): file[n] for n in file if n != "moments"}
        state = json.loads(str(file["moments"]))
    moments = RunningMoments(np.shape(state["mean"]))
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments
    # END SOLUTION


# %% tags=["check:07.5"]
check("07.5")

# %% [markdown]
# A hint is at `hint("07.5")`.

# %% [markdown] tags=["hints:07.5"]
# 1. `np.savez` writes arrays by name into one file, and `json.dumps(moments.state_dict())` makes a
#    text of the statistics that keeps every bit. `pickle.dump` of both also works, in files that
#    you trust.
# 2. Given a path, `np.savez` adds `.npz` to it. Given a file opened by `open(path, "wb")` it does
#    not. Put something before the names of the weights, so that none collides with your own.
# 3. To load: `RunningMoments(np.shape(state["mean"]))`, then `load_state_dict(state)`, then
#    `freeze()`, in this order.

# %% [markdown]
# Does the robot act the same tomorrow? Save the network, and ask a *new process* to load it and to
# drive eight robots for 300 steps. `drive` is the whole policy in NumPy: normalize, two layers, and
# the action with the largest score. (`cloudpickle` carries your `load` and `drive` over; the
# weights and statistics come from the file alone.)


# %%
def drive(weights, moments):
    """The actions of the first robots, and all rewards of 300 steps of eight robots."""
    import burgerbot

    envs = gym.make_vec("BurgerBotKitchens-v0", num_envs=8, autoreset_mode="SameStep")
    sight, tape, paid = envs.reset(seed=5)[0], [], 0.0
    for _ in range(300):
        hidden = moments.normalize(sight)
        for name in ("mlp_extractor.policy_net.0", "mlp_extractor.policy_net.2"):
            hidden = np.tanh(hidden @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])
        scores = hidden @ weights["action_net.weight"].T + weights["action_net.bias"]
        tape.append(scores.argmax(axis=1))
        sight, reward, *_ = envs.step(tape[-1])
        paid += reward.sum()
    return "".join(map(str, np.ravel(tape)[:60])), float(paid)


weights = {name: value.numpy() for name, value in model.policy.state_dict().items()}
script = "import sys, cloudpickle; load, drive = cloudpickle.load(sys.stdin.buffer); "
script += "print(drive(*load(sys.argv[1])))"
with tempfile.TemporaryDirectory() as folder:
    path = str(Path(folder) / "robot.brain")
    save(path, weights, training.moments)
    call, functions = [sys.executable, "-c", script, path], cloudpickle.dumps((load, drive))
    print("there:", subprocess.run(call, input=functions, stdout=-1).stdout.decode(), end="")
print("here: ", drive(weights, training.moments))

# %% [markdown]
# Action for action and cent for cent. **Predict** what happens to the same weights with a fresh
# normalizer, one that has seen a single batch of rows, which is how such a policy is most often
# "loaded":

# %%
fresh = RunningMoments((28,))
fresh.update(rows[0][:8])
print("fresh:", drive(weights, fresh))

# %% [markdown]
# ## When this goes wrong
#
# Reward scaling has a trap of its own: R must go back to 0 where an episode ends, *also at a
# truncation*. Take gamma 0.5, a reward of 1 in every step, and episodes that are truncated after 2
# steps. R should be 1, 1.5, 1, 1.5, and so on. Here is a well-known wrapper, Gymnasium's:

# %%
env = gym.make("BurgerBot-v0", kitchen=">......G", max_episode_steps=2)
env = NormalizeReward(env, gamma=0.5)
for _ in range(4):
    env.reset(seed=0)
    print([(env.step(0), env.discounted_reward.item())[1] for _ in range(2)])

# %% [markdown]
# A truncation does not clear R at all, and the returns of one episode leak into the next. (This is
# so in Gymnasium 1.4. `NormalizeVectorEnv` and SB3's `VecNormalize` clear R at either flag.)
#
# | what you see | what it is | what helps |
# |---|---|---|
# | training goes up, then stays on a plateau | large inputs saturate the network | normalize |
# | variance 0, negative or absurd | sums of squares, or float32 | Welford, Chan, float64 |
# | the statistics stop moving after 16,777,216 rows | the counter is a float32 | whole numbers |
# | everything is NaN after some hours | one bad reading got into the mean | refuse it by name |
# | 10 in a column that was always 0 | a constant column, divided by almost 0 | give it 0 |
# | a good policy drives badly after loading | its statistics were not saved | one file for both |
# | two evaluations of one policy disagree | moving statistics | freeze |
# | returns that nobody can compare | scaled rewards were reported | measure below the wrapper |
# | "image" observations out of their bounds | the space still says uint8 | float32, no bounds |
# | more workers, other pooled statistics | shared rows sent back | merge what is new |
#
# In SB3 the same rules have other names: `VecNormalize(..., training=False, norm_reward=False)` for
# evaluation, `VecNormalize.save` beside `model.save`, and the `Monitor` that reports returns goes
# *inside* of it. Lesson 09 does that.

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - Train on raw millimetres divided by 1,000. How much of the difference is gone? Who told you the
#   number 1,000?
# - Give `exam` the stratum `"corridor"`: `gym.make_vec(KITCHENS, stratum="corridor", ...)`. How far
#   are its moments from those of the training, and what does a moving normalizer do there?
# - Write a `Normalizer` that forgets: it gives old rows less weight. When would you want that, and
#   what becomes of the promise that any order of merging is the same?
# - Take the millimetres out of `drive` by folding mean and standard deviation into the first layer.
#   Then there is nothing to forget when you save.
#
# ## What was measured
#
# The error of three ways to a variance, at offsets from 1 to 1e9. Eight workers, merged in three
# orders. The share of a fresh layer's units that notice an obstacle, before and after. PPO on raw
# millimetres, normalized, and with scaled rewards, at the same budget, over several seeds, in
# kitchens not trained in. One policy evaluated twice with frozen, moving and fresh statistics; one
# saved, and loaded in a new process.
#
# ## Sources
#
# - Welford (1962), [Note on a method for calculating corrected sums of squares and
#   products](https://doi.org/10.1080/00401706.1962.10490022)
# - Chan, Golub and LeVeque (1983), [Algorithms for computing the sample
#   variance](https://doi.org/10.1080/00031305.1983.10483115)
# - LeCun, Bottou, Orr and Müller (1998), [Efficient
#   BackProp](https://doi.org/10.1007/3-540-49430-8_2), section 4.3: why inputs should be centred
#   and scaled
# - Gymnasium, [issue 1507](https://github.com/Farama-Foundation/Gymnasium/issues/1507): the return
#   that leaks over truncations
# - Stable-Baselines3, [VecNormalize](https://stable-baselines3.readthedocs.io/en/master/guide/vec_envs.html)
#
# Previous: [06 · One gather](06_one_gather.ipynb) ·
# Next: [08 · Rollouts and advantages](08_rollouts_and_advantages.ipynb)
