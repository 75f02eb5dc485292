"""Exact average reward: gain, bias and stationary distribution against numbers known otherwise."""

import doctest

import numpy as np
import pytest

from burgerbot.learn import gain, oracle, process
from burgerbot.learn.oracle import Endless, Model
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.menus import reward_table
from burgerbot.world.rules import V0_REWARDS, compile_kitchen, encode

SHIFT = compile_kitchen(CLASSIC, endless=True)
LOPSIDED = Kitchen.from_ascii("v.O..\n....O\n.O..G")


def river_swim():
    """Six states in a river: left is easy and pays little, right is hard and pays at the end."""
    transition, reward = np.zeros((6, 2, 6)), np.zeros((6, 2))
    for s in range(6):
        left, right = max(s - 1, 0), min(s + 1, 5)
        transition[s, 0, left] = 1.0
        for there, p in ((left, 0.05), (s, 0.05), (right, 0.9)):
            transition[s, 1, there] += p
    reward[0, 0], reward[5, 1] = 0.005, 0.95  # 1 for every step that ends in the last state
    return Endless(transition, reward)


def two_loops():
    """Two loops of 5 steps from state 0, paying 1 in the first step or 2 in the last."""
    after = np.array([[1, 5], *([s % 4 and s + 1] * 2 for s in range(1, 9))])
    reward = np.zeros((9, 2))
    reward[0, 0] = 1.0
    reward[8] = 2.0
    return Model(after, reward, np.zeros((9, 2), dtype=bool))


def random_process(seed, states=7, actions=3):
    """Any chance, every state can be reached."""
    rng = np.random.default_rng(seed)
    transition = rng.dirichlet(np.full(states, 0.5), size=(states, actions))
    return Endless(transition, rng.normal(size=(states, actions)))


def long_run(process, policy, start, steps=200_000, seed=0):
    """Mean reward of a simulated walk: a slow answer to the same question."""
    rng = np.random.default_rng(seed)
    state, total = start, 0.0
    cumulated = process.transition.cumsum(axis=2)
    for draw in rng.random(steps):
        total += process.reward[state, policy[state]]
        row = cumulated[state, policy[state]]
        state = min(int(np.searchsorted(row, draw, side="right")), len(row) - 1)
    return total / steps


# The numbers of others


def test_river_swim_to_six_digits():
    """Gain 0.897222 and its bias, by relative value iteration and by solving."""
    found, bias, q = oracle.relative_value_iteration(river_swim())
    expected = [0, 0.996914, 2.049211, 3.104586, 4.160131, 5.215686]
    assert found == pytest.approx(0.897222, abs=5e-7)
    assert bias == pytest.approx(expected, abs=1e-6)
    assert q.argmax(axis=1).tolist() == [1] * 6
    solved, centred = oracle.gain_and_bias(river_swim(), q.argmax(axis=1))
    assert solved == pytest.approx(found, abs=1e-9)
    assert centred - centred[0] == pytest.approx(bias, abs=1e-8)


def test_two_loops_earn_02_and_04():
    """Each loop's own gain, the best one, and the bias of the big loop by hand."""
    loops = two_loops()
    for loop, earned in ((0, 0.2), (1, 0.4)):
        found, bias = oracle.gain_and_bias(loops, np.full(9, loop))
        assert found == pytest.approx(earned, abs=1e-9)
    assert bias[[0, 5, 6, 7, 8]] == pytest.approx([-0.8, -0.4, 0, 0.4, 0.8], abs=1e-9)
    found, bias, q = oracle.relative_value_iteration(loops, tau=0.5)
    assert found == pytest.approx(0.4, abs=1e-9)
    assert bias[[0, 5, 6, 7, 8]] == pytest.approx([0, 0.4, 0.8, 1.2, 1.6], abs=1e-8)
    assert q[0].argmax() == 1


def test_plain_iteration_never_settles_on_a_period():
    """tau = 1 goes round for ever and says so; any tau below 1 finds the gain."""
    with pytest.raises(RuntimeError, match=r"not settled after 500 sweeps with tau=1.*below 1"):
        oracle.relative_value_iteration(two_loops(), tau=1.0, sweeps=500)
    for tau in (0.1, 0.5, 0.9):
        assert oracle.relative_value_iteration(two_loops(), tau=tau)[0] == pytest.approx(0.4)


def test_the_shift_is_worth_608_in_14_steps():
    """4.342857 a step, for the best policy; its start begins below average."""
    model = oracle.model(SHIFT, V0_REWARDS)
    found, bias, q = oracle.relative_value_iteration(model, start=SHIFT.start)
    assert found == pytest.approx(60.8 / 14, abs=1e-8)
    assert bias[SHIFT.start] == 0.0
    assert q.max(axis=1) == pytest.approx(bias, abs=1e-8)
    policy = q.argmax(axis=1)
    share = oracle.stationary_distribution(model, policy)
    assert share[share > 1e-9] == pytest.approx(np.full(14, 1 / 14))
    assert oracle.gain_and_bias(model, policy)[0] == pytest.approx(60.8 / 14)


