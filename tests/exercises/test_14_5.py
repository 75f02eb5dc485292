"""Exercise 14.5: what a ledger's record claims."""

import copy

import numpy as np

from burgerbot.course.claims import ClaimFailed, close, equal, instance, that

KEYS = ("systems", "learning", "held_out", "robustness")


def record(**changes):
    """A sound record, with some fields changed."""
    whole = {
        "run": "a run",
        "config": {"epochs": 4},
        "training_seeds": [11, 12, 13, 14],
        "evaluation_seeds": [21, 22, 23],
        "strata": ["open", "corridor"],
        "steps": 1000,
        "throughput": {"simulate_only": 9e6, "with_policy": 2e6, "with_update": 3.75},
        "training_success": {"open": 0.99, "corridor": 0.9, "greasy": 0.93},
        "success": {"open": 0.97, "corridor": 0.81, "greasy": 0.84},
        "reset_reasons": {"delivered": 10},
        "notes": {
            "optimum": 0.02,
            "fault, none": 0.87,
            "fault, slip 0.3": 0.61,
            "fault, stuck 5": 0.7,
        },
    }
    return whole | changes


def claimed(answer, given, where):
    """The learner's four claims, once they are there."""
    kept = copy.deepcopy(given)
    try:
        claims = answer.three_claims(given)
    except (TypeError, ValueError, KeyError, ZeroDivisionError) as error:
        raise ClaimFailed(
            "a field may be empty or hold None: that is a missing measurement, and the claim is "
            f"None ({type(error).__name__}: {error})",
            where=where,
        ) from None
    instance(claims, dict, "four claims in a dictionary are wanted", where=where)
    equal(sorted(claims), sorted(KEYS), "the claims have these names", where=where)
    that(given == kept, "the record was changed: a ledger is only read", where=where)
    return claims


def expect(answer, given, where, messages, **wanted):
    """Claim some of the four."""
    claims = claimed(answer, given, where)
    for name, value in wanted.items():
        message = messages if isinstance(messages, str) else messages[name]
        if value is None or claims[name] is None:
            that(
                claims[name] is value,
                message,
                expected="None" if value is None else value,
                yours="None" if claims[name] is None else claims[name],
                where=f"{where}: `{name}`",
            )
        else:
            close(claims[name], value, message, where=f"{where}: `{name}`")


SOUND = {
    "systems": "the speed that counts is the one with update: all of the training, not the "
    "simulation alone",
    "learning": "learning is the *worst* stratum on the *training* seeds: a mean lets a good one "
    "hide a bad one",
    "held_out": "held out is the *worst* stratum on the *evaluation* seeds",
    "robustness": "robustness is the smallest of the notes that begin with 'fault, ', and of no "
    "others",
}


def test_a_sound_record(answer):
    """Speed with update, the worst stratum twice, the worst fault."""
    expect(
        answer,
        record(),
        "a sound record",
        SOUND,
        systems=3.75,
        learning=0.9,
        held_out=0.81,
        robustness=0.61,
    )
    rng = np.random.default_rng(14)
    for _ in range(10):
        own, others = rng.random(4).tolist(), rng.random(5).tolist()
        faults = rng.random(3).tolist()
        given = record(
            training_success={f"s{i}": x for i, x in enumerate(own)},
            success={f"s{i}": x for i, x in enumerate(others)},
            notes={f"fault, {i}": x for i, x in enumerate(faults)} | {"optimum": -1.0},
        )
        wanted = {"learning": min(own), "held_out": min(others), "robustness": min(faults)}
        expect(answer, given, "random shares", SOUND, **wanted)
    zero = record(success={"open": 0.0, "corridor": 0.5}, notes={"fault, push": 0.0})
    message = "a share of 0 was measured: it is 0, and not None"
    expect(answer, zero, "nothing delivered", message, held_out=0.0, robustness=0.0)
    halted = record(throughput={"simulate_only": 9e6, "with_policy": 2e6, "with_update": 0.0})
    message = "a speed of 0 was measured: it is 0, and not None"
    expect(answer, halted, "an update that never ended", message, systems=0.0)


def test_only_faults_count_as_faults(answer):
    """A note's name must *begin* with 'fault, ', to the letter; other notes may hold anything."""
    names = ("default, push", "without a fault, mean", "fault", "faults, all", "fault count")
    for name in (*names, "Fault, as typed", " fault, indented"):
        given = record()
        given["notes"][name] = 0.01
        message = f"{SOUND['robustness']}: {name!r} does not"
        expect(answer, given, f"a note {name!r}", message, robustness=0.61)
    given = record()
    given["notes"] |= {"remark": "fault, of nobody", "versions": ["2.6"]}
    expect(answer, given, "notes of other types", SOUND, robustness=0.61)


