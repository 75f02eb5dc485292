"""Exercise 06.4: many kitchens in one table, by offsets."""

import numpy as np

from burgerbot.course.claims import array_like, equal, that
from burgerbot.world.kitchen import Kitchen, KitchenError
from burgerbot.world.rules import compile_kitchen


def lopsided_tables(rows, cols, count, seed=0):
    """Tables of random kitchens of one size, each in an array of its own."""
    rng = np.random.default_rng(seed)
    tables = []
    while len(tables) < count:
        cells = list("OGv" + "." * (rows * cols - 3))
        rng.shuffle(cells)
        lines = ["".join(cells[row * cols : (row + 1) * cols]) for row in range(rows)]
        try:
            kitchen = Kitchen.from_ascii("\n".join(lines))
        except KitchenError:  # the goal was walled in
            continue
        tables.append(compile_kitchen(kitchen).table.copy())
    return tables


def stacked(answer, tables, where):
    """The learner's table, once its kind is right and the arguments are untouched."""
    given = [table.copy() for table in tables]
    joined = answer.stack_tables(given)
    array_like(joined, (sum(len(table) for table in tables),), np.int32, where=where)
    for k, (after, before) in enumerate(zip(given, tables, strict=True)):
        equal(
            after,
            before,
            "a kitchen's own table was changed: `table += ...` writes into it, and the next vector "
            "env that uses this kitchen goes astray",
            where=f"{where}, table {k}",
        )
        that(
            not np.shares_memory(joined, given[k]),
            "the joined table is the memory of a kitchen's own one: make a new array",
            where=f"{where}, table {k}",
        )
    return joined


def test_kinds(answer):
    """K tables of S * 4 entries give one int32 table of K * S * 4."""
    for count in (1, 2, 5):
        stacked(answer, lopsided_tables(2, 3, count), f"{count} kitchens of 2 rows and 3 columns")


def test_one_kitchen(answer):
    """A single kitchen needs no offset: its table comes back as it is."""
    (table,) = lopsided_tables(3, 2, 1)
    joined = stacked(answer, [table], "one kitchen")
    equal(joined, table, "kitchen 0 has offset 0, so nothing changes", where="one kitchen")


def test_two_corridors_by_hand(answer):
    """In kitchen 1 of two on `>.G`, state 1 is state 13, and forward leads to state 17."""
    table = compile_kitchen(Kitchen.from_ascii(">.G")).table.copy()
    joined = stacked(answer, [table, table], "two kitchens >.G of 12 states")
    where = "two kitchens >.G of 12 states each; entry 13 * 4 + 0, robot 1's start, forward"
    entry = int(joined[13 * 4])
    equal(
        entry & 3,
        1,
        "the offset must not touch the outcome in the last two bits: shift it as far as the next "
        "state is shifted, `offset << 2`",
        where=where,
    )
    equal(
        entry >> 2,
        17,
        "kitchen k's states begin at k * S, with S states in a kitchen (not S * 4, the entries of "
        "its table), and its next states must lead there too: they stand above the two bits of the "
        "outcome, so shift the offset as far, `offset << 2`",
        where=where,
    )


def test_each_robot_stays_in_its_kitchen(answer):
    """From every state, every action does in the joined table what it does in its own kitchen."""
    for rows, cols, count in ((2, 3, 3), (4, 3, 5), (1, 6, 2)):
        tables = lopsided_tables(rows, cols, count, seed=rows)
        states = rows * cols * 4
        joined = stacked(answer, tables, f"{count} kitchens of {rows} rows and {cols} columns")
        for k, table in enumerate(tables):
            mine = joined[k * states * 4 : (k + 1) * states * 4].astype(np.int64)
            for name, yours, expected, message in (
                (
                    "kitchen",
                    (mine >> 2) // states,
                    np.full(states * 4, k),
                    "the robot left its kitchen: the entry must lead to states of the same "
                    "kitchen, so add its offset to every next state",
                ),
                (
                    "next state",
                    (mine >> 2) % states,
                    table >> 2,
                    "the next state is not that of the kitchen's own table (the tables stand one "
                    "after another, whole, in the order given)",
                ),
                (
                    "outcome",
                    mine & 3,
                    table & 3,
                    "the outcome is not that of the kitchen's own table",
                ),
            ):
                wrong = np.flatnonzero(yours != expected)
                if len(wrong):
                    state, action = divmod(int(wrong[0]), 4)
                    equal(
                        yours[wrong[0]],
                        expected[wrong[0]],
                        message,
                        where=f"{count} kitchens of {states} states; kitchen {k}, its state "
                        f"{state}, action {action}: the {name}",
                    )


