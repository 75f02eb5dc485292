"""One robot in one kitchen, as a Gymnasium environment."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from numbers import Real
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded

from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.render import paint
from burgerbot.world.rules import ACTIONS, CRASHED, DELIVERED, V0_REWARDS


class BurgerBotEnv(gym.Env[np.ndarray, Any]):
    """Drive one robot to the counter that holds the burger.

    Actions are 0 forward, 1 turn_left, 2 turn_right, 3 stop. An observation is int64
    ``[row, col, heading, sensor]``. An episode terminates when the robot crashes or delivers; the
    step limit is Gymnasium's ``TimeLimit``, so the bare class has none.

    ``info`` holds ``outcome`` (0 idle, 1 moved, 2 crashed, 3 delivered), ``delivered`` and, with
    shaping, ``true_reward`` (without it).

    Args:
        kitchen: A ``Kitchen`` or its ASCII map.
        rewards: What idle, moved, crashed and delivered pay.
        slip: Probability that the robot slides forward whatever the action, 0 to 1.
        shaping: Coefficient of the potential, minus the walking distance to the goal. The reward
            gains ``gamma * potential(next) - potential(now)``; the potential is 0 at termination.
        gamma: Discount of the shaping, 0 to 1.
        render_mode: ``None``, ``"ansi"`` or ``"rgb_array"``.

    Raises:
        KitchenError: A map that cannot be used.
        ValueError: Another argument out of range.

    Source: shaping as in Ng, Harada and Russell (1999), "Policy invariance under reward
    transformations".

    >>> env = BurgerBotEnv(">.G")
    >>> env.reset(seed=1)[0].tolist()
    [0, 0, 1, 1]
    >>> env.step(0)[1:4]
    (1.0, False, False)
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 8}

    def __init__(
        self,
        kitchen: Kitchen | str = CLASSIC,
        rewards: Sequence[float] = V0_REWARDS,
        slip: float = 0.0,
        shaping: float = 0.0,
        gamma: float = 0.97,
        render_mode: str | None = None,
    ) -> None:
        self.kitchen = kitchen if isinstance(kitchen, Kitchen) else Kitchen.from_ascii(kitchen)
        self.rewards = _four_rewards(rewards)
        self.slip = _fraction("slip", slip)
        self.shaping = float(shaping)
        self.gamma = _fraction("gamma", gamma)
        self.render_mode = _known_render_mode(render_mode, self.metadata["render_modes"])
        self.rules = rules.compile_kitchen(self.kitchen)

        self.action_space = gym.spaces.Discrete(len(ACTIONS))
        self.observation_space = gym.spaces.MultiDiscrete(
            [self.kitchen.rows, self.kitchen.cols, 4, 3]
        )
        # Plain lists: one robot reads one entry at a time, and a list does that fastest.
        self._table = self.rules.table.tolist()
        self._observations = list(self.rules.observations)
        self._potential = (-self.shaping * self.rules.distance).tolist()
        self._state: int = self.rules.start
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Put the robot at the kitchen's start. ``options`` is not used."""
        super().reset(seed=seed)
        self._state = self.rules.start
        self._running = True
        return self._observations[self._state].copy(), {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take one action.

        Args:
            action: 0 to 3: an int, a NumPy integer, or a 0-d integer array or tensor.

        Returns:
            ``(observation, reward, terminated, truncated, info)``; ``truncated`` is always False
            here, since the step limit is kept by ``TimeLimit``. The arrays are the caller's.

        Raises:
            TypeError: The action is not one integer.
            ValueError: The action is not 0, 1, 2 or 3.
            ResetNeeded: No episode is running.
        """
        if type(action) is not int or not 0 <= action <= 3:
            action = _as_action(action)
        if not self._running:
            raise ResetNeeded("no episode is running: call reset() before step()")
        state = self._state

        draw = self.np_random.random() if self.slip else 1.0
        after, outcome = rules.step(self._table, state, action, draw, self.slip)
        terminated = outcome >= CRASHED
        reward = self.rewards[outcome]
        info: dict[str, Any] = {"outcome": outcome, "delivered": outcome == DELIVERED}
        if self.shaping:
            info["true_reward"] = reward
            potential = 0.0 if terminated else self._potential[after]
            reward += self.gamma * potential - self._potential[state]

        self._state = after
        self._running = not terminated
        return self._observations[after].copy(), reward, terminated, False, info

    def render(self) -> Any:
        """Draw the kitchen: a string (``ansi``) or uint8 ``[height, width, 3]`` (``rgb_array``)."""
        if self.render_mode is None:
            raise ValueError(
                "expected render_mode 'ansi' or 'rgb_array' when the environment is made, got None"
            )
        pose = rules.decode(self.kitchen, self._state)
        if self.render_mode == "ansi":
            return self.kitchen.draw(*pose)
        return paint(self.kitchen, *pose)


def _as_action(action: Any) -> int:
    """Read one action from anything that is one integer, or say what is wrong with it."""
    expected = "expected an integer: 0 forward, 1 turn_left, 2 turn_right or 3 stop"
    try:
        number = operator.index(action)
    except TypeError:
        raise TypeError(f"action: {expected}; got {action!r}") from None
    if not 0 <= number <= 3:
        raise ValueError(f"action: {expected}; got {action!r}")
    return number


def _four_rewards(rewards: Sequence[float]) -> rules.Rewards:
    """Check the four rewards."""
    values = tuple(float(value) for value in rewards)
    if len(values) != 4 or not np.isfinite(values).all():
        raise ValueError(
            "rewards: expected 4 finite numbers (idle, moved, crashed, delivered), got "
            f"{rewards!r}"
        )
    return rules.Rewards(*values)


def _fraction(name: str, value: float) -> float:
    """Check a number between 0 and 1."""
    if not (isinstance(value, Real) and 0.0 <= value <= 1.0):
        raise ValueError(f"{name}: expected a number from 0 to 1, got {value!r}")
    return float(value)


def _known_render_mode(mode: str | None, known: list[str]) -> str | None:
    """Check the render mode; a window is not offered."""
    if mode == "human":
        raise ValueError(
            "render_mode 'human' would open a window, and BurgerBot has none: use 'rgb_array' "
            "(an array, shown by matplotlib) or 'ansi' (text)"
        )
    if mode is not None and mode not in known:
        raise ValueError(f"render_mode: expected None or one of {known}, got {mode!r}")
    return mode
