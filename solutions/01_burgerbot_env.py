# %% [markdown] minutes=60
# # 01 · Meet BurgerBot: what is an environment?
#
# In this lesson you drive a robot through a kitchen, then you build the world it drives in, piece
# by piece, until Gymnasium's own checker accepts it.
#
# Afterwards you can
#
# 1. say what `reset` and `step` return, and what each part is for;
# 2. tell *terminated* from *truncated*, and say who sets which flag;
# 3. write an environment of your own that is seeded, checked and registered.
#
# **Time** about 60 minutes. **You need** Python and a little NumPy; nothing about reinforcement
# learning yet. **The machine** can be any laptop: nothing here runs for more than a few seconds.
#
# Previous: [Start here](00_start_here.ipynb) · Next: [02 · What is
# optimal?](02_what_is_optimal.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. Run it first: click it, then press Shift and Enter.

# %% tags=["imports"]
from collections import Counter

import gymnasium as gym
import numpy as np
from gymnasium.utils.env_checker import check_env
from matplotlib.figure import Figure

from burgerbot.course import check, hint, solution
from burgerbot.show import drive, histogram, play, show_kitchen, with_alt
from burgerbot.world.kitchen import CLASSIC, HEADINGS, MOVES, Kitchen
from burgerbot.world.render import BODY, BUN, COUNTER, FLOOR, TYRE
from burgerbot.world.rules import (
    CRASHED,
    DELIVERED,
    FORWARD,
    IDLE,
    MOVED,
    STOP,
    TURN_LEFT,
    TURN_RIGHT,
    V0_REWARDS,
    sensor,
)

# %% [markdown]
# ## Drive first
#
# BurgerBot stands in the top left corner. The burger waits at the bottom right. Bring the robot
# there without touching a counter or a wall. Use the buttons, or click the kitchen and use the
# arrow keys: up drives forward, left and right turn on the spot, down stops.
#
# While you drive, watch three things: the four numbers of the **observation**, the **reward** of
# each step, and the **return**, which is the sum of the rewards so far. Then crash on purpose,
# once.

# %%
drive()

# %% [markdown]
# You have just been an *agent*: something that looks, decides and acts. All the rest is the
# **environment**: the floor, the counters, the rules, the rewards. It never decides anything. It
# answers.
#
# You may have noticed that driving pays +1 a step, even in circles. Keep that in mind: lesson 02
# asks what a clever bot makes of it.
#
# | word | what it means | here |
# |---|---|---|
# | observation | what the agent is shown | `[row, col, heading, sensor]` |
# | action | what the agent may do | 0 forward, 1 turn left, 2 turn right, 3 stop |
# | reward | one number for one step | -0.1 idle, +1 moved, -10 crashed, +50 delivered |
# | episode | from a start to an end | ends with a crash, a delivery or step 150 |
# | return | the sum of an episode's rewards | what you saw grow under the kitchen |

# %% [markdown]
# ## The same, in four calls
#
# Every environment of the library **Gymnasium** is used in the same way, be it a kitchen or a
# walking robot. `make` builds one by its name. `reset` begins an episode. `step` takes one
# action. `render` gives a picture. (A fifth, `close`, frees what an environment holds; ours holds
# nothing.)
#
# Look at what comes back. `reset` returns two things, `step` returns five.

# %%
env = gym.make("BurgerBot-v0", render_mode="ansi")
print("reset:", env.reset(seed=1))
print("step: ", env.step(FORWARD))
print(env.render())

# %% [markdown]
# Read the five in order: `observation, reward, terminated, truncated, info`.
#
# - The **observation** says: row 0, column 1, heading 1 (east), and a reading of the sensor.
# - The **reward** is +1, because the robot moved.
# - `terminated` and `truncated` are both False: the episode goes on. There are two flags because
#   there are two ways to end. You will meet them below.
# - `info` is a dictionary for people: it may help you to debug, and an agent must not learn from
#   it.
#
# The last lines are the kitchen as text. `.` is floor, `O` a counter, `G` the goal with the
# burger, and `>` the robot, pointing east. Here it is as a picture, with the robot somewhere
# else (`CLASSIC` is the name of this kitchen):

# %%
show_kitchen(CLASSIC, (6, 2, 0))

