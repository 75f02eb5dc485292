"""Exercise 08.5: a policy gradient, and how noisy it is."""

import numpy as np

from burgerbot.course.claims import array_like, close, equal, that


def softmax(scores):
    """Probabilities [K, A] of scores."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def random_case(rng, steps, robots, kinds=5, actions=4):
    """Scores, probabilities and a random rollout in which every situation occurs often."""
    scores = rng.normal(size=(kinds, actions))
    situations = rng.integers(kinds, size=(steps, robots))
    taken = rng.integers(actions, size=(steps, robots))
    valid = rng.random((steps, robots)) < 0.8
    valid[0, 0] = True
    return scores, [softmax(scores), situations, taken, rng.normal(size=(steps, robots)), valid]


def gradient(answer, arguments, where):
    """The learner's gradient [K, A]."""
    got = answer.policy_gradient(*(array.copy() for array in arguments))
    array_like(got, arguments[0].shape, np.float64, where=where)
    return got


def test_one_step(answer):
    """One step, advantage 2: the action taken is pushed by 2 (1 - p), the others by -2 p."""
    probabilities = np.array([[0.5, 0.25, 0.125, 0.125], [0.25, 0.25, 0.25, 0.25]])
    where = "1 step in situation 0 with p = 0.5 0.25 0.125 0.125, action 1 taken, advantage 2"
    case = [probabilities, np.array([[0]]), np.array([[1]]), np.array([[2.0]]), np.array([[True]])]
    got = gradient(answer, case, where)
    that(
        got.any(),
        "nothing moves: a single advantage minus the mean of all of them is 0. Use the advantages "
        "as they are, without centring or normalizing them",
        expected=1.5,
        yours=0.0,
        where=where + "; situation 0, action 1",
    )
    close(
        got[0, 1],
        1.5,
        "the score of the action taken moves by advantage times (1 - p)",
        where=where + "; situation 0, action 1",
    )
    close(
        got[0],
        [-1.0, 1.5, -0.25, -0.25],
        "the scores of the actions not taken move by advantage times -p: what one action gains, "
        "the others lose",
        where=where + "; situation 0",
    )
    close(got[1], [0.0] * 4, "situation 1 never occurred: nothing moves there", where=where)


def test_every_row_counts(answer):
    """The same situation in every row: all of them are added up, then divided by their number."""
    steps, robots = 3, 4
    probabilities = np.full((2, 4), 0.25)
    situations, actions = np.ones((steps, robots), dtype=int), np.zeros((steps, robots), dtype=int)
    advantages, valid = np.arange(12.0).reshape(3, 4), np.ones((steps, robots), dtype=bool)
    where = "12 rows in situation 1, action 0 taken, advantages 0 to 11, p = 0.25"
    got = gradient(answer, [probabilities, situations, actions, advantages, valid], where)
    wrong = advantages[-1, -1] * 0.75
    that(
        not np.isclose(got[1, 0], wrong) and not np.isclose(got[1, 0], wrong / 12),
        "only the last row of each situation is left: `+=` with an array of indices writes each "
        "place once. `np.add.at` adds every row",
        expected=4.125,
        yours=got[1, 0],
        where=where,
    )
    close(
        got[1],
        [4.125, -1.375, -1.375, -1.375],
        "the gradient is a mean: the sum over all steps of all robots, divided by the number of "
        "valid rows (T * N if all are), not by N, T or the number of situations",
        where=where,
    )


def test_reset_rows_are_left_out(answer):
    """Rows that are not valid add nothing and are not counted, whatever stands in them."""
    rng = np.random.default_rng(1)
    _, case = random_case(rng, 6, 3)
    valid = case[-1]
    spoiled = [array.copy() for array in case]
    spoiled[3][~valid] = 1000.0
    where = "6 steps of 3 robots, advantage 1000 in reset rows"
    got, clean = gradient(answer, spoiled, where), [array[valid][:, None] for array in case[1:]]
    close(
        got,
        gradient(answer, [case[0], *clean], where),
        "a rollout with reset rows must give the same gradient as its valid rows alone: reset rows "
        "are in neither the sum nor the count",
        where=where,
    )


