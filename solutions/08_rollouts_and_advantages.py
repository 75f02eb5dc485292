# %% [markdown] minutes=60
# # 08 · Rollouts and advantages: how good was that step?
#
# In this lesson you turn what N robots went through into one number for each step, which says how
# much better the step was than expected, and you measure how much N robots really tell you.
#
# Afterwards you can
#
# 1. store a rollout `[T, N]`, and compute returns and advantages that respect both flags;
# 2. keep reset rows out of every mean, loss and count;
# 3. measure the noise of a policy gradient, and say when more robots make it smaller.
#
# **Time** about 60 minutes. **You need** [lesson 04](04_autoreset.ipynb), where flags, reset rows
# and true next observations come from, and the exact values of
# [lesson 02](02_what_is_optimal.ipynb). **The machine** can be any laptop: the longest cell takes
# some seconds.
#
# Previous: [07 · Running moments](07_running_moments.ipynb) · Next: [09 · SB3's
# PPO](09_sb3_ppo.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. Run it first.

# %% tags=["imports"]
import gymnasium as gym
import numpy as np

from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import oracle, sharing
from burgerbot.learn.evaluate import evaluate, optimal_return
from burgerbot.learn.rollout import collect
from burgerbot.show import line_chart
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import ACTIONS, FORWARD, STOP, V1_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv

# %% [markdown]
# ## What a reward does not say
#
# A robot drives along a corridor, ten steps, to the burger at its end. The rewards are those of
# `BurgerBot-v1` without shaping: a move costs 0.1, and the delivery pays 50.

# %%
envs = BurgerBotVectorEnv(1, ">.........G", rewards=V1_REWARDS, autoreset_mode="SameStep")
delivery, _ = collect(envs, lambda observations: np.array([FORWARD]), 10)
print("rewards", *delivery.rewards[:, 0])

# %% [markdown]
# Read as a verdict on single steps, these rewards are nonsense: nine bad steps and a splendid one.
# In truth all ten were needed. To learn from a step you must know what it *led to*, and what one
# could have *expected*. Both are in this lesson.
#
# `collect` comes from the course's package. It lets a **policy**, a function from observations to
# actions, drive T steps of N robots, and hands back a **rollout**: a record of arrays `[T, N]`.
# Time comes first, as everywhere in this course: row t is one step of all robots, column n is one
# robot's story.

# %%
for name, array in delivery._asdict().items():
    print(f"{name:18}", None if array is None else (array.shape, str(array.dtype)))

# %% [markdown]
# `next_observations` are the true ones, also where an episode ends, and `valid` is False in reset
# rows: both as in lesson 04, in every autoreset mode. Values, and the
# **log-probability** of each action, the logarithm of how probable the policy held it to be, are
# there if the policy gives them; this one gives actions only.

# %% [markdown]
# ## Exercise 08.1: Store a rollout
#
# Between collecting and learning stands a **buffer**. It is a dull piece of code, and the faults
# that hide in it are hard to see: nothing stops, learning is only worse. So write it once,
# carefully.
#
# | call | what it does |
# |---|---|
# | `add(name=array, ...)` | copies each array `[N, ...]` into the next row; always the same names |
# | `add` on a full buffer | raises `IndexError` |
# | `take()` | returns name -> array `[T, N, ...]`, in the dtype of what was added; begins anew |
# | `take` before T rows are there | raises `RuntimeError`: rows of zeros are no experience |
#
# Two habits matter. *Copy*: some environments write their next observation into the very array
# that they gave you. And *let go*: after `take`, the arrays belong to whoever took them, and the
# next `add` must not write into them. `self.size` counts the rows; `self.rows` is yours.


# %% tags=["exercise:08.1"] minutes=8 difficulty=1
class RolloutBuffer:
    """T rows of N robots; every array is ``[T, N, ...]``."""

    def __init__(self, steps: int) -> None:
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row: np.ndarray) -> None:
        """Copy arrays ``[N, ...]``, one a name, into the next row."""
        # BEGIN SOLUTION
        if self.size == self.steps:
            raise IndexError(f"the buffer holds {self.steps} rows and is full")
        for name, values in row.items():
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values
        self.size += 1
        # END SOLUTION

    def take(self) -> dict[str, np.ndarray]:
        """Hand out the full buffer, and begin a new one."""
        # BEGIN SOLUTION
        if self.size < self.steps:
            raise RuntimeError(f"expected {self.steps} rows, got {self.size}")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows
        # END SOLUTION


