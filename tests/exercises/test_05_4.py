"""Exercise 05.4: robots in processes, and no process left, whatever happens."""

import time
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from burgerbot.course.claims import array_like, close, that
from burgerbot.scale.backends import FaultyEnv, SlowEnv, end_workers

#: Three kitchens of one size, in which a robot that only drives forward earns differently.
KITCHENS = (">...G\n.....", ">.O.G\n.....", ">O..G\n.....")


@pytest.fixture(autouse=True)
def made(monkeypatch):
    """Every AsyncVectorEnv that is made; held, lest the garbage collector close it, and ended."""
    found, init = [], AsyncVectorEnv.__init__

    def record(self, *args, **kwargs):
        found.append(self)
        init(self, *args, **kwargs)

    monkeypatch.setattr(AsyncVectorEnv, "__init__", record)
    yield found
    for envs in found:
        if hasattr(envs, "processes"):
            end_workers(envs)


def nobody_left(made, where, reason="The word for it is `finally`"):
    """Claim that every worker has ended; those that are about to end get half a second."""
    that(made, "use AsyncVectorEnv: each robot gets a process of its own", where=where)
    deadline = time.monotonic() + 0.5
    for envs in made:
        for process in envs.processes:
            process.join(max(0.0, deadline - time.monotonic()))
        left = [process.name for process in envs.processes if process.is_alive()]
        that(
            not left,
            "workers are still there: close the vector env whatever happens, after a return, an "
            f"error or a stop. {reason}",
            expected="no worker left",
            yours=", ".join(left),
            where=where,
        )
        that(
            envs.closed,
            "the workers are gone, but the vector env was not closed: call `envs.close()`",
            where=where,
        )


def test_sums_of_rewards(answer, made):
    """Each robot's rewards, summed over the steps: float64, one number a robot."""
    env_fns = [partial(gym.make, "burgerbot:BurgerBot-v0", kitchen=kitchen) for kitchen in KITCHENS]
    expected = {}
    with_sync = SyncVectorEnv(env_fns)
    with_sync.reset()
    sums = np.zeros(3)
    for step in range(1, 8):
        sums = sums + with_sync.step(np.zeros(3, dtype=np.int64))[1]
        expected[step] = sums
    for steps in (1, 7):
        where = f"three robots that drive forward, {steps} steps"
        got = answer.total_rewards(list(env_fns), steps)
        array_like(got, (3,), np.float64, where=where)
        close(
            got,
            expected[steps],
            "these are not the sums of each robot's rewards: reset once, then add the rewards of "
            "each step, one sum for each robot",
            where=where,
        )
        nobody_left(made, where)


def test_nobody_left_after_success(answer, made):
    """When all goes well, the workers are gone too."""
    answer.total_rewards([partial(SlowEnv, 0.0)] * 3, 2)
    nobody_left(made, "three sound robots, 2 steps")


@pytest.mark.parametrize(
    "error, broken, at_step",
    [(KeyError("battery"), 3, 2), (ValueError("wheel"), 0, 1), (OSError("camera"), 1, 3)],
    ids=["KeyError", "ValueError", "OSError"],
)
def test_the_same_error_goes_on(answer, made, error, broken, at_step):
    """A robot's error reaches the caller as it is, and nobody is left."""
    robots = [partial(SlowEnv, 0.0)] * 4
    robots[broken] = partial(FaultyEnv, error, at_step)
    where = f"four robots; robot {broken} raises {error!r} in step {at_step}"
    try:
        answer.total_rewards(robots, 5)
    except NotImplementedError:
        raise
    except Exception as found:
        that(
            type(found) is type(error),
            "the caller must get the robot's own error: do not turn it into another",
            expected=type(error).__name__,
            yours=f"{type(found).__name__}: {found}",
            where=where,
        )
    else:
        that(
            False,
            "the error was swallowed: the caller must learn of it. Do not catch it, and do not "
            "return from a `finally`",
            expected=type(error).__name__,
            yours="no error",
            where=where,
        )
    nobody_left(made, where)


def test_a_robot_that_cannot_begin(answer, made, monkeypatch):
    """A robot may break in its first reset, too: the error goes on, and nobody is left."""
    calls, wait = [], AsyncVectorEnv.reset_wait

    def broken(self, *args, **kwargs):
        calls.append(None)
        answers = wait(self, *args, **kwargs)
        if len(calls) == 1:
            raise KeyError("battery")
        return answers

    monkeypatch.setattr(AsyncVectorEnv, "reset_wait", broken)
    where = "three robots, one of which raises KeyError('battery') in `reset`"
    try:
        answer.total_rewards([partial(SlowEnv, 0.0)] * 3, 3)
    except KeyError:
        pass
    else:
        that(False, "the error was swallowed: the caller must learn of it", where=where)
    nobody_left(
        made,
        where,
        "`reset` may raise just as `step` may: everything from `reset` on belongs into the `try`",
    )


def test_a_stop_leaves_nobody(answer, made, monkeypatch):
    """A KeyboardInterrupt, as the stop button sends it, goes on, and nobody is left."""
    calls, wait = [], AsyncVectorEnv.step_wait

    def stopped(self, *args, **kwargs):
        calls.append(None)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return wait(self, *args, **kwargs)

    monkeypatch.setattr(AsyncVectorEnv, "step_wait", stopped)
    where = "three robots, stopped in their second step"
    try:
        answer.total_rewards([partial(SlowEnv, 0.0)] * 3, 4)
    except KeyboardInterrupt:
        pass
    else:
        that(False, "the stop was swallowed: a KeyboardInterrupt must go on", where=where)
    nobody_left(made, where)
