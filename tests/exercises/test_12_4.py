"""Exercise 12.4: priorities, chances and weights."""

import numpy as np

from burgerbot.course.claims import array_like, close, that


def rows_of(*rows):
    """Columns of (state, action, reward, terminated, next state)."""
    columns = zip(*rows, strict=True)
    names = ("states", "actions", "rewards", "terminated", "next_states")
    kinds = (np.int64, np.int64, np.float64, bool, np.int64)
    return {n: np.array(c, dtype=k) for n, c, k in zip(names, columns, kinds, strict=True)}


def surprise(answer, q, rows, gamma, where):
    """The learner's priorities, of the right kind, nothing written into."""
    table, given = q.copy(), {name: column.copy() for name, column in rows.items()}
    got = answer.first_priorities(table, given, gamma)
    array_like(got, (len(rows["states"]),), np.float64, where=where)
    that(
        np.array_equal(table, q),
        "`q` was written into: a worker only reads the values",
        where=where,
    )
    that(
        all(np.array_equal(given[name], rows[name]) for name in rows),
        "the rows were written into: they go into the replay after this",
        where=where,
    )
    return got


def test_priority_by_hand(answer):
    """r + gamma * max Q(s') - Q(s, a) = 2 + 0.5 * 6 - 1 = 4."""
    q = np.array([[1.0, 0, 0, 0], [3.0, 6, -9, 2]])
    where = "Q(s, a) = 1, reward 2, Q(s') = 3 6 -9 2, gamma 0.5, not terminated"
    close(
        surprise(answer, q, rows_of((0, 0, 2.0, False, 1)), 0.5, where),
        [4.0],
        "the error is r + gamma * max_a Q(s', a) - Q(s, a): the *best* action of the next state, "
        "over its four actions, discounted, and the action *taken* of this one; only a termination "
        "takes the next state away",
        where=where,
    )


def test_a_bad_surprise_is_a_surprise(answer):
    """A negative error counts as much as a positive one."""
    q = np.array([[7.0, 0, 0, 0], [0.0, 0, 0, 0]])
    where = "Q(s, a) = 7, reward 2, next values 0"
    close(
        surprise(answer, q, rows_of((0, 0, 2.0, False, 1)), 0.5, where),
        [5.0],
        "a priority is the *absolute* error: what went worse than expected is a surprise too",
        where=where,
    )


def test_nothing_comes_after_a_termination(answer):
    """The next state's values do not count."""
    q = np.array([[1.0, 0, 0, 0], [9.0, 9, 9, 9]])
    where = "the step terminated; Q(s, a) = 1, reward 2, next values 9"
    close(
        surprise(answer, q, rows_of((0, 0, 2.0, True, 1)), 0.5, where),
        [1.0],
        "nothing comes after a termination: leave the next state's values out",
        where=where,
    )


def test_rows_keep_to_themselves(answer):
    """Random rows, against a slow loop."""
    rng = np.random.default_rng(0)
    q = rng.normal(size=(5, 4))
    rows = rows_of(
        *[
            (rng.integers(5), rng.integers(4), rng.normal(), rng.random() < 0.3, rng.integers(5))
            for _ in range(12)
        ]
    )
    expected = []
    for s, a, r, over, after in zip(*rows.values(), strict=True):
        later = 0.0 if over else max(q[after])
        expected.append(abs(r + 0.9 * later - q[s, a]))
    where = "12 random rows"
    close(
        surprise(answer, q, rows, 0.9, where),
        expected,
        "each row has a state, an action and a next state of its own: its reward counts in any "
        "case, the *best* value of its next state unless it terminated, and the value of the "
        "action *taken*",
        where=where,
    )


def test_chances_are_powers_that_sum_to_1(answer):
    """Priorities 1, 4 and 9 with alpha 1/2: chances 1/6, 2/6, 3/6."""
    p = np.array([1.0, 4.0, 9.0])
    for alpha, expected, message in (
        (
            1.0,
            [1 / 14, 4 / 14, 9 / 14],
            "with alpha 1 the chance is the priority's share of the sum",
        ),
        (
            0.5,
            [1 / 6, 2 / 6, 3 / 6],
            "raise each priority to alpha first, and divide by the sum of the *powers*",
        ),
        (0.0, [1 / 3] * 3, "with alpha 0 all are drawn alike"),
    ):
        where = f"priorities 1 4 9, alpha {alpha}"
        given = p.copy()
        got = answer.chances(given, alpha)
        array_like(got, (3,), np.float64, where=where)
        that(np.array_equal(given, p), "`priorities` was written into", where=where)
        close(got, expected, message, where=where)


def test_weights_undo_the_skew(answer):
    """w = (N P) ** -beta, divided by the largest."""
    p = np.array([0.5, 0.25, 0.125, 0.125])
    for beta, expected, message in (
        (
            1.0,
            [0.25, 0.5, 1.0, 1.0],
            "with beta 1, chance times weight is the same for all: what is drawn often weighs "
            "little. The exponent is -beta, and the largest weight is 1",
        ),
        (0.5, [0.5, 0.5**0.5, 1.0, 1.0], "the exponent is -beta: beta 1/2 undoes half"),
        (0.0, [1.0] * 4, "with beta 0 all weigh 1"),
    ):
        where = f"chances 1/2 1/4 1/8 1/8, beta {beta}"
        given = p.copy()
        got = answer.importance_weights(given, beta)
        array_like(got, (4,), np.float64, where=where)
        that(np.array_equal(given, p), "`probabilities` was written into", where=where)
        close(got, expected, message, where=where)


def test_weights_never_exceed_1(answer):
    """Divided by the maximum, not by the sum or the mean: steps only get smaller."""
    p = np.random.default_rng(2).dirichlet(np.ones(9))
    got = np.asarray(answer.importance_weights(p.copy(), 0.7))
    where = "9 random chances, beta 0.7"
    close(
        got.max(),
        1.0,
        "weights are divided by their maximum, so that they only make steps smaller, never larger",
        where=where,
    )
    close(
        got / got.min(),
        (p / p.max()) ** -0.7,
        "ratios of weights are (P / P') ** -beta",
        where=where,
    )