# %% tags=["check:08.1"]
check("08.1")

# %% [markdown]
# Stuck? Run `hint("08.1")` in a new cell; each call says a little more. After a pass,
# `solution("08.1")` shows one way to write it.

# %% [markdown] tags=["hints:08.1"]
# 1. `row` is a dictionary of arrays. When the first row comes in, you know all shapes and dtypes:
#    make `np.zeros((self.steps, *values.shape), values.dtype)` for each name.
# 2. `self.rows[name][self.size] = values` copies the numbers into row `size`. Only afterwards
#    `self.size += 1`.
# 3. In `take`, check `self.size < self.steps` first. Then keep the dictionary in a variable, set
#    `self.rows = {}` and `self.size = 0`, and return the variable.

# %% [markdown]
# Three robots drive forward and are written down. Each column is one robot. **Predict** the
# rewards: robot 0 is one step from the burger, robot 1 two steps, and robot 2 faces a wall.

# %%
envs = BurgerBotVectorEnv(3, ["..>G", ".>.G", "^..G"], V1_REWARDS, autoreset_mode="SameStep")
(obs, _), buffer = envs.reset(seed=0), RolloutBuffer(steps=4)
for _ in range(4):
    seen, (obs, rewards, *flags, _) = obs, envs.step(np.full(3, FORWARD))
    buffer.add(observations=seen, rewards=rewards, terminated=flags[0], truncated=flags[1])
print(buffer.take()["rewards"])

# %% [markdown]
# Each reward stands beside the observation *in which* the action was chosen, not one row later.
# That sounds obvious, and yet it is one of the most common faults.
#
# ## Exercise 08.2: Discount what follows
#
# The **return** of a step is its reward and all that follows it in the same episode, with each
# later reward discounted once more by gamma. It answers the first question: what did the step lead
# to? Work backwards, and each return needs only the next one:
#
# ```
# for each robot n, for t = T - 1, ..., 1, 0:
#     returns[t, n] = rewards[t, n] + gamma * after
# ```
#
# | row t, robot n | `after` |
# |---|---|
# | terminated (truncated too, or not) | 0: nothing follows |
# | truncated only | `next_values[t, n]` |
# | the last row of the rollout, and the episode goes on | `next_values[t, n]` |
# | otherwise | `returns[t + 1, n]` |
#
# Where the rollout stops but the episode could have gone on, an estimate of the rest stands in:
# the bootstrap of lesson 04. `next_values[t]` is V of the true next observation of row t. All
# arguments are `[T, N]`; the result is float64, whatever the rewards are. A loop over t is fine;
# inside it, do all robots at once.


# %% tags=["exercise:08.2"] minutes=8 difficulty=2
def discounted_returns(
    rewards: np.ndarray,
    next_values: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    gamma: float,
) -> np.ndarray:
    """Return float64 ``[T, N]``: what each step and the rest of its episode are worth."""
    # BEGIN SOLUTION
    returns = np.zeros(rewards.shape)
    after = next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        after = rewards[t] + gamma * np.where(terminated[t], 0.0, after)
        returns[t] = after
    return returns
    # END SOLUTION


# %% tags=["check:08.2"]
check("08.2")

# %% [markdown]
# A hint is at `hint("08.2")`.

# %% [markdown] tags=["hints:08.2"]
# 1. Keep one array `after`, `[N]`. Before the loop it is `next_values[-1]`: what follows the last
#    row if the episode goes on.
# 2. `for t in reversed(range(len(rewards)))`. First look at the flags of row t itself: they say
#    what follows *this* row. `np.where(truncated[t], next_values[t], after)` does one of them.
# 3. Then `np.where(terminated[t], 0.0, ...)` around it, so that termination wins. The return of
#    row t is `rewards[t] + gamma * after`, and it is what follows row t - 1. Make the result with
#    `np.zeros(rewards.shape)`, which is float64.

# %% [markdown]
# Now the ten steps of the corridor again. **Predict**: is the first step worth more or less than
# the last one? And by how much with gamma 0.5?

