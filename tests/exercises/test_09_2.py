"""Exercise 09.2: a policy and its statistics, saved and frozen."""

import tempfile
import warnings
from pathlib import Path

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecNormalize

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import close, equal, instance, that


def robots(seed):
    """Two robots that see millimetres."""
    return make_vec_env("BurgerBotKitchens-v0", 2, seed=seed)


def trained():
    """A small model whose normalizer has seen something."""
    envs = VecNormalize(robots(0), clip_obs=3.0)
    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=8,
        batch_size=16,
        n_epochs=1,
        seed=1,
        device="cpu",
        policy_kwargs={"net_arch": [8]},
    )
    envs.reset()
    rng = np.random.default_rng(2)
    for _ in range(60):
        envs.step(rng.integers(4, size=2))
    return model, envs


def saved_and_loaded(answer):
    """What the learner's two functions make of it."""
    model, envs = trained()
    live = envs.obs_rms.copy()
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings(action="ignore"):
        folder = Path(name)
        answer.save_run(model, folder)
        for file in ("policy.zip", "statistics.pkl"):
            that(
                (folder / file).exists(),
                f"`{file}` is missing after save_run: the policy and the statistics are two files, "
                "and one is worth nothing without the other",
                expected=["policy.zip", "statistics.pkl"],
                yours=sorted(path.name for path in folder.iterdir()),
                where="save_run(model, folder)",
            )
        given = robots(50)
        envs.obs_rms.mean = live.mean + 1e6  # the training goes on, and sees other things
        result = answer.load_run(folder, given)
        envs.obs_rms = live
    instance(result, (tuple, list), "return two things: the model and the normalized envs")
    equal(len(result), 2, "return two things: the model and the normalized envs")
    return model, envs, given, *result


def test_saving_leaves_the_training_alone(answer):
    """After saving, the training's own normalizer goes on learning and scaling."""
    model, envs = trained()
    count = envs.obs_rms.count
    with tempfile.TemporaryDirectory() as name:
        answer.save_run(model, Path(name))
    that(
        envs.training and envs.norm_reward,
        "save_run froze the normalizer of the training, which goes on afterwards: freeze the "
        "loaded one, not this one",
        expected="training=True, norm_reward=True",
        yours=f"training={envs.training}, norm_reward={envs.norm_reward}",
        where="the training's VecNormalize after save_run",
    )
    equal(envs.obs_rms.count, count, "save_run moved the statistics of the training")


def test_kinds_and_connections(answer):
    """load_run returns a PPO and a VecNormalize around the envs that it was given."""
    _, _, given, model, envs = saved_and_loaded(answer)
    where = "load_run(folder, envs)"
    instance(model, PPO, "the first thing that load_run returns is the model", where=where)
    instance(
        envs,
        VecNormalize,
        "the second is a VecNormalize: bare envs give the policy raw millimetres",
        where=where,
    )
    that(
        envs.venv is given,
        "the statistics stand around the very envs that load_run was given, once",
        expected="VecNormalize around the given envs",
        yours=f"VecNormalize around {type(envs.venv).__name__}",
        where=where,
    )
    that(
        model.get_env() is envs,
        "the loaded model's own environment is the normalized one: hand it over, `env=`",
        expected="model.get_env() is envs",
        yours=type(model.get_env()).__name__,
        where=where,
    )


def test_statistics_are_the_saved_ones(answer):
    """The loaded statistics are those of the training, and clip as they did."""
    _, before, _, _, after = saved_and_loaded(answer)
    where = "the loaded VecNormalize"
    close(
        after.obs_rms.mean,
        before.obs_rms.mean,
        "these are not the statistics of the training, as they were when it was saved: load them "
        "from `statistics.pkl`. A new VecNormalize knows nothing, and the training's own goes on",
        where=where,
        tolerance=1e-12,
    )
    close(after.obs_rms.var, before.obs_rms.var, "the variance is not that of the training")
    equal(after.clip_obs, before.clip_obs, "the clipping is part of the statistics", where=where)


def test_the_policy_acts_as_before(answer):
    """On the same raw observations, the same values and actions come out."""
    model, before, _, loaded, after = saved_and_loaded(answer)
    raw = np.concatenate([robots(seed).reset() for seed in range(100, 120, 2)])
    first, second = before.normalize_obs(raw), after.normalize_obs(raw)
    wanted = model.policy.predict_values(torch.as_tensor(first)).detach().numpy()
    got = loaded.policy.predict_values(torch.as_tensor(second)).detach().numpy()
    close(
        got,
        wanted,
        "the loaded policy does not judge as the saved one did",
        where="values of 20 observations",
    )
    equal(
        loaded.predict(second, deterministic=True)[0],
        model.predict(first, deterministic=True)[0],
        "the loaded policy does not act as the saved one did",
        where="greedy actions at 20 observations",
    )


def test_frozen(answer):
    """An evaluation of 40 steps moves no statistics."""
    *_, envs = saved_and_loaded(answer)
    mean, count = envs.obs_rms.mean.copy(), envs.obs_rms.count
    envs.reset()
    for _ in range(40):
        envs.step(np.zeros(2, dtype=np.int64))
    equal(
        envs.obs_rms.count,
        count,
        "the loaded statistics still learn, from what the evaluation sees: set `training = False`",
        where="count after 40 steps",
    )
    equal(envs.obs_rms.mean, mean, "the loaded mean moved", where="mean after 40 steps")


def test_true_rewards(answer):
    """The loaded envs give the environment's own rewards."""
    *_, envs = saved_and_loaded(answer)
    plain = robots(70)
    envs.seed(70)
    envs.reset()
    plain.reset()
    for step, action in enumerate(([1, 3], [2, 1], [0, 0], [3, 2])):
        close(
            envs.step(np.array(action))[1],
            plain.step(np.array(action))[1],
            "these rewards are scaled: what is reported must be the environment's own, so set "
            "`norm_reward = False`",
            where=f"step {step}",
        )
