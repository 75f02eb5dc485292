"""How calls reach workers, wherever they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class WorkerAway(Exception):
    """A worker did not answer; its process may be started again."""


class WorkerGone(Exception):
    """A worker did not answer, and will not come back."""


class Transport(Protocol):
    """How calls reach the hosts of the workers (see ``worker.Host``), and answers come back."""

    size: int
    retry: float  # seconds between two attempts to get hold of a worker that is away

    def put(self, value: Any) -> Any:
        """Send a value where all workers can get it, once."""

    def call(self, worker: int, method: str, *args: Any) -> Any:
        """Ask, and do not wait; a token for the answer."""

    def wait(self, tokens: Sequence[Any], seconds: float) -> Any | None:
        """The token of an answer that is there, the oldest first; None if none comes in time."""

    def result(self, token: Any) -> Any:
        """The answer; raises ``WorkerAway``, ``WorkerGone``, or the worker's own error."""

    def kill(self, worker: int) -> None:
        """End a worker's process without a word, as the system does when memory runs out."""

    def close(self) -> None:
        """End all workers."""
