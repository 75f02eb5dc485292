"""Lesson 11: what its text says is so, and its solutions agree with the package."""

import re

import gymnasium as gym
import nbformat
import numpy as np
import pytest

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.manifest import load_course
from burgerbot.learn import average_reward, oracle, ppo
from burgerbot.learn.rollout import collect
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import CRASHED, FORWARD, V0_REWARDS, compile_kitchen
from burgerbot.world.two_counters import BIG, HATCH, LOOPS, NEXT_PLACE, REWARD, SMALL
from burgerbot.world.vector import BurgerBotVectorEnv

COURSE = load_course()
START = compile_kitchen(CLASSIC).start
EPISODE = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
SHIFT = oracle.model(compile_kitchen(CLASSIC, endless=True), V0_REWARDS)
COUNTERS = oracle.Model(NEXT_PLACE, REWARD, np.zeros((9, 2), dtype=bool))


@pytest.fixture(scope="module")
def lesson():
    """The names that the lesson's imports, given cells and solutions define."""
    names = {}
    for exercise in COURSE.select("11"):
        for source in [*exercise.given, exercise.solution]:
            exec(source, names)
    return names


@pytest.fixture(scope="module")
def printed():
    """All that the cells of the executed lesson printed."""
    path = COURSE.root / "solutions" / "11_average_reward.ipynb"
    outputs = [o for c in nbformat.read(path, as_version=4).cells for o in c.get("outputs", [])]
    return "\n".join(o.text for o in outputs if o.get("name") == "stdout")


def earns(world, gamma):
    """The exact average reward, on the shift, of the best discounted plan for a world."""
    plan = oracle.value_iteration(world, gamma)[1].argmax(axis=1)
    return oracle.gain_and_bias(SHIFT, plan, start=START)[0]


# The solutions


@pytest.mark.parametrize("seed", range(3))
def test_average_reward_is_the_oracles(lesson, seed):
    """Random chains, and the best policy of the endless shift."""
    rng = np.random.default_rng(seed)
    process = oracle.Endless(rng.dirichlet(np.ones(6), size=(6, 1)), rng.normal(size=(6, 1)))
    policy = np.zeros(6, dtype=int)
    share, rho = lesson["average_reward"](process.transition[:, 0], process.reward[:, 0])
    assert share == pytest.approx(oracle.stationary_distribution(process, policy))
    assert rho == pytest.approx(oracle.gain_and_bias(process, policy)[0])


@pytest.mark.parametrize("lam", [0.0, 0.9])
def test_the_advantages_are_the_packages(lesson, lam):
    """With the start's value in the place of the next one where an episode ends."""
    rng = np.random.default_rng(0)
    r, v, led = (rng.normal(size=(9, 3)) for _ in range(3))
    ends, begins = rng.random((9, 3)) < 0.3, rng.normal(size=3)
    yours = lesson["differential_advantages"](r, v, led, ends, begins, 0.3, lam, 2.0)
    package = average_reward.differential_advantages(
        r, v, np.where(ends, begins, led), ends, ends & False, rho=0.3, lam=lam, reset_cost=2.0
    )
    for a, b in zip(yours, package, strict=True):
        assert a == pytest.approx(b)


def test_relative_value_iteration_is_the_oracles(lesson):
    """On the endless shift: gain, and bias relative to state 0."""
    gain, h = lesson["relative_value_iteration"](SHIFT.next_state, SHIFT.reward)
    expected, bias, _ = oracle.relative_value_iteration(SHIFT)
    assert gain == pytest.approx(expected)
    assert h == pytest.approx(bias, abs=1e-6)


# What the text says


def test_a_delivery_is_worth_several_times_a_lap():
    """0.768 and 4.343 a step, more than five to one."""
    assert earns(EPISODE, 0.99) == pytest.approx(0.768421, abs=1e-6)
    assert earns(EPISODE, 0.95) == pytest.approx(60.8 / 14)


