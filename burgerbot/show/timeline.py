"""The autoreset timeline: what each row of a rollout is, robots by time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from burgerbot.show.plots import Plot, with_alt
from burgerbot.show.timeline_drawing import draw_panels

#: The arrays of a panel; those of the second tuple may be left out.
REQUIRED, OPTIONAL = ("terminated", "truncated", "reset"), ("final", "in_info", "reset_before")
MOST_STEPS, MOST_ROBOTS, MOST_PANELS = 64, 16, 4
KEY = """\
One robot a line, one step a letter: . transition, T terminated, X truncated, B both,
r reset row (no transition). After it: * final observation returned, o final observation in the
infos, ! your own reset, # final observation returned and then your own reset, | next episode."""

Panel = dict[str, np.ndarray]


def autoreset_timeline(
    panels: Mapping[str, Mapping[str, Any]], *, title: str, alt: str | None = None
) -> Plot:
    """Draw what each row of a rollout is: robots by time, one panel an autoreset mode.

    A cell is one robot in one step. Its shade changes from episode to episode; a hatched cell is a
    reset row, which is no transition. The panels share their axes. They stand side by side, or,
    where the rollout is too long for that, one below the other.

    Args:
        panels: Name -> bool arrays ``[T, N]`` (T up to 64 steps, N up to 16 robots, at most 4
            panels), as ``record_autoreset`` returns them:

            - ``terminated``, ``truncated``: the flags of each step;
            - ``reset``: the rows that are resets and no transitions;
            - ``final`` (may be left out): an episode's final observation was handed out there;
            - ``in_info`` (may be left out): it came in ``infos["final_obs"]``;
            - ``reset_before`` (may be left out): you reset the robot just before this step.

            Other keys are not looked at.
        title: The line above the panels.
        alt: What the figure shows, in words; left out, it counts what is in each panel.

    Returns:
        Plot: ``print`` writes one line a robot.

    Raises:
        ValueError: No panel or too many, an array that is missing, not bool, or of another shape.

    >>> done = np.array([[False], [True], [False], [False]])
    >>> rows = {"terminated": done, "truncated": done & False, "reset": np.roll(done, 1)}
    >>> print(autoreset_timeline({"NEXT_STEP": rows}, title="One robot").text.split("\\n")[2])
    0  . T|r .
    """
    checked = _checked(panels)
    counts = {name: _count(panel) for name, panel in checked.items()}
    figure = draw_panels(
        checked, counts, {n: _begins(p).cumsum(axis=0) for n, p in checked.items()}
    )
    figure.suptitle(title)
    steps, robots = next(iter(checked.values()))["reset"].shape
    words = f"{title}. Timeline of {_many(robots, 'robot')} over {_many(steps, 'step')}."
    lines: list[str] = []
    for name, panel in checked.items():
        said = f"{name}: {counts[name]}; {_ends(panel)}."
        words += f" {said}"
        lines += [said, *_text(panel)]
    return with_alt(figure, words if alt is None else alt, text="\n".join([title, *lines, KEY]))


def _checked(panels: Mapping[str, Mapping[str, Any]]) -> dict[str, Panel]:
    """Every panel with all six arrays, bool and of one shape."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"panels: expected 1 to {MOST_PANELS}, got {len(panels)}")
    shape: tuple[int, ...] = ()
    checked: dict[str, Panel] = {}
    for name, panel in panels.items():
        missing = [key for key in REQUIRED if key not in panel]
        if missing:
            raise ValueError(f"panel {name!r}: expected {', '.join(REQUIRED)}; missing: {missing}")
        checked[name] = {}
        for key in (*REQUIRED, *OPTIONAL):
            array = np.asarray(panel[key]) if key in panel else np.zeros(shape, dtype=bool)
            shape = shape or _legible(f"panel {name!r}, {key}", array.shape)
            if array.shape != shape or array.dtype != np.bool_:
                raise ValueError(
                    f"panel {name!r}, {key}: expected bool of shape {shape}, "
                    f"got {array.dtype} of shape {array.shape}"
                )
            checked[name][key] = array
        checked[name]["final"] = checked[name]["final"] | checked[name]["in_info"]
    return checked


def _legible(what: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape ``[T, N]`` that is not too large to be read."""
    if len(shape) != 2 or not (1 <= shape[0] <= MOST_STEPS and 1 <= shape[1] <= MOST_ROBOTS):
        raise ValueError(
            f"{what}: expected shape (T, N) with 1 to {MOST_STEPS} steps and 1 to {MOST_ROBOTS} "
            f"robots, got {shape}; a longer rollout can be cut: array[:{MOST_STEPS}]"
        )
    return shape


def _begins(panel: Panel) -> np.ndarray:
    """Where a row is the first one after an episode's end, or after a reset of yours."""
    begins = panel["reset_before"].copy()
    begins[1:] |= (panel["terminated"] | panel["truncated"])[:-1]
    return begins


def _count(panel: Panel) -> str:
    """How many rows are what."""
    resets, own = int(panel["reset"].sum()), int(panel["reset_before"].sum())
    rows = f"{_many(panel['reset'].size - resets, 'transition')}, {_many(resets, 'reset row')}"
    return f"{rows}, {_many(own, 'reset')} by you" if own else rows


def _ends(panel: Panel) -> str:
    """How the episodes ended, and where their final observations are."""
    terminated, truncated, final, in_info = (
        panel[key] for key in ("terminated", "truncated", "final", "in_info")
    )
    return (
        f"{_many((terminated | truncated).sum(), 'episode end')} ({terminated.sum()} terminated, "
        f"{truncated.sum()} truncated, {(terminated & truncated).sum()} both), "
        f"{_many(final.sum(), 'final observation')} ({in_info.sum()} in the infos)"
    )


def _many(count: int, what: str) -> str:
    """Count in words."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _text(panel: Panel) -> list[str]:
    """One line a robot: a letter for each step, and after it what happened before the next."""
    letters = np.array(list(".TXB"))[panel["terminated"] * 1 + panel["truncated"] * 2]
    letters[panel["reset"]] = "r"
    begins, own = (np.roll(rows, -1, axis=0) for rows in (_begins(panel), panel["reset_before"]))
    begins[-1] = own[-1] = False
    final, in_info = panel["final"], panel["in_info"]
    signs = np.select(
        [final & own, own, in_info, final, begins], ["#", "!", "o", "*", "|"], default=" "
    )
    return [
        f"{i}  " + "".join(np.char.add(letters[:, i], signs[:, i])).rstrip()
        for i in range(letters.shape[1])
    ]
