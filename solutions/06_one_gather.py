# %% [markdown] minutes=60
# # 06 · One gather: can N robots take one step in one line?
#
# In this lesson you build a vector environment of your own, in which all robots step at once, and
# measure it against Gymnasium's and against compiled programs.
#
# Afterwards you can
#
# 1. pack the rules of a world into one table, and step N robots with one look-up;
# 2. reset the robots whose episode is over, without a loop and without losing a final observation;
# 3. put many kitchens into one table, and hand out arrays that nobody spoils later.
#
# **Time** about 60 minutes. **You need** lessons [01](01_burgerbot_env.ipynb),
# [02](02_what_is_optimal.ipynb) and [04](04_autoreset.ipynb). **The machine** can be any laptop:
# one cell measures for some seconds.
#
# Previous: [05 · Async](05_async.ipynb) · Next: [07 · Running moments](07_running_moments.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses: the rewards of `BurgerBot-v0`, and `rng`, from which all
# random numbers of the lesson come. Run it first.

# %% tags=["imports"]
import timeit

import gymnasium as gym
import numpy as np

from burgerbot import show
from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import oracle
from burgerbot.scale import bench
from burgerbot.world import draws, rules
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import ACTIONS, FORWARD, V0_REWARDS, V1_REWARDS, compile_kitchen
from burgerbot.world.strata import random_kitchen

REWARDS, rng = np.array(V0_REWARDS), np.random.default_rng(6)

# %% [markdown]
# ## Where the time goes
#
# Lesson 03 asked the network about all robots at once, and then the loop over the robots was the
# slow part, since Python does a little work around every step: it calls a function, checks the
# action, makes a tuple. Lesson 05 gave that work to other
# processes. It only paid when a step was expensive. BurgerBot's step is cheap: one look-up in a
# table. So do not spread the work out. Get rid of it.
#
# NumPy can look up many entries in one call: index an array with an *array* of positions, and you
# get an array of entries. This is called a **gather**.

# %%
shelf = np.array([10, 11, 12, 13, 14, 15])
places = np.array([5, 0, 0, 3])
print(shelf[places])

# %% [markdown]
# Four look-ups, one call. A place may come twice, and in any order. If the places are what the
# robots' states and actions say, and the shelf holds the rules, then one gather is one step of all
# robots.
#
# The rules come as two arrays, `[S, 4]`: for each of the S states and four actions, the next state
# and the outcome. Here they are, for any kitchen:


# %% tags=["given"]
def every_step(kitchen):
    """What each action leads to from each state: next states and outcomes, both ``[S, 4]``."""
    compiled = compile_kitchen(kitchen)
    return rules.step(compiled.table, np.arange(compiled.num_states)[:, None], np.arange(4))


# %%
next_state, outcome = every_step(CLASSIC)
print(next_state.shape, next_state[1], outcome[1])

# %% [markdown]
# Row 1 is the start: row 0, column 0, facing east. Forward leads to state 5 and is a move (1). The
# other three are idle (0).
#
# Two arrays would take two gathers. Both answers fit into *one* number: that is what lesson 02's
# `next_state << 2 | outcome` was for. There you packed Python's numbers, one by one. They grow as
# they need. The numbers of an array have a fixed width. **Predict** what this prints: 16,383 is the
# last state of a kitchen of 64 by 64 cells, and 16,383 times 4 is 65,532.

# %%
print(np.array([16_383], dtype=np.int16) << 2)

# %% [markdown]
# The bits that stuck out on the left are gone, without a word. A robot that follows this entry is
# somewhere else. Hold on to this when you pack.

# %% [markdown]
# ## Exercise 06.1: Pack the table
#
# All the speed of this lesson comes from a table that is small, flat and right. Small means: int32,
# so that even large kitchens fit into the processor's cache, the little memory that is much faster
# than the rest.
#
# | bits of an entry | 31 | 30 ... 2 | 1, 0 |
# |---|---|---|---|
# | what they hold | the sign: 0 | the next state, 29 bits | the outcome, 0 to 3 |
#
# | function | takes | returns |
# |---|---|---|
# | `pack` | two `[S, 4]` arrays of *any* integer dtype, uint8 and int16 too | int32 `[S * 4]` |
# | | a state that is not 0 to 2**29 - 1 | raises `ValueError` |
# | `unpack` | one entry, or an array of entries of any shape | two of that shape |
#
# Entry `s * 4 + a` belongs to state s and action a. The arrays that you are given are not yours:
# change neither. (Outcomes are always 0 to 3; you need not check them.)


