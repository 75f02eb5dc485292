"""Exercise 13.2: what the rows of a rollout are."""

import numpy as np

from burgerbot.course.claims import equal, instance, that

KEYS = ("rows", "transitions", "distinct", "terminated", "truncated", "families")


def counted(answer, case, where):
    """The learner's dictionary, with the right keys and whole numbers."""
    got = answer.account(*(array.copy() for array in case))
    instance(got, dict, "a dictionary is wanted, key -> count", where=where)
    that(
        set(got) == set(KEYS),
        "these six keys are wanted, no more and no fewer",
        expected=", ".join(KEYS),
        yours=", ".join(map(str, got)),
        where=where,
    )
    for key in KEYS:
        that(
            np.ndim(got[key]) == 0 and np.asarray(got[key]).dtype.kind in "iu",
            f"`{key}` is a count: one whole number, an int and not a float",
            yours=got[key],
            where=where,
        )
    return {key: int(got[key]) for key in KEYS}


def case(families, observations, actions, *, terminated=(), truncated=(), resets=()):
    """Arguments from small lists; flags and reset rows as (step, robot) pairs."""
    observations, actions = np.asarray(observations, dtype=float), np.asarray(actions)
    flags = []
    for places in (terminated, truncated, resets):
        flag = np.zeros(actions.shape, dtype=bool)
        for place in places:
            flag[place] = True
        flags.append(flag)
    return [np.asarray(families), observations, actions, flags[0], flags[1], ~flags[2]]


def random_case(rng, steps=9, robots=5, shape=(2,)):
    """Few observations and actions, so that many rows repeat; flags in reset rows too."""
    families = rng.integers(3, size=robots)
    observations = rng.integers(2, size=(steps, robots, *shape)).astype(np.float32)
    actions = rng.integers(2, size=(steps, robots))
    flags = [rng.random((steps, robots)) < 0.3 for _ in range(2)]
    valid = rng.random((steps, robots)) < 0.7
    valid[0, 0] = True
    return [families, observations, actions, *flags, valid]


def slow(families, observations, actions, terminated, truncated, valid):
    """The counts, row by row."""
    seen, ends, late, transitions = set(), 0, 0, 0
    for t, n in np.ndindex(valid.shape):
        if valid[t, n]:
            transitions += 1
            key = (int(families[n]), observations[t, n].tobytes(), int(actions[t, n]))
            seen.add(key)
            ends += bool(terminated[t, n])
            late += bool(truncated[t, n] and not terminated[t, n])
    return {
        "rows": valid.size,
        "transitions": transitions,
        "distinct": len(seen),
        "terminated": ends,
        "truncated": late,
        "families": len(set(families.tolist())),
    }


def test_rows_transitions_and_families(answer):
    """Three steps of two robots, one of the rows a reset row."""
    where = "T = 3, N = 2, one reset row, labels 7 and 7"
    got = counted(
        answer, case([7, 7], np.zeros((3, 2, 1)), np.zeros((3, 2), int), resets=[(1, 0)]), where
    )
    equal(got["rows"], 6, "`rows` counts every row, T * N", where=where)
    equal(got["transitions"], 5, "`transitions` leaves reset rows out", where=where)
    equal(
        got["families"],
        1,
        "`families` counts different labels: two robots with one label are one family",
        where=where,
    )


def test_the_same_lesson_twice(answer):
    """A transition is another one if its family, its observation or its action differs."""
    same = case([0, 0], [[[1, 2], [1, 2]]], [[3, 3]])
    equal(
        counted(answer, same, "two equal rows")["distinct"],
        1,
        "two robots of one family, one observation, one action: the same lesson twice counts once",
        where="T = 1, N = 2, everything equal",
    )
    again = case([0], [[[1, 2]], [[1, 2]]], [[3], [3]])
    equal(
        counted(answer, again, "one row, seen again a step later")["distinct"],
        1,
        "the same lesson in another step is the same lesson: compare all rows of the rollout with "
        "each other, not step by step",
        where="T = 2, N = 1, everything equal",
    )
    for name, other in {
        "family": case([0, 1], [[[1, 2], [1, 2]]], [[3, 3]]),
        "action": case([0, 0], [[[1, 2], [1, 2]]], [[3, 0]]),
        "observation": case([0, 0], [[[1, 2], [2, 1]]], [[3, 3]]),
    }.items():
        equal(
            counted(answer, other, f"two rows, another {name}")["distinct"],
            2,
            f"rows that differ in their {name} are two lessons: compare triples (family, "
            "observation, action), the whole observation, and nothing added up",
            where=f"T = 1, N = 2, only the {name} differs",
        )


