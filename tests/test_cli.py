"""The commands of ``python -m burgerbot``."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from burgerbot.course import build as builder
from burgerbot.course import cli, environment, grader, launch, manifest
from burgerbot.course.manifest import Course, Exercise, Lesson
from burgerbot.course.verdict import Verdict

STATUSES = {"01.1": "passed", "01.2": "failed", "02.1": "not started"}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of three exercises in two lessons, whose verdicts are known."""

    def exercise(name: str) -> Exercise:
        hints = ("think", "think again")
        return Exercise(name, f"task {name}", 5, 1, hints, "", "", (), 1.0, tmp_path)

    def lesson(number: str, *names: str) -> Lesson:
        exercises = tuple(exercise(name) for name in names)
        return Lesson(number, "name", f"Lesson {number}", 30, exercises, tmp_path / "source.py")

    course = Course(tmp_path, (lesson("01", "01.1", "01.2"), lesson("02", "02.1")))
    (tmp_path / "lessons").mkdir()
    monkeypatch.setattr(cli, "ROOT", tmp_path)
    monkeypatch.setattr(manifest, "load_course", lambda root: course)
    monkeypatch.setattr(
        grader,
        "grade",
        lambda course, exercise, folder: Verdict(
            exercise.id, STATUSES[exercise.id], message=f"what {exercise.id} did in {folder.name}"
        ),
    )
    monkeypatch.setenv("BURGERBOT_PROGRESS", str(tmp_path / "progress.json"))
    return tmp_path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], Path]]:
    """The programs that a command goes on as; none is started."""
    programs: list[tuple[list[str], Path]] = []
    monkeypatch.setattr(environment, "become", lambda *program: programs.append(program))
    return programs


def run(*args: str):
    """Run a command; a traceback is the test's."""
    return CliRunner().invoke(cli.app, list(args), catch_exceptions=False)


def test_help_lists_all_commands():
    """The full help and the short one of a bare Python name the same commands."""
    done = run("--help")
    short = (Path(cli.__file__).parents[1] / "__main__.py").read_text(encoding="utf-8")
    for command in cli.app.registered_commands:
        name = command.callback.__name__.replace("_", "-")
        assert re.search(rf"\W{name} ", done.stdout) and f"\n  {name} " in short
    assert done.exit_code == 0 and len(cli.app.registered_commands) == 8