# %% tags=["exercise:06.1"] minutes=8 difficulty=1
def pack(next_state: np.ndarray, outcome: np.ndarray) -> np.ndarray:
    """Return int32 ``[S * 4]``: ``table[s * 4 + a] = next_state[s, a] << 2 | outcome[s, a]``."""
    # BEGIN SOLUTION
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError(f"expected states from 0 to 2**29 - 1, got {wide.min()} to {wide.max()}")
    return (wide << 2 | outcome.astype(np.int64)).astype(np.int32).ravel()
    # END SOLUTION


def unpack(entry):
    """Return ``(next_state, outcome)`` of an entry, or of an array of them."""
    # BEGIN SOLUTION
    return entry >> 2, entry & 3
    # END SOLUTION


# %% tags=["check:06.1"]
check("06.1")

# %% [markdown]
# Stuck? Run `hint("06.1")` in a new cell; each call says a little more. After a pass,
# `solution("06.1")` shows one way to write it.

# %% [markdown] tags=["hints:06.1"]
# 1. `<<` works in the dtype of its array. So make the array wider first, then shift, and turn the
#    result into int32 at the end.
# 2. `wide = next_state.astype(np.int64)` is a new array with room enough. Test it before you
#    shift: `(wide < 0).any() or (wide >= 2**29).any()`.
# 3. `(wide << 2 | outcome.astype(np.int64)).astype(np.int32).ravel()` is the table, row after row.
#    Unpacking is `entry >> 2` and `entry & 3`, for one entry as for many.

# %% [markdown]
# Look at the four entries of the start, in binary. The last two digits are the outcome.

# %%
table = pack(next_state, outcome)
for action, name in enumerate(ACTIONS):
    entry = table[1 * 4 + action]
    print(f"{name:10} {entry:3} = {entry:07b}   next state, outcome:", *unpack(entry))
print("equal to the package's table:", np.array_equal(table, compile_kitchen(CLASSIC).table))

# %% [markdown]
# ## Exercise 06.2: Step all robots at once
#
# This is the line that the lesson is named after. It takes the place of N calls of `step`, and
# there must be no loop in it: the check counts how many lines of Python run, with 20 robots and
# with 2,000.
#
# ```
# for i in range(N):                                  # the slow way
#     a = FORWARD if draw[i] < slip else action[i]    # grease: it slides
#     entry = table[state[i] * 4 + a]
#     next_state[i] = entry >> 2
#     reward[i] = rewards[entry & 3]
#     terminated[i] = entry & 3 >= 2                  # crashed or delivered
# ```
#
# | argument | kind |
# |---|---|
# | `table` | int32 `[S * 4]`, packed |
# | `rewards` | float64 `[4]`, one an outcome |
# | `state`, `action` | integers `[N]` |
# | `draw`, `slip` | a random number from 0 to 1 for each robot `[N]`, and a probability |
#
# The random draws are an argument, so the function is pure: the same arguments give the same
# result, and two programs can be compared draw for draw. Left out, they mean a dry floor. FORWARD
# is 0. `np.where(condition, a, b)` makes a new array that takes `a` where the condition holds, and
# `b` elsewhere.


