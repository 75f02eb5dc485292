"""Menus: all that can happen to one robot, worked out once, so that its step is one look-up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from burgerbot.world import rules
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import ACTIONS, CRASHED, DELIVERED, Rewards

#: ``menu[action]`` is ``(next_menu, observation, reward, terminated, info)``, and
#: ``menu["here"]`` the state; after an episode's end a menu offers no action.
Menu = dict[Any, Any]


@lru_cache(maxsize=64)
def compile_menus(
    kitchen: Kitchen, rewards: Rewards, shaping: float, gamma: float
) -> tuple[list[Menu], list[Menu]]:
    """Work out once what each action does in each state.

    Args:
        kitchen, rewards, shaping, gamma: As ``BurgerBotEnv`` takes them.

    Returns:
        ``(running, ended)``, a menu for each state: while an episode runs, and after its end.
    """
    compiled = rules.compile_kitchen(kitchen)
    table, observations = compiled.table.tolist(), list(compiled.observations)
    potential = (-shaping * compiled.distance).tolist()
    running: list[Menu] = [{"here": state} for state in range(compiled.num_states)]
    ended: list[Menu] = [{"here": state} for state in range(compiled.num_states)]
    for state, menu in enumerate(running):
        for action in range(len(ACTIONS)):
            after, outcome = rules.step(table, state, action)
            terminated = outcome >= CRASHED
            reward, info = rewards[outcome], {}
            if shaping:
                info = {
                    "outcome": outcome,
                    "delivered": outcome == DELIVERED,
                    "true_reward": reward,
                }
                later = 0.0 if terminated else potential[after]
                reward += gamma * later - potential[state]
            next_menu = ended[after] if terminated else running[after]
            menu[action] = (next_menu, observations[after], reward, terminated, info)
    return running, ended
