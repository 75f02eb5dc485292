"""Evaluation: quotas, frozen statistics, exact percentages, and intervals that hold."""

import doctest
import json

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from burgerbot.learn import evaluate as module
from burgerbot.learn import oracle
from burgerbot.learn.evaluate import evaluate, optimal_return
from burgerbot.learn.evaluation import Evaluation
from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.normalize import NormalizeVectorEnv
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv
from burgerbot.world.rules import FORWARD, STOP, V0_REWARDS, V1_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
ONE, TEN = ".........>G", ">.........G"  # deliveries of 1 step and of 10
KITCHENS = (">..G\n.O..", "...G\n>O..", "v.O.\n...G")
LIMIT = 4
MODES = pytest.mark.parametrize("mode", AutoresetMode)


def forward(observations):
    """Everybody drives forward."""
    return np.full(len(observations), FORWARD)


def best_policy(observations):
    """The best policy of BurgerBot-v1, as scores [N, 4]."""
    return BEST[encode(CLASSIC, *observations[:, :3].T.astype(int))]


BEST = oracle.value_iteration(
    oracle.model(compile_kitchen(CLASSIC), V1_REWARDS, shaping=1.0), gamma=0.97
)[1]


@MODES
def test_a_quota_for_each_robot_does_not_favour_short_episodes(mode):
    """CASES 54: lengths 1 and 10, four episodes: 5.5 on average, where the first four give 1."""
    for episodes in (1, 2, 5):
        envs = BurgerBotVectorEnv(2, [ONE, TEN], autoreset_mode=mode)
        found = evaluate(envs, forward, episodes)
        assert found.lengths.tolist() == [[1] * episodes, [10] * episodes]
        assert found.mean_length.mean == 5.5
        assert found.returns.tolist() == [[50.0] * episodes, [59.0] * episodes]


def by_hand(kitchens, episodes, tape):
    """Scalar envs one after the other: returns, lengths, terminated; actions by own step."""
    rows = []
    for kitchen in kitchens:
        env, own = TimeLimit(BurgerBotEnv(kitchen), LIMIT), []
        for _ in range(episodes):
            seen, _ = env.reset()
            total, steps, over = 0.0, 0, False
            while not over:
                seen, reward, terminated, truncated, _ = env.step(int(tape[tuple(seen[:3])]))
                total, steps, over = total + reward, steps + 1, terminated or truncated
            own.append((total, steps, terminated))
        rows.append(own)
    return np.moveaxis(np.array(rows), -1, 0)


@MODES
@pytest.mark.parametrize("backend", ["native", "sync"])
def test_every_episode_is_that_of_a_single_robot(mode, backend):
    """Returns, lengths and endings, on both vector envs, under random policies of the pose."""
    kitchens, rng, kinds = [KITCHENS[i % 3] for i in range(6)], np.random.default_rng(3), set()
    for _ in range(25):
        table = rng.choice(4, size=(2, 4, 4), p=[0.6, 0.15, 0.15, 0.1])
        if backend == "native":
            envs = BurgerBotVectorEnv(6, kitchens, max_episode_steps=LIMIT, autoreset_mode=mode)
        else:
            makers = [lambda k=k: TimeLimit(BurgerBotEnv(k), LIMIT) for k in kitchens]
            envs = SyncVectorEnv(makers, autoreset_mode=mode)
        found = evaluate(envs, lambda o, table=table: table[tuple(o[:, :3].T)], 3)
        returns, lengths, terminated = by_hand(kitchens, 3, table)
        assert found.returns == pytest.approx(returns)
        assert np.array_equal(found.lengths, lengths)
        assert np.array_equal(found.terminated, terminated)
        kinds |= set(zip(found.lengths.ravel().tolist(), found.terminated.ravel(), strict=True))
    assert {(4, True), (4, False)} <= kinds and min(kinds)[0] < 4


