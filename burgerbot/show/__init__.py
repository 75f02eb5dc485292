"""Pictures of kitchens, episodes and values, each with a text rendering.

Each name is loaded when it is first used, so that ``import burgerbot.show`` loads neither
matplotlib nor ipywidgets.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burgerbot.show.counters import show_counters
    from burgerbot.show.curves import loss_chart, ratio_histogram, training_chart
    from burgerbot.show.driver import Driver, drive
    from burgerbot.show.evidence import family_chart, panel_chart
    from burgerbot.show.faults import fault_chart
    from burgerbot.show.frames import Picture, show_kitchen
    from burgerbot.show.live import LiveCurve
    from burgerbot.show.player import Player, play
    from burgerbot.show.plots import Plot, histogram, line_chart, with_alt
    from burgerbot.show.record import record_autoreset
    from burgerbot.show.throughput import throughput_chart
    from burgerbot.show.timeline import autoreset_timeline
    from burgerbot.show.updates import stop_chart, update_chart
    from burgerbot.show.values import value_map
    from burgerbot.show.wall import play_wall

_MODULES = {
    "Driver": "driver",
    "drive": "driver",
    "LiveCurve": "live",
    "Picture": "frames",
    "show_counters": "counters",
    "show_kitchen": "frames",
    "Player": "player",
    "play": "player",
    "Plot": "plots",
    "autoreset_timeline": "timeline",
    "family_chart": "evidence",
    "fault_chart": "faults",
    "histogram": "plots",
    "loss_chart": "curves",
    "line_chart": "plots",
    "panel_chart": "evidence",
    "play_wall": "wall",
    "ratio_histogram": "curves",
    "record_autoreset": "record",
    "stop_chart": "updates",
    "throughput_chart": "throughput",
    "training_chart": "curves",
    "update_chart": "updates",
    "with_alt": "plots",
    "value_map": "values",
}

__all__ = [
    "Driver",
    "LiveCurve",
    "Picture",
    "Player",
    "Plot",
    "autoreset_timeline",
    "drive",
    "family_chart",
    "fault_chart",
    "histogram",
    "line_chart",
    "loss_chart",
    "panel_chart",
    "play",
    "play_wall",
    "ratio_histogram",
    "record_autoreset",
    "show_counters",
    "show_kitchen",
    "stop_chart",
    "throughput_chart",
    "training_chart",
    "update_chart",
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
