"""What lesson 05 says of processes, beside its exercises."""

import multiprocessing
import pickle
import re
import time
import warnings
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import (
    AlreadyPendingCallError,
    ClosedEnvironmentError,
    NoAsyncCallError,
)
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.manifest import load_course
from burgerbot.course.source import read_cells, tagged
from burgerbot.scale.backends import FaultyEnv, SlowEnv, end_workers, recommend_backend

LESSON = next(lesson for lesson in load_course().lessons if lesson.number == "05")
CELLS = read_cells(LESSON.source)
START_METHODS = pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
SOUND = partial(SlowEnv, 0.0)
IDLE = np.zeros(3, dtype=np.int64)


class DictEnv(gym.Env):
    """A robot whose observations are a dictionary, one part of it in half precision."""

    observation_space = gym.spaces.Dict(
        picture=gym.spaces.Box(0, 1, (2, 3), np.float16), gear=gym.spaces.Discrete(4)
    )
    action_space = gym.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._observe(), {}

    def step(self, action):
        return self._observe(), float(action), bool(self.np_random.random() < 0.2), False, {}

    def _observe(self):
        picture = self.np_random.random((2, 3)).astype(np.float16)
        return {"picture": picture, "gear": np.int64(self.np_random.integers(4))}


@pytest.fixture
def answers():
    """The functions of the reference solutions, from their cells."""
    namespace = {}
    for kind in ("imports", "exercise"):
        for cell in CELLS:
            if any(tag.split(":")[0] == kind for tag in cell.metadata.get("tags", [])):
                exec(cell.source, namespace)
    return namespace


@pytest.fixture
def robots():
    """Start robots in processes; nobody is left afterwards."""
    started = []

    def start(*env_fns, **options):
        started.append(AsyncVectorEnv(env_fns, **options))
        started[-1].reset(seed=0)
        return started[-1]

    yield start
    for envs in started:
        end_workers(envs)
    assert not any(process.is_alive() for envs in started for process in envs.processes)


def test_five_exercises_in_their_order():
    """They are about what the course plan says, and nothing in between is missing."""
    assert [e.id for e in LESSON.exercises] == [f"05.{k}" for k in range(1, 6)]
    names = [re.findall(r"^def (\w+)", e.solution, re.MULTILINE) for e in LESSON.exercises]
    assert [name[0] for name in names] == [
        *("env_factory", "speedup", "crossover", "total_rewards", "guarded_step")
    ]


def test_recommendation_uses_the_formula_of_the_exercise(answers):
    """`recommend_backend` expects the speed-up that exercise 05.2 works out."""
    for step, n, cores, kind in ((50, 4, 2, "cpu"), (900, 7, 3, "cpu"), (900, 7, 3, "sleep")):
        found = recommend_backend(step, n, cores, kind=kind, message_cost_us=35.0)
        assert found.speedup == pytest.approx(answers["speedup"](step, 35.0, n, cores, kind))


def test_crossover_is_where_the_chart_marks_it(answers):
    """The learner's function and the picture agree."""
    from burgerbot.show.throughput import crossovers

    costs = np.array([1.0, 10.0, 100.0, 1000.0])
    sync, asyn = np.array([90.0, 50.0, 9.0, 1.0]), np.array([20.0, 20.0, 14.0, 2.0])
    [(at, _)] = crossovers((costs, sync), (costs, asyn))
    assert answers["crossover"](costs, sync, asyn) == pytest.approx(at)


def test_table_of_start_methods_names_this_systems_default():
    """The lesson's table of start methods has a row for every one that Python knows."""
    text = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")
    for method in multiprocessing.get_all_start_methods():
        assert f"| `{method}` |" in text


# --- what can be pickled ---


@START_METHODS
def test_a_lambda_works_where_plain_pickle_refuses_it(method, robots):
    """AsyncVectorEnv sends factories by cloudpickle, under every start method."""
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(lambda: SlowEnv(0.0))
    envs = robots(lambda: SlowEnv(0.0), lambda: SlowEnv(0.0), context=method)
    assert envs.step(IDLE[:2])[0].tolist() == [[1.0], [1.0]]


# --- errors and kills: what Gymnasium does, and why 05.5 does it otherwise ---


def quietly(call, *args, **kwargs):
    """Call, without the warnings in which Gymnasium wraps the worker's traceback."""
    with warnings.catch_warnings(action="ignore"):
        return call(*args, **kwargs)


def test_a_workers_error_is_built_anew_around_the_old(robots):
    """The same class arrives, with the worker's own error as its argument."""
    envs = robots(SOUND, partial(FaultyEnv, KeyError("battery"), 1))
    with pytest.raises(KeyError) as caught:
        quietly(envs.step, IDLE[:2])
    assert isinstance(caught.value.args[0], KeyError)
    assert caught.value.args[0].args == ("battery",)


