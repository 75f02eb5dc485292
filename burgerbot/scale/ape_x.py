"""Ape-X: many explorers fill one prioritized replay, and one learner draws from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from burgerbot.learn.q_learning import QTable, explorers, transitions
from burgerbot.learn.replay import PrioritizedReplay
from burgerbot.learn.rollout import begin, collect
from burgerbot.scale.crew import Crew
from burgerbot.scale.worker import Hello, MakeEnvs, Worker, robot_seeds


class Rows(NamedTuple):
    """What an explorer brings home.

    Attributes:
        rows: ``q_learning.FIELDS`` -> arrays ``[B, ...]``, reset rows left out.
        priorities: float64 ``[B]``: absolute TD errors by the explorer's own table.
    """

    rows: dict[str, np.ndarray]
    priorities: np.ndarray


class Explorer:
    """Drive N robots by a table of values, each with a fondness of its own for trying things out.

    It works out the first priorities itself: it has the values at hand, and the learner would
    otherwise have to look at every transition once before it can choose.

    Args:
        make_envs: Builds the environment; observations are codes (``MultiDiscrete``).
        epsilons: float ``[N]``: how often each robot does something at random.
        gamma: Discount.
        seed: Of the robots and of the draws.
    """

    def __init__(
        self,
        make_envs: MakeEnvs,
        epsilons: np.ndarray,
        gamma: float,
        seed: np.random.SeedSequence,
    ) -> None:
        self.envs = make_envs()
        space: Any = self.envs.single_observation_space
        actions: Any = self.envs.single_action_space
        self.q = QTable(space.nvec, actions.n, gamma=gamma)
        self.epsilons = epsilons
        robots, draws = seed.spawn(2)
        self.carry = begin(self.envs, robot_seeds(robots, self.envs.num_envs))
        self.rng = np.random.default_rng(draws)

    def hello(self) -> Hello:
        """First observations, and the spaces."""
        spaces = self.envs.single_observation_space, self.envs.single_action_space
        return Hello(self.carry.observations, *spaces)

    def sample(self, table: np.ndarray, steps: int) -> Rows:
        """Collect T steps with these values, float64 ``[S, A]``."""
        self.q.table = table
        rollout, self.carry = collect(
            self.envs, lambda seen: self.q.act(seen, self.rng, self.epsilons), steps, self.carry
        )
        rows = transitions(rollout)
        return Rows(rows, np.abs(self.q.errors(rows)))

    def close(self) -> None:
        """End the processes of the robots, if they have some."""
        self.envs.close()


def explorer_builds(
    make_envs: MakeEnvs, workers: int, robots: int, *, gamma: float = 0.97
) -> list[Callable[[np.random.SeedSequence], Worker]]:
    """Builders of W explorers of N robots each, with W * N different epsilons, for a transport."""
    shares = np.split(explorers(workers * robots), workers)
    return [partial(Explorer, make_envs, share, gamma) for share in shares]


def train_ape_x(
    crew: Crew,
    q: QTable,
    replay: PrioritizedReplay,
    total_steps: int,
    *,
    steps: int = 32,
    updates: int = 16,
    batch: int = 64,
    beta: float = 0.4,
    seed: int = 0,
    callback: Callable[[int], bool | None] | None = None,
) -> int:
    """Learn the values from what a crew of explorers puts into the replay.

    For each fragment: put it in with its own priorities; draw batches, learn, and write the new
    errors back as priorities; publish the values.

    Args:
        crew: Of ``Explorer``; a large ``max_lag`` is harmless, for Q-learning is off-policy.
        q: Learns in place.
        replay: Is filled.
        total_steps: Transitions to collect.
        steps: T of each fragment.
        updates, batch: Batches for each fragment, and their size.
        beta: See ``PrioritizedReplay.sample``.
        seed: Of the workers and of the draws.
        callback: Called with the transitions so far after each fragment; False ends it.

    Returns:
        Transitions collected.
    """
    rng = np.random.default_rng(seed)
    crew.begin(seed)
    crew.publish(q.table.copy())
    done = 0
    while done < total_steps:
        rows, priorities = crew.next(steps).content
        replay.add(rows, priorities)
        done += len(priorities)
        for _ in range(updates):
            sample = replay.sample(batch, beta=beta, rng=rng)
            replay.refresh(sample.ids, np.abs(q.learn(sample.rows, sample.weights)))
        crew.publish(q.table.copy())
        if callback is not None and callback(done) is False:
            break
    return done
