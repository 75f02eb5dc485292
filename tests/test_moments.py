"""Running moments: any split, any order, large offsets, refusals, freezing, saving."""

import json
import pickle
import subprocess
import sys
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgerbot.learn.moments import RunningMoments


def of(rows, shape=None):
    """Moments of these rows."""
    rows = np.asarray(rows)
    moments = RunningMoments(rows.shape[1:] if shape is None else shape)
    moments.update(rows)
    return moments


def exact(rows):
    """Mean and population variance of each column, in exact integer arithmetic where it can."""
    rows = np.asarray(rows, dtype=np.longdouble)
    mean = rows.mean(axis=0)
    return mean.astype(float), np.square(rows - mean).mean(axis=0).astype(float)


def merged(left, right):
    """Join two moments into new ones."""
    moments = RunningMoments(left.shape)
    moments.merge(left)
    moments.merge(right)
    return moments


def snapshot(moments):
    """Everything a public reader can see."""
    return json.dumps(moments.state_dict())


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8, -1e12])
@pytest.mark.parametrize("seed", range(5))
def test_any_split_and_any_merge_order_agree(seed, offset):
    """One data set, cut anywhere, merged in any order and any tree, has one mean and variance."""
    rng = np.random.default_rng(seed)
    rows = offset + np.round(rng.normal(size=(500, 3)) * [1, 5, 50], 2)
    mean, var = exact(rows)
    for pieces in (1, 2, 7, 60, 500):
        cuts = np.sort(rng.choice(499, pieces - 1, replace=False) + 1)
        parts = [of(part) for part in np.split(rows, cuts)]
        whole = RunningMoments((3,))
        for part in np.split(rows, cuts):
            whole.update(part)
        order = [parts[i] for i in rng.permutation(pieces)]
        pool = list(order)
        while len(pool) > 1:  # a random tree
            a, b = (pool.pop(int(rng.integers(len(pool)))) for _ in range(2))
            pool.append(merged(a, b))
        for found in (whole, reduce(merged, order), reduce(merged, sorted(order, key=id)), pool[0]):
            assert found.count == 500
            np.testing.assert_allclose(found.mean, mean, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(found.var, var, rtol=1e-9)


def test_sorted_rows_agree_too():
    """The hardest split: every piece far from every other, at an offset of 1e8."""
    rows = 1e8 + np.arange(1000.0)[:, None] / 7
    for pieces in (2, 10, 1000):
        found = reduce(merged, (of(part) for part in np.array_split(rows, pieces)))
        np.testing.assert_allclose(found.var, exact(rows)[1], rtol=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=40), st.data())
def test_moments_of_integers_are_exact(values, data):
    """Against Python's own whole numbers, for any list and any cut."""
    cut = data.draw(st.integers(0, len(values)))
    found = merged(of(np.array(values[:cut])), of(np.array(values[cut:])))
    n, total = len(values), sum(values)
    assert found.count == n
    assert found.mean == pytest.approx(total / n, rel=1e-12, abs=1e-9)
    var = (n * sum(v * v for v in values) - total * total) / n**2
    assert found.var == pytest.approx(var, rel=1e-9)


def test_large_offsets_keep_their_variance():
    """1e8 + [1, 2, 3, 4] in float64, and 1e4 + [0, 1, 2, 3] in float32, have variance 1.25."""
    far = 1e8 + np.array([1.0, 2.0, 3.0, 4.0])
    near = (1e4 + np.arange(4)).astype(np.float32)
    for rows in (far, near):
        one_by_one = RunningMoments()
        for row in rows:
            one_by_one.update(row)
        assert of(rows).var == 1.25 == one_by_one.var
        assert one_by_one.count == 4


def test_count_goes_on_where_float32_stops():
    """16,777,216 rows and one more are 16,777,217."""
    moments = RunningMoments()
    state = {"count": 2**24, "mean": 0.0, "rest": 0.0, "m2": 1.0}
    moments.load_state_dict(state)
    moments.update([1.0])
    assert moments.count == 2**24 + 1


def test_nothing_is_assumed_before_the_first_row():
    """Count, mean and variance begin at 0, and the first row is the mean."""
    moments = RunningMoments((2,))
    assert (moments.count, moments.mean.tolist(), moments.var.tolist()) == (0, [0, 0], [0, 0])
    moments.update([[3.0, -4.0]])
    assert (moments.mean.tolist(), moments.var.tolist()) == ([3, -4], [0, 0])


