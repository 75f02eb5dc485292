"""Many kitchens in one table: their states stand one after another, and a step is one gather."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from burgerbot.world.kitchen import Kitchen
from burgerbot.world.menus import reward_table
from burgerbot.world.observe import Observe
from burgerbot.world.rules import Rewards, compile_kitchen


@dataclass(frozen=True, eq=False)
class Stack:
    """K kitchens of one size, S states each; state s of kitchen k is ``k * S + s``.

    Attributes:
        kitchens: The K kitchens.
        states: S.
        table: int64 ``[K * S * 4]``: ``next_state << 2 | outcome``.
        rewards: float64 ``[K * S * 4]``: what each action pays, shaping included.
        observations: ``[K * S, ...]``.
        starts: int64 ``[K]``: each kitchen's start.
    """

    kitchens: tuple[Kitchen, ...]
    states: int
    table: np.ndarray
    rewards: np.ndarray
    observations: np.ndarray
    starts: np.ndarray


def stack_kitchens(
    kitchens: Sequence[Kitchen],
    observe: Observe,
    rewards: Rewards,
    *,
    shaping: float = 0.0,
    gamma: float = 0.97,
    endless: bool = False,
) -> Stack:
    """Compile K kitchens and put their tables one after another.

    Args:
        kitchens: K kitchens, all of one size.
        observe, rewards, shaping, gamma, endless: As ``compile_kitchen`` and ``reward_table``
            take them.

    Raises:
        ValueError: No kitchen, or kitchens of different sizes.
    """
    sizes = sorted({f"{kitchen.rows}x{kitchen.cols}" for kitchen in kitchens})
    if len(sizes) != 1:
        raise ValueError(f"kitchens: expected one or more of one size, got {sizes or 'none'}")
    compiled = [compile_kitchen(kitchen, observe, endless) for kitchen in kitchens]
    states = compiled[0].num_states
    offsets = np.arange(len(kitchens)) * states
    tables = np.stack([rules.table for rules in compiled]).astype(np.int64)
    return Stack(
        kitchens=tuple(kitchens),
        states=states,
        table=(tables + (offsets[:, None] << 2)).ravel(),
        rewards=np.concatenate([reward_table(c, rewards, shaping, gamma) for c in compiled]),
        observations=np.concatenate([rules.observations for rules in compiled]),
        starts=np.array([rules.start for rules in compiled]) + offsets,
    )
