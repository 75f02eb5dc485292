"""Exercise 08.2: discounted returns, with both flags and a bootstrap."""

import numpy as np

from burgerbot.course.claims import array_like, close, equal, that
from burgerbot.learn import oracle
from burgerbot.learn.rollout import collect
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import V1_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv

GAMMA = 0.5


def column(*numbers):
    """Float64 [T, 1]."""
    return np.array(numbers, dtype=np.float64)[:, None]


def flags(text):
    """Bool [T, 1] from a text of 0 and 1."""
    return np.array([[mark == "1"] for mark in text])


def returned(answer, rewards, next_values, terminated, truncated, gamma, where):
    """The learner's returns, float64 and [T, N]."""
    arguments = [array.copy() for array in (rewards, next_values, terminated, truncated)]
    got = answer.discounted_returns(*arguments, gamma)
    array_like(got, rewards.shape, np.float64, where=where)
    return got


def by_hand(rewards, next_values, terminated, truncated, gamma):
    """Forwards from each step to the end of its episode, one number after the other."""
    result = np.zeros(rewards.shape)
    for n in range(rewards.shape[1]):
        for t in range(len(rewards)):
            for k in range(t, len(rewards)):
                result[t, n] += gamma ** (k - t) * rewards[k, n]
                if terminated[k, n]:
                    break
                if truncated[k, n] or k == len(rewards) - 1:
                    result[t, n] += gamma ** (k + 1 - t) * next_values[k, n]
                    break
    return result


def test_one_episode(answer):
    """Rewards 1, 2, 4 with gamma 0.5: the last step is worth 4, the first 1 + 1 + 1."""
    where = "1 robot, rewards 1 2 4, terminated in row 2, gamma 0.5"
    got = returned(
        answer,
        column(1, 2, 4),
        column(9, 9, 9),
        flags("001"),
        flags("000"),
        GAMMA,
        where,
    )
    that(
        not np.allclose(got[:, 0], [1.0, 2.5, 5.25]),
        "this sums up the past: a return looks forward, so work from the last row to the first",
        expected=[3.0, 4.0, 4.0],
        yours=got[:, 0],
        where=where,
    )
    close(
        got[2],
        [4.0],
        "the step that terminates is worth its own reward and nothing else: there is no future, so "
        "no bootstrap, and its reward counts",
        where=where + ", row 2",
    )
    that(
        not np.allclose(got[:, 0], [2.0, 2.0, 4.0]),
        "the flag was looked at one row late: `terminated[t]` says what follows row t itself",
        expected=[3.0, 4.0, 4.0],
        yours=got[:, 0],
        where=where,
    )
    close(
        got[:, 0],
        [3.0, 4.0, 4.0],
        "each return is its own reward plus gamma times the return of the next row: later rewards "
        "are discounted more, and the count starts at the step itself",
        where=where,
    )


def test_the_rollout_ends_first(answer):
    """The episode goes on after the last row: `next_values` of that row stands in, discounted."""
    where = "1 robot, rewards 1 2 4, no flag, next values 8 16 32, gamma 0.5"
    got = returned(
        answer,
        column(1, 2, 4),
        column(8, 16, 32),
        flags("000"),
        flags("000"),
        GAMMA,
        where,
    )
    close(
        got[2],
        [20.0],
        "the episode goes on after the last row: add gamma times `next_values` of that row",
        where=where + ", row 2",
    )
    close(
        got[:, 0],
        [7.0, 12.0, 20.0],
        "only the last row needs a bootstrap here; the others get it through the row after them",
        where=where,
    )


def test_a_truncation_keeps_its_future(answer):
    """Truncated in row 1: its own next value follows, and not the next episode."""
    where = "1 robot, rewards 1 2 4, truncated in row 1, next values 8 16 32, gamma 0.5"
    got = returned(
        answer,
        column(1, 2, 4),
        column(8, 16, 32),
        flags("000"),
        flags("010"),
        GAMMA,
        where,
    )
    close(
        got[1],
        [10.0],
        "a truncation is no termination: the robot could have gone on, and `next_values` of the "
        "same row, times gamma, stands in for that. The row after it belongs to another episode",
        where=where + ", row 1",
    )
    close(got[:, 0], [6.0, 10.0, 20.0], "the other rows follow from it", where=where)


def test_termination_wins(answer):
    """Both flags in row 1: nothing follows."""
    where = "1 robot, rewards 1 2 4, both flags in row 1, next values 8 16 32, gamma 0.5"
    got = returned(
        answer,
        column(1, 2, 4),
        column(8, 16, 32),
        flags("010"),
        flags("010"),
        GAMMA,
        where,
    )
    close(
        got[1],
        [2.0],
        "with both flags termination wins: nothing follows a crash or a delivery, so no bootstrap",
        where=where + ", row 1",
    )
    where = "1 robot, rewards 1 2 4, both flags in the last row, next values 8 16 32, gamma 0.5"
    got = returned(
        answer,
        column(1, 2, 4),
        column(8, 16, 32),
        flags("001"),
        flags("001"),
        GAMMA,
        where,
    )
    close(got[2], [4.0], "with both flags in the last row termination wins too", where=where)


