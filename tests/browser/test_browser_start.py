"""The start page: progress, and work that goes out of the browser and comes back."""

import nbformat
import pytest
from steps import open_lesson, run_all, scroll_to, shoot, tab_to

from burgerbot.course.build import START

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NAME = "02_what_is_optimal.ipynb"


def test_the_lab_opens_at_the_start_page(page, lab):
    """Without an address of its own, the first thing to see is the start."""
    page.goto(f"{lab.address}/?token={lab.token}")
    page.locator(".jp-Notebook", has_text="How a lesson works").wait_for(timeout=90_000)
    lab.wait_for_kernel(START)
    page.locator("#jp-main-statusbar", has_text="| Idle").wait_for(timeout=90_000)
    shoot(page, "start_page")


def test_work_is_downloaded_and_restored(page, lab, tmp_path):
    """The link gives a file; a notebook that is gone comes back from it by the button."""
    path = lab.lessons / NAME
    fresh = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[3].source += "\n# my own note"
    nbformat.write(notebook, path)
    try:
        open_lesson(lab, page, START)
        run_all(page)
        link = scroll_to(page, page.locator("a.bb-download"))
        shoot(page, "start_download")
        with page.expect_download() as downloading:
            link.click()
        file = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(file)
        assert file.name.startswith("burgerbot-work-") and file.stat().st_size > 1000

        path.write_bytes(fresh)
        scroll_to(page, page.locator(".bb-upload"))
        with page.expect_file_chooser() as choosing:
            page.locator(".bb-upload").click()
        choosing.value.set_files(file)
        page.locator(".bb-restored", has_text="1 restored").wait_for()
        shoot(page, "start_restored")
        assert "# my own note" in path.read_text()

        with page.expect_file_chooser() as choosing:
            page.locator(".bb-upload").click()
        (tmp_path / "junk.zip").write_bytes(b"junk")
        choosing.value.set_files(tmp_path / "junk.zip")
        page.locator(".bb-restored", has_text="Nothing was changed").wait_for()
        shoot(page, "start_refused")
    finally:
        path.write_bytes(fresh)


def test_progress_is_a_table_with_links(page, lab):
    """Every lesson stands in the table; its link opens it."""
    open_lesson(lab, page, START)
    run_all(page)
    table = scroll_to(page, page.locator(".bb-progress"))
    assert "exercises passed" in table.inner_text()
    table.get_by_role("link", name="01 ·").click()
    page.get_by_role("tab", name="01_burgerbot_env.ipynb").wait_for()
    page.locator(".jp-Notebook:visible", has_text="Drive first").wait_for()


def test_work_is_downloaded_and_restored_by_keyboard(page, lab, tmp_path):
    """Tab reaches the link and the button; Enter downloads, and opens the choice of a file."""
    open_lesson(lab, page, START)
    run_all(page)
    link = scroll_to(page, page.locator("a.bb-download"))
    tab_to(page, link)
    with page.expect_download() as downloading:
        page.keyboard.press("Enter")
    assert downloading.value.suggested_filename.startswith("burgerbot-work-")
    button = scroll_to(page, page.locator(".bb-upload"))
    tab_to(page, button)
    with page.expect_file_chooser() as choosing:
        page.keyboard.press("Enter")
    (tmp_path / "junk.zip").write_bytes(b"junk")
    choosing.value.set_files(tmp_path / "junk.zip")
    page.locator(".bb-restored", has_text="Nothing was changed").wait_for()
