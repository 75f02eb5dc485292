"""The live training curve: what it shows while a cell runs, and what it leaves behind."""

import doctest
import re
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from burgerbot.course.build import KERNEL, execute_notebook
from burgerbot.show import LiveCurve, live_drawing, live_text
from burgerbot.show import live as module
from burgerbot.show.live_drawing import POINTS, card, sketch

WORDS = {"xlabel": "transitions", "ylabel": "points a step"}
SKETCH = {"title": "t", "xlabel": "x", "ylabel": "y", "alt": "a", "last": 10, "ends": (None, None)}


def curve(total=1000, **more):
    return LiveCurve("Learning", **WORDS, total=total, **more)


class Notebook:
    """A notebook's output and a clock: each drawing takes ``dear`` seconds."""

    def __init__(self):
        self.now, self.dear, self.frames, self.ids = 0.0, 0.0, [], 0
        self.kernel = "a kernel"

    def display(self, data, raw, display_id):
        assert raw and display_id
        self.ids += 1
        self.update(data, raw)
        return self

    def update(self, data, raw):
        assert raw
        self.now += self.dear
        self.frames.append(data)


@pytest.fixture
def notebook(monkeypatch):
    """Let the module believe that it runs in a notebook."""
    notebook = Notebook()
    monkeypatch.setattr(module, "get_ipython", lambda: notebook)
    monkeypatch.setattr(module, "display", notebook.display)
    monkeypatch.setattr(module, "perf_counter", lambda: notebook.now)
    return notebook


def texts(svg):
    """The words in a drawing, which has to be well formed."""
    return [node.text for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("text")]


def paths(svg):
    """The lines in a drawing that have a colour of their own, without those of the legend."""
    found = re.findall(r"<path d='([^']*)' fill='none' stroke='(#\w+)' stroke-width='2'", svg)
    return [data for data, _ in found[::2]]


# What it draws while a training runs


def test_it_draws_once_a_second(notebook):
    """A thousand points in ten seconds are ten drawings, beside the first and the last two."""
    with curve() as live:
        for step in range(1, 1001):
            notebook.now += 0.01
            live.add(step, reward=step / 10)
    assert 9 <= len(notebook.frames) - 3 <= 10
    assert notebook.ids == 1


def test_dear_drawings_come_less_often(notebook):
    """However long a drawing takes, all of them together take at most 2 percent of the time."""
    for dear in (0.01, 0.2, 3.0):
        notebook.frames, notebook.dear, begun = [], dear, notebook.now
        with curve() as live:
            for step in range(1, 1001):
                notebook.now += 1.0
                live.add(step, reward=0.0)
            drawn = len(notebook.frames) - 1
        assert drawn > 1
        assert drawn * dear <= 0.021 * (notebook.now - begun)


def test_it_says_how_far_it_is_and_how_long_it_will_take(notebook):
    """Count, share, time left, and the last numbers: in the page and in its text."""
    with curve(total=400) as live:
        notebook.now += 30.0
        live.add(100, reward=-1.25, rho=0.5)
        frame = notebook.frames[-1]
        for form in ("text/plain", "text/html"):
            assert "100 of 400 transitions (25%), about 1 min 30 s left" in frame[form]
            assert "reward -1.25, rho 0.5" in frame[form]
        assert '<progress max="1" value="0.2500"' in frame["text/html"]
        assert 'aria-label="Training"' in frame["text/html"]


def test_it_never_counts_beyond_the_total(notebook):
    """The last rollout of a training is not cut: the text still says 100 percent of the total."""
    with curve(total=400) as live:
        notebook.now += 2.0
        live.add(448, reward=1.0)
        assert "400 of 400 transitions (100%)" in notebook.frames[-1]["text/plain"]
        assert "left" not in notebook.frames[-1]["text/plain"]


def test_a_screen_reader_hears_each_quarter_and_the_end(notebook):
    """Of a hundred drawings five speak; the first only prepares the page."""
    with curve(total=100) as live:
        for step in range(1, 101):
            notebook.now += 2.0
            live.add(step, reward=0.0)
    said = [re.search(r'\)\("(.*)"\)</script>', f["text/html"]) for f in notebook.frames[:-1]]
    said = [match[1] for match in said if match]
    assert said[0] == ""
    assert [re.search(r"\((\d+)%\)", words)[1] for words in said[1:-1]] == ["25", "50", "75", "100"]
    assert said[-1] == "Learning: finished. reward 0"


