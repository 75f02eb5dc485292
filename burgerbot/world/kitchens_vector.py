"""Random kitchens, N robots: the native ``BurgerBotKitchens-v0``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from burgerbot.world import draws, observe, strata
from burgerbot.world.batch import spread
from burgerbot.world.rules import V1_REWARDS
from burgerbot.world.saved import Saves
from burgerbot.world.vector import BurgerBotVectorEnv


class BurgerBotKitchensVectorEnv(BurgerBotVectorEnv):
    """Drive N robots through random kitchens; each is a ``BurgerBotKitchensEnv`` to the bit.

    Args:
        num_envs: N, 1 or more.
        stratum: One stratum, or several: the first share of the robots gets the first.
        family: Seeds of the kitchens: one for all, or F of them, the first N / F robots in the
            first; None builds for each robot the kitchen of its own seed.
        **kwargs: ``shaping`` (1 if left out), ``gamma``, ``max_episode_steps``,
            ``autoreset_mode`` and ``render_mode``, as ``BurgerBotVectorEnv`` takes them.

    Raises:
        ValueError: An unknown stratum, or N not a multiple of the families or strata.
    """

    _observe = staticmethod(observe.egocentric)
    _records: ClassVar[dict[str, tuple[str, Any]]] = {
        **Saves._records,
        "seeds": ("_seed_of", object),  # of the kitchens
        "episodes": ("_episodes", np.uint64),
    }

    def __init__(
        self,
        num_envs: int = 1,
        stratum: str | Sequence[str] = "open",
        family: int | Sequence[int] | None = None,
        **kwargs: Any,
    ) -> None:
        names = [stratum] if isinstance(stratum, str) else list(stratum)
        kinds = [strata.stratum(name) for name in names]
        share = spread(np.arange(len(names)), num_envs, "strata")
        self.strata = [names[which] for which in share]
        self.families = family if family is None else np.atleast_1d(family).tolist()
        if self.families is not None:
            spread(np.array(self.families), num_envs, "families")
        kwargs = {"rewards": V1_REWARDS, "shaping": 1.0, **kwargs}
        super().__init__(num_envs, strata.random_kitchen(names[0], 0), **kwargs)
        self._slip = np.array([kinds[which].slip for which in share])
        self._seed_of = np.zeros(num_envs, dtype=object)  # arbitrarily large seeds
        self._episodes = np.zeros(num_envs, dtype=np.uint64)

    def _sow(self, seeds: list[int | None], mask: np.ndarray) -> list[int | None]:
        """Begin streams of draws, and build the kitchens of the robots that got a seed."""
        first = self._keys is None
        seeds = super()._sow(seeds, mask)
        rows = [i for i, seed in enumerate(seeds) if seed is not None and mask[i]]
        self._episodes[rows] = 0
        if self.families is None:
            self._seed_of[rows] = [int(seeds[i] or 0) for i in rows]
        elif first:
            self._seed_of[:] = spread(np.array(self.families, object), self.num_envs, "families")
        if rows and (first or self.families is None):
            self._build()
        return seeds

    def _build(self) -> None:
        """Compile every kitchen once, and list where episodes may begin in each."""
        wanted = list(zip(self.strata, self._seed_of, strict=True))
        places = {key: place for place, key in enumerate(dict.fromkeys(wanted))}
        kitchens = [strata.random_kitchen(*key) for key in places]
        local = self._state % self._world.states
        self._furnish(kitchens, np.array([places[key] for key in wanted]))
        states = self._world.states
        self._state = local + self._assigned * states
        starts = [strata.start_states(kitchen) for kitchen in kitchens]
        counts = np.array([len(choices) for choices in starts])
        self._choices = np.concatenate([c + i * states for i, c in enumerate(starts)])
        self._count = counts[self._assigned]
        self._offset = (np.cumsum(counts) - counts)[self._assigned]

    def _made_with(self) -> dict[str, Any]:
        """The arguments that a twin must share; the kitchens follow from the seeds."""
        made_with = super()._made_with()
        return {
            **{name: made_with[name] for name in made_with if name not in ("kitchens", "slip")},
            "strata": self.strata,
            "families": self.families,
        }

    def _take_over(self, records: dict[str, np.ndarray | None]) -> None:
        """Put checked records in place, and build their kitchens."""
        super()._take_over(records)
        if self._keys is not None:
            self._build()

    def _first_states(self, rows: np.ndarray) -> np.ndarray:
        """A random start for each of these robots, by the next draw of its own stream."""
        assert self._keys is not None
        draw = draws.uniform(draws.stream(self._keys[rows]), self._episodes[rows])
        self._episodes[rows] += np.uint64(1)
        return self._choices[self._offset[rows] + (draw * self._count[rows]).astype(np.int64)]