def test_a_lap_of_moves_and_turns_earns_077_a_step():
    """What a discounted bot at gamma 0.99 does on v0: it circles, and never delivers."""
    model = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
    policy = oracle.value_iteration(model, 0.99)[1].argmax(axis=1)
    earned, _ = oracle.gain_and_bias(model, policy, start=SHIFT.start)
    assert earned == pytest.approx(0.768421, abs=1e-6)


# Against slower answers


@pytest.mark.parametrize("seed", range(4))
def test_the_equations_hold(seed):
    """gain + h = r + P h, the mean of h over the stationary distribution is 0, q.max is h."""
    random, rng = random_process(seed), np.random.default_rng(seed)
    policy = rng.dirichlet(np.ones(3), size=7)
    transition = np.einsum("sa,sat->st", policy, random.transition)
    reward = (policy * random.reward).sum(axis=1)
    share = oracle.stationary_distribution(random, policy)
    found, bias = oracle.gain_and_bias(random, policy)
    assert share @ transition == pytest.approx(share)
    assert share.sum() == pytest.approx(1.0)
    assert found == pytest.approx(share @ reward)
    assert found + bias == pytest.approx(reward + transition @ bias)
    assert share @ bias == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_no_policy_earns_more_than_relative_value_iteration_says(seed):
    """All 3**5 policies of a small process: the best of them earns the gain."""
    random = random_process(seed, states=5)
    best, _, q = oracle.relative_value_iteration(random)
    policies = np.indices((3,) * 5).reshape(5, -1).T
    earned = [oracle.gain_and_bias(random, policy)[0] for policy in policies]
    assert max(earned) == pytest.approx(best)
    assert policies[int(np.argmax(earned))].tolist() == q.argmax(axis=1).tolist()


def test_a_long_walk_earns_the_gain():
    """Two hundred thousand simulated steps, within a few standard errors."""
    random, policy = random_process(5), np.array([0, 1, 2, 0, 1, 2, 0])
    found, _ = oracle.gain_and_bias(random, policy)
    assert long_run(random, policy, 3) == pytest.approx(found, abs=0.02)


def test_discounted_values_become_gain_and_bias():
    """As gamma nears 1, (1 - gamma) v nears the gain and v less its mean nears the bias."""
    model = oracle.model(SHIFT, V0_REWARDS)
    policy = oracle.value_iteration(model, 0.9)[1].argmax(axis=1)
    found, bias = oracle.gain_and_bias(model, policy)
    values = oracle.policy_evaluation(model, policy, 0.99999)
    assert (1 - 0.99999) * values == pytest.approx(np.full(196, found), abs=1e-2)
    share = oracle.stationary_distribution(model, policy)
    assert values - share @ values == pytest.approx(bias, abs=1e-2)


# Resets and sliding


@pytest.mark.parametrize("slip", [0.0, 0.2])
@pytest.mark.parametrize("kitchen", [CLASSIC, LOPSIDED], ids=["classic", "3x5"])
def test_terminations_as_resets_are_the_endless_kitchen(kitchen, slip):
    """An episodic model with a start is the same process as the table compiled endless."""
    episodic = oracle.model(compile_kitchen(kitchen), V0_REWARDS, slip=slip)
    rules = compile_kitchen(kitchen, endless=True)
    one = oracle.endless(episodic, rules.start)
    other = oracle.endless(oracle.model(rules, V0_REWARDS, slip=slip))
    assert one.transition == pytest.approx(other.transition)
    assert one.reward == pytest.approx(other.reward)


def test_in_an_endless_kitchen_nothing_terminates():
    """The model pays, shaping included, what the environment pays."""
    model = oracle.model(SHIFT, V0_REWARDS, shaping=2.0, gamma=0.9)
    assert not model.terminated.any()
    paid = reward_table(SHIFT, V0_REWARDS, shaping=2.0, gamma=0.9)
    assert model.reward.ravel() == pytest.approx(paid)


def test_sliding_is_a_mixture_with_forward():
    """With slip p, an action is itself with 1 - p and forward with p."""
    dry = oracle.endless(oracle.model(SHIFT, V0_REWARDS))
    wet = oracle.endless(oracle.model(SHIFT, V0_REWARDS, slip=0.3))
    assert wet.transition[:, 2] == pytest.approx(
        0.7 * dry.transition[:, 2] + 0.3 * dry.transition[:, 0]
    )
    assert wet.reward[:, 3] == pytest.approx(0.7 * dry.reward[:, 3] + 0.3 * dry.reward[:, 0])
    assert oracle.relative_value_iteration(wet)[0] < 60.8 / 14


def test_a_reset_may_cost_something():
    """The 14 steps of a delivery lose the cost once: (60.8 - 7) / 14."""
    model = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
    found, _, q = oracle.relative_value_iteration(model, start=SHIFT.start, reset_cost=7.0)
    assert found == pytest.approx((60.8 - 7) / 14)
    policy = q.argmax(axis=1)
    solved, _ = oracle.gain_and_bias(model, policy, start=SHIFT.start, reset_cost=7.0)
    assert solved == pytest.approx(found)


# Several recurrent classes


