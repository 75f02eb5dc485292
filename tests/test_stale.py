"""What staleness costs: a learner that does not correct is biased at lag 8, V-trace is not."""

import doctest
import math

import numpy as np
import pytest

from burgerbot.learn import oracle, stale
from burgerbot.learn import q_learning as q_module
from burgerbot.learn.q_learning import QTable, explorers, transitions
from burgerbot.learn.rollout import collect
from burgerbot.learn.vtrace import vtrace
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import V1_REWARDS, compile_kitchen
from burgerbot.world.vector import BurgerBotVectorEnv

EXACT = stale.values_of(stale.version(stale.NEWEST))[stale.start()]


def corrected(rows, values, next_values, rho_bar=1.0):
    """V-trace targets."""
    numbers = rows.log_ratios, rows.rewards, values, next_values
    flags = rows.terminated, rows.truncated
    return vtrace(*numbers, *flags, gamma=stale.GAMMA, rho_bar=rho_bar)[1]


def bias(lag, target):
    """How far the value of the start is off, after learning."""
    [found] = stale.bias(target, [lag])
    return found


def test_versions_get_better_and_start_at_random():
    """Each is worth more than the one before, from the third on."""
    worth = [stale.values_of(stale.version(k))[stale.start()] for k in range(stale.NEWEST + 1)]
    assert (np.diff(worth[3:]) > 0).all() and worth[-1] - worth[-9] > 4
    assert np.allclose(stale.version(5).sum(axis=1), 1)
    with pytest.raises(ValueError, match="read-only"):
        stale.version(5)[0] = 0
    with pytest.raises(ValueError, match="version: expected 0 or more"):
        stale.version(-1)


def test_the_uncorrected_learner_finds_the_values_of_the_old_policy():
    """At lag 8 it is more than 4 points off, and that is the exact value of version 16."""
    old = stale.values_of(stale.version(stale.NEWEST - 8))[stale.start()] - EXACT
    assert old < -4
    assert bias(8, stale.trusting) == pytest.approx(old, abs=0.3)


def test_vtrace_corrects_it():
    """With rho_bar 1 to what the bound leaves, below 1 point; with none, all of it."""
    new, old = stale.version(stale.NEWEST), stale.version(stale.NEWEST - 8)
    left = stale.values_of(stale.between(new, old))[stale.start()] - EXACT
    assert -1 < left < 0
    assert bias(8, corrected) == pytest.approx(left, abs=0.4)
    free = lambda *args: corrected(*args, rho_bar=math.inf)  # noqa: E731
    assert bias(8, free) == pytest.approx(0.0, abs=0.3)


def test_without_lag_there_is_nothing_to_correct():
    """The same targets to the bit, and no bias."""
    rows = stale.drive(0, 4, 30, seed=0)
    values = np.random.default_rng(0).normal(size=196)
    both = [
        f(rows, values[rows.states], values[rows.next_states]) for f in (stale.trusting, corrected)
    ]
    np.testing.assert_allclose(*both, atol=1e-12)
    assert bias(0, stale.trusting) == pytest.approx(0.0, abs=0.3)


def test_rows_are_of_the_old_version_and_repeat():
    """Ratios are those of the two versions for the action taken."""
    rows, again = (stale.drive(8, 64, 40, seed=1) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(rows, again, strict=True))
    assert rows.valid.all() and rows.terminated.any()
    assert np.exp(rows.log_ratios).mean() == pytest.approx(1.0, abs=0.03)  # by the old version


# --- Q-learning on a table ---


def test_q_learning_reaches_the_exact_values():
    """A corridor, learned from random driving: the best values of every observation seen."""
    envs = BurgerBotVectorEnv(8, ">..G", V1_REWARDS, max_episode_steps=30)
    rng = np.random.default_rng(0)
    q = QTable([1, 4, 4, 3], gamma=0.9)
    carry = None
    for _ in range(60):
        rollout, carry = collect(envs, lambda seen: rng.integers(4, size=8), 40, carry)
        q.learn(transitions(rollout))
    rules = compile_kitchen(Kitchen.from_ascii(">..G"))
    _, exact = oracle.value_iteration(oracle.model(rules, V1_REWARDS), 0.9)
    np.testing.assert_allclose(q(rules.observations[:12]), exact[:12], atol=1e-3)


def test_truncation_keeps_the_future_and_reset_rows_are_left_out():
    """A step at the time limit is worth what comes after; a reset row is no transition."""
    envs = BurgerBotVectorEnv(2, ">..G", max_episode_steps=2)
    rollout, _ = collect(envs, lambda seen: np.full(2, 3), 9)
    rows = transitions(rollout)
    assert len(rows["actions"]) == rollout.valid.sum() == 12
    q = QTable([1, 4, 4, 3], gamma=0.5)
    q.table[:] = 8.0
    np.testing.assert_allclose(q.errors(rows), -0.1 + 0.5 * 8 - 8)


def test_several_rows_of_one_entry_move_it_by_their_mean():
    """Ten copies of a row move it as far as one does: no overshoot."""
    row = {"observations": [[0]], "actions": [1], "rewards": [4.0], "terminated": [True]}
    row["next_observations"] = [[1]]
    ten = {name: values * 10 for name, values in row.items()}
    one, many = QTable([2], 2, rate=0.5), QTable([2], 2, rate=0.5)
    one.learn(row), many.learn(ten)
    assert one.table.tolist() == many.table.tolist() == [[0.0, 2.0], [0.0, 0.0]]


def test_epsilon_of_each_robot():
    """Robot 0 always does anything, robot 1 always the best."""
    q = QTable([1], 4)
    q.table[:] = [0.0, 3.0, 1.0, 2.0]
    rng = np.random.default_rng(0)
    seen = np.zeros((2, 1), dtype=int)
    acts = np.array([q.act(seen, rng, np.array([1.0, 0.0])) for _ in range(400)])
    assert set(acts[:, 1]) == {1}
    np.testing.assert_allclose(np.bincount(acts[:, 0], minlength=4) / 400, 0.25, atol=0.07)
    assert explorers(1).tolist() == [0.4] and (np.diff(explorers(8)) < 0).all()


@pytest.mark.parametrize("options", [{"gamma": 2.0}, {"rate": 0.0}])
def test_refuses_impossible_factors(options):
    """Errors name the argument."""
    with pytest.raises(ValueError, match=next(iter(options))):
        QTable([2], **options)
    with pytest.raises(ValueError, match="count"):
        explorers(0)


def test_examples():
    """The examples in the docstrings hold."""
    assert doctest.testmod(q_module).failed == 0