def test_the_picture_says_what_it_shows(notebook):
    """The live picture's alt text has the numbers, and says that the training still runs."""
    with curve(levels={"optimum": 4.0}) as live:
        notebook.now += 2.0
        live.add(500, reward=2.0)
        (label,) = re.findall("aria-label='([^']*)'", notebook.frames[-1]["text/html"])
    assert "Learning: up to 500 of 1,000 transitions" in label
    assert "reward: first 2, lowest 2, highest 2, last 2; optimum: 4" in label
    assert label.endswith("Still running.")


def test_lines_keep_their_colours(notebook):
    """Those of the level lines too: the first picture, of no curve yet, leaves them out."""
    with curve(levels={"optimum": 4.0}) as live:
        notebook.now += 2.0
        live.add(500, reward=2.0)
        notebook.now += 2.0
        live.add(600, reward=2.0)
    looks = [
        re.findall(r"stroke='(#\w+)' stroke-width='2'", f["text/html"]) for f in notebook.frames
    ]
    assert (looks[0], len(set(looks[1])), looks[1]) == ([], 2, looks[2])


# What it leaves behind


def test_the_end_is_an_ordinary_figure(notebook):
    """The last update has one picture with alt text, no script, no time: the figure of ``plot``."""
    with curve(levels={"optimum": 4.0}) as live:
        notebook.now += 7.0
        live.add(500, reward_of_a_rollout=1.0)
        live.add(1024, reward_of_a_rollout=3.0)
    last, plot = notebook.frames[-1], live.plot()
    assert last == {"text/html": plot._repr_html_(), "text/plain": plot.text}
    assert "<script" not in last["text/html"]
    assert last["text/html"].count("<img ") == 1
    assert last["text/plain"] == (
        "Learning: up to 1,024 transitions\n"
        "reward of a rollout: first 1, lowest 1, highest 3, last 3\noptimum: 4"
    )
    assert plot.alt.endswith("optimum: 4. Lines: points a step against transitions.")


def test_a_training_that_breaks_leaves_what_there_is(notebook):
    """The exception goes on, and the figure says how far it came."""
    with pytest.raises(KeyboardInterrupt), curve() as live:
        live.add(500, reward=1.0)
        raise KeyboardInterrupt
    assert "stopped (KeyboardInterrupt)" in notebook.frames[-2]["text/html"]
    assert "up to 500 of 1,000 transitions" in notebook.frames[-1]["text/html"]


def test_a_training_that_breaks_at_once_leaves_words(notebook):
    """No point, no picture."""
    with pytest.raises(ZeroDivisionError), curve():
        _ = 1 / 0
    assert notebook.frames[-1] == {"text/plain": "Learning: no point yet"}


def test_the_figure_has_all_points_and_the_ends_that_were_asked_for():
    """Every point is drawn, level lines span the axis, and the y axis ends where it is to."""
    live = curve(total=3000, low=0, high=100, levels={"optimum": 90})
    for step in range(1, 2001):
        live.add(step, percent=step / 20)
    (axes,) = live.plot().figure.axes
    line, level = axes.lines
    assert (len(line.get_xdata()), axes.get_ylim()) == (2000, (-4, 104))
    assert (list(level.get_xdata()), list(level.get_ydata())) == ([0, 3000], [90, 90])


def test_it_works_silently_elsewhere(capsys):
    """Without a notebook nothing is shown, and the figure can still be had."""
    with curve() as live:
        live.add(1, reward=np.float32(2.5))
    assert capsys.readouterr() == ("", "")
    assert live.points == {"reward": ([1.0], [2.5])}
    assert live.plot().png == live.plot().png


def test_examples():
    """The examples in the docstrings."""
    assert [doctest.testmod(each).failed for each in (module, live_drawing, live_text)] == [0] * 3


