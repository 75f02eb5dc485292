"""What the course consists of, read from the lesson sources: nothing is listed twice.

A lesson is one jupytext percent script, ``solutions/NN_name.py``. Tags on its cells say what they
are: ``imports`` and ``given`` (code that exercises may use), ``exercise:NN.k`` (the reference
solution, its body between ``# BEGIN SOLUTION`` and ``# END SOLUTION``), ``check:NN.k``, and
``hints:NN.k`` (a numbered list that no notebook shows).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nbformat

from burgerbot.course.source import (
    CourseError,
    given_sources,
    make_stub,
    read_cells,
    strip_markers,
    tagged,
)

SOURCE_NAME = re.compile(r"(?P<number>\d\d)_(?P<name>[a-z0-9_]+)\.py")
EXERCISE_ID = re.compile(r"\d\d\.\d+")
EXERCISE_TITLE = re.compile(r"^## Exercise (\d\d\.\d+): (.+)$", re.MULTILINE)
HINT = re.compile(r"^\d+\. (.+?)(?=^\d+\. |\Z)", re.MULTILINE | re.DOTALL)


class UnknownExercise(KeyError):
    """A lesson or exercise that does not exist; the message lists what there is."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Exercise:
    """One exercise, as its lesson's source describes it.

    Attributes:
        id: ``"NN.k"``.
        title: Verb phrase from its heading.
        minutes, difficulty: How long it takes, and 1 (short) to 3 (hard).
        hints: Two or three, from a nudge to nearly the answer.
        solution: Source of its cell, without the markers.
        stub: Source of its cell as the learner finds it.
        given: Sources of the ``imports`` and ``given`` cells above it, in order.
        seconds: Time limit of its tests.
        root: Root of the course.
    """

    id: str
    title: str
    minutes: int
    difficulty: int
    hints: tuple[str, ...]
    solution: str
    stub: str
    given: tuple[str, ...]
    seconds: float
    root: Path

    @property
    def test_file(self) -> Path:
        """Its tests, ``tests/exercises/test_NN_k.py``."""
        return self.root / "tests" / "exercises" / f"test_{self.id.replace('.', '_')}.py"

    @property
    def mutants_file(self) -> Path:
        """Its wrong answers, ``tests/mutants/NN_k.py``."""
        return self.root / "tests" / "mutants" / f"{self.id.replace('.', '_')}.py"


@dataclass(frozen=True)
class Lesson:
    """One lesson: ``number`` "01", ``name`` "burgerbot_env", its title, minutes and exercises."""

    number: str
    name: str
    title: str
    minutes: int
    exercises: tuple[Exercise, ...]
    source: Path

    @property
    def notebook_name(self) -> str:
        """``NN_name.ipynb``."""
        return f"{self.number}_{self.name}.ipynb"


@dataclass(frozen=True)
class Page:
    """A notebook around the lessons, without exercises: the start page, the glossary, the end.

    In its source, marks such as ``<!-- lessons -->`` are filled in from the course.
    """

    name: str
    title: str
    source: Path

    @property
    def notebook_name(self) -> str:
        """``name.ipynb``."""
        return f"{self.name}.ipynb"


