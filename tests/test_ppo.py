"""PPO by hand: the loss against hand numbers, the stop, the rows, the runs."""

import gc
import math

import gymnasium as gym
import numpy as np
import pytest
import torch

import burgerbot  # noqa: F401
from burgerbot.learn import ppo
from burgerbot.learn import update as updates
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import Batch, PPOConfig, loss, train, update
from burgerbot.learn.rollout import collect


def fixed_policy(logits, value=0.0, states=2):
    """A policy that says the same in every state."""
    policy = ActorCritic(len(logits), nvec=[states])
    with torch.no_grad():
        for head, bias in ((policy.actor, logits), (policy.critic, [value])):
            head[-1].weight.zero_()
            head[-1].bias.copy_(torch.tensor(bias))
    return policy


def random_batch(policy, rows, seed=0):
    """Rows as a rollout would give them, judged at random."""
    draws = torch.Generator().manual_seed(seed)
    seen = torch.randint(0, 2, (rows, 1), generator=draws)
    actions, log_probs, _ = policy.act(seen, draws)
    judged = torch.randn(2, rows, generator=draws)
    return Batch(seen, actions, log_probs, judged[0], judged[1])


def test_the_loss_is_that_of_the_paper_on_hand_numbers():
    """Two actions at 1/2; stored probabilities 1/4, 1, 1/4, 1 make the ratios 2, 1/2, 2, 1/2."""
    policy = fixed_policy([0.0, 0.0], value=3.0)
    then = torch.tensor([0.25, 1.0, 0.25, 1.0]).log()
    batch = Batch(
        torch.zeros(4, 1, dtype=torch.int64),
        torch.tensor([0, 1, 0, 1]),
        then,
        torch.tensor([1.0, 1.0, -1.0, -1.0]),
        torch.tensor([1.0, 2.0, 3.0, 4.0]),
    )
    config = PPOConfig(clip=0.2, value=0.5, entropy=0.1, normalize_advantages=False)
    total, stats = loss(policy, batch, config)
    surrogate = (1.2 + 0.5 - 2.0 - 0.8) / 4  # clipped, pays, costs in full, costs at least 0.8
    error = (4 + 1 + 0 + 1) / 4
    assert total.item() == pytest.approx(-surrogate + 0.5 * error - 0.1 * math.log(2), abs=1e-6)
    assert stats["policy_loss"].item() == pytest.approx(-surrogate)
    assert stats["value_loss"].item() == pytest.approx(error)
    assert stats["entropy"].item() == pytest.approx(math.log(2))
    assert stats["clip_fraction"].item() == 1.0
    k3 = ((2 - 1 - math.log(2)) + (0.5 - 1 + math.log(2))) / 2
    assert stats["kl"].item() == pytest.approx(k3, abs=1e-6)


def test_gradients_stop_where_the_ratio_may_not_pay_any_more():
    """A ratio of 2 at advantage +1 moves nothing; at advantage -1 it does."""
    for advantage, moves in ((1.0, False), (-1.0, True)):
        policy = fixed_policy([0.0, 0.0])
        zero = torch.zeros(1, 1, dtype=torch.int64)
        batch = Batch(
            zero,
            torch.tensor([0]),
            torch.tensor([0.25]).log(),
            torch.tensor([advantage]),
            torch.zeros(1),
        )
        loss(policy, batch, PPOConfig(normalize_advantages=False))[0].backward()
        assert bool((policy.actor[-1].bias.grad != 0).any()) is moves


def test_the_first_minibatch_has_ratio_one_and_kl_zero():
    """Exactly, with one-hot codes and with moments: nothing changes before the first step."""
    for name in ("BurgerBot-v1", "CartPole-v1"):
        seen = []
        envs = gym.make_vec(name, num_envs=4)
        config = PPOConfig(steps=32, epochs=1, minibatches=1)
        train(envs, config, 128 * 3, callback=lambda run, seen=seen: seen.append(run.history[-1]))
        envs.close()
        assert [record["kl"] for record in seen] == [[0.0]] * len(seen)
        assert {record["clip_fraction"] for record in seen} == {0.0}


def test_the_stop_leaves_all_loops_before_the_step_that_is_too_much():
    """A tiny target: the first minibatch has KL 0 and is used, the second is not."""
    policy = fixed_policy([0.5, -0.5])
    batch = random_batch(policy, 64)
    config = PPOConfig(epochs=5, minibatches=4, target_kl=1e-12, learning_rate=0.1)
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
    draws = torch.Generator().manual_seed(1)
    after_one = []
    optimizer.register_step_post_hook(
        lambda *_: after_one.append([p.detach().clone() for p in policy.parameters()])
    )
    stats = update(policy, optimizer, batch, config, draws)
    assert stats["steps"] == [1.0] and len(stats["kl"]) == 2
    assert stats["kl"][0] == 0.0 and stats["kl"][1] > 1.5e-12
    assert len(after_one) == 1
    for now, then in zip(policy.parameters(), after_one[0], strict=True):
        assert torch.equal(now, then)


def test_a_first_check_that_trips_moves_nothing():
    """Log-probabilities of another policy: the very first KL is above the target."""
    policy = fixed_policy([0.5, -0.5])
    batch = random_batch(policy, 64)
    batch = batch._replace(log_probs=batch.log_probs - 0.3)
    before = [p.detach().clone() for p in policy.parameters()]
    optimizer = torch.optim.Adam(policy.parameters())
    stats = update(policy, optimizer, batch, PPOConfig(target_kl=1e-12))
    assert stats["steps"] == [0.0] and len(stats["kl"]) == 1
    assert all(torch.equal(a, b) for a, b in zip(before, policy.parameters(), strict=True))


