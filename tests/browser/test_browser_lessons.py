"""Every lesson in the browser: it opens, and Run All stops at the first stub."""

import pytest
from steps import open_lesson, run_all, scroll_to, shoot

from burgerbot.course.manifest import load_course

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.mark.parametrize("lesson", load_course().lessons, ids=lambda lesson: lesson.number)
def test_lesson_runs_to_its_first_stub(page, lab, lesson):
    """No error but the stub's own, none in the page's console, no request to the outside."""
    open_lesson(lab, page, lesson.notebook_name)
    run_all(page)
    stub = f"NotImplementedError: {lesson.number}."
    scroll_to(page, page.locator(".jp-OutputArea-output", has_text=stub))
    shoot(page, f"lesson_{lesson.number}")
