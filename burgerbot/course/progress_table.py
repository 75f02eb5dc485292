"""The course as a table of what is solved, for a notebook and for a terminal."""

from __future__ import annotations

import html
from dataclasses import dataclass

from burgerbot.course.cards import LOOKS
from burgerbot.course.manifest import Course, Exercise, Lesson
from burgerbot.course.progress_file import Progress
from burgerbot.course.verdict import NOT_STARTED, PASSED

#: Characters of a lesson's title in a terminal.
WIDTH = 36


@dataclass(frozen=True)
class ProgressTable:
    """Each lesson with the statuses of its exercises, in order."""

    rows: tuple[tuple[Lesson, tuple[str, ...]], ...]

    @classmethod
    def of(cls, course: Course, progress: Progress) -> ProgressTable:
        """The course as it stands."""
        return cls(
            tuple(
                (lesson, tuple(progress.status(exercise.id) for exercise in lesson.exercises))
                for lesson in course.lessons
            )
        )

    @property
    def total(self) -> str:
        """How many exercises have passed, of how many; 100% only if all have."""
        statuses = [status for _, row in self.rows for status in row]
        passed = statuses.count(PASSED)
        percent = 100 * passed // max(len(statuses), 1)
        return f"{passed} of {len(statuses)} exercises passed ({percent}%)"

    @property
    def next(self) -> Exercise | None:
        """The first exercise that has not passed."""
        for lesson, row in self.rows:
            for exercise, status in zip(lesson.exercises, row, strict=True):
                if status != PASSED:
                    return exercise
        return None

    def __repr__(self) -> str:
        lines = []
        for lesson, row in self.rows:
            name = lesson.title.split(":")[0]
            short = name if len(name) <= WIDTH else name[: WIDTH - 3] + "..."
            signs = "".join(LOOKS[status][1] for status in row)
            count = f"{row.count(PASSED)} of {len(row)}"
            lines.append(
                f"{lesson.number} {short:<{WIDTH}} {lesson.minutes:>3} min  {count:<7} {signs}"
            )
        signs = ", ".join(f"{LOOKS[status][1]} {status}" for status in self._seen())
        lines += ["", f"{self.total}.  {signs}"]
        if self.next:
            lines.append(f"Next: {self.next.id} {self.next.title}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heads = ("lesson", "minutes", "passed", "exercises")
        head = "".join(f'<th scope="col" style="text-align:left">{name}</th>' for name in heads)
        body = "".join(self._row(lesson, row) for lesson, row in self.rows)
        after = ""
        if self.next:
            after = f"<br>Next: {self.next.id} {html.escape(self.next.title)}"
        return (
            f'<table class="bb-progress" style="margin:.3em 0"><caption style="text-align:left">'
            f"<b>{self.total}</b>{after}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )

    def _row(self, lesson: Lesson, row: tuple[str, ...]) -> str:
        signs = "".join(
            f'<span role="img" style="color:{LOOKS[status][0]};margin-right:.4em" '
            f'aria-label="{exercise.id} {status}" title="{exercise.id} '
            f'{html.escape(exercise.title)}: {status}">{LOOKS[status][1]}</span>'
            for exercise, status in zip(lesson.exercises, row, strict=True)
        )
        link = f'<a href="{lesson.notebook_name}">{lesson.number} · {html.escape(lesson.title)}</a>'
        return (
            f'<tr><th scope="row" style="text-align:left;font-weight:normal">{link}</th>'
            f"<td>{lesson.minutes}</td><td>{row.count(PASSED)} of {len(row)}</td>"
            f'<td style="text-align:left;white-space:nowrap">{signs}</td></tr>'
        )

    def _seen(self) -> list[str]:
        """The statuses that occur, the passed first and the untouched last."""
        found = {status for _, row in self.rows for status in row}
        return sorted(found, key=lambda s: (s == NOT_STARTED, s != PASSED, s))
