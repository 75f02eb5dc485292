"""Returns and advantages from steps that an older policy took: V-trace."""

from __future__ import annotations

import math
from typing import Any

from burgerbot.learn.advantages import _alike


def vtrace(
    log_ratios: Any,
    rewards: Any,
    values: Any,
    next_values: Any,
    terminated: Any,
    truncated: Any,
    *,
    gamma: float,
    lam: float = 1.0,
    rho_bar: float = 1.0,
    c_bar: float = 1.0,
    valid: Any = None,
) -> tuple[Any, Any]:
    """Correct a rollout of the policy mu for the policy pi that learns from it now.

    ``rho[t] = min(rho_bar, pi / mu);  c[t] = lam * min(c_bar, pi / mu)``
    ``delta[t] = rho[t] * (rewards[t] + gamma * (1 - terminated[t]) * next_values[t] - values[t])``
    ``X[t] = delta[t] + gamma * c[t] * (1 - (terminated | truncated)[t]) * X[t + 1]``
    ``A[t] = rho[t] * (rewards[t] + gamma * (1 - terminated[t]) * next_values[t] - values[t]
    + gamma * lam * (1 - (terminated | truncated)[t]) * X[t + 1])``

    ``values + X`` is what the values should have been, and A weighs the policy gradient of pi.
    Where pi and mu are one, X and A are those of ``gae``; with lambda 1, ``values + X`` is then
    the n-step return up to the end of the rollout. All arguments are arrays, or all are tensors
    on one device, ``[T, N]``.

    Args:
        log_ratios: float: log pi - log mu of the action taken.
        rewards, values, next_values: float: as ``gae`` takes them, the values by pi's critic.
        terminated, truncated: bool: the flags of the step.
        gamma: Discount, 0 to 1.
        lam: Lambda, 0 to 1.
        rho_bar: Bound of the ratio on a step's own error, above 0; ``math.inf`` for none. It
            decides what the values converge to: with no bound, to those of pi.
        c_bar: Bound of the ratio on what later steps pass back, above 0. It decides how fast.
        valid: bool: False for reset rows, which get advantage 0 and return ``values``.

    Returns:
        ``(advantages, returns)``: A and ``values + X``, ``[T, N]``, in the dtype of ``values``
        (float64 if that is an integer one), without a graph.

    Raises:
        ValueError: Shapes that differ or are not ``[T, N]``, or a factor or bound out of range.
        TypeError: Flags that are not bool, or arrays mixed with tensors.

    Source: Espeholt and others (2018), "IMPALA: scalable distributed deep-RL with importance
    weighted actor-learner architectures", equation 1 and remarks 1 and 2.

    >>> import numpy as np
    >>> r, v, later = np.array([[1.0], [1.0]]), np.array([[1.0], [2.0]]), np.array([[2.0], [3.0]])
    >>> no, lr = np.array([[False], [False]]), np.log([[0.5], [4.0]])
    >>> vtrace(lr, r, v, later, no, no, gamma=0.5)[1].ravel().tolist()
    [1.625, 2.5]
    """
    for name, factor in (("gamma", gamma), ("lam", lam)):
        if not 0.0 <= factor <= 1.0:
            raise ValueError(f"{name}: expected a number from 0 to 1, got {factor!r}")
    for name, bound in (("rho_bar", rho_bar), ("c_bar", c_bar)):
        if not bound > 0.0:
            raise ValueError(f"{name}: expected a number above 0, got {bound!r}")
    numbers = {"rewards": rewards, "values": values, "next_values": next_values}
    numbers["log_ratios"] = log_ratios
    flags = {"terminated": terminated, "truncated": truncated}
    if valid is not None:
        flags["valid"] = valid
    xp, arrays = _alike(numbers, flags)
    rewards, values, next_values, log_ratios, terminated, truncated, *mask = arrays

    zero = xp.zeros_like(values)
    # Cut in the logarithm: no ratio overflows, whatever the two policies think of each other.
    rho = xp.exp(xp.clip(log_ratios, None, math.log(rho_bar)))
    c = lam * xp.exp(xp.clip(log_ratios, None, math.log(c_bar)))
    error = rewards + gamma * xp.where(terminated, zero, next_values) - values
    goes_on = xp.where(terminated | truncated, zero, zero + gamma)
    if mask:  # a reset row is worth nothing, and nothing passes through it
        error, goes_on = xp.where(mask[0], error, zero), xp.where(mask[0], goes_on, zero)
        rho, c = xp.where(mask[0], rho, zero), xp.where(mask[0], c, zero)
    advantages, excess, later = xp.zeros_like(values), xp.zeros_like(values), zero[0]
    for t in reversed(range(len(error))):
        passed = goes_on[t] * later
        advantages[t] = rho[t] * (error[t] + lam * passed)
        later = excess[t] = rho[t] * error[t] + c[t] * passed
    return advantages, values + excess
