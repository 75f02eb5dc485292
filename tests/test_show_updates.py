"""Pictures of PPO updates: KL and clip fraction, the stop, and early stops against robots."""

import doctest

import pytest

import burgerbot.show.curves
import burgerbot.show.updates
from burgerbot.show import loss_chart, ratio_histogram, stop_chart, training_chart, update_chart

CLIPS = [0.0, 0.1, 0.2, 0.4]
SEEN = [
    {"kl": kl, "clip_fraction": clip}
    for kl, clip in zip([0.0, 0.004, 0.011, 0.032], CLIPS, strict=True)
]


def test_the_stop_is_marked():
    """A ring on the last KL, a dashed limit, a line between epochs, and words for all of it."""
    plot = update_chart(SEEN, limit=0.03, minibatches=2, title="One update")
    upper, lower = plot.figure.axes
    ring = upper.lines[-1]
    assert ring.get_xydata().tolist() == [[4.0, 0.032]]
    assert ring.get_fillstyle() == "none"
    labels = [text.get_text() for text in upper.get_legend().get_texts()]
    assert labels == ["limit 0.03", "stop: this one moves nothing"]
    assert lower.lines[0].get_ydata().tolist() == CLIPS
    assert [line.get_xdata()[0] for line in lower.lines[1:]] == [2.5]
    assert "the update stops there, in epoch 2" in plot.alt
    assert plot.text.split("\n")[1:] == [
        "epoch  largest KL  mean clip fraction",
        "    1      0.0040                0.05",
        "    2      0.0320                0.30",
    ]


@pytest.mark.parametrize("limit", [None, 0.04])
def test_without_a_stop_there_is_no_ring(limit):
    """An update that went to its end has no ring; without a limit, no dashed line either."""
    plot = update_chart(SEEN, limit=limit, minibatches=4, title="One update", alt="Words.")
    legend = plot.figure.axes[0].get_legend()
    labels = [text.get_text() for text in legend.get_texts()] if legend else []
    assert labels == ([] if limit is None else ["limit 0.04"])
    assert ("none is above the limit" in plot.text) == (limit is not None)
    assert plot.alt == "Words."


def test_axes_are_named_with_units():
    """Every axis has a label, and the KL is in nats."""
    for plot in (
        update_chart(SEEN, limit=None, minibatches=2, title="t"),
        stop_chart({"a": {1: (1, 2), 16: (0, 2)}}, title="t"),
    ):
        assert all(axes.get_ylabel() for axes in plot.figure.axes)
        assert plot.figure.axes[-1].get_xlabel()
    upper = update_chart(SEEN, limit=None, minibatches=2, title="t").figure.axes[0]
    assert upper.get_ylabel() == "KL (nats)"


def test_shares_with_their_intervals():
    """Each N has its share and Wilson's interval, and the text has the counts."""
    found = {"four": {1: (20, 40), 16: (4, 40)}, "rows": {1: (0, 40)}}
    plot = stop_chart(found, title="Early stops")
    (axes,) = plot.figure.axes
    first = axes.containers[0]
    assert first.lines[0].get_ydata().tolist() == [0.5, 0.1]
    low, high = first.lines[2][0].get_segments()[1][:, 1]
    assert (low, high) == pytest.approx((0.0396, 0.2305), abs=1e-3)  # Wilson's, 4 of 40
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1", "16"]
    assert plot.text.split("\n")[1:] == [
        "robots       four       rows",
        "     1   20 of 40    0 of 40",
        "    16    4 of 40          -",
    ]


def test_the_loss_is_drawn_from_the_function():
    """Both lines are the function's own values, and the clip's edges are marked."""
    plot = loss_chart(lambda ratio, advantage: ratio * advantage, clip=0.2, title="A loss")
    (axes,) = plot.figure.axes
    good, bad, *edges = axes.lines
    assert good.get_ydata() == pytest.approx(good.get_xdata())
    assert bad.get_ydata() == pytest.approx(-bad.get_xdata())
    assert [line.get_xdata()[0] for line in edges] == [0.8, 1.2]
    assert "a good action, advantage 1: 0.30 at ratio 0.3, 1.00 at 1, 1.90 at 1.9" in plot.alt


def test_ratios_beyond_the_top_are_drawn_there():
    """No row is lost, and the words give the true extremes and the share outside."""
    plot = ratio_histogram({"a": [0.5, 1.0, 1.1, 9.0]}, clip=0.2, title="Ratios")
    (axes,) = plot.figure.axes
    assert axes.patches[0].get_data().values.sum() == 4
    assert "a: 50% outside of 0.8 to 1.2, from 0.50 to 9.00" in plot.alt
    assert "drawn at 3" in axes.get_xlabel()


def test_the_band_is_the_interval_of_the_mean():
    """Mean of the runs, 1.96 standard errors either way, cut off at the ends of the scale."""
    runs = [
        [{"when": 8, "x": 0.0}, {"when": 16, "x": 1.0}],
        [{"when": 8, "x": 2}, {"when": 16, "x": 1}],
    ]
    plot = training_chart({"ours": runs}, "x", title="t", ylabel="share", low=0.0)
    (axes,) = plot.figure.axes
    assert axes.lines[0].get_xydata().tolist() == [[8, 1], [16, 1]]
    edges = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert (edges.min(), edges.max()) == pytest.approx((0.0, 2.96))
    assert repr(plot) == "ours: at the end 1, 1; mean 1, its 95 percent interval 1 to 1"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: update_chart([], limit=None, minibatches=1, title="t"), "1 or more, got none"),
        (lambda: update_chart(SEEN, limit=None, minibatches=0, title="t"), "1 or more, got 0"),
        (lambda: training_chart({"a": [[]]}, "x", title="t", ylabel="y"), "2 runs or more, got 1"),
        (lambda: stop_chart({}, title="t"), "1 to 6 lines, got 0"),
        (lambda: stop_chart({"a": {1: (3, 2)}}, title="t"), r"found 'a': .* got {1: \(3, 2\)}"),
        (lambda: stop_chart({"a": {}}, title="t"), "found 'a'"),
    ],
)
def test_bad_numbers_name_expected_and_got(call, message):
    """A ValueError says what was expected."""
    with pytest.raises(ValueError, match=message):
        call()


def test_doctests_hold():
    """The examples in the docstrings give what they say."""
    for module in (burgerbot.show.updates, burgerbot.show.curves):
        assert doctest.testmod(module).failed == 0