def test_batches_of_any_leading_shape():
    """A row, [N], [T, N] and nothing at all."""
    rows = np.arange(24.0).reshape(4, 3, 2)
    whole, single = of(rows, (2,)), RunningMoments((2,))
    for row in rows.reshape(-1, 2):
        single.update(row)
    assert whole.count == 12 == single.count
    np.testing.assert_allclose(whole.var, single.var, rtol=1e-12)
    before = snapshot(whole)
    whole.update(np.zeros((0, 2)))
    whole.update(np.zeros((5, 0, 2)))
    whole.merge(RunningMoments((2,)))
    assert snapshot(whole) == before


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float16, np.float32])
def test_every_number_type_is_counted_in_float64(dtype):
    """uint8 does not wrap, and float32 is widened before anything is summed."""
    rows = np.array([[0, 1], [1, 1], [1, 0]]).astype(dtype)
    found = of(rows)
    assert found.mean.dtype == found.var.dtype == np.float64
    np.testing.assert_allclose(found.var, exact(rows)[1], rtol=1e-15)
    bright = of(np.full((1000, 1), 255, dtype=np.uint8))
    assert (bright.mean, bright.var) == (255.0, 0.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_rows_that_are_not_finite_are_refused(bad):
    """The message names the column, and nothing has changed."""
    moments = of([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    before = snapshot(moments)
    rows = np.ones((2, 3))
    rows[1, 2] = bad
    with pytest.raises(ValueError, match=r"column 2: expected finite numbers, got (nan|-?inf)"):
        moments.update(rows)
    with pytest.raises(ValueError, match=r"column 2"):
        moments.normalize(rows)
    assert snapshot(moments) == before
    grid = of(np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match=r"column \(0, 1\)"):
        grid.update([[[0, bad], [0, 0]]])
    with pytest.raises(ValueError, match=r"column \(\)"):
        RunningMoments().update([1.0, bad, 3.0])


@pytest.mark.filterwarnings("error")
def test_numbers_too_large_to_square_are_refused():
    """An overflow must not make the statistics infinite."""
    moments = of([[1.0], [2.0]])
    before = snapshot(moments)
    for rows in ([[1e200], [-1e200]], [[1e308], [-1e308]], [[1e200]]):
        with pytest.raises(ValueError, match="too large"):
            moments.update(rows)
    assert snapshot(moments) == before


def test_other_shapes_are_refused():
    """Expected and got are named."""
    with pytest.raises(ValueError, match=r"shape \(3,\), got an array \(4, 2\)"):
        RunningMoments((3,)).update(np.zeros((4, 2)))
    with pytest.raises(ValueError, match=r"shape \(3,\), got an array \(\)"):
        RunningMoments((3,)).update(1.0)
    with pytest.raises(ValueError, match=r"merge: expected moments of shape \(3,\), got \(2,\)"):
        RunningMoments((3,)).merge(RunningMoments((2,)))


def test_normalize_centres_scales_and_clips():
    """float32, (x - mean) / std, no further than the clip."""
    moments = of([[0.0, 100.0], [2.0, 300.0]])
    got = moments.normalize([[2.0, 200.0], [-99.0, 200.0]])
    assert got.dtype == np.float32
    assert got.tolist() == [[1.0, 0.0], [-10.0, 0.0]]
    assert moments.normalize([3.0, 600.0], clip=1.5).tolist() == [1.5, 1.5]
    assert moments.normalize(np.zeros((3, 4, 2))).shape == (3, 4, 2)
    assert of([1.0, 3.0]).normalize(3.0).shape == ()


@pytest.mark.parametrize("value", [0.0, 0.1, 1e8 + 0.1, -1e-300])
def test_constant_column_normalizes_to_zero(value):
    """Exactly 0, whatever the constant, the split, and the value asked for."""
    moments = RunningMoments((1,))
    for rows in (1, 3, 10, 1000):
        moments.update(np.full((rows, 1), value))
    moments.merge(of(np.full((7, 1), value)))
    assert moments.var == 0.0
    assert moments.normalize([[value], [value + 5]]).tolist() == [[0.0], [0.0]]


def test_normalize_refuses_what_makes_no_sense():
    """No statistics yet, no clip."""
    with pytest.raises(ValueError, match="no rows seen yet"):
        RunningMoments((1,)).normalize([[1.0]])
    for clip in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="clip: expected a number above 0"):
            of([[1.0]]).normalize([[1.0]], clip=clip)


def test_frozen_means_frozen_by_every_public_route():
    """No method, no array handed out and no attribute changes frozen statistics."""
    moments = of(np.random.default_rng(0).normal(size=(50, 2)))
    before = snapshot(moments)
    moments.freeze()
    assert moments.frozen
    moments.update(np.full((10, 2), 99.0))
    moments.merge(of(np.full((10, 2), 99.0)))
    with pytest.raises(RuntimeError, match="frozen"):
        moments.load_state_dict(of(np.zeros((3, 2))).state_dict())
    with pytest.raises(ValueError, match="column 0"):
        moments.update([[np.nan, 1.0]])
    moments.mean[:] = 7.0
    moments.var[:] = 7.0
    moments.state_dict()["mean"][0] = 7.0
    for name in ("mean", "var", "count", "frozen", "shape"):
        with pytest.raises(AttributeError):
            setattr(moments, name, 7.0)
    assert snapshot(moments) == before
    assert pickle.loads(pickle.dumps(moments)).frozen
    moments.unfreeze()
    moments.update([[0.0, 0.0]])
    assert moments.count == 51 and not moments.frozen


def test_merge_leaves_the_other_alone():
    """And the two share no memory afterwards."""
    a, b = RunningMoments((2,)), of([[1.0, 2.0], [3.0, 9.0]])
    before = snapshot(b)
    a.merge(b)
    a.update([[50.0, 60.0]])
    assert snapshot(b) == before
    b.update([[0.0, 0.0]])
    assert a.count == 3
    a.merge(a)
    assert a.count == 6


def test_workers_merge_what_is_new_and_nothing_twice():
    """Base of 100 zeros, two workers with ten fives each: 120 rows, mean 0.8333."""
    base, deltas = of(np.zeros(100)), [of(np.full(10, 5.0)) for _ in range(2)]
    for delta in deltas:
        base.merge(delta)
    assert (base.count, round(float(base.mean), 4)) == (120, 0.8333)


def test_state_goes_through_json_to_the_bit():
    """Also in a new process; and it is a copy in both directions."""
    moments = of(1e8 + np.random.default_rng(1).normal(size=(100, 3)))
    state = json.loads(json.dumps(moments.state_dict()))
    copy = RunningMoments((3,))
    copy.load_state_dict(state)
    assert snapshot(copy) == snapshot(moments)
    state["mean"][0] = 0.0
    assert snapshot(copy) == snapshot(moments)
    code = (
        "import json, sys; from burgerbot.learn.moments import RunningMoments;"
        "m = RunningMoments((3,)); m.load_state_dict(json.load(sys.stdin));"
        "print(json.dumps([m.state_dict(), m.normalize([1e8, 1e8 + 1, 1e8 - 1]).tolist()]))"
    )
    text = subprocess.run(
        [sys.executable, "-c", code],
        input=snapshot(moments),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    expected = [moments.state_dict(), moments.normalize([1e8, 1e8 + 1, 1e8 - 1]).tolist()]
    assert json.loads(text) == expected


def test_bad_states_are_refused_and_change_nothing():
    """Names, shapes, signs and numbers are checked before anything is taken over."""
    moments = of([[1.0, 2.0], [3.0, 4.0]])
    before, good = snapshot(moments), moments.state_dict()
    for change, message in (
        ({"extra": 1}, "expected count, mean, rest, m2"),
        ({"mean": [1.0]}, r"state\['mean'\]: expected shape \(2,\)"),
        ({"m2": [np.nan, 1.0]}, r"state\['m2'\]: expected finite"),
        ({"m2": [-1.0, 1.0]}, "0 or more"),
        ({"count": -1}, "0 or more"),
        ({"count": 1.5}, "a whole count"),
    ):
        with pytest.raises(ValueError, match=message):
            moments.load_state_dict(good | change)
    with pytest.raises(ValueError, match="expected count"):
        moments.load_state_dict({"count": 3})
    assert snapshot(moments) == before


def test_importing_it_loads_nothing_heavy():
    """NumPy is enough."""
    code = (
        "import sys, burgerbot.learn.moments;"
        "print([name for name in ('torch', 'ray', 'matplotlib') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
