"""Grading saved notebooks: whatever stands in a cell is reported for what it is."""

import time

import nbformat
import pytest
import tiny_course

from burgerbot.course import build
from burgerbot.course.grader import grade
from burgerbot.course.manifest import load_course


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The tiny course with its notebooks built."""
    course = load_course(tiny_course.make(tmp_path_factory.mktemp("tiny")))
    build.build(course, execute=False, log=lambda _: None)
    return course


def submit(course, folder, sources):
    """Save a copy of the lesson with some exercise cells replaced."""
    notebook = nbformat.read(course.root / "lessons" / "01_tiny.ipynb", as_version=4)
    for cell in notebook.cells:
        for exercise_id, source in sources.items():
            if f"exercise:{exercise_id}" in cell.metadata.get("tags", []):
                cell.source = source
    nbformat.write(notebook, folder / "01_tiny.ipynb")
    return folder


DEF = "def double(x):\n    "


@pytest.mark.parametrize(
    ("source", "status", "says"),
    [
        (DEF + "return 2 * x", "passed", ""),
        (DEF + "return np.float64(2 * x)", "passed", ""),
        (DEF + "return np.array(2 * x)", "passed", ""),
        ("import torch\n" + DEF + "return torch.tensor(2 * x)", "passed", ""),
        ("def twice(x):\n    return 2 * x\n\n" + DEF + "return twice(x)", "passed", ""),
        ("%time\n!ls\n" + DEF + "return 2 * x", "passed", ""),
        (DEF + "return x * x", "failed", "twice means times two"),
        (DEF + "print(2 * x)", "failed", "is a return missing?"),
        (DEF + "return '6'", "failed", "twice means times two"),
        ("answer = 1", "failed", "`double` is not defined"),
        (DEF + "return twice(x)", "error", "must stand in the same cell"),
        (DEF + "return x / 0", "error", "ZeroDivisionError: division by zero"),
        (DEF + "raise NotImplementedError('01.2')", "error", "exercise 01.2"),
        (DEF + "return input()", "error", "EOF"),
        ("def double(x)\n    return 2 * x", "error", "SyntaxError"),
        ("raise RuntimeError('at import')", "error", "RuntimeError: at import"),
        ("import nonsense_module", "error", "No module named 'nonsense_module'"),
        ("import sys\nsys.exit(0)", "error", "sys.exit"),
        ("import sys\n" + DEF + "sys.exit(0)", "error", "sys.exit"),
        ("import os\nos._exit(0)", "crashed", "exit status 0"),
        ("import os\n" + DEF + "os._exit(0)", "crashed", "exit status 0"),
        ("import os\nos.kill(os.getpid(), 9)", "crashed", "exit status -9"),
        ("while True:\n    pass", "timed out", "a loop that never ends"),
        (DEF + "while True:\n        pass", "timed out", "a loop that never ends"),
        ("", "error", "is empty"),
        ("\n  \n", "error", "is empty"),
        (None, "not started", ""),
    ],
)
def test_each_submission_is_reported_for_what_it_is(course, tmp_path, source, status, says):
    """Each kind of answer gets its own status and a message that helps, within its time."""
    folder = submit(course, tmp_path, {} if source is None else {"01.1": source})
    started = time.monotonic()
    seconds = 1 if status == "timed out" else 25  # some machines take their time to import torch
    verdict = grade(course, course.exercise("01.1"), folder, seconds)
    assert (verdict.status, says in verdict.message) == (status, True), verdict.text()
    assert time.monotonic() - started < 60


def test_the_exercise_sets_its_own_limit(course, tmp_path):
    """Where nobody says otherwise, an exercise gets the seconds that its cell asks for."""
    folder = submit(course, tmp_path, {"01.1": "while True:\n    pass"})
    verdict = grade(course, course.exercise("01.1"), folder)
    assert verdict.status == "timed out" and "after 2 seconds" in verdict.message


def test_a_loop_that_swallows_everything_is_ended_from_outside(course, tmp_path, monkeypatch):
    """A submission that catches the timer's exception is killed by the parent."""
    monkeypatch.setattr("burgerbot.course.grader.START_SECONDS", 3.0)
    stubborn = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    folder = submit(course, tmp_path, {"01.1": stubborn})
    assert grade(course, course.exercise("01.1"), folder, seconds=0.5).status == "timed out"


def test_later_exercises_are_graded_after_a_crash(course, tmp_path):
    """An exercise that ends its process takes no other with it."""
    sources = {"01.1": "import os; os._exit(0)", "01.2": "def halve(x):\n    return half(x)"}
    folder = submit(course, tmp_path, sources)
    statuses = [grade(course, exercise, folder).status for exercise in course.exercises]
    assert statuses == ["crashed", "passed"]


def test_a_failed_claim_carries_expected_yours_and_where(course, tmp_path):
    """The verdict says which test, where, what was expected and what came."""
    folder = submit(course, tmp_path, {"01.1": DEF + "return x * x"})
    verdict = grade(course, course.exercise("01.1"), folder)
    assert verdict.claim == "Twice the number comes back."
    assert (verdict.expected, verdict.yours, verdict.where) == ("6", "9", "x = 3")
    for part in ("01.1 failed", "expected: 6", "yours:    9", "where:    x = 3"):
        assert part in verdict.text()


def test_an_error_names_the_line_of_the_cell(course, tmp_path):
    """What the learner's code raises is shown with the learner's own line."""
    folder = submit(course, tmp_path, {"01.1": DEF + "y = x\n    return y / 0"})
    verdict = grade(course, course.exercise("01.1"), folder)
    assert verdict.where == "line 3 of your cell: return y / 0"


def test_notebooks_that_cannot_be_graded_are_named(course, tmp_path):
    """No notebook, a broken one, or one without the tagged cell: each is said plainly."""
    exercise = course.exercise("01.1")
    assert "there is none" in grade(course, exercise, tmp_path).message
    (tmp_path / "01_tiny.ipynb").write_text("{")
    assert "not a notebook" in grade(course, exercise, tmp_path).message
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "01_tiny.ipynb")
    verdict = grade(course, exercise, tmp_path)
    assert (verdict.status, "found 0" in verdict.message) == ("error", True)
