"""Prioritized replay: chances by counting, weights by their formula, and the ring."""

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgerbot.learn import replay as replay_module
from burgerbot.learn.replay import PrioritizedReplay


def rows(*numbers):
    """Transitions that are told apart by one number."""
    return {"x": np.array(numbers, dtype=np.int64)}


def filled(*priorities, capacity=8, **options):
    """A replay with these priorities, transition i carrying the number i."""
    replay = PrioritizedReplay(capacity, **{"alpha": 1.0, "floor": 1e-12, **options})
    replay.add(rows(*range(len(priorities))), priorities)
    return replay


def test_draws_in_proportion_to_a_power_of_the_priority():
    """P = p^alpha / sum p^alpha, and counts of many draws agree with it."""
    priorities = np.array([1.0, 4.0, 0.0, 9.0, 2.0])
    replay = filled(*priorities, alpha=0.5)
    expected = np.sqrt(priorities) / np.sqrt(priorities).sum()
    np.testing.assert_allclose(replay.chances(range(5)), expected, atol=1e-5)
    drawn = replay.sample(20_000, beta=0.0, rng=np.random.default_rng(0)).rows["x"]
    np.testing.assert_allclose(np.bincount(drawn, minlength=5) / 20_000, expected, atol=1e-3)


def test_alpha_0_draws_all_alike():
    """Then it is an ordinary replay, and every weight is 1."""
    replay = filled(1.0, 100.0, 7.0, alpha=0.0)
    np.testing.assert_allclose(replay.chances([0, 1, 2]), 1 / 3)
    assert replay.sample(9, beta=1.0, rng=np.random.default_rng(0)).weights.tolist() == [1.0] * 9


def test_weights_are_divided_by_the_largest():
    """w = (N P)^-beta / max w: the rarest transition weighs 1, and nothing weighs more."""
    replay = filled(1.0, 2.0, 4.0)
    np.testing.assert_allclose(replay.weights([0, 1, 2], 1.0), [1.0, 0.5, 0.25])
    np.testing.assert_allclose(replay.weights([2], 0.5), [0.5])
    assert replay.weights([0, 1, 2], 0.0).tolist() == [1.0, 1.0, 1.0]


def test_weighted_draws_estimate_the_plain_mean():
    """With beta 1, the weighted mean of draws is the mean over all transitions."""
    replay = filled(*np.arange(1.0, 9.0))
    sample = replay.sample(50_000, beta=1.0, rng=np.random.default_rng(1))
    mean = (sample.weights * sample.rows["x"]).sum() / sample.weights.sum()
    assert mean == pytest.approx(3.5, abs=0.02)
    assert sample.rows["x"].mean() > 4.0  # what the skew would have said


def test_new_priorities_count_at_once():
    """refresh changes the chances, and leaves the others as they were among each other."""
    replay = filled(1.0, 1.0, 2.0)
    assert replay.refresh([2, 0], [5.0, 0.0]) == 2
    np.testing.assert_allclose(replay.chances([0, 1, 2]), [0, 1 / 6, 5 / 6], atol=1e-9)


def test_a_transition_named_twice_gets_the_last_priority():
    """One batch may hold a transition several times."""
    replay = filled(1.0, 1.0)
    replay.refresh([0, 0, 0], [7.0, 9.0, 3.0])
    np.testing.assert_allclose(replay.chances([0, 1]), [0.75, 0.25])


def test_the_oldest_make_room_and_keep_no_chance():
    """A full ring: ids go on, rows are replaced, and so are their priorities."""
    replay = filled(1.0, 1.0, 1.0, capacity=3)
    assert replay.add(rows(7, 8), [2.0, 5.0]).tolist() == [3, 4]
    assert len(replay) == 3 and replay.added == 5
    np.testing.assert_allclose(replay.chances([2, 3, 4]), [1 / 8, 2 / 8, 5 / 8])
    sample = replay.sample(400, beta=0.4, rng=np.random.default_rng(0))
    assert set(zip(sample.ids.tolist(), sample.rows["x"].tolist(), strict=True)) == {
        (2, 2),
        (3, 7),
        (4, 8),
    }


