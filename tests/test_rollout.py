"""Rollouts and GAE: hand numbers, slow sums per episode, and single robots in a loop."""

import doctest
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from hypothesis import given, settings
from hypothesis import strategies as st

from burgerbot.learn import advantages as advantages_module
from burgerbot.learn import oracle
from burgerbot.learn import rollout as rollout_module
from burgerbot.learn.rollout import Carry, begin, collect, gae
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv
from burgerbot.world.rules import V1_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
KITCHENS = (">..G\n.O..", "...G\n>O..", "v.O.\n...G")  # 2x4; crashes and deliveries are near
LIMIT = 4
FACTORS = {"gamma": 0.9, "lam": 0.5}  # of the hand cases


def flags(*rows):
    """Bool [T, N]: one text a step, one character a robot."""
    return np.array([[mark == "1" for mark in row] for row in rows])


def column(*numbers):
    """Float64 [T, 1]."""
    return np.array(numbers, dtype=np.float64)[:, None]


NONE = flags("0", "0", "0", "0")


def hand_case(terminated=NONE, truncated=NONE, valid=None, lam=0.5):
    """Rewards 1, values 1 2 3 4, next values 2 3 4 5, gamma 0.9: the advantages."""
    return gae(
        column(1, 1, 1, 1),
        column(1, 2, 3, 4),
        column(2, 3, 4, 5),
        terminated,
        truncated,
        gamma=0.9,
        lam=lam,
        valid=valid,
    )[0].ravel()


def slow_gae(rewards, values, next_values, terminated, truncated, gamma, lam, valid):
    """Episode by episode, robot by robot: A_t is the sum of (gamma lam)^k delta_{t+k}."""
    result = np.zeros(rewards.shape)
    for n in range(rewards.shape[1]):
        for t in range(len(rewards)):
            k = t
            while k < len(rewards) and valid[k, n]:
                later = 0.0 if terminated[k, n] else next_values[k, n]
                delta = rewards[k, n] + gamma * later - values[k, n]
                result[t, n] += (gamma * lam) ** (k - t) * delta
                if terminated[k, n] or truncated[k, n]:
                    break
                k += 1
    return result


