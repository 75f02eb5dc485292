"""Exact average reward: what a policy earns per step of a shift that never ends.

The average reward is called the gain here, and rho where it is estimated. S states, A actions.
"""

from __future__ import annotations

import numpy as np

from burgerbot.learn.process import Endless, Model, endless


def relative_value_iteration(
    model: Model | Endless,
    *,
    start: int | None = None,
    reset_cost: float = 0.0,
    tau: float = 0.5,
    tolerance: float = 1e-10,
    sweeps: int = 100_000,
) -> tuple[float, np.ndarray, np.ndarray]:
    """Find the best average reward, and how much better than average each state begins.

    ``h[s] <- (1 - tau) * h[s] + tau * max_a (reward[s, a] + sum_s' P[s, a, s'] * h[s'])``, then
    the same number is taken from all h, so that ``h[start]`` stays 0. In every sweep each h grows
    by ``tau`` times the gain, once the differences between them have settled. With ``tau`` below
    1 the process waits now and then, which breaks a period; the gain is divided by it again.

    Args:
        model: A decision process.
        start: The state that a reset leads to (needed if the model ends episodes) and whose bias
            is 0; state 0 if left out.
        reset_cost: What a reset costs, on top of the reward of its step.
        tau: Share of the new value in each sweep, above 0; at 1 the iteration is plain.
        tolerance: Largest difference between the changes of two states in the last sweep.
        sweeps: Give up after so many.

    Returns:
        ``(gain, bias [S], action_values [S, A])``: ``action_values.max(1) == bias``, and
        ``action_values.argmax(1)`` is an optimal policy.

    Raises:
        ValueError: An argument out of range, or a model that ends episodes without a start.
        RuntimeError: Not settled within ``sweeps``.

    Source: Puterman (1994), "Markov Decision Processes", sections 8.5.4 and 8.5.5.

    >>> two_step_cycle = Endless(np.array([[[0.0, 1.0]], [[1.0, 0.0]]]), np.array([[0.0], [1.0]]))
    >>> gain, bias, _ = relative_value_iteration(two_step_cycle)
    >>> round(gain, 6), bias.round(6).tolist()
    (0.5, [0.0, 0.5])
    """
    if not 0.0 < tau <= 1.0:
        raise ValueError(f"tau: expected a number above 0, up to 1, got {tau!r}")
    if not tolerance > 0.0:
        raise ValueError(f"tolerance: expected a number above 0, got {tolerance!r}")
    process = endless(model, start, reset_cost=reset_cost)
    zero = 0 if start is None else start
    bias, spread = np.zeros(len(process.reward)), np.inf
    for _ in range(sweeps):
        change = tau * (_action_values(process, bias).max(axis=1) - bias)
        spread = np.ptp(change)
        if spread <= tau * tolerance:
            gain = float(change.max() + change.min()) / 2 / tau
            return gain, bias, _action_values(process, bias) - gain
        bias = bias + change
        bias -= bias[zero]
    raise RuntimeError(
        f"not settled after {sweeps} sweeps with tau={tau}: the changes of two states still "
        f"differ by {spread:.3g}. A process that comes back in a fixed rhythm never settles with "
        "tau=1: take one below 1. One whose parts cannot reach each other has no single gain"
    )


def stationary_distribution(
    model: Model | Endless, policy: np.ndarray, *, start: int | None = None
) -> np.ndarray:
    """Find the share of its steps that a policy spends in each state, in the long run.

    ``share[s'] = sum_s share[s] * P_pi[s, s']``. Where a period keeps the probabilities from
    settling, their average over time still does.

    Args:
        model: A decision process.
        policy: int ``[S]`` (the action of each state) or float ``[S, A]`` (its probabilities).
        start: Where the robot begins and resets lead. Needed if the model ends episodes, or if
            there are several sets of states that the policy never leaves once inside (recurrent
            classes): then the start decides where it ends up.

    Returns:
        float64 ``[S]``, which sums to 1.

    Raises:
        ValueError: A policy of another shape, or a start that is needed and not given.

    Source: Puterman (1994), appendix A.

    >>> stay_or_leave = np.array([[[0.5, 0.5]], [[1.0, 0.0]]])
    >>> process = Endless(stay_or_leave, np.zeros((2, 1)))
    >>> stationary_distribution(process, np.array([0, 0])).round(3).tolist()
    [0.667, 0.333]
    """
    transition, _ = _chain(endless(model, start), policy)
    return _limit(transition, start)[0 if start is None else start]


