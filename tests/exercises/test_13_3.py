"""Exercise 13.3: the intraclass correlation."""

import numpy as np

from burgerbot.course.claims import ClaimFailed, close, equal, that


def got(answer, values, families, where):
    """The learner's estimate, one finite number."""
    try:
        found = answer.icc(np.array(values), np.array(families))
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise ClaimFailed(
            "labels are names, any numbers or words, not 0 to F - 1: no row or column has the "
            "number of a label; `np.unique(families, return_inverse=True)` gives numbers",
            yours=f"{type(error).__name__}: {error}",
            where=where,
        ) from None
    that(np.ndim(found) == 0, "an ICC is one number", yours=found, where=where)
    that(
        found is not None and np.isfinite(float(found)),
        "the estimate is a finite number here",
        yours=found,
        where=where,
    )
    return float(found)


def slow(values, families):
    """Mean squares of an analysis of variance, value by value; vectors [N, D]."""
    values = np.asarray(values, dtype=float).reshape(len(values), -1)
    groups = {}
    for row, label in zip(values, families, strict=True):
        groups.setdefault(label, []).append(row)
    n, count = len(values), len(groups)
    between = within = 0.0
    for rows in groups.values():
        mean = sum(rows) / len(rows)
        between += len(rows) * ((mean - values.mean(axis=0)) ** 2).sum()
        within += sum(((row - mean) ** 2).sum() for row in rows)
    between, within = between / (count - 1), within / (n - count)
    m = (n - sum(len(rows) ** 2 for rows in groups.values()) / n) / (count - 1)
    return (between - within) / (between + (m - 1) * within)


def draw(rng, rho, families, size, columns=()):
    """Families of one size: the shared part of the variance is rho."""
    shared = np.sqrt(rho) * rng.normal(size=(families, 1, *columns))
    own = np.sqrt(1 - rho) * rng.normal(size=(families, size, *columns))
    return (shared + own).reshape(-1, *columns), np.repeat(np.arange(families), size)


def test_copies(answer):
    """Robots of a family all alike: 1, whatever the sizes."""
    where = "values 3 3 | 5 5 | 4 4"
    close(
        got(answer, [3.0, 3, 5, 5, 4, 4], [0, 0, 1, 1, 2, 2], where),
        1.0,
        "within each family all values are the same, so everything that differs is shared: ICC 1",
        where=where,
    )


def test_by_hand(answer):
    """Two families of two: MSB 4, MSW 2, ICC 1/3."""
    where = "values 1 3 | 3 5: MSB = 4, MSW = 2, m = 2"
    close(
        got(answer, [1.0, 3, 3, 5], ["a", "a", "b", "b"], where),
        1 / 3,
        "ICC = (MSB - MSW) / (MSB + (m - 1) * MSW), where MSB is divided by F - 1, MSW by N - F, "
        "and each family's distance from the mean counts m times",
        where=where,
    )


def test_below_zero(answer):
    """Families that agree more than chance would have it: the estimate stays negative."""
    where = "values 1 -1 | 1 -1"
    close(
        got(answer, [1.0, -1, 1, -1], [0, 0, 1, 1], where),
        -1.0,
        "the families' means are the same, so MSB is 0 and the estimate is below 0. Leave it so: "
        "cut off at 0, estimates of small correlations would be too large on average",
        where=where,
    )


def test_the_order_does_not_matter(answer):
    """Families whose robots do not stand side by side, and labels that are no 0, 1, 2."""
    rng = np.random.default_rng(1)
    values, families = draw(rng, 0.5, 6, 4)
    order = rng.permutation(len(values))
    where = "6 families of 4, shuffled"
    close(
        got(answer, values[order], families[order], where),
        slow(values, families),
        "the robots of a family need not stand side by side: go by the labels, do not reshape",
        where=where,
    )
    names = np.array([-7, 40, 2, 1000, 5, 6])[families]
    close(
        got(answer, values, names, "labels -7 40 2 1000 5 6"),
        slow(values, families),
        "labels are names: any numbers, not 0 to F - 1",
        where="labels -7 40 2 1000 5 6",
    )


def test_scale_and_level(answer):
    """Metres or millimetres, near 0 or near a million: the same correlation."""
    values, families = draw(np.random.default_rng(2), 0.3, 8, 3)
    plain = got(answer, values, families, "8 families of 3")
    for change, name in ((values * 1000, "times 1000"), (values + 1e6, "plus 1e6")):
        close(
            got(answer, change, families, f"all values {name}"),
            plain,
            "an ICC is a share of the variance: it has no unit and no level; subtract the mean of "
            "all values",
            where=f"all values {name}",
            tolerance=1e-5,
        )


def test_families_of_different_sizes(answer):
    """Sizes 1, 2, 5 and 9: each counts with its size, and m is the formula's."""
    rng = np.random.default_rng(3)
    families = np.repeat([0, 1, 2, 3], [1, 2, 5, 9])
    for _ in range(3):
        values = rng.normal(size=17) + families
        where = "17 values in families of 1, 2, 5 and 9"
        close(
            got(answer, values, families, where),
            slow(values, families),
            "sizes differ: in MSB each family counts with its own size, the mean of all is that of "
            "all values, and m = (N - sum of m_f^2 / N) / (F - 1), not N / F",
            where=where,
        )


def test_vectors(answer):
    """Squares are summed over the coordinates: a loud coordinate counts more."""
    rng = np.random.default_rng(4)
    loud, families = draw(rng, 0.9, 10, 4)
    quiet, _ = draw(rng, 0.0, 10, 4)
    values = np.stack([5 * loud, quiet, quiet[::-1] + 3], axis=1)
    where = "40 vectors of 3 coordinates, 10 families"
    close(
        got(answer, values, families, where),
        slow(values, families),
        "of vectors sum the squares over the coordinates, in MSB and in MSW, and make one ICC at "
        "the end: not the mean of one ICC for each coordinate",
        where=where,
    )
    close(
        got(answer, loud[:, None], families, "vectors of 1 coordinate"),
        got(answer, loud, families, "numbers"),
        "vectors of one coordinate are numbers",
        where="[N, 1] against [N]",
    )


def test_the_known_correlation(answer):
    """Data whose ICC is known: the estimates' mean is right, from 0 to 0.9."""
    rng = np.random.default_rng(5)
    for rho in (0.0, 0.2, 0.9):
        families, size, times = 40, 6, 40
        found = [
            got(answer, *draw(rng, rho, families, size), f"true ICC {rho}") for _ in range(times)
        ]
        effect = (1 - rho) * (1 + (size - 1) * rho)
        error = np.sqrt(2 / (size * (size - 1) * (families - 1))) * effect / np.sqrt(times)
        close(
            np.mean(found),
            rho,
            "the mean of many estimates misses the true ICC: look at the divisors F - 1 and N - F, "
            "and at the order of the two mean squares",
            where=f"true ICC {rho}, {times} times 40 families of 6",
            tolerance=4.5 * error + 0.01,
        )


def test_arguments_stay_as_they_are(answer):
    """Values and labels are read, not changed."""
    values, families = draw(np.random.default_rng(6), 0.3, 4, 3)
    copies = values.copy(), families.copy()
    answer.icc(values, families)
    equal(values, copies[0], "your function changed `values`, which belongs to the caller")
    equal(families, copies[1], "your function changed `families`, which belongs to the caller")