def random_rows(seed, steps=23, robots=5):
    """Random numbers and flags; values and next values have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    numbers = [rng.normal(size=(steps, robots)) * scale for scale in (1.0, 3.0, 3.0)]
    return numbers, [rng.random((steps, robots)) < p for p in (0.15, 0.15)]


@pytest.mark.parametrize(
    ("terminated", "truncated", "expected"),
    [
        ("0100", "0000", [1.35, -1.0, 2.275, 1.5]),  # terminated in the middle
        ("0000", "0100", [2.565, 1.7, 2.275, 1.5]),  # truncated: the sum ends, the future stays
        ("0100", "0100", [1.35, -1.0, 2.275, 1.5]),  # both at once: termination wins
        ("1000", "0000", [0.0, 2.72375, 2.275, 1.5]),  # in the first step
        ("0000", "1000", [1.8, 2.72375, 2.275, 1.5]),
        ("0001", "0000", [2.615625, 1.8125, 0.25, -3.0]),  # in the last step
        ("0000", "0001", [3.0256875, 2.72375, 2.275, 1.5]),  # as if the rollout ended there
        ("0000", "0000", [3.0256875, 2.72375, 2.275, 1.5]),
        ("1111", "0000", [0.0, -1.0, -2.0, -3.0]),  # episodes of one step
    ],
)
def test_gae_by_hand(terminated, truncated, expected):
    """Rewards 1, values 1 2 3 4, bootstrap 5, gamma 0.9, lambda 0.5."""
    assert hand_case(flags(*terminated), flags(*truncated)) == pytest.approx(expected, abs=1e-12)


def test_reset_rows_get_nothing_and_let_nothing_through():
    """NEXT_STEP: done in row 1, reset in row 2; whatever stands in that row is not read."""
    arguments = [
        column(1, 1, np.nan, 1),
        column(1, 2, 7, 4),
        column(2, 3, np.inf, 5),
        flags(*"0000"),
        flags(*"0100"),
    ]
    advantages, returns = gae(*arguments, **FACTORS, valid=flags(*"1101"))
    assert advantages.ravel() == pytest.approx([2.565, 1.7, 0.0, 1.5])
    assert returns.ravel() == pytest.approx([3.565, 3.7, 7.0, 5.5])
    # The first row of a rollout may be a reset row, and so may the last.
    assert hand_case(valid=flags(*"0111")) == pytest.approx([0.0, 2.72375, 2.275, 1.5])
    assert hand_case(flags(*"0010"), valid=flags(*"1110")) == pytest.approx(
        [1.8 + 0.45 * (1.7 - 0.45 * 2), 1.7 - 0.45 * 2, -2.0, 0.0]
    )


def test_next_values_after_a_termination_are_not_read():
    """A NaN from a critic that never saw a final observation stays out."""
    zeros, ends = np.zeros((2, 1)), flags("0", "1")
    later = column(1.0, np.nan)
    assert np.isfinite(gae(zeros, zeros, later, ends, ends, **FACTORS)).all()


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", ["numpy", "torch"])
@given(seed=st.integers(0, 10**6), gamma=st.floats(0, 1), lam=st.floats(0, 1))
@settings(max_examples=25, deadline=None)
def test_gae_is_the_sum_of_each_episode(mode, dtype, kind, seed, gamma, lam):
    """Random rows and flags, laid out as each mode does, against the slow sum per episode."""
    numbers, (terminated, truncated) = random_rows(seed)
    numbers = [array.astype(dtype) for array in numbers]
    valid = np.ones_like(terminated)
    if mode is NEXT_STEP:  # the row after a done is a reset row, which has no flag
        for t in range(1, len(valid)):
            valid[t] = ~(terminated[t - 1] | truncated[t - 1])
            terminated[t] &= valid[t]
            truncated[t] &= valid[t]
    arguments = [*numbers, terminated, truncated]
    expected = slow_gae(*arguments, gamma, lam, valid)
    mask = None if mode is not NEXT_STEP and seed % 2 else valid
    if kind == "torch":
        arguments = [torch.from_numpy(array) for array in arguments]
        mask = None if mask is None else torch.from_numpy(mask)
    advantages, returns = gae(*arguments, gamma=gamma, lam=lam, valid=mask)
    tolerance = 1e-3 if dtype is np.float32 else 1e-10
    assert str(advantages.dtype).endswith(np.dtype(dtype).name)
    assert str(returns.dtype) == str(advantages.dtype)
    assert np.asarray(advantages) == pytest.approx(expected, abs=tolerance)
    assert np.asarray(returns) == pytest.approx(expected + numbers[1], abs=tolerance)


def test_lambda_0_and_1():
    """Lambda 0: one-step TD errors. Lambda 1: the discounted return of the episode, minus V."""
    (rewards, values, _), (ends, _) = random_rows(5)
    ends[-1] = True
    never, later = np.zeros_like(ends), np.vstack([values[1:], values[:1]])
    one_step, _ = gae(rewards, values, later, ends, never, gamma=0.9, lam=0.0)
    assert one_step == pytest.approx(rewards + 0.9 * ~ends * later - values)
    whole, returns = gae(rewards, values, later, ends, never, gamma=0.9, lam=1.0)
    total = np.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        total = rewards[t] + 0.9 * ~ends[t] * total
        assert returns[t] == pytest.approx(total)
        assert whole[t] == pytest.approx(total - values[t])


def test_returns_are_advantages_plus_values_and_each_reward_stays_in_its_row():
    """CASES 47: distinct rewards, values 0, lambda 0."""
    zeros = column(0, 0, 0, 0)
    advantages, returns = gae(column(1, 2, 4, 8), zeros, zeros, NONE, NONE, gamma=0.9, lam=0.0)
    assert advantages.ravel().tolist() == returns.ravel().tolist() == [1, 2, 4, 8]
    assert advantages is not returns


def test_results_have_the_dtype_of_the_values():
    """Rewards of an env are float64, a critic's values float32; integers become float64."""
    rewards, ends = column(1, 1, 1, 1), NONE
    for values, expected in (
        (column(1, 2, 3, 4).astype(np.float32), np.float32),
        (column(1, 2, 3, 4).astype(np.int64), np.float64),
    ):
        results = gae(rewards, values, values, ends, ends, **FACTORS)
        assert [array.dtype for array in results] == [expected, expected]


