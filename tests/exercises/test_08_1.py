"""Exercise 08.1: the rollout buffer."""

import numpy as np

from burgerbot.course.claims import ClaimFailed, array_like, equal, that


def filled(answer, steps, rows, where):
    """A buffer with these rows in it, or the reason why a row did not fit."""
    buffer = answer.RolloutBuffer(steps)
    for t, row in enumerate(rows):
        add(buffer, row, f"{where}, row {t}")
    return buffer


def add(buffer, row, where):
    """Add copies of a row's arrays, which nobody else holds."""
    try:
        buffer.add(**{name: array.copy() for name, array in row.items()})
    except NotImplementedError:  # a RuntimeError, and the stub's
        raise
    except (IndexError, RuntimeError) as error:
        raise ClaimFailed(
            "there is still room, and `add` refuses: a buffer takes `steps` rows, the first one "
            "into row 0, and after `take` it is empty again",
            yours=f"{type(error).__name__}: {error}",
            where=where,
        ) from None


def taken(buffer, names, where):
    """What `take` hands out, as a dictionary with the names that were added."""
    try:
        rows = buffer.take()
    except NotImplementedError:
        raise
    except RuntimeError as error:
        raise ClaimFailed(
            "the buffer is full, and `take` refuses: it is full after `steps` rows, no later",
            yours=f"RuntimeError: {error}",
            where=where,
        ) from None
    that(
        isinstance(rows, dict) and set(rows) == set(names),
        "`take` returns a dictionary: each name that was added, and its array",
        expected=sorted(names),
        yours=sorted(rows) if isinstance(rows, dict) else type(rows).__name__,
        where=where,
    )
    return rows


def random_rows(rng, steps, robots):
    """Rows of four arrays of different shapes and dtypes."""
    return [
        {
            "observations": rng.normal(size=(robots, 3)).astype(np.float32),
            "actions": rng.integers(4, size=robots),
            "rewards": rng.normal(size=robots),
            "terminated": rng.random(robots) < 0.5,
        }
        for _ in range(steps)
    ]


def test_each_reward_stays_in_its_row(answer):
    """Rewards 1, 2, 4, 8 come out as 1, 2, 4, 8: row t holds what was added t-th."""
    rows = [{"rewards": np.array([r, -r])} for r in (1.0, 2.0, 4.0, 8.0)]
    where = "4 steps of 2 robots, rewards 1 2 4 8 and -1 -2 -4 -8"
    got = taken(filled(answer, 4, rows, where), ["rewards"], where)["rewards"]
    array_like(got, (4, 2), np.float64, where=f"rewards, {where}")
    equal(
        got[:, 0],
        [1.0, 2.0, 4.0, 8.0],
        "each reward belongs into the row of its own step: the first into row 0, none of them one "
        "row late, none of them missing",
        where=where + ", robot 0",
    )
    equal(got[:, 1], [-1.0, -2.0, -4.0, -8.0], "column n is robot n", where=where + ", robot 1")


def test_shapes_and_dtypes(answer):
    """Every array is [T, N, ...] in the dtype of what was added."""
    for steps, robots in ((5, 3), (3, 5), (1, 2), (4, 1)):
        rows = random_rows(np.random.default_rng(steps), steps, robots)
        where = f"T = {steps}, N = {robots}"
        got = taken(filled(answer, steps, rows, where), rows[0], where)
        for name, first in rows[0].items():
            here = f"{name}, {where}"
            array_like(got[name], (steps, *first.shape), first.dtype, where=here)
            message = "row t of the array is what was added t-th, robot by robot"
            equal(got[name], [row[name] for row in rows], message, where=here)


