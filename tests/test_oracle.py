"""The exact optimum: hand cases, slow loops, brute force and identities."""

import doctest
from itertools import product

import numpy as np
import pytest

from burgerbot.learn import oracle
from burgerbot.learn.oracle import Model
from burgerbot.world import rules as world
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import (
    CRASHED,
    DELIVERED,
    FORWARD,
    STOP,
    TURN_LEFT,
    V0_REWARDS,
    V1_REWARDS,
    compile_kitchen,
    encode,
)

TINY = Kitchen.from_ascii(">.G")
LOPSIDED = Kitchen.from_ascii("v.O..\n....O\n.O..G")
ODD_REWARDS = (-0.3, 0.7, -4.0, 9.0)


@pytest.fixture(params=[CLASSIC, TINY, LOPSIDED], ids=["classic", "tiny", "lopsided"])
def rules(request):
    """Kitchens of three shapes, compiled."""
    return compile_kitchen(request.param)


def random_model(seed, states=7, slip=0.0):
    """A decision process with random arrows, rewards and endings."""
    rng = np.random.default_rng(seed)
    return Model(
        next_state=rng.integers(states, size=(states, 4)),
        reward=rng.normal(size=(states, 4)),
        terminated=rng.random((states, 4)) < 0.2,
        slip=slip,
    )


def slow_action_value(model, values, gamma, state, action):
    """One action's value as two possible worlds: the robot slides, or it does not."""
    total = 0.0
    for executed, probability in ((action, 1 - model.slip), (FORWARD, model.slip)):
        worth = float(model.reward[state, executed])
        if not model.terminated[state, executed]:
            worth += gamma * values[model.next_state[state, executed]]
        total += probability * worth
    return total


def slow_value_iteration(model, gamma, sweeps):
    """Value iteration one state and one action at a time."""
    values = [0.0] * len(model.reward)
    for _ in range(sweeps):
        values = [
            max(slow_action_value(model, values, gamma, s, a) for a in range(4))
            for s in range(len(values))
        ]
    return np.array(values)


def slow_return(model, start, actions):
    """The plain return of a list of actions, up to the end of the episode."""
    total, state = 0.0, start
    for action in actions:
        total += model.reward[state, action]
        if model.terminated[state, action]:
            break
        state = model.next_state[state, action]
    return total


# The model


def test_model_unpacks_the_table_entry_by_entry(rules):
    """Row s, column a of the model is entry s * 4 + a of the table."""
    model = oracle.model(rules, ODD_REWARDS)
    assert model.reward.shape == (rules.num_states, 4)
    assert model.reward.dtype == np.float64
    assert model.terminated.dtype == bool
    for state, action in product(range(rules.num_states), range(4)):
        after, outcome = divmod(int(rules.table[state * 4 + action]), 4)
        assert model.next_state[state, action] == after
        assert model.reward[state, action] == ODD_REWARDS[outcome]
        assert model.terminated[state, action] == (outcome in (CRASHED, DELIVERED))


def test_shaping_is_added_per_step_with_no_potential_after_an_ending(rules):
    """The reward gains gamma * potential(next) - potential(now), and the next is 0 at the end."""
    gamma, coefficient = 0.9, 2.5
    plain = oracle.model(rules, ODD_REWARDS)
    shaped = oracle.model(rules, ODD_REWARDS, shaping=coefficient, gamma=gamma)
    for state, action in product(range(rules.num_states), range(4)):
        after = plain.next_state[state, action]
        potential_after = -coefficient * rules.distance[after]
        if plain.terminated[state, action]:
            potential_after = 0.0
        bonus = gamma * potential_after + coefficient * rules.distance[state]
        assert shaped.reward[state, action] - plain.reward[state, action] == pytest.approx(bonus)


