"""PPO of this course beside Stable-Baselines3's, over some seeds: do they end alike, and how fast?

``python -m burgerbot.scale.compare_ppo [WORLD]...``, a minute for BurgerBot-v1 and four for
CartPole-v1 on two cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig, Training, train
from burgerbot.scale.compare_crews import interval

ROBOTS = 16
LAST_RATE = 1e-4  # where the learning rate falls to, in a straight line
HELD_OUT = 10_000  # seed of the episodes that are measured


@dataclass(frozen=True)
class Case:
    """A world, and what both programs are told.

    Attributes:
        make: Keywords of ``gymnasium.make_vec`` for our robots.
        total: Transitions of a run.
        config: The learning rate is the first one.
        episodes: Of each of 16 robots, when a policy is measured.
    """

    make: dict[str, Any]
    total: int
    config: PPOConfig
    episodes: int


SHARED = PPOConfig(steps=64, epochs=10, minibatches=4, lam=0.9)
CASES = {
    "BurgerBot-v1": Case(
        {"autoreset_mode": "SameStep"},
        30_720,
        replace(SHARED, learning_rate=2e-3, gamma=0.97, entropy=0.03, hidden=(64,)),
        episodes=1,  # greedy, from one start: all episodes are alike
    ),
    "CartPole-v1": Case(
        {},  # Gymnasium's own array of carts, in NEXT_STEP mode
        100_352,
        replace(SHARED, learning_rate=1e-3),
        episodes=5,
    ),
}


class Run(NamedTuple):
    """What came of one training: the mean return of the greedy policy, and the seconds it took."""

    score: float
    seconds: float


def ours(world: str, case: Case, seed: int) -> Run:
    """Train with ``burgerbot.learn.ppo``; measurements are left as they are, as SB3 does it."""
    envs = gym.make_vec(world, num_envs=ROBOTS, **case.make)
    policy = ActorCritic.of(envs, case.config.hidden, seed)
    if policy.moments is not None:
        policy.moments.freeze()

    def fall(run: Training) -> None:
        run.optimizer.param_groups[0]["lr"] = _rate(case, 1 - run.steps / case.total)

    begun = time.perf_counter()
    train(envs, case.config, case.total, seed=seed, policy=policy, callback=fall)
    seconds = time.perf_counter() - begun
    return Run(_score(world, case, policy.scores), seconds)


def theirs(world: str, case: Case, seed: int) -> Run:
    """Train with SB3, on vector environments of its own."""
    config = case.config
    model = PPO(
        "MlpPolicy",
        make_vec_env(world, ROBOTS, seed=seed),
        n_steps=config.steps,
        batch_size=ROBOTS * config.steps // config.minibatches,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.lam,
        ent_coef=config.entropy,
        learning_rate=lambda left: _rate(case, left),
        policy_kwargs={"net_arch": list(config.hidden)},
        seed=seed,
        device="cpu",
    )
    begun = time.perf_counter()
    model.learn(case.total)
    seconds = time.perf_counter() - begun
    return Run(
        _score(world, case, lambda seen: model.predict(seen, deterministic=True)[0]), seconds
    )


def compare(
    world: str, seeds: Sequence[int] = range(10), case: Case | None = None
) -> dict[str, list[Run]]:
    """Train with both, seed by seed in turns, and print what came of it.

    Args:
        world: A key of ``CASES``.
        seeds: Two or more.
        case: Other settings than those of ``CASES``.

    Returns:
        ``{"ours": runs, "SB3": runs}``, one for each seed.
    """
    case = CASES[world] if case is None else case
    found: dict[str, list[Run]] = {"ours": [], "SB3": []}
    for seed in seeds:
        for name, way in (("ours", ours), ("SB3", theirs)):
            run = way(world, case, seed)
            found[name].append(run)
            print(
                f"{world}  seed {seed}  {name:5}{run.score:8.2f}  {run.seconds:6.1f} s", flush=True
            )
    for name, runs in found.items():
        mean, low, high = interval([run.score for run in runs])
        print(f"{world}  {name:5} mean return {mean:.2f} [{low:.2f}, {high:.2f}]")
    ratios = [b.seconds / a.seconds for a, b in zip(found["ours"], found["SB3"], strict=True)]
    print(f"{world}  SB3 takes {np.median(ratios):.2f} times as long (median of the seeds)")
    return found


def alike(found: dict[str, list[Run]]) -> bool:
    """Whether each mean return lies within the other's 95 % interval."""
    (a, a_low, a_high), (b, b_low, b_high) = (
        interval([run.score for run in runs]) for runs in found.values()
    )
    return b_low <= a <= b_high and a_low <= b <= a_high


def main(argv: Sequence[str] | None = None) -> int:
    """Compare as a command; the exit status is 1 if the two do not end alike."""
    parser = argparse.ArgumentParser(prog="python -m burgerbot.scale.compare_ppo")
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help=", ".join(CASES))
    worlds = parser.parse_args(argv).worlds or list(CASES)
    if unknown := [world for world in worlds if world not in CASES]:
        parser.error(f"expected worlds among {', '.join(CASES)}, got {unknown[0]}")
    torch.set_num_threads(1)
    found = [alike(compare(world)) for world in worlds]
    return int(not all(found))


def _rate(case: Case, left: float) -> float:
    return LAST_RATE + (case.config.learning_rate - LAST_RATE) * left


def _score(world: str, case: Case, policy: Callable[[np.ndarray], np.ndarray]) -> float:
    envs = gym.make_vec(world, num_envs=16, **case.make)
    found = evaluate(envs, policy, case.episodes, seed=HELD_OUT)
    envs.close()
    return float(found.mean_return.mean)


if __name__ == "__main__":
    sys.exit(main())
