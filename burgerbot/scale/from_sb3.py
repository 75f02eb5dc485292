"""An SB3 vector environment as a Gymnasium one, so that one harness drives both."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from stable_baselines3.common.vec_env import VecEnv


class FromSB3(VectorEnv[np.ndarray, Any, np.ndarray]):
    """Present a ``DummyVecEnv`` or ``SubprocVecEnv`` as a vector environment in SAME_STEP mode.

    SB3 resets a robot within the step that ends its episode, and hands out the last observation as
    ``terminal_observation``, and a truncation as ``TimeLimit.truncated``. A step that terminates at
    the time limit has only ``terminated`` set here, for SB3 does not tell the other.

    Args:
        venv: With array observations.
    """

    def __init__(self, venv: VecEnv) -> None:
        self.venv, self.num_envs = venv, venv.num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = venv.observation_space
        self.single_action_space = venv.action_space
        self.observation_space = batch_space(venv.observation_space, self.num_envs)
        self.action_space = batch_space(venv.action_space, self.num_envs)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin all episodes; an int s gives robot i the seed s + i, a list gives each its own."""
        if isinstance(seed, (int, np.integer)):
            self.venv.seed(int(seed))
        elif seed is not None:
            self.venv._seeds = [int(s) for s in seed]
        return np.array(self.venv.reset()), {}

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take one action with each robot."""
        seen, rewards, done, infos = self.venv.step(np.asarray(actions))
        done = np.array(done, dtype=bool)
        truncated = np.array([bool(info.get("TimeLimit.truncated")) for info in infos])
        found: dict[str, Any] = {}
        if done.any():
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(done):
                final[i] = infos[i]["terminal_observation"]
            found = {"final_obs": final, "_final_obs": done.copy()}
        return np.array(seen), np.array(rewards), done & ~truncated, done & truncated, found

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes, if there are any."""
        self.venv.close()
