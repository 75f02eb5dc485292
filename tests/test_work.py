"""All work in one file: saved, restored, and nothing lost on the way."""

import io
import json
import zipfile
from datetime import UTC, datetime

import nbformat
import pytest
import tiny_course

from burgerbot.course import build, manifest, work
from burgerbot.course.progress_file import Progress
from burgerbot.course.verdict import Verdict
from burgerbot.course.work import WorkFileError, pack, restore_work, save_work, unpack

NAME = "01_tiny.ipynb"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The tiny course, its notebooks built."""
    root = tiny_course.make(tmp_path_factory.mktemp("tiny") / "course")
    build.build(manifest.load_course(root), execute=False, log=lambda _: None)
    return manifest.load_course(root)


@pytest.fixture
def course(built, tmp_path, monkeypatch):
    """The course, with progress of its own; its folder of notebooks is where a kernel runs."""
    monkeypatch.setattr(work, "load_course", lambda: built)
    monkeypatch.setenv("BURGERBOT_PROGRESS", str(tmp_path / "progress.json"))
    return built


@pytest.fixture
def machine(course, tmp_path, monkeypatch):
    """Make a machine: a folder with fresh lessons and empty progress, and sit down at it."""

    def make(name):
        folder = tmp_path / name
        folder.mkdir()
        (folder / NAME).write_bytes((course.root / "lessons" / NAME).read_bytes())
        monkeypatch.setenv("BURGERBOT_PROGRESS", str(folder / "progress.json"))
        monkeypatch.chdir(folder)
        return folder

    return make


def answer(folder, source, output="7"):
    """Write an answer into the first exercise, with an output, as a learner's notebook has."""
    notebook = nbformat.read(folder / NAME, as_version=4)
    cell = next(c for c in notebook.cells if "exercise:01.1" in c.metadata.get("tags", []))
    cell.source, cell.execution_count = source, 3
    cell.outputs = [nbformat.v4.new_output("stream", text=output)]
    nbformat.write(notebook, folder / NAME)


def source_in(path):
    """The answer that a notebook holds."""
    notebook = nbformat.read(path, as_version=4)
    return next(c.source for c in notebook.cells if "exercise:01.1" in c.metadata.get("tags", []))


