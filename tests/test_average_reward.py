"""ARPPO: differential advantages, the estimate of rho, and resets inside the average."""

import doctest

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import average_reward, oracle
from burgerbot.learn.average_reward import AverageReward, differential_advantages, led_to
from burgerbot.learn.ppo import Discounted, PPOConfig, train
from burgerbot.learn.rollout import begin, collect
from burgerbot.world import two_counters
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import V0_REWARDS, compile_kitchen, encode
from burgerbot.world.vector import BurgerBotVectorEnv

COUNTERS = oracle.Model(two_counters.NEXT_PLACE, two_counters.REWARD, np.zeros((9, 2), dtype=bool))
SMALL_CONFIG = PPOConfig(steps=16, epochs=4, minibatches=2, learning_rate=3e-3, entropy=0.01)


def column(*numbers):
    """One robot's column ``[T, 1]``."""
    return np.array([numbers], dtype=np.float64).T


def cycle(level=0.0):
    """The 2-state cycle of CASES 56: rewards 0, 1, values -+0.25 (and a level), no flags."""
    values = column(-0.25, 0.25, -0.25, 0.25) + level
    no = np.zeros((4, 1), dtype=bool)
    return column(0, 1, 0, 1), values, np.roll(values, -1, axis=0), no, no


def random_rows(seed, steps=9, robots=4):
    """Rewards, values, next values and flags of random rows."""
    rng = np.random.default_rng(seed)
    numbers = [rng.normal(size=(steps, robots)) for _ in range(3)]
    return [*numbers, *(rng.random((steps, robots)) < 0.2 for _ in range(2))]


def by_hand(rewards, values, next_values, terminated, truncated, rho, lam, cost, valid):
    """Advantages as a slow sum, robot by robot."""
    steps, robots = rewards.shape
    out = np.zeros((steps, robots))
    for n in range(robots):
        for t in range(steps):
            if not valid[t, n]:
                continue
            weight = 1.0
            for k in range(t, steps):
                if not valid[k, n]:
                    break
                paid = rewards[k, n] - (cost if terminated[k, n] else 0.0)
                out[t, n] += weight * (paid - rho + next_values[k, n] - values[k, n])
                weight *= lam
                if truncated[k, n] and not terminated[k, n]:
                    break
    return out


# The pure function


def test_exact_values_leave_no_advantage():
    """Rate and values right: every advantage is 0, for any lambda."""
    for lam in (0.0, 0.5, 0.9, 0.99):
        advantages, _ = differential_advantages(*cycle(), rho=0.5, lam=lam)
        assert advantages == pytest.approx(np.zeros((4, 1)), abs=1e-12)


def test_a_constant_on_all_values_changes_nothing():
    """Neither advantages nor returns: a hundred more on every value is no news."""
    for one, other in zip(
        differential_advantages(*cycle(), rho=0.5, lam=0.9),
        differential_advantages(*cycle(100.0), rho=0.5, lam=0.9),
        strict=True,
    ):
        assert one == pytest.approx(other, abs=1e-9)


def test_without_the_rate_everything_looks_good():
    """rho = 0: 1.7195, 1.355, 0.95, 0.5."""
    advantages, _ = differential_advantages(*cycle(), rho=0.0, lam=0.9)
    assert advantages == pytest.approx(column(1.7195, 1.355, 0.95, 0.5))


def test_a_discount_left_in_leaves_an_advantage():
    """gamma 0.99 on exact differential values: -+0.0025 in each delta."""
    r, v, led, *_ = cycle()
    assert r - 0.5 + 0.99 * led - v == pytest.approx(column(-0.0025, 0.0025, -0.0025, 0.0025))


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_a_slow_sum(seed):
    """Random flags and reset rows, T and N unequal; no reset row counts in the mean."""
    rows = random_rows(seed)
    valid = np.random.default_rng(seed).random((9, 4)) < 0.8
    rows[3] &= valid
    got, returns = differential_advantages(*rows, rho=0.3, lam=0.8, reset_cost=2.0, valid=valid)
    assert got == pytest.approx(by_hand(*rows, 0.3, 0.8, 2.0, valid))
    assert returns == pytest.approx(got + rows[1] - rows[1][valid].mean())