def test_a_kl_that_is_no_number_stops_the_update():
    """NaN is not above the target, and not below it: no step is taken on it."""
    policy = fixed_policy([0.5, -0.5])
    batch = random_batch(policy, 64)
    batch = batch._replace(log_probs=batch.log_probs * float("nan"))
    optimizer = torch.optim.Adam(policy.parameters())
    stats = update(policy, optimizer, batch, PPOConfig(target_kl=0.1))
    assert stats["steps"] == [0.0]
    assert all(torch.isfinite(p).all() for p in policy.parameters())


@pytest.mark.parametrize("rows", [33, 32, 47])
def test_every_row_is_used_once_an_epoch_and_nothing_is_nan(rows):
    """Minibatches of one row included (33 rows in 32 parts): finite weights, no row lost."""
    policy = fixed_policy([0.5, -0.5])
    batch = random_batch(policy, rows)
    counted = []
    original = updates.loss

    def count(policy, part, config):
        counted.append(len(part.actions))
        return original(policy, part, config)

    updates.loss = count
    try:
        optimizer = torch.optim.Adam(policy.parameters())
        stats = update(policy, optimizer, batch, PPOConfig(epochs=2, minibatches=32))
    finally:
        updates.loss = original
    assert sum(counted) == 2 * rows and max(counted) - min(counted) <= 1
    assert all(torch.isfinite(p).all() for p in policy.parameters())
    assert all(np.isfinite(stats[name]).all() for name in stats)


def test_too_few_rows_are_refused():
    """Expected and got are named."""
    policy = fixed_policy([0.0, 0.0])
    optimizer = torch.optim.Adam(policy.parameters())
    with pytest.raises(ValueError, match="expected 4 rows or more, got 3"):
        update(policy, optimizer, random_batch(policy, 3), PPOConfig(minibatches=4))


def test_settings_out_of_range_are_refused():
    """Each is named, with what was expected."""
    for name, value in {"steps": 0, "clip": 0.0, "gamma": 1.5, "target_kl": 0.0}.items():
        with pytest.raises(ValueError, match=f"{name}: expected"):
            PPOConfig(**{name: value})
    with pytest.raises(ValueError, match="total_steps"):
        train(gym.make_vec("BurgerBot-v1", num_envs=1), PPOConfig(), 0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_reset_rows_are_not_learned_from(mode):
    """Steps count transitions; the batch has as many rows as the valid mask."""
    envs = gym.make_vec("BurgerBot-v1", num_envs=8, autoreset_mode=mode)
    rows = []

    def noted(*args):
        rollout, carry = collect(*args)
        rows.append(int(rollout.valid.sum()))
        return rollout, carry

    run = train(envs, PPOConfig(steps=64, epochs=1), 1500, collect=noted)
    assert run.steps == sum(rows) and run.updates == len(rows)
    assert (min(rows) < 512) is (mode == "NextStep")


def test_nothing_that_is_stored_has_a_graph():
    """Rollout, advantages and returns, as the update sees them."""
    envs = gym.make_vec("BurgerBot-v1", num_envs=2)
    kept = []
    original = ppo.update

    def look(policy, optimizer, batch, config, generator):
        kept.extend(batch)
        return original(policy, optimizer, batch, config, generator)

    ppo.update = look
    try:
        train(envs, PPOConfig(steps=16, epochs=1), 32)
    finally:
        ppo.update = original
    assert len(kept) >= 5 and not any(part.requires_grad for part in kept)


def test_memory_is_flat_over_200_updates():
    """As many live tensors after 200 updates as after 20."""
    envs = gym.make_vec("BurgerBot-v1", num_envs=2)
    counts = {}

    def count(run):
        if run.updates in (20, 200):
            gc.collect()
            counts[run.updates] = sum(isinstance(o, torch.Tensor) for o in gc.get_objects())
        return run.updates < 200

    run = train(envs, PPOConfig(steps=8, epochs=1, minibatches=1), 10**6, callback=count)
    assert run.updates == 200
    assert counts[200] <= counts[20]


def test_the_same_seed_trains_the_same_weights():
    """And another seed trains others."""
    weights = []
    for seed in (1, 1, 2):
        envs = gym.make_vec("BurgerBot-v1", num_envs=4)
        run = train(envs, PPOConfig(steps=32, epochs=2), 512, seed=seed)
        weights.append(torch.cat([p.detach().ravel() for p in run.policy.parameters()]))
    assert torch.equal(weights[0], weights[1]) and not torch.equal(weights[0], weights[2])


def test_it_learns_to_deliver():
    """BurgerBot-v1: the exact optimum, 47.9 in 14 steps, within 60,000 steps."""
    envs = gym.make_vec("BurgerBot-v1", num_envs=16, autoreset_mode="SameStep")
    config = PPOConfig(steps=64, gamma=0.97, lam=0.9, learning_rate=1e-3, entropy=0.03)
    panel = gym.make_vec("BurgerBot-v1", num_envs=1)

    def solved(run):
        return evaluate(panel, run.policy.scores, 1).mean_return.mean < 47.89

    run = train(envs, config, 60_000, callback=solved)
    assert evaluate(panel, run.policy.scores, 1).mean_return.mean == pytest.approx(47.9)


def test_an_objective_has_to_judge():
    """One that does not say how is refused when it is made, not in the middle of a training."""

    class Silent(ppo.Objective):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Silent()
