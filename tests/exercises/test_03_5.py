"""Exercise 03.5: pick N actions at once."""

import random
import sys

import numpy as np
import pytest

from burgerbot.course.claims import equal, instance, that

#: Twelve states, all action values different, and no pattern in where the largest is.
Q = np.random.default_rng(8).normal(size=(12, 4)) - 3
MANY = 6000


@pytest.fixture(autouse=True)
def global_generators_put_back():
    """Whatever a test does to the global generators, the notebook's stay as they were."""
    before = np.random.get_state(), random.getstate()
    yield
    np.random.set_state(before[0])
    random.setstate(before[1])


def picked(answer, q, states, epsilon, seed=0, rng=None):
    """The learner's actions, as an array; kind, shape and range looked at, arguments untouched."""
    states = np.asarray(states)
    where = f"{len(states)} robots, epsilon {epsilon}"
    given_q, given_states = q.copy(), states.copy()
    rng = np.random.default_rng(seed) if rng is None else rng
    actions = answer.pick_actions(given_q, given_states, epsilon, rng)
    instance(actions, np.ndarray, "return a NumPy array, one action a robot", where=where)
    equal(actions.shape, states.shape, "one action a robot makes the shape (N,)", where=where)
    that(
        actions.dtype.kind in "iu",
        "actions are integers: a float names no action",
        expected="an integer dtype",
        yours=str(actions.dtype),
        where=where,
    )
    outside = (actions < 0) | (actions > 3)
    that(not outside.any(), "an action is 0, 1, 2 or 3", yours=actions[outside], where=where)
    equal(given_q, q, "`q` was changed: it belongs to the caller", where=where)
    equal(given_states, states, "`states` was changed", where=where)
    return actions


def about(share, chance, message, where, count=MANY):
    """Claim that a share lies within five standard deviations of its chance."""
    spread = 5 * np.sqrt(chance * (1 - chance) / count)
    that(
        abs(share - chance) <= spread,
        message,
        expected=f"a share of {chance:.3g}, give or take {spread:.2g}",
        yours=f"{share:.3g}",
        where=where,
    )


def test_greedy_without_exploration(answer):
    """With epsilon 0 every robot takes the best action of its own state."""
    for states in ([3], [5, 0, 7, 7, 11], [11] * 4, np.arange(12), np.arange(12)[::-1]):
        states = np.asarray(states)
        equal(
            picked(answer, Q, states, 0.0),
            Q[states].argmax(axis=1),
            "with epsilon 0 nobody explores, and robot n takes the action with the largest of "
            "`q[states[n]]`: look up the rows by `states`, and compare the four actions of a row",
            where=f"12 states, no ties; robots in states {states.tolist()}",
        )


def test_close_values_are_no_ties(answer):
    """Only equal values are a tie, however close others come."""
    q = np.full((3, 4), 5.0)
    q[[0, 1, 2], [2, 0, 3]] += 1e-9
    states = np.arange(300) % 3
    equal(
        picked(answer, q, states, 0.0),
        np.array([2, 0, 3])[states],
        "values that differ by little are no tie: noise that is added to `q` changes which action "
        "is the best",
        where="three states, one action better by 1e-9",
    )


def test_ties_are_broken_at_random(answer):
    """Actions that share the largest value are equally likely, and no other is taken."""
    q = np.array([[0.0, 0, 0, 0], [-7, -2, -9, -2], [4, 4, 1, 4], [-1, -1, -1, -3]])
    for state, best in enumerate([(0, 1, 2, 3), (1, 3), (0, 1, 3), (0, 1, 2)]):
        actions = picked(answer, q, np.full(MANY, state), 0.0, seed=state)
        for action in range(4):
            share = np.mean(actions == action)
            where = f"{MANY} robots in a state with values {q[state].tolist()}, action {action}"
            if action in best:
                about(
                    share,
                    1 / len(best),
                    "these actions share the largest value: each must be equally likely. `argmax` "
                    "alone always takes the first, and every robot breaks its own tie",
                    where,
                )
            else:
                that(share == 0, "with epsilon 0, an action that is not the best", where=where)


