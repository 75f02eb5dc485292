"""The autoreset timeline."""

import doctest
from itertools import pairwise

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from matplotlib.patches import Rectangle

import burgerbot.show.timeline
from burgerbot.show import autoreset_timeline, record_autoreset
from burgerbot.show.timeline import KEY

TAPE = np.random.default_rng(0).choice(4, p=[0.6, 0.15, 0.15, 0.1], size=(12, 3))


def panel(**rows):
    """Bool arrays ``[T, N]`` from strings, one a robot, ``x`` for True; the rest is False."""
    arrays = {
        name: np.array([list(row) for row in lines.split()]).T == "x"
        for name, lines in rows.items()
    }
    blank = np.zeros_like(next(iter(arrays.values())))
    return {"terminated": blank, "truncated": blank, "reset": blank} | arrays


def recorded(kind="native"):
    """One tape in the three modes."""
    panels = {}
    for mode in AutoresetMode:
        options = {"num_envs": 3, "kitchen": ">..\n..O\n.G.", "max_episode_steps": 6}
        if kind == "native":
            envs = gym.make_vec("BurgerBot-v0", autoreset_mode=mode, **options)
        else:
            vector = {"vectorization_mode": kind, "vector_kwargs": {"autoreset_mode": mode}}
            envs = gym.make_vec("BurgerBot-v0", **vector, **options)
        panels[mode.name] = record_autoreset(envs, TAPE, seed=0)
    return panels


def lines(plot, robots):
    """The lines of the robots, panel by panel, without their numbers."""
    found = [line.split("  ", 1)[1] for line in repr(plot).split("\n") if line[:1].isdigit()]
    return [found[i : i + robots] for i in range(0, len(found), robots)]


def test_text_has_a_letter_for_each_step():
    """Dots, T, X, B for the flags and r for a reset row; after an end a bar."""
    rows = panel(terminated=".x.x ....", truncated="...x .x..", reset="..x. ....")
    plot = autoreset_timeline({"any": rows}, title="Letters")
    assert lines(plot, 2) == [[". T|r B", ". X|. ."]]
    assert repr(plot).startswith("Letters\nany: 7 transitions, 1 reset row; 3 episode ends (2 ")
    assert repr(plot).endswith(KEY)


def test_text_says_where_final_observations_are():
    """A star for one that the step returned, an o for one in the infos, none for none."""
    flags = panel(terminated="x. x. x.", final="x. x. ..", in_info=".. x. ..")
    assert lines(autoreset_timeline({"a": flags}, title="t"), 3) == [["T*.", "To.", "T|."]]
    del flags["final"]
    assert lines(autoreset_timeline({"a": flags}, title="t"), 3) == [["T|.", "To.", "T|."]]
    assert autoreset_timeline({"a": flags}, title="t").figure.axes[0].lines[0].get_marker() == "D"


def test_text_says_where_you_reset():
    """``#`` after an end whose final observation was returned, ``!`` otherwise."""
    flags = panel(terminated="x.. ...", final="x.. ...", reset_before="xx. .x.")
    assert lines(autoreset_timeline({"a": flags}, title="t"), 2) == [["T#. .", ".!. ."]]


def test_recorded_modes_differ_where_they_should():
    """Reset rows in NEXT_STEP, finals in the infos in SAME_STEP, own resets in DISABLED, only."""
    next_step, same_step, disabled = (
        "".join(text) for text in lines(autoreset_timeline(recorded(), title="t"), 3)
    )
    assert "r" in next_step and "*" in next_step and not set("o#") & set(next_step)
    assert "o" in same_step and not set("r*#") & set(same_step)
    assert "#" in disabled and not set("ro") & set(disabled)


def test_sync_and_native_draw_the_same_picture():
    """The same tape over SyncVectorEnv and over the native env: the same PNG and words."""
    native, sync = (autoreset_timeline(recorded(k), title="t") for k in ("native", "sync"))
    assert native._repr_html_() == sync._repr_html_()
    assert repr(native) == repr(sync)


def test_every_row_is_drawn_as_what_it_is():
    """As many hatched cells as reset rows, diamonds as finals, bars as resets of yours."""
    panels = recorded()
    plot = autoreset_timeline(panels, title="t")
    for axes, (name, rows) in zip(plot.figure.axes, panels.items(), strict=True):
        cells = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        hatched = {
            (round(p.get_x() + 0.5), round(p.get_y() + 0.42)) for p in cells if p.get_hatch()
        }
        assert len(cells) == rows["reset"].size
        assert hatched == {tuple(place) for place in np.argwhere(rows["reset"]).tolist()}, name
        markers = [line.get_marker() for line in axes.lines]
        diamonds = [line for line in axes.lines if line.get_marker() == "D"]
        places = {(int(x.get_xdata()[0]), round(x.get_ydata()[0] - 0.27)) for x in diamonds}
        assert places == {tuple(place) for place in np.argwhere(rows["final"]).tolist()}, name
        hollow = [line for line in diamonds if line.get_markerfacecolor() == "white"]
        assert len(hollow) == rows["in_info"].sum()
        assert markers.count("None") == rows["reset_before"].sum()
        assert [text.get_text() for text in axes.texts] == ["T"] * rows["terminated"].sum()


