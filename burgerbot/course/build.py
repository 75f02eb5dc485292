"""Build the notebooks from the lesson sources, and check that what is committed is up to date."""

from __future__ import annotations

import difflib
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from burgerbot.course import aside
from burgerbot.course.execute import KERNEL as KERNEL
from burgerbot.course.execute import execute_notebook as execute_notebook
from burgerbot.course.execute import with_outputs_of as with_outputs_of
from burgerbot.course.fill import fill, link_numbers
from burgerbot.course.launch import START as START
from burgerbot.course.manifest import Course, Lesson, Page
from burgerbot.course.source import make_stub, read_cells, strip_markers


def build(
    course: Course,
    numbers: Sequence[str] | None = None,
    execute: bool = True,
    log: Callable[[str], None] = print,
) -> None:
    """Write ``lessons/*.ipynb``, execute ``solutions/*.ipynb``, and fill tables and links.

    A notebook in ``lessons/`` that somebody has worked in is not lost: it is renamed to
    ``NN_name-before-build.ipynb`` first, and the log says so. Outputs alone are no work.

    Args:
        course: The course.
        numbers: Lesson numbers such as ``["01"]``; all if left out.
        execute: Execute the solution notebooks too. Else one whose code has not changed keeps
            its outputs and gets the new prose.
        log: Where progress goes.
    """
    for lesson in course.lessons:
        if numbers and lesson.number not in numbers:
            continue
        _renew(course.root / "lessons" / lesson.notebook_name, lesson_text(lesson), log)
        log(f"lessons/{lesson.notebook_name}: written")
        solved_path = course.root / "solutions" / lesson.notebook_name
        if execute:
            solved = execute_notebook(solution_notebook(lesson), course.root / "solutions")
            _write(solved_path, _text(solved))
            log(f"solutions/{lesson.notebook_name}: executed")
        elif solved_path.exists():
            before = nbformat.read(solved_path, as_version=4)
            if kept := with_outputs_of(before, solution_notebook(lesson)):
                _write(solved_path, _text(kept))
    for page in course.pages:
        _renew(course.root / "lessons" / page.notebook_name, lesson_text(page, course), log)
    readme = course.root / "README.md"
    _write(readme, fill(course, readme.read_text(encoding="utf-8"), "lessons/"))


def check(course: Course, learning: bool = False) -> list[str]:
    """Compare what is committed with the sources.

    Args:
        course: The course.
        learning: Leave alone what a learner has saved from Jupyter, or put into ``lessons/``.

    Returns:
        Problems, one line each; empty if everything is up to date.
    """
    problems = []
    for lesson in course.lessons:
        path = course.root / "lessons" / lesson.notebook_name
        if not (learning and worked_on(path)):
            problems += _differences(f"lessons/{path.name}", path, lesson_text(lesson))
        path = course.root / "solutions" / lesson.notebook_name
        problems += _unlike(path, solution_notebook(lesson))
    for page in course.pages:
        path = course.root / "lessons" / page.notebook_name
        if not (learning and worked_on(path)):
            problems += _differences(f"lessons/{path.name}", path, lesson_text(page, course))
    for folder in ("lessons", "solutions"):
        expected = {lesson.notebook_name for lesson in course.lessons}
        if folder == "solutions":
            expected |= {item.source.name for item in course.notebooks}
        else:
            expected |= {page.notebook_name for page in course.pages}
        if learning and folder == "lessons":
            continue
        for path in sorted((course.root / folder).iterdir()):
            ignored = path.name.startswith((".", "__")) or aside.was_put_aside(path)
            if path.name not in expected and not ignored:
                problems.append(f"{folder}/{path.name}: a stray file, made by no lesson")
    readme = course.root / "README.md"
    filled = fill(course, readme.read_text(encoding="utf-8"), "lessons/")
    return problems + _differences("README.md", readme, filled)


def worked_on(path: Path) -> bool:
    """Whether Jupyter has saved this notebook: it notes the language, and ``build`` does not."""
    return path.exists() and '"language_info"' in path.read_text(encoding="utf-8")


