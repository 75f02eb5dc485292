"""Exercise 06.3: auto-reset without a loop, and without losing the final state."""

import sys

import numpy as np

from burgerbot.course.claims import array_like, equal, that

NAMES = ("state", "elapsed", "truncated", "final")


def slow(after, terminated, elapsed, start, limit):
    """Robot by robot."""
    rows = []
    for i in range(len(after)):
        count = int(elapsed[i]) + 1
        cut = count >= limit
        over = bool(terminated[i]) or cut
        rows.append((start[i] if over else after[i], 0 if over else count, cut, after[i]))
    return [np.array(column) for column in zip(*rows, strict=True)]


def reset(answer, where, after, terminated, elapsed, start, limit):
    """Call it, and see that the right kinds of things come back and nothing was changed."""
    given = [np.array(x) for x in (after, terminated, elapsed, start)]
    kept = [x.copy() for x in given]
    got = answer.auto_reset(*given, limit)
    that(
        isinstance(got, (tuple, list)) and len(got) == 4,
        "four things come back",
        expected="(state, elapsed, truncated, final)",
        yours=repr(got)[:200],
        where=where,
    )
    number = len(after)
    for name, part in zip(NAMES, got, strict=True):
        if name == "truncated":
            array_like(part, (number,), np.bool_, where=f"`truncated`, {where}")
        else:
            that(
                isinstance(part, np.ndarray)
                and part.shape == (number,)
                and part.dtype.kind in "iu",
                f"`{name}` is an integer array with one entry a robot",
                expected=f"an integer array of shape ({number},)",
                yours=f"{type(part).__name__} of shape {np.shape(part)}, "
                f"dtype {np.asarray(part).dtype}",
                where=where,
            )
    for name, now, before in zip(
        ("after", "terminated", "elapsed", "start"), given, kept, strict=True
    ):
        equal(
            now,
            before,
            f"`{name}` was written into. `np.where` makes a new array; `x[mask] = ...` and "
            "`x += 1` change the one that is there"
            + (", and with it the final states" if name == "after" else ""),
            where=where,
        )
    for i, one in enumerate(NAMES):
        for j, other in enumerate(NAMES[:i]):
            that(
                not np.shares_memory(got[i], got[j]),
                f"`{one}` and `{other}` are the same memory: a change to one would change both",
                where=where,
            )
    for name, part in (("after", given[0]), ("start", given[3])):
        that(
            not np.shares_memory(got[0], part),
            f"`state` is the very array `{name}`: make a new one",
            where=where,
        )
    return [np.asarray(part) for part in got]


def test_kinds(answer):
    """States and counters are integers, `truncated` is bool, one entry a robot each."""
    for number in (1, 4):
        off = np.zeros(number, bool)
        arrays = np.full(number, 6), off, np.full(number, 2), np.full(number, 1)
        reset(answer, f"{number} robots, nothing ends", *arrays, 150)


def test_nothing_ends(answer):
    """A robot whose episode goes on is where its action led it, one step further."""
    after, elapsed = np.array([9, 4, 30]), np.array([0, 5, 2])
    where = "three robots, none terminated, elapsed 0, 5, 2, limit 20"
    state, count, truncated, final = reset(
        answer, where, after, np.zeros(3, bool), elapsed, np.array([1, 2, 3]), 20
    )
    equal(state, after, "nobody's episode is over, so nobody goes to the start", where=where)
    equal(count, [1, 6, 3], "each robot has made one step more", where=where)
    equal(truncated, [False] * 3, "20 steps are far away", where=where)
    equal(final, after, "`final` is where the actions led, for every robot", where=where)


def test_termination(answer):
    """A robot that terminated starts again, at its own start and with 0 steps behind it."""
    after, terminated = np.array([9, 4, 30, 7]), np.array([False, True, False, True])
    where = "four robots, the second and the fourth terminated, limit 20"
    state, count, truncated, final = reset(
        answer, where, after, terminated, np.array([3, 5, 2, 0]), np.array([1, 2, 3, 12]), 20
    )
    equal(
        final,
        after,
        "`final` is where the actions led, also where an episode is over: the start belongs into "
        "`state`, and must not overwrite it",
        where=where,
    )
    equal(
        state,
        [9, 2, 30, 12],
        "only a robot whose episode is over goes back, and each to its own start, `start[i]`",
        where=where,
    )
    equal(
        count,
        [4, 0, 3, 0],
        "a new episode begins with 0 steps; the others have made one more",
        where=where,
    )
    equal(truncated, [False] * 4, "terminated is not truncated", where=where)


