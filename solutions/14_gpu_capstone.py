# %% [markdown] minutes=60
# # 14 · The capstone: how far does one chip go?
#
# In this lesson you move the world to where the network lives, drive a million robots at once,
# train a policy, and read in your own ledger what it has really learned.
#
# Afterwards you can
#
# 1. write a step and a rollout for a GPU, in which the host never waits for a value;
# 2. measure a device honestly, and say what holds it back;
# 3. keep three claims apart, of speed, of learning and of robustness, and compare methods on one
#    panel.
#
# **Time** about 60 minutes. **You need** [lesson 06](06_one_gather.ipynb), whose step you move, the
# PPO of [lesson 10](10_ppo_by_hand.ipynb), and the ledger of
# [lesson 13](13_the_rollout_contract.ipynb). **The machine** can be any: two CPU cores will do, and
# the lesson says what it skipped. With a GPU it does more.
#
# Previous: [13 · The rollout contract](13_the_rollout_contract.ipynb) · Next:
# [15 · Where next](15_where_next.ipynb)

# %% [markdown]
# ## Set up
#
# On your own machine the next cell does nothing. On Colab, which begins with an empty folder, it
# fetches the course and installs the package. Choose a runtime with a GPU there first: "Runtime",
# "Change runtime type". Colab's own PyTorch, which fits its GPU, stays.

# %% id="set-up"
import importlib.util
import os
import subprocess
import sys

COURSE = "https://github.com/burgerbot-course/burgerbot"
if importlib.util.find_spec("burgerbot") is None:
    subprocess.run(["git", "clone", "--depth", "1", COURSE, "burgerbot"], check=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "-e", "./burgerbot"], check=True)
    os.chdir("burgerbot")

# %% [markdown]
# Now what the lesson uses. `plan_for` chooses the amount of work by the device that it finds: one
# plan for a laptop, for Colab's T4 and for a large GPU. Nothing is refused.

# %% tags=["imports"]
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch
from tqdm.auto import tqdm

from burgerbot import show
from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import ledger, ledger_table
from burgerbot.learn.ppo import PPOConfig
from burgerbot.learn.robustness import robustness
from burgerbot.learn.rollout import Carry, Rollout
from burgerbot.scale import capstone, fused, machine
from burgerbot.scale.device_bench import TIERS, bench
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import V0_REWARDS, compile_kitchen
from burgerbot.world.torch_fake import waits
from burgerbot.world.torch_vector import TorchBurgerBot

# %%
PLAN = capstone.plan_for(capstone.best_device(), budget(1.0, fast=0.1))
DEVICE = PLAN.device
print(PLAN.says)

# %% [markdown]
# ## Host and device
#
# A GPU is a second machine, with memory of its own. Your Python runs on the first one, the
# **host**. When you write `a + b` for two tensors on the **device**, the host does not add. It puts
# an order into a queue and goes on at once, to give the next order. The device works the queue off.
#
# So two things cost time that cost nothing on a CPU. Data that crosses between the two memories
# takes a slow road. And when the host asks for a *value*, `loss.item()` or `if done.any():`, it has
# to wait until the queue is empty; while it waits, it gives no orders; and when it goes on, the
# device has nothing to do. One such question in each step, and both machines take turns in being
# idle.
#
# So far the robots of this course lived on the host. If the network is on a GPU, every observation
# crosses the road, and every action crosses back. The way out is to put *everything* on the device:
# table, states, counters, observations, network. BurgerBot's world is one table, so that is easy.
# Here it is on the host, as lesson 06 left it: three arrays and a number.


# %% tags=["given"]
def host_world(kitchen=CLASSIC):
    """The arrays of a kitchen, as lesson 06 had them on the host."""
    compiled = compile_kitchen(kitchen)
    return {
        "table": compiled.table.astype(np.int64),
        "rewards": np.array(V0_REWARDS),
        "observations": compiled.observations,
        "start": np.int64(compiled.start),
    }


