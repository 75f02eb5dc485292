"""Stable-Baselines3 on Gymnasium's vector environments, and what is saved of a training."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor, VecNormalize

import burgerbot
from burgerbot.learn import oracle
from burgerbot.scale import on_robot
from burgerbot.scale.infos import split_infos
from burgerbot.scale.sb3 import (
    GymToSB3,
    export_policy,
    load_policy,
    load_trained,
    save_trained,
)
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import ACTIONS, V1_REWARDS, compile_kitchen

torch.set_num_threads(1)
IDS = ("BurgerBot-v0", "BurgerBot-v1", "BurgerBotKitchens-v0")


def make(env_id: str, num_envs: int, how: str = "native", **kwargs):
    """A Gymnasium vector environment in SAME_STEP mode."""
    if how == "native":
        return gym.make_vec(env_id, num_envs=num_envs, autoreset_mode="SameStep", **kwargs)
    return gym.make_vec(
        env_id,
        num_envs=num_envs,
        vectorization_mode=how,
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        **kwargs,
    )


class ReporterEnv(gym.Env):
    """Counts to its length; its infos hold a number, an array and a dict, each at times only."""

    observation_space = gym.spaces.Box(0, 100, (2,), np.float32)
    action_space = gym.spaces.Discrete(2)

    def __init__(self, length: int, cut: bool = False, both: bool = False) -> None:
        self.length, self.cut, self.both, self.t = length, cut, both, 0
        self.options: dict | None = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t, self.options = 0, options
        return self._seen(), {"born": 1.5}

    def step(self, action):
        self.t += 1
        over = self.t >= self.length
        info = {"t": self.t, "deep": {"twice": 2 * self.t}}
        if self.t % 2:
            info["odd"] = np.array([self.t, -self.t])
        return self._seen(), 1.0, over and not self.cut, over and (self.cut or self.both), info

    def double(self, number: int = 1) -> int:
        return 2 * number * self.length

    def _seen(self):
        return np.array([self.t, self.length], np.float32)


@pytest.mark.parametrize("how", ["native", "sync", "async"])
@pytest.mark.parametrize("env_id", IDS)
def test_same_as_dummy_vec_env(env_id, how):
    """Observations, rewards, dones and every info equal DummyVecEnv's, episode ends included."""
    kwargs = {"stratum": "open"} if env_id == "BurgerBotKitchens-v0" else {}
    kwargs["max_episode_steps"] = 9
    with warnings.catch_warnings(action="ignore"):
        dummy = DummyVecEnv([lambda: gym.make(env_id, **kwargs)] * 5)
        ours = GymToSB3(make(env_id, 5, how, **kwargs))
    try:
        assert dummy.observation_space == ours.observation_space
        assert dummy.action_space == ours.action_space and ours.num_envs == 5
        assert ours.seed(7) == dummy.seed(7) == [7, 8, 9, 10, 11]
        assert np.array_equal(ours.reset(), dummy.reset())
        rng, kinds = np.random.default_rng(1), np.zeros(3, int)
        # Kitchens draw their next start from a stream of their own: compared up to the first end.
        steps = 200 if env_id != "BurgerBotKitchens-v0" else 2
        for _ in range(steps):
            actions = rng.choice(4, size=5, p=[0.5, 0.2, 0.2, 0.1])
            (o1, r1, d1, i1), (o2, r2, d2, i2) = ours.step(actions), dummy.step(actions)
            assert o1.dtype == o2.dtype and r1.dtype == r2.dtype and d1.dtype == d2.dtype
            assert np.array_equal(r1, r2) and np.array_equal(d1, d2)
            if env_id == "BurgerBotKitchens-v0" and d1.any():
                break
            assert np.array_equal(o1, o2)
            for mine, theirs in zip(i1, i2, strict=True):
                assert mine.keys() == theirs.keys()
                for key, value in theirs.items():
                    assert np.array_equal(mine[key], value), key
            kinds += d1.sum(), sum(i["TimeLimit.truncated"] for i in i1), len(i1)
        assert steps < 200 or (kinds > 20).all(), "both kinds of ending were compared"
    finally:
        ours.close()
        dummy.close()


