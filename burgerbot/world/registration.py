"""The registered environments. Gymnasium loads the classes only when one is made."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from burgerbot.world.rules import V1_REWARDS

if TYPE_CHECKING:
    from burgerbot.world.env import BurgerBotEnv
    from burgerbot.world.kitchens_env import BurgerBotKitchensEnv

MAX_STEPS = 150
SCALAR = "burgerbot.world.registration:make_burgerbot"
VECTOR = "burgerbot.world.vector:BurgerBotVectorEnv"


def make_burgerbot(slip: float = 0.0, **kwargs: Any) -> BurgerBotEnv:
    """Build a ``BurgerBotEnv``; with ``slip``, one on a greasy floor.

    A function, not the class, is registered: given a class, ``gym.make`` would answer
    ``render_mode="human"`` with a window of pygame instead of letting the class refuse it.
    """
    from burgerbot.world.env import BurgerBotEnv, GreasyBurgerBotEnv

    return GreasyBurgerBotEnv(slip, **kwargs) if slip else BurgerBotEnv(**kwargs)


def make_kitchens(**kwargs: Any) -> BurgerBotKitchensEnv:
    """Build a ``BurgerBotKitchensEnv``."""
    from burgerbot.world.kitchens_env import BurgerBotKitchensEnv

    return BurgerBotKitchensEnv(**kwargs)


#: Id -> scalar and vector entry point, step limit, keyword arguments.
ENVS: dict[str, tuple[str, str, int | None, dict[str, Any]]] = {
    "BurgerBot-v0": (SCALAR, VECTOR, MAX_STEPS, {}),
    "BurgerBot-v1": (SCALAR, VECTOR, MAX_STEPS, {"rewards": tuple(V1_REWARDS), "shaping": 1.0}),
    "BurgerBotKitchens-v0": (
        "burgerbot.world.registration:make_kitchens",
        "burgerbot.world.kitchens_vector:BurgerBotKitchensVectorEnv",
        100,
        {},
    ),
    "BurgerBotShift-v0": (SCALAR, VECTOR, None, {"endless": True}),
    "BurgerBotTwoCounters-v0": (
        "burgerbot.world.two_counters:TwoCountersEnv",
        "burgerbot.world.two_counters:TwoCountersVectorEnv",
        None,
        {},
    ),
}


def register_envs() -> None:
    """Register every BurgerBot environment, once.

    Gymnasium calls any version that is not the highest out of date. Here v0 and v1 differ on
    purpose (lesson 02 says how), so that one message is left out.
    """
    import gymnasium as gym  # here, since the device env reads ENVS where there is no Gymnasium

    warnings.filterwarnings("ignore", r".*BurgerBot-v0 is out of date", DeprecationWarning)
    for env_id, (scalar, vector, limit, kwargs) in ENVS.items():
        if env_id not in gym.registry:
            gym.register(
                env_id,
                entry_point=scalar,
                vector_entry_point=vector,
                max_episode_steps=limit,
                kwargs=kwargs,
            )