@MODES
@pytest.mark.parametrize("how", ["native", "sync"])
def test_the_best_policy_reaches_100_percent(mode, how):
    """On BurgerBot-v1: 47.9 without shaping, 14 steps, all delivered; scores are taken greedily."""
    kwargs = {"autoreset_mode": mode} if how == "native" else {}
    if how == "sync":
        kwargs = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": mode}}
    envs = gym.make_vec("BurgerBot-v1", 3, **kwargs)
    optimum = optimal_return(compile_kitchen(CLASSIC), V1_REWARDS, 150)
    for policy in (best_policy, lambda o: torch.from_numpy(best_policy(o)).requires_grad_()):
        found = evaluate(envs, policy, 2, optimum=optimum)
        assert found.percent == pytest.approx((100.0, 100.0, 100.0))
        assert found.mean_return.mean == pytest.approx(47.9)
        assert (found.lengths == 14).all() and found.delivered.all()
        assert (found.success.mean, found.crash.mean, found.timeout.mean) == (1, 0, 0)


def test_each_robot_may_have_an_optimum_of_its_own():
    """Half of one and all of the other, by sums."""
    envs = BurgerBotVectorEnv(2, [ONE, TEN])
    found = evaluate(envs, forward, 3, optimum=[100.0, 59.0])
    assert found.percent.mean == pytest.approx(100 * 109 / 159)


def test_optimal_return_is_the_best_within_the_limit():
    """No time to arrive, and a kitchen in which one step delivers."""
    rules = compile_kitchen(Kitchen.from_ascii(TEN))
    assert optimal_return(rules, V1_REWARDS, 10) == pytest.approx(49.1)
    assert optimal_return(rules, V1_REWARDS, 9) == pytest.approx(-0.9)
    assert optimal_return(compile_kitchen(Kitchen.from_ascii(ONE)), V0_REWARDS, 1) == 50.0


@MODES
def test_crashes_and_timeouts(mode):
    """Delivered at the limit (both flags), crashed, and stopped until the limit."""
    envs = gym.make_vec(
        "BurgerBot-v1",
        3,
        kitchen=[">...G", "v...G", ">...G"],
        max_episode_steps=4,
        autoreset_mode=mode,
    )
    found = evaluate(envs, lambda o: np.array([FORWARD, FORWARD, STOP]), 4)
    assert found.returns == pytest.approx(np.array([[49.7], [-10.0], [-2.0]]).repeat(4, axis=1))
    for estimate in (found.success, found.crash, found.timeout):
        assert estimate.mean == pytest.approx(1 / 3)
    assert "success          0.33 [0.00, 1.00]" in str(found)
    assert "% of the optimum" not in str(found)


def test_without_an_outcome_in_the_infos_nobody_guesses():
    """BurgerBot-v0 tells none: no success rate, no crash rate."""
    found = evaluate(gym.make_vec("BurgerBot-v0", 2, kitchen=">.G"), forward, 2)
    assert (found.delivered, found.success, found.crash) == (None, None, None)
    assert found.timeout.mean == 0 and "success" not in str(found)