@dataclass(frozen=True)
class Course:
    """All lessons under one root, and the pages around them."""

    root: Path
    lessons: tuple[Lesson, ...]
    pages: tuple[Page, ...] = ()

    @property
    def notebooks(self) -> tuple[Lesson | Page, ...]:
        """Lessons and pages."""
        return (*self.lessons, *self.pages)

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Every exercise, in order."""
        return tuple(exercise for lesson in self.lessons for exercise in lesson.exercises)

    def select(self, wanted: str | None = None) -> list[Exercise]:
        """Exercises of the course, of lesson ``"NN"``, or the one ``"NN.k"``, by exact id.

        Raises:
            UnknownExercise: There is no such lesson or exercise.
        """
        for lesson in self.lessons:
            if wanted == lesson.number:
                return list(lesson.exercises)
        found = [exercise for exercise in self.exercises if wanted in (None, exercise.id)]
        if not found:
            known = ", ".join(exercise.id for exercise in self.exercises)
            raise UnknownExercise(f"expected a lesson or exercise among {known}; got {wanted!r}")
        return found

    def exercise(self, exercise_id: str) -> Exercise:
        """The exercise ``"NN.k"``.

        Raises:
            UnknownExercise: There is none of this id.
        """
        found = self.select(str(exercise_id))
        if len(found) != 1 or found[0].id != exercise_id:
            raise UnknownExercise(
                f"expected one exercise such as {found[0].id}; got {exercise_id!r}"
            )
        return found[0]

    def lesson_of(self, exercise: Exercise) -> Lesson:
        """The lesson that holds an exercise."""
        return next(lesson for lesson in self.lessons if exercise in lesson.exercises)


def course_root() -> Path:
    """The folder that holds ``solutions/``: the clone around the package, or around the cwd.

    Raises:
        CourseError: The package was installed without its course.
    """
    here = Path(__file__).resolve().parents[2]
    for folder in (here, Path.cwd(), *Path.cwd().parents):
        if (folder / "solutions").is_dir() and (folder / "burgerbot").is_dir():
            return folder
    raise CourseError(
        f"no course found around {here} or {Path.cwd()}: expected a clone with the folders "
        "burgerbot and solutions; run this inside one"
    )


def load_course(root: Path | None = None) -> Course:
    """Read every ``solutions/NN_name.py`` under ``root``.

    Raises:
        CourseError: A source breaks a rule; the message names file and cell.
    """
    root = root or course_root()
    sources = sorted((root / "solutions").glob("*.py"))
    read = [_load(path, path.stat().st_mtime_ns) for path in sources]
    lessons = tuple(item for item in read if isinstance(item, Lesson))
    return Course(root, lessons, tuple(item for item in read if isinstance(item, Page)))


@lru_cache(maxsize=64)
def _load(source: Path, _modified: int) -> Lesson | Page:
    """Read one lesson or page; read again only when the file has changed."""
    cells = read_cells(source)
    heading = re.match(r"# (.+)", cells[0].source) if cells else None
    if heading and "page" in cells[0].metadata.get("tags", []):
        return Page(source.stem, heading[1].strip(), source)
    match = SOURCE_NAME.fullmatch(source.name)
    if not match:
        raise CourseError(f"{source.name}: expected a name such as 01_burgerbot_env.py")
    if not heading or "minutes" not in cells[0].metadata:
        raise CourseError(
            f"{source.name}: expected a first markdown cell with minutes=... and a '# title'"
        )
    exercises = tuple(_exercises(source, match["number"], cells))
    minutes = int(cells[0].metadata["minutes"])
    title = heading[1].removeprefix(match["number"]).strip(" ·:")
    return Lesson(match["number"], match["name"], title, minutes, exercises, source)


def _exercises(source: Path, number: str, cells: list[nbformat.NotebookNode]) -> Iterator[Exercise]:
    """The exercises of a lesson, each with all that belongs to it."""
    titles = dict(EXERCISE_TITLE.findall("\n".join(c.source for c in cells)))
    hints = {key: HINT.findall(cells[index].source) for key, index in tagged(cells, "hints")}
    checks = [key for key, _ in tagged(cells, "check")]
    for position, (key, index) in enumerate(tagged(cells, "exercise"), start=1):
        where = f"{source.name}, exercise {key}"
        metadata = cells[index].metadata
        if key != f"{number}.{position}":
            raise CourseError(f"{where}: expected the id {number}.{position} here")
        for name, found in {
            "a heading '## Exercise NN.k: title'": key in titles,
            "two or three hints in a cell tagged hints:NN.k": len(hints.get(key, ())) in (2, 3),
            "one cell tagged check:NN.k": checks.count(key) == 1,
            "minutes=... on its cell": "minutes" in metadata,
            "difficulty=1, 2 or 3 on its cell": metadata.get("difficulty") in (1, 2, 3),
        }.items():
            if not found:
                raise CourseError(f"{where}: expected {name.replace('NN.k', key)}")
        yield Exercise(
            id=key,
            title=titles[key].strip(),
            minutes=int(metadata["minutes"]),
            difficulty=int(metadata["difficulty"]),
            hints=tuple(" ".join(hint.split()) for hint in hints[key]),
            solution=strip_markers(cells[index].source),
            stub=make_stub(cells[index].source, key),
            given=tuple(given_sources(cells, index)),
            seconds=float(metadata.get("seconds", 20)),
            root=source.parents[1],
        )
