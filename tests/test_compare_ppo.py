"""PPO of this course beside SB3's: the same settings, seed by seed."""

from dataclasses import replace

import pytest

from burgerbot.scale import compare_ppo
from burgerbot.scale.compare_ppo import CASES, Run, alike, compare


def runs(*scores):
    return [Run(score, 1.0) for score in scores]


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ((500, 500, 500), (500, 500, 500), True),
        ((40, 50, 60), (45, 50, 56), True),
        ((10, 11, 12), (48, 49, 50), False),
        ((0, 50, 100), (48, 48, 48), False),  # theirs lies in ours, ours not in theirs
    ],
)
def test_alike_means_each_in_the_others_interval(ours, theirs, same):
    """One that lies within the other's wide interval is not enough."""
    assert alike({"ours": runs(*ours), "SB3": runs(*theirs)}) is same
    assert alike({"ours": runs(*theirs), "SB3": runs(*ours)}) is same


@pytest.mark.parametrize("world", CASES)
def test_both_are_trained_and_told_about(world, capsys):
    """Two short runs of each: scores, seconds, means and the ratio are there."""
    found = compare(world, range(2), replace(CASES[world], total=1024, episodes=1))
    assert [len(done) for done in found.values()] == [2, 2]
    assert all(run.seconds > 0 for done in found.values() for run in done)
    said = capsys.readouterr().out
    assert said.count("seed") == 4 + 1
    assert "mean return" in said and "times as long" in said


def test_a_world_that_is_not_there_is_refused(capsys):
    """The message names what there is."""
    with pytest.raises(SystemExit):
        compare_ppo.main(["CartPole-v0"])
    assert "expected worlds among BurgerBot-v1, CartPole-v1, got CartPole-v0" in (
        capsys.readouterr().err
    )


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("world", CASES)
def test_ten_seeds_end_alike(world):
    """Ten seeds, one budget, network and settings: each mean within the other's interval."""
    assert alike(compare(world))
