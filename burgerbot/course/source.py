"""Lesson sources: percent scripts whose tags say what each cell is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat

BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"


class CourseError(ValueError):
    """A lesson source that breaks a rule of the course; the message names file and cell."""


def read_cells(source: Path) -> list[nbformat.NotebookNode]:
    """The cells of a percent script, tags and all."""
    return jupytext.reads(source.read_text(encoding="utf-8"), fmt="py:percent").cells


def tagged(cells: list[nbformat.NotebookNode], kind: str) -> Iterator[tuple[str, int]]:
    """Each ``(NN.k, index)`` of a cell tagged ``kind:NN.k``."""
    for index, cell in enumerate(cells):
        for tag in cell.metadata.get("tags", []):
            if tag.startswith(f"{kind}:"):
                yield tag.split(":", 1)[1], index


def make_stub(source: str, exercise_id: str) -> str:
    """Replace each solution between the markers by ``raise NotImplementedError("NN.k")``.

    Raises:
        CourseError: Markers missing, nested or unbalanced.
    """
    kept, inside = [], False
    for line in source.split("\n"):
        if line.strip() == (END if inside else BEGIN):
            if not inside:
                indent = line[: len(line) - len(line.lstrip())]
                kept.append(f'{indent}raise NotImplementedError("{exercise_id}")')
            inside = not inside
        elif line.strip() in (BEGIN, END):
            raise CourseError(
                f"exercise {exercise_id}: {line.strip()!r} where the other must stand"
            )
        elif not inside:
            kept.append(line)
    if inside or len(kept) == len(source.split("\n")):
        raise CourseError(f"exercise {exercise_id}: expected {BEGIN!r} ... {END!r} in its cell")
    return "\n".join(kept)


def strip_markers(source: str) -> str:
    """The solution as a reader sees it: without the marker lines."""
    lines = source.split("\n")
    return "\n".join(line for line in lines if line.strip() not in (BEGIN, END))


def given_sources(cells: list[nbformat.NotebookNode], index: int) -> Iterator[str]:
    """Sources of the ``imports`` and ``given`` cells above cell ``index``."""
    for cell in cells[:index]:
        if {"imports", "given"} & set(cell.metadata.get("tags", [])):
            yield cell.source
