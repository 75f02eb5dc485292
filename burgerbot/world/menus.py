"""Menus: all that can happen to one robot, worked out once, so that its step is one look-up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from burgerbot.world import rules
from burgerbot.world.rules import ACTIONS, CRASHED, DELIVERED, Rewards, Rules

#: ``menu[action]`` is ``(next_menu, observation, reward, terminated, info)``, and
#: ``menu["here"]`` the state; after an episode's end a menu offers no action.
Menu = dict[Any, Any]


@lru_cache(maxsize=64)
def compile_menus(
    compiled: Rules, rewards: Rewards, shaping: float, gamma: float
) -> tuple[list[Menu], list[Menu]]:
    """Work out once what each action does in each state.

    Args:
        compiled: A compiled kitchen.
        rewards, shaping, gamma: As ``BurgerBotEnv`` takes them.

    Returns:
        ``(running, ended)``, a menu for each state: while an episode runs, and after its end.
    """
    table, observations = compiled.table.tolist(), list(compiled.observations)
    paid = reward_table(compiled, rewards, shaping, gamma).tolist()
    running: list[Menu] = [{"here": state} for state in range(compiled.num_states)]
    ended: list[Menu] = [{"here": state} for state in range(compiled.num_states)]
    for state, menu in enumerate(running):
        for action in range(len(ACTIONS)):
            after, outcome = rules.step(table, state, action)
            terminated = outcome >= CRASHED and not compiled.endless
            info: dict[str, Any] = {}
            if shaping or compiled.endless:
                info["outcome"] = outcome
            if shaping:
                info |= {"delivered": outcome == DELIVERED, "true_reward": rewards[outcome]}
            next_menu = ended[after] if terminated else running[after]
            menu[action] = (
                next_menu,
                observations[after],
                paid[state * 4 + action],
                terminated,
                info,
            )
    return running, ended


def reward_table(
    compiled: Rules, rewards: Sequence[float], shaping: float = 0.0, gamma: float = 0.97
) -> np.ndarray:
    """Work out once what each action pays in each state.

    ``paid[s * 4 + a] = rewards[outcome] + gamma * phi(next) - phi(s)``, with
    ``phi = -shaping * distance``, and ``phi(next) = 0`` where the episode terminates

    Args:
        compiled: A compiled kitchen.
        rewards: What idle, moved, crashed and delivered pay.
        shaping, gamma: Coefficient and discount of the potential phi.

    Returns:
        float64 ``[S * 4]``.
    """
    after, outcome = compiled.table >> 2, compiled.table & 3
    terminated = (outcome >= CRASHED) & (not compiled.endless)
    potential = -shaping * compiled.distance
    later = gamma * np.where(terminated, 0.0, potential[after])
    return np.array(rewards)[outcome] + (later - potential.repeat(4))
