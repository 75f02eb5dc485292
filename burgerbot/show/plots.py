"""Small plots that carry their alt text, drawn without pyplot: nothing global, nothing twice."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from burgerbot.show.svg import hex_colour
from burgerbot.world import render

#: Okabe and Ito's colours; each goes with its own line, marker and hatch.
COLOURS = (
    hex_colour(render.BODY),
    hex_colour(render.BUN),
    hex_colour(render.LETTUCE),
    "#cc79a7",
    hex_colour(render.PATTY),
    "#56b4e9",
)
LINES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "//", "..", "xx", "\\\\", "++")


@dataclass(frozen=True, eq=False)
class Plot:
    """A figure with its alt text. A notebook shows it; ``print`` writes the words.

    Attributes:
        figure: The matplotlib figure.
        alt: What the figure shows, in words.
        text: What ``print`` writes: the alt text, with a table where there is one.
    """

    figure: Figure
    alt: str
    text: str

    def __repr__(self) -> str:
        return self.text

    @cached_property
    def png(self) -> bytes:
        """The figure as PNG, drawn once, the same bytes on each run."""
        buffer = BytesIO()
        self.figure.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()

    def _repr_html_(self) -> str:
        code = b64encode(self.png).decode()
        return (
            f'<img src="data:image/png;base64,{code}" alt="{escape(self.alt)}" '
            'style="max-width:100%">'
        )


def with_alt(figure: Figure, alt: str, *, text: str | None = None) -> Plot:
    """Give a figure its alt text.

    Args:
        figure: A matplotlib figure; make it with ``matplotlib.figure.Figure``, not with pyplot,
            or the notebook shows it a second time.
        alt: What the figure shows, in words.
        text: What ``print`` writes instead of the alt text.

    Raises:
        ValueError: An empty alt text.
    """
    if not (isinstance(alt, str) and alt.strip()):
        raise ValueError(f"alt: expected a sentence that says what the figure shows, got {alt!r}")
    return Plot(figure, alt, text or alt)


def line_chart(
    series: Mapping[str, tuple[Any, Any]],
    *,
    title: str,
    xlabel: str,
    ylabel: str,
    alt: str,
    logx: bool = False,
    logy: bool = False,
    band: Mapping[str, tuple[Any, Any]] | None = None,
) -> Plot:
    """Draw lines that differ in colour, dash and marker.

    Args:
        series: Name -> ``(x, y)``, two sequences of one length; at most 6 lines.
        title, xlabel, ylabel, alt: Words; the axis labels name their units.
        logx, logy: Logarithmic axes.
        band: Name of a line -> ``(low, high)``, shaded around it.

    Returns:
        Plot: The figure is ``.figure``.

    Raises:
        ValueError: No line, too many, lengths that differ, or a band without its line.
    """
    _check_names("series", series, len(LINES))
    bands = dict(band or {})
    if not bands.keys() <= series.keys():
        raise ValueError(f"band: expected names of lines {list(series)}, got {list(bands)}")
    figure, axes = _figure(title, xlabel, ylabel)
    for i, (name, (x, y)) in enumerate(series.items()):
        x, y = _same_length(f"series {name!r}", x, y)
        style: dict[str, Any] = {"color": COLOURS[i], "linestyle": LINES[i], "marker": MARKERS[i]}
        axes.plot(x, y, label=name, markevery=max(1, len(x) // 12), markersize=5, **style)
        if name in bands:
            low, high = _same_length(f"band {name!r}", *bands[name])
            _same_length(f"band {name!r}", x, low)
            axes.fill_between(x, low, high, color=COLOURS[i], alpha=0.2, hatch=HATCHES[i], lw=0)
    if logx:
        axes.set_xscale("log")
    if logy:
        axes.set_yscale("log")
    _legend(axes, len(series))
    return with_alt(figure, alt)


def histogram(
    values: Any, *, title: str, xlabel: str, ylabel: str, alt: str, bins: Any = 20
) -> Plot:
    """Draw how often values fall into each bin.

    Args:
        values: A sequence of numbers, or name -> sequence (at most 6), which share their bins.
        title, xlabel, ylabel, alt: Words; the axis labels name their units.
        bins: Number of bins, or their edges.

    Returns:
        Plot: The figure is ``.figure``.

    Raises:
        ValueError: Nothing to count, too many groups, or a number that is not finite.
    """
    groups = dict(values) if isinstance(values, Mapping) else {"": values}
    _check_names("values", groups, len(HATCHES))
    arrays = {name: np.asarray(group, dtype=np.float64).ravel() for name, group in groups.items()}
    for name, array in arrays.items():
        if not array.size or not np.isfinite(array).all():
            raise ValueError(
                f"values {name!r}: expected one or more finite numbers, got {array.tolist()[:5]}"
            )
    edges = np.histogram_bin_edges(np.concatenate(list(arrays.values())), bins)
    figure, axes = _figure(title, xlabel, ylabel)
    for i, (name, array) in enumerate(arrays.items()):
        counts = np.histogram(array, edges)[0]
        look: dict[str, Any] = {
            "facecolor": COLOURS[i] + "55",
            "edgecolor": COLOURS[i],
            "hatch": HATCHES[i],
        }
        axes.stairs(counts, edges, fill=True, label=name, linestyle=LINES[i], linewidth=1.5, **look)
    _legend(axes, len(arrays))
    return with_alt(figure, alt)


def _figure(title: str, xlabel: str, ylabel: str) -> tuple[Figure, Axes]:
    """A figure with one pair of axes."""
    figure = Figure(figsize=(6.4, 3.8), dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
    axes.set_axisbelow(True)
    return figure, axes


def _legend(axes: Axes, lines: int) -> None:
    """Name the lines where there is more than one."""
    if lines > 1:
        axes.legend(frameon=False)


def _check_names(what: str, named: Mapping[str, Any], most: int) -> None:
    """Refuse an empty mapping and one with more names than there are styles."""
    if not 1 <= len(named) <= most:
        raise ValueError(f"{what}: expected 1 to {most} names, got {len(named)}")


def _same_length(what: str, x: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of one length, 1 or more."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or not x.size:
        raise ValueError(
            f"{what}: expected two sequences of one length, got shapes {x.shape} and {y.shape}"
        )
    return x, y
