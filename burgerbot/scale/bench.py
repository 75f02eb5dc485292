"""How many steps a second: ours beside others, in one run, medians of interleaved rounds."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle
from typing import Any

import gymnasium as gym
import numpy as np

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.scale.plain import PlainBurgerBot
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import CRASHED, compile_kitchen

STEPS = 20_000
ROUNDS = 9
NATIVE, SYNC = "BurgerBot-v0, native", "BurgerBot-v0, SyncVectorEnv"
#: System, robots, calls of ``step`` a round. A round takes each some hundredths of a second;
#: SyncVectorEnv costs the same per robot at any N, so it is not run at the largest.
VECTOR_PLAN = (
    (NATIVE, 64, 2_000),
    (SYNC, 64, 300),
    (NATIVE, 1_024, 2_000),
    (SYNC, 1_024, 20),
    (NATIVE, 16_384, 300),
)


@dataclass(frozen=True)
class System:
    """Something to time: ``run`` takes ``steps`` robot steps with ``num_envs`` robots."""

    name: str
    num_envs: int
    steps: int
    run: Callable[[], None]


@dataclass(frozen=True)
class Row:
    """One measurement: robot steps a second, median, slowest and fastest round."""

    system: str
    num_envs: int
    steps_per_second: float
    slowest: float
    fastest: float


def scalar_rows(steps: int = STEPS, rounds: int = ROUNDS) -> list[Row]:
    """Time one robot at a time: plain and ours bare, ours and FrozenLake through ``gym.make``.

    Actions are drawn beforehand and end no episode in the classic kitchen, so that steps are timed
    and not resets (FrozenLake and the time limit still need some).

    Args:
        steps: Steps a round.
        rounds: Rounds a system, after one to warm up.

    Returns:
        list[Row]: In this order: plain, ours, ours through make, FrozenLake through make.
    """
    actions = safe_actions(steps)
    systems: dict[str, Any] = {
        "plain dicts and tuples": PlainBurgerBot(),
        "BurgerBot-v0, the class": BurgerBotEnv(),
        "BurgerBot-v0, gym.make": gym.make("BurgerBot-v0"),
        "FrozenLake-v1, gym.make": gym.make("FrozenLake-v1"),
    }
    return measure(
        [System(name, 1, steps, _driver(env, actions)) for name, env in systems.items()], rounds
    )


def vector_rows(
    plan: Sequence[tuple[str, int, int]] = VECTOR_PLAN, rounds: int = ROUNDS
) -> list[Row]:
    """Time N robots at a time: the native vector env beside Gymnasium's ``SyncVectorEnv``.

    Whole steps of the public interface: actions in, checked; observations, rewards, both flags and
    infos out; auto-reset on, in Gymnasium's default mode. Actions are random and drawn beforehand,
    so episodes are short and resets are part of what is timed.

    Args:
        plan: ``(NATIVE or SYNC, robots, calls a round)``, one for each row.
        rounds: Rounds a system, after one to warm up.

    Returns:
        list[Row]: In the order of the plan.
    """
    systems = []
    for name, num_envs, calls in plan:
        kwargs: dict[str, Any] = {} if name == NATIVE else {"vectorization_mode": "sync"}
        envs = gym.make_vec("BurgerBot-v0", num_envs=num_envs, **kwargs)
        systems.append(vector_system(name, envs, calls))
    return measure(systems, rounds)


def vector_system(name: str, envs: Any, calls: int) -> System:
    """Make a vector environment ready to be timed: it resets itself, and goes on each round.

    Args:
        name: What to call it.
        envs: Anything with ``num_envs``, ``reset(seed=...)`` and ``step(actions)``.
        calls: Calls of ``step`` a round; the actions are random and drawn beforehand.
    """
    envs.reset(seed=0)
    tapes = cycle(np.random.default_rng(0).integers(0, 4, (100, envs.num_envs)))

    def run() -> None:
        step = envs.step
        for _ in range(calls):
            step(next(tapes))

    return System(name, envs.num_envs, calls * envs.num_envs, run)


def safe_actions(steps: int) -> list[int]:
    """Draw random actions that neither crash nor deliver in the classic kitchen."""
    rng = np.random.default_rng(0)
    rules = compile_kitchen(CLASSIC)
    table = rules.table.reshape(-1, 4)
    state, actions = rules.start, []
    for _ in range(steps):
        actions.append(int(rng.choice(np.flatnonzero(table[state] & 3 < CRASHED))))
        state = table[state, actions[-1]] >> 2
    return actions


def measure(systems: Sequence[System], rounds: int) -> list[Row]:
    """Time systems in turns, after one round to warm up: what slows one down slows all."""
    rates: list[list[float]] = [[] for _ in systems]
    for round_number in range(rounds + 1):
        for system, found in zip(systems, rates, strict=True):
            start = time.perf_counter()
            system.run()
            if round_number:
                found.append(system.steps / (time.perf_counter() - start))
    return [
        Row(system.name, system.num_envs, statistics.median(found), min(found), max(found))
        for system, found in zip(systems, rates, strict=True)
    ]


def report(scalar: Sequence[Row], vector: Sequence[Row]) -> dict[str, Any]:
    """What was measured, on what, and how the systems compare; ready for JSON.

    Args:
        scalar: What ``scalar_rows`` found.
        vector: What ``vector_rows`` found.

    Returns:
        ``machine``, ``cores``, ``versions``, ``rows`` and ``ratios``.
    """
    plain, bare, made, lake = (row.steps_per_second for row in scalar)
    ratios = {"class / plain": bare / plain, "gym.make / FrozenLake": made / lake}
    sync = {row.num_envs: row.steps_per_second for row in vector if row.system == SYNC}
    for row in vector:
        if row.system == NATIVE and row.num_envs in sync:
            ratio = row.steps_per_second / sync[row.num_envs]
            ratios[f"native / SyncVectorEnv, {row.num_envs:,} robots"] = ratio
    return {
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "gymnasium": gym.__version__,
        },
        "rows": [asdict(row) for row in (*scalar, *vector)],
        "ratios": ratios,
    }


def main(as_json: bool = False) -> None:
    """Print the benchmark: a table with ratios, or one JSON object."""
    found = report(scalar_rows(), vector_rows())
    if as_json:
        print(json.dumps(found))
        return
    print(f"{'system':<28}{'robots':>8}{'steps/s':>14}{'slowest':>14}{'fastest':>14}")
    for row in found["rows"]:
        rates = (row["steps_per_second"], row["slowest"], row["fastest"])
        print(f"{row['system']:<28}{row['num_envs']:>8,}", *(f"{v:>13,.0f}" for v in rates))
    for name, ratio in found["ratios"].items():
        print(f"{name}: {ratio:.1f}x")


def _driver(env: Any, actions: list[int]) -> Callable[[], None]:
    """A function that drives an environment through a tape of actions."""

    def run() -> None:
        step, reset = env.step, env.reset
        reset(seed=0)
        for action in actions:
            _, _, terminated, truncated, _ = step(action)
            if terminated or truncated:
                reset()

    return run
