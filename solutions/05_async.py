# %% [markdown] minutes=55
# # 05 · Async: when do processes pay?
#
# In this lesson you give every robot a process of its own, find out when that is faster and when
# it is slower, and learn to end it well when a robot breaks.
#
# Afterwards you can
#
# 1. hand a robot to another process, on any system;
# 2. predict the speed-up from three numbers, and measure where it begins;
# 3. let a robot crash, hang or be killed, and leave no process behind.
#
# **Time** about 55 minutes. **You need** [lesson 03](03_many_bots.ipynb); of
# [lesson 04](04_autoreset.ipynb), only what a vector env returns. **The machine** can be any
# laptop, best with two cores or more: one cell measures for some ten seconds, all others take
# less.
#
# Previous: [04 · Auto-reset](04_autoreset.ipynb) · Next: [06 · One gather](06_one_gather.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. Run it first.

# %% tags=["imports"]
import math
import multiprocessing
import os
import pickle
import platform
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial

import gymnasium as gym
import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

import burgerbot
from burgerbot.course import budget, check, hint, solution
from burgerbot.scale.backends import (
    FaultyEnv,
    SlowEnv,
    end_workers,
    recommend_backend,
    time_backend,
)
from burgerbot.show import line_chart, throughput_chart

# %% [markdown]
# ## One kitchen hand, or one for each robot
#
# `SyncVectorEnv` takes its robots one after the other: the second waits until the first has
# moved. One **core**, the part of a chip that computes, does all the work, and the others look
# on.
#
# A **process** is a running program with a memory of its own. Your notebook is one. The system
# lets several processes run at the same moment, on different cores. `AsyncVectorEnv` starts a
# process for each robot, a **worker**, and keeps only the list of them. A step goes like this:
#
# | | `SyncVectorEnv` | `AsyncVectorEnv` |
# |---|---|---|
# | 1 | | sends each worker its action, through a **pipe** |
# | 2 | steps robot 0, then 1, then 2, ... | all workers step their robots at once |
# | 3 | | waits for each worker's answer |
# | 4 | hands you five things | hands you the same five things |
#
# To you they look alike. What differs is time, and what can go wrong. Both depend on the machine,
# so look at yours first:

# %%
cores = os.cpu_count()
print(platform.system(), platform.machine(), "· Python", platform.python_version())
print(cores, "cores · processes start by", multiprocessing.get_start_method())

# %% [markdown]
# Two kinds of robots, four of each. A BurgerBot looks its step up in a table, which costs next to
# nothing. The other is a `SlowEnv`: its step does nothing, but it keeps a core busy for as many
# microseconds as you ask for. It stands in for a world with real physics. (A millisecond is a
# thousandth of a second, a microsecond a millionth.)
#
# **Predict** before you run the cell: for which of the two are four processes faster? How many
# times?

# %%
ROBOTS = 4
robots = {"BurgerBot": "BurgerBot-v1", "5 ms of physics": partial(SlowEnv, 5_000.0)}
for name, robot in robots.items():
    sync, asyn = (time_backend(backend, robot, ROBOTS) for backend in ("sync", "async"))
    speedup_seen = asyn.steps_per_second / sync.steps_per_second
    print(f"{name:16} one process {sync.steps_per_second:9,.0f} steps/s", end="")
    print(f", {ROBOTS} processes {asyn.steps_per_second:9,.0f}: {speedup_seen:.2f} times as fast")

# %% [markdown]
# The same tool makes one robot faster and the other far slower. This lesson is about knowing
# beforehand which it will be. (Other programs take cores away: if the physics does not get faster
# here, close some and run the cell again.)
#
# `time_backend` does what a careful person does with a stop-watch: it builds the robots, lets
# them run for a while to warm up, times several rounds, and gives the **median**, the middle one.
# One slow round does not spoil it.

