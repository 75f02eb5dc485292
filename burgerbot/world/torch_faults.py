"""What a kitchen does to robots that training did not show: pushes, and sensor cells that stick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burgerbot.world import draws, observe, torch_draws
from burgerbot.world.checks import fraction
from burgerbot.world.kitchen import MOVES, Kitchen
from burgerbot.world.torch_checks import stream_keys
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens
from burgerbot.world.torch_vector import Seed, TorchStep

CELLS = observe.VIEW**2


class TorchFaultyKitchens(TorchBurgerBotKitchens):
    """Random kitchens in which robots are pushed and see badly; without faults the very same ones.

    A push moves a robot to one of its four neighbouring cells after its action, heading and all;
    where that cell is blocked, or is the goal, the robot stays. It neither pays nor ends anything.
    A stuck cell of the 5x5 view reads the same for ever: which cells, and whether they read clear
    or blocked, is drawn for each robot from its seed. Nothing is read back to the host.

    Args:
        num_envs, device: As ``TorchBurgerBot`` takes them.
        push: Probability of a push in each step that does not end the episode.
        stuck: How many of the 25 cells are stuck, 0 to 25.
        **kwargs: As ``TorchBurgerBotKitchens`` takes them, ``slip`` among them.

    Raises:
        ValueError: A probability or a number of cells out of range, or as
            ``TorchBurgerBotKitchens`` does.

    >>> envs = TorchFaultyKitchens(2, "cpu", family=7, push=1.0, stuck=25)
    >>> seen, _ = envs.reset(seed=0)
    >>> later = envs.step(torch.tensor([1, 2]))[0]
    >>> torch.equal(seen[:, :25], later[:, :25])
    True
    """

    def __init__(
        self,
        num_envs: int = 1,
        device: torch.device | str = "cpu",
        *,
        push: float = 0.0,
        stuck: int = 0,
        **kwargs: Any,
    ) -> None:
        if isinstance(stuck, bool) or not 0 <= stuck <= CELLS:
            raise ValueError(f"stuck: expected 0 to {CELLS} cells, got {stuck!r}")
        self.push, self.stuck = fraction("push", push), int(stuck)
        self._push_below = torch_draws.threshold(self.push)
        super().__init__(num_envs, device, **kwargs)
        self._push_words = self._zeros(torch.int64)
        self._sticks = torch.zeros((num_envs, CELLS), dtype=torch.bool, device=self.device)
        self._reads = torch.zeros((num_envs, CELLS), device=self.device)

    def reset(self, seed: Seed = None, *, mask: Tensor | None = None) -> tuple[Tensor, dict]:
        """Begin episodes, as ``TorchBurgerBot`` does; a robot with a new seed has other faults."""
        observations, info = super().reset(seed, mask=mask)
        return self._seen(observations), info

    def step(self, actions: Tensor) -> TorchStep:
        """Take one action with each robot; ``info["pushed"]`` tells who was pushed."""
        observations, rewards, terminated, truncated, info = super().step(actions)
        if self.push:
            self._push_words.add_(torch_draws.GOLDEN)
            draw = torch_draws.bits(self._push_words)
            pushed = (draw < self._push_below) & ~info["_final_obs"]
            index = torch.add(draw.to(self._state.dtype) & 3, self._state, alpha=4)
            moved = torch.where(pushed, self._pushes.index_select(0, index), self._state)
            info["pushed"] = pushed & (moved != self._state)
            self._state.copy_(moved)
            observations = self._tables.observations.index_select(0, moved)
            rows = pushed.unsqueeze(1)
            info["final_obs"] = torch.where(rows, observations, info["final_obs"])
        info["final_obs"] = self._seen(info["final_obs"])
        return self._seen(observations), rewards, terminated, truncated, info

    def _seen(self, observations: Tensor) -> Tensor:
        """Observations as the faulty sensor gives them."""
        if not self.stuck:
            return observations
        view = torch.where(self._sticks, self._reads, observations[:, :CELLS])
        return torch.cat([view, observations[:, CELLS:]], dim=1)

    def _sow(self, seeds: Sequence[int | None], rows: Tensor) -> None:
        """Begin the streams of pushes, and draw which cells stick."""
        super()._sow(seeds, rows)
        keys, given = stream_keys(seeds)
        words = torch.zeros_like(self._push_words)
        torch_draws.plant(words, draws.stream(draws.stream(keys)), given, rows)
        new = rows if given is None else rows & torch.as_tensor(given, device=self.device)
        self._push_words.copy_(torch.where(new, words, self._push_words))
        places = torch.arange(1, CELLS + 1, device=self.device) * torch_draws.GOLDEN
        draw = torch_draws.bits((words ^ torch_draws.GOLDEN).unsqueeze(1) + places)
        sticks = draw.argsort(dim=1).argsort(dim=1) < self.stuck
        self._sticks.copy_(torch.where(new.unsqueeze(1), sticks, self._sticks))
        self._reads.copy_(torch.where(new.unsqueeze(1), (draw & 1).float(), self._reads))

    def _furnish(self, kitchens: Sequence[Kitchen], assigned: np.ndarray) -> None:
        """Compile the kitchens, and where pushes lead."""
        super()._furnish(kitchens, assigned)
        tables = [pushes(kitchen) + i * self._tables.states for i, kitchen in enumerate(kitchens)]
        self._pushes = torch.tensor(
            np.concatenate(tables).ravel(), dtype=self._tables.steps.dtype, device=self.device
        )

    def _records(self) -> dict[str, Tensor]:
        """The buffers, by name."""
        more = {"push_words": self._push_words, "sticks": self._sticks, "reads": self._reads}
        return {**super()._records(), **more}

    def _made_with(self) -> dict[str, Any]:
        """The arguments that a twin must share."""
        return {**super()._made_with(), "push": self.push, "stuck": self.stuck}


def pushes(kitchen: Kitchen) -> np.ndarray:
    """Where a push leads, by its direction.

    Args:
        kitchen: Of S states.

    Returns:
        int64 ``[S, 4]``: the state after a push to the north, east, south and west; the same state
        where the neighbouring cell is blocked or the goal.

    >>> pushes(Kitchen.from_ascii(">.G"))[[1, 5]].tolist()
    [[1, 5, 1, 1], [5, 5, 5, 1]]
    """
    after = np.arange(kitchen.rows * kitchen.cols * 4)[:, None].repeat(4, axis=1)
    for row, col in kitchen.clear_cells():
        for side, (down, right) in enumerate(MOVES):
            cell = (row + down, col + right)
            if kitchen.is_clear(*cell) and cell != kitchen.goal:
                first = (row * kitchen.cols + col) * 4
                after[first : first + 4, side] += (down * kitchen.cols + right) * 4
    return after
