"""The same robot without a table: the plain dict-and-tuple program that the benchmark beats."""

from __future__ import annotations

from typing import Any

import numpy as np

from burgerbot.world.kitchen import CLASSIC

MOVES = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
LEFT = {"north": "west", "west": "south", "south": "east", "east": "north"}
RIGHT = {left: heading for heading, left in LEFT.items()}
NUMBER = {"north": 0, "east": 1, "south": 2, "west": 3}
REWARDS = {"idle": -0.1, "moved": 1.0, "crashed": -10.0, "delivered": 50.0}


class PlainBurgerBot:
    """BurgerBot-v0 in the classic kitchen, worked out from the map at every step.

    Same rules, checks and returned values as ``BurgerBotEnv``, as one writes them first.
    """

    def __init__(self) -> None:
        self.obstacles = set(CLASSIC.obstacles)
        self.position: tuple[int, int] | None = None
        self.heading = "east"

    def reset(self, *, seed: int | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Put the robot at the start."""
        self.position, self.heading = (0, 0), "east"
        return self._observation(), {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take one action, 0 to 3."""
        if action not in (0, 1, 2, 3):
            raise ValueError(f"action: expected 0, 1, 2 or 3, got {action!r}")
        if self.position is None:
            raise RuntimeError("call reset() before step()")
        outcome = "idle"
        if action == 0:
            ahead = self._ahead(self.position)
            if not self._is_clear(ahead):
                outcome = "crashed"
            else:
                self.position = ahead
                outcome = "delivered" if ahead == (6, 6) else "moved"
        elif action == 1:
            self.heading = LEFT[self.heading]
        elif action == 2:
            self.heading = RIGHT[self.heading]
        terminated = outcome in ("crashed", "delivered")
        observation = self._observation()
        if terminated:
            self.position = None
        return observation, REWARDS[outcome], terminated, False, {}

    def _ahead(self, cell: tuple[int, int]) -> tuple[int, int]:
        move = MOVES[self.heading]
        return cell[0] + move[0], cell[1] + move[1]

    def _is_clear(self, cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] < 7 and 0 <= cell[1] < 7 and cell not in self.obstacles

    def _observation(self) -> np.ndarray:
        assert self.position is not None
        clear, cell = 0, self._ahead(self.position)
        while clear < 5 and self._is_clear(cell):
            clear, cell = clear + 1, self._ahead(cell)
        row, col = self.position
        return np.array([row, col, NUMBER[self.heading], clear // 2], dtype=np.int64)
