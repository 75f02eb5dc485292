"""Lesson 02: what its text says is so, and its solutions agree with the package."""

import inspect
import re

import gymnasium as gym
import nbformat
import numpy as np
import pytest

from burgerbot.course.manifest import load_course
from burgerbot.learn import oracle
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import V0_REWARDS, V1_REWARDS, Rewards, compile_kitchen

COURSE = load_course()
RULES = compile_kitchen(CLASSIC)
#: The last points, the steps, and whether it delivered, of each training that a cell printed.
PPO_RUN = r"seed \d.*\n +points:.* (-?\d+\.\d)\n +last policy: (\d+) steps, delivered: (\w+)"
KITCHENS = [CLASSIC, Kitchen.from_ascii("v.O..\n....O\n.O..G"), Kitchen.from_ascii("..\n.G\n.<")]


@pytest.fixture(scope="module")
def lesson():
    """The names that the lesson's imports, given cells and solutions define."""
    names = {}
    for exercise in COURSE.select("02"):
        for source in [*exercise.given, exercise.solution]:
            exec(source, names)
    return names


@pytest.fixture(scope="module")
def printed():
    """What the cells of the executed lesson printed: first line of the cell -> text."""
    path = COURSE.root / "solutions" / "02_what_is_optimal.ipynb"
    return {
        cell.source.split("\n")[0]: "".join(o.get("text", "") for o in cell.outputs)
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
    }


def best(rewards, gamma):
    """Steps, points and whether it delivers, of the best policy from the start."""
    model = oracle.model(RULES, rewards)
    policy = oracle.value_iteration(model, gamma)[1].argmax(axis=1)
    _, paid = oracle.rollout(model, policy, RULES.start, 150)
    return len(paid), round(sum(paid), 1), paid[-1] == rewards.delivered


@pytest.mark.parametrize("kitchen", KITCHENS, ids=["classic", "3x5", "3x2"])
def test_compile_table_makes_the_table_of_the_package(lesson, kitchen):
    """Entry by entry, wherever a robot can stand."""
    yours, package = lesson["compile_table"](kitchen), compile_kitchen(kitchen).table
    clear = np.array(
        [kitchen.is_clear(row, col) for row, col in np.ndindex(kitchen.rows, kitchen.cols)]
    )
    assert np.array_equal(yours[clear.repeat(16)], package[clear.repeat(16)])


@pytest.mark.parametrize("gamma", [0.0, 0.9, 0.99])
def test_value_iteration_finds_the_values_of_the_oracle(lesson, gamma):
    """To the tolerance that the lesson uses."""
    reward = np.array(V0_REWARDS)[RULES.table & 3].reshape(-1, 4)
    values, q = lesson["value_iteration"](RULES.table, reward, gamma)
    exact, exact_q = oracle.value_iteration(oracle.model(RULES, V0_REWARDS), gamma)
    assert np.allclose(values, exact, atol=2e-6)
    assert np.allclose(q, exact_q, atol=2e-6)


def test_shaping_is_that_of_burgerbot_v1(lesson):
    """On every state and action, the rewards of v1 plus F are what the package's model pays."""
    plain = oracle.model(RULES, V1_REWARDS)
    shaped = oracle.model(RULES, V1_REWARDS, shaping=1.0, gamma=0.97)
    bonus = lesson["shaping"](
        -RULES.distance[:, None],
        -RULES.distance[plain.next_state],
        plain.terminated,
        np.zeros_like(plain.terminated),
        0.97,
    )
    assert np.allclose(plain.reward + bonus, shaped.reward)
    kwargs = gym.spec("BurgerBot-v1").kwargs
    assert kwargs == {"rewards": tuple(V1_REWARDS), "shaping": 1.0}


def test_on_v0_it_delivers_up_to_gamma_098_and_circles_from_0985():
    """The two kinds of behaviour, and nothing between them."""
    for gamma in (0.9, 0.95, 0.97, 0.98):
        assert best(V0_REWARDS, gamma) == (14, 60.8, True)
    for gamma in (0.985, 0.99, 0.995):
        assert best(V0_REWARDS, gamma) == (150, 115.9, False)