def test_labels_belong_to_robots(answer):
    """Robot n has label n in every row: T = 2, N = 3, and T = N = 2."""
    flat = np.zeros((2, 3, 1))
    where = "T = 2, N = 3, labels 0 1 2, observations and actions all 0"
    equal(
        counted(answer, case([0, 1, 2], flat, np.zeros((2, 3), int)), where)["distinct"],
        3,
        "`families` is [N], one label a robot: column n belongs to family n, in all rows",
        where=where,
    )
    seen = np.array([[[0.0], [1.0]], [[0.0], [1.0]]])
    where = "T = N = 2, labels 0 1, robot n always sees n"
    equal(
        counted(answer, case([0, 1], seen, np.zeros((2, 2), int)), where)["distinct"],
        2,
        "`families` is [N], one label a robot: here the labels were spread along the time axis",
        where=where,
    )


def test_how_episodes_end(answer):
    """Both flags in one row are a termination; the step limit counts alone."""
    got_case = case(
        [0, 0],
        np.zeros((3, 2, 1)),
        np.zeros((3, 2), int),
        terminated=[(0, 0), (2, 1)],
        truncated=[(0, 0), (1, 1)],
    )
    where = "terminated (0, 0) and (2, 1), truncated (0, 0) and (1, 1)"
    got = counted(answer, got_case, where)
    equal(got["terminated"], 2, "`terminated` counts every termination", where=where)
    equal(
        got["truncated"],
        1,
        "`truncated` counts what the step limit alone ended: where both flags are set, the "
        "termination wins",
        where=where,
    )


def test_what_stands_in_a_reset_row_does_not_matter(answer):
    """Flags, observations and actions of reset rows are left out."""
    rng = np.random.default_rng(1)
    clean = random_case(rng)
    spoiled = [array.copy() for array in clean]
    hidden = ~clean[-1]
    spoiled[1][hidden] = 77.0
    spoiled[2][hidden] = 9
    for which in ("terminated", "truncated"):
        spoiled[3][hidden], spoiled[4][hidden] = which == "terminated", which == "truncated"
        where = f"T = 9, N = 5, nonsense in reset rows, `{which}` set"
        equal(
            counted(answer, spoiled, where),
            slow(*clean),
            "a reset row is no transition: neither its observation, nor its action, nor its flags "
            "may be counted",
            where=where,
        )


def test_a_family_that_only_resets(answer):
    """A robot whose rows are all reset rows has a label all the same."""
    where = "T = 1, labels 4 and 9, robot 1 in a reset row"
    got = counted(
        answer, case([4, 9], np.zeros((1, 2, 1)), np.zeros((1, 2), int), resets=[(0, 1)]), where
    )
    equal(
        got["families"],
        2,
        "`families` counts the different labels of all robots, not of the valid rows only",
        where=where,
    )


def test_random_rollouts(answer):
    """Against a loop over rows, with observations of one, two and three axes."""
    rng = np.random.default_rng(2)
    for shape in ((2,), (3, 2), (1,), ()):
        given = random_case(rng, steps=8, robots=7, shape=shape)
        where = f"T = 8, N = 7, observations [T, N{''.join(f', {n}' for n in shape)}]"
        got, expected = counted(answer, given, where), slow(*given)
        for key in KEYS:
            equal(
                got[key],
                expected[key],
                f"`{key}` differs from counting row by row (of an observation everything counts, "
                "however many axes it has)",
                where=where,
            )


def test_fine_differences_count(answer):
    """Observations that differ by a hair, and with the same sum, are different."""
    seen = np.array([[[0.5, 0.25], [0.25, 0.5], [0.5, 0.25 + 1e-7]]])
    where = "observations (.5, .25), (.25, .5), (.5, .2500001)"
    equal(
        counted(answer, case([0, 0, 0], seen, np.zeros((1, 3), int)), where)["distinct"],
        3,
        "observations are compared as they are: not rounded, not summed, and not turned into whole "
        "numbers",
        where=where,
    )


def test_arguments_stay_as_they_are(answer):
    """The rollout is read, not changed."""
    given = random_case(np.random.default_rng(3))
    copies = [array.copy() for array in given]
    answer.account(*given)
    for array, copy in zip(given, copies, strict=True):
        equal(array, copy, "your function changed an array that belongs to the caller")