@pytest.mark.parametrize("how", [SyncVectorEnv, gym.vector.AsyncVectorEnv])
def test_masked_and_nested_infos(how):
    """A robot has the keys that it reported and no others; nested dicts and arrays are its own."""
    made = [lambda n=n: ReporterEnv(n) for n in (2, 3)]
    envs = GymToSB3(how(made, autoreset_mode="SameStep"))
    envs.reset()
    assert envs.reset_infos == [{"born": 1.5}] * 2
    envs.reset_infos = [{}, {}]
    _, _, dones, infos = envs.step(np.zeros(2, int))
    assert infos[0]["t"] == 1 and infos[0]["deep"] == {"twice": 2} and not dones.any()
    assert infos[1]["odd"].tolist() == [1, -1] and "terminal_observation" not in infos[0]
    seen, _, dones, infos = envs.step(np.zeros(2, int))
    assert dones.tolist() == [True, False] and seen.tolist() == [[0, 2], [2, 3]]
    assert infos[0]["terminal_observation"].tolist() == [2, 2] and infos[0]["t"] == 2
    assert infos[0]["deep"] == {"twice": 4} and "odd" not in infos[0] and "born" not in infos[0]
    assert "odd" not in infos[1] and "_odd" not in infos[1]
    assert envs.reset_infos == [{"born": 1.5}, {}], "what a reset reported is kept apart"
    envs.close()


def test_time_limit_truncated():
    """TimeLimit.truncated is there for every robot, and True only without termination."""
    made = [
        lambda: ReporterEnv(2),
        lambda: ReporterEnv(2, cut=True),
        lambda: ReporterEnv(2, both=True),
        lambda: ReporterEnv(9),
    ]
    envs = GymToSB3(SyncVectorEnv(made, autoreset_mode="SameStep"))
    envs.reset()
    for expected in ([False] * 4, [False, True, False, False]):
        _, _, dones, infos = envs.step(np.zeros(4, int))
        assert [info["TimeLimit.truncated"] for info in infos] == expected
    assert dones.tolist() == [True, True, True, False]


def test_sb3_adds_the_value_of_the_final_observation():
    """PPO's stored reward of a truncated step is r + gamma V(terminal_observation)."""
    made = [lambda: ReporterEnv(3, cut=True), lambda: ReporterEnv(3)]
    envs = GymToSB3(SyncVectorEnv(made, autoreset_mode="SameStep"))
    model = PPO("MlpPolicy", envs, n_steps=3, batch_size=6, n_epochs=1, gamma=0.5, learning_rate=0)
    model.learn(6)
    value = float(model.policy.predict_values(torch.tensor([[3.0, 3.0]])).detach()[0, 0])
    rewards = model.rollout_buffer.rewards
    assert rewards[2] == pytest.approx([1 + 0.5 * value, 1.0])
    assert (rewards[:2] == 1).all()


def test_observations_are_the_callers():
    """No later step changes an observation that was handed out."""
    for how in ("native", "sync"):
        envs = GymToSB3(make("BurgerBot-v1", 3, how))
        first = envs.reset()
        kept = first.copy()
        envs.step(np.array([0, 1, 2]))
        assert np.array_equal(first, kept)
    aliased = SyncVectorEnv([lambda: ReporterEnv(2)], copy=False, autoreset_mode="SameStep")
    with pytest.raises(ValueError, match="copy=True"):
        GymToSB3(aliased)


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
@pytest.mark.parametrize("how", ["native", "sync"])
def test_other_modes_are_refused(mode, how):
    """NEXT_STEP and DISABLED get an error that says what to write instead."""
    if how == "native":
        envs = gym.make_vec("BurgerBot-v1", num_envs=2, autoreset_mode=mode)
    else:
        envs = SyncVectorEnv([lambda: ReporterEnv(2)] * 2, autoreset_mode=mode)
    with pytest.raises(ValueError, match=r"expected autoreset mode SAME_STEP.*SameStep"):
        GymToSB3(envs)
    with pytest.raises(TypeError, match=r"expected a gymnasium\.vector\.VectorEnv"):
        GymToSB3(gym.make("BurgerBot-v1"))


def test_a_mode_that_is_unknown_is_refused():
    """A vector env that says no mode could reset in any way."""
    envs = make("BurgerBot-v1", 2)
    del envs.unwrapped.metadata["autoreset_mode"]
    with pytest.raises(ValueError, match="got None"):
        GymToSB3(envs)