# %% tags=["exercise:06.2"] minutes=8 difficulty=1
def batched_step(
    table: np.ndarray,
    rewards: np.ndarray,
    state: np.ndarray,
    action: np.ndarray,
    draw: np.ndarray | float = 1.0,
    slip: float = 0.0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ``(next_state, reward, terminated)``: integers, float64 and bool, each ``[N]``."""
    # BEGIN SOLUTION
    action = np.where(draw < slip, FORWARD, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2
    # END SOLUTION


# %% tags=["check:06.2"]
check("06.2")

# %% [markdown]
# A hint is at `hint("06.2")`.

# %% [markdown] tags=["hints:06.2"]
# 1. Leave the loop's lines as they are and take the `[i]` away: with arrays in place of numbers,
#    each line does all robots. Only the `if` needs another form.
# 2. `action = np.where(draw < slip, FORWARD, action)` makes a new array; the caller's stays.
# 3. `entry = table[state * 4 + action]` is the gather. `rewards[entry & 3]` is a second, tiny one.

# %% [markdown]
# **Predict**, before you run the next cell: a step of 1,000 robots takes how many times as long as
# a step of one robot? Write a number down. The loop from the exercise stands beside yours.


# %%
def slow_step(table, rewards, state, action):
    """The loop of the exercise, on a dry floor."""
    entries = [table[s * 4 + a] for s, a in zip(state, action, strict=True)]
    return [(entry >> 2, rewards[entry & 3], entry & 3 >= 2) for entry in entries]


sizes, seconds = [1, 10, 100, 1_000, 10_000, 100_000], {slow_step: [], batched_step: []}
for number in sizes:
    robots = rng.integers(196, size=number), rng.integers(4, size=number)
    for function, found in seconds.items():
        call, calls = lambda f=function, r=robots: f(table, REWARDS, *r), max(3, 2_000 // number)
        found.append(min(timeit.repeat(call, number=calls, repeat=3)) / calls)
few, many = seconds[batched_step][0], seconds[batched_step][3]
print(f"1,000 robots take {many / few:.1f} times as long as one")
print(f"with 100,000, each robot takes {seconds[batched_step][-1] * 1e4:.1f} nanoseconds")

# %%
show.line_chart(
    {f.__name__: (sizes, np.array(found) * 1e6) for f, found in seconds.items()},
    title="How long one step of all robots takes",
    xlabel="robots, N",
    ylabel="microseconds a call",
    logx=True,
    logy=True,
    alt="Microseconds a call against N, log axes. The loop is a straight line upwards. The gather "
    "is flat up to about a hundred robots, rises after that, and stays far below the loop.",
)

# %% [markdown]
# The loop is a straight line: ten times the robots, ten times the time. Your line begins *flat*:
# with few robots you pay for calling NumPy, and the robots come nearly free. Later its time grows
# with N too, but far below the loop. With a single robot your function is the slower one. A gather
# pays for many.

# %% [markdown]
# ## Exercise 06.3: Reset without a loop
#
# Robots crash, deliver and run out of time at different moments. A vector environment puts each of
# them back to the start when its episode is over. Lesson 04 showed three modes; you write
# SAME_STEP: the reset happens in the step that ends the episode. The difficulty is to lose
# nothing. Where the robot *was* when it ended is needed later, to learn from.
#
# ```
# for i in range(N):
#     count = elapsed[i] + 1
#     truncated[i] = count >= limit
#     over = terminated[i] or truncated[i]
#     final[i] = after[i]                 # where the action led, for every robot
#     state[i] = start[i] if over else after[i]
#     new_elapsed[i] = 0 if over else count
# ```
#
# | argument | what |
# |---|---|
# | `after` | integers `[N]`, where the actions led: from `batched_step` |
# | `terminated` | bool `[N]`, from `batched_step` |
# | `elapsed` | integers `[N]`, the steps of each episode before this one |
# | `start` | integers `[N]`, one start for each robot |
# | `limit` | the step limit, one number |
#
# A step that terminates at the limit has both flags, as in lesson 01. Change none of the arguments:
# `after[over] = start[over]` would be short, and it would overwrite the final states. `np.where`
# makes new arrays.


# %% tags=["exercise:06.3"] minutes=8 difficulty=2
def auto_reset(
    after: np.ndarray,
    terminated: np.ndarray,
    elapsed: np.ndarray,
    start: np.ndarray,
    limit: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return ``(state, elapsed, truncated, final)``, each ``[N]``."""
    # BEGIN SOLUTION
    count = elapsed + 1
    truncated = count >= limit
    over = terminated | truncated
    return np.where(over, start, after), np.where(over, 0, count), truncated, after
    # END SOLUTION


# %% tags=["check:06.3"]
check("06.3")

# %% [markdown]
# A hint is at `hint("06.3")`.

# %% [markdown] tags=["hints:06.3"]
# 1. Again, take the `[i]` away. `or` between arrays is written `|`, and `x if c else y` is
#    `np.where(c, x, y)`.
# 2. `count = elapsed + 1` is a new array; `elapsed += 1` would write into the caller's.
# 3. With `over = terminated | truncated`, the new states are `np.where(over, start, after)` and
#    the new counters `np.where(over, 0, count)`. `after` itself will do for `final`.

# %% [markdown]
# Six robots drive at random, with a limit of 10 steps. Write down the flags of every step, and draw
# them as in lesson 04. **Predict** first: will you see a hatched cell, a reset row that is no
# transition?

# %%
start = np.ones(6, dtype=np.int64)
state, elapsed, log = start, np.zeros(6, dtype=np.int64), []
for action in rng.choice(4, size=(30, 6), p=[0.4, 0.2, 0.2, 0.2]):
    after, _, terminated = batched_step(table, REWARDS, state, action)
    state, elapsed, truncated, final = auto_reset(after, terminated, elapsed, start, 10)
    log.append((terminated, truncated))
ends, cuts = np.moveaxis(log, 1, 0)
panel = {"terminated": ends, "truncated": cuts, "reset": ends & False, "in_info": ends | cuts}
show.autoreset_timeline({"your SAME_STEP": panel}, title="Six random robots, a limit of 10 steps")

# %% [markdown]
# No row is a reset row: every cell is a transition, and whoever learns from it can use them all.
# The final observations come out beside the new ones, where the mark is.

# %% [markdown]
# ## Exercise 06.4: Put many kitchens into one table
#
# A robot that has seen one kitchen knows one kitchen. To learn to drive anywhere, it needs many,
# and all its copies should still step in one gather. The trick is to number the states of all
# kitchens through: S states for kitchen 0, then S states for kitchen 1, and so on.
#
# | kitchen | its states | its entries | offset |
# |---|---|---|---|
# | 0 | 0 to S - 1 | 0 to 4 S - 1 | 0 |
# | 1 | S to 2 S - 1 | 4 S to 8 S - 1 | S |
# | k | from k S on | from 4 k S on | k S |
#
# So the tables stand one after another. But an entry of kitchen k holds a *local* next state, 0 to
# S - 1. Left like that, every robot would jump into kitchen 0 at its first step. The offset must be
# added to the next state inside the entry, and must leave the outcome alone.
#
# | function | what it does |
# |---|---|
# | `stack_tables(tables)` | K packed tables of one size, int32 `[S * 4]`, become `[K * S * 4]` |
# | `place(kitchen, local, num_states)` | the state among all kitchens: numbers or arrays |
# | `locate(state, num_states)` | the way back: `(kitchen, local)` |
#
# The tables that you are given are shared by everybody who uses those kitchens. Do not write into
# them.


# %% tags=["exercise:06.4"] minutes=8 difficulty=2
def stack_tables(tables: list[np.ndarray]) -> np.ndarray:
    """Join K packed tables of one size into one: int32 ``[K * S * 4]``."""
    # BEGIN SOLUTION
    num_states = len(tables[0]) // 4
    joined = [table + (k * num_states << 2) for k, table in enumerate(tables)]
    return np.concatenate(joined).astype(np.int32)
    # END SOLUTION


def place(kitchen, local, num_states: int):
    """Return the state among all kitchens that is state ``local`` of ``kitchen``."""
    # BEGIN SOLUTION
    return kitchen * num_states + local
    # END SOLUTION


def locate(state, num_states: int):
    """Return ``(kitchen, local)`` of a state among all kitchens."""
    # BEGIN SOLUTION
    return state // num_states, state % num_states
    # END SOLUTION


# %% tags=["check:06.4"]
check("06.4")

# %% [markdown]
# A hint is at `hint("06.4")`.

# %% [markdown] tags=["hints:06.4"]
# 1. A table has four entries a state: S is `len(tables[0]) // 4`. The offset of kitchen k is k
#    times S.
# 2. The next state stands two bits to the left in its entry. So the offset must be shifted too:
#    `table + (offset << 2)`. It makes a new array, which `table += ...` does not.
# 3. `np.concatenate([table + (k * num_states << 2) for k, table in enumerate(tables)])`. The loop
#    runs once for each kitchen, when the table is made, and never again.

# %% [markdown]
# ## Put it together
#
# Your functions make a vector environment. Everything else in it is bookkeeping: the table, the
# table of what is seen in each state (`sees`), and where each robot starts. Robot i drives in
# kitchen `which[i]`. `sees.take(state, axis=0)` is `sees[state]`: a gather of whole rows, for which
# `take` is much the faster way to say it.


# %%
class MyVectorEnv:
    """N robots in K kitchens of one size, all in one gather; SAME_STEP auto-reset."""

    def __init__(self, kitchens, num_envs, limit=150, slip=0.0, rewards=V0_REWARDS):
        compiled = [compile_kitchen(kitchen) for kitchen in kitchens]
        self.table = stack_tables([pack(*every_step(kitchen)) for kitchen in kitchens])
        self.sees = np.concatenate([c.observations for c in compiled])
        self.rewards, self.limit, self.slip = np.array(rewards), limit, slip
        self.num_envs, self.num_states = num_envs, compiled[0].num_states
        self.which = np.arange(num_envs) % len(kitchens)
        starts = np.array([c.start for c in compiled])
        self.start = place(self.which, starts[self.which], self.num_states)

    def reset(self, seed=None):
        self.state, self.elapsed = self.start, np.zeros(self.num_envs, dtype=np.int64)
        return self.sees.take(self.state, axis=0), {}

    def step(self, action, draw=1.0):
        after, reward, terminated = batched_step(
            self.table, self.rewards, self.state, action, draw, self.slip
        )
        self.state, self.elapsed, truncated, final = auto_reset(
            after, terminated, self.elapsed, self.start, self.limit
        )
        infos = {"final_obs": self.sees.take(final, axis=0), "final_state": final}
        return self.sees.take(self.state, axis=0), reward, terminated, truncated, infos


# %% [markdown]
# In Gymnasium's SAME_STEP, `final_obs` holds an observation where an episode ended, and None
# elsewhere. Yours holds what every robot saw where its action led: one more gather, and no None.
#
# ### The same world?
#
# Compare it with the scalar `BurgerBot-v0`, robot by robot and step by step, on a tape of random
# actions: observations (the final ones too), rewards and both flags. To make every kind of ending
# common, the kitchens are small, the limit is short and the floor is greasy. Each robot's draws
# come from a stream of its own (`draws`), so both sides slide alike.

# %%
kitchens = [Kitchen.from_ascii(m) for m in (">..\n.O.\n..G", ">.G\n...\nO..", "v..\nG.O\n...")]
mine = MyVectorEnv(kitchens, num_envs=24, limit=9, slip=0.2)
options = {"max_episode_steps": 9, "slip": 0.2}
theirs = [gym.make("BurgerBot-v0", kitchen=kitchens[k], **options) for k in mine.which]
keys, counts = draws.stream(np.arange(24, dtype=np.uint64)), np.zeros(5, dtype=int)
mine.reset()
for seed, env in enumerate(theirs):
    env.reset(seed=seed)
for t, action in enumerate(rng.choice(4, size=(500, 24), p=[0.6, 0.15, 0.2, 0.05])):
    draw = draws.uniform(keys, np.full(24, t, dtype=np.uint64))
    obs, reward, terminated, truncated, infos = mine.step(action, draw)
    for i, env in enumerate(theirs):
        seen, *rest, _ = env.step(action[i])
        same = np.array_equal(infos["final_obs"][i], seen)
        same &= [reward[i], terminated[i], truncated[i]] == rest
        next_seen = env.reset()[0] if rest[1] or rest[2] else seen
        same &= np.array_equal(obs[i], next_seen)
        counts += same, not same, rest[1], rest[2], rest[1] and rest[2]
print("equal {}, differences {}; terminated {}, truncated {}, both {}".format(*counts))

# %% [markdown]
# Thousands of steps, endings of every kind, and no difference: as far as these steps reach, it is
# the same world.
#
# ### A wall of robots
#
# Now let it play. Twelve random kitchens in which a delivery takes ten steps or more, a greasy
# floor, and a policy: `oracle` computes the best action for each state of each kitchen, as you did
# in lesson 02. A policy of this kind is a table too, so picking the actions of all robots is one
# more gather: `policy[state]`.

# %%
drawn = [random_kitchen(name, seed) for seed in range(40) for name in ("cluttered", "corridor")]
kitchens = [k for k in drawn if oracle.delivery_length(compile_kitchen(k)) >= 10][:12]
models = [oracle.model(compile_kitchen(k), V1_REWARDS, slip=0.15) for k in kitchens]
policy = np.concatenate([oracle.value_iteration(m, 0.97)[1].argmax(axis=1) for m in models])
envs = MyVectorEnv(kitchens, num_envs=12, slip=0.15)
envs.reset()
states, paid = [envs.state], []
for _ in range(60):
    _, reward, _, _, infos = envs.step(policy[envs.state], rng.random(12))
    states.append(infos["final_state"])
    paid.append(reward)
for name in ("delivered", "crashed"):
    print(name, np.sum(np.array(paid) == getattr(V0_REWARDS, name)), "times in 60 steps")

# %%
local = locate(np.array(states), envs.num_states)[1]
show.play_wall(kitchens, local, title="Twelve robots, twelve kitchens, one table")

# %% [markdown]
# Press play. Each robot follows the best policy for its own kitchen, and on grease even that one
# crashes now and then. You see `final_state`, where the actions led: a robot that has come to its
# burger starts again at once, and its next picture is one step from the start.

# %% [markdown]
# ## Whose array is it?
#
# Your `step` makes new arrays each time. Would it not be faster to make them once, and write into
# them ever after? Many environments do. Here is one. It gives the right numbers, and it has five
# leaks.


# %% tags=["given"]
class LeakyVectorEnv:
    """N robots in one kitchen, SAME_STEP auto-reset; right numbers, and five leaks."""

    def __init__(self, kitchen, num_envs, limit=150):
        self.rules, self.limit = compile_kitchen(kitchen), limit
        self.state = np.full(num_envs, self.rules.start)
        self.elapsed = np.zeros(num_envs, dtype=np.int64)
        self.visits = np.zeros(self.rules.num_states, dtype=np.int64)
        self.seen = np.empty((num_envs, 4), dtype=np.int64)

    def look(self):
        return np.take(self.rules.observations, self.state, axis=0, out=self.seen)

    def reset(self, options):
        mask = options.pop("reset_mask")
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}

    def step(self, action, slides):
        action[slides] = FORWARD
        entry = self.rules.table[self.state * 4 + action]
        self.state[:] = entry >> 2
        self.elapsed += 1
        self.visits[self.state] += 1
        reward, terminated = REWARDS[entry & 3], entry & 3 >= 2
        truncated = self.elapsed >= self.limit
        infos = {"final_obs": self.look(), "elapsed": self.elapsed}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), reward, terminated, truncated, infos


