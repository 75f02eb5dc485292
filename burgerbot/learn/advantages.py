"""How good each step of a rollout was: generalized advantage estimation (GAE)."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def gae(
    rewards: Any,
    values: Any,
    next_values: Any,
    terminated: Any,
    truncated: Any,
    *,
    gamma: float,
    lam: float,
    valid: Any = None,
) -> tuple[Any, Any]:
    """Say how much better each step was than expected: generalized advantage estimation.

    ``delta[t] = rewards[t] + gamma * (1 - terminated[t]) * next_values[t] - values[t]``
    ``A[t] = delta[t] + gamma * lam * (1 - (terminated | truncated)[t]) * A[t + 1]``

    A termination takes the future away; a truncation only ends the sum. Where both flags are set,
    termination wins. All arguments are arrays, or all are tensors on one device, ``[T, N]``.

    Args:
        rewards: float: what each step paid.
        values: float: V of the observation before the step.
        next_values: float: V of the true next observation, the episode's last one where one ends.
        terminated, truncated: bool: the flags of the step.
        gamma: Discount, 0 to 1.
        lam: Lambda, 0 (one-step errors) to 1 (whole returns).
        valid: bool: False for reset rows, which get advantage 0 and return ``values``; None for
            none. Leave them out of every mean, loss and count.

    Returns:
        ``(advantages, returns)``, ``[T, N]``, in the dtype of ``values`` (float64 if that is an
        integer one), without a graph; ``returns = advantages + values``.

    Raises:
        ValueError: Shapes that differ or are not ``[T, N]``, or a factor out of range.
        TypeError: Flags that are not bool, or arrays mixed with tensors.

    Source: Schulman and others (2016), "High-dimensional continuous control using generalized
    advantage estimation", equation 16.

    >>> r, v, later = np.array([[1.0], [1.0]]), np.array([[1.0], [2.0]]), np.array([[2.0], [3.0]])
    >>> no, end = np.array([[False], [False]]), np.array([[False], [True]])
    >>> gae(r, v, later, end, no, gamma=0.5, lam=0.5)[0].ravel().tolist()
    [0.75, -1.0]
    """
    for name, factor in (("gamma", gamma), ("lam", lam)):
        if not 0.0 <= factor <= 1.0:
            raise ValueError(f"{name}: expected a number from 0 to 1, got {factor!r}")
    numbers = {"rewards": rewards, "values": values, "next_values": next_values}
    flags = {"terminated": terminated, "truncated": truncated}
    if valid is not None:
        flags["valid"] = valid
    xp, arrays = _alike(numbers, flags)
    rewards, values, next_values, terminated, truncated, *mask = arrays

    zero = xp.zeros_like(values)
    delta = rewards + gamma * xp.where(terminated, zero, next_values) - values
    trace = xp.where(terminated | truncated, zero, zero + gamma * lam)
    if mask:  # a reset row is worth nothing, and nothing passes through it
        delta, trace = xp.where(mask[0], delta, zero), xp.where(mask[0], trace, zero)
    advantages, later = xp.zeros_like(values), zero[0]
    for t in reversed(range(len(delta))):
        later = advantages[t] = delta[t] + trace[t] * later
    return advantages, advantages + values


def _alike(numbers: dict[str, Any], flags: dict[str, Any]) -> tuple[Any, list[Any]]:
    """NumPy or torch, and the arguments in one float dtype, bool flags, and one shape [T, N]."""
    given = numbers | flags
    torch: Any = sys.modules.get("torch")  # whoever holds a tensor has imported it
    tensors = [torch is not None and isinstance(array, torch.Tensor) for array in given.values()]
    if any(tensors) and not all(tensors):
        odd = [name for name, is_tensor in zip(given, tensors, strict=True) if not is_tensor]
        raise TypeError(f"expected arrays or tensors throughout, got tensors, but not for {odd}")
    xp: Any = torch if any(tensors) else np
    arrays = {n: a.detach() if xp is torch else np.asarray(a) for n, a in given.items()}
    shape = tuple(arrays["rewards"].shape)
    if len(shape) != 2 or not shape[0]:
        raise ValueError(f"rewards: expected shape (T, N), 1 step or more, got {shape}")
    for name, array in arrays.items():
        if tuple(array.shape) != shape:
            raise ValueError(f"{name}: expected shape {shape}, got {tuple(array.shape)}")
        if name in flags and array.dtype != (torch.bool if xp is torch else np.bool_):
            raise TypeError(f"{name}: expected bool, got {array.dtype}")
    dtype: Any = arrays["values"].dtype
    if not (dtype.is_floating_point if xp is torch else dtype.kind == "f"):
        dtype = xp.float64
    cast = "to" if xp is torch else "astype"
    return xp, [getattr(arrays[n], cast)(dtype) if n in numbers else arrays[n] for n in arrays]
