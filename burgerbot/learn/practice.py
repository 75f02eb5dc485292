"""What lesson 10 practises on: a batch of rows, a policy pushed too far, estimates of one KL."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import Batch
from burgerbot.learn.rollout import Carry, Rollout, collect, gae

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv


@torch.no_grad()
def gather(
    policy: ActorCritic,
    envs: VectorEnv,
    steps: int,
    generator: torch.Generator,
    carry: Carry | None = None,
    *,
    gamma: float = 0.97,
    lam: float = 0.9,
) -> tuple[Batch, Carry]:
    """Collect and judge: T steps of N robots as flat rows.

    Args:
        policy: Drives.
        envs: Robots, in any autoreset mode.
        steps: T.
        generator: Of the actions.
        carry: From the call before; None resets all robots first.
        gamma, lam: Of the advantages.

    Returns:
        ``(batch, carry)``: a ``Batch`` of the transitions among the T * N rows, without a graph,
        time first, and what the robots see next.
    """
    rollout, carry = collect(
        envs, lambda seen: policy.act(torch.as_tensor(seen), generator), steps, carry
    )
    parts: Any = Rollout(*map(torch.as_tensor, rollout))  # type: ignore[arg-type]
    advantages, returns = gae(
        parts.rewards.float(),
        parts.values,
        policy.value(parts.next_observations),
        parts.terminated,
        parts.truncated,
        gamma=gamma,
        lam=lam,
        valid=parts.valid,
    )
    rows = (parts.observations, parts.actions, parts.log_probs, advantages, returns)
    return Batch(*(part[parts.valid] for part in rows)), carry


def push(
    policy: ActorCritic,
    batch: Batch,
    log_ratio: Callable[[Tensor, Tensor, Tensor], Tensor],
    loss: Callable[[Tensor, Tensor], Tensor],
    steps: int,
    learning_rate: float = 2e-3,
) -> tuple[Tensor, ActorCritic]:
    """Let a copy of the policy take steps of one loss on one whole batch.

    Args:
        policy: Stays as it is.
        batch: B rows.
        log_ratio: ``(logits, actions, old log-probabilities) -> [B]``.
        loss: ``(log ratio [B], advantages [B] of mean 0 and deviation 1) -> scalar``.
        steps: How many, 0 or more.
        learning_rate: Of Adam.

    Returns:
        ``(ratios [B], policy)`` after the last step.
    """
    policy = deepcopy(policy)
    optimizer = torch.optim.Adam(policy.actor.parameters(), lr=learning_rate)
    good = (batch.advantages - batch.advantages.mean()) / batch.advantages.std()
    for step in range(steps + 1):
        change = log_ratio(policy.logits(batch.observations), batch.actions, batch.log_probs)
        if step < steps:
            optimizer.zero_grad()
            loss(change, good).backward()
            optimizer.step()
    return change.detach().exp(), policy


@torch.no_grad()
def estimate_kl(
    old: ActorCritic,
    new: ActorCritic,
    observations: Tensor,
    estimate: Callable[[Tensor], tuple[Tensor, Tensor, Tensor]],
    generator: torch.Generator,
    *,
    times: int = 1000,
    rows: int = 64,
) -> tuple[float, np.ndarray]:
    """Draw rows and actions many times, and estimate the KL from each draw.

    Args:
        old, new: Two policies; the old one draws.
        observations: ``[B, features]``.
        estimate: ``log ratio [rows] -> three numbers``.
        generator: Of the draws.
        times, rows: How many draws, of how many rows.

    Returns:
        ``(exact, found)``: the exact mean KL(old || new) over the observations in nats, and float64
        ``[times, 3]``.
    """
    before, after = (net.logits(observations).log_softmax(-1) for net in (old, new))
    exact = (before.exp() * (before - after)).sum(-1).mean().item()
    found = []
    for _ in range(times):
        drawn = torch.randint(len(before), (rows,), generator=generator)
        actions = torch.multinomial(before[drawn].exp(), 1, generator=generator)
        change = (after[drawn] - before[drawn]).gather(-1, actions)[:, 0]
        found.append([float(k) for k in estimate(change)])
    return exact, np.array(found)
