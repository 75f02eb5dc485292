# %% [markdown] minutes=60
# # 03 · Many bots: why is one robot at a time slow?
#
# In this lesson you find out where the time of a training goes, put many robots into one
# environment, and learn to work with them without a loop.
#
# Afterwards you can
#
# 1. build N copies of an environment that are truly N, each with its own seed;
# 2. say beforehand the shape and dtype of everything that goes in and comes out;
# 3. count, and choose actions, for all robots at once;
# 4. say what a vector environment makes faster, and what it does not.
#
# **Time** about 60 minutes. **You need** lessons [01](01_burgerbot_env.ipynb) and
# [02](02_what_is_optimal.ipynb), and NumPy arrays. **The machine** can be any laptop: nothing
# here runs for more than a few seconds.
#
# Previous: [02 · What is optimal?](02_what_is_optimal.ipynb)
#
# Next: [04 · Auto-reset](04_autoreset.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. Run it first.

# %% tags=["imports"]
import inspect
import timeit
from collections.abc import Callable, Sequence
from functools import partial

import gymnasium as gym
import numpy as np
from gymnasium.vector import SyncVectorEnv
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

import burgerbot
from burgerbot import show
from burgerbot.course import check, hint, solution
from burgerbot.learn import oracle
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import OUTCOMES, V1_REWARDS, compile_kitchen, encode

# %% [markdown]
# ## Where does the time go?
#
# First a stop-watch. It times many calls of a function, in twenty rounds, and takes the fastest
# round: whatever else your machine does can only make a call slower.


# %%
def microseconds(function, number=100):
    """Time one call of a function."""
    return min(timeit.repeat(function, number=number, repeat=20)) / number * 1e6


# %% [markdown]
# A robot that learns does two things in turn, thousands and thousands of times: it asks its
# **policy network** for an action, and it takes a step. The network is a function with many
# adjustable numbers: the four numbers of an observation go in, one score for each action comes
# out, and the action with the best score is taken. Here is a small one, of the size that people
# use for worlds like ours. Nobody has trained it; only its cost matters here.

# %%
import torch

torch.set_num_threads(1)  # the network is tiny: a second thread would only be waited for
torch.manual_seed(1)
network = torch.nn.Sequential(
    *(torch.nn.Linear(4, 64), torch.nn.Tanh()),
    *(torch.nn.Linear(64, 64), torch.nn.Tanh()),
    torch.nn.Linear(64, 4),
)


def act(observations):
    """Ask the network about N observations, ``[N, 4]``, in one call: N actions."""
    with torch.inference_mode():
        return network(torch.as_tensor(observations, dtype=torch.float32)).argmax(dim=1).numpy()


# %% [markdown]
# **Predict** before you run the next cell: which one takes longer, a step of the kitchen or a call
# of the network? By how much? The action is a turn on the spot: no episode ends by it, except at
# the limit.

# %%
robot, TURN = gym.make("BurgerBot-v0"), 1
observation, _ = robot.reset(seed=1)
step_cost = microseconds(lambda: robot.step(TURN))
call_cost = microseconds(lambda: act(observation[None]))
print(f"step: {step_cost:.1f}, call: {call_cost:.1f} microseconds; x {call_cost / step_cost:.0f}")

# %% [markdown]
# The robot is not slow. It waits, nearly all the time, for an answer of the network. (Your
# numbers differ from those of other machines, and a little from run to run. The order of the two
# does not.)
#
# But what does the network do in all that time? Its arithmetic is a few thousand multiplications,
# which take a processor next to nothing. The rest is **overhead**: each call checks its input,
# makes a tensor, passes through five layers and makes an array again, whether you ask about one
# observation or about many. Several observations in one array, asked about in one call, are a
# **batch**. Divide the cost of a call by the size of its batch, from 1 to 1,024.
# (`partial(act, batch)` is a function without arguments: `act`, with its argument filled in now.)

# %%
SIZES = 2 ** np.arange(11)
batches = [np.tile(observation, (size, 1)) for size in SIZES]
per_robot = [microseconds(partial(act, batch), 30) / len(batch) for batch in batches]

# %%
show.line_chart(
    {
        "a call of the network": (SIZES, per_robot),
        "a step of the kitchen": (SIZES, np.full(len(SIZES), step_cost)),
    },
    title="One robot's share of a network call for N robots",
    xlabel="robots in the batch, N",
    ylabel="time per robot (microseconds)",
    logx=True,
    logy=True,
    alt="Time per robot against batch size on log axes. The network's line falls steeply and "
    "then levels off; the line of the kitchen's step is flat.",
)

