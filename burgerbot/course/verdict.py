"""How an exercise stands, and how what the learner's code raised becomes a message that helps."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

import pytest

from burgerbot.course.claims import ClaimFailed

PASSED, FAILED, NOT_STARTED = "passed", "failed", "not started"
TIMED_OUT, CRASHED, ERROR = "timed out", "crashed", "error"


@dataclass(frozen=True)
class Verdict:
    """How an exercise stands, and why.

    Attributes:
        id: ``"NN.k"``.
        status: ``passed | failed | not started | timed out | crashed | error``.
        claim: What the first failing test claims.
        message: What went wrong.
        expected, yours, where: Details of a failed claim; empty where there are none.
    """

    id: str
    status: str
    claim: str = ""
    message: str = ""
    expected: str = ""
    yours: str = ""
    where: str = ""

    def text(self) -> str:
        """The verdict as lines of plain text."""
        lines = [f"{self.id} {self.status}"]
        for name in ("claim", "message", "where", "expected", "yours"):
            value = getattr(self, name)
            if value:
                lines.append(f"  {name + ':':<10}" + value.replace("\n", "\n" + " " * 12))
        return "\n".join(lines)


class TimeLimit(BaseException):
    """The time limit is over. Not an ``Exception``, so that no ``except Exception`` eats it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"your code was still running after {seconds:g} seconds: "
            "is there a loop that never ends?"
        )


def explain(exercise_id: str, error: BaseException, claim: str = "") -> Verdict:
    """Turn what the learner's code raised into a verdict."""
    if isinstance(error, TimeLimit):
        return Verdict(exercise_id, TIMED_OUT, claim, str(error))
    if isinstance(error, NotImplementedError) and error.args == (exercise_id,):
        return Verdict(exercise_id, NOT_STARTED)
    if isinstance(error, ClaimFailed):
        return Verdict(
            exercise_id, FAILED, claim, error.message, error.expected, error.yours, error.where
        )
    if isinstance(error, (AssertionError, pytest.fail.Exception)):
        return Verdict(exercise_id, FAILED, claim, str(error))
    if isinstance(error, SystemExit):
        message = f"your code called sys.exit({error.code}); leave that out"
    elif isinstance(error, NotImplementedError) and error.args:
        message = f"it calls a stub that is not written yet: exercise {error.args[0]}"
    elif isinstance(error, NameError):
        message = (
            f"{error}. From the terminal, an exercise sees the lesson's imports and its own cell: "
            "a helper function of yours must stand in the same cell as the exercise"
        )
    else:
        message = f"{type(error).__name__}: {error}"
    return Verdict(exercise_id, ERROR, claim, message, where=_learners_line(error))


def _learners_line(error: BaseException) -> str:
    """The last line of the learner's own cell that the error passed through."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith("<cell of") or "ipykernel" in frame.filename:
            return f"line {frame.lineno} of your cell: {frame.line}"
    return ""
