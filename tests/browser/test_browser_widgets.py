"""Every widget in a real JupyterLab: driven by pointer and by keyboard alone."""

import re
import uuid

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from steps import open_lesson, run_all, scroll_to, shoot, tab_to

from burgerbot.course.build import KERNEL

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PLAYER = """\
from burgerbot.show import play
from burgerbot.world.kitchen import CLASSIC
play(CLASSIC, [(0, 0, 1), (0, 1, 1), (0, 2, 1), (0, 2, 2), (1, 2, 2)])
"""
DRIVER = """\
from burgerbot.show import drive
drive()
"""
WALL = """\
from burgerbot.show import play_wall
from burgerbot.world.kitchen import Kitchen
play_wall(Kitchen.from_ascii(">..\\n..G"), [[4, 4, 4], [8, 4, 4], [9, 5, 4], [21, 6, 4]])
"""
TRAINING = """\
import gymnasium as gym
from tqdm.auto import tqdm
from burgerbot import show
from burgerbot.learn.ppo import PPOConfig, train
envs, track = gym.make_vec("burgerbot:BurgerBot-v1", 64), []
with tqdm(total=40_960) as bar:
    def note(run):
        track.append((run.steps, run.history[-1]["reward_per_step"]))
        bar.update(min(run.steps, 40_960) - bar.n)
    train(envs, PPOConfig(steps=64), 40_960, callback=note)
axes = {"xlabel": "transitions", "ylabel": "points a step"}
show.line_chart({"PPO": tuple(zip(*track))}, title="Learning", alt="It climbs.", **axes)
"""
LIVE = """\
import gymnasium as gym
from burgerbot import show
from burgerbot.learn.ppo import PPOConfig, train
envs, total = gym.make_vec("burgerbot:BurgerBotShift-v0", 64), 163_840
words = {"xlabel": "transitions", "ylabel": "points a step", "total": total}
with show.LiveCurve("Learning", **words, levels={"optimum": 4.343}) as curve:
    def note(run):
        curve.add(run.steps, reward=run.history[-1]["reward_per_step"])
    train(envs, PPOConfig(steps=64), total, callback=note)
"""
LOOK = """() => {
  const live = document.querySelector('.bb-live');
  return live && [
    live.querySelector('.bb-live-progress').innerText,
    live.querySelector("svg path[stroke-width='2']")?.getAttribute('d') ?? '',
    document.querySelector("body > .bb-said[role=status][aria-live=polite]").textContent,
  ];
}"""


@pytest.fixture
def notebook(lab, page):
    """Write a notebook of one cell, open it and run it."""

    def open_and_run(source):
        name = f"widget_{uuid.uuid4().hex[:8]}.ipynb"
        cells = [new_code_cell(source)]
        nbformat.write(
            new_notebook(cells=cells, metadata={"kernelspec": dict(KERNEL)}), lab.lessons / name
        )
        open_lesson(lab, page, name)
        run_all(page)
        return page

    return open_and_run


def test_player_by_pointer_and_by_keyboard(notebook):
    """Slider, Play, Back and Next show the step that they say; Tab reaches each of them."""
    page = notebook(PLAYER)
    player = scroll_to(page, page.locator(".bb-player"))
    slider, play = player.locator(".bb-slider"), player.locator(".bb-play")
    slider.wait_for()
    slider.fill("3")
    player.locator(".bb-caption", has_text="step 3 of 4").wait_for()
    player.locator(".bb-back").click()
    player.locator(".bb-caption", has_text="step 2 of 4").wait_for()
    play.click()
    player.locator(".bb-caption", has_text="step 4 of 4").wait_for()
    shoot(page, "player")

    play.focus()
    for name in ("back", "next"):
        tab_to(page, player.locator(f".bb-{name}"))
    tab_to(page, slider)
    page.keyboard.press("Home")
    player.locator(".bb-caption", has_text="step 0 of 4").wait_for()
    page.keyboard.press("ArrowRight")
    player.locator(".bb-caption", has_text="step 1 of 4").wait_for()
    play.focus()
    tab_to(page, player.locator(".bb-next"))
    page.keyboard.press("Enter")
    player.locator(".bb-caption", has_text="step 2 of 4").wait_for()


