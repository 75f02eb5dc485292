# %% [markdown] minutes=60
# # 04 · Auto-reset: where did my last observation go?
#
# In this lesson you find out what happens in the step in which an episode ends, in each of
# Gymnasium's three ways to do it, and you write the code that loses no transition and counts none
# twice.
#
# Afterwards you can
#
# 1. name the three autoreset modes, and say of each row of a rollout what it is;
# 2. take the true next observation of every step, in every mode, and say when it matters;
# 3. measure returns and lengths that are right for every episode, and reset some robots without
#    touching the others.
#
# **Time** about 60 minutes. **You need** [lesson 01](01_burgerbot_env.ipynb), where *terminated*
# and *truncated* come from, and [lesson 03](03_many_bots.ipynb), where N robots share one array.
# One section uses the values of [lesson 02](02_what_is_optimal.ipynb). **The machine** can be any
# laptop: nothing here runs for more than a few seconds.
#
# Previous: [03 · Many bots](03_many_bots.ipynb) · Next: [05 · Async](05_async.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses, and its last line gives the three modes short names. Run
# it first.

# %% tags=["imports"]
from dataclasses import replace

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics, TransformReward

from burgerbot.course import check, hint, solution
from burgerbot.learn import oracle
from burgerbot.show import autoreset_timeline, line_chart, record_autoreset
from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import FORWARD, STOP, V0_REWARDS, compile_kitchen, decode, encode
from burgerbot.world.strata import start_states
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode

# %% [markdown]
# ## The row with a hole
#
# One robot is simple: when its episode is over, you call `reset`. N robots in one array are not.
# Robot 3 crashes in step 7 while the others drive on. The arrays of step 8 still have N rows, and
# row 3 must hold *something*. So somebody resets robot 3 while the others run. That is called
# **auto-reset**, and there are three answers to the question who does it, and when. Gymnasium 1.4
# calls them **autoreset modes**:
#
# | mode | who resets, and when | the step that ends an episode returns |
# |---|---|---|
# | `NEXT_STEP` | the next call of `step`; it ignores that robot's action | its last observation |
# | `SAME_STEP` | the same call of `step`, before it returns | the first one of the *next* episode |
# | `DISABLED` | you, by `reset` with a mask, before the next `step` | its last observation |
#
# `NEXT_STEP` is what you get if you say nothing.
#
# Take the smallest kitchen in which something happens: `>..G`. A robot that always drives forward
# delivers in three steps, again and again. **Predict**: in `NEXT_STEP`, how many rows does a
# 3-step episode take? And how many burgers arrive in 12 rows, in each mode?
#
# `BurgerBotVectorEnv` is the course's own vector environment; lesson 06 shows how it works.
# `record_autoreset` plays a **tape** of actions `[T, N]`, T steps of N robots, and
# keeps what each `step` returned. Such a batch of rows is called a **rollout**. (In lesson 02 the
# word meant one episode that follows a policy: the same thing with one robot.) In `DISABLED`, the
# function also does the resets that this mode leaves to you.

# %%
for mode in AutoresetMode:
    bot = BurgerBotVectorEnv(1, ">..G", autoreset_mode=mode)
    record = record_autoreset(bot, np.full((12, 1), FORWARD), seed=0)
    print(f"{mode.name:9}  column", *record["returned"][:, 0, 1], end="   delivered ")
    print(*record["terminated"][:, 0].astype(int))

# %% [markdown]
# Each line is one robot, step by step: the column that `step` returned, then a 1 where an episode
# ended. Column 3 holds the burger.
#
# - In `NEXT_STEP` an episode takes one row more than it has steps. The extra row shows column 0:
#   the robot was put back, and the action of that row was thrown away. Only the first episode has
#   no such row in front of it, because your own `reset` began it.
# - In `SAME_STEP` every row is a step, and one more burger arrives in the same number of rows.
#   But column 3 is never seen! The robot delivers, and the row shows where the *next* episode
#   begins.
# - In `DISABLED` every row is a step, and shows what the step led to. The price: the resets are
#   up to you.
#
# So in `SAME_STEP`, where did the last observation go? Look at the third step:

# %%
bot = BurgerBotVectorEnv(1, ">..G", autoreset_mode=SAME_STEP)
bot.reset(seed=0)
for _ in range(3):
    obs, *_, infos = bot.step(np.array([FORWARD]))
print("obs", obs, " final_obs", infos["final_obs"], " _final_obs", infos["_final_obs"])

