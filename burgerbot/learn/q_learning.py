"""Q-learning on a table, off-policy: it may learn from whatever anybody did, however long ago."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from burgerbot.learn.rollout import Rollout

#: What a transition needs to be learned from.
FIELDS = ("observations", "actions", "rewards", "terminated", "next_observations")


class QTable:
    """One value for each observation and action, moved towards one-step targets.

    ``error = r + gamma * (1 - terminated) * max_a Q(s', a) - Q(s, a);  Q(s, a) += rate * error``

    Args:
        nvec: How many values each number of an observation has, as ``MultiDiscrete.nvec``.
        num_actions: A.
        gamma: Discount, 0 to 1.
        rate: Step size, above 0 to 1.

    Attributes:
        table: float64 ``[S, A]``, from 0.

    Raises:
        ValueError: A number out of range.

    >>> q = QTable([2, 3], num_actions=2, gamma=0.5, rate=1.0)
    >>> rows = {"observations": [[1, 2]], "actions": [0], "rewards": [4.0], "terminated": [False]}
    >>> q.learn(rows | {"next_observations": [[0, 0]]}).tolist()
    [4.0]
    >>> q(np.array([[1, 2]])).tolist()
    [[4.0, 0.0]]

    Source: Watkins and Dayan (1992), "Q-learning".
    """

    def __init__(
        self, nvec: Sequence[int], num_actions: int = 4, *, gamma: float = 0.97, rate: float = 0.5
    ) -> None:
        if not 0.0 <= gamma <= 1.0:
            raise ValueError(f"gamma: expected a number from 0 to 1, got {gamma!r}")
        if not 0.0 < rate <= 1.0:
            raise ValueError(f"rate: expected a number above 0, to 1, got {rate!r}")
        self.nvec = tuple(int(n) for n in nvec)
        self.gamma, self.rate = float(gamma), float(rate)
        self.table = np.zeros((int(np.prod(self.nvec)), num_actions))

    def __call__(self, observations: Any) -> np.ndarray:
        """Values of all actions, float64 ``[B, A]``, for observations ``[B, len(nvec)]``."""
        return np.asarray(self.table[self._index(observations)])

    def act(
        self, observations: Any, rng: np.random.Generator, epsilon: float | np.ndarray = 0.0
    ) -> np.ndarray:
        """The best actions, int64 ``[B]``; with probability ``epsilon`` (or ``[B]``) any one."""
        best = self(observations).argmax(axis=1)
        anything = rng.integers(self.table.shape[1], size=len(best))
        return np.where(rng.random(len(best)) < epsilon, anything, best)

    def errors(self, rows: Mapping[str, Any]) -> np.ndarray:
        """How far each transition's target lies from its value, float64 ``[B]``.

        Args:
            rows: ``FIELDS`` -> arrays ``[B, ...]``, as ``transitions`` gives them.
        """
        later = self(rows["next_observations"]).max(axis=1)
        target = np.asarray(rows["rewards"]) + self.gamma * np.where(rows["terminated"], 0.0, later)
        return np.asarray(target - self.table[self._entries(rows)])

    def learn(self, rows: Mapping[str, Any], weights: Any = 1.0) -> np.ndarray:
        """Move the values of B transitions towards their targets.

        Transitions of one observation and action move it by the mean of what each asks for.

        Args:
            rows: As in ``errors``.
            weights: What each counts, ``[B]``.

        Returns:
            The errors before the move, float64 ``[B]``.
        """
        errors, entries = self.errors(rows), self._entries(rows)
        total, count = np.zeros((2, *self.table.shape))
        np.add.at(total, entries, errors * weights)
        np.add.at(count, entries, 1.0)
        self.table += self.rate * total / np.maximum(count, 1.0)
        return errors

    def _index(self, observations: Any) -> np.ndarray:
        """The row of each observation."""
        columns = tuple(np.moveaxis(np.asarray(observations), -1, 0))
        return np.ravel_multi_index(columns, self.nvec)

    def _entries(self, rows: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each transition's value."""
        return self._index(rows["observations"]), np.asarray(rows["actions"])


def transitions(rollout: Rollout) -> dict[str, np.ndarray]:
    """The valid rows of a rollout, flat: ``FIELDS`` -> arrays ``[B, ...]``, copies.

    A truncated step is kept: its next observation is the episode's last, and is worth something.
    """
    return {name: getattr(rollout, name)[rollout.valid] for name in FIELDS}


def explorers(count: int, *, base: float = 0.4, alpha: float = 7.0) -> np.ndarray:
    """How often each of N robots does something at random: ``base^(1 + i / (N - 1) * alpha)``.

    Some try out much and some nearly nothing, for ever, so that the replay always holds both.

    Returns:
        float64 ``[N]``, falling from ``base``.

    Source: Horgan and others (2018), section 4.1.

    >>> explorers(3, base=0.5, alpha=2.0).tolist()
    [0.5, 0.25, 0.125]
    """
    if count < 1:
        raise ValueError(f"count: expected 1 or more, got {count}")
    return np.asarray(base ** (1.0 + alpha * np.arange(count) / max(count - 1, 1)))