# %% [markdown]
# The robot's place is a **pose**: `(row, col, heading)`. Rows count from the top, columns from
# the left, both from 0. Headings count with the clock.
#
# | heading | 0 north | 1 east | 2 south | 3 west |
# |---|---|---|---|---|
# | `MOVES[heading]`, the step (row, col) | (-1, 0) | (0, 1) | (1, 0) | (0, -1) |
#
# North is *one row less*, since row 0 is at the top. This is the first thing that goes wrong in
# many grid worlds.

# %% [markdown]
# ## Exercise 01.1: Read the distance sensor
#
# An agent sees only what its sensors tell. BurgerBot has one: it looks straight ahead and counts
# clear cells, up to five of them, until the first counter or wall. The robot's own cell is not
# ahead of it.
#
# | clear cells ahead | 0 | 1 | 2 | 3 | 4 | 5 or more |
# |---|---|---|---|---|---|---|
# | reading | 0 | 0 | 1 | 1 | 2 | 2 |
#
# `kitchen.is_clear(row, col)` is True where a robot can stand, and False for counters and for
# everything outside the walls. (Later exercises need more of a kitchen: `rows` and `cols`, its
# size; `goal` and `obstacles`, places as `(row, col)`; `clear_cells()`, all places where a robot
# can stand.) **Predict** first: what does the robot in the picture above read?


# %% tags=["exercise:01.1"] minutes=6 difficulty=1
def sensor_reading(kitchen: Kitchen, row: int, col: int, heading: int) -> int:
    """Count the clear cells ahead, up to five; halve, and drop the remainder: 0, 1 or 2."""
    # BEGIN SOLUTION
    clear = 0
    while clear < 5:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col):
            break
        clear += 1
    return clear // 2
    # END SOLUTION


# %% tags=["check:01.1"]
check("01.1")

# %% [markdown]
# Stuck? Run `hint("01.1")` in a new cell; each call says a little more. After a pass,
# `solution("01.1")` shows one way to write it.

# %% [markdown] tags=["hints:01.1"]
# 1. Start one cell ahead of the robot, not on it. `MOVES[heading]` is the step of one move.
# 2. Loop at most five times; stop at the first cell where `kitchen.is_clear` says no.
# 3. Halve the count with `//`: 5 clear cells give `5 // 2`, which is 2.

# %%
for heading, facing in enumerate(HEADINGS):
    print(f"at row 6, col 2, facing {facing:5}: {sensor_reading(CLASSIC, 6, 2, heading)}")

# %% [markdown]
# Notice how little this is: one number out of three. From the sensor alone, many places look the
# same. The row, the column and the heading in the observation make up for it.

# %% [markdown]
# ## Exercise 01.2: Take one step
#
# `step` is the heart of an environment: all the rules are in it. Yours is a *pure* function: what
# it returns depends on its arguments alone, it keeps no count, and it changes nothing outside.
# That makes it easy to test, and later easy to make fast.
#
# | action | what happens | outcome | reward | terminated |
# |---|---|---|---|---|
# | turn left, turn right | the heading changes by a quarter | `IDLE` 0 | -0.1 | False |
# | stop | nothing | `IDLE` 0 | -0.1 | False |
# | forward, onto free floor | one cell ahead | `MOVED` 1 | +1 | False |
# | forward, into a counter or wall | the robot stays | `CRASHED` 2 | -10 | True |
# | forward, onto the goal | one cell ahead | `DELIVERED` 3 | +50 | True |
#
# `truncated` is always False here. The names in capitals come from the imports above, and
# `V0_REWARDS[outcome]` is the reward of an outcome.


# %% tags=["exercise:01.2"] minutes=8 difficulty=2
def step(kitchen: Kitchen, pose: tuple[int, int, int], action: int) -> tuple:
    """Return ``((row, col, heading), outcome, reward, terminated, truncated)`` after one action."""
    row, col, heading = pose
    # BEGIN SOLUTION
    outcome = IDLE
    if action == TURN_LEFT:
        heading = (heading - 1) % 4
    elif action == TURN_RIGHT:
        heading = (heading + 1) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False
    # END SOLUTION


# %% tags=["check:01.2"]
check("01.2")

# %% [markdown]
# A hint is at `hint("01.2")`. Two traps are worth a word. A left turn from north (0) gives west
# (3), and `% 4` takes care of that: in Python `-1 % 4` is 3. And `grid[-1]` is no error in
# Python: it is the *last* row. A robot that leaves by the top edge would come back in at the
# bottom.

