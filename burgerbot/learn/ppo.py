"""Proximal policy optimization: collect, judge, improve, each on one screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from burgerbot.learn import checkpoint as checkpoints
from burgerbot.learn.advantages import gae
from burgerbot.learn.device import begin_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.rollout import Carry, Rollout, begin, collect

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


class Objective:
    """What a rollout is judged by: advantages to act on, and returns for the critic to learn.

    A subclass overrides ``__call__``, and the rest if it has a state of its own.
    """

    def __call__(
        self, policy: ActorCritic, rollout: Rollout, carry: Carry
    ) -> tuple[Tensor, Tensor]:
        """Judge a rollout of tensors ``[T, N]``; ``carry`` is what the robots see after it."""
        raise NotImplementedError

    def after_update(self, policy: ActorCritic, rollout: Rollout) -> None:
        """Called when the policy has been improved."""

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
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
        if config.target_kl is not None and stats["kl"].item() > 1.5 * config.target_kl:
            break
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


@dataclass
class Training:
    """All that a training run is, and all that a checkpoint keeps.

    Attributes:
        policy, optimizer, objective: What learns, and what from.
        generator: Draws the actions and the order of the rows.
        carry: What the robots see now.
        steps, updates: Transitions learned from (reset rows left out), and updates made.
        history: One dict of numbers for each update.
    """

    policy: ActorCritic
    optimizer: torch.optim.Optimizer
    objective: Objective
    generator: torch.Generator
    carry: Carry
    steps: int = 0
    updates: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)


def train(
    envs: Any,
    config: PPOConfig,
    total_steps: int,
    *,
    seed: int = 0,
    collect: Callable[..., tuple[Rollout, Carry]] = collect,
    objective: Objective | None = None,
    policy: ActorCritic | None = None,
    improve: Callable[..., dict[str, list[float]]] | None = None,
    callback: Callable[[Training], bool | None] | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_every: int = 10,
) -> Training:
    """Train a policy: collect a rollout, judge it, improve; again until the steps are used up.

    Args:
        envs: A vector environment, in any autoreset mode.
        config: See ``PPOConfig``.
        total_steps: Transitions to learn from; the last rollout is not cut.
        seed: Of the networks, the draws and the first reset.
        collect: ``(envs, act, steps, carry) -> (rollout, carry)``, as ``learn.rollout.collect``.
        objective: What to judge by; ``Discounted(config.gamma, config.lam)`` if left out.
        policy: Networks to go on with; new ones on the CPU if left out.
        improve: ``update`` if left out, or a CUDA graph of it.
        callback: Called after each update; training ends where it returns False.
        checkpoint: A file to go on from if it is there, and to save to every ``checkpoint_every``
            updates and at the end. Where ``envs`` has a ``state_dict``, a run that was killed goes
            on to the very weights that it would have reached; elsewhere it begins new episodes.

    Returns:
        Training: ``policy``, ``history`` and the rest.

    Raises:
        ValueError: No steps, or a checkpoint of other settings.
    """
    if total_steps < 1:
        raise ValueError(f"total_steps: expected 1 or more, got {total_steps}")
    run = _start(envs, config, seed, objective, policy, graphed=improve is not None)
    settings = {"config": repr(config), "seed": seed, "robots": envs.num_envs}
    if checkpoint is not None and Path(checkpoint).exists():
        checkpoints.restore(checkpoint, run, envs, settings)

    while run.steps < total_steps:
        # 1. Collect: T steps of every robot.
        act = run.policy.acting(run.generator, config.steps * envs.num_envs)
        rollout, run.carry = collect(envs, act, config.steps, run.carry)
        rollout = _tensors(rollout, run.policy.device)
        # 2. Judge: how much better than expected was each step?
        advantages, returns = run.objective(run.policy, rollout, run.carry)
        batch = _batch(run.policy, rollout, advantages, returns)
        # 3. Improve.
        stats = (improve or update)(run.policy, run.optimizer, batch, config, run.generator)
        run.objective.after_update(run.policy, rollout)
        run.policy.update_moments(batch.observations)
        run.steps += len(batch.actions)
        run.updates += 1
        run.history.append(_record(run, rollout, stats))
        ends = callback is not None and callback(run) is False
        last = ends or run.steps >= total_steps
        if checkpoint is not None and (last or run.updates % checkpoint_every == 0):
            checkpoints.save(checkpoint, run, envs, settings)
        if ends:
            break
    return run


def _start(
    envs: Any,
    config: PPOConfig,
    seed: int,
    objective: Objective | None,
    policy: ActorCritic | None,
    graphed: bool,
) -> Training:
    """Networks, optimizer, draws, and robots at their first observation."""
    on_device = isinstance(getattr(envs, "device", None), torch.device)
    carry = begin_on_device(envs, seed) if on_device else begin(envs, seed)
    if policy is None:
        policy = ActorCritic.of(envs, config.hidden, seed)
    if policy.moments is not None and not policy.moments.count:
        policy.update_moments(carry.observations)
    rate: Any = config.learning_rate
    if config.adaptive_kl is not None:
        rate = torch.tensor(rate, device=policy.device)
    in_graph = graphed and policy.device.type == "cuda"
    return Training(
        policy,
        torch.optim.Adam(policy.parameters(), lr=rate, eps=1e-5, fused=True, capturable=in_graph),
        Discounted(config.gamma, config.lam) if objective is None else objective,
        torch.Generator(device=policy.device).manual_seed(seed),
        carry,
    )


def _tensors(rollout: Rollout, device: torch.device) -> Rollout:
    """The rollout as tensors on the policy's device, numbers in float32."""
    parts = rollout._asdict()
    for name, part in parts.items():
        parts[name] = torch.as_tensor(part, device=device)
    for name in ("rewards", "log_probs", "values"):
        parts[name] = parts[name].float()
    return Rollout(**parts)


@torch.no_grad()
def _batch(policy: ActorCritic, rollout: Any, advantages: Tensor, returns: Tensor) -> Batch:
    """The valid rows ``[B, ...]`` of a rollout ``[T, N, ...]``.

    Their log-probabilities are worked out anew, all rows at once: sums of N rows and of B rows may
    round differently, and the first ratio is to be 1 to the bit.
    """
    parts = (rollout.observations, rollout.actions, advantages, returns)
    every = bool(rollout.valid.all())  # a mask would make the host wait once for each part
    observations, actions, *judged = (
        part.flatten(0, 1) if every else part[rollout.valid] for part in parts
    )
    log_probs, _, _ = policy.evaluate_actions(observations, actions)
    return Batch(observations, actions, log_probs, *judged)


def _record(run: Training, rollout: Any, stats: dict[str, list[float]]) -> dict[str, Any]:
    """What the history keeps of an update."""
    valid = rollout.valid
    ended = ((rollout.terminated | rollout.truncated) & valid).sum()
    paid = torch.where(valid, rollout.rewards, 0.0).sum() / valid.sum()
    reward, episodes = torch.stack([paid, ended]).tolist()
    means = {name: sum(seen) / len(seen) for name, seen in stats.items() if name != "steps"}
    return {
        "steps": run.steps,
        "reward_per_step": reward,
        "episodes": int(episodes),
        "minibatches": int(stats["steps"][0]),
        "stopped": stats["steps"][0] < len(stats["kl"]),
        **means,
        "kl": stats["kl"],
    }
