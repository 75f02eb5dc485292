"""Exercise 11.4: ARPPO's advantages, without a discount and with resets inside the average."""

import numpy as np

from burgerbot.course.claims import array_like, close, equal, that
from burgerbot.learn import oracle
from burgerbot.learn.rollout import collect
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import V0_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv


def column(*numbers):
    """Float64 [T, 1]."""
    return np.array(numbers, dtype=np.float64)[:, None]


def judged(answer, rows, rho, lam, where, **cost):
    """The learner's advantages and returns, in shape and dtype of the values."""
    got = answer.differential_advantages(*(array.copy() for array in rows), rho, lam, **cost)
    that(
        isinstance(got, tuple) and len(got) == 2,
        "return two arrays: the advantages and the returns",
        expected="(advantages, returns)",
        yours=type(got).__name__,
        where=where,
    )
    values = rows[1]
    for name, array in zip(("advantages", "returns"), got, strict=True):
        array_like(array, values.shape, values.dtype, where=f"{name}, {where}")
    return got


def cycle(level=0.0):
    """Two states in turn, rewards 0 and 1, exact values -0.25 and 0.25."""
    values = column(-0.25, 0.25, -0.25, 0.25) + level
    led_to = np.roll(values, -1, axis=0)
    return [column(0, 1, 0, 1), values, led_to, np.zeros((4, 1), dtype=bool), np.zeros(1)]


def random_rows(seed, steps=8, robots=3):
    """Rewards, values, next values, terminations and reset values."""
    rng = np.random.default_rng(seed)
    numbers = [rng.normal(size=(steps, robots)) for _ in range(3)]
    return [*numbers, rng.random((steps, robots)) < 0.3, rng.normal(size=robots)]


def by_hand(rewards, values, next_values, terminated, reset_values, rho, lam, cost):
    """Forwards: the sum of lam**k times the k-th next delta, through every termination."""
    result = np.zeros(rewards.shape)
    for n in range(rewards.shape[1]):
        for t in range(len(rewards)):
            for k in range(t, len(rewards)):
                later, paid = next_values[k, n], rewards[k, n]
                if terminated[k, n]:
                    later, paid = reset_values[n], paid - cost
                result[t, n] += lam ** (k - t) * (paid - rho + later - values[k, n])
    return result


def test_exact_values(answer):
    """Two states in turn, everything exact: all advantages are 0."""
    where = "rewards 0 1 0 1, exact values -0.25 and 0.25, rho 0.5, lambda 0.9"
    got, _ = judged(answer, cycle(), 0.5, 0.9, where)
    close(
        got,
        np.zeros((4, 1)),
        "with exact rho and values no step is better than expected: delta is the reward less rho, "
        "plus the value of where it led, minus the value; `reset_values` count where a row "
        "terminated, and here none did",
        where=where,
    )


def test_rho_forgotten(answer):
    """With rho 0 in place of 0.5: 1.7195, 1.355, 0.95, 0.5."""
    where = "rewards 0 1 0 1, exact values -0.25 and 0.25, rho 0, lambda 0.9"
    got, _ = judged(answer, cycle(), 0.0, 0.9, where)
    close(
        got,
        column(1.7195, 1.355, 0.95, 0.5),
        "each delta is 0.5 here, with the rho that is handed in, and `A[t] = delta[t] + lam * "
        "A[t + 1]`, from the last row back; the returns are centred, the advantages are not",
        where=where,
    )


def test_the_level_of_the_values(answer):
    """A constant on all values changes neither advantages nor returns."""
    where = "exact values -0.25 and 0.25, and the same with 100 added; rho 0.3, lambda 0.9"
    first, second = (judged(answer, cycle(level), 0.3, 0.9, where) for level in (0.0, 100.0))
    close(
        second[0],
        first[0],
        "the level of the values must not matter: there is no gamma before `next_values`",
        where=f"advantages, {where}",
    )
    close(
        second[1],
        first[1],
        "the returns are centred, by the mean of the values, so that the level of the values "
        "cannot run away",
        where=f"returns, {where}",
    )


def test_a_termination_is_a_reset(answer):
    """It leads to the start: V of the start, and the sum goes on."""
    ends = np.array([[False], [True], [False]])
    rows = [column(1, 5, 1), column(2, 3, 4), column(3, 99, 6), ends, np.array([4.0])]
    where = "rewards 1 5 1, values 2 3 4, terminated in row 1, V of the start 4, rho 1, lambda 0.5"
    got = judged(answer, rows, 1.0, 0.5, where)[0][:, 0]
    close(
        got[2],
        2.0,
        "the row after the termination is a row like any other",
        where=f"{where}, row 2",
    )
    close(
        got[1],
        5.0 + 0.5 * 2.0,
        "after a termination the robot drives on from the start: its `reset_values` stand in for "
        "the next value, rho is taken from this row as well, and the sum goes on with the next row",
        where=f"{where}, row 1",
    )
    close(
        got[0], 1.0 + 0.5 * 6.0, "the sum goes on through the termination", where=f"{where}, row 0"
    )


