"""Draw a kitchen as SVG. One cell is 100 by 100 units, whatever its size on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from html import escape

from burgerbot.show.poses import Pose
from burgerbot.world import render
from burgerbot.world.kitchen import Kitchen

#: Room for the row and column numbers, and at the far edges.
MARGIN, EDGE = 90, 14
INK = (50, 50, 56)


def kitchen_svg(
    kitchen: Kitchen, pose: Pose, *, trail: Sequence[Pose] = (), alt: str, cell: int = 44
) -> str:
    """Draw the kitchen, its row and column numbers, the trail and the robot.

    The robot is the element of class ``bb-robot``, the trail's line and dots are ``bb-trail`` and
    ``bb-dots``. Ids begin with a hash of the drawing, so that pictures on one page do not clash.

    Args:
        kitchen: What to draw.
        pose: Where the robot stands.
        trail: Poses to join by a line with a dot each.
        alt: Text for readers who do not see the picture.
        cell: Width of a cell in pixels.

    Returns:
        An ``<svg>`` element, ASCII only.
    """
    width, height = (100 * side + MARGIN + EDGE for side in (kitchen.cols, kitchen.rows))
    scale = cell / 100
    opening = (
        "<svg xmlns='http://www.w3.org/2000/svg' role='img' aria-labelledby='ID-title' "
        f"width='{width * scale:g}' height='{height * scale:g}' "
        f"viewBox='{-MARGIN} {-MARGIN} {width} {height}' style='max-width:100%;height:auto'>"
        "<title id='ID-title'>"
    )
    name = escape(alt).encode("ascii", "xmlcharrefreplace").decode()
    drawing = "".join(
        [
            f"</title><defs>{SYMBOLS}</defs>",
            f"<rect x='{-MARGIN}' y='{-MARGIN}' width='{width}' height='{height}' fill='#fff'/>",
            floor(kitchen),
            _numbers(kitchen),
            "".join(use("counter", col, row) for row, col in sorted(kitchen.obstacles)),
            use("burger", kitchen.goal[1], kitchen.goal[0]),
            _trail(trail),
            f"<g class='bb-robot' transform='{place(pose)}'>",
            "<use href='#ID-robot' x='-50' y='-50' width='100' height='100'/></g></svg>",
        ]
    )
    return with_ids(opening, name, drawing)


def with_ids(opening: str, name: str, drawing: str) -> str:
    """Join the parts of an SVG; outside the name, ``ID-`` becomes a hash of it all."""
    prefix = f"bb{sha256((opening + name + drawing).encode()).hexdigest()[:10]}-"
    return opening.replace("ID-", prefix) + name + drawing.replace("ID-", prefix)


def hex_colour(rgb: tuple[int, int, int]) -> str:
    """Write a colour as ``#rrggbb``.

    >>> hex_colour((0, 114, 178))
    '#0072b2'
    """
    return "#" + "".join(f"{part:02x}" for part in rgb)


def trail_paths(poses: Sequence[Pose], x: int = 0, y: int = 0) -> tuple[str, str]:
    """Path data of a trail: the line (broken where the robot was moved), and one dot a pose."""
    centres = [(x + 100 * col + 50, y + 100 * row + 50) for row, col, _ in poses]
    line, last = "", None
    for right, down in centres:
        joined = last is not None and abs(right - last[0]) + abs(down - last[1]) <= 100
        line += f"{'L' if joined else 'M'}{right},{down}"
        last = (right, down)
    return line, "".join(f"M{right},{down}h0" for right, down in centres)


def floor(kitchen: Kitchen) -> str:
    """Tiles in two shades: every other one is a dash of a line as wide as the row."""
    rows, cols = kitchen.rows, kitchen.cols
    rects = f"width='{100 * cols}' height='{100 * rows}'"
    dashes = "".join(f"M{100 * (r % 2)} {100 * r + 50}H{100 * cols}" for r in range(rows))
    lines = "".join(f"M0 {100 * r}h{100 * cols}" for r in range(1, rows))
    lines += "".join(f"M{100 * c} 0v{100 * rows}" for c in range(1, cols))
    return (
        f"<rect {rects} fill='{hex_colour(render.FLOOR)}'/>"
        f"<path d='{dashes}' stroke='{hex_colour(render.TILE)}' stroke-width='100' "
        "stroke-dasharray='100'/>"
        f"<path d='{lines}' stroke='{hex_colour(render.LINE)}' stroke-width='2'/>"
        f"<rect {rects} fill='none' stroke='{hex_colour(render.COUNTER)}' stroke-width='6'/>"
    )


def _numbers(kitchen: Kitchen) -> str:
    """Row numbers on the left, column numbers above, and what they count."""
    rows = "".join(f"<text x='-24' y='{100 * r + 61}'>{r}</text>" for r in range(kitchen.rows))
    cols = "".join(f"<text x='{100 * c + 50}' y='-16'>{c}</text>" for c in range(kitchen.cols))
    return (
        f"<g font-family='sans-serif' font-size='30' fill='{hex_colour(INK)}' "
        f"text-anchor='middle'>{rows}{cols}"
        f"<text x='{50 * kitchen.cols}' y='-56'>col</text>"
        f"<text transform='translate(-60 {50 * kitchen.rows}) rotate(-90)'>row</text></g>"
    )


def _trail(poses: Sequence[Pose]) -> str:
    """The trail, empty or not: the player fills it in as it goes."""
    line, dots = trail_paths(poses)
    common = f"fill='none' stroke='{hex_colour(render.BODY)}' stroke-linecap='round'"
    return (
        f"<path class='bb-trail' d='{line}' {common} stroke-width='7' stroke-opacity='.6'/>"
        f"<path class='bb-dots' d='{dots}' {common} stroke-width='22'/>"
    )


def place(pose: Pose, x: int = 0, y: int = 0) -> str:
    """The transform that puts the robot at a pose of the kitchen with its corner at (x, y)."""
    row, col, heading = pose
    return f"translate({x + 100 * col + 50} {y + 100 * row + 50}) rotate({90 * heading})"


def use(symbol: str, col: int, row: int) -> str:
    """One symbol on one cell."""
    return f"<use href='#ID-{symbol}' x='{100 * col}' y='{100 * row}' width='100' height='100'/>"


def _symbol(name: str, shapes: list[tuple[str, tuple[int, int, int]]]) -> str:
    """A drawing on one cell, to be used many times."""
    drawn = "".join(shape.replace("/>", f" fill='{hex_colour(rgb)}'/>") for shape, rgb in shapes)
    return f"<symbol id='ID-{name}' viewBox='0 0 100 100'>{drawn}</symbol>"


# The same shapes as burgerbot.world.render paints.
_COUNTER = _symbol(
    "counter",
    [
        ("<rect x='6' y='6' width='88' height='88' rx='22'/>", render.COUNTER),
        ("<rect x='12' y='10' width='76' height='68' rx='17'/>", render.COUNTER_TOP),
    ],
)
_BURGER = _symbol(
    "burger",
    [
        ("<path d='M14 50A36 32 0 1 1 86 50z'/>", render.BUN),
        ("<rect x='15' y='67' width='70' height='18' rx='5'/>", render.BUN),
        ("<rect x='13' y='56' width='74' height='12' rx='3'/>", render.PATTY),
        ("<rect x='10' y='47' width='80' height='12' rx='3'/>", render.LETTUCE),
    ],
)
_ROBOT = _symbol(
    "robot",
    [
        ("<rect x='7' y='32' width='14' height='40' rx='4'/>", render.TYRE),
        ("<rect x='79' y='32' width='14' height='40' rx='4'/>", render.TYRE),
        ("<circle cx='50' cy='50' r='35'/>", render.BODY),
        ("<path d='M50 22L70 62H64L50 52L36 62H30z'/>", render.EYE),
    ],
)
SYMBOLS = _COUNTER + _BURGER + _ROBOT