def test_steps_out_of_order():
    """step_wait without step_async, and step_async twice, are errors; a reset forgets a step."""
    envs = GymToSB3(make("BurgerBot-v1", 2))
    envs.reset()
    with pytest.raises(RuntimeError, match="no step has begun"):
        envs.step_wait()
    envs.step_async(np.zeros(2, int))
    with pytest.raises(RuntimeError, match="has begun already"):
        envs.step_async(np.zeros(2, int))
    envs.reset()
    with pytest.raises(RuntimeError, match="no step has begun"):
        envs.step_wait()
    with pytest.raises(ValueError, match="actions"):
        envs.step(np.full(2, 9))
    envs.step(np.zeros(2, int))  # a refused action leaves nothing pending


def test_seeds_and_options_are_used_once():
    """The seeds of seed() and the options of set_options() go into the next reset only."""
    envs = GymToSB3(make("BurgerBotKitchens-v0", 4, stratum="open"))
    envs.seed(3)
    first = envs.reset()
    second = envs.reset()
    assert not np.array_equal(first, second), "the same start again"
    envs.seed(3)
    assert np.array_equal(envs.reset(), first)
    reporters = GymToSB3(SyncVectorEnv([lambda: ReporterEnv(2)] * 2, autoreset_mode="SameStep"))
    reporters.set_options({"x": 1})
    reporters.reset()
    assert reporters.get_attr("options") == [{"x": 1}] * 2
    reporters.reset()
    assert reporters.get_attr("options") == [None] * 2
    reporters.set_options([{"x": 1}, {"x": 2}])
    with pytest.raises(ValueError, match="the same for every robot"):
        reporters.reset()


def test_attributes_and_methods_of_scalar_envs():
    """get_attr, set_attr, env_method and has_attr reach the robots named, and only those."""
    made = [lambda n=n: Monitor(ReporterEnv(n)) for n in (2, 3, 4)]
    envs = GymToSB3(SyncVectorEnv(made, autoreset_mode="SameStep"))
    assert envs.get_attr("length") == [2, 3, 4] and envs.get_attr("length", 1) == [3]
    assert envs.env_method("double", 10, indices=[2, 0]) == [80, 40]
    envs.set_attr("length", 9, indices=[1])
    assert envs.get_attr("length") == [2, 9, 4] and envs.env_method("double") == [4, 18, 8]
    assert envs.has_attr("length") and not envs.has_attr("width")
    assert callable(envs.get_attr("double")[0])
    assert envs.env_is_wrapped(Monitor) == [True] * 3
    assert envs.env_is_wrapped(gym.wrappers.TimeLimit, indices=[0, 1]) == [False] * 2


def test_attributes_and_methods_in_processes():
    """AsyncVectorEnv: the same, but a call reaches all robots or none."""
    made = [lambda n=n: ReporterEnv(n) for n in (2, 3, 4)]
    envs = GymToSB3(gym.vector.AsyncVectorEnv(made, autoreset_mode="SameStep"))
    try:
        envs.set_attr("length", 9, indices=[1])
        assert envs.get_attr("length") == [2, 9, 4] and envs.get_attr("length", [2]) == [4]
        envs.set_attr("length", 5)
        assert envs.env_method("double") == [10, 10, 10]
        with pytest.raises(ValueError, match="for all robots"):
            envs.env_method("double", indices=[0])
    finally:
        envs.close()


def test_attributes_and_methods_of_a_native_env():
    """A native env has one attribute for all robots, or an array with one entry for each."""
    envs = GymToSB3(RecordEpisodeStatistics(make("BurgerBot-v1", 4)))
    assert envs.get_attr("gamma") == [0.97] * 4
    assert envs.get_attr("rewards", 2) == [V1_REWARDS], "four rewards are not one a robot"
    envs.reset()
    assert envs.get_attr("episode_returns", [3]) == [0.0]
    envs.set_attr("gamma", 0.5)
    assert envs.get_attr("gamma", 0) == [0.5]
    with pytest.raises(ValueError, match="for all robots"):
        envs.set_attr("gamma", 0.5, indices=[0])
    with pytest.raises(AttributeError, match="widht"):
        envs.set_attr("widht", 0.5)
    assert not envs.has_attr("widht") and envs.env_method("render") == [None] * 4
    with pytest.raises(ValueError, match="for all robots"):
        envs.env_method("render", indices=1)
    assert envs.env_is_wrapped(RecordEpisodeStatistics) == [True] * 4
    assert envs.env_is_wrapped(Monitor, 0) == [False]


@pytest.mark.parametrize("how", ["native", "sync"])
def test_render(how):
    """One picture a robot, tiled by SB3."""
    envs = GymToSB3(make("BurgerBot-v1", 4, how, render_mode="rgb_array"))
    envs.reset()
    one = envs.get_images()[0]
    assert envs.render_mode == "rgb_array" and len(envs.get_images()) == 4
    assert envs.render().shape == (2 * one.shape[0], 2 * one.shape[1], 3)


