"""Success under faults that training did not show, method beside method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from burgerbot.learn.robustness import Robustness
from burgerbot.show.plots import COLOURS, MARKERS, Plot, with_alt
from burgerbot.show.timeline_drawing import DARK


def fault_chart(panels: Mapping[str, Robustness], *, title: str, alt: str | None = None) -> Plot:
    """Draw the success of each method under each fault, with intervals and the exact optimum.

    Args:
        panels: Method -> its robustness panel; at most 6, with the same faults.
        title: The line above.
        alt: What the figure shows, in words; left out, it gives the numbers.

    Returns:
        Plot: ``print`` writes a line for each fault.

    Raises:
        ValueError: No method or too many, or faults that differ.
    """
    faults = [list(panel.faults) for panel in panels.values()]
    if not 1 <= len(panels) <= len(MARKERS) or any(names != faults[0] for names in faults):
        raise ValueError(f"panels: expected 1 to 6 methods with the same faults, got {faults}")
    figure = Figure(figsize=(7.2, 4.2), dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    width = 0.6 / len(panels)
    lines, first = [title], next(iter(panels.values()))
    for place, fault in enumerate(faults[0]):
        best = first.optimum(fault)
        axes.plot([place - 0.38, place + 0.38], [best] * 2, color=DARK, linewidth=1.5)
        said = []
        for i, (name, panel) in enumerate(panels.items()):
            mean, low, high = panel.success(fault)
            x = place + (i - (len(panels) - 1) / 2) * width
            axes.plot([x, x], [low, high], color=COLOURS[i], linewidth=2)
            axes.plot(x, mean, marker=MARKERS[i], color=COLOURS[i], markersize=7)
            said.append(f"{name} {mean:.2f}")
        lines.append(f"{fault}: {', '.join(said)}; optimum {best:.2f}")
    axes.set_xticks(range(len(faults[0])), [name.replace(" ", "\n") for name in faults[0]])
    axes.set(title=title, xlabel="fault", ylabel="share of episodes delivered", ylim=(0, 1.05))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    look: dict[str, Any] = {"linewidth": 2}
    handles = [
        Line2D([], [], marker=MARKERS[i], color=COLOURS[i], label=f"{name}, 95 % interval", **look)
        for i, name in enumerate(panels)
    ]
    handles.append(Line2D([], [], color=DARK, label="exact optimum, map and odds known"))
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    words = ". ".join(lines) + "."
    return with_alt(figure, words if alt is None else alt, text="\n".join(lines))
