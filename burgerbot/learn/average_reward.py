"""Average-reward PPO: judge each step by the reward per step of a shift that never ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from burgerbot.learn.advantages import gae
from burgerbot.learn.ppo import Objective

if TYPE_CHECKING:
    from burgerbot.learn.policy import ActorCritic
    from burgerbot.learn.rollout import Carry, Rollout


def differential_advantages(
    rewards: Any,
    values: Any,
    next_values: Any,
    terminated: Any,
    truncated: Any,
    *,
    rho: float,
    lam: float,
    reset_cost: float = 0.0,
    valid: Any = None,
) -> tuple[Any, Any]:
    """Say how much better each step was than the average step, given where it led.

    ``delta[t] = rewards[t] - reset_cost * terminated[t] - rho + next_values[t] - values[t]``
    ``A[t] = delta[t] + lam * A[t + 1]``

    There is no discount. The shift never ends: a termination is a step that leads to where the
    next episode begins, and the sum goes on through it. A truncation ends the sum, and so does a
    reset row. All arguments are arrays, or all are tensors on one device, ``[T, N]``.

    Args:
        rewards: float: what each step paid.
        values: float: V of the observation before the step.
        next_values: float: V of the true next observation; where ``terminated``, V of the first
            observation of the next episode. A constant added to all values changes nothing.
        terminated, truncated: bool: the flags of the step; where both are set, termination wins.
        rho: The estimate of the average reward.
        lam: Lambda, 0 (one-step errors) to below 1, at which the sum would never settle.
        reset_cost: What a reset costs, on top of the reward of the step that led to it.
        valid: bool: False for reset rows, which get advantage 0; None for none.

    Returns:
        ``(advantages, returns)``, ``[T, N]``; ``returns = advantages + values - mean(values)``,
        the mean over valid rows, so that the level of the values cannot drift.

    Raises:
        ValueError: Shapes that differ or are not ``[T, N]``, or a lambda out of range.
        TypeError: Flags that are not bool, or arrays mixed with tensors.

    Source: Zhang and Ross (2021), "On-policy deep reinforcement learning for the average-reward
    criterion"; for the level of the values, Ma, Tang, Xia, Yang and Zhao (2021), "Average-reward
    reinforcement learning with trust region methods".

    >>> import numpy as np
    >>> r, v, led_to = (np.array([x]).T for x in ([0.0, 1], [-0.25, 0.25], [0.25, -0.25]))
    >>> no = np.zeros((2, 1), dtype=bool)
    >>> differential_advantages(r, v, led_to, no, no, rho=0.5, lam=0.9)[0].ravel().tolist()
    [0.0, 0.0]
    >>> differential_advantages(r, v, led_to, no, no, rho=0.0, lam=0.9)[0].ravel().tolist()
    [0.95, 0.5]
    """
    if not 0.0 <= lam < 1.0:
        raise ValueError(f"lam: expected a number from 0 to below 1, got {lam!r}")
    advantages, returns = gae(
        rewards - reset_cost * terminated - rho,
        values,
        next_values,
        terminated & False,
        truncated & ~terminated,
        gamma=1.0,
        lam=lam,
        valid=valid,
    )
    levels = returns - advantages  # the values, without a graph
    kept = levels if valid is None else levels[valid]
    return advantages, returns - (kept.mean() if len(kept) else 0.0)


class AverageReward(Objective):
    """ARPPO: an objective for ``ppo.train`` that estimates the average reward as it goes.

    Values and advantages are those of ``differential_advantages``. Once a rollout, after the
    update, ``rho <- rho + rate * mean(delta)``, the mean over valid rows: never the mean of the
    advantages, in which each delta counts many times over.

    Args:
        lam: Lambda, 0 to below 1.
        rate: Of rho, above 0, up to 1.
        rho: The first estimate of the average reward.
        reset_cost: What a reset costs, on top of the reward of the step that led to it.

    Attributes:
        rho: The estimate of the average reward, per step.
        error: mean(delta) of the last rollout: how far off rho seemed to be.

    Raises:
        ValueError: An argument out of range.
    """

    def __init__(
        self,
        lam: float = 0.95,
        *,
        rate: float = 0.1,
        rho: float = 0.0,
        reset_cost: float = 0.0,
    ) -> None:
        if not 0.0 <= lam < 1.0:
            raise ValueError(f"lam: expected a number from 0 to below 1, got {lam!r}")
        if not 0.0 < rate <= 1.0:
            raise ValueError(f"rate: expected a number above 0, up to 1, got {rate!r}")
        self.lam, self.rate, self.rho, self.reset_cost = lam, rate, float(rho), float(reset_cost)
        self.error = 0.0
        self.first: Tensor | None = None  # what each robot saw at the very beginning

    @torch.no_grad()
    def __call__(
        self, policy: ActorCritic, rollout: Rollout, carry: Carry
    ) -> tuple[Tensor, Tensor]:
        if self.first is None:
            self.first = torch.as_tensor(rollout.observations[0]).clone()
        arguments: list[Any] = [
            rollout.rewards,
            rollout.values,
            policy.value(led_to(rollout, carry, self.first)),
            rollout.terminated,
            rollout.truncated,
        ]

        def judge(lam: float) -> tuple[Tensor, Tensor]:
            return differential_advantages(
                *arguments,
                rho=self.rho,
                lam=lam,
                reset_cost=self.reset_cost,
                valid=rollout.valid,
            )

        delta, _ = judge(0.0)
        self.error = float(delta[rollout.valid].mean())
        return judge(self.lam)

    def after_update(self, policy: ActorCritic, rollout: Rollout) -> None:
        """Move rho, once a rollout."""
        self.rho += self.rate * self.error

    def state_dict(self) -> dict[str, Any]:
        """``rho``, ``error``, and where the robots began."""
        return {"rho": self.rho, "error": self.error, "first": self.first}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what ``state_dict`` gave."""
        self.rho, self.error = state["rho"], state["error"]
        self.first = state["first"]


def led_to(rollout: Rollout, carry: Carry, first: Tensor) -> Tensor:
    """Say what each robot acts on after each step: the next observation, or the one after a reset.

    Args:
        rollout: Tensors ``[T, N, ...]``, of any autoreset mode.
        carry: What the robots see after the rollout.
        first: ``[N, ...]``: a first observation of each robot, which stands in where a robot's
            reset comes only after the rollout (NEXT_STEP).

    Returns:
        ``[T, N, ...]``: ``next_observations``; where ``terminated``, the first observation of the
        next episode.
    """
    rows: Any = rollout
    seen = torch.as_tensor(carry.observations).to(rows.observations)
    waits = torch.as_tensor(carry.resetting).to(rows.valid)
    last = torch.where(_wide(waits, seen), first.to(seen), seen)[None]
    # After a termination comes the first observation, or a reset row that leads to it.
    reset = torch.cat([~rows.valid[1:], torch.zeros_like(rows.valid[:1])])
    first_row = torch.cat([rows.observations[1:], last])
    second_row = torch.cat([rows.next_observations[1:], last])
    begins = torch.where(_wide(reset, first_row), second_row, first_row)
    return torch.where(_wide(rows.terminated, begins), begins, rows.next_observations)


def _wide(flags: Tensor, like: Tensor) -> Tensor:
    """Flags with as many axes as ``like``, to choose whole observations by."""
    return flags.reshape(*flags.shape, *[1] * (like.ndim - flags.ndim))
