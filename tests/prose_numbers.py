"""Numbers in a lesson's prose, and whether a cell or a test holds each of them.

``python tests/prose_numbers.py`` lists those that nothing holds, lesson by lesson. A number is held
where it stands, up to rounding and up to per cent, in the source or the output of a code cell of
the same section, of the last cell above or of the next one below (where it is announced), or in
tests/test_lesson_NN.py. Not counted: whole numbers up to 12, years, ids of lessons and exercises,
code, tables (they say what an exercise must do), headings, and all from "Sources" on.
"""

import re
from pathlib import Path

import nbformat

from burgerbot.course.manifest import load_course

SMALL = 12
NUMBER = re.compile(r"(?<![\w.#/\-])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?![\w])")
ANY_NUMBER = re.compile(r"\d[\d_,]*(?:\.\d+)?(?:e[-+]?\d+)?")
LESSON_OR_EXERCISE = re.compile(r"0\d(\.\d+)?|1[0-4]\.\d")
YEAR = re.compile(r"(19|20)\d\d")


def values(text):
    """Every number in a text, without its sign."""
    found = set()
    for match in ANY_NUMBER.finditer(text):
        try:
            found.add(float(match[0].replace(",", "").replace("_", "")))
        except ValueError:
            continue
    return found


def shown_by(cell):
    """The numbers in the source of a code cell and in what it shows, alt text included."""
    text = cell.source
    for output in cell.outputs:
        data = output.get("data", {})
        text += f" {output.get('text', '')} {data.get('text/plain', '')} {output.get('metadata')} "
        text += re.sub(r"<svg.*?</svg>|<[^>]*>", " ", str(data.get("text/html", "")), flags=re.S)
    return values(text)


def prose(source):
    """A markdown cell without code, addresses, tables, headings and sources."""
    source = re.split(r"^#+ Sources|^\*\*Sources", source, flags=re.MULTILINE)[0]
    source = re.sub(r"```.*?```|`[^`]*`|https?://\S+|\]\([^)]*\)", " ", source, flags=re.S)
    lines = [line for line in source.split("\n") if not line.lstrip().startswith(("#", "|"))]
    return " ".join(" ".join(lines).split())


def is_held(number, numbers):
    """Whether one of the numbers is this one, rounded as this one is, or as a percentage."""
    digits = len(number.split(".")[1]) if "." in number and "e" not in number else 0
    wanted = float(number.replace(",", ""))
    if "e" in number:
        return wanted in numbers
    return any(abs(round(k * x, digits) - wanted) < 1e-9 for x in numbers for k in (1, 100))


def loose_numbers(notebook, test_text=""):
    """``[(number, words around it)]`` of an executed lesson that nothing holds."""
    cells, loose = notebook.cells, []
    section, sections = 0, []
    for cell in cells:
        section += cell.cell_type == "markdown" and bool(re.search(r"^## ", cell.source, re.M))
        sections.append(section)
    shown = [shown_by(cell) if cell.cell_type == "code" else None for cell in cells]
    tests = values(test_text)
    for i, cell in enumerate(cells):
        if i == 0 or cell.cell_type != "markdown":
            continue
        above = [j for j in range(i) if shown[j] is not None][-1:]
        below = [j for j in range(i, len(cells)) if shown[j] is not None][:1]
        near = [j for j in range(len(cells)) if shown[j] is not None and sections[j] == sections[i]]
        numbers = tests.union(*(shown[j] for j in {*above, *below, *near}))
        text = prose(cell.source)
        for match in NUMBER.finditer(text):
            number = match[0].rstrip(",")
            whole = number.isdigit() and int(number) <= SMALL
            if whole or LESSON_OR_EXERCISE.fullmatch(number) or YEAR.fullmatch(number):
                continue
            if not is_held(number, numbers):
                around = text[max(0, match.start() - 50) : match.end() + 40]
                loose.append((number, around))
    return loose


def loose_numbers_of(course, lesson):
    """The same for a lesson of the course; none where it has not been executed yet."""
    path = course.root / "solutions" / lesson.notebook_name
    tests = course.root / "tests" / f"test_lesson_{lesson.number}.py"
    if not path.exists():
        return []
    test_text = tests.read_text(encoding="utf-8") if tests.exists() else ""
    return loose_numbers(nbformat.read(path, as_version=4), test_text)


if __name__ == "__main__":
    course = load_course(Path(__file__).resolve().parents[1])
    for lesson in course.lessons:
        found = loose_numbers_of(course, lesson)
        print(f"{lesson.number} {lesson.title}: {len(found)}")
        for number, around in found:
            print(f"   {number:>12}  ... {around} ...")
