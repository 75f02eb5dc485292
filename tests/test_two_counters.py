"""The two-counter kitchen: both loops, the threshold, and scalar = sync = native."""

import doctest

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import oracle
from burgerbot.world import two_counters
from burgerbot.world.two_counters import (
    BIG,
    HATCH,
    LOOPS,
    NEXT_PLACE,
    REWARD,
    SMALL,
    TwoCountersVectorEnv,
)

ID = "BurgerBotTwoCounters-v0"
MODEL = oracle.Model(NEXT_PLACE, REWARD, np.zeros((9, 2), dtype=bool))


def test_gymnasium_has_nothing_to_say():
    """check_env passes, and the scalar env is made by its id."""
    check_env(gym.make(ID).unwrapped)


@pytest.mark.parametrize("loop", [SMALL, BIG])
def test_each_loop_is_five_steps_and_pays_once(loop):
    """1 in the first step of the small loop, 2 in the last step of the big one."""
    env = gym.make(ID)
    observation, info = env.reset(seed=0)
    assert (observation.tolist(), observation.dtype, info) == ([HATCH], np.int64, {})
    places, paid = [], []
    for _ in range(10):
        observation, reward, terminated, truncated, info = env.step(loop)
        assert (terminated, truncated, info) == (False, False, {})
        places.append(int(observation[0]))
        paid.append(reward)
    assert places == [*LOOPS[loop][1:], HATCH] * 2
    assert paid == [[1.0, 0, 0, 0, 0], [0, 0, 0, 0, 2.0]][loop] * 2


def test_the_action_matters_at_the_hatch_only():
    """Elsewhere both actions lead on and pay the same."""
    assert (NEXT_PLACE[1:, 0] == NEXT_PLACE[1:, 1]).all()
    assert (REWARD[1:, 0] == REWARD[1:, 1]).all()
    assert NEXT_PLACE[HATCH].tolist() == [1, 5]


def test_the_big_loop_earns_twice_as_much():
    """0.2 and 0.4 a step, and the best there is, is 0.4."""
    for loop, earned in ((SMALL, 0.2), (BIG, 0.4)):
        assert oracle.gain_and_bias(MODEL, np.full(9, loop))[0] == pytest.approx(earned)
    assert oracle.relative_value_iteration(MODEL)[0] == pytest.approx(0.4)


def test_discounting_takes_the_poorer_counter_below_08409():
    """gamma^4 = 1/2 is the border, to four digits."""
    for gamma, loop in (
        (0.0, SMALL),
        (0.5, SMALL),
        (0.8, SMALL),
        (0.8408, SMALL),
        (0.841, BIG),
        (0.9, BIG),
        (0.99, BIG),
    ):
        assert oracle.value_iteration(MODEL, gamma)[1][HATCH].argmax() == loop, gamma


@pytest.mark.parametrize("mode", AutoresetMode)
def test_native_equals_sync_on_random_tapes(mode):
    """Observations, rewards, flags and infos, step by step, dtypes included."""
    native = gym.make_vec(ID, num_envs=5, autoreset_mode=mode)
    sync = gym.make_vec(
        ID, num_envs=5, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}
    )
    assert type(native.unwrapped) is TwoCountersVectorEnv
    assert native.single_observation_space == sync.single_observation_space
    assert native.action_space == sync.action_space
    pairs = [(envs.reset(seed=3)[0],) for envs in (native, sync)]
    tape = np.random.default_rng(0).integers(0, 2, (40, 5))
    for actions in [None, *tape]:
        if actions is not None:
            pairs = [envs.step(actions) for envs in (native, sync)]
        for yours, expected in zip(*pairs, strict=True):
            if isinstance(expected, dict):
                assert yours == expected
            else:
                assert yours.dtype == expected.dtype
                assert np.array_equal(yours, expected)


def test_arrays_belong_to_the_caller():
    """Writing into what came back changes nothing, and a later step leaves it alone."""
    envs = TwoCountersVectorEnv(3)
    first, _ = envs.reset()
    first[:] = 7
    second = envs.step(np.array([0, 1, 1]))[0]
    kept = second.copy()
    envs.step(np.array([0, 0, 0]))
    assert second.tolist() == kept.tolist() == [[1], [5], [5]]


def test_a_mask_resets_some():
    """The others drive on."""
    envs = TwoCountersVectorEnv(3)
    with pytest.raises(ResetNeeded, match="reset all robots once"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset()
    envs.step(np.array([0, 1, 1]))
    seen, _ = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert seen.tolist() == [[1], [0], [5]]


def test_a_saved_state_goes_on():
    """A twin that loads it answers alike; a state of other robots is refused."""
    envs, twin = TwoCountersVectorEnv(2), TwoCountersVectorEnv(2)
    assert envs.state_dict() == {"place": None}
    envs.reset()
    envs.step(np.array([0, 1]))
    twin.load_state_dict(envs.state_dict())
    assert twin.step(np.array([0, 0]))[0].tolist() == envs.step(np.array([0, 0]))[0].tolist()
    for place in ([1], [1, 9], [[1, 2]]):
        with pytest.raises(ValueError, match="expected 2 places"):
            twin.load_state_dict({"place": place})


def test_wrong_actions_and_steps_too_early_are_refused():
    """Scalar and native, each with what it expected."""
    env, envs = gym.make(ID).unwrapped, TwoCountersVectorEnv(2)
    for step in (lambda: env.step(0), lambda: envs.step(np.array([0, 0]))):
        with pytest.raises(ResetNeeded):
            step()
    env.reset()
    envs.reset()
    with pytest.raises(ValueError, match=r"0 \(small loop\) or 1"):
        env.step(2)
    with pytest.raises(TypeError):
        env.step(0.5)
    with pytest.raises(ValueError, match=r"actions\[1\]: expected 0 or 1, got 2"):
        envs.step(np.array([0, 2]))
    with pytest.raises(ValueError, match=r"expected shape \(2,\), got \(3,\)"):
        envs.step(np.zeros(3, int))
    with pytest.raises(TypeError, match="dtype float64"):
        envs.step(np.zeros(2))
    with pytest.raises(ValueError, match="num_envs: expected 1 or more"):
        TwoCountersVectorEnv(0)


def test_doctests_hold():
    """The examples in the docstrings run."""
    result = doctest.testmod(two_counters)
    assert result.attempted > 0
    assert result.failed == 0
