"""How the throughput chart's log axes are labelled: plain ticks, names at lines, crossovers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from burgerbot.show.plots import COLOURS
from burgerbot.show.svg import INK, hex_colour


def plain_ticks(axes: Axes, at: np.ndarray) -> None:
    """Plain numbers: on x those that were measured, as far as there is room."""
    room = np.log(at[-1] / at[0]) / 9 if len(at) > 1 else 1.0
    ticks = [at[0]]
    for value in at[1:]:
        if np.log(value / ticks[-1]) >= room:
            ticks.append(value)
    axes.set_xticks(ticks)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: number_text(value)))
        axis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_minor_locator(NullLocator())


def number_text(value: float) -> str:
    """Write a number as a reader says it: 1,000 or 2 million."""
    if value >= 1e6:
        return f"{value / 1e6:g} million"
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def mark_crossover(axes: Axes, at: float, rate: float, words: str) -> None:
    """A ring where two lines cross, and what the x value is there."""
    ink = hex_colour(INK)
    axes.axvline(at, color=ink, linestyle=":", linewidth=1)
    axes.plot(at, rate, "o", markersize=13, markerfacecolor="none", markeredgecolor=ink)
    left, right = np.log(axes.get_xlim())
    share = (np.log(at) - left) / (right - left)
    axes.annotate(
        f"crossover at {words}",
        (at, 1),
        (0, 3),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="left" if share < 0.3 else "right" if share > 0.7 else "center",
        fontsize=9,
        color=ink,
    )
    axes.set_title(axes.get_title(), pad=20)


def name_lines(
    figure: Figure, axes: Axes, curves: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> None:
    """Write each name right of the axes, at the height where its line ends."""
    if legend := axes.get_legend():
        legend.remove()
    figure.set_figwidth(6.4 + 0.07 * max(0, max(map(len, curves)) - 12))
    axes.set_ylim(axes.get_ylim())
    low, high = np.log(axes.get_ylim())
    heights = {n: (np.log(rate[-1]) - low) / (high - low) for n, (_, rate) in curves.items()}
    order = sorted(heights, key=lambda name: heights[name])
    for name, height in zip(order, _apart([heights[name] for name in order], 0.08), strict=True):
        at, rate = curves[name]
        line: dict[str, Any] = {"arrowstyle": "-", "linestyle": ":", "relpos": (0, 0.5)}
        axes.annotate(
            name,
            (at[-1], rate[-1]),
            (1.05, height),
            textcoords="axes fraction",
            va="center",
            color=hex_colour(INK),
            arrowprops=line | {"color": COLOURS[list(curves).index(name)]},
        )


def _apart(heights: list[float], gap: float) -> list[float]:
    """Move rising heights as little as it takes to be a gap apart, all within 0 to 1."""
    places: list[float] = []
    for height in heights:
        places.append(max(height, places[-1] + gap) if places else height)
    over = max(0.0, places[-1] - 1)
    places = [place - over for place in places]
    for i in range(len(places) - 2, -1, -1):
        places[i] = max(min(places[i] + over, places[i + 1] - gap), 0.0)
    return places
