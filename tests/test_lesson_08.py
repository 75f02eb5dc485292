"""What the text of lesson 08 claims beyond what its cells compute."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import oracle
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.rollout import collect, gae
from burgerbot.learn.sharing import GAMMA, SHARING, drive_groups, policy
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import FORWARD, STOP, V1_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv

SIZES, GROUPS = np.array([1, 2, 4, 8, 16, 32]), 200
SAME_STEP = AutoresetMode.SAME_STEP
POLICY = policy()


def gradients(robots, kind, seed, lam=0.95, groups=GROUPS):
    """One policy gradient from each group, ``[M, 8 * 4]``."""
    rows = drive_groups(groups, robots, kind, seed=seed)
    advantages, _ = gae(*rows[2:7], gamma=GAMMA, lam=lam)
    group = np.broadcast_to(np.arange(groups * robots) // robots, advantages.shape)
    gradient = np.zeros((groups, *POLICY.shape))
    np.add.at(gradient, (group, rows.situations, rows.actions), advantages)
    np.add.at(gradient, (group, rows.situations), -advantages[..., None] * POLICY[rows.situations])
    return gradient.reshape(groups, -1) / (len(advantages) * robots)


def noise(kind, seed, lam=0.95):
    """Total variance for each number of robots."""
    return np.array([gradients(n, kind, seed + n, lam).var(axis=0, ddof=1).sum() for n in SIZES])


def slope(variances):
    """Slope on logarithmic axes."""
    return np.polyfit(np.log(SIZES), np.log(variances), 1)[0]


@pytest.mark.parametrize("seed", [800, 0])
def test_noise_falls_as_one_over_n_only_without_sharing(seed):
    """Independent robots: slope -1 within 0.12. A shared kitchen: flatter. Copies: flat."""
    found = {kind: noise(kind, seed) for kind in SHARING}
    assert abs(slope(found["nothing"]) + 1) < 0.12
    assert -0.7 < slope(found["kitchen"]) < -0.35
    assert abs(slope(found["everything"])) < 0.12


@pytest.mark.slow
def test_slopes_over_many_seeds():
    """Ten measurements: their mean is -1, and they scatter by a few hundredths."""
    slopes = {k: [slope(noise(k, 1000 * s)) for s in range(2, 12)] for k in SHARING}
    assert abs(np.mean(slopes["nothing"]) + 1) < 0.03
    assert np.std(slopes["nothing"]) < 0.06
    assert max(slopes["nothing"]) < min(slopes["kitchen"]) - 0.2
    assert max(slopes["kitchen"]) < min(slopes["everything"]) - 0.2


def test_one_rho_describes_a_family():
    """sigma2 * ((1 - rho) / n + rho) fits the line of the shared kitchen within a third."""
    sigma2 = np.mean(SIZES * noise("nothing", 800))
    measured, part = noise("kitchen", 800), 1 - 1 / SIZES
    rho = np.sum((measured / sigma2 - 1 / SIZES) * part) / np.sum(part**2)
    assert 0.1 < rho < 0.2
    assert measured == pytest.approx(sigma2 * (part * rho + 1 / SIZES), rel=1 / 3)
    assert 4 < sigma2 / measured[-1] < 8  # 32 robots of one family


def test_the_family_flattens_and_does_not_end():
    """From 8 to 32 robots of a family the noise falls by far less than to a quarter."""
    measured = noise("kitchen", 800)
    assert measured[3] / measured[5] < 2.2


@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_the_slope_does_not_depend_on_lambda(lam):
    """Lambda moves the line, not its slope."""
    assert abs(slope(noise("nothing", 800, lam)) + 1) < 0.12


def test_single_robots_disagree_in_sign_and_sixteen_hardly():
    """The first five groups of the lesson: one robot each, and 16 robots each."""
    one, many = (gradients(n, "nothing", 8)[:5, 0] for n in (1, 16))
    assert one.min() < 0 < one.max()
    assert many.min() > 0


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_bad_step_stands_out_with_exact_values(mode):
    """Standing still in step 5: the only advantage that is not 0, and it is negative."""
    model = oracle.model(compile_kitchen(CLASSIC), V1_REWARDS, shaping=1.0)
    worth, q = oracle.value_iteration(model, 0.97)
    envs = gym.make_vec("BurgerBot-v1", 1, autoreset_mode=mode)
    plan = iter([0] * 5 + [[STOP]])
    drive, _ = collect(envs, lambda o: next(plan, 0) or q[encode(CLASSIC, *o.T[:3])].argmax(1), 15)
    assert drive.terminated[:, 0].tolist() == [False] * 14 + [True]
    now, led_to = (
        worth[encode(CLASSIC, *np.moveaxis(o, -1, 0)[:3])]
        for o in (drive.observations, drive.next_observations)
    )
    ends = drive.terminated, drive.truncated
    verdict, spread = (
        gae(drive.rewards, now, led_to, *ends, gamma=0.97, lam=x)[0] for x in (0, 0.95)
    )
    assert np.flatnonzero(abs(verdict) > 1e-6).tolist() == [5]
    assert verdict[5] < -1
    assert (spread[:6] < -0.5).all() and abs(spread[6:]).max() < 1e-6


def test_ignorant_values_praise_the_last_step_only_with_lambda_0():
    """Nine moves cost 0.1 each; with lambda 1 the first is praised too."""
    envs = BurgerBotVectorEnv(1, ">.........G", V1_REWARDS, autoreset_mode=SAME_STEP)
    rollout, _ = collect(envs, lambda o: np.array([FORWARD]), 10)
    zero, ends = np.zeros((10, 1)), (rollout.terminated, rollout.truncated)
    first, last = (
        gae(rollout.rewards, zero, zero, *ends, gamma=0.97, lam=x)[0] for x in (0.0, 1.0)
    )
    assert (first[:9] < 0).all() and first[9] == 50
    assert (last > 30).all()


def test_short_episodes_finish_first():
    """The first four to finish are all of the robot that needs one step."""
    envs = BurgerBotVectorEnv(2, [".........>G", ">.........G"])
    rollout, _ = collect(envs, lambda o: np.full(2, FORWARD), 20)
    assert np.argwhere(rollout.terminated)[:4, 1].tolist() == [0, 0, 0, 0]
    assert evaluate(envs, lambda o: np.full(2, FORWARD), 2).mean_length.mean == 5.5


def test_neighbouring_seeds_share_robots():
    """reset(seed=1) begins with the robots 1 to 3 of reset(seed=0)."""
    envs = gym.make_vec("BurgerBotKitchens-v0", 4)
    first, second = envs.reset(seed=0)[0], envs.reset(seed=1)[0]
    assert np.array_equal(first[1:], second[:-1])
    assert not np.array_equal(first, second)


def test_a_value_column_minus_a_row_of_returns_is_a_square():
    """CASES 49: values equal to returns, N = 3: the loss is 0, and 1.3333 if broadcast."""
    returns = np.array([1.0, 2.0, 3.0])
    assert np.mean((returns[:, None] - returns) ** 2) == pytest.approx(4 / 3)