def test_planned_for_the_shift_every_discount_delivers():
    """The end of the episode made it circle, not the discount alone."""
    for gamma in (0.9, 0.95, 0.98, 0.99, 0.999):
        assert earns(SHIFT, gamma) == pytest.approx(60.8 / 14)
    for gamma in (0.985, 0.99, 0.999):
        assert earns(EPISODE, gamma) == pytest.approx(0.768421, abs=1e-6)


def test_the_best_average_needs_no_discount():
    """Relative value iteration delivers, on the rewards that made a discounted bot circle."""
    gain, _, q = oracle.relative_value_iteration(SHIFT)
    states, rewards = oracle.rollout(SHIFT, q.argmax(axis=1), START, 14)
    assert gain == pytest.approx(60.8 / 14)
    assert (rewards[-1], states[-1]) == (50, START)


def test_a_discount_takes_the_poorer_loop_below_its_border():
    """gamma**4 = 1/2."""
    for gamma in (0.0, 0.5, 0.8, 0.84):
        assert oracle.value_iteration(COUNTERS, gamma)[1][HATCH].argmax() == SMALL
    for gamma in (0.841, 0.9, 0.99):
        assert oracle.value_iteration(COUNTERS, gamma)[1][HATCH].argmax() == BIG


def test_a_gamma_left_in_moves_rho_by_the_level(lesson):
    """Off by (1 - gamma) * level; without a gamma the level does not matter."""
    bias = oracle.gain_and_bias(COUNTERS, np.full(9, BIG))[1]
    here = np.array(LOOPS[BIG] * 2)[:, None]
    there = NEXT_PLACE[here, BIG]
    for gamma, level, expected in ((1, 0, 0.4), (1, 100, 0.4), (0.99, 0, 0.4), (0.99, 100, -0.6)):
        rho = 0.0
        for _ in range(500):
            rho = lesson["update_rho"](
                rho,
                REWARD[here, BIG],
                bias[here] + level,
                gamma * (bias[there] + level),
                here >= 0,
                0.1,
            )
        assert rho == pytest.approx(expected, abs=1e-3)


def test_waiting_changes_neither_policy_nor_bias():
    """For any tau below 1, the same gain, h and best actions."""
    found = [oracle.relative_value_iteration(SHIFT, tau=tau) for tau in (0.2, 0.5, 0.8)]
    for gain, h, _ in found[1:]:
        assert gain == pytest.approx(found[0][0])
        assert h == pytest.approx(found[0][1], abs=1e-6)


def test_the_sensor_follows_from_the_pose_and_0_warns_of_a_crash():
    """On one map; wherever forward crashes the sensor reads 0."""
    rules = compile_kitchen(CLASSIC)
    assert len(np.unique(rules.observations[:, :3], axis=0)) == rules.num_states
    clear = [rules.kitchen.is_clear(r, c) for r, c in np.ndindex(7, 7)]
    crashes = (rules.table[FORWARD::4] & 3 == CRASHED) & np.repeat(clear, 4)
    assert set(rules.observations[crashes, 3]) == {0}
    assert (rules.observations[~crashes, 3] == 0).mean() < 0.5


def test_the_mean_over_episodes_favours_short_ones():
    """Two robots, 2 and 21 steps a delivery: 51 in 2, 70 in 21."""
    maps = [19 * "." + ">.G", ">" + 20 * "." + "G"]
    envs = BurgerBotVectorEnv(2, maps, endless=True)
    rows, _ = collect(envs, lambda seen: np.zeros(2, dtype=int), 420)
    assert rows.rewards.mean(axis=0) == pytest.approx([51 / 2, 70 / 21])
    assert rows.rewards.mean() == pytest.approx((51 / 2 + 70 / 21) / 2)


def test_shaping_with_gamma_1_keeps_the_gain():
    """Here the discount of the potential is 1; with 0.97 the gain is another."""
    rules = compile_kitchen(CLASSIC, endless=True)
    for gamma, kept in ((1.0, True), (0.97, False)):
        model = oracle.model(rules, V0_REWARDS, shaping=2.0, gamma=gamma)
        found = oracle.relative_value_iteration(model, start=START)[0]
        assert (found == pytest.approx(60.8 / 14)) is kept


