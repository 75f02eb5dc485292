# %% [markdown] minutes=60
# # 13 · The rollout contract: do 98,304 samples teach 98,304 lessons?
#
# In this lesson you train the same policy three times, at the same speed and with much the same
# success in training, and find out that two of the three know much less beyond their own kitchens.
# Then you write down what a batch must show before anybody believes it.
#
# Afterwards you can
#
# 1. draw seeds for training and evaluation that share nothing, and count what a rollout is made of;
# 2. say how many independent samples a batch of families is worth;
# 3. keep a ledger that survives a crash, and report success for each stratum with an honest
#    interval.
#
# **Time** about 60 minutes. **You need** [lesson 08](08_rollouts_and_advantages.ipynb), where
# robots of one seed family share their luck, and the PPO of
# [lesson 10](10_ppo_by_hand.ipynb). **The machine** can be any laptop: one cell trains for some
# minutes, with a progress bar.
#
# Previous: [12 · Many machines](12_many_machines.ipynb) · Next: [14 · The
# capstone](14_gpu_capstone.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. It is quick: PyTorch comes later, with the training. Run
# it first.

# %% tags=["imports"]
import json
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium as gym
import numpy as np
from tqdm.auto import tqdm

from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import accounting, ledger, oracle
from burgerbot.learn.audit import audit
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.family_runs import kitchens, labels, train_on, wanderer
from burgerbot.learn.ledger_table import show
from burgerbot.learn.loops import endings, greedy_actions
from burgerbot.learn.panel import held_out
from burgerbot.learn.rollout import begin, collect
from burgerbot.show import family_chart, histogram, line_chart, panel_chart, play, play_wall
from burgerbot.world.rules import V1_REWARDS, compile_kitchen
from burgerbot.world.strata import STRATA, random_kitchen

KITCHENS = "burgerbot:BurgerBotKitchens-v0"
SCRATCH = Path(tempfile.mkdtemp())
NAMES = {1: "1 seed", 8: "8 seeds", 128: "128 seeds"}

# %% [markdown]
# ## What a family is
#
# In `BurgerBotKitchens-v0` a seed draws a kitchen. There are four kinds of kitchen, called
# **strata**: `open`, `cluttered` (twice the obstacles), `corridor` (walls with doors), and `greasy`
# (open, but a robot slides forward now and then, whatever it meant to do). A robot starts somewhere
# else in each episode, but it stays in its kitchen. All robots with the same seed form a **seed
# family**. **Predict**: one seed, four strata; how many different maps?

# %%
maps = [random_kitchen(name, seed=13) for name in STRATA]
play_wall(maps, [[compile_kitchen(m).start for m in maps]], title="Seed 13: " + ", ".join(STRATA))

# %% [markdown]
# Three: `open` and `greasy` differ in the floor only. Remember it when you evaluate. A policy that
# learned in the open kitchen of seed 13 has seen the greasy one too, though its name is another.

# %% [markdown]
# ## Exercise 13.1: Draw seeds that share nothing
#
# A policy is trained on some families and evaluated on others, and the two lists must not meet. It
# sounds easy, and it goes wrong all the time: `range(128)` for training and `range(100, 132)` for
# evaluation; run 2 that begins with seed 1 and so trains on nearly the same kitchens as run 1.
#
# NumPy's `SeedSequence` grows seeds like a tree: `spawn(n)` gives n children that have nothing in
# common with each other, nor with the children of any other root. So let one child of the root be
# the parent of all training seeds, and the next child the parent of all evaluation seeds:
#
# ```
# root = SeedSequence(seed)
# its children: one for training, one for evaluation
# each of them has as many children as seeds are wanted
# the seed of a child: int(child.generate_state(1, np.uint64)[0])
# ```
#
# | what must hold | what it is good for |
# |---|---|
# | no seed twice, in the lists or between them | evaluation on kitchens never seen |
# | the same call gives the same lists | a run can be repeated |
# | a longer list begins with the shorter one | more families, the old ones among them |
# | the length of one list does not change the other | more training, the same evaluation |
# | base seeds 0 and 1 share nothing | repeated runs are independent |
#
# Return two lists of plain Python ints.