def test_work_goes_from_one_machine_to_another(course, machine):
    """A changed notebook and the progress arrive; outputs stay behind; what is new is told."""
    here = machine("here")
    answer(here, "double = 1")
    (here / "own_notes.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook()))
    Progress.load(course.root).record(Verdict("01.1", "passed"))
    saved = save_work()
    assert saved.notebooks == (NAME, "own_notes.ipynb")
    (here / "saved.zip").write_bytes(saved.data)
    there = machine("there")
    said = str(restore_work(here / "saved.zip"))
    assert source_in(there / NAME) == "double = 1" and (there / "own_notes.ipynb").exists()
    assert '"7"' not in (there / NAME).read_text()
    assert Progress.load(course.root).status("01.1") == "passed"
    assert said.startswith("2 restored, 0 already here, 0 left alone.")
    assert str(restore_work(here / "saved.zip")).startswith("0 restored, 2 already here")


def test_untouched_lessons_are_left_out(course, machine):
    """A fresh notebook, and one that was only run, is no work."""
    here = machine("here")
    assert save_work().notebooks == ()
    notebook = nbformat.read(here / NAME, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = 1, [nbformat.v4.new_output("stream", text="x")]
    nbformat.write(notebook, here / NAME)
    assert save_work().notebooks == ()


def test_newer_work_is_left_alone_and_said_to_be(course, machine):
    """A notebook with other work stays as it is, until replacing is asked for; then both stay."""
    here = machine("here")
    answer(here, "saved = 1")
    _, data = pack(course, here)
    answer(here, "newer = 2")
    before = (here / NAME).read_bytes()
    said = unpack(course, data, here)
    assert (here / NAME).read_bytes() == before
    assert said.startswith("0 restored, 0 already here, 1 left alone") and "replace=True" in said
    for number, name in ((1, "01_tiny-before-restore"), (2, "01_tiny-before-restore-2")):
        answer(here, f"newer = {number}")
        assert f"{name}.ipynb" in unpack(course, data, here, replace=True)
        assert source_in(here / NAME) == "saved = 1"
        assert source_in(here / f"{name}.ipynb") == f"newer = {number}"


def test_a_damaged_notebook_is_taken_along_and_never_overwritten(course, machine):
    """What cannot be read is still the learner's."""
    here = machine("here")
    answer(here, "saved = 1")
    _, data = pack(course, here)
    (here / NAME).write_text('{"cells": [')
    assert "Left alone" in unpack(course, data, here)
    assert (here / NAME).read_text() == '{"cells": ['
    assert pack(course, here)[0] == [NAME]


def test_progress_is_joined(course, machine):
    """A pass on either machine counts, and what is known here stays."""
    here = machine("here")
    Progress.load(course.root).record(Verdict("01.1", "passed"))
    Progress.load(course.root).record(Verdict("01.2", "failed"))
    _, data = pack(course, here)
    there = machine("there")
    Progress.load(course.root).record(Verdict("01.1", "failed"))
    unpack(course, data, there)
    joined = Progress.load(course.root)
    assert (joined.status("01.1"), joined.status("01.2")) == ("failed", "failed")
    assert joined.passed_once("01.1") and not joined.passed_once("01.2")


def zipped(**files):
    """A zip of these files; two underscores in a name are a slash."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), text)
    return file.getvalue()


GOOD = json.dumps({"format": 1, "saved": 0.0, "progress": {}})
NOTEBOOK = nbformat.writes(nbformat.v4.new_notebook())


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no file that save_work made"),
        (b"%PDF-1.4", "no file that save_work made"),
        (zipped(a_dot_txt="hello"), "no work that save_work packed"),
        (zipped(**{"burgerbot-work.json": "{"}), "no work that save_work packed"),
        (zipped(**{"burgerbot-work.json": "[]"}), "no work that save_work packed"),
        (zipped(**{"burgerbot-work.json": GOOD.replace("1", "9", 1)}), "expected format 1, got 9"),
        (zipped(**{"burgerbot-work.json": GOOD, "a.ipynb": "{"}), "a.ipynb in this file is no"),
        (zipped(**{"burgerbot-work.json": GOOD, "../a.ipynb": NOTEBOOK}), "names of notebooks"),
        (zipped(**{"burgerbot-work.json": GOOD, "a.py": "import os"}), "names of notebooks"),
        (zipped(**{"burgerbot-work.json": GOOD, "0.ipynb": NOTEBOOK, "a.ipynb": "{"}), "a.ipynb"),
    ],
)
def test_a_bad_file_is_refused_and_changes_nothing(course, machine, data, says):
    """Each kind of wrong file gets one sentence, and the folder stays as it was."""
    here = machine("here")
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    with pytest.raises(WorkFileError, match=says):
        unpack(course, data, here)
    assert {path.name: path.read_bytes() for path in here.iterdir()} == before


def test_a_file_cut_short_is_refused(course, machine):
    """Half a download is damaged, whatever half it is."""
    here = machine("here")
    answer(here, "double = 1")
    _, data = pack(course, here)
    for part in (data[: len(data) // 2], data[len(data) // 2 :], data[:-10]):
        with pytest.raises(WorkFileError, match="Nothing was changed"):
            unpack(course, part, here)


def test_a_file_that_unpacks_to_too_much_is_refused(course, machine, monkeypatch):
    """A few kilobytes can say that they are gigabytes; nobody unpacks them to find out."""
    here = machine("here")
    answer(here, "double = 1")
    data = save_work().data
    monkeypatch.setattr(work, "MOST_BYTES", 1000)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(WorkFileError, match="expected at most 1,000 bytes, got more"):
        unpack(course, data, machine("there"))


def test_a_disk_that_fills_up_leaves_the_old_notebook(course, machine, monkeypatch):
    """The new text is whole before it takes the place of the old one; no scrap is left."""
    here = machine("here")
    answer(here, "double = 1")
    data, there = save_work().data, machine("there")
    fresh = (there / NAME).read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left"):
        patch.setattr(work.os, "replace", full)
        unpack(course, data, there)
    assert (there / NAME).read_bytes() == fresh
    assert [path.name for path in there.iterdir()] == [NAME]
    unpack(course, data, there)
    assert source_in(there / NAME) == "double = 1"
    assert [path.name for path in there.iterdir()] == [NAME]


def test_a_file_that_is_not_there(course, machine):
    """A missing file is said to be missing."""
    machine("here")
    with pytest.raises(WorkFileError, match=r"nowhere\.zip"):
        restore_work("nowhere.zip")


def test_the_link_holds_the_file(course, machine):
    """The card's link is the file itself: nothing is asked of a server."""
    answer(machine("here"), "double = 1")
    saved = save_work()
    page = saved._repr_html_()
    assert f'download="{saved.name}"' in page and 'href="data:application/zip;base64,' in page
    assert "1 notebook with your work" in page and NAME in page and "1 notebook" in repr(saved)


def test_the_button_restores_what_is_chosen_and_names_what_is_wrong(course, machine):
    """A chosen file is restored; a wrong one is answered under the button, without a traceback."""
    here = machine("here")
    answer(here, "double = 1")
    data = save_work().data
    there = machine("there")
    box = restore_work()
    button, said = box.children
    upload = {"name": "w.zip", "type": "", "size": 1, "last_modified": datetime.now(UTC)}
    button.set_trait("value", ({**upload, "content": memoryview(data)},))
    assert "1 restored" in said.value and source_in(there / NAME) == "double = 1"
    button.set_trait("value", ({**upload, "content": memoryview(b"junk")},))
    assert "w.zip" in said.value and "Nothing was changed" in said.value
