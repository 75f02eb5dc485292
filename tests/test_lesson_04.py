"""What the text of lesson 04 claims beyond what its cells compute, at the pinned Gymnasium."""

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import oracle
from burgerbot.show import record_autoreset
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import FORWARD, STOP, V0_REWARDS, compile_kitchen, decode, encode
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
KITCHENS = [">...G", ".>..G", "..>.G", "v...G", ">...G"]
TAPE = np.tile([FORWARD, FORWARD, FORWARD, FORWARD, STOP], (60, 1))
GAMMA = 0.97


def fleet(mode):
    """The five robots of the lesson."""
    return BurgerBotVectorEnv(5, KITCHENS, max_episode_steps=4, autoreset_mode=mode)


def sync_fleet(mode):
    """The same robots in Gymnasium's vector env."""
    return SyncVectorEnv(
        [lambda k=k: gym.make("BurgerBot-v0", kitchen=k, max_episode_steps=4) for k in KITCHENS],
        autoreset_mode=mode,
    )


@pytest.mark.parametrize("make", [fleet, sync_fleet])
def test_the_five_robots_do_what_the_table_says(make):
    """Deliveries in steps 4 (both flags), 3 and 2, a crash in step 1, a truncation in step 4."""
    record = record_autoreset(make(DISABLED), TAPE[:4], seed=0)
    done = record["terminated"] | record["truncated"]
    assert (done.argmax(axis=0) + 1).tolist() == [4, 3, 2, 1, 4]
    assert record["terminated"][3].tolist() == [True, False, True, True, False]
    assert record["truncated"].sum(axis=0).tolist() == [1, 0, 0, 0, 1]
    assert record["rewards"][[3, 2, 1, 0], range(4)].tolist() == [50, 50, 50, -10]


def test_next_step_is_the_default():
    """Say nothing, and both vector envs reset in the next step."""
    sync = gym.make_vec("BurgerBot-v0", num_envs=2, vectorization_mode="sync")
    for envs in (BurgerBotVectorEnv(2), gym.make_vec("BurgerBot-v0", num_envs=2), sync):
        assert envs.metadata["autoreset_mode"] is NEXT_STEP


def test_where_the_mode_goes():
    """vector_kwargs for sync, the keyword itself for the native vector env."""
    kwargs = {"autoreset_mode": SAME_STEP}
    sync = gym.make_vec("BurgerBot-v0", 2, vectorization_mode="sync", vector_kwargs=kwargs)
    native = gym.make_vec("BurgerBot-v0", 2, **kwargs)
    assert [e.metadata["autoreset_mode"] for e in (sync, native)] == [SAME_STEP] * 2


@pytest.mark.parametrize("make", [fleet, sync_fleet])
def test_final_keys_are_there_in_same_step_only(make):
    """final_obs and final_info: where somebody is done, in SAME_STEP; the old names never."""
    for mode in AutoresetMode:
        envs = make(mode)
        envs.reset(seed=0)
        *_, infos = envs.step(TAPE[0])  # robot 3 crashes
        found = {"final_obs", "_final_obs", "final_info", "_final_info"} & set(infos)
        assert len(found) == (4 if mode is SAME_STEP else 0)
        assert not {"final_observation", "_final_observation"} & set(infos)
    envs = BurgerBotVectorEnv(2, ">..G", autoreset_mode=SAME_STEP)
    envs.reset(seed=0)
    assert "final_obs" not in envs.step(np.array([FORWARD, FORWARD]))[-1]


def test_code_for_next_step_drops_a_row_in_same_step():
    """The row after a done, dropped in SAME_STEP, makes 3-step episodes 2 steps long."""
    envs = BurgerBotVectorEnv(1, ">..G", autoreset_mode=SAME_STEP)
    record = record_autoreset(envs, np.full((12, 1), FORWARD), seed=0)
    done, lengths, steps, before = record["terminated"][:, 0], [], 0, False
    for ended in done:
        steps += not before
        if ended:
            lengths.append(steps)
            steps = 0
        before = ended
    assert lengths == [3, 2, 2, 2]


def test_stepping_past_the_end_in_disabled_mode():
    """ResetNeeded from the native env, an assertion on _autoreset_envs from Gymnasium's."""
    for envs, error, words in (
        (fleet(DISABLED), ResetNeeded, "reset_mask"),
        (sync_fleet(DISABLED), AssertionError, "_autoreset_envs"),
    ):
        envs.reset(seed=0)
        envs.step(TAPE[0])
        with pytest.raises(error, match=words):
            envs.step(TAPE[0])


def test_gymnasium_empties_the_options_and_resets_everybody_the_second_time():
    """The same dictionary, used twice: the second reset has no mask in it."""
    for envs, left in ((fleet(DISABLED), 1), (sync_fleet(DISABLED), 0)):
        start, _ = envs.reset(seed=0)
        options = {"reset_mask": np.array([False, False, False, True, False])}
        moved = envs.step(TAPE[0])[0]
        assert np.array_equal(envs.reset(options=options)[0][:3], moved[:3])
        assert len(options) == left
        again = envs.reset(options=options)[0]
        assert np.array_equal(again[:3], moved[:3] if left else start[:3])


