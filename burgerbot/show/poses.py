"""Poses: read them from states, tuples or observations, and put them into words."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from burgerbot.world import rules
from burgerbot.world.kitchen import HEADINGS, Kitchen

Pose = tuple[int, int, int]


def as_pose(kitchen: Kitchen, value: Any, name: str = "pose") -> Pose:
    """Read one pose ``(row, col, heading)``.

    Args:
        kitchen: The kitchen the pose must lie in.
        value: A state (int), or ``(row, col, heading)``; a v0 observation
            ``[row, col, heading, sensor]`` is read by its first three numbers.
        name: What to call the value in an error.

    Returns:
        ``(row, col, heading)``, plain ints.

    Raises:
        ValueError: Not a pose, or outside the kitchen.

    >>> from burgerbot.world.kitchen import CLASSIC
    >>> as_pose(CLASSIC, 6), as_pose(CLASSIC, (0, 1, 2))
    ((0, 1, 2), (0, 1, 2))
    """
    form = "a state (int) or (row, col, heading)"
    try:
        if hasattr(value, "__len__"):
            if len(value) not in (3, 4):
                raise TypeError
            row, col, heading = (operator.index(part) for part in list(value)[:3])
        else:
            state = operator.index(value)
            last = kitchen.rows * kitchen.cols * 4 - 1
            if not 0 <= state <= last:
                raise ValueError(f"{name}: expected a state from 0 to {last}, got {state}")
            row, col, heading = rules.decode(kitchen, state)
    except TypeError:
        raise ValueError(f"{name}: expected {form}, got {value!r}") from None
    if not (0 <= row < kitchen.rows and 0 <= col < kitchen.cols and 0 <= heading < 4):
        raise ValueError(
            f"{name}: expected row 0 to {kitchen.rows - 1}, col 0 to {kitchen.cols - 1} and "
            f"heading 0 to 3, got ({row}, {col}, {heading})"
        )
    return row, col, heading


def as_poses(kitchen: Kitchen, values: Iterable[Any], name: str) -> list[Pose]:
    """Read a sequence of poses; an error names the first bad one by its position.

    Raises:
        ValueError: Empty, not a sequence, or a value that is not a pose in the kitchen.
    """
    try:
        listed = list(values)
    except TypeError:
        raise ValueError(f"{name}: expected a sequence of states, got {values!r}") from None
    if not listed:
        raise ValueError(f"{name}: expected at least one state, got an empty sequence")
    return [as_pose(kitchen, value, f"{name}[{i}]") for i, value in enumerate(listed)]


def pose_text(pose: Pose) -> str:
    """Put a pose into words.

    >>> pose_text((0, 1, 1))
    'row 0, col 1, facing east'
    """
    return f"row {pose[0]}, col {pose[1]}, facing {HEADINGS[pose[2]]}"


def draw_text(kitchen: Kitchen, pose: Pose, trail: Iterable[Pose] = ()) -> str:
    """Write the kitchen's map with the robot at ``pose`` and ``*`` on each floor cell visited."""
    grid = [list(line) for line in kitchen.draw(*pose).split("\n")]
    for row, col, _ in trail:
        if grid[row][col] == ".":
            grid[row][col] = "*"
    return "\n".join("".join(line) for line in grid)
