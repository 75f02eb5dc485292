"""Exercise 12.3: what workers added, each row once."""

import warnings

import numpy as np

from burgerbot.course.claims import array_like, close, equal, instance, that


def state(rows):
    """(count, mean, m2) of rows [n, D]."""
    rows = np.asarray(rows, dtype=np.float64)
    if not len(rows):
        return 0, np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    mean = rows.mean(axis=0)
    return len(rows), mean, np.square(rows - mean).sum(axis=0)


def copied(given):
    """A state of its own."""
    count, mean, m2 = given
    return count, mean.copy(), m2.copy()


def same(a, b):
    """Whether two states are equal to the bit."""
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def checked(got, columns, where):
    """A state of the right kind."""
    instance(got, (tuple, list), "return three things: count, mean, m2", where=where)
    equal(len(got), 3, "return three things: count, mean, m2", where=where)
    for array in got[1:]:
        array_like(array, (columns,), np.float64, where=where)
    that(
        isinstance(got[0], (int, np.integer)) or np.asarray(got[0]).dtype.kind in "iu",
        "the count is a whole number",
        yours=type(got[0]).__name__,
        where=where,
    )
    return got


def added(answer, before, after, where):
    """The learner's delta, its arguments untouched."""
    given = copied(before), copied(after)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            got = answer.delta(*given)
        except ZeroDivisionError as error:
            that(
                False,
                "something was divided by 0: a worker that added nothing has n == 0",
                yours=f"ZeroDivisionError: {error}",
                where=where,
            )
    that(
        not heard,
        "something was divided by 0: a worker that added nothing has n == 0",
        yours=str(heard[0].message) if heard else "",
        where=where,
    )
    for name, mine, theirs in zip(("before", "after"), (before, after), given, strict=True):
        that(
            same(mine, theirs), f"`{name}` was written into: it belongs to the caller", where=where
        )
    return checked(got, len(before[1]), where)


def test_delta_by_hand(answer):
    """Before 0 and 2, after 0, 2, 4, 8: added were 4 and 8, mean 6, sum of squares 8."""
    where = "before: rows 0, 2; after: rows 0, 2, 4, 8"
    before, after = state([[0.0], [2.0]]), state([[0.0], [2.0], [4.0], [8.0]])
    count, mean, m2 = added(answer, before, after, where)
    equal(count, 2, "the count of what was added is n_after - n_before", where=where)
    close(
        mean,
        [6.0],
        "this is not the mean of what was added: sums can be subtracted, (n_after * mean_after - "
        "n_before * mean_before) / n, means cannot",
        where=where,
    )
    close(
        m2,
        [8.0],
        "this is not the sum of squares of what was added: m2 also holds what lies *between* the "
        "two sets, d ** 2 * n_before * n / n_after with d = mean - mean_before; take it out",
        where=where,
    )


def test_nothing_added(answer):
    """A worker without new rows adds (0, zeros, zeros)."""
    before = state([[1.0, 5.0], [3.0, 5.0]])
    for name, same_state in (("two rows", before), ("no rows at all", state(np.zeros((0, 2))))):
        where = f"before and after are the same, {name}"
        count, mean, m2 = added(answer, same_state, same_state, where)
        equal(count, 0, "nothing was added", where=where)
        close(
            [*mean, *m2],
            np.zeros(4),
            "of no rows, mean and m2 are 0, not the shared ones",
            where=where,
        )


def test_delta_from_nothing_is_the_whole(answer):
    """Before the first row, the delta is the state."""
    after = state([[1.0, 4.0], [3.0, -2.0], [8.0, 0.0]])
    where = "before: no rows; after: three rows"
    for mine, theirs in zip(
        added(answer, state(np.zeros((0, 2))), after, where), after, strict=True
    ):
        close(mine, theirs, "from 0 rows, everything was added", where=where)


def test_delta_of_random_rows(answer):
    """Any sizes, three columns of their own scale."""
    rng = np.random.default_rng(3)
    for n_before, n in ((1, 1), (5, 2), (2, 40), (300, 7)):
        rows = rng.normal(size=(n_before + n, 3)) * [1.0, 50.0, 1e-2] + [0.0, 3.0, 1.0]
        where = f"{n_before} rows before, {n} added"
        got = added(answer, state(rows[:n_before]), state(rows), where)
        for name, mine, theirs in zip(
            ("count", "mean", "m2"), got, state(rows[n_before:]), strict=True
        ):
            close(mine, theirs, f"{name} is not that of the rows that were added", where=where)


