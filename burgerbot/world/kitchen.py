"""Kitchens: where the floor, the obstacles, the goal and the robot's start are.

A kitchen is written as an ASCII map, one character a cell, row 0 at the top::

    >..O...      .  floor          >  start, facing east    ^  facing north
    .O...O.      O  obstacle       <  facing west           v  facing south
    ......G      G  goal
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

HEADINGS = ("north", "east", "south", "west")
NORTH, EAST, SOUTH, WEST = range(4)
#: Row and column step of one move, indexed by heading.
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))
#: The start's character, indexed by heading.
ARROWS = "^>v<"
MAX_SIDE = 64

Cell = tuple[int, int]


class KitchenError(ValueError):
    """A kitchen that cannot be used; the message names the row, the column and the reason."""


@dataclass(frozen=True)
class Kitchen:
    """An immutable, checked kitchen.

    Args:
        rows, cols: Size in cells, 1 to 64 each.
        obstacles: Blocked cells ``(row, col)``.
        goal: The cell that ends a delivery.
        start: ``(row, col, heading)``; headings are 0 north, 1 east, 2 south, 3 west.

    Raises:
        KitchenError: A size out of range, a cell off the floor, two things on one cell, or a goal
            that no path reaches from the start.

    >>> kitchen = Kitchen.from_ascii(".O.\\n>.G")
    >>> kitchen.goal, kitchen.start, sorted(kitchen.obstacles)
    ((1, 2), (1, 0, 1), [(0, 1)])
    >>> print(kitchen.to_ascii())
    .O.
    >.G
    """

    rows: int
    cols: int
    obstacles: frozenset[Cell]
    goal: Cell
    start: tuple[int, int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "obstacles", frozenset(self.obstacles))
        _check(self)

    @classmethod
    def from_ascii(cls, text: str) -> Kitchen:
        """Read a kitchen from its map. Blank lines around the map and indentation are dropped.

        Raises:
            KitchenError: Not a string, empty, ragged, over 64x64, an unknown character, or not
                exactly one goal and one start with a path between them.
        """
        if not isinstance(text, str):
            raise KitchenError(f"kitchen map: expected a string, got {type(text).__name__}")
        return _parse(_map_lines(text))

    def to_ascii(self) -> str:
        """Write the map; ``Kitchen.from_ascii`` reads it back to an equal kitchen."""
        return self.draw(*self.start)

    def draw(self, row: int, col: int, heading: int) -> str:
        """Write the map with the robot at ``(row, col)`` facing ``heading``, not at its start."""
        grid = [["."] * self.cols for _ in range(self.rows)]
        for r, c in self.obstacles:
            grid[r][c] = "O"
        grid[self.goal[0]][self.goal[1]] = "G"
        grid[row][col] = ARROWS[heading]
        return "\n".join("".join(line) for line in grid)

    def is_clear(self, row: int, col: int) -> bool:
        """Whether a robot can stand at ``(row, col)``: inside the walls, and no obstacle there."""
        return 0 <= row < self.rows and 0 <= col < self.cols and (row, col) not in self.obstacles

    def clear_cells(self) -> Iterator[Cell]:
        """Every cell that a robot can stand on, the goal included, in reading order."""
        cells = ((r, c) for r in range(self.rows) for c in range(self.cols))
        return (cell for cell in cells if cell not in self.obstacles)

    def walking_distance(self) -> np.ndarray:
        """Count the moves from each cell to the goal along clear cells (turns are not counted).

        Returns:
            int64 ``[rows, cols]``. Cells from which no path leads to the goal hold
            ``rows * cols``, which is more than any path.
        """
        distance = np.full((self.rows, self.cols), self.rows * self.cols, dtype=np.int64)
        distance[self.goal] = 0
        queue = deque([self.goal])
        while queue:
            row, col = queue.popleft()
            for dr, dc in MOVES:
                cell = (row + dr, col + dc)
                if self.is_clear(*cell) and distance[cell] == self.rows * self.cols:
                    distance[cell] = distance[row, col] + 1
                    queue.append(cell)
        return distance


def _map_lines(text: str) -> list[str]:
    """The lines of a map, without blank edges, trailing blanks and common indentation."""
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line), default=0)
    return [line[indent:] for line in lines]


def _parse(lines: list[str]) -> Kitchen:
    """Turn the lines of a map into a kitchen, or say which row and column is wrong."""
    if not lines:
        raise KitchenError("kitchen map: expected at least one row, got an empty map")
    _check_size(len(lines), max(len(line) for line in lines))
    obstacles, goals, starts = [], [], []
    for row, line in enumerate(lines):
        if len(line) != len(lines[0]):
            raise KitchenError(
                f"row {row}, column {min(len(line), len(lines[0]))}: every row must have "
                f"{len(lines[0])} cells like row 0, this one has {len(line)}"
            )
        for col, char in enumerate(line):
            if char == "O":
                obstacles.append((row, col))
            elif char == "G":
                goals.append((row, col))
            elif char in ARROWS:
                starts.append((row, col, ARROWS.index(char)))
            elif char != ".":
                raise KitchenError(
                    f"row {row}, column {col}: unknown character {char!r}; "
                    "expected one of . O G > ^ < v"
                )
    goal = _only("goal 'G'", goals)
    start = _only("start (one of > ^ < v)", starts)
    return Kitchen(len(lines), len(lines[0]), frozenset(obstacles), goal, start)


def _only(what: str, found: list) -> tuple:
    """The single element, or an error that says how many there are and where the second is."""
    if not found:
        raise KitchenError(f"kitchen map: expected exactly one {what}, found none")
    if len(found) > 1:
        row, col = found[1][:2]
        raise KitchenError(
            f"row {row}, column {col}: expected exactly one {what}, found {len(found)}"
        )
    return found[0]


def _check_size(rows: int, cols: int) -> None:
    """Refuse an empty kitchen and one over 64x64."""
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise KitchenError(
            f"row {min(rows, MAX_SIDE)}, column {min(cols, MAX_SIDE)}: expected 1 to {MAX_SIDE} "
            f"rows and columns, got {rows} rows and {cols} columns"
        )


def _check(kitchen: Kitchen) -> None:
    """Refuse a kitchen whose parts do not fit together."""
    _check_size(kitchen.rows, kitchen.cols)
    row, col, heading = kitchen.start
    if heading not in range(4):
        raise KitchenError(
            f"row {row}, column {col}: expected a start heading of 0 (north), 1 (east), "
            f"2 (south) or 3 (west), got {heading!r}"
        )
    named = [("goal", kitchen.goal), ("start", (row, col))]
    for name, (r, c) in named + [("obstacle", cell) for cell in sorted(kitchen.obstacles)]:
        if not (0 <= r < kitchen.rows and 0 <= c < kitchen.cols):
            raise KitchenError(
                f"row {r}, column {c}: the {name} is outside a kitchen of "
                f"{kitchen.rows} rows and {kitchen.cols} columns"
            )
    for name, (r, c) in named:
        if (r, c) in kitchen.obstacles:
            raise KitchenError(f"row {r}, column {c}: the {name} stands on an obstacle")
    if kitchen.goal == (row, col):
        raise KitchenError(f"row {row}, column {col}: the start stands on the goal")
    if kitchen.walking_distance()[row, col] == kitchen.rows * kitchen.cols:
        raise KitchenError(
            f"row {kitchen.goal[0]}, column {kitchen.goal[1]}: the goal is unreachable from the "
            f"start at row {row}, column {col}"
        )


#: The kitchen of lessons 01 and 02: 7x7, seven obstacles, 12 moves and 2 turns to the goal.
CLASSIC = Kitchen.from_ascii(
    """
    >..O...
    .O...O.
    .......
    O..O...
    .....O.
    .O.....
    ......G
    """
)
