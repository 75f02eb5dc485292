"""Exercise 07.3: a normalizer for N robots."""

import re
import warnings

import numpy as np

from burgerbot.course.claims import ClaimFailed, array_like, close, equal, that

UPDATE = "the moments are those of all rows so far, of all robots together, column by column"


def update(answer_object, rows, where):
    """Call the learner's update on a copy, quietly, and claim that the copy stays."""
    given = rows.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer_object.update(given)
    that(
        np.array_equal(given, rows, equal_nan=rows.dtype.kind == "f"),
        "`update` wrote into the rows that it was given",
        where=where,
    )


def normalize(answer_object, rows, where, **kwargs):
    """The learner's normalized rows, of the right kind, nothing changed on the way."""
    given = rows.copy()
    before = answer_object.count, answer_object.mean.copy(), answer_object.m2.copy()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        got = answer_object.normalize(given, **kwargs)
    array_like(got, rows.shape, np.float32, where=where)
    that(np.array_equal(given, rows), "`normalize` wrote into its argument", where=where)
    after = answer_object.count, answer_object.mean, answer_object.m2
    that(
        all(np.array_equal(x, y) for x, y in zip(before, after, strict=True)),
        "`normalize` only looks: taking in rows is the work of `update`",
        where=where,
    )
    that(
        np.isfinite(got).all(),
        "0 / 0 is NaN: a column without spread needs a rule of its own",
        yours=str(got),
        where=where,
    )
    that(
        not any("divide" in str(w.message) for w in heard),
        "something was divided by 0: put another divisor there first",
        where=where,
    )
    return got


def test_one_batch(answer):
    """After one batch [N, D], each column has its mean and population variance."""
    rng = np.random.default_rng(1)
    for n, width in ((1, 4), (5, 3), (64, 28)):
        rows = rng.normal(size=(n, width)) * 300 + np.arange(width)
        where = f"one batch of {n} robots and {width} columns"
        mine = answer.Normalizer(width)
        update(mine, rows, where)
        equal(mine.count, n, "each robot's row counts once", where=where)
        close(mine.mean, rows.mean(axis=0), UPDATE, where=where)
        close(
            mine.var,
            rows.var(axis=0),
            UPDATE + "; `var` is the sum of squared distances divided by n, once, at the end",
            where=where,
        )


def test_many_batches(answer):
    """Batches of unequal size come together as if they had come at once."""
    rng = np.random.default_rng(2)
    batches = [rng.normal(k, 1 + k, size=(n, 3)) for k, n in enumerate((1, 7, 2, 30, 1))]
    mine = answer.Normalizer(3)
    where = "batches of 1, 7, 2, 30 and 1 robots, each around another mean"
    for batch in batches:
        update(mine, batch, where)
    rows = np.concatenate(batches)
    equal(mine.count, len(rows), "each robot's row counts once", where=where)
    close(mine.mean, rows.mean(axis=0), UPDATE, where=where)
    close(
        mine.var,
        rows.var(axis=0),
        UPDATE + ". A batch has moments of its own, and `join` wants its m2, a sum",
        where=where,
    )


def test_two_normalizers(answer):
    """Two normalizers keep their statistics apart."""
    one, other = answer.Normalizer(1), answer.Normalizer(1)
    where = "two normalizers; only the first is updated"
    update(one, np.array([[1.0], [3.0]]), where)
    equal(other.count, 0, "the second has seen nothing: keep statistics in `self`", where=where)


