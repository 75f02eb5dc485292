"""What a learner has done so far, kept in one small file across restarts."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

from burgerbot.course.manifest import Exercise
from burgerbot.course.verdict import NOT_STARTED, PASSED, Verdict


class Progress:
    """The latest verdict and the hints seen, by exercise.

    The file is ``.burgerbot/progress.json`` under the course's root, or what the environment
    variable ``BURGERBOT_PROGRESS`` names. A file that cannot be read or written costs a warning,
    never the learner's work.
    """

    def __init__(self, path: Path, records: dict[str, dict[str, Any]]) -> None:
        self.path = path
        self._records = records

    @classmethod
    def load(cls, root: Path) -> Progress:
        """Read the progress kept under ``root``."""
        path = Path(os.environ.get("BURGERBOT_PROGRESS") or root / ".burgerbot" / "progress.json")
        try:
            records = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(records, dict):
                raise ValueError(f"expected an object, got {type(records).__name__}")
        except FileNotFoundError:
            records = {}
        except (OSError, ValueError) as error:
            warnings.warn(
                f"progress in {path} cannot be read, starting anew: {error}", stacklevel=2
            )
            records = {}
        return cls(path, records)

    def status(self, exercise_id: str) -> str:
        """The latest verdict's status; ``not started`` before the first."""
        return str(self._record(exercise_id).get("status", NOT_STARTED))

    def passed_once(self, exercise_id: str) -> bool:
        """Whether it has ever passed; that opens its solution."""
        return bool(self._record(exercise_id).get("passed", False))

    def record(self, verdict: Verdict) -> None:
        """Keep a verdict. An untouched stub does not overwrite earlier work."""
        if verdict.status == NOT_STARTED and verdict.id in self._records:
            return
        passed = self.passed_once(verdict.id) or verdict.status == PASSED
        self._update(verdict.id, status=verdict.status, passed=passed)

    def next_hint(self, exercise: Exercise) -> str:
        """The next rung of the ladder, as ``Hint 1 of 3: ...``; the last one stays."""
        rung = self._rung(exercise)
        self._update(exercise.id, hints=rung + 1)
        return f"Hint {rung + 1} of {len(exercise.hints)}: {exercise.hints[rung]}"

    def hint_ahead(self, exercise: Exercise) -> str:
        """The rung that ``next_hint`` would show, without a step up: nobody has asked for it."""
        rung = self._rung(exercise)
        return f"Hint {rung + 1} of {len(exercise.hints)}: {exercise.hints[rung]}"

    def records(self) -> dict[str, dict[str, Any]]:
        """What is kept, by exercise: ``status``, ``passed``, ``hints``."""
        return {name: dict(record) for name, record in self._records.items()}

    def merge(self, records: dict[str, dict[str, Any]]) -> None:
        """Add what another machine knew; what is known here stays, and a pass is never lost."""
        for name, theirs in records.items():
            ours = self._record(name)
            passed = bool(ours.get("passed")) or bool(theirs.get("passed"))
            hints = max(int(ours.get("hints", 0)), int(theirs.get("hints", 0)))
            both = {**theirs, **ours, "passed": passed, "hints": hints}
            if both != ours:
                self._update(name, **both)

    def _rung(self, exercise: Exercise) -> int:
        return min(int(self._record(exercise.id).get("hints", 0)), len(exercise.hints) - 1)

    def _record(self, exercise_id: str) -> dict[str, Any]:
        return self._records.get(exercise_id, {})

    def _update(self, exercise_id: str, **changes: Any) -> None:
        """Change a record and write the file: to a neighbour first, then renamed over it."""
        self._records[exercise_id] = {**self._record(exercise_id), **changes}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, suffix=".tmp")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self._records, file, indent=1, sort_keys=True)
            os.replace(name, self.path)
        except OSError as error:
            warnings.warn(f"progress could not be kept in {self.path}: {error}", stacklevel=3)
