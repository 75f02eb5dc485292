"""What a crew hands out, and what it has to tell of itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Fragment(NamedTuple):
    """One haul, and how old the policy is that made it.

    Attributes:
        worker: Who.
        version: Which weights.
        lag: How many versions newer the learner's weights are.
        content: What the worker's ``sample`` returned.
    """

    worker: int
    version: int
    lag: int
    content: Any


@dataclass
class Report:
    """What happened to a crew so far.

    Attributes:
        lags: Lag -> fragments used with that lag.
        dropped: Fragments that were too old to be used.
        lost: Fragments under way when their worker was lost.
        losses, returns: Workers lost, and workers back with a new seed and the newest weights.
        events: ``(seconds since the start, worker, what)``, in order.
    """

    lags: Counter[int] = field(default_factory=Counter)
    dropped: int = 0
    lost: int = 0
    losses: int = 0
    returns: int = 0
    events: list[tuple[float, int, str]] = field(default_factory=list)

    def __str__(self) -> str:
        lags = ", ".join(f"{lag}: {count}" for lag, count in sorted(self.lags.items()))
        return (
            f"fragments used, by lag: {lags or 'none'}; dropped as too old: {self.dropped}; lost "
            f"with their worker: {self.lost}; workers lost: {self.losses}, back: {self.returns}"
        )