def test_seeds_need_only_differ(answer):
    """Which seeds, and how many were trained on, does not matter: none may be in both lists."""
    message = "the seeds share none, and that is all they have to do: the claim holds"
    for trained, evaluated in (([15, 40], [30, 3, 17]), ([], [21, 22]), ([90, 91], [89])):
        given = record(training_seeds=trained, evaluation_seeds=evaluated)
        where = f"training seeds {trained}, evaluation seeds {evaluated}"
        expect(answer, given, where, message, held_out=0.81, robustness=0.61)


def test_what_was_not_measured_is_none(answer):
    """A claim without evidence is None, never 0, and never what is left over."""
    message = "what was not measured is None: neither 0, nor the smallest of the rest"
    speeds = {"simulate_only": 9e6, "with_policy": None, "with_update": None}
    expect(answer, record(throughput=speeds), "no speed with update", message, systems=None)
    part = {"open": 0.9, "corridor": None}
    expect(answer, record(training_success={}), "no training panel", message, learning=None)
    expect(answer, record(training_success=part), "half of a panel", message, learning=None)
    none = {"held_out": None, "robustness": None}
    expect(answer, record(success={}), "no held-out panel", message, learning=0.9, **none)
    expect(answer, record(success=part), "half of a panel", message, **none)
    expect(answer, record(evaluation_seeds=[]), "no evaluation seeds", message, **none)
    notes = {"optimum": 0.98, "remark": "x"}
    expect(answer, record(notes=notes), "no fault", message, held_out=0.81, robustness=None)
    expect(answer, record(notes={}), "no notes", message, robustness=None)


def test_shared_seeds_claim_nothing(answer):
    """One evaluation seed among the training seeds is enough to lose both claims."""
    message = (
        "an evaluation seed was trained on: neither the held-out panel nor the faults, which use "
        "its kitchens, are evidence"
    )
    for shared in ([21, 12, 23], [14], [11, 12, 13, 14]):
        given = record(evaluation_seeds=shared)
        expect(
            answer,
            given,
            f"evaluation seeds {shared}",
            message,
            systems=3.75,
            learning=0.9,
            held_out=None,
            robustness=None,
        )


def test_which_records_may_be_compared(answer):
    """The same seeds and strata, in any order, and a held-out claim in each."""
    one = record()
    mixed = record(
        evaluation_seeds=[23, 21, 22],
        success={"greasy": 0.1, "open": 0.2, "corridor": 0.3},
        training_seeds=[1, 2],
    )
    bare = record(
        success={"open": 0.0, "corridor": 0.0, "greasy": 0.0},
        throughput={"with_update": None},
        training_success={},
        notes={"optimum": 0.9},
    )
    four, alike = (
        record(evaluation_seeds=[21, 22, 25, 26]),
        record(evaluation_seeds=[21, 23, 24, 26]),
    )
    wide = record(success=one["success"] | {"maze": 0.9})
    cases = (
        (
            [one, mixed],
            True,
            "the order of seeds and strata, the shares and the training do not matter",
        ),
        ([one, mixed, one], True, "three records on one panel"),
        (
            [one, bare],
            True,
            "only the held-out claim is asked for, and one of 0 is a claim: other trainings, "
            "other faults, no speed, all may be compared",
        ),
        ([one], True, "one record alone is on one panel"),
        (
            [one, record(evaluation_seeds=[21, 22, 24])],
            False,
            "another seed is another panel, though there are as many",
        ),
        ([one, record(evaluation_seeds=[21, 22])], False, "fewer seeds are another panel"),
        ([record(evaluation_seeds=[21, 22]), one], False, "more seeds are another panel"),
        (
            [four, alike],
            False,
            "as many seeds, with the same first, last and sum, are still other seeds",
        ),
        (
            [one, mixed, record(evaluation_seeds=[31, 32, 33])],
            False,
            "the third one differs: look at all of them",
        ),
        (
            [one, record(evaluation_seeds=[31, 32, 33]), one],
            False,
            "the one in the middle differs: look at all of them",
        ),
        (
            [one, record(success={"open": 0.9, "corridor": 0.8})],
            False,
            "other strata are another panel",
        ),
        ([one, wide], False, "one stratum more makes another panel"),
        (
            [one, record(success={"open": 0.9, "maze": 0.8, "greasy": 0.7})],
            False,
            "as many strata, but others, are another panel",
        ),
        (
            [one, record(training_seeds=[21, 50])],
            False,
            "a record that trained on the panel has no held-out claim",
        ),
        (
            [record(training_seeds=[21])] * 2,
            False,
            "two records that trained on the panel agree, and claim nothing",
        ),
    )
    for records, wanted, message in cases:
        given = copy.deepcopy(records)
        got = answer.same_panel(given)
        that(
            given == records,
            "the records were changed: a ledger is only read",
            where=f"{len(records)} records",
        )
        that(
            isinstance(got, (bool, np.bool_)),
            "True or False is wanted",
            yours=type(got).__name__,
            where=f"{len(records)} records",
        )
        equal(bool(got), wanted, message, where=f"{len(records)} records")
