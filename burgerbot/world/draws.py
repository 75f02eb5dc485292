"""Random draws that are pure functions: stream ``key``, draw number ``counter``.

One robot, an array of them and a tensor on a device compute the same number from the same key and
counter, so every backend slides and starts alike, draw for draw, whatever runs beside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def stream(seed: Any) -> Any:
    """The key of a seed's stream: uint64 as int or array; neighbouring seeds share nothing.

    >>> stream(0) != stream(1)
    True
    """
    return _mix((_unbounded(seed) + GOLDEN) & WORD)


def uniform(key: Any, counter: Any) -> Any:
    """Draw number ``counter`` of stream ``key``, uniform in [0, 1).

    ``uniform(key, n) = mix(key + (n + 1) * golden) / 2**64``, cut to 53 bits

    Args:
        key: int, or uint64 ``[N]``.
        counter: int, or uint64 ``[N]``, from 0.

    Returns:
        float, or float64 ``[N]``.

    Source: SplitMix64, Steele, Lea and Flood (2014), "Fast splittable pseudorandom number
    generators".
    """
    word = _mix((_unbounded(key) + (_unbounded(counter) + 1) * GOLDEN) & WORD)
    return (word >> 11) * 2.0**-53


def _unbounded(word: Any) -> Any:
    """A NumPy scalar as a Python int, which does not overflow; arrays wrap around by themselves."""
    return int(word) if isinstance(word, np.integer) else word


def _mix(word: Any) -> Any:
    """Scramble 64 bits; the masks matter to Python's unbounded ints only."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)
