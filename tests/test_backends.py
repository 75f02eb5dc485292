"""The slow and the faulty robot, the stop-watch, and the decision with its reasons."""

import doctest
import math
import multiprocessing
import pickle
import time
import warnings
from functools import partial
from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from burgerbot.scale import backends, decision, slow
from burgerbot.scale.backends import (
    FaultyEnv,
    SlowEnv,
    end_workers,
    recommend_backend,
    time_backend,
)

START_METHODS = pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
NONSENSE_COUNTS = (0, -3, 2.0, "4", True, None)
NONSENSE_COSTS = (-1.0, math.nan, math.inf, "10", True, None)


@pytest.fixture(autouse=True)
def no_process_is_left():
    """Whatever a test starts, it ends."""
    before = set(multiprocessing.active_children())
    yield
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.parametrize("module", [backends, decision, slow], ids=lambda m: m.__name__)
def test_examples_in_the_docstrings(module):
    """The doctests hold."""
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0 or module is backends


# --- SlowEnv and FaultyEnv ---


@pytest.mark.filterwarnings("ignore:.*maximum value is infinity")
@pytest.mark.parametrize("kind", slow.KINDS)
def test_slow_env_is_an_environment(kind):
    """Gymnasium's checker accepts it."""
    gym.register("SlowForTest-v0", entry_point=SlowEnv, kwargs={"step_cost_us": 1.0, "kind": kind})
    try:
        check_env(gym.make("SlowForTest-v0").unwrapped)
    finally:
        gym.registry.pop("SlowForTest-v0")


@pytest.mark.parametrize("kind", slow.KINDS)
def test_slow_env_counts_its_steps_and_never_ends(kind):
    """The observation is the number of steps since the reset, in arrays of the caller's own."""
    env = SlowEnv(1.0, kind)
    for _ in range(2):
        observations = [env.reset(seed=3)[0]]
        for _ in range(5):
            observation, reward, terminated, truncated, info = env.step(0)
            observations.append(observation)
            assert (reward, terminated, truncated, info) == (1.0, False, False, {})
        assert np.array_equal(observations, np.arange(6, dtype=np.float32)[:, None])
        assert all(o in env.observation_space for o in observations)


@pytest.mark.parametrize(
    "clock_ns, kind", [(slow._busy_ns, "cpu"), (time.perf_counter_ns, "sleep")], ids=slow.KINDS
)
def test_slow_env_spends_at_least_what_it_is_asked_to(clock_ns, kind):
    """A ``cpu`` step costs this much time on a core, a ``sleep`` step this much on the wall."""
    env = SlowEnv(3000.0, kind)
    env.reset()
    begin = clock_ns()
    for _ in range(4):
        env.step(0)
    assert clock_ns() - begin >= 11_900_000


def test_sleeping_keeps_no_core_busy():
    """A ``sleep`` step of 20 ms computes for a small part of it."""
    env = SlowEnv(20_000.0, "sleep")
    env.reset()
    begin = time.thread_time()
    env.step(0)
    assert time.thread_time() - begin < 0.01


@pytest.mark.parametrize("env", [SlowEnv(7.5, "sleep"), FaultyEnv(KeyError("battery"), 3)])
def test_stand_ins_pickle(env):
    """They reach any worker process, settings, steps and all."""
    env.reset(), env.step(0)
    copy = pickle.loads(pickle.dumps(env))
    assert type(copy) is type(env)
    assert (copy.step_cost_us, copy.kind, copy.steps) == (env.step_cost_us, env.kind, 1)


@pytest.mark.parametrize("value", NONSENSE_COSTS)
def test_slow_env_refuses_a_cost_that_is_none(value):
    """The message names the argument and what was given."""
    with pytest.raises(ValueError, match="step_cost_us: expected a finite number"):
        SlowEnv(value)


def test_unknown_kind_and_fault_are_refused():
    """The messages list what there is."""
    with pytest.raises(ValueError, match="kind: expected one of cpu, sleep, got 'gpu'"):
        SlowEnv(1.0, "gpu")
    with pytest.raises(ValueError, match="fault: expected one of an exception, die, hang"):
        FaultyEnv("explode")
    with pytest.raises(ValueError, match="at_step: expected a whole number"):
        FaultyEnv("die", at_step=0)


@pytest.mark.parametrize("fault", ["die", "hang"])
def test_faulty_env_does_no_harm_outside_a_worker(fault):
    """In the learner's own process it says so, instead of ending or blocking it."""
    env = FaultyEnv(fault, at_step=1)
    env.reset()
    with pytest.raises(RuntimeError, match="expected a worker process"):
        env.step(0)