def test_explores_as_often_as_asked(answer):
    """With probability epsilon a robot acts at random, and then every action is possible."""
    states = np.arange(MANY) % 12
    best = Q[states].argmax(axis=1)
    for epsilon in (0.2, 0.5, 0.9):
        actions = picked(answer, Q, states, epsilon, seed=int(10 * epsilon))
        about(
            np.mean(actions == best),
            1 - epsilon + epsilon / 4,
            "each robot explores with probability epsilon, by a draw of its own; a random action "
            "is the best one in one case of four",
            f"{MANY} robots, epsilon {epsilon}: the share that takes the best action",
        )


def test_random_actions_are_equally_likely(answer):
    """A robot that explores takes each of the four actions equally often, in every state."""
    for epsilon in (1.0, 0.4):
        for state in (0, 7):
            actions = picked(answer, Q, np.full(MANY, state), epsilon, seed=state)
            for action in range(4):
                about(
                    np.mean(actions == action),
                    epsilon / 4 + (1 - epsilon) * (action == Q[state].argmax()),
                    "a robot that explores takes one of all four actions, equally likely, the best "
                    "one included; whether it explores says nothing of which",
                    f"{MANY} robots in one state, epsilon {epsilon}, action {action} (the best is "
                    f"{Q[state].argmax()})",
                )


def python_events(call):
    """How many lines, calls and returns of Python run while something is called."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def test_no_loop_over_robots(answer):
    """2,000 robots take as many lines of Python as 20."""
    few, many = (
        python_events(lambda n=n: picked(answer, Q, np.arange(n) % 12, 0.3)) for n in (20, 2_000)
    )
    that(
        many < few + 500,
        "Python goes through the robots one by one, which takes longer with every robot: work out "
        "both answers for all of them, and choose with `np.where`",
        expected=f"about {few} lines of Python, as with 20 robots",
        yours=f"{many} lines of Python with 2,000 robots",
    )


def test_robots_decide_one_by_one(answer):
    """Robots in one state do not all do the same, and do not follow each other."""
    actions = picked(answer, Q, np.full(MANY, 4), 0.5, seed=6)
    explored = actions != Q[4].argmax()  # with probability 3/8 each
    about(
        np.mean(explored[1:] & explored[:-1]),
        (3 / 8) ** 2,
        "neighbouring robots explore together: every robot needs draws of its own",
        f"{MANY} robots in one state, epsilon 0.5: the share of neighbours who both explore",
        count=MANY / 3,  # pairs overlap
    )


def test_draws_come_from_the_generator(answer):
    """The same generator state gives the same actions; a generator goes on from call to call."""
    states = np.arange(400) % 12
    first = picked(answer, Q, states, 0.5, seed=21)
    equal(
        picked(answer, Q, states, 0.5, seed=21),
        first,
        "two generators with the same seed give different actions: some draw does not come from "
        "`rng`",
        where="400 robots, epsilon 0.5, default_rng(21) twice",
    )
    rng = np.random.default_rng(21)
    calls = [picked(answer, Q, states, 0.5, rng=rng) for _ in range(2)]
    that(
        not np.array_equal(*calls),
        "two calls with one generator give the same actions: draw from the `rng` that you are "
        "given, and do not make or seed another",
        where="400 robots, epsilon 0.5, two calls",
    )
    tied = [picked(answer, np.zeros((2, 4)), states % 2, 0.0, seed=seed) for seed in (1, 1, 2)]
    equal(
        tied[1],
        tied[0],
        "ties are broken by draws that do not come from `rng`",
        where="400 robots, all values equal, epsilon 0, default_rng(1) twice",
    )
    that(
        not np.array_equal(tied[2], tied[0]),
        "ties are broken alike whatever the generator: draw from `rng`",
        where="400 robots, all values equal, epsilon 0, default_rng(1) and default_rng(2)",
    )


def test_global_generators_untouched(answer):
    """`np.random` and `random` are left alone."""
    before = np.random.get_state()[1].tolist(), np.random.get_state()[2], random.getstate()
    picked(answer, Q, np.arange(12), 0.5)
    after = np.random.get_state()[1].tolist(), np.random.get_state()[2], random.getstate()
    that(before == after, "your code draws from `np.random` or `random`: all draws come from `rng`")
