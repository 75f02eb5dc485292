"""Exercise 09.6: a policy as a look-up table in JSON."""

import json
import tempfile
from itertools import product
from pathlib import Path

import numpy as np

from burgerbot.course.claims import equal, instance, that
from burgerbot.scale import on_robot

NAMES = ("forward", "turn_left", "turn_right", "stop")
PLACES = list(product(range(7), range(7), range(4), range(3)))


def lopsided(seen):
    """A policy in which row, column, heading and sensor each count differently."""
    return (2 * seen[:, 0] + seen[:, 1] // 2 + seen[:, 2] + seen[:, 3] ** 2) % 4


def exported(answer, choose=lopsided):
    """What the learner's function writes, as text and read back."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "policy.json"
        answer.export_table(choose, path)
        that(path.exists(), "the table is written to the file `path`", yours="no file")
        text = path.read_text(encoding="utf-8")
    try:
        table = json.loads(text)
    except ValueError as error:
        that(
            False,
            "the file is not JSON: Python's own way of writing a dict differs (quotes). Use "
            "`json.dumps`",
            yours=f"{error}: {text[:60]}",
        )
    instance(table, dict, "the file holds one dict of all observations")
    return text, table


def test_asks_about_observations(answer):
    """The policy is asked about arrays of integers `[B, 4]`, each observation in range."""
    asked = []

    def choose(seen):
        instance(seen, np.ndarray, "`choose` takes an array of observations")
        that(
            seen.ndim == 2 and seen.shape[1] == 4 and seen.dtype.kind in "iu",
            "`choose` takes observations int `[B, 4]`: row, column, heading, sensor in a row",
            expected="integers of shape (B, 4)",
            yours=f"{seen.dtype} of shape {seen.shape}",
        )
        asked.extend(map(tuple, seen.tolist()))
        return np.zeros(len(seen), dtype=np.int64)

    exported(answer, choose)
    outside = sorted(set(asked) - set(PLACES))
    that(
        not outside,
        "rows and columns go from 0 to 6, headings from 0 to 3, the sensor from 0 to 2",
        expected="observations within (7, 7, 4, 3)",
        yours=outside[:3],
    )


def test_has_every_key(answer):
    """588 keys "row,col,heading,sensor", and no other."""
    _, table = exported(answer)
    wanted = [",".join(map(str, place)) for place in PLACES]
    odd = sorted(set(table) - set(wanted))
    that(
        not odd,
        "a key is four numbers with commas and nothing else between: row, column, heading, sensor",
        expected=wanted[5],
        yours=odd[:3],
    )
    missing = sorted(set(wanted) - set(table))
    that(
        not missing,
        "an observation has no key: a robot that sees it would stop in the middle of the floor",
        expected="588 keys",
        yours=f"{len(table)} keys; among the missing: {missing[:3]}",
    )


def test_values_are_four_names(answer):
    """Each value is a dict of the four action names, 1.0 for one and 0.0 for the rest."""
    _, table = exported(answer)
    for key, row in table.items():
        where = f"key {key!r}"
        instance(row, dict, "a value is a dict of the four names", where=where)
        equal(
            sorted(row), sorted(NAMES), "a value names each of the four actions, once", where=where
        )
        for name, number in row.items():
            that(
                isinstance(number, float),
                "the numbers are floats, 1.0 and 0.0: not 1, and not true",
                expected="1.0 or 0.0",
                yours=f"{name}: {number!r}",
                where=where,
            )
        that(
            sorted(row.values()) == [0.0, 0.0, 0.0, 1.0],
            "exactly one action has 1.0, the chosen one, and the others have 0.0",
            expected="one 1.0 among 0.0s",
            yours=row,
            where=where,
        )


def test_choices_are_the_policys(answer):
    """Every observation has the action that the policy chooses there."""
    for number in range(4):
        _, table = exported(answer, lambda seen, n=number: np.full(len(seen), n))
        that(
            all(row[NAMES[number]] == 1.0 for row in table.values()),
            "the names stand for the actions 0 to 3 in this order: forward, turn_left, turn_right, "
            "stop",
            expected=NAMES[number],
            yours=max(table["0,0,0,0"], key=table["0,0,0,0"].get),
            where=f"a policy that always chooses {number}",
        )
    _, table = exported(answer)
    for place in PLACES:
        key = ",".join(map(str, place))
        wanted = NAMES[int(lopsided(np.array([place]))[0])]
        equal(
            max(table[key], key=table[key].get),
            wanted,
            "the key and the choice do not belong together: the key of an observation is its own "
            "four numbers, in the order row, column, heading, sensor",
            where=f"key {key!r}",
        )


def test_other_integers(answer):
    """A policy that returns int32 or int8 is written down as well."""
    for dtype in (np.int32, np.int8):
        _, table = exported(answer, lambda seen, d=dtype: lopsided(seen).astype(d))
        equal(
            max(table["0,2,0,0"], key=table["0,2,0,0"].get),
            "turn_left",
            "the dtype of the actions changed the table",
            where=f"actions of {np.dtype(dtype)}",
        )


def test_the_robot_reads_it(answer):
    """The ten lines on the robot find the action of each observation."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "policy.json"
        answer.export_table(lopsided, path)
        table = on_robot.load(str(path))
    for place in PLACES[::7]:
        equal(
            on_robot.act(table, *place),
            NAMES[int(lopsided(np.array([place]))[0])],
            "the reader on the robot does not find the right action",
            where=f"act(table, {', '.join(map(str, place))})",
        )
