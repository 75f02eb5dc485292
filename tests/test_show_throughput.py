"""The throughput chart."""

import doctest

import numpy as np
import pytest

import burgerbot.show.throughput
from burgerbot.show import throughput_chart
from burgerbot.show.throughput import crossovers

N = [1, 4, 16, 64]
SYNC, ASYNC = (N, [100, 100, 100, 100]), (N, [50, 100 / 2**0.5, 200, 800])


def curve(x, y):
    """Two float arrays."""
    return np.array(x, dtype=float), np.array(y, dtype=float)


def notes(plot):
    """The annotations: the names of the lines and the crossovers."""
    return [text.get_text() for text in plot.figure.axes[0].texts]


def test_power_laws_cross_where_algebra_says():
    """``3 x`` and ``48 sqrt(x)`` are straight on log axes and cross at 256, where both are 768."""
    x = np.array([1, 10, 100, 1000.0])
    ((at, rate),) = crossovers((x, 3 * x), (x[[0, 3]], 48 * x[[0, 3]] ** 0.5))
    assert at == pytest.approx(256)
    assert rate == pytest.approx(768)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (curve([1, 4], [1, 4]), curve([1, 4], [2, 2]), [2]),
        (curve([1, 2, 4], [1, 2, 4]), curve([1, 2, 4], [2, 2, 2]), [2]),
        (curve([1, 2, 4], [1, 2, 1]), curve([1, 2, 4], [2, 2, 2]), []),
        (curve([1, 4], [1, 2]), curve([1, 4], [2, 3]), []),
        (curve([1, 2, 4], [1, 4, 1]), curve([1, 4], [2, 2]), [2**0.5, 2 * 2**0.5]),
        (curve([1, 4], [1, 4]), curve([8, 16], [1, 1]), []),
        (curve([2, 8], [2, 8]), curve([1, 4], [3, 3]), [3]),
        (curve([4, 16], [4, 16]), curve([1, 4, 16], [5, 3, 3]), []),
        (curve([1, 2], [5, 5]), curve([1, 2], [5, 5]), []),
    ],
    ids=[
        "between",
        "at a point",
        "touch",
        "none",
        "two",
        "no overlap",
        "part overlap",
        "crossing outside",
        "equal",
    ],
)
def test_crossovers_are_where_the_leader_changes(one, other, expected):
    """Between points, at a point, twice, or not at all; two that only touch do not cross."""
    assert [at for at, _ in crossovers(one, other)] == pytest.approx(expected)
    assert [at for at, _ in crossovers(other, one)] == pytest.approx(expected)


def test_first_two_systems_are_marked_and_named():
    """A ring lies on the crossing, and the chart, the table and the alt text say its x value."""
    plot = throughput_chart({"Sync": SYNC, "Async": ASYNC, "third": (N, [10] * 4)}, title="t")
    ring = plot.figure.axes[0].lines[-1]
    assert ring.get_xydata()[0] == pytest.approx([6.35, 100], rel=0.001)
    assert "crossover at N = 6.35" in notes(plot)
    for words in (plot.alt, plot.text):
        assert "Sync and Async cross at N = 6.35" in words


def test_no_crossover_is_said_and_can_be_left_out():
    """Systems that do not cross are said not to; without crossover nothing is said or marked."""
    rows = {"fast": (N, [9, 9, 9, 9]), "slow": (N, [1, 1, 1, 1])}
    assert "fast and slow do not cross in this range" in repr(throughput_chart(rows, title="t"))
    plot = throughput_chart({"Sync": SYNC, "Async": ASYNC}, title="t", crossover=False)
    assert "cross" not in plot.text + plot.alt + " ".join(notes(plot))
    assert len(plot.figure.axes[0].lines) == 2


def test_text_is_a_table():
    """A line for each x value, a dash where a system was not measured."""
    rows = {"ours": ([1, 1024], [15_000, 14_800_000.4]), "theirs": ([1024], [3.25])}
    plot = throughput_chart(rows, title="Steps", crossover=False)
    assert repr(plot).split("\n") == [
        "Steps",
        "robots, N        ours  theirs",
        "        1      15,000       -",
        "    1,024  14,800,000    3.25",
    ]


def test_axes_are_log_named_and_plainly_numbered():
    """Both axes are logarithmic and say their units; numbers are written out."""
    for x, unit in (("num_envs", "robots, N"), ("step_cost_us", "microseconds")):
        plot = throughput_chart({"a": ([1, 1000], [1e3, 2e6])}, x=x, title="t")
        axes = plot.figure.axes[0]
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        assert unit in axes.get_xlabel()
        assert axes.get_ylabel() == "steps per second, all robots together"
        assert [axes.xaxis.get_major_formatter()(value) for value in (1, 1000)] == ["1", "1,000"]
        assert axes.yaxis.get_major_formatter()(2e6) == "2 million"
        assert x == "num_envs" or " microseconds a step" not in plot.text


def test_lines_are_named_where_they_end_and_not_on_each_other():
    """Six lines that end close together have six names, in the order of the ends, apart."""
    rows = {f"system {i}": (N, [1, 10, 1000, 10 + i / 10]) for i in (3, 0, 5, 1, 4, 2)}
    plot = throughput_chart(rows, title="t", crossover=False)
    axes = plot.figure.axes[0]
    assert axes.get_legend() is None
    heights = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert sorted(heights, key=heights.get) == sorted(rows)
    assert min(np.diff(sorted(heights.values()))) == pytest.approx(0.08)
    assert min(heights.values()) >= 0
    looks = [(line.get_color(), line.get_marker()) for line in axes.lines]
    for kind in zip(*looks, strict=True):
        assert len(set(kind)) == 6


def test_alt_says_who_is_fastest_at_both_ends():
    """The alt text names the winners; one that is given takes its place."""
    plot = throughput_chart({"Sync": SYNC, "Async": ASYNC}, title="Steps")
    assert (
        "Most steps per second, by robots, N: Sync with 100 at 1, Async with 800 at 64." in plot.alt
    )
    assert throughput_chart({"Sync": SYNC}, title="t", alt="Mine.").alt == "Mine."


def test_same_call_same_bytes():
    """The PNG is the same on each run."""
    one, other = (throughput_chart({"Sync": SYNC, "Async": ASYNC}, title="t") for _ in range(2))
    assert one._repr_html_() == other._repr_html_()


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ({"a": ([1], [1])}, {"x": "robots"}, "x: expected one of num_envs, step_cost_us; got 'rob"),
        ({}, {}, "rows: expected 1 to 6 systems, got 0"),
        ({str(i): ([1], [1]) for i in range(7)}, {}, "rows: expected 1 to 6 systems, got 7"),
        ({"a": ([1, 2], [1])}, {}, r"rows 'a': .* one length, got shapes \(2,\) and \(1,\)"),
        ({"a": ([0, 2], [1, 1])}, {}, "rows 'a': expected x values above 0, got 0"),
        ({"a": ([1], [np.nan])}, {}, "rows 'a': expected steps per second above 0, got nan"),
        ({"a": ([2, 1], [1, 1])}, {}, r"rows 'a': expected increasing x values, got \[2.0, 1.0\]"),
    ],
)
def test_bad_rows_name_expected_and_got(rows, options, message):
    """Wrong lengths, zeros, NaN, or x values out of order: a ValueError with expected and got."""
    with pytest.raises(ValueError, match=message):
        throughput_chart(rows, title="t", **options)


def test_doctests_hold():
    """The examples in the docstrings give what they say."""
    assert doctest.testmod(burgerbot.show.throughput).failed == 0
