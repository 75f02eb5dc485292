"""A vector environment whose observations (and rewards, if asked) come out normalized."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from burgerbot.learn.moments import RunningMoments


class NormalizeVectorEnv(VectorWrapper[np.ndarray, Any, np.ndarray, Any, np.ndarray]):
    """Normalize what N robots see, by moments of all that they have seen, in any autoreset mode.

    Every observation counts once: also the last one of an episode (in ``SAME_STEP`` from
    ``final_obs``, which is normalized too), and of a partial reset only the rows of its mask. So
    the same episodes give the same moments in every mode.

    Rewards are divided by the standard deviation of the discounted return so far, not centred:

    ``R = gamma R + r;  update with R;  r / std(R);  R = 0 where the episode ends, by either flag``

    Args:
        envs: A vector env whose observations are one array.
        observations: Whether to normalize what is seen.
        rewards: Whether to scale rewards; leave it off where returns are reported.
        gamma: Discount of that return, from 0 to 1.
        clip: Bound of normalized observations and scaled rewards, above 0.

    Attributes:
        moments: ``RunningMoments`` of the observations.
        returns: ``RunningMoments`` of the discounted returns.

    Raises:
        TypeError: ``envs`` is no vector env, or its observations are not one array.
        ValueError: A ``gamma`` or ``clip`` out of range, or an unknown autoreset mode.
    """

    def __init__(
        self,
        envs: VectorEnv[Any, Any, np.ndarray],
        *,
        observations: bool = True,
        rewards: bool = False,
        gamma: float = 0.99,
        clip: float = 10.0,
    ) -> None:
        super().__init__(envs)
        if not 0.0 <= gamma <= 1.0:
            raise ValueError(f"gamma: expected a number from 0 to 1, got {gamma!r}")
        if not clip > 0:
            raise ValueError(f"clip: expected a number above 0, got {clip!r}")
        self.mode = envs.metadata.get("autoreset_mode")
        if not isinstance(self.mode, AutoresetMode):
            raise ValueError(f"metadata['autoreset_mode']: expected a mode, got {self.mode!r}")
        self.normalizes_observations, self.scales_rewards = bool(observations), bool(rewards)
        self.gamma, self.clip = float(gamma), float(clip)
        space = envs.single_observation_space
        if observations and (space.shape is None or space.dtype is None):
            raise TypeError(f"envs: expected observations that are one array, got {space}")
        self.moments = RunningMoments(space.shape or ())
        self.returns = RunningMoments(())
        if observations:
            seen = gym.spaces.Box(-np.inf, np.inf, space.shape, dtype=np.float32)
            self.single_observation_space = seen
            self.observation_space = batch_space(seen, self.num_envs)
        self._return = np.zeros(self.num_envs)  # discounted, of the episodes under way
        self._over = np.zeros(self.num_envs, dtype=bool)  # NEXT_STEP: the next row is a reset

    @property
    def frozen(self) -> bool:
        """Whether all statistics are closed to change."""
        return self.moments.frozen and self.returns.frozen

    def freeze(self) -> None:
        """Close the statistics, for evaluation."""
        self.moments.freeze()
        self.returns.freeze()

    def unfreeze(self) -> None:
        """Open the statistics again."""
        self.moments.unfreeze()
        self.returns.unfreeze()

    def state_dict(self) -> dict[str, Any]:
        """The statistics, plain numbers and lists; save them with the policy."""
        return {"moments": self.moments.state_dict(), "returns": self.returns.state_dict()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over saved statistics.

        Raises:
            RuntimeError: They are frozen.
            ValueError: Missing parts, another shape, or impossible numbers.
        """
        if set(state) != {"moments", "returns"}:
            raise ValueError(f"state: expected moments and returns, got {list(state)}")
        if self.moments.frozen or self.returns.frozen:
            raise RuntimeError("load_state_dict: the moments are frozen; call unfreeze() first")
        RunningMoments(()).load_state_dict(state["returns"])  # all or nothing
        self.moments.load_state_dict(state["moments"])
        self.returns.load_state_dict(state["returns"])

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin episodes: all, or those of ``options["reset_mask"]``; see the env inside."""
        options = dict(options) if options else options  # SyncVectorEnv empties what it is given
        mask = (options or {}).get("reset_mask")
        rows = slice(None) if mask is None else np.array(mask)
        seen, infos = self.env.reset(seed=seed, options=options)
        self._return[rows] = 0.0
        self._over[rows] = False
        if self.normalizes_observations:
            self.moments.update(seen[rows])
            seen = self.moments.normalize(seen, self.clip)
        return seen, infos

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take one action with each robot; see the env inside."""
        seen, rewards, terminations, truncations, infos = self.env.step(actions)
        done = terminations | truncations
        if self.normalizes_observations:
            seen, infos = self._look(seen, infos)
        if self.scales_rewards:
            rewards = self._scale(rewards, done)
        self._over = done if self.mode is AutoresetMode.NEXT_STEP else self._over
        return seen, rewards, terminations, truncations, infos

    def _look(self, seen: np.ndarray, infos: dict[str, Any]) -> tuple[np.ndarray, dict[str, Any]]:
        """Count and normalize observations, the final ones in ``infos`` too."""
        ended = np.flatnonzero(infos.get("_final_obs", False))
        if not len(ended):
            self.moments.update(seen)
            return self.moments.normalize(seen, self.clip), infos
        last = np.stack(infos["final_obs"][ended])
        self.moments.update(np.concatenate([seen, last]))
        final = np.full(self.num_envs, None, dtype=object)
        for i, row in zip(ended, self.moments.normalize(last, self.clip), strict=True):
            final[i] = row
        return self.moments.normalize(seen, self.clip), {**infos, "final_obs": final}

    def _scale(self, rewards: np.ndarray, done: np.ndarray) -> np.ndarray:
        """Scale rewards; reset rows are no step, and count in no return."""
        self._return = self.gamma * self._return + np.where(self._over, 0.0, rewards)
        self.returns.update(self._return[~self._over])
        self._return[done] = 0.0
        spread = float(np.sqrt(self.returns.var))
        return np.clip(rewards / spread if spread else rewards, -self.clip, self.clip)
