"""Exercise 12.2: V-trace."""

import warnings

import numpy as np

from burgerbot.course.claims import array_like, close, equal, instance, that

GAMMA = 0.5


def column(*numbers):
    """Float64 [T, 1]."""
    return np.array(numbers, dtype=np.float64)[:, None]


def flags(*numbers):
    """Bool [T, 1]."""
    return np.array(numbers, dtype=bool)[:, None]


NO = flags(0, 0, 0)


def judged(answer, arrays, where, gamma=GAMMA, **bounds):
    """The learner's (A, targets), of the right kind, nothing written into."""
    given = [array.copy() for array in arrays]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = answer.vtrace(*given, gamma, **bounds)
    for name, before, after in zip(
        ("log_ratios", "rewards", "values", "next_values", "terminated", "truncated"),
        arrays,
        given,
        strict=True,
    ):
        that(
            np.array_equal(before, after),
            f"`{name}` was written into: it belongs to the caller",
            where=where,
        )
    instance(got, (tuple, list), "return two arrays: (A, targets)", where=where)
    equal(len(got), 2, "return two arrays: (A, targets)", where=where)
    for array in got:
        array_like(array, arrays[1].shape, np.float64, where=where)
    return got


def random_case(seed, steps=7, robots=3, ends=True):
    """Random rows [T, N]; ratios from a fifth to five."""
    rng = np.random.default_rng(seed)
    shape = (steps, robots)
    numbers = [rng.uniform(-1.6, 1.6, shape), *(rng.normal(size=shape) for _ in range(3))]
    both = [rng.random(shape) < 0.2 if ends else np.zeros(shape, bool) for _ in range(2)]
    return [*numbers, *both]


def slow(log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar, c_bar):
    """Each target as a sum of later errors, by the product of the weights in between."""
    steps, robots = rewards.shape
    excess, advantages = np.zeros((2, steps, robots))
    for n in range(robots):
        rho = [min(rho_bar, np.exp(x)) for x in log_ratios[:, n]]
        c = [min(c_bar, np.exp(x)) for x in log_ratios[:, n]]
        worth = np.where(terminated[:, n], 0.0, next_values[:, n])
        error = rewards[:, n] + gamma * worth - values[:, n]
        for s in range(steps):
            product = 1.0
            for t in range(s, steps):
                excess[s, n] += product * rho[t] * error[t]
                if terminated[t, n] or truncated[t, n]:
                    break
                product *= gamma * c[t]
        for t in range(steps):
            goes_on = t + 1 < steps and not (terminated[t, n] or truncated[t, n])
            advantages[t, n] = rho[t] * (error[t] + gamma * (excess[t + 1, n] if goes_on else 0))
    return advantages, values + excess


def test_without_lag_it_is_the_n_step_return(answer):
    """Ratios of 1: rewards 1 2 4 and 8 at the end, discount 1/2: targets 4, 6, 8."""
    where = "log_ratios 0, rewards 1 2 4, values 3 -5 7, next values -5 7 8, gamma 0.5"
    arrays = [0 * column(1, 2, 4), column(1, 2, 4), column(3, -5, 7), column(-5, 7, 8), NO, NO]
    advantages, targets = judged(answer, arrays, where)
    that(
        not np.allclose(targets.ravel(), [3, -5, 7]),
        "nothing is added to the values: a log ratio of 0 is a ratio of `exp(0)`, which is 1",
        expected=[4, 6, 8],
        yours=targets.ravel().tolist(),
        where=where,
    )
    close(
        targets.ravel(),
        [4, 6, 8],
        "where both policies agree, the target is the n-step return: each reward, discounted, and "
        "the value at the end of the rollout. Check that targets are values + X, and that X[t + 1] "
        "is passed back with gamma, and return A first, the targets second",
        where=where,
    )
    close(
        advantages.ravel(),
        [1, 11, 1],
        "where both policies agree, A is the n-step return less the value",
        where=where,
    )


def test_rho_weighs_a_steps_own_error(answer):
    """One step that pi likes half as much counts half."""
    where = "one step, ratio 1/2, error 4"
    arrays = [np.log(column(0.5)), column(4), column(0), column(0), flags(0), flags(0)]
    advantages, targets = judged(answer, arrays, where)
    close(
        targets.ravel(),
        [2],
        "rho weighs the error in the target: the ratio is exp(log_ratios), pi / mu, and not its "
        "inverse, nor the logarithm itself",
        where=where,
    )
    close(advantages.ravel(), [2], "rho weighs the advantage as well", where=where)


