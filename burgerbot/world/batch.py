"""Arguments of N robots at once: dealt out, checked, and named by robot where one is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def batch_actions(actions: Any, num_envs: int) -> np.ndarray:
    """The actions as int64 ``[N]``.

    Raises:
        TypeError, ValueError: Another dtype, shape or range; the first wrong robot is named.
    """
    array = np.asarray(actions)
    if array.shape != (num_envs,):
        raise ValueError(f"actions: expected shape ({num_envs},), got {array.shape}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions: expected integers from 0 to 3, got dtype {array.dtype}")
    array = array.astype(np.int64, copy=False)
    if (array & ~3).any():
        bad = int(np.flatnonzero(array & ~3)[0])
        raise ValueError(f"actions[{bad}]: expected 0, 1, 2 or 3, got {array[bad]}")
    return array


def seed_list(seed: int | Sequence[int | None] | None, num_envs: int) -> list[int | None]:
    """One seed a robot: s + i for an int s, None where a robot keeps its stream.

    Raises:
        ValueError: A list of another length.
    """
    if seed is None:
        return [None] * num_envs
    if isinstance(seed, (int, np.integer)):
        return [int(seed) + i for i in range(num_envs)]
    if len(seed) != num_envs:
        raise ValueError(f"seed: expected {num_envs} seeds, got {len(seed)}")
    return list(seed)


def spread(items: np.ndarray, num_envs: int, name: str) -> np.ndarray:
    """Deal K items to N robots: the first N / K robots get the first, and so on.

    Raises:
        ValueError: N is not a multiple of K.
    """
    if num_envs % len(items):
        raise ValueError(f"num_envs: expected a multiple of {len(items)} {name}, got {num_envs}")
    return items.repeat(num_envs // len(items))


def reset_mask(options: Any, num_envs: int) -> np.ndarray:
    """The mask of ``options``, checked as Gymnasium does; all True if there is none."""
    if options is None or "reset_mask" not in options:
        return np.ones(num_envs, dtype=bool)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        got = f"dtype {mask.dtype}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise TypeError(f"options['reset_mask']: expected a bool array, got {got}")
    if mask.shape != (num_envs,):
        raise ValueError(f"options['reset_mask']: expected shape ({num_envs},), got {mask.shape}")
    if not mask.any():
        raise ValueError("options['reset_mask']: expected at least one True, got none")
    return mask