def test_statistics_of_a_partly_reset_sync_vector_env():
    """Each partial reset wipes the statistics of all robots, but for the native vector env."""
    lengths = []
    for envs in (fleet(DISABLED), sync_fleet(DISABLED)):
        counted = RecordEpisodeStatistics(envs)
        record_autoreset(counted, TAPE[:12], seed=0)
        lengths.append(list(counted.length_queue))
    assert set(lengths[0]) == {1, 2, 3, 4}
    assert set(lengths[1]) == {1}


@pytest.mark.parametrize("limit", [3, 5, 10])
def test_a_bootstrap_from_the_reset_observation_teaches_too_little(limit):
    """Only truncated rows have an error; what they teach is too low but in the last state."""
    model = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
    values, action_values = oracle.value_iteration(model, GAMMA)
    policy = action_values.argmax(axis=1)
    route = oracle.rollout(model, policy, encode(CLASSIC, *CLASSIC.start), 14)[0][:-1]
    kitchens = [replace(CLASSIC, start=decode(CLASSIC, s)) for s in route]
    envs = BurgerBotVectorEnv(
        len(route), kitchens, max_episode_steps=limit, autoreset_mode=SAME_STEP
    )
    obs, _ = envs.reset(seed=0)
    rows = []
    for _ in range(60):
        now = encode(CLASSIC, *obs[:, :3].T)
        obs, reward, terminated, truncated, infos = envs.step(policy[now])
        done, led_to = terminated | truncated, obs.copy()
        if done.any():
            led_to[done] = np.stack(infos["final_obs"][done])
        places = [encode(CLASSIC, *o[:, :3].T) for o in (led_to, obs)]
        rows.append((now, reward, terminated, truncated, *places))
    now, reward, terminated, truncated, led_to, sees = map(np.concatenate, zip(*rows, strict=True))

    def error(v, following):
        return reward + GAMMA * ~terminated * v[following] - v[now]

    cut = truncated & ~terminated
    assert np.abs(error(values, led_to)).max() < 1e-9
    assert np.abs(error(values, sees)[~cut]).max() < 1e-9
    assert (error(values, sees)[cut] < -0.1).all()
    for following in (led_to, sees):
        v, times = np.zeros(len(values)), np.bincount(now, minlength=len(values))
        for _ in range(600):
            target = reward + GAMMA * ~terminated * v[following]
            v = np.bincount(now, target, minlength=len(values)) / np.maximum(times, 1)
        gap = values[route] - v[route]
        if following is led_to:
            assert np.abs(gap).max() < 1e-6
        else:
            assert abs(gap[-1]) < 1e-6
            assert (gap[:-1] > 0.1).all()


@pytest.mark.parametrize("eager", [True, False])
def test_an_env_that_resets_itself_is_reset_twice(eager):
    """10 episodes take 11 resets; an env that resets itself takes 21, and shows every other."""

    class Bot(gym.Env):
        observation_space, action_space = gym.spaces.Discrete(1000), gym.spaces.Discrete(4)
        resets = 0

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.resets += 1
            return self.resets, {}

        def step(self, action):
            obs = self.reset()[0] if eager else 0
            return obs, 0.0, True, False, {}

    envs = SyncVectorEnv([Bot], autoreset_mode=SAME_STEP)
    seen = [envs.reset(seed=0)[0], *(envs.step(np.array([STOP]))[0] for _ in range(10))]
    assert np.concatenate(seen).tolist() == list(range(1, 22, 2) if eager else range(1, 12))
    assert envs.envs[0].resets == (21 if eager else 11)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_rollouts_of_the_exercises_hold_every_ending(number):
    """Crashes, deliveries, limits, both flags, and episodes of one step: all occur in the tests."""
    path = Path(__file__).parent / "exercises" / f"test_04_{number}.py"
    spec = spec_from_file_location(f"exercise_04_{number}", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    kitchens = [module.KITCHENS[i % 3] for i in range(5)]
    tape = np.random.default_rng(40 + number).choice(4, size=(40, 5), p=[0.6, 0.15, 0.15, 0.1])
    for mode in AutoresetMode:
        envs = BurgerBotVectorEnv(5, kitchens, max_episode_steps=module.LIMIT, autoreset_mode=mode)
        record = record_autoreset(envs, tape, seed=0)
        terminated, truncated = record["terminated"], record["truncated"]
        done = terminated | truncated
        assert (record["rewards"][terminated] == -10).any()
        assert (record["rewards"][terminated] == 50).any()
        assert (truncated & ~terminated).any() and (truncated & terminated).any()
        assert mode is NEXT_STEP or (done[1:] & done[:-1]).any()
