"""PPO's update: what can be set, the clipped loss, and a step that stops in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from burgerbot.learn.policy import ActorCritic

#: What ``loss`` reports beside the loss, each a mean over the rows.
STATS = ("kl", "clip_fraction", "policy_loss", "value_loss", "entropy")


@dataclass(frozen=True)
class PPOConfig:
    """What PPO can be told; the names are the field's.

    Attributes:
        steps: T, steps of each robot in a rollout.
        epochs: How often the whole rollout is learned from.
        minibatches: Parts of each epoch; their sizes differ by one row at most.
        learning_rate: Of Adam.
        gamma, lam: Discount, and lambda of the advantages.
        clip: How far the ratio of probabilities may pay off, both ways.
        entropy, value: Weights of the entropy bonus and of the critic's loss.
        max_grad_norm: The gradient is scaled down to this length.
        target_kl: The update ends before the first minibatch whose KL is above 1.5 times this.
        adaptive_kl: The learning rate follows the KL: a minibatch above twice this divides it by
            1.5, one below half of it multiplies it by 1.5, within 1e-5 to 1e-2.
        normalize_advantages: Whether each minibatch's advantages get mean 0 and deviation 1.
        hidden: Width of each hidden layer.
    """

    steps: int = 128
    epochs: int = 10
    minibatches: int = 4
    learning_rate: float = 3e-4
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    entropy: float = 0.0
    value: float = 0.5
    max_grad_norm: float = 0.5
    target_kl: float | None = None
    adaptive_kl: float | None = None
    normalize_advantages: bool = True
    hidden: tuple[int, ...] = (64, 64)

    def __post_init__(self) -> None:
        for name in ("steps", "epochs", "minibatches"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected 1 or more, got {getattr(self, name)}")
        for name in ("learning_rate", "clip", "max_grad_norm"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: expected a number above 0, got {getattr(self, name)}")
        for name in ("gamma", "lam"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name}: expected 0 to 1, got {getattr(self, name)}")
        for name in ("target_kl", "adaptive_kl"):
            if getattr(self, name) is not None and not getattr(self, name) > 0:
                raise ValueError(f"{name}: expected a number above 0, got {getattr(self, name)}")


class Batch(NamedTuple):
    """B transitions to learn from, in any order. No tensor has a graph.

    Attributes:
        observations: ``[B, features]``.
        actions: int64 ``[B]``.
        log_probs: float ``[B]``, of the policy that acted.
        advantages, returns: float ``[B]``.
    """

    observations: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor


def loss(policy: ActorCritic, batch: Batch, config: PPOConfig) -> tuple[Tensor, dict[str, Tensor]]:
    """PPO's loss: a clipped surrogate, the critic's squared error, and an entropy bonus.

    ``ratio = exp(log_prob_now - log_prob_then)``
    ``surrogate = mean(min(ratio * A, clip(ratio, 1 - c, 1 + c) * A))``
    ``loss = value * mean((V - return)^2) - surrogate - entropy * mean(entropy)``

    Args:
        policy: The networks that learn.
        batch: B transitions.
        config: ``clip``, ``value``, ``entropy`` and ``normalize_advantages`` are used.

    Returns:
        ``(loss, stats)``: a scalar with a graph; scalars without one: ``kl`` (k3, in nats),
        ``clip_fraction``, ``policy_loss``, ``value_loss``, ``entropy`` (nats).

    Source: Schulman and others (2017), "Proximal policy optimization algorithms", equation 9; for
    k3, Schulman (2020), "Approximating KL divergence".
    """
    log_probs, entropy, values = policy.evaluate_actions(batch.observations, batch.actions)
    advantages = batch.advantages
    if config.normalize_advantages and len(advantages) > 1:  # one row has no deviation
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    log_ratio = log_probs - batch.log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    surrogate = torch.minimum(ratio * advantages, clipped * advantages)
    error = (values - batch.returns).square()
    total = (config.value * error - surrogate - config.entropy * entropy).mean()
    with torch.no_grad():
        rows = (ratio - 1 - log_ratio, (ratio != clipped).float(), -surrogate, error, entropy)
        stats = dict(zip(STATS, torch.stack(rows).mean(1), strict=True))
    return total, stats


def update(
    policy: ActorCritic,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    config: PPOConfig,
    generator: torch.Generator | None = None,
) -> dict[str, list[float]]:
    """Improve the policy: some epochs of minibatches, until the KL says that it is enough.

    The KL is looked at before the step, so that the minibatch that is too much moves nothing; then
    all loops are left.

    Args:
        policy, optimizer: Changed in place.
        batch: B transitions, at least ``config.minibatches``.
        config: See ``PPOConfig``.
        generator: Of the order of the rows, on the batch's device.

    Returns:
        Each of ``loss``'s stats, one number for each minibatch looked at. If the update stopped
        early, the last one is that of the minibatch that was too much: ``steps`` (a list of one
        number) is then one less than the length of the others.

    Raises:
        ValueError: Fewer rows than minibatches.
    """
    size = len(batch.actions)
    if size < config.minibatches:
        raise ValueError(f"batch: expected {config.minibatches} rows or more, got {size}")
    seen: list[Tensor] = []
    steps = 0
    for rows in minibatches(size, config, generator, batch.actions.device):
        part = Batch(*(column.index_select(0, rows) for column in batch))
        total, stats = loss(policy, part, config)
        seen.append(torch.stack([stats[name] for name in STATS]))
        if config.target_kl is not None and not stats["kl"].item() <= 1.5 * config.target_kl:
            break  # a KL that is no number stops it, too
        descend(policy, optimizer, total, stats["kl"], config)
        steps += 1
    found = torch.stack(seen, dim=1).tolist()  # one read for all minibatches
    return dict(zip(STATS, found, strict=True)) | {"steps": [float(steps)]}


def minibatches(
    size: int, config: PPOConfig, generator: torch.Generator | None, device: torch.device
) -> Iterator[Tensor]:
    """Row numbers of each minibatch, epoch after epoch; every row once an epoch."""
    for _ in range(config.epochs):
        order = torch.randperm(size, generator=generator, device=device)
        yield from order.tensor_split(config.minibatches)


def descend(
    policy: ActorCritic,
    optimizer: torch.optim.Optimizer,
    total: Tensor,
    kl: Tensor,
    config: PPOConfig,
) -> None:
    """Take one step down the loss; nothing is read back for it.

    With ``adaptive_kl`` the learning rate, a tensor, follows the KL first, as in rsl_rl
    (Schwarke and others, 2025); a KL of 0 says nothing.
    """
    if config.adaptive_kl is not None:
        slower, faster = kl > 2 * config.adaptive_kl, kl < config.adaptive_kl / 2
        factor = 1.0 + 0.5 * (faster & (kl > 0)) - slower / 3.0
        for group in optimizer.param_groups:
            group["lr"].mul_(factor).clamp_(1e-5, 1e-2)
    optimizer.zero_grad()
    total.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), config.max_grad_norm)
    optimizer.step()
