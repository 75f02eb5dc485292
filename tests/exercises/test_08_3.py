"""Exercise 08.3: generalized advantage estimation with both flags."""

import numpy as np

from burgerbot.course.claims import array_like, close, equal, that
from burgerbot.learn import oracle
from burgerbot.learn.rollout import collect
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import V1_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv


def column(*numbers):
    """Float64 [T, 1]."""
    return np.array(numbers, dtype=np.float64)[:, None]


def flags(text):
    """Bool [T, 1] from a text of 0 and 1."""
    return np.array([[mark == "1"] for mark in text])


def estimated(answer, arguments, gamma, lam, where):
    """The learner's advantages and returns, in shape and dtype of the values."""
    got = answer.gae(*(array.copy() for array in arguments), gamma, lam)
    that(
        isinstance(got, tuple) and len(got) == 2,
        "return two arrays: the advantages and the returns",
        expected="(advantages, returns)",
        yours=type(got).__name__,
        where=where,
    )
    values = arguments[1]
    for name, array in zip(("advantages", "returns"), got, strict=True):
        array_like(array, values.shape, values.dtype, where=f"{name}, {where}")
    return got


def hand_case(answer, terminated, truncated, lam=0.5):
    """Rewards 1, values 1 2 3 4, next values 2 3 4 5, gamma 0.9: the advantages, and where."""
    where = f"rewards 1, values 1 2 3 4, next values 2 3 4 5, gamma 0.9, lambda {lam}"
    ends = {"terminated": terminated, "truncated": truncated}
    for name, text in ends.items():
        if "1" in text:
            where += f", {name} in row {text.index('1')}"
    arguments = [column(1, 1, 1, 1), column(1, 2, 3, 4), column(2, 3, 4, 5)]
    arguments += [flags(terminated), flags(truncated)]
    return estimated(answer, arguments, 0.9, lam, where)[0][:, 0], where


def by_hand(rewards, values, next_values, terminated, truncated, gamma, lam):
    """Forwards, episode by episode: the sum of (gamma * lam)**k times the k-th next delta."""
    result = np.zeros(rewards.shape)
    for n in range(rewards.shape[1]):
        for t in range(len(rewards)):
            for k in range(t, len(rewards)):
                later = 0.0 if terminated[k, n] else next_values[k, n]
                delta = rewards[k, n] + gamma * later - values[k, n]
                result[t, n] += (gamma * lam) ** (k - t) * delta
                if terminated[k, n] or truncated[k, n]:
                    break
    return result


def test_no_flag(answer):
    """Four steps on the way: each advantage is its delta plus gamma * lambda times the next one."""
    got, where = hand_case(answer, "0000", "0000")
    right = np.array([3.0256875, 2.72375, 2.275, 1.5])
    for wrong, message in (
        (
            [1.8, 2.51, 2.7295, 2.728275],
            "this sums up the past: work from the last row to the first",
        ),
        (
            right + np.arange(1, 5),
            "the values are in the advantages: `returns = advantages; returns += values` changes "
            "both, since they are one array",
        ),
    ):
        that(not np.allclose(got, wrong), message, expected=right, yours=got, where=where)
    close(
        got[3],
        1.5,
        "the last row has nothing after it: its advantage is its delta, "
        "`rewards + gamma * next_values - values`",
        where=where + ", row 3",
    )
    close(
        got,
        right,
        "each advantage is its own delta plus `gamma * lambda` times the advantage of the next row",
        where=where,
    )


def test_terminated(answer):
    """Terminated in row 1: no bootstrap there, and the sum of rows 0 and 1 ends there."""
    got, where = hand_case(answer, "0100", "0000")
    shifted = "the flag acts one row off: `terminated[t]` belongs to the step of row t, which ends "
    shifted += "the episode; it masks `next_values[t]` and `A[t + 1]` in row t"
    for wrong in ([0.0, 2.72375, 2.275, 1.5], [2.16, 0.8, -2.0, 1.5]):
        that(
            not np.allclose(got, wrong),
            shifted,
            expected=[1.35, -1.0, 2.275, 1.5],
            yours=got,
            where=where,
        )
    close(
        got[1],
        -1.0,
        "after a termination nothing follows: no bootstrap and no later advantage, but its reward "
        "counts",
        where=where + ", row 1",
    )
    close(
        got[0],
        1.35,
        "the step before the end belongs to the same episode: its sum goes on into row 1, and its "
        "own bootstrap stays",
        where=where + ", row 0",
    )
    close(got[2:], [2.275, 1.5], "the next episode is not touched by the flag", where=where)


