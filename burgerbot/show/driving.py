"""One hand-driven episode after another: what happened, apart from any widget."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from burgerbot.show.poses import Pose, as_pose
from burgerbot.world.kitchen import HEADINGS, Kitchen
from burgerbot.world.rules import ACTIONS

#: Clear cells ahead, by the sensor's reading.
SENSOR = ("0 or 1", "2 or 3", "4 or 5")


class Drive:
    """An environment in someone's hands.

    Args:
        env: A Gymnasium environment with BurgerBot's four actions and, in ``.unwrapped``, a
            ``kitchen``; where the observation is not ``[row, col, heading, ...]`` it also needs a
            ``pose``. It is reset with seed 0.

    Attributes:
        observation: The last one.
        pose: Where the robot stands.
        trail: Its poses since the episode began.
        action: The last action's name, empty at the start.
        reward, total, steps: The last reward, the return and the number of steps so far.
        ended: Why the episode ended; empty while it runs.

    Raises:
        TypeError: An environment without a kitchen.
        ValueError: An observation that says no pose, or one outside the kitchen.

    >>> from burgerbot.world.env import BurgerBotEnv
    >>> drive = Drive(BurgerBotEnv(">.G"))
    >>> drive.act(0), drive.act(0)
    (None, None)
    >>> drive.total, drive.ended
    (51.0, 'terminated: delivered')
    """

    def __init__(self, env: gym.Env) -> None:
        if not isinstance(getattr(_bare(env), "kitchen", None), Kitchen):
            raise TypeError(
                f"env: expected an environment whose .unwrapped.kitchen is a Kitchen, got {env!r}"
            )
        self.env = env
        self.begin(seed=0)

    @property
    def kitchen(self) -> Kitchen:
        """The kitchen of this episode."""
        return _bare(self.env).kitchen

    def begin(self, seed: int | None = None) -> None:
        """Reset the environment and count from zero."""
        self.observation, _ = self.env.reset(seed=seed)
        self.pose = _pose(self.env, self.kitchen, self.observation)
        self.trail = [self.pose]
        self.action, self.ended = "", ""
        self.reward, self.total, self.steps = 0.0, 0.0, 0

    def act(self, action: int) -> None:
        """Take one step; after the episode's end, none."""
        if self.ended:
            return
        self.observation, reward, terminated, truncated, _ = self.env.step(action)
        self.action, self.reward = ACTIONS[action], float(reward)
        self.total += self.reward
        self.steps += 1
        self.pose = _pose(self.env, self.kitchen, self.observation)
        self.trail.append(self.pose)
        self.ended = self._ending(bool(terminated), bool(truncated))

    def observation_text(self) -> str:
        """The observation, with each number of ``[row, col, heading, sensor]`` spelled out."""
        numbers = np.asarray(self.observation)
        if numbers.shape != (4,) or numbers.dtype.kind not in "iu":
            return np.array2string(numbers, precision=3, suppress_small=True)
        row, col, heading, sensor = numbers.tolist()
        facing = HEADINGS[heading] if 0 <= heading < 4 else "?"
        ahead = SENSOR[sensor] if 0 <= sensor < 3 else "?"
        return (
            f"[{row}, {col}, {heading}, {sensor}] = row {row}, col {col}, "
            f"heading {heading} ({facing}), sensor {sensor} ({ahead} clear cells ahead)"
        )

    def _ending(self, terminated: bool, truncated: bool) -> str:
        """Why the episode ended, in words; empty if it goes on."""
        if not terminated:
            return "truncated: the step limit" if truncated else ""
        why = "terminated"
        if self.pose[:2] == self.kitchen.goal:
            why += ": delivered"
        elif self.action == "forward" and self.pose == self.trail[-2]:
            why += ": crashed"
        return f"{why}, at the step limit (truncated too)" if truncated else why


def _bare(env: gym.Env) -> Any:
    """The environment without its wrappers."""
    return getattr(env, "unwrapped", env)


def _pose(env: gym.Env, kitchen: Kitchen, observation: Any) -> Pose:
    """Where the robot stands: read from the observation, or asked where that hides it."""
    numbers = np.asarray(observation)
    if numbers.dtype.kind in "iu" and numbers.shape in {(3,), (4,)}:
        return as_pose(kitchen, numbers, "observation")
    if hasattr(_bare(env), "pose"):
        return as_pose(kitchen, _bare(env).pose, "pose")
    raise ValueError(
        "observation: expected integers [row, col, heading, ...], or an environment with a "
        f"pose; got shape {numbers.shape} of {numbers.dtype}"
    )
