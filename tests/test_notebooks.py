"""Whole notebooks, top to bottom in a fresh kernel, with FAST set."""

import re

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from burgerbot.course import build
from burgerbot.course.manifest import load_course

pytestmark = [pytest.mark.notebooks, pytest.mark.timeout(600)]
COURSE = load_course()
LESSONS = pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    """Training cells do little work here."""
    monkeypatch.setenv("FAST", "1")


@LESSONS
def test_solution_notebook_runs_and_every_check_passes(lesson):
    """The solved lesson runs from the first cell to the last, and each card says passed."""
    solved = build.execute_notebook(build.solution_notebook(lesson), COURSE.root / "solutions")
    cards = [
        output["data"]["text/plain"]
        for cell in solved.cells
        if "check:" in str(cell.metadata)
        for output in cell.outputs
        if "text/plain" in output.get("data", {})
    ]
    assert [card.split(" (")[0] for card in cards] == [f"{e.id} passed" for e in lesson.exercises]


@LESSONS
def test_lesson_notebook_runs_up_to_the_first_stub(lesson):
    """Run All on a fresh lesson stops at a stub that is not written yet, and nowhere else."""
    notebook = nbformat.reads(build.lesson_text(lesson), as_version=4)
    try:
        build.execute_notebook(notebook, COURSE.root / "lessons")
    except CellExecutionError as error:
        assert error.ename == "NotImplementedError", error
        assert re.fullmatch(rf"{lesson.number}\.\d", error.evalue), error
