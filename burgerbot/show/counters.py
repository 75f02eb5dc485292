"""The two-counter kitchen, with both loops drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from burgerbot.show.plots import COLOURS, LINES, Plot, with_alt
from burgerbot.show.svg import INK, hex_colour
from burgerbot.world import render
from burgerbot.world.two_counters import BIG, HATCH, LOOPS, NEXT_PLACE, REWARD, SMALL

NAMES = ("small loop", "big loop")
RADIUS, DOT = 1.5, 0.3
#: Centre of each loop; the robot drives up the inner side first, then around.
CENTRES = ((-RADIUS, 0.0), (RADIUS, 0.0))


def show_counters(
    numbers: Any = None, *, chosen: int | None = None, title: str, unit: str = ""
) -> Plot:
    """Draw both loops of the two-counter kitchen, and where each pays.

    Args:
        numbers: float ``[9]``: a number to write beside each place, such as its share of the time.
        chosen: The loop that a policy takes, 0 small or 1 big: drawn thick, the other one thin.
        title: The line above the drawing.
        unit: What the numbers count.

    Returns:
        Plot: ``print`` writes each loop as a line of text.

    Raises:
        ValueError: Not nine finite numbers, or a loop that does not exist.
    """
    if chosen not in (None, SMALL, BIG):
        raise ValueError(f"chosen: expected 0 (small loop), 1 (big loop) or None, got {chosen!r}")
    worth = None if numbers is None else np.asarray(numbers, dtype=np.float64)
    if worth is not None and not (worth.shape == (9,) and np.isfinite(worth).all()):
        raise ValueError(f"numbers: expected 9 finite numbers, one a place, got {numbers!r}")
    figure = Figure(figsize=(7.2, 4.3), dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    axes.set(xlim=(-3.9, 3.9), ylim=(-2.6, 2.1), aspect="equal")
    axes.axis("off")
    figure.suptitle(title)
    for loop in (SMALL, BIG):
        _track(axes, loop, chosen)
    for place in range(9):
        _place(axes, place, None if worth is None else worth[place])
    note = "one step an arrow" + (f"; beside each place: {unit}" if unit else "")
    axes.text(0, -2.55, note, ha="center", va="bottom", fontsize=9)
    text = "\n".join([title, *(_line(loop, worth, chosen) for loop in (SMALL, BIG))])
    return with_alt(figure, _words(title, worth, chosen, unit), text=text)


def _spot(place: int) -> np.ndarray:
    """Where a place is drawn: the hatch in the middle, four places around each centre."""
    if place == HATCH:
        return np.zeros(2)
    loop = SMALL if place in LOOPS[SMALL] else BIG
    side = -1 if loop == SMALL else 1
    angle = 2 * np.pi * LOOPS[loop].index(place) / 5
    return np.array([side * RADIUS * (1 - np.cos(angle)), RADIUS * np.sin(angle)])


def _track(axes: Axes, loop: int, chosen: int | None) -> None:
    """The five arrows of a loop, its counter and what it pays."""
    taken = chosen is None or chosen == loop
    look: dict[str, Any] = {
        "color": COLOURS[loop],
        "linestyle": LINES[0] if taken else (0, (2, 2)),
        "linewidth": 3.2 if taken and chosen is not None else 1.8,
        "alpha": 1.0 if taken else 0.55,
    }
    bend = 0.22 if loop == SMALL else -0.22
    places = LOOPS[loop]
    for here, there in zip(places, [*places[1:], HATCH], strict=True):
        arrow = FancyArrowPatch(
            tuple(_spot(here).tolist()),
            tuple(_spot(there).tolist()),
            arrowstyle="-|>",
            mutation_scale=15,
            connectionstyle=f"arc3,rad={bend}",
            shrinkA=14,
            shrinkB=15,
            **look,
        )
        axes.add_patch(arrow)
        paid = REWARD[here, loop]
        if paid:
            _counter(axes, loop, (_spot(here) + _spot(there)) / 2, paid)
    name = NAMES[loop] + (" (chosen)" if chosen == loop else "")
    weight = "bold" if chosen == loop else "normal"
    axes.text(*CENTRES[loop], name, ha="center", va="center", weight=weight)


def _counter(axes: Axes, loop: int, middle: np.ndarray, paid: float) -> None:
    """A counter inside the track, with what it pays."""
    away = middle - np.array(CENTRES[loop])
    x, y = middle - 0.42 * away / np.hypot(*away)
    box: dict[str, Any] = {"linewidth": 1.5, "edgecolor": hex_colour(INK)}
    axes.add_patch(Rectangle((x - 0.3, y - 0.2), 0.6, 0.4, facecolor=hex_colour(render.BUN), **box))
    axes.text(x, y, f"+{paid:g}", ha="center", va="center_baseline", fontweight="bold")


def _place(axes: Axes, place: int, number: float | None) -> None:
    """A dot with the place's number, and the number that was asked for."""
    x, y = _spot(place)
    hatch = place == HATCH
    face = hex_colour(render.BODY) if hatch else "white"
    axes.add_patch(Circle((x, y), DOT * 0.85, facecolor=face, edgecolor=hex_colour(INK), zorder=3))
    ink = "white" if hatch else hex_colour(INK)
    axes.text(x, y, str(place), ha="center", va="center_baseline", color=ink, zorder=4)
    if hatch:
        axes.text(0, 1.0, "hatch", ha="center", va="center", fontsize=9)
    if number is not None:
        away = np.array([x, y]) - np.array(CENTRES[int(x > 0)])
        right, up = np.array([x, y]) + 0.5 * away / np.hypot(*away)
        right, up = (0.0, -1.0) if hatch else (right, up)
        axes.text(right, up, f"{number + 0.0:.2f}", ha="center", va="center", fontsize=9)


def _line(loop: int, worth: np.ndarray | None, chosen: int | None) -> str:
    """A loop as text: places, payments in brackets, numbers after a colon."""
    parts = []
    for here in LOOPS[loop]:
        number = "" if worth is None else f":{worth[here] + 0.0:.2f}"
        paid = REWARD[here, loop]
        parts.append(f"{here}{number} -{f'[+{paid:g}]-' if paid else ''}>")
    name = NAMES[loop] + (" (chosen)" if chosen == loop else "")
    return f"{name:20} " + " ".join(parts) + f" {NEXT_PLACE[LOOPS[loop][-1], loop]}"


def _words(title: str, worth: np.ndarray | None, chosen: int | None, unit: str) -> str:
    """The alt text."""
    said = (
        f"{title}. Two round tracks of five steps meet at the hatch, place 0. The small loop, "
        "places 1 to 4, pays 1 in its first step; the big loop, places 5 to 8, pays 2 in its last."
    )
    if chosen is not None:
        said += f" The {NAMES[chosen]} is the one taken."
    if worth is not None:
        listed = ", ".join(f"{place}: {number + 0.0:.2f}" for place, number in enumerate(worth))
        said += f" Numbers{f' ({unit})' if unit else ''}: {listed}."
    return said
