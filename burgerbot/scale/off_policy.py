"""PPO that learns from a crew: what it gets is stale, and V-trace says what that is worth."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burgerbot.learn import checkpoint as checkpoints
from burgerbot.learn import ppo
from burgerbot.learn.advantages import gae
from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.numpy_policy import weights_of
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.rollout import Carry, Rollout
from burgerbot.learn.vtrace import vtrace
from burgerbot.scale.crew import Crew, CrewLost
from burgerbot.scale.worker import Hello


class CrewEnvs:
    """The robots of a crew, as ``ppo.train`` wants to see them: N in all, side by side.

    Args:
        crew: Of ``RolloutWorker``.
        seed: For the first start of the workers.
    """

    def __init__(self, crew: Crew, seed: int = 0) -> None:
        self.crew = crew
        self._fresh: list[Hello] | None = crew.begin(seed)
        first = self._fresh[0]
        self.single_observation_space = first.single_observation_space
        self.single_action_space = first.single_action_space
        self.num_envs = sum(len(hello.observations) for hello in self._fresh)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """First observations ``[N, ...]``; every worker starts anew, but for the first time."""
        hellos = self.crew.begin(seed) if self._fresh is None else self._fresh
        self._fresh = None
        return np.concatenate([hello.observations for hello in hellos]), {}


class OffPolicy(ppo.Objective):
    """Collect from a crew, and judge by V-trace.

    Each rollout is one fragment for each worker of the crew, whoever sent it, side by side. The
    values are those of the critic now, and the log-probabilities become those of the policy now,
    so that PPO's first ratio is exactly 1 and V-trace's weights are the only correction.

    Moments are merged from what each worker counted in its own rollout: nothing counts twice.

    Args:
        crew: Of ``RolloutWorker``.
        policy: The networks that learn.
        config: ``gamma`` and ``lam`` are used.
        correct: False judges by GAE, as if the fragments came from the policy that learns.
        rho_bar, c_bar: Bounds of the weights, see ``vtrace``.
    """

    def __init__(
        self,
        crew: Crew,
        policy: ActorCritic,
        config: ppo.PPOConfig,
        *,
        correct: bool = True,
        rho_bar: float = 1.0,
        c_bar: float = 1.0,
    ) -> None:
        self.crew, self.policy, self.correct = crew, policy, correct
        self.factors: dict[str, Any] = {"gamma": config.gamma, "lam": config.lam}
        self.bounds: dict[str, Any] = {"rho_bar": rho_bar, "c_bar": c_bar}
        self._deltas: list[dict[str, Any]] = []
        self._counted = False  # until then the moments are those of the first observations only

    def collect(self, envs: Any, act: Any, steps: int, carry: Carry) -> tuple[Rollout, Carry]:
        """Publish the weights, and take the next fragments: ``collect`` for ``ppo.train``."""
        if self.policy.moments is not None:
            self.policy.moments.freeze()  # the trainer's own count would be a second one
        self.crew.publish(weights_of(self.policy))
        hauls = [self.crew.next(steps).content for _ in range(self.crew.size)]
        self._deltas = [haul.moments for haul in hauls if haul.moments is not None]
        rollouts = zip(*(haul.rollout for haul in hauls), strict=True)
        carries = zip(*(haul.carry for haul in hauls), strict=True)
        rollout = Rollout(*(np.concatenate(parts, axis=1) for parts in rollouts))
        return rollout, Carry(*(np.concatenate(parts) for parts in carries))

    @torch.no_grad()
    def __call__(
        self, policy: ActorCritic, rollout: Rollout, carry: Carry
    ) -> tuple[Tensor, Tensor]:
        shape = rollout.rewards.shape
        flat = (rollout.observations, rollout.actions, rollout.next_observations)
        seen, actions, led_to = (torch.as_tensor(part).flatten(0, 1) for part in flat)
        log_probs, _, values = policy.evaluate_actions(seen, actions)
        rest = (
            rollout.rewards,
            values.reshape(shape),
            policy.value(led_to).reshape(shape),
            rollout.terminated,
            rollout.truncated,
        )
        if not self.correct:
            return gae(*rest, **self.factors, valid=rollout.valid)
        then: Any = rollout.log_probs
        log_ratios = log_probs.reshape(shape) - then
        then.copy_(log_probs.reshape(shape))
        corrected: Any = partial(vtrace, **self.factors, **self.bounds)
        return corrected(log_ratios, *rest, valid=rollout.valid)

    def after_update(self, policy: ActorCritic, rollout: Rollout) -> None:
        """Merge what the workers counted; first observations are part of the first rollouts."""
        if policy.moments is None:
            return
        policy.moments.unfreeze()
        if not self._counted:
            policy.moments.load_state_dict(RunningMoments(policy.moments.shape).state_dict())
            self._counted = True
        for delta in self._deltas:
            new = RunningMoments(policy.moments.shape)
            new.load_state_dict(delta)
            policy.moments.merge(new)
        self._deltas = []
        policy.moments.freeze()

    def state_dict(self) -> dict[str, Any]:
        """Whether the workers' counts are in the moments."""
        return {"counted": self._counted}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take that over."""
        self._counted = bool(state["counted"])


def train_crew(
    crew: Crew,
    config: ppo.PPOConfig,
    total_steps: int,
    *,
    seed: int = 0,
    correct: bool = True,
    checkpoint: str | Path | None = None,
    callback: Any = None,
) -> ppo.Training:
    """Train a policy on what a crew collects; ``ppo.train`` with another ``collect``.

    Args:
        crew: Of ``RolloutWorker``; it stays open.
        config: See ``PPOConfig``; ``steps`` is T of each fragment.
        total_steps: Transitions to learn from.
        seed: Of the workers, the networks and the order of the rows.
        correct: See ``OffPolicy``.
        checkpoint, callback: See ``ppo.train``.

    Returns:
        ppo.Training: Its moments may be updated again.

    Raises:
        CrewLost: Nobody is left; the message names the checkpoint, which was saved first.
    """
    envs = CrewEnvs(crew, seed)
    policy = ActorCritic.of(envs, config.hidden, seed)
    assert envs._fresh is not None
    policy.update_moments(np.concatenate([hello.observations for hello in envs._fresh]))
    objective = OffPolicy(crew, policy, config, correct=correct)
    runs: list[ppo.Training] = []

    def remember(run: ppo.Training) -> bool | None:
        runs[:] = [run]
        return None if callback is None else callback(run)

    try:
        return ppo.train(
            envs,
            config,
            total_steps,
            seed=seed,
            collect=objective.collect,
            objective=objective,
            policy=policy,
            callback=remember,
            checkpoint=checkpoint,
        )
    except CrewLost as error:
        if checkpoint is None or not runs:
            raise CrewLost(f"{error}. Nothing was saved") from error
        settings = {"config": repr(config), "seed": seed, "robots": envs.num_envs}
        checkpoints.save(checkpoint, runs[0], envs, settings)
        raise CrewLost(f"{error}. Saved after {runs[0].updates} updates in {checkpoint}") from error
    finally:
        if policy.moments is not None:
            policy.moments.unfreeze()