def test_what_a_reset_costs(answer):
    """The cost is paid by the row that terminated, on top of its reward, and by no other."""
    ends = np.array([[False], [True], [False]])
    rows = [column(0, 0, 0), column(0, 0, 0), column(0, 0, 0), ends, np.zeros(1)]
    where = "all rewards and values 0, terminated in row 1, cost 8, rho 0, lambda 0.5"
    got, _ = judged(answer, rows, 0.0, 0.5, where, cost=8.0)
    close(
        got[:, 0],
        [-4.0, -8.0, 0.0],
        "a reset costs `cost` where the row terminated: it is subtracted, once",
        where=where,
    )


def test_each_robot_begins_at_its_own_start(answer):
    """`reset_values[n]` is robot n's, also where there are as many robots as steps."""
    rows = [np.zeros((3, 3)) for _ in range(3)] + [np.ones((3, 3), bool), np.array([1.0, 2.0, 4.0])]
    where = (
        "T = N = 3, all rewards and values 0, all rows terminated, V of the starts 1 2 4, lambda 0"
    )
    got, _ = judged(answer, rows, 0.0, 0.0, where)
    close(
        got,
        [[1.0, 2.0, 4.0]] * 3,
        "`reset_values` has one number a robot, not one a step",
        where=where,
    )


def test_random_rollouts(answer):
    """T and N of all sizes, robot by robot."""
    for seed, (steps, robots) in enumerate(((1, 1), (1, 4), (7, 1), (9, 5), (5, 9))):
        for rho, lam, cost in ((0.0, 0.0, 0.0), (0.4, 0.9, 0.0), (-1.0, 0.5, 3.0)):
            rows = random_rows(seed, steps, robots)
            where = f"random rows, T = {steps}, N = {robots}, rho {rho}, lambda {lam}, cost {cost}"
            got, returns = judged(answer, rows, rho, lam, where, cost=cost)
            close(
                got,
                by_hand(*rows, rho, lam, cost),
                "this is not the sum of the deltas that follow, each weighted by one more lambda; "
                "where a row led to is `next_values[t]`, which need not be `values[t + 1]`",
                where=where,
            )
            close(
                returns,
                got + rows[1] - rows[1].mean(),
                "the returns are advantages plus values, less *one* mean of the values over all "
                "robots and steps",
                where=where,
            )


def test_dtype_of_the_values(answer):
    """Rewards come as float64, a network's values as float32: the results are float32."""
    rows = random_rows(20)
    expected = by_hand(*rows, 0.2, 0.9, 0.0)
    rows[1], rows[2], rows[4] = (rows[i].astype(np.float32) for i in (1, 2, 4))
    where = "float64 rewards, float32 values"
    got, _ = judged(answer, rows, 0.2, 0.9, where)
    close(got, expected, "the numbers are wrong in float32", where=where, tolerance=1e-4)


def test_arrays_of_their_own(answer):
    """Advantages and returns are two arrays, and the arguments stay as they are."""
    names = ("rewards", "values", "next_values", "terminated", "reset_values")
    rows = random_rows(21)
    copies = [array.copy() for array in rows]
    advantages, returns = answer.differential_advantages(*rows, 0.2, 0.9, cost=2.0)
    that(
        not np.shares_memory(advantages, returns),
        "advantages and returns are one array: normalizing the one would change the other",
    )
    for name, array, copy in zip(names, rows, copies, strict=True):
        equal(array, copy, f"your function changed `{name}`, which belongs to the caller")


def test_the_best_policy_has_no_advantage(answer):
    """Exact rho and bias, episodes that end: all advantages are 0 on a 3x5 kitchen."""
    kitchen = Kitchen.from_ascii("v.O..\n....O\n.O..G")
    rules = compile_kitchen(kitchen)
    rho, bias, q = oracle.relative_value_iteration(
        oracle.model(rules, V0_REWARDS), start=rules.start, reset_cost=2.0
    )

    def state(observations):
        return encode(kitchen, *np.moveaxis(observations, -1, 0)[:3])

    envs = BurgerBotVectorEnv(2, kitchen, V0_REWARDS, autoreset_mode="SameStep")
    rollout, _ = collect(envs, lambda o: q.argmax(axis=1)[state(o)], 20)
    rows = [
        rollout.rewards,
        bias[state(rollout.observations)],
        bias[state(rollout.next_observations)],
        rollout.terminated,
        np.full(2, bias[rules.start]),
    ]
    where = "the best policy on a 3x5 kitchen, exact values, resets that cost 2"
    got, _ = judged(answer, rows, rho, 0.9, where, cost=2.0)
    close(
        got, np.zeros((20, 2)), "with exact values a best step is as good as expected", where=where
    )
