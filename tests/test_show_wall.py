"""The wall of kitchens that play at once."""

import doctest
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import burgerbot.show.wall
from burgerbot.show import play_wall
from burgerbot.show.wall_script import SCRIPT
from burgerbot.world import rules, strata
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.vector import BurgerBotVectorEnv

LEFT, RIGHT = Kitchen.from_ascii(">.O\n..G"), Kitchen.from_ascii("G.<")


def drive(kitchens, steps=40, seed=0):
    """States ``[T + 1, N]`` of robots that drive at random, each reset by the step after an end."""
    envs = BurgerBotVectorEnv(len(kitchens), kitchens, max_episode_steps=20)
    seen, _ = envs.reset(seed=0)
    tape = np.random.default_rng(seed).choice(4, p=[0.6, 0.2, 0.15, 0.05], size=(steps, len(seen)))
    rows = [seen] + [envs.step(actions)[0] for actions in tape]
    return np.array([rules.encode(kitchens[0], *row.T[:3]) for row in rows])


def unpack(data):
    """What the script makes of the data: states ``[T + 1, N]``."""
    rows, jumps = [data["states"][0]], iter(data["jumps"])
    for letters in data["states"][1:]:
        row = []
        for letter, state, cols in zip(letters, rows[-1], data["cols"], strict=True):
            cell, heading = state >> 2, state & 3
            if letter == "J":
                cell, heading = divmod(next(jumps), 4)
            elif letter == "F":
                cell += (-cols, 1, cols, -1)[heading]
            else:
                heading = (heading + {"L": -1, "R": 1, "-": 0}[letter]) % 4
            row.append(cell * 4 + heading)
        rows.append(row)
    assert next(jumps, None) is None
    return np.array(rows)


def test_letters_and_jumps_hold_every_state():
    """The data unpack to the states that went in, resets and all."""
    kitchens = [strata.random_kitchen(name, 1) for name in strata.STRATA] * 4
    states = drive(kitchens)
    data = json.loads(play_wall(kitchens, states).data)
    assert len(data["jumps"]) > 10
    np.testing.assert_array_equal(unpack(data), states)


def test_kitchens_may_differ_in_size():
    """States are local: each column is read with its own kitchen."""
    states = [[1, 11], [5, 7], [6, 3]]
    data = json.loads(play_wall([LEFT, RIGHT], states).data)
    assert (data["cols"], data["goals"]) == ([3, 3], [5, 0])
    assert data["states"] == [[1, 11], "FF", "RF"]
    assert unpack(data).tolist() == states


def test_observations_and_one_kitchen_for_all():
    """v0 observations ``[T + 1, N, 4]`` play like states, and one kitchen serves N robots."""
    states = drive([CLASSIC] * 3)
    observed = rules.compile_kitchen(CLASSIC).observations[states]
    assert play_wall(CLASSIC, observed).data == play_wall([CLASSIC] * 3, states).data


def test_arrivals_and_jumps_are_counted():
    """A robot arrives when it comes to the goal, once however long it stands there."""
    goal, start = rules.encode(LEFT, 1, 2, 2), rules.encode(LEFT, 0, 0, 1)
    before = rules.encode(LEFT, 1, 1, 1)
    track = [before, goal - 1, goal - 1, start, before, goal - 1]
    player = play_wall(LEFT, [[state, before] for state in track])
    assert player.summary == "2 robots, 5 steps: 2 arrivals at the goal, 2 times put elsewhere"
    assert "Robot 0 ends at row 1, col 2, facing east, after 2 arrivals." in player.alt
    assert re.findall(r">&#10003; (\d+)<", player.svg) == ["2"]


def test_text_shows_the_last_maps_side_by_side():
    """A summary, then a map for each robot with its trail since it was last put elsewhere."""
    states = [[1, 11], [5, 7], [1, 3]]
    assert repr(play_wall([LEFT, RIGHT], states)).split("\n") == [
        "2 robots, 2 steps: 1 arrival at the goal, 1 time put elsewhere",
        "0      1: 1",
        ">.O    <**",
        "..G",
    ]


def test_text_of_many_robots_is_abridged():
    """The first eight maps are written, no line is over 100 characters, and the rest counted."""
    lines = repr(play_wall(CLASSIC, drive([CLASSIC] * 64))).split("\n")
    assert lines[0].startswith("64 robots, 40 steps: ")
    assert lines[-1] == "(and 56 more)"
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 1 + 2 * 8 + 1


