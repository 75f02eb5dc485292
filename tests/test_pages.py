"""The pages around the lessons: the start, the glossary, the end."""

import re

import nbformat
import pytest

from burgerbot.course import build
from burgerbot.course.manifest import load_course
from burgerbot.course.source import read_cells

COURSE = load_course()
PAGES = pytest.mark.parametrize("page", COURSE.pages, ids=lambda page: page.name)
TERM = re.compile(r"^- \*\*(?P<term>[^*]+)\*\*: (?P<text>(?:.|\n  )+)", re.MULTILINE)
NOTATION = ["T", "N", "m", "gamma", "lambda", "rho", "delta", "terminated", "truncated", "done"]
#: Set in bold for weight, and no word of the course.
EMPHASIS = {
    *("and", "both", "killed", "last", "mean", "note", "predict", "running", "time", "up"),
    *("the machine", "you need", "one draw", "terminated", "truncated", "registering"),
    *("simulate", "with policy", "with update"),
    *("delta", "in flight", "under pi", "with the newest weights there were"),
    *("autoreset modes", "discounted return", "transitions", "amdahl's law", "envpool", "gymnax"),
}


def prose(item):
    """The text of a lesson or page, each run of white space one blank."""
    cells = [cell for cell in read_cells(item.source) if cell.cell_type == "markdown"]
    return " ".join(" ".join(cell.source for cell in cells).split())


def glossary():
    """Each term with the numbers of the lessons that explain it."""
    source = next(page for page in COURSE.pages if page.name == "glossary").source
    text = "\n".join(c.source for c in read_cells(source) if c.cell_type == "markdown")
    return {m["term"]: re.findall(r"\[(\d\d)\]", m["text"]) for m in TERM.finditer(text)}


def test_the_pages_are_there():
    """A start, an end and a glossary, none of them a lesson."""
    assert [page.name for page in COURSE.pages] == ["00_start_here", "15_where_next", "glossary"]
    assert build.START in {page.notebook_name for page in COURSE.pages}
    assert all(lesson.exercises for lesson in COURSE.lessons)


@PAGES
def test_links_of_a_page_lead_to_notebooks(page):
    """No link is dead, numbers in brackets have become links, and marks are filled."""
    notebook = nbformat.reads(build.lesson_text(page, COURSE), as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells)
    names = {item.notebook_name for item in COURSE.notebooks}
    assert set(re.findall(r"\]\((\w+\.ipynb)\)", text)) <= names
    assert "](01_burgerbot_env.ipynb)" in text
    assert not re.search(r"<!-- lessons -->\s*<!-- /lessons -->", text)
    assert all("page" not in cell.metadata.get("tags", []) for cell in notebook.cells)


def test_the_start_page_lists_every_lesson():
    """Number, question and minutes of each, and the sum."""
    page = next(page for page in COURSE.pages if page.name == "00_start_here")
    text = build.lesson_text(page, COURSE)
    for lesson in COURSE.lessons:
        row = f"| {lesson.number} | [{lesson.title}]({lesson.notebook_name}) | {lesson.minutes} |"
        assert row in text, lesson.number
    assert f"| {sum(lesson.minutes for lesson in COURSE.lessons)} |" in text


@pytest.mark.parametrize("term", glossary())
def test_a_glossary_term_occurs_in_the_lesson_that_is_named(term):
    """Whoever looks a word up finds it where the glossary says that it is explained."""
    numbers = glossary()[term]
    assert numbers, "no lesson is named"
    for lesson in COURSE.lessons:
        if lesson.number in numbers:
            assert term.lower() in prose(lesson).lower(), lesson.number


def test_glossary_is_in_order():
    """From A to Z, each term once."""
    terms = list(glossary())
    assert terms == sorted(terms, key=str.lower) and len(terms) > 60


@pytest.mark.parametrize("sign", NOTATION)
def test_the_notation_is_explained(sign):
    """Every sign that the lessons share stands in the glossary's first table."""
    page = next(page for page in COURSE.pages if page.name == "glossary")
    assert f"| `{sign}`" in "\n".join(cell.source for cell in read_cells(page.source))


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)
def test_every_word_that_a_lesson_explains_is_in_the_glossary(lesson):
    """A word in bold is a new word: it is in the glossary, or a known emphasis."""
    terms = {term.lower() for term in glossary()} | {"core"}
    bold = set(re.findall(r"\*\*([a-zA-Z][^*]{1,40})\*\*", prose(lesson)))
    new = {word.lower() for word in bold} - terms
    new -= EMPHASIS
    new = {word for word in new if not word.endswith((".", ":", ",", '"'))}
    new = {word for word in new if not any(word.startswith(term) for term in terms)}
    assert not new, f"explain in solutions/glossary.py, or list as EMPHASIS: {sorted(new)}"


def test_the_readme_leads_somewhere():
    """Each picture is there and has words, each relative link leads to a file."""
    text = (COURSE.root / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)
    pictures += [(m[2], m[1]) for m in re.finditer(r'<img src="([^"]+)"[^>]*alt="([^"]*)"', text)]
    assert len(pictures) >= 5
    for words, file in pictures:
        assert (COURSE.root / file).is_file() and len(words.split()) > 5, file
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (COURSE.root / link).exists(), link


def test_the_citation_names_the_version():
    """README and CITATION.cff say the package's own version."""
    import burgerbot

    for name in ("README.md", ".github/CITATION.cff"):
        text = (COURSE.root / name).read_text(encoding="utf-8")
        assert re.findall(r"version(?: *= *\{|: )([0-9.]+)", text)[-1] == burgerbot.__version__
