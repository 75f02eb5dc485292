"""The moving picture in the README: robots that learn."""

from pathlib import Path

import numpy as np
import pytest

from burgerbot.learn.policy import ActorCritic
from burgerbot.show import learning
from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC

Image = pytest.importorskip("PIL.Image")
COMMITTED = Path(__file__).resolve().parents[1] / ".github" / "images" / "learning.gif"


@pytest.fixture(scope="module")
def stages():
    """Before training, and after one rollout."""
    return learning.learn_in_stages((0, 2_000))


def test_a_stage_is_what_the_robots_did(stages):
    """Each stage notes its training; whoever crashed or delivered is back at the start."""
    assert stages[0].trained == 0 and 2_000 <= stages[1].trained < 4_200
    for stage in stages:
        assert stage.observations.shape == (learning.SHOWN, learning.ROBOTS, 4)
        ended = stage.outcomes != rules.IDLE
        assert ended.any() and set(np.unique(stage.outcomes)) <= {0, rules.CRASHED, rules.DELIVERED}
        assert (stage.observations[ended][:, :3] == CLASSIC.start).all()


def test_a_delivery_is_told_from_a_crash():
    """A policy that always drives forward from the start crashes, and never delivers."""

    class Forward(ActorCritic):
        def act(self, observations, generator):
            actions, log_probs, values = super().act(observations, generator)
            return actions * 0, log_probs, values

    stage = learning.watch(Forward(4, nvec=(7, 7, 4, 3)), 0, warm_up=0)
    assert (stage.outcomes == rules.CRASHED).sum() == learning.SHOWN // 3 * learning.ROBOTS
    assert not (stage.outcomes == rules.DELIVERED).any()


def test_every_step_is_a_frame(stages, tmp_path):
    """Frames of one size, few colours, and an endless loop."""
    pictures = learning.frames(stages)
    assert len(pictures) == 2 * learning.SHOWN and len({p.size for p in pictures}) == 1
    learning.save_gif(pictures, tmp_path / "x.gif")
    with Image.open(tmp_path / "x.gif") as gif:
        assert gif.n_frames == len(pictures) and gif.info["loop"] == 0


def test_the_committed_picture_is_small_and_whole():
    """Under a megabyte, and one frame for each step of each stage."""
    assert COMMITTED.stat().st_size < 1_000_000
    with Image.open(COMMITTED) as gif:
        assert gif.n_frames == len(learning.STAGES) * learning.SHOWN