# %% [markdown]
# ## Exercise 05.1: Hand a robot to another process
#
# You cannot send a robot through a pipe, only bytes. Turning an object into bytes is called
# **pickling**, and it is done by Python's module `pickle`. How much has to be pickled depends on
# how the process starts:
#
# | start method | the new process begins as | used by default on |
# |---|---|---|
# | `fork` | a copy of this process, memory and all | Linux, up to Python 3.13 |
# | `spawn` | a fresh Python, which knows nothing | macOS, Windows |
# | `forkserver` | a copy of a small helper, which knows nothing | Linux, from Python 3.14 |
#
# Code that works under `fork` alone works on your laptop, and fails on your friend's. So write a
# **factory**, a function that builds a robot, which can go anywhere:
#
# | what is wanted | why |
# |---|---|
# | `env_factory(id, **kwargs)` returns a function without arguments | the worker calls it |
# | each call of that function is a new `gym.make(id, **kwargs)` | no two robots share anything |
# | `pickle` can store it | `spawn` and `forkserver` send it as bytes |
# | it works in a process that has imported nothing | nobody ran `import burgerbot` there |
#
# Two facts help. `pickle` does not store a function's code, but the name of its module and its own
# name; a `lambda`, or a function inside a function, has no name that another process could look
# up, and what stands in a notebook is in no module that it could import. And `gym.make` takes ids
# of the form `"module:id"`: it imports the module first.


# %% tags=["exercise:05.1"] minutes=8 difficulty=2
def env_factory(env_id: str, **kwargs) -> Callable[[], gym.Env]:
    """Return a function that makes a new BurgerBot in any process; ``"BurgerBot-v0"`` is an id."""
    # BEGIN SOLUTION
    return partial(gym.make, f"burgerbot:{env_id}", **kwargs)
    # END SOLUTION


# %% tags=["check:05.1"]
check("05.1")

# %% [markdown]
# A hint is at `hint("05.1")`.

# %% [markdown] tags=["hints:05.1"]
# 1. You need a function with some of its arguments already filled in, made without `def` and
#    without `lambda`. `functools` has a tool for it.
# 2. `partial(f, x, y=1)` is a function that calls `f(x, y=1)`, and it pickles if `f` does.
#    `gym.make` does: it belongs to a module.
# 3. `partial(gym.make, f"burgerbot:{env_id}", **kwargs)`

# %% [markdown]
# Your factory runs under every start method that this system has. **Predict**: which way to start
# takes longest? Does it matter for the steps after that?

# %%
for method in multiprocessing.get_all_start_methods():
    factory = env_factory("BurgerBot-v1", kitchen=">..\n.O.\n..G")
    timing = time_backend("async", factory, ROBOTS, start_method=method)
    print(f"{method:10} {timing.start_seconds:6.3f} s to start {ROBOTS} workers", end="")
    print(f", then {timing.steps_per_second:7,.0f} steps/s")

# %% [markdown]
# A fresh Python has to import NumPy and Gymnasium before it can do anything, so `spawn` and
# `forkserver` start more slowly. It is paid once. The steps afterwards go through the same pipes;
# where their speeds differ much here, something else ran meanwhile, which happens.
#
# Now the same with what `pickle` cannot store:

# %%
try:
    pickle.dumps(lambda: SlowEnv(0.0))
except (pickle.PicklingError, AttributeError) as error:
    print("pickle:", type(error).__name__)
for method in multiprocessing.get_all_start_methods():
    envs = AsyncVectorEnv([lambda: SlowEnv(0.0)] * 2, context=method)
    print(f"AsyncVectorEnv, {method}: first observations", envs.reset(seed=0)[0].tolist())
    envs.close()

# %% [markdown]
# A surprise: `AsyncVectorEnv` takes the `lambda` under every start method. It pickles factories
# with a stronger library, **cloudpickle**, which sends the code itself. Enjoy that in a notebook,
# and do not build on it: Python's own `multiprocessing.Pool` and many other libraries use plain
# `pickle`. Keep environment classes in a package, as this course does, and hand over a `partial`.

# %% [markdown]
# ## What a message costs
#
# Why was BurgerBot so slow in processes? Its step costs almost nothing, but every step now needs
# a **message**: pickle the action, wake the worker, wait for the core, send the answer, wake the
# notebook. A robot whose step costs nothing shows what that takes. What it needs in one process is
# Python's own part; the rest is the message.