# %% [markdown]
# ## Exercise 14.1: Move the world to the device
#
# Everything that a step touches has to be on the device, once and for all. And it should be small:
# what limits a step of many robots is how many bytes it moves, as you will measure.
#
# | tensor | from | dtype | shape |
# |---|---|---|---|
# | `table` | `arrays["table"]` | int32 | `[S * 4]` |
# | `rewards` | `arrays["rewards"]` | float32 (some devices have no float64) | `[4]` |
# | `observations` | `arrays["observations"]` | int64, as the network wants them | `[S, 4]` |
# | `start` | `arrays["start"]`, the same for each robot | int32 | `[N]` |
# | `state` | the robots stand at their start | int32 | `[N]` |
# | `elapsed` | 0: steps of each robot's episode | int32 | `[N]` |
#
# Later, steps will write into `state` and `elapsed` *in place*. So no two of the tensors may share
# memory, no two robots may, and none may share it with the arrays. Know your functions:
# `torch.from_numpy` and `torch.as_tensor` share memory with the array where they can,
# `torch.tensor` copies; `expand` makes N names for one number, `torch.full` makes N numbers.


# %% tags=["exercise:14.1"] minutes=7 difficulty=1
def move_world(
    arrays: dict[str, np.ndarray], num_envs: int, device: torch.device | str
) -> dict[str, torch.Tensor]:
    """Return the six tensors of N robots, all of them on the device."""
    # BEGIN SOLUTION
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    like = {"size": (num_envs,), "dtype": torch.int32, "device": device}
    for name in ("start", "state"):
        world[name] = torch.full(fill_value=int(arrays["start"]), **like)
    world["elapsed"] = torch.zeros(**like)
    return world
    # END SOLUTION


# %% tags=["check:14.1"]
check("14.1")

# %% [markdown]
# Stuck? Run `hint("14.1")` in a new cell; each call says a little more. After a pass,
# `solution("14.1")` shows one way to write it.

# %% [markdown] tags=["hints:14.1"]
# 1. `torch.tensor(array, dtype=..., device=device)` copies, casts and moves in one call. That does
#    the first three.
# 2. The start is one number, `int(arrays["start"])`. `torch.full((num_envs,), number,
#    dtype=torch.int32, device=device)` gives each robot its own.
# 3. Call `torch.full` twice, once for `start` and once for `state`; one tensor under two names
#    would move the start with the robot. `torch.zeros((num_envs,), dtype=torch.int32,
#    device=device)` is `elapsed`.

# %% [markdown]
# How much does a million robots take? **Predict** it in megabytes, then run the cell.

# %%
million = move_world(host_world(), 2**20, DEVICE)
for name, tensor in million.items():
    print(f"{name:13} {tensor.dtype!s:12} {tensor.nbytes / 1e6:7.3f} MB on {tensor.device}")

# %% [markdown]
# A dozen bytes a robot, and tables that are lost beside them. The world of a million robots fits
# where one photograph does. (Its observations, rewards and flags take more, and so does a rollout,
# which keeps T of each.)
#
# ## Exercise 14.2: Step without asking
#
# Here is the step of lesson 06 with auto-reset in SAME_STEP, robot by robot. On a device, every
# `if` on a value is a question to the device, and the host waits for the answer.
#
# ```
# for i in range(N):
#     entry = table[state[i] * 4 + actions[i]]
#     after, outcome = entry >> 2, entry & 3
#     reward[i] = rewards[outcome]
#     elapsed[i] += 1
#     terminated[i] = outcome >= 2
#     truncated[i] = elapsed[i] >= limit
#     final[i] = observations[after]                   # for every robot, reset or not
#     if terminated[i] or truncated[i]:
#         state[i], elapsed[i] = start[i], 0
#     else:
#         state[i] = after
#     seen[i] = observations[state[i]]
# ```
#
# | asks the device | does not ask |
# |---|---|
# | `if done.any():` | do it always; it costs less than to ask |
# | `state[done] = start[done]` (how many are done?) | `torch.where(done, start, after)` |
# | `done.nonzero()`, `observations[done]` | work on all N rows |
# | `int(x)`, `x.item()`, `x.tolist()`, `x.cpu()`, `print(x)` | leave it on the device |
# | `torch.tensor(0, device=...)`: sends a number over | `0` in `torch.where`, `zeros_like` |
#
# `world["state"]` and `world["elapsed"]` stay the same tensors: write into them with `copy_`. (A
# GPU can record a whole step as a **graph** and replay it, and a graph knows places in memory, not
# names.) All that you return belongs to the caller: no later step may change it. `actions` and the
# tables stay as they are.


