"""What runs in a worker: robots, a copy of the policy as arrays, and a note of whose life it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from gymnasium.vector import VectorEnv

from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.numpy_policy import NumpyPolicy, Weights
from burgerbot.learn.rollout import Carry, Rollout, begin, collect

#: Builds a vector environment; a ``functools.partial`` of a module's function, so that it pickles.
MakeEnvs = Callable[[], VectorEnv[Any, Any, Any]]


class Worker(Protocol):
    """Somebody who collects: built with a seed of its own, then asked again and again."""

    def hello(self) -> Any:
        """What the learner has to know before the first sample."""

    def sample(self, weights: Any, *args: Any) -> Any:
        """Collect with these weights."""

    def close(self) -> None:
        """End what it has started."""


class Hello(NamedTuple):
    """What a worker's robots see first, and what they can see and do."""

    observations: np.ndarray
    single_observation_space: Any
    single_action_space: Any


class Haul(NamedTuple):
    """What a worker brings home.

    Attributes:
        rollout: ``[T, N]``, with the log-probabilities and values of the policy that acted.
        carry: What the robots see now.
        moments: ``RunningMoments.state_dict`` of the valid observations of this rollout alone, so
            that merging hauls counts nothing twice; None for observations that are codes.
    """

    rollout: Rollout
    carry: Carry
    moments: dict[str, Any] | None


class RolloutWorker:
    """Drive N robots by whatever policy it is given, and go on where it stopped.

    Args:
        make_envs: Builds the environment.
        seed: Of the robots and of the draws; no two workers, and no two lives of one, share it.
    """

    def __init__(self, make_envs: MakeEnvs, seed: np.random.SeedSequence) -> None:
        self.envs = make_envs()
        robots, draws = seed.spawn(2)
        self.carry = begin(self.envs, robot_seeds(robots, self.envs.num_envs))
        self.rng = np.random.default_rng(draws)

    def hello(self) -> Hello:
        """First observations, and the spaces."""
        spaces = self.envs.single_observation_space, self.envs.single_action_space
        return Hello(self.carry.observations, *spaces)

    def sample(self, weights: Weights, steps: int) -> Haul:
        """Collect T steps with the weights of ``weights_of``."""
        policy = NumpyPolicy(weights)
        rollout, self.carry = collect(
            self.envs, lambda seen: policy.act(seen, self.rng), steps, self.carry
        )
        if policy.begins is not None:
            return Haul(rollout, self.carry, None)
        new = RunningMoments(rollout.observations.shape[2:])
        new.update(rollout.observations[rollout.valid])
        return Haul(rollout, self.carry, new.state_dict())

    def close(self) -> None:
        """End the processes of the robots, if they have some."""
        self.envs.close()


class Host:
    """The place of a worker: who lives there now, and in which life.

    A process that was killed and started again knows nothing: neither its seed nor who asked for
    what. So every call names the life that it is meant for, and gets None from any other.

    Args:
        build: Builds the worker from its seed.
    """

    def __init__(self, build: Callable[[np.random.SeedSequence], Worker]) -> None:
        self.build, self.life = build, -1
        self.worker: Worker | None = None

    def begin(self, life: int, seed: np.random.SeedSequence) -> Any:
        """Start a life with a new worker; what it has to say."""
        self.close()
        self.worker, self.life = self.build(seed), life
        return self.worker.hello()

    def sample(self, life: int, parcel: tuple[int, Any], *args: Any) -> tuple[int, Any] | None:
        """Collect: the version of the weights, and the haul; None if this is another life."""
        if life != self.life or self.worker is None:
            return None
        version, weights = parcel
        return version, self.worker.sample(weights, *args)

    def pid(self) -> int:
        """The process."""
        return os.getpid()

    def close(self) -> None:
        """End the worker, if there is one."""
        if self.worker is not None:
            self.worker.close()
            self.worker = None


def robot_seeds(seed: np.random.SeedSequence, count: int) -> list[int]:
    """One seed a robot, of 64 bits each.

    ``reset(seed=s)`` would give robot i the seed s + i, and two workers whose s lie close together
    would share robots.
    """
    return [int(child.generate_state(1, np.uint64)[0]) for child in seed.spawn(count)]
