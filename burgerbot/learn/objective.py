"""What a rollout is judged by: the seam between PPO's machinery and what it is to optimize."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import torch
from torch import Tensor

from burgerbot.learn.advantages import gae
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.rollout import Carry, Rollout


class Objective(ABC):
    """What a rollout is judged by: advantages to act on, and returns for the critic to learn.

    A subclass overrides ``__call__``, and the rest if it has a state of its own.
    """

    @abstractmethod
    def __call__(
        self, policy: ActorCritic, rollout: Rollout, carry: Carry
    ) -> tuple[Tensor, Tensor]:
        """Judge a rollout of tensors ``[T, N]``; ``carry`` is what the robots see after it."""

    def after_update(self, policy: ActorCritic, rollout: Rollout) -> None:  # noqa: B027
        """Called when the policy has been improved."""

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:  # noqa: B027
        """Take over what a checkpoint kept."""


class Discounted(Objective):
    """The discounted return, judged by generalized advantage estimation (see ``gae``)."""

    def __init__(self, gamma: float, lam: float) -> None:
        self.gamma, self.lam = gamma, lam

    @torch.no_grad()
    def __call__(
        self, policy: ActorCritic, rollout: Rollout, carry: Carry
    ) -> tuple[Tensor, Tensor]:
        return gae(
            rollout.rewards,
            rollout.values,
            policy.value(torch.as_tensor(rollout.next_observations)),
            rollout.terminated,
            rollout.truncated,
            gamma=self.gamma,
            lam=self.lam,
            valid=rollout.valid,
        )
