"""Random kitchens, one robot: ``BurgerBotKitchens-v0``."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from burgerbot.world import draws, observe, strata
from burgerbot.world.env import GreasyBurgerBotEnv
from burgerbot.world.rules import V1_REWARDS


class BurgerBotKitchensEnv(GreasyBurgerBotEnv):
    """Drive through a random kitchen from a random start; see ``BurgerBotEnv``.

    A reset with a seed builds the kitchen of that seed family; resets without one keep it, and
    each begins at another start. Observations are egocentric: float32 ``[28]``, see
    ``observe.egocentric``.

    Args:
        stratum: ``open``, ``cluttered``, ``corridor`` or ``greasy``.
        family: Seed of the kitchen, whatever seed ``reset`` gets; None takes ``reset``'s.
        **kwargs: ``shaping`` (1 if left out), ``gamma`` and ``render_mode``, as ``BurgerBotEnv``
            takes them.

    Raises:
        ValueError: An unknown stratum, or another argument out of range.
    """

    _observe = staticmethod(observe.egocentric)

    def __init__(self, stratum: str = "open", family: int | None = None, **kwargs: Any) -> None:
        slip = strata.stratum(stratum).slip
        kitchen = strata.random_kitchen(stratum, family or 0)
        kwargs = {"rewards": V1_REWARDS, "shaping": 1.0, **kwargs}
        super().__init__(slip, kitchen=kitchen, **kwargs)
        self.stratum, self.family = stratum, family
        self._episodes = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode; with a seed, in that seed's kitchen and with its draws anew."""
        gym.Env.reset(self, seed=seed)
        if seed is not None or self._key is None:
            own = int(self.np_random_seed or 0)
            family = own if self.family is None else self.family
            self.kitchen = strata.random_kitchen(self.stratum, family)
            self._compile()
            self._starts = strata.start_states(self.kitchen).tolist()
            self._key, self._counter, self._episodes = draws.stream(own), 0, 0
        draw = draws.uniform(draws.stream(self._key), self._episodes)
        self._episodes += 1
        self._menu = self._running[self._starts[int(draw * len(self._starts))]]
        return self._compiled.observations[self._menu["here"]].copy(), {}