# %% [markdown]
# Let one robot drive forward twice, turn right, and drive forward once more, and collect what it
# sees, as every learning program does. **Predict** the five pairs of row and column.


# %%
def collect(envs):
    """What one robot sees on its way: row and column of five observations."""
    seen = [envs.reset({"reset_mask": np.array([True])})[0]]
    for action in (0, 0, 2, 0):
        seen.append(envs.step(np.array([action]), np.array([False]))[0])
    return [observation[0, :2].tolist() for observation in seen]


print(collect(LeakyVectorEnv(CLASSIC, num_envs=1)))

# %% [markdown]
# The robot drove from row 0, column 0 to row 1, column 2, and the list says that it was there all
# the time. It holds five names of *one* array. No error, no warning: a network that learns from
# this sees the present in place of the past, and you look for the fault in the network.
#
# Two names for one piece of memory: that is **aliasing**, which lesson 05 met with `copy=False`. It
# bites in both directions: what an environment hands out, and what it is handed.

# %% [markdown]
# ## Exercise 06.5: Mend the leaks
#
# The rule is short: *arrays returned to a caller are the caller's, and so are the arguments.* No
# later step changes the first, and no step writes into the second. Below is what a user of
# `LeakyVectorEnv` reported. Find the five lines, and write the three methods anew.
#
# | what the user saw | what it is |
# |---|---|
# | a rollout holds the same observation T times; `final_obs` shows the start | one buffer for all |
# | `infos["elapsed"]` is 0 where an episode has just ended | the env's own counters, handed out |
# | the second run of a tape of actions is another run | the caller's actions, written into |
# | the second `reset(options)` raises `KeyError: 'reset_mask'` | the caller's dictionary, emptied |
# | `visits` adds up to less than robots times steps | see below |
#
# `slides` is a bool array that says which robots slide in this step. `visits` counts, over all
# robots, how often an action led to each state (before any reset). The last leak is aliasing of
# another kind: two robots in one state are two names for one counter. You met it in lesson 03.