# %%
flags, none, curves = (delivery.terminated, delivery.truncated), np.zeros((10, 1)), {}
for gamma in (1.0, 0.97, 0.9, 0.5):
    returns = discounted_returns(delivery.rewards, none, *flags, gamma)
    curves[f"gamma {gamma}"] = range(10), returns[:, 0]

# %%
line_chart(
    curves,
    title="What each of the ten steps is worth",
    xlabel="step",
    ylabel="discounted return",
    alt="Discounted returns of ten steps to a delivery. With gamma 1 they are nearly the same; the "
    "smaller gamma is, the less the first steps are worth. All end at 50.",
)

# %% [markdown]
# With gamma 1 each step is worth nearly the same: they all led to the burger. A small gamma looks
# only a few steps ahead, and to it the first steps seem to lead to nothing.
#
# A return has two weaknesses as a verdict. It praises a step for everything that came *after* it:
# in a rich kitchen every step looks good. And it contains the luck of all later steps. The answer
# to the first is to subtract what could be expected; the answer to the second is to stop summing
# earlier. Both come now.

# %% [markdown]
# ## Exercise 08.3: Estimate advantages
#
# The **advantage** of a step is how much better it turned out than the value V promised. The
# one-step version is the TD error of lesson 04, called delta. **Generalized advantage estimation**
# (GAE) adds up the deltas of the rest of the episode, each one weighted by another factor of
# `gamma * lambda`:
#
# ```
# delta[t] = rewards[t] + gamma * (1 - terminated[t]) * next_values[t] - values[t]
# A[t]     = delta[t] + gamma * lambda * (1 - done[t]) * A[t + 1],    done = terminated | truncated
# ```
#
# There are two masks, not one, since the flags do different things:
#
# | in row t | bootstrap `next_values[t]` in delta | the sum goes on with `A[t + 1]` |
# |---|---|---|
# | neither flag | yes | yes (after the last row of the rollout there is nothing: 0) |
# | truncated only | yes | no |
# | terminated, or both | no | no |
#
# `values[t]` is V of the observation before the step, `next_values[t]` of the true next one. Do
# not take `values[t + 1]` for it: where an episode ends, that belongs to the next episode. Return
# the advantages, and the returns `A + values` that a critic (whatever estimates V) learns from;
# both `[T, N]`, in the dtype of `values`.


