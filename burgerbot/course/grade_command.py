"""``grade``: one learner's notebooks, or those of a class."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import typer

from burgerbot.course import classroom, grader
from burgerbot.course.manifest import Course
from burgerbot.course.progress_file import Progress
from burgerbot.course.terminal import fail, select, show_cards, show_line


def grade_one(
    course: Course, wanted: Sequence[str], lessons: Path | None, *, as_json: bool = False
) -> None:
    """Grade a folder of notebooks; end with status 1 unless all that was asked for passed.

    Args:
        course: The course.
        wanted: Lessons ``NN`` and exercises ``NN.k``; all if empty.
        lessons: The folder; None for the course's own, whose progress is kept.
        as_json: Print one JSON object only, exercise -> status.
    """
    exercises = select(course, wanted)
    own = course.root / "lessons"
    folder = lessons or own
    if not folder.is_dir():
        fail(f"Expected a folder of notebooks, got {folder}, which is none.", status=2)
    progress = None  # another folder is somebody else's work
    if folder.resolve() == own.resolve():
        progress = Progress.load(course.root)
    verdicts = []
    for exercise in exercises:
        verdict = grader.grade(course, exercise, folder)
        verdicts.append(verdict)
        if progress:
            progress.record(verdict)
        if not as_json:
            show_line(exercise, verdict.status)
    if as_json:
        typer.echo(json.dumps({verdict.id: verdict.status for verdict in verdicts}))
    else:
        show_cards(verdicts)
    if any(verdict.status != "passed" for verdict in verdicts):
        raise typer.Exit(1)


def grade_class(
    course: Course,
    wanted: Sequence[str],
    folder: Path | None,
    *,
    as_json: bool,
    junit: Path | None,
    seconds: float,
) -> None:
    """Grade a class; end with status 1 unless everybody passed all that was asked for.

    Args:
        course: The course.
        wanted: Lessons and exercises; the last one is the folder, where ``folder`` is None.
        folder: With a folder for each student.
        as_json: Print one JSON object only, student -> exercise -> status.
        junit: File to write JUnit XML to.
        seconds: Time limit for each student.
    """
    names = list(wanted)
    folder = folder or (Path(names.pop()) if names else None)
    if folder is None or not folder.is_dir():
        fail(f"Expected a folder with a folder for each student, got {folder}.", status=2)
    exercises = select(course, names)

    def log(line: str) -> None:
        typer.echo(line, err=as_json)  # the standard output is for the JSON

    try:
        reports = classroom.grade_class(course, folder, exercises, seconds, log)
    except ValueError as error:
        fail(str(error), status=2)
    if junit:
        junit.write_text(classroom.junit(course, reports), encoding="utf-8")
    if as_json:
        statuses = {r.student: {v.id: v.status for v in r.verdicts} for r in reports}
        typer.echo(json.dumps(statuses))
    if any(report.passed < len(exercises) for report in reports):
        raise typer.Exit(1)
