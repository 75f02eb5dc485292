"""What an exercise's tests say: each helper checks one claim and explains what went wrong.

A failed claim carries ``expected``, ``yours`` and ``where`` (which robot, which step), so that the
card in the notebook can show them. Python numbers, NumPy scalars, 0-d arrays and tensors are all
accepted where one number is meant: values are compared, never their text.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class ClaimFailed(AssertionError):
    """An answer that is wrong, and what the learner should know about it."""

    def __init__(
        self, message: str, *, expected: Any = None, yours: Any = None, where: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = _shown(expected)
        self.yours = _shown(yours)
        self.where = where

    def __str__(self) -> str:
        lines = [self.message]
        for name in ("where", "expected", "yours"):
            if getattr(self, name):
                lines.append(f"  {name + ':':<10}{getattr(self, name)}")
        return "\n".join(lines)


def that(condition: Any, message: str, **details: Any) -> None:
    """Claim that something holds.

    Args:
        condition: A truth value; 0-d arrays and tensors too.
        message: What it means if it does not; names the misconception.
        **details: ``expected``, ``yours`` and ``where``.
    """
    if not bool(condition):
        raise ClaimFailed(message, **details)


def equal(yours: Any, expected: Any, message: str, *, where: str = "") -> None:
    """Claim that two values are equal: numbers, strings, sequences or arrays (shape first)."""
    same = _same_shape(yours, expected, message, where)
    if not (same and bool(np.all(np.asarray(yours) == np.asarray(expected)))):
        raise ClaimFailed(message, expected=expected, yours=yours, where=where)


def close(
    yours: Any, expected: Any, message: str, *, where: str = "", tolerance: float = 1e-6
) -> None:
    """Claim that numbers or arrays agree within ``tolerance`` (absolute and relative)."""
    same = _same_shape(yours, expected, message, where)
    try:
        agree = same and np.allclose(_plain(yours), _plain(expected), tolerance, tolerance)
    except (TypeError, ValueError):
        agree = False
    if not agree:
        raise ClaimFailed(message, expected=expected, yours=yours, where=where)


def array_like(yours: Any, shape: tuple[int, ...], dtype: Any, *, where: str = "") -> None:
    """Claim that a value is a NumPy array of exactly this shape and dtype."""
    expected = f"array of shape {shape} and dtype {np.dtype(dtype)}"
    if not isinstance(yours, np.ndarray):
        raise ClaimFailed(
            "a NumPy array is wanted here",
            expected=expected,
            yours=type(yours).__name__,
            where=where,
        )
    got = f"array of shape {yours.shape} and dtype {yours.dtype}"
    if yours.shape != shape:
        raise ClaimFailed("the array's shape is wrong", expected=expected, yours=got, where=where)
    if yours.dtype != np.dtype(dtype):
        raise ClaimFailed("the array's dtype is wrong", expected=expected, yours=got, where=where)


def instance(yours: Any, kinds: type | tuple[type, ...], message: str, *, where: str = "") -> None:
    """Claim that a value is of one of these types."""
    if not isinstance(yours, kinds):
        names = kinds if isinstance(kinds, tuple) else (kinds,)
        raise ClaimFailed(
            message,
            expected=" or ".join(kind.__name__ for kind in names),
            yours=type(yours).__name__,
            where=where,
        )


def _plain(value: Any) -> Any:
    """Numbers as a float64 array, whatever holds them."""
    return np.asarray(value, dtype=np.float64)


def _same_shape(yours: Any, expected: Any, message: str, where: str) -> bool:
    """Whether the shapes agree; ``None`` and the untouched stub's leftovers are named as such."""
    if yours is None and expected is not None:
        raise ClaimFailed(
            f"{message} (your code returned None: is a return missing?)",
            expected=expected,
            yours="None",
            where=where,
        )
    try:
        return np.shape(yours) == np.shape(expected)
    except ValueError:  # ragged: no array at all
        return False


def _plain_python(value: Any) -> Any:
    """NumPy's numbers as Python's, in lists, tuples and dictionaries too: they read better."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(_plain_python(part) for part in value)
    if type(value) is dict:
        return {_plain_python(k): _plain_python(v) for k, v in value.items()}
    return value


def _shown(value: Any) -> str:
    """A value as one short text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    value = _plain_python(value)
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=6, threshold=24, separator=", ")
    if isinstance(value, float):
        return f"{value:.10g}"
    text = repr(value)
    return text if len(text) <= 300 else text[:297] + "..."
