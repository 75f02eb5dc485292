"""Training on one device: the same trainer, the same rows, nothing read back in between."""

import json

import numpy as np
import pytest
import torch

from burgerbot.learn import policy as policies
from burgerbot.learn.accounting import seed_families
from burgerbot.learn.device import collect_on_device
from burgerbot.learn.device_panel import DevicePanel
from burgerbot.learn.panel import held_out
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import Batch, PPOConfig, descend, loss, minibatches, train, update
from burgerbot.scale import cuda_graphs
from burgerbot.scale.cuda_graphs import StaticUpdate
from burgerbot.scale.device_training import Parts, time_training
from burgerbot.scale.solve import solve
from burgerbot.scale.training_race import each_row, race
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens
from burgerbot.world.torch_vector import TorchBurgerBot

CONFIG = PPOConfig(steps=16, epochs=2, minibatches=4, learning_rate=1e-3)


def make(name="BurgerBot-v1", num_envs=64, device="cpu", **kwargs):
    return TorchBurgerBot.make(name, num_envs, device, statistics=False, **kwargs)


def weights(policy):
    return torch.cat([p.detach().cpu().ravel() for p in policy.parameters()])


def random_batch(policy, rows, seed=0):
    """Rows as a rollout would give them, judged at random."""
    draws = torch.Generator().manual_seed(seed)
    if policy.nvec is None:
        seen = torch.randn(rows, policy.features, generator=draws)
    else:
        columns = [torch.randint(n, (rows,), generator=draws) for n in policy.nvec]
        seen = torch.stack(columns, 1)
    actions, log_probs, _ = policy.act(seen, draws)
    judged = torch.randn(2, rows, generator=draws)
    return Batch(seen, actions, log_probs, judged[0], judged[1])


@pytest.mark.parametrize("name", ["BurgerBot-v1", "BurgerBotKitchens-v0"])
def test_the_trainer_trains_on_a_device(name):
    """``train`` with ``collect_on_device``: rows counted, weights moved, finite, repeatable."""
    runs = [train(make(name), CONFIG, 3000, collect=collect_on_device, seed=1) for _ in range(2)]
    assert runs[0].steps == 3 * 16 * 64 and runs[0].updates == 3
    assert torch.equal(weights(runs[0].policy), weights(runs[1].policy))
    assert runs[0].history == runs[1].history
    assert torch.isfinite(weights(runs[0].policy)).all()
    assert not torch.equal(weights(runs[0].policy), weights(ActorCritic.of(make(name), seed=1)))
    json.dumps(runs[0].history)


def test_a_run_in_two_parts_equals_one_in_one_part(tmp_path):
    """The robots' tensors are in the checkpoint, and the adaptive rate too."""
    config = PPOConfig(steps=16, epochs=2, minibatches=4, adaptive_kl=0.01)
    path = tmp_path / "run.pt"
    go = {"collect": collect_on_device, "seed": 2}
    whole = train(make(), config, 1024 * 4, **go)
    train(make(), config, 1024 * 2, checkpoint=path, **go)
    parts = train(make(), config, 1024 * 4, checkpoint=path, **go)
    assert torch.equal(weights(whole.policy), weights(parts.policy))
    rates = [float(run.optimizer.param_groups[0]["lr"]) for run in (whole, parts)]
    assert rates[0] == rates[1] != config.learning_rate


def test_rows_that_are_asked_once_give_the_same_answers_and_gradients(monkeypatch):
    """588 possible observations, 5,000 rows: looked up or worked out, the sums agree."""
    policy = ActorCritic(4, nvec=[7, 7, 4, 3], seed=1)
    with torch.no_grad():
        policy.actor[-1].weight.mul_(100)
    batch = random_batch(policy, 5000)
    found = []
    for limit in (policies.ASKED_ONCE, 0):
        monkeypatch.setattr(policies, "ASKED_ONCE", limit)
        assert policy.asks(5000) == (588 if limit else 5000)
        policy.zero_grad()
        total, stats = loss(policy, batch, PPOConfig(entropy=0.01))
        total.backward()
        gradients = torch.cat([p.grad.ravel() for p in policy.parameters()])
        found.append([total.detach(), *stats.values(), *policy(batch.observations), gradients])
    for once, each in zip(*found, strict=True):
        torch.testing.assert_close(once, each, rtol=1e-4, atol=1e-6)


def test_every_possible_observation_has_its_place():
    """Unequal sizes: row r of all possible rows lies in place r."""
    policy = ActorCritic(4, nvec=[2, 5, 3])
    every = policy.possible.rows
    assert every.shape == (30, 3) and len({tuple(row) for row in every.tolist()}) == 30
    assert policy.possible.place(every).tolist() == list(range(30))
    assert policy.possible.place(every.reshape(5, 6, 3)).shape == (5, 6)
    assert policy.asks(59) == 59 and policy.asks(60) == 30


