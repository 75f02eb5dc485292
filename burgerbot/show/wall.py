"""The wall: many kitchens playing at once, with one button and one slider."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from burgerbot.show.player import Player, seen
from burgerbot.show.poses import Pose, as_poses, draw_text, pose_text
from burgerbot.show.wall_script import SCRIPT
from burgerbot.show.wall_svg import Grid, wall_svg
from burgerbot.world import rules
from burgerbot.world.kitchen import Kitchen

MOST_ROBOTS = 64
#: Up to this many maps are written in the text, and robots listed in the alt text.
WRITTEN = 8
#: Characters of a line of maps.
LINE = 96


def play_wall(
    kitchens: Kitchen | Sequence[Kitchen], states: Any, *, title: str | None = None
) -> Player:
    """Play N robots at once, each in a small map of its own kitchen.

    Where scripts run there are the buttons and the slider of ``play``; where they do not, the
    drawing of the last states and the text remain. A robot that moves in a way no action can (it
    was reset) is put there at once, and its trail begins anew. A tick and a number count how often
    a robot was seen to arrive at the goal.

    Args:
        kitchens: N kitchens, or one for all; at most 64.
        states: int ``[T + 1, N]``, the first included: column i holds states of kitchen i, 0 to
            rows * cols * 4 - 1. Or poses or v0 observations, int ``[T + 1, N, 3 or 4]``.
        title: The line above the maps.

    Returns:
        Player: Its last place in a notebook cell plays it; ``print`` writes the last maps.

    Raises:
        ValueError: States of another shape, none, too many robots, or a state outside its kitchen.

    >>> play_wall(Kitchen.from_ascii(">.G"), [[1, 1], [5, 2], [9, 2]])
    2 robots, 2 steps: 1 arrival at the goal, 0 times put elsewhere
    0: 1   1
    **>    v.G
    """
    houses, poses = _read(kitchens, states)
    letters = [[seen(a, b) for a, b in pairwise(track)] for track in poses]
    steps, robots = len(poses[0]) - 1, len(poses)
    trails = [_since_the_jump(track, line) for track, line in zip(poses, letters, strict=True)]
    arrivals = [_arrivals(k.goal, track) for k, track in zip(houses, poses, strict=True)]
    jumps = sum(line.count("J") for line in letters)
    summary = (
        f"{_many(robots, 'robot')}, {_many(steps, 'step')}: "
        f"{_many(sum(arrivals), 'arrival')} at the goal, {_many(jumps, 'time')} put elsewhere"
    )
    title = title or f"A wall of {_many(robots, 'robot')}"
    alt = f"{title}. {summary}. {_last_places(houses, poses, arrivals)}"
    grid = Grid.of(houses)
    data = {
        "states": [[_state(k, track[0]) for k, track in zip(houses, poses, strict=True)]]
        + ["".join(line) for line in zip(*letters, strict=True)],
        "jumps": [
            _state(houses[i], poses[i][t + 1])
            for t in range(steps)
            for i in range(robots)
            if letters[i][t] == "J"
        ],
        "cols": [kitchen.cols for kitchen in houses],
        "goals": [kitchen.goal[0] * kitchen.cols + kitchen.goal[1] for kitchen in houses],
        "grid": [grid.across, grid.dx, grid.dy],
    }
    return Player(
        svg=wall_svg(houses, trails, arrivals, grid, alt),
        title=title,
        alt=alt,
        summary=summary,
        text="\n".join([summary, *_maps(houses, trails, arrivals)]),
        data=json.dumps(data, separators=(",", ":")),
        width=max(340, round(grid.width) + 20),
        script=SCRIPT,
    )


def _read(
    kitchens: Kitchen | Sequence[Kitchen], states: Any
) -> tuple[list[Kitchen], list[list[Pose]]]:
    """One kitchen and one track of poses for each robot."""
    array = np.asarray(states)
    if array.ndim not in (2, 3) or not array.size:
        raise ValueError(
            f"states: expected shape (T + 1, N), one column a robot, got {array.shape}"
        )
    robots = array.shape[1]
    houses = [kitchens] * robots if isinstance(kitchens, Kitchen) else list(kitchens)
    if len(houses) != robots:
        raise ValueError(f"states: expected {len(houses)} columns, one a kitchen, got {robots}")
    if robots > MOST_ROBOTS:
        raise ValueError(
            f"states: expected at most {MOST_ROBOTS} robots, got {robots}; show some of them: "
            f"states[:, :{MOST_ROBOTS}]"
        )
    names = (f"states[:, {i}]" for i in range(robots))
    tracks = zip(houses, array.swapaxes(0, 1), names, strict=True)
    return houses, [as_poses(kitchen, track, name) for kitchen, track, name in tracks]


def _state(kitchen: Kitchen, pose: Pose) -> int:
    """A pose as the number of its state."""
    return int(rules.encode(kitchen, *pose))


def _since_the_jump(track: list[Pose], letters: list[str]) -> list[Pose]:
    """The poses since the robot was last put elsewhere."""
    jumps = [t for t, letter in enumerate(letters, 1) if letter == "J"]
    return track[jumps[-1] if jumps else 0 :]


def _arrivals(goal: tuple[int, int], track: list[Pose]) -> int:
    """How often the robot came to the goal from another cell."""
    return sum(before[:2] != goal == after[:2] for before, after in pairwise(track))


def _last_places(houses: list[Kitchen], poses: list[list[Pose]], arrivals: list[int]) -> str:
    """Where each of a few robots ends, or which kitchens these are."""
    if len(houses) > WRITTEN:
        return f"{_many(sum(map(bool, arrivals)), 'robot')} arrived at least once."
    ends = (
        f"Robot {i} ends at {pose_text(track[-1])}, after {_many(count, 'arrival')}."
        for i, (track, count) in enumerate(zip(poses, arrivals, strict=True))
    )
    return " ".join(ends)


def _maps(houses: list[Kitchen], trails: list[list[Pose]], arrivals: list[int]) -> list[str]:
    """The last maps of the first robots, as many side by side as fit in a line."""
    blocks = []
    for i, (kitchen, trail, count) in enumerate(zip(houses, trails, arrivals, strict=True)):
        name = f"{i}: {count}" if count else f"{i}"
        blocks.append([name, *draw_text(kitchen, trail[-1], trail).split("\n")])
    shown = blocks[:WRITTEN]
    width = max(len(line) for block in shown for line in block) + 3
    height = max(map(len, shown))
    shown = [block + [""] * (height - len(block)) for block in shown]
    across = max(1, LINE // width)
    lines = []
    for first in range(0, len(shown), across):
        row = shown[first : first + across]
        lines += [
            "".join(f"{line:<{width}}" for line in r).rstrip() for r in zip(*row, strict=True)
        ]
    hidden = len(blocks) - len(shown)
    return lines + ([f"(and {hidden} more)"] if hidden else [])


def _many(count: int, what: str) -> str:
    """Count in words."""
    return f"{count} {what}{'' if count == 1 else 's'}"