def test_it_is_the_gradient(answer):
    """Against finite differences: the slope of mean(advantage * log p(action)) in each score."""
    rng = np.random.default_rng(2)
    for steps, robots, kinds in ((7, 3, 5), (4, 6, 2), (1, 1, 3)):
        scores, case = random_case(rng, steps, robots, kinds)
        _, situations, actions, advantages, valid = case
        where = f"random rollout, T = {steps}, N = {robots}, K = {kinds}"

        def objective(scores, s=situations, a=actions, weight=advantages, v=valid):
            return (weight * np.log(softmax(scores))[s, a])[v].mean()

        expected = np.zeros(scores.shape)
        for place in np.ndindex(scores.shape):
            step = np.zeros(scores.shape)
            step[place] = 1e-5
            expected[place] = (objective(scores + step) - objective(scores - step)) / 2e-5
        close(
            gradient(answer, case, where),
            expected,
            "this is not the slope of the mean of `advantage * log p(action)`, found by moving "
            "each score a little; use the advantages as they are, not shifted, scaled or ranked",
            where=where,
        )


def test_total_variance(answer):
    """The sample variance of each number over the M gradients, added up."""
    gradients = np.array([[[1.0, 10.0]], [[2.0, 10.0]], [[3.0, 13.0]]])
    where = "3 gradients of two numbers: 1 2 3, and 10 10 13"
    got = answer.total_variance(gradients.copy())
    that(np.ndim(got) == 0, "the total variance is one number", yours=got, where=where)
    close(
        got,
        4.0,
        "each number has its own variance over the M gradients (here 1 and 3, divided by M - 1), "
        "and the total is their sum: not their mean, not a standard deviation, and not the spread "
        "of the numbers within a gradient",
        where=where,
    )
    rng = np.random.default_rng(4)
    data = rng.normal(size=(2000, 3, 4)) * np.arange(1, 13).reshape(3, 4) + 50
    covariance = np.cov(data.reshape(2000, -1), rowvar=False)
    close(
        answer.total_variance(data),
        np.trace(covariance),
        "the total variance is the trace of the covariance matrix",
        where="2000 random gradients of 3 x 4 numbers, far from 0",
    )


def test_slope(answer):
    """Straight lines on logarithmic axes have the slope of their exponent."""
    sizes = [1, 2, 4, 8, 16]
    for exponent, scale in ((-1.0, 7.0), (0.0, 3.0), (-0.5, 0.01)):
        variances = [scale * n**exponent for n in sizes]
        where = f"variances {scale} * N**{exponent}, N = 1 2 4 8 16"
        got = answer.loglog_slope(sizes, variances)
        that(np.ndim(got) == 0, "the slope is one number", yours=got, where=where)
        close(
            got,
            exponent,
            "the slope belongs to `log(variances)` against `log(sizes)`: both logarithms, sizes "
            "along the x axis",
            where=where,
        )
    few, noisy = np.array([1, 2, 4, 1024]), np.array([1.0, 8.0, 4.0, 0.5])
    x, y = np.log2(few) - np.log2(few).mean(), np.log2(noisy)
    close(
        answer.loglog_slope(few, noisy),
        (x * y).sum() / (x * x).sum(),
        "the line is fitted to all points (least squares): no two of them decide alone",
        where="variances 1, 8, 4, 0.5 for N = 1, 2, 4, 1024",
    )


def test_the_law(answer):
    """Independent rows: with N times as many of them the total variance is 1/N."""
    rng, variances = np.random.default_rng(5), []
    probabilities = softmax(rng.normal(size=(3, 4)))
    sizes = [1, 4, 16]
    for robots in sizes:
        found = []
        for _ in range(400):
            s = rng.integers(3, size=(2, robots))
            a = (rng.random((2, robots, 1)) > probabilities.cumsum(axis=1)[s][..., :3]).sum(axis=-1)
            weight = rng.normal(size=(2, robots))
            full = np.ones((2, robots), dtype=bool)
            found.append(answer.policy_gradient(probabilities, s, a, weight, full))
        variances.append(answer.total_variance(np.array(found)))
    got = answer.loglog_slope(sizes, variances)
    close(
        got,
        -1.0,
        "robots that share nothing: the variance of the gradient must fall as 1/N",
        where="400 gradients each for N = 1, 4, 16",
        tolerance=0.06,
    )


def test_arguments_stay_as_they_are(answer):
    """Probabilities and rollout are read, not changed."""
    names = ("probabilities", "situations", "actions", "advantages", "valid")
    _, case = random_case(np.random.default_rng(6), 5, 3)
    copies = [array.copy() for array in case]
    answer.policy_gradient(*case)
    for name, array, copy in zip(names, case, copies, strict=True):
        equal(array, copy, f"your function changed `{name}`, which belongs to the caller")