def test_a_termination_is_a_step_like_any_other():
    """Its reward, its cost, the value of where the next episode begins; the sum goes on."""
    rewards, values, next_values = column(1, 5, 1), column(2, 3, 4), column(3, 4, 6)
    ends, no = np.array([[False], [True], [False]]), np.zeros((3, 1), dtype=bool)
    got, _ = differential_advantages(
        rewards, values, next_values, ends, no, rho=1.0, lam=0.5, reset_cost=2.0
    )
    assert got == pytest.approx(column(1 + 0.5 * 4, 3 + 0.5 * 2, 2))
    both, _ = differential_advantages(
        rewards, values, next_values, ends, ends, rho=1.0, lam=0.5, reset_cost=2.0
    )
    assert both == pytest.approx(got), "where both flags are set, termination wins"
    cut, _ = differential_advantages(
        rewards, values, next_values, no, ends, rho=1.0, lam=0.5, reset_cost=2.0
    )
    assert cut == pytest.approx(column(1 + 0.5 * 5, 5, 2)), "a truncation ends the sum, and is free"


def test_what_stands_in_a_reset_row_does_not_matter():
    """NaN in it stays in it."""
    rows = random_rows(1)
    valid = np.ones((9, 4), dtype=bool)
    valid[4, 2] = False
    clean = differential_advantages(*rows, rho=0.1, lam=0.9, valid=valid)
    rows = [row.copy() for row in rows]
    for row in rows[:3]:
        row[4, 2] = np.nan
    dirty = differential_advantages(*rows, rho=0.1, lam=0.9, valid=valid)
    for a, b in zip(clean, dirty, strict=True):
        assert a[valid] == pytest.approx(b[valid])
    assert dirty[0][4, 2] == 0.0


def test_tensors_agree_with_arrays():
    """The same numbers in float32, without a graph."""
    rows = random_rows(2)
    expected = differential_advantages(*rows, rho=0.2, lam=0.9)
    tensors = [torch.as_tensor(row) for row in rows]
    tensors[1] = tensors[1].float().requires_grad_()
    got = differential_advantages(*tensors, rho=0.2, lam=0.9)
    for a, b in zip(got, expected, strict=True):
        assert a.dtype == torch.float32
        assert not a.requires_grad
        assert a.numpy() == pytest.approx(b, abs=1e-5)


def test_mean_delta_is_mean_reward_less_rho_and_what_the_values_gained():
    """mean(delta) = mean(r) - rho + (V_T - V_0) / T."""
    rng = np.random.default_rng(0)
    values, rewards = rng.normal(size=(8, 3)), rng.normal(size=(7, 3))
    no = np.zeros((7, 3), dtype=bool)
    delta, _ = differential_advantages(rewards, values[:-1], values[1:], no, no, rho=0.4, lam=0.0)
    gained = (values[-1] - values[0]).mean() / 7
    assert delta.mean() == pytest.approx(rewards.mean() - 0.4 + gained)


@pytest.mark.parametrize("lam", [1.0, -0.1, 1.5, float("nan")])
def test_a_lambda_of_1_is_refused(lam):
    """Without a discount the sum would never settle."""
    with pytest.raises(ValueError, match="lam: expected a number from 0 to below 1"):
        differential_advantages(*cycle(), rho=0.5, lam=lam)
    with pytest.raises(ValueError, match="lam: expected a number from 0 to below 1"):
        AverageReward(lam)


def test_other_shapes_are_refused():
    """Values [T] beside rewards [T, 1] would broadcast (CASES 49)."""
    r, v, led, no, _ = cycle()
    with pytest.raises(ValueError, match="values: expected shape"):
        differential_advantages(r, v[:, 0], led, no, no, rho=0.5, lam=0.9)


@pytest.mark.parametrize("rate", [0.0, -0.1, 1.1, float("nan")])
def test_a_rate_out_of_range_is_refused(rate):
    """Above 0, up to 1."""
    with pytest.raises(ValueError, match="rate: expected a number above 0, up to 1"):
        AverageReward(rate=rate)


# Where a reset leads


class Place:
    """A policy whose value of an observation is exact, taken from a table."""

    def __init__(self, kitchen, worth):
        self.kitchen, self.worth = kitchen, torch.as_tensor(worth)

    def value(self, observations):
        """V ``[...]`` of observations ``[..., 4]``."""
        return self.worth[encode(self.kitchen, *observations.movedim(-1, 0)[:3])]


