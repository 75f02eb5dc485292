"""The driver: its logic by button clicks, without a browser."""

import gymnasium as gym
import ipywidgets
import numpy as np
import pytest

from burgerbot.show import drive
from burgerbot.show import driver as module
from burgerbot.show.driver_script import SCRIPT
from burgerbot.show.driving import Drive
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.kitchen import CLASSIC, Kitchen

SMALL = Kitchen.from_ascii(">.O\n..G")


@pytest.fixture(autouse=True)
def fresh():
    """Close what a test leaves behind."""
    yield
    for driver in module._live.values():
        driver.close()
    module._live.clear()


def press(driver, *names):
    for name in names:
        driver.buttons[name].click()


def test_buttons_drive_the_robot():
    """Each button takes its action, and the page says where the robot is and what it got."""
    driver = drive()
    assert driver.status.value == "row 0, col 0, facing east"
    press(driver, "forward")
    assert driver.status.value == "row 0, col 1, facing east"
    press(driver, "right", "left", "stop")
    assert driver.status.value == "row 0, col 1, facing east"
    assert "Step 4: stop, reward -0.1, return 0.7" in driver.details.value
    assert "[0, 1, 1, 0] = row 0, col 1, heading 1 (east), sensor 0 (0 or 1" in driver.details.value
    assert driver.message.value == ""


def test_the_drawing_follows():
    """The drawing shows the robot where it stands, and its trail."""
    driver = drive(kitchen=SMALL)
    press(driver, "forward", "right")
    assert "translate(150 50) rotate(180)" in driver.view.value
    assert "d='M50,50L150,50L150,50'" in driver.view.value
    assert repr(driver) == "*vO\n..G\nrow 0, col 1, facing south"


def test_delivery_and_crash_are_told_apart_and_the_next_press_does_nothing():
    """The end is named; after it no step is taken until a new episode begins."""
    driver = drive(kitchen=">.G")
    press(driver, "forward", "forward")
    assert "terminated: delivered" in driver.message.value
    press(driver, "forward")
    assert driver.episode.steps == 2
    press(driver, "reset")
    assert (driver.episode.steps, driver.message.value) == (0, "")
    press(driver, "left", "forward")
    assert "terminated: crashed" in driver.message.value


def test_the_step_limit_is_named():
    """An episode cut by TimeLimit says truncated; one that ends at the limit says both."""
    driver = drive(gym.wrappers.TimeLimit(BurgerBotEnv(), 2))
    press(driver, "stop", "stop")
    assert "truncated: the step limit" in driver.message.value
    press(driver, "reset", "left", "forward")
    assert "terminated: crashed, at the step limit (truncated too)" in driver.message.value


def test_errors_are_shown():
    """What a learner's environment raises is shown with its line, and driving can go on."""

    class Broken(gym.Wrapper):
        broken = True

        def step(self, action):
            if self.broken:
                raise RuntimeError("<no wheels>")
            return super().step(action)

    driver = drive(Broken(BurgerBotEnv(SMALL)))
    press(driver, "forward")
    assert "RuntimeError: &lt;no wheels&gt;" in driver.message.value
    assert "in step: raise RuntimeError" in driver.message.value
    driver.episode.env.broken = False
    press(driver, "forward")
    assert driver.message.value == ""
    assert driver.episode.steps == 1


def test_an_observation_outside_the_kitchen_is_an_error_that_is_shown():
    """A learner's environment that drives through the wall is told so."""

    class Through(gym.ObservationWrapper):
        def observation(self, observation):
            return observation + np.array([0, 9, 0, 0]) * (observation[1] > 0)

    driver = drive(Through(BurgerBotEnv(SMALL)))
    press(driver, "forward")
    assert "observation: expected row 0 to 1, col 0 to 2" in driver.message.value


def test_running_again_leaves_one_driver():
    """A second call closes the first: no widget is left over, and its buttons are dead."""
    env = BurgerBotEnv()
    first = drive(env)
    count = len(ipywidgets.widgets.widget._instances)
    second = drive(env)
    assert len(ipywidgets.widgets.widget._instances) == count
    press(first, "forward")
    assert second.episode.steps == 0
    press(second, "forward")
    assert (second.episode.steps, second.episode.total) == (1, 1.0)
    assert list(module._live.values()) == [second]


def test_two_cells_have_two_drivers(monkeypatch):
    """Drivers of different notebook cells live side by side."""
    monkeypatch.setattr(module, "_cell_id", lambda: "a")
    first = drive()
    monkeypatch.setattr(module, "_cell_id", lambda: "b")
    drive()
    press(first, "forward")
    assert first.episode.steps == 1


def test_display_is_a_still_picture_and_the_widget(monkeypatch):
    """A notebook keeps a picture and the map, for where no kernel runs, and then the widget."""
    shown = []
    monkeypatch.setattr(module, "display", lambda data, raw: shown.append(data))
    driver = drive()
    driver._ipython_display_()
    still, live = shown
    assert "bb-still" in still["text/html"]
    assert "<img " in still["text/html"]
    assert "needs a running kernel" in still["text/html"]
    assert still["text/plain"].startswith(CLASSIC.to_ascii())
    assert live["application/vnd.jupyter.widget-view+json"]["model_id"] == driver.model_id


def test_widget_ids_repeat_from_run_to_run(monkeypatch):
    """A notebook run twice from a fresh kernel holds the same ids; within one run they differ."""
    runs = []
    for _ in range(2):
        monkeypatch.setattr(module, "_made", 0)
        runs.append([drive().model_id, drive().model_id])
    assert runs[0] == runs[1]
    assert runs[0][0] != runs[0][1]


def test_page_finds_its_parts():
    """The parts have the classes that the script and browser tests look for."""
    driver = drive()
    classes = {
        name
        for child in (driver, *driver.children, *driver.buttons.values())
        for name in child._dom_classes
    }
    parts = ("forward", "left", "right", "stop", "reset", "status", "details", "message", "view")
    assert {f"bb-{part}" for part in (*parts, "driver", "hint")} <= classes
    assert "Click the kitchen, then drive with the arrow keys" in driver.children[0].value
    for part in ("tabIndex = 0", "data-lm-suppress-shortcuts", "preventDefault", "stopPropagation"):
        assert part in SCRIPT
    assert "http" not in SCRIPT


def test_the_robot_is_found_where_the_observation_hides_it():
    """With an observation that is no pose, the environment's ``pose`` is asked."""

    class Hidden(gym.ObservationWrapper):
        def observation(self, observation):
            return np.array([0.25], dtype=np.float32)

    class WithPose(BurgerBotEnv):
        pose = (0, 1, 1)

    episode = Drive(Hidden(WithPose(SMALL)))
    assert episode.pose == (0, 1, 1)
    assert episode.observation_text() == "[0.25]"
    with pytest.raises(
        ValueError, match=r"expected integers \[row, col, heading.* got shape \(1,\)"
    ):
        Drive(Hidden(BurgerBotEnv(SMALL)))


def test_bad_arguments_are_refused():
    """Both an env and a kitchen, and an environment without a kitchen."""
    with pytest.raises(ValueError, match="expected an env or a kitchen, got both"):
        drive(BurgerBotEnv(), kitchen=SMALL)
    with pytest.raises(TypeError, match=r"expected an environment whose .unwrapped.kitchen"):
        drive(gym.make("FrozenLake-v1"))
    with pytest.raises(TypeError, match="got 3"):
        drive(3)
