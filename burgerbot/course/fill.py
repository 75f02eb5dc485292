"""Fill the tables and the links of a text from the course itself."""

from __future__ import annotations

import re
import tomllib

from burgerbot.course.launch import START
from burgerbot.course.manifest import Course


def fill(course: Course, text: str, folder: str) -> str:
    """Fill the parts of a text that stand between markers, from the course itself.

    Args:
        course: The course.
        text: Markdown with marks such as ``<!-- lessons --><!-- /lessons -->``.
        folder: Where the notebooks lie, seen from the text: ``""`` or ``"lessons/"``.
    """
    project = tomllib.loads((course.root / "pyproject.toml").read_text(encoding="utf-8"))
    repository = project["tool"]["burgerbot"]["repository"]
    rows = ["| # | lesson | minutes | exercises |", "|---|---|---|---|"]
    for lesson in course.lessons:
        link = f"[{lesson.title}]({folder}{lesson.notebook_name})"
        rows.append(f"| {lesson.number} | {link} | {lesson.minutes} | {len(lesson.exercises)} |")
    minutes = sum(lesson.minutes for lesson in course.lessons)
    rows.append(f"| | together | {minutes} | {len(course.exercises)} |")
    pages = [page.notebook_name for page in course.pages]
    start = f"/{START}" if START in pages else ""
    links = [
        f"- [Open the lessons on Binder](https://mybinder.org/v2/gh/{repository}/HEAD"
        f"?urlpath=lab/tree/lessons{start})",
        f"- [Open the lessons on Colab](https://colab.research.google.com/github/{repository})",
    ]
    for name, lines in {"lessons": rows, "links": links}.items():
        block = "\n".join([f"<!-- {name} -->", *lines, f"<!-- /{name} -->"])
        pattern = rf"<!-- {name} -->.*?<!-- /{name} -->"
        text = re.sub(pattern, block.replace("\\", r"\\"), text, flags=re.DOTALL)
    return text


def link_numbers(course: Course, text: str) -> str:
    """Turn ``[04]`` into a link to lesson 04, once there is one."""
    names = {lesson.number: lesson.notebook_name for lesson in course.lessons}
    return re.sub(
        r"\[(\d\d)\](?!\()",
        lambda found: f"[{found[1]}]({names[found[1]]})" if found[1] in names else f"({found[1]})",
        text,
    )