# %% [markdown]
# It went into the infos. `final_obs` is an array of *objects*, one a robot: an observation where
# an episode ended, and `None` elsewhere. `_final_obs` says where. Gymnasium does so with all
# infos: a value `name`, and a mask `_name` of the robots that gave one.
#
# ## Five robots with habits
#
# One robot is not enough to go wrong with. Here are five, each in a corridor of its own, and each
# with one habit. The time limit is 4 steps.
#
# | robot | kitchen | always | its episodes |
# |---|---|---|---|
# | 0 | `>...G` | drives forward | delivers in step 4, which is the limit: both flags |
# | 1 | `.>..G` | drives forward | delivers in step 3 |
# | 2 | `..>.G` | drives forward | delivers in step 2 |
# | 3 | `v...G` | drives forward, to the south | crashes in step 1 |
# | 4 | `>...G` | stops | is truncated in step 4 |
#
# Every robot does the same all day long. Whatever differs between the modes is the modes' doing.

# %%
KITCHENS = [">...G", ".>..G", "..>.G", "v...G", ">...G"]
TAPE = np.tile([FORWARD, FORWARD, FORWARD, FORWARD, STOP], (60, 1))
FIVE = {"num_envs": 5, "kitchen": KITCHENS, "max_episode_steps": 4}
fleets = {mode: BurgerBotVectorEnv(**FIVE, autoreset_mode=mode) for mode in AutoresetMode}
records = {mode: record_autoreset(fleets[mode], TAPE, seed=0) for mode in fleets}

# %% [markdown]
# ## Exercise 04.1: Count episodes
#
# Success rates and mean returns divide by the number of episodes, so it had better be right.
# Count them from the two flags, bool `[T, N]`, and keep apart how they ended:
#
# | terminated | truncated | what it is |
# |---|---|---|
# | True | False | one episode, terminated |
# | False | True | one episode, truncated |
# | True | True | *one* episode, terminated: termination wins |
# | False | False | no end: a step on the way, or a reset row |
#
# An episode that still runs after the last row is not counted: it belongs to the rollout in which
# it ends. **Predict**: do you need to know the mode?


# %% tags=["exercise:04.1"] minutes=5 difficulty=1
def count_episodes(terminated: np.ndarray, truncated: np.ndarray) -> tuple[int, int]:
    """Return how many episodes were terminated, and how many were truncated only."""
    # BEGIN SOLUTION
    return int(terminated.sum()), int((truncated & ~terminated).sum())
    # END SOLUTION


# %% tags=["check:04.1"]
check("04.1")

# %% [markdown]
# Stuck? Run `hint("04.1")` in a new cell; each call says a little more. After a pass,
# `solution("04.1")` shows one way to write it.

# %% [markdown] tags=["hints:04.1"]
# 1. Each True in `terminated` is the end of one episode. You need nothing else about it: not its
#    start, not the row before.
# 2. A True in `truncated` counts only where `terminated` is False. On bool arrays `&` is "and" and
#    `~` is "not".
# 3. `terminated.sum()` is the first number and `(truncated & ~terminated).sum()` the second.

# %%
for mode, record in records.items():
    ends = count_episodes(record["terminated"], record["truncated"])
    print(f"{mode.name:9}  terminated, truncated: {ends}", end="   ")
    print(f"rows for each episode: {TAPE.size / sum(ends):.2f}")

# %% [markdown]
# You did not need the mode: a reset row has both flags False, so an end is an end. But look at the
# counts. The same robots and the same number of calls, and `NEXT_STEP` finishes far fewer
# episodes: where episodes are this short, reset rows take up much of the time. With episodes of
# hundreds of steps you would hardly notice.
#
# And in `NEXT_STEP` the last column is not the mean length of an episode. It would be that if
# every row were a step, as in the other two.

# %% [markdown]
# ## Exercise 04.2: Mark the valid transitions
#
# A **transition** is what a learner learns from: an observation, the action taken in it, the
# reward, and the next observation. A reset row is none. It joins the last observation of one
# episode to the first of another, by an action that nobody carried out, for a reward of 0: learn
# from it, and a crash seems to be followed by a free ride home.
#
# Return a **mask**, bool `[T, N]`: True where a row is a transition. `done` is
# `terminated | truncated`.
#
# | mode | `valid[t, n]` for t = 1, 2, ... | `valid[0, n]` |
# |---|---|---|
# | `NEXT_STEP` | `not done[t - 1, n]` | `not last_done[n]` |
# | `SAME_STEP`, `DISABLED` | True | True |
#
# The column on the right is easily forgotten. A long run is cut into rollouts, one after the
# other, and nobody resets the robots in between. If robot 2 was done in the *last* row of one
# rollout, row 0 of the next is its reset row. So you are given `last_done`, bool `[N]`: the last
# row of `done` of the rollout before; all False for the first.