# %% [markdown] tags=["hints:01.2"]
# 1. Begin with `outcome = IDLE` and take the four actions one by one. Turning right adds 1 to the
#    heading, turning left takes 1 away, both `% 4`.
# 2. For forward, work out the cell ahead with `MOVES[heading]`, and ask
#    `kitchen.is_clear(*ahead)` *before* you move. If it is not clear: `CRASHED`, and the pose
#    stays as it was.
# 3. If it is clear, move there; the outcome is `DELIVERED if ahead == kitchen.goal else MOVED`.
#    The reward is `V0_REWARDS[outcome]`, and the episode terminates where `outcome >= CRASHED`.

# %% [markdown]
# Now let your own rules carry an episode. The tape below spells a route in letters: F forward, L
# and R turn, S stop. Press play under the picture, or pull the slider.

# %%
TAPE = ["FLRS".index(letter) for letter in "FFRFFFFFFLFFFF"]
poses, rewards = [CLASSIC.start], []
for action in TAPE:
    pose, outcome, reward, terminated, truncated = step(CLASSIC, poses[-1], action)
    poses.append(pose)
    rewards.append(reward)
play(CLASSIC, poses, rewards=rewards, actions=TAPE, title="A delivery, by your own step")

# %% [markdown]
# Watch the return grow: each move adds 1, each of the two turns takes 0.1 away, and the last step
# pays for everything.

# %% [markdown]
# ## How episodes end: terminated or truncated
#
# A robot that acts at random is the simplest bot there is. The function below plays one episode
# from a list of actions, and stops when *either* flag is True.
#
# **Predict** before you run the next cells: out of 1,000 random episodes, how many deliver the
# burger? And how long is a typical episode, when 150 steps are allowed?


# %%
def run(env, actions):
    """Play one episode: its steps, its return, both flags, and the last reward."""
    env.reset()
    steps, total = 0, 0.0
    for action in actions:
        _, reward, terminated, truncated, _ = env.step(action)
        steps, total = steps + 1, total + reward
        if terminated or truncated:
            break
    return steps, round(total, 1), terminated, truncated, reward


# %%
env = gym.make("BurgerBot-v0")
env.action_space.seed(1)
episodes = [run(env, [env.action_space.sample() for _ in range(150)]) for _ in range(1000)]
lengths = [steps for steps, *_ in episodes]
print("last rewards:", Counter(last for *_, last in episodes), "longest:", max(lengths))

# %%
histogram(
    lengths,
    title="A random bot: steps until the episode ends",
    xlabel="length of the episode (steps)",
    ylabel="episodes",
    bins=range(0, 101, 4),
    alt="Histogram of 1,000 episode lengths: most are under 20 steps, with a long thin tail.",
)

# %% [markdown]
# Every last reward is -10: a crash. Most of these robots hit something within the first twenty
# steps, and not one saw the burger. This is why learning is hard: a bot that never reaches the
# burger cannot find out that it pays 50.
#
# Nor did the step limit ever matter. To see every kind of ending, use tapes that are made for it.
# **Predict** the flags of the last two rows before you run the cell.

# %%
tapes = {
    "drive into the counter": "FFF",
    "deliver": "FFRFFFFFFLFFFF",
    "stand still for 150 steps": "S" * 150,
    "crash in step 150": "S" * 147 + "FFF",
}
print(f"{'':27}{'steps':>5}{'return':>8}  terminated  truncated")
for name, tape in tapes.items():
    steps, total, terminated, truncated, _ = run(env, ["FLRS".index(letter) for letter in tape])
    print(f"{name:27}{steps:5}{total:8}  {terminated!s:10}  {truncated}")

# %% [markdown]
# - **Terminated**: the world itself has ended the episode. The robot is broken, or the burger is
#   there. Nothing can follow, so whatever comes next is worth 0.
# - **Truncated**: we stopped watching. The robot stands there in good health and could go on.
#   What would come next has a value; we only did not wait for it.
# - **Both** at once, as in the last row: step 150 was a crash. The crash counts, since after it
#   nothing can follow. In this course, termination wins.
#
# An agent that mixes the two learns that time itself is deadly, or that a crash is not so bad.
# Old code has a single flag `done` for both, and lost this difference.
#
# Who sets `truncated`? Not the robot: your `step` never does. Gymnasium puts a **wrapper** around
# it, an environment inside an environment, that counts steps. Print one and see. `.unwrapped` is
# the robot without wrappers, and without a limit:

