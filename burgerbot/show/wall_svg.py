"""Draw many small kitchens as one SVG: each shape is written once and used many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, sqrt

from burgerbot.show.poses import Pose
from burgerbot.show.svg import INK, SYMBOLS, floor, hex_colour, place, trail_paths, use, with_ids
from burgerbot.world import render
from burgerbot.world.kitchen import Kitchen

#: Pixels: the wall's greatest width, a cell's greatest width, a label's height.
WIDEST, LARGEST_CELL, LABEL = 860, 34, 15


@dataclass(frozen=True)
class Grid:
    """Where the maps lie. A cell is 100 units wide.

    Attributes:
        across: Maps side by side.
        down: Maps one above the other.
        dx, dy: Units from one map to the next; above each map is room for its label.
        label: Units of that room.
        cell: Pixels of a cell.
    """

    across: int
    down: int
    dx: int
    dy: int
    label: int
    cell: float

    @classmethod
    def of(cls, kitchens: Sequence[Kitchen]) -> Grid:
        """A grid for these kitchens, rather wider than high."""
        count = len(kitchens)
        down = ceil(count / ceil(sqrt(1.6 * count)))
        across = ceil(count / down)
        dx = 100 * max(kitchen.cols for kitchen in kitchens) + 60
        cell = min(LARGEST_CELL, 100 * WIDEST / (across * dx))
        label = round(100 * LABEL / cell)
        dy = 100 * max(kitchen.rows for kitchen in kitchens) + label + 40
        return cls(across, down, dx, dy, label, cell)

    @property
    def width(self) -> float:
        """Pixels of the whole wall."""
        return self.across * self.dx * self.cell / 100

    def corner(self, i: int) -> tuple[int, int]:
        """The upper left corner of map i, in units."""
        return i % self.across * self.dx, i // self.across * self.dy


def wall_svg(
    kitchens: Sequence[Kitchen],
    trails: Sequence[Sequence[Pose]],
    arrivals: Sequence[int],
    grid: Grid,
    alt: str,
) -> str:
    """Draw N kitchens with their robots.

    The elements of class ``bb-robot``, ``bb-trail`` and ``bb-arrivals`` have one child a robot.

    Args:
        kitchens: One a robot.
        trails: The poses of each robot, the last of them where it stands.
        arrivals: A number for each, written above its map after a tick; 0 is left out.
        grid: Where the maps lie.
        alt: Text for readers who do not see the picture.

    Returns:
        An ``<svg>`` element, ASCII only.
    """
    margin = 30
    width, height = grid.across * grid.dx, grid.down * grid.dy
    opening = (
        "<svg xmlns='http://www.w3.org/2000/svg' role='img' aria-labelledby='ID-title' "
        f"width='{width * grid.cell / 100:.6g}' height='{height * grid.cell / 100:.6g}' "
        f"viewBox='{-margin} {-grid.label} {width} {height}' "
        "style='max-width:100%;height:auto'><title id='ID-title'>"
    )
    name = escape(alt).encode("ascii", "xmlcharrefreplace").decode()
    numbers = {kitchen: k for k, kitchen in enumerate(dict.fromkeys(kitchens))}
    sizes = {(k.rows, k.cols): k for k in kitchens}
    small = "".join(
        f"<g id='ID-{letter}'><use href='#ID-{symbol}' {box} width='100' height='100'/></g>"
        for letter, symbol, box in (
            ("c", "counter", "x='0' y='0'"),
            ("r", "robot", "x='-50' y='-50'"),
        )
    )
    floors = "".join(
        f"<g id='ID-f{rows}-{cols}'>{floor(kitchen)}</g>" for (rows, cols), kitchen in sizes.items()
    )
    furnished = "".join(
        f"<g id='ID-k{k}'>{_furnished(kitchen)}</g>" for kitchen, k in numbers.items()
    )
    corners = [grid.corner(i) for i in range(len(kitchens))]
    maps = "".join(
        f"<use href='#ID-k{numbers[kitchen]}' x='{x}' y='{y}'/>"
        for kitchen, (x, y) in zip(kitchens, corners, strict=True)
    )
    lines, robots, labels, counts = "", "", "", ""
    for i, ((x, y), trail, count) in enumerate(zip(corners, trails, arrivals, strict=True)):
        row, col, heading = trail[-1]
        lines += f"<path d='{trail_paths(trail, x, y)[0]}'/>"
        robots += f"<g transform='{place((row, col, heading), x, y)}'><use href='#ID-r'/></g>"
        labels += f"<text x='{x}' y='{y - grid.label // 4}'>{i}</text>"
        right = x + 100 * kitchens[i].cols
        tick = f"&#10003; {count}" if count else ""
        counts += f"<text x='{right}' y='{y - grid.label // 4}'>{tick}</text>"
    size = round(grid.label * 0.8)
    drawing = (
        f"</title><defs>{SYMBOLS}{small}{floors}{furnished}</defs>"
        f"<rect x='{-margin}' y='{-grid.label}' width='{width}' height='{height}' fill='#fff'/>"
        f"{maps}<g class='bb-trail' fill='none' stroke='{hex_colour(render.BODY)}' "
        f"stroke-width='14' stroke-opacity='.6' stroke-linecap='round'>{lines}</g>"
        f"<g class='bb-robot'>{robots}</g>"
        f"<g font-family='sans-serif' font-size='{size}' fill='{hex_colour(INK)}'>{labels}"
        f"<g class='bb-arrivals' text-anchor='end' font-weight='bold'>{counts}</g></g></svg>"
    )
    return with_ids(opening, name, drawing)


def _furnished(kitchen: Kitchen) -> str:
    """One kitchen: the floor of its size, its counters and its burger."""
    counters = "".join(
        f"<use href='#ID-c' x='{100 * col}' y='{100 * row}'/>"
        for row, col in sorted(kitchen.obstacles)
    )
    shapes = f"<use href='#ID-f{kitchen.rows}-{kitchen.cols}'/>{counters}"
    return shapes + use("burger", kitchen.goal[1], kitchen.goal[0])