def gain_and_bias(
    model: Model | Endless,
    policy: np.ndarray,
    *,
    start: int | None = None,
    reset_cost: float = 0.0,
) -> tuple[float, np.ndarray]:
    """Find what a policy earns per step, and how much better than average each state begins.

    ``gain + bias[s] = r_pi[s] + sum_s' P_pi[s, s'] * bias[s']``, and the mean of the bias over
    the stationary distribution is 0. (With several recurrent classes, each state has the gain
    that it leads to in that equation; the one returned is the start's.)

    Args:
        model, policy, start: As ``stationary_distribution`` takes them.
        reset_cost: What a reset costs, on top of the reward of its step.

    Returns:
        ``(gain, bias [S])``.

    Raises:
        ValueError: As ``stationary_distribution``.

    Source: Puterman (1994), theorem 8.2.6 and appendix A.5.

    >>> two_step_cycle = Endless(np.array([[[0.0, 1.0]], [[1.0, 0.0]]]), np.array([[0.0], [1.0]]))
    >>> gain, bias = gain_and_bias(two_step_cycle, np.array([0, 0]))
    >>> round(gain, 6), bias.round(6).tolist()
    (0.5, [-0.25, 0.25])
    """
    transition, reward = _chain(endless(model, start, reset_cost=reset_cost), policy)
    limit = _limit(transition, start)
    gains = limit @ reward
    bias = np.linalg.solve(np.eye(len(reward)) - transition + limit, reward - gains)
    return float(gains[0 if start is None else start]), bias


def _action_values(process: Endless, bias: np.ndarray) -> np.ndarray:
    """Reward and what follows, ``[S, A]``."""
    return np.asarray(process.reward + process.transition @ bias)


def _chain(process: Endless, policy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a policy makes of a process: transition ``[S, S]`` and reward ``[S]``."""
    policy, (n, actions) = np.asarray(policy), process.reward.shape
    if policy.shape == (n,) and policy.dtype.kind in "iu":
        policy = np.eye(actions)[policy]
    if policy.shape != (n, actions):
        raise ValueError(
            f"policy: expected int of shape ({n},) or float of shape ({n}, {actions}), "
            f"got {policy.dtype} of shape {policy.shape}"
        )
    transition = np.einsum("sa,sat->st", policy, process.transition)
    return transition, (policy * process.reward).sum(axis=1)


def _limit(transition: np.ndarray, start: int | None) -> np.ndarray:
    """The share of time ``[S, S]`` spent in each state (column), from each state (row)."""
    n = len(transition)
    reaches = _reachable(transition > 0)
    recurrent = (reaches <= reaches.T).all(axis=1)  # wherever it leads, there is a way back
    classes = np.unique(reaches[recurrent], axis=0)
    if start is None and len(classes) > 1:
        shown = ", ".join(str(np.flatnonzero(row).tolist()[:4]) for row in classes[:4])
        raise ValueError(
            f"policy: the states that it never leaves fall into {len(classes)} classes "
            f"({shown} ...), so that the average depends on where it begins: "
            "expected start=..., got None"
        )
    inside, ending = np.zeros((len(classes), n)), np.zeros((n, len(classes)))
    for k, members in enumerate(classes):
        inside[k, members] = _stationary(transition[np.ix_(members, members)])
        ending[members, k] = 1.0
    passing = ~recurrent
    if passing.any():
        stay = transition[np.ix_(passing, passing)]
        leave = transition[passing] @ ending
        ending[passing] = np.linalg.solve(np.eye(len(stay)) - stay, leave)
    return ending @ inside


def _stationary(transition: np.ndarray) -> np.ndarray:
    """The stationary distribution of a chain whose states all reach each other."""
    n = len(transition)
    equations = np.vstack([transition.T - np.eye(n), np.ones(n)])
    return np.linalg.lstsq(equations, np.append(np.zeros(n), 1.0), rcond=None)[0]


def _reachable(step: np.ndarray) -> np.ndarray:
    """Which state leads to which in any number of steps, bool ``[S, S]``."""
    reaches = step | np.eye(len(step), dtype=bool)
    while True:
        further = (reaches.astype(np.float32) @ reaches.astype(np.float32)) > 0
        if (further == reaches).all():
            return reaches
        reaches = further