# %%
print(env)
print(run(env.unwrapped, [STOP] * 400))

# %% [markdown]
# `TimeLimit` keeps the limit. `OrderEnforcing` insists on a `reset` before the first `step`.
# `PassiveEnvChecker` looks over the first calls and warns. Four hundred stops later, the bare
# robot still has not been truncated.

# %% [markdown]
# ## Exercise 01.3: Reset with a seed
#
# So far every episode began in the same corner. A bot that has seen one start knows one route, so
# let each episode begin somewhere else. But an experiment that nobody can repeat is worth little:
# the random start must come from a **seed**, a number from which all random draws follow.
#
# | call | what must happen |
# |---|---|
# | `reset(seed=8)` | the same start, every time, on every robot |
# | `reset()` after it | the next start: another one, but the same on every run of the program |
# | `reset(options={"pose": (0, 0, 1)})` | this start |
#
# The recipe has two parts. `super().reset(seed=seed)` gives the robot its own generator, and with
# `seed=None` it leaves that generator alone. All draws then come from `self.np_random`. Choose
# among all clear cells but the goal, and among four headings, all equally likely; keep the choice
# in `self.pose`.


# %% tags=["exercise:01.3"] minutes=8 difficulty=2
class RandomStart(gym.Env):
    """A robot that begins every episode somewhere else."""

    def __init__(self, kitchen: Kitchen = CLASSIC) -> None:
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None) -> tuple[np.ndarray, dict]:
        """Set ``self.pose``; return it as an int64 array of shape (3,), and an empty dictionary."""
        # BEGIN SOLUTION
        super().reset(seed=seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.np_random.integers(len(cells))]
        drawn = (row, col, int(self.np_random.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose, dtype=np.int64), {}
        # END SOLUTION


# %% tags=["check:01.3"]
check("01.3")

# %% [markdown]
# A hint is at `hint("01.3")`. The check also looks at `np.random` and `random`, the generators of
# the whole program. An environment that seeds or uses them spoils everybody else's draws, and is
# spoiled by them.

# %% [markdown] tags=["hints:01.3"]
# 1. The first line is `super().reset(seed=seed)`. After it, `self.np_random.integers(n)` is a
#    number from 0 to n - 1. Do not make a generator of your own.
# 2. List the cells first: `[cell for cell in self.kitchen.clear_cells() if cell !=
#    self.kitchen.goal]`. Draw one index into this list, then draw a heading.
# 3. `options` is None or a dictionary: `(options or {}).get("pose", drawn)` is the pose that was
#    asked for, else the one you drew. Return `np.array(self.pose, dtype=np.int64), {}`.

# %% [markdown]
# Where do episodes begin now? The table counts 4,100 resets, cell by cell. **Predict** which
# cells hold a 0.

# %%
robot, counts = RandomStart(), np.zeros((7, 7), dtype=int)
robot.reset(seed=1)
for _ in range(4100):
    (row, col, _), _ = robot.reset()
    counts[row, col] += 1
print(counts)

# %% [markdown]
# The zeros are the seven counters and the goal. The other cells share the starts about equally,
# and they differ as much as honest chance makes them differ. Run the cell again: every number
# stays, for the seed fixes all of them.

# %% [markdown]
# ## Exercise 01.4: Describe the spaces
#
# A learning program that meets your robot for the first time asks two questions: what can I see,
# and what can I do? A **space** answers both: a set of allowed values, with their shape and
# dtype. The network's input and output layers are made from the spaces, so they must be right to
# the last bit.
#
# | space | what it holds | size |
# |---|---|---|
# | `gym.spaces.Discrete(n)` | one whole number, 0 to n - 1 | actions: 4 |
# | `gym.spaces.MultiDiscrete([a, b, ...])` | several such numbers, int64 | rows, columns, 4, 3 |
#
# Write both functions, for a kitchen of any size. `sensor(kitchen, row, col, heading)` of the
# package reads as yours does. Return a new array at each call: what you hand out belongs to the
# caller.


# %% tags=["exercise:01.4"] minutes=6 difficulty=1
def make_spaces(kitchen: Kitchen) -> tuple[gym.spaces.MultiDiscrete, gym.spaces.Discrete]:
    """Return the observation space and the action space of a robot in this kitchen."""
    # BEGIN SOLUTION
    observations = gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3])
    return observations, gym.spaces.Discrete(4)
    # END SOLUTION