# %% tags=["exercise:08.3"] minutes=10 difficulty=2
def gae(
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    gamma: float,
    lam: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(advantages, returns)``, both ``[T, N]``."""
    # BEGIN SOLUTION
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    goes_on = ~(terminated | truncated)
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = advantages[t] = delta[t] + gamma * lam * goes_on[t] * later
    return advantages, advantages + values
    # END SOLUTION


# %% tags=["check:08.3"]
check("08.3")

# %% [markdown]
# A hint is at `hint("08.3")`.

# %% [markdown] tags=["hints:08.3"]
# 1. First all deltas at once, without a loop: `np.where(terminated, 0, next_values)` is the
#    bootstrap with its mask. Only the sum needs a loop, backwards over t.
# 2. `goes_on = ~(terminated | truncated)` is the second mask. It multiplies `A[t + 1]` in row t:
#    the flags of row t say whether row t + 1 belongs to the same episode.
# 3. Keep `later = 0.0` before the loop; in it,
#    `later = delta[t] + gamma * lam * goes_on[t] * later` and `advantages[t] = later`. Make
#    `advantages` with `np.zeros_like(values)`, and return `advantages, advantages + values`.

# %% [markdown]
# Small numbers show best what the flags do. One robot, four steps, every reward 1, values 1, 2, 3,
# 4, and a next value of 5 after the last row. The flag stands in row 1. **Predict** which of the
# four advantages differ from line to line.

# %%
r, v, v_next = np.ones((4, 1)), np.array([[1.0], [2], [3], [4]]), np.array([[2.0], [3], [4], [5]])
no, row_1 = np.zeros((4, 1), dtype=bool), np.array([[False], [True], [False], [False]])
for name, ends in {
    "no flag": (no, no),
    "truncated": (no, row_1),
    "terminated": (row_1, no),
}.items():
    print(f"{name:10}", gae(r, v, v_next, *ends, gamma=0.9, lam=0.5)[0][:, 0])

# %% [markdown]
# The flag changes its own row and the rows before it, never those after it. Truncated in row 1, the
# step keeps its bootstrap and loses the sum; terminated, it loses both. Now a classic fault: some
# programs keep the flag beside the *next* observation, others beside this one, and somebody mixes
# them up. **Predict** which numbers change if the flag lands one row too early:

# %%
print("one row off", gae(r, v, v_next, np.roll(row_1, -1, axis=0), no, gamma=0.9, lam=0.5)[0][:, 0])

# %% [markdown]
# Both numbers of the first episode are wrong, the second one has taken in rewards of the next
# episode, and nothing complains.
#
# ## One bad step
#
# Now a verdict on real steps. Lesson 02 gives the exact value of every state, for the best policy
# on `BurgerBot-v1`. This function looks the values up, and puts together what `gae` wants to know:


# %%
def facts(rollout, worth, kitchen=CLASSIC):
    """The first five arguments of `gae`, where V of a state is ``worth[state]``."""
    places = rollout.observations, rollout.next_observations
    now, led_to = (worth[encode(kitchen, *np.moveaxis(o, -1, 0)[:3])] for o in places)
    return rollout.rewards, now, led_to, rollout.terminated, rollout.truncated


# %% [markdown]
# A robot follows the best policy, except that in step 5 it stands still. (In `plan`, 0 means: as
# the policy says.) **Predict**: with exact values, what is the advantage of a step that was the
# best one possible?

# %%
model = oracle.model(compile_kitchen(CLASSIC), V1_REWARDS, shaping=1.0, gamma=0.97)
worth, q = oracle.value_iteration(model, 0.97)
envs, plan = gym.make_vec("BurgerBot-v1", 1, autoreset_mode="SameStep"), iter([0] * 5 + [[STOP]])
drive, _ = collect(envs, lambda o: next(plan, 0) or q[encode(CLASSIC, *o.T[:3])].argmax(1), 15)

# %%
verdicts = {lam: gae(*facts(drive, worth), 0.97, lam)[0][:, 0] for lam in (0.0, 0.5, 0.95)}
print("lambda 0:", *(f"{a:.2f}" for a in verdicts[0.0].round(2) + 0.0))

# %% [markdown]
# Zero, for each of the fourteen good steps: no better than expected, since the best was expected.
# The one bad step stands out with what it cost. Nothing in the raw rewards shows it like that.
# With lambda above 0 the blame spreads backwards, over steps that did nothing wrong:

# %%
line_chart(
    {f"lambda {lam}": (range(15), line) for lam, line in verdicts.items()},
    title="Exact values: who is blamed for standing still in step 5?",
    xlabel="step",
    ylabel="advantage",
    alt="Advantages of 15 steps. With lambda 0 only step 5 is negative; with larger lambda the "
    "steps before it share the blame, less and less towards the first one.",
)

# %% [markdown]
# So why not always lambda 0? Because nobody gives a learner exact values. At the beginning its
# values know nothing. Put zeros in their place, without shaping, on the ten steps of the corridor.
# **Predict** which steps are praised for the burger with lambda 0.

# %%
lams = (0.0, 0.5, 0.95, 1.0)
lines = [gae(delivery.rewards, none, none, *flags, 0.97, lam)[0][:, 0] for lam in lams]
line_chart(
    {f"lambda {lam}": (range(10), line) for lam, line in zip(lams, lines, strict=True)},
    title="Values that know nothing: who is praised for the burger?",
    xlabel="step",
    ylabel="advantage",
    alt="Advantages of the ten steps of a delivery with all values 0. With lambda 0 only the last "
    "step is positive; with larger lambda the praise reaches back to the first one.",
)

# %% [markdown]
# Lambda 0 believes its values and looks one step ahead: the praise stays in the last step.
# Lambda 1 sums everything up and subtracts the value: right on average whatever the values are (but
# for a bootstrap at a cut), and full of luck. In between you trade one fault for the other; 0.95 is
# a common choice.

# %% [markdown]
# ## Exercise 08.4: Leave reset rows out
#
# In `NEXT_STEP` some rows are resets: the rollout says `valid` False there. In your `gae` their
# numbers do no harm to others, since the row before them is done and lets nothing through. But
# they are still in the array, and the next thing that everybody does is take a *mean*.
#
# | function | what it returns |
# |---|---|
# | `normalize(advantages, valid)` | `[T, N]`: over valid rows mean 0, deviation 1; else 0 |
# | `value_loss(values, returns, valid)` | mean of `(values - returns)**2` over valid rows |
# | | shapes that differ, that of `valid` too: `ValueError` |
#
# The deviation is the population's standard deviation. Divide by it plus 1e-8, so that a single
# row, or rows that are all alike, give 0 and not NaN. Whatever stands in a reset row, NaN too, must
# not matter. At least one row is valid.
#
# Why the `ValueError`? A critic often returns `[N, 1]` where the returns are `[N]`. Their
# difference has the shape `[N, N]`, each robot compared with every other: no error, only a wrong
# loss.


# %% tags=["exercise:08.4"] minutes=7 difficulty=2
def normalize(advantages: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Return ``[T, N]``: mean 0 and standard deviation 1 over the valid rows, 0 elsewhere."""
    # BEGIN SOLUTION
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std() + 1e-8), 0.0)
    # END SOLUTION


