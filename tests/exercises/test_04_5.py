"""Exercise 04.5: a partial reset."""

import copy

import numpy as np

from burgerbot.course.claims import array_like, equal, instance, that
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.strata import start_states

WIDE = Kitchen.from_ascii("v.O..\n....O\n.O..G")  # 3 rows, 5 columns


def begin(fleet, where, **arguments):
    """Reset, and see that the right kinds of things come back."""
    got = fleet.reset(**arguments)
    that(
        isinstance(got, tuple) and len(got) == 2,
        "reset returns two things: the states of all robots, and a dictionary",
        expected="(states, {})",
        yours=repr(got),
        where=where,
    )
    instance(got[1], dict, "the second thing that reset returns is a dictionary", where=where)
    that(
        isinstance(got[0], np.ndarray) and got[0].shape == (fleet.num_envs,),
        "return the states of *all* robots, also of those that run on",
        expected=f"array of shape ({fleet.num_envs},)",
        yours=repr(got[0]),
        where=where,
    )
    array_like(np.asarray(fleet.state), (fleet.num_envs,), np.int64, where=f"fleet.state, {where}")
    equal(got[0], fleet.state, "what reset returns is the state of each robot", where=where)
    return got[0]


def expected_starts(seeds, kitchen, counts):
    """What each robot's own generator gives: the start after ``counts[i]`` draws."""
    starts = start_states(kitchen)
    drawn = []
    for seed, count in zip(seeds, counts, strict=True):
        generator = np.random.default_rng(seed)
        drawn.append(int(starts[[generator.integers(len(starts)) for _ in range(count)][-1]]))
    return drawn


def on_the_way(answer, n=5, kitchen=WIDE, seed=7):
    """A fleet in the middle of its episodes, each robot after another number of steps."""
    fleet = answer.ResettableFleet(n, kitchen)
    begin(fleet, f"reset(seed={seed})", seed=seed)
    fleet.step(np.arange(n) % 2 + 1)  # turns, so that nobody crashes
    fleet.elapsed[:] = np.arange(n) * 3 + 1
    return fleet


def generators(fleet):
    """Where each robot's generator stands."""
    return [copy.deepcopy(generator.bit_generator.state) for generator in fleet.generators]


def test_first_reset_is_of_all(answer):
    """Without options, with None, and without a mask in them, every robot begins an episode."""
    for options in (None, {}, {"other": 1}):
        for n, kitchen, seed in ((4, WIDE, 3), (3, CLASSIC, 0)):
            fleet = answer.ResettableFleet(n, kitchen)
            fleet.elapsed[:] = 9
            where = f"reset(seed={seed}, options={options}), {n} robots"
            begin(fleet, where, seed=seed, options=copy.copy(options))
            equal(
                fleet.state,
                expected_starts(range(seed, seed + n), kitchen, [1] * n),
                "robot i draws its start from a generator of its own, seeded with `seed + i`, in "
                "one draw: `starts[generator.integers(len(starts))]` (0 is a seed too)",
                where=where,
            )
            equal(fleet.elapsed, [0] * n, "a new episode has taken 0 steps", where=where)


def test_running_robots_are_untouched(answer):
    """Robots whose mask is False keep their state and their count of steps."""
    for mask in ([True, False, False, True, False], [False, False, True, False, False]):
        fleet = on_the_way(answer)
        state, elapsed = fleet.state.copy(), fleet.elapsed.copy()
        where = f"5 robots on their way, reset_mask = {mask}"
        begin(fleet, where, options={"reset_mask": np.array(mask)})
        for i in range(5):
            if not mask[i]:
                equal(
                    fleet.state[i],
                    state[i],
                    "this robot was running, and your reset moved it: touch only those in the mask",
                    where=f"{where}, robot {i}",
                )
                equal(
                    fleet.elapsed[i],
                    elapsed[i],
                    "this robot was running, and your reset changed its count of steps",
                    where=f"{where}, robot {i}",
                )


def test_masked_robots_begin_anew(answer):
    """Robots in the mask draw the next start of their own generators; elapsed is 0."""
    mask = np.array([True, False, False, True, True])
    fleet = on_the_way(answer, seed=7)
    where = f"5 robots on their way, seeded with 7, reset_mask = {mask.tolist()}"
    begin(fleet, where, options={"reset_mask": mask.copy()})
    expected = expected_starts(range(7, 12), WIDE, [2] * 5)
    for i in np.flatnonzero(mask):
        equal(
            fleet.state[i],
            expected[i],
            "a robot in the mask takes the *next* draw of its own generator: not a start kept from "
            "earlier, not the draw of another robot, and without a seed no new generator",
            where=f"{where}, robot {i}",
        )
        equal(
            fleet.elapsed[i],
            0,
            "a new episode has taken 0 steps, also if the old one was not over",
            where=f"{where}, robot {i}",
        )