# %%
meet = np.array([0, 0, 1])
fancy, every = np.zeros(3, dtype=int), np.zeros(3, dtype=int)
fancy[meet] += 1
np.add.at(every, meet, 1)
print(fancy, every)

# %% [markdown]
# `fancy[meet] += 1` reads three counters, adds 1 to each, and writes three back. Two of them go to
# the same place. `np.add.at` adds one by one.


# %% tags=["exercise:06.5"] minutes=12 difficulty=2
class TightVectorEnv(LeakyVectorEnv):
    """The same robots; nothing handed out changes later, and no argument is written into."""

    def look(self) -> np.ndarray:
        """What each robot sees now: int64 ``[N, 4]``."""
        # BEGIN SOLUTION
        return self.rules.observations[self.state]
        # END SOLUTION

    def reset(self, options: dict) -> tuple[np.ndarray, dict]:
        """Begin the episodes of ``options["reset_mask"]``; return all observations, and ``{}``."""
        # BEGIN SOLUTION
        mask = options["reset_mask"]
        self.state[mask], self.elapsed[mask] = self.rules.start, 0
        return self.look(), {}
        # END SOLUTION

    def step(self, action: np.ndarray, slides: np.ndarray) -> tuple:
        """Return ``(observations, reward, terminated, truncated, infos)`` as before."""
        # BEGIN SOLUTION
        entry = self.rules.table[self.state * 4 + np.where(slides, FORWARD, action)]
        self.state, self.elapsed = entry >> 2, self.elapsed + 1
        np.add.at(self.visits, self.state, 1)
        truncated, terminated = self.elapsed >= self.limit, entry & 3 >= 2
        infos = {"final_obs": self.look(), "elapsed": self.elapsed.copy()}
        done = terminated | truncated
        self.state[done], self.elapsed[done] = self.rules.start, 0
        return self.look(), REWARDS[entry & 3], terminated, truncated, infos
        # END SOLUTION


