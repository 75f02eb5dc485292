"""What the text of lesson 01 claims beyond what its cells compute."""

import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.world.rules import STOP


class StartsAnywhere(gym.Env):
    """An environment that observes one random number, well seeded."""

    observation_space, action_space = gym.spaces.Discrete(10**6), gym.spaces.Discrete(4)

    def draw(self, seed):
        return self.np_random.integers(10**6)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.int64(self.draw(seed)), {}

    def step(self, action):
        return np.int64(0), 0.0, True, False, {}


class Leaky(StartsAnywhere):
    """Makes a new generator where no seed is given."""

    def draw(self, seed):
        generator = self.np_random if seed is not None else np.random.default_rng()
        return generator.integers(10**6)


class SeedsEverybody(StartsAnywhere):
    """Seeds np.random, the generator of the whole program."""

    def draw(self, seed):
        if seed is not None:
            np.random.seed(seed)
        return np.random.randint(10**6)


@pytest.fixture
def made():
    """Make an environment under a name that is forgotten afterwards."""
    gym.register("LessonOne-v0", entry_point=lambda **kwargs: made.entry(**kwargs))

    def make(entry):
        made.entry = entry
        return gym.make("LessonOne-v0").unwrapped

    yield make
    gym.registry.pop("LessonOne-v0")


@pytest.mark.parametrize("seed", range(5))
def test_random_bot_crashes_early(seed):
    """Nearly all random episodes crash, most within twenty steps, none at the limit."""
    env = gym.make("BurgerBot-v0")
    env.action_space.seed(seed)
    lengths, rewards = [], []
    for _ in range(400):
        env.reset()
        ended, steps = False, 0
        while not ended:
            _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            ended, steps = terminated or truncated, steps + 1
        lengths.append(steps)
        rewards.append(reward)
    assert np.mean(np.array(rewards) == -10) > 0.98
    assert np.mean(np.array(lengths) <= 20) > 0.8
    assert max(lengths) < 150


def test_checkers_and_the_leak(made):
    """A leak passes both checkers on a bare instance; made by name, it is found."""
    from stable_baselines3.common.env_checker import check_env as sb3_check_env

    check_env(Leaky(), skip_render_check=True)
    sb3_check_env(Leaky())
    with pytest.raises(AssertionError, match="non-deterministic"):
        check_env(made(Leaky))


def test_checker_lets_global_seeding_through(made):
    """A robot that seeds np.random passes even where it was made by name."""
    before = np.random.get_state()
    check_env(made(SeedsEverybody))
    np.random.set_state(before)


@pytest.mark.parametrize(("limit", "steps"), [(None, 150), (400, 400)])
def test_limit_is_given_to_make(limit, steps):
    """make(max_episode_steps=400) lifts the limit of 150; a wrapper around the first does not."""
    keywords = {} if limit is None else {"max_episode_steps": limit}
    env = gym.wrappers.TimeLimit(gym.make("BurgerBot-v0", **keywords), 1000)
    env.reset()
    flags = [env.step(STOP)[2:4] for _ in range(steps)]
    assert flags == [(False, False)] * (steps - 1) + [(False, True)]


def test_a_list_as_observation_only_warns(made):
    """check_env accepts a list of the right numbers, with a warning."""

    class Lists(StartsAnywhere):
        observation_space = gym.spaces.MultiDiscrete([10**6])

        def reset(self, *, seed=None, options=None):
            observation, info = super().reset(seed=seed)
            return [int(observation)], info

        def step(self, action):
            return [0], 0.0, True, False, {}

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(made(Lists))
    assert any("numpy array" in str(warning.message) for warning in caught)
