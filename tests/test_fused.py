"""The fused kernel's arithmetic: the robots of TorchBurgerBot, on the draws of SplitMix64."""

import numpy as np
import pytest
import torch

from burgerbot.scale.fused import begin, fused, limits, random_actions, reference, why_not
from burgerbot.world import draws
from burgerbot.world.torch_vector import TorchBurgerBot

STEPS = 320
LIMITS = (5, 150)  # random robots rarely live to see the second


def eager(num_envs, steps, device, limit):
    """Sums and counts of the same robots, stepped one by one in TorchBurgerBot."""
    _, robots = begin(num_envs, device, seed=5)
    envs = TorchBurgerBot(num_envs, device, statistics=False, max_episode_steps=limit)
    envs.reset(seed=0)
    paid = torch.zeros(num_envs, device=device)
    crashed, delivered = torch.zeros(2, num_envs, dtype=torch.int32, device=device)
    for actions in random_actions(robots.word, steps):
        _, rewards, _, _, info = envs.step(actions)
        paid += rewards
        crashed += info["outcome"] == 2
        delivered += info["outcome"] == 3
    state = envs.state_dict()
    return paid, crashed, delivered, state["state"], state["elapsed"]


def assert_same(robots, wanted):
    """To the bit."""
    found = (robots.paid, robots.crashed, robots.delivered, robots.state, robots.elapsed)
    for got, want in zip(found, wanted, strict=True):
        assert torch.equal(got.cpu(), want.cpu().to(got.dtype))


def test_actions_are_the_bits_of_splitmix64():
    """Robot i draws the words of the stream of seed + i; each word holds 32 actions."""
    _, robots = begin(3, "cpu", seed=7)
    actions = random_actions(robots.word, 64)
    assert actions.shape == (64, 3) and actions.dtype == torch.int32
    for i in range(3):
        key = draws.stream(7 + i)
        words = [draws._mix((int(key) + (n + 1) * draws.GOLDEN) & draws.WORD) for n in range(2)]
        assert actions[:, i].tolist() == [words[t // 32] >> 2 * (t % 32) & 3 for t in range(64)]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("num_envs", [1, 7, 300])
def test_the_reference_is_the_eager_environment(num_envs, limit):
    """Sums of rewards, crashes, deliveries, states and ages, to the bit."""
    world, robots = begin(num_envs, "cpu", seed=5)
    reference(world._replace(limit=limit), robots, STEPS)
    assert_same(robots, eager(num_envs, STEPS, "cpu", limit))
    assert robots.crashed.sum() > 0


def test_two_calls_are_one_long_one():
    """The words go on, so that no draw is used twice."""
    world, whole = begin(50, "cpu")
    _, parts = begin(50, "cpu")
    reference(world, whole, 128)
    for _ in range(2):
        reference(world, parts, 64)
    assert all(torch.equal(a, b) for a, b in zip(whole, parts, strict=True))


def test_actions_fall_alike():
    """Each of the four a quarter of the time, within four standard errors."""
    _, robots = begin(1000, "cpu")
    share = np.bincount(random_actions(robots.word, 64).numpy().ravel(), minlength=4) / 64_000
    assert (abs(share - 0.25) < 4 * (0.25 * 0.75 / 64_000) ** 0.5).all()


def test_the_arithmetic_of_the_limit():
    """4.8e12 bytes a second, 160 bytes a step: 3e10 steps; 2.5e12 instructions: 1e11."""
    assert limits(4.8e12, 160.0) == {"memory": pytest.approx(3e10)}
    assert limits(4.8e12, 160.0, 2.5e12)["registers"] == pytest.approx(1e11)


def test_what_cannot_be_run_says_why():
    """Not on a CPU, not for 33 steps, not for no robot."""
    world, robots = begin(2, "cpu")
    assert "needs a CUDA device" in why_not(torch.device("cpu"))
    with pytest.raises(RuntimeError, match="needs a CUDA device, and this is cpu"):
        fused(world, robots, 32)
    with pytest.raises(ValueError, match="multiple of 32, got 33"):
        fused(world, robots, 33)
    with pytest.raises(ValueError, match="num_envs"):
        begin(0, "cpu")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("num_envs", [1, 257, 5000])
def test_the_kernel_is_the_eager_environment(num_envs, limit):
    """The same robots, to the bit."""
    if (reason := why_not(torch.device("cuda"))) is not None:
        pytest.skip(reason)
    world, robots = begin(num_envs, "cuda", seed=5)
    world = world._replace(limit=limit)
    fused(world, robots, STEPS // 2)
    fused(world, robots, STEPS // 2)
    assert_same(robots, eager(num_envs, STEPS, "cuda", limit))
