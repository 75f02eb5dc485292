"""Exercise 02.2: value iteration."""

import numpy as np

from burgerbot.course.claims import array_like, close, that
from burgerbot.learn import oracle
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import V0_REWARDS, compile_kitchen


def solved(answer, table, reward, gamma, where, **kwargs):
    """The learner's values and action values, with their shapes, given copies of the inputs."""
    given = np.array(table, dtype=np.int32), np.array(reward, dtype=np.float64)
    for array in given:  # `q = reward; q += ...` would add up for ever
        array.flags.writeable = False
    try:
        got = answer.value_iteration(*given, gamma, **kwargs)
    except ValueError as error:
        that(
            "read-only" not in str(error),
            "your function changed its inputs, or tried to; the caller still needs the table and "
            "the rewards. `q = reward` is a second name for one array: write `q = reward + ...`",
            yours=f"ValueError: {error}",
            where=where,
        )
        raise
    that(
        isinstance(got, (tuple, list)) and len(got) == 2,
        "return two arrays: the values and the action values",
        yours=type(got).__name__,
        where=where,
    )
    states = len(reward)
    array_like(got[0], (states,), np.float64, where=f"{where}: the values")
    array_like(got[1], (states, 4), np.float64, where=f"{where}: the action values")
    return got


def random_process(seed, states):
    """A table with random arrows and outcomes, and a reward for each entry."""
    rng = np.random.default_rng(seed)
    after = rng.integers(states, size=states * 4)
    outcome = rng.choice(4, p=[0.4, 0.4, 0.1, 0.1], size=states * 4)
    return (after << 2 | outcome).astype(np.int32), rng.normal(size=(states, 4))


def exact(table, reward, gamma):
    """The oracle's answer."""
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    return oracle.value_iteration(oracle.Model(after, reward, outcome >= 2), gamma)


def test_a_geometric_sum(answer):
    """One state that pays 2 for ever is worth 2 / (1 - gamma), and the best action decides."""
    table = np.array([0 << 2 | 1, 0, 0, 0])
    for gamma in (0.0, 0.5, 0.9):
        where = f"one state, rewards 2, -1, 0, 1, nothing ends, gamma {gamma}"
        values, q = solved(answer, table, [[2.0, -1.0, 0.0, 1.0]], gamma, where)
        best = 2 / (1 - gamma)
        that(
            not 3e-4 < best - values[0] < best / 50,
            "the loop stopped too early: it goes on until the largest change of a sweep is at most "
            "the tolerance that the function is given, 1e-8 if nothing is said",
            expected=best,
            yours=values[0],
            where=where,
        )
        that(
            gamma == 0 or not np.isclose(values[0], 2),
            "the value is that of one step only: after an idle step or a move (outcomes 0 and 1) "
            "the episode goes on, and gamma times the next value belongs to it",
            expected=best,
            yours=values[0],
            where=where,
        )
        close(
            values[0],
            best,
            "taking the best action for ever pays 2 + 2 gamma + 2 gamma^2 + ... = 2 / (1 - gamma)",
            where=where,
            tolerance=1e-4,
        )
        close(
            q[0],
            np.array([2.0, -1.0, 0.0, 1.0]) + gamma * best,
            "an action value is its own reward, then gamma times the best that can follow",
            where=where,
            tolerance=1e-4,
        )


def test_termination_cuts_the_bootstrap(answer):
    """After a crash or a delivery nothing follows: the value is the last reward alone."""
    # State 0: forward delivers, turning left crashes; both entries point at state 1, a rich one.
    table = np.array([1 << 2 | 3, 1 << 2 | 2, 0, 0] + [1 << 2 | 1] * 4)
    reward = [[5.0, -3.0, 0.0, 0.0], [100.0] * 4]
    where = "state 0: forward delivers (pays 5), turn_left crashes (pays -3)"
    _, q = solved(answer, table, reward, 0.9, where)
    that(
        not np.allclose(q[0, :2], 0),
        "the episode ends here, and yet its last step is paid: leave out what would *follow*, not "
        "the reward. The mask belongs around the next value alone",
        expected=[5.0, -3.0],
        yours=q[0, :2],
        where=where,
    )
    close(
        q[0, :2],
        [5.0, -3.0],
        "the episode ends here (outcome 2 or 3), so gamma times the next value must be left out",
        where=where,
        tolerance=1e-4,
    )


def test_rewards_belong_to_the_entry(answer):
    """The reward of taking action a in state s is `reward[s, a]`, not that of the next state."""
    table, reward = random_process(seed=3, states=6)
    values, q = solved(answer, table, reward, 0.0, "six states, random rewards, gamma 0")
    message = "with gamma 0 only the reward of this step counts: q[s, a] is reward[s, a]"
    close(q, reward, message, where="six states, random rewards, gamma 0")
    message = "a state is worth its best action: the maximum over the actions, not their mean"
    close(values, reward.max(axis=1), message, where="six states, random rewards, gamma 0")


