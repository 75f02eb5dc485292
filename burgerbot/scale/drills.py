"""Drills for a crew: keep a log, lose a worker, lose a machine, weigh the messages."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import ppo
from burgerbot.scale import workers
from burgerbot.scale.crew import Crew
from burgerbot.scale.crew_log import LoggedTransport, OneWorker
from burgerbot.scale.crew_report import Report
from burgerbot.scale.off_policy import train_crew
from burgerbot.scale.tiers import any_weights
from burgerbot.scale.transport import Transport
from burgerbot.scale.worker import RolloutWorker

Place = Callable[[list[Any]], Transport]

CONFIG = ppo.PPOConfig(steps=32, epochs=2, minibatches=2, hidden=(16,))
KITCHENS = partial(gym.make_vec, "burgerbot:BurgerBotKitchens-v0", num_envs=16)
BUILD = partial(RolloutWorker, KITCHENS)


def record(
    place: Place, updates: int, *, in_flight: int = 2, max_lag: int = 8
) -> tuple[list[tuple[str, int | None]], Report]:
    """Let two workers collect while somebody publishes after every second rollout.

    Returns:
        ``(log, report)``: see ``LoggedTransport`` and ``Report``.
    """
    transport = LoggedTransport(place([BUILD] * 2))
    with Crew(transport, seed=12, in_flight=in_flight, max_lag=max_lag) as crew:
        weights = any_weights(crew.begin()[0])
        for _ in range(updates):
            crew.publish(weights)
            for _ in range(2):
                crew.next(32)
    return transport.log, crew.report


class Pair:
    """Two workers that have begun, asked one at a time: ``workers``, and ``kill``."""

    def __init__(self, place: Place) -> None:
        self.transport = place([BUILD] * 2)
        self.workers = [OneWorker(self.transport, i, 16) for i in (0, 1)]
        hellos = [worker.begin(100 + i) for i, worker in enumerate(self.workers)]
        self.weights = any_weights(hellos[0])

    def kill(self, worker: int) -> None:
        """SIGKILL."""
        self.transport.kill(worker)

    def close(self) -> None:
        """End both."""
        self.transport.close()


class Drill(NamedTuple):
    """How a training run came through.

    Attributes:
        run: The training run.
        report: Of its crew.
        while_away: Updates that were made while a worker was missing.
    """

    run: ppo.Training
    report: Report
    while_away: int

    def __str__(self) -> str:
        rows = "" if self.run.policy.moments is None else f"{self.run.policy.moments.count:,}"
        events = [f"worker {worker} {what}" for _, worker, what in self.report.events]
        return (
            f"{self.run.updates} updates; {self.report}\nevents: {', '.join(events)}\n"
            f"rows in the moments: {rows}, learned from: {self.run.steps:,}"
        )


def kill_drill(place: Place, *, updates: int = 40) -> Drill:
    """Train with two workers, kill worker 0 after 10 updates, and go on until it is back."""
    return _drill(place, lambda crew, run: crew.transport.kill(0), lambda away: None, updates)


def node_drill(*, updates: int = 40) -> Drill:
    """Train on two nodes, lose one after 10 updates, get a new one after 5 more.

    Raises:
        RayUnavailable: Two nodes cannot be simulated here.
    """
    with workers.simulated_nodes(1, 1) as cluster:

        def lose(crew: Crew, run: ppo.Training) -> None:
            cluster.remove_node(list(cluster.worker_nodes)[-1], allow_graceful=False)

        def mend(away: int) -> None:
            if away == 5:
                workers.add_node(cluster, 1)

        return _drill(workers.RayTransport, lose, mend, updates)


def message_costs(steps: Sequence[int]) -> str:
    """Bytes that travel for rollouts of some lengths, by 16 robots in random kitchens."""
    worker = RolloutWorker(KITCHENS, np.random.SeedSequence(0))
    weights = any_weights(worker.hello())
    out = len(pickle.dumps(weights))
    lines = ["steps   weights out   rollout back   bytes a robot step"]
    for count in steps:
        haul = worker.sample(weights, count)
        back = len(pickle.dumps(haul))
        each = (out + back) / haul.rollout.valid.size
        lines.append(f"{count:5}{out / 1e3:11,.0f} kB{back / 1e3:12,.0f} kB{each:21,.0f}")
    return "\n".join(lines)


def _drill(
    place: Place,
    lose: Callable[[Crew, ppo.Training], None],
    mend: Callable[[int], None],
    updates: int,
) -> Drill:
    """Train, lose something after 10 updates, and go on until it is back and enough is done."""
    away = 0
    with Crew(place([BUILD] * 2)) as crew:

        def look(run: ppo.Training) -> bool:
            nonlocal away
            if run.updates == 10:
                lose(crew, run)
            if crew.report.losses > crew.report.returns:
                away += 1
                mend(away)
            return run.updates < updates or not crew.report.returns

        run = train_crew(crew, CONFIG, 10**9, seed=1, callback=look)
    return Drill(run, crew.report, away)