@pytest.mark.parametrize("how", ["native", "sync"])
def test_episode_statistics_reach_sb3(how):
    """Both VecMonitor and Gymnasium's own wrapper give infos[i]["episode"], with r and l."""
    path = [3, 1, 1, 0]  # turn round, and against the wall
    wrapped = [
        VecMonitor(GymToSB3(make("BurgerBot-v0", 2, how))),
        GymToSB3(RecordEpisodeStatistics(make("BurgerBot-v0", 2, how))),
    ]
    for envs in wrapped:
        envs.reset()
        for action in path:
            _, _, _, infos = envs.step(np.array([action, 3]))
        assert infos[0]["episode"]["r"] == pytest.approx(-10.3) and infos[0]["episode"]["l"] == 4
        assert "episode" not in infos[1]
        assert infos[0]["terminal_observation"].tolist() == [0, 0, 3, 0]


def test_split_infos():
    """Masked keys stay out, keys without a mask and single values are everybody's, rows copies."""
    seen = np.arange(6).reshape(3, 2)
    given = {
        "seen": seen,
        "_seen": np.array([True, False, True]),
        "name": np.array(["a", None, None], dtype=object),
        "_name": np.array([True, False, False]),
        "all": 7,
        "deep": {"x": np.array([1.0, 2.0, 3.0]), "_x": np.array([False, True, True])},
        "_deep": np.array([False, True, False]),
        "_alone": np.array([1, 2, 3]),
    }
    keys = list(given)
    split = split_infos(given, 3)
    assert [sorted(info) for info in split] == [
        ["_alone", "all", "name", "seen"],
        ["_alone", "all", "deep"],
        ["_alone", "all", "seen"],
    ]
    assert split[1]["deep"] == {"x": 2.0} and split[2]["_alone"] == 3 and list(given) == keys
    split[0]["seen"][0] = 99
    assert seen[0, 0] == 0
    assert split_infos({}, 2) == [{}, {}]


def test_gymnasiums_own_vector_env_is_refused_by_sb3():
    """PPO takes no Gymnasium vector env: a ValueError names the type. Hence the adapter."""
    with pytest.raises(ValueError, match="BurgerBotVectorEnv"):
        PPO("MlpPolicy", make("BurgerBot-v1", 2))


def test_ppo_trains_through_the_adapter():
    """One rollout and one update run, and evaluation works on the same adapter."""
    envs = VecMonitor(GymToSB3(make("BurgerBot-v1", 8)))
    model = PPO("MlpPolicy", envs, n_steps=16, batch_size=32, n_epochs=2, seed=3, device="cpu")
    model.learn(128)
    assert model.num_timesteps == 128
    returns, lengths = evaluate_policy(model, envs, 8, return_episode_rewards=True)
    assert len(returns) == len(lengths) == 8


def test_training_is_reproducible():
    """The same seed gives the same weights, to the bit."""

    def weights():
        envs = GymToSB3(make("BurgerBotKitchens-v0", 4, stratum="greasy"))
        model = PPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=2, seed=5, device="cpu")
        return torch.cat([p.flatten() for p in model.learn(256).policy.parameters()])

    assert torch.equal(weights(), weights())


# --- saved together ---------------------------------------------------------------------------

EVALUATE = """
import json, sys
import gymnasium as gym, numpy as np, torch
import burgerbot
from burgerbot.scale.sb3 import GymToSB3, load_trained
torch.set_num_threads(1)
envs = gym.make_vec("BurgerBotKitchens-v0", num_envs=20, autoreset_mode="SameStep", stratum="open")
model, envs = load_trained(sys.argv[1], GymToSB3(envs))
envs.seed(100)
seen, actions, rewards = envs.reset(), [], []
for _ in range(60):
    chosen, _ = model.predict(seen, deterministic=True)
    seen, reward, _, _ = envs.step(chosen)
    actions.append(chosen.tolist()); rewards.append(reward.tolist())
print(json.dumps([actions, rewards]))
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A model trained a little on raw millimetres through VecNormalize, and where it is saved."""
    envs = VecNormalize(GymToSB3(make("BurgerBotKitchens-v0", 8, stratum="open")))
    model = PPO("MlpPolicy", envs, n_steps=64, batch_size=128, n_epochs=4, seed=1, device="cpu")
    model.learn(2048)
    folder = tmp_path_factory.mktemp("trained") / "run"
    save_trained(model, folder)
    return model, folder


