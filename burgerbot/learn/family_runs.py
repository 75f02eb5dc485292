"""The same training on few seed families and on many, at the same throughput."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from burgerbot.learn import sharing
from burgerbot.learn.accounting import effective_samples, reset_reasons
from burgerbot.learn.ledger_record import record
from burgerbot.learn.optima import LIMIT
from burgerbot.learn.panel import Panel, held_out
from burgerbot.learn.rollout import Carry, Rollout, collect
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv
from burgerbot.world.observe import VIEW
from burgerbot.world.strata import STRATA

if TYPE_CHECKING:
    import torch

    from burgerbot.learn.policy import ActorCritic

ROBOTS, STEPS = 512, 1_500_000
#: Of ``PPOConfig``.
SETTINGS: dict[str, Any] = {
    "steps": 16,
    "epochs": 4,
    "minibatches": 8,
    "learning_rate": 1e-3,
    "gamma": 0.98,
    "lam": 0.95,
    "entropy": 0.01,
    "value": 0.02,
}
TIMED = 64  # steps that a throughput is measured over


@dataclass(frozen=True, eq=False)
class FamilyRun:
    """A policy, and the evidence for it.

    Attributes:
        policy: What was learned.
        training, held_out: What it does on the seeds that it learned from, and on others.
        rollout: ``[64, N]`` rows of the trained policy in its training kitchens, actions drawn.
        record: For the ledger.
    """

    policy: ActorCritic
    training: Panel
    held_out: Panel
    rollout: Rollout
    record: dict[str, Any]


def kitchens(
    families: Sequence[int], robots: int = ROBOTS, **kwargs: Any
) -> BurgerBotKitchensVectorEnv:
    """Robots in the kitchens of these seeds: a quarter of them in each stratum.

    A kitchen is a seed in a stratum. Each one gets as many robots as any other.

    Args:
        families: F seeds.
        robots: N, a multiple of 4 F.
        **kwargs: As ``BurgerBotKitchensVectorEnv`` takes them.

    Raises:
        ValueError: Another number of robots.
    """
    kinds = list(STRATA)
    settings = {"max_episode_steps": LIMIT, "autoreset_mode": "SameStep", **kwargs}
    return BurgerBotKitchensVectorEnv(robots, kinds, list(families) * len(kinds), **settings)


def labels(envs: BurgerBotKitchensVectorEnv) -> list[str]:
    """Name the kitchen of each robot: robots with the same name share it."""
    seeds = envs.families or []
    each = envs.num_envs // max(len(seeds), 1)
    return [f"{name} {seeds[robot // each]}" for robot, name in enumerate(envs.strata)]


def wanderer(seed: int) -> Callable[[np.ndarray], np.ndarray]:
    """A driver that has learned half of its job (``sharing.policy``), in any kitchen.

    Args:
        seed: Of its draws, one for each robot and step.

    Returns:
        Observations ``[N, 28]`` -> actions int64 ``[N]``.
    """
    thresholds = sharing.policy().cumsum(axis=1)[:, :3]
    rng = np.random.default_rng(seed)
    front = VIEW * (VIEW // 2 - 1) + VIEW // 2  # the cell ahead, of the VIEW * VIEW around

    def act(observations: np.ndarray) -> np.ndarray:
        ahead, right = observations[:, -3], observations[:, -2]
        sideways = abs(right) > abs(ahead)
        where = np.where(sideways, np.where(right > 0, 1, 3), np.where(ahead < 0, 2, 0))
        seen = where + 4 * (observations[:, front] > 0)
        return (rng.random((len(seen), 1)) >= thresholds[seen]).sum(axis=1)

    return act


def train_on(
    families: Sequence[int],
    evaluation: Mapping[str, Sequence[int]],
    *,
    run: str,
    steps: int = STEPS,
    seed: int = 0,
    robots: int = ROBOTS,
    settings: Mapping[str, Any] | None = None,
) -> FamilyRun:
    """Train on some seed families in all strata, and evaluate on those and on others.

    Args:
        families: F seeds to learn from; ``robots`` is a multiple of 4 F.
        evaluation: Stratum -> seeds to be evaluated on.
        run: A name for the record.
        steps: Transitions to learn from.
        seed: Of the networks, the draws and the starts.
        robots: N.
        settings: Of ``PPOConfig``, where they are not ``SETTINGS``.

    Returns:
        FamilyRun: Panels of 4 robots a kitchen; on one seed, of 64.
    """
    import torch

    from burgerbot.learn.ppo import PPOConfig, train

    config = PPOConfig(**{**SETTINGS, **(settings or {})})
    envs = kitchens(families, robots)
    reasons: Counter[str] = Counter()

    def counted(*arguments: Any) -> tuple[Rollout, Carry]:
        rollout, carry = collect(*arguments)
        reasons.update(reset_reasons(rollout))
        return rollout, carry

    start = time.perf_counter()
    training = train(envs, config, steps, seed=seed, collect=counted)
    with_update = training.steps / (time.perf_counter() - start)

    def act(observations: np.ndarray) -> torch.Tensor:
        return training.policy.act(torch.as_tensor(observations), training.generator)[0]

    start = time.perf_counter()
    rollout, _ = collect(envs, act, TIMED, training.carry)
    with_policy = TIMED * robots / (time.perf_counter() - start)
    start = time.perf_counter()
    for actions in rollout.actions:
        envs.step(actions)
    simulate_only = TIMED * robots / (time.perf_counter() - start)

    score, crowd = training.policy.scores, max(4, 64 // len(families))
    own = held_out(score, {name: list(families) for name in STRATA}, robots=crowd)
    others = held_out(score, evaluation)
    together = others.correlation()
    per_kitchen = robots // (len(STRATA) * len(families))
    moments = training.policy.moments
    facts = record(
        run,
        config={**vars(config), "robots": robots, "seed": seed},
        training_seeds=families,
        evaluation_seeds=others.seeds,
        strata=list(STRATA),
        steps=training.steps,
        moments_count=None if moments is None else moments.count,
        success=others.success,
        training_success=own.success,
        reset_reasons=reasons,
        throughput={
            "simulate_only": simulate_only,
            "with_policy": with_policy,
            "with_update": with_update,
        },
        notes={
            "robots per kitchen": per_kitchen,
            "ICC of success": None if np.isnan(together) else together,
            "effective robots": None
            if np.isnan(together)
            else effective_samples(robots, per_kitchen, max(together, 0.0)),
        },
    )
    return FamilyRun(training.policy, own, others, rollout, facts)