def tensors(rollout):
    """The rollout with tensors for arrays."""
    return type(rollout)(*(None if a is None else torch.as_tensor(a) for a in rollout))


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_after_a_termination_comes_the_start(mode, steps):
    """In every mode and at every cut the robot acts on the start after a delivery or a crash."""
    kitchens = ["...>G", "v..G.", "..>.G"]
    envs = BurgerBotVectorEnv(3, kitchens, autoreset_mode=mode)
    carry = begin(envs, 0)
    first = torch.as_tensor(carry.observations)
    for _ in range(3):
        rollout, carry = collect(envs, lambda o: np.zeros(3, int), steps, carry)
        after = led_to(tensors(rollout), carry, first)
        expected = np.where(
            rollout.terminated[..., None], first.numpy()[None], rollout.next_observations
        )
        assert after[rollout.valid].tolist() == expected[rollout.valid].tolist()


def test_random_starts_are_those_that_follow():
    """Each episode of a robot begins elsewhere; the value is of the start that it got."""
    for mode in ("SameStep", "NextStep"):
        envs = gym.make_vec("BurgerBotKitchens-v0", num_envs=3, autoreset_mode=mode)
        carry = begin(envs, 4)
        first = torch.as_tensor(carry.observations)
        rollout, carry = collect(envs, lambda o: np.zeros(3, int), 12, carry)
        after = led_to(tensors(rollout), carry, first).numpy()
        seen = [*rollout.observations, carry.observations]
        ends = [(t, n) for t, n in np.argwhere(rollout.terminated) if t + 2 <= 12]
        assert len(ends) > 3
        for t, n in ends:
            skip = 1 if mode == "SameStep" else 2
            assert np.array_equal(after[t, n], seen[t + skip][n])


@pytest.mark.parametrize("env_id", ["BurgerBot-v0", "BurgerBotShift-v0"])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_best_policy_has_no_advantage(mode, env_id):
    """Exact rho and bias: 0 everywhere, with terminations as resets and on the endless shift."""
    rules = compile_kitchen(CLASSIC)
    model = oracle.model(rules, V0_REWARDS)
    rho, bias, q = oracle.relative_value_iteration(model, start=rules.start)
    envs = gym.make_vec(env_id, num_envs=2, autoreset_mode=mode)
    policy, best = Place(CLASSIC, bias), q.argmax(axis=1)

    def act(observations):
        states = encode(CLASSIC, *observations.T[:3])
        return best[states], np.zeros(2), bias[states]

    objective, carry = AverageReward(0.9, rho=rho), begin(envs, 0)
    for _ in range(3):
        rollout, carry = collect(envs, act, 20, carry)
        rollout = tensors(rollout)
        advantages, returns = objective(policy, rollout, carry)
        assert advantages.numpy() == pytest.approx(np.zeros((20, 2)), abs=1e-6)
        assert returns[rollout.valid].mean() == pytest.approx(0.0, abs=1e-6)
        objective.after_update(policy, rollout)
        assert objective.rho == pytest.approx(rho, abs=1e-6)


# The estimate of rho


class Flat:
    """A policy that values everything alike."""

    def value(self, observations):
        """Zeros ``[...]``."""
        return torch.zeros(observations.shape[:-1])


def test_rho_moves_once_a_rollout_by_the_mean_delta():
    """With values that know nothing: rho + rate * (mean reward - rho), after the update."""
    envs = BurgerBotVectorEnv(2, ["..>G", ">..G"], autoreset_mode="NextStep")
    rollout, carry = collect(envs, lambda o: (np.zeros(2, int), np.zeros(2), np.zeros(2)), 6)
    rollout = tensors(rollout)
    objective = AverageReward(0.9, rate=0.25, rho=2.0)
    objective(Flat(), rollout, carry)
    mean = float(rollout.rewards[rollout.valid].mean())
    assert objective.rho == 2.0, "rho is used for the whole rollout before it moves"
    assert objective.error == pytest.approx(mean - 2.0)
    objective.after_update(None, rollout)
    assert objective.rho == pytest.approx(2.0 + 0.25 * (mean - 2.0))
    assert not bool(rollout.valid.all()), "the case holds reset rows"


def test_a_checkpoint_keeps_rho():
    """state_dict and load_state_dict carry the estimate and where the robots began."""
    objective = AverageReward(0.9, rho=1.5)
    objective.first = torch.ones((2, 4))
    other = AverageReward(0.9)
    other.load_state_dict(objective.state_dict())
    assert (other.rho, other.first.shape) == (1.5, (2, 4))


# Training


