"""Checks of arguments that the scalar and the vector environments share."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

import numpy as np

from burgerbot.world.rules import Rewards


def four_rewards(rewards: Sequence[float]) -> Rewards:
    """Check the four rewards."""
    values = tuple(float(value) for value in rewards)
    if len(values) != 4 or not np.isfinite(values).all():
        raise ValueError(
            f"rewards: expected 4 finite numbers (idle, moved, crashed, delivered), got {rewards!r}"
        )
    return Rewards(*values)


def fraction(name: str, value: float) -> float:
    """Check a number between 0 and 1."""
    if not (isinstance(value, Real) and 0.0 <= value <= 1.0):
        raise ValueError(f"{name}: expected a number from 0 to 1, got {value!r}")
    return float(value)


def known_render_mode(mode: str | None, known: list[str]) -> str | None:
    """Check the render mode; a window is not offered."""
    if mode == "human":
        raise ValueError(
            "render_mode 'human' would open a window, and BurgerBot has none: use 'rgb_array' "
            "(an array, shown by matplotlib) or 'ansi' (text)"
        )
    if mode is not None and mode not in known:
        raise ValueError(f"render_mode: expected None or one of {known}, got {mode!r}")
    return mode