# %%
free = partial(SlowEnv, 0.0)
us_sync, us_async = (
    1e6 / time_backend(b, free, ROBOTS).steps_per_second for b in ("sync", "async")
)
message_cost_us = us_async - us_sync

# %%
us_burgerbot = 1e6 / time_backend("sync", "BurgerBot-v1", ROBOTS).steps_per_second
print(f"a step that does nothing: {us_sync:.1f} us in one process, {us_async:.1f} us in a worker")
print(f"so a message costs {message_cost_us:.1f} us: {message_cost_us / us_burgerbot:.0f}", end="")
print(f" steps of BurgerBot, at {us_burgerbot:.1f} us each")

# %% [markdown]
# A microsecond is written us here. The numbers depend on your machine. That a message costs more
# than a step of a robot such as BurgerBot does not.

# %% [markdown]
# ## Exercise 05.2: Predict the speed-up
#
# With three numbers you can say beforehand whether processes pay: what a step costs, what a message
# costs, and how many cores there are. That saves you from building the thing to find out that it
# is slower.
#
# For one step of all N robots:
#
# | | time | why |
# |---|---|---|
# | one process | N * step | one after the other |
# | N processes | N * message + rounds * step | one notebook sends and reads all messages |
# | speed-up | the first divided by the second | above 1: processes are faster |
#
# | kind of step | rounds | why |
# |---|---|---|
# | `"cpu"`: it computes | N / cores, rounded **up** | each core works on one robot at a time |
# | `"sleep"`: it waits | 1 | waiting needs no core: all wait at once |
#
# Steps that wait are common: for a file, a browser, a game server, a real robot's motor.
#
# Write also the **break-even**: the step cost at which both take equally long. Set the two times
# equal and solve for the step. Sometimes no step cost is high enough: then it is `math.inf`.


# %% tags=["exercise:05.2"] minutes=10 difficulty=2
def speedup(
    step_cost_us: float, message_cost_us: float, n_envs: int, cores: int, kind: str = "cpu"
) -> float:
    """Return how many times as fast N processes are as one."""
    # BEGIN SOLUTION
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)
    # END SOLUTION


def break_even_us(message_cost_us: float, n_envs: int, cores: int, kind: str = "cpu") -> float:
    """Return the step cost from which on N processes are faster; ``math.inf`` if none is."""
    # BEGIN SOLUTION
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    if rounds >= n_envs:
        return math.inf
    return n_envs * message_cost_us / (n_envs - rounds)
    # END SOLUTION


# %% tags=["check:05.2"]
check("05.2")

# %% [markdown]
# A hint is at `hint("05.2")`.

# %% [markdown] tags=["hints:05.2"]
# 1. `math.ceil(n_envs / cores)` rounds up: five robots on two cores need three rounds. Work out
#    `rounds` first, then the rest is the table.
# 2. Equal times: N * step = N * message + rounds * step. Bring both terms with the step to one
#    side: (N - rounds) * step = N * message.
# 3. If `rounds` is N, as on one core or with one robot, the left side is 0 whatever the step costs:
#    return `math.inf`. Else `n_envs * message_cost_us / (n_envs - rounds)`.

# %% [markdown]
# **Predict** from the formula, before you look: on one core, can processes ever pay? And how fast
# can 64 robots on 8 cores get?

# %%
print("robots cores  kind   break-even (us)   speed-up at 100 us    1 ms    100 ms")
for n, c, kind in [(4, 1, "cpu"), (4, 1, "sleep"), (4, 2, "cpu"), (5, 2, "cpu"), (64, 8, "cpu")]:
    gains = [speedup(step, message_cost_us, n, c, kind) for step in (100, 1_000, 100_000)]
    print(f"{n:6}{c:6}  {kind:6}{break_even_us(message_cost_us, n, c, kind):16.0f}", end="")
    print("{:21.2f}{:8.2f}{:10.2f}".format(*gains))

# %% [markdown]
# On one core, four robots that compute take as long in parts as in one piece, and the messages
# come on top. Four robots that wait gain all the same. And with many robots, no speed-up can
# exceed the number of cores, however heavy the step.
#
# Look at the row of five robots on two cores: in the third round one core works and the other
# looks on. A number of robots that the cores divide evenly is the better choice.

