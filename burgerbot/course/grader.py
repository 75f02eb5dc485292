"""Grade saved notebooks from the terminal: each exercise in a fresh process, within its time."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat

from burgerbot.course.manifest import Course, Exercise
from burgerbot.course.source import given_sources, tagged
from burgerbot.course.verdict import CRASHED, ERROR, NOT_STARTED, TIMED_OUT, TimeLimit, Verdict

#: A process gets this long to start, import and report, beside the time limits of its jobs.
START_SECONDS = 40.0


def grade(
    course: Course, exercise: Exercise, lessons_dir: Path, seconds: float | None = None
) -> Verdict:
    """Grade one exercise as it stands in the saved notebook.

    Args:
        course: The course.
        exercise: Which exercise.
        lessons_dir: Folder of the notebooks.
        seconds: Time limit, if not the exercise's own.

    Returns:
        Verdict: ``passed`` only if every test passed. An endless loop is ``timed out``, a process
        that ended without a word ``crashed``, a cell that cannot run ``error``.
    """
    notebook = lessons_dir / course.lesson_of(exercise).notebook_name
    try:
        cells = _submission(notebook, exercise)
    except ValueError as error:
        return Verdict(exercise.id, ERROR, message=str(error))
    if cells[-1].strip() == exercise.stub.strip():
        return Verdict(exercise.id, NOT_STARTED)
    limit = exercise.seconds if seconds is None else seconds
    return grade_sources([(exercise, cells)], limit, cwd=lessons_dir)[0]


def grade_sources(
    submissions: Sequence[tuple[Exercise, Sequence[str]]],
    seconds: float | None = None,
    cwd: Path | None = None,
) -> list[Verdict]:
    """Grade submissions, given as the sources of their cells, one after another in one process.

    Several share a process only where they are trusted (the course's own gates).
    """
    jobs = [
        {
            "id": exercise.id,
            "test_file": str(exercise.test_file),
            "cells": [_without_magics(cell) for cell in cells],
            "seconds": exercise.seconds if seconds is None else seconds,
        }
        for exercise, cells in submissions
    ]
    with tempfile.TemporaryDirectory() as folder:
        verdicts, ending = _run(jobs, Path(folder), cwd)
    for job in jobs[len(verdicts) :]:
        verdicts.append(Verdict(str(job["id"]), *ending))
    return verdicts


def _run(
    jobs: list[dict[str, Any]], folder: Path, cwd: Path | None
) -> tuple[list[Verdict], tuple[str, str, str]]:
    """Run jobs in a child process: the verdicts that it wrote, and how it ended otherwise."""
    limit = START_SECONDS + sum(float(job["seconds"]) for job in jobs)
    (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    reports, errors = folder / "reports.jsonl", folder / "errors.txt"
    command = [sys.executable, "-m", "burgerbot.course.runner", folder / "jobs.json", reports]
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": _python_path()}
    with open(errors, "wb") as stderr:
        child = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            cwd=cwd,
            env=environment,
            start_new_session=True,
        )
        try:
            code = child.wait(limit)
            last = errors.read_text(encoding="utf-8", errors="replace").strip().split("\n")[-1]
            message = f"the process ended (exit status {code}) before the tests did: does your "
            ending = (CRASHED, "", message + f"code end it? {last}".rstrip())
        except subprocess.TimeoutExpired:
            ending = (TIMED_OUT, "", str(TimeLimit(limit)))
        finally:
            _end(child)
    lines = reports.read_text(encoding="utf-8").splitlines() if reports.exists() else []
    return [Verdict(**json.loads(line)) for line in lines], ending


def _end(child: subprocess.Popen[bytes]) -> None:
    """Leave no process behind, the child's own children included."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, 9)
    elif child.poll() is None:
        child.kill()
    child.wait()


def _python_path() -> str:
    """The search path with this package in front, whatever the working folder is."""
    package_parent = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join(filter(None, [package_parent, os.environ.get("PYTHONPATH")]))


def _submission(notebook: Path, exercise: Exercise) -> list[str]:
    """The cells to run for one exercise: imports, given cells above it, and its own."""
    try:
        cells = nbformat.read(notebook, as_version=4).cells
    except FileNotFoundError:
        raise ValueError(f"expected the notebook {notebook}; there is none") from None
    except Exception as error:
        raise ValueError(f"{notebook.name} is not a notebook that can be read: {error}") from None
    found = [index for key, index in tagged(cells, "exercise") if key == exercise.id]
    if len(found) != 1:
        raise ValueError(
            f"{notebook.name}: expected one cell tagged exercise:{exercise.id}, found "
            f"{len(found)}; take the cell from a fresh copy of the lesson"
        )
    own = cells[found[0]].source
    if not own.strip():
        raise ValueError(f"the cell of exercise {exercise.id} is empty")
    return [*given_sources(cells, found[0]), own]


def _without_magics(source: str) -> str:
    """Notebook commands (``%time``, ``!ls``) mean nothing in a terminal: blank those lines."""
    lines = source.split("\n")
    return "\n".join("" if line.startswith(("%", "!")) else line for line in lines)
