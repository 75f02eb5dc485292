"""Exercise 07.5: weights and statistics in one file."""

import json
import tempfile
from pathlib import Path

import numpy as np

from burgerbot.course.claims import ClaimFailed, equal, instance, that
from burgerbot.learn.moments import RunningMoments


def policy(seed):
    """Weights of many kinds, under names that collide if nobody takes care."""
    rng = np.random.default_rng(seed)
    return {
        "net.0.weight": rng.normal(size=(3, 5)).astype(np.float32),
        "net.0.bias": rng.normal(size=5),
        "mean": rng.normal(size=2).astype(np.float32),
        "count": np.array(rng.integers(100)),
        "log std": rng.normal(size=(1, 4)),
        "mask": rng.random(3) < 0.5,
        "Net.0.bias": rng.normal(size=2),  # a capital letter makes another name
        "moments": rng.normal(size=3),
        "weights": rng.normal(size=(2, 2)),
        "file": rng.integers(9, size=4),
    }


def statistics(seed, shape=(5,)):
    """Moments of some rows, far from 0, so that every part of them matters."""
    moments = RunningMoments(shape)
    moments.update(1e8 / 3 + np.random.default_rng(seed).normal(size=(20 + seed, *shape)))
    moments.update(1e8 / 3 + np.random.default_rng(seed + 99).normal(size=(7, *shape)))
    return moments


def there_and_back(answer, weights, moments, where):
    """What the learner's load gives, from a file that was moved, the originals spoilt."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path, moved = Path(folder) / "robot.brain", Path(folder) / "elsewhere"
        answer.save(str(path), weights, moments)
        found = sorted(file.name for file in Path(folder).iterdir())
        equal(
            found,
            ["robot.brain"],
            "`save` writes one file, at exactly the path that it is given (`np.savez` adds `.npz` "
            "to a path, but not to an open file)",
            where=where,
        )
        for array in weights.values():
            array[...] = 0
        path.rename(moved)
        try:
            loaded = answer.load(str(moved))
        except (FileNotFoundError, KeyError) as error:
            raise ClaimFailed(
                "`load` needs nothing but the file, wherever it lies now: not its old place, not "
                "this process",
                yours=f"{type(error).__name__}: {error}",
                where=where,
            ) from None
    instance(loaded, (tuple, list), "`load` returns (weights, moments)", where=where)
    equal(len(loaded), 2, "`load` returns (weights, moments)", where=where)
    return loaded


def test_weights_come_back(answer):
    """Each weight comes back with its name, dtype, shape and bits."""
    for seed in (1, 2):
        weights, expected = policy(seed), policy(seed)
        where = "six arrays, some named `mean` and `count`; the file was moved before loading"
        loaded, _ = there_and_back(answer, weights, statistics(seed), where)
        instance(loaded, dict, "the weights are a dictionary", where=where)
        equal(
            sorted(loaded),
            sorted(expected),
            "the same names come back, no more and no fewer: keep weights and statistics apart",
            where=where,
        )
        for name, array in expected.items():
            here = f"the weight {name!r}"
            instance(loaded[name], np.ndarray, "weights are arrays", where=here)
            equal(loaded[name].dtype, array.dtype, "the dtype of a weight is kept", where=here)
            equal(loaded[name].shape, array.shape, "the shape of a weight is kept", where=here)
            that(
                np.array_equal(loaded[name], array),
                "a weight has changed on its way: keep every bit, and take it from the file alone",
                expected=str(array),
                yours=str(loaded[name]),
                where=here,
            )


def test_statistics_come_back(answer):
    """The moments come back to the bit: count, mean, and all else in their state."""
    for seed, shape in ((1, (5,)), (2, (2, 3)), (3, (1,))):
        moments = statistics(seed, shape)
        expected = moments.state_dict()
        where = f"moments of {moments.count} rows of shape {shape}"
        _, loaded = there_and_back(answer, policy(seed), moments, where)
        instance(loaded, RunningMoments, "the moments are a `RunningMoments`", where=where)
        equal(loaded.shape, shape, "the moments have the shape that they had", where=where)
        for name, value in expected.items():
            that(
                loaded.state_dict()[name] == value,
                f"`{name}` of the statistics is another: save the whole `state_dict()`, to the bit",
                expected=str(value),
                yours=str(loaded.state_dict()[name]),
                where=where,
            )


def test_loaded_moments_are_frozen(answer):
    """The loaded moments are frozen; those that were saved stay as they were."""
    moments = statistics(4)
    before = json.dumps(moments.state_dict())
    where = "moments that are not frozen, saved and loaded"
    _, loaded = there_and_back(answer, policy(4), moments, where)
    that(
        loaded.frozen,
        "the loaded moments are open: the first evaluation would move them. `freeze()` comes last",
        where=where,
    )
    that(
        not moments.frozen,
        "`save` froze the moments of the training, which wants to go on",
        where=where,
    )
    that(json.dumps(moments.state_dict()) == before, "`save` changed the moments", where=where)
    that(loaded is not moments, "`load` makes new moments from the file", where=where)


def test_two_files(answer):
    """Two policies, saved one after the other, do not get mixed up."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        paths = [str(Path(folder) / name) for name in ("one", "other")]
        for seed, path in enumerate(paths):
            answer.save(path, policy(seed), statistics(seed))
        for seed, path in enumerate(paths):
            where = f"file {seed + 1} of two"
            weights, moments = answer.load(path)
            that(
                np.array_equal(weights["net.0.bias"], policy(seed)["net.0.bias"])
                and moments.state_dict() == statistics(seed).state_dict(),
                "each file holds its own policy: nothing may be kept outside of the file",
                where=where,
            )


def test_saving_again(answer):
    """A second save to the same path takes the place of the first."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = str(Path(folder) / "robot.brain")
        answer.save(path, policy(1), statistics(1))
        answer.save(path, {"w": np.ones(2)}, statistics(2))
        weights, moments = answer.load(path)
        equal(sorted(weights), ["w"], "the second save replaces the first", where="saved twice")
        equal(
            moments.count,
            statistics(2).count,
            "the second save replaces the first",
            where="saved twice",
        )
