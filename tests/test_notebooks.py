"""Whole notebooks, top to bottom in a fresh kernel, with FAST set."""

import re

import nbformat
import pytest
from memory import CAP, SERVER, Peak
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
    """The solved lesson runs from first to last cell, in 2 GB, and each card says passed."""
    with Peak() as peak:
        solved = build.execute_notebook(build.solution_notebook(lesson), COURSE.root / "solutions")
    print(f"lesson {lesson.number}: {peak.bytes / 1e6:.0f} MB")
    assert 0 < peak.bytes + SERVER < CAP, f"Binder gives 2 GB; the kernel took {peak.bytes:,} bytes"
    cards = [
        output["data"]["text/plain"]
        for cell in solved.cells
        if "check:" in str(cell.metadata)
        for output in cell.outputs
        if "text/plain" in output.get("data", {})
    ]
    assert [card.split(" (")[0] for card in cards] == [f"{e.id} passed" for e in lesson.exercises]


@pytest.mark.parametrize("page", COURSE.pages, ids=lambda page: page.name)
def test_page_runs(page):
    """The start, the end and the glossary run from the first cell to the last."""
    notebook = nbformat.reads(build.lesson_text(page, COURSE), as_version=4)
    build.execute_notebook(notebook, COURSE.root / "lessons")


@LESSONS
def test_lesson_notebook_runs_up_to_the_first_stub(lesson):
    """Run All on a fresh lesson stops at a stub that is not written yet, and nowhere else."""
    notebook = nbformat.reads(build.lesson_text(lesson), as_version=4)
    try:
        build.execute_notebook(notebook, COURSE.root / "lessons")
    except CellExecutionError as error:
        assert error.ename == "NotImplementedError", error
        assert re.fullmatch(rf"{lesson.number}\.\d", error.evalue), error
