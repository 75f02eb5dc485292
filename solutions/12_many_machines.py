# %% [markdown] minutes=60
# # 12 · Many machines: what when one machine is full?
#
# In this lesson your robots move out: into processes on this machine, and with the same code into
# processes on others. You learn what that costs, what goes stale on the way, and how training
# goes on when a machine dies.
#
# Afterwards you can
#
# 1. measure how old the policy is that your data come from, and correct for it;
# 2. merge what many workers counted, and draw from what many workers saw;
# 3. kill a worker in the middle of a training run, and lose nothing but what it was doing.
#
# **Time** about 60 minutes. **You need** [lesson 05](05_async.ipynb),
# [lesson 07](07_running_moments.ipynb) and [lesson 08](08_rollouts_and_advantages.ipynb); PPO by
# hand is lesson 10. **The machine** needs about 600 MB of free memory for the parts on Ray. Where
# Ray cannot start, they run in this process, and the notebook says so.
#
# Previous: [11 · Average reward](11_average_reward.ipynb) · Next: [13 · The rollout
# contract](13_the_rollout_contract.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. Run it first.

# %% tags=["imports"]
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from functools import partial

import gymnasium as gym
import numpy as np

import burgerbot
from burgerbot.course import budget, check, hint, solution
from burgerbot.learn import rare_reward, stale
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.q_learning import QTable
from burgerbot.learn.replay import PrioritizedReplay
from burgerbot.scale import compare_crews, drills, tiers, workers
from burgerbot.scale.ape_x import explorer_builds, train_ape_x
from burgerbot.scale.backends import recommend_backend
from burgerbot.scale.crew import Crew, CrewLost
from burgerbot.scale.transport import WorkerAway, WorkerGone
from burgerbot.show import histogram, line_chart
from burgerbot.show.crews import crew_diagram

# %% [markdown]
# ## Send rollouts, not steps
#
# In lesson 05 a process for each robot lost against one process, for a robot as quick as ours. A
# message cost more than a step. There are two ways out. Give each process many robots, and let it
# take many steps before it answers: then one message carries a whole **rollout**. For that, the
# process needs the policy itself. Such a process is a **worker**, and the one that improves the
# policy is the **learner**:

# %%
crew_diagram("IMPALA")

# %% [markdown]
# This is how IMPALA works, a paper of 2018. The name stands for importance weighted actor-learner
# architectures, and you will meet both halves of it. Solid arrows carry rollouts, the dashed one
# carries weights.
#
# **Ray** is a library that starts processes on one machine or on many, carries objects between
# them, and tells you when one has died. The next cell starts it. That takes some seconds on a quiet
# machine and up to minutes on a busy one. Without an address, Ray starts on this machine. With one,
# the same line would join a cluster. If Ray cannot start, the same workers stay in this process,
# and the cell says why.

# %%
session = workers.Session(num_cpus=2)
Place = session.transport
print(session)

# %% [markdown]
# Which way of running robots is worth it, and for which robots? The ladder that began in lesson 05
# has a rung more now: one process; a process for each robot, by Gymnasium and by SB3; two workers.
# Always eight robots, always rollouts of 64 steps with a policy that decides. **Predict** the
# order, for BurgerBots, and for heavy robots whose step takes a millisecond of computing.

# %%
clock = {"rounds": budget(3, fast=1), "seconds": budget(0.3, fast=0.02), "steps": 64}
rungs = tiers.ladder(Place, robots=8, **clock)
print(tiers.table(rungs))

# %% [markdown]
# A dash is a combination that does not exist: heavy robots have no native form, the arrays of
# lesson 06. Read the columns. For quick robots, compare the arrays with a process for each robot:
# messages eat what more cores might give. Two workers send few messages, but they share the cores
# with this notebook. For heavy robots, what counts is how many cores compute at once, and it
# matters little whose processes use them.
#
# What does the rule of lesson 05 say of heavy robots, on machines of eight cores?

# %%
for robots, machines in ((8, 1), (200, 1), (64, 4)):
    advice = recommend_backend(1_000, robots, cores=8, machines=machines)
    print(f"{robots:3} robots, {machines} machine(s): {advice.backend}. {advice.reasons[0]}")

