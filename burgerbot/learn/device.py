"""Rollouts ``[T, N]`` that never leave the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from burgerbot.learn.rollout import Carry, Rollout

#: Observations ``[N, ...]`` -> actions ``[N]``, or ``(actions, log_probs, values)``; all tensors.
Act = Callable[[Tensor], Any]


def begin_on_device(envs: Any, seed: Any = None) -> Carry:
    """Reset all robots; the carry of a first rollout.

    Args:
        envs: A ``TorchBurgerBot``.
        seed: As its ``reset`` takes it.
    """
    observations: Any = envs.reset(seed=seed)[0]
    return Carry(observations, _none_of(observations))


@torch.no_grad()
def collect_on_device(
    envs: Any, act: Act, steps: int, carry: Carry | None = None
) -> tuple[Rollout, Carry]:
    """Let a policy drive N robots for T steps, and write every row down, on their device.

    The same rows as ``learn.rollout.collect`` writes of the native environment in the autoreset
    mode ``SAME_STEP``, as tensors. Nothing is read back to the host; the memory of the whole
    rollout is taken in its first step. No graph is kept.

    Args:
        envs: A ``TorchBurgerBot``: its ``info["final_obs"]`` holds what each action led to.
        act: Called once a step with the observations, a tensor of its own.
        steps: T, 1 or more.
        carry: What the rollout before handed on; None resets all robots first.

    Returns:
        ``(rollout, carry)``: ``learn.rollout.Rollout`` and ``Carry`` of tensors. ``valid`` is True
        everywhere, since no row is a reset; rewards are float32.

    Raises:
        ValueError: No step, or an answer of ``act`` that has another shape.
        TypeError: An environment whose observations are not tensors.

    >>> from burgerbot.world.torch_vector import TorchBurgerBot
    >>> envs = TorchBurgerBot(1, "cpu", ">G")
    >>> rollout, carry = collect_on_device(envs, lambda seen: seen.new_zeros(1), 2)
    >>> rollout.next_observations[:, 0].tolist(), rollout.terminated[:, 0].tolist()
    ([[0, 1, 1, 0], [0, 1, 1, 0]], [True, True])
    """
    if steps < 1:
        raise ValueError(f"steps: expected 1 or more, got {steps}")
    carry = begin_on_device(envs) if carry is None else carry
    seen: Any = carry.observations
    if not isinstance(seen, Tensor):
        raise TypeError(
            f"envs: expected a TorchBurgerBot, whose observations are tensors, got "
            f"{type(seen).__name__}; learn.rollout.collect takes the other environments"
        )
    kept: dict[str, Tensor] = {}
    for t in range(steps):
        _keep(kept, steps, t, observations=seen)  # before the policy can write into it
        actions, log_probs, values = _answer(act(seen), envs.num_envs)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        _keep(
            kept,
            steps,
            t,
            actions=actions,
            rewards=rewards,
            terminated=terminated,
            truncated=truncated,
            next_observations=info["final_obs"],
            log_probs=log_probs,
            values=values,
        )
    rows: Any = {**kept, "valid": torch.ones_like(kept["terminated"])}
    return Rollout(**rows), Carry(seen, _none_of(seen))


def _keep(kept: dict[str, Tensor], steps: int, t: int, **row: Tensor | None) -> None:
    """Write parts of row t where they belong."""
    for name, part in row.items():
        if part is not None:
            if name not in kept:
                kept[name] = part.new_empty((steps, *part.shape))
            kept[name][t].copy_(part)


def _answer(answer: Any, num_envs: int) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """A policy's actions, and its log-probabilities and values if it gives them."""
    parts = answer if isinstance(answer, tuple) else (answer, None, None)
    if len(parts) != 3:
        raise ValueError(
            f"act: expected actions, or (actions, log_probs, values), got a tuple of {len(parts)}"
        )
    for name, part in zip(("log_probs", "values"), parts[1:], strict=True):
        if part is not None and tuple(part.shape) != (num_envs,):
            raise ValueError(f"act, {name}: expected shape ({num_envs},), got {tuple(part.shape)}")
    return parts


def _none_of(observations: Any) -> Any:
    """Bool ``[N]``, all False, on the device of the observations."""
    return observations.new_zeros(len(observations), dtype=torch.bool)