def test_64_kitchens_stay_small():
    """64 kitchens and 100 steps: under 16 KB of data and 90 KB of HTML in all."""
    kitchens = [strata.random_kitchen(name, seed) for name in strata.STRATA for seed in range(16)]
    player = play_wall(kitchens, drive(kitchens, 100))
    assert len(player.data) < 16_384
    assert len(player._repr_html_()) < 92_160
    assert player.width <= 900


def test_drawing_has_a_child_for_each_robot():
    """Robots, trails and counts are N each; a kitchen in which several drive is drawn once."""
    player = play_wall([LEFT, RIGHT, LEFT], [[1, 11, 1], [5, 7, 2]])
    for group in ("bb-robot", "bb-trail", "bb-arrivals"):
        inside = re.search(rf"<g class='{group}'.*?>((<(\w+)[^>]*(/>|>.*?</\3>))*)</g>", player.svg)
        assert len(re.findall(r"<path|<g |<text", inside[1])) == 3, group
    assert len(re.findall(r"<g id='bb\w+-k\d+'", player.svg)) == 2
    assert player.svg.isascii()


def test_still_picture_shows_the_last_states():
    """Each robot is drawn in its own map, which lies where the data's grid says."""
    states = drive([CLASSIC] * 8)
    player = play_wall(CLASSIC, states)
    across, dx, dy = json.loads(player.data)["grid"]
    assert across == 4
    robots = re.findall(r"<g transform='translate\((\d+) (\d+)\) rotate\((\d+)\)'>", player.svg)
    maps = re.findall(r"<use href='#bb\w+-k0' x='(\d+)' y='(\d+)'/>", player.svg)
    for i, state in enumerate(states[-1]):
        row, col, heading = rules.decode(CLASSIC, int(state))
        x, y = i % across * dx, i // across * dy
        assert [int(n) for n in maps[i]] == [x, y]
        assert [int(n) for n in robots[i]] == [x + 100 * col + 50, y + 100 * row + 50, 90 * heading]


def test_html_is_a_player_card():
    """The same card as an episode's: image with alt text, caption, one script, nothing fetched."""
    player = play_wall(LEFT, [[1], [5]], title="Best <wall>")
    html = player._repr_html_()
    assert html.count("<img ") == html.count("<script>") == html.count("bb-player") == 1
    assert 'data-lm-suppress-shortcuts="true"' in html
    assert 'alt="Best &lt;wall&gt;. 1 robot, 1 step' in html
    assert "http" not in html
    assert html == play_wall(LEFT, [[1], [5]], title="Best <wall>")._repr_html_()


def test_controls_are_real_and_named():
    """The wall has the player's buttons and slider."""
    for name in ("bb-play", "bb-back", "bb-next"):
        assert f'<button type="button" class="{name}"' in SCRIPT
    assert re.search(r'<input type="range" class="bb-slider"[^>]*aria-label="Step"', SCRIPT)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_script_parses():
    """The script is valid JavaScript."""
    subprocess.run(["node", "--check", "-"], input=f"({SCRIPT})", text=True, check=True)


@pytest.mark.parametrize(
    ("kitchens", "states", "message"),
    [
        (LEFT, [1, 2], r"states: expected shape \(T \+ 1, N\), one column a robot, got \(2,\)"),
        (LEFT, np.zeros((0, 2), int), r"states: expected shape .* got \(0, 2\)"),
        ([LEFT], [[1, 1]], "states: expected 1 columns, one a kitchen, got 2"),
        (LEFT, np.zeros((2, 65), int), r"at most 64 robots, got 65; .*states\[:, :64\]"),
        ([LEFT, RIGHT], [[1, 12]], r"states\[:, 1\]\[0\]: expected a state from 0 to 11, got 12"),
        (LEFT, [[0.5]], r"states\[:, 0\]\[0\]: expected a state \(int\)"),
    ],
)
def test_bad_states_name_expected_and_got(kitchens, states, message):
    """Another shape, too many robots, a state outside its kitchen: a ValueError that says so."""
    with pytest.raises(ValueError, match=message):
        play_wall(kitchens, states)


def test_doctests_hold():
    """The examples in the docstrings give what they say."""
    assert doctest.testmod(burgerbot.show.wall).failed == 0