# %% [markdown]
# ## Measure it: from a microsecond to ten milliseconds
#
# A model is a claim about your machine, so put it to the test. The cell below times both vector
# envs for step costs over four powers of ten, for robots that compute and for robots that wait.
#
# **Predict**: two charts will follow, with the step cost from left to right and steps per second
# upwards. In each there is a line for one process and a line for four. What do they look like, and
# where do they cross?

# %%
costs_us = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000][:: budget(1, fast=4)]
rates = {(kind, backend): [] for kind in ("cpu", "sleep") for backend in ("sync", "async")}
for cost_us in costs_us:
    for kind, backend in rates:
        timing = time_backend(backend, partial(SlowEnv, cost_us, kind), ROBOTS, rounds=3)
        rates[kind, backend].append(timing.steps_per_second)

# %%
computing = {backend: (costs_us, rates["cpu", backend]) for backend in ("sync", "async")}
title = f"{ROBOTS} robots that compute, on {cores} cores"
throughput_chart(computing, x="step_cost_us", title=title)

# %% [markdown]
# Sync is one process, async a process for each robot. On the left, the line of async is flat:
# there the messages take all the time, and a cheaper step changes nothing. On the right both lines
# fall in the same way, for there the steps take all the time, and the distance between them is the
# speed-up. Both axes are logarithmic, so equal distances are equal ratios. In between, they cross.

# %%
waiting = {backend: (costs_us, rates["sleep", backend]) for backend in ("sync", "async")}
title = f"{ROBOTS} robots that wait, on {cores} cores"
throughput_chart(waiting, x="step_cost_us", title=title)

# %% [markdown]
# Robots that wait gain more: on the right, the distance is nearly the number of robots, not of
# cores. And on the left *both* lines may be flat. Ask a system for a wait of one microsecond, and
# it gives you its own shortest wait, which can be many times longer.

# %% [markdown]
# ## Exercise 05.3: Find the crossover
#
# From which step cost on do processes pay *on this machine*? Reading it off a chart is not enough
# once a program has to decide. Between the measured points, draw straight lines, as the chart
# does. The chart's axes are logarithmic, so the lines are straight in the logarithms:
#
# | step | formula |
# |---|---|
# | how far async is ahead at each point | `ahead = log(async_rates) - log(sync_rates)` |
# | the two points around the crossing | `i` and `i + 1`: not ahead at `i`, ahead from `i + 1` on |
# | the share of the way at which they meet | `t = ahead[i] / (ahead[i] - ahead[i + 1])` |
# | the crossing, in logarithms too | `costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t` |
#
# Real measurements are noisy, and there is not always one crossing:
#
# | async is | return |
# |---|---|
# | ahead at every point | `None`: there is no crossing in what was measured |
# | not ahead at the last point | `None`: it does not pay anywhere for sure |
# | ahead and behind in turns, and ahead in the end | the **last** crossing: from there on it pays |


# %% tags=["exercise:05.3"] minutes=10 difficulty=2
def crossover(
    costs_us: Sequence[float], sync_rates: Sequence[float], async_rates: Sequence[float]
) -> float | None:
    """Return the step cost from which on async stays ahead; None if the lines do not cross so.

    The costs rise; the rates are steps per second at each of them.
    """
    # BEGIN SOLUTION
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t
    # END SOLUTION


# %% tags=["check:05.3"]
check("05.3")

# %% [markdown]
# A hint is at `hint("05.3")`.

# %% [markdown] tags=["hints:05.3"]
# 1. Work out the array `ahead` with `np.log`, then find all the points where it is not above 0:
#    `np.flatnonzero(ahead <= 0)`.
# 2. If there are none, or if the last of them is the last point of all, the answer is `None`. Else
#    the last of them is `i`.
# 3. With `behind` as that array: return None if `len(behind) == 0 or behind[-1] == len(ahead) - 1`,
#    else `i = behind[-1]`. The last two rows of the table are the rest of the function.

# %% [markdown]
# Your function on your measurements, beside the prediction of 05.2, which knows only the cost of a
# message and the number of cores:

