"""Kitchens: maps read and written back, and every bad map refused with its place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burgerbot.world.kitchen import ARROWS, CLASSIC, MOVES, Kitchen, KitchenError


def flood(kitchen):
    """Cells reachable from the start, by repeated sweeps over the map."""
    reached = {kitchen.start[:2]}
    while True:
        grown = reached | {
            (r + dr, c + dc)
            for r, c in reached
            for dr, dc in MOVES
            if 0 <= r + dr < kitchen.rows
            and 0 <= c + dc < kitchen.cols
            and (r + dr, c + dc) not in kitchen.obstacles
        }
        if grown == reached:
            return reached
        reached = grown


def test_classic_kitchen_is_the_one_in_the_design():
    """The classic kitchen has its seven obstacles, start and goal where the course says."""
    assert CLASSIC.obstacles == {(0, 3), (1, 1), (1, 5), (3, 0), (3, 3), (4, 5), (5, 1)}
    assert (CLASSIC.rows, CLASSIC.cols) == (7, 7)
    assert (CLASSIC.goal, CLASSIC.start) == ((6, 6), (0, 0, 1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty map"),
        ("\n\n", "empty map"),
        (">.G\n..", r"row 1, column 2: every row must have 3 cells"),
        (">.G\n....", r"row 1, column 3: every row must have 3 cells"),
        (">..\n...", "exactly one goal 'G', found none"),
        ("..G\n...", "exactly one start .*, found none"),
        (">.G\n..G", "row 1, column 2: expected exactly one goal 'G', found 2"),
        (">.G\n..<", "row 1, column 2: expected exactly one start"),
        (">OG\n.O.", "row 0, column 2: the goal is unreachable from the start at row 0, column 0"),
        (">xG", "row 0, column 1: unknown character 'x'"),
        (">.g", "row 0, column 2: unknown character 'g'"),
        (">.G\n. .", "row 1, column 1: unknown character ' '"),
        (">.G\n\n...", "row 1, column 0: every row must have 3 cells"),
        (">" + "." * 63 + "G", "got 1 rows and 65 columns"),
        ("\n".join([">.G", *["..."] * 64]), "got 65 rows and 3 columns"),
        (None, "expected a string, got NoneType"),
        (b">.G", "expected a string, got bytes"),
    ],
)
def test_bad_map_is_refused_with_its_place(text, reason):
    """A bad map raises KitchenError that names row, column and reason."""
    with pytest.raises(KitchenError, match=reason):
        Kitchen.from_ascii(text)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"start": (0, 0, 4)}, "expected a start heading .* got 4"),
        ({"start": (5, 0, 1)}, "row 5, column 0: the start is outside"),
        ({"goal": (0, -1)}, "row 0, column -1: the goal is outside"),
        ({"goal": (0, 0)}, "row 0, column 0: the start stands on the goal"),
        ({"obstacles": {(0, 2)}}, "row 0, column 2: the goal stands on an obstacle"),
        ({"obstacles": {(0, 0)}}, "row 0, column 0: the start stands on an obstacle"),
        ({"obstacles": {(7, 7)}}, "row 7, column 7: the obstacle is outside"),
        ({"obstacles": {(0, 1), (1, 1)}}, "unreachable"),
        ({"rows": 0}, "expected 1 to 64 rows and columns, got 0 rows"),
    ],
)
def test_bad_parts_are_refused(changes, reason):
    """A kitchen built from parts is checked like one read from a map."""
    parts = {"rows": 2, "cols": 3, "obstacles": set(), "goal": (0, 2), "start": (0, 0, 1)}
    with pytest.raises(KitchenError, match=reason):
        Kitchen(**{**parts, **changes})


def test_largest_kitchen_is_accepted():
    """64 by 64 is allowed; a map may be indented, end in a newline and have Windows line ends."""
    rows = [">" + "." * 62 + "G", *["." * 64] * 63]
    text = "\r\n".join("    " + row for row in rows) + "\r\n"
    assert (Kitchen.from_ascii(text).rows, Kitchen.from_ascii(text).cols) == (64, 64)


@given(st.text(alphabet=".OG>^<v x\n\r\t", max_size=40))
def test_any_text_loads_faithfully_or_raises_kitchen_error(text):
    """No text escapes: it is refused with KitchenError, or read back equal and solvable."""
    try:
        kitchen = Kitchen.from_ascii(text)
    except KitchenError:
        return
    assert Kitchen.from_ascii(kitchen.to_ascii()) == kitchen
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    assert kitchen.to_ascii().split("\n") == lines
    assert kitchen.goal in flood(kitchen)


@given(st.data(), st.integers(1, 6), st.integers(1, 6))
def test_well_formed_maps_are_refused_only_if_unsolvable(data, rows, cols):
    """A map with one start and one goal loads exactly when a path joins them."""
    size = rows * cols
    if size < 2:
        return
    cells = data.draw(st.lists(st.sampled_from(".O"), min_size=size, max_size=size))
    start, goal = data.draw(st.lists(st.integers(0, size - 1), min_size=2, max_size=2, unique=True))
    arrow = data.draw(st.sampled_from(ARROWS))
    cells[start], cells[goal] = arrow, "G"
    text = "\n".join("".join(cells[r * cols : (r + 1) * cols]) for r in range(rows))
    open_floor = Kitchen(rows, cols, frozenset(), divmod(goal, cols), (*divmod(start, cols), 0))
    blocked = {divmod(i, cols) for i, cell in enumerate(cells) if cell == "O"}
    object.__setattr__(open_floor, "obstacles", frozenset(blocked))
    if divmod(goal, cols) in flood(open_floor):
        kitchen = Kitchen.from_ascii(text)
        assert (kitchen.obstacles, kitchen.start[2]) == (blocked, ARROWS.index(arrow))
    else:
        with pytest.raises(KitchenError, match="unreachable"):
            Kitchen.from_ascii(text)


def test_walking_distance_counts_moves_around_obstacles():
    """Distances are those of a hand-drawn map; cells cut off from the goal hold rows * cols."""
    kitchen = Kitchen.from_ascii(">O.O\n...O\nOG.O\n.O.O\n")
    cut_off = 16
    expected = [[3, cut_off, 3, cut_off], [2, 1, 2, cut_off], [cut_off, 0, 1, cut_off]]
    assert np.array_equal(kitchen.walking_distance()[:3], expected)
    assert kitchen.walking_distance()[3].tolist() == [cut_off, cut_off, 2, cut_off]


def test_kitchens_are_values():
    """Equal maps are equal and hash alike, so that one compiled table serves both."""
    twin = Kitchen.from_ascii(CLASSIC.to_ascii())
    assert twin == CLASSIC and hash(twin) == hash(CLASSIC) and twin is not CLASSIC