# %% tags=["exercise:13.1"] minutes=6 difficulty=1
def seed_families(seed: int, training: int, evaluation: int) -> tuple[list[int], list[int]]:
    """Return ``(training seeds, evaluation seeds)`` that have nothing in common."""
    # BEGIN SOLUTION
    pools = np.random.SeedSequence(seed).spawn(2)
    lists = [
        [int(child.generate_state(1, np.uint64)[0]) for child in pool.spawn(count)]
        for pool, count in zip(pools, (training, evaluation), strict=True)
    ]
    return lists[0], lists[1]
    # END SOLUTION


# %% tags=["check:13.1"]
check("13.1")

# %% [markdown]
# Stuck? Run `hint("13.1")` in a new cell; each call says a little more. After a pass,
# `solution("13.1")` shows one way to write it.

# %% [markdown] tags=["hints:13.1"]
# 1. `np.random.SeedSequence(seed).spawn(2)` is a list of two: the parents of your two lists. Do not
#    spawn `training + evaluation` children from the root: then the evaluation seeds would move
#    whenever the training list grows.
# 2. For the first parent, `for child in parent.spawn(training)`; for the second one,
#    `parent.spawn(evaluation)`.
# 3. The seed of a child is `int(child.generate_state(1, np.uint64)[0])`. Make a list of them for
#    each parent, and return both lists.

# %% [markdown]
# The package has the same for any number of pools with names. This lesson trains on 128 families
# at most, and keeps 32 more for each stratum, which no training will see:

# %%
POOLS = accounting.seed_families(13, training=128, **dict.fromkeys(STRATA, 32))
EVALUATION = {name: POOLS[name] for name in STRATA}
print({name: len(pool) for name, pool in POOLS.items()}, "for example", POOLS["training"][0])

# %% [markdown]
# ## 98,304 rows
#
# A well-known recipe for legged robots collects 4096 robots times 24 steps in each rollout: 98,304
# samples. Here are three such rollouts, of 1, 8 and 128 seeds. Each seed has a kitchen in every
# stratum, and all kitchens have the same number of robots. The driver has learned half of its job;
# it is the policy of lesson 08. **Predict** which of the three is collected fastest, and which has
# the best rewards.

# %%
rollouts, names = {}, {}
for count, name in NAMES.items():
    envs = kitchens(POOLS["training"][:count], robots=4096)
    (_, carry), seconds = collect(envs, wanderer(seed=0), 1, begin(envs, seed=1)), []
    for _ in range(3):  # whatever else the machine does, the fastest of three is close to the truth
        start = time.perf_counter()
        rollouts[count], carry = collect(envs, wanderer(seed=1), 24, carry)
        seconds.append(time.perf_counter() - start)
    names[count] = labels(envs)
    reward = rollouts[count].rewards.mean()
    print(f"{name:9} {98_304 / min(seconds):9,.0f} rows a second, mean reward {reward:.2f}")

# %% [markdown]
# All three are collected at hundreds of thousands of rows a second or more, and their rewards are
# of one kind; with one seed it is a matter of luck whether its four kitchens are easy. Nothing that
# a training loop prints tells which of them teaches more. So look inside.

# %% [markdown]
# ## Exercise 13.2: Account for a rollout
#
# Count what the rows are. A row that is no reset row is a transition. Two transitions of one family
# with the same observation and the same action are the same lesson, taught twice.
#
# | key | what it counts |
# |---|---|
# | `rows` | T * N |
# | `transitions` | valid rows |
# | `distinct` | different triples (family, observation, action) among the transitions |
# | `terminated` | transitions that end an episode by termination |
# | `truncated` | transitions that end one by the step limit only |
# | `families` | different labels |
#
# `families` is int `[N]`, one label a robot; `observations` is `[T, N, ...]` with any number of
# axes behind; the other four are `[T, N]`. What stands in a reset row must not matter, flags
# included. All results are whole numbers.


# %% tags=["exercise:13.2"] minutes=9 difficulty=2
def account(
    families: np.ndarray,
    observations: np.ndarray,
    actions: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    valid: np.ndarray,
) -> dict[str, int]:
    """Return what the rows of a rollout are."""
    # BEGIN SOLUTION
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }
    # END SOLUTION


# %% tags=["check:13.2"]
check("13.2")

# %% [markdown]
# A hint is at `hint("13.2")`.