# %%
for kind in ("cpu", "sleep"):
    seen = crossover(costs_us, rates[kind, "sync"], rates[kind, "async"])
    print(f"{kind:5} measured crossover:", seen and f"{seen:.0f} us", end="")
    print(f" · predicted: {break_even_us(message_cost_us, ROBOTS, cores, kind):.0f} us", end="")
    print(f" · a step of {costs_us[0]} us really takes {1e6 / rates[kind, 'sync'][0]:.0f} us")

# %% [markdown]
# If the two agree within a factor of two, be content: a model of three numbers cannot do more. If
# they are far apart for robots that compute, or if their chart shows no gain at its right end,
# another program was using the cores: measure again.
#
# For robots that wait, mind the last column. The model counts what a step really takes. If even the
# shortest wait takes longer than the predicted break-even, processes pay from the start: then
# `None` is the right answer, and a crossing is chance.
#
# The whole range says more than one point. Here is the speed-up, measured and predicted. The
# prediction is given what a step really takes in one process.

# %%
lines = {}
for kind in ("cpu", "sleep"):
    real_us = 1e6 / np.array(rates[kind, "sync"])
    lines[f"{kind}, measured"] = (costs_us, np.array(rates[kind, "async"]) * real_us / 1e6)
    predicted = [speedup(step, message_cost_us, ROBOTS, cores, kind) for step in real_us]
    lines[f"{kind}, predicted"] = (costs_us, predicted)
line_chart(
    lines,
    title=f"Speed-up of {ROBOTS} processes over one, on {cores} cores",
    xlabel="cost of one env step (microseconds)",
    ylabel="times as fast",
    logx=True,
    logy=True,
    alt="Speed-up against step cost, measured and predicted, for steps that compute and that wait: "
    "below 1 at the left, rising to near the number of cores and near the number of robots.",
)

# %% [markdown]
# Compare each measured line with its prediction. The model got the cost of a message from a single
# measurement, at the left end, and it has to hold for all the rest. Where a measured line lies
# below, the model leaves something out: with more workers than cores, for example, the system has
# to take them off a core and put them back.
#
# ## The decision table
#
# `recommend_backend` of this course uses the formula that you wrote, with two rules on top. From
# about a hundred workers on, one machine is not enough, and several machines need something that
# reaches across a network: a **cluster**, for which lesson 12 uses the library Ray.
#
# **Predict** the last column of each row, line by line.

# %%
cases = [  # a robot, what its step costs (us), kind, robots, cores, machines
    ("BurgerBots as arrays", 0.1, "cpu", 1024, 8, 1),
    ("BurgerBots, one by one", 5, "cpu", 64, 8, 1),
    ("heavy physics", 2_000, "cpu", 16, 8, 1),
    ("heavy physics, one core", 2_000, "cpu", 16, 1, 1),
    ("a game on a server", 20_000, "sleep", 32, 2, 1),
    ("heavy physics, many robots", 2_000, "cpu", 256, 32, 1),
    ("heavy physics, 4 machines", 2_000, "cpu", 64, 16, 4),
]

# %%
print(f"{'robot':28}{'us/step':>9}  {'kind':6}{'robots':>7}{'cores':>6}{'machines':>9}  advice")
for name, step, kind, n, c, m in cases:
    advice = recommend_backend(step, n, c, m, kind=kind, message_cost_us=message_cost_us)
    print(f"{name:28}{step:9,}  {kind:6}{n:7}{c:6}{m:9}  {advice.backend}")

# %% [markdown]
# A recommendation comes with its reasons, so that you can disagree with it. Put in the numbers of
# a world of your own:

# %%
for reason in recommend_backend(2_000, n_envs=16, cores=8, message_cost_us=message_cost_us).reasons:
    print("-", reason)

# %% [markdown]
# The short form, to remember:
#
# | your step | where it belongs |
# |---|---|
# | fast, and can be written as arrays | one process; lesson 06 steps thousands of robots at once |
# | heavy physics | a process for each robot, about as many robots as cores, or a small multiple |
# | waits for something | a process for each robot, many more than cores |
# | 100 workers or more, or several machines | a cluster |