# %% [markdown]
# ## Exercise 12.1: Measure the policy lag
#
# While a worker collects, the learner goes on. When the rollout arrives, the policy has changed.
# The weights that made it are **stale**, and by how much is its **lag**: the number of updates
# since. You cannot correct what you do not measure.
#
# To keep workers busy, each has two calls **in flight**: it is asked for the next rollout before it
# has sent the last one. A log tells what happened, in order:
#
# | entry | what happened |
# |---|---|
# | `("publish", None)` | the learner has new weights: their version is one higher; the first is 1 |
# | `("ask", w)` | worker w was asked for a rollout, **with the newest weights there were** |
# | `("answer", w)` | worker w's oldest open call came back |
#
# A worker answers its calls in the order in which it got them. The lag of an answer is the newest
# version when it comes back, less the version that it was asked with. Answers with a lag above
# `max_lag` are thrown away.
#
# | returns | |
# |---|---|
# | `lags` | list of int: the lag of each answer that was used, in order |
# | `dropped` | int: how many were thrown away |


# %% tags=["exercise:12.1"] minutes=8 difficulty=1 seconds=60
def policy_lags(log: Sequence[tuple], max_lag: int) -> tuple[list[int], int]:
    """Return the lags of the answers that were used, and how many were dropped."""
    # BEGIN SOLUTION
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].popleft()
            if lag <= max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped
    # END SOLUTION


# %% tags=["check:12.1"]
check("12.1")

# %% [markdown]
# A hint is at `hint("12.1")`.

# %% [markdown] tags=["hints:12.1"]
# 1. Go through the log once. Keep the newest version in one variable, and for each worker the
#    versions of its open calls.
# 2. First asked, first answered: a `collections.deque` for each worker, `append` when it is asked,
#    `popleft` when it answers. `defaultdict(deque)` makes them as needed.
# 3. At an answer: `lag = version - asked[worker].popleft()`. If `lag <= max_lag`, append it to
#    `lags`; else add 1 to `dropped`.

# %% [markdown]
# Two workers, two calls in flight each, and a learner that publishes after every second rollout.
# The package calls the workers of one learner a **crew**, and a worker's rollout a **fragment** of
# a batch. What carries them is a transport, and a `LoggedTransport` also writes the log.
# **Predict**: which lag is the most common? Can it be 0?

# %%
log, report = drills.record(Place, updates=budget(60, fast=20))
lags, dropped = policy_lags(log, max_lag=8)
print("yours:", dict(sorted(Counter(lags).items())), "dropped", dropped)
print("the crew's own report:", report)

# %%
histogram(
    lags,
    title="How old the policy is that the data come from",
    xlabel="lag (updates of the learner)",
    ylabel="rollouts used",
    bins=np.arange(-0.5, max(lags) + 1.5),
    alt="Histogram of policy lags with two workers and two calls in flight: most rollouts are one "
    "or two updates old.",
)

# %% [markdown]
# Only the first rollouts are fresh. Each rollout waits behind those that were asked for before it:
# more calls in flight keep the workers busier, and make the data staler. That trade is yours to
# make, in two numbers: `in_flight`, and `max_lag` as the limit.

# %% [markdown]
# ## What stale data do to a learner
#
# Write pi for the policy that learns, and mu for the older one that collected. To see what a lag
# costs, we need both, and exact values. `stale` has 25 versions of a policy for the classic
# kitchen, each a little better than the one before. Take version 24 as pi. Someone asks what the
# start is worth **under pi**, and has only rollouts of an older version:

# %%
exact = [float(stale.values_of(stale.version(k))[stale.start()]) for k in range(25)]
print("version: worth of the start", {k: round(exact[k], 1) for k in (8, 16, 20, 23, 24)})

# %% [markdown]
# Whoever averages the returns that came in learns the value of the policy that made them. Eight
# versions ago the start was worth clearly less, so a critic that learns from such rollouts
# believes clearly less. Nothing warns it: its errors are small, the data agree with each other.
#
# The cure is a weight for each step: the **importance ratio** pi / mu of the action taken. Actions
# that pi likes more than mu did count more, the others less. Multiplied along a rollout, though,
# such ratios explode. V-trace, IMPALA's answer, cuts them off.