# %% [markdown] tags=["hints:13.2"]
# 1. Take the valid rows out first: `observations[valid]` has one row for each transition, and
#    `.reshape(count, -1)` makes each row flat. `np.broadcast_to(families, valid.shape)[valid]` is
#    the label of each transition.
# 2. Put label, observation and action side by side with `np.hstack` (each as a column or more), and
#    count the different rows: `len(np.unique(table, axis=0))`.
# 3. The flags count in valid rows only. `truncated & ~terminated & valid` is what the step limit
#    alone has ended.

# %% [markdown]
# One kitchen has 49 cells at most, four headings and four actions. **Predict** how many different
# transitions are among the 98,304 rows of the first rollout.

# %%
groups = {n: np.unique(names[n], return_inverse=True)[1] for n in rollouts}
for count, (seen, did, _, *flags, _, valid, _, _) in rollouts.items():
    print(f"{NAMES[count]:9}", account(groups[count], seen, did, *flags, valid))

# %% [markdown]
# With one seed, a few thousand of the 98,304 rows are different; the rest repeats them. Here is how
# the number grows while the rollout goes on:

# %%
grown, lengths = {}, (1, 3, 6, 12, 24)
for count, (seen, did, _, *flags, _, valid, _, _) in rollouts.items():
    parts = ([a[:t] for a in (seen, did, *flags, valid)] for t in lengths)
    found = [account(groups[count], *part)["distinct"] for part in parts]
    grown[NAMES[count]] = [4096 * t for t in lengths], found

# %%
line_chart(
    grown | {"every row new": ([4096, 98_304], [4096, 98_304])},
    title="How many different lessons are in a rollout",
    xlabel="rows collected",
    ylabel="different transitions",
    logx=True,
    logy=True,
    alt="Different transitions against rows, log axes. With 1 seed the line is flat from the first "
    "thousands on; with 8 it flattens later; with 128 it stays near the line of rows that are all "
    "new.",
)

# %% [markdown]
# With one seed, the second half of the rollout adds next to nothing. That is the first thing to
# look at, and it is cheap. But it is not yet the answer. A transition that comes twice still says
# something about how often it comes; and two transitions that differ may teach the same thing. What
# you want to know is how much the rollout tells about kitchens *in general*.

# %% [markdown]
# ## Exercise 13.3: Estimate an intraclass correlation
#
# Take one number of each robot, such as its mean reward. Part of the differences between robots is
# their own luck: where they started, what they drew. The other part is the kitchen, and all robots
# of a family share it. The **intraclass correlation** (ICC) is the shared part, as a fraction of
# the whole variance: 0 if the family makes no difference, 1 if robots of a family are copies.
#
# It comes from two mean squares, one *between* the F families and one *within* them. Family f has
# m_f of the N values:
#
# ```
# MSB = sum over families f:  m_f * (mean of f - mean of all)^2   / (F - 1)
# MSW = sum over values i:    (value i - mean of its family)^2     / (N - F)
# ICC = (MSB - MSW) / (MSB + (m - 1) * MSW)
# ```
#
# | case | what to do |
# |---|---|
# | all families have m values | that m |
# | sizes differ | `m = (N - sum of m_f^2 / N) / (F - 1)` |
# | values are vectors `[N, D]` | both sums run over the D coordinates too |
# | MSB is smaller than MSW | the estimate is below 0: leave it so |
#
# The labels may come in any order. Return one float.


# %% tags=["exercise:13.3"] minutes=10 difficulty=2
def icc(values: np.ndarray, families: np.ndarray) -> float:
    """Return the intraclass correlation of values ``[N]`` or ``[N, D]``; labels are ``[N]``."""
    # BEGIN SOLUTION
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))
    # END SOLUTION


# %% tags=["check:13.3"]
check("13.3")

# %% [markdown]
# A hint is at `hint("13.3")`.

# %% [markdown] tags=["hints:13.3"]
# 1. `np.unique(families, return_inverse=True, return_counts=True)` gives the labels, the number of
#    each value's family (0 to F - 1), and the sizes.
# 2. `values.reshape(len(values), -1)` turns numbers into vectors of one coordinate, so that one
#    piece of code does both. `means` is `[F, D]`; `means[group]` is the family's mean for each
#    value, `[N, D]`.
# 3. In MSB each family counts with its size: `np.sum(sizes[:, None] * (means - grand) ** 2)`. The
#    formula for m gives the common size where all sizes are the same, so you need no `if`.

