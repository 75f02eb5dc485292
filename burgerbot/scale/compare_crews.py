"""Train the same policy in one process and on Ray, over some seeds: is the held-out success alike?

Run ``python -m burgerbot.scale.compare_crews``; takes one to three minutes on two cores.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
import torch

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import ppo
from burgerbot.learn.evaluate import evaluate
from burgerbot.scale import workers
from burgerbot.scale.crew import Crew
from burgerbot.scale.local_crew import LocalTransport
from burgerbot.scale.off_policy import train_crew
from burgerbot.scale.transport import Transport
from burgerbot.scale.worker import RolloutWorker

WORLD = "burgerbot:BurgerBotKitchens-v0"
CONFIG = ppo.PPOConfig(
    steps=64, epochs=4, minibatches=4, learning_rate=1e-3, gamma=0.97, entropy=0.01
)
ROBOTS, STEPS = 64, 150_000
HELD_OUT = 10**6  # seeds of the kitchens that nobody trains in


class Trained(NamedTuple):
    """What came of one run.

    Attributes:
        success: Share of held-out kitchens delivered.
        interval: The same with its interval, as text.
        steps_per_second: Transitions learned from, with everything.
        lags: Lag -> fragments; empty in one process.
    """

    success: float
    interval: str
    steps_per_second: float
    lags: Counter[int]


def in_process(seed: int, steps: int = STEPS) -> Trained:
    """``ppo.train`` with all robots in one native vector environment."""
    envs = gym.make_vec(WORLD, num_envs=ROBOTS)
    return _timed(lambda: ppo.train(envs, CONFIG, steps, seed=seed), Counter())


def by_crew(
    transport: Callable[[list[Any]], Transport], seed: int, steps: int = STEPS, size: int = 2
) -> Trained:
    """``train_crew`` with the robots shared out to workers."""
    make = partial(gym.make_vec, WORLD, num_envs=ROBOTS // size)
    with Crew(transport([partial(RolloutWorker, make)] * size)) as crew:
        return _timed(lambda: train_crew(crew, CONFIG, steps, seed=seed), crew.report.lags)


def interval(numbers: Sequence[float]) -> tuple[float, float, float]:
    """Mean of a few runs, and the ends of its 95 % interval (Student's t, up to 10 runs)."""
    t = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)[len(numbers) - 2]
    mean, half = np.mean(numbers), t * np.std(numbers, ddof=1) / np.sqrt(len(numbers))
    return float(mean), float(mean - half), float(mean + half)


def main(seeds: Sequence[int] = range(5), steps: int = STEPS) -> dict[str, list[Trained]]:
    """Print a line for each way and seed, then means with intervals, then the lags."""
    found: dict[str, list[Trained]] = {}
    with workers.running():
        ways: dict[str, Callable[[int], Trained]] = {
            "one process": lambda seed: in_process(seed, steps),
            "crew in one process": lambda seed: by_crew(LocalTransport, seed, steps),
            "2 workers of Ray": lambda seed: by_crew(workers.RayTransport, seed, steps),
        }
        for seed in seeds:
            for name, train in ways.items():
                run = train(seed)
                found.setdefault(name, []).append(run)
                print(f"seed {seed}  {name:20} success {run.success:.3f}", end="  ")
                print(f"{run.steps_per_second:9,.0f} steps/s", flush=True)
    for name, runs in found.items():
        mean, low, high = interval([run.success for run in runs])
        rate = np.median([run.steps_per_second for run in runs])
        print(f"{name:20} success {mean:.3f} [{low:.3f}, {high:.3f}]  {rate:9,.0f} steps/s")
    lags = sum((run.lags for run in found["2 workers of Ray"]), Counter())
    for lag, count in sorted(lags.items()):
        print(f"lag {lag}: {count:5} fragments", "#" * round(60 * count / lags.total()))
    return found


def _timed(train: Callable[[], ppo.Training], lags: Counter[int]) -> Trained:
    """Train, and evaluate in kitchens that nobody has trained in."""
    torch.set_num_threads(1)  # the workers need the other cores
    begin = time.perf_counter()
    run = train()
    seconds = time.perf_counter() - begin
    envs = gym.make_vec(WORLD, num_envs=256)
    success = evaluate(envs, run.policy.scores, 1, seed=HELD_OUT).success
    assert success is not None
    shown = "{:.3f} [{:.3f}, {:.3f}]".format(*success)
    return Trained(success.mean, shown, run.steps / seconds, lags)


if __name__ == "__main__":
    main()
