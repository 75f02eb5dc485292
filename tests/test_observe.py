"""Observations: the egocentric view against a walk over the map, and spaces that hold them all."""

import itertools

import gymnasium as gym
import numpy as np
import pytest

from burgerbot.world import observe
from burgerbot.world.kitchen import CLASSIC, MOVES, Kitchen
from burgerbot.world.rules import decode
from burgerbot.world.strata import STRATA, random_kitchen

LOPSIDED = Kitchen.from_ascii("v.O..\n....O\n.O..G")


@pytest.mark.parametrize("kitchen", [CLASSIC, LOPSIDED, random_kitchen("corridor", 3)])
def test_egocentric_view_is_what_a_walk_ahead_and_aside_finds(kitchen):
    """Cell (i, j) of the view lies 2 - i steps ahead and j - 2 to the right of the robot."""
    table = observe.egocentric(kitchen)
    assert table.dtype == np.float32 and table.shape == (kitchen.rows * kitchen.cols * 4, 28)
    for state, seen in enumerate(table):
        row, col, heading = decode(kitchen, state)
        forward, right = MOVES[heading], MOVES[(heading + 1) % 4]
        for i in range(5):
            for j in range(5):
                ahead, aside = 2 - i, j - 2
                cell = (
                    row + ahead * forward[0] + aside * right[0],
                    col + ahead * forward[1] + aside * right[1],
                )
                assert seen[i * 5 + j] == (not kitchen.is_clear(*cell))
        south, east = kitchen.goal[0] - row, kitchen.goal[1] - col
        assert seen[25] == 300 * (south * forward[0] + east * forward[1])
        assert seen[26] == 300 * (south * right[0] + east * right[1])
        assert seen[27] == pytest.approx(300 * np.hypot(south, east), rel=1e-6)


def test_a_hand_drawn_view():
    """Facing east at the left edge: the wall is behind, the obstacle one ahead to the right."""
    kitchen = Kitchen.from_ascii("....\n>...\n.O.G\n....")
    view = observe.egocentric(kitchen)[(1 * 4 + 0) * 4 + 1]
    assert view[:25].reshape(5, 5).tolist() == [
        [1, 0, 0, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 0, 0, 0],
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
    ]
    assert view[25:].tolist() == pytest.approx([900, 300, 300 * np.sqrt(10)])


@pytest.mark.parametrize("look", [observe.grid, observe.egocentric])
@pytest.mark.parametrize("kitchen", [CLASSIC, LOPSIDED, Kitchen.from_ascii(">G")])
def test_every_observation_is_in_its_space(look, kitchen):
    """The space holds every row of the table, dtype included."""
    space = observe.space(kitchen, look)
    assert all(row in space for row in look(kitchen))


@pytest.mark.parametrize("stratum", STRATA)
def test_kitchens_env_passes_the_checkers_and_stays_in_its_space(stratum):
    """check_env and SB3's accept BurgerBotKitchens-v0; the same seed gives the same run."""
    from gymnasium.utils.env_checker import check_env
    from stable_baselines3.common.env_checker import check_env as sb3_check_env

    env = gym.make("BurgerBotKitchens-v0", stratum=stratum)
    check_env(env.unwrapped)
    sb3_check_env(env.unwrapped)
    runs = []
    for _ in range(2):
        env.action_space.seed(0)
        run = [env.reset(seed=7)[0]]
        for _ in range(60):
            observation, _, terminated, truncated, info = env.step(env.action_space.sample())
            run.append(observation)
            assert observation in env.observation_space and "true_reward" in info
            if terminated or truncated:
                run.append(env.reset()[0])
        runs.append(np.stack(run))
    assert np.array_equal(*runs) and len(np.unique(runs[0], axis=0)) > 10


def test_the_endless_shift_never_ends_and_its_best_rate_is_4_342857():
    """Fourteen steps pay 60.8, the robot is back at the start, and no flag is ever set."""
    from burgerbot.learn import oracle
    from burgerbot.world.rules import V0_REWARDS, compile_kitchen

    rules = compile_kitchen(CLASSIC)
    states, _ = oracle.rollout(
        oracle.model(rules, V0_REWARDS),
        oracle.value_iteration(oracle.model(rules, V0_REWARDS), 0.9)[1].argmax(1),
        rules.start,
        150,
    )
    table = rules.table.reshape(-1, 4) >> 2
    pairs = itertools.pairwise(states)
    actions = [int(np.flatnonzero(table[s] == after)[0]) for s, after in pairs]
    env = gym.make("BurgerBotShift-v0")
    first, _ = env.reset(seed=0)
    total = 0.0
    for _ in range(20):
        for action in actions:
            observation, reward, terminated, truncated, info = env.step(action)
            total += reward
            assert not (terminated or truncated)
        assert info == {"outcome": 3} and np.array_equal(observation, first)
    assert total / (20 * 14) == pytest.approx(4.342857, abs=1e-6)
    env.step(1)
    observation, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["outcome"]) == (-10.0, False, 2)
    assert np.array_equal(observation, first)
