"""Seed families, rows counted one by one, intraclass correlation and effective samples."""

import doctest

import numpy as np
import pytest

from burgerbot.learn import accounting, evaluate
from burgerbot.learn.accounting import account, effective_samples, icc, seed_families
from burgerbot.learn.evaluation import Evaluation
from burgerbot.learn.rollout import collect
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv
from burgerbot.world.rules import FORWARD
from burgerbot.world.vector import BurgerBotVectorEnv


def families_of(rng, rho, families, size, mean=0.0, columns=()):
    """Values whose variance is 1, a share rho of it between families."""
    shared = rng.normal(size=(families, 1, *columns)) * np.sqrt(rho)
    own = rng.normal(size=(families, size, *columns)) * np.sqrt(1 - rho)
    return (mean + shared + own).reshape(-1, *columns), np.repeat(np.arange(families), size)


@pytest.mark.parametrize("rho", [0.0, 0.05, 0.3, 0.7, 0.95])
@pytest.mark.parametrize(("families", "size"), [(60, 4), (40, 10), (200, 2)])
def test_icc_is_the_known_one_within_its_standard_error(rho, families, size):
    """The mean of 200 estimates lies within 4 standard errors of rho, and they scatter as told."""
    rng = np.random.default_rng([int(100 * rho), families])
    found = [icc(*families_of(rng, rho, families, size, mean=50.0)) for _ in range(200)]
    effect = (1 - rho) * (1 + (size - 1) * rho)
    error = np.sqrt(2 / (size * (size - 1) * (families - 1))) * effect
    bias = 2 / families  # of a ratio of mean squares; falls with the number of families
    assert abs(np.mean(found) - rho) < 4 * error / np.sqrt(200) + bias * rho * (1 - rho)
    assert np.std(found) == pytest.approx(error, rel=0.3)


def test_icc_of_vectors_sums_the_squares_first():
    """A loud coordinate weighs more: not the mean of the coordinates' correlations."""
    rng = np.random.default_rng(3)
    loud, labels = families_of(rng, 0.5, 4000, 4)
    quiet, _ = families_of(rng, 0.0, 4000, 4)
    both = np.stack([3 * loud, quiet], axis=1)
    assert icc(both, labels) == pytest.approx(0.5 * 9 / 10, abs=0.02)
    assert icc(both[:, :, None], labels) == icc(both, labels)


def test_icc_is_a_slow_loop_on_families_of_different_sizes():
    """By the textbook's table of an analysis of variance, shuffled, with labels of any kind."""
    rng = np.random.default_rng(4)
    sizes = [1, 5, 2, 9, 3]
    groups = [list(rng.normal(i, 1.0, size=m)) for i, m in enumerate(sizes)]
    values = [x for group in groups for x in group]
    labels = [("open", i) for i, m in enumerate(sizes) for _ in range(m)]
    grand, total = sum(values) / len(values), len(values)
    between = sum(len(g) * (sum(g) / len(g) - grand) ** 2 for g in groups) / (len(groups) - 1)
    within = sum((x - sum(g) / len(g)) ** 2 for g in groups for x in g) / (total - len(groups))
    size = (total - sum(m * m for m in sizes) / total) / (len(groups) - 1)
    expected = (between - within) / (between + (size - 1) * within)
    order = rng.permutation(total)
    found = icc([values[i] for i in order], [labels[i] for i in order])
    assert found == pytest.approx(expected)
    assert icc(1e8 + np.array(values), labels) == pytest.approx(expected, rel=1e-6)
    assert icc(np.array(values) * -7, labels) == pytest.approx(expected)


def test_icc_at_its_ends():
    """Copies 1; families alike in their means below 0; no variance at all NaN."""
    assert icc([3.0, 3, 5, 5, 5, 5], [0, 0, 1, 1, 2, 2]) == 1.0
    assert icc([1.0, -1, 1, -1], [0, 0, 1, 1]) == -1.0
    assert np.isnan(icc([2.0, 2, 2, 2], [0, 0, 1, 1]))
    assert evaluate.icc is icc and evaluate.effective_samples is effective_samples


@pytest.mark.parametrize(
    ("values", "families", "says"),
    [
        ([1.0, 2.0], [0, 0], r"two or more, .* families of \[2\]"),
        ([1.0, 2.0, 3.0], [0, 1, 2], r"families of \[1, 1, 1\]"),
        ([1.0, 2.0, 3.0], [0, 0], "expected 3 labels, got 2"),
        ([1.0, np.nan, 3.0], [0, 0, 1], "finite"),
        (1.0, [0], r"shape \(\)"),
    ],
)
def test_icc_refuses_what_it_cannot_tell(values, families, says):
    """Expected and got."""
    with pytest.raises(ValueError, match=says):
        icc(values, families)


@pytest.mark.parametrize("rho", [0.0, 0.1, 0.6, 1.0])
def test_effective_samples_is_what_the_mean_scatters_like(rho):
    """The variance of the mean of n values in families is 1 / effective samples, in the rough."""
    rng = np.random.default_rng(5)
    families, size = 8, 16
    means = [families_of(rng, rho, families, size)[0].mean() for _ in range(4000)]
    worth = effective_samples(families * size, size, rho)
    assert 1 / np.var(means) == pytest.approx(worth, rel=4 * np.sqrt(2 / 4000))


