"""Exercise 05.2: the speed-up of processes, and the step cost where it begins."""

import math

import numpy as np

from burgerbot.course.claims import close, that


def tick_by_tick(step, message, n_envs, cores, kind):
    """The two times, by handing robots to cores one by one."""
    one_process = sum(step for _ in range(n_envs))
    parts = [0.0] * (cores if kind == "cpu" else n_envs)
    for robot in range(n_envs):
        parts[robot % len(parts)] += step
    return one_process, sum(message for _ in range(n_envs)) + max(parts)


def robots(n_envs, cores, kind):
    """The case in words."""
    return f'{n_envs} robots, {cores} cores, kind "{kind}"'


def even(answer, message, n_envs, cores, kind="cpu"):
    """The learner's break-even; a division by zero is told for what it is."""
    try:
        return answer.break_even_us(message, n_envs, cores, kind)
    except ZeroDivisionError:
        that(
            False,
            "where there are as many rounds as robots, processes save nothing, and no step cost is "
            "high enough: return math.inf before you divide by zero",
            expected="inf",
            yours="ZeroDivisionError",
            where=f"break_even_us: {robots(n_envs, cores, kind)}",
        )


def test_by_hand(answer):
    """Four robots of 100 us on two cores, messages of 25 us: 400 us against 100 + 200."""
    close(
        answer.speedup(100.0, 25.0, 4, 2),
        400 / 300,
        "one process takes 4 * 100 us; four take 4 messages of 25 us and 2 rounds of 100 us; the "
        "speed-up is the first divided by the second",
        where="speedup(100, 25, n_envs=4, cores=2)",
    )


def test_rounds_are_whole(answer):
    """Five robots on two cores need three rounds, and two robots on eight cores need one."""
    for n_envs, cores, rounds in ((5, 2, 3), (7, 3, 3), (2, 8, 1), (9, 4, 3)):
        close(
            answer.speedup(1000.0, 10.0, n_envs, cores),
            n_envs * 1000 / (n_envs * 10 + rounds * 1000),
            "rounds are whole: N / cores, rounded up; the last round takes as long as a full one, "
            "and no round is shorter than a step",
            where=f"speedup(1000, 10, ...): {robots(n_envs, cores, 'cpu')}",
        )


def test_messages_go_one_by_one(answer):
    """One notebook sends all the messages: they cost N times as much as one."""
    for n_envs in (3, 12):
        close(
            answer.speedup(50.0, 40.0, n_envs, n_envs),
            n_envs * 50 / (n_envs * 40 + 50),
            "a message goes to each of N workers, one after the other: N * message, and there are "
            "none in one process",
            where=f"speedup(50, 40, ...): {robots(n_envs, n_envs, 'cpu')}",
        )


def test_waiting_needs_no_core(answer):
    """Robots that wait all wait at once, on however few cores."""
    for n_envs, cores in ((6, 1), (6, 4), (3, 64)):
        close(
            answer.speedup(900.0, 30.0, n_envs, cores, "sleep"),
            n_envs * 900 / (n_envs * 30 + 900),
            'steps of kind "sleep" need no core: one round, whatever the number of cores',
            where=f"speedup(900, 30, ...): {robots(n_envs, cores, 'sleep')}",
        )


def test_heavy_steps_gain_no_more_than_the_cores(answer):
    """For very heavy steps, only N / rounds is left of the formula; for free steps, nothing is."""
    for n_envs, cores, kind, most in (
        *((64, 8, "cpu", 8), (10, 4, "cpu", 10 / 3)),
        *((64, 8, "sleep", 64), (3, 1, "cpu", 1)),
    ):
        close(
            answer.speedup(1e12, 60.0, n_envs, cores, kind),
            most,
            "for very heavy steps the messages do not matter: the speed-up is N / rounds",
            where=f"speedup(1e12, 60, ...): {robots(n_envs, cores, kind)}",
            tolerance=1e-4,
        )
    close(answer.speedup(0.0, 60.0, 5, 3), 0.0, "steps that cost nothing leave only the messages")


def test_against_a_slow_count(answer):
    """Random machines: the formula agrees with robots handed to cores one by one."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        step, message = rng.uniform(0.1, 5000.0), rng.uniform(1.0, 200.0)
        n_envs, cores = int(rng.integers(1, 40)), int(rng.integers(1, 20))
        kind = ("cpu", "sleep")[rng.integers(2)]
        one, many = tick_by_tick(step, message, n_envs, cores, kind)
        close(
            answer.speedup(step, message, n_envs, cores, kind),
            one / many,
            "the speed-up is the time of one process divided by the time of N processes",
            where=f"step {step:.1f} us, message {message:.1f} us, {robots(n_envs, cores, kind)}",
        )


def test_break_even_by_hand(answer):
    """Four robots on two cores, messages of 25 us: 4 s = 4 * 25 + 2 s, so s = 50."""
    for n_envs, cores, kind, expected in (
        *((4, 2, "cpu", 50.0), (5, 2, "cpu", 62.5), (4, 8, "cpu", 100 / 3)),
        *((4, 2, "sleep", 100 / 3), (2, 1, "sleep", 50.0)),
    ):
        close(
            even(answer, 25.0, n_envs, cores, kind),
            expected,
            "at the break-even both take equally long: N * step = N * message + rounds * step",
            where=f"break_even_us(25, ...): {robots(n_envs, cores, kind)}",
        )


def test_sometimes_processes_never_pay(answer):
    """One core that computes, or a single robot: no step cost is high enough."""
    for n_envs, cores, kind in ((4, 1, "cpu"), (1, 8, "cpu"), (1, 1, "sleep")):
        found = even(answer, 25.0, n_envs, cores, kind)
        where = f"break_even_us(25, ...): {robots(n_envs, cores, kind)}"
        that(
            found is not None,
            "no step cost is high enough, and that is a number too: return math.inf. None cannot "
            "be compared with a step cost, nor printed as one",
            expected="inf",
            yours="None",
            where=where,
        )
        close(
            found,
            math.inf,
            "where there are as many rounds as robots, processes save nothing, and no step cost is "
            "high enough: return math.inf",
            where=where,
        )


def test_break_even_is_where_the_speedup_is_one(answer):
    """The two functions agree: at the break-even the speed-up is 1."""
    rng = np.random.default_rng(6)
    for _ in range(40):
        message, kind = rng.uniform(1.0, 200.0), ("cpu", "sleep")[rng.integers(2)]
        n_envs, cores = int(rng.integers(2, 40)), int(rng.integers(2, 20))
        step = even(answer, message, n_envs, cores, kind)
        one, many = tick_by_tick(step, message, n_envs, cores, kind)
        close(
            one / many,
            1.0,
            "at the break-even both take equally long: N * step = N * message + rounds * step",
            where=f"message {message:.1f} us, {robots(n_envs, cores, kind)}: a step of {step:.1f}",
        )