def test_robots_are_kept_apart(answer):
    """Three robots, three endings in one rollout: each column is a story of its own."""
    rewards = np.array([[1.0, 10.0, 0.0], [2.0, 20.0, 0.0], [4.0, 40.0, 8.0]])
    later = np.full((3, 3), 100.0)
    terminated = np.array([[1, 0, 0], [0, 0, 0], [0, 1, 0]], dtype=bool)
    truncated = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)
    where = "3 robots, 3 steps: robot 0 terminated in row 0, 1 in row 2; 2 truncated in row 1"
    got = returned(answer, rewards, later, terminated, truncated, GAMMA, where)
    expected = [[1.0, 30.0, 25.0], [29.0, 40.0, 50.0], [54.0, 40.0, 58.0]]
    for n in range(3):
        close(
            got[:, n],
            [row[n] for row in expected],
            "an end concerns the robot whose flag it is: in column n, row t is followed by "
            "row t + 1 of column n",
            where=f"{where}; robot {n}",
        )


def test_random_rollouts(answer):
    """Random flags, rewards and discounts, T and N of all sizes: the sum of each episode."""
    rng = np.random.default_rng(82)
    for steps, robots in ((1, 1), (1, 4), (7, 1), (9, 5), (5, 9)):
        for gamma in (0.0, 0.3, 0.97, 1.0):
            rewards, later = rng.normal(size=(2, steps, robots)) * 3
            ends = [rng.random((steps, robots)) < 0.2 for _ in range(2)]
            where = f"random flags, T = {steps}, N = {robots}, gamma {gamma}"
            got = returned(answer, rewards, later, *ends, gamma, where)
            close(
                got,
                by_hand(rewards, later, *ends, gamma),
                "this is not the sum of the episode's rewards from each step on, each discounted "
                "once more than the one before, with the bootstrap where the episode was cut",
                where=where,
            )


def test_integer_and_float32_rewards(answer):
    """Rewards of any dtype give float64 returns, with fractions."""
    for dtype in (np.int64, np.float32):
        where = f"rewards 1 2 4 as {np.dtype(dtype)}, terminated in row 2, gamma 0.3"
        rewards = column(1, 2, 4).astype(dtype)
        got = returned(answer, rewards, column(0, 0, 0), flags("001"), flags("000"), 0.3, where)
        close(
            got[:, 0],
            [1.96, 3.2, 4.0],
            "fractions are lost: the result is float64, whatever the rewards are",
            where=where,
        )


def test_arguments_stay_as_they_are(answer):
    """Rewards, values and flags are read, not changed."""
    rng = np.random.default_rng(5)
    names = ("rewards", "next_values", "terminated", "truncated")
    arrays = [*rng.normal(size=(2, 6, 3)), *(rng.random((2, 6, 3)) < 0.3)]
    copies = [array.copy() for array in arrays]
    got = answer.discounted_returns(*arrays, 0.9)
    for name, array, copy in zip(names, arrays, copies, strict=True):
        equal(array, copy, f"your function changed `{name}`, which belongs to the caller")
    equal(np.shares_memory(got, arrays[0]), False, "the returns are written into the rewards")


def test_exact_values_do_not_care_where_the_rollout_is_cut(answer):
    """With exact next values, the best driver's returns are its values, however it is cut."""
    kitchen = Kitchen.from_ascii("v.O..\n....O\n.O..G")
    model = oracle.model(compile_kitchen(kitchen), V1_REWARDS)
    values, q = oracle.value_iteration(model, 0.97)

    def state(observations):
        return encode(kitchen, *np.moveaxis(observations, -1, 0)[:3])

    for limit in (3, 5, 50):
        envs = BurgerBotVectorEnv(
            2, kitchen, V1_REWARDS, max_episode_steps=limit, autoreset_mode="SameStep"
        )
        rollout, _ = collect(envs, lambda o: q.argmax(axis=1)[state(o)], 10)
        where = f"the best policy on a 3x5 kitchen, 10 steps, limit {limit}, exact next values"
        got = returned(
            answer,
            rollout.rewards,
            values[state(rollout.next_observations)],
            rollout.terminated,
            rollout.truncated,
            0.97,
            where,
        )
        close(
            got,
            values[state(rollout.observations)],
            "the bootstrap has to make up exactly for what a cut takes away",
            where=where,
        )
