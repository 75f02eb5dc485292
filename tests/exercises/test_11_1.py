"""Exercise 11.1: the stationary distribution of a policy and its average reward."""

import numpy as np

from burgerbot.course.claims import array_like, close, equal, that


def earned(answer, transition, reward, where):
    """The learner's shares and rho, checked for shape and kind."""
    got = answer.average_reward(np.array(transition), np.array(reward))
    that(
        isinstance(got, tuple) and len(got) == 2,
        "return two things: the shares and rho",
        expected="(share, rho)",
        yours=type(got).__name__,
        where=where,
    )
    share, rho = got
    array_like(share, (len(reward),), np.float64, where=f"share, {where}")
    that(
        np.shape(rho) == (),
        "rho is one number",
        expected="a number",
        yours=np.shape(rho),
        where=where,
    )
    return share, rho


def random_chain(rng, states):
    """A chain of any chance, rows that sum to 1 and columns that do not."""
    return rng.dirichlet(np.full(states, 0.4), size=states)


def test_two_states_by_hand(answer):
    """From state 0 it stays or leaves, from state 1 it always returns: two thirds, one third."""
    transition = [[0.5, 0.5], [1.0, 0.0]]
    where = "transition [[0.5, 0.5], [1, 0]], reward [3, 0]"
    share, rho = earned(answer, transition, [3.0, 0.0], where)
    close(
        share.sum(),
        1.0,
        "shares of the time sum to 1: the flow equations alone leave their size open",
        where=where,
    )
    off = abs(share[0] - 2 / 3)
    that(
        off < 1e-6 or off > 0.05,
        "near, but not exact: an average over a walk, over the first steps or over discounted "
        "visits never is; the equations have an exact solution",
        expected=[2 / 3, 1 / 3],
        yours=share,
        where=where,
    )
    close(
        share,
        [2 / 3, 1 / 3],
        "what flows into a state is what is there: `share[s2]` sums over the states s that lead to "
        "it, so the equations are those of `transition.T`",
        where=where,
    )
    close(
        rho, 2.0, "rho weights each state's reward by the share of steps spent there", where=where
    )


def test_loops(answer):
    """A loop is shared out evenly, although where the robot is never settles."""
    for states in (2, 3, 5):
        transition = np.roll(np.eye(states), 1, axis=1)
        reward = np.arange(states) ** 2.0
        where = f"a loop of {states} states, each leading to the next"
        share, rho = earned(answer, transition, reward, where)
        close(
            share,
            np.full(states, 1 / states),
            "in a loop the probabilities go round for ever and never settle, but each state gets "
            "the same share of the steps",
            where=where,
        )
        close(rho, reward.mean(), "the loop's rewards over its steps", where=where)


def test_states_left_for_good(answer):
    """A state that is never visited again has no share, wherever the robot began."""
    transition = np.zeros((5, 5))
    transition[0, [0, 1]] = 0.5, 0.5
    transition[1, 2] = transition[2, 3] = transition[3, 4] = transition[4, 2] = 1.0
    where = "states 0 and 1 lead into the loop 2, 3, 4 and are never seen again"
    share, rho = earned(answer, transition, [100.0, 100.0, 3.0, 0.0, 6.0], where)
    close(
        share,
        [0, 0, 1 / 3, 1 / 3, 1 / 3],
        "in the long run nothing is left of where it began: states that are never visited again "
        "have share 0, and the loop is shared out evenly",
        where=where,
    )
    close(rho, 3.0, "rewards of states that are never visited again do not count", where=where)


def test_random_chains(answer):
    """What flows in is what is there, shares sum to 1, rho is the weighted sum."""
    rng = np.random.default_rng(111)
    for states in (1, 2, 4, 7, 23):
        transition, reward = random_chain(rng, states), rng.normal(size=states)
        where = f"a random chain of {states} states"
        share, rho = earned(answer, transition, reward, where)
        close(share.sum(), 1.0, "the shares must sum to 1", where=where)
        close(
            share @ transition,
            share,
            "what flows into a state is what is there: `share @ transition` must be `share`",
            where=where,
        )
        that(share.min() > -1e-9, "a share of the time is never negative", yours=share, where=where)
        close(
            rho,
            share @ reward,
            "rho weights each state's reward by the share of steps spent there: it is neither the "
            "mean over the states nor the reward of one of them",
            where=where,
        )


def test_long_walk(answer):
    """A robot that walks for a long time earns rho a step."""
    rng = np.random.default_rng(112)
    transition, reward = random_chain(rng, 4), np.array([0.0, 1.0, 5.0, -2.0])
    cumulated, state, total = transition.cumsum(axis=1), 0, 0.0
    for draw in rng.random(20_000):
        total += reward[state]
        state = min(int((draw >= cumulated[state]).sum()), 3)
    where = "20,000 simulated steps of a random chain"
    _, rho = earned(answer, transition, reward, where)
    close(
        rho, total / 20_000, "this is not what a long walk earns a step", where=where, tolerance=0.1
    )


def test_whole_number_rewards(answer):
    """Rewards may be whole numbers; shares are still fractions."""
    where = "transition [[0.5, 0.5], [1, 0]], whole-number rewards [2, 1]"
    _, rho = earned(answer, [[0.5, 0.5], [1.0, 0.0]], np.array([2, 1]), where)
    close(rho, 5 / 3, "rho weights each state's reward by its share", where=where)


def test_arguments_stay_as_they_are(answer):
    """Transition and reward are read, not changed."""
    rng = np.random.default_rng(113)
    transition, reward = random_chain(rng, 5), rng.normal(size=5)
    copies = transition.copy(), reward.copy()
    answer.average_reward(transition, reward)
    equal(transition, copies[0], "your function changed `transition`, which belongs to the caller")
    equal(reward, copies[1], "your function changed `reward`, which belongs to the caller")
