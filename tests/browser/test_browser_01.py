"""Lesson 01 as a newcomer meets it: open, run, drive, answer wrong, answer right."""

import pytest
from steps import open_lesson, run_all, scroll_to, shoot

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

WRONG = """\
def sensor_reading(kitchen, row, col, heading):
    return 0
"""
RIGHT = """\
def clear_ahead(kitchen, row, col, heading):
    for count in range(1, 7):
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if count > 5 or not kitchen.is_clear(row, col):
            return count - 1

def sensor_reading(kitchen, row, col, heading):
    return np.int64(clear_ahead(kitchen, row, col, heading) // 2)
"""


def answer(page, marker, source):
    """Replace the cell that holds ``marker``, run it, and run the check below it."""
    cell = scroll_to(page, page.locator(".jp-CodeCell", has_text=marker))
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    page.keyboard.press("Shift+Enter")
    page.wait_for_timeout(500)
    page.keyboard.press("Shift+Enter")


def test_run_all_then_drive_then_a_wrong_and_a_right_answer(page, lab):
    """Run All stops at the first stub; the driver drives; cards turn from wrong to green."""
    open_lesson(lab, page, "01_burgerbot_env.ipynb")
    shoot(page, "01_open")
    run_all(page)
    stub = page.locator(".jp-OutputArea-output", has_text="NotImplementedError: 01.")
    scroll_to(page, stub)
    shoot(page, "02_first_stub")

    driver = scroll_to(page, page.locator(".bb-driver"))
    status = driver.locator(".bb-status")
    cells = page.locator(".jp-Cell").count()
    status.filter(has_text="row 0, col 0, facing east").wait_for()
    driver.locator(".bb-forward").click()
    driver.locator(".bb-status", has_text="row 0, col 1, facing east").wait_for()
    driver.locator(".bb-view").click()
    page.keyboard.press("ArrowUp")
    driver.locator(".bb-status", has_text="row 0, col 2, facing east").wait_for()
    page.keyboard.press("ArrowRight")
    driver.locator(".bb-status", has_text="row 0, col 2, facing south").wait_for()
    page.keyboard.press("b")
    page.wait_for_timeout(300)
    assert page.locator(".jp-Cell").count() == cells, "a key reached JupyterLab"
    shoot(page, "03_driver")

    answer(page, "def sensor_reading", WRONG)
    card = page.locator(".bb-card.bb-failed")
    card.wait_for()
    for part in ("where", "expected", "yours"):
        assert card.locator(f".bb-{part}").inner_text()
    assert card.locator(".bb-hint summary").inner_text() == "Hint 1 of 3"
    card.locator(".bb-hint summary").press("Enter")
    assert len(card.locator(".bb-hint").inner_text()) > len("Hint 1 of 3") + 20
    shoot(page, "04_wrong")

    answer(page, "def sensor_reading", RIGHT)
    page.locator(".bb-card.bb-passed", has_text="01.1").wait_for()
    shoot(page, "05_right")


def test_work_in_the_page_is_what_the_terminal_grades(page, lab):
    """After saving, the saved notebook grades as the card said."""
    from burgerbot.course.grader import grade
    from burgerbot.course.manifest import load_course

    open_lesson(lab, page, "01_burgerbot_env.ipynb")
    answer(page, "def sensor_reading", RIGHT)
    page.keyboard.press("Control+s")
    course = load_course()
    lab.wait_for(
        "the saved answer",
        lambda: grade(course, course.exercise("01.1"), lab.lessons).status == "passed",
    )