# %% tags=["exercise:14.2"] minutes=12 difficulty=2
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    # BEGIN SOLUTION
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]
    # END SOLUTION


# %% tags=["check:14.2"]
check("14.2")

# %% [markdown]
# A hint is at `hint("14.2")`.

# %% [markdown] tags=["hints:14.2"]
# 1. Take every `[i]` away: the first eight lines of the loop then do all robots. Only the `if`
#    needs another form, and `elapsed` a new tensor before it is written back.
# 2. `done = terminated | truncated`; the new states are `torch.where(done, start, after)`, the new
#    counters `torch.where(done, 0, elapsed)`.
# 3. Write back at the end: `world["state"].copy_(...)` and `world["elapsed"].copy_(...)`. Indexing
#    a table with a tensor makes a new tensor, so `look[world["state"]]` belongs to the caller.

# %% [markdown]
# How can a machine without a GPU know that your step never waits for one? By tensors that have a
# shape, a dtype and a device, but *no values*. Code that needs a value cannot go on. `waits` runs a
# function on such fake tensors and says what stopped it. **Predict** which of these three is
# clean.

# %%
world = move_world(host_world(), 4_096, DEVICE)
actions = torch.randint(0, 4, (4_096,), device=DEVICE)
for ask in (lambda r: r, lambda r: r.mean().item(), lambda r: r[r > 0]):
    print(waits(lambda w, a, ask=ask: ask(device_step(w, a, 150)[1]), world, actions))

# %% [markdown]
# The first is your step alone, and nothing stops it. The second reads a mean back. The third looks
# harmless, but how long is its result? Only the device knows, so the host has to ask.
#
# And is it still the same world? The package's `TorchBurgerBot` is tested against the scalar
# environment of lesson 01, step for step. Let both drive by the same random actions:

# %%
twin, world = TorchBurgerBot(4_096, DEVICE), move_world(host_world(), 4_096, DEVICE)
twin.reset(seed=0)
same = 0
for actions in torch.randint(0, 4, (200, 4_096), device=DEVICE):
    yours, (*theirs, info) = device_step(world, actions, 150), twin.step(actions)
    pairs = zip(yours, (*theirs, info["final_obs"]), strict=True)
    same += all(torch.equal(a, b) for a, b in pairs)
print(f"the same to the bit in {same} of 200 steps of 4,096 robots")

# %% [markdown]
# ## Exercise 14.3: Roll out on the device
#
# A policy drives, and what it saw and did is written down for the update: T rows of N robots,
# time-major, as in lesson 08. Nothing leaves the device.
#
# ```
# for t in range(steps):
#     observations[t] = seen
#     actions[t], log_probs[t], values[t] = act(seen)
#     seen, rewards[t], terminated[t], truncated[t], info = envs.step(actions[t])
#     next_observations[t] = info["final_obs"]
# valid[:, :] = True                                   # SAME_STEP has no reset rows
# ```
#
# | beware | why |
# |---|---|
# | copy each row when you get it | a replayed graph hands out the *same* tensors, newly filled |
# | keep `seen` before `act` runs | `act` may scale in place what it is given |
# | no graph in anything you keep | `act` may give `log_probs` and `values` that remember theirs |
# | `next_observations` is `final_obs` | the last one of an episode, not the first of the next |
#
# "Graph" means two things here, and both are common: a CUDA graph is a recorded list of orders; the
# graph of a number is how autograd remembers where it came from. Memory taken with
# `row.new_empty((steps, *row.shape))` is on the row's device and has its dtype, and
# `kept[t].copy_(row)` fills a row. Do not reset the envs: `seen` is what the robots see now.


# %% tags=["exercise:14.3"] minutes=12 difficulty=3
@torch.no_grad()
def device_rollout(
    envs, act: Callable, steps: int, seen: torch.Tensor
) -> tuple[Rollout, torch.Tensor]:
    """Return the rollout, and what the robots see after it."""
    # BEGIN SOLUTION
    rows = []
    for _ in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows, strict=True))), seen
    # END SOLUTION


# %% tags=["check:14.3"]
check("14.3")

# %% [markdown]
# A hint is at `hint("14.3")`.