def test_faulty_env_breaks_at_its_step():
    """Steps before it are like any other's."""
    env = FaultyEnv(ValueError("wheel"), at_step=3)
    env.reset()
    assert [env.step(0)[0].item() for _ in range(2)] == [1.0, 2.0]
    with pytest.raises(ValueError, match="wheel"):
        env.step(0)


# --- time_backend ---


@pytest.mark.parametrize("backend", ["sync", "async"])
def test_time_backend_returns_a_record(backend):
    """The median lies between the extremes, and only processes have a start method."""
    timing = time_backend(backend, partial(SlowEnv, 50.0), 2, rounds=3, seconds=0.01)
    assert (timing.backend, timing.num_envs) == (backend, 2)
    assert 0 < timing.slowest <= timing.steps_per_second <= timing.fastest
    assert timing.start_seconds > 0
    expected = multiprocessing.get_start_method() if backend == "async" else None
    assert timing.start_method == expected


@START_METHODS
def test_time_backend_starts_processes_in_each_way(method):
    """A registered id works too where the child has registered nothing yet."""
    for env in (partial(SlowEnv, 1.0), "BurgerBot-v1"):
        timing = time_backend("async", env, 2, start_method=method, rounds=1, seconds=0.005)
        assert timing.start_method == method


def test_time_backend_times_native_vector_envs():
    """Given an id, all three backends run the same world."""
    for backend in backends.BACKENDS:
        timing = time_backend(backend, "BurgerBot-v0", 3, rounds=1, seconds=0.005)
        assert timing.steps_per_second > 0


def test_rate_is_of_robot_steps():
    """N sleeping robots in one process make no more than one step per step cost."""
    timing = time_backend("sync", partial(SlowEnv, 2000.0, "sleep"), 4, rounds=3, seconds=0.02)
    assert 0 < timing.fastest <= 500.0


