"""Exercise 06.1: pack next state and outcome into one entry, and unpack it."""

import numpy as np

from burgerbot.course.claims import ClaimFailed, array_like, equal, that

LARGEST = 2**29 - 1


def packed(answer, next_state, outcome, where):
    """The learner's table, once its shape and dtype are right and the arguments untouched."""
    given = next_state.copy(), outcome.copy()
    table = answer.pack(*given)
    array_like(table, (next_state.size,), np.int32, where=where)
    for name, after, before in zip(
        ("next_state", "outcome"), given, (next_state, outcome), strict=True
    ):
        equal(
            after,
            before,
            f"`pack` changed the caller's array `{name}`: `<<=` and `|=` write into it; make a new "
            "array",
            where=where,
        )
    return table


def rulebook(states, seed=0, dtype=np.int64):
    """Random next states and outcomes, int ``[S, 4]``."""
    rng = np.random.default_rng(seed)
    return (
        rng.integers(states, size=(states, 4)).astype(dtype),
        rng.integers(4, size=(states, 4)).astype(dtype),
    )


def test_shape_and_dtype(answer):
    """The table is flat, one int32 for each state and action."""
    for states in (3, 17):
        packed(answer, *rulebook(states), f"{states} states, next_state and outcome int64 [S, 4]")


def test_first_entries_by_hand(answer):
    """Next state 5 and outcome 1 make 21: binary 101, then 01."""
    for after, outcome, expected in ((5, 1, 21), (9, 3, 39), (1, 2, 6), (0, 0, 0), (0, 3, 3)):
        table = packed(
            answer, np.full((1, 4), after), np.full((1, 4), outcome), f"{after} and {outcome}"
        )
        equal(
            table[0],
            expected,
            "the outcome takes the last two bits, so the next state moves two bits to the left: "
            "`next_state << 2 | outcome` (in Python `<<` binds tighter than `|`, but `+` binds "
            "tighter than `<<`)",
            where=f"next state {after}, outcome {outcome}",
        )


def test_order(answer):
    """Entry s * 4 + a belongs to state s and action a."""
    next_state, outcome = rulebook(11, seed=1)
    table = packed(answer, next_state, outcome, "11 states")
    for state in range(11):
        for action in range(4):
            equal(
                table[state * 4 + action],
                next_state[state, action] * 4 + outcome[state, action],
                "the four actions of a state stand side by side: entry `s * 4 + a` is row s, "
                "column a",
                where=f"state {state}, action {action}: entry {state * 4 + action} of the table",
            )


def test_order_does_not_hang_on_the_memory(answer):
    """A transposed view with the same rows and columns packs to the same table."""
    next_state, outcome = rulebook(7, seed=2)
    turned = np.asfortranarray(next_state), np.asfortranarray(outcome)
    given = np.asarray(answer.pack(turned[0].copy(order="F"), turned[1].copy(order="F")))
    equal(
        given,
        next_state.ravel() * 4 + outcome.ravel(),
        "entry `s * 4 + a` is row s, column a, however the array lies in memory: `ravel()` and "
        "`reshape(-1)` see to it, `ravel(order='K')` does not",
        where="7 states, arrays in column order (order='F')",
    )


def test_narrow_dtypes(answer):
    """Arrays of small numbers, uint8 or int16, lose no bits."""
    for dtype, states in ((np.uint8, 200), (np.int16, 64 * 64 * 4), (np.uint16, 64 * 64 * 4)):
        next_state, outcome = rulebook(states, seed=3, dtype=dtype)
        next_state[-1] = states - 1
        where = f"{states} states, next_state and outcome of dtype {np.dtype(dtype)}"
        table = packed(answer, next_state, outcome, where)
        wrong = np.flatnonzero(
            table != next_state.ravel().astype(np.int64) * 4 + outcome.ravel().astype(np.int64)
        )
        if len(wrong):
            state, action = divmod(int(wrong[0]), 4)
            raise ClaimFailed(
                "bits were lost: `<<` works in the dtype of its array, and what sticks out on the "
                "left is gone without a word. Widen first (`astype`), then shift",
                expected=int(next_state[state, action]) * 4 + int(outcome[state, action]),
                yours=table[wrong[0]],
                where=f"{where}; next state {next_state[state, action]}",
            )


