"""The gates of the course: stubs wait, solutions pass, mutants fail, notebooks are up to date."""

import ast
import re
import statistics
import warnings
from collections import defaultdict
from functools import cache
from pathlib import Path

import nbformat
import pytest

from burgerbot.course import build
from burgerbot.course.grader import grade_sources
from burgerbot.course.manifest import load_course
from burgerbot.course.source import read_cells

COURSE = load_course()
EXERCISES = pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda e: e.id)
LESSONS = pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)
ALLOWED_IMPORTS = {  # which part may import which
    "world": {"world"},
    "learn": {"world", "learn"},
    "scale": {"world", "learn", "scale"},
    "show": {"world", "learn", "show"},
    "course": {"course", "learn", "scale"},  # the command line reads ledgers, starts the benchmark
}


def mutants_of(exercise):
    """The wrong answers to an exercise: (title, what the message must say, source)."""
    if not exercise.mutants_file.exists():
        return []
    with warnings.catch_warnings(record=True, action="always") as found:
        cells = read_cells(exercise.mutants_file)
    assert not found, f"{exercise.mutants_file}: says is a Python string, {found[0].message}"
    return [
        (cell.metadata["title"], cell.metadata["says"], cell.source)
        for cell in cells
        if "says" in cell.metadata
    ]


@cache
def verdicts(number):
    """Verdicts of a lesson's stubs, solutions and mutants, all graded in one process."""
    submissions, keys = [], []
    for exercise in COURSE.select(number):
        answers = {"stub": exercise.stub, "solution": exercise.solution}
        answers |= {title: source for title, _, source in mutants_of(exercise)}
        for name, source in answers.items():
            submissions.append((exercise, [*exercise.given, source]))
            keys.append((exercise.id, name))
    return dict(zip(keys, grade_sources(submissions), strict=True))


@EXERCISES
def test_stub_is_not_started_in_its_own_test(exercise):
    """A stub is neither passed nor red."""
    verdict = verdicts(exercise.id[:2])[exercise.id, "stub"]
    assert verdict.status == "not started", verdict.text()


@EXERCISES
def test_solution_passes(exercise):
    """The reference solution passes its own tests."""
    verdict = verdicts(exercise.id[:2])[exercise.id, "solution"]
    assert verdict.status == "passed", verdict.text()


@EXERCISES
def test_every_mutant_fails_by_assertion_and_is_told_why(exercise):
    """There are at least two wrong answers, and each dies with the message that teaches."""
    mutants = mutants_of(exercise)
    assert len(mutants) >= 2, f"{exercise.mutants_file} holds {len(mutants)} mutants"
    assert len({title for title, _, _ in mutants}) == len(mutants), "two mutants share a title"
    for title, says, _ in mutants:
        verdict = verdicts(exercise.id[:2])[exercise.id, title]
        assert verdict.status == "failed", f"mutant {title!r}: {verdict.text()}"
        assert re.search(says, verdict.message), f"mutant {title!r}: {verdict.text()}"


@EXERCISES
def test_exercise_has_a_figure_or_a_table(exercise):
    """Between its heading and the next there is something to look at."""
    solved = nbformat.read(
        COURSE.root / "solutions" / COURSE.lesson_of(exercise).notebook_name, as_version=4
    )
    section, inside = [], False
    for cell in solved.cells:
        if cell.cell_type == "markdown" and re.search(r"^## ", cell.source, re.MULTILINE):
            inside = f"## Exercise {exercise.id}:" in cell.source
        if inside:
            section.append(cell)
    shown = "\n".join(str(cell) for cell in section if "check:" not in str(cell.metadata))
    assert re.search(r"\|---|image/png|<svg|<img|<table", shown), "no figure and no table"


@EXERCISES
def test_committed_solution_shows_a_passed_card(exercise):
    """In the executed notebook the exercise's check cell says that it passed."""
    name = COURSE.lesson_of(exercise).notebook_name
    solved = nbformat.read(COURSE.root / "solutions" / name, as_version=4)
    cell = next(c for c in solved.cells if f"check:{exercise.id}" in c.metadata.get("tags", []))
    assert f"{exercise.id} passed" in str(cell.outputs)


@EXERCISES
def test_exercise_tests_say_their_claims(exercise):
    """Every test of an exercise has a docstring: it is what the learner's card shows."""
    tree = ast.parse(exercise.test_file.read_text(encoding="utf-8"))
    tests = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
    assert tests, "no tests"
    assert all(ast.get_docstring(test) for test in tests), "a test without a claim"


def test_committed_notebooks_are_up_to_date():
    """What the sources make is up to date; a lesson that somebody works in is left alone.

    ``build --check``, which .ci/run calls, takes it to the byte and finds stray files too.
    """
    assert build.check(COURSE, learning=True) == []


def test_no_tests_or_mutants_without_an_exercise():
    """Every exercise test and mutant file belongs to an exercise."""
    expected = {e.test_file for e in COURSE.exercises} | {e.mutants_file for e in COURSE.exercises}
    found = set((COURSE.root / "tests" / "exercises").glob("test_*.py"))
    found |= set((COURSE.root / "tests" / "mutants").glob("*.py"))
    assert found == expected


@LESSONS
def test_notebook_keeps_the_house_style(lesson):
    """Short cells, enough words, one imports cell, no path or install tricks."""
    cells = read_cells(lesson.source)
    code = [cell for cell in cells if cell.cell_type == "code"]
    words = [c for c in cells if c.cell_type == "markdown" and "hints" not in str(c.metadata)]
    lengths = [len(cell.source.split("\n")) for cell in code]
    assert 10 <= len(code) <= 35, f"{len(code)} code cells"
    assert max(lengths) <= 30, f"a cell of {max(lengths)} lines"
    assert statistics.median(lengths) <= 5, f"median {statistics.median(lengths)} lines"
    text = sum(len(cell.source.split()) for cell in words)
    assert text >= sum(len(cell.source.split()) for cell in code), "more code than words"
    assert sum("imports" in cell.metadata.get("tags", []) for cell in code) == 1
    for cell in code:
        assert not re.search(r"sys\.path|!pip|%pip|^global ", cell.source, re.MULTILINE)
    assert "Try it yourself" in words[-2].source + words[-1].source


@LESSONS
def test_links_lead_to_the_lessons_before_and_after(lesson):
    """Both ends of a lesson link to its neighbours, and no link between notebooks is dead."""
    text = "\n".join(c.source for c in read_cells(lesson.source) if c.cell_type == "markdown")
    names = [build.START, *(other.notebook_name for other in COURSE.lessons)]
    links = re.findall(r"\]\((\w+\.ipynb)\)", text)
    assert set(links) <= {item.notebook_name for item in COURSE.notebooks}
    place = names.index(lesson.notebook_name)
    for neighbour in names[max(place - 1, 0) : place] + names[place + 1 : place + 2]:
        assert links.count(neighbour) >= 2, neighbour


def test_imports_run_one_way():
    """world <- learn <- scale; show reads world and learn; course stands apart."""
    package = COURSE.root / "burgerbot"
    wrong = defaultdict(list)
    for path in package.rglob("*.py"):
        part = path.relative_to(package).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module == "burgerbot":
                names += [f"burgerbot.{alias.name}" for alias in node.names]
            for name in names:
                parts = name.split(".")
                inside = parts[0] == "burgerbot" and len(parts) > 1
                if inside and parts[1] not in ALLOWED_IMPORTS.get(part, set(parts[1:])):
                    wrong[str(Path(path).relative_to(package))].append(name)
    assert not wrong