# %% [markdown]
# The falling line is the whole reason for this lesson. At first it falls like `1 / N`: the
# overhead of one call is shared by N robots. Then it levels off, when the arithmetic itself
# begins to count. Where the lines cross, a robot's share costs no more than its step.
#
# So we want *many* observations at the same moment. One robot cannot give them: its next
# observation depends on its next action. N robots, in N kitchens, can.
#
# A **vector environment** is N environments behind one `reset` and one `step`. You give an array
# of N actions, you get an array of N observations. Gymnasium's `SyncVectorEnv` is the simplest
# one. You hand it not N environments, but N functions that each build one. Such a function is
# called a **factory**.

# %% [markdown]
# ## Exercise 03.1: Build N factories
#
# Why functions? Because the vector environment decides when to build, and where: in lesson 05
# each robot is built in a process of its own. But a function made in a loop has a trap, and a
# quiet one: nothing crashes. **Predict** what this prints:

# %%
factories = [lambda: number for number in range(4)]  # noqa: B023
print([factory() for factory in factories])

# %% [markdown]
# A `lambda` remembers the *name* `number`, not the value that it had. All four look it up when
# they are called, and by then the loop is over. This is **late binding**. With robots it means:
# N copies of the last kitchen, and a bot that never sees the others. (Programs that check code
# know this trap by the number B023; the remark behind the line tells ours that it is on purpose.)
#
# The opposite mistake is as quiet. `env = gym.make(...)` and then `lambda: env`, N times, gives N
# views of *one* robot. Gymnasium takes them without a word, and a step of any robot moves all.
#
# Write the factories for a list of kitchens:
#
# | what | must be |
# |---|---|
# | `make_factories(env_id, kitchens)` | a list of functions without arguments, one a kitchen |
# | factory i, called | `gym.make(env_id, kitchen=kitchens[i])` |
# | factory i, called once more | another, new environment |
# | before any call | nothing is built |


# %% tags=["exercise:03.1"] minutes=6 difficulty=1
def make_factories(env_id: str, kitchens: Sequence[Kitchen]) -> list[Callable[[], gym.Env]]:
    """Return one factory a kitchen; each call builds a new environment in that kitchen."""
    # BEGIN SOLUTION
    return [partial(gym.make, env_id, kitchen=kitchen) for kitchen in kitchens]
    # END SOLUTION


# %% tags=["check:03.1"]
check("03.1")

# %% [markdown]
# Stuck? Run `hint("03.1")` in a new cell; each call says a little more. After a pass,
# `solution("03.1")` shows one way to write it.

# %% [markdown] tags=["hints:03.1"]
# 1. The kitchen has to be tied to the function when the function is *made*. A loop variable is
#    not; an argument of a function is.
# 2. You have met a way above: `partial(function, arguments)` looks at its arguments at once. The
#    function to be called later is `gym.make`.
# 3. `partial(gym.make, env_id, kitchen=kitchen)` is one factory. A default argument does it too:
#    `lambda kitchen=kitchen: gym.make(env_id, kitchen=kitchen)`.

# %% [markdown]
# Four kitchens of one size, four factories, one `SyncVectorEnv`. Each robot follows the best
# policy of *its* kitchen, computed as in lesson 02. `encode` packs a pose into the number of its
# state, and it takes arrays: `observations.T[:3]` are the rows, the columns and the headings of
# all four robots.

# %%
MAPS = [
    ">..O..\n......\n.O...G",
    "...O.G\nOO....\n>.....",
    "..O..v\n...O..\nG.....",
    "O.....\n.G.O..\n.....<",
]
kitchens = [Kitchen.from_ascii(text) for text in MAPS]
models = [oracle.model(compile_kitchen(kitchen), V1_REWARDS) for kitchen in kitchens]
best = np.array([oracle.value_iteration(model, 0.97)[1].argmax(axis=1) for model in models])

envs = SyncVectorEnv(make_factories("BurgerBot-v1", kitchens))
observations, _ = envs.reset(seed=1)
states = [encode(kitchens[0], *observations.T[:3])]
for _ in range(24):
    observations, *_ = envs.step(best[np.arange(4), states[-1]])
    states.append(encode(kitchens[0], *observations.T[:3]))