# %% tags=["exercise:04.2"] minutes=8 difficulty=2
def valid_transitions(
    terminated: np.ndarray, truncated: np.ndarray, last_done: np.ndarray, mode: AutoresetMode
) -> np.ndarray:
    """Return bool ``[T, N]``: True where the row is a transition, False where it is a reset."""
    # BEGIN SOLUTION
    done = terminated | truncated
    if mode is not NEXT_STEP:
        return np.ones_like(done)
    return ~np.concatenate([last_done[None], done[:-1]])
    # END SOLUTION


# %% tags=["check:04.2"]
check("04.2")

# %% [markdown]
# A hint is at `hint("04.2")`. A mode is compared as it is, `mode is NEXT_STEP`: the text
# `"NEXT_STEP"` is equal to no mode.

# %% [markdown] tags=["hints:04.2"]
# 1. In `NEXT_STEP` the row *after* a done is the reset row; the done row itself is a real step
#    with a real reward. The other modes take one line: `np.ones_like(done)`.
# 2. Move `done` down by one row. Its last row drops out at the bottom, and `last_done` comes in at
#    the top.
# 3. `np.concatenate([last_done[None], done[:-1]])` is True at the reset rows; `[None]` makes one
#    row `[1, N]` of the array `[N]`. Return the opposite, with `~`.

# %% [markdown]
# Now the picture of this lesson: robots from top to bottom, time from left to right, the modes
# next to each other. The hatched cells are the rows that *your* mask leaves out. A black diamond
# is a last observation that `step` returned; a white one was only in the infos.

# %%
nobody, panels = np.zeros(5, dtype=bool), {}
for mode, record in records.items():
    valid = valid_transitions(record["terminated"], record["truncated"], nobody, mode)
    panels[mode.name] = {k: rows[:12] for k, rows in (record | {"reset": ~valid}).items()}
autoreset_timeline(panels, title="The same five robots, 12 steps, three autoreset modes")

# %% [markdown]
# Follow robot 3, which crashes at once, every time. In `NEXT_STEP` half of its rows are resets; in
# the other modes it manages to crash in every single row. Then compare robot 0 across the panels:
# the same episodes, pushed to the right by one cell each time it is reset.
#
# What does `last_done` change? Cut the 60 rows of `NEXT_STEP` into 12 rollouts of 5, mask them one
# by one, and count each robot's transitions. **Predict**: which robots come out right even if you
# forget `last_done`?

# %%
record, last_done = records[NEXT_STEP], nobody
carried, forgotten = np.zeros(5, dtype=int), np.zeros(5, dtype=int)
for start in range(0, 60, 5):
    flags = [record[name][start : start + 5] for name in ("terminated", "truncated")]
    carried += valid_transitions(*flags, last_done, NEXT_STEP).sum(axis=0)
    forgotten += valid_transitions(*flags, nobody, NEXT_STEP).sum(axis=0)
    last_done = flags[0][-1] | flags[1][-1]
print("transitions: carried over", carried, "  forgotten", forgotten)

# %% [markdown]
# Robots 0 and 4 are right by luck: four steps and a reset row fill a rollout of 5 exactly. With
# the others, reset rows slip in as transitions. A fault that comes and goes with the lengths of
# episodes and rollouts is hard to find later.
#
# ## The same actions, two modes
#
# Sooner or later you compare two programs row by row, and they disagree. Perhaps they only reset
# in different modes. This is how their rows belong together:
#
# | | the row that ends an episode | the row after it |
# |---|---|---|
# | `SAME_STEP` | shows the first observation of the next episode | its first step |
# | `NEXT_STEP` | shows the last observation of this episode | the reset: shows that first one |
#
# So one list of actions does *not* give one run: `NEXT_STEP` drops an action at every reset. Take
# the dropped ones out of the list for `SAME_STEP`, and the two should agree. Here one robot takes
# random actions in the classic kitchen, at most 9 steps an episode. (A record also keeps the last
# observations out of the infos, as `final_obs`, and where they were, as `in_info`; its `reset` is
# True in the reset rows.)

# %%
tape = np.random.default_rng(4).integers(4, size=(400, 1))
bot = BurgerBotVectorEnv(1, max_episode_steps=9, autoreset_mode=NEXT_STEP)
slow = record_autoreset(bot, tape, seed=0)
done, valid = slow["terminated"] | slow["truncated"], ~slow["reset"]
bot = BurgerBotVectorEnv(1, max_episode_steps=9, autoreset_mode=SAME_STEP)
same = record_autoreset(bot, tape[valid[:, 0]], seed=0)
for name in ("rewards", "terminated", "truncated"):
    print(name, "agree:", np.array_equal(slow[name][valid], same[name][:, 0]))
last = slow["returned"][done], same["final_obs"][same["in_info"]]
print("last observations agree:", np.array_equal(*last))
print("dropped actions:", (~valid).sum(), "of", len(tape))

