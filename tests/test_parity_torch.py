"""The ladder's top rung: torch = native = scalar, to the bit, on action tapes and on draws."""

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode
from test_parity import WORLDS, ByHand, assert_same, tape_of

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.world import draws, torch_draws
from burgerbot.world.torch_vector import TorchBurgerBot

SAME_STEP = AutoresetMode.SAME_STEP
WORLDS = {
    **WORLDS,
    "strata": (
        "BurgerBotKitchens-v0",
        {"stratum": ["open", "greasy", "corridor", "cluttered"], "family": [3, 5]},
    ),
}


def pair(world, num_envs):
    """A native env and its twin on the CPU."""
    env_id, kwargs = WORLDS[world]
    if "Kitchens" in env_id and num_envs > 64:
        kwargs = {"family": [11, 12, 13, 14], **kwargs}
    native = gym.make_vec(env_id, num_envs, autoreset_mode=SAME_STEP, **kwargs)
    return native, TorchBurgerBot.make(env_id, num_envs, "cpu", **kwargs)


def expected_info(infos, name, done):
    """A native info of all robots: of those that ended it stands in ``final_info``."""
    running, ended = infos.get(name), infos.get("final_info", {}).get(name)
    if running is None or ended is None:
        return ended if running is None else running
    return np.where(done, ended, running)


def assert_same_step(native, ours, where):
    """One step of the native env and of the device env tell the same."""
    observations, rewards, terminated, truncated, infos = native
    assert_same(ours[0].numpy(), observations, f"{where}, observations")
    assert_same(ours[1].numpy(), rewards.astype(np.float32), f"{where}, rewards")
    assert_same(ours[2].numpy(), terminated, f"{where}, terminated")
    assert_same(ours[3].numpy(), truncated, f"{where}, truncated")
    done, info = terminated | truncated, {n: v for n, v in ours[4].items() if n != "episode"}
    assert_same(info["_final_obs"].numpy(), done, f"{where}, _final_obs")
    expected = observations.copy()
    if done.any():
        expected[done] = np.stack(list(infos["final_obs"][done]))
    assert_same(info["final_obs"].numpy(), expected, f"{where}, final_obs")
    for name in ("outcome", "delivered", "true_reward"):
        told = expected_info(infos, name, done)
        if told is not None:
            told = told.astype(np.float32) if name == "true_reward" else told
            assert np.array_equal(info[name].numpy(), told), f"{where}, {name}"


def climb(native, ours, tape, seed=None):
    """Take the same actions on both and compare everything that comes back."""
    if seed is not None:
        assert_same(ours.reset(seed)[0].numpy(), native.reset(seed=seed)[0], "reset")
    for t, actions in enumerate(tape):
        assert_same_step(native.step(actions), ours.step(torch.from_numpy(actions)), f"step {t}")


@pytest.mark.parametrize("num_envs", [1, 7, 1024])
@pytest.mark.parametrize("world", WORLDS)
def test_torch_equals_native(world, num_envs):
    """Observations, rewards, flags, finals and infos, seed after seed, resets without one too."""
    if world == "strata":
        num_envs = {1: 8, 7: 24}.get(num_envs, num_envs)
    native, ours = pair(world, num_envs)
    for seed in (0, 7, 2**70, list(range(num_envs, 0, -1))):
        climb(native, ours, tape_of(num_envs, num_envs, 40 if num_envs < 64 else 20), seed)
        if num_envs > 64:
            return
    assert_same(ours.reset()[0].numpy(), native.reset()[0], "reset without a seed")
    climb(native, ours, tape_of(1, num_envs, 40))


@pytest.mark.parametrize("world", ["v0", "v1, greasy", "greasy", "corridor", "shift, short"])
def test_torch_equals_scalar_by_hand(world):
    """Each robot does what a scalar env does in a plain loop."""
    env_id, kwargs = WORLDS[world]
    by_hand = ByHand(env_id, 3, SAME_STEP, kwargs)
    ours = TorchBurgerBot.make(env_id, 3, "cpu", **kwargs)
    assert_same(ours.reset(5)[0].numpy(), by_hand.reset(seed=5), "reset")
    for t, actions in enumerate(tape_of(7, 3, 60)):
        observations, rewards, terminated, truncated, info = ours.step(torch.from_numpy(actions))
        for i, (observation, reward, *flags, final) in enumerate(by_hand.step(actions)):
            assert_same(observations[i].numpy(), observation, f"step {t}, robot {i}")
            assert rewards[i].item() == np.float32(reward), f"step {t}, robot {i}"
            assert [terminated[i].item(), truncated[i].item()] == flags
            assert info["_final_obs"][i].item() == (final is not None)
            if final is not None:
                assert_same(info["final_obs"][i].numpy(), final, f"step {t}, robot {i}, final")


