"""Checks of arguments that the modules of this part share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real


def cost(name: str, value: float) -> float:
    """Check a cost: a finite number of 0 or more."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not (number and 0.0 <= value < math.inf):
        raise ValueError(f"{name}: expected a finite number of 0 or more, got {value!r}")
    return float(value)


def count(name: str, value: int) -> int:
    """Check a count: a whole number of 1 or more."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}: expected a whole number of 1 or more, got {value!r}")
    return int(value)


def one_of(name: str, value: str, known: Sequence[str]) -> str:
    """Check a name."""
    if value not in known:
        raise ValueError(f"{name}: expected one of {', '.join(known)}, got {value!r}")
    return value