# %% [markdown]
# ## Exercise 12.2: Correct stale data by V-trace
#
# V-trace is GAE of lesson 08, with lambda 1, and with two weights. `rho`, cut at `rho_bar`, says
# how much a step's own error counts. (The letter has a third meaning here: lesson 08 wrote it for a
# share of variance, lesson 11 for the average reward.) `c`, cut at `c_bar`, says how much of what
# comes later is passed back. Without lag both are 1, and a target is the **n-step return**: the
# discounted rewards up to the end of the rollout, and the value of what comes then. `X` is what a
# target adds to the value. `A` takes what comes later in full, without `c`: the weight of an action
# is its own ratio alone.
#
# ```
# ratio = exp(log_ratios)                          # pi / mu of the action taken
# for the last step down to the first:
#     rho, c = min(rho_bar, ratio[t]), min(c_bar, ratio[t])
#     error = rewards[t] + gamma * next_values[t] - values[t]
#     A[t] = rho * (error + gamma * X[t + 1])
#     X[t] = rho * error + c * gamma * X[t + 1]
# targets = values + X
# ```
#
# | where | |
# |---|---|
# | the step terminated | `next_values[t]` counts as 0 |
# | either flag is set, or t is the last row | `X[t + 1]` counts as 0 |
# | all arrays | `[T, N]`, float64 but for the flags; robots do not mix |
#
# The function returns `(A, targets)`: advantages for the policy, targets for the critic.


