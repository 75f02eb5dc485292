"""What an evaluation found: every episode, and estimates with confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

RESAMPLES = 2000


class Estimate(NamedTuple):
    """A mean, and the ends of its confidence interval (NaN if there is one family only)."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """E episodes of each of N robots, and what they add up to.

    Attributes:
        returns: float64 ``[N, E]``: sums of true rewards, without shaping or scaling.
        lengths: int64 ``[N, E]``: steps, reset rows left out.
        terminated: bool ``[N, E]``; an episode that is not was truncated only.
        delivered: bool ``[N, E]``, or None where the infos tell no ``outcome``.
        families: ``[N]``: robots with the same label share their luck.
        optimum: float64 ``[N]``: the best possible mean return, or None.
        confidence: Of the intervals, such as 0.95.
    """

    returns: np.ndarray
    lengths: np.ndarray
    terminated: np.ndarray
    delivered: np.ndarray | None
    families: np.ndarray
    optimum: np.ndarray | None
    confidence: float

    @property
    def mean_return(self) -> Estimate:
        """Mean return of an episode."""
        return self.estimate(self.returns)

    @property
    def mean_length(self) -> Estimate:
        """Mean length of an episode, in steps."""
        return self.estimate(self.lengths)

    @property
    def success(self) -> Estimate | None:
        """Share of episodes that delivered; None where the infos do not tell."""
        return None if self.delivered is None else self.estimate(self.delivered)

    @property
    def crash(self) -> Estimate | None:
        """Share of episodes that terminated without a delivery; None where nobody tells."""
        if self.delivered is None:
            return None
        return self.estimate(self.terminated & ~self.delivered)

    @property
    def timeout(self) -> Estimate:
        """Share of episodes that ran into the step limit; a termination in that step wins."""
        return self.estimate(~self.terminated)

    @property
    def percent(self) -> Estimate | None:
        """Mean return as a percentage of the best possible one; None without an ``optimum``."""
        if self.optimum is None:
            return None
        return self.estimate(
            100.0 * self.returns, np.broadcast_to(self.optimum[:, None], self.returns.shape)
        )

    def estimate(self, values: np.ndarray, per: np.ndarray | None = None) -> Estimate:
        """Mean of values ``[N, E]`` (or sum of values by sum of ``per``), with its interval.

        Episodes of one robot, and robots of one family, are no independent evidence. So whole
        families are drawn again, with replacement, and the interval holds the middle of the
        means that come out (percentile bootstrap, always the same draws). It wants a dozen
        families or more, and has no width where all of them agree.

        Source: Efron and Tibshirani (1993), "An introduction to the bootstrap", chapter 13.
        """
        per = np.ones(values.shape) if per is None else per
        _, group = np.unique(self.families, return_inverse=True)
        above, below = np.bincount(group, values.sum(axis=1)), np.bincount(group, per.sum(axis=1))
        mean = float(above.sum() / below.sum())
        if len(above) == 1:
            return Estimate(mean, np.nan, np.nan)
        drawn = np.random.default_rng(0).integers(len(above), size=(RESAMPLES, len(above)))
        means = above[drawn].sum(axis=1) / below[drawn].sum(axis=1)
        tail = (1.0 - self.confidence) / 2
        low, high = np.quantile(means, [tail, 1.0 - tail])
        return Estimate(mean, float(low), float(high))

    def __str__(self) -> str:
        robots, episodes = self.returns.shape
        lines = [f"{robots} robots, {episodes} episodes each, {self.confidence:.0%} intervals"]
        for name, unit in (
            ("mean_return", ""),
            ("percent", "% of the optimum"),
            ("mean_length", " steps"),
            ("success", ""),
            ("crash", ""),
            ("timeout", ""),
        ):
            found = getattr(self, name)
            if found is not None:
                mean, low, high = found
                lines.append(f"{name:12} {mean:8.2f} [{low:.2f}, {high:.2f}]{unit}")
        return "\n".join(lines)
