"""Random kitchens: always solvable, of the kind that was asked for, the same from the same seed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgerbot.learn.oracle import delivery_length
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import compile_kitchen
from burgerbot.world.strata import STRATA, random_kitchen, start_states, stratum

NAMES = pytest.mark.parametrize("name", STRATA)


@NAMES
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**63))
def test_every_clear_cell_leads_to_the_goal(name, seed):
    """In every random kitchen a delivery is possible from wherever an episode may begin."""
    kitchen = random_kitchen(name, seed)
    assert kitchen == random_kitchen(name, seed)
    distance = kitchen.walking_distance()
    assert all(distance[cell] < kitchen.rows * kitchen.cols for cell in kitchen.clear_cells())
    starts = start_states(kitchen)
    assert len(starts) == 4 * (49 - len(kitchen.obstacles) - 1)
    assert 1 <= delivery_length(compile_kitchen(kitchen), int(starts[seed % len(starts)])) < 100


@pytest.mark.parametrize(("name", "fewest", "most"), [("open", 5, 7), ("cluttered", 10, 14)])
def test_loose_obstacles_are_as_many_as_the_stratum_says(name, fewest, most):
    """Open kitchens have 5 to 7 obstacles and cluttered ones 10 to 14, each number drawn."""
    counts = {len(random_kitchen(name, seed).obstacles) for seed in range(150)}
    assert counts == set(range(fewest, most + 1))


def test_corridor_kitchens_have_a_wall_with_one_door():
    """Some row or column is blocked but for a single cell."""
    for seed in range(100):
        kitchen = random_kitchen("corridor", seed)
        blocked = np.zeros((7, 7), dtype=int)
        blocked[tuple(zip(*kitchen.obstacles, strict=True))] = 1
        assert 6 in {*blocked.sum(axis=0).tolist(), *blocked.sum(axis=1).tolist()}, seed


def test_only_the_greasy_stratum_slips():
    """The slip probabilities are those of the design."""
    assert {name: kind.slip for name, kind in STRATA.items()} == {
        "open": 0.0,
        "cluttered": 0.0,
        "corridor": 0.0,
        "greasy": 0.15,
    }


@NAMES
def test_seeds_give_different_kitchens(name):
    """Neighbouring seeds share no kitchen, and start, goal and heading vary."""
    kitchens = [random_kitchen(name, seed) for seed in range(60)]
    assert len(set(kitchens)) == 60
    assert len({k.goal for k in kitchens}) > 20 and len({k.start[2] for k in kitchens}) == 4


def test_start_states_leave_out_the_goal():
    """Every clear cell but the goal, with every heading, ascending."""
    states = start_states(Kitchen.from_ascii(">OG\n..."))
    assert states.tolist() == [0, 1, 2, 3, *range(12, 24)]


def test_an_unknown_stratum_is_answered_with_the_known_ones():
    """The message lists the four strata."""
    with pytest.raises(ValueError, match="expected one of open, cluttered, corridor, greasy"):
        stratum("foggy")
