"""Proximal policy optimization: collect, judge, improve, and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from burgerbot.learn import checkpoint as checkpoints
from burgerbot.learn.device import begin_on_device
from burgerbot.learn.objective import Discounted as Discounted
from burgerbot.learn.objective import Objective as Objective
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.rollout import Carry, Rollout, begin, collect
from burgerbot.learn.update import STATS as STATS
from burgerbot.learn.update import Batch as Batch
from burgerbot.learn.update import PPOConfig as PPOConfig
from burgerbot.learn.update import descend as descend
from burgerbot.learn.update import loss as loss
from burgerbot.learn.update import minibatches as minibatches
from burgerbot.learn.update import update as update


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