# %% [markdown]
# ## Exercise 05.4: Survive a worker that raises
#
# A robot of yours has a bug, and one of four workers raises a `KeyError`. `AsyncVectorEnv` carries
# the error over to the notebook. But the other three workers sit there, hold their memory, and wait
# for actions that never come. Nothing promises when Python will clean up after you.
#
# | what happens | what your function does |
# |---|---|
# | all goes well | returns each robot's sum of rewards, float64 `[N]`; the workers are gone |
# | a robot raises | the same error goes on to the caller; the workers are gone |
# | you press stop, a `KeyboardInterrupt` | that goes on too; the workers are gone |
#
# `AsyncVectorEnv(env_fns)` starts the workers. The robots take action 0 in every step.
# `envs.close()` asks the workers to leave, and waits until they have.


# %% tags=["exercise:05.4"] minutes=6 difficulty=1 seconds=60
def total_rewards(env_fns: Sequence[Callable[[], gym.Env]], steps: int) -> np.ndarray:
    """Run each robot in a process of its own, and leave no process, whatever happens."""
    # BEGIN SOLUTION
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    finally:
        envs.close()
    # END SOLUTION


# %% tags=["check:05.4"]
check("05.4")

# %% [markdown]
# A hint is at `hint("05.4")`.

# %% [markdown] tags=["hints:05.4"]
# 1. Write the plain loop first: reset, then add `envs.step(actions)[1]` to an array of zeros, once
#    for each step.
# 2. Python has a word for "whatever happens": `try: ... finally: ...`. The part after `finally`
#    runs after a `return`, after an error, and after a stop.
# 3. Everything from `envs.reset` on goes into the `try`, `envs.close()` into the `finally`. You
#    need no `except`: an error that you do not catch goes on by itself.

# %% [markdown]
# Three sound robots, and one whose battery is gone in its second step. `active_children` lists
# the processes that this notebook has started and that are still there. (Gymnasium also prints
# the worker's own traceback, as a warning. It is long, so the cell keeps it quiet.)

# %%
crew = [partial(SlowEnv, 0.0)] * 3 + [partial(FaultyEnv, KeyError("battery"), 2)]
start = time.perf_counter()
try:
    with warnings.catch_warnings(action="ignore"):
        total_rewards(crew, steps=10)
except KeyError as error:
    print("the notebook gets", repr(error))
print(f"after {time.perf_counter() - start:.2f} seconds")
print("processes left:", len(multiprocessing.active_children()))

# %% [markdown]
# The error is a `KeyError` here as it was there, so an `except KeyError` finds it. It holds the
# worker's own error inside: Gymnasium builds a new one around the old. That is also a limit. An
# error class of your own must be content with one argument, and hold nothing that cannot be
# pickled.

# %% [markdown]
# ## What happens when a worker is killed
#
# A worker that raises still says goodbye. A worker that is **killed** does not. When memory runs
# out, Linux picks a process and ends it; a simulator written in C can take its process down with
# it. Here the first of four dies so, in its first step. The cell waits a moment, so that the
# others have answered, and then tries to close.
#
# **Predict**: is `close(terminate=True)` the end of it?

# %%
envs = AsyncVectorEnv([partial(FaultyEnv, "die", 1)] + [partial(SlowEnv, 0.0)] * 3)
envs.reset(seed=0)
for name, attempt in {
    "step": lambda: envs.step(np.zeros(4, dtype=np.int64)),
    "close": lambda: envs.close(terminate=True),
}.items():
    try:
        with warnings.catch_warnings(action="ignore"):
            attempt()
    except Exception as error:
        print(f"{name} raises {type(error).__name__}")
    time.sleep(0.5)
print("workers alive:", [process.is_alive() for process in envs.processes])
end_workers(envs)

# %% [markdown]
# `EOFError` means that the pipe has ended: nobody is at its other end. So far so good. But then
# `close` failed as well, and the three others live on. The reason is that `close` first finishes
# the step that is under way. Here that meets the same broken pipe; if another worker than the
# first had died, it could wait for ever, for an answer that has been read already.
#
# `end_workers` of this course does not ask: it kills the processes. Now write it yourself, and
# more.

