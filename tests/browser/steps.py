"""What a person does in JupyterLab, as functions of a page."""

import os
import time
import uuid
from pathlib import Path


def open_lesson(lab, page, name):
    """Open a lesson in a workspace of its own and wait for its kernel."""
    page.goto(f"{lab.address}/lab/workspaces/{uuid.uuid4()}/tree/{name}?reset&token={lab.token}")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=90_000)
    lab.wait_for_kernel(name)
    page.locator("#jp-main-statusbar", has_text="| Idle").wait_for(timeout=90_000)


def run_all(page):
    """Run > Run All Cells."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()


def scroll_to(page, locator, seconds=90):
    """Scroll down the notebook, again and again, until the element is there."""
    panel = page.locator(".jp-WindowedPanel-outer").first
    end = time.monotonic() + seconds
    while time.monotonic() < end:  # only cells near the window are drawn, and cells take time
        if locator.count():
            locator.first.scroll_into_view_if_needed()
            return locator.first
        panel.evaluate(
            "panel => { const before = panel.scrollTop; panel.scrollTop += 400;"
            " if (panel.scrollTop === before) panel.scrollTop = 0 }"
        )
        page.wait_for_timeout(100)
    shoot(page, "not_found")
    raise AssertionError(f"not found by scrolling: {locator}")


def shoot(page, name):
    """Keep a screenshot where SCREENSHOTS says."""
    if folder := os.environ.get("SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png")


def tab_to(page, locator, most=60):
    """Press Tab until the element has the focus: what Tab does not reach has no keyboard."""
    for _ in range(most):
        if locator.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"not reached by {most} presses of Tab: {locator}")


def go_to(page, here, there):
    """From the active cell ``here`` down to cell ``there``, by keys, as in command mode."""
    for _ in range(there - here):
        page.keyboard.press("j")


def type_into_cell(page, source):
    """Replace what stands in the active cell."""
    page.keyboard.press("Enter")
    page.locator(".jp-Cell.jp-mod-active .cm-content:focus").wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
