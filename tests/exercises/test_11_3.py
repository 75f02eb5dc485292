"""Exercise 11.3: the update of rho, once a rollout."""

import numpy as np

from burgerbot.course.claims import close, equal, that
from burgerbot.learn import oracle
from burgerbot.world.two_counters import BIG, LOOPS, NEXT_PLACE, REWARD


def updated(answer, rho, rewards, values, next_values, valid, rate, where):
    """The learner's new rho, one number."""
    arrays = [np.array(a) for a in (rewards, values, next_values, valid)]
    got = answer.update_rho(rho, *arrays, rate)
    that(
        np.shape(got) == (),
        "there is one rho for all robots and steps: return one number",
        expected="a number",
        yours=f"shape {np.shape(got)}",
        where=where,
    )
    return got


def random_rows(seed, steps=7, robots=4):
    """Rewards, values, next values and valid rows."""
    rng = np.random.default_rng(seed)
    numbers = [rng.normal(size=(steps, robots)) for _ in range(3)]
    valid = rng.random((steps, robots)) < 0.7
    valid[0, 0] = True
    return *numbers, valid


def by_hand(rho, rewards, values, next_values, valid, rate):
    """Row by row: the mean of the deltas, all of them of the old rho."""
    deltas = [
        rewards[t, n] - rho + next_values[t, n] - values[t, n]
        for t, n in np.ndindex(rewards.shape)
        if valid[t, n]
    ]
    return rho + rate * sum(deltas) / len(deltas)


def test_by_hand(answer):
    """Values that know nothing: rho moves towards the mean reward by the rate."""
    zero, all_rows = np.zeros((2, 1)), np.ones((2, 1), dtype=bool)
    where = "rewards 2 and 4, values 0, rho 1, rate 0.5"
    got = updated(answer, 1.0, [[2.0], [4.0]], zero, zero, all_rows, 0.5, where)
    that(
        got is None or min(abs(got - 2.75), abs(got - 1.9375)) > 1e-6,
        "rho moved within the rollout: every row is judged by the rho that came in, and then rho "
        "moves once",
        expected=2.0,
        yours=got,
        where=where,
    )
    close(
        got,
        2.0,
        "mean(delta) is 2 here, and rho goes half of the way: `rho + rate * mean(delta)`, the mean "
        "of the deltas and not of the advantages, the mean and not the sum, added to rho and not "
        "put in its place",
        where=where,
    )


def test_long_rollouts_are_judged_once(answer):
    """Ten rows of one error move rho by the rate times that error, not ten times."""
    where = "ten rewards of 2, values 0, rho 1, rate 0.1"
    zero = np.zeros((10, 1))
    got = updated(answer, 1.0, zero + 2.0, zero, zero, zero == 0, 0.1, where)
    close(
        got,
        1.1,
        "rho moves once for the whole rollout, by the mean of the *deltas*: neither row by row nor "
        "by the advantages, in which each delta counts many times",
        where=where,
    )


def test_values_take_part(answer):
    """A burger that is on its way counts: the values' gain is part of the error."""
    all_rows = np.ones((2, 1), dtype=bool)
    where = "rewards 0 and 0, values 1 2, next values 2 5, rho 0, rate 1"
    got = updated(
        answer, 0.0, np.zeros((2, 1)), [[1.0], [2.0]], [[2.0], [5.0]], all_rows, 1.0, where
    )
    close(
        got,
        2.0,
        "delta is the reward less rho, plus the next value, minus the value, without a gamma, each "
        "as it was handed in: a rollout that ends just before a payment has earned something too",
        where=where,
    )


def test_the_level_of_the_values(answer):
    """A constant on all values changes nothing."""
    rewards, values, next_values, valid = random_rows(1)
    where = "random rows, rho 0.3, rate 0.2, and the same with 1000 added to all values"
    one = updated(answer, 0.3, rewards, values, next_values, valid, 0.2, where)
    other = updated(answer, 0.3, rewards, values + 1000, next_values + 1000, valid, 0.2, where)
    close(
        other,
        one,
        "the level of differential values is arbitrary and must not move rho: there is no gamma in "
        "this delta",
        where=where,
    )


def test_reset_rows_do_not_count(answer):
    """Neither their numbers nor their number, whatever stands in them."""
    rewards, values, next_values, valid = random_rows(2)
    where = "random rows, some of them reset rows (valid is False)"
    expected = by_hand(0.3, rewards, values, next_values, valid, 0.25)
    got = updated(answer, 0.3, rewards, values, next_values, valid, 0.25, where)
    close(
        got,
        expected,
        "the mean is over the valid rows, those of all robots together: a reset row is no step, "
        "neither in the sum nor in the count, and each step counts as much as any other",
        where=where,
    )
    for array in (rewards, values, next_values):
        array[~valid] = np.nan
    where = "the same, with NaN in the reset rows"
    got = updated(answer, 0.3, rewards, values, next_values, valid, 0.25, where)
    close(
        got,
        expected,
        "what stands in a reset row must not matter: pick the valid rows",
        where=where,
    )


def test_random_rollouts(answer):
    """T and N of all sizes, rates from small to 1."""
    for seed, (steps, robots, rate) in enumerate(
        ((1, 1, 1.0), (1, 6, 0.1), (9, 1, 0.5), (5, 8, 0.3))
    ):
        rows = random_rows(10 + seed, steps, robots)
        where = f"random rows, T = {steps}, N = {robots}, rho -0.7, rate {rate}"
        close(
            updated(answer, -0.7, *rows, rate, where),
            by_hand(-0.7, *rows, rate),
            "this is not `rho + rate * mean(delta)` with the rho that came in for every row",
            where=where,
        )


def test_it_settles_at_the_exact_rho(answer):
    """With the exact values of the big loop rho finds 0.4, wherever the rollout is cut."""
    model = oracle.Model(NEXT_PLACE, REWARD, np.zeros((9, 2), dtype=bool))
    _, bias = oracle.gain_and_bias(model, np.full(9, BIG))
    places = np.array(list(LOOPS[BIG]) * 2)
    for steps in (3, 5, 8):
        here = places[:steps, None]
        there = NEXT_PLACE[here, BIG]
        rho = 0.0
        where = f"{steps} steps of the big loop from the hatch, exact values, 200 updates"
        for _ in range(200):
            rho = updated(
                answer, rho, REWARD[here, BIG], bias[here], bias[there], here >= 0, 0.1, where
            )
        close(
            rho,
            0.4,
            "with exact values rho settles at the exact average reward, also if the rollout ends "
            "in the middle of a loop",
            where=where,
        )


def test_arguments_stay_as_they_are(answer):
    """The rollout is read, not changed."""
    names = ("rewards", "values", "next_values", "valid")
    rows = random_rows(3)
    copies = [array.copy() for array in rows]
    answer.update_rho(0.2, *rows, 0.5)
    for name, array, copy in zip(names, rows, copies, strict=True):
        equal(array, copy, f"your function changed `{name}`, which belongs to the caller")