show.play_wall(kitchens, np.array(states), title="Four factories, four kitchens")

# %% [markdown]
# Press play. Had all factories built the last kitchen, three of the robots would begin in the wrong
# place and run into counters that are not drawn. Notice also that a robot which has delivered
# stands at its start again, and drives on. The vector environment resets it without being asked;
# lesson 04 looks at nothing else.

# %% [markdown]
# ## Exercise 03.2: Give every copy its own seed
#
# N copies with one seed play the same game N times: N times the work, and nothing learned from
# it. So `envs.reset(seed=5)` of Gymnasium seeds robot i with `5 + i`. That is fine for one run.
# But you will do several, with the base seeds 0, 1, 2, to see how much luck there is in a result.
# Look at the kitchens that four robots of `BurgerBotKitchens-v0` get, where a seed decides the
# whole kitchen. (`gym.make_vec` writes the factories for you, where all robots are built alike.)
# One line of kitchens is one run:

# %%
envs = gym.make_vec("BurgerBotKitchens-v0", num_envs=4, vectorization_mode="sync")


def print_kitchens(envs):
    """Write the kitchens of all robots side by side."""
    for lines in zip(*(k.to_ascii().split("\n") for k in envs.get_attr("kitchen")), strict=True):
        print("   ".join(lines))
    print()


for base_seed in (0, 1):
    envs.reset(seed=base_seed)
    print_kitchens(envs)

# %% [markdown]
# Three kitchens of four are the same, one place to the left. These two runs are not independent,
# and the spread between them says less than you think. NumPy has the remedy:
# `np.random.SeedSequence(base_seed)` scrambles a number so thoroughly that neighbouring numbers
# have nothing in common any more, and makes as many seeds from it as you like: its
# `generate_state(count, np.uint64)` returns that many numbers.
#
# There is a second hole. `envs.reset(seed=...)` does not touch the action space, which has a
# generator of its own: random actions would differ at each run.
#
# | call | what must happen |
# |---|---|
# | `spawn_seeds(base_seed, count)` | a list of `count` seeds, all different, each a Python `int` |
# | the same base seed again | the same seeds |
# | two base seeds, any counts | not one seed in common |
# | `seeded_reset(envs, base_seed)` | one `envs.reset`, with a seed of its own for each robot |
# | | and `envs.action_space` gets one more seed, which no robot has |
# | | returns what `envs.reset` returned |
#
# Gymnasium insists on Python's `int`: an `np.uint64` is refused.


# %% tags=["exercise:03.2"] minutes=8 difficulty=2
def spawn_seeds(base_seed: int, count: int) -> list[int]:
    """Return ``count`` seeds from ``np.random.SeedSequence(base_seed)``."""
    # BEGIN SOLUTION
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()
    # END SOLUTION


def seeded_reset(envs: gym.vector.VectorEnv, base_seed: int) -> tuple[np.ndarray, dict]:
    """Reset all robots and seed the action space; return what ``envs.reset`` returned."""
    # BEGIN SOLUTION
    *seeds, for_actions = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(for_actions)
    return envs.reset(seed=seeds)
    # END SOLUTION


# %% tags=["check:03.2"]
check("03.2")

# %% [markdown]
# A hint is at `hint("03.2")`.

# %% [markdown] tags=["hints:03.2"]
# 1. Nothing here uses `np.random.seed` or a generator: a `SeedSequence` itself hands out numbers,
#    with its method `generate_state`.
# 2. `np.random.SeedSequence(base_seed).generate_state(count, np.uint64)` is an array of `count`
#    numbers of 64 bits; its `.tolist()` is a list of Python ints.
# 3. Ask for `envs.num_envs + 1` seeds: `envs.reset(seed=seeds[:-1])` takes a list, one seed a
#    robot, and `envs.action_space.seed(seeds[-1])` takes the last one.

# %%
for base_seed in (0, 1):
    seeded_reset(envs, base_seed)
    print_kitchens(envs)

# %% [markdown]
# Eight kitchens, and no two alike. Run the cell again: they stay the same eight.

# %% [markdown]
# ## Exercise 03.3: Lay out a batch
#
# Most errors with many robots are errors of shape, and the worst ones raise nothing. So know
# beforehand what comes. Five robots take a step. **Predict** what the next cell prints: the shape
# and dtype of their observations, their action space, and the shape and dtype of their rewards.