def test_running_robots_draw_nothing(answer):
    """No draw is taken for a robot that runs on, and its generator gets no new seed."""
    mask = np.array([False, True, False, False, True])
    for seed in (None, 40):
        fleet = on_the_way(answer)
        before = generators(fleet)
        where = f"5 robots on their way, reset_mask = {mask.tolist()}, seed = {seed}"
        begin(fleet, where, seed=seed, options={"reset_mask": mask.copy()})
        after = generators(fleet)
        for i in np.flatnonzero(~mask):
            that(
                after[i] == before[i],
                "the generator of a robot that runs on was used or seeded anew: a draw that is "
                "thrown away is a draw all the same, and this robot's next start will be another",
                expected="its generator as it was",
                yours="its generator has moved",
                where=f"{where}, robot {i}",
            )


def test_seed_with_a_mask(answer):
    """A seed goes to the robots in the mask: robot i gets `seed + i`, whoever else is reset."""
    for seed in (40, 0):
        mask = np.array([False, True, False, False, True])
        fleet = on_the_way(answer)
        where = f"5 robots on their way, reset_mask = {mask.tolist()}, seed = {seed}"
        begin(fleet, where, seed=seed, options={"reset_mask": mask.copy()})
        expected = expected_starts(range(seed, seed + 5), WIDE, [1] * 5)
        for i in np.flatnonzero(mask):
            equal(
                fleet.state[i],
                expected[i],
                "robot i gets the seed `seed + i`, with i its number in the fleet (0 is a seed "
                "too), and then draws",
                where=f"{where}, robot {i}",
            )


def test_callers_options_are_left_alone(answer):
    """The options and the mask are the caller's: they are the same after the call."""
    fleet = on_the_way(answer)
    mask = np.array([False, True, False, True, False])
    options = {"reset_mask": mask, "note": "mine"}
    where = "options with a reset_mask and a note of the caller's"
    begin(fleet, where, options=options)
    that(
        set(options) == {"reset_mask", "note"},
        "you emptied the caller's dictionary (Gymnasium's own vector env does so too): used a "
        "second time, it would reset every robot. Read the mask with `get`, not with `pop`",
        expected="{'reset_mask': ..., 'note': 'mine'}",
        yours=repr(options),
        where=where,
    )
    equal(mask, [False, True, False, True, False], "your reset changed the mask", where=where)
    options = {}
    begin(fleet, "options={}", options=options)
    that(
        not options,
        "you wrote into the caller's dictionary: it was empty, and is not any more",
        expected="{}",
        yours=repr(options),
        where="options={}",
    )


def test_each_reset_has_its_own_start(answer):
    """Resets of one robot, again and again, follow its generator draw by draw."""
    fleet, mask = answer.ResettableFleet(3, WIDE), np.array([False, True, False])
    begin(fleet, "reset(seed=11)", seed=11)
    for count in range(2, 9):
        where = f"3 robots seeded with 11, robot 1 is reset for the {count}. time"
        begin(fleet, where, options={"reset_mask": mask.copy()})
        equal(
            fleet.state[1],
            expected_starts([12], WIDE, [count])[0],
            "each reset takes one new draw: a start that is kept, or a second draw, gives another "
            "run",
            where=where,
        )
    begin(fleet, "then reset()")
    equal(
        fleet.state,
        expected_starts([11, 12, 13], WIDE, [2, 9, 2]),
        "after seven resets of robot 1 the others are still at their second draw",
        where="3 robots seeded with 11, robot 1 was reset seven times, then reset()",
    )


def test_returned_states_are_the_callers(answer):
    """The returned array belongs to the caller: writing into it moves no robot."""
    fleet = on_the_way(answer)
    mask = np.array([True, False, True, False, False])
    got = begin(fleet, "a partial reset", options={"reset_mask": mask.copy()})
    before = fleet.state.copy()
    got[:] = 0
    equal(
        fleet.state,
        before,
        "the caller wrote into the array that reset returned, and the robots moved: return a copy",
        where="5 robots, after a partial reset",
    )
    kept = begin(fleet, "a partial reset", options={"reset_mask": mask.copy()})
    copied = kept.copy()
    begin(fleet, "a second partial reset", options={"reset_mask": ~mask})
    equal(
        kept,
        copied,
        "the array of an earlier reset has changed: return a new one each time",
        where="5 robots, after a second partial reset",
    )