# %% tags=["exercise:12.2"] minutes=12 difficulty=3 seconds=60
def vtrace(
    log_ratios: np.ndarray,
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    gamma: float,
    rho_bar: float = 1.0,
    c_bar: float = 1.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return advantages and targets ``[T, N]`` of the policy that learns."""
    # BEGIN SOLUTION
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    advantages, excess = np.zeros_like(values), np.zeros_like(values)
    later = np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        advantages[t] = rho[t] * (error[t] + passed)
        later = excess[t] = rho[t] * error[t] + c[t] * passed
    return advantages, values + excess
    # END SOLUTION


# %% tags=["check:12.2"]
check("12.2")

# %% [markdown]
# A hint is at `hint("12.2")`.

# %% [markdown] tags=["hints:12.2"]
# 1. Work out `rho`, `c` and `error` for all rows at once, as arrays `[T, N]`. Only X needs the
#    loop, from the last row to the first.
# 2. Keep `X[t + 1]` as an array `[N]` called `later`, zeros at first. Inside the loop, `np.where(
#    terminated[t] | truncated[t], 0.0, later)` is what may be passed back.
# 3. `passed = gamma * np.where(...)`; then `advantages[t] = rho[t] * (error[t] + passed)` and
#    `later = excess[t] = rho[t] * error[t] + c[t] * passed`.

# %% [markdown]
# Now the measurement. `stale.fit_critic(lag, target)` lets the version `lag` updates ago drive, and
# moves a table of values towards the targets that your function gives, 60 rounds long. Compare
# three critics: one that does not correct, V-trace, and V-trace without a bound on rho. **Predict**
# for lag 8: how far off is each?


# %%
def corrected(rows, values, next_values, rho_bar=1.0):
    """Targets by your V-trace."""
    numbers = rows.log_ratios, rows.rewards, values, next_values
    return vtrace(*numbers, rows.terminated, rows.truncated, stale.GAMMA, rho_bar)[1]


critics = {"no correction": stale.trusting, "V-trace": corrected}
critics["V-trace, rho unbounded"] = partial(corrected, rho_bar=np.inf)

# %%
tried = [0, 2, 4, 8][:: budget(1, fast=3)]
bias = {name: stale.bias(target, tried) for name, target in critics.items()}
for name, found in bias.items():
    print(f"{name:24}", *(f"lag {lag}: {b:6.2f}" for lag, b in zip(tried, found, strict=True)))

# %%
line_chart(
    {name: (tried, found) for name, found in bias.items()},
    title="What a critic believes of the start, less the truth",
    xlabel="lag (versions)",
    ylabel="bias (points)",
    alt="Bias of three critics against lag. Without correction it falls to about minus 5 points at "
    "lag 8. V-trace stays within 1 point of 0, V-trace without a bound on rho at 0.",
)

# %% [markdown]
# Without correction the critic is off by what the older policy was worse: it has learned the value
# of version 16, and calls it the value of version 24. V-trace takes most of that away. A small rest
# stays with `rho_bar=1`, and it can be worked out: V-trace finds the values of a policy *between*
# the two, `min(pi, mu)` scaled to sum to 1.

# %%
between = stale.between(stale.version(24), stale.version(16))
rest = stale.values_of(between)[stale.start()] - exact[24]
print(f"lag 8: exact bias without correction {exact[16] - exact[24]:.2f}, with V-trace {rest:.2f}")

# %% [markdown]
# Then why a bound at all? Because an unbounded ratio can be huge, and one step with a weight of 50
# drowns all the others. `rho_bar` trades bias for variance; `c_bar` only sets the speed. The two
# policies here are close enough for no bound. After a hundred updates they would not be.

# %% [markdown]
# ## Exercise 12.3: Merge moments from workers without counting twice
#
# Every worker normalizes what its robots see, by the running moments of lesson 07. So all workers
# need the same moments, and what each of them sees has to flow back. The obvious way is wrong. Each
# worker starts from the shared state, counts on, and sends its state back; merged, the shared past
# counts once more for each worker.
#
# A state is `(count, mean, m2)`: an int, and two arrays `[D]`. What a worker *added* is the
# **delta** between its state before and after. The cell gives you the `merge` of exercise 07.2; the
# delta is that formula, solved for B:

# %% tags=["given"]
State = tuple[int, np.ndarray, np.ndarray]  # count, mean, m2


def merge(a: State, b: State) -> State:
    """Moments of the rows of both (exercise 07.2)."""
    (n_a, mean_a, m2_a), (n_b, mean_b, m2_b) = a, b
    n, d = n_a + n_b, mean_b - mean_a
    share = n_b / n if n else 0.0
    return n, mean_a + d * share, m2_a + m2_b + d**2 * (n_a * share)


# %% [markdown]
# | of the rows that were added | formula |
# |---|---|
# | count | `n = n_after - n_before` |
# | mean | `(n_after * mean_after - n_before * mean_before) / n` |
# | distance of the means | `d = mean - mean_before` |
# | sum of squares | `m2_after - m2_before - d ** 2 * n_before * n / n_after` |
# | nothing was added, `n == 0` | `(0, zeros, zeros)` |
#
# A worker sends a report `(key, before, after)`. Messages can come twice: a call that seemed lost
# is tried again, and then both answers arrive, with the same key. Count it once. `before` is not
# the same for all: each worker got the shared state when it was asked, some earlier, some later.
#
# | function | returns |
# |---|---|
# | `delta(before, after)` | the state of the rows in between |
# | `gather(shared, reports)` | the shared state, with the rows of every report, each once |


# %% tags=["exercise:12.3"] minutes=10 difficulty=2 seconds=60
def delta(before: State, after: State) -> State:
    """Return ``(count, mean, m2)`` of the rows that were added."""
    # BEGIN SOLUTION
    (n_before, mean_before, m2_before), (n_after, mean_after, m2_after) = before, after
    n = n_after - n_before
    if n == 0:
        return 0, np.zeros_like(mean_before), np.zeros_like(m2_before)
    mean = (n_after * mean_after - n_before * mean_before) / n
    d = mean - mean_before
    return n, mean, m2_after - m2_before - d**2 * n_before * n / n_after
    # END SOLUTION


def gather(shared: State, reports: Sequence[tuple]) -> State:
    """Return the shared state with all that the reports add, each report once."""
    # BEGIN SOLUTION
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared
    # END SOLUTION


# %% tags=["check:12.3"]
check("12.3")

# %% [markdown]
# A hint is at `hint("12.3")`.

# %% [markdown] tags=["hints:12.3"]
# 1. `delta` is the table, line by line; deal with `n == 0` first, or you divide by it.
# 2. For `gather`, keep a set of the keys that you have seen. Skip a report whose key is in it.
# 3. `shared = merge(shared, delta(before, after))` for each report that is new. Do not use `after`
#    alone: it holds the shared past.

# %% [markdown]
# The case from a bug report: 100 rows of value 0 are shared, then two workers add ten rows of value
# 5 each, and one of them answers twice. **Predict** count and mean, right and wrong.

# %%
shared = 100, np.array([0.0]), np.array([0.0])
after = merge(shared, (10, np.array([5.0]), np.array([0.0])))
reports = [("worker 0, call 7", shared, after), ("worker 1, call 7", shared, after)]
print("deltas, each once:   ", gather(shared, [*reports, reports[0]])[:2])
print("two whole states:    ", merge(after, after)[:2])

# %% [markdown]
# The workers of this course go the shorter way. Each counts the rows of a rollout in moments of its
# own, from 0, and sends those: a delta from the start. Moments of a rollout that is dropped are
# dropped with it.

# %% [markdown]
# ## The same training, by a crew
#
# Now all of it together. `train_crew` is lesson 10's `train`, with three parts exchanged: rollouts
# come from a crew, V-trace judges them, and moments come as deltas. Weights go out once an update,
# tagged with their version.
#
# Robots learn to deliver in random kitchens; success is measured in 256 kitchens that none of them
# has seen. **Predict**: does the crew reach what one process reaches?

# %%
steps = budget(120_000, fast=15_000)
for name, train in {
    "one process": compare_crews.in_process,
    "2 workers": partial(compare_crews.by_crew, Place),
}.items():
    run = train(seed=0, steps=steps)
    print(f"{name:12} success {run.interval}, {run.steps_per_second:,.0f} steps/s")
print("lags of the crew:", dict(sorted(run.lags.items())))

# %% [markdown]
# The intervals, of 95 %, should overlap. `python -m burgerbot.scale.compare_crews` repeats this for
# five seeds.
#
# Speed is another matter. The learner of PPO takes most of the time here, and it does not get
# faster by more workers; on two cores, workers and learner even compete. A crew pays where
# collecting is what takes the time: heavy robots, or many cores.

# %% [markdown]
# ## Another answer to old data
#
# V-trace needs data that are only a little old. **Q-learning** takes any: it asks what the best
# action *would* give, so it does not matter who acted. That is called **off-policy**. Then why
# throw data away after one use? Ape-X, also of 2018, keeps millions of transitions in one
# **replay**, filled by many workers:

# %%
crew_diagram("Ape-X")

# %% [markdown]
# ## Exercise 12.4: Draw what surprises, as Ape-X does
#
# Most transitions teach nothing new. A **prioritized** replay draws those more often whose TD error
# was large. That skews what the learner sees, so each drawn transition is weighted by how
# over-represented it is. And Ape-X adds a trick: the *workers* work out the first priorities, since
# the learner could not look at everything that comes in.
#
# | function | formula |
# |---|---|
# | `first_priorities` | absolute value of `r + gamma * max_a Q(s', a) - Q(s, a)` |
# | the same, where a step terminated | without the part with `Q(s', a)` |
# | `chances` | `p ** alpha / sum(p ** alpha)` |
# | `importance_weights` | `(N * P) ** -beta`, divided by the largest of them |
#
# `q` is `[S, 4]`. `rows` is a dict of arrays `[B]`: `states`, `actions`, `rewards`, `terminated`,
# `next_states`. `chances` and `importance_weights` take arrays `[N]`, for all
# that is in the replay.


# %% tags=["exercise:12.4"] minutes=10 difficulty=2 seconds=60
def first_priorities(q: np.ndarray, rows: dict, gamma: float) -> np.ndarray:
    """Return the absolute TD error of each row, float64 ``[B]``."""
    # BEGIN SOLUTION
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])
    # END SOLUTION


def chances(priorities: np.ndarray, alpha: float) -> np.ndarray:
    """Return the probability of each transition to be drawn, float64 ``[N]``."""
    # BEGIN SOLUTION
    powers = np.asarray(priorities) ** alpha
    return powers / powers.sum()
    # END SOLUTION


def importance_weights(probabilities: np.ndarray, beta: float) -> np.ndarray:
    """Return what each transition counts in the loss, at most 1, float64 ``[N]``."""
    # BEGIN SOLUTION
    found = (len(probabilities) * np.asarray(probabilities)) ** -beta
    return found / found.max()
    # END SOLUTION


# %% tags=["check:12.4"]
check("12.4")

# %% [markdown]
# A hint is at `hint("12.4")`.

# %% [markdown] tags=["hints:12.4"]
# 1. `q[rows["next_states"]]` is `[B, 4]`; its `max(axis=1)` is what comes later. `np.where` puts 0
#    where a row terminated.
# 2. The value of the action taken is `q[rows["states"], rows["actions"]]`. A negative error is a
#    surprise too: take the absolute value.
# 3. `powers = priorities ** alpha`, `powers / powers.sum()`; `w = (len(p) * p) ** -beta`,
#    `w / w.max()`.

# %% [markdown]
# Three transitions with priorities 1, 1 and 4, and what your functions make of them. With beta 1
# the weights undo the skew: chance times weight is the same for all.

# %%
p = chances(np.array([1.0, 1.0, 4.0]), alpha=1.0)
for beta in (0.0, 0.5, 1.0):
    w = importance_weights(p, beta)
    print(
        f"beta {beta}: drawn {p.round(3)}, weighted {w.round(3)}, both together {(p * w).round(3)}"
    )

# %% [markdown]
# When is that worth it? Take a corridor with one reward at its end, and a replay that is full
# already. Count how many batches Q-learning draws until it knows what the start is worth.
# **Predict** how the lines go apart as the corridor gets longer, and the reward rarer.

# %%
corridors = [rare_reward.corridor(length) for length in (4, 8, 12, 16, 20)[: budget(5, fast=3)]]
print("rewards among 6,400 rows:", {c.length: c.rewards for c in corridors})
needed = rare_reward.compare(corridors)

# %%
line_chart(
    {name: ([c.length for c in corridors], counts) for name, counts in needed.items()},
    title="How soon a replay finds what matters",
    xlabel="length of the corridor (cells)",
    ylabel="batches of 16 until the start is known",
    logy=True,
    alt="Batches against corridor length, log axis. Short corridors: no gain. Long ones, with few "
    "rewards: prioritized draws need about half as many batches; with beta 0.4, in between.",
)

# %% [markdown]
# Where rewards are common, priorities buy nothing. Where they are rare, they find them. The weights
# take part of the gain back: they keep the target right where chance is involved, and there is
# none in this corridor.
#
# And here is Ape-X itself: two workers of eight robots, sixteen different tastes for trying things
# out, one replay, one table of values.

# %%
explorers = explorer_builds(partial(gym.make_vec, "burgerbot:BurgerBot-v1", num_envs=8), 2, 8)
q, replay = QTable([7, 7, 4, 3]), PrioritizedReplay(50_000)
with Crew(Place(explorers), max_lag=10**6) as crew:
    done = train_ape_x(crew, q, replay, budget(20_000, fast=5_000), seed=0)
found = evaluate(gym.make_vec("BurgerBot-v1", 1), q, 1)
print(f"{done:,} transitions, {len(replay):,} in the replay; return {found.mean_return.mean:.1f}")

# %% [markdown]
# The best possible return in the classic kitchen is 47.9, by lesson 08. Old data did no harm.

# %% [markdown]
# ## Exercise 12.5: Go on when a worker is killed
#
# With many workers, one of them dies sooner or later. Lesson 05 ended all workers when one was
# gone, and raised an error. That is right for one machine, and useless for many: here the others
# must go on.
#
# A process that died may be started again by Ray. But the new process knows nothing: no seed, no
# moments, no weights. And if it got its *old* seed, it would play the same episodes again.
#
# | tool | what it does |
# |---|---|
# | `worker.sample(weights)` | returns a fragment, or raises |
# | `WorkerAway` | its process died; a new one is there, and waits for `begin` |
# | `WorkerGone` | it will not come back |
# | `worker.begin(seed)` | starts the worker anew; can raise `WorkerGone` |
#
# Write the loop. All workers have begun. Ask them in turns, worker 0 first, until there are
# `wanted` fragments.
#
# | what happens | what you do |
# |---|---|
# | a fragment comes | keep `(index of the worker, fragment)`; next worker |
# | `WorkerAway` | count one `lost`; `begin` it with the next of `seeds`; next worker |
# | `WorkerGone`, from either call | count one `gone`; never ask it again; next worker |
# | all are gone | raise `CrewLost`, with the number of fragments so far in its message |
# | any other error | it is a bug, not a fault of the machine: let it through |
#
# Return the list of fragments, and `{"lost": ..., "gone": ...}`.


# %% tags=["exercise:12.5"] minutes=12 difficulty=3 seconds=60
def collect_from(
    workers: Sequence, weights: object, wanted: int, seeds: Iterator[int]
) -> tuple[list[tuple[int, object]], dict[str, int]]:
    """Collect from workers that may die, and say what was lost."""
    # BEGIN SOLUTION
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report
    # END SOLUTION


# %% tags=["check:12.5"]
check("12.5")

# %% [markdown]
# A hint is at `hint("12.5")`.

# %% [markdown] tags=["hints:12.5"]
# 1. Keep the workers that are left in a `deque` of `(index, worker)`: take one from the left, and
#    put it back at the right unless it is gone. If the deque is empty, all are gone.
# 2. `begin` can raise `WorkerGone` too. So an outer `try` for `WorkerGone` goes around an inner one
#    for `WorkerAway`, and `begin` is called inside the outer one.
# 3. Catch nothing else. An `except Exception` would turn a bug into a worker that dies for ever.

# %% [markdown]
# Your loop on real processes. Worker 1 is killed with SIGKILL, the signal that no program can
# refuse, while it works. (`OneWorker` gives Ray's processes the interface of the table.)

# %%
pair, seeds = drills.Pair(Place), iter(range(200, 300))
before, _ = collect_from(pair.workers, pair.weights, 4, seeds)
pair.kill(1)
after, report = collect_from(pair.workers, pair.weights, 6, seeds)
pair.close()
print("before:", [index for index, _ in before], " after the kill:", [index for index, _ in after])
print(report)

# %% [markdown]
# Worker 1 misses a turn, and is back. Now the same in the middle of a training run. The package's
# crew keeps calls in flight, and does not wait for the dead.

# %%
drill = drills.kill_drill(Place, updates=budget(40, fast=20))
print(drill)

# %% [markdown]
# (The drill makes the updates that you ask for, and goes on until the worker is back. Most of that
# time one worker is alone: its two calls in flight are all there is, and half of them are fresh.)
# Training went on with one worker, the loss is in the report, and the worker that came back got a
# new seed, the newest weights and the moments before anything of it counted. The last line is the
# proof that no row was counted twice, and none that was not learned from. If *all* are gone,
# `train_crew` saves a checkpoint and raises `CrewLost` with its name.
#
# ## Two machines, on one
#
# A **node** is one machine of a cluster. Ray can pretend that this machine is two. Each node gets
# one core, so each has one worker. Then one node is lost with all that is on it, as if somebody
# had pulled its plug, and later a new one comes. **Predict** what differs from the kill above.

# %%
session.close()
try:
    if session.skipped:
        raise workers.RayUnavailable(session.skipped)
    print(drills.node_drill(updates=budget(40, fast=20)))
except workers.RayUnavailable as error:
    print(f"Skipped: two nodes ({error})")

# %% [markdown]
# Nothing differs, but for the time. To the crew, a lost machine is a lost worker. (Ray may add a
# line of its own, about objects that the lost node held: rollouts that were not fetched yet.)
#
# ## Reference: what travels, how stale, and how to start
#
# **Messages.** What does a worker of 16 robots send, and what does it get? Divide by the robot
# steps in between:

# %%
print(drills.message_costs([1, 32, 256]))

# %% [markdown]
# The weights are paid once a rollout, the rows once a step. A long rollout makes the weights cheap;
# it also makes the data staler. Over a network of 1 Gbit a second, 125 MB, divide 125,000,000 by
# the bytes of a robot step: that many steps a second can pass, from all workers together.
#
# | cost of a message | grows with | what helps |
# |---|---|---|
# | fixed: pickle, wake up, network | number of messages | longer rollouts, more robots a worker |
# | weights out | size of the network, number of workers | one `ray.put` an update |
# | rollouts back | steps, size of an observation | observations as bytes, not as floats |
#
# **Staleness: what each way bears.**
#
# | way | data may be | because |
# |---|---|---|
# | PPO, synchronous | of the same policy | its ratio is clipped; beyond that it learns nothing |
# | PPO with V-trace, IMPALA | some updates old | ratios are cut, and bias grows with the lag |
# | Q-learning, Ape-X | as old as the replay | it asks about the best action, not the one taken |
# | moments | as old as the weights | both go out in one parcel, so they fit together |
#
# **On a cluster with SLURM.** SLURM is the program that hands out machines on many clusters. Save
# the first text as `train.py`, the second as `job.sh`, and hand in `sbatch job.sh`:
#
# ```python
# from functools import partial
#
# import gymnasium as gym
#
# from burgerbot.learn import ppo
# from burgerbot.scale import workers
# from burgerbot.scale.crew import Crew
# from burgerbot.scale.off_policy import train_crew
# from burgerbot.scale.worker import RolloutWorker
#
# WORKERS, STEPS = 14, 2_000_000
#
# if __name__ == "__main__":
#     make = partial(gym.make_vec, "burgerbot:BurgerBotKitchens-v0", num_envs=64)
#     with workers.running("auto"):
#         with Crew(workers.RayTransport([partial(RolloutWorker, make)] * WORKERS)) as crew:
#             run = train_crew(crew, ppo.PPOConfig(), STEPS, checkpoint="run.pt")
#     print(run.updates, "updates;", crew.report)
# ```
#
# ```bash
# ##!/bin/bash
# #SBATCH --nodes=2
# #SBATCH --ntasks-per-node=1
# #SBATCH --cpus-per-task=8
# #SBATCH --time=01:00:00
# set -euo pipefail
#
# export RAY_AUTH_MODE=token          # others are on this network too
# ray get-auth-token --generate > /dev/null
# head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
# srun --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" \
#     ray symmetric-run --address "$head:6379" --min-nodes "$SLURM_JOB_NUM_NODES" \
#     --num-cpus "$SLURM_CPUS_PER_TASK" -- python train.py
# ```
#
# `symmetric-run` starts Ray on every node, waits until all are there, runs the program on the first
# one, and stops Ray in the end. The course must be installed at the same place on every node, and
# the token lies in your home directory, which the nodes share. If the first node dies, all is lost
# but `run.pt`: hand the job in again, and it goes on from there. Leave a core for the learner: 2
# times 8 cores, 14 workers.

# %% [markdown]
# ## When this goes wrong
#
# What comes out of Ray's store lies in memory that processes share, so nobody may write into it.
# Whoever normalizes a rollout in place finds out:

# %%
seen = np.random.default_rng(0).normal(size=(32, 16, 28))
seen.setflags(write=False)  # as Ray hands it out
try:
    seen -= seen.mean(axis=(0, 1))
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# | what you see | what it is | what helps |
# |---|---|---|
# | `output array is read-only`, or `assignment destination` | an array of Ray's store | copy it |
# | training stops when one worker dies | an error of `ray.get` that nobody caught | 12.5 |
# | `ActorUnavailableError`, `ActorDiedError` | it may come back; it will not | two cases, 12.5 |
# | an error of your env arrives as Ray's | it is both, say a `KeyError` | catch it as before |
# | counts of moments grow too fast | whole states merged | deltas, 12.3 |
# | a worker that came back repeats itself | it got its old seed | a new one for each life |
# | rollouts from long ago | calls that Ray tried again by itself | `max_task_retries=0` |
# | four workers slower than one | each uses all cores for its sums | one thread a worker |
# | "very large" objects, slow calls | weights sent with every call | `ray.put` once an update |
# | an error about pickling | a class from the notebook | put it in a package |
# | the first `ray.init` times out | a small or busy machine | fix `num_cpus`, try again |
# | no `ApexDQN` to import | it left Ray years ago | build it: this lesson |
# | waits for minutes at the start | the head of the cluster is dead | a time limit |

# %% [markdown]
# ## Try it yourself
#
# Nothing here is graded.
#
# - Write the training out with `Crew(..., in_flight=9)` of one worker and `train_crew(...,
#   correct=False)`. At which learning rate does it break? Does V-trace hold longer?
# - Let `fit_critic` drive with version 4 and learn version 24. Which `rho_bar` is best now?
# - Add greasy floors to the corridor (`slip`). Does beta matter then?
# - Kill both workers at the same moment, then both for good (`restarts=0`). Go on from the
#   checkpoint.
#
# ## What was measured
#
# Robot steps a second with a policy, for five ways to run eight robots. The lag of every rollout
# with two workers and two calls in flight. The bias of three critics against the lag, and the exact
# value of what is left. Counts and means of merged moments. Held-out success and speed of the same
# training in one process and by a crew. Batches until a rare reward is known, with three ways to
# draw. A training run that lost a worker, and one that lost a node.
#
# ## Sources
#
# - Espeholt and others (2018), [IMPALA: scalable distributed deep-RL with importance weighted
#   actor-learner architectures](https://arxiv.org/abs/1802.01561)
# - Horgan and others (2018), [Distributed prioritized experience
#   replay](https://arxiv.org/abs/1803.00933): Ape-X
# - Schaul and others (2016), [Prioritized experience replay](https://arxiv.org/abs/1511.05952)
# - Chan, Golub and LeVeque (1979), *Updating formulae and a pairwise algorithm for computing sample
#   variances*
# - Ray, [actors: fault tolerance](https://docs.ray.io/en/latest/ray-core/fault_tolerance/actors.html)
#   and [deploying on SLURM](https://docs.ray.io/en/latest/cluster/vms/user-guides/community/slurm.html)
#
# Previous: [11 · Average reward](11_average_reward.ipynb) · Next: [13 · The rollout
# contract](13_the_rollout_contract.ipynb)
