"""What the text of lesson 06 claims beyond what its cells compute."""

from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from burgerbot.course.source import read_cells, strip_markers
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import compile_kitchen

SOURCE = Path(__file__).resolve().parents[1] / "solutions" / "06_one_gather.py"
KINDS = {"imports", "given", "exercise"}


@pytest.fixture(scope="module")
def lesson():
    """The names that the lesson's imports, given cells, solutions and classes define."""
    names = {"__name__": "lesson"}
    for cell in read_cells(SOURCE):
        kinds = {tag.split(":")[0] for tag in cell.metadata.get("tags", [])}
        wanted = kinds & KINDS or cell.source.startswith("class MyVectorEnv")
        if cell.cell_type == "code" and wanted:
            exec(compile(strip_markers(cell.source), cell.source[:20], "exec"), names)
    return names


def test_assembled_env_is_the_native_one(lesson):
    """MyVectorEnv gives what the native env gives in SAME_STEP, final observations included."""
    mode = AutoresetMode.SAME_STEP
    rng = np.random.default_rng(1)
    endings = np.zeros(2, dtype=int)
    for kitchen, limit in ((CLASSIC, 150), (Kitchen.from_ascii(">..\n...\nO.G"), 6)):
        native = gym.make_vec(
            "BurgerBot-v0", 50, kitchen=kitchen, max_episode_steps=limit, autoreset_mode=mode
        )
        mine = lesson["MyVectorEnv"]([kitchen], 50, limit=limit)
        assert np.array_equal(mine.reset()[0], native.reset(seed=0)[0])
        for action in rng.choice(4, size=(300, 50), p=[0.5, 0.2, 0.2, 0.1]):
            *yours, infos = mine.step(action)
            *theirs, expected = native.step(action)
            for a, b in zip(yours, theirs, strict=True):
                assert a.dtype == b.dtype and np.array_equal(a, b)
            done = yours[2] | yours[3]
            endings += yours[2].sum(), yours[3].sum()
            if done.any():
                assert np.array_equal(
                    infos["final_obs"][done], np.stack(expected["final_obs"][done])
                )
    assert (endings > 100).all(), "both kinds of ending were compared"


def test_leaky_env_gives_the_right_numbers(lesson):
    """Looked at at once, all but its infos and counts are right: that is what makes it a trap."""
    leaky, tight = (
        lesson[name](CLASSIC, 20, limit=12) for name in ("LeakyVectorEnv", "TightVectorEnv")
    )
    everybody = {"reset_mask": np.ones(20, dtype=bool)}
    assert np.array_equal(leaky.reset(dict(everybody))[0], tight.reset(everybody)[0])
    rng = np.random.default_rng(2)
    for _ in range(200):
        action, slides = rng.integers(4, size=20), rng.random(20) < 0.2
        for a, b in zip(
            leaky.step(action.copy(), slides)[:4], tight.step(action, slides)[:4], strict=True
        ):
            assert np.array_equal(a, b)
    assert leaky.visits.sum() < tight.visits.sum() == 20 * 200


def test_random_robots_stay_near_the_start(lesson):
    """Most steps of random robots in the classic kitchen end in the nine cells around the start."""
    tight = lesson["TightVectorEnv"](CLASSIC, 500)
    tight.reset({"reset_mask": np.ones(500, dtype=bool)})
    for action in np.random.default_rng(3).integers(4, size=(30, 500)):
        tight.step(action, np.zeros(500, dtype=bool))
    cells = tight.visits.reshape(7, 7, 4).sum(axis=2)
    assert cells[:3, :3].sum() > 0.9 * cells.sum() == 0.9 * 500 * 30


def test_a_large_kitchen_fits_the_table():
    """A kitchen of 64 by 64 cells has 16,384 states, and its table takes 256 KiB."""
    rows = [">" + "." * 63, *["." * 64] * 62, "." * 63 + "G"]
    table = compile_kitchen(Kitchen.from_ascii("\n".join(rows))).table
    assert len(table) == 4 * 16_384 and table.nbytes == 256 * 1024