def test_acting_draws_what_act_draws():
    """The frozen table and the networks, with the same draws: the same actions."""
    policy = ActorCritic(4, nvec=[7, 7, 4, 3], seed=2)
    seen = random_batch(policy, 300).observations
    table = policy.acting(torch.Generator().manual_seed(1), 10_000)(seen)
    each = policy.act(seen, torch.Generator().manual_seed(1))
    assert torch.equal(table[0], each[0])
    for a, b in zip(table[1:], each[1:], strict=True):
        torch.testing.assert_close(a, b)


def test_acting_is_the_policy_as_it_was():
    """What is learned meanwhile does not change the table: a rollout has one policy."""
    policy = ActorCritic(2, nvec=[3])
    act = policy.acting(torch.Generator().manual_seed(1), 1000)
    seen = torch.zeros(4, 1, dtype=torch.int64)
    before = act(seen)[2]
    with torch.no_grad():
        policy.critic[-1].bias.add_(5.0)
    assert torch.equal(act(seen)[2], before)


def test_the_learning_rate_follows_the_kl():
    """Above twice the target: divided by 1.5; below half: times 1.5; else, or at 0: as it was."""
    policy = ActorCritic(2, nvec=[2])
    config = PPOConfig(adaptive_kl=0.01)
    for kl, start, wanted in (
        (0.021, 3e-3, 2e-3),
        (0.004, 2e-3, 3e-3),
        (0.010, 2e-3, 2e-3),
        (0.0, 2e-3, 2e-3),
        (0.004, 9e-3, 1e-2),
        (0.021, 1.2e-5, 1e-5),
    ):
        rate = torch.tensor(start)
        optimizer = torch.optim.SGD(policy.parameters(), lr=rate)
        total = sum(p.square().sum() for p in policy.parameters())
        descend(policy, optimizer, total, torch.tensor(kl), config)
        assert float(optimizer.param_groups[0]["lr"]) == pytest.approx(wanted)
    with pytest.raises(ValueError, match="adaptive_kl: expected a number above 0"):
        PPOConfig(adaptive_kl=-1.0)


def test_an_update_reads_back_once(monkeypatch):
    """However many minibatches: no ``item``, one ``tolist``."""
    policy = ActorCritic(2, features=3)
    optimizer = torch.optim.SGD(policy.parameters(), lr=torch.tensor(1e-3))
    config = PPOConfig(epochs=3, minibatches=4, adaptive_kl=0.01)
    batch = random_batch(policy, 64)
    reads = []
    for name in ("item", "tolist", "__bool__", "__float__"):
        original = getattr(torch.Tensor, name)

        def noted(self, name=name, original=original):
            reads.append(name)
            return original(self)

        monkeypatch.setattr(torch.Tensor, name, noted)
    update(policy, optimizer, batch, config)
    assert reads == ["tolist"]


def test_minibatches_hold_every_row_once_an_epoch():
    """11 rows, 3 minibatches, 2 epochs, in another order each time."""
    draws = torch.Generator().manual_seed(0)
    found = list(minibatches(11, PPOConfig(epochs=2, minibatches=3), draws, torch.device("cpu")))
    assert [len(rows) for rows in found] == [4, 4, 3, 4, 4, 3]
    epochs = [torch.cat(found[:3]), torch.cat(found[3:])]
    assert all(sorted(epoch.tolist()) == list(range(11)) for epoch in epochs)
    assert not torch.equal(*epochs)


@pytest.mark.parametrize("adaptive", [None, 0.01])
def test_a_static_update_is_the_update(adaptive):
    """Every minibatch in one place, eagerly: the same weights and figures to the bit."""
    config = PPOConfig(epochs=2, minibatches=4, adaptive_kl=adaptive)
    found = []
    for improve in (update, StaticUpdate(graphed=False)):
        policy = ActorCritic(4, nvec=[7, 7, 4, 3], seed=1)
        rate = 1e-3 if adaptive is None else torch.tensor(1e-3)
        optimizer = torch.optim.Adam(policy.parameters(), lr=rate)
        draws = torch.Generator().manual_seed(3)
        stats = [
            improve(policy, optimizer, random_batch(policy, 256, seed), config, draws)
            for seed in (1, 2)
        ]
        found.append((weights(policy), stats))
    assert torch.equal(found[0][0], found[1][0]) and found[0][1] == found[1][1]


