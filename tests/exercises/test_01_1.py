"""Exercise 01.1: the distance sensor."""

from burgerbot.course.claims import equal
from burgerbot.world.kitchen import CLASSIC, HEADINGS, Kitchen


def slow_reading(kitchen, row, col, heading):
    """Walk a copy of the map, one cell at a time."""
    grid = kitchen.to_ascii().split("\n")
    dr, dc = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}[heading]
    cells = [(row + k * dr, col + k * dc) for k in range(1, 6)]
    blocked = [
        not (0 <= r < kitchen.rows and 0 <= c < kitchen.cols) or grid[r][c] == "O" for r, c in cells
    ]
    clear = blocked.index(True) if True in blocked else 5
    return [0, 0, 1, 1, 2, 2][clear]


def test_looks_the_way_it_faces(answer):
    """North is one row less, east one column more: each heading has a view of its own."""
    crossroads = Kitchen.from_ascii(">.....G\n...O...\nO.....O\n...O...")
    for heading, expected in enumerate((0, 1, 0, 1)):
        equal(
            answer.sensor_reading(crossroads, 2, 3, heading),
            expected,
            "the sensor looks the way the robot faces: `MOVES[heading]` is the step (row, col), in "
            "this order, and north is one row less",
            where=f"row 2, col 3, facing {HEADINGS[heading]}, in the map\n{crossroads.to_ascii()}",
        )


def test_range_is_five_cells(answer):
    """On a long empty floor the sensor sees five cells: the reading is 2, however long it is."""
    long_floor = Kitchen.from_ascii(">........G")
    for col in (0, 3, 4):
        equal(
            answer.sensor_reading(long_floor, 0, col, 1),
            2,
            "the sensor sees at most five cells, and 5 halved, without the remainder, is 2",
            where=f"a row of ten cells, robot at col {col}, facing east",
        )


def test_each_number_of_clear_cells(answer):
    """Four clear cells read 2, three and two read 1, one and none read 0."""
    floor = Kitchen.from_ascii("v....O\n.....G")
    for clear, expected in ((4, 2), (3, 1), (2, 1), (1, 0), (0, 0)):
        equal(
            answer.sensor_reading(floor, 0, 4 - clear, 1),
            expected,
            "count the clear cells ahead (the cell the robot stands on is not ahead of it), then "
            "halve and drop the remainder",
            where=f"a 2x6 kitchen, row 0, col {4 - clear}, facing east: {clear} clear cells, then "
            "a counter",
        )


def test_the_goal_is_floor(answer):
    """A robot can stand on the goal, so the sensor looks across it."""
    across = Kitchen.from_ascii(">.G...")
    equal(
        answer.sensor_reading(across, 0, 0, 1),
        2,
        "the goal does not end the view: a robot can stand there, so it is clear. Only a counter "
        "or a wall ends it",
        where="the map >.G..., robot at col 0, facing east",
    )


def test_walls_end_the_view(answer):
    """The kitchen has walls all around: nothing is seen beyond row 0 or column 0."""
    empty = Kitchen.from_ascii("v....\n.....\n.....\n.....\n.....\n....G")
    for row, col, heading in ((0, 2, 0), (1, 2, 0), (2, 0, 3), (2, 1, 3)):
        equal(
            answer.sensor_reading(empty, row, col, heading),
            0,
            "a wall stands beyond row 0 and column 0: index -1 is not a cell, though Python reads "
            "it as the last one. `kitchen.is_clear` knows the walls",
            where=f"an empty 6x5 kitchen, row {row}, col {col}, facing {HEADINGS[heading]}",
        )


def test_every_pose_of_two_kitchens(answer):
    """From every cell, in every direction, the reading agrees with a walk over the map."""
    lopsided = Kitchen.from_ascii("v.O..\n....O\n.O..G")
    for name, kitchen in (("a 3x5 kitchen", lopsided), ("the classic kitchen", CLASSIC)):
        for row, col in kitchen.clear_cells():
            for heading, facing in enumerate(HEADINGS):
                equal(
                    answer.sensor_reading(kitchen, row, col, heading),
                    slow_reading(kitchen, row, col, facing),
                    "count the clear cells ahead, stop at the first wall or obstacle, then halve "
                    "and drop the remainder",
                    where=f"{name}, row {row}, col {col}, facing {facing}",
                )
