"""Exercise 13.5: the ledger."""

import json
import math
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from burgerbot.course.claims import ClaimFailed, equal, that

RECORDS = [
    {"run": "one", "seeds": [1, 2, 3], "success": 0.5},
    {"run": "two", "config": {"lr": 0.001, "note": "a\nb"}, "success": None},
    {"run": "three", "seeds": list(range(30)), "ok": True},
]


@contextmanager
def ledger_file(content=b""):
    """A path in a folder of its own; without content the file is not there yet."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.jsonl"
        if content:
            path.write_bytes(content)
        yield path


def append(answer, path, record, where):
    """Append a record, or say why it did not work."""
    try:
        answer.append_run(path, record)
    except NotImplementedError:
        raise
    except FileNotFoundError as error:
        raise ClaimFailed(
            "the first record makes the file: `append_run` must not ask for a file that is there",
            yours=f"FileNotFoundError: {error}",
            where=where,
        ) from None
    except (ValueError, TypeError) as error:
        raise ClaimFailed(
            "a sound record must go into the ledger, whatever stands there already: do not read "
            "the old lines for it",
            yours=f"{type(error).__name__}: {error}",
            where=where,
        ) from None


def read(answer, path, where):
    """What the learner reads: records, and the number of torn lines."""
    try:
        got = answer.read_runs(path)
    except NotImplementedError:
        raise
    except (ValueError, TypeError) as error:
        raise ClaimFailed(
            "a torn line must not stop the reading: the other runs are still there. Catch the "
            "error line by line",
            yours=f"{type(error).__name__}: {error}",
            where=where,
        ) from None
    that(
        isinstance(got, tuple) and len(got) == 2 and isinstance(got[0], list),
        "`read_runs` returns a tuple `(records, torn)`: a list, and a number",
        yours=type(got).__name__,
        where=where,
    )
    that(
        isinstance(got[1], int | np.integer) and not isinstance(got[1], bool),
        "`torn` is the *number* of lines that were no JSON: an int",
        expected="(list, int)",
        yours=f"(list, {type(got[1]).__name__})",
        where=where,
    )
    return got[0], int(got[1])


def written(answer, records, where):
    """The bytes of a ledger with these records."""
    with ledger_file() as path:
        for record in records:
            append(answer, path, record, where)
        return path.read_bytes()


def sound(lines):
    """The records of those lines that are JSON."""
    records = []
    for line in lines:
        try:
            records.append(json.loads(line))
        except ValueError:
            continue
    return records


def test_one_line_a_record(answer):
    """JSON lines: each record on a line of its own, the line ended, nothing else."""
    where = "three records, one after the other"
    content = written(answer, RECORDS, where)
    that(
        content.endswith(b"\n"),
        "a line ends with a newline, the last one too: without it the next record is glued to it",
        yours=content[-20:].decode(errors="replace"),
        where=where,
    )
    lines = content.decode().splitlines()
    equal(
        len(lines),
        3,
        "one record is one line, and earlier lines stay: no indented JSON, no list around it, and "
        "the file is opened for appending, not written anew",
        where=where,
    )
    for line, record in zip(lines, RECORDS, strict=True):
        try:
            same = json.loads(line) == record
        except ValueError:
            same = False
        that(same, "each line is the record as JSON", expected=record, yours=line, where=where)


def test_any_language(answer):
    """Letters beyond ASCII go in and come out, as JSON or as UTF-8."""
    record = {"run": "Käse", "note": "brûlé"}
    where = "a record with ä, û and é"
    with ledger_file() as path:
        append(answer, path, record, where)
        content = path.read_bytes()
        that(
            sound(content.splitlines()) == [record],
            "the file is no UTF-8: JSON is, whatever the machine's own encoding. Open the file "
            'with `encoding="utf-8"`',
            expected=record,
            yours=repr(content),
            where=where,
        )
        that(read(answer, path, where)[0] == [record], "letters are read as UTF-8", where=where)


def test_equal_records_are_two_runs(answer):
    """The same record twice is two lines, and two records."""
    content = written(answer, [RECORDS[0], RECORDS[0]], "the same record, twice")
    with ledger_file(content) as path:
        records, _ = read(answer, path, "the same record, twice")
    equal(
        len(records),
        2,
        "two runs may have written the same: every line is a record, none is left out",
        where="the same record, twice",
    )


def test_earlier_bytes_stay(answer):
    """Appending changes nothing that was written before."""
    old = b'{"run":   "by another program"}\n'
    with ledger_file(old) as path:
        append(answer, path, RECORDS[0], "a ledger that another program began")
        that(
            path.read_bytes().startswith(old),
            "the ledger is append-only: what is there stays as it is, to the byte. Add your line "
            "at the end, and leave the rest alone",
            expected=old.decode(),
            yours=path.read_bytes()[:60].decode(errors="replace"),
            where="a ledger that another program began",
        )


def test_what_was_written_is_read(answer):
    """All records, in order, nothing torn; an empty line is no line."""
    where = "three records, and an empty line after each"
    content = written(answer, RECORDS, where).replace(b"\n", b"\n\n")
    with ledger_file(content) as path:
        records, torn = read(answer, path, where)
    equal(len(records), 3, "every record is read, the last one too", where=where)
    that(records == RECORDS, "records come back as they were, in order", yours=records, where=where)
    equal(torn, 0, "an empty line is no torn line", where=where)


def test_a_kill_at_any_byte(answer):
    """The last record cut anywhere: earlier ones are intact, and the next one is too."""
    first, last, later = RECORDS
    whole = written(answer, [first, last], "two records")
    start = whole.index(b"\n") + 1
    for cut in range(start, len(whole) + 1):
        complete, torn = cut >= len(whole) - 1, int(start < cut < len(whole) - 1)
        where = f"the last record cut after {cut - start} of {len(whole) - start} bytes"
        expected = [first, *([last] if complete else [])]
        with ledger_file(whole[:cut]) as path:
            records, count = read(answer, path, where)
            if cut == len(whole) - 1:
                equal(
                    len(records),
                    2,
                    "the last line is whole, only its newline is missing: that is a record",
                    where=where,
                )
            that(
                records == expected,
                "the earlier records must survive, and the torn one is no record",
                expected=[r["run"] for r in expected],
                yours=[r.get("run") if isinstance(r, dict) else r for r in records],
                where=where,
            )
            equal(count, torn, "`torn` counts the lines that are no JSON", where=where)
            append(answer, path, later, where)
            that(
                path.read_bytes() == whole[:cut]
                or sound(path.read_bytes().split(b"\n")) != [*expected, later]
                or read(answer, path, where)[0] == [*expected, later],
                "the file is right, and the reading is not: after a torn line go on with the next",
                expected=[r["run"] for r in (*expected, later)],
                yours=[r.get("run") for r in read(answer, path, where)[0] if isinstance(r, dict)],
                where=where + ", then one more record",
            )
            records, count = read(answer, path, where)
            that(
                records == [*expected, later],
                "after a torn line the next record must begin on a line of its own: look at the "
                "last byte of the file, and put a newline first if it is none",
                expected=[r["run"] for r in (*expected, later)],
                yours=[r.get("run") if isinstance(r, dict) else r for r in records],
                where=where + ", then one more record",
            )
            that(
                path.read_bytes().startswith(whole[:cut]),
                "the ledger is append-only: not even a torn line is taken away",
                where=where,
            )
            equal(
                count,
                torn,
                "the torn line stays: nothing is taken away",
                where=where + ", then more",
            )


def test_a_torn_line_in_the_middle(answer):
    """What follows a torn line is read; bytes that are no text are torn, too."""
    good = json.dumps(RECORDS[0]).encode()
    where = "record, torn line, record, bytes that are no text, record"
    content = b"\n".join([good, good[:9], good, b"\xff\xfe{", good, b""])
    with ledger_file(content) as path:
        records, torn = read(answer, path, where)
    equal(
        len(records),
        3,
        "the records after a torn line are read, too: skip the line, and go on",
        where=where,
    )
    equal(torn, 2, "`torn` counts the lines that are no JSON", where=where)


def test_no_nan(answer):
    """NaN and infinity are refused, and the file stays as it was."""
    for bad in (math.nan, math.inf, -math.inf):
        for record in ({"success": bad}, {"run": "x", "deep": {"list": [1.0, bad]}}):
            with ledger_file(b'{"run": "old"}\n') as path:
                before = path.read_bytes()
                where = f"a record with {bad}"
                try:
                    answer.append_run(path, record)
                except NotImplementedError:
                    raise
                except ValueError:
                    that(
                        path.read_bytes() == before,
                        "a record that is refused must leave nothing behind: make the line before "
                        "you open the file",
                        yours=path.read_bytes().decode(errors="replace")[-60:],
                        where=where,
                    )
                    continue
                raise ClaimFailed(
                    "NaN and infinity are no JSON, though Python writes them: other programs "
                    "cannot read the ledger then. `json.dumps(record, allow_nan=False)` refuses "
                    "them",
                    expected="ValueError",
                    yours=path.read_bytes()[len(before) :].decode(errors="replace"),
                    where=where,
                )


def test_the_record_stays_as_it_is(answer):
    """The record is the caller's: read, not changed."""
    record = {"run": "x", "seeds": [1, 2]}
    with ledger_file() as path:
        append(answer, path, record, "one record")
    equal(len(record), 2, "your function changed the record, which belongs to the caller")
