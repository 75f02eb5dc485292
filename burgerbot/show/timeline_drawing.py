"""How the autoreset timeline is drawn: a cell for each robot and step, and its signs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from burgerbot.show.svg import INK, hex_colour
from burgerbot.world import render

#: Two shades for one episode and the next, which differ in grey too.
SHADES = (hex_colour(render.TILE), "#a9cbe2")
DARK = hex_colour(INK)
#: An hourglass: time is up.
HOURGLASS = ((-1, 1), (1, 1), (-1, -1), (1, -1), (-1, 1))
#: Inches. Panels stand side by side if that leaves each cell the smallest width.
SMALLEST_CELL, LARGEST_CELL, NARROWEST, WIDEST = 0.19, 0.36, 3.5, 11.5


def draw_panels(
    panels: Mapping[str, Mapping[str, np.ndarray]],
    counts: Mapping[str, str],
    episodes: Mapping[str, np.ndarray],
) -> Figure:
    """Draw panels that share their axes, and a legend of the signs in them.

    Args:
        panels: Name -> bool arrays ``[T, N]``, all six of them.
        counts: Name -> the line below the panel's name.
        episodes: Name -> int ``[T, N]``: the number of the episode, which gives the shade.
    """
    figure, boards = _boards(len(panels), *next(iter(episodes.values())).shape)
    for (name, panel), axes in zip(panels.items(), boards, strict=True):
        axes.set_title(f"{name}\n{counts[name]}", fontsize=10)
        _draw(axes, panel, episodes[name])
    figure.legend(
        handles=_legend(panels),
        loc="outside lower center",
        ncols=2 if figure.get_figwidth() > 6.5 else 1,
        frameon=False,
        fontsize=9.5,
        handlelength=1.6,
    )
    return figure


def _boards(panels: int, steps: int, robots: int) -> tuple[Figure, list[Axes]]:
    """Axes of one size, side by side where their cells stay wide enough."""
    beside = panels * (steps * SMALLEST_CELL + 0.4) <= WIDEST
    across = panels if beside else 1
    cell = min(LARGEST_CELL, (WIDEST / across - 0.4) / steps)
    size = (
        across * max(steps * cell + 0.25, NARROWEST) + 0.5,
        (panels // across) * (robots * 0.36 + 0.75) + 1.8,
    )
    figure = Figure(figsize=size, dpi=100, facecolor="white", layout="constrained")
    grid = figure.subplots(panels // across, across, sharex=True, sharey=True, squeeze=False)
    boards = list(grid.flat)
    for axes in boards:
        axes.set(xlim=(-0.5, steps - 0.5), ylim=(robots - 0.5, -0.5), yticks=range(robots))
        axes.set_xticks(range(0, steps, 1 if steps <= 12 else 5))
        axes.tick_params(length=0, labelsize=9)
        axes.spines[:].set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel("step")
    for axes in grid[:, 0]:
        axes.set_ylabel("robot")
    return figure, boards


def _draw(axes: Axes, panel: Mapping[str, np.ndarray], episode: np.ndarray) -> None:
    """One panel: a cell for each robot and step, and its signs."""
    for t, i in np.ndindex(episode.shape):
        where: dict[str, Any] = {"xy": (t - 0.5, i - 0.42), "width": 1, "height": 0.84}
        if panel["reset"][t, i]:
            axes.add_patch(Rectangle(**where, **_reset_look()))
        else:
            shade = SHADES[episode[t, i] % 2]
            axes.add_patch(Rectangle(**where, facecolor=shade, edgecolor="white", linewidth=1))
        if panel["reset_before"][t, i]:
            axes.plot([t - 0.5] * 2, [i - 0.48, i + 0.48], **_bar_look())
        both = panel["terminated"][t, i] and panel["truncated"][t, i]
        up, down = (0.25, 0.0) if both else (0.15, 0.15)  # one above the other, or in one place
        if panel["terminated"][t, i]:
            place: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 9}
            axes.text(t, i - up, "T", fontweight="bold", color=DARK, **place)
        if panel["truncated"][t, i]:
            axes.plot(t, i - down, **_sign(HOURGLASS, 5.5))
        if panel["final"][t, i]:
            axes.plot(t, i + 0.27, **_diamond(bool(panel["in_info"][t, i])))


def _sign(marker: Any, size: float, face: str = DARK) -> dict[str, Any]:
    """The look of one sign."""
    look: dict[str, Any] = {"marker": marker, "markersize": size, "linestyle": "none"}
    return look | {"markerfacecolor": face, "markeredgecolor": DARK, "color": DARK}


def _diamond(in_info: bool) -> dict[str, Any]:
    """Filled: the observation itself; open: it came in the infos."""
    return _sign("D", 4.5, "white" if in_info else DARK)


def _reset_look() -> dict[str, Any]:
    """A hatched cell."""
    return {"facecolor": "white", "edgecolor": "#70757e", "hatch": "/////", "linewidth": 0.6}


def _bar_look() -> dict[str, Any]:
    """The bar of a reset between two steps."""
    return {"color": hex_colour(render.PATTY), "linewidth": 3.5, "solid_capstyle": "butt"}


def _legend(panels: Mapping[str, Mapping[str, np.ndarray]]) -> list[Any]:
    """What each sign means, for the signs that were drawn."""

    def drawn(key: str) -> bool:
        return any(panel[key].any() for panel in panels.values())

    edge: dict[str, Any] = {"edgecolor": DARK, "linewidth": 0.6}
    handles: list[Any] = [
        Patch(facecolor=SHADES[0], label="transition", **edge),
        Patch(facecolor=SHADES[1], label="transition of the next episode", **edge),
    ]

    def line(label: str, look: dict[str, Any]) -> None:
        handles.append(Line2D([], [], **look, label=label))

    if drawn("terminated"):
        line("terminated", _sign("$\\bf{T}$", 7))
    if drawn("truncated"):
        line("truncated (time limit)", _sign(HOURGLASS, 7))
    if any((panel["final"] & ~panel["in_info"]).any() for panel in panels.values()):
        line("final observation: the step returned it", _diamond(False))
    if drawn("in_info"):
        line('final observation: in infos["final_obs"]', _diamond(True))
    if drawn("reset"):
        words = "reset row: no transition, action ignored, reward 0"
        handles.append(Patch(**_reset_look(), label=words))
    if drawn("reset_before"):
        line("your own reset, between two steps", _bar_look())
    return handles