def observe(kitchen: Kitchen, pose: tuple[int, int, int]) -> np.ndarray:
    """Return ``[row, col, heading, sensor]`` as a new int64 array of shape (4,)."""
    # BEGIN SOLUTION
    return np.array([*pose, sensor(kitchen, *pose)], dtype=np.int64)
    # END SOLUTION


# %% tags=["check:01.4"]
check("01.4")

# %% [markdown]
# A hint is at `hint("01.4")`.

# %% [markdown] tags=["hints:01.4"]
# 1. A space takes how many values there are, not the largest one: rows 0 to 6 are 7 values.
# 2. `gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3])`, and four actions for
#    `Discrete`.
# 3. `np.array([*pose, sensor(kitchen, *pose)], dtype=np.int64)` makes a new array each time.

# %% [markdown]
# `value in space` asks whether a value is allowed. **Predict** the four answers: an observation,
# the same with a row too many, the same as floats, and the plain number 4 as an action.

# %%
observations, actions = make_spaces(CLASSIC)
seen = observe(CLASSIC, CLASSIC.start)
print(observations, actions, seen)
print(seen in observations, seen + np.array([7, 0, 0, 0]) in observations)
print(seen * 1.0 in observations, 4 in actions)

# %% [markdown]
# The third answer surprises many people: `0.0` is not `0` here. A dtype is part of the promise.
#
# A space can also `sample()`. It has a generator of its own, which `env.reset(seed=...)` does not
# touch. That is why the random bot above called `env.action_space.seed(1)`.

# %% [markdown]
# ## Exercise 01.5: Paint what the robot sees
#
# A picture finds bugs that numbers hide: a robot in the wrong row is seen at once. Gymnasium's
# render mode `rgb_array` is a plain array, with no window and no screen, so it works on a server
# too.
#
# | what | colour (red, green, blue) |
# |---|---|
# | floor | `FLOOR` |
# | counter | `COUNTER` |
# | goal | `BUN` |
# | robot | `BODY`, with a bumper of `TYRE`, `size // 4` wide, along the edge that it faces |
#
# Each cell is a square of `size` pixels. Numbers run from 0 to 255, in dtype uint8. Paint the
# robot last, on a new array each time.


# %% tags=["exercise:01.5"] minutes=8 difficulty=2
def render(kitchen: Kitchen, pose: tuple[int, int, int], size: int) -> np.ndarray:
    """Return a picture: uint8 ``[rows * size, cols * size, 3]``, row 0 at the top."""
    # BEGIN SOLUTION
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row: int, col: int) -> np.ndarray:
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN

    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    fronts = [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]]
    fronts[heading][:] = TYRE
    return frame
    # END SOLUTION


# %% tags=["check:01.5"]
check("01.5")

# %% [markdown]
# A hint is at `hint("01.5")`. In pictures x comes first by habit, in arrays the row does:
# `frame[row, col]`. Only a kitchen that is not square shows the mistake.

# %% [markdown] tags=["hints:01.5"]
# 1. `np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)` is a clean
#    floor.
# 2. A cell is a slice, `frame[row * size : (row + 1) * size, col * size : (col + 1) * size]`, and
#    assigning a colour to it with `[:]` paints all its pixels.
# 3. Let `robot` be the robot's slice and `edge = size // 4`. The four fronts are `robot[:edge]`
#    for north, `robot[:, -edge:]` for east, `robot[-edge:]` for south, `robot[:, :edge]` for
#    west; `size` is 4 or more here.

# %%
figure = Figure(figsize=(4.6, 4.4), layout="constrained")
axes = figure.add_subplot()
axes.imshow(render(CLASSIC, (2, 4, 1), 48))
axes.set(title="Row 2, col 4, facing east", xlabel="pixels to the right", ylabel="pixels down")
with_alt(figure, "Your picture: the robot at row 2, col 4, its bumper to the east.")

# %% [markdown]
# ## Put the robot together
#
# All the parts are there. An environment is a class with two spaces and the methods `reset`,
# `step` and `render`. `metadata` says which render modes there are. Each method below is a line
# or two that calls what you wrote; a stub that is still empty shows up here as a
# `NotImplementedError` with the number of its exercise.


