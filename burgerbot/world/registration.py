"""The registered environments. Gymnasium loads the classes only when one is made."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from burgerbot.world.rules import V1_REWARDS

if TYPE_CHECKING:
    from burgerbot.world.env import BurgerBotEnv

MAX_STEPS = 150


def make_burgerbot(slip: float = 0.0, **kwargs: Any) -> BurgerBotEnv:
    """Build a ``BurgerBotEnv``; with ``slip``, one on a greasy floor.

    A function, not the class, is registered: given a class, ``gym.make`` would answer
    ``render_mode="human"`` with a window of pygame instead of letting the class refuse it.
    """
    from burgerbot.world.env import BurgerBotEnv, GreasyBurgerBotEnv

    return GreasyBurgerBotEnv(slip, **kwargs) if slip else BurgerBotEnv(**kwargs)


def register_envs() -> None:
    """Register every BurgerBot environment, once.

    Gymnasium calls any version that is not the highest out of date. Here v0 and v1 differ on
    purpose (lesson 02 says how), so that one message is left out.
    """
    warnings.filterwarnings("ignore", r".*BurgerBot-v0 is out of date", DeprecationWarning)
    for env_id, kwargs in {
        "BurgerBot-v0": {},
        "BurgerBot-v1": {"rewards": tuple(V1_REWARDS), "shaping": 1.0},
    }.items():
        if env_id not in gym.registry:
            gym.register(
                env_id,
                entry_point="burgerbot.world.registration:make_burgerbot",
                max_episode_steps=MAX_STEPS,
                kwargs=kwargs,
            )
