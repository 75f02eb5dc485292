"""A stop-watch for vector environments: in one process, in many, or as arrays.

The slow robots to time (``SlowEnv``) and what to make of the times (``recommend_backend``) can be
had from here too.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium as gym
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv, VectorEnv

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.scale.checks import cost, count, one_of
from burgerbot.scale.decision import Recommendation, recommend_backend
from burgerbot.scale.slow import FaultyEnv, SlowEnv

__all__ = [
    "FaultyEnv",
    "Recommendation",
    "SlowEnv",
    "Timing",
    "end_workers",
    "recommend_backend",
    "time_backend",
]

BACKENDS = ("sync", "async", "native")


@dataclass(frozen=True)
class Timing:
    """One measurement of ``time_backend``.

    Attributes:
        backend, num_envs: What was timed.
        start_method: How its processes were started; None where there are none.
        start_seconds: From nothing to the first observations.
        steps_per_second, slowest, fastest: Robot steps a second: median and extremes of the rounds.
    """

    backend: str
    num_envs: int
    start_method: str | None
    start_seconds: float
    steps_per_second: float
    slowest: float
    fastest: float


def time_backend(
    backend: str,
    env: str | Callable[[], gym.Env[Any, Any]],
    num_envs: int,
    *,
    start_method: str | None = None,
    rounds: int = 5,
    seconds: float = 0.05,
) -> Timing:
    """Time N robots on random actions: one round to warm up, then the median of some more.

    Steps are counted as robots make them; a row that is only a reset counts nothing.

    Args:
        backend: ``"sync"`` and ``"async"`` are Gymnasium's, ``"native"`` is the environment's own.
        env: A registered id; or, but for ``"native"``, a function that builds one environment,
            such as ``partial(SlowEnv, 100.0)``.
        num_envs: N.
        start_method: ``"fork"``, ``"spawn"``, ``"forkserver"``, or None for the system's own; for
            ``"async"`` only.
        rounds: Rounds that count.
        seconds: Least length of a round; a step that has begun is waited for.

    Returns:
        Timing: The vector env is closed by then, and after an error too.

    Raises:
        ValueError: An argument that cannot be used.
    """
    one_of("backend", backend, BACKENDS)
    count("num_envs", num_envs), count("rounds", rounds)
    if not cost("seconds", seconds):
        raise ValueError(f"seconds: expected more than 0, got {seconds!r}")
    if backend == "native" and not isinstance(env, str):
        raise ValueError(f"env: expected a registered id for backend 'native', got {env!r}")
    if backend == "async":
        start_method = start_method or multiprocessing.get_start_method()
        one_of("start_method", start_method, multiprocessing.get_all_start_methods())
    elif start_method is not None:
        raise ValueError(f"start_method: {backend!r} starts no process; got {start_method!r}")
    begin = time.perf_counter()
    envs = _make(backend, env, num_envs, start_method)
    try:
        envs.reset(seed=0)
        start_seconds = time.perf_counter() - begin
        envs.action_space.seed(0)
        tape = [envs.action_space.sample() for _ in range(64)]
        rates = [_rate(envs, tape, seconds) for _ in range(rounds + 1)][1:]
    except BaseException:
        end_workers(envs)
        raise
    envs.close()
    median = statistics.median(rates)
    return Timing(backend, num_envs, start_method, start_seconds, median, min(rates), max(rates))


def end_workers(envs: VectorEnv[Any, Any, Any]) -> None:
    """Close a vector env at once; kill its worker processes, whatever state they are in.

    ``AsyncVectorEnv.close`` waits for the step that is under way: for ever, if a worker died in it.
    """
    if not isinstance(envs, AsyncVectorEnv):
        envs.close()
        return
    for process in envs.processes:
        process.kill()
        process.join()
    for pipe in envs.parent_pipes:
        if pipe is not None:  # Gymnasium's mark of a worker that raised
            pipe.close()
    envs.closed = True


def _make(
    backend: str, env: str | Callable[[], gym.Env[Any, Any]], num_envs: int, method: str | None
) -> VectorEnv[Any, Any, Any]:
    """Build the vector environment to be timed."""
    if backend == "native":
        return gym.make_vec(str(env), num_envs, vectorization_mode="vector_entry_point")
    # The spec, not the id: in a process that starts afresh, nothing is registered yet.
    one = partial(gym.make, gym.spec(env)) if isinstance(env, str) else env
    if backend == "sync":
        return SyncVectorEnv([one] * num_envs)
    return AsyncVectorEnv([one] * num_envs, context=method)


def _rate(envs: VectorEnv[Any, Any, Any], tape: Sequence[Any], seconds: float) -> float:
    """Robot steps a second, over one round."""
    flags: list[Any] = []
    step = envs.step
    begin = now = time.perf_counter()
    while now - begin < seconds:
        flags.append(step(tape[len(flags) % len(tape)])[2:4])
        now = time.perf_counter()
    resets = sum(int((terminated | truncated).sum()) for terminated, truncated in flags)
    return (len(flags) * envs.num_envs - resets) / (now - begin)
