"""Exercise 07.1: Welford's rule, one row."""

import warnings

import numpy as np

from burgerbot.course.claims import array_like, close, equal, instance, that

START = 3


def fed(answer, rows, where, count=0):
    """The learner's state after these rows, its kind checked at every step."""
    width = rows.shape[1]
    state = count, np.zeros(width), np.zeros(width)
    for i, row in enumerate(rows):
        given = state[0], state[1].copy(), state[2].copy(), row.copy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got = answer.welford(*given)
        instance(got, (tuple, list), "return three things: count, mean, m2", where=where)
        equal(len(got), 3, "return three things: count, mean, m2", where=where)
        for name, after, before in zip(
            ("mean", "m2", "row"), given[1:], (*state[1:], row), strict=True
        ):
            that(
                np.array_equal(after, before),
                f"`{name}` was written into: it belongs to the caller. `+=` on an array writes "
                "into it; `a = a + b` makes a new one",
                where=f"{where}, row {i}",
            )
        new_count, mean, m2 = got
        that(
            isinstance(new_count, (int, np.integer)) or np.asarray(new_count).dtype.kind in "iu",
            "the count is a whole number: a float32 stops at 2 ** 24, a float64 at 2 ** 53",
            expected=f"the int {state[0] + 1}",
            yours=f"{type(new_count).__name__} {new_count}",
            where=f"{where}, row {i}",
        )
        equal(
            new_count,
            state[0] + 1,
            "the count grows by exactly 1 with each row",
            where=f"{where}, row {i}",
        )
        for array in (mean, m2):
            array_like(array, (width,), np.float64, where=f"{where}, row {i}, dtype {rows.dtype}")
        state = got
    return state


def test_first_row(answer):
    """After one row, the mean is that row, and m2 is 0."""
    where = "from 0, zeros, zeros: the row [5, -2]"
    _, mean, m2 = fed(answer, np.array([[5.0, -2.0]]), where)
    close(
        mean,
        [5, -2],
        "the mean of one row is that row: nothing is assumed before it, and it is divided by the "
        "*new* count",
        where=where,
    )
    close(
        m2,
        [0, 0],
        "one row has no spread: the product is one distance from the old mean times one from the "
        "new mean, and here the second is 0",
        where=where,
    )


def test_three_rows_by_hand(answer):
    """The rows 1, 2, 6 have means 1, 1.5, 3 on the way, and m2 0, 0.5, 14."""
    rows = np.array([[1.0], [2.0], [6.0]])
    for n, mean, m2 in ((1, 1.0, 0.0), (2, 1.5, 0.5), (3, 3.0, 14.0)):
        where = f"the rows {rows[:n, 0].tolist()}, one by one"
        state = fed(answer, rows[:n], where)
        close(state[1], [mean], "the mean moves by d / n, with the new count n", where=where)
        close(
            state[2],
            [m2],
            "m2 grows by one distance from the old mean times one from the new mean; it is a sum, "
            "and is not divided by anything",
            where=where,
        )


def test_random_columns(answer):
    """Each column has its own mean and sum of squared distances, for any number of rows."""
    rng = np.random.default_rng(1)
    for n, width in ((2, 3), (17, 1), (60, 5)):
        rows = rng.normal(size=(n, width)) * np.arange(1, width + 1) + np.arange(width) * 10
        where = f"{n} random rows of {width} columns"
        _, mean, m2 = fed(answer, rows, where)
        close(mean, rows.mean(axis=0), "a column's mean is that of its rows", where=where)
        that(
            np.allclose(m2, rows.var(axis=0) * n, 1e-6, 1e-6)
            or not np.allclose(m2, rows.var(axis=0) * n, 0.01, 0.01),
            "m2 is nearly right: digits were lost on the way, as in float32 (or float16). Keep "
            "mean and m2 in float64",
            expected=rows.var(axis=0) * n,
            yours=m2,
            where=where,
        )
        close(
            m2,
            rows.var(axis=0) * n,
            "m2 is the sum of the squared distances from the mean of all rows so far",
            where=where,
        )


def test_far_from_zero(answer):
    """At an offset of 1e8 the variance of 1, 2, 3, 4 is still 1.25."""
    rows = 1e8 + np.array([[1.0], [2.0], [3.0], [4.0]])
    where = "1e8 + [1, 2, 3, 4], float64"
    _, _, m2 = fed(answer, rows, where)
    close(
        m2 / 4,
        [1.25],
        "the variance is lost in rounding: square only *distances* from the mean, never the values",
        where=where,
    )


def test_other_number_types(answer):
    """float32, int and uint8 rows are counted in float64, and nothing wraps around."""
    for rows in (
        (1e4 + np.arange(4)).astype(np.float32)[:, None],
        np.array([[250, 3], [5, 3], [0, 200]], dtype=np.uint8),
        np.array([[1, 7], [2, 7], [4, 8]]),
    ):
        where = f"the {rows.dtype} rows {rows.tolist()}"
        _, mean, m2 = fed(answer, rows, where)
        wide = rows.astype(np.float64)
        close(
            mean,
            wide.mean(axis=0),
            "the mean is kept in float64, whatever the row's dtype",
            where=where,
            tolerance=1e-12,
        )
        close(
            m2,
            wide.var(axis=0) * len(rows),
            "the distances are kept in float64, whatever the row's dtype",
            where=where,
            tolerance=1e-9,
        )


def test_long_counts(answer):
    """After 16,777,216 rows comes row 16,777,217."""
    where = "count 2**24, mean 0, m2 0, then one row"
    count, _, _ = answer.welford(2**24, np.zeros(1), np.zeros(1), np.ones(1))
    equal(count, 2**24 + 1, "the count is a whole number: a float32 stops here", where=where)