# %% [markdown]
# It is one run, told in two ways. Nothing is lost in either, as long as you know where to look.

# %% [markdown]
# ## Exercise 04.3: Take the true next observation
#
# After a step a learner needs *two* observations, and where an episode ends they differ. One is
# what the action led to. Its value is what a **bootstrap** adds to the reward: an estimate that
# stands in for all that would have come later. The other is what the robot sees now; the next
# action is chosen from it.
#
# | mode | `next_obs`: what the action led to | `obs`: what the robot sees now |
# |---|---|---|
# | `NEXT_STEP` | what `step` returned | what `step` returned |
# | `SAME_STEP` | robot n done: `infos["final_obs"][n]`, else as returned | what `step` returned |
# | `DISABLED` | what `step` returned | anybody done: what your `reset` returned, else as returned |
#
# Your reset in `DISABLED` is `obs, _ = envs.reset(options={"reset_mask": done})`. It begins an
# episode for the robots in the mask and returns the observations of all. Two things to know:
# Gymnasium refuses a mask without any True, and where nobody is done the infos hold no
# `final_obs`.
#
# Both arrays are `[N, ...]` and have the dtype of the observations. A reset row of `NEXT_STEP` has
# no true next observation; the mask of 04.2 takes care of it.


# %% tags=["exercise:04.3"] minutes=9 difficulty=2
def take_step(envs: VectorEnv, actions: np.ndarray) -> tuple:
    """Step all robots; return ``(next_obs, obs, rewards, terminated, truncated)``."""
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    # BEGIN SOLUTION
    next_obs = obs
    if mode is SAME_STEP and done.any():
        next_obs = obs.copy()
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    # END SOLUTION
    return next_obs, obs, rewards, terminated, truncated


# %% tags=["check:04.3"]
check("04.3")

# %% [markdown]
# A hint is at `hint("04.3")`.

# %% [markdown] tags=["hints:04.3"]
# 1. Begin with `next_obs = obs`, which is all of `NEXT_STEP`. The other two modes need more, and
#    only where `done.any()`.
# 2. In `SAME_STEP` write into a copy, `next_obs = obs.copy()`: two names for one array would
#    change what the robot sees. `infos["final_obs"][done]` picks the observations out of the
#    array of objects, and `np.stack` makes one plain array of them.
# 3. `next_obs[done] = np.stack(infos["final_obs"][done])` for `SAME_STEP`. For `DISABLED`, leave
#    `next_obs` as it is, then call `obs, _ = envs.reset(options={"reset_mask": done})`.

# %%
for mode, envs in fleets.items():
    envs.reset(seed=0)
    pairs = np.array([take_step(envs, actions)[:2] for actions in TAPE[:12]])
    print(f"{mode.name:9}  robot 1 is led to", *pairs[:, 0, 1, 1], "  and sees", *pairs[:, 1, 1, 1])

# %% [markdown]
# These are columns again, and the burger is in column 4. In `SAME_STEP` and `DISABLED` your
# function now says the same, digit by digit: what the action led to, and what is seen after it.
# In `NEXT_STEP` the two lists are one, with a reset row after each 4.

# %% [markdown]
# ## What a wrong last observation costs
#
# Suppose you take what the robot *sees* for what its action *led to*. How bad is that? You need
# not guess: lesson 02 computes the exact value of every state. Below are those along the best
# route of the classic kitchen, from the start to the last state before the burger.

# %%
GAMMA, model = 0.97, oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
values, action_values = oracle.value_iteration(model, GAMMA)
policy = action_values.argmax(axis=1)
route = oracle.rollout(model, policy, encode(CLASSIC, *CLASSIC.start), 14)[0][:-1]
print(len(route), "states, worth", values[route].round(1))

# %% [markdown]
# Put one robot at each of these states, let all follow the best policy, and cut every episode
# after 5 steps. The robots near the burger deliver; the others are truncated on their way. Your
# `take_step` collects the rows, in `SAME_STEP`.


# %%
def state(obs):
    """The states that these observations show."""
    return encode(CLASSIC, *obs[:, :3].T)


kitchens = [replace(CLASSIC, start=decode(CLASSIC, s)) for s in route]
envs = BurgerBotVectorEnv(14, kitchens, max_episode_steps=5, autoreset_mode=SAME_STEP)
obs, _ = envs.reset(seed=0)
rows = []
for _ in range(60):
    now = state(obs)
    next_obs, obs, *rest = take_step(envs, policy[now])
    rows.append((now, state(next_obs), state(obs), *rest))
now, led_to, sees, reward, terminated, truncated = map(np.concatenate, zip(*rows, strict=True))

