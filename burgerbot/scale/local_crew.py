"""Workers in this very process: the same crew without Ray, and the same run each time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from burgerbot.scale.transport import WorkerAway, WorkerGone
from burgerbot.scale.worker import Host, Worker


class LocalTransport:
    """Answer calls in the order in which they were asked, when somebody waits for them.

    A call that waits keeps the weights that it was given, so that hauls are as stale as they would
    be elsewhere: with one worker and k calls in flight, always k - 1 versions (from the k-th on).

    Args:
        builds: One for each worker: builds it from its seed.
        restarts: How often a killed worker comes back.
    """

    retry = 0.0

    def __init__(
        self, builds: Sequence[Callable[[np.random.SeedSequence], Worker]], *, restarts: int = 2
    ) -> None:
        self.builds, self.size = list(builds), len(builds)
        self.hosts: list[Host | None] = [Host(build) for build in self.builds]
        self._left = [restarts] * self.size
        self._tokens = count()
        self._calls: dict[int, tuple[int, Host | None, str, tuple[Any, ...]]] = {}

    def put(self, value: Any) -> Any:
        """Nothing to send."""
        return value

    def call(self, worker: int, method: str, *args: Any) -> int:
        """Write a call down."""
        token = next(self._tokens)
        self._calls[token] = worker, self.hosts[worker], method, args
        return token

    def wait(self, tokens: Sequence[int], seconds: float) -> int | None:
        """The oldest call."""
        if not tokens:
            time.sleep(seconds)
        return min(tokens, default=None)

    def result(self, token: int) -> Any:
        """Do what was asked, now."""
        worker, host, method, args = self._calls.pop(token)
        if self.hosts[worker] is None:
            raise WorkerGone(f"worker {worker} was killed once too often")
        if host is not self.hosts[worker]:
            raise WorkerAway(f"worker {worker} was killed")
        return getattr(host, method)(*args)

    def kill(self, worker: int) -> None:
        """Forget a worker and all that it knew; a new host takes its place if one is left."""
        self._left[worker] -= 1
        self.hosts[worker] = Host(self.builds[worker]) if self._left[worker] >= 0 else None

    def close(self) -> None:
        """End all workers."""
        for host in self.hosts:
            if host is not None:
                host.close()
        self.hosts = [None] * self.size
        self._calls.clear()