def test_help_loads_nothing_heavy():
    """Help is quick: no torch, no notebook library, no pytest, no matplotlib, no ray."""
    code = (
        "import sys; import burgerbot.course.cli;"
        "print({'torch', 'ray', 'matplotlib', 'pytest', 'jupytext', 'nbformat', 'nbclient'}"
        " & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cli.ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "set()", done.stderr


def test_lab_serves_the_lessons_and_asks_nothing_of_the_outside(root, started):
    """JupyterLab starts in the course's folder on lessons/, without news or update checks."""
    assert run("lab").exit_code == 0
    [(command, folder)] = started
    assert command[:3] == [sys.executable, "-m", "jupyterlab"] and folder == root
    assert f"--ServerApp.root_dir={root / 'lessons'}" in command
    assert "--LabApp.news_url=None" in command
    assert "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate" in command
    assert "--LabApp.extension_manager=readonly" in command
    assert "--no-browser" not in command and not any("--port" in part for part in command)


def test_lab_opens_at_the_start_page(root, started):
    """Where the folder has a start page, it is the first thing that a learner sees."""
    run("lab")
    (root / "lessons" / "00_start_here.ipynb").write_text("")
    run("lab")
    without, with_page = (command for command, _ in started)
    option = "--LabApp.default_url=/lab/tree/00_start_here.ipynb"
    assert option not in without and option in with_page
    assert launch.START == builder.START


def test_lab_passes_options_on(root, started):
    """Port, address and browser are the learner's choice; what follows -- is Jupyter's."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    options = ["--no-browser", "--port", port, "--ip", "127.0.0.1", "--", "--debug"]
    assert run("lab", *options).exit_code == 0
    command = started[0][0]
    assert {"--no-browser", f"--port={port}", "--ip=127.0.0.1"} <= set(command)
    assert "--ServerApp.port_retries=0" in command and command[-1] == "--debug"


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", ""])
def test_lab_says_that_the_port_is_taken(root, started, address):
    """A port in use gets one sentence, and no server is started."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run("lab", "--port", str(port), "--ip", address)
    assert done.exit_code == 1 and not started
    assert done.stderr == (
        f"Expected a free port, got {port}, which another program uses. Choose another one.\n"
    )


def test_lab_without_lessons_says_so(root, started):
    """A clone without lessons/ gets the command that makes them."""
    (root / "lessons").rmdir()
    done = run("lab")
    assert done.exit_code == 1 and not started
    assert "Expected the folder" in done.stderr and "burgerbot build" in done.stderr


def test_test_passes_everything_to_pytest(root, started):
    """Options of pytest need no --, and pytest runs in the course's folder."""
    arguments = ["-k", "gather", "--maxfail=1", "tests/test_env.py"]
    assert run("test", *arguments).exit_code == 0
    [(command, folder)] = started
    assert command[:3] == [sys.executable, "-m", "pytest"] and folder == root
    assert command[-len(arguments) :] == arguments


@pytest.mark.parametrize(
    ("cores", "arguments", "added"),
    [
        (2, [], ["-n2", "--dist=loadfile"]),
        (2, ["-k", "gather"], ["-n2", "--dist=loadfile"]),
        (64, [], ["-n4", "--dist=loadfile"]),
        (1, [], []),
        (None, [], []),
        (2, ["-n", "0"], []),
        (2, ["-n3"], []),
        (2, ["--pdb"], []),
        (2, ["-s"], []),
        (2, ["-m", "browser"], []),
    ],
)
def test_tests_run_side_by_side_where_they_can(root, started, monkeypatch, cores, arguments, added):
    """As many processes as cores, four at most, unless the options of pytest stand against it."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert run("test", *arguments).exit_code == 0
    assert started == [([sys.executable, "-m", "pytest", *added, *arguments], root)]


@pytest.mark.parametrize(
    ("wanted", "graded", "status"),
    [
        ([], ["01.1", "01.2", "02.1"], 1),
        (["01"], ["01.1", "01.2"], 1),
        (["01.1"], ["01.1"], 0),
        (["02.1"], ["02.1"], 1),
    ],
)
def test_grade_json_is_one_object(root, wanted, graded, status):
    """Id to status and nothing else; status 0 only if all that was asked for passed."""
    done = run("grade", "--json", *wanted)
    assert json.loads(done.stdout) == {name: STATUSES[name] for name in graded}
    assert done.stdout.count("\n") == 1 and done.exit_code == status


def test_grade_shows_a_line_each_and_the_cards_of_failures(root):
    """A table of all, then what went wrong; not begun is not wrong."""
    done = run("grade")
    assert "01.1  passed      task 01.1" in done.stdout
    assert "02.1  not started task 02.1" in done.stdout
    assert "what 01.2 did in lessons" in done.stdout
    assert "what 01.1" not in done.stdout and "what 02.1" not in done.stdout
    assert done.stdout.endswith("\n1 of 3 passed.\n") and done.exit_code == 1


def test_grade_takes_each_exercise_once(root):
    """An exercise asked for twice is graded and counted once."""
    done = run("grade", "01.1", "01", "01.1")
    assert done.stdout.count("task 01.1") == 1 and "\n1 of 2 passed." in done.stdout


def test_grade_keeps_progress_for_the_own_lessons_only(root, tmp_path_factory):
    """Grading somebody else's folder leaves the own progress alone."""
    other = tmp_path_factory.mktemp("other")
    assert "did in other" in run("grade", "--lessons", str(other)).stdout
    assert not (root / "progress.json").exists()
    run("grade", "01")
    saved = json.loads((root / "progress.json").read_text(encoding="utf-8"))
    assert saved["01.1"]["status"] == "passed" and saved["01.2"]["status"] == "failed"


def test_grade_of_a_folder_that_is_none(root):
    """A missing folder is a mistake in the command: status 2."""
    done = run("grade", "--lessons", str(root / "nowhere"))
    assert done.exit_code == 2 and "Expected a folder of notebooks" in done.stderr


@pytest.mark.parametrize("command", [["grade", "99.9"], ["grade", "01", "foo"], ["hint", "foo"]])
def test_unknown_ids_are_answered_with_what_there_is(root, command):
    """A wrong id gets one sentence with the ids that exist, and nothing on stdout."""
    done = run(*command)
    assert done.exit_code == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "01.1, 01.2, 02.1" in done.stderr and command[-1] in done.stderr


def test_hints_go_up_the_ladder(root):
    """Each call shows the next hint; the last one stays."""
    shown = [run("hint", "01.2").stdout for _ in range(3)]
    assert ["think\n" in shown[0], "think again" in shown[1], shown[2]] == [True, True, shown[1]]


def test_progress_is_a_table_of_the_course(root):
    """After grading, each lesson shows how many passed, then the total and what comes next."""
    assert "0 of 3 exercises passed (0%)" in run("progress").stdout
    run("grade")
    done = run("progress")
    assert done.exit_code == 0
    assert re.search(r"^01 Lesson 01 +30 min +1 of 2 ", done.stdout, re.MULTILINE)
    assert re.search(r"^02 Lesson 02 +30 min +0 of 1 ", done.stdout, re.MULTILINE)
    assert "1 of 3 exercises passed (33%)" in done.stdout and "Next: 01.2 task 01.2" in done.stdout


def test_progress_lists_the_exercises_asked_for(root):
    """With a lesson or an exercise: a line for each, and how it stands."""
    run("grade")
    done = run("progress", "01")
    assert "01.2  failed      task 01.2" in done.stdout and "02.1" not in done.stdout
    assert run("progress", "07").exit_code == 2


def test_build_makes_what_is_asked(root, monkeypatch):
    """Numbers and --no-execute reach the builder; no number means all."""
    asked = []
    monkeypatch.setattr(
        builder, "build", lambda course, numbers, execute, log: asked.append((numbers, execute))
    )
    assert run("build").exit_code == run("build", "02", "--no-execute").exit_code == 0
    assert asked == [(None, True), (["02"], False)]
    done = run("build", "2")
    assert done.exit_code == 2 and "01, 02; got '2'" in done.stderr


@pytest.mark.parametrize(("problems", "status"), [([], 0), (["lessons/01.ipynb: old"], 1)])
def test_build_check_lists_problems(root, monkeypatch, problems, status):
    """Out of date: each problem, the command that mends it, and status 1."""
    monkeypatch.setattr(builder, "check", lambda course: problems)
    done = run("build", "--check")
    assert done.exit_code == status
    assert all(problem in done.stdout for problem in problems)
    assert ("python -m burgerbot build" in done.stderr) == bool(problems)


def test_bench_passes_json_on(monkeypatch):
    """``bench --json`` asks the benchmark for JSON."""
    asked = []
    fake = SimpleNamespace(main=lambda as_json: asked.append(as_json))
    monkeypatch.setitem(sys.modules, "burgerbot.scale.bench", fake)
    monkeypatch.setattr("burgerbot.scale.bench", fake, raising=False)
    run("bench")
    run("bench", "--json")
    assert asked == [False, True]


def test_a_source_that_breaks_a_rule_is_one_sentence(root, monkeypatch):
    """An author's mistake is shown without a traceback."""

    def refuse(root):
        raise manifest.CourseError("01_x.py, exercise 01.2: expected a heading")

    monkeypatch.setattr(manifest, "load_course", refuse)
    done = run("grade")
    assert done.exit_code == 1
    assert done.stderr == "01_x.py, exercise 01.2: expected a heading\n"


def test_batch_size_prints_the_report():
    """A good setting gets its numbers and nothing else, status 0."""
    done = run("batch-size", "--n-envs=64", "--n-steps=2048", "--batch-size=4096", "--n-epochs=10")
    assert done.exit_code == 0
    assert "131,072 transitions" in done.stdout and "320 gradient steps" in done.stdout
    assert "warning" not in done.stdout and "nearest" not in done.stdout


def test_batch_size_warns_and_suggests():
    """A setting with a fault is still worked out: the fault, the nearest good one, status 0."""
    done = run("batch-size", "--n-envs", "8", "--n-steps", "128", "--batch-size", "64")
    assert done.exit_code == 0 and "16 minibatches a pass, fewer than 32" in done.stdout
    assert "--n-steps 128 --batch-size 32 --n-epochs 10" in done.stdout


@pytest.mark.parametrize("option", ["--n-envs", "--n-steps", "--batch-size", "--n-epochs"])
@pytest.mark.parametrize(
    ("value", "says"),
    [("0", "got 0"), ("-4", "got -4"), ("many", "valid integer"), ("2.5", "valid integer")],
)
def test_batch_size_names_the_option_that_is_wrong(option, value, says):
    """Zero, negative and non-numeric input: one message with the option's name, status 2."""
    setting = {"--n-envs": "8", "--n-steps": "128", "--batch-size": "32", "--n-epochs": "10"}
    done = run("batch-size", *(f"{k}={v}" for k, v in (setting | {option: value}).items()))
    message = " ".join(re.sub(r"[│╭╰─╮╯]|\x1b\[[0-9;]*m", " ", done.stderr).split())
    assert done.exit_code == 2 and option in message and says in message