# %%
envs = gym.make_vec("BurgerBot-v0", num_envs=5, vectorization_mode="sync")
observations, _ = seeded_reset(envs, 1)
_, rewards, *_ = envs.step(envs.action_space.sample())
print(envs.single_observation_space, "->", observations.shape, observations.dtype)
print(envs.single_action_space, "->", envs.action_space, "  rewards", rewards.shape, rewards.dtype)

# %% [markdown]
# One robot more is one *row* more: axis 0 counts robots, always. An observation of shape `(4,)`
# becomes `(5, 4)`. A single number, like an action or a reward, has the shape `()`, so five of
# them have the shape `(5,)`, and never `(5, 1)`.
#
# | N robots | shape | dtype |
# |---|---|---|
# | observations | `(N,)` + shape of one | that of the observation space |
# | actions | `(N,)` + shape of one | that of the action space |
# | rewards | `(N,)` | float64, whatever the robot returns |
# | terminations, truncations | `(N,)` | bool |
#
# `batch_layout` says this for any two spaces, as a dictionary with these five names. `space.shape`
# and `space.dtype` belong to one robot.
#
# `stack_observations` is a guard that Gymnasium lacks. `SyncVectorEnv` refuses an observation of a
# wrong shape, but a float64 where the space says float32 is cast *silently*, and so is an integer.
# Yours copies N observations into one new array, and says no to whatever is not exactly what the
# space promises:
#
# | an observation of robot i | what happens |
# |---|---|
# | an array of the space's shape and dtype | row i of the result, `[N, ...]`, of that dtype |
# | another shape, another dtype, or no array | `ValueError`, with the number i in its text |


# %% tags=["exercise:03.3"] minutes=9 difficulty=2
def batch_layout(
    observation_space: gym.Space, action_space: gym.Space, num_envs: int
) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
    """Return name -> ``(shape, dtype)`` of what N robots take and give; spaces of one robot."""
    # BEGIN SOLUTION
    one = (num_envs,)
    return {
        "observations": (one + observation_space.shape, observation_space.dtype),
        "actions": (one + action_space.shape, action_space.dtype),
        "rewards": (one, np.dtype(np.float64)),
        "terminations": (one, np.dtype(np.bool_)),
        "truncations": (one, np.dtype(np.bool_)),
    }
    # END SOLUTION


def stack_observations(space: gym.Space, observations: list[np.ndarray]) -> np.ndarray:
    """Return N observations as one new array, or refuse what the space does not promise."""
    # BEGIN SOLUTION
    promised = space.shape, space.dtype
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != promised:
            raise ValueError(f"robot {i}: expected {promised}, got {seen!r}")
    return np.stack(observations)
    # END SOLUTION


# %% tags=["check:03.3"]
check("03.3")

# %% [markdown]
# A hint is at `hint("03.3")`.

# %% [markdown] tags=["hints:03.3"]
# 1. Shapes are tuples, and tuples add: `(num_envs,) + space.shape`. For a `Discrete` space, the
#    shape of one is `()`, and the same line holds.
# 2. `np.dtype(np.float64)` and `np.dtype(bool)` are the dtypes of rewards and flags. They do not
#    depend on the spaces.
# 3. Look at every observation before you stack: `isinstance(seen, np.ndarray)`, then
#    `seen.shape == space.shape`, then `seen.dtype == space.dtype`. `np.stack` then makes a new
#    array. Do not use `astype`: it casts, and says nothing.

# %% [markdown]
# Here is the silent cast, on purpose: a careless robot promises float32 and hands out float64.


# %%
class CarelessBot(gym.Env):
    """Promises float32, and returns what NumPy makes of a list of floats: float64."""

    observation_space = gym.spaces.Box(-9, 9, (2,), np.float32)
    action_space = gym.spaces.Discrete(4)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.array([0.1, 0.2]), {}


batch, _ = SyncVectorEnv([CarelessBot] * 3).reset(seed=1)
print("SyncVectorEnv:", batch.dtype, "and 0.1 has become", float(batch[0, 0]))
try:
    stack_observations(CarelessBot.observation_space, [CarelessBot().reset()[0] for _ in range(3)])
except ValueError as error:
    print("yours:", error)

