"""Exercise 02.1: compile the transition table."""

import numpy as np

from burgerbot.course.claims import ClaimFailed, array_like, equal, that
from burgerbot.world.kitchen import CLASSIC, HEADINGS, Kitchen

LOPSIDED = Kitchen.from_ascii("v.O..\n....O\n.O..G")
TALL = Kitchen.from_ascii("..\n.G\nO.\n.<")
ACTIONS = ("forward", "turn_left", "turn_right", "stop")
OUTCOMES = ("idle", "moved", "crashed", "delivered")
STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


def compiled(answer, kitchen):
    """The learner's table, once its shape and dtype are right."""
    try:
        table = answer.compile_table(kitchen)
    except IndexError as error:
        raise ClaimFailed(
            "an entry fell outside of the table, or the map was read outside of the kitchen: a "
            "state is `(row * cols + col) * 4 + heading`, with the *columns* of one row, and "
            "`kitchen.is_clear` knows where the walls are",
            yours=f"IndexError: {error}",
            where=f"a kitchen of {kitchen.rows} rows and {kitchen.cols} columns",
        ) from None
    array_like(
        table,
        (kitchen.rows * kitchen.cols * 4 * 4,),
        np.int32,
        where=f"a kitchen of {kitchen.rows} rows and {kitchen.cols} columns",
    )
    return table


def entry(table, kitchen, row, col, heading, action):
    """The ``(row, col, heading, outcome)`` that an entry says."""
    state = (row * kitchen.cols + col) * 4 + heading
    after, outcome = divmod(int(table[state * 4 + action]), 4)
    return after // 4 // kitchen.cols, after // 4 % kitchen.cols, after % 4, outcome


def every_pose(kitchen):
    """Every cell and heading a robot can have, with words for it."""
    for row, col in kitchen.clear_cells():
        for heading, facing in enumerate(HEADINGS):
            where = (
                f"{kitchen.rows} rows, {kitchen.cols} columns; "
                f"row {row}, column {col}, facing {facing}"
            )
            yield row, col, heading, facing, where


def test_size_and_dtype(answer):
    """The table has 16 entries a cell, 4 headings times 4 actions, in dtype int32."""
    for kitchen in (LOPSIDED, TALL, CLASSIC):
        compiled(answer, kitchen)


def test_first_entries_by_hand(answer):
    """On `>.G` the robot at the start moves, and one cell on it delivers."""
    corridor = Kitchen.from_ascii(">.G")
    table = compiled(answer, corridor)
    for index, after, outcome, where in (
        (1 * 4 + 0, 5, 1, "state 1 (row 0, column 0, facing east), forward"),
        (5 * 4 + 0, 9, 3, "state 5 (row 0, column 1, facing east), forward onto the goal"),
        (5 * 4 + 3, 5, 0, "state 5 (row 0, column 1, facing east), stop"),
    ):
        equal(
            table[index],
            after << 2 | outcome,
            f"the entry should pack next state {after} and outcome {outcome} "
            f"({OUTCOMES[outcome]}) as `next_state << 2 | outcome`, at index `state * 4 + action`",
            where=f"the map >.G, table[{index}]: {where}",
        )


def test_turns_and_stop(answer):
    """Turning changes the heading by a quarter, and stop changes nothing: outcome 0."""
    for kitchen in (LOPSIDED, TALL):
        table = compiled(answer, kitchen)
        for row, col, heading, _, where in every_pose(kitchen):
            for action, quarter in ((1, -1), (2, 1), (3, 0)):
                got = entry(table, kitchen, row, col, heading, action)
                message = "a turn or a stop stays on its cell: row and column must not change"
                if kitchen.rows != kitchen.cols:
                    message += "; is the state `(row * cols + col) * 4 + heading`?"
                at = f"{where}, {ACTIONS[action]}"
                equal(got[:2], (row, col), message, where=at)
                equal(
                    got[2],
                    (heading + quarter) % 4,
                    "turning left takes 1 from the heading, turning right adds 1, both `% 4`; "
                    "stop keeps it",
                    where=at,
                )
                equal(got[3], 0, "a turn or a stop is idle, outcome 0, wherever it is", where=at)


def test_forward(answer):
    """Forward goes one cell ahead, unless a counter or a wall is there: then the robot stays."""
    for kitchen in (LOPSIDED, TALL, CLASSIC):
        grid = kitchen.to_ascii().split("\n")
        table = compiled(answer, kitchen)
        for row, col, heading, facing, where in every_pose(kitchen):
            r, c = row + STEPS[facing][0], col + STEPS[facing][1]
            inside = 0 <= r < kitchen.rows and 0 <= c < kitchen.cols
            blocked = not inside or grid[r][c] == "O"
            outcome = 2 if blocked else 3 if grid[r][c] == "G" else 1
            got = entry(table, kitchen, row, col, heading, 0)
            if outcome == 3:
                message = "a robot that enters the goal has delivered: outcome 3, and it is there"
            elif outcome == 1:
                message = "forward onto free floor: outcome 1, one cell ahead, the same heading"
            elif inside:
                message = "a counter is ahead: outcome 2, and the robot stays where it was"
            else:
                message = (
                    "a wall is ahead: outcome 2, and the robot stays (a row or column of -1 is "
                    "outside, not the last one)"
                )
            expected = (row, col, heading, 2) if blocked else (r, c, heading, outcome)
            equal(
                got, expected, message, where=f"{where}, forward: (row, column, heading, outcome)"
            )


def test_every_entry_leads_to_a_state(answer):
    """Every entry, those of cells with a counter too, holds a state of this kitchen."""
    for kitchen in (LOPSIDED, TALL):
        table = compiled(answer, kitchen)
        states = kitchen.rows * kitchen.cols * 4
        that(
            ((table >> 2 >= 0) & (table >> 2 < states)).all(),
            "an entry leads to a state that does not exist; value iteration will look it up",
            expected=f"next states from 0 to {states - 1}",
            yours=f"next states from {(table >> 2).min()} to {(table >> 2).max()}",
        )
