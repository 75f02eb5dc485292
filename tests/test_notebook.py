"""check, hint, solution and progress, as a notebook's cells see them."""

import json
import warnings

import numpy as np
import pytest
import tiny_course

from burgerbot.course import budget, check, hint, manifest, progress, solution
from burgerbot.course.cards import NoteCard
from burgerbot.course.claims import ClaimFailed
from burgerbot.course.progress_file import Progress
from burgerbot.course.verdict import Verdict


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    """The tiny course, with progress of its own."""
    root = tiny_course.make(tmp_path / "tiny")
    monkeypatch.setattr("burgerbot.course.notebook.load_course", lambda: manifest.load_course(root))
    monkeypatch.setenv("BURGERBOT_PROGRESS", str(root / "kept" / "progress.json"))
    return root


def stub(x):
    """As the learner finds it."""
    raise NotImplementedError("01.1")


def test_check_follows_the_learners_object():
    """Not started, wrong, right and wrong again: the card follows the object each time."""
    for double, status in (
        (stub, "not started"),
        (lambda x: x + 2, "failed"),
        (lambda x: 2 * x, "passed"),
        (lambda x: x, "failed"),
    ):
        assert check("01.1", {"double": double}).verdict.status == status


def test_check_reads_edited_tests_again(root):
    """A test file edited while the kernel runs counts at the next check."""
    answers = {"double": lambda x: 2 * x}
    assert check("01.1", answers).verdict.status == "passed"
    path = root / "tests" / "exercises" / "test_01_1.py"
    path.write_text(path.read_text().replace("double(3), 6", "double(3), 60"))
    assert check("01.1", answers).verdict.expected == "60"


def test_failing_card_shows_expected_yours_where_and_the_next_hint():
    """The card has all of it as HTML and as text, escaped; the hint is folded, and stays its rung.

    A card that nobody unfolds gives no hint away: only who asks for one goes up the ladder.
    """
    answers = {"double": lambda x: "<b>" if x == 3 else 2 * x}
    first, second = check("01.1", answers), check("01.1", answers)
    page, text = first._repr_html_(), repr(first)
    for part in ("twice means times two", "x = 3", "Hint 1 of 2", "Add it to"):
        assert part in page and part in text
    assert '<details class="bb-hint"' in page and page.index("<summary>") < page.index("Add it to")
    assert 'class="bb-yours">&lt;b&gt;<' in page and "<code>x</code>" in page
    assert second.hint == first.hint
    hint("01.1")
    assert check("01.1", answers).hint == "Hint 2 of 2: Multiply."


def test_a_check_that_never_ends_is_stopped():
    """An endless loop in the kernel is stopped at the exercise's limit."""

    def double(x):
        while True:
            pass

    assert check("01.1", {"double": double}).verdict.status == "timed out"


def test_check_leaves_pytest_and_the_output_alone(capsys):
    """Neither pytest's report nor what the answer prints appears; the environment is as before."""
    check("01.1", {"double": lambda x: print("noise") or 2 * x})
    assert capsys.readouterr().out == ""


def test_solution_opens_after_a_pass_or_by_force():
    """The solution stays closed until the exercise has passed once, also after a later failure."""
    assert "opens when your own has passed" in repr(solution("01.1"))
    assert "return 2 * x" in repr(solution("01.1", force=True))
    check("01.1", {"double": lambda x: 2 * x})
    check("01.1", {"double": lambda x: x})
    assert "return 2 * x" in repr(solution("01.1"))


def test_hint_climbs_and_stays():
    """hint shows one rung more each time, and the last one stays."""
    assert [repr(hint("01.2"))[:11] for _ in range(4)] == [
        "Hint 1 of 3",
        "Hint 2 of 3",
        "Hint 3 of 3",
        "Hint 3 of 3",
    ]


def test_unknown_ids_say_what_there_is():
    """A wrong id is answered with the list of right ones."""
    for call in (check, hint, solution):
        with pytest.raises(manifest.UnknownExercise, match=r"01\.1, 01\.2"):
            call("07.9")


def test_progress_survives_a_restart_and_an_untouched_stub(root):
    """What was reached is read back; a stub that is checked later does not wipe it."""
    check("01.1", {"double": lambda x: 2 * x})
    assert Progress.load(root).status("01.1") == "passed"
    Progress.load(root).record(Verdict("01.1", "not started"))
    assert Progress.load(root).status("01.1") == "passed"
    assert Progress.load(root).status("01.2") == "not started"


def test_damaged_or_unwritable_progress_costs_a_warning_only(root, monkeypatch):
    """A damaged file is left out with a warning; one that cannot be written stops nothing."""
    path = root / "kept" / "progress.json"
    path.parent.mkdir()
    path.write_text('{"01.1": ')
    with pytest.warns(UserWarning, match="cannot be read"):
        assert check("01.1", {"double": lambda x: 2 * x}).verdict.status == "passed"
    assert json.loads(path.read_text())["01.1"]["status"] == "passed"
    (root / "file").write_text("")
    monkeypatch.setenv("BURGERBOT_PROGRESS", str(root / "file" / "progress.json"))
    with pytest.warns(UserWarning):
        assert check("01.1", {"double": lambda x: 2 * x}).verdict.status == "passed"


def test_progress_shows_the_course_as_a_table(root):
    """Passed of all, a sign and a word for each exercise, and what comes next."""
    check("01.1", {"double": lambda x: 2 * x})
    table = progress()
    text, page = repr(table), table._repr_html_()
    assert "01 Tiny" in text and "5 min  1 of 2" in text and "✓○" in text
    assert "1 of 2 exercises passed (50%)" in text and "Next: 01.2 Halve a number" in text
    assert "<b>1 of 2 exercises passed (50%)</b>" in page and 'href="01_tiny.ipynb"' in page
    assert 'aria-label="01.1 passed"' in page and 'aria-label="01.2 not started"' in page
    check("01.2", {"halve": lambda x: x / 2})
    assert "(100%)" in repr(progress()) and "Next" not in repr(progress())


def test_budget_follows_fast(monkeypatch):
    """FAST picks the small amount; unset, empty or 0 the full one."""
    for value, expected in (("1", 2), ("0", 10), ("", 10)):
        monkeypatch.setenv("FAST", value)
        assert budget(10, fast=2) == expected
    monkeypatch.delenv("FAST")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert budget(10, fast=2) == 10


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("the *new* mean", "the <em>new</em> mean"),
        ("`a * b * c`, *twice*", "<code>a * b * c</code>, <em>twice</em>"),
        ("`**kwargs` and 2 * 3 * 4", "<code>**kwargs</code> and 2 * 3 * 4"),
        ("x*y*z < 3", "x*y*z &lt; 3"),
        ("an odd ` and *this*", "an odd ` and *this*"),
    ],
)
def test_hints_are_set_as_the_lessons_text_is(text, page):
    """Code in code, stress in italics; a star that multiplies stays a star."""
    assert page in NoteCard(text)._repr_html_()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.int64(4), "4"),
        ((np.int64(4), np.int64(24)), "(4, 24)"),
        ([np.float64(0.5), [np.float32(2.0)]], "[0.5, [2.0]]"),
        ({"rows": np.int64(3)}, "{'rows': 3}"),
        (np.array([1, 2]), "[1, 2]"),
        (True, "True"),
    ],
)
def test_numbers_on_a_card_are_plain(value, shown):
    """NumPy's numbers read as Python's, inside of lists, tuples and dictionaries, too."""
    assert ClaimFailed("wrong", expected=value, yours=0).expected == shown
