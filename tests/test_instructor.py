"""The teacher's notebooks."""

import nbformat
import pytest
import tiny_course
from typer.testing import CliRunner

from burgerbot.course import build, cli, instructor
from burgerbot.course.manifest import load_course
from burgerbot.course.source import CourseError

MUTANTS = """\
# %% adds one says="twice means .*two|double"
def double(x):
    return x + 1

# %% multiplies a|b says="is a return missing\\\\?"
def double(x):
    print(x)
"""


@pytest.fixture
def course(tmp_path):
    """The tiny course with a few wrong answers."""
    root = tiny_course.make(tmp_path / "tiny")
    (root / "tests" / "mutants" / "01_1.py").write_text(MUTANTS)
    return load_course(root)


def test_solutions_stand_inline_with_notes_under_them(course, tmp_path):
    """Solution, minutes, difficulty, hints and misconceptions, in a valid notebook."""
    done = CliRunner()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "ROOT", course.root)
        result = done.invoke(cli.app, ["build", "--instructor", str(tmp_path / "teacher")])
    assert result.exit_code == 0, result.output
    notebook = nbformat.read(tmp_path / "teacher" / "01_tiny.ipynb", as_version=4)
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    place = ids.index("exercise-01-1")
    assert "return 2 * x" in notebook.cells[place].source
    note = notebook.cells[place + 1].source
    for part in ("About 1 minutes", "1. Add it to `x`, once.", "2. Multiply.", "adds one"):
        assert part in note
    assert "| twice means ... two |" in note and "multiplies a\\|b" in note
    assert "5 minutes in all, 3 of them" in notebook.cells[1].source
    assert not (course.root / "lessons" / "01_tiny.ipynb").exists()


def test_outputs_come_from_the_solved_notebook(course):
    """What the committed solution shows, the teacher sees, without running anything."""
    build.build(course, log=lambda _: None)
    notebook = instructor.instructor_notebook(course, course.lessons[0])
    check = next(cell for cell in notebook.cells if cell.id == "check-01-1")
    assert check.outputs[0]["data"]["text/plain"] == "2"


@pytest.mark.parametrize("folder", ["lessons", "solutions"])
def test_learners_folders_are_refused(course, folder):
    """Solutions never land where learners look."""
    with pytest.raises(CourseError, match="learners use"):
        instructor.build_instructor(course, course.root / folder)


def test_what_somebody_wrote_there_is_kept(course, tmp_path):
    """A folder may be a student's: an edited notebook is put aside, one of ours is replaced."""
    folder, said = tmp_path / "somebody", []
    instructor.build_instructor(course, folder, said.append)
    instructor.build_instructor(course, folder, said.append)
    assert [path.name for path in folder.iterdir()] == ["01_tiny.ipynb"]
    notebook = nbformat.read(folder / "01_tiny.ipynb", as_version=4)
    notebook.cells[1].source += "\nmy own note"
    nbformat.write(notebook, folder / "01_tiny.ipynb")
    instructor.build_instructor(course, folder, said.append)
    assert "my own note" in (folder / "01_tiny-before-build.ipynb").read_text()
    assert "my own note" not in (folder / "01_tiny.ipynb").read_text()
    assert any("kept as 01_tiny-before-build.ipynb" in line for line in said)
