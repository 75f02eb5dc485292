"""The episode player."""

import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from burgerbot.learn import oracle
from burgerbot.show import play
from burgerbot.show.player_script import SCRIPT
from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC, Kitchen

SMALL = Kitchen.from_ascii(">.O\n..G")
RULES = rules.compile_kitchen(CLASSIC)


def delivery():
    """The best delivery in the classic kitchen: states, rewards and actions."""
    model = oracle.model(RULES, rules.V0_REWARDS)
    policy = oracle.value_iteration(model, 0.9)[1].argmax(axis=1)
    states, rewards = oracle.rollout(model, policy, RULES.start, 150)
    return states, rewards, policy[states[:-1]]


def test_text_rendering_summarizes_the_episode():
    """The repr says steps and return, and shows the first and the last map with the trail."""
    states, rewards, actions = delivery()
    lines = repr(play(CLASSIC, states, rewards=rewards, actions=actions)).split("\n")
    assert re.fullmatch(r"14 steps: ([FLR] ){13}F, return 60\.8", lines[0])
    assert lines[1].split() == ["first", "last"]
    assert lines[2].startswith(">..O...  *")
    assert lines[-1].endswith(">")


def test_movements_are_read_from_the_states():
    """Without actions the letters say what was seen; with them, what was tried."""
    states = [(0, 0, 1), (0, 1, 1), (0, 1, 2), (0, 1, 1), (0, 1, 1), (0, 0, 1)]
    assert play(SMALL, states).summary == "5 steps: F R L - J"
    assert play(SMALL, states, actions=[0, 2, 1, 3, 0]).summary == "5 steps: F R L S F"
    assert play(SMALL, states, actions=[0, 2, 1, 0, 0]).summary == "5 steps: F R L X F"


def test_data_is_the_episode():
    """The script gets the states, the letters and the rewards, and nothing else."""
    states, rewards, actions = delivery()
    data = json.loads(play(CLASSIC, states, rewards=rewards, actions=actions).data)
    assert data["cols"] == 7
    assert data["states"] == states
    assert data["rewards"] == pytest.approx(rewards)
    assert data["steps"] == "".join("FLRS"[a] for a in actions)


def test_states_may_be_observations():
    """A rollout's observations, as an array, play like its states."""
    states, _, _ = delivery()
    observed = RULES.observations[states]
    assert play(CLASSIC, observed).data == play(CLASSIC, states).data
    assert play(CLASSIC, np.array(states)).data == play(CLASSIC, states).data


def test_long_episodes_are_abridged_in_words_only():
    """Beyond 24 steps the summary ends in dots; the data holds them all."""
    player = play(SMALL, [0, 1] * 50)
    assert player.summary.startswith("99 steps: R L R")
    assert player.summary.endswith("R L ...")
    assert len(json.loads(player.data)["states"]) == 100


def test_a_single_state_is_an_episode_of_no_steps():
    """One state alone is played as 0 steps, with or without its empty rewards."""
    assert play(SMALL, [1], rewards=[], actions=[]).summary == "0 steps, return 0"


def test_hundred_frames_stay_small():
    """100 frames are under 1 KB of data; all but drawing and alt text is under 4.5 KB."""
    steps = [(t % 7, (t // 7) % 7, t % 4) for t in range(100)]
    player = play(CLASSIC, steps, rewards=[-0.1] * 99)
    html = player._repr_html_()
    beside = re.sub(r'src="[^"]+"|alt="[^"]+"', "", html)
    assert len(player.data) < 1024
    assert len(beside) < 4608


def test_html_holds_picture_words_and_script():
    """One image with alt text, the summary as caption, one script; shortcuts are suppressed."""
    states, rewards, _ = delivery()
    player = play(CLASSIC, states, rewards=rewards, title="Best <delivery>")
    html = player._repr_html_()
    assert html.count("<img ") == html.count("<script>") == html.count("bb-player") == 1
    assert 'data-lm-suppress-shortcuts="true"' in html
    assert 'alt="Best &lt;delivery&gt;. 14 steps' in html
    assert "return 60.8</div>" in html
    assert "bb-trail" in player.svg
    assert "http" not in html
    assert "http" not in player.svg.replace("xmlns='http://www.w3.org/2000/svg'", "")


def test_controls_are_real_and_named():
    """Play, back and next are buttons, the slider is a range input, and all have names."""
    for name in ("bb-play", "bb-back", "bb-next"):
        assert re.search(rf'<button type="button" class="{name}"', SCRIPT)
    assert re.search(r'<input type="range" class="bb-slider"[^>]*aria-label="Step"', SCRIPT)
    assert re.search(r'<select class="bb-speed" aria-label="Speed"', SCRIPT)


def test_same_call_same_bytes():
    """The player is the same on each call."""
    assert play(SMALL, [1, 5])._repr_html_() == play(SMALL, [1, 5])._repr_html_()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_script_parses():
    """The script is valid JavaScript."""
    subprocess.run(["node", "--check", "-"], input=f"({SCRIPT})", text=True, check=True)


@pytest.mark.parametrize(
    ("states", "options", "message"),
    [
        ([], {}, "states: expected at least one state"),
        ([0, 24], {}, r"states\[1\]: expected a state from 0 to 23, got 24"),
        ([1, 5], {"rewards": [1, 2]}, r"rewards: expected one a step, shape \(1,\), got \(2,\)"),
        ([1, 5], {"rewards": [float("nan")]}, "rewards: expected finite numbers, got nan"),
        ([1, 5], {"actions": []}, r"actions: expected one a step, shape \(1,\), got \(0,\)"),
        ([1, 5], {"actions": [4]}, r"actions: expected integers from 0 to 3, got \[4\]"),
        ([1, 5], {"actions": [0.5]}, r"actions: expected integers from 0 to 3, got \[0.5\]"),
    ],
)
def test_bad_input_names_expected_and_got(states, options, message):
    """Empty, out of range or of the wrong length: a ValueError with expected and got."""
    with pytest.raises(ValueError, match=message):
        play(SMALL, states, **options)
