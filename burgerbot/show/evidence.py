"""Pictures of evidence: episodes grouped by family, and success stratum by stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from burgerbot.learn.panel import Panel
from burgerbot.show.plots import COLOURS, MARKERS, Plot, with_alt
from burgerbot.show.timeline_drawing import DARK, HOURGLASS

#: Outcome -> letter, colour of the cell, marker.
LOOKS: dict[str, tuple[str, str, Any]] = {
    "delivered": ("D", "#a9cbe2", "o"),
    "crashed": ("X", "#f3c9a5", "x"),
    "timeout": ("T", "#ffffff", HOURGLASS),
}
MOST_ROWS, MOST_EPISODES = 64, 64


def family_chart(
    outcomes: Any, families: Sequence[Any], *, title: str, alt: str | None = None
) -> Plot:
    """Draw how each episode of each robot ended, robots of one family below each other.

    Args:
        outcomes: ``[N, E]`` of ``delivered``, ``crashed`` and ``timeout``; N and E up to 64.
        families: N labels, in any order.
        title: The line above.
        alt: What the figure shows, in words; left out, it gives the share of each family.

    Returns:
        Plot: ``print`` writes a line a robot.

    Raises:
        ValueError: Another outcome or shape.

    >>> print(family_chart([["delivered", "crashed"]], ["a"], title="One robot").text)
    One robot
    a  D X  1 of 2 delivered
    D delivered, X crashed, T timeout; one robot a line, one episode a letter
    """
    array = np.asarray(outcomes)
    if array.ndim != 2 or not (0 < len(array) <= MOST_ROWS and 0 < array.shape[1] <= MOST_EPISODES):
        raise ValueError(f"outcomes: expected [N, E], both from 1 to 64, got shape {array.shape}")
    if not np.isin(array, list(LOOKS)).all() or len(families) != len(array):
        raise ValueError(
            f"expected outcomes among {', '.join(LOOKS)} and {len(array)} families, got "
            f"{sorted(set(array.ravel().tolist()) - set(LOOKS))} and {len(families)} families"
        )
    groups: dict[str, list[int]] = {}
    for robot, family in enumerate(families):
        groups.setdefault(str(family), []).append(robot)
    lines, words, width = [title], [f"{title}."], max(map(len, groups))
    figure, axes = _board(len(array) + 0.6 * (len(groups) - 1), array.shape[1], width)
    figure.suptitle(title)
    place, ticks = 0.0, {}
    for name, robots in groups.items():
        share = f"{(array[robots] == 'delivered').sum()} of {array[robots].size} delivered"
        words.append(f"{name}: {share}.")
        ticks[place + (len(robots) - 1) / 2] = f"{name}\n{share}"
        for i, robot in enumerate(robots):
            for episode, outcome in enumerate(array[robot]):
                _cell(axes, episode, place, LOOKS[str(outcome)])
            letters = " ".join(LOOKS[str(outcome)][0] for outcome in array[robot])
            label = name if i == 0 else ""
            lines.append(f"{label:<{width}}  {letters}  {share if i == 0 else ''}".rstrip())
            place += 1
        place += 0.6
    axes.set_yticks(list(ticks), list(ticks.values()))
    axes.set(xlim=(-0.5, array.shape[1] - 0.5), ylim=(place - 1.1, -0.5), xlabel="episode")
    axes.set_ylabel("family (kitchen), one robot a row")
    axes.set_xticks(range(array.shape[1]))
    handles = [_handle(look, name) for name, look in LOOKS.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    lines.append("D delivered, X crashed, T timeout; one robot a line, one episode a letter")
    return with_alt(figure, " ".join(words) if alt is None else alt, text="\n".join(lines))


def panel_chart(
    panels: Mapping[str, tuple[Panel, Panel]], *, title: str, alt: str | None = None
) -> Plot:
    """Draw success on training seeds and on held-out seeds, stratum by stratum.

    Args:
        panels: Name of a run -> its panel on the training seeds and its held-out panel; at most 6
            runs, with the same strata.
        title: The line above.
        alt: What the figure shows, in words; left out, it gives the numbers.

    Returns:
        Plot: ``print`` writes a table.

    Raises:
        ValueError: No run or too many, or strata that differ.
    """
    strata = [list(panel.strata) for pair in panels.values() for panel in pair]
    if not 1 <= len(panels) <= len(MARKERS) or any(names != strata[0] for names in strata):
        raise ValueError(f"panels: expected 1 to 6 runs with the same strata, got {strata}")
    names = strata[0]
    figure = Figure(figsize=(7.2, 4.2), dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    step, lines, words = 0.8 / len(panels), [title], [f"{title}."]
    for run, (label, (training, held_out)) in enumerate(panels.items()):
        for place, name in enumerate(names):
            x = place + (run - (len(panels) - 1) / 2) * step
            own, found = training.strata[name].success, held_out.strata[name].success
            best = held_out.optima[name].success
            assert own is not None and found is not None
            axes.plot([x, x], [found.low, found.high], color=COLOURS[run], linewidth=2)
            look: dict[str, Any] = {"marker": MARKERS[run], "color": COLOURS[run], "markersize": 7}
            axes.plot(x, found.mean, linestyle="none", **look)
            axes.plot(x - step / 3, own.mean, linestyle="none", **look, markerfacecolor="white")
            axes.plot([x - step / 2, x + step / 2], [best] * 2, color=DARK, linewidth=1.5)
            said = f"training {own.mean:.2f}, held out {found.mean:.2f}"
            interval = f" [{found.low:.2f}, {found.high:.2f}], optimum {best:.2f}"
            lines.append(f"{label:<14} {name:<10} {said}{interval}")
            words.append(f"{label}, {name}: {said}, optimum {best:.2f}.")
    axes.set_xticks(range(len(names)), names)
    axes.set(title=title, xlabel="stratum", ylabel="share of episodes delivered", ylim=(0, 1.05))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    handles = [
        Line2D([], [], marker=MARKERS[i], color=COLOURS[i], label=label, linewidth=2)
        for i, label in enumerate(panels)
    ]
    hollow: dict[str, Any] = {"marker": "o", "color": DARK, "linestyle": "none"}
    handles += [
        Line2D([], [], **hollow, markerfacecolor="white", label="on its training seeds"),
        Line2D([], [], **hollow, label="held out, 95 % interval"),
        Line2D([], [], color=DARK, label="exact optimum, map known"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return with_alt(figure, " ".join(words) if alt is None else alt, text="\n".join(lines))


def _board(rows: float, columns: int, width: int) -> tuple[Figure, Any]:
    """Axes with room for cells of one size and for the names at the left."""
    size = (min(max(2.2 + 0.08 * width + 0.36 * columns, 5.2), 11.0), 1.5 + 0.24 * rows)
    figure = Figure(figsize=size, dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    axes.tick_params(length=0, labelsize=9)
    axes.spines[:].set_visible(False)
    return figure, axes


def _cell(axes: Any, episode: int, row: float, look: tuple[str, str, Any]) -> None:
    """One episode."""
    _, colour, marker = look
    box = Rectangle((episode - 0.5, row - 0.45), 1, 0.9, facecolor=colour, edgecolor="#b0b4ba")
    axes.add_patch(box)
    axes.plot(episode, row, marker=marker, color=DARK, markersize=5, linestyle="none")


def _handle(look: tuple[str, str, Any], name: str) -> Line2D:
    """What a sign means."""
    return Line2D([], [], marker=look[2], color=DARK, linestyle="none", label=name, markersize=6)
