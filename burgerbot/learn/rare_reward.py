"""A long corridor with one reward at its end: how soon does a replay find what matters?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from burgerbot.learn import oracle
from burgerbot.learn.q_learning import QTable, transitions
from burgerbot.learn.replay import PrioritizedReplay
from burgerbot.learn.rollout import collect
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import FORWARD, compile_kitchen
from burgerbot.world.vector import BurgerBotVectorEnv

PAID, GAMMA = (0.0, 0.0, 0.0, 1.0), 0.95  # only a delivery pays
ROBOTS, STEPS = 16, 400


class Corridor(NamedTuple):
    """A corridor and what somebody saw in it.

    Attributes:
        length: Clear cells between start and goal.
        rows: ``q_learning.FIELDS`` -> arrays ``[B, ...]``, of robots that mostly drive forward.
        rewards: Rows that paid.
        start: Observation of the start, int64 ``[4]``.
        best: Exact value of the start.
    """

    length: int
    rows: dict[str, np.ndarray]
    rewards: int
    start: np.ndarray
    best: float


def corridor(length: int, seed: int = 0) -> Corridor:
    """Let 16 robots drive 400 steps each, six times in ten forward, else anything.

    Args:
        length: Clear cells between start and goal, 0 or more.
        seed: Of the draws.
    """
    kitchen = Kitchen.from_ascii(">" + "." * length + "G")
    envs = BurgerBotVectorEnv(
        ROBOTS, kitchen, PAID, max_episode_steps=200, autoreset_mode="SameStep"
    )
    rng = np.random.default_rng(seed)

    def act(observations: np.ndarray) -> np.ndarray:
        anything = rng.integers(4, size=ROBOTS)
        return np.where(rng.random(ROBOTS) < 0.6, FORWARD, anything)

    rows = transitions(collect(envs, act, STEPS)[0])
    world = compile_kitchen(kitchen)
    values, _ = oracle.value_iteration(oracle.model(world, PAID), GAMMA)
    start = world.observations[world.start]
    return Corridor(length, rows, int(rows["rewards"].sum()), start, float(values[world.start]))


def updates_needed(
    world: Corridor,
    alpha: float,
    beta: float,
    *,
    seed: int = 0,
    batch: int = 16,
    limit: int = 20_000,
) -> int:
    """Batches that Q-learning draws from the replay until the start has 90 % of its value.

    Args:
        world: From ``corridor``, with one reward or more.
        alpha, beta: See ``PrioritizedReplay``; 0 draws all alike.
        seed: Of the draws.
        batch: Rows in a batch.
        limit: Batches after which it gives up.
    """
    rng = np.random.default_rng(seed)
    q = QTable([1, world.length + 2, 4, 3], gamma=GAMMA)
    replay = PrioritizedReplay(len(world.rows["actions"]), alpha=alpha, floor=1e-3)
    replay.add(world.rows, np.abs(q.errors(world.rows)))
    for number in range(1, limit + 1):
        sample = replay.sample(batch, beta=beta, rng=rng)
        replay.refresh(sample.ids, np.abs(q.learn(sample.rows, sample.weights)))
        if q(world.start[None]).max() >= 0.9 * world.best:
            return number
    return limit


#: Name -> alpha, beta.
WAYS = {"all alike": (0.0, 0.0), "prioritized": (0.6, 0.0), "prioritized, beta 0.4": (0.6, 0.4)}


def compare(worlds: Sequence[Corridor], *, runs: int = 3) -> dict[str, list[float]]:
    """Mean batches needed in each corridor, for each of ``WAYS``, over a few seeds."""
    return {
        name: [
            float(np.mean([updates_needed(w, *way, seed=seed) for seed in range(runs)]))
            for w in worlds
        ]
        for name, way in WAYS.items()
    }
