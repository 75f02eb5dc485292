"""Workers in processes of Ray, on this machine or on many: the only module that imports Ray."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from burgerbot.scale.local_crew import LocalTransport
from burgerbot.scale.memory import free_memory
from burgerbot.scale.transport import Transport, WorkerAway, WorkerGone
from burgerbot.scale.worker import Host, Worker

STORE = 100 * 2**20  # bytes of shared memory; rollouts of this course need far less
TRIES = 3
NEEDED = 2**30  # bytes of memory that Ray's own processes and two workers may take
#: No reports to anybody, no device switched off, time for a busy machine to start, quiet.
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_raylet_start_wait_time_s": "40",
    # The crew reports a death in one line; Ray's own news of it are long.
    "RAY_DEDUP_LOGS_SKIP_REGEX": "A worker died or was killed|marked dead|Raylet is terminated",
}


class RayUnavailable(RuntimeError):
    """Ray cannot start here; the message says why."""


def ray_problem() -> str | None:
    """Why Ray should not be started here, as far as that can be told beforehand; None if nothing.

    It is not there, or the machine grants this process too little memory, as Binder's does.
    """
    try:
        _ray()
    except ImportError as error:
        return f"the package ray cannot be imported here ({error})"
    free = free_memory()
    if free is not None and free < NEEDED:
        return (
            f"{free / 2**20:,.0f} MB of memory are free here, and Ray wants {NEEDED / 2**20:,.0f}"
        )
    return None


@contextmanager
def running(address: str | None = None, *, num_cpus: int = 2) -> Iterator[None]:
    """Have Ray within the block: started on this machine, or a cluster joined.

    What is running already is used, and left running.

    Args:
        address: Of a cluster's head, such as ``"auto"`` or ``"host:6379"``; None takes the variable
            RAY_ADDRESS, and without it starts Ray here, with no set-up.
        num_cpus: Cores that a Ray started here hands out; one for each worker.

    Raises:
        RayUnavailable: It does not start, or cannot be reached.
    """
    if _ray_that_can_start().is_initialized():
        yield
        return
    address = address or os.environ.get("RAY_ADDRESS")
    options: dict[str, Any] = {"address": address}
    if address is None:
        options = {
            "address": "local",
            "num_cpus": num_cpus,
            "object_store_memory": STORE,
            "include_dashboard": False,
        }
    _try_hard(lambda: _init(**options), _ray().shutdown)
    try:
        yield
    finally:
        _ray().shutdown()


class RayTransport:
    """One process of Ray's for each worker.

    Args:
        builds: One for each worker: builds it from its seed, and pickles, as a
            ``functools.partial`` of a class of a module does.
        restarts: How often a worker whose process died is started again; -1: always.
        needs: What a machine must have for a worker, beside a core: name -> amount, as named when
            Ray was started there.

    Raises:
        RayUnavailable: Ray is not running; see ``running``.
    """

    retry = 0.2

    def __init__(
        self,
        builds: Sequence[Callable[[np.random.SeedSequence], Worker]],
        *,
        restarts: int = 2,
        needs: Mapping[str, float] | None = None,
    ) -> None:
        ray = _ray()
        if not ray.is_initialized():
            raise RayUnavailable("Ray is not running: use this inside `with running():`")
        self.size = len(builds)
        actor = ray.remote(Host).options(
            num_cpus=1,
            max_restarts=restarts,
            max_task_retries=0,  # a sample that is tried again comes back long after its time
            scheduling_strategy="SPREAD",  # over the machines
            resources=dict(needs or {}),
        )
        self.actors = [actor.remote(build) for build in builds]

    def put(self, value: Any) -> Any:
        """Into the shared store, once; every call gets the reference."""
        return _ray().put(value)

    def call(self, worker: int, method: str, *args: Any) -> Any:
        """Ask; the token is Ray's reference to the answer."""
        return getattr(self.actors[worker], method).remote(*args)

    def wait(self, tokens: Sequence[Any], seconds: float) -> Any | None:
        """One that is there, or None after some time."""
        if not tokens:
            time.sleep(seconds)
            return None
        ready, _ = _ray().wait(list(tokens), num_returns=1, timeout=seconds)
        return ready[0] if ready else None

    def result(self, token: Any) -> Any:
        """The answer; its arrays are read-only, for they lie in the shared store."""
        ray = _ray()
        try:
            return ray.get(token)
        except ray.exceptions.ActorUnavailableError as error:
            raise WorkerAway(str(error)) from error
        except ray.exceptions.RayActorError as error:  # ActorDiedError, and what else means it
            raise WorkerGone(str(error)) from error
        except ray.exceptions.ObjectLostError as error:  # the node that held it is gone
            raise WorkerAway(str(error)) from error

    def kill(self, worker: int) -> None:
        """SIGKILL, as from a system that runs out of memory; where there is none, Ray's own."""
        ray = _ray()
        if hasattr(signal, "SIGKILL"):
            os.kill(ray.get(self.actors[worker].pid.remote()), signal.SIGKILL)
        else:
            ray.kill(self.actors[worker], no_restart=False)

    def close(self) -> None:
        """End all workers."""
        ray = _ray()
        for actor in self.actors if ray.is_initialized() else ():
            ray.kill(actor)
        self.actors = []


