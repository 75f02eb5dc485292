"""Plots with alt text, and the value map."""

import base64
import re
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

from burgerbot.learn import oracle
from burgerbot.show import histogram, line_chart, value_map, with_alt
from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC, Kitchen

SMALL = Kitchen.from_ascii(">.O\n..G")
WORDS = {"title": "Learning", "xlabel": "steps", "ylabel": "return (points)", "alt": "It rises."}


def test_with_alt_shows_png_and_prints_words():
    """The HTML is one PNG with the alt text, and the repr is the alt text."""
    plot = with_alt(Figure(figsize=(1, 1)), 'Nothing < "much"')
    html = plot._repr_html_()
    assert repr(plot) == 'Nothing < "much"'
    assert 'alt="Nothing &lt; &quot;much&quot;"' in html
    code = re.search(r"data:image/png;base64,([^\"]+)", html)[1]
    assert base64.b64decode(code).startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="alt: expected a sentence"):
        with_alt(Figure(), " ")


def test_plots_leave_matplotlib_alone():
    """Drawing opens no pyplot figure, loads no pyplot, and changes no setting."""
    code = """
import sys
import matplotlib
settings = [key for key in matplotlib.rcParams if key != "backend"]  # to ask for it sets it
before = [matplotlib.rcParams[key] for key in settings]
from burgerbot.show import line_chart
line_chart({"a": ([0, 1], [0, 1])}, title="t", xlabel="x", ylabel="y", alt="a")._repr_html_()
assert [matplotlib.rcParams[key] for key in settings] == before
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_lines_differ_without_colour():
    """Each line has its own colour, dash and marker, a legend names them, and bands are shaded."""
    x = np.arange(1, 30)
    series = {"ours": (x, x), "theirs": (x, 2 * x), "best": (x, 3 * x)}
    plot = line_chart(series, **WORDS, logx=True, logy=True, band={"ours": (x - 0.5, x + 0.5)})
    (axes,) = plot.figure.axes
    looks = [(line.get_color(), line.get_linestyle(), line.get_marker()) for line in axes.lines]
    for kind in zip(*looks, strict=True):
        assert len(set(kind)) == 3
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(series)
    assert len(axes.collections) == 1
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == (
        "Learning",
        "steps",
        "return (points)",
    )


def test_histogram_counts_and_shares_bins():
    """Groups are counted in the same bins, and every value is counted."""
    plot = histogram({"a": [0, 0, 1], "b": [3, 3, 3, 4]}, **WORDS, bins=[0, 1, 2, 3, 4])
    first, second = plot.figure.axes[0].patches
    assert first.get_data().values.tolist() == [2, 1, 0, 0]
    assert second.get_data().values.tolist() == [0, 0, 0, 4]
    assert first.get_hatch() != second.get_hatch()
    assert histogram([1, 2, 3], **WORDS).figure.axes[0].get_legend() is None


def test_same_plot_same_bytes():
    """The PNG is the same on each run."""
    first, second = (value_map(SMALL, np.arange(24.0), title="t") for _ in range(2))
    assert first._repr_html_() == second._repr_html_()


def test_value_map_prints_the_best_heading_of_each_cell():
    """The text is a table of the greatest of each cell's four values."""
    values = np.arange(24.0)
    text = repr(value_map(SMALL, values, title="Values"))
    assert text.split("\n") == ["Values", " 3.0  7.0 ####", "15.0 19.0 GOAL"]


def test_value_map_of_the_exact_optimum():
    """The alt text names the extremes; the goal's and the obstacles' values are left out."""
    model = oracle.model(rules.compile_kitchen(CLASSIC), rules.V0_REWARDS)
    values, action_values = oracle.value_iteration(model, 0.97)
    goal, obstacle = rules.encode(CLASSIC, 6, 6, 0), rules.encode(CLASSIC, 0, 3, 0)
    values[goal], values[obstacle] = 1e6, -1e6
    plot = value_map(CLASSIC, values, action_values.argmax(axis=1), title="Best")
    assert "from 42.7 at row 0, col 0 to 50.0 at row 5, col 6" in plot.alt
    assert "discounted return" in plot.alt
    letters = [text.get_text() for text in plot.figure.axes[0].texts]
    assert len([x for x in letters if x in "FLRS"]) == 4 * (49 - 7 - 1)
    assert "GOAL" in letters


def test_value_map_writes_the_policy_at_its_heading():
    """The upper letter of a cell is the action when facing north, the right one facing east."""
    policy = np.zeros(24, dtype=int)
    policy[:4] = [1, 2, 3, 0]
    axes = value_map(SMALL, np.zeros(24), policy, title="t").figure.axes[0]
    at = {text.get_position(): text.get_text() for text in axes.texts}
    assert (at[0, -0.38], at[0.38, 0], at[0, 0.38], at[-0.38, 0]) == ("L", "R", "S", "F")


def test_triangles_point_to_their_heading():
    """A heading's triangle lies on its side of the cell."""
    axes = value_map(SMALL, np.zeros(24), np.zeros(24, dtype=int), title="t").figure.axes[0]
    triangles = [p for p in axes.patches if type(p).__name__ == "Polygon"][:4]
    centres = [p.get_xy()[:3].mean(axis=0) for p in triangles]
    north, east, south, west = centres
    assert north[1] < 0 < south[1]
    assert west[0] < 0 < east[0]
    assert north[0] == south[0] == east[1] == west[1] == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: line_chart({}, **WORDS), "series: expected 1 to 6 names, got 0"),
        (lambda: line_chart({"a": ([1], [1, 2])}, **WORDS), "series 'a': expected two sequences"),
        (
            lambda: line_chart({"a": ([1], [1])}, **WORDS, band={"b": ([1], [1])}),
            r"band: expected names of lines \['a'\], got \['b'\]",
        ),
        (lambda: histogram([], **WORDS), "expected one or more finite numbers"),
        (lambda: histogram([np.inf], **WORDS), "expected one or more finite numbers, got"),
        (lambda: value_map(SMALL, np.zeros(6), title="t"), r"expected shape \(24,\).* got \(6,\)"),
        (
            lambda: value_map(SMALL, np.full(24, np.nan), title="t"),
            "values: expected finite numbers, got nan at state 0",
        ),
        (
            lambda: value_map(SMALL, np.zeros(24), np.full(24, 4), title="t"),
            "policy: expected integers from 0 to 3, got",
        ),
        (
            lambda: value_map(SMALL, np.zeros(24), np.zeros(24), title="t"),
            "policy: expected integers from 0 to 3, got float64",
        ),
    ],
)
def test_bad_input_names_expected_and_got(call, message):
    """Wrong shapes, names and numbers: a ValueError with expected and got."""
    with pytest.raises(ValueError, match=message):
        call()