def test_the_callers_arrays_may_change(answer):
    """An environment that writes into its own array again does not change what is stored."""
    buffer, world = answer.RolloutBuffer(3), np.zeros(2)
    for _ in range(3):
        world += 1  # the env's own array, step by step
        buffer.add(observations=world)
    got = taken(buffer, ["observations"], "one array, added three times")["observations"]
    equal(
        got,
        [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
        "the buffer holds the caller's array and no copy: when the environment writes its next "
        "observation into it, all stored rows change",
        where="one array, added three times, with 1 added to it each time",
    )


def refused(call, kinds):
    """Whether the call raises an error of this kind; another kind is told for what it is."""
    try:
        call()
    except NotImplementedError:
        raise
    except kinds:
        return True
    except (IndexError, RuntimeError, ValueError, AssertionError, KeyError) as error:
        raise ClaimFailed(
            "the call is refused, but by another error than was agreed on: whoever uses the "
            "buffer waits for this one",
            expected=kinds.__name__,
            yours=f"{type(error).__name__}: {error}",
        ) from None
    return False


def test_a_half_full_buffer_is_not_handed_out(answer):
    """`take` raises RuntimeError until T rows are there."""
    rows = random_rows(np.random.default_rng(1), 4, 2)
    for count in (0, 1, 3):
        where = f"{count} of 4 rows"
        buffer = filled(answer, 4, rows[:count], where)
        that(
            refused(buffer.take, RuntimeError),
            "a buffer that is not full must refuse `take`: the rows that are still 0 would be "
            "learned from like all others",
            expected="RuntimeError",
            yours="no RuntimeError",
            where=where,
        )
    buffer = filled(answer, 4, rows[:3], "3 of 4 rows")
    refused(buffer.take, RuntimeError)
    add(buffer, rows[3], "the last row, after a `take` that was refused")
    got = taken(buffer, rows[0], "after a `take` that was refused")
    equal(
        got["actions"],
        [row["actions"] for row in rows],
        "a `take` that is refused changes nothing",
        where="after a `take` that was refused",
    )


def test_a_full_buffer_takes_no_more(answer):
    """`add` on a full buffer raises IndexError, and the rows stay what they were."""
    rows = random_rows(np.random.default_rng(2), 4, 2)
    buffer = filled(answer, 3, rows[:3], "3 of 3 rows")
    that(
        refused(lambda: buffer.add(**rows[3]), IndexError),
        "a full buffer must refuse another row: it would overwrite one, or make the rollout longer "
        "than it was asked to be",
        expected="IndexError",
        yours="no IndexError",
        where="a fourth row for a buffer of 3",
    )
    got = taken(buffer, rows[0], "after an `add` that was refused")
    equal(
        got["rewards"],
        [row["rewards"] for row in rows[:3]],
        "an `add` that is refused changes nothing",
        where="after an `add` that was refused",
    )


def test_the_next_rollout_begins_anew(answer):
    """After `take` the buffer is empty, and what was handed out stays what it was."""
    rng = np.random.default_rng(3)
    first, second = random_rows(rng, 3, 2), random_rows(rng, 3, 2)
    buffer = filled(answer, 3, first, "the first rollout")
    old = taken(buffer, first[0], "the first rollout")
    kept = {name: array.copy() for name, array in old.items()}
    for t, row in enumerate(second):
        add(buffer, row, f"the second rollout, row {t}")
    new = taken(buffer, second[0], "the second rollout")
    for name in kept:
        equal(
            new[name],
            [row[name] for row in second],
            "the second rollout holds its own rows, and nothing of the first",
            where=f"{name}, the second rollout",
        )
        equal(
            old[name],
            kept[name],
            "arrays that were handed out have changed: begin with new arrays after `take`, since a "
            "learner may still hold the old ones",
            where=f"{name} of the first rollout, after the second",
        )


def test_two_buffers_share_nothing(answer):
    """Each buffer has rows of its own."""
    one, two = answer.RolloutBuffer(1), answer.RolloutBuffer(1)
    one.add(rewards=np.array([1.0]))
    two.add(rewards=np.array([2.0]))
    got = taken(one, ["rewards"], "two buffers, a row in each")["rewards"]
    equal(got, [[1.0]], "two buffers write into the same rows", where="two buffers, a row in each")
    pair, where = [answer.RolloutBuffer(3) for _ in range(2)], "two buffers, filled in turn"
    for t in range(3):
        for n, buffer in enumerate(pair):
            add(buffer, {"rewards": np.array([10.0 * n + t])}, f"{where}, row {t}")
    for n, buffer in enumerate(pair):
        equal(
            taken(buffer, ["rewards"], where)["rewards"],
            [[10.0 * n], [10.0 * n + 1], [10.0 * n + 2]],
            "two buffers write into the same rows: keep them in `self`, not in the class",
            where=f"{where}, buffer {n}",
        )
