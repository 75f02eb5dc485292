"""Exercise 01.6: register, make, check."""

import re
import warnings

import gymnasium as gym
import numpy as np
import pytest

from burgerbot.course.claims import equal, instance, that

ID = "BurgerBotCourseExercise-v0"


class GoodBot(gym.Env):
    """A robot on a line of cells, in keeping with every rule."""

    def __init__(self, length=9):
        self.length = length
        self.observation_space = gym.spaces.MultiDiscrete([length])
        self.action_space = gym.spaces.Discrete(2)

    def observe(self):
        return np.array([self.cell], dtype=np.int64)

    def draw(self, seed):
        return self.np_random

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.cell = int(self.draw(seed).integers(self.length))
        return self.observe(), {}

    def step(self, action):
        self.cell = (self.cell + int(action)) % self.length
        return self.observe(), 0.0, False, False, {}


class LongBot(GoodBot):
    """The same, on a longer line: what a learner's class is after an edit."""

    def __init__(self, length=30):
        super().__init__(length)


class FloatBot(GoodBot):
    """Observes a float where its space says whole numbers."""

    def observe(self):
        return np.array([self.cell], dtype=np.float64)


class LeakyBot(GoodBot):
    """Seeded, it repeats. Not seeded, it draws from a generator that no seed reaches."""

    def draw(self, seed):
        return self.np_random if seed is not None else np.random.default_rng()

    def __init__(self, length=10**6):
        super().__init__(length)


@pytest.fixture(autouse=True)
def registry_put_back():
    """Leave Gymnasium's register as it was."""
    gym.registry.pop(ID, None)
    yield
    gym.registry.pop(ID, None)


def steps_until_the_end(env, most=400):
    """Play on: how many steps the episode has, and its last two flags."""
    env.reset(seed=1)
    for number in range(1, most + 1):
        _, _, terminated, truncated, _ = env.step(0)
        if terminated or truncated:
            return number, bool(terminated), bool(truncated)
    return most, False, False


def register(answer, *arguments, **keywords):
    """Call the answer, and see that a registered environment comes back."""
    try:
        env = answer.register_bot(ID, *arguments, **keywords)
    except AttributeError as error:
        entry = gym.registry[ID].entry_point if ID in gym.registry else None
        that(
            not isinstance(entry, gym.Env),
            "hand on the class as it is: `entry_point=entry_point`. With brackets after it, a "
            "robot is registered where a way to make robots is wanted",
            expected=f"the class {type(entry).__name__}",
            yours=f"a {type(entry).__name__}, and then AttributeError: {error}",
            where=f"gym.register({ID!r}, entry_point=...)",
        )
        raise
    instance(env, gym.Env, "register_bot returns the environment that `gym.make` made")
    that(
        ID in gym.registry,
        "the id is not in Gymnasium's register: `gym.register(env_id, entry_point=...)`",
        where=f"register_bot({ID!r}, ...)",
    )
    that(
        env.spec is not None and env.spec.id == ID,
        "this environment does not come from `gym.make(env_id)`: a bare instance has no spec, and "
        "no step limit",
        expected=f"an environment with the spec of {ID}",
        yours=env,
    )
    return env


def complaint(answer, entry_point):
    """Whether `check_env` refuses an environment."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer.register_bot(ID, entry_point)
    except AssertionError:
        return True
    return False


def test_registers_and_makes(answer):
    """The id is registered, and the environment that comes back was made from it."""
    env = register(answer, GoodBot)
    instance(env.unwrapped, GoodBot, "the environment inside is not the one that was registered")


def test_limit_truncates(answer):
    """Without another word the limit is 150 steps; it truncates and does not terminate."""
    for limit, keywords in ((150, {}), (7, {"max_episode_steps": 7})):
        gym.registry.pop(ID, None)
        env = register(answer, GoodBot, **keywords)
        steps, terminated, truncated = steps_until_the_end(env)
        where = f"register_bot(id, entry_point{', max_episode_steps=7' if keywords else ''})"
        that(
            truncated,
            "no limit ends the episode: hand `max_episode_steps` on to `gym.register`, and return "
            "the environment with its wrappers, since `.unwrapped` takes the limit off",
            expected=f"truncated after {limit} steps",
            yours=f"{steps} steps, and the episode goes on",
            where=where,
        )
        equal(terminated, False, "the limit truncates; it does not terminate", where=where)
        equal(steps, limit, "the limit is not the one that was asked for", where=where)
        that(
            gym.spec(ID).max_episode_steps == limit,
            "the limit belongs to the id: give it to `gym.register`, so that whoever makes the "
            "environment gets it",
            expected=limit,
            yours=repr(gym.spec(ID).max_episode_steps),
            where=where,
        )


def test_wrong_dtype_is_refused(answer):
    """A robot that observes floats in a space of whole numbers does not pass."""
    refused = complaint(answer, FloatBot)
    that(
        refused,
        "a robot with the wrong dtype came through: call `check_env`, and let its complaint out",
        expected="AssertionError from check_env",
        yours="no complaint",
        where="a robot that observes float64 in a MultiDiscrete space",
    )


def test_leak_of_randomness_is_refused(answer):
    """A robot whose unseeded resets forget the seed does not pass."""
    refused = complaint(answer, LeakyBot)
    that(
        refused,
        "a robot that forgets its seed came through. On a bare instance `check_env` leaves that "
        "test out: check what `gym.make` made, `.unwrapped`",
        expected="AssertionError from check_env",
        yours="no complaint",
        where="a robot that draws from np.random.default_rng() at each reset without a seed",
    )


def test_keywords_reach_the_robot(answer):
    """What is given to `gym.make` reaches the class that was registered."""
    register(answer, GoodBot)
    try:
        length = gym.make(ID, length=5).unwrapped.length
    except TypeError as error:
        length = f"TypeError: {error}"
    equal(
        length,
        5,
        "a keyword of `gym.make` is lost on its way: register the entry point itself",
        where=f"gym.make({ID!r}, length=5)",
    )


def test_no_warnings(answer):
    """A good robot is registered without a warning, and so it is when the cell runs again."""
    for run in ("the first run", "a second run of the cell"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            register(answer, GoodBot)
        texts = [re.sub(r"\x1b\[\d+m", "", str(warning.message)) for warning in caught]
        that(
            not any("unwrapped version" in text for text in texts),
            "check_env looks at the robot itself, not at the wrappers around it: give it "
            "`env.unwrapped`",
            yours="".join(texts[:1]),
            where=run,
        )
        that(
            not any("Overriding" in text for text in texts),
            "Gymnasium warns that an id is registered twice: take the old entry out first, "
            "`gym.registry.pop(env_id, None)`",
            yours="".join(texts[:1]),
            where=run,
        )
        that(not texts, "a good robot needs no warning", yours="".join(texts[:1]), where=run)


def test_a_second_run_counts(answer):
    """After an edit the cell runs again: the new class and the new limit count."""
    register(answer, GoodBot)
    env = register(answer, LongBot, max_episode_steps=11)
    message = (
        "the old entry is still in the register: a second run must replace it, or edits of the "
        "class have no effect"
    )
    instance(env.unwrapped, LongBot, message, where="registered twice, the second time LongBot")
    limit = steps_until_the_end(env)[0]
    equal(limit, 11, message, where="registered twice, the second time with 11 steps")
