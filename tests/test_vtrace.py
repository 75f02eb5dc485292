"""V-trace: a slow sum of products, GAE where the policies agree, and the exact fixed point."""

import doctest
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from burgerbot.learn import vtrace as vtrace_module
from burgerbot.learn.advantages import gae
from burgerbot.learn.vtrace import vtrace

GAMMA = 0.9


def slow_vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, lam, rho_bar, c_bar, ok
):
    """Equation 1 as a double sum: each later error, by the product of what lies between."""
    steps, robots = rewards.shape
    targets, advantages = values.copy(), np.zeros_like(values)
    for n in range(robots):
        rho = [min(rho_bar, math.exp(x)) for x in log_ratios[:, n]]
        c = [lam * min(c_bar, math.exp(x)) for x in log_ratios[:, n]]
        error = [
            rewards[t, n] + gamma * (0 if terminated[t, n] else next_values[t, n]) - values[t, n]
            for t in range(steps)
        ]
        for s in range(steps):
            if not ok[s, n]:
                continue
            product, after = 1.0, 0.0
            for t in range(s, steps):
                if not ok[t, n]:
                    break
                targets[s, n] += product * rho[t] * error[t]
                if t > s:
                    after += product / (gamma * c[s]) * rho[t] * error[t] if c[s] else 0.0
                if terminated[t, n] or truncated[t, n]:
                    break
                product *= gamma * c[t]
            advantages[s, n] = rho[s] * (error[s] + gamma * lam * after)
    return advantages, targets


@st.composite
def cases(draw):
    """Random rows [T, N]: both flags, both at once, reset rows, ratios far from 1."""
    steps, robots = draw(st.integers(1, 7)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = (steps, robots)
    numbers = [rng.normal(size=shape) for _ in range(4)]
    ended = [rng.random(shape) < 0.2 for _ in range(2)]
    valid = rng.random(shape) < 0.8
    return [*numbers, *ended], valid, rng.uniform(0.2, 1.0), rng.uniform(0.3, 3.0, size=2)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_equals_a_slow_reference(case):
    """Any rows, flags, bounds and lambda: the double sum over the episode says the same."""
    arguments, valid, lam, (rho_bar, c_bar) = case
    factors = {"gamma": GAMMA, "lam": lam, "rho_bar": rho_bar, "c_bar": c_bar}
    expected = slow_vtrace(*arguments, *factors.values(), valid)
    found = vtrace(*arguments, **factors, valid=valid)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-10)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-10)


@settings(max_examples=50, deadline=None)
@given(cases())
def test_on_policy_it_is_gae(case):
    """The same policy, bounds of 1 or more: advantages and returns of GAE, for any lambda."""
    (_, *rest), valid, lam, _ = case
    same = np.zeros(rest[0].shape)
    found = vtrace(same, *rest, gamma=GAMMA, lam=lam, rho_bar=1.0, c_bar=2.0, valid=valid)
    expected = gae(*rest, gamma=GAMMA, lam=lam, valid=valid)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_on_policy_it_is_the_n_step_return():
    """Rewards 1 2 4, bootstrap 8, discount 0.5: 1 + 1 + 1 + 1, then 2 + 2 + 2, then 4 + 4."""
    rewards, values = np.array([[1.0], [2.0], [4.0]]), np.array([[3.0], [-5.0], [7.0]])
    later = np.array([[-5.0], [7.0], [8.0]])
    no = np.zeros((3, 1), dtype=bool)
    _, returns = vtrace(np.zeros((3, 1)), rewards, values, later, no, no, gamma=0.5)
    assert returns.ravel().tolist() == [4.0, 6.0, 8.0]


def test_hand_case_off_policy():
    """Ratios 1/2 and 4, cut at 1: the first step counts half, and passes half of the second on."""
    no = np.zeros((2, 1), dtype=bool)
    ratios, *numbers = np.array([[0.5, 4.0], [1.0, 1.0], [1.0, 2.0], [2.0, 3.0]])[:, :, None]
    advantages, returns = vtrace(np.log(ratios), *numbers, no, no, gamma=0.5)
    # errors 1 and 0.5; X = [0.5 * 1 + 0.5 * 0.5 * 0.5, 0.5]; A = [0.5 * (1 + 0.5 * 0.5), 0.5]
    assert returns.ravel().tolist() == [1.625, 2.5]
    assert advantages.ravel().tolist() == [0.625, 0.5]


def test_flags_are_two_masks():
    """A termination takes the future away; a truncation only ends the sum; both: it terminates."""
    row = np.array([[1.0], [1.0]])
    no, first = np.array([[False], [False]]), np.array([[True], [False]])
    arguments = (np.zeros((2, 1)), row, 0 * row, 10 * row)
    for terminated, truncated, expected in (
        (no, no, 1 + GAMMA * (1 + GAMMA * 10)),
        (no, first, 1 + GAMMA * 10),
        (first, no, 1.0),
        (first, first, 1.0),
    ):
        # next_values 10 and values 0 differ on purpose: an error of 10 more passes through
        got = vtrace(*arguments, terminated, truncated, gamma=GAMMA)[1][0, 0]
        if not (terminated | truncated).any():
            expected = 1 + GAMMA * 10 + GAMMA * (1 + GAMMA * 10)
        assert got == pytest.approx(expected)


