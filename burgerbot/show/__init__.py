"""Pictures of kitchens, episodes and values, each with a text rendering.

Each name is loaded when it is first used, so that ``import burgerbot.show`` loads neither
matplotlib nor ipywidgets.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burgerbot.show.driver import Driver, drive
    from burgerbot.show.frames import Picture, show_kitchen
    from burgerbot.show.player import Player, play
    from burgerbot.show.plots import Plot, histogram, line_chart, with_alt
    from burgerbot.show.record import record_autoreset
    from burgerbot.show.throughput import throughput_chart
    from burgerbot.show.timeline import autoreset_timeline
    from burgerbot.show.values import value_map
    from burgerbot.show.wall import play_wall

_MODULES = {
    "Driver": "driver",
    "drive": "driver",
    "Picture": "frames",
    "show_kitchen": "frames",
    "Player": "player",
    "play": "player",
    "Plot": "plots",
    "autoreset_timeline": "timeline",
    "histogram": "plots",
    "line_chart": "plots",
    "play_wall": "wall",
    "record_autoreset": "record",
    "throughput_chart": "throughput",
    "with_alt": "plots",
    "value_map": "values",
}

__all__ = [
    "Driver",
    "Picture",
    "Player",
    "Plot",
    "autoreset_timeline",
    "drive",
    "histogram",
    "line_chart",
    "play",
    "play_wall",
    "record_autoreset",
    "show_kitchen",
    "throughput_chart",
    "value_map",
    "with_alt",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module, once."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted(set(globals()) | set(__all__))
