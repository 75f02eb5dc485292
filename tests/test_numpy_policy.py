"""The policy as arrays: the same numbers as the torch one, and no torch to be had."""

import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
import torch

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn.numpy_policy import NumpyPolicy, weights_of
from burgerbot.learn.policy import ActorCritic


def trained_a_little(policy, seed=0):
    """Weights and biases moved away from their orderly start."""
    draws = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for part in policy.parameters():
            part.add_(0.3 * torch.randn(part.shape, generator=draws))
    return policy


def codes():
    """A policy of whole numbers, and observations for it."""
    rng = np.random.default_rng(0)
    seen = np.stack([rng.integers(n, size=50) for n in (7, 5, 4, 3)], axis=1)
    return trained_a_little(ActorCritic(4, nvec=(7, 5, 4, 3), hidden=(16, 8))), seen


def measurements():
    """A policy of millimetres, one column constant, and observations, one of them far out."""
    rng = np.random.default_rng(1)
    seen = rng.normal(size=(50, 6)).astype(np.float32) * [1, 10, 1e3, 1e-3, 5, 0] + [
        0,
        5,
        9,
        0,
        0,
        7,
    ]
    policy = trained_a_little(ActorCritic(3, features=6, hidden=(16,)))
    policy.update_moments(seen)
    seen[0] *= 1e3
    return policy, seen.astype(np.float32)


@pytest.mark.parametrize("case", [codes, measurements])
def test_same_logits_and_values_as_the_torch_policy(case):
    """To the accuracy of float32."""
    policy, seen = case()
    twin = NumpyPolicy(weights_of(policy))
    with torch.no_grad():
        logits, values = policy(torch.as_tensor(seen))
    np.testing.assert_allclose(twin(seen), logits.numpy(), atol=2e-5)
    np.testing.assert_allclose(twin.value(seen), values.numpy(), atol=2e-5)
    np.testing.assert_allclose(twin.encode(seen), policy.encode(torch.as_tensor(seen)), atol=1e-5)
    assert twin(seen).dtype == twin.value(seen).dtype == np.float32


@pytest.mark.parametrize("case", [codes, measurements])
def test_says_the_log_probability_of_what_it_did(case):
    """The learner works out the same ones from the same weights: the first ratio is 1."""
    policy, seen = case()
    actions, log_probs, values = NumpyPolicy(weights_of(policy)).act(seen, np.random.default_rng(0))
    with torch.no_grad():
        theirs, _, worth = policy.evaluate_actions(torch.as_tensor(seen), torch.as_tensor(actions))
    np.testing.assert_allclose(log_probs, theirs.numpy(), atol=2e-5)
    np.testing.assert_allclose(values, worth.numpy(), atol=2e-5)
    assert actions.dtype == np.int64


def test_acts_as_often_as_the_softmax_says():
    """Counts of many draws for one observation."""
    policy, seen = codes()
    twin = NumpyPolicy(weights_of(policy))
    many = np.repeat(seen[:1], 20_000, axis=0)
    counts = np.bincount(twin.act(many, np.random.default_rng(0))[0], minlength=4) / 20_000
    chances = torch.softmax(torch.as_tensor(twin(seen[:1])[0]), 0).numpy()
    np.testing.assert_allclose(counts, chances, atol=0.015)


@pytest.mark.parametrize("case", [codes, measurements])
def test_weights_are_copies(case):
    """An optimizer's step, or new moments, reach no worker that has the weights already."""
    policy, seen = case()
    twin = NumpyPolicy(weights_of(policy))
    before = twin(seen)
    trained_a_little(policy, 1)
    policy.update_moments(100 * seen)
    assert np.array_equal(twin(seen), before)
    assert not np.allclose(NumpyPolicy(weights_of(policy))(seen), before)


def test_read_only_weights_will_do():
    """As they come out of Ray's store."""
    policy, seen = measurements()
    weights = weights_of(policy)
    for array in weights.values():
        array.setflags(write=False)
    seen.setflags(write=False)
    NumpyPolicy(weights).act(seen, np.random.default_rng(0))


def test_fits_the_registered_worlds():
    """A rollout by the twin, in a world of whole numbers and in one of measurements."""
    for name in ("BurgerBot-v1", "BurgerBotKitchens-v0"):
        envs = gym.make_vec(name, num_envs=3)
        seen, _ = envs.reset(seed=0)
        policy = ActorCritic.of(envs)
        policy.update_moments(seen)
        actions, log_probs, _ = NumpyPolicy(weights_of(policy)).act(seen, np.random.default_rng(0))
        envs.step(actions)
        np.testing.assert_allclose(log_probs, np.log(0.25), atol=0.2)


def test_refuses_weights_of_something_else():
    """Errors say what was expected."""
    weights = weights_of(codes()[0])
    with pytest.raises(ValueError, match="expected nvec, or offset and scale"):
        NumpyPolicy({n: w for n, w in weights.items() if n != "nvec"})
    with pytest.raises(ValueError, match=r"expected critic\.0\.weight"):
        NumpyPolicy({n: w for n, w in weights.items() if not n.startswith("critic")})


def test_needs_no_torch():
    """A worker imports it, the replay, V-trace and Q-learning; none of them imports torch."""
    code = (
        "import sys; import burgerbot.learn.numpy_policy, burgerbot.learn.replay, "
        "burgerbot.learn.vtrace, burgerbot.learn.q_learning; "
        "sys.exit('torch' in sys.modules or 'ray' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
