"""What the text of lesson 07 claims beyond what its cells compute."""

import subprocess
import sys
from pathlib import Path

import cloudpickle
import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import NormalizeReward
from gymnasium.wrappers.vector import NormalizeObservation

from burgerbot.course.source import read_cells, strip_markers
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.normalize import NormalizeVectorEnv

SOURCE = Path(__file__).resolve().parents[1] / "solutions" / "07_running_moments.py"
KITCHENS = "BurgerBotKitchens-v0"
KINDS = {"imports", "given", "exercise"}


@pytest.fixture(scope="module")
def lesson():
    """The names that the lesson's imports, given cells and solutions define."""
    names = {"__name__": "__main__"}
    for cell in read_cells(SOURCE):
        kinds = {tag.split(":")[0] for tag in cell.metadata.get("tags", [])}
        if cell.cell_type == "code" and kinds & KINDS:
            exec(compile(strip_markers(cell.source), cell.source[:20], "exec"), names)
    return names


def random_rows(seed, number=64, steps=50):
    """What random robots see."""
    envs, rng = gym.make_vec(KITCHENS, number), np.random.default_rng(seed)
    rows = [envs.reset(seed=seed)[0]]
    rows += [envs.step(actions)[0] for actions in rng.integers(4, size=(steps, number))]
    return np.concatenate(rows)


@pytest.mark.parametrize("seed", range(3))
def test_a_fresh_layer_is_blind_before_and_sees_after(seed):
    """Nearly all units are saturated by millimetres; the obstacle is noticed once normalized."""
    rows = random_rows(seed)
    changed = rows.copy()
    changed[:, 7] = 1 - rows[:, 7]
    layer = np.random.default_rng(seed).normal(size=(28, 64)) / np.sqrt(28)
    moments = RunningMoments((28,))
    moments.update(rows)

    def share(before, after):
        before, after = np.tanh(before @ layer), np.tanh(after @ layer)
        return (np.abs(before) > 0.999).mean(), (np.abs(after - before) > 0.01).mean()

    saturated, noticed = share(rows, changed)
    assert saturated > 0.95 and noticed < 0.05
    saturated, noticed = share(moments.normalize(rows), moments.normalize(changed))
    assert saturated < 0.01 and noticed > 0.85


def test_own_cell_is_the_only_constant_column():
    """A robot stands in its own cell, so that is always clear."""
    rows = random_rows(7)
    assert np.flatnonzero(rows.std(axis=0) == 0).tolist() == [12]


def test_lesson_and_package_keep_the_same_moments(lesson):
    """Row by row, merged and in batches, the lesson's functions agree with RunningMoments."""
    rows = random_rows(1, number=8)
    ours, normalizer = RunningMoments((28,)), lesson["Normalizer"](28)
    state = 0, np.zeros(28), np.zeros(28)
    for batch in np.split(rows, 51):
        part = 0, np.zeros(28), np.zeros(28)
        for row in batch:
            part = lesson["welford"](*part, row)
        state = lesson["merge"](state, part)
        ours.update(batch)
        normalizer.update(batch)
    for count, mean, m2 in (state, (normalizer.count, normalizer.mean, normalizer.m2)):
        assert count == ours.count
        np.testing.assert_allclose(mean, ours.mean, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(m2 / count, ours.var, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(normalizer.normalize(rows), ours.normalize(rows), atol=1e-5)


def test_a_constant_that_rounds_is_zero_in_the_package_only(lesson):
    """0.1 has no exact float64: the plain batch mean is off by a bit, and a spread appears."""
    rows = np.full((3, 1), 0.1)
    plain, ours = lesson["Normalizer"](1), RunningMoments((1,))
    plain.update(rows)
    ours.update(rows)
    assert plain.var > 0 == ours.var and ours.normalize(rows).tolist() == [[0.0]] * 3


def test_saved_policy_is_the_same_in_a_new_process(lesson, tmp_path):
    """What the lesson's `load` gives elsewhere is what was saved here, to the bit."""
    moments = RunningMoments((3,))
    moments.update(1e8 + np.random.default_rng(0).normal(size=(50, 3)))
    weights = {"w": np.random.default_rng(1).normal(size=(2, 3)).astype(np.float32)}
    path = str(tmp_path / "robot.brain")
    lesson["save"](path, weights, moments)
    script = (
        "import sys, cloudpickle; weights, moments = cloudpickle.load(sys.stdin.buffer)"
        "(sys.argv[1]); print(weights['w'].tobytes().hex(), moments.state_dict(), moments.frozen)"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, path],
        input=cloudpickle.dumps(lesson["load"]),
        capture_output=True,
    )
    assert result.returncode == 0, result.stderr.decode()
    expected = f"{weights['w'].tobytes().hex()} {moments.state_dict()} True"
    assert result.stdout.decode().strip() == expected


def test_gymnasiums_reward_wrapper_still_leaks_over_truncations():
    """The "when this goes wrong" cell; if this fails, Gymnasium was mended: mend the text."""
    env = NormalizeReward(
        gym.make("BurgerBot-v0", kitchen=">......G", max_episode_steps=2), gamma=0.5
    )
    found = []
    for step in range(8):
        if step % 2 == 0:
            env.reset(seed=0)
        env.step(0)
        found.append(env.discounted_reward.item())
    assert found[:4] == [1.0, 1.5, 1.75, 1.875]


def test_sb3_clears_the_return_at_a_truncation():
    """VecNormalize gives 1, 1.5, 1, 1.5, as NormalizeVectorEnv does."""
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import VecNormalize

    make = lambda: gym.make("BurgerBot-v0", kitchen=">......G", max_episode_steps=2)  # noqa: E731
    envs = VecNormalize(make_vec_env(make, n_envs=1), norm_obs=False, gamma=0.5)
    envs.reset()
    fed = []
    envs.ret_rms.update = lambda returns: fed.extend(returns.tolist())
    for _ in range(8):
        envs.step(np.array([0]))
    assert fed == [1.0, 1.5] * 4


def test_gymnasiums_observation_wrapper_is_as_the_text_says():
    """NEXT_STEP only, and statistics that begin with mean 0 and variance 1."""
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.DISABLED):
        with pytest.raises(ValueError):
            NormalizeObservation(gym.make_vec(KITCHENS, 2, autoreset_mode=mode))
    start = NormalizeObservation(gym.make_vec(KITCHENS, 2)).obs_rms
    assert (start.mean == 0).all() and (start.var == 1).all() and start.count > 0


@pytest.mark.slow
def test_millimetres_end_in_crashes():
    """At the lesson's budget: raw below 85 percent and the rest crashed, normalized above 90."""
    import torch
    from stable_baselines3 import PPO

    from burgerbot.scale.sb3 import GymToSB3

    torch.set_num_threads(1)
    for observations in (False, True):
        envs = gym.make_vec(KITCHENS, 64, autoreset_mode="SameStep")
        envs = NormalizeVectorEnv(envs, observations=observations)
        settings = {"n_steps": 32, "batch_size": 256, "gamma": 0.97, "device": "cpu"}
        model = PPO("MlpPolicy", GymToSB3(envs), seed=0, **settings).learn(49_152)
        panel = gym.make_vec(KITCHENS, 100, autoreset_mode="SameStep")
        panel = NormalizeVectorEnv(panel, observations=observations)
        panel.load_state_dict(envs.state_dict())
        result = evaluate(
            panel, lambda rows, m=model: m.predict(rows, deterministic=True)[0], 1, seed=10**6
        )
        delivered, crashed = result.success.mean, result.crash.mean
        assert delivered > 0.9 if observations else (delivered < 0.85 and crashed > 0.1)