def test_large_kitchens(answer):
    """Kitchens of 64x64 cells are joined without losing a bit."""
    states = 64 * 64 * 4
    rng = np.random.default_rng(3)
    tables = [
        (rng.integers(states, size=states * 4) << 2 | rng.integers(4, size=states * 4)).astype(
            np.int32
        )
        for _ in range(6)
    ]
    joined = stacked(answer, tables, "6 kitchens of 16,384 states").astype(np.int64)
    expected = np.concatenate([t.astype(np.int64) + k * states * 4 for k, t in enumerate(tables)])
    wrong = np.flatnonzero(joined != expected)
    if len(wrong):
        at = int(wrong[0])
        equal(joined[at], expected[at], "bits were lost", where=f"6 large kitchens, entry {at}")


def test_tuple_or_list(answer):
    """The tables may come as a tuple."""
    tables = lopsided_tables(2, 3, 3)
    equal(
        answer.stack_tables(tuple(table.copy() for table in tables)),
        answer.stack_tables([table.copy() for table in tables]),
        "a tuple of tables is as good as a list",
    )


def test_place_by_hand(answer):
    """State 5 of kitchen 2 is state 2 * S + 5 of the whole."""
    for kitchen, local, states, expected in ((2, 5, 12, 29), (0, 5, 12, 5), (3, 0, 20, 60)):
        equal(
            answer.place(kitchen, local, states),
            expected,
            "the states of kitchen k begin at k * S: `kitchen * num_states + local`",
            where=f"place({kitchen}, {local}, {states})",
        )


def test_locate_by_hand(answer):
    """State 29 of kitchens of 12 states is state 5 of kitchen 2."""
    for state, states, expected in ((29, 12, (2, 5)), (5, 12, (0, 5)), (60, 20, (3, 0))):
        equal(
            answer.locate(state, states),
            expected,
            "the kitchen is how often S goes into the state, the local state is what is left: "
            "`//` and `%`, kitchen first",
            where=f"locate({state}, {states})",
        )


def test_place_and_locate_for_many(answer):
    """For arrays of robots, `locate` takes back what `place` did."""
    rng = np.random.default_rng(5)
    for states in (12, 84):
        kitchen, local = rng.integers(7, size=50), rng.integers(states, size=50)
        where = f"50 robots in 7 kitchens of {states} states"
        given = kitchen.copy(), local.copy()
        try:
            state = answer.place(*given, states)
        except (TypeError, ValueError) as error:
            that(
                False,
                "`place` takes single numbers only: leave out `int(...)` and `if`. `*` and `+` "
                "work on numbers and on whole arrays alike",
                expected="an array of 50 states",
                yours=f"{type(error).__name__}: {error}",
                where=where,
            )
        equal(
            state,
            [k * states + s for k, s in zip(kitchen, local, strict=True)],
            "the states of kitchen k begin at k * S",
            where=where,
        )
        kept = np.array(state)
        back = answer.locate(state, states)
        equal(back[0], kitchen, "the kitchens did not come back", where=where)
        equal(back[1], local, "the local states did not come back", where=where)
        for name, now, before in (
            ("kitchen", given[0], kitchen),
            ("local", given[1], local),
            ("state", state, kept),
        ):
            equal(now, before, f"`{name}` was written into: make a new array", where=where)
