"""Random kitchens and random starts on a device: ``BurgerBotKitchens-v0`` there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burgerbot.world import draws, observe, strata, torch_draws
from burgerbot.world.batch import spread
from burgerbot.world.checks import fraction
from burgerbot.world.rules import V1_REWARDS
from burgerbot.world.torch_checks import robot_count, stream_keys
from burgerbot.world.torch_vector import TorchBurgerBot


class TorchBurgerBotKitchens(TorchBurgerBot):
    """Drive N robots through random kitchens; each is a ``BurgerBotKitchensEnv`` to the bit.

    Every episode begins at a start that the robot draws from its own stream; none is drawn ahead
    and none is shared. Where ``family`` is None each robot has a kitchen of its own, and a reset
    with a seed compiles N kitchens on the host (a few milliseconds each, 28 KB on the device);
    thousands of robots share families. Such a reset makes other tables: a CUDA graph has to be
    captured again after it.

    Args:
        num_envs: N, 1 or more.
        device: As ``TorchBurgerBot`` takes it.
        stratum: One stratum, or several: the first share of the robots gets the first.
        family: Seeds of the kitchens: one for all, or F of them, the first N / F robots in the
            first; None builds for each robot the kitchen of its own seed.
        slip: Probability of sliding on every floor; None leaves each stratum its own.
        **kwargs: ``shaping`` (1 if left out), ``gamma``, ``max_episode_steps`` (100 if left out)
            and ``statistics``, as ``TorchBurgerBot`` takes them.

    Attributes:
        strata: The stratum of each robot.
        families: The families, or None.

    Raises:
        ValueError: An unknown stratum, N not a multiple of the families or strata, or an argument
            that ``TorchBurgerBot`` cannot use.

    >>> envs = TorchBurgerBotKitchens(4, "cpu", stratum=["open", "greasy"], family=[7, 8])
    >>> envs.reset(seed=0)[0].shape
    torch.Size([4, 28])
    """

    _observe = staticmethod(observe.egocentric)
    _choices: Tensor  # int: the states in which episodes may begin, kitchen after kitchen
    _count: Tensor  # int64 [N]: how many the robot's kitchen has
    _offset: Tensor  # int64 [N]: where they begin

    def __init__(
        self,
        num_envs: int = 1,
        device: torch.device | str = "cpu",
        *,
        stratum: str | Sequence[str] = "open",
        family: int | Sequence[int] | None = None,
        slip: float | None = None,
        **kwargs: Any,
    ) -> None:
        names = [stratum] if isinstance(stratum, str) else list(stratum)
        kinds = [strata.stratum(name) for name in names]
        share = spread(np.arange(len(names)), robot_count(num_envs), "strata")
        self._names, self.strata = names, [names[which] for which in share]
        self.families = family if family is None else np.atleast_1d(family).tolist()
        slips = [kind.slip if slip is None else fraction("slip", slip) for kind in kinds]
        kwargs = {"rewards": V1_REWARDS, "shaping": 1.0, "max_episode_steps": 100, **kwargs}
        first = strata.random_kitchen(names[0], 0)  # until the kitchens are known
        super().__init__(num_envs, device, first, slip=max(slips), **kwargs)
        if max(slips) > min(slips):
            below = np.array([torch_draws.threshold(each) for each in slips])
            self._slip_below = torch.tensor(below[share], device=self.device)
        self._slips = slips
        self._start_words = self._zeros(torch.int64)
        self._seeds = [0] * num_envs
        if self.families is not None:
            self._build(spread(np.array(self.families, object), num_envs, "families").tolist())

    def _first_states(self, rows: Tensor) -> Tensor:
        """A random start for each of these robots, by the next draw of its own stream."""
        word = self._start_words + torch_draws.GOLDEN
        self._start_words.add_(rows.to(torch.int64) * torch_draws.GOLDEN)
        return self._choices.index_select(0, self._offset + torch_draws.below(word, self._count))

    def _sow(self, seeds: Sequence[int | None], rows: Tensor) -> None:
        """Begin streams of draws, and build the kitchens of the robots that get a seed."""
        if self.families is None:
            chosen = rows.tolist()
            self._build(
                [
                    int(new) if new is not None and chosen[i] else self._seeds[i]
                    for i, new in enumerate(seeds)
                ]
            )
        super()._sow(seeds, rows)
        keys, given = stream_keys(seeds)
        torch_draws.plant(self._start_words, draws.stream(keys), given, rows)

    def _build(self, seeds: list[int]) -> None:
        """Compile every kitchen once, and list where episodes may begin in each."""
        wanted = list(zip(self.strata, seeds, strict=True))
        places = {key: place for place, key in enumerate(dict.fromkeys(wanted))}
        kitchens = [strata.random_kitchen(*key) for key in places]
        assigned = np.array([places[key] for key in wanted])
        local = self._state % self._tables.states
        self._furnish(kitchens, assigned)
        self._state.copy_(local + self._tables.offsets)
        starts = [strata.start_states(kitchen) for kitchen in kitchens]
        counts = np.array([len(choices) for choices in starts])
        choices = np.concatenate([c + i * self._tables.states for i, c in enumerate(starts)])
        device, ids = self.device, self._state.dtype
        self._choices = torch.tensor(choices, dtype=ids, device=device)
        self._count = torch.tensor(counts[assigned], device=device)
        self._offset = torch.tensor((np.cumsum(counts) - counts)[assigned], device=device)
        self._seeds = seeds

    def state_dict(self) -> dict[str, Any]:
        """All that decides what comes next, the kitchens' seeds too; see ``TorchBurgerBot``."""
        seeds = None if self.families is not None else list(self._seeds)
        return {**super().state_dict(), "seeds": seeds}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where ``state_dict`` was called, in its kitchens; see ``TorchBurgerBot``."""
        seeds: Any = state.get("seeds")
        if self.families is None and (
            not isinstance(seeds, list) or [type(seed) for seed in seeds] != [int] * self.num_envs
        ):
            raise ValueError(f"state['seeds']: expected a list of {self.num_envs} ints")
        super().load_state_dict({name: state[name] for name in state if name != "seeds"})
        if self.families is None and seeds != self._seeds:
            self._build(list(seeds))

    def _records(self) -> dict[str, Tensor]:
        """The buffers, by name."""
        return {**super()._records(), "start_words": self._start_words}

    def _made_with(self) -> dict[str, Any]:
        """The arguments that a twin must share; the kitchens follow from the seeds."""
        made_with = {k: v for k, v in super()._made_with().items() if k != "kitchens"}
        return {
            **made_with,
            "slips": self._slips,
            "strata": self._names,
            "families": self.families,
        }
