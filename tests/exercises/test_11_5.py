"""Exercise 11.5: relative value iteration with waiting."""

import numpy as np

from burgerbot.course.claims import ClaimFailed, array_like, close, equal, that
from burgerbot.learn import oracle
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import V0_REWARDS, compile_kitchen
from burgerbot.world.two_counters import NEXT_PLACE, REWARD


def solved(answer, next_state, reward, where, **options):
    """The learner's gain and h; a RuntimeError where none is due is a failed claim."""
    try:
        got = answer.relative_value_iteration(next_state.copy(), reward.copy(), **options)
    except NotImplementedError:  # it is a RuntimeError too
        raise
    except RuntimeError as error:
        raise ClaimFailed(
            "this one settles, and your function gave up: with tau below 1 the changes of all "
            "states become the same number; compare their largest with their smallest",
            expected="(gain, h)",
            yours=f"RuntimeError: {error}",
            where=where,
        ) from None
    that(
        isinstance(got, tuple) and len(got) == 2,
        "return two things: the gain and h",
        expected="(gain, h)",
        yours=type(got).__name__,
        where=where,
    )
    gain, h = got
    that(np.shape(gain) == (), "the gain is one number", yours=np.shape(gain), where=where)
    array_like(h, (len(reward),), np.float64, where=f"h, {where}")
    return gain, h


def another(error, where):
    """The claim that fails where something else than RuntimeError is raised."""
    return ClaimFailed(
        "this is another error than was agreed on: whoever calls waits for a RuntimeError when "
        "nothing has settled, and takes any other error for a bug",
        expected="RuntimeError",
        yours=f"{type(error).__name__}: {error}",
        where=where,
    )


def random_world(seed, states=7, actions=3):
    """A world without chance in which every state can be reached: action 0 goes round."""
    rng = np.random.default_rng(seed)
    next_state = rng.integers(states, size=(states, actions))
    next_state[:, 0] = (np.arange(states) + 1) % states
    return next_state, rng.normal(size=(states, actions))


def best_loop(next_state, reward):
    """The best mean reward of any loop, by Karp's algorithm."""
    states = len(reward)
    best = np.full((states + 1, states), -np.inf)
    best[0, 0] = 0.0
    for k in range(states):
        for s, a in np.ndindex(reward.shape):
            there = next_state[s, a]
            best[k + 1, there] = max(best[k + 1, there], best[k, s] + reward[s, a])
    means = []
    for s in range(states):
        if np.isfinite(best[states, s]):
            earlier = [k for k in range(states) if np.isfinite(best[k, s])]
            means.append(min((best[states, s] - best[k, s]) / (states - k) for k in earlier))
    return max(means)


def test_one_state(answer):
    """A robot that can only stay, for 3 or for 5: the gain is 5."""
    where = "one state, two actions, rewards 3 and 5"
    for tau in (1.0, 0.5):
        gain, h = solved(
            answer, np.zeros((1, 2), dtype=int), np.array([[3.0, 5.0]]), where, tau=tau
        )
        close(
            gain,
            5.0,
            "the gain is the change of a sweep, taken *before* `new[0]` is subtracted, for the "
            "best action, and divided by tau",
            where=f"{where}, tau {tau}",
        )
        close(h, [0.0], "h of state 0 is 0", where=where)


def test_two_counters(answer):
    """0.4 a step, from loops whose rhythm must be broken."""
    where = "the two-counter kitchen, tau 0.5"
    gain, h = solved(answer, NEXT_PLACE, REWARD, where)
    close(
        gain,
        0.4,
        "the big loop pays 2 in 5 steps, without a discount; the gain is divided by tau, and read "
        "when the changes of *all* states agree",
        where=where,
    )
    close(h[0], 0.0, "h is relative to state 0: subtract `new[0]` from all of it", where=where)
    close(
        h[[0, 5, 6, 7, 8]],
        [0.0, 0.4, 0.8, 1.2, 1.6],
        "each step of the big loop brings the payment 0.4 nearer; only the gain is divided by tau",
        where=where,
    )


def test_tau_changes_nothing_in_the_end(answer):
    """The same gain and the same h for tau 0.1, 0.5 and 0.9."""
    next_state, reward = random_world(115)
    expected = best_loop(next_state, reward)
    for tau in (0.1, 0.5, 0.9):
        where = f"a random world of 7 states, tau {tau}"
        gain, h = solved(answer, next_state, reward, where, tau=tau)
        close(
            gain,
            expected,
            "waiting makes every sweep slower by tau, and dividing by tau undoes it",
            where=where,
        )
        close(
            expected + h,
            (reward + h[next_state]).max(axis=1),
            "gain plus h must be the best of reward plus h of the next state, whatever tau is",
            where=where,
        )


