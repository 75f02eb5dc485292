"""Every picture in the executed notebooks can be read by somebody who does not see it."""

import re
from html.parser import HTMLParser

import nbformat
import pytest

from burgerbot.course.build import lesson_text
from burgerbot.course.manifest import load_course

COURSE = load_course()
LESSONS = pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)
#: How the picture of a kitchen is known; each of these has a map as its text.
KITCHEN = re.compile(r'class="bb-(still|player)|alt="[^"]*Kitchen of ')
MAP = re.compile(r"(?m)(?<!\S)[.OG<>^v*]{2,}(?!\S)")


class Pictures(HTMLParser):
    """Collect the pictures of a page, each with the words that stand for it."""

    def __init__(self, page):
        super().__init__()
        self.words, self._svg, self._in_title = [], None, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "img":
            self.words.append(values.get("alt") or "")
        if tag == "svg":
            self._svg = len(self.words)
            hidden = values.get("aria-hidden") == "true"
            self.words.append("hidden from readers" if hidden else values.get("aria-label") or "")
        self._in_title = tag == "title" and self._svg is not None

    def handle_data(self, data):
        if self._in_title and not self.words[self._svg]:
            self.words[self._svg] = data

    def handle_endtag(self, tag):
        self._in_title = False
        if tag == "svg":
            self._svg = None


def silent_pictures(output):
    """What is wrong with the pictures of one output: a word each."""
    data, problems = output.get("data", {}), []
    if any(kind.startswith("image/") for kind in data):
        problems.append("an image without alt text: wrap the figure with burgerbot.show.with_alt")
    page = str(data.get("text/html", ""))
    for words in Pictures(page).words:
        if len(words.split()) < 3:
            problems.append(f"alt text {words!r}")
    if re.search(r"<(img|svg)\b", page):
        text = str(data.get("text/plain", ""))
        if len(text.split()) < 3 and not MAP.search(text):
            problems.append(f"text instead of the picture: {text[:60]!r}")
        if KITCHEN.search(page) and not MAP.search(text):
            problems.append(f"no map in the text of a kitchen: {text[:60]!r}")
    return problems


@LESSONS
def test_every_picture_has_words(lesson):
    """Alt text for each image and drawing, a text beside it, a map for each kitchen."""
    path = COURSE.root / "solutions" / lesson.notebook_name
    if not path.exists():
        pytest.skip("not executed yet")
    problems = [
        f"cell {cell.id}: {problem}"
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        for problem in silent_pictures(output)
    ]
    assert not problems, "\n".join(problems)


@LESSONS
def test_pictures_in_the_text_have_words(lesson):
    """Markdown pictures carry a description too."""
    for cell in nbformat.reads(lesson_text(lesson), as_version=4).cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"!\[\s*\]\(", cell.source), cell.id
            assert all(len(words.split()) > 2 for words in Pictures(cell.source).words), cell.id


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        ({"image/png": "iVBO", "text/plain": "<Figure size 640x480 with 1 Axes>"}, 1),
        ({"text/html": '<img src="x">', "text/plain": "a chart of steps"}, 1),
        ({"text/html": '<img src="x" alt="">', "text/plain": "a chart of steps"}, 1),
        ({"text/html": '<img src="x" alt="A line that rises">', "text/plain": "a long text"}, 0),
        ({"text/html": "<svg><path/></svg>", "text/plain": "a chart of steps"}, 1),
        ({"text/html": "<svg><title>A line that rises</title></svg>", "text/plain": "a b c"}, 0),
        ({"text/html": '<svg aria-hidden="true"></svg>', "text/plain": "a chart of steps"}, 0),
        ({"text/html": '<img alt="Kitchen of 2 rows and 3 columns">'}, 2),
        ({"text/html": '<div class="bb-player"><img alt="A robot drives home">'}, 2),
        (
            {
                "text/html": '<img alt="Robot at row 1. Kitchen of 2 rows and 3 columns">',
                "text/plain": "..O\n>.G",
            },
            0,
        ),
        ({"text/html": "<b>no picture</b>", "text/plain": "x"}, 0),
    ],
)
def test_what_the_gate_sees(data, problems):
    """A picture without words is found, in each form that it can take."""
    assert len(silent_pictures({"data": data})) == problems