# %% [markdown]
# `SyncVectorEnv` took it, and the number changed a little. (A class is a factory too: calling it
# builds a new robot.)
#
# One shape more. Networks take numbers, and the four numbers of an observation are *labels* rather
# than amounts: heading 3 is not three times heading 1. So many libraries, Stable-Baselines3 among
# them, **flatten** such a space into **one-hot** form: a label with n values becomes n numbers, a
# single 1 among zeros. **Predict** how many numbers BurgerBot's four become.

# %%
space = gym.make("BurgerBot-v0").observation_space
print(gym.spaces.flatdim(space), "numbers:", gym.spaces.flatten(space, observations[0]))

# %% [markdown]
# Not 4 but 7 + 7 + 4 + 3. Remember it when a network's first layer complains about its input.

# %% [markdown]
# ## Exercise 03.4: Count deliveries without a loop
#
# Whoever trains wants to know what the robots did: how often each one drove, crashed, delivered.
# `BurgerBot-v1` says it in its info. With N robots, an info is one dictionary of arrays, and each
# array has a **mask** beside it, with an underscore before its name. Below, robot 0 drives, robot
# 1 turns, robot 2 stands. In the third step, robot 0 hits the counter. **Predict** the fourth
# line.

# %%
envs = gym.make_vec("BurgerBot-v1", num_envs=3, vectorization_mode="sync")
envs.reset(seed=1)
for _ in range(4):
    infos = envs.step(np.array([0, 1, 3]))[4]
    print("outcome", infos["outcome"], "  _outcome", infos["_outcome"])

# %% [markdown]
# Outcome 2 is the crash. And then? Robot 0 was only put back at its start; it took no step, and it
# reported nothing. But an array of three numbers has to hold *something* for it, and Gymnasium
# puts a 0. That 0 is no outcome, although 0 is also a real one: idle. Only the mask tells the two
# apart, and values where the mask is False mean nothing at all. If no robot reports, the
# dictionary does not even have the name.
#
# The other trap is NumPy's. To count visits of cells you would write `visits[cells] += 1`. Two
# robots stand on cell 0, one on cell 1:

# %%
cells = [0, 0, 1]
visits, counts = np.zeros((2, 3), dtype=int)
visits[cells] += 1
np.add.at(counts, cells, 1)
print("with += :", visits, "  with add.at:", counts)

# %% [markdown]
# `+=` with a list of indices reads, adds and writes once a *place*, not once an index: the second
# robot on cell 0 got lost. `np.add.at` adds once an index.
#
# | function | gets | returns |
# |---|---|---|
# | `count_outcomes` | `infos`, a list of T dictionaries as above, and N | int64 `[N, 4]` |
# | `count_visits` | a kitchen, and observations `[T, N, 4]` | int64 `[rows, cols]` |
#
# T is the number of steps. A loop over the T dictionaries is fine; a loop over robots is not, for
# it would take longer with every robot. Deliveries are the last column of the counts:
#
# ```
# for every step t and every robot n:
#     if robot n has reported an outcome o in step t:    counts[n, o] += 1
# for every step t and every robot n:
#     visits[row, col of observations[t, n]] += 1
# ```


# %% tags=["exercise:03.4"] minutes=10 difficulty=2
def count_outcomes(infos: list[dict], num_envs: int) -> np.ndarray:
    """Return int64 ``[N, 4]``: how many steps of each outcome each robot has reported."""
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    # BEGIN SOLUTION
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1  # each robot once: += will do
    # END SOLUTION
    return counts


def count_visits(kitchen: Kitchen, observations: np.ndarray) -> np.ndarray:
    """Return int64 ``[rows, cols]``: how often a robot was seen in each cell."""
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    # BEGIN SOLUTION
    np.add.at(visits, (observations[..., 0], observations[..., 1]), 1)
    # END SOLUTION
    return visits


# %% tags=["check:03.4"]
check("03.4")

# %% [markdown]
# A hint is at `hint("03.4")`.

# %% [markdown] tags=["hints:03.4"]
# 1. A dictionary without the name `"outcome"` is a step in which nobody reported: go on to the
#    next. In the others, `np.flatnonzero(info["_outcome"])` are the robots that did.
# 2. With `robots` from above, `counts[robots, info["outcome"][robots]] += 1` adds one in each
#    reporting robot's row. Here `+=` is safe: no robot is there twice.
# 3. `observations[..., 0]` are all rows and `observations[..., 1]` all columns, each `[T, N]`.
#    `np.add.at(visits, (rows, cols), 1)` takes them as they are.

