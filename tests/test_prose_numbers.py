"""No number in a lesson's prose that neither a cell nor a test holds."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from prose_numbers import loose_numbers, loose_numbers_of

from burgerbot.course.manifest import load_course

COURSE = load_course()
#: Numbers that no cell nearby shows, and why they may stand.
ALLOWED = {
    ("01", "50"): "the reward of a delivery: lesson 01's first table, held by test_rules.py",
    ("01", "255"): "the range of uint8",
    ("03", "1,024"): "names the range of the figure that precedes it; the cell writes 4 ** k",
    ("03", "512"): "a size to try out, ungraded",
    ("03", "256"): "names the range of the figure at the end of the lesson",
    ("04", "1.4"): "a version of Gymnasium, pinned in requirements.txt",
    ("05", "1.4"): "a version of Gymnasium, pinned in requirements.txt",
    ("06", "65,532"): "16,383 times 4, with both factors in the sentence",
    ("06", "3.11"): "the Python of a measurement that is quoted as such",
    ("06", "2.4"): "the NumPy of a measurement that is quoted as such",
    ("06", "24"): "counts the cells of a comparison above, in the summary",
    ("07", "1.25"): "the variance of 1, 2, 3, 4, to be done by hand",
    ("07", "6,464"): "64 robots times 101 rows, with both in the sentence",
    ("07", "1.4"): "a version of Gymnasium, pinned in requirements.txt",
    ("07", "1e9"): "names the range of a figure, in the summary",
    ("08", "13"): "the number of a lesson",
    ("09", "24,576"): "quoted from the paper that is named",
    ("10", "0.8"): "1 - clip with the default clip of 0.2",
    ("10", "1.2"): "1 + clip with the default clip of 0.2",
    ("11", "115.9"): "the result of lesson 02, held by test_lesson_02.py",
    ("11", "150"): "the step limit of BurgerBot-v0, held by test_env.py",
    ("11", "32"): "256 shared by eight robots, to be done by hand",
    ("12", "16"): "the robots of a worker in drills.message_costs",
    ("12", "256"): "what burgerbot/scale/compare_crews.py evaluates on",
    ("12", "125"): "a gigabit in megabytes, to be done by hand",
    ("12", "125,000,000"): "a gigabit in bytes, to be done by hand",
    ("12", "24"): "a version to try out, ungraded",
    ("13", "49"): "7 times 7",
    ("11", "256"): "transitions of a rollout; 8 times 32",
}


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)
def test_every_number_is_held(lesson):
    """Each is in a cell next to it, in tests/test_lesson_NN.py, or allowed with a reason."""
    loose = [
        f"{number}: ... {around} ..."
        for number, around in loose_numbers_of(COURSE, lesson)
        if (lesson.number, number) not in ALLOWED
    ]
    assert not loose, "\n".join(["compute, test, or allow with a reason:", *loose])


def found(prose, code="x = 1", output="", test=""):
    """The loose numbers of a lesson of one code cell and the prose below it."""
    cell = new_code_cell(code, outputs=[new_output("stream", text=output)])
    cells = [new_markdown_cell("# Title of 9999"), cell, new_markdown_cell(prose)]
    return [number for number, _ in loose_numbers(new_notebook(cells=cells), test)]


@pytest.mark.parametrize(
    ("prose", "numbers"),
    [
        ("It took 37 steps.", ["37"]),
        ("It took 37 steps, not 36, of 1,234.", ["37", "36", "1,234"]),
        ("A share of 0.83 or 83.5 percent", ["0.83", "83.5"]),
        ("On 9 of 12 days in 2018, as lesson 07 and exercise 03.2 say", []),
        ("Call `f(37)`, see [there](http://x.org/37) and\n\n```\n37\n```\n", []),
        ("| what | 37 |\n|---|---|\n| must | 38 |", []),
        ("## After 37 steps\nNothing.", []),
        ("Text.\n\n## Sources\n\nBooks, page 371", []),
        ("On NVIDIA's H200, x86-64, in float32", []),
    ],
)
def test_what_counts_as_a_number(prose, numbers):
    """Measurements count; code, addresses, tables, headings, years and ids do not."""
    assert found(prose) == numbers


@pytest.mark.parametrize(
    "held",
    [
        {"code": "x = 37"},
        {"output": "after 37 steps"},
        {"output": "after 36.96 steps"},
        {"output": "a share of 0.3702"},
        {"test": "assert steps == 37"},
    ],
)
def test_what_holds_a_number(held):
    """A cell's source, its output up to rounding or as a share, or the lesson's test."""
    assert found("It took 37 steps.", **held) == []


def test_a_lesson_with_a_planted_number_is_found():
    """In a real lesson, one invented figure is found and nothing else."""
    lesson = COURSE.lessons[0]
    notebook = nbformat.read(COURSE.root / "solutions" / lesson.notebook_name, as_version=4)
    before = loose_numbers(notebook)
    notebook.cells[5].source += "\n\nIt is 87.31 times faster."
    after = [number for number, _ in loose_numbers(notebook)]
    assert sorted(after) == sorted(["87.31", *(number for number, _ in before)])