def test_on_v1_it_delivers_at_every_gamma():
    """By the shortest way, 14 steps, worth 47.9."""
    for gamma in (0.5, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 0.999):
        assert best(V1_REWARDS, gamma) == (14, 47.9, True)
    assert oracle.delivery_length(RULES) == 14


def test_standing_still_is_as_good_as_random_at_minus_01_and_far_worse_at_minus_05():
    """Why idle costs five times what a move costs."""
    worth = {}
    for idle in (-0.1, -0.5):
        model = oracle.model(RULES, (idle, -0.1, -10, 50))
        for name, policy in (("stop", np.full(196, 3)), ("random", np.full((196, 4), 0.25))):
            worth[name, idle] = oracle.policy_evaluation(model, policy, 0.99)[RULES.start]
    assert worth["stop", -0.1] == pytest.approx(worth["random", -0.1], abs=0.05)
    assert worth["stop", -0.5] < worth["random", -0.5] - 30
    assert V1_REWARDS.idle == 5 * V1_REWARDS.moved


def test_the_best_policy_delivers_on_each_reward_that_ppo_is_given():
    """Standing still and crashing at once are a learner's ways, not the optimum."""
    for idle in (-0.1, -0.5):
        assert best(Rewards(idle, -0.1, -10.0, 50.0), 0.99)[0] == 14


def test_the_defaults_that_the_text_names_are_the_librarys():
    """gamma 0.99, one robot of 2,048 steps, batches of 64; and the limit of 150 steps."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env

    defaults = {n: p.default for n, p in inspect.signature(PPO.__init__).parameters.items()}
    assert (defaults["gamma"], defaults["n_steps"], defaults["batch_size"]) == (0.99, 2048, 64)
    assert inspect.signature(make_vec_env).parameters["n_envs"].default == 1
    assert gym.spec("BurgerBot-v0").max_episode_steps == 150


def test_the_executed_lesson_printed_what_the_text_relies_on(printed):
    """Delivery, circles, the crossing, the two good and the two bad bonuses, the hidden fault."""
    text = "\n".join(printed.values())
    for line in (
        r"60\.8 points, delivered: True\nfewest steps of any delivery: 14",
        r"115\.9 points, delivered: False",
        r"circling wins above gamma = 0\.98[45]",
        r"the same best actions in every state: True",
        r"^potential +47\.9 points, delivered: True",
        r"^potential - 100 +47\.9 points, delivered: True",
        r"^potential - 100, not 0 at the end +-\d+\.\d points, delivered: False",
        r"^bonus for being near +-\d+\.\d points, delivered: False",
        r"^as it is .* delivered: False",
        r"^no ends .* delivered: True",
    ):
        assert re.search(line, text, re.MULTILINE), line


def test_in_the_executed_lesson_ppo_circles_with_every_seed(printed):
    """More than the 60.8 of a delivery, at most the 115.9 of the optimum, and no delivery."""
    line = next(source for source in printed if source.startswith("runs = "))
    runs = re.findall(PPO_RUN, printed[line])
    assert len(runs) == 3
    for points, steps, arrived in runs:
        assert 100 < float(points) < 116
        assert (steps, arrived) == ("150", "False")


def test_in_the_executed_lesson_ppo_stands_still_crashes_and_delivers(printed):
    """On v1 with idle -0.1, with idle -0.5, and with idle -0.5 and shaping, in this order."""
    line = next(source for source in printed if source.startswith("for kwargs in"))
    (still, *first), (_, *second), (_, *third) = re.findall(PPO_RUN, printed[line])
    assert first == ["150", "False"]
    assert float(still) <= -70, "half a point lost in nearly every step"
    assert second == ["3", "False"]
    assert third == ["14", "True"]
