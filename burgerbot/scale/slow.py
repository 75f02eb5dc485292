"""Stand-in robots: one whose step costs what you ask for, and one that breaks when you want it to.

They stand in the package, and not in a notebook, so that any worker process can find them.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from typing import Any

import gymnasium as gym
import numpy as np

from burgerbot.scale.checks import cost, count, one_of

KINDS = ("cpu", "sleep")

# The time that this thread computes, not the time that passes: else four busy robots on two cores
# would look as if they had four. That clock of Windows ticks too rarely, so there time must do.
_busy_ns = time.perf_counter_ns if sys.platform == "win32" else time.thread_time_ns


class SlowEnv(gym.Env[np.ndarray, Any]):
    """Do nothing, at a price: a stand-in for physics (``cpu``) or for waiting (``sleep``).

    The observation counts the steps since the reset, float32 ``[1]``; every reward is 1; no
    episode ends.

    Args:
        step_cost_us: What one step costs, in microseconds, beside Python's own few. Of ``cpu`` it
            is time on a core; ``sleep`` asks the system, which may round up to a least wait of its
            own (some 50 microseconds on Linux).
        kind: ``"cpu"`` keeps a core busy; ``"sleep"`` waits without one, as for a file or a server.

    Raises:
        ValueError: A cost that is negative or not finite, or another kind.

    >>> env = SlowEnv(10.0, "sleep")
    >>> env.reset()[0].tolist(), env.step(0)[0].tolist()
    ([0.0], [1.0])
    """

    def __init__(self, step_cost_us: float, kind: str = "cpu") -> None:
        self.step_cost_us = cost("step_cost_us", step_cost_us)
        self.kind = one_of("kind", kind, KINDS)
        self.observation_space = gym.spaces.Box(0.0, np.inf, (1,), np.float32)
        self.action_space = gym.spaces.Discrete(4)
        self.steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin at 0 steps; costs nothing."""
        super().reset(seed=seed)
        self.steps = 0
        return np.zeros(1, np.float32), {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Spend the cost; the action changes nothing."""
        if self.kind == "sleep":
            time.sleep(self.step_cost_us / 1e6)
        else:
            end = _busy_ns() + self.step_cost_us * 1e3
            while _busy_ns() < end:
                pass
        self.steps += 1
        return np.array([self.steps], np.float32), 1.0, False, False, {}


class FaultyEnv(SlowEnv):
    """A ``SlowEnv`` without cost that breaks in one of its steps.

    Args:
        fault: An exception, which the step raises; ``"die"``, which ends the process as a kill
            does, without a word; or ``"hang"``, which never comes back.
        at_step: The step that breaks, counted from 1 after the reset.

    Raises:
        ValueError: Another fault, or a step that is no whole number of 1 or more.
        RuntimeError: From the step, instead of dying or hanging in what is not a worker process.

    >>> env = FaultyEnv(KeyError("battery"), at_step=1)
    >>> _ = env.reset()
    >>> env.step(0)
    Traceback (most recent call last):
    KeyError: 'battery'
    """

    def __init__(self, fault: Exception | str, at_step: int = 2) -> None:
        super().__init__(0.0)
        if not isinstance(fault, Exception):
            one_of("fault", fault, ("an exception", "die", "hang"))
        self.fault, self.at_step = fault, count("at_step", at_step)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Break, if this is the step; else count it."""
        if self.steps + 1 == self.at_step:
            if isinstance(self.fault, Exception):
                raise self.fault
            if multiprocessing.parent_process() is None:
                raise RuntimeError(f"expected a worker process to {self.fault} in; this is not one")
            if self.fault == "die":
                os._exit(1)
            while True:
                time.sleep(60)
        return super().step(action)
