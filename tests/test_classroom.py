"""A class's folder: each student graded apart, and what the teacher gets of it."""

import json
from xml.etree import ElementTree

import nbformat
import pytest
import tiny_course
from typer.testing import CliRunner

from burgerbot.course import build, classroom, cli
from burgerbot.course.manifest import load_course

RIGHT = "def double(x):\n    return 2 * x"
ANSWERS = {  # student: answer to 01.1, its status, a word of its message
    "ada": (RIGHT, "passed", ""),
    "ben": ("def double(x):\n    return x * x", "failed", "times two"),
    "cleo": (None, "not started", ""),
    "dan": ("while True: pass", "timed out", "never ends"),
    "eve": ("import os\nos._exit(0)", "crashed", "exit status"),
    "fay": ("import shutil, os\nshutil.rmtree(os.getcwd())\n" + RIGHT, "passed", ""),
    "gus": ("import nonsense", "error", "No module"),
    "hal": ("open('trace.txt', 'w').write('x' * 9)\n" + RIGHT, "passed", ""),
    "ira & <co>": ("raise ValueError('\\x1b[31m & <tag>')", "error", "& <tag>"),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The tiny course, its notebooks built."""
    root = tiny_course.make(tmp_path_factory.mktemp("tiny") / "course")
    build.build(load_course(root), execute=False, log=lambda _: None)
    return load_course(root)


@pytest.fixture(scope="module")
def folder(course, tmp_path_factory):
    """A folder for each student, and one file that is no student."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "list.txt").write_text("ada")
    (folder / ".git").mkdir()
    for student, (source, _, _) in ANSWERS.items():
        (folder / student).mkdir()
        notebook = nbformat.read(course.root / "lessons" / "01_tiny.ipynb", as_version=4)
        for cell in notebook.cells:
            if source is not None and "exercise:01.1" in cell.metadata.get("tags", []):
                cell.source = source
        nbformat.write(notebook, folder / student / "01_tiny.ipynb")
    (folder / "zoe").mkdir()  # handed nothing in
    return folder


@pytest.fixture(scope="module")
def reports(course, folder):
    """The class, graded once."""
    return classroom.grade_class(course, folder, course.select("01.1"))


def test_each_student_is_graded_for_what_is_there(reports):
    """An endless loop, a crash or a wiped folder of one student is that student's alone."""
    assert [report.student for report in reports] == sorted([*ANSWERS, "zoe"])
    for report in reports:
        [verdict] = report.verdicts
        if report.student == "zoe":
            assert verdict.status == "error" and "there is none" in verdict.message
            continue
        _, status, says = ANSWERS[report.student]
        assert (verdict.status, says in verdict.message) == (status, True), verdict.text()


def test_nothing_in_the_class_folder_changes(folder, reports):
    """Answers run in copies: what they write or delete is gone afterwards."""
    assert reports and {path.name for path in folder.rglob("*") if path.is_file()} == {
        "01_tiny.ipynb",
        "list.txt",
    }
    assert all((folder / student / "01_tiny.ipynb").exists() for student in ANSWERS)


def test_junit_has_a_suite_for_each_student(course, reports):
    """Well-formed XML, whatever the answers print; failures, errors and skips counted apart."""
    suites = ElementTree.fromstring(classroom.junit(course, reports))
    counts = {
        suite.get("name"): tuple(suite.get(k) for k in ("tests", "failures", "errors", "skipped"))
        for suite in suites
    }
    assert counts["ada"] == ("1", "0", "0", "0") and counts["ben"] == ("1", "1", "0", "0")
    assert counts["cleo"] == ("1", "0", "0", "1") and counts["dan"] == ("1", "0", "1", "0")
    failure = suites.find("testsuite[@name='ben']/testcase/failure")
    assert "times two" in failure.get("message") and "expected: 6" in failure.text
    assert suites.find("testsuite[@name='ira & <co>']/testcase").get("name").startswith("01.1 ")
    inside = {suite.get("name"): [part.tag for part in suite[0]] for suite in suites}
    assert inside["ada"] == [] and inside["ben"] == ["failure"]
    assert inside["cleo"] == ["skipped"] and inside["dan"] == ["error"]


def test_a_student_has_so_much_time_and_no_more(course, folder):
    """What the student's time does not reach is timed out, and not run."""
    report = classroom.grade_student(course, folder / "dan", course.exercises, seconds=1.0)
    first, second = report.verdicts
    assert first.status == second.status == "timed out" and "student's" in second.message


def test_the_last_answer_gets_what_is_left_of_a_students_time(course, folder, monkeypatch):
    """Never more than that, however long the exercise may take by itself."""
    given = []
    monkeypatch.setattr(classroom, "grade", lambda *args: given.append(args[-1]))
    classroom.grade_student(course, folder / "ada", course.select("01.1"), seconds=0.5)
    classroom.grade_student(course, folder / "ada", course.select("01.1"), seconds=1e6)
    assert given[0] <= 0.5 and given[1] == course.exercise("01.1").seconds


def test_what_cannot_be_graded_does_not_end_the_class(course, folder, monkeypatch):
    """A disk that fills up, say: this answer is an error, and the next student's turn comes."""

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(classroom, "grade", full)
    reports = classroom.grade_class(course, folder, course.select("01.1"))
    assert len(reports) == len(ANSWERS) + 1
    for report in reports:
        assert report.verdicts[0].status == "error"
        assert "not graded: [Errno 28]" in report.verdicts[0].message


def test_the_command_grades_a_class(course, folder, tmp_path, monkeypatch):
    """``grade --all --junit FILE DIR``: a line each, the XML, and JSON by student."""
    monkeypatch.setattr(cli, "ROOT", course.root)
    for student in ("ada", "ben"):
        (tmp_path / "class" / student).mkdir(parents=True)
        source = folder / student / "01_tiny.ipynb"
        (tmp_path / "class" / student / "01_tiny.ipynb").write_bytes(source.read_bytes())
    arguments = ["--all", "--junit", str(tmp_path / "r.xml"), "01.1", str(tmp_path / "class")]
    done = CliRunner().invoke(cli.app, ["grade", *arguments])
    assert done.stdout == "ada: 1 of 1 passed\nben: 0 of 1 passed\n" and done.exit_code == 1
    assert len(ElementTree.parse(tmp_path / "r.xml").getroot()) == 2
    done = CliRunner().invoke(cli.app, ["grade", "--json", *arguments])
    assert json.loads(done.stdout) == {"ada": {"01.1": "passed"}, "ben": {"01.1": "failed"}}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--all"], "folder for each student"),
        (["--all", "nowhere"], "folder for each student"),
        (["--junit", "r.xml"], "Expected --all"),
    ],
)
def test_wrong_use_is_one_sentence(course, monkeypatch, arguments, says):
    """Status 2, and what was expected."""
    monkeypatch.setattr(cli, "ROOT", course.root)
    done = CliRunner().invoke(cli.app, ["grade", *arguments])
    assert done.exit_code == 2 and says in done.stderr


def test_an_empty_class_is_said_to_be_empty(course, tmp_path):
    """A folder without folders is a mistake."""
    with pytest.raises(ValueError, match="found none"):
        classroom.grade_class(course, tmp_path, course.exercises)