@pytest.mark.parametrize("ends, expected", [(0, 300.0), (1, 200.0)])
def test_reset_rows_are_no_steps(monkeypatch, ends, expected):
    """Three robots at 0.01 s a call make 300 rows a second; with one reset in each call, 200."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(backends, "time", SimpleNamespace(perf_counter=lambda: clock.now))

    def step(actions):
        clock.now += 0.01
        return None, None, np.arange(3) < ends, np.zeros(3, bool), {}

    rate = backends._rate(SimpleNamespace(num_envs=3, step=step), [None], 0.1)
    assert rate == pytest.approx(expected)


def test_an_error_in_a_robot_reaches_the_caller_and_ends_the_workers():
    """Nothing hangs, and the fixture above finds nobody left."""
    with pytest.raises(KeyError), warnings.catch_warnings(action="ignore"):
        time_backend("async", partial(FaultyEnv, KeyError("battery")), 2)
    with pytest.raises((EOFError, ConnectionError)):
        time_backend("async", partial(FaultyEnv, "die"), 3)


@pytest.mark.parametrize("value", NONSENSE_COUNTS)
def test_time_backend_refuses_counts_that_are_none(value):
    """The message names the argument."""
    with pytest.raises(ValueError, match="num_envs: expected a whole number"):
        time_backend("sync", partial(SlowEnv, 1.0), value)
    with pytest.raises(ValueError, match="rounds: expected a whole number"):
        time_backend("sync", partial(SlowEnv, 1.0), 1, rounds=value)


@pytest.mark.parametrize(
    "backend, env, options, says",
    [
        ("threads", "BurgerBot-v0", {}, "backend: expected one of sync, async, native"),
        ("native", partial(SlowEnv, 1.0), {}, "env: expected a registered id"),
        ("sync", "BurgerBot-v0", {"start_method": "spawn"}, "starts no process"),
        ("async", "BurgerBot-v0", {"start_method": "clone"}, "start_method: expected one of"),
        ("sync", "BurgerBot-v0", {"seconds": 0}, "seconds: expected more than 0"),
        ("sync", "BurgerBot-v0", {"seconds": -1}, "seconds: expected a finite number"),
    ],
)
def test_time_backend_refuses_what_cannot_be(backend, env, options, says):
    """The message says what was expected."""
    with pytest.raises(ValueError, match=says):
        time_backend(backend, env, 1, **options)


# --- end_workers ---


@pytest.mark.parametrize("vector_env", [AsyncVectorEnv, SyncVectorEnv])
def test_end_workers_closes_an_idle_env_of_either_kind(vector_env):
    """Afterwards the env knows that it is closed; a second call does nothing."""
    envs = vector_env([partial(SlowEnv, 0.0)] * 2)
    envs.reset()
    end_workers(envs), end_workers(envs)
    assert envs.closed


# --- recommend_backend ---


@pytest.mark.parametrize(
    "step_cost_us, n_envs, cores, machines, kind, expected",
    [
        (0.1, 1024, 8, 1, "cpu", "one process"),  # arrays
        (5.0, 64, 64, 1, "cpu", "one process"),  # a step far cheaper than a message
        (5_000.0, 8, 8, 1, "cpu", "processes"),  # heavy physics
        (20_000.0, 16, 2, 1, "sleep", "processes"),  # waiting for a server
        (5_000.0, 8, 1, 1, "cpu", "one process"),  # one core computes no faster in parts
        (5_000.0, 8, 1, 1, "sleep", "processes"),  # but it can wait for many
        (5_000.0, 1, 8, 1, "cpu", "one process"),  # one robot has nobody to share with
        (5_000.0, 99, 64, 1, "cpu", "processes"),
        (5_000.0, 100, 64, 1, "cpu", "cluster"),  # 100 workers
        (5_000.0, 16, 8, 2, "cpu", "cluster"),  # several machines
        (0.1, 1024, 8, 4, "cpu", "cluster"),
        (0.0, 4, 4, 1, "cpu", "one process"),
    ],
)
def test_decision_table(step_cost_us, n_envs, cores, machines, kind, expected):
    """Cheap steps in one process, heavy or waiting ones in processes, many or far on a cluster."""
    found = recommend_backend(step_cost_us, n_envs, cores, machines, kind=kind)
    assert found.backend == expected
    assert found.reasons and all(isinstance(reason, str) and reason for reason in found.reasons)


@pytest.mark.parametrize("n_envs, cores, kind", [(4, 2, "cpu"), (5, 2, "cpu"), (4, 2, "sleep")])
def test_processes_pay_from_the_models_crossover_on(n_envs, cores, kind):
    """One process and N processes cost the same at N message / (N - rounds)."""
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    crossover = n_envs * 60.0 / (n_envs - rounds)
    below, above = (
        recommend_backend(factor * crossover, n_envs, cores, kind=kind, message_cost_us=60.0)
        for factor in (0.99, 1.01)
    )
    assert (below.backend, above.backend) == ("one process", "processes")
    assert below.speedup < 1.0 < above.speedup


def test_speedup_by_hand():
    """4 robots of 100 us on 2 cores, messages of 25 us: 400 us against 4 * 25 + 2 * 100 = 300."""
    found = recommend_backend(100.0, 4, 2, message_cost_us=25.0)
    assert found.speedup == pytest.approx(4 / 3)
    assert "400 us" in found.reasons[0] and "300 us" in found.reasons[0]
    assert "never more than 2 times" in found.reasons[1]


def test_recommendation_takes_numbers_of_numpy():
    """np.int64 and np.float32 are numbers."""
    found = recommend_backend(np.float32(5000), np.int64(8), np.int32(8), np.int64(1))
    assert found == recommend_backend(5000, 8, 8)


@pytest.mark.parametrize("name", ["n_envs", "cores", "machines"])
@pytest.mark.parametrize("value", NONSENSE_COUNTS)
def test_recommendation_refuses_counts_that_are_none(name, value):
    """The message names the argument."""
    arguments = {"step_cost_us": 10.0, "n_envs": 4, "cores": 2, "machines": 1, name: value}
    with pytest.raises(ValueError, match=f"{name}: expected a whole number"):
        recommend_backend(**arguments)


@pytest.mark.parametrize("value", NONSENSE_COSTS)
def test_recommendation_refuses_costs_that_are_none(value):
    """The message names the argument; a message that costs nothing is no message."""
    with pytest.raises(ValueError, match="step_cost_us: expected a finite number"):
        recommend_backend(value, 4, 2)
    with pytest.raises(ValueError, match="message_cost_us: expected"):
        recommend_backend(1.0, 4, 2, message_cost_us=value)
    with pytest.raises(ValueError, match="message_cost_us: expected more than 0"):
        recommend_backend(1.0, 4, 2, message_cost_us=0)
    with pytest.raises(ValueError, match="kind: expected one of"):
        recommend_backend(1.0, 4, 2, kind="gpu")
