"""One harness for every way to run many robots: one process, processes, and Ray's workers."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv, VectorEnv

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn.numpy_policy import Weights
from burgerbot.scale.checks import count, one_of
from burgerbot.scale.crew import Crew
from burgerbot.scale.local_crew import LocalTransport
from burgerbot.scale.slow import SlowEnv
from burgerbot.scale.transport import Transport
from burgerbot.scale.worker import Hello, RolloutWorker

#: Ways to build N robots in one worker.
SYSTEMS = ("native", "SyncVectorEnv", "AsyncVectorEnv", "DummyVecEnv", "SubprocVecEnv")


@dataclass(frozen=True)
class Tier:
    """One measurement of ``time_tier``.

    Attributes:
        system: One of ``SYSTEMS``.
        workers, robots: Workers, and robots of all of them together.
        steps_per_second, slowest, fastest: Robot steps a second, reset rows left out: median and
            extremes of the rounds.
        world: A name for the kind of robots, where somebody gave one.
    """

    system: str
    workers: int
    robots: int
    steps_per_second: float
    slowest: float
    fastest: float
    world: str = ""


def make_robots(
    system: str, env: str | Callable[[], gym.Env[Any, Any]], num_envs: int
) -> VectorEnv[Any, Any, Any]:
    """Build N robots in one of the ways of ``SYSTEMS``.

    Args:
        system: Which.
        env: A registered id, or, but for ``native``, a function that builds one environment.
        num_envs: N.

    Raises:
        ValueError: An argument that cannot be used.
    """
    one_of("system", system, SYSTEMS)
    count("num_envs", num_envs)
    if system == "native":
        if not isinstance(env, str):
            raise ValueError(f"env: expected a registered id for system 'native', got {env!r}")
        return gym.make_vec(env, num_envs, vectorization_mode="vector_entry_point")
    one = partial(gym.make, gym.spec(env)) if isinstance(env, str) else env
    if system == "SyncVectorEnv":
        return SyncVectorEnv([one] * num_envs)
    if system == "AsyncVectorEnv":
        return AsyncVectorEnv([one] * num_envs)
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

    from burgerbot.scale.from_sb3 import FromSB3

    if system == "DummyVecEnv":
        return FromSB3(DummyVecEnv([one] * num_envs))
    # SB3's own choice starts processes that import PyTorch, one after the other.
    method = "fork" if sys.platform == "linux" else None
    return FromSB3(SubprocVecEnv([one] * num_envs, start_method=method))


def time_tier(
    system: str,
    env: str | Callable[[], gym.Env[Any, Any]],
    robots: int,
    weights: Callable[[Hello], Weights],
    *,
    workers: int = 1,
    transport: Callable[[list[Any]], Transport] = LocalTransport,
    steps: int = 32,
    rounds: int = 3,
    seconds: float = 0.3,
) -> Tier:
    """Time whole rollouts, with the policy: one round to warm up, then the median of some more.

    Args:
        system: One of ``SYSTEMS``: how each worker holds its robots.
        env: As ``make_robots`` takes it.
        robots: In all; a multiple of ``workers``.
        weights: From a worker's hello to the weights to act by.
        workers: How many.
        transport: Where they are: ``LocalTransport`` or ``workers.RayTransport``.
        steps: T of each fragment.
        rounds: Rounds that count.
        seconds: Least length of a round.

    Returns:
        Tier: All processes are gone by then.

    Raises:
        ValueError: Robots that cannot be shared out, or another argument that cannot be used.
    """
    count("rounds", rounds), count("workers", workers)
    if count("robots", robots) % workers:
        raise ValueError(f"robots: expected a multiple of {workers} workers, got {robots}")
    make = partial(make_robots, one_of("system", system, SYSTEMS), env, robots // workers)
    where = transport([partial(RolloutWorker, make)] * workers)
    with Crew(where, max_lag=10**9) as crew:
        crew.publish(weights(crew.begin(0)[0]))
        rates = [_rate(crew, steps, seconds) for _ in range(rounds + 1)][1:]
    median = statistics.median(rates)
    return Tier(system, workers, robots, median, min(rates), max(rates))


def ladder(
    transport: Callable[[list[Any]], Transport], robots: int = 8, **options: Any
) -> list[Tier]:
    """Time quick robots and heavy ones on every rung: one process, processes, two workers.

    Args:
        transport: Where the two workers are.
        robots: In all, each time.
        **options: As ``time_tier`` takes them.

    Returns:
        list[Tier]: Quick robots are BurgerBots, heavy ones compute for a millisecond a step; of
        those there is no native form, so SyncVectorEnv stands in.
    """
    found: list[Tier] = []
    worlds: dict[str, Any] = {"quick": "BurgerBot-v1", "heavy": partial(SlowEnv, 1_000.0)}
    for world, env in worlds.items():
        arrays = "native" if isinstance(env, str) else "SyncVectorEnv"
        for system in dict.fromkeys(("SyncVectorEnv", "AsyncVectorEnv", "SubprocVecEnv", arrays)):
            found.append(time_tier(system, env, robots, any_weights, **options))
        many = {**options, "workers": 2, "transport": transport}
        found.append(time_tier(arrays, env, robots, any_weights, **many))
        found = [replace(t, world=t.world or world) for t in found]
    return found


def table(tiers: Sequence[Tier]) -> str:
    """One line a system, one column a kind of robot, in steps a second."""
    rates = {(t.system, t.workers, t.world): f"{t.steps_per_second:,.0f}" for t in tiers}
    worlds = list(dict.fromkeys(t.world for t in tiers))
    lines = [f"{'robot steps a second':32}" + "".join(f"{world:>12}" for world in worlds)]
    for system, workers in dict.fromkeys((t.system, t.workers) for t in sorted(tiers, key=_rung)):
        name = f"{workers} workers, {system}" if workers > 1 else f"here, {system}"
        cells = (rates.get((system, workers, world), "-") for world in worlds)
        lines.append(f"{name:32}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(lines)


def any_weights(hello: Hello) -> Weights:
    """Weights of a policy that nobody has trained, which fits a worker's robots."""
    from burgerbot.learn.numpy_policy import weights_of
    from burgerbot.learn.policy import ActorCritic  # PyTorch, which a worker does not need

    return weights_of(ActorCritic.of(hello))


def _rung(tier: Tier) -> int:
    """Where a tier stands in the table."""
    return tier.workers


def _rate(crew: Crew, steps: int, seconds: float) -> float:
    """Robot steps a second, over one round."""
    begin = now = time.perf_counter()
    done = 0
    while now - begin < seconds:
        done += int(np.sum(crew.next(steps).content.rollout.valid))
        now = time.perf_counter()
    return done / (now - begin)