# %% [markdown]
# Can it be trusted? Make data with a known ICC, a thousand times: 128 families of 4 values, of
# whose variance the family makes 0.05, or 0.4. **Predict** which of the two estimates scatters
# more.

# %%
rng, found = np.random.default_rng(13), {}
for rho in (0.05, 0.4):
    shared = np.sqrt(rho) * rng.normal(size=(1000, 128, 1))
    data = (shared + np.sqrt(1 - rho) * rng.normal(size=(1000, 128, 4))).reshape(1000, -1)
    found[f"true ICC {rho}"] = [icc(values, np.arange(512) // 4) for values in data]
    print(f"true ICC {rho}: mean estimate {np.mean(found[f'true ICC {rho}']):.3f}")

histogram(
    found,
    title="Estimates from 128 families of 4",
    xlabel="estimated ICC",
    ylabel="times in 1000",
    bins=40,
    alt="Two heaps of estimates, around their true values 0.05 and 0.4; some of the first are "
    "below 0, and the second heap is wider.",
)

# %% [markdown]
# Both are right on average, and neither is exact: an ICC from a hundred families is known to a few
# hundredths. Now the rollouts. The ICC is a fact about the world and the policy, so one number
# serves all three, and the rollout with the most families is the one that can tell it.

# %%
robot_rewards = rollouts[128].rewards.mean(axis=0)
ICC = icc(robot_rewards, groups[128])
print(f"ICC of a robot's mean reward over 24 steps: {ICC:.3f}")

# %% [markdown]
# A few hundredths: of what one robot earns in 24 steps, nearly all is its own luck. That looks
# harmless. It is not, as the next exercise shows.
#
# ## Exercise 13.4: Count effective samples
#
# The mean of n independent values has 1/n of the variance of one. In families of m the variance is
# larger by the **design effect** `1 + (m - 1) * ICC`: so n values in families are worth only
#
# ```
# effective = n / (1 + (m - 1) * ICC)
# ```
#
# independent ones. The second function turns the question round: you want `target` effective
# robots, and every kitchen can hold m. How many kitchens must you build?
#
# | n | m | ICC | effective | why |
# |---|---|---|---|---|
# | 100 | 1 | any | 100 | everybody alone |
# | 100 | 10 | 0 | 100 | the family makes no difference |
# | 100 | 10 | 1 | 10 | copies: one for each family |
# | 100 | 10 | 0.5 | 18.2 | 100 / 5.5 |
#
# `kitchens_needed` returns the *smallest* whole number F for which F * m robots are worth `target`
# or more.


# %% tags=["exercise:13.4"] minutes=6 difficulty=1
def effective_samples(n: float, family_size: float, icc: float) -> float:
    """Return how many independent values n values in families of this size are worth."""
    # BEGIN SOLUTION
    return n / (1 + (family_size - 1) * icc)
    # END SOLUTION


def kitchens_needed(target: float, robots_per_kitchen: int, icc: float) -> int:
    """Return the fewest kitchens whose robots are worth ``target`` independent ones."""
    # BEGIN SOLUTION
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))
    # END SOLUTION


# %% tags=["check:13.4"]
check("13.4")

# %% [markdown]
# A hint is at `hint("13.4")`.

# %% [markdown] tags=["hints:13.4"]
# 1. The first function is the formula as it stands.
# 2. For the second one write down `F * m / (1 + (m - 1) * icc) >= target` and solve it for F.
# 3. `F >= target * (1 + (m - 1) * icc) / m`, and F is a whole number: `math.ceil` rounds up. Take
#    care of something like 19.000000000000004, which is 19: `round(..., 9)` first.

# %% [markdown]
# 4096 robots, in 4, 32 or 512 kitchens. **Predict** how many independent robots they are worth at
# this ICC.

# %%
for count in rollouts:
    size = 4096 // (4 * count)
    worth = effective_samples(4096, size, ICC)
    print(f"{NAMES[count]:9} {size:5} robots a kitchen: worth {worth:5.0f} independent robots")
print("kitchens for 2000 effective robots, 8 in each:", kitchens_needed(2000, 8, ICC))

