"""All of a learner's work as one file: to take along, and to put back on another machine."""

from __future__ import annotations

import base64
import io
import json
import os
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from burgerbot.course.aside import put_aside, sources, sources_at
from burgerbot.course.build import lesson_text
from burgerbot.course.cards import NoteCard, box
from burgerbot.course.manifest import Course, load_course
from burgerbot.course.progress_file import Progress

CONTENTS = "burgerbot-work.json"  # in the file: its format, when it was made, the progress
FORMAT = 1
MOST_BYTES = 200_000_000  # unpacked; a work file has a few megabytes


class WorkFileError(ValueError):
    """A file that holds no saved work, or work that is damaged. Nothing has been changed."""


@dataclass(frozen=True)
class SavedWork:
    """A file of work: the link that downloads it."""

    name: str
    data: bytes
    notebooks: tuple[str, ...]

    def __repr__(self) -> str:
        return f"{self.name}: {_many(self.notebooks)}, {len(self.data):,} bytes"

    def _repr_html_(self) -> str:
        address = "data:application/zip;base64," + base64.b64encode(self.data).decode()
        link = (
            f'<a class="bb-download" download="{self.name}" href="{address}">'
            f"Download {self.name}</a>"
        )
        saved = f" ({_many(self.notebooks)}, {max(len(self.data) // 1000, 1)} kB)"
        names = "".join(f"<br>{name}" for name in self.notebooks)
        return box("#0072b2", "bb-card bb-note", f"<b>{link}</b>{saved}{names}")


def save_work() -> SavedWork:
    """Pack your notebooks and your progress into one file, and show the link that downloads it.

    What was never touched is left out, and so are outputs: running a cell brings them back. What
    counts is what has been saved: press Ctrl and S in an open notebook first.
    """
    course = load_course()
    names, data = pack(course, work_folder(course))
    return SavedWork(time.strftime("burgerbot-work-%Y-%m-%d-%H%M.zip"), data, tuple(names))


def restore_work(file: str | Path | None = None, replace: bool = False) -> Any:
    """Put saved work back: from a file, or by a button that lets you choose one.

    A notebook that holds other work of yours stays as it is, and the answer says so. With
    ``replace=True`` it is replaced, and what it held is kept beside it.

    Args:
        file: What ``save_work`` made; without it, a button appears.
        replace: Put the saved notebook in the place of one that has been changed here.

    Raises:
        WorkFileError: The file holds no saved work; nothing has been changed.
    """
    course = load_course()
    if file is not None:
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            raise WorkFileError(f"expected a file of saved work, got {file}: {error}") from None
        return NoteCard(unpack(course, data, work_folder(course), replace))
    from burgerbot.course.work_button import restore_button

    return restore_button(lambda data: unpack(course, data, work_folder(course), replace))


def work_folder(course: Course) -> Path:
    """Where the learner's notebooks lie: here if here are lessons, else ``lessons/``."""
    names = [lesson.notebook_name for lesson in course.lessons]
    here = Path.cwd()
    return here if any((here / name).exists() for name in names) else course.root / "lessons"


def pack(course: Course, folder: Path) -> tuple[list[str], bytes]:
    """The notebooks that hold work, and the zip of them and of the progress."""
    fresh = _fresh(course)
    file, names = io.BytesIO(), []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.glob("*.ipynb")):
            try:
                notebook = nbformat.read(path, as_version=4)
            except Exception:  # not a notebook: taken along as it is, it may be mended
                archive.write(path, path.name)
                names.append(path.name)
                continue
            if sources(notebook) != fresh.get(path.name):
                archive.writestr(path.name, _without_outputs(notebook))
                names.append(path.name)
        contents = {
            "format": FORMAT,
            "saved": time.time(),
            "progress": Progress.load(course.root).records(),
        }
        archive.writestr(CONTENTS, json.dumps(contents, indent=1))
    return names, file.getvalue()


def unpack(course: Course, data: bytes, folder: Path, replace: bool = False) -> str:
    """Write saved work into a folder, nothing before all of it has been read; say what was done.

    Raises:
        WorkFileError: No saved work, or damaged; nothing has been changed.
    """
    notebooks, records = _read(data)
    fresh = _fresh(course)
    restored, same, kept, moved = [], [], [], []
    for name, text in notebooks.items():
        path = folder / name
        here = sources_at(path)
        if path.exists() and here == sources(nbformat.reads(text, as_version=4)):
            same.append(name)
            continue
        if path.exists() and (here is None or here != fresh.get(name)):
            if not replace:
                kept.append(name)
                continue
            moved.append(put_aside(path, "restore").name)
        _write(path, text)
        restored.append(name)
    Progress.load(course.root).merge(records)
    lines = [f"{len(restored)} restored, {len(same)} already here, {len(kept)} left alone."]
    lines += [f"Restored: `{name}`" for name in restored]
    if moved:
        lines += [f"What was here before is kept as `{name}`" for name in moved]
    for name in kept:
        lines.append(f"Left alone: `{name}` holds work of yours that differs from the saved file.")
    if kept:
        lines.append(
            "To put the saved ones in their place: `restore_work(..., replace=True)`; what is here "
            "now is then kept beside them."
        )
    if restored:
        lines.append("Close a restored notebook that is open in a tab, and open it again.")
    return "\n".join(lines)


def _read(data: bytes) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """The notebooks and the progress of a work file, each of them read and found sound."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise WorkFileError(f"expected at most {MOST_BYTES:,} bytes, got more")
            contents = {name: archive.read(name).decode("utf-8") for name in archive.namelist()}
    except WorkFileError:
        raise
    except Exception as error:
        raise WorkFileError(
            f"this is no file that save_work made, or it is damaged: {error}. Nothing was changed."
        ) from None
    try:
        about = json.loads(contents.pop(CONTENTS))
        records = about["progress"]
        if about["format"] != FORMAT or not all(
            isinstance(record, dict) for record in records.values()
        ):
            raise ValueError(f"expected format {FORMAT}, got {about['format']}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WorkFileError(
            f"this zip holds no work that save_work packed ({error}). Nothing was changed."
        ) from None
    for name, text in contents.items():
        if Path(name).name != name or "\\" in name or not name.endswith(".ipynb"):
            raise WorkFileError(f"expected names of notebooks, got {name!r}. Nothing was changed.")
        try:
            nbformat.reads(text, as_version=4)
        except Exception as error:
            raise WorkFileError(
                f"{name} in this file is no notebook ({error}). Nothing was changed."
            ) from None
    return contents, records


def _fresh(course: Course) -> dict[str, list[str]]:
    """What each cell of each notebook says before anybody has touched it."""
    return {
        item.notebook_name: sources(nbformat.reads(lesson_text(item, course), as_version=4))
        for item in course.notebooks
    }


def _without_outputs(notebook: nbformat.NotebookNode) -> str:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return nbformat.writes(notebook, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    """Write to a neighbour, then rename: a full disk leaves the old file whole."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _many(names: tuple[str, ...]) -> str:
    return f"{len(names)} notebook{'' if len(names) == 1 else 's'} with your work"
