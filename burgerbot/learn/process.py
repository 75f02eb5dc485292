"""Decision processes as arrays: what ``oracle`` computes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from burgerbot.world.rules import FORWARD


@dataclass(frozen=True, eq=False)
class Model:
    """A decision process whose slip is the only chance in it.

    Attributes:
        next_state: int ``[S, A]``: where the action leads if the robot does not slide.
        reward: float64 ``[S, A]``: what that pays.
        terminated: bool ``[S, A]``: whether it ends the episode.
        slip: Probability that the action becomes ``forward``.
    """

    next_state: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    slip: float = 0.0

    def action_values(self, values: np.ndarray, gamma: float) -> np.ndarray:
        """Q ``[S, A]`` of acting once and then being worth ``values`` ``[S]``.

        ``q[s, a] = reward[s, a] + gamma * (1 - terminated[s, a]) * values[next_state[s, a]]``
        """
        later = np.where(self.terminated, 0.0, values[self.next_state])
        q = self.reward + gamma * later
        return (1 - self.slip) * q + self.slip * q[:, [FORWARD]]


@dataclass(frozen=True, eq=False)
class Endless:
    """A decision process that never ends, with any chance in it.

    Attributes:
        transition: float64 ``[S, A, S]``: probabilities of the next state; each row sums to 1.
        reward: float64 ``[S, A]``: expected reward of the action.

    Raises:
        ValueError: Another shape, rows that are no probabilities, or rewards that are not finite.
    """

    transition: np.ndarray
    reward: np.ndarray

    def __post_init__(self) -> None:
        shape = np.shape(self.reward)
        if len(shape) != 2 or np.shape(self.transition) != (*shape, shape[0]):
            raise ValueError(
                "expected transition [S, A, S] and reward [S, A], got shapes "
                f"{np.shape(self.transition)} and {shape}"
            )
        if not np.isfinite(self.reward).all():
            raise ValueError("reward: expected finite numbers, got some that are not")
        sums = np.sum(self.transition, axis=2)
        if not (np.min(self.transition) >= 0 and np.allclose(sums, 1.0, rtol=0, atol=1e-9)):
            raise ValueError("transition: expected probabilities that sum to 1 over the last axis")


def endless(
    model: Model | Endless, start: int | None = None, *, reset_cost: float = 0.0
) -> Endless:
    """Let a model go on for ever: what would end an episode puts the robot back at ``start``.

    Args:
        model: A decision process; one that never ends is handed back as it is.
        start: The state that a reset leads to; needed if the model ends episodes.
        reset_cost: What a reset costs, on top of the reward of the step that led to it.

    Returns:
        Endless: S states and A actions, as many as the model has.

    Raises:
        ValueError: A model that ends episodes without a start, or a start that is no state.

    >>> corridor = Model(np.array([[1], [1]]), np.ones((2, 1)), np.array([[False], [True]]))
    >>> endless(corridor, start=0, reset_cost=5.0).reward.ravel().tolist()
    [1.0, -4.0]
    """
    states, actions = model.reward.shape
    if start is not None and not 0 <= start < states:
        raise ValueError(f"start: expected a state from 0 to {states - 1}, got {start!r}")
    if isinstance(model, Endless):
        return model
    if start is None and model.terminated.any():
        raise ValueError(
            "this model ends episodes, and the average reward is that of a shift that goes on: "
            "expected the state that a reset leads to, start=..., got None"
        )
    led_to = np.where(model.terminated, 0 if start is None else start, model.next_state)
    transition = np.zeros((states, actions, states))
    rows, columns = np.indices(led_to.shape)
    transition[rows, columns, led_to] = 1.0
    reward = model.reward - reset_cost * model.terminated
    slip = model.slip
    if slip:
        transition = (1 - slip) * transition + slip * transition[:, [FORWARD]]
        reward = (1 - slip) * reward + slip * reward[:, [FORWARD]]
    return Endless(transition, reward)