# %%
class MyBurgerBot(RandomStart):
    """BurgerBot, made of your own parts."""

    metadata = gym.Env.metadata | {"render_modes": ["rgb_array"], "render_fps": 8}

    def __init__(self, kitchen=CLASSIC, render_mode=None):
        super().__init__(kitchen)
        self.render_mode = render_mode
        self.observation_space, self.action_space = make_spaces(kitchen)

    def reset(self, *, seed=None, options=None):
        _, info = super().reset(seed=seed, options=options)
        return observe(self.kitchen, self.pose), info

    def step(self, action):
        self.pose, outcome, *rest = step(self.kitchen, self.pose, action)
        return observe(self.kitchen, self.pose), *rest, {"outcome": outcome}

    def render(self):
        return render(self.kitchen, self.pose, 48)


# %% [markdown]
# ## Exercise 01.6: Register it, and have it checked
#
# `gym.make` knows names, not classes. **Registering** ties a name to a class and to its step
# limit. Then `check_env` of Gymnasium resets and steps the robot in many ways, and raises an
# `AssertionError` where a promise is broken. But it matters *what* you give it. Here is a robot
# with a leak: without a seed, it makes itself a new generator.


# %%
class LeakyBot(gym.Env):
    """Looks well behaved, and cannot repeat a run."""

    observation_space, action_space = gym.spaces.Discrete(1000), gym.spaces.Discrete(4)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        generator = np.random.default_rng() if seed is None else self.np_random
        return generator.integers(1000), {}

    def step(self, action):
        return np.int64(0), 0.0, True, False, {}


check_env(LeakyBot(), skip_render_check=True)
print("no complaint")

# %% [markdown]
# It passes! An instance that you built by hand carries no registration (its `spec` is None), and
# without one the checker leaves out its test of repeated runs. So the order is:
#
# | step | what | why |
# |---|---|---|
# | 1 | take an older entry of this name out of the dict `gym.registry` | else a re-run warns |
# | 2 | `gym.register`: the name, the `entry_point`, the limit | now `gym.make` knows the name |
# | 3 | `gym.make` it | builds the robot and its wrappers |
# | 4 | `check_env` on the robot alone, without wrappers and options | it now has a `spec` |
# | 5 | return what `gym.make` made | the wrappers hold the limit |


# %% tags=["exercise:01.6"] minutes=5 difficulty=1
def register_bot(env_id: str, entry_point, max_episode_steps: int = 150) -> gym.Env:
    """Register a class under a name, make one, check it, and return what ``gym.make`` made."""
    # BEGIN SOLUTION
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env
    # END SOLUTION


# %% tags=["check:01.6"]
check("01.6")

# %% [markdown]
# A hint is at `hint("01.6")`. Now your robot:

# %% [markdown] tags=["hints:01.6"]
# 1. The table is five lines of code. A dictionary forgets a key by `pop(key, None)`, whether or not
#    the key is there.
# 2. `gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)`: hand on
#    the class as it is, do not call it.
# 3. `check_env` gets `env.unwrapped`, the caller gets `env`. Do not catch what `check_env` raises.

# %%
mine = register_bot("MyBurgerBot-v0", MyBurgerBot)
print(mine)

# %% [markdown]
# Your robot is an environment like any other now, with the three wrappers around it. Will the leak
# be found this time?

# %%
try:
    register_bot("LeakyBot-v0", LeakyBot)
except AssertionError as error:
    print(f"AssertionError: {error}")

# %% [markdown]
# It is found. Keep the habit: `check_env(gym.make(name).unwrapped)`.
#
# The checker is a net with holes, all the same. It lets through a robot that seeds `np.random`
# for the whole program, which is why the check of 01.3 looked for that itself. The library
# Stable-Baselines3, which you will use from lesson 09 on, has a `check_env` of its own. It asks
# what *its* algorithms need. **Predict**: does it find the leak?

# %%
from stable_baselines3.common.env_checker import check_env as sb3_check_env

sb3_check_env(mine.unwrapped)
sb3_check_env(LeakyBot())
print("Stable-Baselines3 has no objection to either")

