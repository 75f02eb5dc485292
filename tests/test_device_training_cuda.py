"""Training on CUDA: graphs beside eager code, and no waiting. PyTorch, NumPy and pytest only."""

import numpy as np
import pytest
import torch

from burgerbot.learn import ppo
from burgerbot.learn.device import begin_on_device, collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import Batch, PPOConfig, descend, loss, train, update
from burgerbot.scale.cuda_graphs import GraphedCollect, GraphedRollout, StaticUpdate
from burgerbot.world.torch_vector import TorchBurgerBot

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]


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


def test_nothing_is_read_back_between_rollout_and_update():
    """Under the sync debug mode "error": collecting and one step of learning."""
    envs = make(device="cuda")
    policy = ActorCritic.of(envs).to("cuda")
    draws = torch.Generator("cuda").manual_seed(0)
    carry = begin_on_device(envs, 0)
    optimizer = torch.optim.Adam(
        policy.parameters(), lr=torch.tensor(1e-3, device="cuda"), fused=True
    )
    rollout, carry = collect_on_device(envs, policy.acting(draws, 10**6), 4, carry)
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        rollout, carry = collect_on_device(envs, policy.acting(draws, 10**6), 8, carry)
        advantages, returns = ppo.Discounted(0.99, 0.95)(policy, rollout, carry)
        flat = [
            part.flatten(0, 1) for part in (*rollout[:2], rollout.log_probs, advantages, returns)
        ]
        total, stats = loss(policy, Batch(*flat), PPOConfig())
        descend(policy, optimizer, total, stats["kl"], PPOConfig(adaptive_kl=0.01))
    finally:
        torch.cuda.set_sync_debug_mode("default")


def test_a_graphed_rollout_is_the_eager_environment():
    """Replay, then take the same actions eagerly: the same rewards and state; replays differ."""
    envs, twin = make(device="cuda", num_envs=100), make(device="cuda", num_envs=100)
    envs.reset(seed=0), twin.reset(seed=0)
    rollout = GraphedRollout(envs, 40)
    drawn = []
    for _ in range(3):
        rollout()
        drawn.append(rollout.actions.clone())
        for actions, paid in zip(rollout.actions, rollout.rewards, strict=True):
            assert torch.equal(twin.step(actions)[1], paid)
    ours, theirs = envs.state_dict(), twin.state_dict()
    assert torch.equal(ours["state"], theirs["state"])
    assert torch.equal(ours["elapsed"], theirs["elapsed"])
    assert not torch.equal(drawn[0], drawn[1])


def test_a_graphed_collect_is_the_eager_one():
    """The actions of the replay, taken eagerly, lead to the same rows, across two rollouts."""
    envs, twin = make(device="cuda", num_envs=100), make(device="cuda", num_envs=100)
    policy = ActorCritic.of(envs).to("cuda")
    graphed = GraphedCollect(envs, policy, seed=1)
    carry, other = begin_on_device(envs, 0), begin_on_device(twin, 0)
    drawn = []
    for _ in range(3):
        rollout, carry = graphed(envs, None, 20, carry)
        taken = iter(rollout.actions.clone())
        again, other = collect_on_device(twin, lambda seen, taken=taken: next(taken), 20, other)
        for name in ("observations", "rewards", "terminated", "truncated", "next_observations"):
            assert torch.equal(getattr(rollout, name), getattr(again, name)), name
        assert torch.equal(carry.observations, other.observations)
        drawn.append(rollout.actions.clone())
    assert not torch.equal(drawn[0], drawn[1])


@pytest.mark.parametrize("adaptive", [None, 0.01])
def test_a_graphed_update_is_the_eager_one(adaptive):
    """Two updates from the same rows and draws: the weights agree within rounding."""
    config = PPOConfig(epochs=2, minibatches=4, adaptive_kl=adaptive)
    found = []
    for improve in (update, StaticUpdate()):
        policy = ActorCritic(4, features=28, seed=1).cpu()
        batches = [random_batch(policy, 1024, seed) for seed in (1, 2)]
        policy = policy.to("cuda")
        rate = 1e-3 if adaptive is None else torch.tensor(1e-3, device="cuda")
        optimizer = torch.optim.Adam(policy.parameters(), lr=rate, fused=True, capturable=True)
        draws = torch.Generator("cuda").manual_seed(3)
        for batch in batches:
            batch = Batch(*(part.to("cuda") for part in batch))
            improve(policy, optimizer, batch, config, draws)
        found.append(weights(policy))
    torch.testing.assert_close(found[0], found[1], rtol=1e-3, atol=1e-5)


def test_graphs_train():
    """The trainer with both graphs: the same kind of progress as without."""
    envs = make(device="cuda", num_envs=256)
    policy = ActorCritic.of(envs).to("cuda")
    graphs = {"collect": GraphedCollect(envs, policy), "improve": StaticUpdate()}
    config = PPOConfig(steps=16, epochs=4, minibatches=4, learning_rate=3e-3, gamma=0.97)
    run = train(envs, config, 400_000, policy=policy, **graphs)
    paid = [record["reward_per_step"] for record in run.history]
    assert np.mean(paid[-5:]) > np.mean(paid[:5]) + 0.5