def test_saved_policy_acts_identically_in_a_new_process(trained):
    """20 seeded robots: the same actions and rewards, step by step, as before saving."""
    model, folder = trained
    done = subprocess.run(
        [sys.executable, "-c", EVALUATE, str(folder)],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    actions, rewards = json.loads(done.stdout)
    envs = model.get_vec_normalize_env()
    raw = GymToSB3(make("BurgerBotKitchens-v0", 20, stratum="open"))
    raw.seed(100)
    seen = raw.reset()
    envs.training = False
    for there, paid in zip(actions, rewards, strict=True):
        chosen, _ = model.predict(envs.normalize_obs(seen), deterministic=True)
        seen, reward, _, _ = raw.step(chosen)
        assert chosen.tolist() == there and reward.tolist() == paid


def test_loaded_statistics_are_frozen(trained):
    """A thousand steps of evaluation leave the statistics as they are; rewards are raw."""
    model, folder = trained
    _, envs = load_trained(folder, GymToSB3(make("BurgerBotKitchens-v0", 4, stratum="open")))
    assert not envs.training and not envs.norm_reward
    before = model.get_vec_normalize_env().obs_rms
    envs.seed(0)
    envs.reset()
    for actions in np.random.default_rng(0).integers(4, size=(1000, 4)):
        envs.step(actions)
    assert np.array_equal(envs.obs_rms.mean, before.mean) and envs.obs_rms.count == before.count
    assert np.array_equal(envs.obs_rms.var, before.var)


def test_incomplete_and_mixed_folders_are_refused(trained, tmp_path):
    """Statistics missing, of another run, or a save that did not finish: each is named."""
    model, _ = trained
    envs = model.get_env()
    save_trained(model, tmp_path)
    assert load_trained(tmp_path, GymToSB3(make("BurgerBotKitchens-v0", 2)))
    (tmp_path / "statistics.pkl").write_bytes(b"of another run")
    with pytest.raises(ValueError, match=r"statistics\.pkl"):
        load_trained(tmp_path, envs)
    (tmp_path / "statistics.pkl").unlink()
    with pytest.raises(FileNotFoundError, match=r"statistics\.pkl"):
        load_trained(tmp_path, envs)
    (tmp_path / "contents.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"contents\.json"):
        load_trained(tmp_path, envs)


def test_saved_without_statistics(tmp_path):
    """A model trained without a normalizer is loaded without one; old statistics go away."""
    (tmp_path / "statistics.pkl").write_bytes(b"old")
    envs = GymToSB3(make("BurgerBot-v1", 2))
    save_trained(PPO("MlpPolicy", envs, n_steps=8, batch_size=16, device="cpu"), tmp_path)
    model, loaded = load_trained(tmp_path, envs)
    assert loaded is envs and not (tmp_path / "statistics.pkl").exists()
    assert isinstance(model, PPO)


# --- the policy as a table --------------------------------------------------------------------


def optimal(seen: np.ndarray) -> np.ndarray:
    """The exact optimum of the classic kitchen, for observations."""
    rules = compile_kitchen(CLASSIC)
    _, q = oracle.value_iteration(oracle.model(rules, V1_REWARDS), 0.97)
    return q.argmax(axis=1)[(seen[:, 0] * 7 + seen[:, 1]) * 4 + seen[:, 2]]


def test_table_has_588_keys_of_four_names(tmp_path):
    """Every observation has a key, in order; its value is one-hot over the four action names."""
    table = export_policy(optimal, tmp_path / "policy.json")
    keys = [
        f"{r},{c},{h},{s}" for r in range(7) for c in range(7) for h in range(4) for s in (0, 1, 2)
    ]
    assert list(table) == keys and len(keys) == 588
    for row in table.values():
        assert tuple(row) == ACTIONS and sorted(row.values()) == [0.0, 0.0, 0.0, 1.0]
    assert json.loads((tmp_path / "policy.json").read_text(encoding="utf-8")) == table
    assert (tmp_path / "policy.json").read_bytes().count(b"\n") == 590


def test_table_is_read_back(tmp_path):
    """load_policy gives the same actions, from the file and from the table."""
    table = export_policy(optimal, tmp_path / "policy.json")
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    for source in (table, tmp_path / "policy.json", str(tmp_path / "policy.json")):
        actions = load_policy(source)
        assert actions.shape == (7, 7, 4, 3) and actions.dtype == np.int64
        assert np.array_equal(actions[tuple(seen.T)], optimal(seen))


def test_table_of_an_sb3_model():
    """The table of a model says what predict says, in another kitchen's size too."""
    kitchen = Kitchen.from_ascii(">..\n..G")
    model = PPO("MlpPolicy", gym.make("BurgerBot-v1", kitchen=kitchen), seed=0, device="cpu")
    actions = load_policy(export_policy(model))
    assert actions.shape == (2, 3, 4, 3)
    seen = np.indices(actions.shape).reshape(4, -1).T
    assert np.array_equal(actions.ravel(), model.predict(seen, deterministic=True)[0])
    with pytest.raises(ValueError, match="row, col, heading, sensor"):
        export_policy(PPO("MlpPolicy", gym.make("BurgerBotKitchens-v0"), device="cpu"))


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (lambda seen: optimal(seen)[:-1], r"588 integers, got shape \(587,\)"),
        (lambda seen: optimal(seen) * 1.0, "float64"),
        (lambda seen: optimal(seen) + 2, r"actions 0 to 3, got \[2, 3, 4"),
    ],
)
def test_bad_policies_are_refused(policy, says):
    """Another number of actions, another dtype, another range."""
    with pytest.raises(ValueError, match=says):
        export_policy(policy)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: t.pop("3,3,3,1"), "588 keys, got 587: no '3,3,3,1'"),
        (lambda t: t.update({"3,3,3": t["0,0,0,0"]}), "'3,3,3'"),
        (lambda t: t.update({"a,0,0,0": t["0,0,0,0"]}), "'a,0,0,0'"),
        (lambda t: t["1,1,1,1"].update(forward=1.0, stop=1.0), "1,1,1,1"),
        (lambda t: t["1,1,1,1"].update(forward=0.5), "1,1,1,1"),
        (lambda t: t["1,1,1,1"].pop("stop"), "1,1,1,1"),
        (lambda t: t.clear(), "got none"),
    ],
)
def test_bad_tables_are_refused_by_key(change, says):
    """A missing or strange key, or a value that is not one-hot: the message names the key."""
    table = export_policy(optimal)
    change(table)
    with pytest.raises(ValueError, match=says):
        load_policy(table)