def value_loss(values: np.ndarray, returns: np.ndarray, valid: np.ndarray) -> float:
    """Return the mean squared error of the valid rows."""
    # BEGIN SOLUTION
    if not values.shape == returns.shape == valid.shape:
        raise ValueError(f"expected one shape, got {values.shape, returns.shape, valid.shape}")
    return float(np.mean((values - returns)[valid] ** 2))
    # END SOLUTION


# %% tags=["check:08.4"]
check("08.4")

# %% [markdown]
# A hint is at `hint("08.4")`.

# %% [markdown] tags=["hints:08.4"]
# 1. `advantages[valid]` is a flat array of the rows that count. Take `mean()` and `std()` from it.
# 2. Shift and scale the whole array by these two numbers, and let `np.where(valid, ..., 0.0)` put
#    the zeros in: a NaN in a reset row is not even looked at.
# 3. In `value_loss` compare the shapes first. Then `(values - returns)[valid]` are the errors;
#    squares, mean, done. The divisor is then the number of valid rows by itself.

# %% [markdown]
# The five robots with habits of lesson 04 show what the mask is worth. They drive in corridors,
# their episodes are short, and the values are exact for the best policy. **Predict** how much of
# the rollout is reset rows: the episodes have one to four steps.

# %%
kitchens = [">...G", ".>..G", "..>.G", "v...G", ">...G"]
envs = BurgerBotVectorEnv(5, kitchens, V1_REWARDS, max_episode_steps=4)
rollout, _ = collect(envs, lambda observations: np.array([FORWARD] * 4 + [STOP]), 60)
print(f"reset rows: {np.mean(~rollout.valid):.0%}")

# %%
corridor = Kitchen.from_ascii(">...G")
exact, _ = oracle.value_iteration(oracle.model(compile_kitchen(corridor), V1_REWARDS), 0.97)
arguments = facts(rollout, exact, corridor)
advantages, returns = gae(*arguments, gamma=0.97, lam=0.95)

# %%
for name, mask in {"with the mask": rollout.valid, "every row": rollout.valid | True}.items():
    kept, loss = normalize(advantages, mask)[rollout.valid], value_loss(arguments[1], returns, mask)
    print(
        f"{name:14} mean {abs(kept.mean()):.2f}, deviation {kept.std():.2f}, value loss {loss:.0f}"
    )

# %% [markdown]
# Mean and deviation are those of the transitions. Without the mask, what a learner is told about
# its steps is shifted and scaled by rows in which nobody did anything. The loss changes too. With
# long episodes the effect is small, and that is the trouble: it grows unseen as soon as your robots
# begin to crash early.

# %% [markdown]
# ## How much do N robots tell?
#
# A policy with adjustable numbers is improved by a **policy gradient**: it says in which direction
# each number should move so that good steps become likelier. It is a mean over all rows of the
# rollout, so it is noisy, and more robots should make it quieter. By how much?
#
# The policy here sees one of eight situations: where the goal lies, and whether the way ahead is
# clear. It has one row of scores a situation, and turns them into the probabilities of the four
# actions by a softmax: it raises e to each score and divides by the sum. So there are 32 numbers to
# adjust. The policy is fixed, and it has learned half of its job:

# %%
POLICY = sharing.policy()
print(" " * 21, *(f"{action:>10}" for action in ACTIONS))
for name, row in zip(sharing.SITUATIONS, POLICY, strict=True):
    print(f"{name:21}", *(f"{p:10.2f}" for p in row))

