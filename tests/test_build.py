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


def build_again(course):
    """Build without executing; return what the log says."""
    said = []
    build.build(load_course(course.root), execute=False, log=said.append)
    return "\n".join(said)


def answer(path, source):
    """Write an answer into the notebook's first exercise, and save it as Jupyter does."""
    notebook = nbformat.read(path, as_version=4)
    next(c for c in notebook.cells if c.id == "exercise-01-1").source = source
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)


def test_a_notebook_that_somebody_worked_in_is_kept_beside_the_new_one(course):
    """Each build keeps the old one under a name of its own, says so, and writes a fresh one."""
    lesson = course.root / "lessons" / "01_tiny.ipynb"
    fresh = lesson.read_bytes()
    for source, name in (("a = 1", "01_tiny-before-build"), ("a = 2", "01_tiny-before-build-2")):
        answer(lesson, source)
        mine = lesson.read_bytes()
        said = build_again(course)
        assert (lesson.parent / f"{name}.ipynb").read_bytes() == mine
        assert f"kept as lessons/{name}.ipynb" in said and lesson.read_bytes() == fresh
    assert "kept as" not in build_again(course)
    assert len(list(lesson.parent.iterdir())) == 3


def test_an_untouched_notebook_is_replaced_when_its_source_changes(course):
    """Fresh, only run, or with empty cells added: no work is in it, and nothing is put aside."""
    lesson, source = course.root / "lessons" / "01_tiny.ipynb", course.root / "solutions/01_tiny.py"
    edit(source, "# # Tiny", "# # Tiny once")
    assert "kept as" not in build_again(course) and "Tiny once" in lesson.read_text()
    notebook = nbformat.read(lesson, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = 1, [nbformat.v4.new_output("stream", text="x")]
    notebook.cells.append(nbformat.v4.new_code_cell(""))
    nbformat.write(notebook, lesson)
    edit(source, "Tiny once", "Tiny twice")
    assert "kept as" not in build_again(course) and "Tiny twice" in lesson.read_text()
    assert [path.name for path in lesson.parent.iterdir()] == ["01_tiny.ipynb"]


def test_work_is_kept_when_the_source_changes_too(course):
    """An answer in a lesson whose source is newer than the notebook is kept as well."""
    lesson = course.root / "lessons" / "01_tiny.ipynb"
    answer(lesson, "a = 1")
    edit(course.root / "solutions" / "01_tiny.py", "# # Tiny", "# # Tiny but changed")
    build_again(course)
    kept = lesson.with_name("01_tiny-before-build.ipynb").read_text()
    assert "a = 1" in kept and "changed" not in kept and "changed" in lesson.read_text()


@pytest.mark.parametrize("text", ['{"cells": [', "", "[]", "{}", "\udcff", '{"cells": 1}'])
def test_a_broken_notebook_is_kept(course, text):
    """What cannot be read may still be mended."""
    lesson = course.root / "lessons" / "01_tiny.ipynb"
    broken = text.encode(errors="surrogateescape")
    lesson.write_bytes(broken)
    assert "kept as" in build_again(course)
    assert lesson.with_name("01_tiny-before-build.ipynb").read_bytes() == broken
    assert build.check(course) == []


def test_a_notebook_without_the_mark_of_build_is_kept(course):
    """Whoever strips the metadata, or made the notebook otherwise: in doubt, it is work."""
    lesson = course.root / "lessons" / "01_tiny.ipynb"
    for mark in ({}, {"burgerbot": "mine"}, {"burgerbot": {"made_from": 7}}):
        notebook = nbformat.read(lesson, as_version=4)
        notebook.metadata = mark
        notebook.cells[0].source = "# Mine"
        nbformat.write(notebook, lesson)
        assert "kept as" in build_again(course)
    assert len(list(lesson.parent.iterdir())) == 4


def test_a_page_is_kept_too(course):
    """Pages around the lessons are notebooks that people write into."""
    page = course.root / "solutions" / "00_start_here.py"
    page.write_text('# %% [markdown] tags=["page"]\n# # Start\n')
    build_again(course)
    mine = course.root / "lessons" / "00_start_here.ipynb"
    edit(mine, "# Start", "# My start")
    assert "lessons/00_start_here-before-build.ipynb" in build_again(course)
    assert "My start" in mine.with_name("00_start_here-before-build.ipynb").read_text()
    assert "My start" not in mine.read_text()


def test_what_was_put_aside_is_no_stray_file(course):
    """It is the learner's, git ignores it, and it holds up nobody's commit."""
    answer(course.root / "lessons" / "01_tiny.ipynb", "a = 1")
    build_again(course)
    assert (course.root / "lessons" / "01_tiny-before-build.ipynb").exists()
    assert build.check(course) == []
