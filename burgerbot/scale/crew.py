"""A crew of workers that collect while the learner learns: bounded lag, and workers that die.

Where the workers run is a matter of the transport: in this process (``local_crew``) or in Ray's
(``workers``). The crew is the same.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from burgerbot.scale.crew_report import Fragment as Fragment
from burgerbot.scale.crew_report import Report as Report
from burgerbot.scale.transport import Transport, WorkerAway, WorkerGone

#: Seconds to wait for an answer before looking at everything else again.
LOOK = 0.2


class CrewLost(RuntimeError):
    """Nobody is left to collect."""


class Crew:
    """Keep every worker busy, hand out what it brings in time, and go on when some are lost.

    Each worker has ``in_flight`` calls to work through, so that it never waits for the learner. A
    fragment made by weights more than ``max_lag`` versions old is dropped. A worker whose process
    died begins a new life, with a new seed; what it sends before it has been told so is void.

    Args:
        transport: Where the workers are; the crew closes it.
        seed: Of all of them, by ``SeedSequence.spawn``.
        in_flight: Calls under way for each worker, 1 or more.
        max_lag: Bound of the lag, in versions, 0 or more.
        patience: Seconds without any answer after which it gives up.

    Attributes:
        version: Of the newest weights; 0 before the first.
        report: See ``Report``.

    Raises:
        ValueError: An argument out of range.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        seed: int = 0,
        in_flight: int = 2,
        max_lag: int = 8,
        patience: float = 60.0,
    ) -> None:
        for name, value, least in (("in_flight", in_flight, 1), ("max_lag", max_lag, 0)):
            if value < least:
                raise ValueError(f"{name}: expected {least} or more, got {value}")
        self.transport, self.size = transport, transport.size
        self.in_flight, self.max_lag, self.patience = in_flight, max_lag, patience
        self.version, self.report = 0, Report()
        self._root = np.random.SeedSequence(seed)
        self._parcel: Any = None  # the newest weights
        self._started = time.monotonic()
        self._life = [0] * self.size
        self._state = ["away"] * self.size  # away, joining, ready or gone
        self._retry = [0.0] * self.size  # when to look for a worker that is away
        self._missing: set[int] = set()
        self._reason = ""  # why the last worker is gone
        self._calls: dict[Any, tuple[int, int]] = {}  # token -> worker, life

    def begin(self, seed: int | None = None) -> list[Any]:
        """Start every worker anew, and wait for what each has to say.

        Raises:
            CrewLost: One of them cannot be had.
        """
        if seed is not None:
            self._root = np.random.SeedSequence(seed)
        self._parcel = None
        for worker, state in enumerate(self._state):
            self._state[worker] = "gone" if state == "gone" else "away"
            self._life[worker] += 1
        hellos: dict[int, Any] = {}
        while len(hellos) < self.size:
            worker, answer = self._answer(())
            if isinstance(answer, _Hello):
                hellos[worker] = answer.content
            if "gone" in self._state:
                raise CrewLost(f"a worker did not start{self._reason}")
        return [hellos[worker] for worker in range(self.size)]

    def publish(self, weights: Any) -> None:
        """Send new weights, once, for all calls from now on."""
        self.version += 1
        self._parcel = self.transport.put((self.version, weights))

    def next(self, *args: Any) -> Fragment:
        """The next fragment that is new enough.

        Args:
            *args: For the worker's ``sample``, after the weights.

        Raises:
            RuntimeError: Nothing has been published yet.
            CrewLost: All workers are gone, or none has answered for ``patience`` seconds.
            Exception: A worker's own error, as it was raised there.
        """
        if self._parcel is None:
            raise RuntimeError("next: publish weights first")
        while True:
            worker, answer = self._answer(args)
            if isinstance(answer, _Hello):
                continue
            version, content = answer
            lag = self.version - version
            if lag > self.max_lag:
                self.report.dropped += 1
                continue
            self.report.lags[lag] += 1
            return Fragment(worker, version, lag, content)

    def close(self) -> None:
        """End all workers."""
        self._calls.clear()
        self.transport.close()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _answer(self, args: tuple[Any, ...]) -> tuple[int, Any]:
        """The next answer of a worker in its present life."""
        give_up = time.monotonic() + self.patience
        while True:
            self._ask(args)
            if all(state == "gone" for state in self._state):
                raise CrewLost(f"all {self.size} workers are gone{self._reason}. {self.report}")
            if time.monotonic() > give_up:
                raise CrewLost(f"no worker answered for {self.patience:g} s. {self.report}")
            token = self.transport.wait(list(self._calls), LOOK)
            if token is None:
                continue
            worker, life = self._calls.pop(token)
            try:
                answer = self.transport.result(token)
            except (WorkerAway, WorkerGone) as error:
                gone = isinstance(error, WorkerGone)
                if gone and str(error):
                    self._reason = f" ({str(error).splitlines()[0]})"
                self._lose(worker, life, gone)
                continue
            if life != self._life[worker]:
                continue  # from before: void
            if self._state[worker] == "joining":
                self._join(worker)
                return worker, _Hello(answer)
            if answer is None:  # a new process, which nobody has greeted
                self._lose(worker, life, gone=False)
                continue
            return worker, answer

    def _ask(self, args: tuple[Any, ...]) -> None:
        """Give each worker something to do: a new life, or samples."""
        now = time.monotonic()
        for worker, state in enumerate(self._state):
            if state == "away" and now >= self._retry[worker]:
                self._state[worker] = "joining"
                self._call(worker, "begin", self._root.spawn(1)[0])
        if self._parcel is None:
            return
        under_way = Counter(self._calls.values())
        for filled in range(self.in_flight):
            for worker, state in enumerate(self._state):
                if state == "ready" and under_way[worker, self._life[worker]] <= filled:
                    self._call(worker, "sample", self._parcel, *args)

    def _call(self, worker: int, method: str, *args: Any) -> None:
        """Ask a worker in its present life."""
        life = self._life[worker]
        self._calls[self.transport.call(worker, method, life, *args)] = worker, life

    def _join(self, worker: int) -> None:
        """A worker has begun a new life."""
        self._state[worker] = "ready"
        if worker in self._missing:
            self._missing.remove(worker)
            self.report.returns += 1
            self._note(worker, "back")

    def _lose(self, worker: int, life: int, gone: bool) -> None:
        """Void what a worker had under way, and look for it again later, if it can come back."""
        if life != self._life[worker]:
            return  # late news
        if self._state[worker] == "ready":
            under_way = sum(call == (worker, life) for call in self._calls.values())
            self.report.lost += under_way + 1
            self.report.losses += 1
            self._missing.add(worker)
            self._note(worker, "lost")
        if gone:
            self._note(worker, "gone")
        self._state[worker] = "gone" if gone else "away"
        self._life[worker] += 1
        self._retry[worker] = time.monotonic() + self.transport.retry

    def _note(self, worker: int, what: str) -> None:
        """Write an event down."""
        self.report.events.append((time.monotonic() - self._started, worker, what))


class _Hello(NamedTuple):
    """The answer of a worker that begins a life."""

    content: Any