# %% [markdown]
# Put your counters to work: 64 robots that act at random, for 400 steps. The cell adds up all
# robots, and compares the number of steps that were counted with the number of rows.

# %%
fleet = gym.make_vec("BurgerBot-v1", num_envs=64, vectorization_mode="sync")
seeded_reset(fleet, 3)
steps = [fleet.step(fleet.action_space.sample()) for _ in range(400)]
counts = count_outcomes([step[4] for step in steps], 64)
print(OUTCOMES, counts.sum(axis=0), "steps:", counts.sum(), "of", 64 * 400)

# %% [markdown]
# The difference between the last two numbers is the rows in which a robot was only reset. Without
# the mask, every one of them would have been counted as idle. And hardly any delivery: where did
# all these robots spend their time?

# %%
visits = count_visits(CLASSIC, np.array([step[0] for step in steps]))
figure = Figure(figsize=(5.2, 4.2), layout="constrained")
axes = figure.add_subplot()
image = axes.imshow(np.where(visits, visits, np.nan), norm=LogNorm(), cmap="cividis")
for (row, col), number in np.ndenumerate(visits):
    label, dark = number if CLASSIC.is_clear(row, col) else "counter", 0 < number < 400
    axes.text(col, row, label, ha="center", va="center", color="white" if dark else "black", size=8)
axes.set(title="Where 64 random bots were seen (goal: row 6, col 6)", xlabel="col", ylabel="row")
figure.colorbar(image, label="observations (count, log scale)")
show.with_alt(figure, f"Heat map of visits, row by row: {visits.tolist()}.")

# %% [markdown]
# Nearly all of it happens near the start, in one corner. The scale is logarithmic: from the top
# left to the bottom right the numbers fall by a factor of thousands. More robots do not explore
# further by themselves; they do more of the same.

# %% [markdown]
# ## Exercise 03.5: Pick N actions at once
#
# Somebody has to choose N actions. You know one good way: the action values of lesson 02,
# `q[state, action]`, and in each state the largest. A learner must also try other actions now and
# then, so with probability `epsilon` a robot acts at random. That is called **epsilon-greedy**.
#
# ```
# for every robot n:
#     if a fair draw from [0, 1) is below epsilon:
#         action[n] = one of 0, 1, 2, 3, all equally likely
#     else:
#         action[n] = the action with the largest q[states[n], action];
#                     if several share the largest value, one of them, all equally likely
# ```
#
# | what | must be |
# |---|---|
# | `q`, `states`, `epsilon` | float `[S, 4]`, int `[N]`, a number from 0 to 1 |
# | `rng` | the `np.random.Generator` from which *all* draws come |
# | result | integers, shape `(N,)` |
#
# Ties matter more than they seem to: a table that starts with zeros is all ties, and `argmax`
# takes the first, which is forward, for every robot, into the wall. And each robot needs draws of
# its own. No loop over robots.


# %% tags=["exercise:03.5"] minutes=10 difficulty=3
def pick_actions(
    q: np.ndarray, states: np.ndarray, epsilon: float, rng: np.random.Generator
) -> np.ndarray:
    """Return int ``[N]``: the epsilon-greedy action of each robot, ties broken at random."""
    # BEGIN SOLUTION
    values = q[states]  # [N, 4]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)
    # END SOLUTION


# %% tags=["check:03.5"]
check("03.5")

# %% [markdown]
# A hint is at `hint("03.5")`.

# %% [markdown] tags=["hints:03.5"]
# 1. Work out both answers for all robots, the greedy and the random one, and choose between them
#    with `np.where(explores, at_random, greedy)`. That is less work than a loop.
# 2. `q[states]` is `[N, 4]`: one row a robot. `explores` is `rng.random(N) < epsilon`, and the
#    random actions are `rng.integers(4, size=N)`: N draws each, not one.
# 3. For the ties, mark the largest: `values == values.max(axis=1, keepdims=True)`. Give each of
#    the marked a random number, and all others -1: the `argmax(axis=1)` of that is a fair choice
#    among the marked.

# %% [markdown]
# Now let 64 robots follow the exact `q` of lesson 02, and disturb them more and more. How many
# deliveries are left? Your counter and your picker do the work. **Predict** the number at epsilon
# 0: the shortest delivery takes 14 steps.

# %%
_, q = oracle.value_iteration(oracle.model(compile_kitchen(CLASSIC), V1_REWARDS), 0.97)


