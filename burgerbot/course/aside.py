"""What somebody wrote into a notebook, and how it is put aside before another takes its place."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import nbformat

#: In a notebook's metadata, ``{"made_from": ...}``: what its cells said when it was made.
KEY = "burgerbot"


def sources(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells say; outputs and empty cells are nobody's work."""
    return [cell.source for cell in notebook.cells if cell.source.strip()]


def sources_at(path: Path) -> list[str] | None:
    """The same of a notebook on disk; None if there is none or it cannot be read."""
    try:
        return sources(nbformat.read(path, as_version=4))
    except Exception:
        return None


def mark(notebook: nbformat.NotebookNode) -> None:
    """Note in the metadata what the cells say now, so that a later edit can be told."""
    notebook.metadata[KEY] = {"made_from": _digest(sources(notebook))}


def edited(path: Path) -> bool:
    """Whether a notebook on disk holds what no ``mark`` knows; in doubt, it does.

    So does one that cannot be read, or has lost its mark. One that does not exist holds nothing.
    """
    if not path.exists():
        return False
    try:
        notebook = nbformat.read(path, as_version=4)
        made_from: Any = notebook.metadata[KEY]["made_from"]
        return bool(made_from != _digest(sources(notebook)))
    except Exception:
        return True


def put_aside(path: Path, before: str) -> Path:
    """Rename a notebook to a free name beside it, ``NAME-before-BEFORE.ipynb``; return that."""
    number, aside = 1, path.with_name(f"{path.stem}-before-{before}.ipynb")
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.stem}-before-{before}-{number}.ipynb")
    path.rename(aside)
    return aside


def was_put_aside(path: Path) -> bool:
    """Whether a file has such a name."""
    return "-before-" in path.stem and path.suffix == ".ipynb"


def _digest(said: list[str]) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]