def test_reset_rows_are_worth_nothing_whatever_stands_in_them():
    """NaN in an invalid row reaches nobody."""
    shape = (3, 1)
    rng = np.random.default_rng(3)
    arguments = [rng.normal(size=shape) for _ in range(4)]
    terminated = np.array([[True], [False], [False]])
    valid = np.array([[True], [False], [True]])
    arguments[0][1] = arguments[1][1] = arguments[3][1] = np.nan
    advantages, returns = vtrace(
        *arguments, terminated, np.zeros(shape, bool), gamma=GAMMA, valid=valid
    )
    assert np.isfinite(advantages).all() and np.isfinite(returns).all()
    assert advantages[1, 0] == 0.0 and returns[1, 0] == arguments[2][1, 0]


def test_extreme_ratios_do_not_overflow():
    """An action that one of the policies never takes gives weight 0 or the bound, not NaN."""
    logs = np.array([[-np.inf, 1e4, np.inf]])
    one, no = np.ones((1, 3)), np.zeros((1, 3), dtype=bool)
    with np.errstate(all="raise"):
        advantages, _ = vtrace(logs, one, 0 * one, one, no, no, gamma=0.5, rho_bar=2.0)
    assert advantages.tolist() == [[0.0, 3.0, 3.0]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_tensors_like_arrays(dtype):
    """Tensors in, tensors out, in the dtype of the values, without a graph."""
    rng = np.random.default_rng(0)
    numbers = [rng.normal(size=(5, 2)) for _ in range(4)]
    flags = [rng.random((5, 2)) < 0.3 for _ in range(2)]
    tensors = [torch.tensor(x, dtype=dtype, requires_grad=True) for x in numbers]
    found = vtrace(*tensors, *map(torch.tensor, flags), gamma=GAMMA, lam=0.7)
    expected = vtrace(*numbers, *flags, gamma=GAMMA, lam=0.7)
    for tensor, array in zip(found, expected, strict=True):
        assert tensor.dtype == dtype and not tensor.requires_grad
        np.testing.assert_allclose(tensor.numpy(), array, atol=1e-5)


def test_the_values_of_the_target_policy_are_its_fixed_point():
    """Without a bound on rho, the mean target at pi's own values is those values, whatever mu.

    With a bound of 1 it is so at the values of the policy min(mu, pi), normalized: remark 1.
    """
    rng = np.random.default_rng(1)
    pi, mu = rng.dirichlet(np.ones(3), size=4), rng.dirichlet(np.ones(3), size=4)
    after, reward = rng.integers(4, size=(4, 3)), rng.normal(size=(4, 3))

    def values_of(policy):
        step = np.zeros((4, 4))
        for state in range(4):
            np.add.at(step[state], after[state], policy[state])
        return np.linalg.solve(np.eye(4) - GAMMA * step, (policy * reward).sum(axis=1))

    clipped = np.minimum(mu, pi)
    for bound, policy in ((math.inf, pi), (1.0, clipped / clipped.sum(axis=1, keepdims=True))):
        exact = values_of(policy)
        for state in range(4):
            pushes = []
            for action in range(3):
                one = lambda x: np.array([[x]])  # noqa: E731
                _, target = vtrace(
                    one(np.log(pi[state, action] / mu[state, action])),
                    one(reward[state, action]),
                    one(exact[state]),
                    one(exact[after[state, action]]),
                    one(False),
                    one(False),
                    gamma=GAMMA,
                    rho_bar=bound,
                )
                pushes.append(target[0, 0] - exact[state])
            assert mu[state] @ pushes == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "change, error, message",
    [
        ({"gamma": 1.5}, ValueError, "gamma: expected a number from 0 to 1"),
        ({"lam": -0.1}, ValueError, "lam: expected a number from 0 to 1"),
        ({"rho_bar": 0.0}, ValueError, "rho_bar: expected a number above 0"),
        ({"c_bar": math.nan}, ValueError, "c_bar: expected a number above 0"),
        ({"log_ratios": np.zeros((3, 2))}, ValueError, r"log_ratios: expected shape \(2, 2\)"),
        ({"terminated": np.zeros((2, 2))}, TypeError, "terminated: expected bool"),
        ({"values": torch.zeros(2, 2)}, TypeError, "arrays or tensors throughout"),
    ],
)
def test_refuses_what_it_cannot_use(change, error, message):
    """Errors say what was expected and what came."""
    two, no = np.zeros((2, 2)), np.zeros((2, 2), dtype=bool)
    names = ("log_ratios", "rewards", "values", "next_values")
    arguments = dict.fromkeys(names, two) | {"terminated": no, "truncated": no, "gamma": GAMMA}
    with pytest.raises(error, match=message):
        vtrace(**(arguments | change))


def test_examples():
    """The examples in the docstrings hold."""
    assert doctest.testmod(vtrace_module).failed == 0
