"""The tables of ``stack`` on a device: all that a step looks up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from burgerbot.world.stack import Stack


class Tables(NamedTuple):
    """K kitchens of S states each, and where N robots stand in them.

    Attributes:
        states: S.
        steps: int32 ``[K * S * 4]``: ``next_state << 2 | outcome`` (int64 from 2**31 entries on).
        rewards: float32 ``[K * S * 4]``: what each action pays, shaping included.
        observations: ``[K * S, ...]``, dtype as on the host.
        starts: like ``steps``, ``[N]``: each robot's fixed start; ``[1]`` where K is 1.
        offsets: likewise: the first state of each robot's kitchen.
    """

    states: int
    steps: Tensor
    rewards: Tensor
    observations: Tensor
    starts: Tensor
    offsets: Tensor


def tables_of(stack: Stack, assigned: np.ndarray, device: torch.device) -> Tables:
    """Bring a stack's tables to a device.

    Args:
        stack: K compiled kitchens.
        assigned: int ``[N]``: the kitchen of each robot.
        device: Where to.
    """
    ids = np.int32 if len(stack.table) < 2**31 else np.int64
    which = assigned if len(stack.kitchens) > 1 else assigned[:1]
    arrays = (
        stack.table.astype(ids),
        stack.rewards.astype(np.float32),
        stack.observations,
        stack.starts[which].astype(ids),
        (which * stack.states).astype(ids),
    )
    return Tables(stack.states, *(torch.tensor(array, device=device) for array in arrays))
