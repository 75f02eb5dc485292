"""Still pictures of a kitchen."""

import base64
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import burgerbot.show
from burgerbot.show import show_kitchen
from burgerbot.show.poses import as_pose, as_poses
from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC, Kitchen

SMALL = Kitchen.from_ascii(">.O\n..G")


def ids(svg):
    return re.findall(r"id='([^']+)'", svg)


def shown_svg(html):
    """The drawing inside the picture's ``<img>``."""
    return base64.b64decode(re.search(r"base64,([^\"]+)", html)[1]).decode()


def test_importing_show_is_cheap():
    """`import burgerbot.show` loads neither matplotlib nor ipywidgets; show_kitchen neither."""
    code = (
        "import sys, burgerbot.show; burgerbot.show.show_kitchen; "
        "print([m for m in ('matplotlib', 'ipywidgets', 'torch') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_public_names_resolve():
    """Every name in __all__ can be had, dir() lists it, and an unknown one is an AttributeError."""
    for name in burgerbot.show.__all__:
        assert callable(getattr(burgerbot.show, name))
    assert set(burgerbot.show.__all__) <= set(dir(burgerbot.show))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        burgerbot.show.nothing  # noqa: B018


@pytest.mark.parametrize("kitchen", [SMALL, CLASSIC], ids=["small", "classic"])
def test_svg_is_valid_and_named(kitchen):
    """The drawing is well-formed XML with role img and a title that is the alt text."""
    picture = show_kitchen(kitchen)
    root = ElementTree.fromstring(picture.svg)
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    assert root.attrib["role"] == "img"
    title = root.find(f"{space}title")
    assert root.attrib["aria-labelledby"] == title.attrib["id"]
    assert title.text == picture.alt
    assert "facing east" in picture.alt


def test_svg_shows_every_obstacle_and_the_pose():
    """There is one counter an obstacle, one burger, and the robot is where it was put."""
    svg = show_kitchen(CLASSIC, (2, 4, 3)).svg
    assert svg.count("-counter' x=") == len(CLASSIC.obstacles)
    assert svg.count("-burger' x='600' y='600'") == 1
    assert "transform='translate(450 250) rotate(270)'" in svg


def test_every_reference_has_its_id():
    """Each id is defined once, and each use refers to one of them."""
    svg = show_kitchen(CLASSIC).svg
    assert len(ids(svg)) == len(set(ids(svg)))
    assert set(re.findall(r"href='#([^']+)'", svg)) <= set(ids(svg))


def test_two_pictures_do_not_share_ids():
    """Pictures that differ in anything share no id."""
    pictures = [
        show_kitchen(CLASSIC),
        show_kitchen(CLASSIC, cell=20),
        show_kitchen(CLASSIC, title="another"),
        show_kitchen(CLASSIC, trail=[1, 5]),
        show_kitchen(SMALL),
    ]
    every = [name for picture in pictures for name in ids(picture.svg)]
    assert len(every) == len(set(every))


def test_same_call_same_bytes():
    """The picture is the same on each call, whatever order the obstacles were given in."""
    turned = Kitchen(7, 7, frozenset(sorted(CLASSIC.obstacles)[::-1]), (6, 6), (0, 0, 1))
    assert show_kitchen(CLASSIC)._repr_html_() == show_kitchen(turned)._repr_html_()


def test_html_wraps_the_same_drawing_with_alt_text_and_asks_for_nothing():
    """The HTML holds the drawing, title and alt text, and no address but the XML name space."""
    picture = show_kitchen(SMALL, title='A "small" <kitchen> & more')
    html = picture._repr_html_()
    assert shown_svg(html) == picture.svg
    assert "A &quot;small&quot; &lt;kitchen&gt; &amp; more" in html
    assert re.search(r'alt="[^"]+Goal at row 1, col 2', html)
    for text in (html, picture.svg):
        assert "http" not in text.replace("xmlns='http://www.w3.org/2000/svg'", "")
    assert not hasattr(picture, "_repr_svg_")


def test_a_title_cannot_disturb_the_ids():
    """A title in any script is kept, also one that looks like the ids' placeholder."""
    picture = show_kitchen(SMALL, title="ID-robot kitchen \N{GREEK SMALL LETTER GAMMA}")
    title = ElementTree.fromstring(picture.svg)[0].text
    assert title.startswith("ID-robot kitchen \N{GREEK SMALL LETTER GAMMA}")


def test_text_rendering_is_the_map():
    """Without a trail the repr is the ASCII map, with one the visited floor is starred."""
    assert repr(show_kitchen(CLASSIC)) == CLASSIC.to_ascii()
    trail = [(0, 0, 1), (0, 1, 1), (0, 1, 2), (1, 1, 2)]
    assert repr(show_kitchen(SMALL, trail=trail)) == "**O\n.vG"


def test_pose_defaults_to_the_end_of_the_trail_then_the_start():
    """The robot stands at pose, else at the end of the trail, else at the start."""
    assert repr(show_kitchen(SMALL)) == ">.O\n..G"
    assert repr(show_kitchen(SMALL, trail=[1, 5])) == "*>O\n..G"
    assert repr(show_kitchen(SMALL, 1, trail=[1, 5])) == ">*O\n..G"


def test_trail_breaks_where_the_robot_was_put_elsewhere():
    """The trail's line joins neighbours only: a reset in the middle is no walk across the room."""
    svg = show_kitchen(SMALL, trail=[(0, 0, 1), (0, 1, 1), (1, 0, 1)]).svg
    assert "d='M50,50L150,50M50,150'" in svg


def test_states_tuples_and_observations_are_the_same_pose():
    """A state, a tuple, a v0 observation and its first three numbers are one pose."""
    observation = rules.compile_kitchen(CLASSIC).observations[42]
    pose = tuple(int(part) for part in observation[:3])
    for form in (42, pose, list(pose), observation, observation[:3]):
        assert as_pose(CLASSIC, form) == pose


@pytest.mark.parametrize("bad", [-1, 24, (2, 0, 0), (0, 3, 0), (0, 0, 4), (0, 0), "north", 1.5])
def test_bad_pose_names_expected_and_got(bad):
    """A pose that is none, or outside the kitchen, is a ValueError with expected and got."""
    with pytest.raises(ValueError, match=r"pose: expected .* got "):
        show_kitchen(SMALL, bad)


def test_bad_trail_and_cell_are_refused():
    """An empty trail, a bad pose in one (named by its position), and no pixels are refused."""
    with pytest.raises(ValueError, match="trail: expected at least one state"):
        show_kitchen(SMALL, trail=[])
    with pytest.raises(ValueError, match=r"states\[1\]: expected a state from 0 to 23, got 99"):
        as_poses(SMALL, [0, 99], "states")
    with pytest.raises(ValueError, match="states: expected a sequence of states, got 3"):
        as_poses(SMALL, 3, "states")
    with pytest.raises(ValueError, match="cell: expected a width of 1 pixel or more, got 0"):
        show_kitchen(SMALL, cell=0)


def test_largest_kitchen_stays_small():
    """A 64x64 kitchen is drawn in under 30 KB."""
    wide = Kitchen(64, 64, frozenset(), (63, 63), (0, 0, 1))
    assert len(show_kitchen(wide).svg) < 30_000
