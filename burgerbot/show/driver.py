"""The driver's widget: a kitchen, buttons and arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from html import escape
from traceback import extract_tb
from typing import Any

import gymnasium as gym
import ipywidgets as widgets
from gymnasium.wrappers import TimeLimit
from IPython.core.getipython import get_ipython
from IPython.display import display

from burgerbot.show.driver_script import SCRIPT
from burgerbot.show.driving import Drive
from burgerbot.show.frames import Picture, show_kitchen
from burgerbot.show.poses import pose_text
from burgerbot.world import rules
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.registration import MAX_STEPS

HINT = "Click the kitchen, then drive with the arrow keys"
#: Name (its CSS class is ``bb-NAME``), action, words, and the key that presses it.
BUTTONS = (
    ("left", rules.TURN_LEFT, "Turn left", "left arrow"),
    ("forward", rules.FORWARD, "Forward", "up arrow"),
    ("right", rules.TURN_RIGHT, "Turn right", "right arrow"),
    ("stop", rules.STOP, "Stop", "down arrow"),
)

#: Poses shown of a long episode.
TRAIL = 200

#: The live drivers, by the notebook cell that made them, and how many were made so far.
_live: dict[str | None, Driver] = {}
_made = 0


def drive(env: gym.Env | None = None, *, kitchen: Kitchen | str | None = None) -> Driver:
    """Drive a robot with buttons or the arrow keys.

    Running the cell again replaces its driver. The first episode is reset with seed 0, later ones
    without a seed. Where no kernel runs, a still picture stands in for the driver.

    Args:
        env: A Gymnasium environment with BurgerBot's four actions and, in ``.unwrapped``, a
            ``kitchen``; left out, the world of ``BurgerBot-v0``.
        kitchen: A kitchen or its map, for that world in another kitchen.

    Returns:
        Driver: An ipywidgets widget; its last place in a notebook cell shows it.

    Raises:
        TypeError: An environment without a kitchen.
        ValueError: Both an environment and a kitchen.
    """
    if env is not None and kitchen is not None:
        raise ValueError("expected an env or a kitchen, got both")
    if env is None:
        env = TimeLimit(BurgerBotEnv(CLASSIC if kitchen is None else kitchen), MAX_STEPS)
    episode = Drive(env)
    cell = _cell_id()
    if cell in _live:
        _live.pop(cell).close()
    _live[cell] = Driver(episode)
    return _live[cell]


class Driver(widgets.VBox):
    """The widget that ``drive`` returns.

    Attributes:
        episode: The ``Drive``: observation, pose, reward, total, steps and ended.
        buttons: Name -> ``ipywidgets.Button``: left, forward, right, stop and reset.
        status, details, message: ``ipywidgets.HTML``: where the robot stands; observation, reward
            and return; how the episode ended, or an error.
    """

    _closed = False

    def __init__(self, episode: Drive) -> None:
        self.episode = episode
        self.buttons = {
            name: _button(name, words, key, self._pressed(episode.act, action))
            for name, action, words, key in BUTTONS
        }
        self.buttons["reset"] = _button("reset", "New episode", "", self._pressed(episode.begin))
        self.view, self.status, self.details, self.message = (
            _html(name) for name in ("view", "status", "details", "message")
        )
        self._draw()
        children = [
            _html("hint", f"<b>{HINT}</b> (up: forward, down: stop)."),
            self.view,
            widgets.HBox(list(self.buttons.values()), layout={"flex_flow": "row wrap"}),
            self.status,
            self.details,
            self.message,
            _script(),
        ]
        super().__init__(children, model_id=_next_id(episode.kitchen))
        self.add_class("bb-driver")

    def __repr__(self) -> str:
        return f"{self._picture()!r}\n{pose_text(self.episode.pose)}"

    def _ipython_display_(self) -> None:
        """Show a still picture, which the live widget's script hides, and the widget."""
        picture = self._picture()
        note = "The live driver needs a running kernel: run this cell."
        still = f'<div class="bb-still">{picture._repr_html_()}<div>{note}</div></div>'
        display({"text/html": still, "text/plain": repr(self)}, raw=True)
        mime = "application/vnd.jupyter.widget-view+json"
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        display({mime: view, "text/plain": "(BurgerBot driver)"}, raw=True)

    def close(self) -> None:
        """Close the widget with everything in it; its buttons then do nothing."""
        if not self._closed:
            self._closed = True
            _close_parts(self)
        super().close()

    def _pressed(self, respond: Callable[..., None], *args: Any) -> Callable[[Any], None]:
        """A button's callback. An error is shown, since a widget's callback would swallow it."""

        def callback(_: Any) -> None:
            if self._closed:
                return
            try:
                respond(*args)
                self._draw()
            except Exception as error:  # whatever a learner's environment raises
                self.message.value = _error_html(error)

        return callback

    def _picture(self) -> Picture:
        """The kitchen as it is now."""
        return show_kitchen(self.episode.kitchen, trail=self.episode.trail[-TRAIL:])

    def _draw(self) -> None:
        """Write everything anew."""
        now = self.episode
        self.view.value = self._picture().svg
        self.status.value = pose_text(now.pose)
        lines = [
            f"Observation: {escape(now.observation_text())}",
            f"Step {now.steps}: {now.action or 'start'}, reward {now.reward:.4g}, "
            f"return {round(now.total, 4):.10g}",
        ]
        self.details.value = "<br>".join(lines)
        over = f"<b>Episode over, {now.ended}.</b> Press New episode to drive on."
        self.message.value = over if now.ended else ""


def _button(name: str, words: str, key: str, callback: Callable[[Any], None]) -> widgets.Button:
    """A button of class ``bb-NAME``."""
    button = widgets.Button(description=words, tooltip=key, layout={"width": "auto"})
    button.add_class(f"bb-{name}")
    button.on_click(callback)
    return button


def _html(name: str, value: str = "") -> widgets.HTML:
    """A line of HTML of class ``bb-NAME``."""
    line = widgets.HTML(value)
    line.add_class(f"bb-{name}")
    return line


def _script() -> widgets.Output:
    """The script, in an Output: the only core widget that runs one."""
    data = {"text/html": SCRIPT, "text/plain": ""}
    return widgets.Output(outputs=({"output_type": "display_data", "data": data, "metadata": {}},))


def _error_html(error: Exception) -> str:
    """An error as the person who wrote the environment needs it: what, and where."""
    frames = extract_tb(error.__traceback__)[2:][-3:]  # the first two are the driver's own
    where = "".join(f"\n  line {at.lineno}, in {at.name}: {at.line}" for at in frames)
    text = f"{type(error).__name__}: {error}{where}"
    return f'<pre class="bb-error" role="alert">{escape(text)}</pre>'


def _close_parts(box: widgets.Widget) -> None:
    """Close the widgets inside a widget."""
    for part in [*getattr(box, "children", ()), box.layout, getattr(box, "style", None)]:
        if isinstance(part, widgets.DOMWidget):
            _close_parts(part)
        if isinstance(part, widgets.Widget):
            part.close()


def _cell_id() -> str | None:
    """The notebook cell that is running, where the front end tells."""
    message = getattr(get_ipython(), "parent_header", None) or {}
    return message.get("metadata", {}).get("cellId")


def _next_id(kitchen: Kitchen) -> str:
    """A widget id that is the same on each run of a notebook: a saved notebook contains it."""
    global _made
    _made += 1
    return sha256(f"bb-driver {_made}\n{kitchen.to_ascii()}".encode()).hexdigest()[:32]