def test_a_notebook_keeps_one_figure(tmp_path):
    """Run in a real kernel: one output for the cell, neither widget nor script, the same bytes."""
    source = (
        "import time\nfrom burgerbot.show import LiveCurve\n"
        f"with LiveCurve('Learning', **{WORDS}, total=1000) as live:\n"
        "    for step in range(0, 1001, 100):\n"
        "        time.sleep(0.15)\n        live.add(step, reward=step / 7)\n"
    )
    cell = new_code_cell(source)
    ran = execute_notebook(
        new_notebook(cells=[cell], metadata={"kernelspec": dict(KERNEL)}), folder=tmp_path
    )
    live = curve()
    for step in range(0, 1001, 100):
        live.add(step, reward=step / 7)
    (output,) = ran.cells[0].outputs
    assert output.data == {"text/html": live.plot()._repr_html_(), "text/plain": live.plot().text}
    assert not re.search("display_id|widget|script", nbformat.writes(ran).replace("bb-", ""))


# The quick drawing


def test_sketch_names_all_that_it_shows():
    """Title, axes and lines are named, in words that need escaping too."""
    words = SKETCH | {"title": "a < b & 'c'", "xlabel": "steps", "ylabel": "points"}
    found = texts(sketch({"ours": ([1, 5], [2.0, 3.0])}, {"best": 4.0}, **words))
    assert {"a < b & 'c'", "steps", "points", "ours", "best", "10", "4"} <= set(found)


def test_sketch_maps_numbers_to_places():
    """x from 0 at the left to the last at the right, y from the lower end up to the upper one."""
    words = SKETCH | {"ends": (4, 96)}  # and a margin of 4 percent
    (path,) = paths(sketch({"ours": ([0, 5, 10], [0.32, 50.0, 99.68])}, {}, **words))
    assert path == "M66.0 306.0L345.0 179.0L624.0 52.0"


def test_sketch_takes_gaps_and_single_numbers():
    """NaN and infinity break the line; a constant, one point and none draw without an error."""
    (path,) = paths(sketch({"ours": ([0, 1, 2, 3], [1, np.nan, 2, np.inf])}, {}, **SKETCH))
    assert (path.count("M"), "nan" in path, "inf" in path) == (2, False, False)
    for line in (([1], [7.0]), ([1, 2], [7.0, 7.0]), ([1], [np.nan])):
        texts(sketch({"ours": line}, {}, **SKETCH))
    texts(sketch({}, {}, **SKETCH))


def test_sketch_thins_out_long_curves():
    """A long training is drawn with few points, and its last one is among them."""
    xs = np.linspace(0, 10, 99_999).tolist()
    (path,) = paths(sketch({"ours": (xs, xs)}, {}, **SKETCH))
    assert 100 < path.count("L") <= POINTS
    assert path.endswith("L624.0 61.4")


def test_what_is_said_cannot_end_the_script():
    """Words of a learner stay words."""
    script = card("", 0.5, "", "", '</script><b>"x"')
    assert "<b>" not in script
    assert script.count("</script>") == 1
    assert "http" not in script


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: curve(total=0), "total: expected a finite number above 0, got 0"),
        (lambda: curve(total=np.nan), "total: expected a finite number above 0, got nan"),
        (lambda: curve().add(1), "series: expected 1 to 6 names, got 0"),
        (
            lambda: curve(levels={"a": 1}).add(1, **dict.fromkeys("bcdefg", 1.0)),
            "series: expected 1 to 5 names, got 6",
        ),
        (lambda: curve().add(np.nan, a=1), "x: expected a finite number from 0 on, got nan"),
        (lambda: curve().plot(), "expected 1 to 6 names, got 0"),
        (lambda: curve(levels={"rho": 1}).add(1, rho=1), "other names than those of levels"),
    ],
)
def test_bad_input_names_expected_and_got(call, message):
    """A ValueError at the first point, not after a long training."""
    with pytest.raises(ValueError, match=message):
        call()


def test_other_curves_and_steps_back_are_refused():
    """Each call adds to the same curves, and x goes on; what is refused leaves nothing behind."""
    live = curve()
    live.add(5, reward=1.0)
    with pytest.raises(ValueError, match=r"series: expected \['reward'\], got \['rho'\]"):
        live.add(6, rho=1.0)
    with pytest.raises(ValueError, match="x: expected a finite number from 5 on, got 4"):
        live.add(4, reward=1.0)
    assert live.points == {"reward": ([5.0], [1.0])}