def test_driver_by_every_button_and_every_key(notebook):
    """Each button and each arrow key does what it says, and Tab reaches the view and buttons."""
    page = notebook(DRIVER)
    driver = scroll_to(page, page.locator(".bb-driver"))

    def says(text):
        driver.locator(".bb-status", has_text=text).wait_for()

    says("row 0, col 0, facing east")
    driver.locator(".bb-forward").click()
    says("row 0, col 1, facing east")
    driver.locator(".bb-right").click()
    says("facing south")
    driver.locator(".bb-left").click()
    says("facing east")
    driver.locator(".bb-view").focus()
    for key, expected in (
        ("ArrowRight", "facing south"),
        ("ArrowLeft", "facing east"),
        ("ArrowUp", "row 0, col 2"),
        ("ArrowDown", "row 0, col 2"),
    ):
        page.keyboard.press(key)
        says(expected)
    tab_to(page, driver.locator(".bb-forward"))
    page.keyboard.press("Enter")
    driver.locator(".bb-message", has_text="crashed").wait_for()
    shoot(page, "driver")


def test_wall_by_pointer_and_by_keyboard(notebook):
    """One slider for all robots, and Play plays them to the end."""
    page = notebook(WALL)
    wall = scroll_to(page, page.locator(".bb-player"))
    slider = wall.locator(".bb-slider")
    slider.wait_for()
    slider.fill("1")
    wall.locator(".bb-caption", has_text="step 1 of 3").wait_for()
    wall.locator(".bb-play").click()
    wall.locator(".bb-caption", has_text="step 3 of 3").wait_for()
    wall.locator(".bb-play").focus()
    tab_to(page, slider)
    page.keyboard.press("ArrowLeft")
    wall.locator(".bb-caption", has_text="step 2 of 3").wait_for()
    shoot(page, "wall")


def test_training_moves_its_bar_and_ends_in_a_curve(notebook):
    """The bar of a training counts on while the cell runs, up to its end; then the curve stands."""
    page = notebook(TRAINING)
    bar = scroll_to(page, page.locator(".jp-OutputArea .widget-hbox", has_text="/40960"))
    seen = [-1]
    while seen[-1] < 40_960:
        now = int(re.search(r"(\d+)/40960", bar.inner_text())[1])
        assert now >= seen[-1]
        seen.append(now)
        page.wait_for_timeout(50)
    assert len(set(seen)) > 3, "the bar stood still while the cell ran"
    curve = scroll_to(page, page.locator(".jp-OutputArea img"))
    assert curve.get_attribute("alt") == "It climbs."
    assert curve.evaluate("image => image.complete && image.naturalWidth > 0")
    shoot(page, "training")


def test_live_curve_grows_while_a_training_runs_and_leaves_one_figure(lab, notebook):
    """Text and points grow before the end; then one figure stands, which is all that is saved."""
    page = notebook(LIVE)
    scroll_to(page, page.locator(".bb-live"))
    seen, heard = [], set()
    while now := page.evaluate(LOOK):  # all of it in one look, for the figure comes at any time
        text, path, said = now
        done = int(re.search(r"([\d,]+) of 163,840 transitions", text)[1].replace(",", ""))
        heard.add(said)
        if (done, path.count("L")) not in seen:
            seen.append((done, path.count("L")))
            shoot(page, f"live_{len(seen)}")
        page.wait_for_timeout(100)
    running = [each for each in seen if 0 < each[0] < 163_840]
    assert len(running) >= 2, f"it stood still while the cell ran: {seen}"
    assert seen == sorted(seen)
    assert running[-1][1] > running[0][1], f"no points came: {seen}"
    assert len(heard) <= 6, "a screen reader has too much to say"
    page.locator("body > .bb-said", has_text="Learning: finished. reward").wait_for(
        state="attached"
    )

    figure = page.locator(".jp-OutputArea-output img")
    assert figure.count() == 1
    assert "Learning: up to 163,840 transitions; reward: first" in figure.get_attribute("alt")
    assert figure.evaluate("image => image.complete && image.naturalWidth > 0")
    shoot(page, "live_end")
    page.keyboard.press("Control+s")
    path = lab.lessons / page.url.split("/tree/")[1].split("?")[0]
    lab.wait_for("the saved notebook", lambda: "<img" in path.read_text())
    (output,) = nbformat.read(path, as_version=4).cells[0].outputs
    assert set(output.data) == {"text/html", "text/plain"}
    assert "<script" not in output.data["text/html"]