# %% [markdown]
# The **TD error** says how far a value is from what one more step makes of it:
# `reward + gamma * (1 - terminated) * V(next) - V(now)`. For exact values along the best policy it
# is 0, in every row. The cell prints the largest one of three kinds of rows. **Predict**: for
# which of them is it still 0 if `next` is what the robot sees?

# %%
kinds = ~(terminated | truncated), terminated, truncated & ~terminated
for name, following in {"next_obs": led_to, "obs": sees}.items():
    errors = np.abs(reward + GAMMA * ~terminated * values[following] - values[now])
    a, b, c = (errors[kind].max() for kind in kinds)
    print(f"{name:8}  on the way {a:.2f}, terminated {b:.2f}, truncated only {c:.2f}")

# %% [markdown]
# Only the truncated rows are wrong, and the reason is worth keeping:
#
# - On the way, both observations are the same.
# - After a termination nothing follows. The bootstrap is switched off by `1 - terminated`, so it
#   does not matter which observation stands there.
# - After a truncation the robot could have gone on. The bootstrap stands in for that future, and
#   the state from which it is taken decides everything.
#
# That is also why the two flags must not be mixed up. Read truncation where termination should
# win, and a robot that crashed in its last allowed step is paid for a future it does not have.
#
# Most rows are right. What does a learner make of the others? The next cell averages the one-step
# targets of each state, again and again, until nothing moves: it computes the values that these
# rows teach. **Predict**: too low, or too high? Is any state right?


# %%
def taught(following):
    """The values that the collected rows teach, if this is what follows each of them."""
    v, times = np.zeros(len(values)), np.bincount(now, minlength=len(values))
    for _ in range(600):
        target = reward + GAMMA * ~terminated * v[following]
        v = np.bincount(now, target, minlength=len(values)) / np.maximum(times, 1)
    return v[route]


lines = {"exact": values[route], "with next_obs": taught(led_to), "with obs": taught(sees)}
for name, line in lines.items():
    print(f"{name:13}", line.round(1))
line_chart(
    {name: (range(len(route)), line) for name, line in lines.items()},
    title="What the same rows teach",
    xlabel="place along the best route (steps from the start)",
    ylabel="value (discounted reward)",
    alt="Values along the route. With next_obs they lie on the exact ones. With obs they are too "
    "low everywhere but in the last state before the burger.",
)

# %% [markdown]
# The last state is right, since no robot is ever truncated there. All others are too low: each
# wrong bootstrap takes the value of the place where the robot began, from which the burger is
# further away, and the states before it inherit the error. No message appears, and training goes
# on. But a learner compares values to find its way, and these are wrong by different amounts.
#
# ## What older tutorials say
#
# Much of what you find on the web was written for Gym, or for Gymnasium before 1.0. There,
# vector envs always reset in the same step, and the names were others:
#
# | older tutorials | Gymnasium 1.4 |
# |---|---|
# | the env resets itself in the same step, always | `NEXT_STEP`, unless you ask for another mode |
# | `infos["final_observation"]` | `infos["final_obs"]`, in `SAME_STEP` only |
# | `infos["_final_observation"]`, its mask | `infos["_final_obs"]` |
# | `infos["final_info"]`: an array of dictionaries | one dictionary, of arrays and masks |
#
# Such code rarely stops with an error. Here it meets a delivery, and a robot that stands still:

# %%
envs = gym.make_vec("BurgerBot-v1", num_envs=2, kitchen=">..G", autoreset_mode=SAME_STEP)
envs.reset(seed=0)
for _ in range(3):
    *_, infos = envs.step(np.array([FORWARD, STOP]))
print("old:", infos.get("final_observation"), [item for item in infos["final_info"] if item])
print("new:", infos["final_obs"], infos["_final_obs"])
for name, value in infos["final_info"].items():
    print(f"     {name:12} {value}")

# %% [markdown]
# The old way finds no last observation, and where it expects one dictionary a robot it walks over
# the *names* in one dictionary. In `NEXT_STEP` neither key is there at all, and the popular line
# `if "final_info" in infos:` is silently never True: the log stays empty.
#
# The masks matter here too. Robot 1 has said nothing, and yet `outcome` shows a 0 for it. A 0
# whose mask is False is no value. Take means only where the mask is True.

# %% [markdown]
# ## Exercise 04.4: Measure returns and lengths
#
# "Mean episode return" is the first curve that everybody looks at. For each episode that *ends* in
# this rollout, give its return (the sum of its rewards) and its length (the number of its steps).
# In words of one loop:
#
# ```
# for each step t, for each robot n:
#     if valid[t, n]:          add rewards[t, n] to the robot's sum, and 1 to its count
#     if it is done in step t: write down sum and count, then set both to 0
# ```
#
# | what | rule |
# |---|---|
# | order | as the episodes end: by step, and within one step by robot |
# | a reset row | adds neither its reward nor a step |
# | still running at the end | not reported |
# | both flags | one episode |
#
# All four arrays are `[T, N]`, and the sums begin at 0 in row 0. A loop over t and n is fine here.


