"""The normalizing vector wrapper: every mode, every row once, frozen, saved with the policy."""

import json
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from test_parity import assert_same, make, tape_of

from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.normalize import NormalizeVectorEnv

MODES = list(AutoresetMode)
EACH_MODE = pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
KITCHENS = "BurgerBotKitchens-v0"


def drive(envs, tape, seed=0):
    """Play a tape; yield what each reset and step returned. Resets by mask where the mode asks."""
    yield envs.reset(seed=seed)
    for actions in tape:
        row = envs.step(actions)
        yield row
        done = row[2] | row[3]
        if envs.metadata["autoreset_mode"] is DISABLED and done.any():
            yield (*envs.reset(options={"reset_mask": done}), done)


def rows_seen(records):
    """Every observation of every episode, once: the slow way."""
    rows = []
    for record in records:
        if len(record) == 3:
            rows += list(record[0][record[2]])
            continue
        rows += list(record[0])
        finals = record[-1].get("final_obs", [])
        rows += [final for final in finals if final is not None]
    return np.array(rows, dtype=np.float64)


@EACH_MODE
@pytest.mark.parametrize("kind", ["native", "sync"])
@pytest.mark.parametrize("env_id", ["BurgerBot-v0", "BurgerBot-v1", KITCHENS])
def test_every_observation_counts_once(env_id, kind, mode):
    """The moments are those of all observations, final ones too; frozen, they give the output."""
    kwargs, tape = {"max_episode_steps": 6}, tape_of(2, 5, 80)
    raw = list(drive(make(kind, env_id, 5, mode, kwargs), tape))
    rows = rows_seen(raw)
    envs = NormalizeVectorEnv(make(kind, env_id, 5, mode, kwargs))
    list(drive(envs, tape))
    assert envs.moments.count == len(rows)
    np.testing.assert_allclose(envs.moments.mean, rows.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(envs.moments.var, rows.var(axis=0), rtol=1e-9, atol=1e-12)

    envs.freeze()
    for before, after in zip(raw, drive(envs, tape), strict=True):
        np.testing.assert_array_equal(after[0], envs.moments.normalize(before[0]))
        assert after[0].dtype == np.float32 and after[0] in envs.observation_space
        for one, two in zip(after[1:4], before[1:4], strict=True):
            if not isinstance(two, dict):
                assert_same(one, two, "rewards and flags")
        if isinstance(before[-1], dict) and "final_obs" in before[-1]:
            finals = zip(before[-1]["final_obs"], after[-1]["final_obs"], strict=True)
            for one, two in finals:
                assert (one is None) == (two is None)
                if one is not None:
                    assert_same(two, envs.moments.normalize(one), "final observation")
            for name in set(before[-1]) - {"final_obs"}:
                assert_same(after[-1][name], before[-1][name], name)


def test_same_episodes_give_the_same_moments_in_every_mode():
    """One robot, the same 30 episodes in each mode: the same count, mean, variance and returns."""
    found = []
    for mode in MODES:
        envs = gym.make_vec("BurgerBot-v1", 1, max_episode_steps=9, autoreset_mode=mode)
        envs = NormalizeVectorEnv(envs, rewards=True, gamma=0.9)
        rng, episodes = np.random.default_rng(3), 0
        envs.reset(seed=0)
        while episodes < 30:
            *_, terminated, truncated, _ = envs.step(rng.choice(4, 1, p=[0.6, 0.2, 0.2, 0.0]))
            if terminated[0] or truncated[0]:
                episodes += 1
                if mode is NEXT_STEP:
                    envs.step(np.array([3]))  # the reset row
                elif mode is DISABLED:
                    envs.reset(options={"reset_mask": np.array([True])})
        found.append(envs)
    for envs in found[1:]:
        for ours, first in (
            (envs.moments, found[0].moments),
            (envs.returns, found[0].returns),
        ):
            assert ours.count == first.count > 100
            np.testing.assert_allclose(ours.mean, first.mean, rtol=1e-12)
            np.testing.assert_allclose(ours.var, first.var, rtol=1e-9)


@EACH_MODE
def test_discounted_return_is_cleared_at_a_truncation(mode):
    """Gamma 0.5, reward 1, episodes truncated after 2 steps: 1, 1.5, 1, 1.5, and so on."""
    envs = gym.make_vec(
        "BurgerBot-v0", 1, kitchen=">......G", max_episode_steps=2, autoreset_mode=mode
    )
    envs = NormalizeVectorEnv(envs, observations=False, rewards=True, gamma=0.5)
    fed = []
    envs.returns.update = lambda batch: fed.extend(np.asarray(batch).tolist())
    for record in drive(envs, np.zeros((12, 1), dtype=int)):
        assert record[0].dtype == np.int64  # observations=False leaves them alone
    expected = [1.0, 1.5] * 6 if mode is not NEXT_STEP else [1.0, 1.5] * 4
    assert fed == expected


@EACH_MODE
def test_rewards_are_divided_by_the_spread_of_the_return(mode):
    """Against a slow loop over robots; terminations, truncations and partial resets included."""
    kwargs, tape, gamma = {"max_episode_steps": 6}, tape_of(5, 4, 120), 0.9
    raw = drive(make("native", "BurgerBot-v1", 4, mode, kwargs), tape)
    envs = NormalizeVectorEnv(
        make("native", "BurgerBot-v1", 4, mode, kwargs),
        observations=False,
        rewards=True,
        gamma=gamma,
        clip=3.0,
    )
    totals, over, seen = [0.0] * 4, [False] * 4, []
    for before, after in zip(raw, drive(envs, tape), strict=True):
        if len(before) != 5:
            continue
        for i in range(4):
            if not over[i]:
                totals[i] = gamma * totals[i] + before[1][i]
                seen.append(totals[i])
        expected = np.clip(before[1] / (np.std(seen) or 1.0), -3, 3)
        np.testing.assert_allclose(after[1], expected, rtol=1e-9)
        done = before[2] | before[3]
        totals = [0.0 if done[i] else totals[i] for i in range(4)]
        over = done if mode is NEXT_STEP else over
    assert envs.returns.count == len(seen)


def test_resetting_in_mid_episode_clears_the_return():
    """A robot reset by hand does not carry its old return into the new episode."""
    envs = gym.make_vec("BurgerBot-v0", 2, kitchen=">......G", autoreset_mode=DISABLED)
    envs = NormalizeVectorEnv(envs, rewards=True, gamma=1.0)
    fed = []
    envs.returns.update = lambda batch: fed.append(np.asarray(batch).tolist())
    envs.reset(seed=0)
    forward = np.zeros(2, dtype=int)
    envs.step(forward)
    envs.reset(options={"reset_mask": np.array([False, True])})
    envs.step(forward)
    envs.reset()
    envs.step(forward)
    assert fed == [[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize("kind", ["native", "sync"])
def test_partial_reset_leaves_the_callers_options(kind):
    """Also over SyncVectorEnv, which empties what it is given."""
    envs = NormalizeVectorEnv(make(kind, KITCHENS, 3, DISABLED, {}))
    envs.reset(seed=0)
    mask = np.array([False, True, False])
    options = {"reset_mask": mask}
    envs.reset(options=options)
    assert options == {"reset_mask": mask} and mask.tolist() == [False, True, False]
    assert envs.moments.count == 4


@EACH_MODE
def test_arrays_inside_stay_as_they_are(mode):
    """Nothing is written into what the env inside handed out."""
    kept = []

    class Keep(gym.vector.VectorWrapper):
        def step(self, actions):
            row = self.env.step(actions)
            infos = {**row[4], "final_obs": row[4].get("final_obs", np.zeros(3)).copy()}
            kept.append((row, [part.copy() for part in row[:4]], infos))
            return row

    envs = NormalizeVectorEnv(Keep(make("native", KITCHENS, 3, mode, {"max_episode_steps": 4})))
    list(drive(envs, tape_of(1, 3, 40)))
    for row, copies, infos in kept:
        for part, copy in zip(row[:4], copies, strict=True):
            assert np.array_equal(part, copy)
        if "final_obs" in row[4]:
            assert_same(row[4]["final_obs"], infos["final_obs"], "final observations")


@EACH_MODE
def test_frozen_statistics_are_bit_identical_after_an_evaluation(mode):
    """1,000 steps through the wrapper and a policy, and a merge: not one bit moves."""
    import torch

    envs = NormalizeVectorEnv(
        make("native", KITCHENS, 4, mode, {"max_episode_steps": 20}), rewards=True
    )
    list(drive(envs, tape_of(1, 4, 50)))
    before = json.dumps(envs.state_dict())
    envs.freeze()
    assert envs.frozen
    policy = torch.nn.Linear(28, 4)
    seen, _ = envs.reset(seed=99)
    for _ in range(1000):
        with torch.no_grad():
            actions = policy(torch.as_tensor(seen)).argmax(dim=1).numpy()
        seen, _, terminated, truncated, _ = envs.step(actions)
        done = terminated | truncated
        if mode is DISABLED and done.any():
            seen, _ = envs.reset(options={"reset_mask": done})
    worker = RunningMoments((28,))
    worker.update(np.ones((10, 28)))
    envs.moments.merge(worker)
    with pytest.raises(RuntimeError, match="frozen"):
        envs.load_state_dict(NormalizeVectorEnv(make("native", KITCHENS, 1, mode, {})).state_dict())
    assert json.dumps(envs.state_dict()) == before
    envs.unfreeze()
    envs.reset(seed=0)
    assert json.dumps(envs.state_dict()) != before and not envs.frozen


EVALUATE = """
import json, sys
import gymnasium as gym
import numpy as np
import torch
import burgerbot
from burgerbot.learn.normalize import NormalizeVectorEnv

def evaluate(policy, state):
    envs = NormalizeVectorEnv(gym.make_vec("BurgerBotKitchens-v0", 4))
    envs.load_state_dict(state)
    envs.freeze()
    seen, _ = envs.reset(seed=500)
    tape, returns = [], np.zeros(4)
    for _ in range(520):
        with torch.no_grad():
            actions = policy(torch.as_tensor(seen)).argmax(dim=1).numpy()
        seen, rewards, *_ = envs.step(actions)
        tape.append(actions.tolist())
        returns += rewards
    return tape, returns.tolist()
"""


def test_policy_saved_and_loaded_in_a_new_process_acts_identically(tmp_path):
    """Weights and statistics in one file; the same actions and returns in 20 episodes and more."""
    import torch

    torch.manual_seed(0)
    policy = torch.nn.Sequential(torch.nn.Linear(28, 32), torch.nn.Tanh(), torch.nn.Linear(32, 4))
    envs = NormalizeVectorEnv(gym.make_vec(KITCHENS, 8))
    list(drive(envs, tape_of(3, 8, 60)))
    torch.save({"policy": policy.state_dict(), "envs": envs.state_dict()}, tmp_path / "saved.pt")
    names = {}
    exec(EVALUATE, names)
    expected = names["evaluate"](policy, envs.state_dict())
    code = EVALUATE + (
        "saved = torch.load(sys.argv[1], weights_only=True)\n"
        "L = torch.nn.Linear\n"
        "policy = torch.nn.Sequential(L(28, 32), torch.nn.Tanh(), L(32, 4))\n"
        "policy.load_state_dict(saved['policy'])\n"
        "print(json.dumps(evaluate(policy, saved['envs'])))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "saved.pt")], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == [*expected]
    assert len({tuple(row) for row in expected[0]}) > 10, "the policy does different things"


def test_fresh_statistics_are_not_used_by_mistake():
    """Frozen before anything was seen or loaded: an error, not a blind policy."""
    envs = NormalizeVectorEnv(gym.make_vec(KITCHENS, 2))
    envs.freeze()
    with pytest.raises(ValueError, match="no rows seen yet"):
        envs.reset(seed=0)


@EACH_MODE
def test_integer_grids_come_out_as_float32_inside_their_space(mode):
    """uint8 and int64 observations, and single numbers, get a float32 Box."""

    class Small(gym.Env):
        def __init__(self, space):
            self.observation_space, self.action_space = space, gym.spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.observation_space.seed(seed)
            return self.observation_space.sample(), {}

        def step(self, action):
            return self.observation_space.sample(), 1.0, False, bool(action), {}

    for space in (
        gym.spaces.Box(0, 255, (2, 3), np.uint8),
        gym.spaces.MultiDiscrete([5, 7]),
        gym.spaces.MultiBinary(3),
        gym.spaces.Discrete(9),
    ):
        sync = SyncVectorEnv([lambda s=space: Small(s)] * 3, autoreset_mode=mode)
        envs = NormalizeVectorEnv(sync)
        assert envs.single_observation_space == gym.spaces.Box(
            -np.inf, np.inf, space.shape, np.float32
        )
        for record in drive(envs, np.tile([0, 1, 0], (20, 1))):
            assert record[0] in envs.observation_space
            if isinstance(record[-1], dict) and "final_obs" in record[-1]:
                assert record[-1]["final_obs"][1] in envs.single_observation_space
        assert envs.moments.shape == space.shape


def test_arguments_that_cannot_be_used_are_refused():
    """Each message says what was expected and what it got."""
    envs = gym.make_vec(KITCHENS, 2)
    with pytest.raises(ValueError, match="gamma: expected a number from 0 to 1"):
        NormalizeVectorEnv(envs, gamma=1.5)
    with pytest.raises(ValueError, match="clip: expected a number above 0, got 0"):
        NormalizeVectorEnv(envs, clip=0)
    with pytest.raises(TypeError, match="VectorEnv"):
        NormalizeVectorEnv(gym.make(KITCHENS))
    odd = gym.make_vec(KITCHENS, 2)
    odd.single_observation_space = gym.spaces.Dict({"a": gym.spaces.Discrete(2)})
    with pytest.raises(TypeError, match="one array"):
        NormalizeVectorEnv(odd)
    odd.metadata = {}
    with pytest.raises(ValueError, match="autoreset_mode"):
        NormalizeVectorEnv(odd)
    with pytest.raises(ValueError, match="expected moments and returns"):
        NormalizeVectorEnv(envs).load_state_dict({"count": 1})


def test_a_bad_state_changes_nothing():
    """Both parts are checked before either is taken over."""
    envs = NormalizeVectorEnv(gym.make_vec(KITCHENS, 2))
    envs.reset(seed=0)
    before = json.dumps(envs.state_dict())
    other = NormalizeVectorEnv(gym.make_vec(KITCHENS, 3))
    other.reset(seed=1)
    state = other.state_dict()
    for bad in (state | {"returns": {"count": 1}}, state | {"moments": {"count": 1}}):
        with pytest.raises(ValueError, match="expected count"):
            envs.load_state_dict(bad)
    assert json.dumps(envs.state_dict()) == before
    envs.load_state_dict(state)
    assert json.dumps(envs.state_dict()) == json.dumps(state)
