"""Checkpoints: a run that was cut goes on to the very same weights."""

import signal
import subprocess
import sys
import time

import gymnasium as gym
import numpy as np
import pytest
import torch

import burgerbot  # noqa: F401
from burgerbot.learn import checkpoint
from burgerbot.learn.ppo import PPOConfig, train

CONFIG = PPOConfig(steps=16, epochs=2, minibatches=2, learning_rate=1e-3)

SCRIPT = """
import sys, gymnasium as gym, torch, burgerbot
from burgerbot.learn.ppo import PPOConfig, train
torch.set_num_threads(1)
name, mode, path = sys.argv[1:]
envs = gym.make_vec(name, num_envs=8, autoreset_mode=mode)
train(envs, PPOConfig(steps=16, epochs=2, minibatches=2), 128 * 60, seed=3, checkpoint=path,
      checkpoint_every=3, callback=lambda run: print(run.updates, flush=True))
"""


def weights(run):
    """All parameters in one row, the moments with them."""
    row = torch.cat([p.detach().ravel() for p in run.policy.parameters()])
    return row, run.policy.get_extra_state(), run.optimizer.state_dict()["state"][0]["exp_avg"]


@pytest.mark.parametrize("name", ["BurgerBot-v1", "BurgerBotKitchens-v0", "BurgerBotShift-v0"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_run_in_two_parts_equals_one_in_one_part(name, mode, tmp_path):
    """Weights, moments, optimizer, history: to the bit, though episodes were under way."""
    make = lambda: gym.make_vec(name, num_envs=4, autoreset_mode=mode)  # noqa: E731
    whole = train(make(), CONFIG, 64 * 6, seed=1)
    path = tmp_path / "run.pt"
    train(make(), CONFIG, 64 * 3, seed=1, checkpoint=path)
    parts = train(make(), CONFIG, 64 * 6, seed=1, checkpoint=path)
    (a, moments_a, adam_a), (b, moments_b, adam_b) = weights(whole), weights(parts)
    assert torch.equal(a, b) and moments_a == moments_b and torch.equal(adam_a, adam_b)
    assert whole.history == parts.history and whole.steps == parts.steps
    assert np.array_equal(whole.carry.observations, parts.carry.observations)


def test_environments_without_a_state_begin_new_episodes(tmp_path):
    """CartPole goes on from the weights, with fresh episodes; nothing is lost, nothing fails."""
    path = tmp_path / "run.pt"
    make = lambda: gym.make_vec("CartPole-v1", num_envs=2, vectorization_mode="sync")  # noqa: E731
    first = train(make(), CONFIG, 64, checkpoint=path)
    again = train(make(), CONFIG, 192, checkpoint=path)
    assert again.history[: first.updates] == first.history and again.updates > first.updates


def test_a_finished_run_is_not_trained_again(tmp_path):
    """The checkpoint says that the steps are used up."""
    path = tmp_path / "run.pt"
    envs = gym.make_vec("BurgerBot-v1", num_envs=4)
    first = train(envs, CONFIG, 64, checkpoint=path)
    again = train(envs, CONFIG, 64, checkpoint=path)
    assert again.updates == first.updates and torch.equal(weights(first)[0], weights(again)[0])


def test_other_settings_are_refused_by_name(tmp_path):
    """Another seed, another config: expected and got."""
    path = tmp_path / "run.pt"
    envs = gym.make_vec("BurgerBot-v1", num_envs=4)
    train(envs, CONFIG, 64, seed=1, checkpoint=path)
    with pytest.raises(ValueError, match="seed: expected 2, got a checkpoint of 1"):
        train(envs, CONFIG, 64, seed=2, checkpoint=path)
    with pytest.raises(ValueError, match="robots: expected 8, got a checkpoint of 4"):
        train(gym.make_vec("BurgerBot-v1", num_envs=8), CONFIG, 64, seed=1, checkpoint=path)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path):
    """Rubbish, a cut file, a pickle that would run code, another file of torch."""
    path = tmp_path / "run.pt"
    envs = gym.make_vec("BurgerBot-v1", num_envs=4)
    train(envs, CONFIG, 64, checkpoint=path)
    whole = path.read_bytes()
    for content in (b"rubbish", whole[: len(whole) // 2], b""):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="expected a checkpoint"):
            checkpoint.load(path)
    torch.save({"weights": torch.zeros(2)}, path)
    with pytest.raises(ValueError, match="expected a checkpoint of format"):
        checkpoint.load(path)
    torch.save(print, path)
    with pytest.raises(ValueError, match="expected a checkpoint"):
        checkpoint.load(path)
    with pytest.raises(FileNotFoundError):
        checkpoint.load(tmp_path / "none.pt")


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    """And no scraps beside it."""
    path = tmp_path / "run.pt"
    envs = gym.make_vec("BurgerBot-v1", num_envs=4)
    run = train(envs, CONFIG, 64, checkpoint=path)
    before = path.read_bytes()

    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OSError, match="no space"):
        checkpoint.save(path, run, envs, {})
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def _start(name, mode, path):
    command = [sys.executable, "-c", SCRIPT, name, mode, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_twenty_kills_at_random_moments_change_nothing(tmp_path):
    """SIGKILL, then the same command again, until it is done: the same weights to the bit."""
    draws = np.random.default_rng(7)
    name, mode = "BurgerBotKitchens-v0", "NextStep"
    whole = _start(name, mode, tmp_path / "whole.pt")
    assert whole.wait() == 0
    wanted = checkpoint.load(tmp_path / "whole.pt")
    kills, resumed = 0, 0
    path = tmp_path / "cut.pt"
    while kills < 20:
        process = _start(name, mode, path)
        for _ in range(draws.integers(1, 12)):
            process.stdout.readline()
        time.sleep(draws.uniform(0.0, 0.02))
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        if path.exists():
            resumed += 1
            if checkpoint.load(path)["steps"] >= wanted["steps"]:
                _equal(wanted, checkpoint.load(path))
                path.unlink()  # done: begin anew, until there were twenty kills
    assert _start(name, mode, path).wait() == 0
    assert resumed >= 10
    _equal(wanted, checkpoint.load(path))


def _equal(wanted, got):
    """Weights, moments, optimizer, environments, history."""
    assert wanted["history"] == got["history"]
    for key, value in wanted["policy"].items():
        same = torch.equal(value, got["policy"][key]) if torch.is_tensor(value) else None
        assert same if same is not None else value == got["policy"][key]
    assert torch.equal(wanted["generator"], got["generator"])
