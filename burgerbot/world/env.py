"""One robot in one kitchen, as a Gymnasium environment: a step is one look-up in a menu."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded

from burgerbot.world import draws, observe, rules
from burgerbot.world.checks import four_rewards, fraction, known_render_mode
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.menus import compile_menus
from burgerbot.world.render import paint
from burgerbot.world.rules import ACTIONS, FORWARD, V0_REWARDS

Step = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


class BurgerBotEnv(gym.Env[np.ndarray, Any]):
    """Drive one robot to the counter that holds the burger.

    Actions are 0 forward, 1 turn_left, 2 turn_right, 3 stop. An observation is int64
    ``[row, col, heading, sensor]``. An episode terminates when the robot crashes or delivers; the
    step limit is Gymnasium's ``TimeLimit``, so the bare class has none.

    With shaping, ``info`` holds ``outcome`` (0 idle, 1 moved, 2 crashed, 3 delivered),
    ``delivered`` and ``true_reward`` (the reward without shaping); on an endless shift it holds
    ``outcome``; else it is empty.

    Args:
        kitchen: A ``Kitchen`` or its ASCII map.
        rewards: What idle, moved, crashed and delivered pay.
        shaping: Coefficient of the potential, minus the walking distance to the goal. The reward
            gains ``gamma * potential(next) - potential(now)``; the potential is 0 at termination.
        gamma: Discount of the shaping, 0 to 1.
        endless: A delivery or a crash puts the robot back at the start, and nothing terminates.
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

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 8}  # noqa: RUF012
    _observe = staticmethod(observe.grid)

    def __init__(
        self,
        kitchen: Kitchen | str = CLASSIC,
        rewards: Sequence[float] = V0_REWARDS,
        shaping: float = 0.0,
        gamma: float = 0.97,
        endless: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.kitchen = kitchen if isinstance(kitchen, Kitchen) else Kitchen.from_ascii(kitchen)
        self.rewards = four_rewards(rewards)
        self.shaping = float(shaping)
        self.gamma = fraction("gamma", gamma)
        self.endless = bool(endless)
        self.render_mode = known_render_mode(render_mode, self.metadata["render_modes"])
        self.action_space = gym.spaces.Discrete(len(ACTIONS))
        self.observation_space = observe.space(self.kitchen, self._observe)
        self._compile()
        self._menu = self._ended[self._start["here"]]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Put the robot at the kitchen's start. ``options`` is not used."""
        if seed is not None:
            super().reset(seed=seed)
        self._menu = self._start
        return self._first.copy(), {}

    def step(self, action: Any) -> Step:
        """Take one action.

        Args:
            action: 0 to 3: an int, a NumPy integer, or a 0-d integer array or tensor.

        Returns:
            ``(observation, reward, terminated, truncated, info)``; ``truncated`` is always False
            here, since the step limit is kept by ``TimeLimit``. The array and the dict are yours.

        Raises:
            TypeError: The action is not one integer.
            ValueError: The action is not 0, 1, 2 or 3.
            ResetNeeded: No episode is running.
        """
        try:
            self._menu, observation, reward, terminated, info = self._menu[action]
        except (KeyError, TypeError):  # not on the menu: read it as an int, or say why not
            return self.step(self._checked(action))
        return observation.copy(), reward, terminated, False, info.copy()

    def render(self) -> Any:
        """Draw the kitchen: a string (``ansi``) or uint8 ``[height, width, 3]`` (``rgb_array``)."""
        if self.render_mode is None:
            raise ValueError(
                "expected render_mode 'ansi' or 'rgb_array' when the environment is made, got None"
            )
        pose = rules.decode(self.kitchen, self._menu["here"])
        if self.render_mode == "ansi":
            return self.kitchen.draw(*pose)
        return paint(self.kitchen, *pose)

    def _checked(self, action: Any) -> int:
        """The action as an int, or the reason why it cannot be taken."""
        number = _as_action(action)
        if FORWARD not in self._menu:
            raise ResetNeeded("no episode is running: call reset() before step()")
        return number

    def _compile(self) -> None:
        """Look up the menus of this kitchen."""
        compiled = rules.compile_kitchen(self.kitchen, self._observe, self.endless)
        self._compiled = compiled
        self._running, self._ended = compile_menus(compiled, self.rewards, self.shaping, self.gamma)
        self._start = self._running[compiled.start]
        self._first = compiled.observations[compiled.start]

    def __getstate__(self) -> tuple[dict[str, Any], int, bool]:
        """Pickle and copy without the menus, which are shared and lead to each other."""
        menus = ("_compiled", "_running", "_ended", "_start", "_first", "_menu")
        kept = {name: value for name, value in vars(self).items() if name not in menus}
        return kept, self._menu["here"], FORWARD in self._menu

    def __setstate__(self, saved: tuple[dict[str, Any], int, bool]) -> None:
        kept, here, running = saved
        vars(self).update(kept)
        self._compile()
        self._menu = (self._running if running else self._ended)[here]


class GreasyBurgerBotEnv(BurgerBotEnv):
    """BurgerBot on a greasy floor: with probability ``slip`` any action becomes ``forward``.

    Every step takes one draw of the stream of the last seed (see ``draws``).

    Args:
        slip: Probability of sliding, 0 to 1.
        **kwargs: As ``BurgerBotEnv`` takes them.
    """

    def __init__(self, slip: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.slip = fraction("slip", slip)
        self._key: int | None = None
        self._counter = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Put the robot at the start; a seed begins its stream of draws anew."""
        result = super().reset(seed=seed, options=options)
        if seed is not None or self._key is None:
            self._key, self._counter = draws.stream(self.np_random_seed), 0
        return result

    def step(self, action: Any) -> Step:
        """Take one action, or slide; see ``BurgerBotEnv.step``."""
        action = self._checked(action)
        slides = draws.uniform(self._key, self._counter) < self.slip
        self._counter += 1
        return super().step(FORWARD if slides else action)


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
