"""Exercise 01.5: the picture of a state."""

import numpy as np

from burgerbot.course.claims import array_like, equal, that
from burgerbot.world.kitchen import HEADINGS, MOVES, Kitchen
from burgerbot.world.render import BODY, BUN, COUNTER, FLOOR, TYRE

WIDE = Kitchen.from_ascii("v.O..\n....O\n....G")  # 3 rows, 5 columns
TALL = Kitchen.from_ascii("v.\n..\n.O\n..\n..\nG.")  # 6 rows, 2 columns
CASES = ((WIDE, 24), (WIDE, 11), (TALL, 16))


def name(kitchen, size):
    """Which picture, in words."""
    return f"a {kitchen.rows}x{kitchen.cols} kitchen, size {size}"


def picture(answer, kitchen, pose, size):
    """A picture of the right shape and dtype."""
    frame = answer.render(kitchen, pose, size)
    where = f"{name(kitchen, size)}: wanted is rows * size high, cols * size wide, 3 colours"
    array_like(frame, (kitchen.rows * size, kitchen.cols * size, 3), np.uint8, where=where)
    return frame


def cell(frame, row, col, size):
    """The pixels of one cell."""
    return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]


def middle(frame, row, col, size):
    """The colour in the middle of one cell."""
    return tuple(int(part) for part in cell(frame, row, col, size)[size // 2, size // 2])


def test_shape_and_dtype(answer):
    """A picture is uint8, rows * size high and cols * size wide, with three colours."""
    for kitchen, size in CASES:
        picture(answer, kitchen, kitchen.start, size)


def test_what_stands_in_each_cell(answer):
    """Floor, obstacles and the goal have their colours, each in its place; row 0 is at the top."""
    for kitchen, size in CASES:
        start = kitchen.start[:2]
        frame = picture(answer, kitchen, kitchen.start, size)
        wanted = {
            (row, col): COUNTER
            if (row, col) in kitchen.obstacles
            else (BUN if (row, col) == kitchen.goal else FLOOR)
            for row in range(kitchen.rows)
            for col in range(kitchen.cols)
            if (row, col) != start
        }
        upside_down = all(
            middle(frame, kitchen.rows - 1 - row, col, size) == colour
            for (row, col), colour in wanted.items()
            if colour == COUNTER
        )
        for (row, col), colour in wanted.items():
            what = {COUNTER: "an obstacle", BUN: "the goal", FLOOR: "floor"}[colour]
            that(
                middle(frame, row, col, size) != tuple(colour)[::-1],
                "the colours are blue, green, red: keep them as they are named, red first",
                expected=colour,
                yours=middle(frame, row, col, size),
                where=f"{name(kitchen, size)}, the middle of row {row}, col {col}, {what}",
            )
            equal(
                middle(frame, row, col, size),
                colour,
                f"this cell is {what} and has another colour"
                + (": the picture is upside down, row 0 is at its top" if upside_down else "")
                + ". A picture is indexed [row, col], like the kitchen",
                where=f"{name(kitchen, size)}, the middle of row {row}, col {col}",
            )


def test_robot_is_seen(answer):
    """The robot is painted in its cell, on top of whatever lies there."""
    for kitchen, size in CASES:
        for row, col in kitchen.clear_cells():
            frame = picture(answer, kitchen, (row, col, 1), size)
            that(
                middle(frame, row, col, size) != tuple(TYRE),
                "the bumper reaches the middle of the robot: it is a strip along the edge, "
                "`size // 4` wide",
                expected=BODY,
                yours=TYRE,
                where=f"{name(kitchen, size)}, robot at row {row}, col {col}, facing east",
            )
            equal(
                middle(frame, row, col, size),
                BODY,
                "the robot is not seen in its cell"
                + (": paint it last, on top of the goal" if (row, col) == kitchen.goal else ""),
                where=f"{name(kitchen, size)}, robot at row {row}, col {col}",
            )


def test_front_is_on_the_side_it_faces(answer):
    """The bumper lies along the edge that the robot faces."""
    for kitchen, size in CASES:
        for heading, facing in enumerate(HEADINGS):
            where = f"{name(kitchen, size)}, robot facing {facing}"
            robot = cell(picture(answer, kitchen, (1, 1, heading), size), 1, 1, size)
            front = np.argwhere((robot == TYRE).all(axis=2))
            that(
                len(front) > 0,
                "the robot looks the same from all sides: give it a bumper in the colour TYRE",
                where=where,
            )
            that(
                len(front) <= size * size // 2,
                "the bumper covers more than half of the robot: it is a strip, `size // 4` wide",
                where=where,
            )
            down, right = front.mean(axis=0) - (size - 1) / 2
            dr, dc = MOVES[heading]
            ahead, aside = down * dr + right * dc, down * dc + right * dr
            that(
                ahead > size / 8 and abs(aside) < 1,
                "the bumper is not on the side that the robot faces: north is the top of the "
                "picture, east its right",
                expected=f"bumper towards {facing}",
                yours=f"its middle lies {down:+.1f} pixels down and {right:+.1f} to the right of "
                "the cell's centre",
                where=where,
            )


def test_bumper_is_a_strip(answer):
    """The bumper is as long as the cell and `size // 4` wide; the rest of the robot is BODY."""
    for kitchen, size in CASES:
        for heading, facing in enumerate(HEADINGS):
            robot = cell(picture(answer, kitchen, (1, 1, heading), size), 1, 1, size)
            front = (robot == TYRE).all(axis=2)
            tall, wide = (np.count_nonzero(front.any(axis=axis)) for axis in (1, 0))
            strip = (size // 4, size) if heading % 2 == 0 else (size, size // 4)
            equal(
                (tall, wide),
                strip,
                "the bumper is a strip along the whole edge, `size // 4` wide: the division drops "
                "the remainder",
                where=f"{name(kitchen, size)}, robot facing {facing}: rows and columns of pixels "
                "in the colour TYRE",
            )
            body = (robot == BODY).all(axis=2)
            that(
                (front | body).all() and front.sum() == tall * wide,
                "what is not bumper is painted in the colour BODY, to the last pixel",
                where=f"{name(kitchen, size)}, robot facing {facing}",
            )


def test_robot_changes_its_own_cell_only(answer):
    """Two pictures of one kitchen differ where the robot was and where it is, nowhere else."""
    for kitchen, size in CASES:
        one, two = (
            picture(answer, kitchen, (0, 0, 2), size),
            picture(answer, kitchen, (1, 1, 0), size),
        )
        changed = (one != two).any(axis=2)
        for row, col in ((0, 0), (1, 1)):
            cell(changed, row, col, size)[:] = False
        pixels = np.argwhere(changed)
        that(
            not len(pixels),
            "the robot paints over other cells too",
            yours=f"pixel {pixels[0].tolist() if len(pixels) else ''} changed",
            where=f"{name(kitchen, size)}, robot once at (0, 0) and once at (1, 1)",
        )
        that(
            (cell(two, 0, 0, size)[size // 2, size // 2] == FLOOR).all(),
            "the robot leaves a trail: each picture begins with a clean floor",
            where=f"{name(kitchen, size)}, row 0, col 0, after the robot has left it",
        )


def test_each_call_gives_a_new_picture(answer):
    """A picture that was handed out does not change when the next one is painted."""
    for kitchen, size in CASES:
        first = picture(answer, kitchen, (0, 0, 2), size)
        kept = first.copy()
        picture(answer, kitchen, (1, 1, 0), size)
        that(
            np.array_equal(first, kept),
            "a picture that was handed out has changed: paint on a new array at each call, or a "
            "film of the episode shows its last frame again and again",
            where=name(kitchen, size),
        )
        first[:] = 0
        that(
            np.array_equal(picture(answer, kitchen, (0, 0, 2), size), kept),
            "the caller painted over its own picture, and the next one shows it: give a copy",
            where=name(kitchen, size),
        )
