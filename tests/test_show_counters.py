"""The picture of the two-counter kitchen."""

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

from burgerbot.show import show_counters


def test_both_loops_are_drawn_and_told():
    """Ten arrows, nine places, both payments; the text has a line a loop."""
    plot = show_counters(title="Two counters")
    (axes,) = plot.figure.axes
    assert sum(isinstance(patch, FancyArrowPatch) for patch in axes.patches) == 10
    words = [text.get_text() for text in axes.texts]
    assert {str(place) for place in range(9)} | {"+1", "+2", "small loop", "big loop"} <= {*words}
    assert plot.text.split("\n") == [
        "Two counters",
        "small loop           0 -[+1]-> 1 -> 2 -> 3 -> 4 -> 0",
        "big loop             0 -> 5 -> 6 -> 7 -> 8 -[+2]-> 0",
    ]
    assert "pays 1 in its first step" in plot.alt


def test_the_chosen_loop_differs_without_colour():
    """Thick and solid against thin and dashed, and named in words."""
    plot = show_counters(chosen=1, title="Big")
    arrows = [p for p in plot.figure.axes[0].patches if isinstance(p, FancyArrowPatch)]
    looks = [(arrow.get_linewidth() > 3, arrow.get_linestyle() == "-") for arrow in arrows]
    assert looks == [(False, False)] * 5 + [(True, True)] * 5
    assert "big loop (chosen)" in plot.text
    assert "The big loop is the one taken." in plot.alt


def test_numbers_are_written_everywhere():
    """In the picture, in the text and in the alt text."""
    numbers = np.arange(9) / 4
    plot = show_counters(numbers, title="Shares", unit="share of the steps")
    words = [text.get_text() for text in plot.figure.axes[0].texts]
    assert {f"{number:.2f}" for number in numbers} <= {*words}
    assert "0:0.00 -> 5:1.25 -> 6:1.50 -> 7:1.75 -> 8:2.00 -[+2]-> 0" in plot.text
    assert "Numbers (share of the steps): 0: 0.00, 1: 0.25" in plot.alt
    assert show_counters(numbers, title="t").png == show_counters(numbers, title="t").png


@pytest.mark.parametrize("numbers", [np.zeros(8), np.zeros((9, 1)), np.full(9, np.nan)])
def test_other_numbers_are_refused(numbers):
    """Nine finite ones."""
    with pytest.raises(ValueError, match="numbers: expected 9 finite numbers"):
        show_counters(numbers, title="t")


def test_another_loop_is_refused():
    """0, 1 or None."""
    with pytest.raises(ValueError, match=r"chosen: expected 0 \(small loop\), 1 \(big loop\)"):
        show_counters(chosen=2, title="t")