# %%
sizes = 2 ** np.arange(0, 15)
line_chart(
    {f"{k} kitchens": (k * sizes, effective_samples(k * sizes, sizes, ICC)) for k in (4, 32, 512)},
    title="More robots, the same kitchens",
    xlabel="robots, N",
    ylabel="independent robots that they are worth",
    logx=True,
    logy=True,
    alt="Effective robots against robots, log axes, for 4, 32 and 512 kitchens. Each line rises at "
    "first and then becomes level: at the number of kitchens divided by the ICC.",
)

# %% [markdown]
# Each line has a ceiling: the number of kitchens divided by the ICC. Beyond it, another thousand
# robots in the same kitchens add nothing to what you know about kitchens. A small ICC puts the
# ceiling higher, but large families reach it all the same.
#
# ## The same training, three times
#
# Now let PPO learn from such data: 512 robots, the same network, the same settings, the same number
# of steps; on 1, 8 and 128 seeds. `train_on` is in `burgerbot.learn.family_runs`. **Predict** two
# rankings: by steps per second, and by success on the kitchens that the policy was trained in.

# %% id="training"
import torch

torch.set_num_threads(1)  # the networks here are small: more threads would only wait for each other
runs = {}
for count, name in tqdm(NAMES.items(), desc="trainings"):
    seeds, steps = POOLS["training"][:count], budget(1_500_000, fast=30_000)
    runs[count] = train_on(seeds, EVALUATION, run=name, steps=steps)

# %%
for count, run in runs.items():
    rate, success = run.record["throughput"]["with_update"], run.training.overall.mean
    print(f"{NAMES[count]:9} {rate:7,.0f} steps a second, success in training {success:.2f}")

# %% [markdown]
# But for what else the machine did meanwhile, the speed is the same, and all three deliver nearly
# always in the kitchens that they know. The run on one seed even looks best. If your dashboard
# stops here, you would ship that one.
#
# ## Exercise 13.5: Keep a ledger
#
# A result that is not written down is a rumour. A **ledger** is a file of JSON lines: one object a
# line, one line a run, added at the end and never changed. Programs crash and disks fill up, so
# the last line may be torn in the middle, and the next run must not suffer from that.
#
# | function | what it does |
# |---|---|
# | `append_run(path, record)` | adds one line of JSON that ends in a newline; makes the file |
# | | the file ends in a torn line, without newline: begins a new line first |
# | | NaN or infinity in the record: `ValueError`, and the file stays as it was |
# | `read_runs(path)` | `(records, torn)`: all records in order, and how many lines were no JSON |
# | | empty lines do not count; a last line that is whole, only without newline, does |
#
# NaN is no JSON. Python writes it all the same, and other programs stumble over it.


# %% tags=["exercise:13.5"] minutes=8 difficulty=2
def append_run(path: Path, record: dict) -> None:
    """Add a record at the end of the ledger."""
    # BEGIN SOLUTION
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)
    # END SOLUTION


def read_runs(path: Path) -> tuple[list[dict], int]:
    """Return the records, and the number of torn lines."""
    # BEGIN SOLUTION
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn
    # END SOLUTION


# %% tags=["check:13.5"]
check("13.5")

# %% [markdown]
# A hint is at `hint("13.5")`.

# %% [markdown] tags=["hints:13.5"]
# 1. Make the line first: `json.dumps(record, allow_nan=False) + "\n"` raises the `ValueError`
#    before anything is written. `path.open("a")` adds at the end; `"w"` would wipe the file.
# 2. `path.read_bytes()[-1:]` is the last byte, or nothing in an empty file. If it is something else
#    than a newline, put one in front of your line.
# 3. In `read_runs` go through `path.read_bytes().split(b"\n")`, skip what is empty after `strip()`,
#    and put `json.loads(line)` into `try` with `except ValueError` (a broken line, and bytes that
#    are no text, both raise one).

# %% [markdown]
# Two runs go into a ledger, and the program is killed while it writes the third. **Predict** what
# is left, and whether a fourth record can be added.

# %%
path = SCRATCH / "mine.jsonl"
for run in runs.values():
    append_run(path, run.record)
path.write_bytes(path.read_bytes()[:-100])
before = read_runs(path)
append_run(path, runs[128].record)
print([len(records) for records, torn in (before, read_runs(path))], "torn:", before[1])