# %% [markdown]
# ## Exercise 08.5: Measure the noise of a gradient
#
# Raise the score of action a in situation k a little, and the logarithm of the probability of the
# action taken changes: by `1 - p` if a was taken, by `-p` if another one was, where
# `p = probabilities[k, a]`. The policy gradient weighs that with the advantage of each step, and
# takes the mean:
#
# ```
# for each valid row (t, n), with k = situations[t, n]:
#     for each action a:
#         gradient[k, a] += advantages[t, n] * ((actions[t, n] == a) - probabilities[k, a])
# divide by the number of valid rows
# ```
#
# How noisy is it? Collect M times with other seeds, get M gradients, and see how far they scatter:
#
# | function | takes | returns |
# |---|---|---|
# | `policy_gradient` | probabilities `[K, 4]`, and four arrays `[T, N]` | `[K, 4]` |
# | `total_variance` | gradients `[M, K, 4]` | one number: K * 4 sample variances, added up |
# | `loglog_slope` | numbers of robots, their variances | slope of the fitted line (see below) |
#
# Each of the K * 4 numbers has a variance over the M gradients; the *sample* variance divides by
# M - 1. The line is the least-squares line through all the points `(log(size), log(variance))`. Do
# *not* normalize advantages here: that would divide each gradient by its own noise.
#
# A situation occurs in many rows of one rollout, and every one counts. `gradient[situations] += x`
# keeps only one of them; `np.add.at(gradient, situations, x)` adds them all.


# %% tags=["exercise:08.5"] minutes=12 difficulty=3
def policy_gradient(
    probabilities: np.ndarray,
    situations: np.ndarray,
    actions: np.ndarray,
    advantages: np.ndarray,
    valid: np.ndarray,
) -> np.ndarray:
    """Return ``[K, 4]``: how each score should move."""
    # BEGIN SOLUTION
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()
    # END SOLUTION


def total_variance(gradients: np.ndarray) -> float:
    """Return the sum of the sample variances of all numbers of a gradient."""
    # BEGIN SOLUTION
    return float(gradients.var(axis=0, ddof=1).sum())
    # END SOLUTION


def loglog_slope(sizes, variances) -> float:
    """Return the slope of ``log(variances)`` against ``log(sizes)``."""
    # BEGIN SOLUTION
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])
    # END SOLUTION


# %% tags=["check:08.5"]
check("08.5")

# %% [markdown]
# A hint is at `hint("08.5")`.

# %% [markdown] tags=["hints:08.5"]
# 1. Take the valid rows out first: `situations[valid]` is flat, and so are the other three. Then
#    there is one row for each transition and no mask any more.
# 2. `np.eye(4)[actions[valid]]` is 1 at the action taken and 0 elsewhere, one row a transition.
#    Subtract `probabilities[seen]`, multiply by `advantages[valid][:, None]`, and add it up with
#    `np.add.at(gradient, seen, ...)`. Divide by `valid.sum()`.
# 3. `gradients.var(axis=0, ddof=1).sum()` is the total variance: over the M, then added up.
#    `np.polyfit(np.log(sizes), np.log(variances), 1)[0]` is the slope.

# %% [markdown]
# `sharing.drive_groups(M, N, ...)` lets M groups of N robots follow the policy, and knows its exact
# values. All groups drive at once, side by side in the columns; `np.split` cuts them apart. Your
# `gae` and your `policy_gradient` then make one gradient from each group.

# %%
GROUPS = budget(200, fast=50)


def gradients(robots, shared, seed):
    """One gradient from each group, ``[GROUPS, 8, 4]``."""
    rows = sharing.drive_groups(GROUPS, robots, shared, seed=seed)
    advantages, _ = gae(*rows[2:7], gamma=sharing.GAMMA, lam=0.95)
    columns = rows.situations, rows.actions, advantages, rows.valid
    groups = zip(*(np.split(c, GROUPS, axis=1) for c in columns), strict=True)
    return np.array([policy_gradient(POLICY, *group) for group in groups])


for robots in (1, 16):
    found = gradients(robots, "nothing", seed=8)[:5]
    print(
        f"{robots:2} robots: push towards driving when the goal is ahead", found[:, 0, 0].round(2)
    )

