"""N robots in one array: the native vector environment. A step is one gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from burgerbot.world import draws, observe, rules
from burgerbot.world.batch import batch_actions, reset_mask, seed_list, spread
from burgerbot.world.checks import four_rewards, fraction, known_render_mode
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.render import paint
from burgerbot.world.rules import ACTIONS, CRASHED, DELIVERED, V0_REWARDS
from burgerbot.world.saved import Saves
from burgerbot.world.stack import stack_kitchens

VectorStep = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]


class BurgerBotVectorEnv(Saves, VectorEnv[np.ndarray, Any, np.ndarray]):
    """Drive N robots at once; every robot is a ``BurgerBotEnv`` to the bit.

    Flags, ``final_obs``, ``final_info``, masked infos and ``options["reset_mask"]`` are those of
    Gymnasium 1.4's ``SyncVectorEnv`` in the same autoreset mode, and the caller's dict and the
    rows that run on stay untouched. Shapes: actions int ``[N]``, observations ``[N, ...]``,
    rewards float64 ``[N]``, flags bool ``[N]``. Arrays handed out are the caller's.
    ``state_dict`` and ``load_state_dict`` save and resume a run to the bit.

    Args:
        num_envs: N, 1 or more.
        kitchen: A kitchen or its map, or K of one size: then the first N / K robots drive in the
            first, and so on.
        rewards, shaping, gamma, endless: As ``BurgerBotEnv`` takes them.
        slip: Probability that a robot slides forward whatever the action.
        max_episode_steps: Step limit, or None for none.
        autoreset_mode: ``NEXT_STEP``, ``SAME_STEP`` or ``DISABLED``.
        render_mode: ``None``, ``"ansi"`` or ``"rgb_array"``.

    Raises:
        KitchenError, ValueError: An argument that cannot be used.

    >>> envs = BurgerBotVectorEnv(2, kitchen=">.G")
    >>> envs.reset(seed=0)[0].tolist()
    [[0, 0, 1, 1], [0, 0, 1, 1]]
    >>> envs.step(np.array([0, 2]))[1].tolist()
    [1.0, -0.1]
    """

    _observe = staticmethod(observe.grid)

    def __init__(
        self,
        num_envs: int = 1,
        kitchen: Kitchen | str | Sequence[Kitchen | str] = CLASSIC,
        rewards: Sequence[float] = V0_REWARDS,
        slip: float = 0.0,
        shaping: float = 0.0,
        gamma: float = 0.97,
        endless: bool = False,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs: expected 1 or more, got {num_envs}")
        self.num_envs = int(num_envs)
        self.rewards, self.shaping = four_rewards(rewards), float(shaping)
        self._paid = np.array(self.rewards)
        self.gamma, self.endless = fraction("gamma", gamma), bool(endless)
        self.limit = np.iinfo(np.int64).max if max_episode_steps is None else max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": ["ansi", "rgb_array"],
            "render_fps": 8,
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode = known_render_mode(render_mode, self.metadata["render_modes"])

        given = [kitchen] if isinstance(kitchen, (Kitchen, str)) else kitchen
        kitchens = [k if isinstance(k, Kitchen) else Kitchen.from_ascii(k) for k in given]
        self._slip = np.full(self.num_envs, fraction("slip", slip))
        self._furnish(kitchens, spread(np.arange(len(kitchens)), self.num_envs, "kitchens"))

        self.single_action_space = gym.spaces.Discrete(len(ACTIONS))
        self.single_observation_space = observe.space(kitchens[0], self._observe)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

        self._state = self._start.copy()
        self._elapsed = np.zeros(self.num_envs, dtype=np.int64)
        self._over = np.zeros(self.num_envs, dtype=bool)  # episodes that wait for their reset
        self._keys: np.ndarray | None = None  # the robots' streams of draws; None before a reset
        self._draws = np.zeros(self.num_envs, dtype=np.uint64)  # taken from them so far

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Any = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin episodes: all, or those of ``options["reset_mask"]`` (bool ``[N]``).

        Args:
            seed: An int s gives robot i the seed s + i; a list gives each its own, None for none.
            options: May hold ``reset_mask``; it is left as it is.

        Returns:
            ``(observations, {})``, observations of every robot, those that run on included.

        Raises:
            TypeError, ValueError: A mask or a list of seeds of another kind or length.
            ResetNeeded: A mask before the first reset of all.
        """
        seeds = seed_list(seed, self.num_envs)
        mask = reset_mask(options, self.num_envs)
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        if self._keys is None and not mask.all():
            raise ResetNeeded("reset all robots once before you reset some")
        self._sow(seeds, mask)
        self._state[mask] = self._first_states(np.flatnonzero(mask))
        self._elapsed[mask] = 0
        self._over[mask] = False
        return self._world.observations.take(self._state, axis=0), {}

    def step(self, actions: Any) -> VectorStep:
        """Take one action with each robot.

        Args:
            actions: int ``[N]``, each 0 to 3. In ``NEXT_STEP``, the action of a robot whose
                episode is over is not used: this step is its reset.

        Returns:
            ``(observations, rewards, terminations, truncations, infos)``.

        Raises:
            TypeError, ValueError: Actions of another dtype, shape or range.
            ResetNeeded: Before the first reset, or in ``DISABLED`` mode with an episode over.
        """
        actions = self._checked(actions)
        resetting = self._over if self._over.any() else None
        if self._slip.any():
            actions = self._slide(actions)
        index = self._state * 4 + actions
        entry = self._world.table.take(index)
        after, outcome = entry >> 2, entry & 3
        rewards = self._world.rewards.take(index)
        self._elapsed += 1
        terminations = np.zeros(self.num_envs, bool) if self.endless else outcome >= CRASHED
        truncations = self._elapsed >= self.limit

        if resetting is not None:
            rows = np.flatnonzero(resetting)
            after[rows] = self._first_states(rows)
            self._elapsed[rows] = 0
            rewards[rows] = 0.0
            terminations[rows] = truncations[rows] = False

        done = terminations | truncations
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._infos(outcome, ~done)
            if done.any():
                rows = np.flatnonzero(done)
                infos |= self._finals(after, outcome, done, rows)
                after[rows] = self._first_states(rows)
                self._elapsed[rows] = 0
        else:
            infos = self._infos(outcome, None if resetting is None else ~resetting)
            self._over = done.copy()
        self._state = after
        return (
            self._world.observations.take(after, axis=0),
            rewards,
            terminations,
            truncations,
            infos,
        )

    def render(self) -> tuple[Any, ...] | None:
        """One picture a robot: strings (``ansi``) or uint8 ``[height, width, 3]``."""
        if self.render_mode is None:
            return None
        local = self._state % self._world.states
        pictures = []
        for which, state in zip(self._assigned.tolist(), local.tolist(), strict=True):
            kitchen = self._world.kitchens[which]
            pose = rules.decode(kitchen, state)
            ansi = self.render_mode == "ansi"
            pictures.append(kitchen.draw(*pose) if ansi else paint(kitchen, *pose))
        return tuple(pictures)

    def _furnish(self, kitchens: Sequence[Kitchen], assigned: np.ndarray) -> None:
        """Stack the kitchens, and put robot i into kitchen ``assigned[i]``."""
        self._world = stack_kitchens(
            kitchens,
            self._observe,
            self.rewards,
            shaping=self.shaping,
            gamma=self.gamma,
            endless=self.endless,
        )
        self._assigned = assigned
        self._start = self._world.starts[assigned]

    def _first_states(self, rows: np.ndarray) -> np.ndarray:
        """Where the next episodes of these robots begin."""
        return self._start[rows]

    def _sow(self, seeds: list[int | None], mask: np.ndarray) -> list[int | None]:
        """Begin the streams of draws of the robots that get a seed; return those seeds."""
        if self._keys is None:  # the first reset: whoever got no seed gets one of its own
            base = int(self.np_random.integers(2**63))
            seeds = [base + i if s is None else s for i, s in enumerate(seeds)]
            self._keys = np.zeros(self.num_envs, dtype=np.uint64)
        rows = np.array([i for i, s in enumerate(seeds) if s is not None and mask[i]], dtype=int)
        words = np.array([int(seeds[i] or 0) & draws.WORD for i in rows], dtype=np.uint64)
        self._keys[rows] = draws.stream(words)
        self._draws[rows] = 0
        return seeds

    def _slide(self, actions: np.ndarray) -> np.ndarray:
        """On a greasy floor some actions become ``forward``; each step takes one draw."""
        assert self._keys is not None
        slides = draws.uniform(self._keys, self._draws) < self._slip
        self._draws += ~self._over
        return actions * ~slides  # forward is action 0

    def _checked(self, actions: Any) -> np.ndarray:
        """The actions as int64 ``[N]``, or an error that says what is wrong."""
        if self._keys is None:
            raise ResetNeeded("call reset() before step()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ResetNeeded(
                "the episodes of robots "
                f"{np.flatnonzero(self._over).tolist()[:8]} are over: call "
                'reset(options={"reset_mask": terminations | truncations}) first'
            )
        return batch_actions(actions, self.num_envs)

    def _infos(self, outcome: np.ndarray, ran: np.ndarray | None) -> dict[str, Any]:
        """Infos of the robots that took a step, with masks; ``ran`` None means all."""
        if not (self.shaping or self.endless) or (ran is not None and not ran.any()):
            return {}
        infos: dict[str, Any] = {"outcome": outcome.copy()}
        if self.shaping:
            infos["delivered"] = outcome == DELIVERED
            infos["true_reward"] = self._paid.take(outcome)
        if ran is not None:
            idle = ~ran
            for value in infos.values():
                value[idle] = 0
        for name in tuple(infos):
            infos[f"_{name}"] = np.ones(self.num_envs, bool) if ran is None else ran.copy()
        return infos

    def _finals(
        self, after: np.ndarray, outcome: np.ndarray, done: np.ndarray, rows: np.ndarray
    ) -> dict[str, Any]:
        """What ``SAME_STEP`` reports of the episodes that ended in this step."""
        observations = self._world.observations.take(after[rows], axis=0)
        final = np.full(self.num_envs, None, dtype=object)
        final[rows] = np.fromiter(observations, dtype=object, count=len(rows))
        return {
            "final_obs": final,
            "_final_obs": done.copy(),
            "final_info": self._infos(outcome, done),
            "_final_info": done.copy(),
        }
