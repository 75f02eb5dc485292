"""The recorder of vector environments: one tape, any environment, every mode."""

import doctest

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import burgerbot.show.record
from burgerbot.show import record_autoreset
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
CROOKED = ">..\n..O\n.G."
LIMIT = 6
TAPE = np.random.default_rng(0).choice(4, p=[0.6, 0.15, 0.15, 0.1], size=(40, 5))
MODES = pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)


def make(kind, mode, num_envs=5, **extra):
    """BurgerBot-v1 in a crooked kitchen with a short limit, by ``gym.make_vec``."""
    options = {"num_envs": num_envs, "kitchen": CROOKED, "max_episode_steps": LIMIT}
    if kind == "native":
        return gym.make_vec("BurgerBot-v1", autoreset_mode=mode, **options)
    vector = {"autoreset_mode": mode, **extra}
    return gym.make_vec("BurgerBot-v1", vectorization_mode=kind, vector_kwargs=vector, **options)


def same(one, other):
    """Two records are equal, array by array, dtypes included."""
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].dtype == other[name].dtype, name
        np.testing.assert_array_equal(one[name], other[name], name)


@MODES
def test_native_and_sync_give_the_same_record(mode):
    """Every array of the record is the same over the native env and over SyncVectorEnv."""
    native, sync = (record_autoreset(make(k, mode), TAPE, seed=3) for k in ("native", "sync"))
    same(native, sync)
    assert (native["terminated"] & native["truncated"]).any()
    assert (native["truncated"] & ~native["terminated"]).any()


def test_async_gives_the_same_record():
    """So it is over AsyncVectorEnv, which is left open for its owner to close."""
    envs = make("async", DISABLED)
    try:
        same(record_autoreset(envs, TAPE[:12], seed=3), record(DISABLED, TAPE[:12], seed=3))
        assert not envs.closed
    finally:
        envs.close()


def record(mode, tape, seed):
    """The record of the native environment."""
    return record_autoreset(make("native", mode, len(tape[0])), tape, seed)


@pytest.mark.parametrize(
    ("mode", "ends", "resets", "own", "in_info", "columns"),
    [
        (NEXT_STEP, [2, 6], [3, 7], [], [], [1, 2, 3, 0, 1, 2, 3, 0]),
        (SAME_STEP, [2, 5], [], [], [2, 5], [1, 2, 0, 1, 2, 0, 1, 2]),
        (DISABLED, [2, 5], [], [3, 6], [], [1, 2, 3, 1, 2, 3, 1, 2]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_three_step_episodes_by_hand(mode, ends, resets, own, in_info, columns):
    """A 3-step corridor, forward 8 times: which rows are what, in each mode."""
    envs = BurgerBotVectorEnv(1, ">..G", autoreset_mode=mode)
    rows = record_autoreset(envs, np.zeros((8, 1), dtype=int), seed=0)
    where = {name: np.flatnonzero(rows[name]).tolist() for name in rows}
    assert where["terminated"] == where["final"] == ends
    assert where["truncated"] == []
    assert (where["reset"], where["reset_before"], where["in_info"]) == (resets, own, in_info)
    assert rows["returned"][:, 0, 1].tolist() == columns
    assert rows["final_obs"][in_info, 0, 1].tolist() == [3] * len(in_info)
    assert rows["rewards"][resets].tolist() == [[0.0]] * len(resets)


@MODES
def test_a_robot_sees_before_a_step_what_the_last_one_returned(mode):
    """Only in DISABLED mode, and only after a reset of the recorder's, it sees something else."""
    rows = record(mode, TAPE, seed=1)
    unlike = (rows["observations"][1:] != rows["returned"][:-1]).any(axis=-1)
    assert not unlike[~rows["reset_before"][1:]].any()
    assert rows["reset_before"].any() == (mode is DISABLED)
    starts = rows["observations"][rows["reset_before"]]
    assert (starts == rows["observations"][0, 0]).all()


def test_rows_are_copies():
    """An environment that hands out one and the same array each time is recorded like any."""
    one, other = (
        record_autoreset(make("sync", SAME_STEP, copy=copy), TAPE, seed=0) for copy in (True, False)
    )
    same(one, other)


def test_each_end_is_reset_once_in_every_mode():
    """11 resets for 10 episodes that ended and one that began: none is skipped, none doubled."""
    for mode in AutoresetMode:
        resets = []

        class Counting(BurgerBotEnv):
            def reset(self, resets=resets, **options):
                resets.append(1)
                return super().reset(**options)

        envs = SyncVectorEnv([lambda made=Counting: made(">G")], autoreset_mode=mode)
        steps = 20 if mode is NEXT_STEP else 10 + (mode is DISABLED)
        rows = record_autoreset(envs, np.zeros((steps, 1), dtype=int), seed=0)
        assert rows["terminated"].sum() == steps // (2 if mode is NEXT_STEP else 1)
        assert len(resets) == 11, mode


def test_a_final_observation_that_is_not_handed_out_is_not_marked():
    """A vector environment in SAME_STEP that forgets ``final_obs`` has ends without finals."""

    class Forgetful(BurgerBotVectorEnv):
        def step(self, actions):
            return (*super().step(actions)[:4], {})

    rows = record_autoreset(Forgetful(1, ">G", autoreset_mode=SAME_STEP), [[0], [0]], seed=0)
    assert rows["terminated"].all()
    assert not rows["final"].any()


def test_any_box_or_discrete_environment_will_do():
    """CartPole (float32 ``[4]``) and FrozenLake (one int) are recorded with their own dtypes."""
    tape = np.ones((30, 2), dtype=int)
    for name, shape in (("CartPole-v1", (30, 2, 4)), ("FrozenLake-v1", (30, 2))):
        envs = gym.make_vec(name, num_envs=2, vectorization_mode="sync")
        rows = record_autoreset(envs, tape, seed=0)
        assert rows["returned"].shape == shape
        assert rows["returned"].dtype == envs.single_observation_space.dtype
        assert rows["reset"].any()


@pytest.mark.parametrize(
    "shape", [(4,), (4, 2), (0, 5)], ids=["one row", "too few robots", "no steps"]
)
def test_a_tape_of_another_shape_is_refused(shape):
    """The error says which shape was expected and which one came."""
    with pytest.raises(ValueError, match=r"actions: expected shape \(T, 5\), 1 step or more, got"):
        record_autoreset(make("native", NEXT_STEP), np.zeros(shape, dtype=int), seed=0)


def test_an_environment_that_does_not_say_its_mode_is_refused():
    """Without ``autoreset_mode`` in the metadata nobody knows which rows are resets."""
    envs = make("native", NEXT_STEP)
    envs.metadata = {}
    with pytest.raises(ValueError, match=r"expected an AutoresetMode .*, got None"):
        record_autoreset(envs, TAPE, seed=0)


def test_observations_that_are_not_arrays_are_refused():
    """A Dict space gives a TypeError that says so."""

    class Talking(gym.Env):
        observation_space = gym.spaces.Dict({"a": gym.spaces.Discrete(2)})
        action_space = gym.spaces.Discrete(2)

        def reset(self, seed=None, options=None):
            return {"a": 0}, {}

    with pytest.raises(TypeError, match="observations: expected arrays, got dict"):
        record_autoreset(SyncVectorEnv([Talking]), [[0]], seed=0)


def test_doctests_hold():
    """The examples in the docstrings give what they say."""
    assert doctest.testmod(burgerbot.show.record).failed == 0
