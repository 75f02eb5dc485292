"""The exact optimum, by dynamic programming on the compiled tables.

Whatever is learned in this course is reported as a percentage of what these functions return.
S states, A = 4 actions; time limits are ignored except in ``finite_horizon``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from burgerbot.learn.gain import gain_and_bias as gain_and_bias  # the average reward
from burgerbot.learn.gain import relative_value_iteration as relative_value_iteration
from burgerbot.learn.gain import stationary_distribution as stationary_distribution
from burgerbot.learn.process import Endless as Endless
from burgerbot.learn.process import Model as Model
from burgerbot.learn.process import endless as endless
from burgerbot.world import rules as world
from burgerbot.world.rules import CRASHED, DELIVERED, FORWARD, Rules


def model(
    rules: Rules,
    rewards: Sequence[float],
    *,
    slip: float = 0.0,
    shaping: float = 0.0,
    gamma: float = 0.97,
) -> Model:
    """Unpack compiled rules into a model.

    Args:
        rules: A compiled kitchen; in an endless one nothing terminates.
        rewards: What idle, moved, crashed and delivered pay.
        slip: Probability of sliding forward, 0 to 1.
        shaping, gamma: Coefficient and discount of the potential (see ``BurgerBotEnv``).

    Returns:
        Model: ``[S, 4]`` arrays.

    Raises:
        ValueError: Not four finite rewards, or a slip that is no probability.
    """
    paid = np.asarray(rewards, dtype=np.float64)
    if paid.shape != (4,) or not np.isfinite(paid).all():
        raise ValueError(f"rewards: expected 4 finite numbers, got {rewards!r}")
    if not 0.0 <= slip <= 1.0:
        raise ValueError(f"slip: expected a number from 0 to 1, got {slip!r}")
    states = np.arange(rules.num_states)[:, None]
    after, outcome = world.step(rules.table, states, np.arange(4)[None, :])
    terminated = (outcome >= CRASHED) & (not rules.endless)
    potential = -shaping * rules.distance
    shaped = gamma * np.where(terminated, 0.0, potential[after]) - potential[states]
    return Model(after, paid[outcome] + shaped, terminated, slip)


def value_iteration(
    model: Model, gamma: float, *, tolerance: float = 1e-10
) -> tuple[np.ndarray, np.ndarray]:
    """Find the best discounted value of every state.

    ``v[s] <- max_a q[s, a]`` until no value moves by more than ``tolerance``.

    Args:
        model: The decision process.
        gamma: Discount, 0 <= gamma < 1.
        tolerance: Largest change of the last sweep, above 0.

    Returns:
        ``(values [S], action_values [S, 4])``, float64; ``action_values.argmax(1)`` is optimal.

    Raises:
        ValueError: A discount that does not make the iteration contract, a tolerance that no sweep
            can reach, or a model whose rewards are not finite.

    Source: Bellman (1957); Sutton and Barto (2018), equation 4.10.
    """
    _check_discount(gamma)
    if not tolerance > 0.0:
        raise ValueError(f"tolerance: expected a number above 0, got {tolerance!r}")
    if not np.isfinite(model.reward).all():
        raise ValueError("model: expected finite rewards, got some that are not")
    values = np.zeros(len(model.reward))
    while True:
        q = model.action_values(values, gamma)
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, model.action_values(values, gamma)


def policy_evaluation(model: Model, policy: np.ndarray, gamma: float) -> np.ndarray:
    """Solve for the discounted value of a policy, exactly.

    ``v = r_pi + gamma * P_pi v``, one linear system.

    Args:
        model: The decision process.
        policy: int ``[S]`` (the action of each state) or float ``[S, 4]`` (its probabilities).
        gamma: Discount, 0 <= gamma < 1.

    Returns:
        float64 ``[S]``.

    Raises:
        ValueError: A discount out of range, or a policy of another shape.

    Source: Sutton and Barto (2018), equation 4.4.
    """
    _check_discount(gamma)
    n = len(model.reward)
    probability = _probabilities(np.asarray(policy), n)
    executed = (1 - model.slip) * probability
    executed[:, FORWARD] += model.slip
    transition = np.zeros((n, n))
    weight = np.where(model.terminated, 0.0, executed)
    np.add.at(transition, (np.arange(n)[:, None], model.next_state), weight)
    reward = (executed * model.reward).sum(axis=1)
    return np.linalg.solve(np.eye(n) - gamma * transition, reward)


def finite_horizon(model: Model, horizon: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the best undiscounted return within ``horizon`` steps, from every state.

    Returns:
        ``(values [horizon + 1, S], policy [horizon, S])``: ``values[k]`` is the best return with
        ``k`` steps left, and ``policy[k]`` the action to take with ``k + 1`` steps left.

    Raises:
        ValueError: A horizon below 0.
    """
    if horizon < 0:
        raise ValueError(f"horizon: expected 0 or more steps, got {horizon}")
    values = np.zeros((horizon + 1, len(model.reward)))
    policy = np.zeros((horizon, len(model.reward)), dtype=np.int64)
    for left in range(horizon):
        q = model.action_values(values[left], 1.0)
        values[left + 1], policy[left] = q.max(axis=1), q.argmax(axis=1)
    return values, policy


def rollout(
    model: Model, policy: np.ndarray, start: int, horizon: int
) -> tuple[list[int], list[float]]:
    """Follow a policy from ``start`` without sliding, for at most ``horizon`` steps.

    Args:
        model: The decision process.
        policy: int ``[S]``, or ``[horizon, S]`` as ``finite_horizon`` returns it (row ``k`` is
            used with ``k + 1`` steps left).
        start: First state.
        horizon: Most steps taken.

    Returns:
        ``(states, rewards)``: the states visited, the first included, and each step's reward.
    """
    states, rewards = [start], []
    for t in range(horizon):
        row = policy if policy.ndim == 1 else policy[horizon - 1 - t]
        action = row[states[-1]]
        rewards.append(float(model.reward[states[-1], action]))
        ended = model.terminated[states[-1], action]
        states.append(int(model.next_state[states[-1], action]))
        if ended:
            break
    return states, rewards


def delivery_length(rules: Rules, start: int | None = None) -> int:
    """Count the fewest steps (moves and turns) of a delivery, sliding left out.

    Args:
        rules: A compiled kitchen.
        start: The first state; the kitchen's start if left out.

    Raises:
        ValueError: No delivery is possible from there.

    >>> from burgerbot.world.kitchen import CLASSIC
    >>> delivery_length(world.compile_kitchen(CLASSIC))
    14
    """
    first = rules.start if start is None else int(start)
    steps = {first: 0}
    queue = deque([first])
    while queue:
        state = queue.popleft()
        for action in range(4):
            after, outcome = world.step(rules.table, state, action)
            if outcome == DELIVERED:
                return steps[state] + 1
            if outcome != CRASHED and int(after) not in steps:
                steps[int(after)] = steps[state] + 1
                queue.append(int(after))
    raise ValueError(f"no delivery is possible from state {first}")


def _probabilities(policy: np.ndarray, n: int) -> np.ndarray:
    """A policy as probabilities ``[S, 4]``."""
    if policy.shape == (n,):
        return np.eye(4)[policy]
    if policy.shape == (n, 4):
        return policy.astype(float)
    raise ValueError(f"policy: expected shape ({n},) or ({n}, 4), got {policy.shape}")


def _check_discount(gamma: float) -> None:
    """Refuse a discount under which values may not be finite."""
    if not 0.0 <= gamma < 1.0:
        raise ValueError(f"gamma: expected 0 <= gamma < 1, got {gamma!r}")