def test_normalized_rows(answer):
    """Normalized is (row - mean) / standard deviation, column by column."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(50, 4)) * [1, 400, 0.5, 1e-6] + [0, 1e4, -3, 0]
    where = "50 random rows of 4 columns with spreads 1, 400, 0.5 and 0.000001"
    mine = answer.Normalizer(4)
    update(mine, rows, where)
    other = rng.normal(size=(9, 4)) * [1, 400, 0.5, 1e-6] + [0, 1e4, -3, 0]
    for name, batch in (("the same rows", rows), ("9 other rows", other)):
        got = normalize(mine, batch, f"{where}; {name}")
        by_the_sample = (batch - rows.mean(axis=0)) / rows.std(axis=0, ddof=1)
        that(
            not np.allclose(got, by_the_sample, 1e-5, 1e-5),
            "this is the deviation of a sample, with n - 1 under the root: the running variance "
            "is the population's, `m2 / n`, as `self.var` gives it",
            where=f"{where}; {name}",
        )
        close(
            got,
            (batch - rows.mean(axis=0)) / rows.std(axis=0),
            "subtract the running mean and divide by the running standard deviation, the square "
            "root of the variance; nothing is added to it",
            where=f"{where}; {name}",
            tolerance=1e-5,
        )


def test_clip(answer):
    """Nothing comes out beyond the clip, on either side; 10 if nothing is said."""
    rows = np.array([[0.0], [2.0]])
    mine = answer.Normalizer(1)
    update(mine, rows, "")
    far = np.array([[101.0], [-99.0], [4.0]])
    where = "mean 1, standard deviation 1; the rows 101, -99, 4"
    close(normalize(mine, far, where), [[10], [-10], [3]], "cut to -10 ... 10", where=where)
    where += ", clip=2.5"
    got = normalize(mine, far, where, clip=2.5)
    close(got, [[2.5], [-2.5], [2.5]], "cut to -clip ... clip", where=where)


def test_constant_column(answer):
    """A column that has been constant gives 0, also for a value never seen."""
    mine = answer.Normalizer(3)
    where = "columns: always 0, always 300, and 1, 2, 3, 6"
    update(mine, np.array([[0.0, 300, 1], [0, 300, 2]]), where)
    update(mine, np.array([[0.0, 300, 3], [0, 300, 6]]), where)
    got = normalize(
        mine, np.array([[0.0, 300, 3], [1, 299, 3]]), where + "; [0, 300, 3], [1, 299, 3]"
    )
    close(
        got,
        np.zeros((2, 3)),
        "a column that never varied tells nothing yet, and gives 0, also when a new value comes: "
        "divided by nearly 0 it would be thrown to the clip",
        where=where + "; then the rows [0, 300, 3] and [1, 299, 3]",
    )


def test_refuses_what_is_not_finite(answer):
    """NaN and infinity are refused by name of the column, and change nothing."""
    for bad in (np.nan, np.inf, -np.inf):
        mine = answer.Normalizer(3)
        update(mine, np.array([[1.0, 2, 3], [3, 2, 1]]), "")
        rows = np.array([[1.0, 2, 3], [1, 2, bad], [0, 0, 0]])
        where = f"a batch of 3 robots with {bad} in column 2"
        before = mine.count, mine.mean.copy(), mine.m2.copy()
        try:
            mine.update(rows.copy())
        except ValueError as error:
            that(
                re.search(r"\b2\b", str(error)),
                "the message names the column, counted from 0: somebody has to find that sensor",
                expected="a message with the number 2",
                yours=str(error),
                where=where,
            )
        except Exception as error:
            raise ClaimFailed(
                "raise a ValueError", yours=type(error).__name__, where=where
            ) from None
        else:
            raise ClaimFailed(
                "one row that is not finite poisons the mean for ever: raise a ValueError",
                yours=f"no error, and a mean of {mine.mean}",
                where=where,
            )
        after = mine.count, mine.mean, mine.m2
        that(
            all(np.array_equal(x, y) for x, y in zip(before, after, strict=True)),
            "the batch was refused, and yet the statistics have changed: look before you take in",
            expected=str(before),
            yours=str(after),
            where=where,
        )


def test_small_number_types(answer):
    """float32 and uint8 rows are counted in float64."""
    rng = np.random.default_rng(4)
    for rows in (
        (1e4 + rng.normal(size=(3000, 2))).astype(np.float32),
        rng.integers(0, 256, size=(40, 2)).astype(np.uint8),
    ):
        mine, wide = answer.Normalizer(2), rows.astype(np.float64)
        where = f"{len(rows)} rows of {rows.dtype}, around {wide.mean():.0f}"
        update(mine, rows, where)
        equal(
            mine.count,
            len(rows),
            "a new normalizer has already seen rows: keep statistics in `self`, not in the class",
            where=where,
        )
        for name, yours, expected in (
            ("mean", mine.mean, wide.mean(axis=0)),
            ("variance", mine.var, wide.var(axis=0)),
        ):
            close(
                yours,
                expected,
                f"the {name} has lost digits: make the rows float64 *before* anything is added up",
                where=where,
                tolerance=1e-10,
            )
        got = normalize(mine, rows[:5], where)
        close(
            got,
            (wide[:5] - wide.mean(axis=0)) / wide.std(axis=0),
            UPDATE,
            where=where,
            tolerance=1e-4,
        )
