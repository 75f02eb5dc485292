"""The teacher's notebooks: solutions inline, and under each what to know when teaching it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from burgerbot.course import aside
from burgerbot.course.build import solution_notebook, with_outputs_of
from burgerbot.course.manifest import Course, Exercise, Lesson
from burgerbot.course.source import CourseError, read_cells, tagged


def build_instructor(course: Course, folder: Path, log: Callable[[str], None] = print) -> None:
    """Write one notebook a lesson: the solved lesson with its outputs and with teaching notes.

    A notebook that is there, and that somebody has written in, is put aside first.

    Args:
        course: The course.
        folder: Where to write; made if need be.
        log: Gets a line for each notebook.

    Raises:
        CourseError: The folder is the course's own ``lessons`` or ``solutions``.
    """
    if folder.resolve() in ((course.root / name).resolve() for name in ("lessons", "solutions")):
        raise CourseError(f"expected a folder for teachers, got {folder}, which learners use")
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in course.lessons:
        path = folder / lesson.notebook_name
        notebook = instructor_notebook(course, lesson)
        aside.mark(notebook)
        if aside.edited(path) and aside.sources_at(path) != aside.sources(notebook):
            log(f"{path}: had been worked in, kept as {aside.put_aside(path, 'build').name}")
        path.write_bytes((nbformat.writes(notebook, indent=1) + "\n").encode("utf-8"))
        log(f"{path}: written")


def instructor_notebook(course: Course, lesson: Lesson) -> NotebookNode:
    """The solved lesson, an overview on top, and a note under each exercise."""
    notebook = solution_notebook(lesson)
    solved = course.root / "solutions" / lesson.notebook_name
    if solved.exists():
        notebook = with_outputs_of(nbformat.read(solved, as_version=4), notebook) or notebook
    exercises = {exercise.id: exercise for exercise in lesson.exercises}
    places = {index: key for key, index in tagged(notebook.cells, "exercise")}
    cells = []
    for index, cell in enumerate(notebook.cells):
        cells.append(cell)
        if index == 0:
            cells.append(_note("overview", overview(lesson)))
        if index in places:
            exercise = exercises[places[index]]
            name = f"notes-{exercise.id.replace('.', '-')}"
            cells.append(_note(name, teaching_notes(exercise)))
    notebook.cells = cells
    return notebook


def overview(lesson: Lesson) -> str:
    """What a lesson takes: its minutes, and those of each exercise."""
    lines = [
        f"> **For teachers.** {lesson.minutes} minutes in all, "
        f"{sum(e.minutes for e in lesson.exercises)} of them for the exercises.",
        ">",
        "> | exercise | minutes | difficulty | time limit |",
        "> |---|---|---|---|",
    ]
    for exercise in lesson.exercises:
        lines.append(
            f"> | {exercise.id} {exercise.title} | {exercise.minutes} | {exercise.difficulty} of 3 "
            f"| {exercise.seconds:g} s |"
        )
    return "\n".join(lines)


def teaching_notes(exercise: Exercise) -> str:
    """Minutes, the hints in order, and the wrong answers that the tests tell apart."""
    lines = [
        f"> **For teachers: {exercise.id}.** About {exercise.minutes} minutes, difficulty "
        f"{exercise.difficulty} of 3. `hint` gives these, in this order:",
        ">",
    ]
    lines += [f"> {number}. {hint}" for number, hint in enumerate(exercise.hints, start=1)]
    wrong = misconceptions(exercise)
    if wrong:
        lines += [">", "> Wrong answers that the tests know, and the words that the card says:"]
        lines += [">", "> | the answer | the card |", "> |---|---|"]
        lines += [f"> | {_cell(title)} | {_cell(says)} |" for title, says in wrong]
    return "\n".join(lines)


def misconceptions(exercise: Exercise) -> list[tuple[str, str]]:
    """What each mutant does wrong, and the part of the message that it must get."""
    if not exercise.mutants_file.exists():
        return []
    return [
        (str(cell.metadata["title"]), _plain(str(cell.metadata["says"])))
        for cell in read_cells(exercise.mutants_file)
        if "says" in cell.metadata
    ]


def _note(name: str, text: str) -> NotebookNode:
    return new_markdown_cell(text, id=name, metadata={"tags": ["teacher"]})


def _plain(pattern: str) -> str:
    """A pattern as words: its first alternative, dots where anything may stand."""
    return " ".join(pattern.split("|")[0].replace(".*", " ... ").replace("\\", "").split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