def test_gae_leaves_its_arguments_alone_and_keeps_no_graph():
    """CASES 52: nothing that comes out leads back to the critic."""
    (rewards, values, later), (terminated, truncated) = random_rows(6)
    given = [rewards, values, later, terminated, truncated]
    copies = [array.copy() for array in given]
    results = gae(*given, **FACTORS, valid=~terminated)
    assert all(np.array_equal(a, b) for a, b in zip(given, copies, strict=True))
    assert not any(np.shares_memory(a, b) for a in results for b in given)
    weight = torch.ones(1, dtype=torch.float64, requires_grad=True)
    tensors = [torch.from_numpy(array) for array in given]
    tensors[1], tensors[2] = tensors[1] * weight, tensors[2] * weight
    assert not any(result.requires_grad for result in gae(*tensors, **FACTORS))


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"values": np.zeros(4)}, ValueError, r"values: expected shape \(4, 1\), got \(4,\)"),
        ({"rewards": np.zeros(4)}, ValueError, r"rewards: expected shape \(T, N\)"),
        ({"rewards": np.zeros((0, 1))}, ValueError, r"1 step or more, got \(0, 1\)"),
        ({"terminated": NONE.T}, ValueError, r"terminated: expected shape \(4, 1\), got \(1, 4\)"),
        ({"truncated": NONE * 1.0}, TypeError, "truncated: expected bool, got float64"),
        ({"valid": NONE * 1}, TypeError, "valid: expected bool, got int64"),
        ({"values": torch.zeros(4, 1)}, TypeError, "arrays or tensors throughout"),
        ({"gamma": 1.5}, ValueError, "gamma: expected a number from 0 to 1, got 1.5"),
        ({"lam": -0.1}, ValueError, "lam: expected a number from 0 to 1, got -0.1"),
    ],
)
def test_gae_says_what_is_wrong(changes, error, words):
    """Shapes, flags and factors: expected and got."""
    zeros = column(0, 0, 0, 0)
    arguments = {"rewards": zeros, "values": zeros, "next_values": zeros}
    arguments |= {"terminated": NONE, "truncated": NONE, **FACTORS, **changes}
    with pytest.raises(error, match=words):
        gae(**arguments)


class ByHand:
    """N scalar envs in a loop; each row as ``Rollout`` has it."""

    def __init__(self, mode, kitchens):
        self.mode, self.over = mode, [False] * len(kitchens)
        self.envs = [TimeLimit(BurgerBotEnv(kitchen), LIMIT) for kitchen in kitchens]
        self.seen = [env.reset()[0] for env in self.envs]

    def step(self, actions):
        """One row: seen, action, reward, both flags, what it led to, valid."""
        rows = []
        for i, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            seen = self.seen[i]
            if self.over[i]:  # only in NEXT_STEP
                self.seen[i], _ = env.reset()
                rows.append((seen, action, 0.0, False, False, self.seen[i], False))
                self.over[i] = False
                continue
            led_to, reward, terminated, truncated, _ = env.step(int(action))
            over, self.seen[i] = terminated or truncated, led_to
            if self.mode is NEXT_STEP:
                self.over[i] = over
            elif over:
                self.seen[i], _ = env.reset()
            rows.append((seen, action, reward, terminated, truncated, led_to, True))
        return [np.array(column) for column in zip(*rows, strict=True)]


def makers(kitchens):
    """Scalar envs for Gymnasium's vector envs."""
    return [lambda k=k: TimeLimit(BurgerBotEnv(k), LIMIT) for k in kitchens]