def test_largest_state(answer):
    """State 2**29 - 1 still fits beside an outcome: together they are the largest int32."""
    next_state, outcome = np.full((1, 4), LARGEST), np.full((1, 4), 3)
    try:
        table = answer.pack(next_state, outcome)
    except (ValueError, OverflowError) as error:
        raise ClaimFailed(
            "this state fits: an int32 has 31 bits beside its sign, two are the outcome's, and 29 "
            "are left",
            expected="a table",
            yours=f"{type(error).__name__}: {error}",
            where=f"next state 2**29 - 1 = {LARGEST}, outcome 3",
        ) from None
    equal(table, np.full(4, 2**31 - 1), "2**29 - 1 and outcome 3 are 31 ones in binary")


def test_states_that_do_not_fit(answer):
    """A state that does not fit into 29 bits raises ValueError: better a stop than a wrong map."""
    for state in (2**29, 2**31 + 5, 2**40, -1):
        next_state, outcome = np.zeros((3, 4), np.int64), np.zeros((3, 4), np.int64)
        next_state[1, 2] = state
        try:
            table = answer.pack(next_state, outcome)
        except ValueError:
            continue
        except OverflowError as error:
            raise ClaimFailed(
                "raise a ValueError here", expected="ValueError", yours=repr(error)
            ) from None
        back = int(np.asarray(table)[6]) >> 2
        raise ClaimFailed(
            "a state outside 0 to 2**29 - 1 does not fit, and must be refused with a `ValueError`; "
            "cut off, it would send the robot to another state without a word",
            expected="ValueError",
            yours=f"a table in which that state reads {back}",
            where=f"next state {state}",
        )


def test_unpack_one_entry(answer):
    """Entry 21 is next state 5, outcome 1; the largest one is 2**29 - 1 and 3."""
    for entry, after, outcome in ((21, 5, 1), (39, 9, 3), (6, 1, 2), (2**31 - 1, LARGEST, 3)):
        for kind in (int, np.int32):
            got = answer.unpack(kind(entry))
            where = f"unpack({entry}), given as {kind.__name__}; in binary {entry:b}"
            pair(got, where)
            equal(
                got[0], after, "all bits but the last two are the next state: `>> 2`", where=where
            )
            equal(got[1], outcome, "the last two bits are the outcome: `& 3`", where=where)


def test_unpack_many(answer):
    """Arrays of any shape are unpacked at once, entry by entry, and stay as they were."""
    rng = np.random.default_rng(4)
    for shape in ((6,), (5, 3), (2, 3, 4)):
        entries = rng.integers(2**31, size=shape).astype(np.int32)
        given = entries.copy()
        where = f"an int32 array of shape {shape}"
        try:
            got = answer.unpack(given)
        except (TypeError, ValueError) as error:
            raise ClaimFailed(
                "`unpack` takes one entry only: leave out `int(...)` and `if`. `>>` and `&` work "
                "on numbers and on whole arrays alike",
                expected="two arrays",
                yours=f"{type(error).__name__}: {error}",
                where=where,
            ) from None
        pair(got, where)
        equal(given, entries, "`unpack` changed the caller's array", where=where)
        for name, part, expected in zip(
            ("next state", "outcome"), got, np.divmod(entries.astype(np.int64), 4), strict=True
        ):
            equal(np.shape(part), shape, f"the {name}s have the shape of the entries", where=where)
            that(
                np.asarray(part).dtype.kind in "iu",
                f"the {name}s are whole numbers: they will be used as indices",
                expected="an integer dtype",
                yours=str(np.asarray(part).dtype),
                where=where,
            )
            equal(part, expected, f"the {name}s are not those of the entries", where=where)


def test_there_and_back(answer):
    """What was packed is what comes out, for every state and action."""
    for states in (5, 64 * 64 * 4):
        next_state, outcome = rulebook(states, seed=states)
        got = answer.unpack(packed(answer, next_state, outcome, f"{states} states"))
        where = f"unpack(pack(...)) of {states} states"
        equal(got[0], next_state.ravel(), "the next states did not come back", where=where)
        equal(got[1], outcome.ravel(), "the outcomes did not come back", where=where)


def pair(got, where):
    """Claim that two things came back."""
    that(
        isinstance(got, (tuple, list)) and len(got) == 2,
        "`unpack` returns two things, the next state first",
        expected="(next_state, outcome)",
        yours=repr(got),
        where=where,
    )