@MODES
def test_moments_stand_still_while_evaluating(mode):
    """Wrapper and policy: bit for bit after 1,000 steps, then open again, frozen ones not."""

    class Normalized:
        def __init__(self):
            self.moments, self.closed = RunningMoments(4), RunningMoments(4)
            self.moments.update(np.random.default_rng(0).normal(size=(9, 4)))
            self.closed.freeze()

        def __call__(self, observations):
            self.moments.update(observations)  # a policy that does not know when to stop
            return np.full(len(observations), STOP)

    envs = gym.make_vec("BurgerBot-v1", 3, max_episode_steps=40, autoreset_mode=mode)
    envs = NormalizeVectorEnv(envs, rewards=True)
    envs.reset(seed=0)
    for _ in range(7):
        envs.step(np.array([STOP, 1, 2]))
    policy = Normalized()
    before = json.dumps([envs.state_dict(), policy.moments.state_dict()])
    for driver in (policy, policy.__call__):
        found = evaluate(envs, driver, 13)
        assert found.lengths.sum(axis=1).tolist() == [520] * 3
        assert json.dumps([envs.state_dict(), policy.moments.state_dict()]) == before
    assert (envs.frozen, policy.moments.frozen, policy.closed.frozen) == (False, False, True)
    with pytest.raises(ZeroDivisionError):
        evaluate(envs, lambda o: 1 // 0, 1)
    assert not envs.frozen


def test_scaled_rewards_are_not_reported_as_returns():
    """CASES 40: the true reward from the infos, or a refusal."""
    scaled = NormalizeVectorEnv(gym.make_vec("BurgerBot-v1", 2), observations=False, rewards=True)
    assert evaluate(scaled, best_policy, 2).mean_return.mean == pytest.approx(47.9)
    scaled = NormalizeVectorEnv(gym.make_vec("BurgerBot-v0", 2), observations=False, rewards=True)
    with pytest.raises(ValueError, match="a wrapper scales the rewards"):
        evaluate(scaled, forward, 1)
    assert not scaled.frozen


def test_the_same_seed_gives_the_same_episodes():
    """Random kitchens and starts: the seed decides, and another one decides otherwise."""
    envs = BurgerBotKitchensVectorEnv(8, max_episode_steps=20)
    first, again, other = (evaluate(envs, forward, 5, seed=s).returns for s in (3, 3, 300))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def drawn(rng, families, robots, episodes, spread):
    """Returns [N, E] of families whose members share a part of their luck."""
    shared = rng.normal(size=families).repeat(robots)[:, None] * spread
    returns = shared + rng.normal(size=(families * robots, episodes))
    labels = np.arange(families).repeat(robots)
    nothing = np.zeros(returns.shape, dtype=bool)
    return returns, labels, nothing


def test_intervals_hold_the_mean_as_often_as_they_say():
    """Families of 4 that share their luck: about 95 in 100 by families, far less by robots."""
    rng, hits = np.random.default_rng(12), {"families": 0, "robots": 0}
    for _ in range(200):
        returns, labels, no = drawn(rng, families=30, robots=4, episodes=3, spread=1.0)
        for name, unit in (("families", labels), ("robots", np.arange(len(labels)))):
            found = Evaluation(returns, returns, no, None, unit, None, 0.95).mean_return
            assert found.low < found.mean < found.high
            hits[name] += found.low < 0.0 < found.high
    assert 178 <= hits["families"] <= 198
    assert hits["robots"] < 160


def test_intervals_are_honest_about_little_evidence():
    """One family gives none; more confidence is wider; the same data, the same interval."""
    returns, labels, no = drawn(np.random.default_rng(1), 10, 2, 2, 0.5)
    alone = Evaluation(returns, returns, no, None, labels * 0, None, 0.95).mean_return
    assert np.isnan([alone.low, alone.high]).all() and alone.mean == pytest.approx(returns.mean())
    narrow, wide, again = (
        Evaluation(returns, returns, no, None, labels, None, c).mean_return
        for c in (0.8, 0.99, 0.99)
    )
    assert wide.low < narrow.low < narrow.high < wide.high
    assert wide == again


def test_families_reach_the_interval():
    """Labels of any kind; robots of one label are drawn together."""
    envs = BurgerBotVectorEnv(4, [ONE, ONE, TEN, TEN])
    found = evaluate(envs, forward, 2, families=["a", "a", "b", "b"])
    assert (found.mean_length.low, found.mean_length.high) == (1.0, 10.0)
    assert np.isnan(evaluate(envs, forward, 2, families="aaaa").mean_length.low)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"episodes_per_env": 0}, "episodes_per_env: expected 1 or more, got 0"),
        ({"confidence": 95}, "confidence: expected a number between 0 and 1, got 95"),
        ({"families": [1]}, "families: expected 2 labels, got 1"),
        ({"optimum": -3.0}, "optimum: expected 1 or 2 numbers above 0, got -3.0"),
        ({"optimum": [1.0] * 3}, "optimum: expected 1 or 2 numbers"),
        ({"policy": lambda o: 0}, r"policy: expected actions \(2,\) or scores \(2, A\), got \(\)"),
    ],
)
def test_evaluate_says_what_is_wrong(changes, words):
    """Expected and got."""
    arguments = {"policy": forward, "episodes_per_env": 1, **changes}
    with pytest.raises(ValueError, match=words):
        evaluate(BurgerBotVectorEnv(2, ">.G"), **arguments)


def test_an_episode_that_never_ends_is_reported():
    """The endless shift has no episodes; a robot that stops without a limit neither."""
    with pytest.raises(RuntimeError, match="2 of 2 robots have not finished 1 episodes after 50"):
        evaluate(gym.make_vec("BurgerBotShift-v0", 2), forward, 1, max_steps=50)


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(module).failed == 0