def test_the_plain_iteration_gives_up(answer):
    """With tau 1 the two counters never settle: RuntimeError, not an answer."""
    where = "the two-counter kitchen, tau 1, 300 sweeps"
    try:
        got = answer.relative_value_iteration(NEXT_PLACE.copy(), REWARD.copy(), tau=1.0, sweeps=300)
    except RuntimeError:
        return
    except Exception as error:
        raise another(error, where) from None
    raise ClaimFailed(
        "the rhythm of five never dies out with tau 1: after the last sweep raise RuntimeError, "
        "since what is there by then is no answer",
        expected="RuntimeError",
        yours=got,
        where=where,
    )


def test_too_few_sweeps(answer):
    """It gives up after `sweeps` sweeps, and not before."""
    where = "the two-counter kitchen, tau 0.5, 3 sweeps"
    try:
        answer.relative_value_iteration(NEXT_PLACE.copy(), REWARD.copy(), sweeps=3)
    except RuntimeError:
        pass
    except Exception as error:
        raise another(error, where) from None
    else:
        raise ClaimFailed(
            "three sweeps are not enough to settle to 1e-9: raise RuntimeError after `sweeps` "
            "sweeps, and stop only when the changes of *all* states agree",
            expected="RuntimeError",
            yours="an answer",
            where=where,
        )
    where = "one state that pays 5: settled in the very first sweep"
    gain, _ = solved(answer, np.zeros((1, 1), int), np.array([[5.0]]), where, sweeps=1)
    close(gain, 5.0, "one sweep is enough here", where=where)


def test_sweeps_are_counted(answer):
    """A world that settles in its second sweep: two sweeps are enough, and one is not."""
    next_state, reward = np.zeros((2, 1), dtype=int), np.array([[1.0], [4.0]])
    where = "two states that both lead to state 0, for 1 and for 4; tau 1, 2 sweeps"
    gain, h = solved(answer, next_state, reward, where, tau=1.0, sweeps=2)
    close(gain, 1.0, "in the end the robot stays in state 0, for 1 a step", where=where)
    close(h, [0.0, 3.0], "h is relative to state 0: how much more state 1 brings", where=where)
    where = where.replace("2 sweeps", "1 sweep")
    try:
        got = answer.relative_value_iteration(next_state.copy(), reward.copy(), tau=1.0, sweeps=1)
    except RuntimeError:
        return
    except Exception as error:
        raise another(error, where) from None
    raise ClaimFailed(
        "a sweep too many: `sweeps` is the largest number of sweeps, the first one included, and "
        "this world settles in its second",
        expected="RuntimeError",
        yours=got,
        where=where,
    )


def test_random_worlds(answer):
    """The best loop's mean reward, in worlds of unequal numbers of states and actions."""
    for seed, (states, actions) in enumerate(((2, 1), (3, 4), (6, 2), (9, 5))):
        next_state, reward = random_world(seed, states, actions)
        where = f"a random world of {states} states and {actions} actions"
        gain, h = solved(answer, next_state, reward, where)
        close(
            gain,
            best_loop(next_state, reward),
            "this is not the mean reward of the best loop",
            where=where,
        )
        close(h[0], 0.0, "h is relative to state 0: subtract `new[0]` from all of it", where=where)
        close(
            gain + h,
            (reward + h[next_state]).max(axis=1),
            "gain plus h must be the best of reward plus h of the next state, without a discount",
            where=where,
        )


def test_an_endless_kitchen(answer):
    """BurgerBot on a 3x5 kitchen that starts again: as much as the oracle says."""
    rules = compile_kitchen(Kitchen.from_ascii("v.O..\n....O\n.O..G"), endless=True)
    model = oracle.model(rules, V0_REWARDS)
    where = "the endless shift on a 3x5 kitchen"
    gain, h = solved(answer, model.next_state, model.reward, where)
    expected, bias, _ = oracle.relative_value_iteration(model)
    close(gain, expected, "this is not the best average reward", where=where)
    close(
        h,
        bias,
        "these are not the differential values relative to state 0",
        where=where,
        tolerance=1e-5,
    )


def test_arguments_stay_as_they_are(answer):
    """The world is read, not changed."""
    next_state, reward = random_world(5)
    copies = next_state.copy(), reward.copy()
    answer.relative_value_iteration(next_state, reward)
    equal(next_state, copies[0], "your function changed `next_state`, which belongs to the caller")
    equal(reward, copies[1], "your function changed `reward`, which belongs to the caller")