# %% [markdown]
# ## Exercise 05.5: Survive a worker that is killed
#
# A training that runs over night must not wait until morning for a dead worker. It must stop, say
# why, and leave the machine clean, so that it can be started anew.
#
# | what happens | what `envs.step(actions)` does | what `guarded_step` does |
# |---|---|---|
# | every robot answers | returns five things | returns the same five |
# | a robot raises | raises that error | raises that error; the rest is the caller's |
# | a worker dies in the step | `EOFError` | ends all workers, raises a `RuntimeError` |
# | a worker died before | `ConnectionError` | the same |
# | a worker hangs | waits for ever | the same, after `seconds` |
#
# | tool | what it does |
# |---|---|
# | `envs.step_async(actions)` | sends the actions, and does not wait |
# | `envs.step_wait(timeout=...)` | waits for the answers, then `multiprocessing.TimeoutError` |
# | `envs.processes` | the workers: `kill()` ends one, `join()` waits until it is gone |
# | `envs.closed = True` | tells the vector env that there is nothing left to close |
#
# `multiprocessing.TimeoutError` is *not* Python's `TimeoutError`, which is a trap. Raise your error
# `from` the one that you caught, so that its reader sees both. A later `envs.close()` must do
# nothing, for there will be one in somebody's `finally`.


# %% tags=["exercise:05.5"] minutes=10 difficulty=3 seconds=60
def guarded_step(envs: AsyncVectorEnv, actions: np.ndarray, seconds: float) -> tuple:
    """Step all robots; if a worker is gone or silent, end all of them and raise RuntimeError."""
    # BEGIN SOLUTION
    try:
        envs.step_async(actions)
        return envs.step_wait(timeout=seconds)
    except (EOFError, ConnectionError, multiprocessing.TimeoutError) as error:
        for process in envs.processes:
            process.kill()
            process.join()
        envs.closed = True
        name = type(error).__name__
        raise RuntimeError(f"a worker is gone or silent ({name}); all are ended") from error
    # END SOLUTION


# %% tags=["check:05.5"]
check("05.5")

# %% [markdown]
# A hint is at `hint("05.5")`.

# %% [markdown] tags=["hints:05.5"]
# 1. Both calls, `step_async` and `step_wait`, go into one `try`: a worker that died earlier shows
#    up in the first, one that dies now in the second.
# 2. Catch exactly three kinds: `except (EOFError, ConnectionError, multiprocessing.TimeoutError) as
#    error`. What a robot raises is none of them, and goes on by itself.
# 3. Then, for each of `envs.processes`: `kill()` and `join()`. Set `envs.closed = True`, and
#    `raise RuntimeError("...") from error`.

# %% [markdown]
# Now the test. Four robots take a second for a step. While they are at it, a timer kills one of
# the workers, with the signal that Linux uses when memory runs out.

# %% id="killed-worker"
envs = AsyncVectorEnv([partial(SlowEnv, 1e6, "sleep")] * 4)
start = time.perf_counter()
try:
    envs.reset(seed=0)
    threading.Timer(0.3, envs.processes[1].kill).start()
    guarded_step(envs, np.zeros(4, dtype=np.int64), seconds=5)
except RuntimeError as error:
    print(f"RuntimeError: {error}\n  from {error.__cause__!r}")
finally:
    end_workers(envs)
print(f"after {time.perf_counter() - start:.2f} seconds")
print("processes left:", len(multiprocessing.active_children()))

# %% [markdown]
# A clear error, and nobody left. Note the order of things in that cell: everything that can fail
# stands in the `try`, and the cleaning up in the `finally`. Make it a habit wherever processes
# are started.

# %% [markdown]
# ## When this goes wrong
#
# Observations do not travel through the pipes. The workers write them into **shared memory**, a
# piece of memory that several processes can see, and `AsyncVectorEnv` gives you a copy of it. With
# `copy=False` it saves the copy. **Predict** what the first observation, which counts steps, says
# after three steps:

# %%
envs = AsyncVectorEnv([partial(SlowEnv, 0.0)] * 2, copy=False)
first, _ = envs.reset(seed=0)
print("at reset:", first.tolist())

# %%
for _ in range(3):
    envs.step(np.zeros(2, dtype=np.int64))
