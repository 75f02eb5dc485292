"""What a notebook calls: ``check``, ``hint``, ``solution``, ``progress`` and ``budget``."""

from __future__ import annotations

import os
import sys
from typing import Any, TypeVar

from burgerbot.course.cards import NoteCard, SolutionCard, VerdictCard
from burgerbot.course.manifest import load_course
from burgerbot.course.progress_file import Progress
from burgerbot.course.progress_table import ProgressTable
from burgerbot.course.runner import run_tests
from burgerbot.course.verdict import NOT_STARTED, PASSED

Amount = TypeVar("Amount", int, float)


def check(exercise_id: str, namespace: dict[str, Any] | None = None) -> VerdictCard:
    """Run an exercise's tests on the objects of this notebook.

    Args:
        exercise_id: ``"NN.k"``.
        namespace: Where to look for the answer; the notebook's own names if left out.

    Returns:
        VerdictCard: Passed, or the first failing claim with expected, yours, where, and a hint.

    Raises:
        UnknownExercise: There is no such exercise; the message lists what there is.
    """
    course = load_course()
    exercise = course.exercise(exercise_id)
    answers = _notebook_names() if namespace is None else namespace
    verdict = run_tests(exercise.id, exercise.test_file, answers, exercise.seconds)
    progress = Progress.load(course.root)
    progress.record(verdict)
    stuck = verdict.status not in (PASSED, NOT_STARTED)
    return VerdictCard(verdict, exercise.title, progress.hint_ahead(exercise) if stuck else "")


def hint(exercise_id: str) -> NoteCard:
    """Show the next hint of an exercise; the last one stays.

    Raises:
        UnknownExercise: There is no such exercise.
    """
    course = load_course()
    return NoteCard(Progress.load(course.root).next_hint(course.exercise(exercise_id)))


def solution(exercise_id: str, force: bool = False) -> SolutionCard | NoteCard:
    """Show the reference solution, once the exercise has passed or if you insist.

    Args:
        exercise_id: ``"NN.k"``.
        force: Show it in any case.

    Raises:
        UnknownExercise: There is no such exercise.
    """
    course = load_course()
    exercise = course.exercise(exercise_id)
    if force or Progress.load(course.root).passed_once(exercise_id):
        return SolutionCard(exercise_id, exercise.solution)
    return NoteCard(
        f"The solution of {exercise_id} opens when your own has passed. "
        f'To see it now: `solution("{exercise_id}", force=True)`'
    )


def progress() -> ProgressTable:
    """Show the course as a table: each lesson, its minutes, and what you have solved of it."""
    course = load_course()
    return ProgressTable.of(course, Progress.load(course.root))


def budget(full: Amount, fast: Amount) -> Amount:
    """Choose how much work a cell does: ``full``, or ``fast`` where the variable FAST is set.

    >>> budget(200_000, fast=2_000) in (200_000, 2_000)
    True
    """
    return fast if os.environ.get("FAST", "0") not in ("", "0") else full


def _notebook_names() -> dict[str, Any]:
    """The names that the notebook's cells have defined."""
    try:
        from IPython.core.getipython import get_ipython
    except ModuleNotFoundError:
        shell = None
    else:
        shell = get_ipython()
    return vars(sys.modules["__main__"]) if shell is None else shell.user_ns
