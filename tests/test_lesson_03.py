"""Lesson 03: what its text says is so."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

from burgerbot.course.manifest import load_course
from burgerbot.learn import oracle
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import V1_REWARDS, compile_kitchen, encode


@pytest.fixture(scope="module")
def lesson():
    """The names that the lesson's imports, given cells and solutions define."""
    names = {}
    for exercise in load_course().select("03"):
        for source in [*exercise.given, exercise.solution]:
            exec(source, names)
    return names


def make(env_id, num_envs, **kwargs):
    """Gymnasium's own loop over N robots."""
    return gym.make_vec(env_id, num_envs=num_envs, vectorization_mode="sync", **kwargs)


class Hands(gym.Env):
    """Hands out one fixed observation, whatever its space says."""

    action_space = gym.spaces.Discrete(4)

    def __init__(self, observation, space):
        self.observation, self.observation_space = observation, space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation, {}


def test_one_robot_given_n_times_is_taken_and_moves_as_one():
    """`lambda: env` raises nothing, and one robot's step is seen by all."""
    env = gym.make("BurgerBot-v0")
    envs = SyncVectorEnv([lambda: env] * 3)
    envs.reset(seed=1)
    observations, *_ = envs.step(np.array([0, 2, 2]))
    assert len({id(robot) for robot in envs.envs}) == 1
    assert observations[:, 2].tolist() == [1, 2, 3]  # it turned twice


def test_a_number_as_seed_counts_up():
    """`reset(seed=5)` is `reset(seed=[5, 6, 7])`."""
    envs = make("BurgerBotKitchens-v0", 3)
    one, two = envs.reset(seed=5)[0], envs.reset(seed=[5, 6, 7])[0]
    assert np.array_equal(one, two)
    assert envs.np_random_seed == (5, 6, 7)


def test_neighbouring_runs_share_three_kitchens_of_four_and_spawned_ones_none(lesson):
    """What the two printed lines of kitchens show."""
    envs = make("BurgerBotKitchens-v0", 4)
    runs, spawned = [], []
    for base_seed in (0, 1):
        envs.reset(seed=base_seed)
        runs.append(envs.get_attr("kitchen"))
        lesson["seeded_reset"](envs, base_seed)
        spawned += [kitchen.to_ascii() for kitchen in envs.get_attr("kitchen")]
    assert runs[0][1:] == runs[1][:-1]
    assert runs[0][0] not in runs[1]
    assert len(set(spawned)) == 8


def test_seeding_the_robots_or_the_single_space_does_not_seed_the_batched_space():
    """Random actions repeat only after `envs.action_space.seed`."""
    envs = make("BurgerBot-v0", 50)
    draws = {}
    for name, seed in {
        "reset": lambda: envs.reset(seed=1),
        "single": lambda: envs.single_action_space.seed(1),
        "batched": lambda: envs.action_space.seed(1),
    }.items():
        draws[name] = []
        for _ in range(2):
            seed()
            draws[name].append(envs.action_space.sample().tolist())
    assert draws["reset"][0] != draws["reset"][1]
    assert draws["single"][0] != draws["single"][1]
    assert draws["batched"][0] == draws["batched"][1]


def test_numpy_seeds_are_refused():
    """A seed must be a Python int."""
    with pytest.raises(gym.error.Error, match="python integer"):
        make("BurgerBot-v0", 2).reset(seed=list(np.arange(2, dtype=np.uint64)))


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float16])
def test_sync_casts_silently(dtype):
    """float64, integers and float16 become float32 without a word."""
    space = gym.spaces.Box(-9, 9, (2,), np.float32)
    envs = SyncVectorEnv([lambda: Hands(np.array([1, 2], dtype), space)] * 2)
    assert envs.reset()[0].dtype == np.float32


def test_sync_refuses_another_shape_and_float_for_uint8():
    """Two cases that do raise."""
    space = gym.spaces.Box(-9, 9, (2,), np.float32)
    with pytest.raises(ValueError, match="shape"):
        SyncVectorEnv([lambda: Hands(np.zeros(3, np.float32), space)] * 2).reset()
    space = gym.spaces.Box(0, 9, (2,), np.uint8)
    with pytest.raises(TypeError, match="cast"):
        SyncVectorEnv([lambda: Hands(np.zeros(2), space)] * 2).reset()


