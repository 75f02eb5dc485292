"""Grade a class: a folder with one folder of notebooks for each student."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from burgerbot.course.grader import grade
from burgerbot.course.manifest import Course, Exercise
from burgerbot.course.verdict import ERROR, FAILED, NOT_STARTED, PASSED, TIMED_OUT, Verdict

#: A student's answers get this long together, unless the teacher says otherwise.
STUDENT_SECONDS = 600.0
#: What XML cannot hold, such as the colour codes of a terminal.
NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Report:
    """One student's verdicts, and how many seconds each took."""

    student: str
    verdicts: tuple[Verdict, ...]
    seconds: tuple[float, ...]

    @property
    def passed(self) -> int:
        """How many passed."""
        return sum(verdict.status == PASSED for verdict in self.verdicts)


def grade_class(
    course: Course,
    folder: Path,
    exercises: Sequence[Exercise],
    seconds: float = STUDENT_SECONDS,
    log: Callable[[str], None] = lambda line: None,
) -> list[Report]:
    """Grade each student's notebooks apart from all others'.

    Each exercise runs in a process of its own, in a copy of the student's folder that is thrown
    away afterwards: an answer that writes or deletes where it stands, or never ends, changes
    nobody's files and takes nobody's time. It is no prison for malice: for answers that you do not
    trust, run this in a container.

    Args:
        course: The course.
        folder: Its sub-folders are the students, by name.
        exercises: What to grade.
        seconds: Time for one student; what it does not reach is ``timed out``.
        log: Gets a line for each student.

    Returns:
        One report a student, by name.

    Raises:
        ValueError: There is no sub-folder.
    """
    students = sorted(
        path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")
    )
    if not students:
        raise ValueError(f"expected a folder for each student in {folder}, found none")

    def one(student: Path) -> Report:
        report = grade_student(course, student, exercises, seconds)
        log(f"{student.name}: {report.passed} of {len(exercises)} passed")
        return report

    with ThreadPoolExecutor(max_workers=max((os.cpu_count() or 1) // 2, 1)) as pool:
        return list(pool.map(one, students))


def grade_student(
    course: Course, folder: Path, exercises: Sequence[Exercise], seconds: float
) -> Report:
    """Grade one student's folder, in copies of it."""
    end = time.monotonic() + seconds
    verdicts, times = [], []
    for exercise in exercises:
        started = time.monotonic()
        left = end - started
        if left <= 0:
            message = f"the {seconds:g} seconds for all of one student's answers were over"
            verdicts.append(Verdict(exercise.id, TIMED_OUT, message=message))
        else:
            verdicts.append(_grade_a_copy(course, folder, exercise, min(exercise.seconds, left)))
        times.append(time.monotonic() - started)
    return Report(folder.name, tuple(verdicts), tuple(times))


def junit(course: Course, reports: Sequence[Report]) -> str:
    """The reports as JUnit XML: a suite for each student, a case for each exercise."""
    suites = ElementTree.Element("testsuites", name="BurgerBot")
    for report in reports:
        statuses = [verdict.status for verdict in report.verdicts]
        counts = {
            "tests": len(statuses),
            "failures": statuses.count(FAILED),
            "skipped": statuses.count(NOT_STARTED),
            "errors": sum(s not in (PASSED, FAILED, NOT_STARTED) for s in statuses),
        }
        name, seconds = _clean(report.student), f"{sum(report.seconds):.2f}"
        suite = ElementTree.SubElement(suites, "testsuite", name=name, time=seconds)
        for count, number in counts.items():
            suite.set(count, str(number))
        for verdict, took in zip(report.verdicts, report.seconds, strict=True):
            title = course.exercise(verdict.id).title
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=_clean(report.student),
                name=f"{verdict.id} {title}",
                time=f"{took:.2f}",
            )
            kind = {PASSED: "", NOT_STARTED: "skipped", FAILED: "failure"}
            if tag := kind.get(verdict.status, "error"):
                message = _clean(verdict.message or verdict.status)
                what = ElementTree.SubElement(case, tag, message=message, type=verdict.status)
                what.text = _clean(verdict.text())
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _grade_a_copy(course: Course, folder: Path, exercise: Exercise, seconds: float) -> Verdict:
    """Grade one exercise in a copy of the student's folder; no surprise ends the class's run."""
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            copy = Path(scratch) / "lessons"
            shutil.copytree(folder, copy, symlinks=True)
            return grade(course, exercise, copy, seconds)
    except Exception as error:
        return Verdict(exercise.id, ERROR, message=f"not graded: {error}")


def _clean(text: str) -> str:
    return NOT_XML.sub("", text)