def train_counters(objective, steps=8_000, robots=16, seed=0):
    """Train on the two counters; return the run and the exact gain of what it learned."""
    torch.set_num_threads(1)
    envs = gym.make_vec("BurgerBotTwoCounters-v0", num_envs=robots)
    run = train(envs, SMALL_CONFIG, steps, seed=seed, objective=objective)
    logits = run.policy.logits(torch.arange(9)[:, None]).detach().double()
    greedy = logits.argmax(1).numpy()
    chances = logits.softmax(1).numpy()
    gains = [oracle.gain_and_bias(COUNTERS, p, start=0)[0] for p in (chances, greedy)]
    return run, gains


def test_arppo_takes_the_richer_counter_and_knows_what_it_earns():
    """rho within 2% of 0.4, and the greedy policy earns exactly that."""
    objective = AverageReward(0.9, rate=0.3)
    _, (drawn, greedy) = train_counters(objective)
    assert greedy == pytest.approx(0.4)
    assert drawn == pytest.approx(0.4, rel=0.02)
    assert objective.rho == pytest.approx(0.4, rel=0.02)


def test_discounted_ppo_at_08_takes_the_poorer_counter():
    """As the oracle says it should: 0.2 a step."""
    _, (drawn, greedy) = train_counters(Discounted(0.8, 0.9))
    assert greedy == pytest.approx(0.2)
    assert drawn < 0.21


def test_values_stay_around_zero():
    """Re-centred: however long it trains, the mean value does not run away."""
    run, _ = train_counters(AverageReward(0.9, rate=0.3), steps=16_000)
    values = run.policy.value(torch.arange(9)[:, None]).detach()
    assert abs(float(values[[0, 5, 6, 7, 8]].mean())) < 0.2


def test_training_resumes_to_the_same_rho(tmp_path):
    """Half a run, a checkpoint, the other half: the same weights and the same rho."""
    whole, halves = AverageReward(0.9), AverageReward(0.9)
    envs = gym.make_vec("BurgerBotTwoCounters-v0", num_envs=4)
    expected = train(envs, SMALL_CONFIG, 2048, seed=1, objective=whole)
    for steps, objective in ((1024, AverageReward(0.9)), (2048, halves)):
        envs = gym.make_vec("BurgerBotTwoCounters-v0", num_envs=4)
        run = train(
            envs,
            SMALL_CONFIG,
            steps,
            seed=1,
            objective=objective,
            checkpoint=tmp_path / "run.pt",
        )
    assert halves.rho == whole.rho
    for name, weights in expected.policy.state_dict().items():
        again = run.policy.state_dict()[name]
        assert weights is again is None or torch.equal(weights, again), name


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(2))
def test_arppo_learns_the_endless_shift(seed):
    """64 robots, 400,000 steps: rho within 2% of 60.8 / 14, the greedy policy at it."""
    torch.set_num_threads(1)
    envs = gym.make_vec("BurgerBotShift-v0", num_envs=64)
    config = PPOConfig(steps=64, epochs=4, learning_rate=1e-3, entropy=0.01)
    objective = AverageReward()
    run = train(envs, config, 400_000, seed=seed, objective=objective)
    assert objective.rho == pytest.approx(60.8 / 14, rel=0.02)
    rules = compile_kitchen(CLASSIC, endless=True)
    greedy = run.policy.greedy(torch.tensor(rules.observations)).numpy()
    earned, _ = oracle.gain_and_bias(oracle.model(rules, V0_REWARDS), greedy, start=rules.start)
    assert earned == pytest.approx(60.8 / 14)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_with_terminations_as_resets_it_delivers_on_v0(mode):
    """The very world in which a discounted bot circles: what it learns earns 60.8 / 14 a step."""
    torch.set_num_threads(1)
    envs = gym.make_vec("BurgerBot-v0", num_envs=64, autoreset_mode=mode)
    config = PPOConfig(steps=64, epochs=4, learning_rate=1e-3, entropy=0.01)
    run = train(envs, config, 250_000, seed=0, objective=AverageReward())
    rules = compile_kitchen(CLASSIC)
    model, seen = oracle.model(rules, V0_REWARDS), torch.tensor(rules.observations)
    chances = run.policy.logits(seen).softmax(-1).detach().double().numpy()
    earned, _ = oracle.gain_and_bias(model, chances, start=rules.start)
    assert earned == pytest.approx(60.8 / 14, rel=0.02)


def test_doctests_hold():
    """The examples in the docstrings run."""
    result = doctest.testmod(average_reward)
    assert result.attempted > 0
    assert result.failed == 0
