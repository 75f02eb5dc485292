"""Steps per second against the number of robots or the cost of a step, on log axes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from burgerbot.show.plots import LINES, Plot, line_chart, with_alt
from burgerbot.show.throughput_drawing import mark_crossover, name_lines, number_text, plain_ticks

#: x -> label of the axis, and how a crossover is named.
AXES = {
    "num_envs": ("robots, N", "N = {}"),
    "step_cost_us": ("cost of one env step (microseconds)", "{} microseconds a step"),
}
YLABEL = "steps per second, all robots together"

Curves = dict[str, tuple[np.ndarray, np.ndarray]]


def throughput_chart(
    rows: Mapping[str, tuple[Any, Any]],
    *,
    x: str = "num_envs",
    title: str,
    alt: str | None = None,
    crossover: bool = True,
) -> Plot:
    """Draw how many steps a second each system makes; both axes are logarithmic.

    Each line has its name at its right end. Where the first two lines cross, a ring and a dotted
    line mark the spot, straight lines being drawn from one measured point to the next.

    Args:
        rows: System -> ``(x values, steps per second)``, two sequences of one length, the x values
            increasing; at most 6 systems. Steps are those of all robots together.
        x: What is varied: ``"num_envs"`` or ``"step_cost_us"`` (microseconds).
        title: The line above the chart.
        alt: What the figure shows, in words; left out, it says who is fastest at both ends and
            where the first two cross.
        crossover: Whether to mark where the first two systems cross.

    Returns:
        Plot: ``print`` writes a table.

    Raises:
        ValueError: An unknown x, no system or too many, lengths that differ, or numbers that are
            not positive and finite.

    >>> rows = {"sync": ([1, 16], [100, 100]), "async": ([1, 16], [50, 200])}
    >>> print(throughput_chart(rows, title="Steps per second").text)
    Steps per second
    robots, N  sync  async
            1   100     50
           16   100    200
    sync and async cross at N = 4
    """
    if x not in AXES:
        raise ValueError(f"x: expected one of {', '.join(AXES)}; got {x!r}")
    curves = _curves(rows)
    label, naming = AXES[x]
    words: dict[str, Any] = {"title": title, "xlabel": label, "ylabel": YLABEL, "alt": title}
    figure = line_chart(curves, **words, logx=True, logy=True).figure
    axes = figure.axes[0]
    plain_ticks(axes, np.unique(np.concatenate([at for at, _ in curves.values()])))
    first_two = list(curves)[:2] if crossover else []
    found = crossovers(*(curves[name] for name in first_two)) if len(first_two) == 2 else []
    for place, height in found:
        mark_crossover(axes, place, height, naming.format(f"{place:.3g}"))
    name_lines(figure, axes, curves)
    said = _crossing_words(first_two, found, naming)
    summary = f"{title}. {_fastest(curves, label)}{f' {said}.' if said else ''}"
    lines = [title, *_table(curves, label), *([said] if said else [])]
    return with_alt(figure, summary if alt is None else alt, text="\n".join(lines))


def crossovers(
    one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]
) -> list[tuple[float, float]]:
    """Find where two curves cross, straight between their points on log axes.

    Args:
        one, other: ``(x values, y values)``, all positive, the x values increasing.

    Returns:
        list: ``(x, y)`` of each crossing within the range that both cover.

    >>> x = np.array([1, 100])
    >>> [(round(at, 6), round(y, 6)) for at, y in crossovers((x, x), (x, np.full(2, 10)))]
    [(10.0, 10.0)]
    """
    (x, y), (u, v) = ((np.log(a), np.log(b)) for a, b in (one, other))
    grid = np.union1d(x, u)
    grid = grid[(grid >= max(x[0], u[0])) & (grid <= min(x[-1], u[-1]))]
    ahead = np.interp(grid, x, y) - np.interp(grid, u, v)
    found = []
    for i, j in pairwise(np.flatnonzero(ahead).tolist()):
        if ahead[i] * ahead[j] > 0:
            continue
        share = ahead[i] / (ahead[i] - ahead[i + 1])
        at = grid[i] + share * (grid[i + 1] - grid[i])
        found.append((float(np.exp(at)), float(np.exp(np.interp(at, x, y)))))
    return found


def _curves(rows: Mapping[str, tuple[Any, Any]]) -> Curves:
    """The measurements as arrays, checked."""
    if not 1 <= len(rows) <= len(LINES):
        raise ValueError(f"rows: expected 1 to {len(LINES)} systems, got {len(rows)}")
    curves: Curves = {}
    for name, (at, rate) in rows.items():
        at, rate = np.asarray(at, dtype=np.float64), np.asarray(rate, dtype=np.float64)
        if at.ndim != 1 or at.shape != rate.shape or not at.size:
            raise ValueError(
                f"rows {name!r}: expected two sequences of one length, got shapes {at.shape} "
                f"and {rate.shape}"
            )
        for what, values in (("x values", at), ("steps per second", rate)):
            bad = values[~(np.isfinite(values) & (values > 0))]
            if bad.size:
                raise ValueError(f"rows {name!r}: expected {what} above 0, got {bad[0]:g}")
        if (np.diff(at) <= 0).any():
            raise ValueError(f"rows {name!r}: expected increasing x values, got {at.tolist()}")
        curves[name] = at, rate
    return curves


def _rate(value: float) -> str:
    """A rate of the table: whole, or three digits of a small one."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _fastest(curves: Curves, label: str) -> str:
    """Who makes the most steps a second at the least and at the greatest x."""
    words = []
    for end in (0, -1):
        edge = min if end == 0 else max
        at = edge(x[end] for x, _ in curves.values())
        rates = {name: rate[end] for name, (x, rate) in curves.items() if x[end] == at}
        best = max(rates, key=lambda name: rates[name])
        words.append(f"{best} with {number_text(float(f'{rates[best]:.3g}'))} at {at:g}")
    return f"Most steps per second, by {label}: {words[0]}, {words[1]}."


def _crossing_words(names: list[str], found: list[tuple[float, float]], naming: str) -> str:
    """Where the first two systems cross, in words."""
    if len(names) < 2:
        return ""
    both = f"{names[0]} and {names[1]}"
    if not found:
        return f"{both} do not cross in this range"
    return f"{both} cross at " + " and ".join(naming.format(f"{at:.3g}") for at, _ in found)


def _table(curves: Curves, label: str) -> list[str]:
    """A line for each x value, a column for each system."""
    at = np.unique(np.concatenate([x for x, _ in curves.values()]))
    cells = [[label, *(f"{value:,.6g}" for value in at)]]
    for name, (x, rate) in curves.items():
        known = dict(zip(x.tolist(), rate.tolist(), strict=True))
        cells.append([name, *(_rate(known[v]) if v in known else "-" for v in at.tolist())])
    widths = [max(map(len, column)) for column in cells]
    return [
        "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
        for line in zip(*cells, strict=True)
    ]
