"""A training's curves, drawn while it runs: the notebook keeps the finished figure alone."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from time import perf_counter
from types import TracebackType
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from burgerbot.show.live_drawing import card, sketch, y_limits
from burgerbot.show.live_text import curve_text, number_text, progress_text
from burgerbot.show.plots import LINES, Plot, line_chart, with_alt

#: Seconds between two drawings, at least; and the share of the time that drawing may take.
EVERY, SHARE = 1.0, 0.02


class LiveCurve:
    """Draw a training's curves while it runs, as ``with LiveCurve(...) as curve:``.

    In a notebook the cell shows the curves so far, how far the training is and how long it may
    still take, drawn anew at most once a second and for at most 2 percent of the time. It uses no
    widget: one output is written over, in the end by an ordinary figure, which is all that a saved
    notebook keeps. A training that is stopped leaves the figure of what there is. Outside of a
    notebook nothing is shown.

    Args:
        title, xlabel, ylabel: Words; the axis labels name their units.
        total: The last x to expect; the text counts up to it.
        low, high: Ends of the scale on the y axis; left out, it follows the curves.
        levels: Name -> a number to draw as a level line, such as an exact optimum.

    Attributes:
        points: Name -> ``(x, y)``, two lists of floats of one length: what was added.

    Raises:
        ValueError: A total that is not a finite number above 0.

    >>> with LiveCurve("Learning", xlabel="steps", ylabel="points", total=20) as curve:
    ...     for steps, reward in ((10, -1.0), (20, 3.5)):
    ...         curve.add(steps, reward=reward)
    >>> curve
    Learning: up to 20 steps
    reward: first -1, lowest -1, highest 3.5, last 3.5
    """

    def __init__(
        self,
        title: str,
        *,
        xlabel: str,
        ylabel: str,
        total: float,
        low: float | None = None,
        high: float | None = None,
        levels: Mapping[str, float] | None = None,
    ) -> None:
        if not (isfinite(total) and total > 0):
            raise ValueError(f"total: expected a finite number above 0, got {total}")
        self.points: dict[str, tuple[list[float], list[float]]] = {}
        self._words: dict[str, Any] = {"title": title, "xlabel": xlabel, "ylabel": ylabel}
        self._total, self._ends = total, (low, high)
        self._levels = {name: float(level) for name, level in (levels or {}).items()}
        self._x, self._begun, self._due, self._quarters = 0.0, perf_counter(), 0.0, 0
        self._handle: Any = None

    def add(self, x: float, **series: float) -> None:
        """Add a point to each curve, and draw if it is time to.

        Args:
            x: Where the training is, such as its transitions; finite, never less than before.
            series: Name of a curve -> a number; NaN leaves a gap. The same names in each call;
                ``_`` reads as a space.

        Raises:
            ValueError: Other names than before or that of a level, no name, more lines than can be
                told apart, or an x that is not finite or goes back.
        """
        values = {name.replace("_", " "): float(value) for name, value in series.items()}
        if self.points and values.keys() != self.points.keys():
            raise ValueError(f"series: expected {list(self.points)}, got {list(values)}")
        if taken := values.keys() & self._levels.keys():
            raise ValueError(f"series: expected other names than those of levels, got {taken}")
        most = len(LINES) - len(self._levels)
        if not 1 <= len(values) <= most:
            raise ValueError(f"series: expected 1 to {most} names, got {len(values)}")
        if not (isfinite(x) and x >= self._x):
            raise ValueError(f"x: expected a finite number from {self._x:g} on, got {x}")
        self._x = float(x)
        for name, value in values.items():
            xs, ys = self.points.setdefault(name, ([], []))
            xs.append(self._x)
            ys.append(value)
        if self._handle is not None and perf_counter() >= self._due:
            self._draw()

    def plot(self) -> Plot:
        """The figure of all points so far.

        Raises:
            ValueError: There is no point yet.
        """
        series: dict[str, Any] = dict(self.points)
        if series:
            series |= {name: ([0, self._last], [y, y]) for name, y in self._levels.items()}
        words, alt = self._words, self._alt()
        plot = line_chart(series, **words, alt=alt)
        plot.figure.axes[0].set_ylim(y_limits(self.points, self._levels, self._ends))
        return with_alt(plot.figure, alt, text=repr(self))

    def __repr__(self) -> str:
        """The figure in words, the same from run to run as far as the data are."""
        if not self.points:
            return f"{self._words['title']}: no point yet"
        lines = [f"{name}: {curve_text(ys)}" for name, (_, ys) in self.points.items()]
        lines += [f"{name}: {level:.4g}" for name, level in self._levels.items()]
        of = f" of {number_text(self._total)}" if self._x < self._total else ""
        head = f"{self._words['title']}: up to {number_text(self._x)}{of} {self._words['xlabel']}"
        return "\n".join([head, *lines])

    def __enter__(self) -> LiveCurve:
        self._begun = perf_counter()
        if getattr(get_ipython(), "kernel", None) is not None:
            self._handle = display(self._frame(""), raw=True, display_id=True)
            self._due = perf_counter() + EVERY
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Put the figure in the place of the live picture; an exception goes on."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        ended = "finished" if kind is None else f"stopped ({kind.__name__})"
        handle.update(self._frame(f"{self._words['title']}: {ended}. {self._now()}"), raw=True)
        data = {"text/plain": repr(self)}
        if self.points:
            data["text/html"] = self.plot()._repr_html_()
        handle.update(data, raw=True)

    @property
    def _last(self) -> float:
        """The right end of the x axis: the last rollout of a training may go beyond the total."""
        return max(self._total, self._x)

    def _draw(self) -> None:
        """Show what there is, and set when to do so again: dear drawings come less often."""
        begun = perf_counter()
        quarters, said = int(4 * self._x / self._total), None
        if quarters > self._quarters:
            self._quarters, said = quarters, f"{self._words['title']}: {self._progress()}"
        self._handle.update(self._frame(said), raw=True)
        now = perf_counter()
        self._due = now + max(EVERY, (now - begun) / SHARE)

    def _frame(self, said: str | None) -> dict[str, str]:
        """The live picture; ``said`` is read out to those who listen (``""``: gets ready to)."""
        progress, now = self._progress(), self._now()
        drawing = sketch(
            self.points,
            self._levels if self.points else {},  # a line keeps its colour: the curves come first
            **self._words,
            alt=f"{self._alt()} Still running.",
            last=self._last,
            ends=self._ends,
        )
        page = card(drawing, self._x / self._total, progress, now, said)
        return {"text/html": page, "text/plain": f"{self._words['title']}: {progress}\n{now}"}

    def _progress(self) -> str:
        """How far it is."""
        spent = perf_counter() - self._begun
        return progress_text(self._x, self._total, self._words["xlabel"], spent)

    def _now(self) -> str:
        """The last number of each curve."""
        return ", ".join(f"{name} {ys[-1]:.4g}" for name, (_, ys) in self.points.items())

    def _alt(self) -> str:
        """The figure in one line."""
        axes = f"{self._words['ylabel']} against {self._words['xlabel']}"
        return "; ".join(repr(self).split("\n")) + f". Lines: {axes}."
