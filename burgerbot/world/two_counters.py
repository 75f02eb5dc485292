"""Two counters, one robot: a shift in which short-sighted driving earns half.

The robot drives on one-way tracks. At the hatch, place 0, it takes a load and chooses a loop; each
loop is five steps long and leads back to the hatch::

    small loop   0 -> 1 -> 2 -> 3 -> 4 -> 0    pays 1, in its first step
    big loop     0 -> 5 -> 6 -> 7 -> 8 -> 0    pays 2, in its last step

Per step the big loop earns 0.4 and the small one 0.2. A discount gamma sees the big payment four
steps later, as ``2 * gamma**4``, which is less than 1 for gamma below ``0.5 ** 0.25 = 0.8409``.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from burgerbot.world.batch import reset_mask

HATCH, SMALL, BIG = 0, 0, 1  # where it begins; the actions
LOOPS = ((0, 1, 2, 3, 4), (0, 5, 6, 7, 8))  # the places of each loop, in the order of driving

#: int64 ``[9, 2]``: where each action leads from each place; away from the hatch both lead on.
NEXT_PLACE = np.array([[1, 5], *([p % 4 and p + 1] * 2 for p in range(1, 9))])
#: float64 ``[9, 2]``: what it pays.
REWARD = np.zeros((9, 2))
REWARD[HATCH, SMALL], REWARD[LOOPS[BIG][-1]] = 1.0, 2.0


def spaces() -> tuple[gym.spaces.MultiDiscrete, gym.spaces.Discrete]:
    """Observations, int64 ``[1]``: the place, 0 to 8; actions: 0 small loop, 1 big loop."""
    return gym.spaces.MultiDiscrete([len(NEXT_PLACE)]), gym.spaces.Discrete(2)


class TwoCountersEnv(gym.Env[np.ndarray, Any]):
    """One robot and two counters; nothing terminates, nothing truncates.

    >>> env = TwoCountersEnv()
    >>> env.reset(seed=0)[0].tolist()
    [0]
    >>> [env.step(BIG)[1] for _ in range(5)]
    [0.0, 0.0, 0.0, 0.0, 2.0]
    """

    metadata = {"render_modes": []}  # noqa: RUF012
    render_mode = None

    def __init__(self) -> None:
        self.observation_space, self.action_space = spaces()
        self._place: int | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Put the robot at the hatch. ``options`` is not used."""
        super().reset(seed=seed)
        self._place = HATCH
        return np.array([HATCH]), {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Drive to the next place; the action, 0 or 1, matters at the hatch only.

        Raises:
            TypeError, ValueError: The action is not 0 or 1.
            ResetNeeded: Before the first reset.
        """
        if self._place is None:
            raise ResetNeeded("call reset() before step()")
        loop = operator.index(action)
        if loop not in (SMALL, BIG):
            raise ValueError(f"action: expected 0 (small loop) or 1 (big loop), got {action!r}")
        reward = float(REWARD[self._place, loop])
        self._place = int(NEXT_PLACE[self._place, loop])
        return np.array([self._place]), reward, False, False, {}


class TwoCountersVectorEnv(VectorEnv[np.ndarray, Any, np.ndarray]):
    """N robots, each in a kitchen of its own, as ``TwoCountersEnv``; a step is one gather.

    Args:
        num_envs: N, 1 or more.
        autoreset_mode: Any; no episode ends, so nothing is ever reset by itself.

    Raises:
        ValueError: No robots.
    """

    def __init__(
        self, num_envs: int = 1, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs: expected 1 or more, got {num_envs}")
        self.num_envs = int(num_envs)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode(autoreset_mode)}
        self.render_mode = None
        self.single_observation_space, self.single_action_space = spaces()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._place: np.ndarray | None = None

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Put all robots, or those of ``options["reset_mask"]``, at the hatch.

        Raises:
            TypeError, ValueError: A mask of another kind or length.
            ResetNeeded: A mask before the first reset of all.
        """
        mask = reset_mask(options, self.num_envs)
        if self._place is None:
            if not mask.all():
                raise ResetNeeded("reset all robots once before you reset some")
            self._place = np.full(self.num_envs, HATCH)
        self._place[mask] = HATCH
        return self._place[:, None].copy(), {}

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Drive each robot to its next place.

        Args:
            actions: int ``[N]``, each 0 or 1.

        Raises:
            TypeError, ValueError: Actions of another dtype, shape or range.
            ResetNeeded: Before the first reset.
        """
        if self._place is None:
            raise ResetNeeded("call reset() before step()")
        loops = np.asarray(actions)
        if loops.shape != (self.num_envs,):
            raise ValueError(f"actions: expected shape ({self.num_envs},), got {loops.shape}")
        if loops.dtype.kind not in "iu":
            raise TypeError(f"actions: expected integers 0 or 1, got dtype {loops.dtype}")
        if ((loops < 0) | (loops > 1)).any():
            bad = int(np.flatnonzero((loops < 0) | (loops > 1))[0])
            raise ValueError(f"actions[{bad}]: expected 0 or 1, got {loops[bad]}")
        rewards = REWARD[self._place, loops]
        self._place = NEXT_PLACE[self._place, loops]
        flags = np.zeros((2, self.num_envs), dtype=bool)
        return self._place[:, None].copy(), rewards, flags[0], flags[1], {}

    def state_dict(self) -> dict[str, Any]:
        """All that decides what comes next: the robots' places, None before the first reset."""
        return {"place": None if self._place is None else self._place.tolist()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where ``state_dict`` was called.

        Raises:
            ValueError: Not one place, 0 to 8, for each robot.
        """
        place = None if state["place"] is None else np.array(state["place"])
        if place is not None and not (
            place.shape == (self.num_envs,) and np.isin(place, np.arange(len(NEXT_PLACE))).all()
        ):
            raise ValueError(f"state: expected {self.num_envs} places, 0 to 8, got {place}")
        self._place = place