def test_effective_samples_by_hand():
    """98,304 values in one family, in 128 and alone."""
    assert effective_samples(98_304, 98_304, 1.0) == 1.0
    assert effective_samples(128, 1, 0.7) == 128.0
    assert effective_samples(128, 16, 0.2) == pytest.approx(32.0)
    assert effective_samples(4, 2, -0.5) == 8.0
    assert np.isnan(effective_samples(4, 2, float("nan")))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((0, 2, 0.5), "n: expected a number above 0, got 0"),
        ((4, 0.5, 0.5), "family_size: expected 1 or more"),
        ((4, 3, 1.1), r"from above -0\.5 to 1, got 1\.1"),
        ((4, 3, -0.5), r"from above -0\.5"),
        ((4, 1, 2.0), "1 or less"),
    ],
)
def test_effective_samples_out_of_range(arguments, says):
    """Expected and got."""
    with pytest.raises(ValueError, match=says):
        effective_samples(*arguments)


def test_pools_have_nothing_in_common():
    """Distinct within and between pools, and between neighbouring seeds."""
    pools = [seed_families(s, training=128, open=32, greasy=32) for s in range(6)]
    drawn = [seed for pool in pools for part in pool.values() for seed in part]
    assert len(set(drawn)) == len(drawn) == 6 * 192
    assert all(type(seed) is int and 0 <= seed < 2**53 for seed in drawn)
    assert list(pools[0]) == ["training", "open", "greasy"]


def test_a_larger_pool_begins_with_the_smaller_one():
    """Also when another pool grows, and the same call repeats itself."""
    few = seed_families(7, training=3, evaluation=5)
    many = seed_families(7, training=9, evaluation=5)
    assert many["training"][:3] == few["training"] and many["evaluation"] == few["evaluation"]
    assert seed_families(7, training=3, evaluation=5) == few


def test_pools_without_seeds():
    """Expected and got."""
    with pytest.raises(ValueError, match=r"pools of 1 seed or more, got \{'training': 0\}"):
        seed_families(0, training=0)
    with pytest.raises(ValueError, match=r"got \{\}"):
        seed_families(0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_account_by_hand(mode):
    """Two corridors of one and three steps, a wall, and a robot that runs out of time."""
    kitchens = ["..>G", ">..G", "^..G", "G...>.."]
    kitchens = [kitchen.ljust(7, ".") for kitchen in kitchens]
    envs = BurgerBotVectorEnv(4, kitchens, max_episode_steps=3, autoreset_mode=mode)
    actions = np.array([FORWARD, FORWARD, FORWARD, 3])
    rollout, _ = collect(envs, lambda seen: actions, 12)
    found = account(rollout)
    assert found.rows == 48 and found.families == 4
    resets = 6 + 3 + 6 + 3 if mode == "NextStep" else 0
    assert found.transitions == 48 - resets
    ends = {True: (6, 3, 6, 3), False: (12, 4, 12, 4)}[mode == "NextStep"]
    assert found.reasons == {"delivered": ends[0] + ends[1], "crashed": ends[2], "timeout": ends[3]}
    assert found.episodes == sum(ends)
    assert found.distinct == 1 + 3 + 1 + 1
    together = account(rollout, families=["a"] * 4)
    assert together.families == 1 and together.distinct == 5  # two robots stand in one place


def test_account_tells_copies():
    """Robots of one family at one place count once, of two families twice; tensors are welcome."""
    torch = pytest.importorskip("torch")
    envs = BurgerBotVectorEnv(4, ">......G")
    rollout, _ = collect(envs, lambda seen: np.zeros(4, int), 5)
    assert account(rollout, families=[0, 0, 0, 0]).distinct == 5
    assert account(rollout, families=[0, 0, 1, 1]).distinct == 10
    tensors = type(rollout)(*(None if p is None else torch.as_tensor(p) for p in rollout))
    assert account(tensors) == account(rollout)
    with pytest.raises(ValueError, match="expected 4 labels, got 2"):
        account(rollout, families=[0, 1])


def test_account_of_one_kitchen_cannot_exceed_its_states_and_actions():
    """However many rows: one kitchen has 196 poses of four actions."""
    envs = BurgerBotKitchensVectorEnv(64, family=5, max_episode_steps=100)
    rng = np.random.default_rng(0)
    rollout, _ = collect(envs, lambda seen: rng.integers(4, size=64), 64)
    found = account(rollout, families=[5] * 64)
    assert found.rows == 4096 and found.distinct <= 196 * 4


def test_the_bootstrap_resamples_families():
    """Copies of one episode within families: the interval is that of the families alone."""
    rng = np.random.default_rng(6)
    alone = rng.random((40, 1)) < 0.6
    crowd = np.repeat(alone, 25, axis=0)

    def success(delivered, families):
        shape = delivered.shape
        none = np.zeros(shape)
        return Evaluation(
            none, none.astype(int), none > 0, delivered, np.asarray(families), None, 0.95
        ).success

    apart = success(alone, np.arange(40))
    honest = success(crowd, np.repeat(np.arange(40), 25))
    naive = success(crowd, np.arange(1000))
    assert honest == apart
    assert (naive.high - naive.low) * 4 < honest.high - honest.low
    assert (honest.high - honest.low) / 4 == pytest.approx(alone.std() / np.sqrt(40), rel=0.1)


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(accounting).failed == 0
