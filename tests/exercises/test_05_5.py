"""Exercise 05.5: a worker that is killed, or that hangs."""

import contextlib
import multiprocessing
import threading
import time
from functools import partial

import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from burgerbot.course.claims import equal, instance, that
from burgerbot.scale.backends import FaultyEnv, SlowEnv, end_workers

#: After so many seconds a test kills the workers itself: that ends whatever waits for them.
WATCH = 3.0
SOUND = partial(SlowEnv, 0.0)
IDLE = np.zeros(3, dtype=np.int64)


@contextlib.contextmanager
def three(*env_fns):
    """Three robots in processes, reset, and a watch over them; nobody is left afterwards."""
    envs = AsyncVectorEnv(env_fns)
    envs.late = threading.Event()

    def end():
        envs.late.set()
        for process in envs.processes:
            process.kill()

    watch = threading.Timer(WATCH, end)
    watch.start()
    try:
        envs.reset(seed=0)
        yield envs
    finally:
        watch.cancel()
        end_workers(envs)


def lost(answer, envs, seconds, where):
    """Step with a worker that gives no answer; claim all that is promised for that."""
    error = None
    try:
        answer.guarded_step(envs, IDLE.copy(), seconds)
    except NotImplementedError:
        raise
    except Exception as found:
        error = found
    that(
        not envs.late.is_set(),
        "it waited for an answer that never comes, until the test killed all workers: "
        "`step_wait` needs a timeout, and a plain `close()` waits too",
        expected=f"an error after about {seconds:g} seconds at most",
        yours=f"still waiting after {WATCH:g} seconds",
        where=where,
    )
    that(
        error is not None,
        "the step came back as if nothing had happened: raise a RuntimeError",
        where=where,
    )
    shown = f"{type(error).__module__}.{type(error).__name__}: {error}"
    if isinstance(error, multiprocessing.TimeoutError):
        message = "`multiprocessing.TimeoutError` is not Python's `TimeoutError`: catch that one"
    elif isinstance(error.__context__, (EOFError, ConnectionError)) and isinstance(
        error, (EOFError, ConnectionError)
    ):
        message = (
            "closing raised an error of its own: `close` first finishes the step under way, and "
            "meets the broken pipe again. Kill the processes instead"
        )
    else:
        message = (
            "a worker that is gone shows as EOFError or, when you send to it, as ConnectionError; "
            "a silent one as multiprocessing.TimeoutError. Turn each into a RuntimeError"
        )
    that(
        isinstance(error, RuntimeError), message, expected="RuntimeError", yours=shown, where=where
    )
    that(str(error).strip(), "an error without a word helps nobody: say what happened", where=where)
    that(
        error.__cause__ is not None,
        "raise your error `from` the one that you caught: its reader wants to see both",
        where=where,
    )
    deadline = time.monotonic() + 0.5  # for those that are about to end
    for process in envs.processes:
        process.join(max(0.0, deadline - time.monotonic()))
    left = [process.name for process in envs.processes if process.is_alive()]
    that(
        not left,
        "workers are still there: one is lost, so end all of them",
        expected="no worker left",
        yours=", ".join(left),
        where=where,
    )
    try:
        envs.close()
    except Exception as late:
        that(
            False,
            "a later `envs.close()` must do nothing, but it still waits for the lost step: tell "
            "the vector env that it is closed",
            yours=f"{type(late).__name__} from envs.close()",
            where=where,
        )


def waited_for(answer, envs, seconds, where):
    """Step with workers that answer in time; claim that nobody was given up."""
    try:
        return answer.guarded_step(envs, IDLE.copy(), seconds)
    except NotImplementedError:
        raise
    except RuntimeError as error:
        that(
            False,
            "robots that answer in time were given up: `step_wait(timeout=...)` counts in seconds, "
            "as `seconds` does",
            expected="five things",
            yours=f"RuntimeError: {error}",
            where=where,
        )


def test_steps_as_a_plain_step_does(answer):
    """With sound robots, it returns what `envs.step` returns, and the robots can go on."""
    sync = SyncVectorEnv([SOUND] * 3)
    sync.reset(seed=0)
    with three(*[SOUND] * 3) as envs:
        for step in range(3):
            where = f"three sound robots, step {step}"
            got = waited_for(answer, envs, 5.0, where)
            instance(got, tuple, "a step returns a tuple of five", where=where)
            expected = sync.step(IDLE)
            equal(len(got), 5, "a step returns a tuple of five", where=where)
            for name, mine, theirs in zip(
                ("observations", "rewards", "terminated", "truncated"), got, expected, strict=False
            ):
                equal(mine, theirs, f"the {name} are not those of a plain step", where=where)
            that(not envs.closed, "nothing happened, and yet the vector env is closed", where=where)
            that(
                all(process.is_alive() for process in envs.processes),
                "nothing happened, and yet workers are gone",
                where=where,
            )


def test_a_slow_robot_is_not_a_lost_one(answer):
    """A robot that takes a while, but less than `seconds`, is waited for."""
    with three(SOUND, partial(SlowEnv, 300_000.0, "sleep"), SOUND) as envs:
        got = waited_for(answer, envs, 3.0, "robot 1 takes 0.3 seconds, and 3 are allowed")
        equal(
            got[0].tolist(),
            [[1.0]] * 3,
            "a slow robot's answer must be waited for",
            where="robot 1 takes 0.3 seconds, and 3 are allowed",
        )


def test_a_worker_that_dies_in_its_step(answer):
    """Whichever robot dies: RuntimeError, nobody left, and a later close does nothing."""
    for dead in range(3):
        robots = [SOUND] * 3
        robots[dead] = partial(FaultyEnv, "die", 1)
        with three(*robots) as envs:
            lost(answer, envs, 2.0, f"three robots; the process of robot {dead} dies in its step")


def test_a_worker_that_is_killed_when_the_others_have_answered(answer):
    """Robot 0 is slow, and is killed while the answers of the others wait to be read."""
    with three(partial(SlowEnv, 2e6, "sleep"), SOUND, SOUND) as envs:
        killer = threading.Timer(0.2, envs.processes[0].kill)
        killer.start()
        lost(answer, envs, 2.5, "three robots; the process of robot 0 is killed in a long step")
        killer.join()


def test_a_worker_that_was_killed_before(answer):
    """A worker killed between two steps: sending to it fails, and that is handled too."""
    for dead in (0, 2):
        with three(*[SOUND] * 3) as envs:
            envs.step(IDLE)
            envs.processes[dead].kill()
            envs.processes[dead].join()
            lost(answer, envs, 2.0, f"three robots; the process of robot {dead} died between steps")


def test_a_worker_that_hangs(answer):
    """A robot that never answers is given up after `seconds`."""
    for silent in (0, 2):
        robots = [SOUND] * 3
        robots[silent] = partial(FaultyEnv, "hang", 1)
        with three(*robots) as envs:
            lost(
                answer, envs, 0.3, f"three robots; robot {silent} hangs, and 0.3 seconds are given"
            )


def test_a_robot_that_raises_is_another_matter(answer):
    """What a robot raises goes on to the caller as it is."""
    with three(SOUND, partial(FaultyEnv, KeyError("battery"), 1), SOUND) as envs:
        error = None
        try:
            answer.guarded_step(envs, IDLE.copy(), 2.0)
        except Exception as found:
            error = found
        that(
            isinstance(error, KeyError),
            "a robot's own error must go on as it is: catch only what a lost worker causes",
            expected="KeyError",
            yours=type(error).__name__,
            where="three robots; robot 1 raises a KeyError",
        )
