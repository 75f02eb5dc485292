"""The ledger: a record's schema, a file that survives any crash, and the table of runs."""

import doctest
import json
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from burgerbot.course import cli
from burgerbot.learn import ledger, ledger_record, provenance
from burgerbot.learn.ledger import LedgerWarning, append, check, read, record
from burgerbot.learn.ledger_table import show, table


@dataclass
class Config:
    """Settings, one of them a tuple."""

    steps: int = 64
    hidden: tuple[int, ...] = (64, 64)


def sound(run="a run", **changes):
    """A record with nothing wrong in it."""
    fields = {
        "config": Config(),
        "training_seeds": [1, 2, 3],
        "evaluation_seeds": [4, 5],
        "strata": ["open", "greasy"],
        "steps": 1000,
        "success": {"open": 0.9, "greasy": 0.75},
        "training_success": {"open": 1.0, "greasy": 0.8},
        "reset_reasons": {"delivered": 90, "crashed": 9, "timeout": 1},
        "throughput": {"simulate_only": 1e6, "with_policy": 2e5, "with_update": 4e4},
        "moments_count": 1010,
    }
    return record(run, **(fields | changes))


@pytest.fixture
def path(tmp_path):
    """A ledger that is not there yet."""
    return tmp_path / "runs.jsonl"


def test_a_record_holds_what_the_design_lists():
    """All of it, as plain JSON; versions, commit and memory by themselves."""
    found = sound(notes={"icc": np.float32(0.5), "sizes": np.arange(3), "tuple": (1, 2)})
    assert list(found) == list(ledger.FIELDS)
    assert found["config"] == {"steps": 64, "hidden": [64, 64]}
    assert found["versions"]["numpy"] == np.__version__ and found["versions"]["python"]
    assert found["notes"] == {"icc": 0.5, "sizes": [0, 1, 2], "tuple": [1, 2]}
    assert found["device"] == "cpu"
    assert sys.platform == "win32" or 10 < found["peak_memory_mb"] < 1e6
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    bare = record(
        "bare",
        config={},
        training_seeds=np.array([7]),
        evaluation_seeds=[],
        strata=[],
        steps=0,
        success={},
    )
    assert bare["throughput"] == dict.fromkeys(ledger.THROUGHPUT)
    assert bare["moments_count"] is None and bare["training_seeds"] == [7]


def test_records_come_back_as_they_were_written(path):
    """In order, a line each; a record that is written twice is there twice."""
    records = [sound(f"run {i}", steps=i) for i in range(3)]
    for one in [*records, records[0]]:
        append(path, one)
    assert read(path) == [*records, records[0]]
    assert path.read_bytes().count(b"\n") == 4 and path.read_bytes().endswith(b"}\n")


def test_a_ledger_survives_a_kill_at_any_byte(path):
    """Cut at every offset of the last record: the rest is intact, and appending goes on."""
    first, last, later = sound("first"), sound("last"), sound("später")
    append(path, first)
    start = path.stat().st_size
    append(path, last)
    whole = path.read_bytes()
    for cut in range(start, len(whole) + 1):
        path.write_bytes(whole[:cut])
        complete = cut >= len(whole) - 1  # all of it, or all but the end of the line
        torn = start < cut < len(whole) - 1
        for step in range(2):  # as it is, then with one more record
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = read(path)
            expected = [first, *([last] if complete else []), *([later] if step else [])]
            assert found == expected, cut
            assert [w.category for w in caught] == [LedgerWarning] * torn, cut
            if torn:
                assert "line 2: skipped, it is no record" in str(caught[0].message)
            if not step:
                append(path, later)


def test_a_broken_line_in_the_middle_is_skipped_and_named(path):
    """Bytes that are no text, JSON that is no record, blank lines: the others are read."""
    for middle in (b"\xff\xfe\n", b"[1, 2]\n", b'{"run": "x"}\n', b"{}\n", b"null\n"):
        append(path, sound("one"))
        path.write_bytes(path.read_bytes() + b"\n" + middle + b"  \n")
        append(path, sound("two"))
        with pytest.warns(LedgerWarning, match="line 3: skipped"):
            assert [one["run"] for one in read(path)] == ["one", "two"]
        path.unlink()
    with pytest.raises(FileNotFoundError):
        read(path)