def fleet(backend, mode, kitchens):
    """The same robots in one of three vector envs."""
    if backend == "native":
        return BurgerBotVectorEnv(
            len(kitchens), kitchens, max_episode_steps=LIMIT, autoreset_mode=mode
        )
    kind = {"sync": SyncVectorEnv, "async": AsyncVectorEnv}[backend]
    return kind(makers(kitchens), autoreset_mode=mode)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(("backend", "robots"), [("native", 7), ("sync", 5), ("async", 2)])
def test_every_row_is_what_single_robots_do(mode, backend, robots):
    """Four rollouts in a row, cut anywhere: rows, mask and last observations, to the bit."""
    kitchens = [KITCHENS[i % 3] for i in range(robots)]
    envs, hand = fleet(backend, mode, kitchens), ByHand(mode, kitchens)
    rng, carry, ends = np.random.default_rng(8), None, 0
    try:
        for steps in (1, 6, 9, 14):
            tape = rng.choice(4, size=(steps, robots), p=[0.6, 0.15, 0.15, 0.1])
            rows = iter(tape)
            rollout, carry = collect(envs, lambda _, rows=rows: next(rows), steps, carry)
            expected = [np.stack(c) for c in zip(*map(hand.step, tape), strict=True)]
            for name, got, right in zip(rollout._fields, rollout, expected, strict=False):
                assert np.array_equal(got, right), (name, steps)
            ends += (rollout.terminated | rollout.truncated).sum()
            assert np.array_equal(carry.observations, hand.seen)
            assert carry.resetting.tolist() == hand.over
    finally:
        envs.close()
    assert ends > robots


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_advantages_of_single_robots_come_out_in_every_mode(mode):
    """Collect, mask, GAE: the same as summing each robot's episodes by hand."""
    kitchens = [KITCHENS[i % 3] for i in range(6)]
    rng = np.random.default_rng(9)
    worth = rng.normal(size=(2, 4, 4)) * 5  # a critic of the pose
    tape = rng.choice(4, size=(30, 6), p=[0.6, 0.15, 0.15, 0.1])
    rows = iter(tape)
    rollout, _ = collect(fleet("native", mode, kitchens), lambda _: next(rows), len(tape))
    values, later = (
        worth[tuple(np.moveaxis(o, -1, 0)[:3])]
        for o in (rollout.observations, rollout.next_observations)
    )
    ends = rollout.terminated, rollout.truncated
    advantages, _ = gae(rollout.rewards, values, later, *ends, **FACTORS, valid=rollout.valid)
    hand = ByHand(mode, kitchens)
    rows = [np.stack(c) for c in zip(*map(hand.step, tape), strict=True)]
    for n in range(6):
        episode, sums = [], []
        for t in range(len(tape)):
            seen, _, reward, terminated, truncated, led_to, valid = (c[t, n] for c in rows)
            if valid:
                future = 0.0 if terminated else worth[tuple(led_to[:3])]
                episode.append(reward + 0.9 * future - worth[tuple(seen[:3])])
            if terminated or truncated or t == len(tape) - 1:
                sums += [
                    sum(0.45**k * delta for k, delta in enumerate(episode[i:]))
                    for i in range(len(episode))
                ]
                episode = []
        assert advantages[rollout.valid[:, n], n] == pytest.approx(sums)
        assert not advantages[~rollout.valid[:, n], n].any()


