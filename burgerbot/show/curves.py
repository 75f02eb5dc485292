"""Curves of lesson 10: a loss drawn from its function, and several trainings in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from burgerbot.show.plots import Plot, histogram, line_chart, with_alt

#: Two-sided 95 percent, in standard deviations.
Z95 = 1.96


def loss_chart(loss: Callable[[float, float], Any], *, clip: float, title: str) -> Plot:
    """Draw a policy loss of one row against the ratio, for a good and for a bad action.

    Args:
        loss: ``(ratio, advantage) -> number``.
        clip: Where the loss should bend, at ``1 - clip`` and ``1 + clip``; marked by dotted lines.
        title: The line above the picture.

    Returns:
        Plot: ``print`` writes the loss at three ratios.
    """
    ratios = np.linspace(0.3, 1.9, 65)
    lines = {
        f"{name} action, advantage {advantage:g}": (
            ratios,
            [float(loss(ratio, advantage)) for ratio in ratios.tolist()],
        )
        for name, advantage in (("a good", 1.0), ("a bad", -1.0))
    }
    said = "; ".join(
        f"{name}: {line[0]:.2f} at ratio {ratios[0]:g}, {np.interp(1.0, ratios, line):.2f} at 1, "
        f"{line[-1]:.2f} at {ratios[-1]:g}"
        for name, (_, line) in lines.items()
    )
    plot = line_chart(
        lines,
        title=title,
        xlabel="ratio: how much likelier the action is now",
        ylabel="loss",
        alt=f"{title}. Loss against ratio. {said}.",
    )
    for edge in (1 - clip, 1 + clip):
        plot.figure.axes[0].axvline(edge, color="#70757e", linestyle=":")
    return plot


def ratio_histogram(ratios: Mapping[str, Any], *, clip: float, title: str, top: float = 3) -> Plot:
    """Draw how the ratios of a batch are spread.

    Args:
        ratios: Name -> ``[B]``, numbers above 0.
        clip: Edges at ``1 - clip`` and ``1 + clip`` are marked by dotted lines.
        title: The line above the picture.
        top: Larger ratios are drawn here.

    Returns:
        Plot: ``print`` writes the share outside of the edges.
    """
    arrays = {name: np.asarray(ratio, dtype=np.float64) for name, ratio in ratios.items()}
    said = "; ".join(
        f"{name}: {np.mean(np.abs(ratio - 1) > clip):.0%} outside of {1 - clip:g} to {1 + clip:g}, "
        f"from {ratio.min():.2f} to {ratio.max():.2f}"
        for name, ratio in arrays.items()
    )
    plot = histogram(
        {name: np.minimum(ratio, top) for name, ratio in arrays.items()},
        title=title,
        xlabel=f"ratio (those above {top:g} are drawn at {top:g})",
        ylabel="rows",
        alt=f"{title}. Histogram of ratios. {said}.",
        bins=30,
    )
    for edge in (1 - clip, 1 + clip):
        plot.figure.axes[0].axvline(edge, color="#70757e", linestyle=":")
    return plot


def training_chart(
    trainings: Mapping[str, Sequence[Sequence[Mapping[str, float]]]],
    key: str,
    *,
    title: str,
    ylabel: str,
    low: float = -np.inf,
    high: float = np.inf,
) -> Plot:
    """Draw the mean of several trainings, with a band: a 95 percent interval of the mean.

    Args:
        trainings: Name -> runs, 2 or more; each a list of dicts with ``when`` (transitions) and
            ``key``, as many in each run.
        key: What to draw.
        title, ylabel: Words.
        low, high: Ends of the scale, where the band ends too.

    Returns:
        Plot: ``print`` writes the last numbers of all runs, their mean and its interval.

    Raises:
        ValueError: A single run: it has no spread.

    >>> runs = [[{"when": 8, "x": 0.0}], [{"when": 8, "x": 2.0}]]
    >>> print(training_chart({"ours": runs}, "x", title="Two runs", ylabel="x").text)
    ours: at the end 0, 2; mean 1, its 95 percent interval -0.96 to 2.96
    """
    series, bands, lines = {}, {}, []
    for name, runs in trainings.items():
        values = np.array([[noted[key] for noted in run] for run in runs], dtype=np.float64)
        if len(values) < 2:
            raise ValueError(f"trainings {name!r}: expected 2 runs or more, got {len(values)}")
        mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / len(values) ** 0.5
        ends = np.clip([mean - Z95 * error, mean + Z95 * error], low, high)
        series[name], bands[name] = ([noted["when"] for noted in runs[0]], mean), tuple(ends)
        last = ", ".join(f"{value:.3g}" for value in sorted(values[:, -1]))
        lines.append(
            f"{name}: at the end {last}; mean {mean[-1]:.3g}, its 95 percent interval "
            f"{ends[0, -1]:.3g} to {ends[1, -1]:.3g}"
        )
    alt = f"{title}. Mean of several runs against transitions, with its interval. "
    plot = line_chart(
        series,
        band=bands,
        title=title,
        xlabel="transitions",
        ylabel=ylabel,
        alt=alt + "; ".join(lines) + ".",
    )
    return with_alt(plot.figure, plot.alt, text="\n".join(lines))
