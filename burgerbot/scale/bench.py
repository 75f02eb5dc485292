"""How many steps a second: ours beside others, in one run, medians of interleaved rounds."""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
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
    and not resets (FrozenLake and the time limit still need some). The systems take turns, so that
    a machine that slows down slows all of them.

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
    return measure({name: _driver(env, actions) for name, env in systems.items()}, steps, rounds)


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


def measure(systems: dict[str, Callable[[], None]], steps: int, rounds: int) -> list[Row]:
    """Time functions that take ``steps`` robot steps each, in turns, after one warm-up round."""
    rates: dict[str, list[float]] = {name: [] for name in systems}
    for round_number in range(rounds + 1):
        for name, run in systems.items():
            start = time.perf_counter()
            run()
            if round_number:
                rates[name].append(steps / (time.perf_counter() - start))
    return [
        Row(name, 1, statistics.median(found), min(found), max(found))
        for name, found in rates.items()
    ]


def main(as_json: bool = False) -> None:
    """Print the benchmark: a table with ratios, or one JSON object."""
    rows = scalar_rows()
    rate = {row.system: row.steps_per_second for row in rows}
    plain, bare, made, lake = rate.values()
    ratios = {"class / plain": bare / plain, "gym.make / FrozenLake": made / lake}
    if as_json:
        machine = f"{platform.machine()}, Python {platform.python_version()}"
        report = {"machine": machine, "rows": [asdict(row) for row in rows], "ratios": ratios}
        print(json.dumps(report))
        return
    print(f"{'system':<28}{'robots':>8}{'steps/s':>14}{'slowest':>14}{'fastest':>14}")
    for row in rows:
        figures = "".join(f"{v:>14,.0f}" for v in (row.steps_per_second, row.slowest, row.fastest))
        print(f"{row.system:<28}{row.num_envs:>8}{figures}")
    for name, ratio in ratios.items():
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
