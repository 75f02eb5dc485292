"""The live curve's picture: a chart that takes a millisecond, where matplotlib takes a hundred."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite

from matplotlib.ticker import MaxNLocator

from burgerbot.show.frames import CARD
from burgerbot.show.live_text import number_text
from burgerbot.show.plots import COLOURS
from burgerbot.show.svg import INK, hex_colour

#: Dashes in the order of ``plots.LINES``.
DASHES = ("", "7 4", "9 3 2 3", "2 3", "9 2 2 2 2 2", "2 5")
WIDTH, HEIGHT = 640, 350
LEFT, RIGHT, TOP, BOTTOM = 66, 624, 52, 306
#: More points of a curve than this are thinned out.
POINTS = 300

Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]

# The region outlives the pictures: what a screen reader is to say has to change in its place.
_SCRIPT = """\
text => {
let region = document.querySelector('body > .bb-said');
if (!region) {
region = document.createElement('div');
region.className = 'bb-said';
region.setAttribute('role', 'status');
region.setAttribute('aria-live', 'polite');
region.style = 'position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)';
document.body.append(region);
}
region.textContent = text;
setTimeout(() => { if (region.textContent === text) region.textContent = ''; }, 15000);
}"""


def card(drawing: str, share: float, progress: str, now: str, said: str | None) -> str:
    """The live picture with its lines of text.

    Args:
        drawing: The ``<svg>``.
        share: How far the training is, 0 to 1.
        progress, now: How far it is, in words, and the last numbers.
        said: What a screen reader is to say; None says nothing, and an empty text makes the page
            ready to.

    Returns:
        HTML.
    """
    return (
        f'<div class="bb-live" style="{CARD}">{drawing}'
        f'<div class="bb-live-progress"><progress max="1" value="{min(share, 1):.4f}" '
        f'aria-label="Training"></progress> {escape(progress)}</div>'
        f'<div class="bb-live-now" style="min-height:1.3em">{escape(now)}</div>'
        f"{'' if said is None else _announcement(said)}</div>"
    )


def sketch(
    series: Series,
    levels: Mapping[str, float],
    *,
    title: str,
    xlabel: str,
    ylabel: str,
    alt: str,
    last: float,
    ends: tuple[float | None, float | None],
) -> str:
    """Draw lines as they are in ``line_chart``, without their markers.

    Args:
        series: Name -> ``(x, y)``; y that are not finite leave a gap.
        levels: Name -> y of a level line.
        title, xlabel, ylabel, alt: Words.
        last: The x axis goes from 0 to here.
        ends: Lower and upper end of the scale; None follows what is drawn.

    Returns:
        An ``<svg>`` element.
    """
    low, high = y_limits(series, levels, ends)
    right, up = (RIGHT - LEFT) / last, (BOTTOM - TOP) / (high - low)
    lines = {
        name: [(LEFT + x * right, BOTTOM - (y - low) * up) for x, y in _thinned(xs, ys)]
        for name, (xs, ys) in series.items()
    }
    for name, level in levels.items():
        lines[name] = [(x, BOTTOM - (level - low) * up) for x in (LEFT, RIGHT)]
    parts = [
        f"<svg class='bb-live-chart' role='img' aria-label='{escape(alt)}' width='{WIDTH}' "
        f"height='{HEIGHT}' viewBox='0 0 {WIDTH} {HEIGHT}' font-size='13' "
        f"style='max-width:100%;height:auto;display:block' fill='{hex_colour(INK)}'>"
        f"<rect width='{WIDTH}' height='{HEIGHT}' fill='#fff'/>",
        _text(title, (LEFT + RIGHT) / 2, 18, "middle", "font-size='16'"),
        _text(xlabel, (LEFT + RIGHT) / 2, HEIGHT - 8, "middle"),
        _text(
            ylabel, 0, 0, "middle", f"transform='translate(14 {(TOP + BOTTOM) / 2}) rotate(-90)'"
        ),
    ]
    for at in _ticks(0, last):
        parts += _tick(LEFT + at * right, None, at)
    for at in _ticks(low, high):
        parts += _tick(None, BOTTOM - (at - low) * up, at)
    parts.append(f"<path d='M{LEFT} {TOP}V{BOTTOM}H{RIGHT}' fill='none' stroke='currentColor'/>")
    place = LEFT
    for i, (name, line) in enumerate(lines.items()):
        parts += [_line(i, _path(line)), _line(i, f"M{place} 38h26")]
        parts.append(_text(name, place + 32, 42, "start"))
        place += 32 + 8 * len(name) + 12
    return "".join([*parts, "</svg>"])


def y_limits(
    series: Series, levels: Mapping[str, float], ends: tuple[float | None, float | None]
) -> tuple[float, float]:
    """The ends of the y axis: beyond those of the scale, so that a line at an end is seen.

    >>> y_limits({"percent": ([1, 2], [0.0, 50.0])}, {}, (0, 100))
    (-4.0, 104.0)
    """
    drawn = [*levels.values(), *(y for _, ys in series.values() for y in ys if isfinite(y))]
    low, high = ends
    bottom = min(drawn, default=0.0) if low is None else low
    top = max(drawn, default=bottom + 1.0) if high is None else high
    margin = 0.04 * (top - bottom) if bottom < top else 0.5
    return bottom - margin, top + margin


def _thinned(xs: Sequence[float], ys: Sequence[float]) -> list[tuple[float, float]]:
    """At most about ``POINTS`` of the points, the last one among them."""
    stride = -(-len(xs) // POINTS)
    return list(zip(xs[::-stride], ys[::-stride], strict=True))[::-1] if xs else []


def _path(points: Sequence[tuple[float, float]]) -> str:
    """Path data, broken at numbers that are not finite, and kept inside of the axes."""
    data, pen = "", "M"
    for x, y in points:
        if isfinite(y):
            data += f"{pen}{x:.1f} {min(max(y, TOP), BOTTOM):.1f}"
            pen = "L"
        else:
            pen = "M"
    return data


def _line(i: int, path: str) -> str:
    """The i-th line's colour and dash."""
    return (
        f"<path d='{path}' fill='none' stroke='{COLOURS[i]}' stroke-width='2' "
        f"stroke-dasharray='{DASHES[i]}' stroke-linejoin='round'/>"
    )


def _ticks(low: float, high: float) -> list[float]:
    """A few round numbers from low to high."""
    return [float(at) for at in MaxNLocator(6).tick_values(low, high) if low <= at <= high]


def _tick(x: float | None, y: float | None, value: float) -> list[str]:
    """A line of the grid, and its number: at x below the axes, or at y to the left of them."""
    number = number_text(value)
    if x is not None:
        path, text = f"M{x:.1f} {TOP}V{BOTTOM}", _text(number, x, BOTTOM + 18, "middle")
    else:
        assert y is not None
        path, text = f"M{LEFT} {y:.1f}H{RIGHT}", _text(number, LEFT - 7, y + 4, "end")
    return [f"<path d='{path}' stroke='#e4e4e8' fill='none'/>", text]


def _text(words: str, x: float, y: float, anchor: str, more: str = "") -> str:
    """Words at a place."""
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' {more}>{escape(words)}</text>"


def _announcement(text: str) -> str:
    """The script that writes a text where screen readers listen."""
    said = json.dumps(text).replace("<", "\\u003c")
    return f"<script>({_SCRIPT})({said})</script>"