# %% [markdown]
# The package's `ledger` does the same, checks that nothing is missing from a record, and lets many
# programs write at once. A record holds the settings, the training seeds and the evaluation seeds
# as two lists, the strata, three throughputs, the success of each stratum, why episodes ended, the
# versions, the git commit, the device, and the peak memory. From a terminal,
# `python -m burgerbot ledger show FILE` prints one.
#
# ## Exercise 13.6: Hold a panel
#
# Now the kitchens that no policy has seen. A **panel** evaluates the policy in each stratum, on
# seeds of its own. Report the strata one by one: an average lets a good stratum hide a bad one. And
# give each an interval that draws whole *families* again, since robots of one kitchen are no
# independent witnesses:
#
# ```
# repeat 1000 times:
#     draw F of the F families, with replacement
#     share = deliveries in the families drawn / episodes in the families drawn
# the interval: from the 2.5 % to the 97.5 % quantile of the shares
# ```
#
# | function | returns |
# |---|---|
# | `family_interval(delivered, families, seed)` | `(low, high)`; `delivered` is bool `[N, E]` |
# | `panel(policy, families, robots)` | stratum -> `(success, low, high)` |
#
# `families` of the second one is a dictionary, stratum -> seeds. Each of these seeds gets `robots`
# robots: `gym.make_vec(KITCHENS, num_envs, stratum=..., family=seeds)` puts the first `robots`
# robots into the kitchen of the first seed, and so on. `evaluate(envs, policy, 1)` plays one
# episode each, greedy and with frozen statistics; `.delivered` is `[N, 1]`.


