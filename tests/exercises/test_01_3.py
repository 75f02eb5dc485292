"""Exercise 01.3: reset, with a seed."""

import random
from collections import Counter

import numpy as np
import pytest

from burgerbot.course.claims import array_like, equal, instance, that
from burgerbot.world.kitchen import CLASSIC, Kitchen

#: Two rows: one clear cell above, and three below beside the goal.
UNEVEN = Kitchen.from_ascii("OOO.\n>..G")


@pytest.fixture(autouse=True)
def global_generators_put_back():
    """Whatever a test does to the global generators, the notebook's stay as they were."""
    before = np.random.get_state(), random.getstate()
    yield
    np.random.set_state(before[0])
    random.setstate(before[1])


def begin(env, where, **options):
    """Reset, see that the right kinds of things come back, and give the pose."""
    got = env.reset(**options)
    that(
        isinstance(got, tuple) and len(got) == 2,
        "reset returns two things, the observation and an info dictionary",
        expected="(observation, info)",
        yours=repr(got),
        where=where,
    )
    instance(got[1], dict, "the second thing that reset returns is a dictionary", where=where)
    array_like(got[0], (3,), np.int64, where=f"the observation, {where}")
    that(
        hasattr(env, "pose"),
        "keep the start in `self.pose`: the next step goes on from there",
        where=where,
    )
    equal(
        env.pose, got[0], "`self.pose` and the observation are the same three numbers", where=where
    )
    return tuple(int(part) for part in got[0])


def many(env, count, where, seed=0):
    """A seeded reset, then unseeded ones."""
    return [begin(env, where, seed=seed), *(begin(env, where) for _ in range(count - 1))]


def test_returns_observation_and_info(answer):
    """reset returns the pose as an int64 array, and a dictionary; `self.pose` is that pose."""
    begin(answer.RandomStart(CLASSIC), "reset(seed=4)", seed=4)
    begin(answer.RandomStart(UNEVEN), "reset() on a fresh robot")


def test_starts_on_clear_floor(answer):
    """An episode begins on a clear cell, and never on the goal."""
    for name, kitchen in (("the classic kitchen", CLASSIC), ("a 2x4 kitchen", UNEVEN)):
        for number, (row, col, heading) in enumerate(many(answer.RandomStart(kitchen), 150, name)):
            where = f"{name}, reset {number}: row {row}, col {col}, heading {heading}"
            that(kitchen.is_clear(row, col), "the start is a wall or an obstacle", where=where)
            that(
                (row, col) != kitchen.goal,
                "an episode that begins on the goal has nothing left to do: leave the goal out",
                where=where,
            )
            that(heading in range(4), "a heading is 0, 1, 2 or 3", where=where)


def test_same_seed_same_start(answer):
    """Two resets with the same seed begin alike, on one robot and on two."""
    one, two = answer.RandomStart(CLASSIC), answer.RandomStart(CLASSIC)
    for seed in range(12):
        starts = [begin(env, f"reset(seed={seed})", seed=seed) for env in (one, one, two)]
        equal(
            starts,
            [starts[0]] * 3,
            "the same seed must give the same start. Hand it on with `super().reset(seed=seed)`, "
            "and draw from `self.np_random` only: `random` and `np.random` know nothing of it"
            + ("" if seed else ". (0 is a seed like any other; only None means no seed)"),
            where=f"reset(seed={seed}), twice on one robot and once on another",
        )


def test_seeds_differ(answer):
    """Different seeds give different starts."""
    starts = {begin(answer.RandomStart(CLASSIC), "reset", seed=seed) for seed in range(30)}
    that(
        len(starts) > 5,
        "thirty seeds should give many different starts: draw the cell and the heading",
        expected="more than 5 different starts",
        yours=f"{len(starts)} different starts",
    )


def test_unseeded_resets_go_on_from_the_seed(answer):
    """After one seeded reset, the unseeded ones that follow are the same on every run."""
    where = "reset(seed=8), then five times reset()"
    runs = [many(answer.RandomStart(CLASSIC), 6, where, seed=8) for _ in range(2)]
    equal(
        runs[1],
        runs[0],
        "a whole run must repeat, not only its first episode: without a seed, go on with the "
        "generator that is there, and make no new one",
        where=where,
    )


