"""Where the time of a training on one device goes, and how much arithmetic it takes."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any, NamedTuple

from torch import Tensor

from burgerbot.learn.device import collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import Discounted, PPOConfig, Training, train
from burgerbot.scale.machine import wait_for


class Parts(NamedTuple):
    """Seconds of one update, by what they were spent on.

    Attributes:
        simulate: In the environment's ``step``.
        act: In the policy, and in writing the rows down.
        advantage: In judging the rollout: values of the next observations, and GAE.
        update: In learning from it, with all the rest.
    """

    simulate: float
    act: float
    advantage: float
    update: float


def time_training(
    envs: Any, config: PPOConfig, updates: int, policy: ActorCritic | None = None
) -> tuple[list[Parts], Training]:
    """Train on one device, and time each update in four parts.

    Each part begins and ends with a wait for the device; without the waits, training is somewhat
    faster than the sum of the parts.

    Args:
        envs: A ``TorchBurgerBot``.
        config: See ``PPOConfig``.
        updates: How many come after the first, which warms up.
        policy: As ``train`` takes it.

    Returns:
        ``(parts, training)``, parts for each update, that of the first among them.
    """
    clock = _Clock(envs)
    objective = _Timed(config, clock)
    ends = [(clock.now(), 0.0, 0.0, 0.0)]

    def note(run: Training) -> bool:
        ends.append((clock.now(), clock.stepped, clock.collected, objective.seconds))
        return run.updates <= updates

    run = train(
        clock,
        config,
        (updates + 1) * config.steps * envs.num_envs,
        collect=clock.collect,
        objective=objective,
        policy=policy,
        callback=note,
    )
    parts = []
    for before, after in pairwise(ends):
        total, stepped, collected, judged = (b - a for a, b in zip(before, after, strict=True))
        parts.append(Parts(stepped, collected - stepped, judged, total - collected - judged))
    return parts, run


def flop_per_step(policy: ActorCritic, config: PPOConfig, num_envs: int) -> float:
    """Work out the float operations of all matrix products, for one robot step.

    ``forward = 2 * weights;  backward = 2 * forward``. Each step is seen once to act, once by the
    critic after it, once for its log-probability, and forward and backward in each epoch. Where a
    batch asks for few possible observations, the products are as few.

    Args:
        policy: The networks.
        config: ``steps``, ``epochs`` and ``minibatches`` are used.
        num_envs: N.
    """
    rows = config.steps * num_envs
    actor, critic = (
        2.0 * sum(w.numel() for w in network.parameters() if w.ndim == 2)
        for network in (policy.actor, policy.critic)
    )
    part = rows // config.minibatches
    whole, small = policy.asks(rows) / rows, policy.asks(part) / part
    return whole * (2 * actor + 3 * critic) + small * config.epochs * 3 * (actor + critic)


class _Clock:
    """Stands in for an environment, and counts the seconds of its steps and of collecting."""

    def __init__(self, envs: Any) -> None:
        self.envs = envs
        self.stepped = self.collected = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.envs, name)

    def now(self) -> float:
        wait_for(self.envs.device)
        return time.perf_counter()

    def step(self, actions: Tensor) -> Any:
        start = self.now()
        result = self.envs.step(actions)
        self.stepped += self.now() - start
        return result

    def collect(self, envs: Any, act: Any, steps: int, carry: Any) -> Any:
        start = self.now()
        result = collect_on_device(envs, act, steps, carry)
        self.collected += self.now() - start
        return result


class _Timed(Discounted):
    """The discounted objective, with a clock."""

    def __init__(self, config: PPOConfig, clock: _Clock) -> None:
        super().__init__(config.gamma, config.lam)
        self.clock, self.seconds = clock, 0.0

    def __call__(self, *args: Any) -> tuple[Tensor, Tensor]:
        start = self.clock.now()
        result = super().__call__(*args)
        self.seconds += self.clock.now() - start
        return result
