"""Rollouts on the device are those of the host, and nothing is read back."""

import doctest

import gymnasium as gym
import numpy as np
import pytest
import torch
from test_parity import WORLDS
from torch._subclasses.fake_tensor import FakeTensorMode

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import device as device_module
from burgerbot.learn.device import begin_on_device, collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.rollout import begin, collect
from burgerbot.world.torch_vector import TorchBurgerBot


def by_sight(observations):
    """A policy of what is seen, exact on arrays and on tensors: all four actions occur."""
    total = observations.sum(-1)
    long = torch.long if isinstance(observations, torch.Tensor) else np.int64
    whole = total.to(long) if isinstance(observations, torch.Tensor) else total.astype(long)
    return whole * whole % 7 % 4, total * 2.0, total - 1.0


@pytest.mark.parametrize("world", [w for w in WORLDS if w not in ("open", "cluttered")])
def test_rollouts_are_those_of_the_native_env(world):
    """Row for row, over three rollouts that hand their carry on; dtypes too, but for rewards."""
    env_id, kwargs = WORLDS[world]
    native = gym.make_vec(env_id, 6, autoreset_mode="SameStep", **kwargs)
    ours = TorchBurgerBot.make(env_id, 6, "cpu", **kwargs)
    carry, device_carry = begin(native, 3), begin_on_device(ours, 3)
    for steps in (1, 40, 25):
        rollout, carry = collect(native, by_sight, steps, carry)
        device_rollout, device_carry = collect_on_device(ours, by_sight, steps, device_carry)
        for name, expected in rollout._asdict().items():
            got = getattr(device_rollout, name).numpy()
            if name == "rewards":
                expected = expected.astype(np.float32)
            if expected.dtype.kind == "f":
                assert got == pytest.approx(expected, rel=1e-6), name
            else:
                assert got.dtype == expected.dtype and np.array_equal(got, expected), name
        assert np.array_equal(device_carry.observations.numpy(), carry.observations)
        assert not device_carry.resetting.any() and device_carry.resetting.shape == (6,)


def test_actions_alone_are_an_answer_and_rows_are_the_callers():
    """Without log-probs there are none; later rollouts and a rude policy write into no row."""
    envs = TorchBurgerBot(3, "cpu", ">.G")

    def rude(observations):
        observations.fill_(9)
        return torch.zeros(3, dtype=torch.int32)

    rollout, carry = collect_on_device(envs, rude, 4)
    assert rollout.log_probs is None and rollout.values is None
    assert rollout.actions.dtype == torch.int32 and rollout.actions.shape == (4, 3)
    kept = [None if part is None else part.clone() for part in rollout]
    assert rollout.observations[:, 0].tolist() == [[0, 0, 1, 1], [0, 1, 1, 0]] * 2
    collect_on_device(envs, rude, 4, carry)
    for before, now in zip(kept, rollout, strict=True):
        assert before is None or torch.equal(before, now)


def test_the_graph_of_a_policy_is_not_kept():
    """Log-probs and values come without a graph, and can be learned from afterwards."""
    envs = TorchBurgerBot(2, "cpu")
    weight = torch.ones(2, requires_grad=True)
    act = lambda seen: (torch.zeros(2, dtype=torch.long), weight * 2, weight * 3)  # noqa: E731
    rollout, _ = collect_on_device(envs, act, 3)
    assert not rollout.values.requires_grad and not rollout.log_probs.requires_grad
    (weight.sum() * rollout.values.sum()).backward()
    assert weight.grad is not None


@pytest.mark.parametrize("env_id", ["BurgerBot-v0", "BurgerBotKitchens-v0"])
def test_nothing_is_read_back(env_id):
    """A rollout of fake tensors, which have no values, with the course's own policy."""
    envs = TorchBurgerBot.make(env_id, 4, "cpu")
    policy = ActorCritic.of(envs)
    carry = begin_on_device(envs, 0)
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fake = type(carry)(*(mode.from_tensor(part) for part in carry))
        rollout, _ = collect_on_device(envs, policy.act, 3, fake)
    assert rollout.log_probs.shape == (3, 4)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda seen: (seen[:, 0], None), "got a tuple of 2"),
        (lambda seen: (seen[:, 0], seen[:1, 0], None), r"log_probs: expected shape \(2,\)"),
        (lambda seen: (seen[:, 0], None, seen), r"values: expected shape \(2,\), got \(2, 4\)"),
        (lambda seen: seen[0, :1], r"actions: expected shape \(2,\), got \(1,\)"),
    ],
)
def test_wrong_answers_are_refused(act, says):
    """Another number of parts, or another shape."""
    with pytest.raises(ValueError, match=says):
        collect_on_device(TorchBurgerBot(2, "cpu"), act, 1)


def test_misuse_is_refused():
    """No steps, and an environment that is not on a device."""
    with pytest.raises(ValueError, match="steps: expected 1 or more, got 0"):
        collect_on_device(TorchBurgerBot(2, "cpu"), by_sight, 0)
    with pytest.raises(TypeError, match="expected a TorchBurgerBot"):
        native = gym.make_vec("BurgerBot-v0", 2)
        collect_on_device(native, by_sight, 1, begin(native, 0))


def test_doctests():
    """The examples in the docstrings hold."""
    assert doctest.testmod(device_module).failed == 0
