"""Reading the course from its sources, by exact id, and refusing sources that break a rule."""

import pytest
import tiny_course

from burgerbot.course.manifest import CourseError, UnknownExercise, load_course
from burgerbot.course.source import make_stub


@pytest.fixture
def root(tmp_path):
    """The tiny course."""
    return tiny_course.make(tmp_path / "tiny")


def test_everything_comes_from_the_source(root):
    """Title, minutes, difficulty, hints, stub, solution and given cells are read, not listed."""
    lesson = load_course(root).lessons[0]
    assert (lesson.number, lesson.name, lesson.title, lesson.minutes) == ("01", "tiny", "Tiny", 5)
    first, second = lesson.exercises
    assert (first.title, first.minutes, first.difficulty) == ("Double a number", 1, 1)
    assert first.hints == ("Add it to `x`, once.", "Multiply.") and len(second.hints) == 3
    assert first.stub.endswith('    raise NotImplementedError("01.1")')
    assert first.solution.endswith("    return 2 * x") and "SOLUTION" not in first.solution
    assert second.given == ("import numpy as np", "def half(x):\n    return x / 2")
    assert (first.seconds, second.seconds) == (2, 20)


def test_selection_is_by_exact_id(root):
    """01 is the lesson, 01.1 is not 01.10, and an unknown id lists what there is."""
    source = root / "solutions" / "01_tiny.py"
    course = load_course(root)
    assert (
        [e.id for e in course.select("01")] == [e.id for e in course.select()] == ["01.1", "01.2"]
    )
    assert [e.id for e in course.select("01.1")] == ["01.1"]
    for wanted in ("01.10", "1", "01.", "99", "foo", ""):
        with pytest.raises(UnknownExercise, match=r"among 01\.1, 01\.2; got"):
            course.select(wanted)
    with pytest.raises(UnknownExercise):
        course.exercise("01")
    assert source.exists()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("# # Tiny", "# Tiny", "first markdown cell"),
        (" minutes=5", "", "first markdown cell"),
        ("## Exercise 01.1: Double a number", "## Doubling", "heading '## Exercise 01.1"),
        ('tags=["hints:01.1"]', "", "two or three hints"),
        ("# 2. Multiply.", "", "two or three hints"),
        ('tags=["check:01.1"]', "", "one cell tagged check:01.1"),
        (" minutes=1", "", "minutes"),
        ("difficulty=1", "difficulty=4", "difficulty"),
        ('tags=["exercise:01.2"]', 'tags=["exercise:01.3"]', "expected the id 01.2 here"),
        ("    # BEGIN SOLUTION\n    return 2 * x\n    # END SOLUTION", "    return 2 * x", "BEGIN"),
        ("    # END SOLUTION", "", "BEGIN SOLUTION"),
    ],
)
def test_a_source_that_breaks_a_rule_is_refused(root, old, new, says):
    """A missing part is named with the file and the exercise."""
    source = root / "solutions" / "01_tiny.py"
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new, 1))
    with pytest.raises(CourseError, match=says):
        load_course(root)


def test_a_source_that_changes_is_read_again(root):
    """An edited lesson is seen without a restart."""
    source = root / "solutions" / "01_tiny.py"
    assert load_course(root).lessons[0].title == "Tiny"
    source.write_text(source.read_text().replace("# # Tiny", "# # Larger"))
    assert load_course(root).lessons[0].title == "Larger"


def test_stub_replaces_every_marked_block_at_its_indentation():
    """A class with two marked methods gets two stubs."""
    source = "class A:\n    def f(self):\n        # BEGIN SOLUTION\n        return 1\n"
    source += "        # END SOLUTION\n"
    stub = make_stub(source + source.replace("f(", "g("), "01.2")
    assert stub.count('        raise NotImplementedError("01.2")') == 2 and "return" not in stub