# %% tags=["check:06.5"]
check("06.5")

# %% [markdown]
# A hint is at `hint("06.5")`.

# %% [markdown] tags=["hints:06.5"]
# 1. Begin with a copy of the three methods. Look for `out=`, `pop`, a `[...] =` on an argument,
#    an array of `self` inside `infos`, and `+=` with an array as index.
# 2. `self.rules.observations[self.state]` is a new array each time. `np.where(slides, FORWARD,
#    action)` is one too. `options["reset_mask"]` reads and leaves.
# 3. `self.elapsed.copy()` for the infos, before the reset writes into the counters;
#    `np.add.at(self.visits, self.state, 1)` for the visits. Everything else may stay.

# %% [markdown]
# The same drive again, with your env:

# %%
print(collect(TightVectorEnv(CLASSIC, num_envs=1)))

# %% [markdown]
# Five observations, five arrays. And `visits` tells where robots spend their time: 5,000 random
# robots in the classic kitchen, 30 steps. Each number counts how often an action led to that cell.

# %%
tight = TightVectorEnv(CLASSIC, num_envs=5_000)
tight.reset({"reset_mask": np.ones(5_000, dtype=bool)})
for action in rng.integers(4, size=(30, 5_000)):
    tight.step(action, np.zeros(5_000, dtype=bool))