def test_flattened_observations_are_21_numbers():
    """7 + 7 + 4 + 3, and not 4."""
    space = gym.make("BurgerBot-v0").observation_space
    assert gym.spaces.flatdim(space) == 7 + 7 + 4 + 3 == 21


def test_a_reset_row_reports_nothing_and_alone_leaves_no_name():
    """A False in the mask among others; no entry at all where nobody reports."""
    envs, alone = make("BurgerBot-v1", 3), make("BurgerBot-v1", 1)
    envs.reset(seed=1), alone.reset(seed=1)
    for _ in range(4):
        infos, only = envs.step(np.array([0, 1, 3]))[4], alone.step(np.array([0]))[4]
    assert infos["outcome"].tolist() == [0, 0, 0]
    assert infos["_outcome"].tolist() == [False, True, True]
    assert only == {}


@pytest.mark.parametrize("base_seed", [3, 4, 5])
def test_random_bots_stay_near_the_start_and_hardly_deliver(lesson, base_seed):
    """Nearly all visits are in the corner of the start, and thousands fewer at the goal."""
    envs = make("BurgerBot-v1", 64)
    lesson["seeded_reset"](envs, base_seed)
    steps = [envs.step(envs.action_space.sample()) for _ in range(400)]
    visits = lesson["count_visits"](CLASSIC, np.array([step[0] for step in steps]))
    counts = lesson["count_outcomes"]([step[4] for step in steps], 64)
    ended = sum(int((step[2] | step[3]).sum()) for step in steps[:-1])
    assert visits.sum() == 64 * 400
    assert visits[:3, :3].sum() > 0.9 * visits.sum()
    assert visits[0, 0] > 1000 * visits[-1, -1]
    assert counts.sum() == 64 * 400 - ended
    assert counts[:, 3].sum() <= 8


def test_the_best_policy_delivers_once_in_14_steps_and_in_15_rows(lesson):
    """Reset rows are what makes the difference; disturbed at random it hardly delivers."""
    _, q = oracle.value_iteration(oracle.model(compile_kitchen(CLASSIC), V1_REWARDS), 0.97)
    envs, shares = make("BurgerBot-v1", 16), {}
    for epsilon in (0.0, 0.3, 1.0):
        rng, infos = np.random.default_rng(5), []
        observations, _ = lesson["seeded_reset"](envs, 5)
        for _ in range(300):
            states = encode(CLASSIC, *observations.T[:3])
            observations, *_, info = envs.step(lesson["pick_actions"](q, states, epsilon, rng))
            infos.append(info)
        counts = lesson["count_outcomes"](infos, 16).sum(axis=0)
        shares[epsilon] = counts[3] / counts.sum(), counts[3] / (300 * 16), counts[2] / counts.sum()
    assert shares[0.0] == pytest.approx((1 / 14, 1 / 15, 0))
    assert shares[0.0][0] > shares[0.3][0] > shares[1.0][0] < 0.002
    assert shares[0.0][2] < shares[0.3][2] < shares[1.0][2]


def test_too_few_actions_are_noticed_after_some_robots_have_moved():
    """The error comes when the actions run out."""
    envs = make("BurgerBot-v1", 4)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="zip"):
        envs.step(np.array([1, 1]))
    headings = envs.step(np.array([3, 3, 3, 3]))[0][:, 2]
    assert headings.tolist() == [0, 0, 1, 1]


def test_kitchens_of_two_sizes_and_bare_environments_are_refused(lesson):
    """What the blunders of the last section raise."""
    sizes = [lesson["Kitchen"].from_ascii(text) for text in (">..G", ">...G")]
    with pytest.raises(RuntimeError, match="not equivalent"):
        SyncVectorEnv(lesson["make_factories"]("BurgerBot-v1", sizes))
    with pytest.raises(TypeError, match="not callable"):
        SyncVectorEnv([gym.make("BurgerBot-v1")] * 3)
    with pytest.raises(TypeError, match="kitchn"):
        make("BurgerBot-v1", 3, kitchn=CLASSIC)
