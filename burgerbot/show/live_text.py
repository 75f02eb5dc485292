"""What the live curve says: how far the training is, and what its curves show."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite


def progress_text(x: float, total: float, unit: str, seconds: float) -> str:
    """How far a training is, and how long it may still take if it goes on as it did.

    Args:
        x: Where it is; beyond the total counts as the total.
        total: Where it ends.
        unit: What x counts.
        seconds: How long it took so far.

    >>> progress_text(2048, 4096, "transitions", 42.4)
    '2,048 of 4,096 transitions (50%), about 42 s left'
    """
    done = min(x, total)
    text = f"{number_text(done)} of {number_text(total)} {unit} ({int(100 * done / total)}%)"
    if 0 < done < total:
        text += f", about {_duration(seconds * (total - done) / done)} left"
    return text


def curve_text(values: Sequence[float]) -> str:
    """A curve in four numbers.

    >>> curve_text([1.0, 3.5, 2.0])
    'first 1, lowest 1, highest 3.5, last 2'
    """
    finite = [value for value in values if isfinite(value)]
    if not finite:
        return "no finite number"
    four = {"first": values[0], "lowest": min(finite), "highest": max(finite), "last": values[-1]}
    return ", ".join(f"{name} {value:.4g}" for name, value in four.items())


def number_text(value: float) -> str:
    """A number as a reader says it.

    >>> number_text(400_000.0), number_text(0.25)
    ('400,000', '0.25')
    """
    return f"{value:,.10g}"


def _duration(seconds: float) -> str:
    """Seconds in words, as exact as an estimate is.

    >>> [_duration(seconds) for seconds in (0.2, 42.4, 90, 7300)]
    ['1 s', '42 s', '1 min 30 s', '121 min']
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min" + (f" {whole % 60} s" if whole < 600 else "")