def test_shade_changes_with_each_episode():
    """Neighbouring cells have one shade within an episode, and two across an episode's end."""
    rows = panel(terminated=".x..x.")
    axes = autoreset_timeline({"a": rows}, title="t").figure.axes[0]
    shades = [patch.get_facecolor() for patch in axes.patches]
    same = [one == other for one, other in pairwise(shades)]
    assert same == [True, False, True, True, False]


def test_legend_names_only_what_is_drawn():
    """In words; a panel without resets or finals does not explain them."""

    def legend(panels):
        plot = autoreset_timeline(panels, title="t")
        return " / ".join(text.get_text() for text in plot.figure.legends[0].get_texts())

    assert "infos" in legend(recorded())
    assert "no transition" in legend(recorded())
    plain = legend({"a": panel(terminated=".x")})
    assert "terminated" in plain
    assert not any(word in plain for word in ("truncated", "final", "reset"))


def test_panels_share_their_axes_side_by_side_or_stacked():
    """12 steps stand side by side, 40 one below the other; limits are the same in all."""
    for steps, across in ((12, 3), (40, 1)):
        rows = panel(terminated="." * steps)
        plot = autoreset_timeline(dict.fromkeys("abc", rows), title="t")
        grid = plot.figure.axes[0].get_subplotspec().get_gridspec()
        assert grid.ncols == across
        first, *others = plot.figure.axes
        assert first.get_xlim() == (-0.5, steps - 0.5)
        for shared in (first.get_shared_x_axes(), first.get_shared_y_axes()):
            assert all(shared.joined(first, other) for other in others)


def test_alt_counts_what_is_there():
    """The alt text counts rows, ends and finals; one that is given takes its place."""
    rows = panel(terminated="x..x", reset=".x..", final="x..x")
    plot = autoreset_timeline({"NEXT_STEP": rows}, title="One robot")
    assert plot.alt == (
        "One robot. Timeline of 1 robot over 4 steps. NEXT_STEP: 3 transitions, 1 reset row; "
        "2 episode ends (2 terminated, 0 truncated, 0 both), 2 final observations (0 in the infos)."
    )
    assert autoreset_timeline({"a": rows}, title="t", alt="Mine.").alt == "Mine."


def test_a_wrong_mask_is_drawn_as_it_is():
    """A learner who takes the done row for the reset row sees a hatched T."""
    rows = panel(terminated=".x.", reset=".x.")
    plot = autoreset_timeline({"mine": rows}, title="t")
    assert lines(plot, 1) == [[". r|."]]
    assert [text.get_text() for text in plot.figure.axes[0].texts] == ["T"]


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ({}, "panels: expected 1 to 4, got 0"),
        ({"a": {"terminated": [[True]]}}, r"panel 'a': expected .*; missing: \['truncated', 'rese"),
        (
            {"a": panel(terminated="x.") | {"reset": np.zeros((1, 2), bool)}},
            r"panel 'a', reset: expected bool of shape \(2, 1\), got bool of shape \(1, 2\)",
        ),
        (
            {"a": panel(terminated="x."), "b": panel(terminated="x")},
            r"panel 'b', terminated: expected bool of shape \(2, 1\), got bool of shape \(1, 1\)",
        ),
        (
            {"a": panel(terminated="x.") | {"final": np.zeros((2, 1))}},
            r"panel 'a', final: expected bool of shape \(2, 1\), got float64",
        ),
        ({"a": panel(terminated="." * 65)}, r"1 to 64 steps .*, got \(65, 1\); .*array\[:64\]"),
        (
            {"a": {k: np.zeros(3, bool) for k in ("terminated", "truncated", "reset")}},
            r"panel 'a', terminated: expected shape \(T, N\).*, got \(3,\)",
        ),
    ],
)
def test_bad_panels_name_expected_and_got(panels, message):
    """Missing arrays, other shapes and dtypes: a ValueError with expected and got."""
    with pytest.raises(ValueError, match=message):
        autoreset_timeline(panels, title="t")


def test_doctests_hold():
    """The examples in the docstrings give what they say."""
    assert doctest.testmod(burgerbot.show.timeline).failed == 0
