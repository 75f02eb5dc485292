"""Mean and variance of data that arrive bit by bit, in any split and any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_PARTS = ("mean", "rest", "m2")


class RunningMoments:
    """Keep the exact mean and population variance of all rows seen so far.

    Nothing is assumed before the first row: the count begins at 0. Two sets of rows A and B join by
    Chan's rule, of which one row at a time (Welford's rule) is the case nB = 1:

    ``d = muB - muA;  mu = muA + d nB / n;  M2 = M2A + M2B + d^2 nA nB / n``

    All in float64. ``rest`` is what rounding took from the mean; with it, splits and orders agree
    far beyond 1e-9 even where the mean is 1e8 times the spread.

    Args:
        shape: Shape of one row, such as ``(28,)``; ``()`` for single numbers.

    >>> moments = RunningMoments((1,))
    >>> moments.update([[1.0], [2.0], [6.0]])
    >>> moments.mean.tolist(), moments.count
    ([3.0], 3)
    >>> moments.normalize([[3.0]]).tolist()
    [[0.0]]

    Source: Chan, Golub, LeVeque 1979, "Updating formulae and a pairwise algorithm", eq. 2.1.
    """

    def __init__(self, shape: int | Sequence[int] = ()) -> None:
        self._mean = np.zeros(shape)
        self._rest = np.zeros(shape)
        self._m2 = np.zeros(shape)
        self._count = 0
        self._frozen = False

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of one row."""
        return self._mean.shape

    @property
    def count(self) -> int:
        """Rows seen so far."""
        return self._count

    @property
    def mean(self) -> np.ndarray:
        """Mean of each column, float64, a copy; 0 before the first row."""
        return self._mean.copy()

    @property
    def var(self) -> np.ndarray:
        """Population variance of each column (divided by n), float64; 0 before the first row."""
        return np.asarray(self._m2 / max(self._count, 1))

    @property
    def frozen(self) -> bool:
        """Whether the statistics are closed to change."""
        return self._frozen

    def freeze(self) -> None:
        """Close the statistics: ``update`` and ``merge`` do nothing until ``unfreeze``."""
        self._frozen = True

    def unfreeze(self) -> None:
        """Open the statistics again."""
        self._frozen = False

    def update(self, batch: Any) -> None:
        """Take in rows, as one batch; nothing happens while frozen.

        Args:
            batch: Numbers ``[..., *shape]``: one row, ``[N, ...]`` or ``[T, N, ...]``.

        Raises:
            ValueError: Another shape, or a number that is not finite; the column is named, and the
                statistics stay as they were.
        """
        rows = self._finite(batch).reshape(-1, *self.shape)
        if not len(rows) or self._frozen:
            return
        with np.errstate(over="ignore", invalid="ignore"):  # _join refuses what comes of that
            from_first = rows - rows[0]  # exactly 0 in a constant column
            offset = from_first.mean(axis=0)
            m2 = np.square(from_first - offset).sum(axis=0)
            self._join(len(rows), *_two_sum(rows[0], offset), m2)

    def merge(self, other: RunningMoments) -> None:
        """Take in all rows that ``other`` has seen; nothing happens while frozen.

        Rows that both have seen count twice: let a worker that starts from shared statistics
        collect new rows in moments of its own, and merge those.

        Args:
            other: Moments of the same shape; they stay as they are.

        Raises:
            ValueError: Another shape.
        """
        if other.shape != self.shape:
            raise ValueError(f"merge: expected moments of shape {self.shape}, got {other.shape}")
        if other.count and not self._frozen:
            self._join(other._count, other._mean, other._rest, other._m2)

    def normalize(self, x: Any, clip: float = 10.0) -> np.ndarray:
        """Centre each column, divide it by its standard deviation, and clip it.

        Args:
            x: Numbers ``[..., *shape]``.
            clip: Bound of the result, above 0.

        Returns:
            float32, the shape of ``x``; 0 in a column that has been constant so far.

        Raises:
            ValueError: No rows seen yet, another shape, a number that is not finite, or no clip.
        """
        if not clip > 0:
            raise ValueError(f"clip: expected a number above 0, got {clip!r}")
        if not self._count:
            raise ValueError(
                "normalize: no rows seen yet; update the moments, or load the state that was "
                "saved with the policy"
            )
        centred = self._finite(x) - self._mean
        spread = np.sqrt(self.var)
        scaled = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)
        return np.clip(scaled, -clip, clip).astype(np.float32)

    def state_dict(self) -> dict[str, Any]:
        """The statistics as plain numbers and lists, fit for JSON, pickle and ``torch.save``.

        Returns:
            ``count``, ``mean``, ``rest`` and ``m2``. Whether they are frozen is not part of it.
        """
        parts = {name: getattr(self, f"_{name}").tolist() for name in _PARTS}
        return {"count": self._count, **parts}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over saved statistics, to the bit.

        Args:
            state: What ``state_dict`` gave.

        Raises:
            RuntimeError: The statistics are frozen.
            ValueError: Missing or unknown names, another shape, or impossible numbers.
        """
        if self._frozen:
            raise RuntimeError("load_state_dict: the moments are frozen; call unfreeze() first")
        if set(state) != {"count", *_PARTS}:
            raise ValueError(f"state: expected count, {', '.join(_PARTS)}; got {list(state)}")
        count = int(state["count"])
        parts = {name: np.array(state[name], dtype=np.float64) for name in _PARTS}
        for name, part in parts.items():
            if part.shape != self.shape:
                raise ValueError(f"state[{name!r}]: expected shape {self.shape}, got {part.shape}")
            if not np.isfinite(part).all():
                raise ValueError(f"state[{name!r}]: expected finite numbers, got {state[name]}")
        if count != state["count"] or count < 0 or (parts["m2"] < 0).any():
            raise ValueError("state: expected a whole count and sums of squares, 0 or more")
        self._count = count
        self._mean, self._rest, self._m2 = (parts[name] for name in _PARTS)

    def __repr__(self) -> str:
        frozen = ", frozen" if self._frozen else ""
        return f"RunningMoments(shape={self.shape}, count={self._count}{frozen})"

    def _join(self, count: int, mean: np.ndarray, rest: np.ndarray, m2: np.ndarray) -> None:
        """Chan's rule, in place of the statistics only once all of it is finite."""
        total = self._count + count
        share = count / total
        with np.errstate(over="ignore", invalid="ignore"):
            d = (mean - self._mean) + (rest - self._rest)
            new_mean, new_rest = _two_sum(self._mean, self._rest + d * share)
            if not self._count:  # to the bit
                new_mean, new_rest = mean, rest
            new_m2 = self._m2 + m2 + d * d * (self._count * share)
        if not np.isfinite([new_mean, new_rest, new_m2]).all():
            raise ValueError("moments: the numbers are too large to be squared in float64")
        self._count, self._mean, self._rest, self._m2 = total, new_mean, new_rest, new_m2

    def _finite(self, x: Any) -> np.ndarray:
        """The numbers as float64 ``[..., *shape]``, or an error that names the column."""
        array = np.asarray(x, dtype=np.float64)
        if array.shape[array.ndim - len(self.shape) :] != self.shape:
            raise ValueError(f"expected rows of shape {self.shape}, got an array {array.shape}")
        if not np.isfinite(array).all():
            place = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
            column = place[array.ndim - len(self.shape) :]
            name = column[0] if len(column) == 1 else column
            raise ValueError(f"column {name}: expected finite numbers, got {array[place]}")
        return array


def _two_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rounded sum, and what rounding took from it, exactly (Knuth)."""
    total = np.asarray(a + b)
    back = total - a
    return total, np.asarray((a - (total - back)) + (b - back))