# %% tags=["exercise:04.4"] minutes=9 difficulty=2
def episode_stats(
    rewards: np.ndarray, terminated: np.ndarray, truncated: np.ndarray, valid: np.ndarray
) -> tuple:
    """Return ``(returns, lengths)``: two lists or arrays, one number for each ended episode."""
    # BEGIN SOLUTION
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
    return np.array(returns), np.array(lengths, dtype=int)
    # END SOLUTION


# %% tags=["check:04.4"]
check("04.4")

# %% [markdown]
# A hint is at `hint("04.4")`.

# %% [markdown] tags=["hints:04.4"]
# 1. Keep two arrays `[N]`, the running sum and the running count of each robot. Both start at 0,
#    the sum as floats.
# 2. In each step first add, only where `valid[t]`; then look who is done. The last reward of an
#    episode comes in the same row as its flag.
# 3. `for n in np.flatnonzero(done[t])`: append `total[n]` and `steps[n]` to the two lists, then set
#    both to 0 for this robot alone.

# %% [markdown]
# Put your functions together: play a tape, mask it, measure it. With `every_row`, the mask is
# thrown away, and every row is taken for a step.


# %%
def measure(envs, tape, every_row=False):
    """Returns and lengths of the episodes that end while the tape is played."""
    record = record_autoreset(envs, tape, seed=0)
    flags = record["terminated"], record["truncated"]
    nobody = np.zeros(envs.num_envs, dtype=bool)
    valid = valid_transitions(*flags, nobody, envs.metadata["autoreset_mode"])
    return episode_stats(record["rewards"], *flags, valid | every_row)


# %% [markdown]
# Back to the 3-step episodes of `>..G`. **Predict** the lengths with and without the mask:

# %%
tape = np.full((15, 1), FORWARD)
for mode in AutoresetMode:
    bot = BurgerBotVectorEnv(1, ">..G", autoreset_mode=mode)
    right, wrong = measure(bot, tape)[1], measure(bot, tape, every_row=True)[1]
    print(f"{mode.name:9}  with the mask", *right, "  every row", *wrong)

# %% [markdown]
# Three steps are three steps, for every episode in every mode. Count the reset row, and it is 4
# from the second episode on. (The first is right, which is why a quick look misses it.) The
# opposite fault exists too: code made for `NEXT_STEP` that drops a row after each done, let loose
# on `SAME_STEP`, reports lengths of 2.
#
# A length off by one looks harmless, and the return seems safe, since a reset row pays 0. Is it?
# Let every step cost 1, with a wrapper of Gymnasium's, and measure the same episodes:

# %%
charged = TransformReward(BurgerBotVectorEnv(1, ">..G"), lambda rewards: rewards - 1)
print("returns with the mask", *measure(charged, tape)[0])
print("returns of every row ", *measure(charged, tape, every_row=True)[0])

# %% [markdown]
# The wrapper charges the reset rows as well: it does not know what they are. So every episode but
# the first pays for a step that nobody took. A wrapper that takes the mean reward away does the
# same.
#
# Gymnasium has a wrapper that measures episodes: `RecordEpisodeStatistics`. (Older versions of it
# counted wrongly in `SAME_STEP`.) Does it agree with you about the five robots, episode by episode?

# %%
for mode, envs in fleets.items():
    counted = RecordEpisodeStatistics(envs, buffer_length=1000)
    returns, lengths = measure(counted, TAPE)
    agree = np.allclose(returns, counted.return_queue) and [*lengths] == [*counted.length_queue]
    print(f"{mode.name:9}  {len(lengths)} episodes, all agree: {agree}")

# %% [markdown]
# ## When you reset yourself
#
# `DISABLED` is the honest mode: every row is a step, and you see what it led to. But now you hand
# a dictionary to `reset`, and it matters what `reset` does with it. Here the five robots stand in
# two vector envs, the course's and Gymnasium's own, and both get the same options:

# %%
makers = [lambda k=k: gym.make("BurgerBot-v0", kitchen=k, max_episode_steps=4) for k in KITCHENS]
theirs = SyncVectorEnv(makers, autoreset_mode=DISABLED)
for envs in (fleets[DISABLED], theirs):
    envs.reset(seed=0)
    options = {"reset_mask": np.array([False, True, False, False, False])}
    envs.reset(options=options)
    print(f"{type(envs).__name__:18} leaves {options}")