def test_programs_that_append_at_once_lose_nothing(path):
    """Four processes, 25 records each, one file."""
    code = (
        "import sys; from burgerbot.learn import ledger\n"
        "one = ledger.record(sys.argv[2], config={'filler': 'x' * 3000}, training_seeds=[1],\n"
        "    evaluation_seeds=[], strata=[], steps=1, success={})\n"
        "for i in range(25): ledger.append(sys.argv[1], one | {'steps': i})\n"
    )
    root = Path(provenance.ROOT)
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(path), name], cwd=root) for name in "abcd"
    ]
    assert [program.wait(timeout=100) for program in running] == [0] * 4
    found = read(path)
    assert sorted((one["run"], one["steps"]) for one in found) == [
        (name, i) for name in "abcd" for i in range(25)
    ]


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"run": " "}, ValueError, "run: expected a name; got ' '"),
        ({"config": [1]}, ValueError, r"config: expected a mapping; got \[1\]"),
        ({"config": {"lr": float("nan")}}, ValueError, r"config\.lr: expected a finite .* got nan"),
        ({"notes": {"a": [1.0, np.inf]}}, ValueError, r"notes\.a\[1\]: .* got inf"),
        ({"notes": {"a": {1: 2}}}, TypeError, r"notes\.a: expected names that are texts, got 1"),
        ({"notes": {"a": object()}}, TypeError, r"notes\.a: .* got object"),
        ({"training_seeds": []}, ValueError, r"training_seeds: .*one or more; got \[\]"),
        ({"training_seeds": [1, -2]}, ValueError, "training_seeds"),
        ({"training_seeds": "12"}, ValueError, "training_seeds"),
        ({"evaluation_seeds": [1.5]}, ValueError, r"evaluation_seeds: .*got \[1\.5\]"),
        ({"evaluation_seeds": [True]}, ValueError, "evaluation_seeds"),
        ({"strata": "open"}, ValueError, "strata: expected a list of names; got 'open'"),
        ({"steps": 1.0}, ValueError, "steps: expected a whole number"),
        ({"steps": None}, ValueError, "steps: expected a whole number"),
        ({"moments_count": -1}, ValueError, "moments_count"),
        ({"success": {"open": 90.0}}, ValueError, r"success: .* from 0 to 1.* got {'open': 90\.0}"),
        ({"success": 0.9}, ValueError, "success: expected stratum -> share"),
        ({"training_success": {"open": True}}, ValueError, "training_success"),
        ({"reset_reasons": {"crashed": 0.5}}, ValueError, "reset_reasons"),
        ({"throughput": {"simulate_only": 0}}, ValueError, "throughput: .*above 0"),
        ({"throughput": {"simulate": 5.0}}, ValueError, "throughput: expected simulate_only"),
        ({"device": None}, ValueError, "device: expected a name; got None"),
        ({"peak_memory_mb": -5}, ValueError, "peak_memory_mb"),
    ],
)
def test_a_wrong_field_is_named(changes, error, says, path):
    """What was expected and what came; nothing is written."""
    with pytest.raises(error, match=says):
        sound(**changes)
    if "throughput" not in changes:
        with pytest.raises(error, match=says):
            append(path, sound() | changes)
        assert not path.exists()


def test_missing_and_unknown_fields_are_named(path):
    """A typing error does not vanish into the file."""
    one = sound()
    one["sucess"] = one.pop("success")
    with pytest.raises(ValueError, match="missing: success; unknown: sucess"):
        append(path, one)
    with pytest.raises(TypeError, match="expected a mapping, got list"):
        check([1])
    assert not path.exists()


def test_the_caller_keeps_its_record(path):
    """What is written is a copy: changing the record later changes nothing, and it stays as is."""
    one = sound()
    one["training_seeds"] = np.array([3, 4])
    append(path, one)
    assert isinstance(one["training_seeds"], np.ndarray)
    one["training_seeds"][0] = 9
    assert read(path)[0]["training_seeds"] == [3, 4]


def test_commit_of_a_folder(tmp_path):
    """None without git; the commit, and whether something differs, with it."""
    assert provenance.commit(tmp_path) is None
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    try:
        subprocess.run([*git, "init", "-q"], check=True)
    except FileNotFoundError:
        pytest.skip("git is not installed")
    (tmp_path / "file").write_text("one")
    subprocess.run([*git, "add", "file"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
    clean = provenance.commit(tmp_path)
    assert clean and not clean.endswith("-dirty")
    (tmp_path / "file").write_text("two")
    assert provenance.commit(tmp_path) == f"{clean}-dirty"
    (tmp_path / "inside").mkdir()
    assert provenance.commit(tmp_path / "inside") is None  # somebody else's repository


def test_the_table_puts_runs_side_by_side():
    """One row a fact; of the settings those that differ; a dash for what was not measured."""
    few = sound("few", training_seeds=[1], notes={"icc": 0.25}, success={"open": 0.3})
    many = sound("many", config=Config(steps=32), throughput={}, training_success={})
    lines = {line.split("  ")[0]: line.split()[-2:] for line in table([few, many]).splitlines()}
    text = table([few, many])
    assert "run" in lines and lines["run"] == ["few", "many"]
    assert lines["training seeds"] == ["1", "3"]
    assert lines["config, steps"] == ["64", "32"] and "config, hidden" not in text
    assert lines["simulate only, steps/s"] == ["1,000,000", "-"]
    assert "1.00 > 0.30" in text and "- > 0.90" in text and "0.80 > -" in text
    assert lines["icc"] == ["0.25", "-"]
    assert "resets, crashed" in text and "9.0 %" in text


def test_the_table_of_many_runs_goes_on_below():
    """Four runs across, and what is wrong with them at the end."""
    runs = [sound(f"run{i}") for i in range(5)] + [sound("leak", evaluation_seeds=[3, 9])]
    blocks = table(runs).split("\n\n")
    assert len(blocks) == 3
    assert blocks[0].splitlines()[0].split() == ["run", "run0", "run1", "run2", "run3"]
    assert blocks[1].splitlines()[0].split() == ["run", "run4", "leak"]
    assert blocks[2].startswith("leak: shared seeds: 1 of 2 evaluation seeds were trained on")


def test_ledger_show_prints_a_file(path):
    """The command prints the table and what was skipped; what is no ledger is refused."""
    append(path, sound("one"))
    append(path, sound("two"))
    path.write_bytes(path.read_bytes() + b'{"run": "th')
    done = CliRunner().invoke(cli.app, ["ledger", "show", str(path)])
    assert done.exit_code == 0, done.output
    assert "training seeds" in done.stdout and "line 3: skipped" in done.stdout
    assert show(path) in done.stdout
    path.write_bytes(b"")
    for file, says in ((path, "no record in it"), (path.with_name("none"), "No such file")):
        done = CliRunner().invoke(cli.app, ["ledger", "show", str(file)])
        assert done.exit_code == 2 and says in done.output and str(file) in done.output
    assert "show" in CliRunner().invoke(cli.app, ["ledger", "--help"]).output


def test_examples_in_the_docstrings():
    """The doctests run."""
    for module in (ledger, ledger_record, provenance):
        assert doctest.testmod(module).failed == 0
