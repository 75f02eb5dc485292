"""Drive a vector environment along a tape of actions and write down what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv


def record_autoreset(envs: VectorEnv, actions: Any, seed: Any) -> dict[str, np.ndarray]:
    """Play a tape of actions and keep every row, as one panel of ``autoreset_timeline``.

    The mode is read from ``envs.metadata["autoreset_mode"]``. In ``DISABLED`` mode the recorder
    does what that mode leaves to you: before the next step it resets the rows that are done.

    Args:
        envs: Any Gymnasium vector environment whose observations are arrays, with N robots.
        actions: ``[T, N, ...]``, one action a robot and step; int ``[T, N]`` for BurgerBot.
        seed: What the first ``reset`` gets: None, an int, or a list of N.

    Returns:
        dict: Bool arrays ``[T, N]``, True where, in step t,

        - ``terminated``, ``truncated``: the flags that the step returned;
        - ``reset``: the step was a reset and no transition (``NEXT_STEP``: the row after a done);
        - ``reset_before``: the recorder reset the robot just before the step (``DISABLED``);
        - ``final``: an episode's final observation was handed out;
        - ``in_info``: it came in ``infos["final_obs"]`` (``SAME_STEP``), not as the observation.

        And ``observations`` (what a robot saw before the step) and ``returned`` (what the step
        returned), ``[T, N, ...]``; ``final_obs`` likewise, from the infos, 0 where there is none;
        ``rewards`` float64 ``[T, N]``; ``actions`` as given.

    Raises:
        ValueError: No autoreset mode in the metadata, or actions of another shape.
        TypeError: Observations that are not arrays.

    >>> from burgerbot.world.vector import BurgerBotVectorEnv
    >>> record = record_autoreset(BurgerBotVectorEnv(1, ">G"), [[0], [0], [1]], seed=0)
    >>> record["terminated"][:, 0].tolist(), record["reset"][:, 0].tolist()
    ([True, False, False], [False, True, False])
    """
    mode = _mode(envs)
    tape = np.asarray(actions)
    if tape.ndim < 2 or not len(tape) or tape.shape[1] != envs.num_envs:
        raise ValueError(
            f"actions: expected shape (T, {envs.num_envs}), 1 step or more, got {tape.shape}"
        )
    seen, _ = envs.reset(seed=seed)
    if not isinstance(seen, np.ndarray):
        raise TypeError(f"observations: expected arrays, got {type(seen).__name__}")
    record = _blank(len(tape), seen)
    record["actions"] = tape
    done = np.zeros(envs.num_envs, dtype=bool)
    for t, action in enumerate(tape):
        if mode is AutoresetMode.DISABLED and done.any():
            # A dict of its own for each reset: Gymnasium's vector environments empty it.
            seen, _ = envs.reset(options={"reset_mask": done.copy()})
            record["reset_before"][t] = done
        record["reset"][t] = done if mode is AutoresetMode.NEXT_STEP else False
        record["observations"][t] = seen
        seen, record["rewards"][t], terminated, truncated, infos = envs.step(action)
        record["returned"][t] = seen
        record["terminated"][t], record["truncated"][t] = terminated, truncated
        done = np.logical_or(terminated, truncated)
        in_info = np.array(infos.get("_final_obs", np.zeros_like(done)))
        for i in np.flatnonzero(in_info):
            record["final_obs"][t, i] = infos["final_obs"][i]
        record["in_info"][t] = in_info
        record["final"][t] = in_info if mode is AutoresetMode.SAME_STEP else done
    return record


def _mode(envs: VectorEnv) -> AutoresetMode:
    """The environment's autoreset mode, as its metadata says."""
    found = envs.metadata.get("autoreset_mode")
    try:
        return AutoresetMode(found)
    except ValueError:
        raise ValueError(
            "envs.metadata['autoreset_mode']: expected an AutoresetMode of Gymnasium 1.1 or "
            f"newer, got {found!r}"
        ) from None


def _blank(steps: int, seen: np.ndarray) -> dict[str, np.ndarray]:
    """Arrays for every row to come, all 0 and False."""
    flags = ("terminated", "truncated", "reset", "reset_before", "final", "in_info")
    batches = ("observations", "returned", "final_obs")
    record = {name: np.zeros((steps, len(seen)), dtype=bool) for name in flags}
    record |= {name: np.zeros((steps, *seen.shape), dtype=seen.dtype) for name in batches}
    record["rewards"] = np.zeros((steps, len(seen)))
    return record
