"""What happens inside a PPO update: KL and clip fraction of each minibatch, and where it stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from burgerbot.show.plots import COLOURS, LINES, MARKERS, Plot, with_alt

#: Two-sided 95 percent, in standard deviations.
Z95 = 1.96


def update_chart(
    seen: Sequence[Mapping[str, float]],
    *,
    limit: float | None,
    minibatches: int,
    title: str,
    alt: str | None = None,
) -> Plot:
    """Draw the KL and the clip fraction of each minibatch of one update, with the stop marked.

    Args:
        seen: A dict for each minibatch that was looked at, in order, with the numbers ``kl`` (nats)
            and ``clip_fraction`` (0 to 1).
        limit: The KL above which the update stops; None for no limit.
        minibatches: How many minibatches make an epoch; a line is drawn between epochs.
        title: The line above the picture.
        alt: What the figure shows, in words; left out, it says where the update stopped.

    Returns:
        Plot: ``print`` writes one line an epoch.

    Raises:
        ValueError: No minibatch, or fewer than 1 minibatch an epoch.

    >>> seen = [{"kl": 0.0, "clip_fraction": 0.0}, {"kl": 0.04, "clip_fraction": 0.5}]
    >>> plot = update_chart(seen, limit=0.03, minibatches=2, title="One update")
    >>> print(plot.text.split("\\n", 1)[1])
    epoch  largest KL  mean clip fraction
        1      0.0400                0.25
    """
    if not len(seen):
        raise ValueError("seen: expected a dict for each minibatch, 1 or more, got none")
    kls, clips = (np.array([noted[name] for noted in seen]) for name in ("kl", "clip_fraction"))
    if minibatches < 1:
        raise ValueError(f"minibatches: expected 1 or more, got {minibatches}")
    stopped = limit is not None and bool(kls[-1] > limit)
    figure = Figure(figsize=(7.0, 4.6), dpi=100, facecolor="white", layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    figure.suptitle(title)
    _draw_line(upper, kls, minibatches, 0, "KL (nats)")
    _draw_line(lower, clips, minibatches, 1, "clip fraction")
    lower.set_xlabel("minibatch of the update (a dotted line begins an epoch)")
    lower.set_ylim(bottom=0.0)
    if limit is not None:
        upper.axhline(limit, color=COLOURS[4], linestyle="--", label=f"limit {limit:g}")
    if stopped:
        look: dict[str, Any] = {"marker": "o", "markersize": 13, "fillstyle": "none"}
        look |= {"color": COLOURS[4], "linestyle": "none", "markeredgewidth": 2.0}
        upper.plot([len(kls)], [kls[-1]], **look, label="stop: this one moves nothing")
    if limit is not None:  # room for the legend above the line and the curve
        upper.set_ylim(top=1.45 * max(limit, float(kls.max())))
        upper.legend(frameon=False, loc="upper left")
    words = _words(title, kls, clips, limit, minibatches, stopped)
    return with_alt(figure, alt or words, text=f"{words}\n{_table(kls, clips, minibatches)}")


def stop_chart(
    found: Mapping[str, Mapping[int, tuple[int, int]]], *, title: str, alt: str | None = None
) -> Plot:
    """Draw how often an update stops early, against the number of robots.

    Bars are 95 percent intervals (Wilson's) for a share that was counted.

    Args:
        found: Name of a line -> N -> ``(stopped, updates)``; at most 6 lines.
        title: The line above the picture.
        alt: What the figure shows, in words; left out, it gives the shares.

    Returns:
        Plot: ``print`` writes the counts.

    Raises:
        ValueError: No line or too many, no updates, or more stops than updates.

    >>> plot = stop_chart({"4 minibatches": {1: (3, 4), 8: (1, 4)}}, title="Early stops")
    >>> print(plot.text.split("\\n", 1)[1])
    robots  4 minibatches
         1         3 of 4
         8         1 of 4

    Source: Wilson (1927), "Probable inference, the law of succession, and statistical inference".
    """
    if not 1 <= len(found) <= len(LINES):
        raise ValueError(f"found: expected 1 to {len(LINES)} lines, got {len(found)}")
    for name, counts in found.items():
        if not counts or any(not 0 <= k <= n or n < 1 for k, n in counts.values()):
            raise ValueError(f"found {name!r}: expected (stopped, updates) for N, got {counts}")
    figure = Figure(figsize=(6.4, 3.8), dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=title, xlabel="robots, N", ylabel="updates that stop early (share)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
    axes.set(xscale="log", ylim=(-0.03, 1.03))
    for i, (name, counts) in enumerate(found.items()):
        shares = np.array([k / n for k, n in counts.values()])
        ends = np.array([_wilson(k, n) for k, n in counts.values()]).T
        bars = np.abs(ends - shares)
        place = np.array(list(counts), dtype=np.float64) * 1.03**i  # bars side by side
        look: dict[str, Any] = {"color": COLOURS[i], "linestyle": LINES[i], "marker": MARKERS[i]}
        axes.errorbar(place, shares, yerr=bars, capsize=3, label=name, **look)
    ticks = sorted({n for counts in found.values() for n in counts})
    axes.set_xticks(ticks, [str(n) for n in ticks])
    axes.set_xticks([], minor=True)
    if len(found) > 1:
        axes.legend(frameon=False)
    said = "; ".join(
        f"{name}: " + ", ".join(f"{k / n:.0%} with N = {robots}" for robots, (k, n) in c.items())
        for name, c in found.items()
    )
    words = f"{title}. Share of updates that stopped early. {said}."
    return with_alt(figure, alt or words, text=f"{words}\n{_counts(found, ticks)}")


def _draw_line(axes: Axes, values: np.ndarray, minibatches: int, i: int, label: str) -> None:
    """One number for each minibatch, with the epochs marked."""
    axes.plot(
        np.arange(1, len(values) + 1),
        values,
        color=COLOURS[i],
        linestyle=LINES[i],
        marker=MARKERS[i],
        markersize=4,
    )
    for begin in range(minibatches, len(values), minibatches):
        axes.axvline(begin + 0.5, color="#70757e", linestyle=":", linewidth=0.8)
    axes.set_ylabel(label)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3, axis="y")


def _words(
    title: str,
    kls: np.ndarray,
    clips: np.ndarray,
    limit: float | None,
    minibatches: int,
    stopped: bool,
) -> str:
    """What the figure shows."""
    many = "1 minibatch" if len(kls) == 1 else f"{len(kls)} minibatches"
    ending = "" if limit is None else f"; none is above the limit of {limit:.4f}"
    if stopped:
        epoch = (len(kls) - 1) // minibatches + 1
        ending = (
            f"; the last one is above the limit of {limit:.4f}: the update stops there, in epoch "
            f"{epoch}"
        )
    return (
        f"{title}. KL of {many}, from {kls.min():.4f} to {kls.max():.4f} nats{ending}. "
        f"Clip fraction up to {clips.max():.2f}."
    )


def _table(kls: np.ndarray, clips: np.ndarray, minibatches: int) -> str:
    """One line an epoch."""
    lines = ["epoch  largest KL  mean clip fraction"]
    for epoch, begin in enumerate(range(0, len(kls), minibatches), start=1):
        part = slice(begin, begin + minibatches)
        lines.append(f"{epoch:5}  {kls[part].max():10.4f}  {clips[part].mean():18.2f}")
    return "\n".join(lines)


def _counts(found: Mapping[str, Mapping[int, tuple[int, int]]], robots: Sequence[int]) -> str:
    """The counts, one line for each number of robots."""
    widths = {name: max(len(name), 9) for name in found}
    lines = ["robots" + "".join(f"  {name:>{width}}" for name, width in widths.items())]
    for n in robots:
        cells = ((found[name].get(n), width) for name, width in widths.items())
        row = (f"{'-' if c is None else f'{c[0]} of {c[1]}':>{width}}" for c, width in cells)
        lines.append(f"{n:6}  " + "  ".join(row))
    return "\n".join(lines)


def _wilson(stopped: int, updates: int) -> tuple[float, float]:
    """Ends of Wilson's 95 percent interval of a share."""
    share, z2 = stopped / updates, Z95**2 / updates
    middle = (share + z2 / 2) / (1 + z2)
    half = Z95 * sqrt(share * (1 - share) / updates + z2 / (4 * updates)) / (1 + z2)
    return middle - half, middle + half
