"""Driving without learning: at random, from a tape, and by one look ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from burgerbot.world.observe import CELL_MM, VIEW


def at_random(device: torch.device | str, seed: int = 0) -> Callable[[Tensor], Any]:
    """A policy of random actions for ``collect``, with log-probabilities and values of 0."""
    draws = torch.Generator(torch.device(device)).manual_seed(seed)

    def act(seen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        none = torch.zeros(len(seen), device=seen.device)
        actions = torch.randint(0, 4, (len(seen),), generator=draws, device=seen.device)
        return actions, none, none

    return act


def drive(step: Callable[[Tensor], Any], tape: Iterable[Tensor]) -> None:
    """Carry out a tape of actions ``[T, N]``, or its rows; what the steps return is let go."""
    for actions in tape:
        step(actions)


def asking(step: Callable[[Tensor], Any]) -> Callable[[Tensor], float]:
    """The same step, and after it the host reads the mean of its second result, the reward."""
    return lambda actions: step(actions)[1].mean().item()


def one_step_ahead(observations: Tensor) -> Tensor:
    """Drive to the clear neighbouring cell that is nearest to the goal, as the crow flies.

    No learning: the best that looks one step ahead, by what the robot sees.

    Args:
        observations: float32 ``[N, 28]``, see ``observe.egocentric``.

    Returns:
        int64 ``[N]``.
    """
    ahead, right = observations[:, -3] / CELL_MM, observations[:, -2] / CELL_MM
    middle = VIEW * VIEW // 2
    costs = []
    sides = ((middle - VIEW, 1, 0), (middle - 1, 0, -1), (middle + 1, 0, 1), (middle + VIEW, -1, 0))
    for turns, (cell, forward, aside) in zip((0, 1, 1, 2), sides, strict=True):
        far = (ahead - forward).square() + (right - aside).square() + turns
        costs.append(torch.where(observations[:, cell] > 0.5, 1e6, far))
    front, left, to_right, behind = costs
    return torch.stack([front, torch.minimum(left, behind), to_right], dim=1).argmin(1)
