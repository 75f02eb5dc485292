"""Measurements of an SB3 training."""

import gymnasium as gym
import numpy as np
import pytest
import torch
from stable_baselines3 import PPO

from burgerbot.learn import oracle
from burgerbot.scale.measure import (
    drive,
    gradient_spread,
    percent_of_optimum,
    step_rates,
    time_parts,
)
from burgerbot.scale.sb3 import GymToSB3
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import V1_REWARDS, compile_kitchen

torch.set_num_threads(1)


def ppo(num_envs, **kwargs):
    """A small PPO on the classic kitchen."""
    envs = GymToSB3(gym.make_vec("BurgerBot-v1", num_envs=num_envs, autoreset_mode="SameStep"))
    kwargs = {"n_steps": 16, "batch_size": 16, "n_epochs": 1, "device": "cpu", "seed": 0} | kwargs
    return PPO("MlpPolicy", envs, **kwargs)


def optimal(kitchen):
    """The exact optimum as a table of actions."""
    rules = compile_kitchen(kitchen)
    _, q = oracle.value_iteration(oracle.model(rules, V1_REWARDS), 0.97)
    shape = (kitchen.rows, kitchen.cols, 4, 1)
    return np.broadcast_to(q.argmax(axis=1).reshape(shape), (*shape[:3], 3))


@pytest.mark.parametrize("kitchen", [CLASSIC, Kitchen.from_ascii(">.O.\n....\n.O.G")])
def test_the_optimum_is_a_hundred_percent(kitchen):
    """The exact optimum drives the fewest steps, and counts 100; a detour counts less."""
    actions = optimal(kitchen)
    states, delivered = drive(actions, kitchen)
    fewest = oracle.delivery_length(compile_kitchen(kitchen))
    assert delivered and len(states) == fewest + 1

    def table(seen):
        return actions[tuple(seen.T)]

    sizes = actions.shape
    from burgerbot.scale.policy_table import export_policy, load_policy

    assert np.array_equal(load_policy(export_policy(table, sizes=sizes)), actions)


def test_percent_of_a_detour_of_a_crash_and_of_standing_still():
    """Two turns more give 14 of 16 steps; a crash and 150 idle steps give 0."""
    best = optimal(CLASSIC)
    assert percent_of_optimum(lambda seen: best[tuple(seen.T)]) == 100.0

    def detour(seen):  # at the start it turns north first; from there two turns more are needed
        first = (seen[:, 0] == 0) & (seen[:, 1] == 0) & (seen[:, 2] != 2)
        return np.where(first, 1, best[tuple(seen.T)])

    states, delivered = drive(
        np.asarray(detour(np.indices((7, 7, 4, 3)).reshape(4, -1).T)).reshape(7, 7, 4, 3)
    )
    assert delivered and percent_of_optimum(detour) == 100 * 14 / (len(states) - 1) < 100
    assert percent_of_optimum(lambda seen: np.zeros(len(seen), int)) == 0.0
    assert percent_of_optimum(lambda seen: np.full(len(seen), 3)) == 0.0
    assert len(drive(np.full((7, 7, 4, 3), 3))[0]) == 151


def test_gradient_spread_falls_with_robots():
    """16 independent robots give far less spread than one; the policy stays as it was."""
    spreads = []
    for num_envs in (1, 16):
        model = ppo(num_envs)
        before = torch.cat([p.detach().flatten().clone() for p in model.policy.parameters()])
        spreads.append(gradient_spread(model, 25))
        after = torch.cat([p.detach().flatten() for p in model.policy.parameters()])
        assert torch.equal(before, after)
    assert 4 < spreads[0] / spreads[1] < 64


def test_step_rates_and_time_parts():
    """Rates are above 0, by name; the parts of a training add up to the whole."""
    envs = {"a": ppo(4).get_env(), "b": ppo(4).get_env()}
    rates = step_rates(envs, calls=5, rounds=2)
    assert list(rates) == ["a", "b"] and min(rates.values()) > 0
    parts = time_parts(ppo(4), 128)
    total = parts.pop("total")
    assert sum(parts.values()) == pytest.approx(total) and min(parts.values()) > 0