print(tight.visits.reshape(7, 7, 4).sum(axis=2), tight.visits.sum())

# %% [markdown]
# All 150,000 steps are there. Most of them lie near the start: random robots do not get far, which
# lesson 01 showed one episode at a time. Here it took a blink.

# %% [markdown]
# ## How fast is it?
#
# Measure. The systems take turns, each figure is the median of some rounds, the actions are drawn
# beforehand, and every system resets its robots by itself. `native` is what
# `gym.make_vec("BurgerBot-v0", num_envs=N)` gives: the same gather as yours, behind Gymnasium's
# whole interface, with checked actions and all modes. **Predict** by which factor yours beats
# `SyncVectorEnv` with 512 robots.

# %%
makers = {
    "yours": lambda n: MyVectorEnv([CLASSIC], n),
    "SyncVectorEnv": lambda n: gym.make_vec("BurgerBot-v0", n, vectorization_mode="sync"),
    "native": lambda n: gym.make_vec("BurgerBot-v0", n),
}
sizes, most = [1, 8, 64, 512, 1_024, 4_096, 16_384], {"SyncVectorEnv": 1_024}
systems = [
    bench.vector_system(name, make(n), calls=max(5, min(1_000, 4 * most.get(name, 50_000) // n)))
    for name, make in makers.items()
    for n in sizes
    if n <= most.get(name, n)
]
rate = {name: {} for name in makers}
for row in bench.measure(systems, rounds=budget(7, fast=2)):
    rate[row.system][row.num_envs] = row.steps_per_second
print(f"512 robots: yours is {rate['yours'][512] / rate['SyncVectorEnv'][512]:.0f} times as fast")

# %% [markdown]
# And the programs that were written for speed? **EnvPool** runs its environments in C++, on several
# threads. **gymnax** writes them in JAX, which compiles a whole rollout, steps and random actions
# and all, to one program. Each asks for an environment of its own, so you need not install them.
# The table below was measured beforehand, on one machine, in runs that took the peers and the
# native env in turn: how many times as fast the native env was, with 64, 1,024 and 16,384 robots.
# The worlds are not the same (both peers ran FrozenLake, a robot on ice), so read it for the order
# of magnitude.

# %%
MEASURED = "30 November 2026, 2 cores of an Intel Xeon at 2.6 GHz, median of 3 runs"
RATIOS = {
    "EnvPool": {64: 14, 1_024: 59, 16_384: 157},
    "gymnax": {64: 1.3, 1_024: 11, 16_384: 10},
}

# %%
print(MEASURED)
for name, ratios in RATIOS.items():
    print(f"native / {name}:", ", ".join(f"{r} with {n:,}" for n, r in ratios.items()))

# %%
lines = {name: ([*found], [*found.values()]) for name, found in rate.items()}
for name, ratios in RATIOS.items():
    lines[f"{name}, by ratio"] = [*ratios], [rate["native"][n] / r for n, r in ratios.items()]
show.throughput_chart(lines, title="Robot steps per second on this machine", crossover=False)

# %% [markdown]
# Read the chart from the left. With one robot there is nothing to gain. Then `SyncVectorEnv` rises
# a little and stays there, since each robot costs it the same, and the gathers climb, until the
# time goes into moving memory and no more into calling NumPy. `native`, in its default mode
# NEXT_STEP, has more to check than yours, and no final observations to look up. The lines of the
# two compiled systems are not measured on your machine: they stand where the ratios above put them,
# seen from `native` as it runs here. And the arrays that are made anew in each step? They are part
# of `yours` and of `native`. The speed is there without a shared buffer.
#
# Why is plain NumPy not slower than C++? Because the loop over the robots *is* compiled: it is
# NumPy's, and it does almost nothing, since the rules were worked out beforehand. EnvPool steps
# each robot by its own rules, and hands work to threads and back. gymnax computes the rules and the
# random numbers in each step. Where no table can hold the rules, as in physics, a gather is no
# help, and programs like these two are what you want. gymnax also runs on a graphics chip. Lesson
# 14 takes your gather there.
#
# To measure the peers yourself, make an environment for them (`python -m venv peers`), install
# `envpool==1.2.5 jax==0.10.2 gymnax==1.0.1 gymnasium==1.3.0 six` there, time the loops below for
# each N, and run `python -m burgerbot bench` right before and after. Take EnvPool's better result
# of one and two threads, and divide. (The native env had Python 3.11 and NumPy 2.4.6.)
#
# ```
# envs = envpool.make(
#     "FrozenLake8x8-v1", env_type="gymnasium", num_envs=N, num_threads=threads
# )
# envs.reset()
# for action in actions:              # int32 [100, N], drawn beforehand
#     envs.step(action)
#
# env, params = gymnax.make("FrozenLake-misc")
# v_reset = jax.vmap(env.reset, (0, None))
# v_step = jax.vmap(env.step, (0, 0, 0, None))
#
# @jax.jit
# def rollout(key):                   # T steps of N robots in one program
#     def step(state, key):
#         k1, k2 = jax.random.split(key)
#         action = jax.random.randint(k1, (N,), 0, 4)
#         split = jax.random.split(k2, N)
#         obs, state, reward, *_ = v_step(split, state, action, params)
#         return state, (obs.sum(), reward.sum())
#     _, state = v_reset(jax.random.split(key, N), params)
#     return jax.lax.scan(step, state, jax.random.split(key, T))[1]
# ```

# %% [markdown]
# ## When this goes wrong
#
# A gather believes nearly everything. Here are two inputs that are wrong, on your `batched_step`.
# Neither raises an error. **Predict** what each gives.

# %%
robots = np.array([1, 5, 9])
for action in ([4, 0, -1], [[0], [0], [0]]):
    print(batched_step(table, REWARDS, robots, np.array(action))[0].tolist())

# %% [markdown]
# Action 4 of state 1 is action 0 of state 2: a robot that faced east has driven off to the south.
# Action -1 is the last action of the state before. And a *column* of actions, `[3, 1]`, meets the
# row of states, `[3]`, and gives every robot every action. The native env checks actions for all
# that, which takes a part of its time:

# %%
envs = gym.make_vec("BurgerBot-v0", num_envs=3)
envs.reset(seed=1)
for action in ([4, 0, -1], [[0], [0], [0]], [0.0, 0.0, 0.0]):
    try:
        envs.step(np.array(action))
    except (TypeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# | what you see | what it is | what helps |
# |---|---|---|
# | robots in impossible places | bits lost in int8 or int16 | widen, shift, check the range |
# | row 0 minus 1 is 255 | a place kept as uint8 wraps around | int64 for what you calculate with |
# | all robots end up in kitchen 0 | local next states in the joined table | offset in the entry |
# | robots jump to odd places, in kitchen 0 too | an offset without a shift | `offset << 2` |
# | `[N, N]` where you want `[N]` | a column met a row | check shapes at the door |
# | episodes one step too long | `elapsed > limit`, or the reset counted as a step | `>=` |
# | `final_obs` shows the start | one array under two names | look before the reset, in a copy |
# | every robot starts where robot 0 does | `start[0]`, kept once for all | `start`, one a robot |
# | all steps of a rollout look alike | it holds one buffer T times | new arrays in each step |
# | visits are missing | `+=` with an index that occurs twice | `np.add.at` |
# | fast with many robots, slow with few | the cost of calling NumPy | use `SyncVectorEnv` there |

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - Write `self.sees[self.state]` in place of `take` in `MyVectorEnv`, and measure again. Then try
#   an int64 table, and observations in uint8. What do you gain or lose, and at which N?
# - Draw one kitchen with a long corridor and many small ones. They differ in size: how would you
#   still put them into one table? (Think of counters all around.)
# - Give `MyVectorEnv` the mode NEXT_STEP. Which of your functions changes, and which rows are
#   resets?
# - Add a fifth action, `reverse`. Where does the number 4 hide in your code, and what would 5
#   actions do to the shift?
#
# ## What was measured
#
# The time of one step of all robots against N: flat first, then a few nanoseconds a robot. Your
# vector env against 24 scalar ones: equal, step by step, in three kitchens with slip, with every
# kind of ending. Its steps per second beside `SyncVectorEnv` and the native env on this machine,
# and the ratios to two compiled systems, measured once. One leaky buffer: a rollout that held its
# last observation in every place.
#
# ## Sources
#
# - NumPy, [Indexing on
#   ndarrays](https://numpy.org/doc/stable/user/basics.indexing.html#advanced-indexing) and
#   [`ufunc.at`](https://numpy.org/doc/stable/reference/generated/numpy.ufunc.at.html)
# - Gymnasium, [Vector environments](https://gymnasium.farama.org/api/vector/)
# - Weng and others (2022), [EnvPool: a highly parallel reinforcement learning environment execution
#   engine](https://arxiv.org/abs/2206.10558)
# - Lange (2022), [gymnax: a JAX-based reinforcement learning environment
#   library](https://github.com/RobertTLange/gymnax)
# - Steele, Lea and Flood (2014), [Fast splittable pseudorandom number
#   generators](https://doi.org/10.1145/2660193.2660195): the draws of the comparison
#
# Previous: [05 · Async](05_async.ipynb) · Next: [07 · Running moments](07_running_moments.ipynb)