@pytest.mark.parametrize("lam", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_exact_values_of_the_best_policy_leave_no_advantage(mode, lam):
    """On BurgerBot-v1 the best policy's steps are exactly as good as expected, cut or not."""
    model = oracle.model(compile_kitchen(CLASSIC), V1_REWARDS, shaping=1.0)
    values, q = oracle.value_iteration(model, 0.97)
    envs = gym.make_vec("BurgerBot-v1", 4, max_episode_steps=6, autoreset_mode=mode)

    def state(observations):
        return encode(CLASSIC, *np.moveaxis(observations, -1, 0)[:3])

    rollout, _ = collect(envs, lambda observations: q.argmax(1)[state(observations)], 40)
    assert (rollout.truncated & ~rollout.terminated).any()
    advantages, returns = gae(
        rollout.rewards,
        values[state(rollout.observations)],
        values[state(rollout.next_observations)],
        rollout.terminated,
        rollout.truncated,
        gamma=0.97,
        lam=lam,
        valid=rollout.valid,
    )
    assert np.abs(advantages).max() < 1e-8
    assert returns == pytest.approx(values[state(rollout.observations)])


def test_nothing_collected_keeps_a_graph_and_nothing_changes_later():
    """CASES 52, and arrays that are the caller's: tensors become arrays, later steps new ones."""
    weight = torch.ones(3, requires_grad=True)

    def policy(observations):
        observations[:] = 9  # a policy that spoils what it is given
        return torch.zeros(3, dtype=torch.int64), weight * -0.5, weight * 2

    envs = fleet("native", SAME_STEP, KITCHENS)
    rollout, carry = collect(envs, policy, 3)
    kept = [array.copy() for array in (*rollout, *carry)]
    collect(envs, policy, 5, carry)
    assert all(isinstance(array, np.ndarray) for array in rollout)
    assert all(np.array_equal(a, b) for a, b in zip(kept, (*rollout, *carry), strict=True))
    assert rollout.observations[0, 0, :3].tolist() == [0, 0, 1]
    assert rollout.log_probs.tolist() == [[-0.5] * 3] * 3
    assert rollout.values.tolist() == [[2.0] * 3] * 3
    for n in range(3):
        np.testing.assert_array_equal(
            rollout.observations[1:, n][0], rollout.next_observations[0, n]
        )


def test_shapes_and_dtypes_of_a_rollout():
    """Time first, then robots; each array in the dtype of its source."""
    envs = BurgerBotKitchensVectorEnv(3, family=[1, 2, 3])
    rollout, carry = collect(envs, lambda o: np.zeros(3, dtype=np.int32), 4, begin(envs, seed=1))
    assert isinstance(carry, Carry)
    shapes = {
        name: (array.shape, str(array.dtype))
        for name, array in rollout._asdict().items()
        if array is not None
    }
    assert shapes == {
        "observations": ((4, 3, 28), "float32"),
        "actions": ((4, 3), "int32"),
        "rewards": ((4, 3), "float64"),
        "terminated": ((4, 3), "bool"),
        "truncated": ((4, 3), "bool"),
        "next_observations": ((4, 3, 28), "float32"),
        "valid": ((4, 3), "bool"),
    }


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (lambda o: (np.zeros(2, int), np.zeros(2)), "got a tuple of 2"),
        (lambda o: np.zeros((1, 2), int), r"actions: expected shape \(2, ...\), got \(1, 2\)"),
        (lambda o: (np.zeros(2, int), None, np.zeros((2, 1))), r"values: .* got \(2, 1\)"),
        (lambda o: (None, None, None), "got None"),
    ],
)
def test_collect_says_what_is_wrong_with_a_policy(policy, words):
    """A value [N, 1] would be broadcast later on: it is refused here."""
    with pytest.raises(ValueError, match=words):
        collect(BurgerBotVectorEnv(2, ">.G"), policy, 1)


def test_collect_refuses_other_things():
    """No step, no mode, observations that are no array."""
    envs = BurgerBotVectorEnv(2, ">.G")
    with pytest.raises(ValueError, match="steps: expected 1 or more, got 0"):
        collect(envs, lambda o: np.zeros(2, int), 0)
    envs.metadata = {}
    with pytest.raises(ValueError, match="autoreset_mode"):
        collect(envs, lambda o: np.zeros(2, int), 1)
    envs.reset = lambda **_: ({"a": 1}, {})
    with pytest.raises(TypeError, match="expected an array, got dict"):
        begin(envs)


def test_rollouts_need_neither_gymnasium_nor_torch():
    """A GPU machine with a bare PyTorch, and a worker without one, can use the module."""
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import burgerbot.learn.rollout; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_examples_in_the_docstrings():
    """The doctests run."""
    for module in (rollout_module, advantages_module):
        assert doctest.testmod(module).failed == 0