def test_reader_on_the_robot_is_ten_plain_lines():
    """The reader has ten lines of code, imports json or ujson alone, and uses plain syntax."""
    tree = ast.parse(Path(on_robot.__file__).read_text(encoding="utf-8"))
    body = [
        n for n in tree.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))
    ]
    lines = {
        n.lineno
        for part in body
        for n in ast.walk(part)
        if isinstance(n, (ast.stmt, ast.excepthandler))
    }
    assert len(lines) == 10
    imported = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    assert sorted(imported) == ["json", "ujson"]
    assert not any(isinstance(n, (ast.ImportFrom, ast.JoinedStr)) for n in ast.walk(tree))


def test_reader_drives_without_any_library(tmp_path):
    """Alone in a bare Python, the reader delivers: 14 steps through the classic kitchen."""
    export_policy(optimal, tmp_path / "policy.json")
    rules = compile_kitchen(CLASSIC)
    world = {
        "table": rules.table.tolist(),
        "seen": rules.observations.tolist(),
        "start": rules.start,
    }
    (tmp_path / "world.json").write_text(json.dumps(world), encoding="utf-8")
    drive = """
import json, sys
world = json.load(open("world.json"))
table, state, steps, outcome = load("policy.json"), world["start"], 0, 0
while outcome < 2 and steps < 150:
    name = act(table, *world["seen"][state])
    entry = world["table"][state * 4 + ["forward", "turn_left", "turn_right", "stop"].index(name)]
    state, outcome, steps = entry >> 2, entry & 3, steps + 1
print(steps, outcome, "numpy" in sys.modules)
"""
    reader = Path(on_robot.__file__).read_text(encoding="utf-8")
    (tmp_path / "main.py").write_text(reader + drive, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "main.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == ["14", "3", "False"], done.stderr


def test_package_import_stays_light():
    """Nothing of this part is loaded by ``import burgerbot``, nor torch by the exported policy."""
    code = (
        "import sys, burgerbot, burgerbot.scale.batch_size, burgerbot.scale.policy_table;"
        "print({'torch', 'stable_baselines3'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "set()", done.stderr
    assert burgerbot.__version__