# %% [markdown] tags=["hints:14.3"]
# 1. Keep one list of rows and stack at the end, or take the memory in the first step. In both
#    cases each part is copied when you get it: `part.detach().clone()`, or `kept[t].copy_(part)`
#    under `torch.no_grad()`.
# 2. The order of the fields of `Rollout` is observations, actions, rewards, terminated, truncated,
#    next_observations, valid, log_probs, values. `valid` is `torch.ones_like(terminated)`.
# 3. In each step: `before = seen.clone()`, then `act(seen)`, then `envs.step(actions)`, then append
#    `[before, actions, rewards, terminated, truncated, info["final_obs"], valid, log_probs,
#    values]`, each part detached and cloned. At the end
#    `Rollout(*(torch.stack(column) for column in zip(*rows)))`.

# %% [markdown]
# Look at one rollout of six random robots: each row of the picture is a robot, each column a step.

# %%
envs, act = TorchBurgerBot(6, DEVICE, max_episode_steps=12), capstone.at_random(DEVICE, seed=14)
rollout, _ = device_rollout(envs, act, 30, envs.reset(seed=0)[0])
ends, cuts = rollout.terminated.cpu().numpy(), rollout.truncated.cpu().numpy()
panel = {"terminated": ends, "truncated": cuts, "reset": ends & False, "in_info": ends | cuts}
show.autoreset_timeline({"your rollout": panel}, title="Six random robots, a limit of 12 steps")

# %% [markdown]
# No hatched cell: every row is a transition. That picture needed values, so `.cpu()` fetched them,
# once, after the rollout. That is the way to look at things: seldom, and much at a time.
#
# ## Exercise 14.4: Measure honestly
#
# A clock on the host measures how fast *orders* are given, unless you wait for the device before
# you read it. Benchmarks that forget this report speeds that no memory could feed. You also need
# the other side of the coin: how many bytes a step moves at the least, for that gives a speed which
# no program can beat as long as its data travel through the machine's memory.
#
# | function | what it returns |
# |---|---|
# | `steps_per_second(run, wait, ...)` | the median, over the rounds, of `robot_steps / seconds` |
# | `traffic(reads, writes, num_envs)` | bytes of all tensors read and all written, for each robot |
# | `speed_limit(bandwidth, traffic)` | robot steps a second: bytes a second over bytes a step |
#
# `run()` gives the orders for `robot_steps` robot steps; `wait()` returns when the device has done
# all that it was told. Call `run` once before the rounds, to warm up: memory is taken, libraries
# load, programs compile; that call counts nowhere. In each round wait *before* you start the clock
# (what was ordered earlier is not yours to pay) and *before* you stop it. `clock()` gives seconds.
# A tensor that is updated in place is read and written, so it stands in both lists and counts
# twice. `tensor.nbytes` knows the dtype.


# %% tags=["exercise:14.4"] minutes=10 difficulty=2
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    # BEGIN SOLUTION
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)
    # END SOLUTION


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    # BEGIN SOLUTION
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs
    # END SOLUTION


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    # BEGIN SOLUTION
    return bandwidth / traffic
    # END SOLUTION


# %% tags=["check:14.4"]
check("14.4")

# %% [markdown]
# A hint is at `hint("14.4")`.

# %% [markdown] tags=["hints:14.4"]
# 1. The order in each round is: wait, read the clock, run, wait, read the clock.
# 2. One `run()` stands before the loop. Keep the speed of each round in a list and return
#    `statistics.median` of it.
# 3. `sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs`, and `bandwidth / traffic`.

# %% [markdown]
# First your own step, from one robot to a million, beside the package's. **Predict** the shape of
# the curve: where does it stop rising, and why?