@pytest.mark.parametrize("slip", [0.0, 0.15, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_action_values_agree_with_a_slow_loop(seed, slip):
    """Acting once and then being worth `values`, with and without sliding."""
    model = random_model(seed, slip=slip)
    values = np.random.default_rng(seed + 100).normal(size=7)
    q = model.action_values(values, 0.8)
    assert q.shape == (7, 4)
    for state, action in product(range(7), range(4)):
        expected = slow_action_value(model, values, 0.8, state, action)
        assert q[state, action] == pytest.approx(expected)


# Value iteration


def test_value_iteration_by_hand_on_a_corridor():
    """On `>.G` with rewards 1 and 50: the goal is worth 50 one cell away, 1 + gamma * 50 two."""
    values, q = oracle.value_iteration(oracle.model(compile_kitchen(TINY), (0, 1, -10, 50)), 0.5)
    far, near = encode(TINY, 0, 0, 1), encode(TINY, 0, 1, 1)
    assert values[[far, near]] == pytest.approx([1 + 0.5 * 50, 50])
    # Turning away from a goal one step ahead costs two turns, and gamma twice.
    assert q[near] == pytest.approx([50, 0.25 * 50, 0.25 * 50, 0.5 * 50])
    # Facing the wall: forward is a crash; turned round by two turns it is worth gamma**2 of it.
    back = encode(TINY, 0, 0, 3)
    assert q[back, FORWARD] == pytest.approx(-10)
    assert values[back] == pytest.approx(0.25 * values[far])


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("slip", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_value_iteration_agrees_with_slow_loops(seed, slip, gamma):
    """The same numbers come out of a loop over states and actions."""
    model = random_model(seed, slip=slip)
    values, q = oracle.value_iteration(model, gamma)
    slow = slow_value_iteration(model, gamma, sweeps=300)
    assert values == pytest.approx(slow, abs=1e-8)
    for state, action in product(range(7), range(4)):
        expected = slow_action_value(model, slow, gamma, state, action)
        assert q[state, action] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("slip", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(4))
def test_no_policy_beats_value_iteration(seed, slip):
    """Among all 4^4 policies of a four-state process, the best is worth exactly its values."""
    model = random_model(seed, states=4, slip=slip)
    values, _ = oracle.value_iteration(model, 0.9)
    worth = [oracle.policy_evaluation(model, np.array(p), 0.9) for p in product(range(4), repeat=4)]
    assert np.max(worth, axis=0) == pytest.approx(values, abs=1e-8)


def test_values_satisfy_the_bellman_equation(rules):
    """v = max_a q, and q is one look ahead from v."""
    model = oracle.model(rules, V0_REWARDS, slip=0.1)
    values, q = oracle.value_iteration(model, 0.97)
    assert q == pytest.approx(model.action_values(values, 0.97), abs=1e-12)
    assert q.max(axis=1) == pytest.approx(values, abs=1e-9)


def test_a_looser_tolerance_stops_earlier_and_stays_within_its_bound():
    """Stopping at a change of `tolerance` leaves an error under tolerance * gamma / (1 - gamma)."""
    model, gamma = oracle.model(compile_kitchen(CLASSIC), V0_REWARDS, slip=0.1), 0.9
    exact, _ = oracle.value_iteration(model, gamma)
    loose, _ = oracle.value_iteration(model, gamma, tolerance=0.1)
    error = np.abs(exact - loose).max()
    assert 1e-6 < error <= 0.1 * gamma / (1 - gamma) + 1e-8


# Policies


@pytest.mark.parametrize("slip", [0.0, 0.15])
@pytest.mark.parametrize("gamma", [0.5, 0.97])
def test_evaluating_the_greedy_policy_gives_the_optimal_values(rules, gamma, slip):
    """The policy that value iteration finds is worth what value iteration says."""
    model = oracle.model(rules, V1_REWARDS, slip=slip, shaping=1.0, gamma=gamma)
    values, q = oracle.value_iteration(model, gamma)
    greedy = oracle.policy_evaluation(model, q.argmax(axis=1), gamma)
    assert greedy == pytest.approx(values, abs=1e-7)


@pytest.mark.parametrize("slip", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_policy_evaluation_of_a_random_policy_agrees_with_slow_loops(seed, slip):
    """A policy with probabilities: average the action values, over and over."""
    model = random_model(seed, slip=slip)
    policy = np.random.default_rng(seed).dirichlet(np.ones(4), size=7)
    values = np.zeros(7)
    for _ in range(400):
        values = np.array(
            [
                sum(policy[s, a] * slow_action_value(model, values, 0.9, s, a) for a in range(4))
                for s in range(7)
            ]
        )
    assert oracle.policy_evaluation(model, policy, 0.9) == pytest.approx(values, abs=1e-8)


def test_policy_evaluation_leaves_the_policy_alone():
    """Sliding is added to a copy of the probabilities."""
    policy = np.full((7, 4), 0.25)
    oracle.policy_evaluation(random_model(0, slip=0.5), policy, 0.9)
    assert (policy == 0.25).all()


def test_stopping_for_ever_is_worth_a_geometric_sum(rules):
    """idle / (1 - gamma), from every state."""
    model = oracle.model(rules, V1_REWARDS)
    stop = np.full(rules.num_states, STOP)
    worth = oracle.policy_evaluation(model, stop, 0.97)
    assert worth == pytest.approx(np.full(rules.num_states, -0.5 / 0.03))


def test_a_rollout_pays_what_policy_evaluation_says(rules):
    """The discounted return of a long rollout is the value of its first state."""
    model = oracle.model(rules, V0_REWARDS)
    policy = oracle.value_iteration(model, 0.9)[1].argmax(axis=1)
    states, rewards = oracle.rollout(model, policy, rules.start, 400)
    assert states[0] == rules.start
    assert len(states) == len(rewards) + 1
    discounted = sum(0.9**t * reward for t, reward in enumerate(rewards))
    assert discounted == pytest.approx(oracle.policy_evaluation(model, policy, 0.9)[rules.start])


def test_a_rollout_stops_at_the_end_or_at_the_horizon():
    """Two moves deliver on `>.G`; with a horizon of one step only one is taken."""
    rules = compile_kitchen(TINY)
    model = oracle.model(rules, V0_REWARDS)
    forward = np.full(rules.num_states, FORWARD)
    assert oracle.rollout(model, forward, rules.start, 10) == ([1, 5, 9], [1.0, 50.0])
    assert oracle.rollout(model, forward, rules.start, 1) == ([1, 5], [1.0])
    assert oracle.rollout(model, forward, rules.start, 0) == ([1], [])
    turning = np.full(rules.num_states, TURN_LEFT)
    assert oracle.rollout(model, turning, rules.start, 5)[0] == [1, 0, 3, 2, 1, 0]


# Sliding


def test_a_floor_that_always_slides_makes_every_action_forward(rules):
    """With slip 1 all four actions are worth the same: what forward is worth."""
    model = oracle.model(rules, V0_REWARDS, slip=1.0)
    _, q = oracle.value_iteration(model, 0.9)
    assert q == pytest.approx(np.repeat(q[:, [FORWARD]], 4, axis=1))


def test_sliding_by_hand_on_a_corridor():
    """Facing the wall next to it, every turn slides into it with probability 0.25."""
    rules = compile_kitchen(TINY)
    model = oracle.model(rules, (-1, 1, -10, 50), slip=0.25)
    south = encode(TINY, 0, 0, 2)
    nothing_later = model.action_values(np.zeros(rules.num_states), 0.9)
    assert nothing_later[south] == pytest.approx([-10] + [0.75 * -1 + 0.25 * -10] * 3)


def test_the_optimum_under_sliding_is_what_simulated_robots_earn():
    """The mean discounted return of many sliding robots is the value of the start."""
    rules, gamma, slip, robots = compile_kitchen(LOPSIDED), 0.9, 0.15, 20_000
    model = oracle.model(rules, V0_REWARDS, slip=slip)
    values, q = oracle.value_iteration(model, gamma)
    policy, rng = q.argmax(axis=1), np.random.default_rng(2)
    state, running = np.full(robots, rules.start), np.ones(robots, dtype=bool)
    returns = np.zeros(robots)
    for t in range(150):
        state, outcome = world.step(rules.table, state, policy[state], rng.random(robots), slip)
        returns += running * gamma**t * np.array(V0_REWARDS)[outcome]
        running &= outcome < CRASHED
    error = returns.std() / np.sqrt(robots)
    assert abs(returns.mean() - values[rules.start]) < 5 * error


# Shaping


@pytest.mark.parametrize("slip", [0.0, 0.15])
@pytest.mark.parametrize("gamma", [0.9, 0.97, 0.99])
def test_shaping_shifts_every_value_by_minus_the_potential(rules, gamma, slip):
    """v_shaped(s) = v(s) - potential(s), and so for q: the order of the actions stays."""
    plain = oracle.model(rules, V1_REWARDS, slip=slip)
    shaped = oracle.model(rules, V1_REWARDS, slip=slip, shaping=3.0, gamma=gamma)
    values, q = oracle.value_iteration(plain, gamma)
    shaped_values, shaped_q = oracle.value_iteration(shaped, gamma)
    potential = -3.0 * rules.distance
    assert shaped_values == pytest.approx(values - potential, abs=1e-6)
    assert shaped_q == pytest.approx(q - potential[:, None], abs=1e-6)
    kept = oracle.policy_evaluation(plain, shaped_q.argmax(axis=1), gamma)
    assert kept == pytest.approx(values, abs=1e-6), "shaping changed which policy is best"


def test_shaping_with_another_discount_shifts_by_something_else(rules):
    """The identity holds only if the potential is discounted as the return is."""
    plain, _ = oracle.value_iteration(oracle.model(rules, V1_REWARDS), 0.9)
    shaped, _ = oracle.value_iteration(
        oracle.model(rules, V1_REWARDS, shaping=1.0, gamma=0.97), 0.9
    )
    assert not np.allclose(shaped, plain + rules.distance)


# A deadline


def test_finite_horizon_agrees_with_brute_force_on_a_tiny_kitchen():
    """With up to 5 steps left, no list of actions earns more, and its policy earns as much."""
    rules = compile_kitchen(Kitchen.from_ascii(">.\n.G"))
    model = oracle.model(rules, (-0.1, 1, -10, 5))
    values, policy = oracle.finite_horizon(model, 5)
    assert values.shape == (6, rules.num_states)
    assert policy.shape == (5, rules.num_states)
    assert (values[0] == 0).all()
    for left, start in product(range(1, 6), range(rules.num_states)):
        best = max(slow_return(model, start, plan) for plan in product(range(4), repeat=left))
        assert values[left, start] == pytest.approx(best)
        rewards = oracle.rollout(model, policy, start, left)[1]
        assert sum(rewards) == pytest.approx(best)
        assert len(rewards) <= left


def test_finite_horizon_under_sliding_agrees_with_a_slow_recursion():
    """With k + 1 steps left a state is worth its best one-step look at what k steps are worth."""
    model = random_model(3, slip=0.3)
    values, policy = oracle.finite_horizon(model, 6)
    for k, state in product(range(6), range(7)):
        q = [slow_action_value(model, values[k], 1.0, state, a) for a in range(4)]
        assert values[k + 1, state] == pytest.approx(max(q))
        assert q[policy[k, state]] == pytest.approx(max(q))


def test_no_steps_left_is_worth_nothing():
    """A horizon of 0 gives one row of zeros and no action."""
    values, policy = oracle.finite_horizon(random_model(0), 0)
    assert values.tolist() == [[0.0] * 7]
    assert policy.shape == (0, 7)


# The shortest delivery


@pytest.mark.parametrize(
    "kitchen",
    [CLASSIC, TINY, LOPSIDED, Kitchen.from_ascii("..O.\n<O..\n..OG\n....")],
    ids=["classic", "tiny", "lopsided", "detour"],
)
def test_delivery_length_agrees_with_value_iteration_at_minus_one_a_step(kitchen):
    """From every state, n steps cost 1 + gamma + ... + gamma^(n-1) if each pays -1."""
    rules, gamma = compile_kitchen(kitchen), 0.9
    model = oracle.model(rules, (-1, -1, -1e6, -1))
    values, _ = oracle.value_iteration(model, gamma)
    for row, col in kitchen.clear_cells():
        for heading in range(4):
            state = encode(kitchen, row, col, heading)
            steps = np.log(1 + values[state] * (1 - gamma)) / np.log(gamma)
            assert oracle.delivery_length(rules, state) == pytest.approx(steps)


def test_delivery_length_starts_where_the_kitchen_does():
    """The classic kitchen takes 12 moves and 2 turns; `>.G` takes 2 moves."""
    assert oracle.delivery_length(compile_kitchen(CLASSIC)) == 14
    assert oracle.delivery_length(compile_kitchen(TINY)) == 2


def test_a_walled_in_robot_can_not_deliver():
    """No path from there to the goal: an error that names the state."""
    rules = compile_kitchen(Kitchen.from_ascii(".O>\n.OG"))
    with pytest.raises(ValueError, match="no delivery is possible from state 1"):
        oracle.delivery_length(rules, 1)


# The numbers on which lesson 02 rests


def test_on_v0_the_optimum_delivers_below_gamma_098_and_circles_above_0985():
    """60.8 points in 14 steps, or 115.9 in 150 steps without a delivery."""
    rules = compile_kitchen(CLASSIC)
    model = oracle.model(rules, V0_REWARDS)
    for gamma, steps, points in ((0.9, 14, 60.8), (0.98, 14, 60.8), (0.985, 150, 115.9)):
        policy = oracle.value_iteration(model, gamma)[1].argmax(axis=1)
        rewards = oracle.rollout(model, policy, rules.start, 150)[1]
        assert (len(rewards), sum(rewards)) == (steps, pytest.approx(points))


def test_on_v0_a_deadline_of_150_steps_is_worth_1639():
    """It drives about until the last moment, and then delivers."""
    rules = compile_kitchen(CLASSIC)
    model = oracle.model(rules, V0_REWARDS)
    values, policy = oracle.finite_horizon(model, 150)
    rewards = oracle.rollout(model, policy, rules.start, 150)[1]
    assert values[150, rules.start] == pytest.approx(163.9)
    assert (sum(rewards), rewards[-1], len(rewards)) == (pytest.approx(163.9), 50, 149)


# Bad input


@pytest.mark.parametrize("gamma", [1.0, 1.5, -0.1, float("nan")])
def test_a_discount_that_does_not_contract_is_refused(gamma):
    """0 <= gamma < 1, for value iteration and for policy evaluation."""
    model = random_model(0)
    with pytest.raises(ValueError, match="gamma: expected 0 <= gamma < 1"):
        oracle.value_iteration(model, gamma)
    with pytest.raises(ValueError, match="gamma: expected 0 <= gamma < 1"):
        oracle.policy_evaluation(model, np.zeros(7, int), gamma)


@pytest.mark.parametrize("tolerance", [0.0, -1e-9, float("nan")])
def test_a_tolerance_that_no_sweep_reaches_is_refused(tolerance):
    """An error, not an endless loop."""
    with pytest.raises(ValueError, match="tolerance: expected a number above 0"):
        oracle.value_iteration(random_model(0), 0.9, tolerance=tolerance)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_rewards_that_are_not_finite_are_refused(bad):
    """NaN would keep value iteration running for ever."""
    with pytest.raises(ValueError, match="rewards: expected 4 finite numbers"):
        oracle.model(compile_kitchen(TINY), (0, bad, -10, 50))
    model = random_model(0)
    model.reward[3, 2] = bad
    with pytest.raises(ValueError, match="expected finite rewards"):
        oracle.value_iteration(model, 0.9)


@pytest.mark.parametrize("rewards", [(0, 1, -10), (0, 1, -10, 50, 7), 1.0])
def test_anything_but_four_rewards_is_refused(rewards):
    """One for each outcome."""
    with pytest.raises(ValueError, match="rewards: expected 4 finite numbers"):
        oracle.model(compile_kitchen(TINY), rewards)


@pytest.mark.parametrize("slip", [-0.1, 1.1, float("nan")])
def test_a_slip_that_is_no_probability_is_refused(slip):
    """From 0 to 1."""
    with pytest.raises(ValueError, match="slip: expected a number from 0 to 1"):
        oracle.model(compile_kitchen(TINY), V0_REWARDS, slip=slip)


@pytest.mark.parametrize("shape", [(6,), (8,), (7, 3), (4, 7), ()])
def test_a_policy_of_another_shape_is_refused(shape):
    """Neither one action nor four probabilities a state."""
    with pytest.raises(ValueError, match=r"policy: expected shape \(7,\) or \(7, 4\)"):
        oracle.policy_evaluation(random_model(0), np.zeros(shape, int), 0.9)


def test_a_horizon_below_zero_is_refused():
    """There is no return within minus one steps."""
    with pytest.raises(ValueError, match="horizon: expected 0 or more steps, got -1"):
        oracle.finite_horizon(random_model(0), -1)


def test_doctests_hold():
    """The examples in the docstrings run."""
    result = doctest.testmod(oracle)
    assert result.attempted > 0
    assert result.failed == 0