# %% [markdown]
# Five groups, five answers to the same question. With one robot they do not even agree in sign;
# with 16 they do, and come close to each other.
#
# Now the measurement. The robots of a group share one of three things:
#
# | shared | the robots of a group |
# |---|---|
# | `nothing` | each in a kitchen of its own, with actions of its own |
# | `kitchen` | one kitchen for all of them, drawn for the group; each with actions of its own |
# | `everything` | the same kitchen and the same random numbers: copies |
#
# Robots that share the seed of their kitchen are called a **seed family**. **Predict** the three
# lines on logarithmic axes: how steep is each? And which of them would you notice in a training
# run, where all three make the same number of steps per second?

# %%
sizes, noise = [1, 2, 4, 8, 16, 32], {}
for kind in sharing.SHARING:
    noise[kind] = [total_variance(gradients(n, kind, seed=800 + n)) for n in sizes]
    print(f"{kind:10} slope {loglog_slope(sizes, noise[kind]):5.2f}", np.round(noise[kind], 3))

# %%
line_chart(
    {f"share {kind}": (sizes, variances) for kind, variances in noise.items()},
    title="How noisy a policy gradient is",
    xlabel="robots in the rollout, N",
    ylabel="total variance of the gradient",
    logx=True,
    logy=True,
    alt="Total variance against N, log axes. Robots that share nothing: a straight line falling "
    "by half with each doubling. Robots that share a kitchen: it flattens. Copies: a flat line.",
)

# %% [markdown]
# Robots that share nothing follow the law of large numbers: a mean of N independent things has
# 1/N of the variance of one, so the slope is close to -1. Copies are one robot, counted N times:
# slope 0, whatever the throughput says.
#
# A family lies in between, and its line is no straight one. Part of the noise is the robots' own
# luck, and that shrinks with N. The other part is the luck of the kitchen, which all of them share,
# and no number of robots averages it away. Call the shared part of the variance rho, a fraction of
# the whole. Then the variance should be `sigma2 * ((1 - rho) / N + rho)`, where `sigma2` is that of
# one robot. Can a single rho describe the whole line?

# %%
n, measured, sigma2 = np.array(sizes), noise["kitchen"], np.mean(sizes * np.array(noise["nothing"]))
rho = np.sum((measured / sigma2 - 1 / n) * (1 - 1 / n)) / np.sum((1 - 1 / n) ** 2)
law = sigma2 * ((1 - rho) / n + rho)
print(f"rho {rho:.2f}   measured", np.round(measured, 2), "  by the law", law.round(2))
print(f"{n[-1]} robots of one family tell as much as {sigma2 / law[-1]:.1f} independent ones")

# %% [markdown]
# The fit uses one number for the whole line, and the line follows it as well as a measurement of
# this size can tell. Lesson 13 calls rho the intraclass correlation, and builds rollouts of many
# families.
#
# ## When this goes wrong
#
# **Seeds that overlap.** To repeat a measurement "with another seed" you might write
# `reset(seed=0)`, `reset(seed=1)`, and so on. Here are four robots in random kitchens, with both:

# %%
envs = gym.make_vec("BurgerBotKitchens-v0", 4)
first, second = envs.reset(seed=0)[0], envs.reset(seed=1)[0]
print("robots 1 to 3, then robots 0 to 2: the same?", np.array_equal(first[1:], second[:-1]))

# %% [markdown]
# Robot i gets the seed s + i, so the two runs share three robots of four. They are no independent
# repetitions. `np.random.SeedSequence(8).spawn(200)` makes seeds that have nothing in common, and
# `drive_groups` uses it.
#
# **Means that favour short episodes.** Two robots drive to the burger, one in 1 step, the other in
# 10. You want the mean length of four episodes. **Predict** what you get if you take the first
# four that finish.

# %%
envs = BurgerBotVectorEnv(2, [".........>G", ">.........G"], rewards=V1_REWARDS)
rollout, _ = collect(envs, lambda observations: np.full(2, FORWARD), 20)
found = evaluate(envs, lambda observations: np.full(2, FORWARD), episodes_per_env=2)
print("first four to finish, robots", np.argwhere(rollout.terminated)[:4, 1])
lengths = np.array([1, 10])[np.argwhere(rollout.terminated)[:4, 1]]
print("their lengths", lengths.tolist(), "  mean", lengths.mean())
print("two from each robot, lengths", found.lengths.tolist(), "  mean", found.mean_length.mean)

