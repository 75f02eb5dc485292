"""One harness for all ways to run robots: the same rollouts, and a rate for each."""

from functools import partial

import gymnasium as gym
import numpy as np
import pytest

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn.rollout import begin, collect
from burgerbot.scale.backends import SlowEnv
from burgerbot.scale.crew_log import LoggedTransport, OneWorker
from burgerbot.scale.local_crew import LocalTransport
from burgerbot.scale.tiers import SYSTEMS, any_weights, ladder, make_robots, table, time_tier
from burgerbot.scale.transport import WorkerAway, WorkerGone
from burgerbot.scale.worker import RolloutWorker

KITCHENS = partial(gym.make_vec, "burgerbot:BurgerBotKitchens-v0", num_envs=3)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_drives_the_same_robots(system):
    """The same seeds and actions: observations, rewards and ends of the native environment's."""
    tape = np.random.default_rng(0).integers(4, size=(80, 3))
    found = []
    for each in ("native", system):
        envs = make_robots(each, "BurgerBot-v1", 3)
        try:
            moves = iter(tape)
            rollout, _ = collect(
                envs, lambda seen, moves=moves: next(moves), 1, begin(envs, [4, 9, 2])
            )
            found.append(rollout)
        finally:
            envs.close()
    ours, theirs = found
    for name in ("observations", "rewards", "terminated", "truncated", "next_observations"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-6)


@pytest.mark.parametrize("system", ["DummyVecEnv", "SyncVectorEnv"])
def test_the_first_episode_ends_as_in_the_native_environment(system):
    """Through SB3's resets within the step: the same row, reward, flags and last observation."""
    tape, ends = np.random.default_rng(3).integers(3, size=(60, 1)), []
    for each in ("native", system):
        envs, moves = make_robots(each, "BurgerBot-v0", 1), iter(tape)
        rollout, _ = collect(envs, lambda seen, moves=moves: next(moves), 60, begin(envs, 0))
        envs.close()
        row = int((rollout.terminated | rollout.truncated).argmax())
        ends.append([row, *(part[row].tolist() for part in rollout[2:6])])
    assert ends[0] == ends[1] and ends[0][0] > 0


def test_time_tier_counts_robot_steps():
    """A row says what was timed; slow robots are slow."""
    quick = time_tier("native", "BurgerBot-v1", 4, any_weights, rounds=1, seconds=0.05)
    slow = time_tier(
        "SyncVectorEnv",
        partial(SlowEnv, 2000.0, "sleep"),
        4,
        any_weights,
        workers=2,
        steps=4,
        rounds=1,
        seconds=0.05,
    )
    assert (quick.system, quick.workers, quick.robots) == ("native", 1, 4)
    assert quick.slowest <= quick.steps_per_second <= quick.fastest
    assert slow.steps_per_second < 500 < quick.steps_per_second


def test_the_ladder_has_every_rung_and_a_dash_where_there_is_none():
    """Two kinds of robots, one line for each system and number of workers."""
    found = ladder(LocalTransport, 2, rounds=1, seconds=0.001, steps=2)
    assert [t.world for t in found] == ["quick"] * 5 + ["heavy"] * 4
    lines = table(found).split("\n")
    assert lines[0].split()[-2:] == ["quick", "heavy"] and len(lines) == 7
    assert next(line for line in lines if "here, native" in line).endswith("-")
    assert sum("2 workers" in line for line in lines) == 2


def test_refuses_what_it_cannot_time():
    """Errors say what was expected."""
    with pytest.raises(ValueError, match="multiple of 2 workers"):
        time_tier("native", "BurgerBot-v1", 3, any_weights, workers=2)
    with pytest.raises(ValueError, match="system: expected one of"):
        make_robots("magic", "BurgerBot-v1", 3)
    with pytest.raises(ValueError, match="registered id for system 'native'"):
        make_robots("native", SlowEnv, 3)


def test_the_log_tells_who_asked_and_who_answered():
    """Begins are no samples; an answer that never came is not there."""
    transport = LoggedTransport(LocalTransport([partial(RolloutWorker, KITCHENS)] * 2))
    workers = [OneWorker(transport, i, 4) for i in (0, 1)]
    weights = any_weights(workers[0].begin(5))
    workers[1].begin(6)
    workers[1].sample(weights)
    transport.kill(0)
    with pytest.raises(WorkerAway):
        workers[0].sample(weights)
    assert transport.log == [
        ("publish", None),
        ("ask", 1),
        ("answer", 1),
        ("publish", None),
        ("ask", 0),
        ("answer", 0),
    ]
    transport.close()


def test_one_worker_is_asked_and_waited_for():
    """It begins, samples, is away after a kill until it begins again, and is gone in the end."""
    transport = LocalTransport([partial(RolloutWorker, KITCHENS)], restarts=1)
    worker = OneWorker(transport, 0, 4)
    weights = any_weights(worker.begin(5))
    first = worker.sample(weights).rollout.observations
    transport.kill(0)
    with pytest.raises(WorkerAway, match="new process that knows nothing"):
        worker.sample(weights)
    worker.begin(5)
    assert np.array_equal(worker.sample(weights).rollout.observations, first)
    transport.kill(0)
    with pytest.raises(WorkerGone):
        worker.sample(weights)