class Session:
    """Ray if it starts here, and else workers in this process; for notebooks.

    Args:
        **options: As ``running`` takes them.

    Attributes:
        transport: ``RayTransport`` or ``LocalTransport``.
        skipped: Why Ray does not run; None if it does.
    """

    def __init__(self, **options: Any) -> None:
        self._running = ExitStack()
        self.transport: Callable[..., Transport] = RayTransport
        self.skipped: str | None = None
        try:
            self._running.enter_context(running(**options))
        except RayUnavailable as error:
            self.transport, self.skipped = LocalTransport, str(error)

    def close(self) -> None:
        """End Ray, if this started it."""
        self._running.close()

    def __str__(self) -> str:
        if self.skipped is None:
            return "Ray runs: workers are processes of their own"
        return f"Skipped: Ray ({self.skipped}). The workers stay in this process."


@contextmanager
def simulated_nodes(*cpus: int) -> Iterator[Any]:
    """Have Ray with several nodes, all of them on this machine, each with some cores.

    Args:
        *cpus: Cores of each node; the first is the head.

    Yields:
        Ray's ``Cluster``: ``add_node``, ``remove_node``, ``worker_nodes``.

    Raises:
        RayUnavailable: It does not start.
    """
    _ray_that_can_start()
    from ray.cluster_utils import Cluster

    cluster = Cluster()

    def start() -> None:
        for count in cpus:
            add_node(cluster, count)
        _init(address=cluster.address)

    def stop() -> None:
        _ray().shutdown()
        cluster.shutdown()

    try:
        _try_hard(start, stop)
        yield cluster
    finally:
        stop()


def add_node(cluster: Any, num_cpus: int, **options: Any) -> Any:
    """Add a node to a simulated cluster.

    Args:
        cluster: From ``simulated_nodes``.
        num_cpus: Its cores.
        **options: As ``ray start`` has them, such as ``resources``.

    Returns:
        The node, for ``cluster.remove_node``.
    """
    quiet = {"object_store_memory": STORE, "include_dashboard": False}
    return cluster.add_node(num_cpus=num_cpus, **quiet, **options)


def _try_hard(start: Callable[[], None], undo: Callable[[], None]) -> None:
    """Start, and again if that fails; ``RayUnavailable`` if it fails each time.

    On a busy machine, Ray's node process gives up if a helper of its own has not started in 15 s.
    """
    for left in reversed(range(TRIES)):
        try:
            start()
            return
        except Exception as error:
            undo()
            if not left:
                reason = f"{type(error).__name__}: {error}"
                raise RayUnavailable(f"Ray did not start in {TRIES} tries: {reason}") from error


def _init(**options: Any) -> None:
    """Start or join, without a word."""
    _ray().init(**options, log_to_driver=False, logging_level="ERROR")


def _ray_that_can_start() -> Any:
    """The module, or ``RayUnavailable`` if there is a problem."""
    problem = ray_problem()
    if problem is not None:
        raise RayUnavailable(problem)
    return _ray()


def _ray() -> Any:
    """The module, imported when it is first needed."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    import ray

    return ray