# %% [markdown]
# Short episodes finish first, so they fill the sample: a robot that crashes at once is counted
# again and again. `evaluate` asks the same number of episodes of every robot. It also freezes all
# running moments while it looks, and reports the percentage of the exact optimum. Here is the best
# policy:

# %%
optimum = optimal_return(compile_kitchen(CLASSIC), V1_REWARDS, limit=150)
envs = gym.make_vec("BurgerBot-v1", 8)
print(evaluate(envs, lambda o: q[encode(CLASSIC, *o.T[:3])], 4, optimum=optimum))

# %% [markdown]
# The intervals have no width, since every episode of this policy is the same. With chance in the
# world they have: 95 of 100 such intervals should hold the true mean.
#
# **Values that remember where they came from.** A network's values carry the whole computation
# that made them, its *graph*, so that it can be trained through it. A rollout must not keep that.
# Otherwise each stored row holds a graph alive, memory grows, and the critic is trained through
# its own targets. With PyTorch:

# %%
import torch

critic, seen = torch.nn.Linear(4, 1), torch.ones(3, 4)
with torch.no_grad():
    safe = critic(seen)[:, 0]
print("kept with its graph:", critic(seen).requires_grad, "  under no_grad:", safe.requires_grad)
print("shapes:", tuple(critic(seen).shape), tuple(safe.shape))

# %% [markdown]
# The second line is the other trap, `[N, 1]` beside `[N]`. `collect` and the package's own
# `burgerbot.learn.rollout.gae`, which takes tensors too, cut the graph and refuse such shapes.
#
# | what you see | what it is | what helps |
# |---|---|---|
# | the steps before an end are wrong | the flag is stored one row off | the numbers of 08.3 |
# | the step before an end has only its delta | the sum is cut twice | `done[t]` on `A[t + 1]` |
# | last rewards count for nothing | all of delta is masked | lambda 0 gives TD errors |
# | values too low near the time limit | a truncation treated as a termination | two masks |
# | praise for the action *after* the good one | rewards one row late | add 1, 2, 4, 8 and look |
# | the first returns are 0 | the buffer was read before it was full | refuse it |
# | the loss does not fall below a constant | `[N, 1]` minus `[N]` | compare shapes |
# | memory grows with each rollout | graphs in the buffer | `no_grad`, `detach` |
# | episodes shorter on average than they are | the first to finish | a quota for each robot |
# | more robots, no less noise | shared seeds | independent kitchens and draws |

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - Repeat the measurement with lambda 0 and with lambda 1. The slopes stay; what moves?
# - Normalize the advantages of each group before the gradient, as PPO does. Is the slope for
#   robots that share nothing still -1? Why does that say little about learning?
# - Give a group two families of N / 2 robots each. Where does its line end?
# - Spoil the critic: add noise to `values`, or replace them by 0. Which lambda suffers least?
#
# ## What was measured
#
# Returns of one delivery for four discounts. Advantages of a known drive with exact values and
# with values of 0, for several lambdas. Four hand-made advantages with a flag in the right row and
# one row off. Means and losses with and without reset rows. The total variance of a policy
# gradient against the number of robots, for three kinds of sharing, with a fixed policy, exact
# values, no normalization, and independent groups. The mean length of four episodes, by quota and
# by order of arrival.
#
# ## Sources
#
# - Schulman and others (2016), [High-dimensional continuous control using generalized advantage
#   estimation](https://arxiv.org/abs/1506.02438)
# - Williams (1992), [Simple statistical gradient-following algorithms for connectionist
#   reinforcement learning](https://doi.org/10.1007/BF00992696): the policy gradient
# - Sutton and Barto (2018), *Reinforcement Learning: An Introduction*, chapters 12 and 13
# - Pardo and others (2018), [Time limits in reinforcement
#   learning](https://arxiv.org/abs/1712.00378)
# - Kish (1965), *Survey Sampling*: the design effect, what shared luck costs
# - NumPy, [parallel random number
#   generation](https://numpy.org/doc/stable/reference/random/parallel.html): `SeedSequence.spawn`
#
# Previous: [07 · Running moments](07_running_moments.ipynb) · Next: [09 · SB3's
# PPO](09_sb3_ppo.ipynb)
