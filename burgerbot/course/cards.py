"""Cards: what ``check``, ``hint`` and ``solution`` show under a cell, and as plain text."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from burgerbot.course.verdict import CRASHED, ERROR, FAILED, NOT_STARTED, PASSED, TIMED_OUT, Verdict

#: Colour, sign and words of each status; the sign and the words say it without the colour.
LOOKS = {
    PASSED: ("#009e73", "✓", "passed"),
    FAILED: ("#d55e00", "✗", "not yet"),
    ERROR: ("#d55e00", "!", "it raised an error"),
    TIMED_OUT: ("#d55e00", "⏱", "it took too long"),
    CRASHED: ("#d55e00", "!", "it ended the process"),
    NOT_STARTED: ("#777777", "○", "not started"),
}


@dataclass(frozen=True)
class VerdictCard:
    """A verdict with the exercise's title and, after a failure, the next hint, folded."""

    verdict: Verdict
    title: str
    hint: str = ""

    def __repr__(self) -> str:
        lines = [f"{self.verdict.text()} ({self.title})" if self._bare else self.verdict.text()]
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)

    @property
    def _bare(self) -> bool:
        return self.verdict.status in (PASSED, NOT_STARTED)

    def _repr_html_(self) -> str:
        verdict = self.verdict
        colour, sign, words = LOOKS[verdict.status]
        head = f"<b>{sign} {verdict.id} {html.escape(self.title)}: {words}</b>"
        body = ""
        if verdict.status == NOT_STARTED:
            body = _line("Fill in the stub above, run its cell, then run this check again.")
        if verdict.claim:
            body += _line(f"Claim: {_rich(verdict.claim)}")
        if verdict.message:
            body += _line(_rich(verdict.message))
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left;padding:0 1em 0 0">{label}</th>'
            f'<td style="text-align:left"><code style="white-space:pre-wrap" '
            f'class="bb-{label}">{html.escape(value)}</code></td></tr>'
            for label in ("where", "expected", "yours")
            if (value := getattr(verdict, label))
        )
        if rows:
            body += f'<table style="margin:.3em 0">{rows}</table>'
        if self.hint:
            rung, _, words = self.hint.partition(": ")
            body += (
                '<details class="bb-hint" style="margin-top:.3em">'
                f"<summary>{_rich(rung)}</summary>{_rich(words)}</details>"
            )
        return box(colour, f"bb-card bb-{verdict.status.replace(' ', '-')}", head + body)


@dataclass(frozen=True)
class NoteCard:
    """A short note: a hint, or why a solution stays closed."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return box("#0072b2", "bb-card bb-note", _rich(self.text).replace("\n", "<br>"))


@dataclass(frozen=True)
class SolutionCard:
    """A reference solution, as code."""

    exercise_id: str
    source: str

    def __repr__(self) -> str:
        return self.source

    def _repr_markdown_(self) -> str:
        return f"One solution of {self.exercise_id}:\n\n```python\n{self.source}\n```"


def _line(inner: str) -> str:
    return f'<div style="margin-top:.3em">{inner}</div>'


def _rich(text: str) -> str:
    """Escape, and set `code` in code and *stress* in italics, as the lessons' text does."""
    parts = html.escape(text, quote=False).split("`")
    if len(parts) % 2 == 0:  # an odd backtick: leave it as it is
        return "`".join(parts)
    parts[::2] = [re.sub(r"(?<!\w)\*(\w[^*]*)\*", r"<em>\1</em>", part) for part in parts[::2]]
    parts[1::2] = [f"<code>{part}</code>" for part in parts[1::2]]
    return "".join(parts)


def box(colour: str, classes: str, inner: str) -> str:
    """HTML in the frame that all cards share."""
    return (
        f'<div class="{classes}" role="status" style="border-left:5px solid {colour};'
        f'padding:.5em .8em;margin:.2em 0;background:{colour}14">{inner}</div>'
    )
