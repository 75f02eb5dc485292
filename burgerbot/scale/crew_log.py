"""Two plain views of a transport: a log of who asked what when, and one worker at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from burgerbot.scale.crew import LOOK
from burgerbot.scale.transport import Transport, WorkerAway


class LoggedTransport:
    """A transport that writes down what passes through it.

    Args:
        inner: Where the workers are.

    Attributes:
        log: In order: ``("publish", None)`` for new weights, ``("ask", worker)`` for a sample that
            was asked for, and ``("answer", worker)`` for one that came back.
    """

    def __init__(self, inner: Transport) -> None:
        self.inner, self.size, self.retry = inner, inner.size, inner.retry
        self.log: list[tuple[str, int | None]] = []
        self._asked: dict[Any, int] = {}

    def put(self, value: Any) -> Any:
        """New weights."""
        self.log.append(("publish", None))
        return self.inner.put(value)

    def call(self, worker: int, method: str, *args: Any) -> Any:
        """Ask; samples are written down."""
        token = self.inner.call(worker, method, *args)
        if method == "sample":
            self.log.append(("ask", worker))
            self._asked[token] = worker
        return token

    def wait(self, tokens: Sequence[Any], seconds: float) -> Any | None:
        """As the one inside."""
        return self.inner.wait(tokens, seconds)

    def result(self, token: Any) -> Any:
        """The answer; one that came back is written down."""
        worker = self._asked.pop(token, None)
        answer = self.inner.result(token)
        if worker is not None:
            self.log.append(("answer", worker))
        return answer

    def kill(self, worker: int) -> None:
        """As the one inside."""
        self.inner.kill(worker)

    def close(self) -> None:
        """As the one inside."""
        self.inner.close()


class OneWorker:
    """One worker of a transport, asked and waited for: ``begin``, then ``sample``.

    Args:
        transport: Where it is.
        worker: Which.
        *args: For its ``sample``, after the weights.
    """

    def __init__(self, transport: Transport, worker: int, *args: Any) -> None:
        self.transport, self.worker, self.args, self.life = transport, worker, args, -1

    def begin(self, seed: int) -> Any:
        """Start a life with a seed of its own, for as long as it takes; what it says first.

        Raises:
            WorkerGone: There is none any more.
        """
        self.life += 1
        while True:
            try:
                return self._ask("begin", self.life, np.random.SeedSequence(seed))
            except WorkerAway:
                continue

    def sample(self, weights: Any) -> Any:
        """Collect with these weights.

        Raises:
            WorkerAway: Its process died, and is a new one now, or will be: begin.
            WorkerGone: There is none any more.
        """
        answer = self._ask("sample", self.life, self.transport.put((0, weights)), *self.args)
        if answer is None:
            raise WorkerAway(f"worker {self.worker} is a new process that knows nothing")
        return answer[1]

    def _ask(self, method: str, *args: Any) -> Any:
        """Ask and wait."""
        token = self.transport.call(self.worker, method, *args)
        while self.transport.wait([token], LOOK) is None:
            pass
        return self.transport.result(token)
