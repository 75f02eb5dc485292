"""The actor and the critic: shapes, codes, moments, draws."""

import doctest

import gymnasium as gym
import numpy as np
import pytest
import torch

import burgerbot  # noqa: F401
from burgerbot.learn import encoder
from burgerbot.learn.policy import ActorCritic

SEEN = torch.tensor([[0, 6, 3, 2], [6, 0, 0, 0], [3, 3, 1, 1]])


def test_whole_numbers_become_one_hot_codes():
    """[0, 6, 3, 2] of nvec [7, 7, 4, 3] sets places 0, 7 + 6, 14 + 3 and 18 + 2."""
    policy = ActorCritic(4, nvec=[7, 7, 4, 3])
    codes = policy.encode(SEEN)
    assert codes.shape == (3, 21) and codes.dtype == torch.float32
    assert codes[0].nonzero().ravel().tolist() == [0, 13, 17, 20]
    assert codes.sum(1).tolist() == [4.0, 4.0, 4.0]


def test_measurements_are_put_on_one_scale_and_saved_with_the_weights():
    """Centred, scaled, clipped at 10; a constant column becomes 0; the state dict keeps it."""
    policy = ActorCritic(3, features=3, seed=1)
    rows = np.array([[1000.0, 5.0, -1.0], [3000.0, 5.0, 1.0]], dtype=np.float32)
    policy.update_moments(torch.as_tensor(rows))
    read = policy.encode(torch.as_tensor(rows))
    assert read.tolist() == [[-1.0, 0.0, -1.0], [1.0, 0.0, 1.0]]
    assert policy.encode(torch.tensor([[1e9, 5.0, 0.0]])).tolist() == [[10.0, 0.0, 0.0]]
    other = ActorCritic(3, features=3, seed=2)
    other.load_state_dict(policy.state_dict())
    assert torch.equal(other.logits(torch.as_tensor(rows)), policy.logits(torch.as_tensor(rows)))
    assert other.moments.state_dict() == policy.moments.state_dict()


def test_moments_from_tensors_equal_those_from_arrays():
    """[T, N, features] in two bits as tensors, or in one as an array."""
    rows = np.random.default_rng(0).normal(1e4, 3.0, (8, 5, 2)).astype(np.float32)
    ours, whole = ActorCritic(2, features=2), ActorCritic(2, features=2)
    ours.update_moments(torch.as_tensor(rows[:3]))
    ours.update_moments(torch.as_tensor(rows[3:]))
    whole.update_moments(rows)
    assert ours.moments.count == whole.moments.count == 40
    np.testing.assert_allclose(ours.moments.mean, whole.moments.mean, rtol=1e-12)
    np.testing.assert_allclose(ours.moments.var, whole.moments.var, rtol=1e-9)


def test_actions_fall_as_often_as_the_softmax_says():
    """100,000 draws, each share within four standard errors."""
    policy = ActorCritic(4, nvec=[2])
    with torch.no_grad():
        policy.actor[-1].bias.copy_(torch.tensor([0.0, 1.0, -1.0, 2.0]))
        policy.actor[-1].weight.zero_()
    seen = torch.zeros(100_000, 1, dtype=torch.int64)
    actions, log_probs, values = policy.act(seen, torch.Generator().manual_seed(0))
    wanted = torch.tensor([0.0, 1.0, -1.0, 2.0]).softmax(0)
    share = torch.bincount(actions, minlength=4) / len(actions)
    assert ((share - wanted).abs() < 4 * (wanted * (1 - wanted) / 1e5).sqrt()).all()
    torch.testing.assert_close(log_probs, wanted.log()[actions])
    assert values.shape == (100_000,) and not (log_probs.requires_grad or values.requires_grad)


def test_the_same_generator_draws_the_same_actions():
    """Seeded draws repeat, and the policy's first weights do too."""
    seen = SEEN.repeat(50, 1)
    first, again = (
        ActorCritic(4, nvec=[7, 7, 4, 3], seed=3).act(seen, torch.Generator().manual_seed(5))
        for _ in range(2)
    )
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    other = ActorCritic(4, nvec=[7, 7, 4, 3], seed=4).logits(seen)
    assert not torch.equal(other, ActorCritic(4, nvec=[7, 7, 4, 3], seed=3).logits(seen))


def test_evaluated_log_probabilities_and_entropy_are_those_of_torch():
    """torch.distributions.Categorical is the oracle."""
    policy = ActorCritic(4, nvec=[7, 7, 4, 3])
    with torch.no_grad():
        policy.actor[-1].weight.mul_(200)
    actions = torch.tensor([3, 0, 2])
    log_probs, entropy, values = policy.evaluate_actions(SEEN, actions)
    oracle = torch.distributions.Categorical(logits=policy.logits(SEEN))
    torch.testing.assert_close(log_probs, oracle.log_prob(actions))
    torch.testing.assert_close(entropy, oracle.entropy())
    torch.testing.assert_close(values, policy.value(SEEN))


@pytest.mark.parametrize(
    ("name", "width"),
    [("BurgerBot-v0", 21), ("BurgerBotKitchens-v0", 28), ("CartPole-v1", 4)],
)
def test_networks_fit_the_environment(name, width):
    """One-hot width for MultiDiscrete, the columns for a Box."""
    envs = gym.make_vec(name, num_envs=3)
    policy = ActorCritic.of(envs)
    assert policy.width == width
    seen, _ = envs.reset(seed=0)
    assert policy.scores(seen).shape == (3, policy.num_actions)
    envs.close()


def test_spaces_that_do_not_fit_are_named():
    """Continuous actions, pictures, neither or both kinds of observation."""
    with pytest.raises(TypeError, match=r"Discrete actions.*got Box"):
        ActorCritic.of(gym.make_vec("Pendulum-v1", num_envs=1))
    with pytest.raises(ValueError, match="nvec or features"):
        ActorCritic(4)
    with pytest.raises(ValueError, match="1 or more"):
        ActorCritic(4, features=0)
    with pytest.raises(ValueError, match="1 or more"):
        ActorCritic(4, nvec=[])
    with pytest.raises(ValueError, match="1 or more"):
        ActorCritic(4, features=2, hidden=(0,))


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(encoder).failed == 0
