"""Exercise 13.1: seed families that share nothing."""

import numpy as np

from burgerbot.course.claims import equal, instance, that
from burgerbot.world.strata import random_kitchen


def drawn(answer, seed, training, evaluation):
    """Both lists, checked for their kind and length."""
    where = f"seed_families({seed}, training={training}, evaluation={evaluation})"
    got = answer.seed_families(seed, training, evaluation)
    that(
        isinstance(got, (tuple, list)) and len(got) == 2,
        "two lists are wanted: the training seeds, then the evaluation seeds",
        yours=type(got).__name__,
        where=where,
    )
    for name, seeds, count in zip(
        ("training", "evaluation"), got, (training, evaluation), strict=True
    ):
        instance(seeds, (list, tuple), f"the {name} seeds are a list", where=where)
        that(
            len(seeds) == count,
            f"the {name} list has the wrong length: training seeds come first, then evaluation "
            "seeds, as many as asked for",
            expected=count,
            yours=len(seeds),
            where=where,
        )
        for value in seeds:
            that(
                isinstance(value, int) and not isinstance(value, bool),
                "seeds are plain Python ints: `int(child.generate_state(1, np.uint64)[0])`; a "
                "NumPy number does not go into a ledger's JSON, and a SeedSequence is no seed of "
                "a kitchen",
                expected="int",
                yours=type(value).__name__,
                where=where,
            )
            that(value >= 0, "a seed of a kitchen is 0 or more", yours=value, where=where)
    return [int(v) for v in got[0]], [int(v) for v in got[1]]


def test_two_lists_of_plain_ints(answer):
    """Two lists of the lengths asked for, of ints that draw a kitchen."""
    training, evaluation = drawn(answer, 5, 7, 3)
    for seed in (*training, *evaluation):
        random_kitchen("open", seed)


def test_nothing_is_shared(answer):
    """No seed stands twice, neither in a list nor in both."""
    for seed in (0, 1, 13, 12345):
        training, evaluation = drawn(answer, seed, 60, 40)
        where = f"seed {seed}, 60 training and 40 evaluation seeds"
        both = set(training) & set(evaluation)
        that(
            not both,
            "a seed stands in both lists: the policy is evaluated in kitchens that it learned "
            "from. Give each list a parent of its own",
            expected="no seed in both",
            yours=f"{len(both)} of them",
            where=where,
        )
        for name, seeds in (("training", training), ("evaluation", evaluation)):
            that(
                len(set(seeds)) == len(seeds),
                f"a seed stands twice in the {name} list: two families are one. Each child has a "
                "state of its own; use every child once",
                expected=len(seeds),
                yours=len(set(seeds)),
                where=where,
            )


def test_it_can_be_repeated(answer):
    """The same call gives the same lists, whatever was drawn in between."""
    first = drawn(answer, 3, 5, 4)
    np.random.default_rng().random(10)
    np.random.random(3)
    again = drawn(answer, 3, 5, 4)
    that(
        again == first,
        "the same call must give the same lists: everything comes from `seed`, nothing from the "
        "clock or from NumPy's global generator",
        expected=first,
        yours=again,
        where="seed_families(3, training=5, evaluation=4), twice",
    )


def test_neighbouring_seeds_share_nothing(answer):
    """Base seeds 0 to 5 give six independent pairs of lists."""
    seen = {}
    for base in range(6):
        for seed in [v for part in drawn(answer, base, 30, 30) for v in part]:
            that(
                seed not in seen,
                "two neighbouring base seeds share a seed, so that run 2 repeats a part of run 1: "
                "`base + i` overlaps, children of a SeedSequence do not",
                yours=f"{seed} for base seeds {seen.get(seed)} and {base}",
                where="base seeds 0 to 5",
            )
            seen[seed] = base


def test_the_lists_do_not_move_each_other(answer):
    """More training seeds: the evaluation seeds stay what they are, and the other way round."""
    base = drawn(answer, 4, 5, 5)
    equal(
        drawn(answer, 4, 50, 5)[1],
        base[1],
        "the evaluation seeds changed with the number of training seeds, so that runs of different "
        "size are measured on different kitchens: spawn two parents first, one for each list",
        where="seed 4, 5 evaluation seeds beside 5 and beside 50 training seeds",
    )
    equal(
        drawn(answer, 4, 5, 50)[0],
        base[0],
        "the training seeds changed with the number of evaluation seeds: spawn two parents first, "
        "one for each list",
        where="seed 4, 5 training seeds beside 5 and beside 50 evaluation seeds",
    )


def test_a_longer_list_begins_with_the_shorter(answer):
    """More families: the old ones stay, and come first."""
    short, long = drawn(answer, 8, 3, 2), drawn(answer, 8, 9, 6)
    for name, few, many in zip(("training", "evaluation"), short, long, strict=True):
        equal(
            many[: len(few)],
            few,
            f"a longer {name} list must begin with the shorter one, so that runs with 8 and with "
            "128 families have the first 8 in common",
            where="seed 8, 3 and 2 seeds against 9 and 6",
        )


def test_seeds_are_wide(answer):
    """64 bits a seed: lists of many thousands still hold none twice."""
    training, _ = drawn(answer, 2, 60, 1)
    that(
        max(training) >= 2**32,
        "these seeds have 32 bits or fewer: of 100,000 such seeds two are the same more often than "
        "not. `generate_state(1, np.uint64)` gives 64 bits",
        expected="seeds up to 2**64",
        yours=f"at most {max(training)}",
        where="seed 2, 60 training seeds",
    )