@pytest.mark.parametrize("world", ["v0, greasy", "greasy", "strata"])
def test_masked_resets_equal_the_native_ones(world):
    """With and without seeds, in the middle of episodes; rows that run on draw nothing."""
    native, ours = pair(world, 8)
    climb(native, ours, tape_of(0, 8, 15), seed=3)
    rng = np.random.default_rng(0)
    for part in range(12):
        mask = rng.random(8) < 0.4
        mask[part % 8] = True
        seed = [None, 50 + part, [None, 1, 2, None, part, 2**65, 6, None]][part % 3]
        expected = native.reset(seed=seed, options={"reset_mask": mask})[0]
        assert_same(ours.reset(seed, mask=torch.from_numpy(mask))[0].numpy(), expected, "masked")
        climb(native, ours, tape_of(part, 8, 9))


@pytest.mark.parametrize("world", ["greasy", "v1, greasy"])
def test_a_million_robot_steps_row_for_row(world):
    """1,000 robots for 1,000 steps, sliding and starting at random."""
    env_id, kwargs = WORLDS[world]
    kwargs = {**kwargs, "family": [1, 2]} if "Kitchens" in env_id else kwargs
    native = gym.make_vec(env_id, 1000, autoreset_mode=SAME_STEP, **kwargs)
    ours = TorchBurgerBot.make(env_id, 1000, "cpu", **kwargs)
    climb(native, ours, tape_of(9, 1000, 1000), seed=123)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("world", ["v0", "strata", "shift"])
def test_twenty_million_robot_steps_row_for_row(world):
    """4,096 robots for 5,000 steps."""
    native, ours = pair(world, 4096)
    native.reset(seed=1)
    ours.reset(1)
    for part in range(50):
        climb(native, ours, tape_of(part, 4096, 100))


def test_draws_are_those_of_the_scalar_robots():
    """Words in int64 give the numbers that SplitMix64 gives in uint64, high bit set or not."""
    seeds = np.random.default_rng(0).integers(0, 2**64, 4096, dtype=np.uint64)
    keys = draws.stream(seeds)
    word = torch.zeros(4096, dtype=torch.int64)
    torch_draws.plant(word, keys, None, torch.ones(4096, dtype=torch.bool))
    for n in range(20):
        word += torch_draws.GOLDEN
        expected = draws.uniform(keys, np.full(4096, n, dtype=np.uint64))
        assert np.array_equal(torch_draws.bits(word).numpy() * 2.0**-53, expected)
        for slip in (0.0, 0.15, 0.3, 2**-53, 1 - 2**-53, 1.0):
            slides = torch_draws.bits(word) < torch_draws.threshold(slip)
            assert np.array_equal(slides.numpy(), expected < slip)
        count = torch.arange(4096) % torch_draws.MOST + 1
        chosen = torch_draws.below(word, count).numpy()
        assert np.array_equal(chosen, (expected * count.numpy()).astype(np.int64))


def test_choices_round_as_float64_does():
    """At the edge of every share, one draw below, on and above, for every number of choices."""
    rounded_up = 0
    for count in range(1, torch_draws.MOST + 1):
        edges = np.array([(m << 53) // count for m in range(1, count + 1)])
        near = (edges[:, None] + np.arange(-300, 3)).ravel()
        near = near[(near >= 0) & (near < 2**53)]
        expected = (near * 2.0**-53 * count).astype(np.int64)
        ours = torch_draws.portion(torch.from_numpy(near), torch.full(near.shape, count))
        assert np.array_equal(ours.numpy(), expected), count
        rounded_up += int((expected > near * count >> 53).sum())
    assert rounded_up > 100  # so the edge does matter


def test_robots_never_share_a_start():
    """Robots whose episodes end together begin anew at starts of their own, and all are used."""
    ours = TorchBurgerBot.make("BurgerBotKitchens-v0", 2000, family=4, max_episode_steps=1)
    seen = [ours.reset(0)[0]]
    for _ in range(20):
        seen.append(ours.step(torch.full((2000,), 3))[0])
    places = torch.stack(seen).unique(dim=1).shape[1]
    first = torch.stack(seen).reshape(21, 2000, -1)
    assert places > 1990  # hardly two of 2,000 robots have begun alike 21 times
    assert all(len(row.unique(dim=0)) > 100 for row in first)
