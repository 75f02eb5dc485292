"""Exercise 08.4: means and losses over transitions, not over reset rows."""

import numpy as np

from burgerbot.course.claims import array_like, close, equal, instance, that

NUMBER = (int, float, np.floating, np.integer, np.ndarray)


def mask(*rows):
    """Bool [T, N]: one text a step, one character a robot."""
    return np.array([[mark == "1" for mark in row] for row in rows])


def scaled(answer, advantages, valid, where):
    """The learner's normalized advantages, [T, N]."""
    got = answer.normalize(advantages.copy(), valid.copy())
    array_like(got, advantages.shape, np.float64, where=where)
    return got


def test_normalized_over_the_valid_rows(answer):
    """Over the transitions mean 0 and standard deviation 1; elsewhere there are zeros."""
    advantages = np.array([[1.0, 2.0], [3.0, 100.0], [-100.0, 6.0]])
    valid = mask("11", "10", "01")
    where = "advantages 1 2 / 3 100 / -100 6, where 100 and -100 stand in reset rows"
    got = scaled(answer, advantages, valid, where)
    close(
        got[~valid],
        [0.0, 0.0],
        "a reset row gets the advantage 0: nobody did anything there",
        where=where,
    )
    close(
        got[valid].mean(),
        0.0,
        "the mean of the transitions is not 0: the numbers in reset rows, or the count of those "
        "rows, went into the mean. It is a sum over the valid rows, divided by their number",
        where=where,
        tolerance=1e-5,
    )
    close(
        got[valid].std(),
        1.0,
        "the standard deviation of the transitions is not 1: take it from the valid rows, all "
        "robots together, and divide by their number (the population's)",
        where=where,
        tolerance=1e-5,
    )
    close(
        got[valid],
        np.array([-2.0, -1.0, 0.0, 3.0]) / np.sqrt(3.5),
        "the order or the spacing of the advantages has changed: subtract one number from all of "
        "them, and divide all of them by another",
        where=where,
        tolerance=1e-5,
    )


def test_one_row_and_equal_rows(answer):
    """A single transition, or transitions that are all alike, give 0 and not NaN."""
    cases = {
        "1 transition of 2 rows": (np.array([[5.0], [7.0]]), mask("1", "0")),
        "4 transitions of 3.5": (np.full((2, 2), 3.5), mask("11", "11")),
    }
    for where, (advantages, valid) in cases.items():
        got = scaled(answer, advantages, valid, where)
        close(
            got,
            np.zeros(advantages.shape),
            "without any spread there is nothing to divide by: the population's standard deviation "
            "plus 1e-8 gives 0 here (the sample's is NaN for one row, and 0 / 0 is NaN too)",
            where=where,
        )


def test_small_advantages(answer):
    """Advantages that differ by a ten-thousandth are as spread out afterwards as any others."""
    advantages = 1e-4 * np.array([[1.0, 2.0], [3.0, 9.0], [4.0, 6.0]])
    valid = mask("11", "10", "01")
    where = "advantages 0.0001 0.0002 / 0.0003 reset / reset 0.0006"
    close(
        scaled(answer, advantages, valid, where)[valid],
        np.array([-2.0, -1.0, 0.0, 3.0]) / np.sqrt(3.5),
        "the standard deviation is not 1: the 1e-8 is added to the *deviation*. Added to the "
        "variance, under the root, it is as large as the variance of small advantages",
        where=where,
        tolerance=1e-3,
    )


def test_nan_in_a_reset_row_does_not_matter(answer):
    """Whatever stands in a reset row is not read."""
    valid = mask("11", "01", "11")
    clean = np.array([[1.0, 2.0], [0.0, 3.0], [4.0, 5.0]])
    for bad in (np.nan, np.inf):
        spoiled = np.where(valid, clean, bad)
        where = f"{bad} in a reset row"
        with np.errstate(all="ignore"):
            got = scaled(answer, spoiled, valid, where)
            loss = answer.value_loss(spoiled.copy(), clean.copy(), valid.copy())
        message = "pick the valid rows first: a NaN times 0 is still a NaN"
        close(got, scaled(answer, clean, valid, where), f"normalize: {message}", where=where)
        close(loss, 0.0, f"value_loss: {message}", where=where)


