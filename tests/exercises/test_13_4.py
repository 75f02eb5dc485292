"""Exercise 13.4: effective samples, and kitchens that are needed for them."""

import numpy as np

from burgerbot.course.claims import close, that


def worth(n, m, icc):
    """Kish's formula."""
    return n / (1 + (m - 1) * icc)


def one_number(found, name, where):
    """A finite number, whatever holds it."""
    that(
        found is not None and np.ndim(found) == 0,
        f"`{name}` returns one number",
        yours=found,
        where=where,
    )
    return float(found)


def effective(answer, n, m, icc):
    """The learner's effective samples."""
    where = f"n = {n}, family_size = {m}, icc = {icc}"
    return one_number(answer.effective_samples(n, m, icc), "effective_samples", where), where


def needed(answer, target, m, icc):
    """The learner's number of kitchens, whole."""
    where = f"target = {target}, robots_per_kitchen = {m}, icc = {icc}"
    found = answer.kitchens_needed(target, m, icc)
    number = one_number(found, "kitchens_needed", where)
    that(
        number == int(number),
        "nobody builds a part of a kitchen: the result is a whole number",
        yours=found,
        where=where,
    )
    that(
        np.asarray(found).dtype.kind in "iu",
        "this is a whole number, but held as a float: a count is an int, or `range` and "
        "`gym.make_vec` refuse it; `math.ceil` returns an int, `np.ceil` a float",
        expected="int",
        yours=f"{type(found).__name__}: {found}",
        where=where,
    )
    return int(found), where


def test_the_ends(answer):
    """Families of one, or no correlation: n. Copies: one for each family."""
    for n, m, icc, expected, message in (
        (
            100,
            1,
            0.7,
            100,
            "a family of one shares nothing with anybody: m - 1 is 0, and all n count",
        ),
        (100, 10, 0.0, 100, "no correlation, no loss: all n count"),
        (100, 10, 1.0, 10, "copies: each family is worth one, n / m in all"),
    ):
        found, where = effective(answer, n, m, icc)
        close(found, expected, message, where=where)


def test_in_between(answer):
    """By hand, and for many sizes."""
    found, where = effective(answer, 100, 10, 0.5)
    close(
        found,
        100 / 5.5,
        "effective = n / (1 + (m - 1) * ICC): one robot of each family is always worth 1, the "
        "other m - 1 share its luck",
        where=where,
    )
    rng = np.random.default_rng(1)
    for _ in range(20):
        m, icc = int(rng.integers(1, 300)), float(rng.random())
        n = m * int(rng.integers(1, 50))
        found, where = effective(answer, n, m, icc)
        close(found, worth(n, m, icc), "effective = n / (1 + (m - 1) * ICC)", where=where)


def test_a_negative_correlation_is_worth_more(answer):
    """Families that balance each other out tell more than independent values."""
    found, where = effective(answer, 12, 4, -0.2)
    close(
        found,
        30.0,
        "the formula holds below 0 too: families whose members differ on purpose tell more",
        where=where,
    )


def test_it_is_what_the_mean_scatters_like(answer):
    """Simulated families: the variance of the mean is 1 / effective."""
    rng = np.random.default_rng(2)
    for rho, families, size in ((0.3, 6, 8), (0.8, 10, 3)):
        shared = np.sqrt(rho) * rng.normal(size=(6000, families, 1))
        own = np.sqrt(1 - rho) * rng.normal(size=(6000, families, size))
        measured = 1 / (shared + own).mean(axis=(1, 2)).var()
        found, where = effective(answer, families * size, size, rho)
        that(
            abs(found / measured - 1) < 0.1,
            "the mean of n values in families scatters like the mean of this many independent "
            "ones, as 6000 simulations show",
            expected=f"about {measured:.1f}",
            yours=found,
            where=where,
        )


def test_kitchens_needed_at_the_ends(answer):
    """Alone, without correlation, and copies."""
    for target, m, icc, expected, message in (
        (60, 1, 0.4, 60, "one robot a kitchen: each is worth 1, so it takes one kitchen for each"),
        (60, 10, 0.0, 6, "no correlation: m robots a kitchen are worth m, target / m kitchens"),
        (60, 10, 1.0, 60, "copies: a kitchen is worth one robot, however many it holds"),
        (
            100,
            10,
            0.1,
            19,
            "100 * 1.9 / 10 is 19 exactly: count kitchens, not robots, and mind "
            "that 19.000000000000004 is 19",
        ),
    ):
        found, where = needed(answer, target, m, icc)
        close(found, expected, message, where=where)


def test_kitchens_needed_is_enough_and_not_more(answer):
    """F kitchens reach the target, F - 1 do not."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        m, icc = int(rng.integers(1, 60)), float(np.round(rng.random(), 3))
        target = float(np.round(rng.random() * 500 + 0.5, 1))
        found, where = needed(answer, target, m, icc)
        that(
            worth(found * m, m, icc) >= target * (1 - 1e-9),
            "too few kitchens: F * m robots are worth less than the target. Round up",
            expected=f"{target} effective robots or more",
            yours=f"{found} kitchens are worth {worth(found * m, m, icc):.3f}",
            where=where,
        )
        that(
            worth((found - 1) * m, m, icc) < target * (1 - 1e-9),
            "too many kitchens: one fewer would do. The smallest F is wanted",
            expected=f"fewer than {found}",
            yours=found,
            where=where,
        )