def test_what_a_graph_cannot_do_is_refused():
    """A KL to stop at, rows that do not divide, a machine without CUDA."""
    policy = ActorCritic(2, features=2)
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
    with pytest.raises(ValueError, match="target_kl: expected None"):
        StaticUpdate()(policy, optimizer, random_batch(policy, 8), PPOConfig(target_kl=0.1))
    with pytest.raises(ValueError, match="multiple of 4 rows, got 9"):
        StaticUpdate()(policy, optimizer, random_batch(policy, 9), PPOConfig())
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="need a CUDA device, and there is none"):
            cuda_graphs.capture(lambda: None, lambda: None)
        assert "need a CUDA device" in cuda_graphs.why_not(torch.device("cpu"))


def test_the_time_of_an_update_falls_into_four_parts():
    """As many updates as asked for and one to warm up; the training is the untimed one."""
    timed, run = time_training(make(), CONFIG, 2)
    assert len(timed) == 3 and run.updates == 3
    assert all(part > 0 for parts in timed for part in parts)
    assert Parts._fields == ("simulate", "act", "advantage", "update")
    plain = train(make(), CONFIG, 3 * 1024, collect=collect_on_device)
    assert torch.equal(weights(run.policy), weights(plain.policy))


def test_the_panel_on_a_device_is_the_held_out_panel():
    """The same robots, starts and slips: the same success in each stratum."""
    pools = seed_families(1, open=5, greasy=5, corridor=3)
    policy = ActorCritic(4, features=28, seed=3)
    policy.update_moments(np.random.default_rng(0).normal(0, 300, (100, 28)))
    with torch.no_grad():
        policy.actor[-1].weight.mul_(100)
    wanted = held_out(policy.scores, pools, robots=10, seed=4).success
    panel = DevicePanel(pools, "cpu", robots=10, seed=4)
    for _ in range(2):  # a second look plays the same episodes
        assert panel(policy) == pytest.approx(wanted, abs=1e-6)
    assert max(wanted.values()) > 0
    with pytest.raises(ValueError, match="families: expected strata with seeds"):
        DevicePanel({"open": []}, "cpu")


def test_solving_stops_at_the_target_and_tells_the_curve():
    """A target of 0 stops at the first look; other kitchens have the last word."""
    setting = (32, 8, PPOConfig(steps=8, epochs=1, minibatches=2))
    found = solve("cpu", target=-1.0, setting=setting, strata=("open", "greasy"), looks=2)
    assert found["updates"] == 2 and found["steps"] == 2 * 8 * 32 == found["curve"][-1][1]
    assert set(found["success"]) == set(found["confirmed"]) == {"open", "greasy"}
    json.dumps(found, allow_nan=False)


def test_kitchens_learn_on_a_device():
    """Robots in one open kitchen: far more deliveries than before, within 100,000 steps."""
    envs = TorchBurgerBotKitchens(128, "cpu", family=3, statistics=False)
    config = PPOConfig(steps=16, epochs=4, minibatches=4, learning_rate=3e-3, gamma=0.97)
    panel = DevicePanel({"open": [3]}, "cpu", robots=100)
    before = panel(ActorCritic.of(envs))["open"]
    run = train(envs, config, 100_000, collect=collect_on_device)
    assert panel(run.policy)["open"] > before + 0.5


def test_the_race_beside_sb3_is_fair():
    """The same rows for all, ratios to SB3, and every row worked out where it says so."""
    config = PPOConfig(steps=200, epochs=1, minibatches=2, hidden=(8,))
    found = race(8, config, updates=1, rounds=1)
    rates = {row["system"]: row["steps_per_second"] for row in found["rows"]}
    assert list(rates) == ["Stable-Baselines3", *found["ratios"]]
    for name, ratio in found["ratios"].items():
        assert ratio == pytest.approx(rates[name] / rates["Stable-Baselines3"])
    once, each = found["of_matmul"].values()
    assert once > 0 and each > 0
    assert policies.ASKED_ONCE > 0
    policy = ActorCritic(4, nvec=[7, 7, 4, 3])
    with each_row():
        assert policy.asks(10_000) == 10_000
    assert policy.asks(10_000) == 588


def test_all_the_time_is_used_where_no_target_can_be_reached():
    """A target above 1: the last look comes when the time is up, at a rate near 0."""
    setting = (16, 4, PPOConfig(steps=4, epochs=1, minibatches=1))
    found = solve("cpu", target=2.0, seconds=1e-3, setting=setting, strata=("open",))
    assert found["updates"] == 1 and len(found["curve"]) == 1


def test_a_policy_that_has_seen_nothing_sees_the_first_observations_first():
    """Given to ``train`` or made by it: the same moments, and so the same weights."""
    found = []
    for policy in (None, ActorCritic.of(make("BurgerBotKitchens-v0"), CONFIG.hidden, 4)):
        envs = make("BurgerBotKitchens-v0")
        run = train(envs, CONFIG, 1024, seed=4, collect=collect_on_device, policy=policy)
        found.append(weights(run.policy))
    assert torch.equal(*found)