def test_the_tolerance_decides_when_to_stop(answer):
    """No count of sweeps is right for all: the loop runs until no value moves any more."""
    for gamma in (0.9, 0.99, 0.997):
        where = f"one state that pays 1 for ever, gamma {gamma}, tolerance 1e-9"
        values, _ = solved(answer, np.zeros(4), np.ones((1, 4)), gamma, where, tolerance=1e-9)
        close(
            values[0],
            1 / (1 - gamma),
            "the loop stopped too early: it goes on until the largest change of a sweep is at "
            "most the tolerance, however many sweeps that takes",
            where=where,
            tolerance=1e-5,
        )


def test_the_news_reaches_every_state(answer):
    """On a line of twelve states, a reward at its far end is seen from all of them."""
    length, gamma = 12, 0.9
    for step, where in ((1, "to the right"), (-1, "to the left")):
        line = list(range(length))[::step]
        table, reward = np.zeros(length * 4, dtype=np.int32), np.zeros((length, 4))
        for state, after in zip(line, [*line[1:], line[-1]], strict=True):
            table[state * 4 : state * 4 + 4] = after << 2 | 1
        table[line[-1] * 4] = line[-1] << 2 | 3
        reward[line[-1]] = (1.0, -1.0, -1.0, -1.0)
        where = f"twelve states in a line {where}; the last one pays 1 and ends, gamma {gamma}"
        values, _ = solved(answer, table, reward, gamma, where)
        close(
            values[line],
            gamma ** np.arange(length - 1.0, -1.0, -1.0),
            "each sweep carries the news one state further; the loop stopped before it had come "
            "everywhere: look at the largest change in every state, not at one of them",
            where=where,
            tolerance=1e-4,
        )


def test_random_processes_against_the_exact_optimum(answer):
    """On random tables, of any number of states, the values are the exact optimum."""
    for seed, states, gamma in ((0, 7, 0.5), (1, 11, 0.9), (2, 30, 0.97)):
        table, reward = random_process(seed, states)
        values, q = exact(table, reward, gamma)
        where = f"{states} states with random arrows (seed {seed}), gamma {gamma}"
        got, got_q = solved(answer, table, reward, gamma, where)
        message = "v[s] = max_a q[s, a] with q[s, a] = reward[s, a] + gamma * v[next state]"
        close(got, values, message, where=where, tolerance=1e-4)
        message = "the action values must belong to the final values: one more look ahead"
        close(got_q, q, message, where=where, tolerance=1e-4)


def test_values_that_fall(answer):
    """Where every step costs something the values sink from 0, and the loop must follow them."""
    table = np.array([entry for s in range(5) for entry in ([min(s + 1, 4) << 2] * 4)])
    where = "a line of five states, every step pays -1, nothing ends, gamma 0.9"
    values, _ = solved(answer, table, np.full((5, 4), -1.0), 0.9, where)
    close(
        values,
        np.full(5, -10.0),
        "the loop stopped while the values still fell: a change counts in both directions, so "
        "compare its absolute value, in every state, with the tolerance",
        where=where,
        tolerance=1e-4,
    )


def test_the_classic_kitchen(answer):
    """In the classic kitchen, start and neighbours of the goal have their exact values."""
    rules = compile_kitchen(CLASSIC)
    reward = np.array(V0_REWARDS)[rules.table & 3].reshape(-1, 4)
    for gamma in (0.95, 0.99):
        where = f"the classic kitchen, rewards of v0, gamma {gamma}"
        values, q = solved(answer, rules.table, reward, gamma, where)
        message = "the value of the start is not the exact optimum"
        close(
            values[rules.start],
            exact(rules.table, reward, gamma)[0][rules.start],
            message,
            where=where,
            tolerance=1e-4,
        )
        close(
            q.max(axis=1),
            values,
            "the values are the maxima of the action values",
            where=where,
            tolerance=1e-4,
        )


def test_a_kitchen_that_is_not_square(answer):
    """In a kitchen of 2 rows and 5 columns every value is right as well."""
    rules = compile_kitchen(Kitchen.from_ascii(">..O.\n.O..G"))
    reward = np.array(V0_REWARDS)[rules.table & 3].reshape(-1, 4)
    where = "2 rows, 5 columns, rewards of v0, gamma 0.9"
    values, _ = solved(answer, rules.table, reward, 0.9, where)
    message = "the values must be in the order of the states, whatever the kitchen's shape"
    close(values, exact(rules.table, reward, 0.9)[0], message, where=where, tolerance=1e-4)
