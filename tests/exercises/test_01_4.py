"""Exercise 01.4: spaces, and observations that lie in them."""

import numpy as np
from gymnasium import spaces

from burgerbot.course.claims import array_like, equal, instance, that
from burgerbot.world.kitchen import CLASSIC, HEADINGS, Kitchen
from burgerbot.world.rules import sensor

WIDE = Kitchen.from_ascii("v.O..\n....O\n.O..G")  # 3 rows, 5 columns
TALL = Kitchen.from_ascii("v.\n..\n.O\n..\n..\n..\n..\nG.")  # 8 rows, 2 columns
KITCHENS = (("a 3x5 kitchen", WIDE), ("an 8x2 kitchen", TALL), ("the classic kitchen", CLASSIC))


def poses(kitchen):
    """Every pose that a robot can have."""
    return [(row, col, heading) for row, col in kitchen.clear_cells() for heading in range(4)]


def spot(name, pose):
    """Where we are, in words."""
    return f"{name}, row {pose[0]}, col {pose[1]}, facing {HEADINGS[pose[2]]}"


def test_two_spaces(answer):
    """make_spaces returns a MultiDiscrete for observations and a Discrete for actions."""
    got = answer.make_spaces(WIDE)
    that(
        isinstance(got, (tuple, list)) and len(got) == 2,
        "make_spaces returns two spaces, observations first",
        expected="(observation_space, action_space)",
        yours=repr(got),
    )
    instance(got[0], spaces.MultiDiscrete, "an observation is four whole numbers: MultiDiscrete")
    instance(got[1], spaces.Discrete, "an action is one of four choices: Discrete")


def test_sizes_of_the_spaces(answer):
    """A space says how many values each number has: rows, columns, 4 headings, 3 readings."""
    for name, kitchen in KITCHENS:
        observations, actions = answer.make_spaces(kitchen)
        sizes = [kitchen.rows, kitchen.cols, 4, 3]
        yours = np.asarray(observations.nvec)
        that(
            yours.shape != (4,) or not np.array_equal(yours, np.array(sizes) - 1),
            "a space takes how many values there are, not the largest one: 5 columns are 0 to 4",
            expected=sizes,
            yours=yours,
            where=name,
        )
        that(
            kitchen.rows == kitchen.cols or yours[:2].tolist() != [kitchen.cols, kitchen.rows],
            "rows come first, columns second",
            expected=sizes,
            yours=yours,
            where=name,
        )
        equal(yours, sizes, "the sizes are rows, columns, 4 headings, 3 readings", where=name)
        equal(
            observations.start, [0, 0, 0, 0], "each of the four numbers counts from 0", where=name
        )
        equal(
            observations.dtype,
            np.dtype(np.int64),
            "observations are int64, the default",
            where=name,
        )
        equal(actions.n, 4, "there are four actions", where=name)
        equal(actions.start, 0, "actions count from 0", where=name)


def test_shape_and_dtype(answer):
    """An observation is an int64 array of shape (4,)."""
    for name, kitchen in KITCHENS:
        array_like(answer.observe(kitchen, kitchen.start), (4,), np.int64, where=name)


def test_every_observation(answer):
    """An observation is row, col, heading and the sensor's reading, in this order."""
    for name, kitchen in KITCHENS:
        for pose in poses(kitchen):
            yours = answer.observe(kitchen, pose)
            equal(
                yours,
                [*pose, sensor(kitchen, *pose)],
                "the order is row, col, heading, sensor, and the sensor is read where the robot is",
                where=spot(name, pose),
            )


def test_observations_lie_in_the_space(answer):
    """Whatever the robot observes is a member of the observation space."""
    for name, kitchen in KITCHENS:
        observations, _ = answer.make_spaces(kitchen)
        for pose in poses(kitchen):
            yours = answer.observe(kitchen, pose)
            that(
                yours in observations,
                "an observation outside its space: `observation in space` is False",
                expected=repr(observations),
                yours=yours,
                where=spot(name, pose),
            )


def test_each_call_gives_a_new_array(answer):
    """What was handed out belongs to the caller: a later call does not change it."""
    first, second = poses(WIDE)[:2]
    kept = answer.observe(WIDE, first)
    before = kept.copy()
    later = answer.observe(WIDE, second)
    equal(
        kept,
        before,
        "an observation that was handed out has changed: fill a new array at each call, or every "
        "entry of a replay buffer will show the last step",
        where="the first observation, after a second call",
    )
    that(not np.shares_memory(kept, later), "two observations share their memory: copy")
    again = answer.observe(WIDE, first).copy()
    kept[:] = -1
    equal(
        answer.observe(WIDE, first),
        again,
        "the caller wrote into its own array, and the next observation shows it: give a copy",
        where="the same pose observed twice",
    )