def test_truncated(answer):
    """Truncated in row 1: the bootstrap stays, the sum ends."""
    got, where = hand_case(answer, "0000", "0100")
    close(
        got[1],
        1.7,
        "a truncation keeps its bootstrap, since the robot could have gone on, and ends the sum, "
        "since row 2 belongs to another episode: two masks, not one",
        where=where + ", row 1",
    )
    close(got, [2.565, 1.7, 2.275, 1.5], "the other rows follow from it", where=where)


def test_both_flags(answer):
    """Both flags in row 1: termination wins."""
    got, where = hand_case(answer, "0100", "0100")
    close(
        got,
        [1.35, -1.0, 2.275, 1.5],
        "with both flags termination wins: no bootstrap",
        where=where,
    )


def test_first_and_last_step(answer):
    """An end in the first row, in the last row, and in every row."""
    for terminated, truncated, expected in (
        ("1000", "0000", [0.0, 2.72375, 2.275, 1.5]),
        ("0000", "1000", [1.8, 2.72375, 2.275, 1.5]),
        ("0001", "0000", [2.615625, 1.8125, 0.25, -3.0]),
        ("0000", "0001", [3.0256875, 2.72375, 2.275, 1.5]),
        ("1111", "0000", [0.0, -1.0, -2.0, -3.0]),
    ):
        got, where = hand_case(answer, terminated, truncated)
        close(
            got,
            expected,
            "an end in the first or in the last row works like any other: the last row's flags "
            "mask its own bootstrap",
            where=where,
        )


def test_next_values_are_not_the_next_rows_values(answer):
    """Where an episode is cut, V of the true next observation is not the value of the next row."""
    arguments = [column(0, 0, 0), column(1, 1, 1), column(1, 8, 1), flags("000"), flags("010")]
    where = "rewards 0, values 1, next values 1 8 1, truncated in row 1, gamma 1, lambda 0"
    got = estimated(answer, arguments, 1.0, 0.0, where)[0][:, 0]
    close(
        got,
        [0.0, 7.0, 0.0],
        "the bootstrap of row t is `next_values[t]`. `values[t + 1]` is the value of whatever "
        "comes next in the array: after an end, the first state of the next episode",
        where=where,
    )


def random_rows(rng, steps, robots):
    """Rewards, values, next values and both flags at random."""
    numbers = [rng.normal(size=(steps, robots)) * scale for scale in (1.0, 3.0, 3.0)]
    return [*numbers, *(rng.random((2, steps, robots)) < 0.2)]


def test_lambda_0_and_1(answer):
    """Lambda 0 gives the TD errors, lambda 1 the return of the whole episode minus the value."""
    rng = np.random.default_rng(83)
    arguments = random_rows(rng, 9, 4)
    rewards, values, later, terminated, _ = arguments
    got, _ = estimated(answer, arguments, 0.9, 0.0, "random flags, lambda 0")
    close(
        got,
        rewards + 0.9 * ~terminated * later - values,
        "with lambda 0 an advantage is the one-step TD error, in every row: the reward of the row "
        "that ends an episode included",
        where="random flags, T = 9, N = 4, gamma 0.9, lambda 0",
    )
    arguments[3] = np.repeat([[False]] * 8 + [[True]], 4, axis=1)
    arguments[4] = arguments[3] & False
    arguments[2] = np.concatenate([values[1:], later[-1:]])  # one long episode
    got, _ = estimated(answer, arguments, 0.9, 1.0, "lambda 1")
    expected, total = np.zeros((9, 4)), np.zeros(4)
    for t in reversed(range(9)):
        total = rewards[t] + 0.9 * total
        expected[t] = total - values[t]
    close(
        got,
        expected,
        "with lambda 1 an advantage is the discounted return of the episode minus the value: all "
        "values in between cancel out",
        where="terminated in the last row, T = 9, N = 4, gamma 0.9, lambda 1",
    )