def per_thousand(epsilon, steps=300):
    """Let 64 robots drive, and return crashes and deliveries in 1,000 real steps."""
    rng, infos = np.random.default_rng(5), []
    observations, _ = seeded_reset(fleet, 5)
    for _ in range(steps):
        states = encode(CLASSIC, *observations.T[:3])
        observations, *_, info = fleet.step(pick_actions(q, states, epsilon, rng))
        infos.append(info)
    counts = count_outcomes(infos, 64).sum(axis=0)
    return 1000 * counts[2:] / counts.sum()


# %%
epsilons = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 1]
crashes, deliveries = np.transpose([per_thousand(epsilon) for epsilon in epsilons])
print(f"deliveries at epsilon 0: {deliveries[0]:.2f}, and 1000 / 14 is {1000 / 14:.2f}")
show.line_chart(
    {"deliveries": (epsilons, deliveries), "crashes": (epsilons, crashes)},
    title="The best policy, disturbed: 64 robots",
    xlabel="epsilon (probability of a random action)",
    ylabel="in 1,000 robot steps",
    alt="Deliveries fall from about 71 in 1,000 steps to almost none as epsilon grows to 1; "
    "crashes rise.",
)

# %% [markdown]
# Undisturbed, the robots deliver once in 14 steps, to the last digit. Had you counted the reset
# rows as steps, you would have found one in 15, and blamed the policy.

# %% [markdown]
# ## Predict, then look: is it faster now?
#
# You have N robots, and one network call for all of them. **Predict**, and write it down: with 64
# robots, does `SyncVectorEnv` step the *kitchens* faster than a plain loop over 64 robots does?
#
# The cell measures four ways to take a step with N robots, in steps per second of all robots
# together, the **throughput**. The answers of the network are thrown away, and all robots turn on
# the spot, so that each way does the same steps.