class TwoArguments(Exception):
    """An error that cannot be built from one argument."""

    def __init__(self, robot, reason):
        super().__init__(robot, reason)


def test_an_error_of_two_arguments_does_not_arrive(robots):
    """The lesson warns of error classes that want more than one argument."""
    envs = robots(SOUND, partial(FaultyEnv, TwoArguments(1, "battery"), 1))
    with pytest.raises(TypeError, match="reason"):
        quietly(envs.step, IDLE[:2])


def test_terminate_does_not_help_when_the_first_worker_died(robots):
    """`close(terminate=True)` first finishes the step, meets the broken pipe, and gives up."""
    envs = robots(partial(FaultyEnv, "die", 1), SOUND, SOUND)
    with pytest.raises(EOFError):
        envs.step(IDLE)
    for pipe in envs.parent_pipes[1:]:
        assert pipe.poll(5)  # the others have answered
    with pytest.raises(EOFError):
        quietly(envs.close, terminate=True)
    envs.processes[0].join(5)
    assert [process.is_alive() for process in envs.processes] == [False, True, True]


def test_close_would_wait_for_ever_when_another_worker_died(robots):
    """The first answer has been read already when the second worker turns out to be dead."""
    envs = robots(SOUND, partial(FaultyEnv, "die", 1), SOUND)
    with pytest.raises(EOFError):
        envs.step(IDLE)
    start = time.monotonic()
    quietly(envs.close, timeout=0.5)  # without the timeout it would not come back
    assert time.monotonic() - start >= 0.5


def test_timeout_is_not_the_builtin_one(robots):
    """`except TimeoutError` does not catch what `step_wait` raises."""
    envs = robots(SOUND, partial(FaultyEnv, "hang", 1))
    envs.step_async(IDLE[:2])
    with pytest.raises(multiprocessing.TimeoutError) as caught:
        envs.step_wait(timeout=0.2)
    assert not isinstance(caught.value, TimeoutError)


# --- when this goes wrong ---


def test_without_copies_the_next_step_changes_the_observation(robots):
    """`copy=False` hands out the shared memory itself."""
    envs = robots(SOUND, SOUND, copy=False)
    first = envs.step(IDLE[:2])[0]
    envs.step(IDLE[:2])
    assert first.tolist() == [[2.0], [2.0]]


def test_with_copies_it_does_not(robots):
    """By default, the observation is the caller's."""
    envs = robots(SOUND, SOUND)
    first = envs.step(IDLE[:2])[0]
    envs.step(IDLE[:2])
    assert first.tolist() == [[1.0], [1.0]]


def test_calls_out_of_order(robots):
    """Two steps at once, an answer nobody asked for, a step after the end: three errors."""
    envs = robots(SOUND, SOUND)
    envs.step_async(IDLE[:2])
    with pytest.raises(AlreadyPendingCallError):
        envs.step_async(IDLE[:2])
    assert envs.step_wait()[0].tolist() == [[1.0], [1.0]]
    with pytest.raises(NoAsyncCallError):
        envs.step_wait()
    envs.close(), envs.close()
    with pytest.raises(ClosedEnvironmentError):
        envs.step(IDLE[:2])


@pytest.mark.parametrize("shared", [True, False])
def test_dictionaries_and_half_precision_come_back_as_from_sync(robots, shared):
    """Observations, rewards, flags and infos equal SyncVectorEnv's."""
    envs = robots(DictEnv, DictEnv, DictEnv, shared_memory=shared)
    sync = SyncVectorEnv([DictEnv] * 3)
    pairs = [(envs.reset(seed=4), sync.reset(seed=4))]
    rng = np.random.default_rng(0)
    for actions in rng.integers(2, size=(20, 3)):
        pairs.append((envs.step(actions), sync.step(actions)))
    for ours, theirs in pairs:
        assert ours[0].keys() == theirs[0].keys()
        for key in theirs[0]:
            assert ours[0][key].dtype == theirs[0][key].dtype
            assert np.array_equal(ours[0][key], theirs[0][key])
        assert ours[-1] == theirs[-1]
        assert all(np.array_equal(a, b) for a, b in zip(ours[1:-1], theirs[1:-1], strict=True))


def test_what_a_cell_starts_it_or_the_next_one_ends():
    """Outside the exercises, every AsyncVectorEnv of the lesson is closed."""
    exercises = {index for _, index in tagged(CELLS, "exercise")}
    code = [
        cell.source
        for index, cell in enumerate(CELLS)
        if cell.cell_type == "code" and index not in exercises
    ]
    starts = [k for k, source in enumerate(code) if "AsyncVectorEnv(" in source]
    assert starts
    for k in starts:
        both = "\n".join(code[k : k + 2])
        assert re.search(r"envs\.close\(\)|end_workers\(|\"close\"", both), both