print("the same array, three steps later:", first.tolist())
envs.close()

# %% [markdown]
# It has changed under your hands. Two names for one piece of memory are called **aliasing**. A
# training that stores such observations stores the last one many times, with no error at all.
# Leave `copy` as it is, unless you use up each observation before the next step.
#
# Three errors mean that your calls are out of order:

# %%
envs = AsyncVectorEnv([partial(SlowEnv, 0.0)] * 2)
envs.reset(seed=0)
idle = np.zeros(2, dtype=np.int64)
for name in ["step_async", "step_async", "step_wait", "step_wait", "close", "close", "step"]:
    try:
        getattr(envs, name)(*([idle] if name in ("step_async", "step") else []))
        print(f"{name:12} works")
    except Exception as error:
        print(f"{name:12} {type(error).__name__}")

# %% [markdown]
# After an `AlreadyPendingCallError` the first step is still under way: fetch it by `step_wait`.
# And after `close()`, anything but another `close()` is a `ClosedEnvironmentError`.
#
# | what you see | what it is | what helps |
# |---|---|---|
# | `PicklingError` | a `lambda`, or a notebook's function | `partial` of a package's function |
# | `NameNotFound` in a worker | nobody imported `burgerbot` there | `"burgerbot:BurgerBot-v0"` |
# | `'__main__' has no attribute` | a `Pool` looks for a notebook's function | a `.py` file |
# | a broken pipe at the very start | the factory raised, see the output above | call it here |
# | `bootstrapping phase` | a script starts itself again | `if __name__ == "__main__":` |
# | a warning of `fork`, threads | a copy may inherit a lock that stays shut | `context="spawn"` |
# | `Cannot re-initialize CUDA` | the GPU was in use before a `fork` | `context="spawn"` |
# | a step never comes back | a worker hangs | `step_wait(timeout=...)` |
# | the same, after an error | it holds what cannot be pickled | raise plain errors |
# | more workers, and slower | each starts math threads of its own | `OMP_NUM_THREADS=1` |
# | many cores, no speed-up | a container may not grant all that it shows | measure, as above |
# | a custom space is refused | shared memory knows Gymnasium's own | `shared_memory=False` |
# | all observations are equal | `copy=False`, and stored | `copy=True`, or copy yourself |
#
# Old advice says that dictionary observations come back in another form than from `SyncVectorEnv`,
# and that half-precision numbers cannot be shared. Both are mended in Gymnasium 1.4.

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - Measure the cost of a message with 1, 2, 8 and 16 robots. Is it the same? What does the model
#   leave out?
# - `AsyncVectorEnv` has an argument `max_concurrency`. Time 16 robots of heavy physics with it and
#   without. When could it help?
# - Make observations large: a `SlowEnv` of your own, in a `.py` file, with a picture of a megabyte.
#   Compare `shared_memory=True` with `False`.
# - Write a loop that goes on after a killed worker: start all the robots anew, and count how many
#   steps were lost. Lesson 12 does this on a cluster.
#
# ## What was measured
#
# What a message to a worker costs on this machine. Steps per second of one process and of several,
# for steps that compute and steps that wait, over four powers of ten; where they cross, beside the
# prediction. A worker that raises and one that is killed: the error that comes back, and that no
# process is left.
#
# ## Sources
#
# - Gymnasium, [AsyncVectorEnv](https://gymnasium.farama.org/api/vector/async_vector_env/)
# - Python, [multiprocessing: contexts and start
#   methods](https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods) and
#   [What can be pickled](https://docs.python.org/3/library/pickle.html#what-can-be-pickled-and-unpickled)
# - Amdahl (1967), [Validity of the single processor approach to achieving large scale computing
#   capabilities](https://doi.org/10.1145/1465482.1465560): what does not run in parallel limits
#   what does
# - Clemente, Castejón and Chandra (2017), [Efficient parallel methods for deep reinforcement
#   learning](https://arxiv.org/abs/1705.04862): many robots, a few workers, one machine
#
# Previous: [04 · Auto-reset](04_autoreset.ipynb) · Next: [06 · One gather](06_one_gather.ipynb)