# %%
def throughput(num_envs):
    """Return the robot steps a second of four ways to move N robots."""
    robots = [gym.make("BurgerBot-v0") for _ in range(num_envs)]
    seen = [robot.reset(seed=i)[0][None] for i, robot in enumerate(robots)]
    envs = gym.make_vec("BurgerBot-v0", num_envs=num_envs, vectorization_mode="sync")
    batch, turns = envs.reset(seed=0)[0], np.full(num_envs, TURN)
    ways = {
        "loop, one call a robot": lambda: [
            (act(one), robot.step(TURN)) for robot, one in zip(robots, seen, strict=True)
        ],
        "SyncVectorEnv, one call for all": lambda: (act(batch), envs.step(turns)),
        "loop, no network": lambda: [robot.step(TURN) for robot in robots],
        "SyncVectorEnv, no network": lambda: envs.step(turns),
    }
    number = max(2, 128 // num_envs)
    return {name: num_envs * 1e6 / microseconds(way, number) for name, way in ways.items()}


# %%
counts = [1, 2, 4, 8, 16, 32, 64, 128, 256]
measured = [throughput(num_envs) for num_envs in counts]
rows = {name: (counts, [speed[name] for speed in measured]) for name in measured[0]}
show.throughput_chart(rows, title="Four ways to move N robots", crossover=False)

# %% [markdown]
# Read the two lines without a network first. The plain loop is flat: a robot more is a step more,
# and that is all. `SyncVectorEnv` begins far below it, since each of its steps also copies arrays
# and merges infos; with more robots it shares that work among them and climbs. But it does *not*
# get past the loop, with 64 robots or with any number. It cannot: look at how it steps its robots.

# %%
for line in inspect.getsource(SyncVectorEnv.step).split("\n"):
    if line.strip().startswith("for ") or ".step(action)" in line:
        print(line)

# %% [markdown]
# There is the loop, one robot after another, in plain Python. *Sync* means just that.
#
# Now the two lines with a network, which are the ones that a training lives on. One call for each
# robot: flat, and at the bottom. One call for all robots: it climbs, many times higher, until the
# kitchens become the slow part. So, what does a vector environment make faster?

# %%
alone, shared, loop, sync = (np.array([speed[name] for speed in measured]) for name in measured[0])
print("with a network,  64 robots against 1:", f"{shared[6] / shared[0]:.1f} times the throughput")
print("the loop alone,  64 robots against 1:", f"{loop[6] / loop[0]:.1f} times")
print("kitchens' share of a step with 64 robots:", f"{shared[6] / sync[6]:.0%}, with 1:", end=" ")
print(f"{shared[0] / sync[0]:.0%}")

# %% [markdown]
# It makes the *asking* faster, not the stepping. That is worth a lot as long as a step is cheap
# beside a call. Past that point there are two ways on: step the kitchens in several processes
# (lesson 05), or write a kitchen that steps N robots in one line (lesson 06).

# %% [markdown]
# ## When this goes wrong
#
# Some messages that you will meet, and here cause on purpose:

# %%
fresh = partial(gym.make_vec, "BurgerBot-v1", num_envs=3, vectorization_mode="sync")
two_sizes = [Kitchen.from_ascii(">..G"), Kitchen.from_ascii(">...G")]
blunders = [
    lambda: fresh().step(np.array([1, 1, 1])),
    lambda: fresh().reset(seed=[1, 2]),
    lambda: fresh().reset(seed=list(np.arange(3))),
    lambda: fleet.step(np.array([1, 1])),
    lambda: SyncVectorEnv([gym.make("BurgerBot-v1")] * 3),
    lambda: SyncVectorEnv(make_factories("BurgerBot-v1", two_sizes)),
    lambda: fresh(kitchn=CLASSIC),
]
for blunder in blunders:
    try:
        blunder()
    except Exception as error:
        print(f"{type(error).__name__}: {error}"[:200], "\n")

# %% [markdown]
# The fourth is worth a second look: it comes from two actions for 64 robots, and it comes *late*.
# Robots 0 and 1 have already moved. Reset after an error.
#
# These raise errors. The dangerous ones do not:
#
# | what you see | what it is | what helps |
# |---|---|---|
# | all robots live in one kitchen, the last | late binding in the factories | 03.1 |
# | all robots move together | `lambda: env`: one robot, N times | build it inside the factory |
# | all robots play the same episode | one seed for all | a seed for each robot |
# | runs with seeds 0, 1, 2 agree too well | they share most of their seeds | `SeedSequence` |
# | random actions differ at each run | the action space was not seeded | `envs.action_space.seed` |
# | `envs.single_action_space.seed` has no effect | the batched space draws | seed `action_space` |
# | far too many idle steps | missing infos read as 0 | use the mask |
# | fewer visits than steps | two robots on one cell, `+=` | `np.add.at` |
# | float32 where you made float64 | `SyncVectorEnv` casts in silence | check the dtype yourself |
# | a network wants 21 inputs, not 4 | a `MultiDiscrete` is flattened to one-hot | know `flatdim` |
# | rewards `[N, 1]` less values `[N]` give `[N, N]` | broadcasting | look at shapes first |
# | more robots, and no faster | the step is the slow part, not the call | lessons 05 and 06 |
#
# ## Try it yourself
#
# Nothing here is graded.
#
# - Make the network larger, with layers of 512. Where does its line in the first figure level off
#   now? What does that do to the last figure?
# - Put the four kitchens of 03.1 and your `pick_actions` together. `q` is now one table a kitchen:
#   can you still pick without a loop?
# - Let eight robots with one seed and eight with `spawn_seeds` play `BurgerBotKitchens-v0`. How
#   many different observations do you collect in 100 steps?
# - `gym.make_vec("BurgerBot-v0", num_envs=64)` without a mode is the course's own vector
#   environment. Add it to the last figure. Lesson 06 tells how it works.
#
# ## What was measured
#
# What a step and a network call cost, and what a robot's share of a call costs in batches of 1 to
# 1,024. Outcomes and visits of 64 random robots. Deliveries and crashes of the best policy under
# random actions. The throughput of four ways to move 1 to 256 robots.
#
# ## Sources
#
# - Gymnasium, [Vector environments](https://gymnasium.farama.org/api/vector/)
# - NumPy, [Parallel random number
#   generation](https://numpy.org/doc/stable/reference/random/parallel.html): `SeedSequence`, and
#   why `base_seed + i` is not enough
# - NumPy, [ufunc.at](https://numpy.org/doc/stable/reference/generated/numpy.ufunc.at.html)
# - Python, [Why do lambdas defined in a loop with different values all return the same
#   result?](https://docs.python.org/3/faq/programming.html)
# - Sutton and Barto (2018), *Reinforcement Learning: An Introduction*, section 2.2: epsilon-greedy
#
# Previous: [02 · What is optimal?](02_what_is_optimal.ipynb)
#
# Next: [04 · Auto-reset](04_autoreset.ipynb)