# %% tags=["exercise:13.6"] minutes=10 difficulty=3
def family_interval(
    delivered: np.ndarray, families: np.ndarray, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % interval of the share of deliveries; families ``[N]`` are resampled."""
    # BEGIN SOLUTION
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)
    # END SOLUTION


def panel(
    policy: Callable, families: dict[str, list[int]], robots: int = 4
) -> dict[str, tuple[float, float, float]]:
    """Return stratum -> ``(success, low, high)``, each on its own seeds."""
    # BEGIN SOLUTION
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found
    # END SOLUTION


# %% tags=["check:13.6"]
check("13.6")

# %% [markdown]
# A hint is at `hint("13.6")`.

# %% [markdown] tags=["hints:13.6"]
# 1. First add up, for each family, its deliveries and its episodes. With
#    `group = np.unique(families, return_inverse=True)[1]` that is
#    `np.bincount(group, delivered.sum(axis=1))` and `np.bincount(group) * E`.
# 2. `rng.integers(F, size=(1000, F))` draws all families at once; `wins[drawn].sum(axis=1)` has one
#    sum for each repetition. Divide by the episodes drawn, and take `np.quantile` with
#    `[0.025, 0.975]`.
# 3. In `panel`, for each stratum: make the environment with `robots * len(seeds)` robots, evaluate,
#    and label the robots with `np.repeat(seeds, robots)`. The success is `delivered.mean()`.

# %% [markdown]
# **Predict** the three numbers: all three policies delivered nearly always where they were trained.
# What will they do in kitchens that are new to them, drawn in the same way? (Charts further down
# are of the package's own panel: the same kitchens with other starts, so expect other decimals.)

# %%
for count, run in runs.items():
    found = panel(run.policy.scores, EVALUATION)
    cells = (f"{k} {s:.2f} [{a:.2f}, {b:.2f}]" for k, (s, a, b) in found.items())
    print(f"{NAMES[count]:9}", "  ".join(cells))

# %% [markdown]
# That is the answer to the title's question. Success in training says nothing about new kitchens,
# unless the training has seen many. In one picture, with the exact optimum beside each stratum:

# %%
panel_chart(
    {NAMES[count]: (run.training, run.held_out) for count, run in runs.items()},
    title="Trained on 1, 8 and 128 seeds, at the same throughput",
)

# %% [markdown]
# Look at the distance between the open mark (training) and the full one (held out). Nobody who sees
# only the open marks can know it. And look at the black lines: on a greasy floor not even the best
# driver, who knows the map and all odds, always arrives. Without that line you would take the last
# group for a weakness of the policy.
#
# Now everything side by side, from the ledger:

# %%
path = SCRATCH / "runs.jsonl"
for run in runs.values():
    ledger.append(path, run.record)
print(show(path))

# %% [markdown]
# In the rows of success stand two numbers: on the training seeds, and on the evaluation seeds. The
# row `ICC of success` says, for each policy, how alike the robots of one held-out kitchen fare, and
# `effective robots` what the 512 robots of its training were worth at that ICC. A policy that knows
# one kitchen either fits a new one or does not, for all robots in it: its ICC is high. Here is the
# whole panel of the last policy:

# %%
print(runs[128].held_out)

# %% [markdown]
# The last column says what the panel's own episodes are worth (a dash: all of them ended alike).
# The intervals know it already, since they draw families.
#
# ## Read a small batch
#
# Numbers hide things; read some episodes too. Six held-out kitchens without grease, four robots in
# each, four episodes a robot, by the policy that was trained on one seed.
# **Predict**: will the good and the bad episodes be mixed within a kitchen?

# %%
few = {name: pool[:2] for name, pool in EVALUATION.items() if name != "greasy"}
small = held_out(runs[1].policy.scores, few, robots=4, episodes=4)
outcomes, owners = [], []
for name, found in small.strata.items():
    words = np.where(found.delivered, "delivered", np.where(found.terminated, "crashed", "timeout"))
    outcomes += words.tolist()
    owners += [f"{name} {family % 1000}" for family in found.families]
family_chart(outcomes, owners, title="Trained on one seed, held-out kitchens")

# %% [markdown]
# Not evenly. Some kitchens are solved from nearly everywhere, some from nearly nowhere, whichever
# robot drives. Once you have seen a few episodes of a family, the others tell you little: you see
# the ICC with your eyes.
#
# The failures are nearly all timeouts, not crashes. What does a robot do that never arrives? The
# floor is dry and the policy greedy, so there is no chance in it, and you can follow it exactly
# from *every* start: once it sees the same thing in the same place, it does the same again, and
# goes in circles.

# %%
policy, circling = runs[128].policy.scores, []
for name in ("open", "cluttered", "corridor"):
    houses = [random_kitchen(name, seed) for seed in EVALUATION[name]]
    ends = [endings(greedy_actions(policy, house), house) for house in houses]
    circling += [(h, s) for h, e in zip(houses, ends, strict=True) for s in e["circles"]]
    print(f"{name:10}", {end: sum(len(e[end]) for e in ends) for end in ends[0]}, "starts")

# %%
house, start = circling[-1]
model = oracle.model(compile_kitchen(house), V1_REWARDS)
best = oracle.value_iteration(model, 0.99)[1].argmax(axis=1)
for name, actions in {"the optimum": best, "the policy": greedy_actions(policy, house)}.items():
    print(f"{name}: {len(oracle.rollout(model, actions, start, 100)[0]) - 1} steps")
play(house, oracle.rollout(model, actions, start, 24)[0], title="A robot without memory")

# %% [markdown]
# The policy has come back to where it was, and so it stays in its circle, while the optimum, which
# knows the map, needs far fewer steps. The robot sees five by five cells and where the goal lies.
# What is behind the next wall it does not see, and it cannot remember that it has been here before.
# Training on more kitchens makes such circles rarer, but no training can remove them all: two
# kitchens may look the same from where a robot stands, and want different actions. A policy that
# *draws* its actions leaves its circles by chance; one with a memory need not enter them twice.

# %% [markdown]
# ## An audit
#
# Most of what you have done can be checked by a program. `audit` reads a rollout and a record, and
# names what makes a batch less than it seems. First the three sound runs; an empty list means that
# nothing was found.

# %%
four = gym.spaces.Discrete(4)
print([audit(run.rollout, run.record, action_space=four) for run in runs.values()])

# %% [markdown]
# Note what it does *not* find. The run on one seed is a correct run. It is the *claim* "this policy
# drives in kitchens" that would be wrong.
#
# Now plant five faults. **Predict** for each of them what would show up on a learning curve.

# %%
sound, record = runs[128].rollout, runs[128].record
together = np.zeros_like(sound.truncated)
together[15::16] = True
one_schedule = np.broadcast_to(sound.actions[:, :1], sound.actions.shape)
planted = [
    (sound._replace(terminated=together & False, truncated=together), record),
    (sound._replace(actions=one_schedule), record),
    (sound._replace(actions=sound.actions * 2), record),
    (sound, record | {"evaluation_seeds": record["training_seeds"][:32]}),
    (sound, record | {"moments_count": record["moments_count"] // 2}),
]
for rollout, line in planted:
    print(*audit(rollout, line, action_space=four), sep="\n", end="\n\n")

# %% [markdown]
# None of the five stops a training, and few of them show on its curve: shared evaluation seeds even
# make it look better.
#
# | finding | what happened | what helps |
# |---|---|---|
# | synchronized resets | robots began together, and time out together | stagger first episodes |
# | one schedule | robots share their random numbers | draws for each robot |
# | clipped actions | stored and executed actions differ | store what was executed |
# | shared seeds | evaluation on what was learned | pools from one `SeedSequence` |
# | stale moments | statistics of an older policy | save both in one file |
#
# ## Three claims
#
# Keep three claims apart. Each needs evidence of its own, and none follows from another.
#
# | claim | what it says | the evidence |
# |---|---|---|
# | systems | "we collect this many steps a second" | throughput, with and without the update |
# | learning | "the policy improves on its task" | success on the training seeds, several runs |
# | robustness | "it works where it has not been" | a held-out panel of each stratum |
#
# In this lesson the first claim held for all three runs, and so did the second. The third held for
# one of them. And "where it has not been" has limits too: these are new kitchens, drawn in the same
# way as the old ones. A floor that is greasier, or a sensor that fails, would be another panel.
#
# ## When this goes wrong
#
# | what you see | what it is | what helps |
# |---|---|---|
# | held-out success as good as training, suspiciously | the pools overlap | compare the two lists |
# | run 2 agrees with run 1 to the digit | neighbouring base seeds | `spawn` |
# | an interval far too narrow | robots resampled, not families | draw whole families |
# | an interval without ends | one family: nothing to resample | more families |
# | more robots, the same noise | large families | fewer robots in more kitchens |
# | an ICC below 0 | few families, chance | report it, count it as 0 |
# | a stratum far below the others | maybe the world, not the policy | the exact optimum beside it |
# | the ledger cannot be read | one torn line, a strict reader | skip it, count it |
# | a number nobody can repeat | no commit, no versions, no seeds | the ledger |
#
# ## Try it yourself
#
# Nothing here is graded.
#
# - Where between 8 and 128 does the gap close? Train on 32 seeds, and add the run to the ledger.
# - Give the 128 seeds a quarter of the steps. Which hurts more, fewer steps or fewer seeds?
# - Evaluate with drawn actions: `lambda o: runs[128].policy.act(torch.as_tensor(o))[0]`. Which
#   stratum gains most, and why?
# - Train on `open` only and hold a panel in all strata. That is a claim about new *kinds* of
#   kitchen.
# - How many families does a panel need for an interval of plus or minus 0.02? `kitchens_needed`
#   knows.
#
# ## What was measured
#
# Rows, different transitions, and rewards of three rollouts of 98,304 rows, by one fixed driver.
# The ICC of simulated data with a known value, and of a robot's mean reward. Effective robots by
# Kish's formula. Three trainings with the same settings, on 1, 8 and 128 seeds in four strata:
# steps per second, success on the training seeds and on 32 held-out seeds a stratum, greedy, 4
# robots a kitchen, one run each; intervals by resampling families; the exact optimum of the same
# kitchens. The ends of a greedy policy from every start on dry floors. Five planted faults.
#
# ## Sources
#
# - Kish (1965), *Survey Sampling*, section 5.4: the design effect
# - Donner (1986), [A review of inference procedures for the intraclass correlation
#   coefficient](https://doi.org/10.2307/1403259)
# - Efron and Tibshirani (1993), *An Introduction to the Bootstrap*, chapter 13
# - Cobbe and others (2020), [Leveraging procedural generation to benchmark reinforcement
#   learning](https://arxiv.org/abs/1912.01588): how many levels training needs
# - Rudin and others (2021), [Learning to walk in minutes using massively parallel deep
#   reinforcement learning](https://arxiv.org/abs/2109.11978): the 98,304 samples
# - Singh, Jaakkola and Jordan (1994), [Learning without state-estimation in partially observable
#   Markovian decision processes](https://doi.org/10.1016/B978-1-55860-335-6.50042-8)
# - NumPy, [parallel random number
#   generation](https://numpy.org/doc/stable/reference/random/parallel.html)
#
# Previous: [12 · Many machines](12_many_machines.ipynb) · Next: [14 · The
# capstone](14_gpu_capstone.ipynb)
