"""Prioritized experience replay: the transitions that surprised most are learned from most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class Sample(NamedTuple):
    """B transitions drawn from a replay.

    Attributes:
        rows: Name -> array ``[B, ...]``, copies.
        ids: int64 ``[B]``: which transitions they are, for ``refresh``.
        weights: float64 ``[B]``: what each counts in the loss, at most 1.
    """

    rows: dict[str, np.ndarray]
    ids: np.ndarray
    weights: np.ndarray


class PrioritizedReplay:
    """Keep the newest transitions, and draw each in proportion to a power of its priority.

    ``P(i) = p[i]^alpha / sum p^alpha;  w[i] = (size * P(i))^-beta / max w``

    The largest weight is that of the smallest priority in the whole replay, so that a weight does
    not depend on what else was drawn. Sums of ``p^alpha`` are kept in a binary tree, so that a draw
    and a change cost log2(capacity) additions, not capacity.

    Args:
        capacity: Transitions that fit; then the oldest make room.
        alpha: How much priorities matter, 0 (all alike) or more.
        floor: Added to every priority, above 0, so that none is never drawn.

    Raises:
        ValueError: A number out of range.

    >>> replay = PrioritizedReplay(4, alpha=1.0, floor=1e-9)
    >>> replay.add({"x": np.array([10, 20])}, [1.0, 3.0]).tolist()
    [0, 1]
    >>> replay.chances([0, 1]).round(3).tolist()
    [0.25, 0.75]
    >>> replay.weights([0, 1], beta=1.0).round(3).tolist()
    [1.0, 0.333]

    Source: Schaul and others (2016), "Prioritized experience replay", equation 1 and section 3.4;
    Horgan and others (2018), "Distributed prioritized experience replay" (Ape-X).
    """

    def __init__(self, capacity: int, *, alpha: float = 0.6, floor: float = 1e-6) -> None:
        if capacity < 1:
            raise ValueError(f"capacity: expected 1 or more, got {capacity}")
        if not 0.0 <= alpha < np.inf:
            raise ValueError(f"alpha: expected a finite number of 0 or more, got {alpha!r}")
        if not 0.0 < floor < np.inf:
            raise ValueError(f"floor: expected a finite number above 0, got {floor!r}")
        self.capacity, self.alpha, self.floor = int(capacity), float(alpha), float(floor)
        self.added = 0  # transitions ever; the id of the next one
        self._leaves = 1 << (self.capacity - 1).bit_length()
        self._sums = np.zeros(2 * self._leaves)  # node k has children 2k and 2k + 1; root 1
        self._rows: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        """Transitions kept now."""
        return min(self.added, self.capacity)

    def add(self, rows: Mapping[str, Any], priorities: Any) -> np.ndarray:
        """Take in transitions with the priorities that whoever made them worked out.

        Args:
            rows: Name -> array ``[B, ...]``; the same names, shapes and dtypes each time.
            priorities: ``[B]``, finite, 0 or more, such as absolute TD errors.

        Returns:
            int64 ``[B]``: their ids.

        Raises:
            ValueError: Other names or lengths, more rows than fit, or an impossible priority; the
                replay stays as it was.
        """
        arrays = {name: np.asarray(values) for name, values in rows.items()}
        powers = self._powers(priorities)
        if self._rows and arrays.keys() != self._rows.keys():
            raise ValueError(f"rows: expected {list(self._rows)}, got {list(arrays)}")
        for name, values in arrays.items():
            if values.shape[:1] != powers.shape:
                raise ValueError(f"rows[{name!r}]: expected {len(powers)} rows, got {values.shape}")
        if len(powers) > self.capacity:
            raise ValueError(f"rows: expected at most {self.capacity}, got {len(powers)}")
        if not self._rows:
            self._rows = {
                name: np.zeros((self.capacity, *values.shape[1:]), values.dtype)
                for name, values in arrays.items()
            }
        ids = np.arange(self.added, self.added + len(powers))
        for name, values in arrays.items():
            self._rows[name][ids % self.capacity] = values
        self._write(ids % self.capacity, powers)
        self.added += len(powers)
        return ids

    def sample(self, size: int, *, beta: float, rng: np.random.Generator) -> Sample:
        """Draw transitions, with replacement, one from each of B equal slices of the sum.

        Args:
            size: B.
            beta: How much of the skew the weights undo, 0 (nothing) to 1 (all of it).
            rng: Where the draws come from.

        Raises:
            ValueError: Nothing to draw from, or an argument out of range.
        """
        if size < 1 or not len(self):
            raise ValueError(f"sample: expected 1 or more of {len(self)} transitions, got {size}")
        marks = (np.arange(size) + rng.random(size)) / size * self._sums[1]
        places = self._find(marks)
        ids = places + (self.added - 1 - places) // self.capacity * self.capacity
        rows = {name: values[places] for name, values in self._rows.items()}
        return Sample(rows, ids, self.weights(ids, beta))

    def refresh(self, ids: Any, priorities: Any) -> int:
        """Give transitions new priorities; one named twice gets the last.

        Args:
            ids: ``[B]``, as ``sample`` gave them. What has been overwritten since is left out: its
                place belongs to another transition now.
            priorities: ``[B]``, as in ``add``.

        Returns:
            How many were still there.

        Raises:
            ValueError: Ids that were never given, another length, or an impossible priority.
        """
        ids, powers = np.asarray(ids), self._powers(priorities)
        if ids.shape != powers.shape:
            raise ValueError(f"ids: expected shape {powers.shape}, got {ids.shape}")
        if len(ids) and not (ids.min() >= 0 and ids.max() < self.added):
            raise ValueError(f"ids: expected 0 to {self.added - 1}, got {ids.tolist()}")
        kept = ids >= self.added - self.capacity
        self._write(ids[kept] % self.capacity, powers[kept])
        return int(kept.sum())

    def chances(self, ids: Any) -> np.ndarray:
        """P of each transition, float64 ``[B]``; ids of transitions that are kept."""
        return np.asarray(self._sums[self._leaves + self._places(ids)] / self._sums[1])

    def weights(self, ids: Any, beta: float) -> np.ndarray:
        """What each transition should count in the loss, float64 ``[B]``, at most 1."""
        if not 0.0 <= beta <= 1.0:
            raise ValueError(f"beta: expected a number from 0 to 1, got {beta!r}")
        kept = self._sums[self._leaves : self._leaves + len(self)]
        return np.asarray((kept.min() / kept[self._places(ids)]) ** beta)

    def _places(self, ids: Any) -> np.ndarray:
        """Where transitions lie, or an error for those that are not kept."""
        ids = np.asarray(ids)
        oldest = self.added - len(self)
        if ids.size and not (oldest <= ids.min() and ids.max() < self.added):
            raise ValueError(f"ids: expected {oldest} to {self.added - 1}, got {ids.tolist()}")
        return np.asarray(ids % self.capacity)

    def _powers(self, priorities: Any) -> np.ndarray:
        """(priority + floor)^alpha, ``[B]``."""
        given = np.asarray(priorities, dtype=np.float64)
        if given.ndim != 1 or not (np.isfinite(given) & (given >= 0.0)).all():
            raise ValueError(f"priorities: expected [B] finite numbers, 0 or more, got {given}")
        return np.asarray((given + self.floor) ** self.alpha)

    def _write(self, places: np.ndarray, powers: np.ndarray) -> None:
        """Set leaves, then every sum above them; sums are taken anew, so none drifts."""
        nodes = places + self._leaves
        self._sums[nodes] = powers
        while nodes.size and nodes[0] > 1:
            nodes = np.unique(nodes >> 1)
            self._sums[nodes] = self._sums[2 * nodes] + self._sums[2 * nodes + 1]

    def _find(self, marks: np.ndarray) -> np.ndarray:
        """The leaf under each mark: down the tree, left where the mark lies in the left sum."""
        nodes, marks = np.ones(len(marks), dtype=np.int64), marks.copy()
        while nodes[0] < self._leaves:
            left = self._sums[2 * nodes]
            # Never into an empty half, even where rounding puts a mark on its edge.
            right = (marks >= left) & (self._sums[2 * nodes + 1] > 0.0)
            marks -= np.where(right, left, 0.0)
            nodes = 2 * nodes + right
        return np.asarray(nodes - self._leaves)
