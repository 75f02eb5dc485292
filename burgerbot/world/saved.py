"""What decides a vector environment's future, saved and taken over to the bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

Saved = dict[str, Any]


class Saves:
    """Gives the native vector environments ``state_dict`` and ``load_state_dict``."""

    #: Name in the saved state -> attribute and dtype of a record ``[N]``.
    _records: ClassVar[dict[str, tuple[str, Any]]] = {
        "state": ("_state", np.int64),  # within the robot's own kitchen
        "elapsed": ("_elapsed", np.int64),
        "over": ("_over", np.bool_),
        "draws": ("_draws", np.uint64),
        "keys": ("_keys", np.uint64),  # None before the first reset
    }
    num_envs: int
    np_random: np.random.Generator
    _world: Any
    _assigned: np.ndarray
    _state: np.ndarray
    _keys: np.ndarray | None

    def state_dict(self) -> Saved:
        """All that decides what comes next, as plain numbers, texts and lists.

        Fit for JSON, pickle and ``torch.save``. A twin that was made with the same arguments and
        loads it answers every later ``step`` and ``reset`` to the bit, also in the middle of
        episodes and just before an automatic reset. The generators of the action spaces are not
        part of it.

        Returns:
            ``made_with`` (the arguments), ``np_random`` (the generator that seeds robots which
            are given no seed), and a list of N for each of the robots' records.
        """
        generator = self.np_random.bit_generator.state
        records = {name: getattr(self, attribute) for name, (attribute, _) in self._records.items()}
        records["state"] = self._state % self._world.states
        return {
            "made_with": self._made_with(),
            "np_random": {"state": generator, "seed": getattr(self, "_np_random_seed", None)},
            **{name: None if r is None else r.tolist() for name, r in records.items()},
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where ``state_dict`` was called; no reset is needed first.

        Args:
            state: What ``state_dict`` gave, in an environment made with the same arguments.

        Raises:
            ValueError: An environment made with other arguments, missing or unknown names, or a
                record of another length, kind or range. Then nothing is changed.
        """
        wanted = {"made_with", "np_random", *self._records}
        if set(state) != wanted:
            raise ValueError(f"state: expected {sorted(wanted)}, got {sorted(state)}")
        for name, mine in self._made_with().items():
            if state["made_with"].get(name) != mine:
                saved = _short(state["made_with"].get(name))
                raise ValueError(f"state: expected {name} {_short(mine)}, got {saved}")
        records = {name: self._record(name, state[name]) for name in self._records}
        generator = np.random.default_rng(0)
        generator.bit_generator.state = state["np_random"]["state"]
        self._take_over(records)
        self.np_random = generator
        vars(self)["_np_random_seed"] = state["np_random"]["seed"]

    def _made_with(self) -> Saved:
        """The arguments that a twin must share."""
        mine: Any = self
        return {
            "num_envs": self.num_envs,
            "kitchens": [kitchen.to_ascii() for kitchen in self._world.kitchens],
            "slip": float(mine._slip[0]),
            "autoreset_mode": mine.autoreset_mode.value,
            "max_episode_steps": int(mine.limit),
            "rewards": list(mine.rewards),
            **{name: getattr(mine, name) for name in ("shaping", "gamma", "endless")},
        }

    def _record(self, name: str, saved: Any) -> np.ndarray | None:
        """One record of the N robots, checked."""
        if saved is None and name == "keys":
            return None
        highest = self._world.states - 1 if name == "state" else None
        try:
            record = np.array(saved, dtype=self._records[name][1])
            inside = record.min() >= 0 and (highest is None or record.max() <= highest)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"state[{name!r}]: expected whole numbers; {error}") from None
        if record.shape != (self.num_envs,):
            raise ValueError(
                f"state[{name!r}]: expected {self.num_envs} numbers, got {len(record)}"
            )
        if not inside:
            raise ValueError(f"state[{name!r}]: expected numbers from 0 to {highest}")
        return record

    def _take_over(self, records: dict[str, np.ndarray | None]) -> None:
        """Put checked records in place."""
        for name, (attribute, _) in self._records.items():
            setattr(self, attribute, records[name])
        self._state = self._state + self._assigned * self._world.states


def _short(value: Any) -> str:
    """A value, cut to fit into a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
