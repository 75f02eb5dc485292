"""What a policy without memory does on a dry floor, from every start."""

import doctest

import numpy as np
import pytest

from burgerbot.learn import loops, oracle
from burgerbot.learn.loops import endings, greedy_actions
from burgerbot.world.observe import egocentric
from burgerbot.world.rules import CRASHED, DELIVERED, V1_REWARDS, compile_kitchen, step
from burgerbot.world.strata import random_kitchen, start_states


@pytest.mark.parametrize(("name", "seed"), [("open", 1), ("cluttered", 2), ("corridor", 3)])
def test_endings_are_what_following_shows(name, seed):
    """A random table, start by start, until a state comes twice."""
    kitchen = random_kitchen(name, seed)
    table = compile_kitchen(kitchen).table
    rng = np.random.default_rng(seed)
    actions = rng.choice(4, size=len(table) // 4, p=[0.6, 0.2, 0.15, 0.05])
    expected = {"delivered": [], "crashed": [], "circles": []}
    for start in start_states(kitchen).tolist():
        state, seen, end = start, set(), None
        while end is None:
            seen.add(state)
            after, outcome = step(table, state, actions[state])
            state = int(after)
            if outcome in (DELIVERED, CRASHED):
                end = "delivered" if outcome == DELIVERED else "crashed"
            elif state in seen:
                end = "circles"
        expected[end].append(start)
    found = endings(actions, kitchen)
    assert {end: states.tolist() for end, states in found.items()} == expected
    assert sum(len(states) > 0 for states in expected.values()) >= 2


def test_the_best_policy_delivers_from_everywhere():
    """No circle and no crash; standing still is nothing but circles."""
    kitchen = random_kitchen("corridor", 7)
    model = oracle.model(compile_kitchen(kitchen), V1_REWARDS)
    best = oracle.value_iteration(model, 0.99)[1].argmax(axis=1)
    assert len(endings(best, kitchen)["delivered"]) == len(start_states(kitchen))
    still = endings(np.full(len(best), 3), kitchen)
    assert len(still["circles"]) == len(start_states(kitchen))


def test_greedy_actions_ask_the_policy_about_every_state():
    """Scores by observation: the best action of each state."""
    kitchen = random_kitchen("open", 4)
    weights = np.random.default_rng(0).normal(size=(28, 4))
    found = greedy_actions(lambda seen: seen @ weights, kitchen)
    assert np.array_equal(found, (egocentric(kitchen) @ weights).argmax(axis=1))


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(loops).failed == 0