def test_late_news_of_an_overwritten_transition_reaches_nobody():
    """Its place belongs to another by now; an index alone would have spoilt that one."""
    replay = filled(1.0, 1.0, 1.0, capacity=3)
    replay.add(rows(9), [2.0])  # takes the place of 0
    assert replay.refresh([0, 1], [100.0, 3.0]) == 1
    np.testing.assert_allclose(replay.chances([1, 2, 3]), [3 / 6, 1 / 6, 2 / 6])
    with pytest.raises(ValueError, match="expected 1 to 3"):
        replay.chances([0])


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 13), st.lists(st.floats(0, 1e6), min_size=1, max_size=40), st.integers(0, 99))
def test_the_tree_holds_the_sums_of_its_leaves(capacity, priorities, seed):
    """Any capacity, any order of adding and refreshing: chances are those of plain arrays."""
    rng = np.random.default_rng(seed)
    replay = PrioritizedReplay(capacity, alpha=0.7, floor=0.1)
    plain = {}
    for i, priority in enumerate(priorities):
        plain[i] = priority
        replay.add(rows(i), [priority])
        old = int(rng.integers(i + 1))
        if old > i - capacity:
            plain[old] = float(rng.random())
        assert replay.refresh([old], [plain[old]]) == (old > i - capacity)
    kept = sorted(plain)[-capacity:]
    powers = np.array([(plain[i] + 0.1) ** 0.7 for i in kept])
    np.testing.assert_allclose(replay.chances(kept), powers / powers.sum(), rtol=1e-9)
    sample = replay.sample(30, beta=0.5, rng=rng)
    assert set(sample.ids.tolist()) <= set(kept)
    assert np.array_equal(sample.rows["x"], sample.ids)


def test_samples_are_copies():
    """Spoiling a batch does not spoil the replay."""
    replay = filled(1.0)
    replay.sample(1, beta=0.0, rng=np.random.default_rng(0)).rows["x"][:] = 99
    assert replay.sample(1, beta=0.0, rng=np.random.default_rng(0)).rows["x"].tolist() == [0]


@pytest.mark.parametrize("bad", [[-1.0], [np.nan], [np.inf], [[1.0]], [1.0, 2.0]])
def test_refuses_impossible_priorities_and_stays_as_it_was(bad):
    """One NaN would make every chance NaN."""
    replay = filled(3.0, 1.0)
    with pytest.raises(ValueError, match="expected"):
        replay.add(rows(5), bad)
    with pytest.raises(ValueError, match="expected"):
        replay.refresh([0], bad)
    assert len(replay) == 2
    np.testing.assert_allclose(replay.chances([0, 1]), [0.75, 0.25])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: PrioritizedReplay(0), "capacity: expected 1 or more"),
        (lambda: PrioritizedReplay(1, alpha=-1), "alpha"),
        (lambda: PrioritizedReplay(1, floor=0), "floor"),
        (lambda: PrioritizedReplay(3).sample(1, beta=0, rng=None), "of 0 transitions"),
        (lambda: filled(1.0).weights([0], 2.0), "beta: expected a number from 0 to 1"),
        (lambda: filled(1.0).add({"y": [1]}, [1.0]), r"expected \['x'\]"),
        (lambda: filled(1.0, capacity=1).add(rows(1, 2), [1.0, 1.0]), "at most 1"),
        (lambda: filled(1.0).refresh([4], [1.0]), "expected 0 to 0"),
    ],
)
def test_refuses_what_it_cannot_use(call, message):
    """Errors say what was expected."""
    with pytest.raises(ValueError, match=message):
        call()


def test_examples():
    """The examples in the docstring hold."""
    assert doctest.testmod(replay_module).failed == 0