def test_unseeded_resets_differ(answer):
    """reset() without a seed does not begin the same episode again and again."""
    where = "reset(seed=8), then nineteen times reset()"
    starts = many(answer.RandomStart(CLASSIC), 20, where, seed=8)
    that(
        len(set(starts)) > 5,
        "every episode begins alike: no seed (None) means go on, not start over",
        expected="more than 5 different starts among 20",
        yours=f"{len(set(starts))} different",
        where=where,
    )


def test_global_generators_play_no_part(answer):
    """np.random and random are neither used nor changed: other code relies on them."""
    runs = []
    for other in (1, 2):
        np.random.seed(other)
        random.seed(other)
        before = np.random.get_state(), random.getstate()
        runs.append(many(answer.RandomStart(CLASSIC), 6, "reset", seed=5))
        after = np.random.get_state(), random.getstate()
        that(
            np.array_equal(before[0][1], after[0][1]) and before[0][2] == after[0][2],
            "np.random was used or seeded: it is one generator for the whole program, and yours "
            "would spoil everybody else's draws. Use `self.np_random`",
            where="reset(seed=5), then five times reset()",
        )
        that(
            before[1] == after[1],
            "Python's `random` was used or seeded: it is one generator for the whole program. "
            "Use `self.np_random`",
            where="reset(seed=5), then five times reset()",
        )
    equal(runs[1], runs[0], "the starts depend on np.random or random, not on the seed alone")


def test_robots_do_not_share_a_generator(answer):
    """Two robots, reset in turn, each begin as they would alone."""
    alone = [many(answer.RandomStart(CLASSIC), 6, "reset", seed=seed) for seed in (21, 22)]
    robots = answer.RandomStart(CLASSIC), answer.RandomStart(CLASSIC)
    together = [
        [begin(env, "reset", seed=seed)] for env, seed in zip(robots, (21, 22), strict=True)
    ]
    for _ in range(5):
        for starts, env in zip(together, robots, strict=True):
            starts.append(begin(env, "reset"))
    equal(
        together,
        alone,
        "two robots draw from one generator: it must belong to the robot (`self.np_random`), not "
        "to the class or the notebook",
        where="robot A with seed 21 and robot B with seed 22, reset in turn",
    )


def test_every_start_is_equally_likely(answer):
    """Each clear cell but the goal, with each heading, begins about equally many episodes."""
    env = answer.RandomStart(UNEVEN)
    begin(env, "reset(seed=1)", seed=1)
    counts = Counter(tuple(env.reset()[0].tolist()) for _ in range(960))
    wanted = [
        (row, col, heading)
        for row, col in UNEVEN.clear_cells()
        if (row, col) != UNEVEN.goal
        for heading in range(4)
    ]
    where = "960 resets in a 2x4 kitchen: row {}, col {}, heading {}"
    for pose in wanted:
        that(
            counts[pose] > 0,
            "this start never comes up: the upper bound of `integers(n)` is left out, so ask for "
            "as many as there are",
            where=where.format(*pose),
        )
    for pose in wanted:
        that(
            22 < counts[pose] < 98,  # five standard deviations around 60
            "this start does not come up as often as the others: choose among all clear cells at "
            "once, not a row first and a column then",
            expected="about 60 times",
            yours=f"{counts[pose]} times",
            where=where.format(*pose),
        )


def test_options_name_the_start(answer):
    """`options={"pose": (row, col, heading)}` begins the episode there."""
    env = answer.RandomStart(CLASSIC)
    for pose in ((0, 0, 1), (6, 5, 3), (2, 4, 0)):
        options = {"pose": pose}
        where = f"reset(options={options})"
        got = begin(env, where, options=options)
        equal(got, pose, '`options={"pose": ...}` asks for this start', where=where)
        equal(options, {"pose": pose}, "the caller's options were changed", where=where)
    try:
        begin(env, "reset(options={})", options={})
    except KeyError as error:
        that(
            False,
            "options may be there and name no pose: then the start is drawn, as without options",
            expected="a start that was drawn",
            yours=f"KeyError: {error}",
            where="reset(options={})",
        )