def test_rho_is_cut_at_rho_bar(answer):
    """A ratio of 8 counts 1, or what rho_bar says."""
    arrays = [np.log(column(8)), column(4), column(0), column(0), flags(0), flags(0)]
    for bounds, expected in (({}, 4), ({"rho_bar": 3.0}, 12), ({"rho_bar": np.inf}, 32)):
        where = f"one step, ratio 8, error 4, {bounds or 'rho_bar 1'}"
        _, targets = judged(answer, arrays, where, **bounds)
        close(
            targets.ravel(),
            [expected],
            "rho is the smaller one of rho_bar and the ratio; nothing cuts it from below",
            where=where,
        )


def test_c_weighs_what_is_passed_back(answer):
    """Two steps: the second error reaches the first through gamma and c of the first."""
    arrays = [np.log(column(0.25, 1)), column(0, 8), 0 * column(1, 1), 0 * column(1, 1)]
    arrays += [flags(0, 0), flags(0, 0)]
    where = "ratios 1/4 and 1, errors 0 and 8, gamma 0.5"
    advantages, targets = judged(answer, arrays, where)
    close(
        targets.ravel(),
        [1, 8],
        "X[t + 1] is passed back with gamma times the c of step t: 0.5 * 0.25 * 8",
        where=where,
    )
    close(
        advantages.ravel(),
        [1, 8],
        "in A, what comes later is weighed by rho of step t, like the error",
        where=where,
    )


def test_c_and_rho_are_two_bounds(answer):
    """c is cut at c_bar, rho at rho_bar, and A knows no c."""
    arrays = [np.log(column(6, 6)), column(2, 8), 0 * column(1, 1), 0 * column(1, 1)]
    arrays += [flags(0, 0), flags(0, 0)]
    where = "ratios 6, errors 2 and 8, gamma 0.5, rho_bar 4, c_bar 2"
    advantages, targets = judged(answer, arrays, where, rho_bar=4.0, c_bar=2.0)
    close(
        targets.ravel(),
        [4 * 2 + 2 * 0.5 * 32, 32],
        "rho_bar cuts the weight of the error, c_bar the weight of what is passed back: two bounds",
        where=where,
    )
    close(
        advantages.ravel(),
        [4 * (2 + 0.5 * 32), 32],
        "A is rho * (error + gamma * X[t + 1]): what comes later is weighed by rho, and c has no "
        "part in it",
        where=where,
    )


def test_two_flags_two_masks(answer):
    """A termination takes the next value away; either flag cuts what is passed back."""
    arrays = [0 * column(1, 1), column(1, 1), 0 * column(1, 1), column(10, 10)]
    for name, terminated, truncated, expected in (
        ("terminated", flags(1, 0), flags(0, 0), 1),
        ("truncated", flags(0, 0), flags(1, 0), 6),
        ("both", flags(1, 0), flags(1, 0), 1),
    ):
        where = f"first step {name}; rewards 1, values 0, next values 10, gamma 0.5"
        _, targets = judged(answer, [*arrays, terminated, truncated], where)
        close(
            targets.ravel(),
            [expected, 6],
            "a termination takes `next_values` away, a truncation does not; and after either flag "
            "nothing is passed back from the next episode",
            where=where,
        )


def test_against_a_slow_sum(answer):
    """Random rows, ratios, flags and bounds; three robots that do not mix."""
    for seed, (rho_bar, c_bar) in enumerate(((1.0, 1.0), (2.0, 0.7), (0.6, 3.0), (np.inf, 1.0))):
        arrays = random_case(seed)
        where = f"random rows [7, 3], rho_bar {rho_bar}, c_bar {c_bar}"
        expected = slow(*arrays, 0.9, rho_bar, c_bar)
        got = judged(answer, arrays, where, gamma=0.9, rho_bar=rho_bar, c_bar=c_bar)
        for name, mine, theirs in zip(("A", "the targets"), got, expected, strict=True):
            close(
                mine,
                theirs,
                f"{name} differ from the sum over later errors: does each robot's column stay its "
                "own, and does every row use the weights of its own step?",
                where=where,
            )
