"""Groups of robots: what they see, what they share, and values that are exact."""

import doctest

import numpy as np
import pytest

from burgerbot.learn import sharing
from burgerbot.learn.rollout import gae
from burgerbot.learn.sharing import GAMMA, SHARING, SITUATIONS, drive_groups, policy, situations
from burgerbot.world.kitchen import MOVES, Kitchen
from burgerbot.world.rules import encode
from burgerbot.world.strata import random_kitchen


def test_situations_are_what_the_map_shows():
    """Every pose of two kitchens, one not square: the side on which the goal lies, and the way."""
    for kitchen in (random_kitchen("cluttered", 3), Kitchen.from_ascii("v.O..\n....O\n.O..G")):
        found = situations(kitchen)
        for row, col in kitchen.clear_cells():
            for heading, (down, east) in enumerate(MOVES):
                south, right_of = kitchen.goal[0] - row, kitchen.goal[1] - col
                ahead = south * down + right_of * east
                right = south * east - right_of * down
                name = SITUATIONS[found[encode(kitchen, row, col, heading)]]
                blocked = not kitchen.is_clear(row + down, col + east)
                assert name.endswith(", blocked") == blocked
                side = name.split(",")[0]
                sides = {"goal ahead": ahead, "goal behind": -ahead}
                sides |= {"goal right": right, "goal left": -right}
                assert sides[side] == max(sides.values())


def test_the_policy_is_one_of_probabilities_above_0():
    """Eight rows that add up to 1; no action is ruled out."""
    probabilities = policy()
    assert probabilities.shape == (len(SITUATIONS), 4)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(8))
    assert (probabilities > 0.01).all()
    assert [row.argmax() for row in probabilities[[0, 1, 3]]] == [0, 2, 1]


@pytest.mark.parametrize("kind", SHARING)
def test_what_a_group_shares(kind):
    """Copies are equal in all things; families begin alike and part; others begin elsewhere."""
    rows = drive_groups(6, 8, kind, seed=1)
    assert all(array.shape == (32, 48) for array in rows)
    assert rows.valid.all()
    starts = rows.values[0].reshape(6, 8)
    whole = np.concatenate([rows.actions, rows.rewards]).reshape(64, 6, 8)
    first_alike = (starts == starts[:, :1]).all()
    assert first_alike == (kind != "nothing")
    assert (whole == whole[:, :, :1]).all() == (kind == "everything")
    assert len(np.unique(starts[:, 0])) > 2  # groups differ


def test_groups_do_not_depend_on_how_many_there_are():
    """Group m is the same alone and among others, and another seed gives other groups."""
    few, many = drive_groups(2, 3, "kitchen", seed=5), drive_groups(7, 3, "kitchen", seed=5)
    assert all(np.array_equal(a, b[:, :6]) for a, b in zip(few, many, strict=True))
    other = drive_groups(2, 3, "kitchen", seed=6)
    assert not np.array_equal(few.rewards, other.rewards)


def test_neighbouring_seeds_share_nothing():
    """The groups of seeds 0 and 1 are not each other's, one further on."""
    first, second = (drive_groups(8, 1, "nothing", seed=s).actions for s in (0, 1))
    assert not any((first[:, [m]] == second).all(axis=0).any() for m in range(8))


def test_actions_follow_the_policy():
    """In each situation the actions come as often as the probabilities say."""
    rows = drive_groups(400, 4, "nothing", seed=2)
    for kind, probabilities in enumerate(policy()):
        here = rows.actions[rows.situations == kind]
        often = np.bincount(here, minlength=4) / len(here)
        assert often == pytest.approx(probabilities, abs=4.5 * 0.5 / np.sqrt(len(here)))


def test_values_are_exact():
    """The one-step errors are 0 on average, in each situation: nothing is expected to go better."""
    rows = drive_groups(1500, 4, "nothing", seed=3)
    delta, _ = gae(*rows[2:7], gamma=GAMMA, lam=0.0)
    for kind in range(len(SITUATIONS)):
        here = delta[rows.situations == kind]
        assert abs(here.mean()) < 4.5 * here.std() / np.sqrt(len(here))


def test_wrong_arguments():
    """Expected and got."""
    with pytest.raises(ValueError, match=r"sharing: expected one of .*got 'lunch'"):
        drive_groups(1, 1, "lunch", seed=0)
    with pytest.raises(ValueError, match=r"got \(0, 1, 32\)"):
        drive_groups(0, 1, "nothing", seed=0)


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(sharing).failed == 0
