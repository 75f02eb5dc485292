"""Exercise 07.2: Chan's merge of two sets."""

import warnings

import numpy as np

from burgerbot.course.claims import array_like, close, equal, instance, that

BETWEEN = (
    "m2 lacks what lies *between* the two sets: d ** 2 * nA * nB / n, the part that neither knows "
)


def state(rows):
    """(count, mean, m2) of rows [n, D]."""
    rows = np.asarray(rows, dtype=np.float64)
    if not len(rows):
        return 0, np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    mean = rows.mean(axis=0)
    return len(rows), mean, np.square(rows - mean).sum(axis=0)


def merged(answer, a, b, where):
    """The learner's merge, of the right kind, its arguments untouched."""
    given = [(count, mean.copy(), m2.copy()) for count, mean, m2 in (a, b)]
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            got = answer.merge(*given)
        except ZeroDivisionError as error:
            that(
                False,
                "something was divided by 0: with both sets empty, n is 0, and there is no share "
                "to work out",
                yours=f"ZeroDivisionError: {error}",
                where=where,
            )
    that(
        not heard,
        "something was divided by 0: with both sets empty, n is 0",
        yours=str(heard[0].message) if heard else "",
        where=where,
    )
    for name, before, after in zip("ab", (a, b), given, strict=True):
        that(
            all(np.array_equal(x, y) for x, y in zip(before, after, strict=True)),
            f"set `{name}` was written into: it belongs to the caller, who may still need it",
            where=where,
        )
    instance(got, (tuple, list), "return three things: count, mean, m2", where=where)
    equal(len(got), 3, "return three things: count, mean, m2", where=where)
    that(
        isinstance(got[0], (int, np.integer)) or np.asarray(got[0]).dtype.kind in "iu",
        "the count is a whole number, and stays one: a float loses the last rows of a long stream",
        expected=f"the int {a[0] + b[0]}",
        yours=f"{type(got[0]).__name__} {got[0]}",
        where=where,
    )
    equal(got[0], a[0] + b[0], "the count of both is nA + nB", where=where)
    for array in got[1:]:
        array_like(array, a[1].shape, np.float64, where=where)
    return tuple(got)


def test_by_hand(answer):
    """A is 0, 0, 3 and B is 5: together the mean is 2 and m2 is 18."""
    where = "A = [0, 0, 3], B = [5]"
    _, mean, m2 = merged(answer, state([[0], [0], [3]]), state([[5]]), where)
    close(
        mean,
        [2],
        "the mean moves from A towards B by the share of B, nB / n: here a quarter of the way",
        where=where,
    )
    that(
        not np.allclose(m2, [14]),
        "m2 is a sum of squared distances, 6 in A and 0 in B: it is not divided by the count",
        expected=[18],
        yours=m2,
        where=where,
    )
    close(m2, [18], BETWEEN + "(here 4 ** 2 * 3 * 1 / 4 = 12, beside 6 and 0)", where=where)


def test_two_sets_without_spread(answer):
    """Two sets that do not vary within themselves still vary together."""
    where = "A = [1, 1], B = [7, 7, 7, 7]"
    _, mean, m2 = merged(answer, state([[1], [1]]), state([[7]] * 4), where)
    close(mean, [5], "four rows of 7 weigh more than two rows of 1", where=where)
    close(m2, [48], BETWEEN + "of: neither set varies by itself", where=where)


def test_empty_sets(answer):
    """An empty set on either side, or on both, changes nothing."""
    rows, nothing = np.array([[1.0, 5.0], [3.0, 9.0], [8.0, 9.0]]), np.zeros((0, 2))
    some, none = state(rows), state(nothing)
    for where, a, b, expected in (
        ("A empty, B three rows", none, some, some),
        ("A three rows, B empty", some, none, some),
        ("both empty", none, none, none),
    ):
        got = merged(answer, a, b, where)
        for yours, wanted in zip(got[1:], expected[1:], strict=True):
            that(
                np.isfinite(yours).all(),
                "an empty set makes no NaN: keep 0 / 0 out",
                yours=str(yours),
                where=where,
            )
            close(yours, wanted, "an empty set changes nothing", where=where)


def test_any_cut(answer):
    """Cut anywhere, two parts make the whole, column by column."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(40, 3)) * [1, 10, 0.1] + [0, -50, 7]
    for cut in (1, 3, 20, 39):
        where = f"40 random rows of 3 columns, cut after {cut}"
        _, mean, m2 = merged(answer, state(rows[:cut]), state(rows[cut:]), where)
        close(mean, rows.mean(axis=0), "the parts have the mean of the whole", where=where)
        close(
            m2,
            rows.var(axis=0) * 40,
            "the parts have the sum of squares of the whole",
            where=where,
            tolerance=1e-9,
        )


def test_any_order(answer):
    """Many parts, merged in any order and any tree, make the whole."""
    rng = np.random.default_rng(3)
    rows = np.sort(rng.normal(size=(200, 2)), axis=0) * [3, 300] + [5, 1e4]
    cuts = np.sort(rng.choice(199, 11, replace=False) + 1)
    for attempt in range(5):
        pool = [state(part) for part in np.split(rows, cuts)]
        while len(pool) > 1:
            a, b = (pool.pop(int(rng.integers(len(pool)))) for _ in range(2))
            pool.append(merged(answer, a, b, "a merge of merges"))
        where = f"12 unequal parts of 200 rows, random order number {attempt + 1}"
        close(pool[0][1], rows.mean(axis=0), "every order has the same mean", where=where)
        close(
            pool[0][2] / 200,
            rows.var(axis=0),
            "every order has the same variance",
            where=where,
            tolerance=1e-9,
        )


def test_far_from_zero(answer):
    """At an offset of 1e8 the variance of 1, 2, 3, 4 is still 1.25."""
    rows = 1e8 + np.array([[1.0], [2.0], [3.0], [4.0]])
    where = "1e8 + [1, 2, 3] and 1e8 + [4]"
    _, _, m2 = merged(answer, state(rows[:3]), state(rows[3:]), where)
    close(m2 / 4, [1.25], "the variance is lost in rounding: use distances only", where=where)


def test_huge_counts(answer):
    """Counts of billions neither overflow nor lose their last row."""
    a, b = (2**40, np.array([1.0]), np.array([8.0])), (2**40 + 1, np.array([3.0]), np.array([4.0]))
    where = "two sets of about 2**40 rows, means 1 and 3, m2 8 and 4"
    _, mean, m2 = merged(answer, a, b, where)
    close(mean, [2], "half of the rows, half of the way", where=where)
    close(m2, [2.0**41], "d ** 2 * nA * nB / n is about 4 * 2**40 / 2 here", where=where)
    small = [(np.int32(100_000), mean, m2) for _, mean, m2 in (a, b)]
    where = "two sets of np.int32(100000) rows, means 1 and 3, m2 8 and 4"
    _, mean, m2 = answer.merge(*small)
    close(
        m2,
        [200_012],
        "nA * nB does not fit into an int32: divide first, or make the counts Python's int",
        where=where,
    )
