"""Pictures of evidence: what they say in words, and what they refuse."""

import doctest

import numpy as np
import pytest

from burgerbot.learn.panel import held_out
from burgerbot.show import evidence, family_chart, panel_chart

RNG = np.random.default_rng(0)


def panel(seeds, action=0):
    """A panel of a robot that drives on, or does something else."""
    families = {"open": seeds, "greasy": [seed + 100 for seed in seeds]}
    return held_out(lambda o: np.full(len(o), action), families, robots=2)


def test_the_family_chart_groups_robots_and_counts():
    """Families in the order in which they come, whatever the order of the robots."""
    outcomes = [["delivered", "timeout"], ["crashed", "crashed"], ["delivered", "delivered"]]
    plot = family_chart(outcomes, ["b", "long name", "b"], title="Who")
    assert plot.text.splitlines() == [
        "Who",
        "b          D T  3 of 4 delivered",
        "           D D",
        "long name  X X  0 of 2 delivered",
        "D delivered, X crashed, T timeout; one robot a line, one episode a letter",
    ]
    assert plot.alt == "Who. b: 3 of 4 delivered. long name: 0 of 2 delivered."
    axes = plot.figure.axes[0]
    assert plot.figure.get_suptitle() == "Who" and axes.get_xlabel() and axes.get_ylabel()
    assert len(axes.patches) == 6 and len(axes.lines) == 6
    assert plot.png == family_chart(outcomes, ["b", "long name", "b"], title="Who").png
    assert family_chart(outcomes, [1, 2, 1], title="x", alt="Mine.").alt == "Mine."


@pytest.mark.parametrize(
    ("outcomes", "families", "says"),
    [
        (["delivered"], ["a"], r"shape \(1,\)"),
        (np.full((65, 2), "crashed"), ["a"] * 65, r"from 1 to 64, got shape \(65, 2\)"),
        ([["lost"]], ["a"], r"got \['lost'\] and 1 families"),
        ([["crashed"]], ["a", "b"], "1 families, got .* 2 families"),
    ],
)
def test_the_family_chart_refuses(outcomes, families, says):
    """Expected and got."""
    with pytest.raises(ValueError, match=says):
        family_chart(outcomes, families, title="x")


def test_the_panel_chart_tells_every_number():
    """One line for each run and stratum; a mark for training, held out and optimum."""
    own, other = panel([1, 2, 3]), panel([4, 5, 6])
    plot = panel_chart({"few": (own, other), "many": (other, own)}, title="Success")
    lines = plot.text.splitlines()
    assert lines[0] == "Success" and len(lines) == 5
    for run, name, line in zip(
        ["few", "few", "many", "many"], ["open", "greasy"] * 2, lines[1:], strict=True
    ):
        training, held = (own, other) if run == "few" else (other, own)
        assert line.split()[:2] == [run, name]
        assert f"training {training.success[name]:.2f}, held out {held.success[name]:.2f}" in line
        assert f"optimum {held.optima[name].success:.2f}" in line and line[:-1].count("[") == 1
    axes = plot.figure.axes[0]
    assert len(axes.lines) == 4 * 4
    assert axes.get_xlabel() == "stratum" and "delivered" in axes.get_ylabel()
    assert plot.png == panel_chart({"few": (own, other), "many": (other, own)}, title="Success").png


def test_the_panel_chart_refuses():
    """No run, too many, or other strata."""
    one = panel([1, 2])
    with pytest.raises(ValueError, match="1 to 6 runs"):
        panel_chart({}, title="x")
    with pytest.raises(ValueError, match="1 to 6 runs"):
        panel_chart({str(i): (one, one) for i in range(7)}, title="x")
    less = held_out(lambda o: np.zeros(len(o), int), {"open": [1, 2]})
    with pytest.raises(ValueError, match="same strata"):
        panel_chart({"a": (one, less)}, title="x")


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(evidence).failed == 0
