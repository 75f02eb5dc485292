"""What the commands share: ending with a sentence, choosing exercises, and showing them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from burgerbot.course.manifest import Course, Exercise
    from burgerbot.course.verdict import Verdict

STYLES = {"passed": "green", "not started": "dim", "timed out": "magenta"}  # the rest is red


def fail(message: str, status: int = 1) -> NoReturn:
    """Print one sentence to the standard error and end."""
    typer.echo(message, err=True)
    raise typer.Exit(status)


def open_course(root: Path) -> Course:
    """Read the course, or end with the rule that one of its sources breaks."""
    from burgerbot.course.manifest import load_course
    from burgerbot.course.source import CourseError

    try:
        return load_course(root)
    except CourseError as error:
        fail(str(error))


def select(course: Course, wanted: Sequence[str] | None) -> list[Exercise]:
    """Return the exercises asked for, each once, or end with the list of what there is."""
    from burgerbot.course.manifest import UnknownExercise

    try:
        chosen = [exercise for name in wanted or (None,) for exercise in course.select(name)]
    except UnknownExercise as error:
        fail(str(error), status=2)
    return list({exercise.id: exercise for exercise in chosen}.values())


def show_line(exercise: Exercise, status: str) -> None:
    """Print one exercise and how it stands; the word says it, the colour only helps."""
    from rich.console import Console
    from rich.text import Text

    line = Text(f"{exercise.id:<6}").append(f"{status:<12}", style=STYLES.get(status, "bold red"))
    Console(highlight=False, soft_wrap=True).print(line.append(exercise.title))


def show_cards(verdicts: Sequence[Verdict]) -> None:
    """Print what there is to say about each exercise that was tried and did not pass."""
    for verdict in verdicts:
        if verdict.status not in ("passed", "not started"):
            typer.echo("\n" + verdict.text())
    passed = sum(verdict.status == "passed" for verdict in verdicts)
    typer.echo(f"\n{passed} of {len(verdicts)} passed.")
