"""The held-out panel: strata, families, the exact optimum beside them."""

import doctest

import numpy as np
import pytest

from burgerbot.learn import optima, oracle, panel
from burgerbot.learn.accounting import seed_families
from burgerbot.learn.optima import LIMIT, optimum
from burgerbot.learn.panel import held_out
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv
from burgerbot.world.rules import V1_REWARDS, compile_kitchen
from burgerbot.world.strata import STRATA, random_kitchen, start_states, stratum

POOLS = seed_families(3, open=6, cluttered=5, corridor=4, greasy=8)


def forward(observations):
    """Drive on whatever comes."""
    return np.zeros(len(observations), dtype=int)


def best_policy(families):
    """The exact best policy of these kitchens, which looks up where it is by what it sees."""
    actions = {}
    for name, seeds in families.items():
        for seed in seeds:
            kitchen = random_kitchen(name, seed)
            model = oracle.model(compile_kitchen(kitchen), V1_REWARDS, slip=stratum(name).slip)
            _, q = oracle.value_iteration(model, 0.999)
            world = BurgerBotKitchensVectorEnv._observe(kitchen)
            for seen, row in zip(world, q, strict=True):
                actions[seen.tobytes()] = int(row.argmax())
    return lambda seen: np.array([actions[row.tobytes()] for row in seen])


def test_a_panel_by_hand():
    """One kitchen in each stratum, every episode replayed: success, crash, timeout, length."""
    families = {name: POOLS[name][:1] for name in STRATA}
    found = held_out(forward, families, robots=3, episodes=4, seed=1)
    assert list(found.strata) == list(STRATA)
    for evaluation in found.strata.values():
        assert evaluation.returns.shape == (3, 4)
        assert evaluation.lengths.max() <= 6  # forward ends at a wall or at the goal
        assert evaluation.success.mean + evaluation.crash.mean == 1.0
        assert evaluation.timeout.mean == 0.0
    assert found.seeds == [pool[0] for pool in families.values()]


def test_standing_still_times_out_in_every_stratum():
    """100 steps at -0.5; on a greasy floor the robot slides into something at last."""
    found = held_out(lambda o: np.full(len(o), 3), {"open": POOLS["open"]}, robots=2)
    open_floor = found.strata["open"]
    assert open_floor.timeout.mean == 1.0 and open_floor.mean_length.mean == LIMIT
    assert open_floor.mean_return.mean == pytest.approx(-0.5 * LIMIT)
    assert np.isnan(found.correlation("open")) and np.isnan(found.effective_episodes("open"))
    assert "-" in str(found).splitlines()[1].split()
    greasy = held_out(lambda o: np.full(len(o), 3), {"greasy": POOLS["greasy"]}).strata["greasy"]
    assert greasy.crash.mean > 0.5


def test_the_optimum_is_reached_by_the_best_policy_and_by_no_other():
    """On a dry floor success 1 and the best return; on a greasy one within the interval."""
    families = {"open": POOLS["open"], "cluttered": POOLS["cluttered"]}
    found = held_out(best_policy(families), families, robots=8, episodes=8)
    for name, evaluation in found.strata.items():
        assert found.success[name] == found.optima[name].success == 1.0
        _, low, high = evaluation.mean_return
        assert low - 0.5 < found.optima[name].mean_return < high + 0.5
    assert found.overall.mean == 1.0
    greasy = {"greasy": POOLS["greasy"]}
    slid = held_out(best_policy(greasy), greasy, robots=16, episodes=16)
    assert 0.8 < slid.optimum < 1.0
    assert slid.success["greasy"] == pytest.approx(slid.optimum, abs=0.05)
    assert held_out(forward, greasy).overall.mean < slid.optimum


def test_the_optimum_of_a_kitchen_is_the_mean_over_its_starts():
    """Against value iteration without a step limit, which is far away here."""
    seed = POOLS["greasy"][0]
    kitchen = random_kitchen("greasy", seed)
    world = compile_kitchen(kitchen)
    model = oracle.model(world, (0.0, 0.0, 0.0, 1.0), slip=0.15)
    values, _ = oracle.value_iteration(model, 0.999999, tolerance=1e-9)
    starts = start_states(kitchen)
    assert optimum("greasy", seed).success == pytest.approx(values[starts].mean(), abs=1e-3)
    assert optimum("open", POOLS["open"][0]).success == 1.0
    assert 40 < optimum("open", POOLS["open"][0]).mean_return < 50


def test_all_strata_together_weigh_every_episode_alike():
    """Success, optimum and correlation over strata of different sizes."""
    found = held_out(forward, POOLS, robots=2, episodes=3)
    counts = {name: len(pool) for name, pool in POOLS.items()}
    total = sum(counts.values())
    expected = sum(found.success[name] * counts[name] for name in POOLS) / total
    assert found.overall.mean == pytest.approx(expected)
    best = sum(found.optima[name].success * counts[name] for name in POOLS) / total
    assert found.optimum == pytest.approx(best)
    assert -1 < found.correlation() <= 1
    assert 0 < found.effective_episodes() <= total * 6
    lines = str(found).splitlines()
    assert len(lines) == 6 and lines[-1].startswith("all") and len(set(map(len, lines))) == 1
    assert len(set(panel.HEADS)) == len(panel.HEADS)  # two optima: of success, and of return


def test_one_seed_in_two_strata_is_two_families():
    """A pool that two strata share is not one family when all strata are taken together."""
    found = held_out(forward, {"open": POOLS["open"], "corridor": POOLS["open"]}, robots=2)
    assert len(np.unique(found._pooled().families)) == 12
    assert len(found.seeds) == 6


def test_the_same_call_gives_the_same_panel_and_another_seed_another_one():
    """Starts come from the seed, and robots of one family start in different places."""
    one, same, other = (held_out(forward, POOLS, seed=s) for s in (0, 0, 1))
    lengths = [[e.lengths.tolist() for e in p.strata.values()] for p in (one, same, other)]
    assert lengths[0] == lengths[1] != lengths[2]
    crowd = held_out(forward, {"open": POOLS["open"][:1]}, robots=32).strata["open"]
    assert len(np.unique(crowd.lengths)) > 2


@pytest.mark.parametrize(
    ("families", "says"),
    [
        ({}, "expected strata with seeds"),
        ({"open": []}, "expected strata with seeds"),
        ({"open": [1, 2, 1]}, r"families\['open'\]: expected different seeds"),
        ({"lunch": [1]}, "got 'lunch'"),
    ],
)
def test_wrong_families(families, says):
    """Expected and got."""
    with pytest.raises(ValueError, match=says):
        held_out(forward, families)


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(panel).failed == 0
    assert doctest.testmod(optima).failed == 0