def lesson_text(lesson: Lesson | Page, course: Course | None = None) -> str:
    """The learner's notebook as the bytes that stand in ``lessons/``; a page needs its course."""
    notebook = _notebook(lesson, make_stub)
    if course and isinstance(lesson, Page):
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = link_numbers(course, fill(course, cell.source, ""))
    aside.mark(notebook)
    return _text(notebook)


def solution_notebook(lesson: Lesson) -> NotebookNode:
    """The solved notebook, not executed."""
    return _notebook(lesson, lambda source, _: strip_markers(source))


def _notebook(lesson: Lesson | Page, exercise_source: Callable[[str, str], str]) -> NotebookNode:
    """The cells that a reader sees, with stable ids and no other metadata than tags."""
    cells, ids = [], Counter[str]()
    for cell in read_cells(lesson.source):
        tags = [tag for tag in cell.metadata.get("tags", []) if tag != "page"]
        names = {tag.split(":")[0]: tag.split(":")[1] for tag in tags if ":" in tag}
        if "hints" in names:
            continue
        source = cell.source
        if "exercise" in names:
            source = exercise_source(source, names["exercise"])
        make = new_code_cell if cell.cell_type == "code" else new_markdown_cell
        cell_id = _cell_id(cell.metadata.get("id"), names, source)
        ids[cell_id] += 1
        if ids[cell_id] > 1:
            cell_id += f"-{ids[cell_id]}"
        cells.append(make(source, id=cell_id, metadata={"tags": tags} if tags else {}))
    return new_notebook(cells=cells, metadata={"kernelspec": dict(KERNEL)})


def _cell_id(given: str | None, names: dict[str, str], source: str) -> str:
    """A stable id: given, from the exercise, or from the cell's own text."""
    if given:
        return given
    for kind in ("exercise", "check"):
        if kind in names:
            return f"{kind}-{names[kind].replace('.', '-')}"
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def _unlike(path: Path, expected: NotebookNode) -> list[str]:
    """How an executed notebook differs from its source, outputs aside."""
    if not path.exists():
        return [f"solutions/{path.name}: missing; run python -m burgerbot build"]
    executed = nbformat.read(path, as_version=4)
    counts, errors = [], 0
    for cell in executed.cells:
        if cell.cell_type == "code":
            counts.append(cell.execution_count)
            errors += sum(output.output_type == "error" for output in cell.outputs)
            cell.outputs, cell.execution_count = [], None
    problems = []
    if _text(executed) != _text(expected):
        problems.append(f"solutions/{path.name}: out of date; run python -m burgerbot build")
    if errors or counts != list(range(1, len(counts) + 1)):
        problems.append(f"solutions/{path.name}: not executed cleanly from top to bottom")
    return problems


def _differences(name: str, path: Path, expected: str) -> list[str]:
    """The first difference between a file's bytes and what they should be."""
    if not path.exists():
        return [f"{name}: missing; run python -m burgerbot build"]
    found = path.read_bytes().decode("utf-8")
    if found == expected:
        return []
    changes = difflib.unified_diff(found.splitlines(), expected.splitlines(), "", "", "", "", 0)
    first = next((line for line in changes if line[:1] in "+-" and line[1:].strip("+- ")), "")
    return [f"{name}: out of date; run python -m burgerbot build (first difference: {first[:120]})"]


def _renew(path: Path, text: str, log: Callable[[str], None]) -> None:
    """Write a learner's notebook; what somebody wrote into the one that is there is put aside."""
    written = aside.sources(nbformat.reads(text, as_version=4))
    if aside.edited(path) and aside.sources_at(path) != written:
        kept = aside.put_aside(path, "build")
        log(f"lessons/{path.name}: somebody has worked in it; kept as lessons/{kept.name}")
    _write(path, text)


def _text(notebook: NotebookNode) -> str:
    """A notebook as text, always in the same bytes."""
    return nbformat.writes(notebook, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    """Write with Unix line ends on every system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