# %% [markdown]
# It does not. Use both checkers, and do not lean on either alone.
#
# ## Your robot and the course's, side by side
#
# Is `MyBurgerBot-v0` the same world as `BurgerBot-v0`? Do not believe it: let both take the same
# actions from the same start, and compare everything that comes back. Random actions alone would
# not do, since they never deliver and never reach the limit: add a delivery and a long wait.
#
# This way to test, two implementations and one tape of actions, carries the whole course: slow
# and clear on one side, fast on the other.

# %%
theirs, rng = gym.make("BurgerBot-v0"), np.random.default_rng(1)
steps = differences = 0
for actions in [*rng.integers(4, size=(300, 150)), TAPE, [STOP] * 150]:
    mine.reset(options={"pose": CLASSIC.start}), theirs.reset()
    for action in actions:
        a, b = mine.step(action), theirs.step(action)
        differences += not (np.array_equal(a[0], b[0]) and a[1:4] == b[1:4])
        steps += 1
        if any(a[2:4] + b[2:4]):
            break
print(f"{steps} steps, {differences} differences")

# %% [markdown]
# No difference in observation, reward or flags: as far as these steps reach, it is the same
# world. Now drive your own. Every new episode begins somewhere else, thanks to your `reset`.

# %%
drive(mine)

# %% [markdown]
# ## When this goes wrong
#
# Some messages that you will meet, and here cause on purpose:

# %%
blunders = [
    lambda: gym.make("BurgerBott-v0"),
    lambda: gym.make("MyBurgerBot-v0").step(FORWARD),
    lambda: gym.make("BurgerBot-v0", render_mode="human"),
    lambda: theirs.unwrapped.step("north"),
]
for blunder in blunders:
    try:
        blunder()
    except Exception as error:
        print(f"{type(error).__name__}: {error}\n")

# %% [markdown]
# | what you see | what it is | what helps |
# |---|---|---|
# | `NameNotFound` | mistyped, or not registered in this kernel | `import burgerbot` |
# | `ResetNeeded` | a step before the first reset, or after the end | `reset()` first |
# | `not within the observation space` | a wrong dtype, shape or number | print `obs.dtype` |
# | a warning about a list | the right numbers, but no array | `np.array(..., dtype=np.int64)` |
# | episodes never end | the bare class or `.unwrapped`: no limit | use what `gym.make` made |
# | a longer limit has no effect | two `TimeLimit`s: the smaller one wins | limit in `gym.make` |
# | a limit looks like a crash | the robot counts steps itself | leave that to `TimeLimit` |
# | `human` is refused | it would open a window, and there is none | `rgb_array` or `ansi` |
# | an edited class acts as before | the register holds the old one | `register_bot` again |
# | new random actions at each run | spaces have seeds too | `env.action_space.seed(1)` |
#
# The limit of a registered name can be changed when you make it, as in `gym.make("BurgerBot-v0",
# max_episode_steps=400)`. And robots that you made before an edit stay what they were: run all
# the cells from your change down.

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - Draw a kitchen of your own as text, and drive it: `drive(kitchen=">..\n.O.\n..G")`. Can you
#   draw one in which the shortest way is hard to see?
# - Give `MyBurgerBot` a fifth action, `reverse`. Which of your functions change? Which check of
#   this lesson fails first, and is it right to?
# - Make a film: collect `render` after every step of an episode, and show every third frame.
# - Break a promise of your robot on purpose: a flag, a dtype, a shared array. Which of the two
#   checkers finds it?
#
# ## What was measured
#
# A random bot: how its episodes end and how long they are. Four tapes: every combination of the
# two flags that can end an episode. Your robot against `BurgerBot-v0`: equal, step by step.
#
# ## Sources
#
# - Gymnasium, [Create a custom
#   environment](https://gymnasium.farama.org/introduction/create_custom_env/) and [Handling time
#   limits](https://gymnasium.farama.org/tutorials/gymnasium_basics/handling_time_limits/)
# - Towers and others (2024), [Gymnasium: a standard interface for reinforcement learning
#   environments](https://arxiv.org/abs/2407.17032)
# - Pardo and others (2018), [Time limits in reinforcement
#   learning](https://arxiv.org/abs/1712.00378): why the two flags are not one
# - Sutton and Barto (2018), *Reinforcement Learning: An Introduction*, chapter 3
#
# Previous: [Start here](00_start_here.ipynb) · Next: [02 · What is
# optimal?](02_what_is_optimal.ipynb)