def test_limit(answer):
    """The step that reaches the limit is truncated, not the one before or after it."""
    elapsed = np.array([3, 4, 5])
    where = "three robots with elapsed 3, 4, 5 before this step, limit 5, none terminated"
    state, count, truncated, final = reset(
        answer, where, np.array([8, 9, 10]), np.zeros(3, bool), elapsed, np.array([1, 2, 3]), 5
    )
    equal(
        truncated,
        [False, True, True],
        "`elapsed` counts the steps before this one, so this is step `elapsed + 1`, and the limit "
        "is reached where that is the limit or more",
        where=where,
    )
    equal(state, [8, 2, 3], "a truncated episode is over too: its robot starts again", where=where)
    equal(count, [4, 0, 0], "a new episode begins with 0 steps", where=where)
    equal(final, [8, 9, 10], "`final` is where the actions led, also at a truncation", where=where)


def test_both_flags(answer):
    """A step that terminates at the limit is truncated as well."""
    where = "one robot that terminates in step 5, limit 5"
    _, _, truncated, _ = reset(
        answer, where, np.array([8]), np.array([True]), np.array([4]), np.array([1]), 5
    )
    equal(
        truncated,
        [True],
        "Gymnasium reports both flags here: `truncated` says that the limit is reached, whatever "
        "else happened",
        where=where,
    )


def test_every_robot_by_itself(answer):
    """With random robots, each comes out as it would alone."""
    rng = np.random.default_rng(1)
    for number in (3, 23, 64):
        limit = int(rng.integers(2, 9))
        after, start = rng.integers(100, size=(2, number))
        terminated, elapsed = rng.random(number) < 0.3, rng.integers(limit, size=number)
        where = f"{number} random robots, limit {limit}"
        got = reset(answer, where, after, terminated, elapsed, start, limit)
        for name, yours, expected in zip(
            NAMES, got, slow(after, terminated, elapsed, start, limit), strict=True
        ):
            wrong = np.flatnonzero(yours != expected)
            if len(wrong):
                i = int(wrong[0])
                equal(
                    yours[i],
                    expected[i],
                    f"`{name}` is not what this robot would get alone"
                    + (
                        ": with both flags an episode is over too (`|`, not `^`)"
                        * bool(terminated[i] and elapsed[i] + 1 >= limit)
                    ),
                    where=f"{where}; robot {i}: after {after[i]}, terminated {terminated[i]}, "
                    f"elapsed {elapsed[i]}, start {start[i]}",
                )


def python_events(call):
    """How many lines, calls and returns of Python run while something is called."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def test_no_loop(answer):
    """Resets among 2,000 robots run as many lines of Python as among 20."""
    rng, counts = np.random.default_rng(7), {}
    for number in (20, 2000):
        arguments = rng.integers(90, size=number), rng.random(number) < 0.3
        arguments += rng.integers(9, size=number), rng.integers(90, size=number)
        counts[number] = python_events(lambda a=arguments: answer.auto_reset(*a, 8))
    that(
        counts[2000] < counts[20] + 100,
        "Python goes through the robots one by one: a loop or a comprehension. `np.where` chooses "
        "for all of them in one go",
        expected=f"about {counts[20]} lines of Python, as with 20 robots",
        yours=f"{counts[2000]} lines of Python with 2,000 robots",
    )


def test_all_and_none(answer):
    """It works where every episode is over at once, too."""
    after, start = np.array([8, 9]), np.array([1, 2])
    where = "two robots, both terminated"
    state, _, _, final = reset(answer, where, after, np.ones(2, bool), np.array([2, 3]), start, 9)
    equal(state, start, "both start again", where=where)
    equal(final, after, "`final` is where the actions led", where=where)


def test_episode_after_episode(answer):
    """Three-step episodes have length 3, the first as well as every later one."""
    start = np.array([0, 40, 80])
    state, elapsed, lengths = start.copy(), np.zeros(3, dtype=np.int64), []
    for step in range(1, 13):
        after = state + 1
        ends = after - start == 3
        where = f"three robots whose third step always terminates; step {step}"
        before = elapsed
        state, elapsed, _, _ = reset(answer, where, after, ends, elapsed, start, 50)
        lengths += (before + 1)[ends].tolist()
    equal(
        lengths,
        [3] * 12,
        "episode lengths must not drift: the counter goes back to 0 with the robot, and the step "
        "of the reset is not counted twice",
        where="three robots, four episodes each, in 12 steps",
    )
