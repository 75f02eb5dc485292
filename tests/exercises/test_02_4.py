"""Exercise 02.4: potential-based shaping."""

import numpy as np

from burgerbot.course.claims import close, equal, that
from burgerbot.learn import oracle
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import V1_REWARDS, compile_kitchen


def shaped(answer, phi, phi_next, terminated, truncated, gamma, where):
    """The learner's F, from copies of the inputs, with its shape checked."""
    given = [
        np.array(phi, dtype=np.float64),
        np.array(phi_next, dtype=np.float64),
        np.array(terminated, dtype=bool),
        np.array(truncated, dtype=bool),
    ]
    before = [array.copy() for array in given]
    got = answer.shaping(*given, gamma)
    that(
        all(np.array_equal(a, b) for a, b in zip(given, before, strict=True)),
        "your function changed its inputs: a potential set to 0 in place is gone for the caller "
        "too; use np.where, or a copy",
        where=where,
    )
    that(got is not None, "your code returned None: is a return missing?", where=where)
    message = "one F for each step: its shape is that of the arrays that were given"
    equal(np.shape(got), np.broadcast_shapes(*(a.shape for a in given)), message, where=where)
    return np.asarray(got, dtype=np.float64)


def test_a_step_in_mid_episode(answer):
    """In mid-episode F is gamma times the next potential, minus the present one."""
    for phi, phi_next, gamma, expected in (
        (-12.0, -11.0, 1.0, 1.0),
        (-12.0, -11.0, 0.5, 6.5),
        (-4.0, -4.0, 0.9, 0.4),
        (3.0, 5.0, 0.9, 1.5),
        (3.0, 5.0, 0.0, -3.0),
    ):
        where = f"phi(s) = {phi}, phi(s') = {phi_next}, gamma {gamma}, the episode goes on"
        got = shaped(answer, [phi], [phi_next], [False], [False], gamma, where)
        message = "F = gamma * phi(s') - phi(s): gamma belongs to the next potential only"
        if np.isclose(got[0], -expected):
            message += (
                ". Here the sign is the wrong way round: climbing, to a higher phi(s'), is paid"
            )
        close(got[0], expected, message, where=where)


def test_termination_has_no_potential(answer):
    """Where the episode terminates, the next potential is 0, and F is -phi(s)."""
    where = "phi(s) = -3, phi(s') = -7, gamma 0.9, terminated"
    got = shaped(answer, [-3.0], [-7.0], [True], [False], 0.9, where)
    close(
        got[0],
        3.0,
        "after the end nothing follows, so phi(s') counts as 0; phi(s) is still taken back: "
        "F = 0 - phi(s)",
        where=where,
    )


def test_truncation_keeps_the_potential(answer):
    """Where the episode is only truncated, the next potential counts as ever."""
    where = "phi(s) = -3, phi(s') = -7, gamma 0.9, truncated, not terminated"
    got = shaped(answer, [-3.0], [-7.0], [False], [True], 0.9, where)
    close(
        got[0],
        -3.3,
        "the step limit ends our watching, not the world: the robot still has its potential, so "
        "a truncated step is shaped like any other",
        where=where,
    )


def test_termination_wins(answer):
    """Where both flags are True, the world has ended the episode: the next potential is 0."""
    where = "phi(s) = 2, phi(s') = 5, gamma 0.9, terminated and truncated"
    got = shaped(answer, [2.0], [5.0], [True], [True], 0.9, where)
    close(got[0], -2.0, "with both flags True termination wins: phi(s') counts as 0", where=where)


def test_many_steps_at_once(answer):
    """Arrays of any shape work, each step by its own flags."""
    rng = np.random.default_rng(4)
    for shape in ((9,), (5, 3)):
        phi, phi_next = rng.normal(size=shape), rng.normal(size=shape)
        terminated, truncated = rng.random(shape) < 0.4, rng.random(shape) < 0.4
        where = f"random potentials and flags of shape {shape}, gamma 0.8"
        got = shaped(answer, phi, phi_next, terminated, truncated, 0.8, where)
        for index in np.ndindex(shape):
            after = 0.0 if terminated[index] else phi_next[index]
            close(
                got[index],
                0.8 * after - phi[index],
                "each step has its own flags; they must not leak to others",
                where=f"{where}, step {index}: terminated {terminated[index]}, "
                f"truncated {truncated[index]}",
            )


def test_an_episode_telescopes(answer):
    """Over an episode the discounted F add up to the ends alone: nothing is won on the way."""
    rng, gamma, steps = np.random.default_rng(7), 0.9, 12
    phi = rng.normal(size=steps + 1)
    last = np.arange(steps) == steps - 1
    never = np.zeros(steps, dtype=bool)
    weights = gamma ** np.arange(steps)
    for name, terminated, truncated, expected in (
        ("terminates", last, never, -phi[0]),
        ("is truncated", never, last, gamma**steps * phi[-1] - phi[0]),
    ):
        where = f"an episode of {steps} steps that {name}, gamma {gamma}"
        got = shaped(answer, phi[:-1], phi[1:], terminated, truncated, gamma, where)
        close(
            (weights * got).sum(),
            expected,
            "the sum of gamma^t F must not depend on the way taken, only on its ends",
            where=where,
        )


def test_the_best_policy_stays(answer):
    """A whole table of rewards, shaped by any potential: values shift by -phi, the best stays."""
    rules, gamma = compile_kitchen(Kitchen.from_ascii(">..O.\n.O..G")), 0.9
    plain = oracle.model(rules, V1_REWARDS)
    phi = np.random.default_rng(1).normal(scale=20, size=rules.num_states)
    where = "2 rows, 5 columns: phi [S, 1], phi_next [S, 4], a random potential"
    no_limit = np.zeros_like(plain.terminated)
    bonus = shaped(
        answer, phi[:, None], phi[plain.next_state], plain.terminated, no_limit, gamma, where
    )
    model = oracle.Model(plain.next_state, plain.reward + bonus, plain.terminated)
    values, _ = oracle.value_iteration(plain, gamma)
    shaped_values, _ = oracle.value_iteration(model, gamma)
    close(
        shaped_values,
        values - phi,
        "with shaped rewards every state must be worth its old value minus its own potential; "
        "only then is the best policy the same",
        where=where,
        tolerance=1e-5,
    )
