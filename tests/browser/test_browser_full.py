"""The whole course in the page: every exercise solved by typing, until progress says 100%."""

import subprocess
import sys
import time

import nbformat
import pytest
from steps import go_to, open_lesson, run_all, scroll_to, shoot, type_into_cell

from burgerbot.course.build import START
from burgerbot.course.manifest import load_course
from burgerbot.course.source import tagged

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1800)]

#: A check starts processes, or a Ray cluster, on a machine that does other things too.
CARD_SECONDS = 120


def solve(lab, page, lesson):
    """Go down a lesson by keyboard: run what exercises see, type each answer, run each check."""
    open_lesson(lab, page, lesson.notebook_name)
    page.locator(".jp-Notebook .jp-Cell").first.click()
    cells = nbformat.read(lab.lessons / lesson.notebook_name, as_version=4).cells
    answers = {index: key for key, index in tagged(cells, "exercise")}
    checks = {index: key for key, index in tagged(cells, "check")}
    solutions = {exercise.id: exercise.solution for exercise in lesson.exercises}
    here = 0
    for index, cell in enumerate(cells):
        if not (index in answers or index in checks or {"imports", "given"} & set(tags(cell))):
            continue
        go_to(page, here, index)
        here = index
        if index in answers:
            type_into_cell(page, solutions[answers[index]])
        page.keyboard.press("Control+Enter")
        if index in checks:
            card = page.locator(".jp-Cell.jp-mod-active .bb-card", has_text=checks[index])
            card.wait_for(timeout=CARD_SECONDS * 1000)
            card.scroll_into_view_if_needed()
            assert "bb-passed" in card.get_attribute("class"), card.inner_text()
    shoot(page, f"solved_{lesson.number}")
    page.keyboard.press("Control+s")
    lab.wait_for(
        f"{lesson.notebook_name}, saved",
        lambda: typed(lab.lessons / lesson.notebook_name) == solutions,
    )


def tags(cell):
    """The tags of a cell."""
    return cell.metadata.get("tags", [])


def typed(path):
    """What stands in the exercises of a saved notebook."""
    cells = nbformat.read(path, as_version=4).cells
    return {key: cells[index].source for key, index in tagged(cells, "exercise")}


def test_the_whole_course_is_solved_in_the_page(fresh_lab, page, capsys):
    """All answers typed, all cards green; the start page and the terminal say 100%."""
    course, begin = load_course(), time.monotonic()
    for lesson in course.lessons:
        start = time.monotonic()
        solve(fresh_lab, page, lesson)
        page.goto("about:blank")
        fresh_lab.stop_kernels()
        with capsys.disabled():
            count, seconds = len(lesson.exercises), time.monotonic() - start
            print(f"\nlesson {lesson.number}: {count} exercises in {seconds:.0f} s", end="")

    count = len(course.exercises)
    total = f"{count} of {count} exercises passed (100%)"
    open_lesson(fresh_lab, page, START)
    run_all(page)
    table = scroll_to(page, page.locator(".bb-progress"))
    shoot(page, "solved_all")
    assert total in table.inner_text()
    command = [sys.executable, "-m", "burgerbot", "progress"]
    terminal = subprocess.run(
        command, env=fresh_lab.environment, capture_output=True, text=True, check=True
    )
    assert total in terminal.stdout
    with capsys.disabled():
        minutes = sum(lesson.minutes for lesson in course.lessons)
        spent = (time.monotonic() - begin) / 60
        print(f"\n{total}: {spent:.1f} minutes; a learner is given {minutes}")