# %%
wait, rounds = partial(machine.wait_for, DEVICE), budget(5, fast=2)
rates = {"yours": [], "TorchBurgerBot": []}
for number in PLAN.sizes:
    tape = torch.randint(0, 4, (max(4, min(64, 2**18 // number)), number), device=DEVICE)
    world, envs = move_world(host_world(), number, DEVICE), TorchBurgerBot(number, DEVICE)
    envs.reset(seed=0)
    steps = {"yours": partial(device_step, world, limit=150), "TorchBurgerBot": envs.step}
    for name, step in steps.items():
        run = partial(capstone.drive, step, tape)
        rates[name].append(steps_per_second(run, wait, tape.numel(), rounds))

# %%
chart = {name: (PLAN.sizes, found) for name, found in rates.items()}
show.throughput_chart(chart, title="One device, random actions", crossover=False)

# %% [markdown]
# At the left the host is the limit. It needs as long to give the orders for one robot as for a
# hundred, so robots come nearly free, and the curve rises in proportion. At the right the memory is
# the limit: each further robot moves further bytes, and the curve is level or even falls a little
# when the robots no longer fit into the cache. The package's step counts statistics for each robot
# too and checks its arguments, which costs it most where robots are few.
#
# How near is that to what the memory allows? Add up the bytes of a step, every input once and every
# output once. Of the tables each robot reads a row, which is as long as what it gets from it:

# %%
number = 2**18
world = move_world(host_world(), number, DEVICE)
actions = torch.zeros(number, dtype=torch.int64, device=DEVICE)
given = device_step(world, actions, 150)
buffers, entries = [world["state"], world["elapsed"]], world["state"]
rows = [entries, given[0], given[1], given[4]]  # of table, observations (twice), and rewards
bandwidth = machine.copy_bandwidth(DEVICE)
moved = traffic([actions, world["start"], *buffers, *rows], [*buffers, *given], number)
print(f"{moved:.0f} bytes a robot step, {bandwidth / 1e9:,.1f} GB/s copied")
print(f"at most {speed_limit(bandwidth, moved):,.0f} robot steps a second")

# %% [markdown]
# This limit is that of *memory*: a robot's state, observation, reward and flags travel there and
# back between any two steps. On a CPU a small batch stays in the cache, and may well be faster than
# the main memory allows. Of an accelerator's limit, single PyTorch operations reach a part: each of
# them reads and writes its own intermediate results, which the count leaves out.
#
# There is a way below: one program that keeps a robot's state in *registers* for all T steps, and
# writes down only the sum. `burgerbot.scale.fused` is such a kernel. It needs CUDA, but its
# arithmetic needs nothing:

# %%
_, crowd = fused.begin(1, DEVICE)
once = traffic([*crowd], [*crowd], 1)
print(f"{once:.0f} bytes a robot in all; over 32,000 steps that is {once / 32_000:.4f} a step")
print(fused.why_not(DEVICE) or "It runs here: python -m burgerbot.scale.device_report")

# %% [markdown]
# Now what one question costs. The same steps, but after each of them the host reads one number: the
# mean reward, as a progress bar might.

# %%
for number in (1_024, 65_536):
    tape = torch.randint(0, 4, (2**20 // number, number), device=DEVICE)
    quiet = partial(device_step, move_world(host_world(), number, DEVICE), limit=150)
    pair = [partial(capstone.drive, step, tape) for step in (quiet, capstone.asking(quiet))]
    fast, slow = (steps_per_second(run, wait, tape.numel(), rounds) for run in pair)
    print(f"{number:6,} robots: {fast / slow:.2f} times as fast without the question")

# %% [markdown]
# On a CPU the host *is* the device. There is no queue, and the question costs what a mean costs. On
# a GPU it costs a wait in each step. You need no GPU to see how much. Say the host needs 60
# microseconds for the orders of a step, an answer takes 20 on the road, and the device has a fixed
# amount of work for each robot. Without questions the slower of the two sets the pace; with one in
# each step, the times add up. **Predict** where it hurts most: with few robots, or with many?

# %%
robots = np.geomspace(64, 2**22, 40)
orders, road, work = 60.0, 20.0, 5.0 + robots / 2_000  # microseconds of a step
show.line_chart(
    {"a question in each step": (robots, (orders + work + road) / np.maximum(orders, work))},
    title="What a question costs, by arithmetic",
    xlabel="robots, N",
    ylabel="times as fast without it",
    logx=True,
    alt="A curve over N, log axis. It is low for few robots, rises to a peak near a hundred "
    "thousand, where the step is more than twice as fast without questions, and falls towards 1.",
)

# %% [markdown]
# It hurts most in the middle, where orders and work take equally long: there the device could have
# been busy all the time, and stands idle for more than half of it. For very many robots the work
# hides everything else. And for few, where the orders are what takes so long, record the step as a
# CUDA graph: then one order starts all of it.
#
# ## Three tiers
#
# "Steps a second" can mean three things. **Simulate**: random actions, drawn beforehand. **With
# policy**: a network of two layers of 64 chooses. **With update**: PPO learns from it, all epochs
# counted. **Predict** the ratio of the first to the third.

# %%
found, quick = {}, PPOConfig(steps=PLAN.bench_steps, epochs=4, minibatches=4)
for device in dict.fromkeys(["cpu", str(DEVICE)]):
    for tiers in (TIERS[:1], TIERS[1:]):
        limits = {"rounds": 2, "config": quick, "budget": budget(15.0, fast=6.0)}
        result = bench(device, PLAN.sizes, tiers=tiers, **limits)
        print("\n".join([f"on {device}:", *result["skipped"]]))
        for row in result["rows"]:
            if row["mode"] == "eager":
                curve = found.setdefault(f"{row['tier']}, {device}", {})
                curve[row["num_envs"]] = row["steps_per_second"]

# %%
curves = {name: (list(row), list(row.values())) for name, row in found.items()}
show.throughput_chart(curves, title="Three tiers, robot steps a second", crossover=False)

# %% [markdown]
# Three lines, far apart. Whoever reports the first and lets you think of the third is off by a
# factor of ten or more. The world was the slow part in lesson 03; here it has become so fast that
# the network's arithmetic is nearly all that is left. Where there is a GPU, the picture has three
# more lines: on the left, few robots, the CPU wins; on the right it is not close.
#
# ## Train
#
# Now learn. Robots in 512 random kitchens of four strata, the settings of the plan, and *your*
# rollout as the collector. (Where there are CUDA graphs, a recorded one stands in for it: the same
# rows, fewer orders.) Two methods, on the same seeds: PPO, and PPO that looks at each rollout only
# once instead of four times. The steps are the same for both.

# %%
TRAINING, EVALUATION = capstone.pools_for(PLAN)


def mine(envs, act, steps, carry):
    """Your rollout, as ``train`` wants it."""
    rollout, seen = device_rollout(envs, act, steps, carry.observations)
    return rollout, Carry(seen, carry.resetting)


# %% [markdown]
# On two cores both trainings together take a minute or two, on a GPU less. The bars count
# transitions, of all robots together.

# %%
torch.set_num_threads(1)  # small networks on a CPU: more threads would only wait for each other
runs = {}
for name, config in capstone.methods(PLAN).items():
    with tqdm(total=PLAN.steps, desc=name, unit=" steps") as bar:
        runs[name] = capstone.learn(PLAN, config, TRAINING, collect=mine, bar=bar)

# %% [markdown]
# ## The panel
#
# Speed is one claim, and training curves are another. Now the third: what do the policies do in
# kitchens that no training saw, and when something is wrong that no training showed?
#
# | fault | what happens |
# |---|---|
# | `slip` | with this probability the robot slides forward, on *every* floor, greasy or not |
# | `push` | after a step, somebody shoves the robot into a neighbouring cell |
# | `stuck` | so many of the 25 cells that it sees read the same for ever |
#
# (Training knew slip on greasy floors, 0.15, and nowhere else. A slip of 0.1 is less than that: the
# fault takes its place there.)
#
# All drivers get the same kitchens, the same starts and the same draws. A third driver has learned
# nothing: `one_step_ahead` goes to the clear cell next to it that is nearest to the goal, as the
# crow flies. Any method worth its electricity should beat it. **Predict** two things: which fault
# hurts most, and which one *helps* a driver.

# %%
drivers = {name: run.policy.greedy for name, run in runs.items()}
training = capstone.own_panel(drivers, TRAINING, PLAN)
drivers["one step ahead"] = capstone.one_step_ahead
panels = robustness(drivers, EVALUATION, PLAN.faults, device=DEVICE)
print(panels["PPO"])

# %% [markdown]
# Each line is a fault; the last columns are success over all strata, its interval (families drawn
# again, as in the last lesson), and the exact optimum: the best that anybody could do who knows the
# map and all odds.

# %%
show.fault_chart(panels, title="Held-out kitchens, with faults that no training showed")

# %% [markdown]
# Compare each mark with the black line above it, not with the first group. A greasy floor hurts
# *everybody*, the optimum too: a robot that slides beside an obstacle crashes, whatever it wanted.
# Most of what slip takes away is not the policy's fault. The stuck cells are the opposite case: the
# optimum needs no sensor, so what is lost there is lost by the driver. It believes what it sees.
#
# And the pushes? `one_step_ahead` fails by going in circles in front of a wall. A push breaks the
# circle. A fault that improves a driver tells you what is wrong with the driver.
#
# ## Exercise 14.5: Read your own ledger
#
# Two runs, two records. Before you compare anything, read what each record really claims. Three
# claims, three fields; a claim without evidence is `None`, never a zero and never a guess.
#
# | key | value | `None` if |
# |---|---|---|
# | `systems` | steps a second with update | it was not measured |
# | `learning` | the worst stratum on training seeds | no stratum, or one not measured |
# | `held_out` | the worst stratum on evaluation seeds | the same; no seeds; one of training |
# | `robustness` | the worst fault | none was measured, or `held_out` is `None` |
#
# A record is a dictionary, as in lesson 13:
#
# | field | what it holds |
# |---|---|
# | `record["throughput"]["with_update"]` | a number, or None |
# | `record["training_success"]`, `record["success"]` | stratum -> share, or None |
# | `record["training_seeds"]`, `record["evaluation_seeds"]` | lists of seeds |
# | `record["notes"]` | name -> anything; a name that begins with `"fault, "` holds a share |
#
# Why the worst and not the mean? A mean lets a good stratum hide a bad one. (A fault's share is
# already a mean over the strata, so that a record stays short: it can be above `held_out`.)
#
# `same_panel(records)` says whether records may be compared at all: every one has a `held_out`
# claim, and all were evaluated on the same seeds (in any order) and the same strata.


# %% tags=["exercise:14.5"] minutes=10 difficulty=2
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    # BEGIN SOLUTION
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }
    # END SOLUTION


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    # BEGIN SOLUTION
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)
    # END SOLUTION


# %% tags=["check:14.5"]
check("14.5")

# %% [markdown]
# A hint is at `hint("14.5")`.

# %% [markdown] tags=["hints:14.5"]
# 1. Write a small helper first: the smallest of some shares, or None if there are none or one of
#    them is None. It serves three of the four claims.
# 2. `set(record["evaluation_seeds"]) & set(record["training_seeds"])` must be empty, and the first
#    of the two sets must not be.
# 3. For `same_panel`, put `(frozenset(seeds), frozenset(strata))` of each record into one set: it
#    has one element if all are alike. And `three_claims(r)["held_out"] is not None` for all.

# %% [markdown]
# Write your ledger, and read it. `1.00 > 0.95` means success on training seeds, then on held-out
# ones.

# %%
book = Path(tempfile.mkdtemp()) / "capstone.jsonl"
for name, run in runs.items():
    ledger.append(book, capstone.ledger_line(name, run, training[name], panels[name]))
records = ledger.read(book)
print(ledger_table.table(records))

# %%
for record in records:
    claims = three_claims(record)
    print(f"{record['run']:10}", {k: v if v is None else round(v, 2) for k, v in claims.items()})
print("may be compared:", same_panel(records))
print("planted:", three_claims(records[0] | {"evaluation_seeds": records[0]["training_seeds"]}))

# %% [markdown]
# Read it line by line.
#
# - **Systems.** Steps a second with update, on this device. The slower method is the better one
#   here, so speed alone would have chosen wrongly.
# - **Learning.** The worst stratum on kitchens that the policy knows.
# - **Robustness.** New kitchens first, then the worst fault. The first number is what most papers
#   stop at.
#
# And the planted record, evaluated on its own training seeds: its numbers look fine, and of new
# kitchens they claim nothing.
#
# Now everything on one panel, the untrained driver too, with the interval of each. The same
# comparison is one command, `python -m burgerbot.scale.capstone --device cuda --ledger FILE`.

# %%
for name, panel in panels.items():
    mean, low, high = panel.success("as trained")
    fault, least = panel.worst
    print(f"{name:15} {mean:.2f} [{low:.2f}, {high:.2f}], worst fault {fault}: {least:.2f}")
print(f"{'exact optimum':15} {panels['PPO'].optimum('as trained'):.2f}")

# %% [markdown]
# ## When this goes wrong
#
# | what you see | what it is | what helps |
# |---|---|---|
# | many robots, and the GPU is mostly idle | a value is read in each step | `waits` |
# | `fullgraph` compiles, the host still waits | it misses `.item()` and `nonzero` | fake tensors |
# | kept observations change by themselves | a graph's outputs live in one place | clone them |
# | a speed that no memory could feed | the clock did not wait | wait on both sides |
# | "Expected a 'cuda' device type for generator" | it is the CPU's | `torch.Generator(device)` |
# | other draws on another GPU, or for another N | the device's own generator | robots' seeds |
# | one robot is done, and all are reset | a reset without its mask | `where`, row by row |
# | episode sums survive a reset | statistics beside the state | reset both |
# | "Cannot re-initialize CUDA in forked subprocess" | forked after CUDA | "spawn" |
# | out of memory with a million robots | a rollout keeps T rows of all | fewer steps T |
# | a notebook server's image grows by gigabytes | CUDA's PyTorch, no GPU | the CPU build |
#
# On CUDA, `torch.cuda.set_sync_debug_mode("error")` says the same as `waits`, with the real device.
# "Robots' seeds" means what the package does: each robot's draws are whole numbers computed from
# its own seed, so they are the same on every device and for every N.
#
# Two of them in code: a kept row, and one that is missing in the table, the counter that stops.

# %%
place = torch.zeros(2)
kept = [place.fill_(t) for t in range(3)]
print("kept, and overwritten:", [row.tolist() for row in kept])
print("16,777,216 + 1 in float32 is", int(torch.tensor(2.0**24) + 1))

# %% [markdown]
# A counter of steps in float32 stops at 16,777,216: a million robots get there in 17 steps. Count
# in whole numbers.
#
# ## Try it yourself
#
# Nothing here is graded.
#
# - Ten minutes instead of one: `capstone.plan_for` takes less than a whole share only, but
#   `dataclasses.replace(PLAN, steps=...)` takes anything. How much of the gap to the optimum
#   closes?
# - Train *with* faults: `TorchFaultyKitchens(..., push=0.05, stuck=2)` is a drop-in. Does it help
#   against faults that it did not see? What does it cost where nothing is wrong?
# - Draw the actions instead of taking the best: `lambda seen: runs["PPO"].policy.act(seen)[0]`.
#   Which fault does that imitate?
# - With a GPU: `python -m burgerbot.scale.device_report --device cuda` measures graphs and the
#   fused kernel, and trains from a cold process to 0.90.
# - Add SB3's PPO of lesson 09 as a fourth driver, with as many steps. Anything that maps
#   observations to actions can go into `drivers`.
#
# ## What was measured
#
# Bytes of a world of a million robots. Your step against the package's, row for row and in robot
# steps a second, one to a million robots; bytes of a step against the bandwidth of copies in the
# same run; what a value read in each step costs. Three tiers on each device that was found. Two
# trainings at equal steps; success by stratum on training kitchens and on held-out ones; three
# drivers and the exact optimum on one robustness panel, one episode a robot, one training each.
#
# ## Sources
#
# - PyTorch, [CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html): asynchronous
#   execution, graphs
# - Makoviychuk and others (2021), [Isaac Gym](https://arxiv.org/abs/2108.10470): simulation and
#   training on one GPU
# - Lu and others (2022), [Discovered policy optimisation](https://arxiv.org/abs/2210.05639): PPO
#   with everything on the device
# - Rudin and others (2021), [Learning to walk in minutes using massively parallel deep
#   reinforcement learning](https://arxiv.org/abs/2109.11978)
# - Williams, Waterman and Patterson (2009), [Roofline: an insightful visual performance
#   model](https://doi.org/10.1145/1498765.1498785): the arithmetic of the limit
# - Tobin and others (2017), [Domain randomization](https://arxiv.org/abs/1703.06907): training with
#   faults on purpose
#
# Previous: [13 · The rollout contract](13_the_rollout_contract.ipynb) · Next:
# [15 · Where next](15_where_next.ipynb)