def test_a_cost_of_resets_is_paid_once_a_delivery():
    """`Try it yourself`: 20 points in 14 steps."""
    found, *_ = oracle.relative_value_iteration(EPISODE, start=START, reset_cost=20.0)
    assert found == pytest.approx(40.8 / 14)


# The executed lesson


def number(pattern, text):
    """The one number that a line of the text holds."""
    return float(re.search(pattern, text)[1])


def test_the_executed_lesson_shows_both_counters(printed):
    """ARPPO the richer one and discounted PPO the poorer, over ten seeds; rho in nine or more."""
    assert re.search(r"gamma 0.99: 0.76\d points a step", printed)
    assert re.search(r"gamma 0.95: 4.343 points a step", printed)
    rich = number(r"ARPPO +big loop (\d+) times", printed)
    poor = number(r"gamma 0.8 +big loop \d+ times, small loop (\d+) times", printed)
    near = number(r"within 2 percent of 0.4 in (\d+) of 10 runs", printed)
    assert min(rich, poor, near) >= 9
    assert "tau 1.0: not settled" in printed
    assert "tau 0.5: gain 0.400000" in printed


def test_in_the_executed_lesson_one_robot_takes_longer(printed):
    """Eight robots are faster, by less than eight times."""
    one, eight = (number(rf"\n +{n} +(\d+\.\d) +0\.", printed) for n in (1, 8))
    assert eight < one < 8 * eight


def test_the_executed_lesson_keeps_its_curves():
    """Two trainings, two finished figures, with what they say; nothing is left of the live ones."""
    path = COURSE.root / "solutions" / "11_average_reward.ipynb"
    kept = [
        output.data
        for cell in nbformat.read(path, as_version=4).cells
        if "long_shift(" in cell.source
        for output in cell.outputs
        if "data" in output
    ]
    seeing, blind = (data["text/plain"].split("\n") for data in kept)
    assert seeing[0] == "Learning the endless shift: up to 401,408 transitions"
    assert blind[0] == "Without a sensor: up to 200,704 transitions"
    assert number("last (.*)", seeing[1]) == pytest.approx(60.8 / 14, rel=0.05)
    assert number("last (.*)", blind[1]) < 0
    assert not any(word in str(kept) for word in ("<script", "bb-live", "Still running"))


def test_the_executed_lesson_learned_the_shift(printed):
    """rho within 2 percent of 4.342857, and the greedy policy at it."""
    assert number(r"rho, as estimated +(\S+)", printed) == pytest.approx(60.8 / 14, rel=0.02)
    assert number(r"exact, as it explores +(\S+)", printed) == pytest.approx(60.8 / 14, rel=0.02)
    assert number(r"exact, greedy +(\S+)", printed) == pytest.approx(60.8 / 14, abs=1e-4)


def test_in_the_executed_lesson_robots_without_a_sensor_stand_still(printed):
    """About -0.1 a step, and they hardly ever drive."""
    assert number(r"; exact (\S+) points a step", printed) == pytest.approx(-0.1, abs=0.05)
    assert number(r"forward (\S+), turn_left", printed) < 0.05


@pytest.mark.slow
def test_the_rewards_climb_first_and_rho_follows(lesson):
    """After 24 rollouts of the lesson's 98 the estimate is far behind what the robots earn."""
    objective = average_reward.AverageReward(lam=0.95, rate=0.1)
    config = ppo.PPOConfig(64, epochs=4, minibatches=4, learning_rate=1e-3, entropy=0.01)
    envs = gym.make_vec("BurgerBotShift-v0", 64)
    run = ppo.train(envs, config, 24 * 4096, objective=objective)
    paid = np.mean([row["reward_per_step"] for row in run.history[-3:]])
    assert paid - objective.rho > 0.5


def test_the_shift_of_the_lesson_is_registered():
    """Both worlds are made by their ids, for any number of robots."""
    for env_id in ("BurgerBotShift-v0", "BurgerBotTwoCounters-v0"):
        assert gym.make_vec(env_id, 3).num_envs == 3
