"""What decides the future of a device environment, saved and taken over to the bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from burgerbot.world.torch_tables import Tables


class TorchSaves:
    """Gives the device environments ``state_dict`` and ``load_state_dict``."""

    device: torch.device
    _begun: bool
    _tables: Tables
    _state: Tensor

    def state_dict(self) -> dict[str, Any]:
        """All that decides what comes next: tensors on the CPU, plain numbers and texts.

        Fit for ``torch.save`` and ``torch.load(..., weights_only=True)``. A twin that was made
        with the same arguments, on whatever device, and loads it goes on to the bit.

        Raises:
            RuntimeError: Before the first reset.
        """
        if not self._begun:
            raise RuntimeError("call reset() before state_dict()")
        records = {n: r.to("cpu", copy=True) for n, r in self._records().items()}
        records["state"] = records["state"] % self._tables.states  # within the robot's own kitchen
        return {"made_with": self._made_with(), **records}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where ``state_dict`` was called; no reset is needed first.

        The records are written into the buffers that are there, so a captured graph stays good.

        Args:
            state: What ``state_dict`` gave, in an environment made with the same arguments.

        Raises:
            ValueError: An environment made with other arguments, missing or unknown names, or a
                record of another shape, dtype or range. Then nothing is changed.
        """
        records, made_with = self._records(), self._made_with()
        if set(state) != {"made_with", *records}:
            raise ValueError(
                f"state: expected {sorted(['made_with', *records])}, got {sorted(state)}"
            )
        for name, mine in made_with.items():
            if state["made_with"].get(name) != mine:
                saved, mine = (repr(x)[:60] for x in (state["made_with"].get(name), mine))
                raise ValueError(f"state: expected {name} {mine}, got {saved}")
        for name, record in records.items():
            saved = state[name]
            kinds = [(tuple(t.shape), t.dtype) for t in (record, saved)]
            if kinds[0] != kinds[1]:
                raise ValueError(f"state[{name!r}]: expected {kinds[0]}, got {kinds[1]}")
        if not 0 <= int(state["state"].min()) <= int(state["state"].max()) < self._tables.states:
            raise ValueError(
                f"state['state']: expected numbers from 0 to {self._tables.states - 1}"
            )
        self._take_over(state)

    def _take_over(self, state: Mapping[str, Any]) -> None:
        """Write checked records into the buffers."""
        for name, record in self._records().items():
            record.copy_(state[name])
        self._state.add_(self._tables.offsets)
        self._begun = True

    def _records(self) -> dict[str, Tensor]:
        """The buffers, by name."""
        mine: Any = self
        records = {"state": self._state, "elapsed": mine._elapsed}
        if mine._slip_words is not None:
            records["slip_words"] = mine._slip_words
        return records if mine.tally is None else records | mine.tally._asdict()

    def _made_with(self) -> dict[str, Any]:
        """The arguments that a twin must share."""
        mine: Any = self
        return {
            "num_envs": mine.num_envs,
            "kitchens": mine._maps,
            "max_episode_steps": mine.limit,
            "rewards": list(mine.rewards),
            **{name: getattr(mine, name) for name in ("slip", "shaping", "gamma", "endless")},
        }
