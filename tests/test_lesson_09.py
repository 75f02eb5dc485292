"""What the text of lesson 09 claims beyond what its cells compute."""

from functools import cache
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from burgerbot.course.source import read_cells, strip_markers
from burgerbot.learn import oracle
from burgerbot.scale.measure import percent_of_optimum
from burgerbot.scale.sb3 import GymToSB3
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import MOVED, V1_REWARDS, compile_kitchen

SOURCE = Path(__file__).resolve().parents[1] / "solutions" / "09_sb3_ppo.py"
torch.set_num_threads(1)


@cache
def lesson():
    """The names that the lesson's imports, given cells and solutions define."""
    names = {"__name__": "lesson"}
    for cell in read_cells(SOURCE):
        kinds = {tag.split(":")[0] for tag in cell.metadata.get("tags", [])}
        if cell.cell_type == "code" and kinds & {"imports", "given", "exercise"}:
            exec(compile(strip_markers(cell.source), cell.source[:20], "exec"), names)
    return names


def native(num_envs):
    """The classic kitchen's robots in one array."""
    return gym.make_vec("BurgerBot-v1", num_envs=num_envs, autoreset_mode="SameStep")


def test_the_policy_sees_21_inputs():
    """SB3 turns row, column, heading and sensor into 7 + 7 + 4 + 3 zeros and ones."""
    model = PPO("MlpPolicy", GymToSB3(native(2)), n_steps=8, batch_size=16, device="cpu")
    seen = torch.tensor([[0, 6, 2, 1]])
    inputs = model.policy.extract_features(seen)
    assert inputs.shape == (1, 21)
    assert inputs[0].nonzero().flatten().tolist() == [0, 7 + 6, 14 + 2, 18 + 1]


def test_the_best_delivery_takes_14_steps_and_is_worth_less_than_with_shaping():
    """14 steps, 47.9 points; with the shaping, the same drive is paid more."""
    rules = compile_kitchen(CLASSIC)
    assert oracle.delivery_length(rules) == 14
    model = oracle.model(rules, V1_REWARDS)
    shaped = oracle.model(rules, V1_REWARDS, shaping=1.0, gamma=0.97)
    _, q = oracle.value_iteration(model, 0.97)
    states, rewards = oracle.rollout(model, q.argmax(axis=1), rules.start, 150)
    assert sum(rewards) == pytest.approx(47.9)
    assert len(rewards) == 14 and rewards[0] == V1_REWARDS[MOVED]
    paid = sum(oracle.rollout(shaped, q.argmax(axis=1), states[0], 150)[1])
    assert paid > 50


def test_eval_freq_counts_calls(tmp_path):
    """EvalCallback(eval_freq=10) with 4 robots fires after 40, 80 and 120 transitions."""
    envs = make_vec_env("BurgerBot-v1", 4, seed=0)
    callback = EvalCallback(
        make_vec_env("BurgerBot-v1", 1, seed=9), eval_freq=10, n_eval_episodes=1, verbose=0,
        log_path=str(tmp_path),
    )  # fmt: skip
    model = PPO("MlpPolicy", envs, n_steps=30, batch_size=120, n_epochs=1, device="cpu")
    model.learn(120, callback=callback)
    assert callback.evaluations_timesteps == [40, 80, 120]


def test_evaluation_shares_its_episodes_out():
    """Two robots with episodes of 1 and of 10 steps, 4 episodes: two each, not the first four."""

    class Fixed(gym.Env):
        observation_space = gym.spaces.Box(0, 1, (1,), np.float32)
        action_space = gym.spaces.Discrete(2)

        def __init__(self, length):
            self.length, self.t = length, 0

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.t = 0
            return np.zeros(1, np.float32), {}

        def step(self, action):
            self.t += 1
            return np.zeros(1, np.float32), 1.0, self.t >= self.length, False, {}

    envs = VecMonitor(DummyVecEnv([lambda: Fixed(1), lambda: Fixed(10)]))
    model = PPO("MlpPolicy", envs, n_steps=8, batch_size=16, device="cpu")
    _, lengths = evaluate_policy(model, envs, 4, return_episode_rewards=True)
    assert sorted(lengths) == [1, 1, 10, 10]


def test_target_kl_stops_after_one_step():
    """With target_kl = 1e-12 there is one gradient step, whatever n_epochs and minibatches say."""
    envs = make_vec_env("BurgerBot-v1", 4, seed=0)
    model = PPO("MlpPolicy", envs, n_steps=64, target_kl=1e-12, seed=0, device="cpu")
    steps = []
    step = model.policy.optimizer.step
    model.policy.optimizer.step = lambda *args: (steps.append(1), step(*args))
    model.learn(256)
    assert len(steps) == 1 == model._n_updates


def test_the_lessons_adapter_trains_to_the_same_weights():
    """The lesson's adapter and the package's give SB3 the same training, to the bit."""

    def weights(adapter):
        model = PPO("MlpPolicy", adapter(native(8)), seed=4, **lesson()["SETTINGS"])
        return torch.cat([w.flatten() for w in model.learn(1024).policy.parameters()])

    assert torch.equal(weights(lesson()["Adapter"]), weights(GymToSB3))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_nine_of_ten_runs_reach_the_optimum():
    """With the lesson's settings and seeds, PPO drives the shortest delivery in 9 of 10 runs."""
    reached = []
    for run in range(10):
        watch = lesson()["EveryTransitions"](1024, percent_of_optimum, 100.0)
        model = PPO("MlpPolicy", GymToSB3(native(16)), seed=1000 * run, **lesson()["SETTINGS"])
        model.learn(50_000, callback=watch)
        reached.append(watch.history[-1][1] == 100.0)
    assert sum(reached) >= 9, reached
