"""A map of values: what every cell and heading is worth, and what a policy does there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from burgerbot.show.plots import Plot, with_alt
from burgerbot.show.svg import hex_colour
from burgerbot.world import render
from burgerbot.world.kitchen import MOVES, Cell, Kitchen

#: Kitchens with a longer side are drawn without numbers and letters: they would not be legible.
MOST_WRITTEN = 14
LETTERS = "FLRS"
LEGEND = (
    "F forward   L turn left   R turn right   S stop\n"
    "each triangle is a heading (upper: facing north); number: best heading"
)


def value_map(
    kitchen: Kitchen,
    values: Any,
    policy: Any = None,
    *,
    title: str,
    unit: str = "discounted return",
) -> Plot:
    """Draw the values of all states as a heat map.

    Without a policy a cell shows the value of its best heading. With one, a cell is cut into four
    triangles, one a heading (the upper one: facing north), each with its own colour and the
    policy's action as a letter; the number is still the best heading's.

    Args:
        kitchen: The kitchen of the states.
        values: float ``[S]``, S = rows * cols * 4, in the order of ``rules.encode``.
        policy: int ``[S]``, the action of each state, 0 to 3.
        title: The line above the map.
        unit: What the values count, for the colour bar.

    Returns:
        Plot: ``print`` writes the numbers as a table.

    Raises:
        ValueError: Values or a policy of another shape, not finite, or actions out of range.
    """
    worth = _values(kitchen, values)
    actions = None if policy is None else _actions(kitchen, policy)
    best = worth.max(axis=2)
    cells = [cell for cell in kitchen.clear_cells() if cell != kitchen.goal]
    shown = np.array([best[cell] if actions is None else worth[cell] for cell in cells])
    colours = ScalarMappable(Normalize(shown.min(), shown.max()), colormaps["cividis"])
    write = _writer(shown)

    figure, axes = _board(kitchen, title)
    written = max(kitchen.rows, kitchen.cols) <= MOST_WRITTEN
    for cell in cells:
        number = write(best[cell]) if written else ""
        if actions is None:
            _square(axes, cell, colours.to_rgba(best[cell]), number)
        else:
            letters = [LETTERS[action] if written else "" for action in actions[cell]]
            _triangles(axes, cell, colours.to_rgba(worth[cell]), letters, number)
    bar = figure.colorbar(colours, ax=axes, shrink=0.8, pad=0.02)
    bar.set_label(f"{unit}, best heading" if actions is None else unit)
    if actions is not None and written:
        figure.supxlabel(LEGEND, fontsize=9)
    alt = _words(title, unit, best, cells, write)
    return with_alt(figure, alt, text=f"{title}\n{_table(kitchen, best, write)}")


def _values(kitchen: Kitchen, values: Any) -> np.ndarray:
    """Values as ``[rows, cols, 4]``."""
    worth = _one_a_state(kitchen, "values", values).astype(np.float64)
    bad = ~np.isfinite(worth)
    if bad.any():
        state = int(np.flatnonzero(bad)[0])
        raise ValueError(f"values: expected finite numbers, got {worth[state]} at state {state}")
    return worth.reshape(kitchen.rows, kitchen.cols, 4)


def _actions(kitchen: Kitchen, policy: Any) -> np.ndarray:
    """A policy as ``[rows, cols, 4]``."""
    actions = _one_a_state(kitchen, "policy", policy)
    if actions.dtype.kind not in "iu" or actions.min() < 0 or actions.max() > 3:
        raise ValueError(
            f"policy: expected integers from 0 to 3, got {actions.dtype} from {actions.min()} to "
            f"{actions.max()}"
        )
    return actions.reshape(kitchen.rows, kitchen.cols, 4)


def _one_a_state(kitchen: Kitchen, name: str, values: Any) -> np.ndarray:
    """An array with one number a state."""
    states = kitchen.rows * kitchen.cols * 4
    array = np.asarray(values)
    if array.shape != (states,):
        raise ValueError(f"{name}: expected shape ({states},), one a state, got {array.shape}")
    return array


def _board(kitchen: Kitchen, title: str) -> tuple[Figure, Axes]:
    """Axes with row and column numbers, the obstacles and the goal."""
    rows, cols = kitchen.rows, kitchen.cols
    side = min(0.86, 9 / max(rows, cols))
    size = (max(5.0, cols * side + 1.4), max(2.8, rows * side + 1.1))
    figure = Figure(figsize=size, dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    figure.suptitle(title)
    axes.set(xlabel="col", ylabel="row", aspect="equal")
    axes.set(xlim=(-0.5, cols - 0.5), ylim=(rows - 0.5, -0.5))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    step = 1 + max(rows, cols) // 16
    axes.set(xticks=range(0, cols, step), yticks=range(0, rows, step))
    axes.tick_params(length=0)
    for row, col in kitchen.obstacles:
        wall = Rectangle((col - 0.5, row - 0.5), 1, 1, facecolor="white", linewidth=0)
        wall.set(edgecolor=hex_colour(render.COUNTER), hatch="////")
        axes.add_patch(wall)
    row, col = kitchen.goal
    goal = Rectangle((col - 0.44, row - 0.44), 0.88, 0.88, facecolor="white", linewidth=4)
    goal.set(edgecolor=hex_colour(render.BUN))
    axes.add_patch(goal)
    if max(rows, cols) <= MOST_WRITTEN:
        axes.text(col, row, "GOAL", ha="center", va="center", fontsize=9, fontweight="bold")
    return figure, axes


def _square(axes: Axes, cell: Cell, colour: Any, number: str) -> None:
    """One cell: one colour and one number."""
    row, col = cell
    axes.add_patch(Rectangle((col - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
    axes.text(col, row, number, ha="center", va="center", color=_ink(colour))


def _triangles(axes: Axes, cell: Cell, colours: Any, letters: list[str], number: str) -> None:
    """One cell: a triangle and a letter for each heading, and one number in the middle."""
    row, col = cell
    for (dr, dc), colour, letter in zip(MOVES, colours, letters, strict=True):
        # The side of the cell towards the heading runs across (dr, dc).
        ends = [((dc - dr) / 2, (dr + dc) / 2), ((dc + dr) / 2, (dr - dc) / 2)]
        points = [(col, row)] + [(col + x, row + y) for x, y in ends]
        axes.add_patch(Polygon(points, facecolor=colour, edgecolor="white", linewidth=0.5))
        place: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 9}
        axes.text(col + 0.38 * dc, row + 0.38 * dr, letter, color=_ink(colour), **place)
    axes.add_patch(Rectangle((col - 0.5, row - 0.5), 1, 1, fill=False, edgecolor="white", lw=2))
    if number:
        plate: dict[str, Any] = {
            "boxstyle": "round,pad=0.15",
            "facecolor": "white",
            "edgecolor": "none",
        }
        axes.text(col, row, number, ha="center", va="center", fontsize=8, bbox=plate)


def _ink(colour: Any) -> str:
    """Black or white, whichever is legible on a colour."""
    red, green, blue = colour[:3]
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


def _writer(values: np.ndarray) -> Callable[[float], str]:
    """How the numbers of one map are written: all with as many decimals, at most two."""
    largest = np.abs(values).max()
    decimals = 2 if largest < 9.995 else 1 if largest < 99.95 else 0
    return lambda value: f"{round(value, decimals) + 0.0:.{decimals}f}"


def _words(
    title: str, unit: str, best: np.ndarray, cells: list[Cell], write: Callable[[float], str]
) -> str:
    """The alt text: the least and the greatest value and where they are."""
    low, high = min(cells, key=lambda c: best[c]), max(cells, key=lambda c: best[c])
    return (
        f"{title}. Map of the best heading's {unit} in each cell: from {write(best[low])} at row "
        f"{low[0]}, col {low[1]} to {write(best[high])} at row {high[0]}, col {high[1]}."
    )


def _table(kitchen: Kitchen, best: np.ndarray, write: Callable[[float], str]) -> str:
    """The text rendering: the number of each cell, ``####`` for an obstacle."""

    def word(cell: Cell) -> str:
        if cell == kitchen.goal:
            return "GOAL"
        return write(best[cell]) if kitchen.is_clear(*cell) else "####"

    words = [[word((row, col)) for col in range(kitchen.cols)] for row in range(kitchen.rows)]
    width = max(len(cell) for line in words for cell in line)
    return "\n".join(" ".join(f"{cell:>{width}}" for cell in line) for line in words)