def islands():
    """State 0 leads to 1 (2 times of 3) or to the cycle of 2 and 3; neither is ever left."""
    transition = np.zeros((4, 1, 4))
    transition[0, 0, 1], transition[0, 0, 2] = 2 / 3, 1 / 3
    transition[1, 0, 1] = transition[2, 0, 3] = transition[3, 0, 2] = 1.0
    return Endless(transition, np.array([[9.0], [3.0], [0.0], [1.0]]))


def test_the_start_decides_where_several_classes_are():
    """Shares and gains from each start, by hand."""
    policy = np.zeros(4, dtype=int)
    for start, share, earned in (
        (0, [0, 2 / 3, 1 / 6, 1 / 6], 2 / 3 * 3 + 1 / 3 * 0.5),
        (1, [0, 1, 0, 0], 3.0),
        (2, [0, 0, 0.5, 0.5], 0.5),
        (3, [0, 0, 0.5, 0.5], 0.5),
    ):
        found = oracle.stationary_distribution(islands(), policy, start=start)
        assert found == pytest.approx(share)
        assert oracle.gain_and_bias(islands(), policy, start=start)[0] == pytest.approx(earned)


def test_several_classes_without_a_start_are_named():
    """An error that says how many, which, and what to give."""
    policy = np.zeros(4, dtype=int)
    for ask in (oracle.stationary_distribution, oracle.gain_and_bias):
        with pytest.raises(ValueError, match=r"2 classes \(.*\[1\].*expected start="):
            ask(islands(), policy)
    with pytest.raises(RuntimeError, match="cannot reach each other"):
        oracle.relative_value_iteration(islands(), sweeps=1000)


def test_a_bot_that_stands_still_earns_what_standing_still_pays():
    """Every state is a class of its own: -0.1 a step from any start."""
    model = oracle.model(SHIFT, V0_REWARDS)
    stop = np.full(196, 3)
    share = oracle.stationary_distribution(model, stop, start=SHIFT.start)
    assert share[SHIFT.start] == 1.0
    assert oracle.gain_and_bias(model, stop, start=5)[0] == pytest.approx(-0.1)


def test_the_start_is_where_a_reset_leads():
    """`>.G` and back: two moves, 51 points."""
    kitchen = Kitchen.from_ascii(">.G")
    model = oracle.model(compile_kitchen(kitchen), V0_REWARDS)
    forward, start = np.zeros(12, dtype=int), encode(kitchen, 0, 0, 1)
    assert oracle.gain_and_bias(model, forward, start=start)[0] == pytest.approx(51 / 2)
    assert oracle.gain_and_bias(model, forward, start=start + 4)[0] == pytest.approx(50)


# Bad input


def test_a_model_that_ends_needs_a_start():
    """The average is that of a shift that goes on."""
    model = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS)
    policy = np.zeros(196, dtype=int)
    for ask in (
        lambda: oracle.relative_value_iteration(model),
        lambda: oracle.stationary_distribution(model, policy),
        lambda: oracle.gain_and_bias(model, policy),
    ):
        with pytest.raises(ValueError, match=r"this model ends episodes.*start=\.\.\., got None"):
            ask()


@pytest.mark.parametrize("start", [-1, 196])
def test_a_start_that_is_no_state_is_refused(start):
    """0 to S - 1."""
    with pytest.raises(ValueError, match="start: expected a state from 0 to 195"):
        oracle.relative_value_iteration(oracle.model(SHIFT, V0_REWARDS), start=start)


@pytest.mark.parametrize("tau", [0.0, -0.5, 1.1, float("nan")])
def test_a_share_out_of_range_is_refused(tau):
    """Above 0, up to 1."""
    with pytest.raises(ValueError, match="tau: expected a number above 0, up to 1"):
        oracle.relative_value_iteration(two_loops(), tau=tau)


@pytest.mark.parametrize("tolerance", [0.0, -1.0, float("nan")])
def test_a_tolerance_that_no_sweep_reaches_is_refused(tolerance):
    """An error, not an endless loop."""
    with pytest.raises(ValueError, match="tolerance: expected a number above 0"):
        oracle.relative_value_iteration(two_loops(), tolerance=tolerance)


@pytest.mark.parametrize("policy", [np.zeros(8, int), np.zeros((9, 3)), np.zeros(9)])
def test_a_policy_of_another_shape_is_refused(policy):
    """Neither one whole number nor one probability an action a state."""
    with pytest.raises(ValueError, match=r"policy: expected int of shape \(9,\)"):
        oracle.gain_and_bias(two_loops(), policy)


def test_arrays_that_are_no_process_are_refused():
    """Shapes, probabilities, rewards."""
    good = random_process(0)
    with pytest.raises(ValueError, match=r"transition \[S, A, S\] and reward"):
        Endless(good.transition[:, 0], good.reward)
    with pytest.raises(ValueError, match="expected probabilities that sum to 1"):
        Endless(good.transition * 1.1, good.reward)
    with pytest.raises(ValueError, match="expected finite numbers"):
        Endless(good.transition, good.reward * np.inf)


@pytest.mark.parametrize("module", [gain, process])
def test_doctests_hold(module):
    """The examples in the docstrings run."""
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
