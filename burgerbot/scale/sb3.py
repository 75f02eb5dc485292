"""Stable-Baselines3 on Gymnasium's vector environments: an adapter between the two interfaces.

SB3 refuses a Gymnasium ``VectorEnv`` and wants its own ``VecEnv``, which knows one flag ``done``
instead of two, resets within the step, and takes a list of dicts for infos.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from stable_baselines3.common.env_util import is_wrapped
from stable_baselines3.common.vec_env import VecEnv

from burgerbot.scale.infos import pick_infos, split_infos
from burgerbot.scale.policy_table import export_policy as export_policy
from burgerbot.scale.policy_table import load_policy as load_policy
from burgerbot.scale.trained import load_trained as load_trained
from burgerbot.scale.trained import save_trained as save_trained

TRUNCATED = "TimeLimit.truncated"
FINALS = ("final_obs", "_final_obs", "final_info", "_final_info")
Indices = int | Iterable[int] | None
SAME_STEP_HOW = (
    'gym.make_vec(id, num_envs=N, autoreset_mode="SameStep") for a native one, '
    'vector_kwargs={"autoreset_mode": "SameStep"} with vectorization_mode="sync" or "async"'
)


class GymToSB3(VecEnv):
    """Show a Gymnasium vector environment to Stable-Baselines3 as one of its own.

    ``done = terminated | truncated``. ``infos[i]`` holds what robot i reported, and always
    ``"TimeLimit.truncated"``, which is ``truncated and not terminated``: from it SB3 knows where to
    add ``gamma * V(terminal_observation)``. Where an episode ended, ``infos[i]`` is the info of its
    last step with ``"terminal_observation"``, the observation is the next episode's first, and what
    the reset reported is in ``reset_infos[i]``. A robot whose key is masked does not have the key.

    Args:
        envs: Native, ``SyncVectorEnv`` or ``AsyncVectorEnv``, in ``SAME_STEP`` mode. SB3 has no row
            for a ``NEXT_STEP`` reset and resets nobody itself, so that the other two modes cannot
            be served.

    Raises:
        TypeError: ``envs`` is no Gymnasium vector environment.
        ValueError: Another autoreset mode, or none that is known; or ``copy=False``.

    >>> import burgerbot
    >>> envs = GymToSB3(gym.make_vec("BurgerBot-v1", num_envs=2, autoreset_mode="SameStep"))
    >>> envs.seed(0), envs.reset().tolist()
    ([0, 1], [[0, 0, 1, 1], [0, 0, 1, 1]])
    >>> envs.step(np.array([2, 3]))[3][0]["true_reward"]
    -0.5
    """

    def __init__(self, envs: VectorEnv) -> None:
        if not isinstance(envs, VectorEnv):
            raise TypeError(f"envs: expected a gymnasium.vector.VectorEnv, got {type(envs)}")
        mode = envs.metadata.get("autoreset_mode")
        if mode is None or AutoresetMode(mode) is not AutoresetMode.SAME_STEP:
            raise ValueError(
                f"envs: expected autoreset mode SAME_STEP, got {mode}: {SAME_STEP_HOW}"
            )
        if getattr(envs.unwrapped, "copy", True) is False:
            raise ValueError(
                "envs: expected copy=True; SB3 keeps the observations of earlier steps"
            )
        self.envs: Any = envs
        self._base: Any = envs.unwrapped
        self._actions: np.ndarray | None = None  # of a step that has begun
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        """Begin N episodes with the seeds and options that were set; both are used once."""
        self._actions = None
        seeds = None if all(seed is None for seed in self._seeds) else list(self._seeds)
        if any(options != self._options[0] for options in self._options):
            raise ValueError("options: expected the same for every robot, got several")
        observations, infos = self.envs.reset(seed=seeds, options=self._options[0] or None)
        self.reset_infos = split_infos(infos, self.num_envs)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for ``step_wait``."""
        if self._actions is not None:
            raise RuntimeError("step_async: a step has begun already; call step_wait() first")
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the step.

        Returns:
            ``(observations, rewards float32 [N], dones bool [N], infos)``.
        """
        if self._actions is None:
            raise RuntimeError("step_wait: no step has begun; call step_async(actions) first")
        actions, self._actions = self._actions, None
        observations, rewards, terminated, truncated, batch = self.envs.step(actions)
        dones = terminated | truncated
        infos = split_infos({k: v for k, v in batch.items() if k not in FINALS}, self.num_envs)
        for info in infos:
            info[TRUNCATED] = False
        if over := dones.nonzero()[0].tolist():
            self._finish(over, infos, batch)
            for i in (truncated & ~terminated).nonzero()[0].tolist():
                infos[i][TRUNCATED] = True
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Close the vector environment."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Read an attribute of each robot; of a native env, an array ``[N]`` is one a robot."""
        rows, base = self._rows(indices), self._base
        if robots := self._robots():
            return [robots[i].get_wrapper_attr(attr_name) for i in rows]
        if hasattr(base, "call"):  # AsyncVectorEnv
            values = list(base.get_attr(attr_name))
        else:
            value = getattr(self._layer(attr_name), attr_name)
            split = isinstance(value, np.ndarray) and value.shape[:1] == (self.num_envs,)
            values = list(value) if split else [value] * self.num_envs
        return [values[i] for i in rows]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Write an attribute of each robot.

        Raises:
            AttributeError: A native env has no such attribute.
            ValueError: Some robots of a native env, which has one attribute for all.
        """
        rows, base = self._rows(indices), self._base
        if robots := self._robots():
            for i in rows:
                robots[i].set_wrapper_attr(attr_name, value)
        elif hasattr(base, "call"):
            values = list(base.get_attr(attr_name)) if len(rows) < self.num_envs else [value]
            values *= self.num_envs if len(values) == 1 else 1
            for i in rows:
                values[i] = value
            base.set_attr(attr_name, values)
        else:
            self._for_all(rows, attr_name)
            setattr(self._layer(attr_name), attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of each robot; of a native env, once for all.

        Raises:
            ValueError: Some robots of a native env or of ``AsyncVectorEnv``, whose calls reach all.
        """
        rows, base = self._rows(indices), self._base
        if robots := self._robots():
            methods = [robots[i].get_wrapper_attr(method_name) for i in rows]
            return [method(*method_args, **method_kwargs) for method in methods]
        self._for_all(rows, method_name)
        if hasattr(base, "call"):
            found = base.call(method_name, *method_args, **method_kwargs)
        else:
            method = getattr(self._layer(method_name), method_name)
            found = method(*method_args, **method_kwargs)
        each = isinstance(found, (tuple, list, np.ndarray)) and len(found) == self.num_envs
        return [found[i] for i in rows] if each else [found] * len(rows)

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Tell for each robot whether a vector wrapper, or its own, is of this class."""
        rows, robots, layer = self._rows(indices), self._robots(), self.envs
        while isinstance(layer, VectorWrapper):
            if isinstance(layer, wrapper_class):
                return [True] * len(rows)
            layer = layer.env
        return [bool(robots) and is_wrapped(robots[i], wrapper_class) for i in rows]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """One picture a robot."""
        return list(self.envs.render() or [None] * self.num_envs)

    def _finish(self, rows: list[int], infos: list[dict[str, Any]], batch: dict[str, Any]) -> None:
        """Where an episode ended: its last info and observation; the reset's info apart."""
        if "final_obs" not in batch:
            raise RuntimeError("an episode ended without final_obs: a wrapper took it away")
        finals = pick_infos(batch.get("final_info", {}), self.num_envs, rows)
        for i, final in zip(rows, finals, strict=True):
            reset_info, infos[i] = infos[i], final
            if "episode" in reset_info:  # where Gymnasium's RecordEpisodeStatistics writes it
                final["episode"] = reset_info.pop("episode")
            final["terminal_observation"] = batch["final_obs"][i]
            final[TRUNCATED] = reset_info.pop(TRUNCATED)
            self.reset_infos[i] = reset_info

    def _rows(self, indices: Indices) -> list[int]:
        """The robots meant."""
        return list(self._get_indices(indices))

    def _robots(self) -> list[gym.Env]:
        """The environments of a ``SyncVectorEnv``; none where robots are rows or far away."""
        return list(getattr(self._base, "envs", []))

    def _layer(self, name: str) -> Any:
        """The outermost layer, wrapper or environment, that has an attribute of this name."""
        layer: Any = self.envs
        while not hasattr(layer, name):
            if not isinstance(layer, VectorWrapper):
                raise AttributeError(f"{type(layer).__name__} has no attribute {name!r}")
            layer = layer.env
        return layer

    def _for_all(self, rows: list[int], name: str) -> None:
        """Refuse to touch some robots where one call reaches all."""
        if set(rows) != set(range(self.num_envs)):
            kind = type(self._base).__name__
            raise ValueError(f"indices: {name!r} of a {kind} is for all robots, got {rows}")
