"""Under plain pytest an exercise is one item, graded from the saved notebook in a fresh process.

``pytest tests/exercises`` is what ``python -m burgerbot grade`` runs; the variable
BURGERBOT_LESSONS names another folder of notebooks.
"""

import os
import re
from pathlib import Path

import pytest

from burgerbot.course.grader import grade
from burgerbot.course.manifest import load_course
from burgerbot.course.verdict import NOT_STARTED, PASSED


class Unsolved(Exception):
    """An exercise that was started and has not passed."""


class ExerciseFile(pytest.Module):
    """A module of exercise tests, collected as one item."""

    def collect(self):
        course = load_course()
        exercise = course.exercise(self.path.stem[len("test_") :].replace("_", "."))
        yield ExerciseItem.from_parent(self, name=exercise.id, course=course, exercise=exercise)


class ExerciseItem(pytest.Item):
    """Grade one exercise."""

    def __init__(self, *, course, exercise, **kwargs):
        super().__init__(**kwargs)
        self.course, self.exercise = course, exercise

    def runtest(self):
        lessons = Path(os.environ.get("BURGERBOT_LESSONS") or self.course.root / "lessons")
        verdict = grade(self.course, self.exercise, lessons)
        if verdict.status == NOT_STARTED:
            pytest.skip(f"not started: {self.exercise.title}")
        if verdict.status != PASSED:
            raise Unsolved(verdict.text())

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, Unsolved):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, f"{self.exercise.id} {self.exercise.title}"


def pytest_pycollect_makemodule(module_path, parent):
    """Take over the modules named after an exercise."""
    if re.fullmatch(r"test_\d\d_\d+\.py", module_path.name):
        return ExerciseFile.from_parent(parent, path=module_path)
    return None