def test_random_rollouts(answer):
    """Random rows, T and N of all sizes: the sum of each episode, robot by robot."""
    rng = np.random.default_rng(84)
    for steps, robots in ((1, 1), (1, 4), (7, 1), (9, 5), (5, 9)):
        for gamma, lam in ((0.9, 0.5), (1.0, 0.95), (0.97, 1.0), (0.5, 0.0), (0.0, 0.7)):
            arguments = random_rows(rng, steps, robots)
            where = f"random flags, T = {steps}, N = {robots}, gamma {gamma}, lambda {lam}"
            got, _ = estimated(answer, arguments, gamma, lam, where)
            close(
                got,
                by_hand(*arguments, gamma, lam),
                "this is not the sum of the episode's deltas, each weighted by one more factor of "
                "gamma * lambda; each robot's sum ends with its own episodes",
                where=where,
            )


def test_returns(answer):
    """The returns are advantages plus values, exactly, in an array of their own."""
    arguments = random_rows(np.random.default_rng(85), 6, 3)
    where = "random flags, T = 6, N = 3, gamma 0.9, lambda 0.8"
    advantages, returns = estimated(answer, arguments, 0.9, 0.8, where)
    close(
        returns,
        advantages + arguments[1],
        "the returns that a critic learns from are the advantages plus the values",
        where=where,
    )
    that(
        not np.shares_memory(advantages, returns),
        "advantages and returns are one array: normalizing the one would change the other",
        where=where,
    )


def test_dtype_of_the_values(answer):
    """Rewards come as float64, a network's values as float32: the results are float32."""
    arguments = random_rows(np.random.default_rng(86), 6, 3)
    expected = by_hand(*arguments, 0.9, 0.8)
    arguments[1], arguments[2] = (array.astype(np.float32) for array in arguments[1:3])
    where = "float64 rewards, float32 values"
    got, _ = estimated(answer, arguments, 0.9, 0.8, where)
    close(got, expected, "the numbers are wrong in float32", where=where, tolerance=1e-4)


def test_arguments_stay_as_they_are(answer):
    """Rewards, values and flags are read, not changed."""
    names = ("rewards", "values", "next_values", "terminated", "truncated")
    arguments = random_rows(np.random.default_rng(87), 6, 3)
    copies = [array.copy() for array in arguments]
    answer.gae(*arguments, 0.9, 0.8)
    for name, array, copy in zip(names, arguments, copies, strict=True):
        equal(array, copy, f"your function changed `{name}`, which belongs to the caller")


def test_the_best_policy_has_no_advantage(answer):
    """Exact values, best steps: every advantage is 0, in every mode of cutting and any lambda."""
    kitchen = Kitchen.from_ascii("v.O..\n....O\n.O..G")
    model = oracle.model(compile_kitchen(kitchen), V1_REWARDS)
    values, q = oracle.value_iteration(model, 0.97)

    def state(observations):
        return encode(kitchen, *np.moveaxis(observations, -1, 0)[:3])

    for limit in (3, 50):
        envs = BurgerBotVectorEnv(
            2, kitchen, V1_REWARDS, max_episode_steps=limit, autoreset_mode="SameStep"
        )
        rollout, _ = collect(envs, lambda o: q.argmax(axis=1)[state(o)], 12)
        for lam in (0.0, 0.95):
            arguments = [
                rollout.rewards,
                values[state(rollout.observations)],
                values[state(rollout.next_observations)],
                rollout.terminated,
                rollout.truncated,
            ]
            where = f"the best policy on a 3x5 kitchen, exact values, limit {limit}, lambda {lam}"
            close(
                estimated(answer, arguments, 0.97, lam, where)[0],
                np.zeros((12, 2)),
                "with exact values a best step is exactly as good as expected",
                where=where,
            )