# %% [markdown]
# Gymnasium's own vector env takes the mask *out of your dictionary*. Use the same dictionary a
# second time, and there is no mask in it any more: without one, `reset` resets everybody.
#
# It is not only your code that falls for this. `RecordEpisodeStatistics` looks for the mask after
# the env has taken it. **Predict** the lengths that it reports, for the same robots as above:

# %%
for envs in (fleets[DISABLED], theirs):
    counted = RecordEpisodeStatistics(envs)
    record_autoreset(counted, TAPE[:12], seed=0)
    print(f"{type(envs).__name__:18} lengths", *counted.length_queue)

# %% [markdown]
# Robot 3 crashes in every step, and each time its reset wipes the statistics of the whole fleet:
# every episode seems to be one step long. A repair has been proposed to Gymnasium and was open when
# this was written (see the sources). Until then keep two habits: make a new dictionary for each
# reset, and do not measure a `SyncVectorEnv` that you reset yourself with this wrapper.

# %% [markdown]
# ## Exercise 04.5: Reset some robots, and touch nothing else
#
# Now write such a `reset` yourself. The fleet below is complete but for it: N robots in one
# kitchen, each with a random generator of its own, and each episode at a random start.


# %% tags=["given"]
class Fleet:
    """N robots in one kitchen; robot i draws its starts from ``generators[i]``."""

    def __init__(self, num_envs: int, kitchen: Kitchen = CLASSIC) -> None:
        self.num_envs = num_envs
        self.table = compile_kitchen(kitchen).table.astype(np.int64)
        self.starts = start_states(kitchen)  # where an episode may begin
        self.generators = [np.random.default_rng() for _ in range(num_envs)]
        self.state = np.zeros(num_envs, dtype=np.int64)
        self.elapsed = np.zeros(num_envs, dtype=np.int64)  # steps since the episode began

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Take one step; return the new states, and which robots crashed or delivered."""
        self.state, outcome = rules.step(self.table, self.state, actions)
        self.elapsed += 1
        return self.state.copy(), outcome >= rules.CRASHED


# %% [markdown]
# | | a robot whose mask is True | a robot whose mask is False |
# |---|---|---|
# | `state` | a new start, drawn as below | as it was |
# | `elapsed` | 0, even if its episode was not over | as it was |
# | `generators[i]` | one draw; with `seed=s` a new generator before it | no draw, no new seed |
#
# A start is **one draw**: `self.starts[generator.integers(len(self.starts))]`. The new generator
# of robot i is `np.random.default_rng(s + i)`: Gymnasium's rule, good for one run and no more
# (lesson 03). The mask is `options["reset_mask"]`, bool `[N]`;
# without options, or without a mask in them, every robot is reset. Return the states of *all*
# robots, as an array that belongs to the caller, and an empty dictionary. Leave the caller's
# options and mask as they are.
#
# Why no draw for the others? Because then robot 3 would begin its next episode elsewhere, only
# because robot 1 crashed. No run of a single robot could be repeated on its own.


# %% tags=["exercise:04.5"] minutes=9 difficulty=2
class ResettableFleet(Fleet):
    """A fleet in which some robots can be reset while the others run."""

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple:
        """Begin an episode for the robots in the mask; return ``(all states, {})``."""
        # BEGIN SOLUTION
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))
        for i in np.flatnonzero(mask):
            if seed is not None:
                self.generators[i] = np.random.default_rng(seed + i)
            self.state[i] = self.starts[self.generators[i].integers(len(self.starts))]
            self.elapsed[i] = 0
        return self.state.copy(), {}
        # END SOLUTION


# %% tags=["check:04.5"]
check("04.5")

# %% [markdown]
# A hint is at `hint("04.5")`.

# %% [markdown] tags=["hints:04.5"]
# 1. `(options or {}).get("reset_mask", np.ones(self.num_envs, dtype=bool))` reads the mask and
#    changes nothing. `pop` would take it out of the caller's dictionary.
# 2. Loop over `np.flatnonzero(mask)`, the numbers of the robots to reset, and draw inside the
#    loop. A draw for everybody, thrown away where the mask is False, is a draw all the same.
# 3. In the loop: a new generator if `seed is not None` (0 is a seed too), then
#    `self.state[i] = self.starts[...]`, then `self.elapsed[i] = 0`. At the end return
#    `self.state.copy(), {}`.

# %% [markdown]
# See it at work. Two fleets with the same seed, turning on the spot. In the second one, robot 1 is
# reset in the middle, twice:

# %%
quiet, busy = ResettableFleet(3), ResettableFleet(3)
quiet.reset(seed=5), busy.reset(seed=5)
for _ in range(2):
    busy.reset(options={"reset_mask": np.array([False, True, False])})
    quiet.step(np.ones(3, dtype=int)), busy.step(np.ones(3, dtype=int))
print("states ", quiet.state, busy.state, "  steps", quiet.elapsed, busy.elapsed)
print("next   ", quiet.reset()[0], busy.reset()[0])

# %% [markdown]
# Robots 0 and 2 are the same in both fleets, now and after the next reset of all. Robot 1 went its
# own way, and kept that to itself.
#
# ## When this goes wrong
#
# One more fault, from a real project: an environment that resets *itself* inside `step`, "so that
# it is always ready". The vector env resets it again. **Predict** which of the starts 1, 2, 3, ...
# the agent gets to see, and how many resets 10 episodes take.


# %%
class EagerBot(gym.Env):
    """Every step ends an episode. What it shows is how often it was reset so far."""

    observation_space, action_space = gym.spaces.Discrete(1000), gym.spaces.Discrete(4)
    resets = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.resets += 1
        return self.resets, {}

    def step(self, action):
        obs, _ = self.reset()
        return obs, 0.0, True, False, {}


envs = SyncVectorEnv([EagerBot], autoreset_mode=SAME_STEP)
first, _ = envs.reset(seed=0)
seen = [first, *(envs.step(np.array([STOP]))[0] for _ in range(10))]
print("starts seen", *np.concatenate(seen), "  resets", envs.envs[0].resets)

# %% [markdown]
# Every other start is skipped, and twice the resets are done that are needed. The first reset and
# 10 ends make 11. An environment's `step` reports the end and leaves the reset to others.
#
# | what you see | what it is | what helps |
# |---|---|---|
# | lengths 3, 4, 4, 4 | the reset row was counted | the mask of 04.2 |
# | lengths 3, 2, 2, 2 | a row was dropped that was a step | all True, but in `NEXT_STEP` |
# | values too low, and no error | a bootstrap from the reset observation | `next_obs` of 04.3 |
# | `KeyError: 'final_obs'` | another mode, or nobody done in this step | `"final_obs" in infos` |
# | empty logs | old names: `final_observation`, a list of `final_info` | the table further up |
# | `None` among the numbers | `final_obs` taken for a batch | only the rows of `_final_obs` |
# | `ResetNeeded`, or an assertion on `_autoreset_envs` | `DISABLED`, and nobody reset | a mask |
# | all robots jump to their starts | no mask, or an emptied dictionary | a new dictionary |
# | a 0 from a robot that gave nothing | an info without its mask | means where `_name` is True |
# | two programs disagree by a row | two modes | print `envs.metadata["autoreset_mode"]` |
#
# The classes of Gymnasium take the mode as `autoreset_mode=`. With `gym.make_vec` and
# `vectorization_mode="sync"` or `"async"` it goes into
# `vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP}`.

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - `episode_stats` starts its sums at 0 in row 0. Let it carry sums and counts over from rollout
#   to rollout, as `last_done` is. What must `reset` in mid-episode do to them?
# - Draw the timeline of a fleet of your own: `record_autoreset` plays any tape. Can you draw one in
#   which no robot is ever reset in the same step as another?
# - In `taught`, change the limit of 5 steps to 3, or to 10. When is the fault worst? Is there a
#   fleet in which the taught values come out too *high*?
# - Which mode would you give a learner that stores `[T, N]` arrays and does not want a mask? And
#   one that must never copy an observation twice? There is no single right answer.
#
# ## What was measured
#
# Rows for each episode in three modes, with five robots whose episodes are known. Transitions of
# 12 rollouts, with and without the row that is carried over. Two modes row by row on the same
# actions. The TD error of exact values, and the values that right and wrong rows teach. Lengths
# and returns with and without reset rows, against Gymnasium's own count. What a partial reset does
# to the caller's dictionary and to the statistics.
#
# ## Sources
#
# - Gymnasium, [Vector autoreset modes](https://farama.org/Vector-Autoreset-Mode) and the [vector
#   API](https://gymnasium.farama.org/api/vector/)
# - Gymnasium, pull requests [1624](https://github.com/Farama-Foundation/Gymnasium/pull/1624)
#   (lengths in `SAME_STEP`) and
#   [1696](https://github.com/Farama-Foundation/Gymnasium/pull/1696) (the emptied dictionary)
# - Pardo and others (2018), [Time limits in reinforcement
#   learning](https://arxiv.org/abs/1712.00378): bootstrap at a truncation
# - Towers and others (2024), [Gymnasium: a standard interface for reinforcement learning
#   environments](https://arxiv.org/abs/2407.17032)
# - Sutton and Barto (2018), *Reinforcement Learning: An Introduction*, chapter 6: TD errors
#
# Previous: [03 · Many bots](03_many_bots.ipynb) · Next: [05 · Async](05_async.ipynb)