def test_random_masks(answer):
    """Random masks, T and N of all sizes: any shift and scale of the advantages changes nothing."""
    rng = np.random.default_rng(84)
    for steps, robots in ((7, 1), (1, 7), (5, 3), (3, 5)):
        advantages, valid = rng.normal(size=(steps, robots)) * 4, rng.random((steps, robots)) < 0.7
        valid[0, 0] = valid[-1, -1] = True
        where = f"random mask, T = {steps}, N = {robots}"
        got, kept = scaled(answer, advantages, valid, where), advantages[valid]
        close(
            got[valid],
            (kept - kept.mean()) / kept.std(),
            "mean and deviation are those of all valid rows together, not one for each robot or "
            "each step",
            where=where,
            tolerance=1e-5,
        )
        close(
            scaled(answer, advantages * 3 - 8, valid, where)[valid],
            got[valid],
            "advantages times 3 minus 8 must come out the same",
            where=where,
            tolerance=1e-5,
        )


def test_value_loss(answer):
    """The squared errors of the transitions, divided by their number."""
    values = np.array([[1.0, 2.0], [3.0, 50.0], [5.0, 6.0]])
    returns = np.array([[0.0, 4.0], [3.0, 0.0], [8.0, 6.0]])
    valid = mask("11", "10", "11")
    where = "errors 1 -2 / 0 50 / -3 0, where 50 stands in a reset row"
    got = answer.value_loss(values.copy(), returns.copy(), valid.copy())
    instance(got, NUMBER, "the loss is one number", where=where)
    that(
        np.ndim(got) == 0,
        "the loss is one number",
        expected="a number",
        yours=f"shape {np.shape(got)}",
        where=where,
    )
    close(
        got,
        14 / 5,
        "the loss is the sum of squared errors of the valid rows, divided by the number of valid "
        "rows: reset rows are in neither",
        where=where,
    )


def test_no_mask_changes_nothing(answer):
    """In SAME_STEP and DISABLED every row is valid: then these are the plain mean and deviation."""
    rng = np.random.default_rng(85)
    values, returns = rng.normal(size=(2, 4, 3))
    valid = np.ones((4, 3), dtype=bool)
    where = "every row valid, T = 4, N = 3"
    got = scaled(answer, values, valid, where)
    expected = (values - values.mean()) / values.std()
    close(got, expected, "with a full mask all rows count", where=where, tolerance=1e-5)
    loss = answer.value_loss(values, returns, valid)
    close(loss, np.mean((values - returns) ** 2), "with a full mask all rows count", where=where)


def test_shapes_that_differ_are_refused(answer):
    """values [N, 1] and returns [N] would be broadcast to [N, N]: ValueError instead."""
    line = np.array([1.0, 2.0, 3.0])
    for values, returns, valid, where in (
        (line[:, None], line, np.ones(3, dtype=bool), "values (3, 1), returns (3,), valid (3,)"),
        (line[:, None], line[None], np.ones((3, 1), dtype=bool), "values (3, 1), returns (1, 3)"),
        (
            np.ones((3, 1)),
            np.ones((3, 2)),
            np.ones((3, 2), dtype=bool),
            "values (3, 1), rest (3, 2)",
        ),
        (
            np.ones((3, 3)),
            np.zeros((3, 3)),
            np.array([True, False, True]),
            "values and returns (3, 3), valid (3,)",
        ),
    ):
        try:
            got = answer.value_loss(values, returns, valid)
        except ValueError:
            continue
        except IndexError as error:
            got = f"IndexError: {error}"
        that(
            False,
            "shapes that differ must be refused with a ValueError: NumPy would stretch them, "
            "compare each robot with every other, and give a loss that is wrong but no error",
            expected="ValueError",
            yours=got,
            where=where,
        )


def test_arguments_stay_as_they_are(answer):
    """Advantages, values, returns and mask are read, not changed."""
    rng = np.random.default_rng(86)
    first, second, valid = *rng.normal(size=(2, 4, 3)), rng.random((4, 3)) < 0.6
    valid[0] = True
    copies = [array.copy() for array in (first, second, valid)]
    answer.normalize(first, valid)
    answer.value_loss(first, second, valid)
    for name, array, copy in zip(
        ("advantages or values", "returns", "valid"), (first, second, valid), copies, strict=True
    ):
        equal(array, copy, f"your function changed `{name}`, which belongs to the caller")
