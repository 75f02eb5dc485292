"""Building notebooks: the same bytes each time, stubs for learners, and every staleness seen."""

import shutil

import nbformat
import pytest
import tiny_course

from burgerbot.course import build
from burgerbot.course.manifest import load_course


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The tiny course, built and executed once."""
    root = tiny_course.make(tmp_path_factory.mktemp("built") / "tiny")
    build.build(load_course(root), log=lambda _: None)
    return root


@pytest.fixture
def course(built, tmp_path):
    """A copy of the built course, for one test to spoil."""
    return load_course(shutil.copytree(built, tmp_path / "tiny"))


def edit(path, old, new):
    """Replace one piece of a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_fresh_build_is_up_to_date_and_repeats_to_the_byte(course):
    """check finds nothing to say, and a second build writes the same lesson and cell ids."""
    assert build.check(course) == []
    lesson = course.root / "lessons" / "01_tiny.ipynb"
    before = lesson.read_bytes()
    build.build(course, execute=False, log=lambda _: None)
    assert lesson.read_bytes() == before
    ids = [cell.id for cell in nbformat.read(lesson, as_version=4).cells]
    assert len(set(ids)) == len(ids) and {"exercise-01-1", "check-01-1"} <= set(ids)


def test_the_learner_gets_stubs_and_no_hints_and_the_solution_has_outputs(course):
    """lessons/ has no solution, hint or output; solutions/ is executed and has no markers."""
    learner = (course.root / "lessons" / "01_tiny.ipynb").read_text()
    solved = (course.root / "solutions" / "01_tiny.ipynb").read_text()
    assert "return 2 * x" not in learner and "Multiply." not in learner + solved
    assert 'NotImplementedError(\\"01.1\\")' in learner and "BEGIN SOLUTION" not in learner + solved
    assert "return 2 * x" in solved and '"text/plain": [\n       "2"' in solved


def test_saved_notebooks_carry_no_trace_of_the_run(course):
    """No timestamps, no kernel version: only tags, ids and the fixed kernelspec."""
    notebook = nbformat.read(course.root / "solutions" / "01_tiny.ipynb", as_version=4)
    assert notebook.metadata == {"kernelspec": build.KERNEL}
    assert {key for cell in notebook.cells for key in cell.metadata} == {"tags"}


def test_every_kind_of_staleness_is_seen(course):
    """An edited lesson, an edited source, a stray file, a missing or failed run: all are named."""
    root = course.root
    edit(root / "lessons" / "01_tiny.ipynb", "Twice x", "Thrice x")
    (root / "lessons" / "scratch.ipynb").write_text("")
    edit(root / "solutions" / "01_tiny.ipynb", "Twice x", "Thrice x")
    edit(root / "README.md", "Tiny", "Tiny?")
    problems = "\n".join(build.check(course))
    for part in (
        "lessons/01_tiny.ipynb: out of date",
        "lessons/scratch.ipynb: a stray file",
        "solutions/01_tiny.ipynb: out of date",
        "README.md: out of date",
    ):
        assert part in problems
    (root / "solutions" / "01_tiny.ipynb").unlink()
    assert "solutions/01_tiny.ipynb: missing" in "\n".join(build.check(course))


def test_a_learners_work_is_not_stale(course):
    """A notebook saved by Jupyter, and one of the learner's own, pass where learners are; a
    changed solution does not, and to the letter nothing passes."""
    root = course.root
    edit(root / "lessons" / "01_tiny.ipynb", '"metadata": {', '"metadata": {"language_info": {}, ')
    (root / "lessons" / "notes.ipynb").write_text("")
    assert build.check(course, learning=True) == [] and len(build.check(course)) == 2
    edit(root / "solutions" / "01_tiny.ipynb", "Twice x", "Thrice x")
    assert len(build.check(course, learning=True)) == 1


def test_a_notebook_not_run_from_the_top_is_seen(course):
    """Cells that were run out of order, or that raised, are not a clean run."""
    edit(
        course.root / "solutions" / "01_tiny.ipynb",
        '"execution_count": 1,',
        '"execution_count": 9,',
    )
    assert any("not executed cleanly" in problem for problem in build.check(course))


def test_readme_is_filled_from_the_course(course):
    """The lessons' table and the links come from the sources and one line of pyproject.toml."""
    (course.root / "README.md").write_text(
        "<!-- links -->x<!-- /links --><!-- lessons --><!-- /lessons -->"
    )
    build.build(course, execute=False, log=lambda _: None)
    text = (course.root / "README.md").read_text()
    assert "| 01 | [Tiny](lessons/01_tiny.ipynb) | 5 | 2 |" in text
    assert "/gh/someone/fork/HEAD?urlpath=lab/tree/lessons" in text


def test_without_execution_new_prose_keeps_old_outputs_but_new_code_stays_stale(course):
    """--no-execute carries outputs over where only prose has changed, and nowhere else."""
    source, solved = course.root / "solutions" / "01_tiny.py", "solutions/01_tiny.ipynb"
    edit(source, "# # Tiny", "# # Tiny but changed")
    course = load_course(course.root)
    build.build(course, execute=False, log=lambda _: None)
    assert build.check(course) == []
    assert "changed" in (course.root / solved).read_text()
    assert '"text/plain": [\n       "2"' in (course.root / solved).read_text()
    edit(source, "1 + 1", "1 + 2")
    course = load_course(course.root)
    build.build(course, execute=False, log=lambda _: None)
    assert any(f"{solved}: out of date" in problem for problem in build.check(course))


def test_a_cell_that_raises_stops_the_build(course):
    """A solution that does not run is an error of the build, not an output of the notebook."""
    from nbclient.exceptions import CellExecutionError

    edit(course.root / "solutions" / "01_tiny.py", "1 + 1", "1 / 0")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        build.build(load_course(course.root), log=lambda _: None)
