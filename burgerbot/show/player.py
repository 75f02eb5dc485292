"""The episode player: one drawing, the states as numbers, and a few buttons."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from burgerbot.show.frames import CARD, describe, image
from burgerbot.show.player_script import SCRIPT
from burgerbot.show.poses import Pose, as_poses, draw_text
from burgerbot.show.svg import kitchen_svg
from burgerbot.world import rules
from burgerbot.world.kitchen import MOVES, Kitchen
from burgerbot.world.rules import ACTIONS

#: One letter a step: what the robot did. X is a forward that ended where it began.
LETTERS = "FLRS"
#: Steps written out in the text rendering.
WRITTEN = 24


@dataclass(frozen=True)
class Player:
    """An episode to look at: a notebook plays it, ``print`` writes it as text.

    Attributes:
        svg: The drawing with the whole trail, the robot at its end.
        title: The line above the drawing.
        alt: What the drawing shows, in words.
        summary: The steps and the return in one line.
        text: The summary, and the first and the last map side by side.
        data: What the script plays, as JSON.
        width: Pixels of the card, so that it keeps its width whatever the caption says.
        script: What plays it: a JavaScript function of the card and the data.
    """

    svg: str
    title: str
    alt: str
    summary: str
    text: str
    data: str
    width: int
    script: str = field(default=SCRIPT, repr=False)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        card = f"{CARD};width:{self.width}px"
        return (
            f'<div class="bb-player" data-lm-suppress-shortcuts="true" style="{card}">'
            f'<div style="font-weight:600">{escape(self.title)}</div>'
            f"{image(self.svg, self.alt)}"
            f'<div class="bb-caption" style="min-height:2.6em">{escape(self.summary)}</div>'
            f"<script>({self.script})(document.currentScript.parentElement,{self.data})</script></div>"
        )


def play(
    kitchen: Kitchen,
    states: Iterable[Any],
    *,
    rewards: Iterable[float] | None = None,
    actions: Iterable[int] | None = None,
    title: str | None = None,
) -> Player:
    """Play an episode of T steps.

    Where scripts run (JupyterLab, Binder, exported HTML) there are buttons, a slider and a
    caption; where they do not, the drawing with the whole trail and the text remain.

    Args:
        kitchen: Where the episode took place.
        states: T + 1 of them, the first included: ints, ``(row, col, heading)``, or v0
            observations.
        rewards: float ``[T]``, if the caption is to show rewards and the return.
        actions: int ``[T]``, 0 to 3. Left out, the caption says how the robot moved.
        title: The line above the drawing.

    Returns:
        Player: Its last place in a notebook cell plays it.

    Raises:
        ValueError: No states, a state outside the kitchen, rewards or actions of another length.

    >>> play(Kitchen.from_ascii(">.G"), [1, 5, 9], rewards=[1, 50])
    2 steps: F F, return 51
    first  last
    >.G    **>
    """
    poses = as_poses(kitchen, states, "states")
    paid = None if rewards is None else _rewards(rewards, len(poses) - 1)
    if actions is None:
        steps = "".join(seen(a, b) for a, b in pairwise(poses))
    else:
        steps = _taken(actions, poses)
    title = title or f"An episode of {_count(len(steps))}"
    summary = _summary(steps, paid)
    alt = f"{title}. {summary}. {describe(kitchen, poses[-1], poses)}"
    data = {
        "cols": kitchen.cols,
        "states": [int(rules.encode(kitchen, *pose)) for pose in poses],
        "steps": steps,
        "rewards": paid,
    }
    return Player(
        svg=kitchen_svg(kitchen, poses[-1], trail=poses, alt=alt),
        title=title,
        alt=alt,
        summary=summary,
        text=f"{summary}\n{_first_and_last(kitchen, poses)}",
        data=json.dumps(data, separators=(",", ":")),
        width=max(340, 44 * kitchen.cols + 64),
    )


def _rewards(rewards: Iterable[float], steps: int) -> list[float]:
    """Check the rewards; whole numbers are written without a decimal point."""
    values = np.asarray(list(rewards), dtype=np.float64)
    if values.shape != (steps,):
        raise ValueError(f"rewards: expected one a step, shape ({steps},), got {values.shape}")
    if not np.isfinite(values).all():
        raise ValueError(f"rewards: expected finite numbers, got {values[~np.isfinite(values)][0]}")
    return [int(v) if v == int(v) else round(v, 6) for v in values.tolist()]


def _taken(actions: Iterable[int], poses: list[Pose]) -> str:
    """The letters of the actions taken; X for a forward that was blocked."""
    taken = np.asarray(list(actions))
    steps = len(poses) - 1
    if taken.shape != (steps,):
        raise ValueError(f"actions: expected one a step, shape ({steps},), got {taken.shape}")
    if steps and not (taken.dtype.kind in "iu" and taken.min() >= 0 and taken.max() < len(ACTIONS)):
        raise ValueError(f"actions: expected integers from 0 to 3, got {taken.tolist()}")
    letters = "".join(LETTERS[action] for action in taken)
    return "".join(
        "X" if letter == "F" and before == after else letter
        for letter, (before, after) in zip(letters, pairwise(poses), strict=True)
    )


def seen(before: Pose, after: Pose) -> str:
    """The letter of what was seen to happen: ``-`` for nothing, ``J`` for a jump."""
    row, col, heading = before
    if after[:2] == (row, col):
        return "-RJL"[(after[2] - heading) % 4]
    ahead = (row + MOVES[heading][0], col + MOVES[heading][1], heading)
    return "F" if after == ahead else "J"


def _summary(steps: str, rewards: list[float] | None) -> str:
    """The steps and the return in one line."""
    line = _count(len(steps))
    if steps:
        line += ": " + " ".join(steps[:WRITTEN]) + " ..." * (len(steps) > WRITTEN)
    if rewards is not None:
        line += f", return {round(sum(rewards), 4):.10g}"
    return line


def _count(steps: int) -> str:
    """Count steps in words."""
    return f"{steps} step{'s' * (steps != 1)}"


def _first_and_last(kitchen: Kitchen, poses: list[Pose]) -> str:
    """The first and the last map side by side."""
    first = ["first", *draw_text(kitchen, poses[0]).split("\n")]
    last = ["last", *draw_text(kitchen, poses[-1], poses).split("\n")]
    width = max(len(line) for line in first)
    return "\n".join(f"{a:<{width}}  {b}" for a, b in zip(first, last, strict=True))
