"""Who sends what to whom: one learner and its workers, as two papers have them."""

from __future__ import annotations

from html import escape
from typing import Any

from burgerbot.show.frames import Picture
from burgerbot.show.svg import INK, hex_colour, with_ids
from burgerbot.world import render

_FONT = "font-family='sans-serif' font-size='15' text-anchor='middle'"
_PARTS: dict[str, dict[str, Any]] = {
    "IMPALA": {
        "boxes": [
            (20, 30, "worker", "robots · policy v7"),
            (20, 130, "worker", "robots · policy v6"),
            (20, 230, "worker", "robots · policy v7"),
            (330, 130, "queue", "rollouts, with the", "policy's log-probabilities"),
            (620, 130, "learner", "V-trace, update", "policy v9"),
        ],
        "arrows": [
            (200, 65, 330, 150),
            (200, 165, 330, 165),
            (200, 265, 330, 180),
            (510, 165, 620, 165),
        ],
        "back": "weights, once an update: v8, v9, ...",
        "alt": "Three workers, each with robots and a copy of the policy, of version 6 or 7, send "
        "rollouts with log-probabilities to a queue. The learner, at version 9, takes them from "
        "there, corrects by V-trace and sends new weights back to the workers.",
    },
    "Ape-X": {
        "boxes": [
            (20, 30, "worker", "robots · tries out much"),
            (20, 130, "worker", "robots · tries out some"),
            (20, 230, "worker", "robots · hardly any"),
            (330, 130, "replay", "transitions", "with priorities"),
            (620, 130, "learner", "draws batches,", "learns Q values"),
        ],
        "arrows": [
            (200, 65, 330, 150),
            (200, 165, 330, 165),
            (200, 265, 330, 180),
            (510, 155, 620, 155),
            (620, 180, 510, 180),
        ],
        "back": "values, once an update",
        "alt": "Three workers, which try out much, some and hardly any, send transitions with "
        "first priorities to one replay. The learner draws batches from it, sends new priorities "
        "back to it, and sends new values to the workers.",
    },
}


def crew_diagram(name: str) -> Picture:
    """Draw how workers, store and learner hang together.

    Args:
        name: ``"IMPALA"`` or ``"Ape-X"``.

    Returns:
        Picture: Its text is the alt text.

    Raises:
        ValueError: Another name.
    """
    if name not in _PARTS:
        raise ValueError(f"name: expected one of {', '.join(_PARTS)}, got {name!r}")
    part = _PARTS[name]
    ink, line = hex_colour(INK), hex_colour(render.BODY)
    arrows = "".join(_arrow(ends, line) for ends in part["arrows"])
    drawing = (
        "</title><defs><marker id='ID-tip' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='7' "
        f"markerHeight='7' orient='auto'><path d='M0 0L10 5L0 10z' fill='{line}'/></marker></defs>"
        "<rect width='820' height='360' fill='#fff'/>"
        f"{arrows}{_back(line)}"
        f"<g {_FONT} fill='{ink}'>{''.join(map(_box, part['boxes']))}"
        f"<text x='410' y='322'>{_ascii(part['back'])}</text></g></svg>"
    )
    opening = (
        "<svg xmlns='http://www.w3.org/2000/svg' role='img' aria-labelledby='ID-title' width='656' "
        "height='288' viewBox='0 0 820 360' style='max-width:100%;height:auto'>"
        "<title id='ID-title'>"
    )
    alt = str(part["alt"])
    svg = with_ids(opening, _ascii(alt), drawing)
    return Picture(svg, f"{name}: who sends what to whom", alt, alt)


def _box(box: tuple) -> str:
    """A box with a name and a line or two below it."""
    x, y, title, *lines = box
    text = "".join(
        f"<text x='{x + 90}' y='{y + 45 + 18 * i}' font-size='13'>{_ascii(line)}</text>"
        for i, line in enumerate(lines)
    )
    return (
        f"<rect x='{x}' y='{y}' width='180' height='70' rx='8' fill='#f3f6fa' "
        f"stroke='{hex_colour(INK)}'/><text x='{x + 90}' y='{y + 24}' font-weight='600'>"
        f"{_ascii(title)}</text>{text}"
    )


def _arrow(ends: tuple[int, int, int, int], colour: str) -> str:
    """A line with a tip."""
    return (
        f"<path d='M{ends[0]} {ends[1]}L{ends[2]} {ends[3]}' stroke='{colour}' stroke-width='2' "
        "marker-end='url(#ID-tip)'/>"
    )


def _back(colour: str) -> str:
    """The dashed line from the learner to every worker."""
    style = f"fill='none' stroke='{colour}' stroke-width='2' stroke-dasharray='7 4'"
    tips = "".join(f"<path d='M7 {y}H20' {style} marker-end='url(#ID-tip)'/>" for y in (165, 265))
    return f"<path d='M710 200V330H7V65H20' {style} marker-end='url(#ID-tip)'/>{tips}"


def _ascii(text: object) -> str:
    """Text for SVG, ASCII only."""
    return escape(str(text)).encode("ascii", "xmlcharrefreplace").decode()