def gathered(answer, shared, reports, where):
    """The learner's shared state, nothing written into."""
    mine = copied(shared)
    given = [(key, copied(before), copied(after)) for key, before, after in reports]
    got = answer.gather(mine, given)
    that(same(mine, shared), "`shared` was written into: return a new state", where=where)
    that(
        len(given) == len(reports)
        and all(
            a[0] == b[0] and same(a[1], b[1]) and same(a[2], b[2])
            for a, b in zip(given, reports, strict=True)
        ),
        "the reports were changed: they belong to the caller",
        where=where,
    )
    return checked(got, len(shared[1]), where)


def test_the_shared_past_counts_once(answer):
    """100 zeros are shared, two workers add ten fives each: 120 rows, mean 0.8333."""
    shared = state(np.zeros((100, 1)))
    after = state([[0.0]] * 100 + [[5.0]] * 10)
    where = "100 rows of 0 shared, two workers add ten rows of 5 each"
    count, mean, _ = gathered(answer, shared, [("a", shared, after), ("b", shared, after)], where)
    that(
        count != 110,
        "one of the two reports was left out: each key is a call of its own, and all of them count",
        expected=120,
        yours=count,
        where=where,
    )
    equal(
        count,
        120,
        "the shared past was counted again: merge what each worker *added*, delta(before, after), "
        "not its whole state",
        where=where,
    )
    close(mean, [5 / 6], "the mean of all rows, each once", where=where)


def test_an_answer_that_comes_twice_counts_once(answer):
    """The same key: the same rows."""
    shared = state([[0.0], [4.0]])
    after = state([[0.0], [4.0], [9.0]])
    other = state([[0.0], [4.0], [9.0], [9.0]])
    reports = [((0, 7), shared, after), ((1, 7), shared, other), ((0, 7), shared, after)]
    where = "the report with key (0, 7) comes twice"
    count, mean, _ = gathered(answer, shared, reports, where)
    equal(
        count,
        5,
        "a report with a key that was there before is the same call, tried again: count it once, "
        "by its key",
        where=where,
    )
    close(mean, [31 / 5], "the mean of all rows, each once", where=where)


def test_equal_reports_of_two_workers_both_count(answer):
    """Two workers may see the same: only the key tells."""
    shared = state([[0.0], [4.0]])
    after = state([[0.0], [4.0], [9.0]])
    where = "two reports with the same numbers and different keys"
    count, _, _ = gathered(answer, shared, [("c", shared, after), ("d", shared, after)], where)
    equal(
        count,
        4,
        "two workers that saw the same rows are two reports: compare keys only",
        where=where,
    )


def test_a_worker_reports_many_times(answer):
    """Two calls of one worker have two keys, and both count."""
    shared = state([[0.0], [4.0]])
    reports = [
        ((0, 8), shared, state([[0.0], [4.0], [9.0]])),
        ((0, 9), shared, state([[0.0], [4.0], [1.0], [1.0]])),
    ]
    where = "worker 0 reports twice, with keys (0, 8) and (0, 9)"
    count, _, _ = gathered(answer, shared, reports, where)
    equal(
        count,
        5,
        "a worker reports again and again: compare the *whole* key, not the worker's part of it",
        where=where,
    )


def test_each_call_begins_anew(answer):
    """What an earlier call of ``gather`` has seen is not known to the next one."""
    shared = state([[0.0], [4.0]])
    reports = [("e", shared, state([[0.0], [4.0], [9.0]]))]
    where = "the same report, in two calls of `gather` from the same shared state"
    counts = [gathered(answer, shared, reports, where)[0] for _ in range(2)]
    equal(
        counts,
        [3, 3],
        "the keys of an earlier call of `gather` were remembered: begin each call with no key seen",
        where=where,
    )


def test_each_worker_starts_from_its_own_before(answer):
    """One got the shared state early, one late; the learner has moved on since."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(60, 2)) * [1.0, 30.0] + [5.0, 0.0]
    early, late, now = state(rows[:10]), state(rows[:25]), state(rows[:40])
    one = state(np.concatenate([rows[:10], rows[40:45]]))
    two = state(np.concatenate([rows[:25], rows[45:60]]))
    where = "worker 0 began from 10 rows, worker 1 from 25, the learner has 40 by now"
    reports = [("w0", early, one), ("w1", late, two)]
    for order in (reports, reports[::-1]):
        got = gathered(answer, now, order, where)
        for name, mine, theirs in zip(("count", "mean", "m2"), got, state(rows), strict=True):
            close(
                mine,
                theirs,
                f"{name}: the result is that of one pass over all rows. Each report has a `before` "
                "of its own; do not take `shared` for it, and keep what `shared` holds",
                where=where,
            )


def test_no_reports(answer):
    """Nothing came: the shared state, as it was."""
    shared = state([[1.0], [2.0]])
    for mine, theirs in zip(gathered(answer, shared, [], "no reports"), shared, strict=True):
        close(mine, theirs, "without reports, nothing changes", where="no reports")
