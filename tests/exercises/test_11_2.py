"""Exercise 11.2: differential returns."""

import numpy as np

from burgerbot.course.claims import array_like, close, equal
from burgerbot.learn import oracle
from burgerbot.world.two_counters import BIG, LOOPS, NEXT_PLACE, REWARD


def summed(answer, rewards, rho, last_values, where):
    """The learner's returns, in shape and dtype."""
    rewards, last_values = np.array(rewards), np.array(last_values)
    got = answer.differential_returns(rewards, rho, last_values)
    array_like(got, rewards.shape, np.float64, where=where)
    return got


def by_hand(rewards, rho, last_values):
    """Forwards: every reward above rho from t on, and what comes after."""
    return np.stack([(rewards[t:] - rho).sum(axis=0) + last_values for t in range(len(rewards))])


def test_by_hand(answer):
    """Rewards 1, 2, 4 with rho 1 and 10 to come: 14, 14, 13."""
    where = "rewards 1 2 4, rho 1, last value 10"
    got = summed(answer, [[1.0], [2.0], [4.0]], 1.0, [10.0], where)[:, 0]
    close(
        got[2],
        13.0,
        "the last row: its reward, less rho (once), plus what comes after the rollout, in full; "
        "the sums run from the last row back to the first",
        where=f"{where}, row 2",
    )
    close(
        got,
        [14.0, 14.0, 13.0],
        "each row is its reward less rho plus the return of the row *after* it, without a discount",
        where=where,
    )


def test_nothing_is_discounted(answer):
    """A far reward counts as much as a near one."""
    rewards = np.zeros((200, 1))
    rewards[-1] = 7.0
    where = "199 rewards of 0, then 7; rho 0, nothing after"
    got = summed(answer, rewards, 0.0, [0.0], where)[0, 0]
    close(got, 7.0, "there is no discount: a reward 199 steps away counts in full", where=where)


def test_rho_is_taken_from_every_reward(answer):
    """Rewards that are all rho leave nothing but what comes after."""
    where = "every reward is rho = 2.5, last value 3"
    got = summed(answer, np.full((6, 1), 2.5), 2.5, [3.0], where)[:, 0]
    close(
        got,
        np.full(6, 3.0),
        "rho is taken from each step's reward, once, and from nothing else: steps that pay the "
        "average add nothing",
        where=where,
    )


def test_random_rollouts(answer):
    """T and N of all sizes, robot by robot."""
    rng = np.random.default_rng(114)
    for steps, robots in ((1, 1), (1, 5), (8, 1), (9, 4), (4, 9)):
        rewards, last = rng.normal(size=(steps, robots)), rng.normal(size=robots)
        where = f"random rewards, T = {steps}, N = {robots}, rho 0.3"
        close(
            summed(answer, rewards, 0.3, last, where),
            by_hand(rewards, 0.3, last),
            "each robot's return sums its own rewards above rho from that row to the end, and adds "
            "its own last value",
            where=where,
        )


def test_arguments_stay_as_they_are(answer):
    """Rewards and last values are read, not changed."""
    rewards, last = np.arange(6.0).reshape(3, 2), np.array([1.0, 2.0])
    copies = rewards.copy(), last.copy()
    answer.differential_returns(rewards, 0.5, last)
    equal(rewards, copies[0], "your function changed `rewards`, which belongs to the caller")
    equal(
        last,
        copies[1],
        "your function changed `last_values`, which belongs to the caller: `after += ...` writes "
        "into the array that it was given",
    )


def test_whole_numbers(answer):
    """Rewards of whole numbers, values of whole numbers: the returns are float64 all the same."""
    where = "whole-number rewards 1 0 3, rho 0.5, last value 0"
    got = summed(answer, np.array([[1], [0], [3]]), 0.5, np.array([0]), where)
    close(got[:, 0], [2.5, 2.0, 2.5], "rho is a fraction, and so are the returns", where=where)


def test_the_exact_bias(answer):
    """With the exact rho, differences of returns are differences of exact differential values."""
    model = oracle.Model(NEXT_PLACE, REWARD, np.zeros((9, 2), dtype=bool))
    rho, bias = oracle.gain_and_bias(model, np.full(9, BIG))
    places = list(LOOPS[BIG]) * 3
    rewards = REWARD[places, BIG][:, None]
    where = "three rounds of the big loop, rho 0.4, the exact value of the hatch after them"
    got = summed(answer, rewards, rho, [bias[0]], where)[:, 0]
    close(
        got,
        bias[places],
        "with the exact rho and the exact value at the end, each return is the state's exact "
        "differential value",
        where=where,
    )
