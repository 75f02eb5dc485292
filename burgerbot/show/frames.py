"""Still pictures of a kitchen: crisp on the page, and readable as text."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from burgerbot.show.poses import Pose, as_pose, as_poses, draw_text, pose_text
from burgerbot.show.svg import kitchen_svg
from burgerbot.world.kitchen import Kitchen

#: Every picture stands on its own white card, so that it reads the same in a dark theme.
CARD = (
    "background:#fff;color:#323238;padding:8px;border-radius:6px;display:inline-block;"
    "font-family:sans-serif;font-size:14px;max-width:100%;box-sizing:border-box"
)
#: More obstacles than this are counted, not listed, in an alt text.
LISTED = 12


@dataclass(frozen=True)
class Picture:
    """A picture of a kitchen. A notebook shows it; ``print`` writes it as an ASCII map.

    Attributes:
        svg: The drawing, one ``<svg>`` element.
        title: The line above the drawing.
        alt: What the drawing shows, in words.
        text: The map in ASCII; visited cells are ``*``.
    """

    svg: str
    title: str
    alt: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return (
            f'<div class="bb-picture" style="{CARD}">'
            f'<div style="font-weight:600">{escape(self.title)}</div>'
            f"{image(self.svg, self.alt)}</div>"
        )


def show_kitchen(
    kitchen: Kitchen,
    pose: Any = None,
    *,
    trail: Iterable[Any] | None = None,
    title: str | None = None,
    cell: int = 44,
) -> Picture:
    """Draw a kitchen.

    Args:
        kitchen: What to draw.
        pose: Where the robot stands: ``(row, col, heading)`` or a state. Left out, it stands at
            the end of the trail, or else at the kitchen's start.
        trail: Poses or states to join by a line with a dot for each.
        title: The line above the drawing; left out, it says where the robot stands.
        cell: Width of a cell in pixels.

    Returns:
        Picture: Its last place in a notebook cell shows it; its ``repr`` is the ASCII map.

    Raises:
        ValueError: A pose outside the kitchen, an empty trail, or a cell under 1 pixel.

    >>> show_kitchen(Kitchen.from_ascii(">.G"), (0, 1, 1), trail=[(0, 0, 1), (0, 1, 1)])
    *>G
    """
    if not (isinstance(cell, int) and cell >= 1):
        raise ValueError(f"cell: expected a width of 1 pixel or more, got {cell!r}")
    walked = [] if trail is None else as_poses(kitchen, trail, "trail")
    end = walked[-1] if walked else kitchen.start
    at = end if pose is None else as_pose(kitchen, pose)
    title = title or f"BurgerBot at {pose_text(at)}"
    alt = f"{title}. {describe(kitchen, at, walked)}"
    svg = kitchen_svg(kitchen, at, trail=walked, alt=alt, cell=cell)
    return Picture(svg, title, alt, draw_text(kitchen, at, walked))


def describe(kitchen: Kitchen, pose: Pose, trail: list[Pose] | None = None) -> str:
    """Say in words what a picture of a kitchen shows.

    >>> describe(Kitchen.from_ascii(">.G"), (0, 0, 1))
    'Kitchen of 1 row and 3 columns. Robot at row 0, col 0, facing east. Goal at row 0, col 2.'
    """
    rows = f"{kitchen.rows} row{'s' * (kitchen.rows != 1)}"
    cols = f"{kitchen.cols} column{'s' * (kitchen.cols != 1)}"
    words = [
        f"Kitchen of {rows} and {cols}.",
        f"Robot at {pose_text(pose)}.",
        f"Goal at row {kitchen.goal[0]}, col {kitchen.goal[1]}.",
    ]
    if 0 < len(kitchen.obstacles) <= LISTED:
        cells = ", ".join(f"({row}, {col})" for row, col in sorted(kitchen.obstacles))
        words.append(f"Obstacles at {cells}.")
    elif kitchen.obstacles:
        words.append(f"{len(kitchen.obstacles)} obstacles.")
    if trail and len(trail) > 1:
        words.append(f"Trail of {len(trail)} poses from {pose_text(trail[0])}.")
    return " ".join(words)


def image(svg: str, alt: str) -> str:
    """Wrap an SVG in an ``<img>``: its ids stay its own, and untrusted notebooks show it too."""
    code = b64encode(svg.encode("ascii")).decode()
    return (
        f'<img src="data:image/svg+xml;base64,{code}" alt="{escape(alt)}" style="max-width:100%">'
    )
