"""CUDA graphs: a rollout, or a step of learning, as one order to the device.

A small kernel takes some microseconds, and the host needs as long to order it. A graph is recorded
once, then replayed as a whole. What it reads and writes stays at one place in memory, so each
replay overwrites the tensors that the last one handed out. Draws go on from replay to replay.
Eager code is the oracle: the same robots to the bit, the same weights but for rounding.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from burgerbot.learn.device import begin_on_device, collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import STATS, Batch, PPOConfig, descend, loss, minibatches
from burgerbot.learn.rollout import Carry, Rollout
from burgerbot.world.torch_vector import TorchBurgerBot


def why_not(device: torch.device) -> str | None:
    """Say why there are no CUDA graphs on a device; None if there are."""
    if device.type != "cuda":
        return f"CUDA graphs need a CUDA device, and this is {device.type}"
    return None


def capture(
    work: Callable[[], Any], undo: Callable[[], Any], *generators: torch.Generator
) -> tuple[torch.cuda.CUDAGraph, Any]:
    """Record work as a graph.

    It runs three times first, on a stream of its own, so that libraries are loaded and memory is
    taken; then ``undo`` brings everything back to where it was.

    Args:
        work: Reads and writes tensors that stay; takes nothing from the host.
        undo: Called between the warm-up and the recording.
        generators: Those that ``work`` draws from, beside torch's own.

    Returns:
        ``(graph, result)``: what ``work`` returned; ``graph.replay()`` fills it anew.

    Raises:
        RuntimeError: No CUDA device.
    """
    if not torch.cuda.is_available():
        raise RuntimeError("CUDA graphs need a CUDA device, and there is none")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*capturable")  # the recording comes later
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    undo()
    graph = torch.cuda.CUDAGraph()
    for generator in generators:
        graph.register_generator_state(generator)
    with torch.cuda.graph(graph):
        result = work()
    return graph, result


class GraphedRollout:
    """T steps of N robots by random actions, one graph.

    Args:
        envs: A ``TorchBurgerBot`` on CUDA, after its first reset; it stands where it stood.
        steps: T.

    Attributes:
        actions: int64 ``[T, N]``: what the last replay drew.
        rewards: float32 ``[T, N]``: what it paid.
    """

    def __init__(self, envs: TorchBurgerBot, steps: int) -> None:
        self.actions = torch.zeros((steps, envs.num_envs), dtype=torch.int64, device=envs.device)
        self.rewards = torch.zeros((steps, envs.num_envs), device=envs.device)
        before = envs.state_dict()

        def work() -> None:
            self.actions.random_(0, 4)
            for actions, paid in zip(self.actions, self.rewards, strict=True):
                paid.copy_(envs.step(actions)[1])

        self._graph, _ = capture(work, lambda: envs.load_state_dict(before))

    def __call__(self) -> None:
        self._graph.replay()


class GraphedCollect:
    """A ``collect`` for ``ppo.train`` that replays a graph: T steps by the policy as it then is.

    Args:
        envs: A ``TorchBurgerBot`` on CUDA.
        policy: The very policy that is trained.
        seed: Of the draws, which are of a generator of its own.
    """

    def __init__(self, envs: TorchBurgerBot, policy: ActorCritic, seed: int = 0) -> None:
        self.envs, self.policy = envs, policy
        self.draws = torch.Generator(device=envs.device).manual_seed(seed)
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(
        self, envs: Any, act: Any, steps: int, carry: Carry | None = None
    ) -> tuple[Rollout, Carry]:
        """Collect; ``act`` is not asked, since the graph has the policy in it."""
        carry = begin_on_device(self.envs) if carry is None else carry
        if self._graph is None:
            self._record(steps, carry)
        if carry.observations is not self._seen:
            self._seen.copy_(carry.observations)
        assert self._graph is not None
        self._graph.replay()
        return self._rollout, Carry(self._seen, carry.resetting)

    def _record(self, steps: int, carry: Carry) -> None:
        seen: Any = carry.observations
        self._seen: Any = seen.clone()
        before, drawn = self.envs.state_dict(), self.draws.get_state()

        def work() -> Rollout:
            rollout, after = collect_on_device(
                self.envs,
                lambda seen: self.policy.act(seen, self.draws),
                steps,
                Carry(self._seen.clone(), carry.resetting),
            )
            self._seen.copy_(after.observations)
            return rollout

        def undo() -> None:
            self.envs.load_state_dict(before)
            self.draws.set_state(drawn)
            self._seen.copy_(seen)

        self._graph, self._rollout = capture(work, undo, self.draws)


class StaticUpdate:
    """``ppo.update`` with every minibatch in the same place, so that a graph can replay the step.

    Args:
        graphed: False runs the same code eagerly, on any device.

    Raises:
        ValueError: On the first call: a ``target_kl``, at which the host would have to look, or
            rows that do not divide into minibatches.
    """

    def __init__(self, graphed: bool = True) -> None:
        self.graphed = graphed
        self._step: Callable[[], Any] | None = None
        self._part: Batch

    def __call__(
        self,
        policy: ActorCritic,
        optimizer: torch.optim.Optimizer,
        batch: Batch,
        config: PPOConfig,
        generator: torch.Generator | None = None,
    ) -> dict[str, list[float]]:
        """Improve the policy, as ``ppo.update`` does."""
        if config.target_kl is not None:
            raise ValueError("target_kl: expected None, since a graph cannot stop halfway")
        size = len(batch.actions) // config.minibatches
        if size * config.minibatches != len(batch.actions):
            raise ValueError(
                f"batch: expected a multiple of {config.minibatches} rows, got {len(batch.actions)}"
            )
        seen = []
        for rows in minibatches(len(batch.actions), config, generator, batch.actions.device):
            if self._step is None:
                self._part = Batch(*(column[:size].clone() for column in batch))
            for column, part in zip(batch, self._part, strict=True):
                torch.index_select(column, 0, rows, out=part)
            if self._step is None:
                self._step = self._recorded(policy, optimizer, config)
            self._step()
            seen.append(self._stats.clone())
        found = torch.stack(seen, dim=1).tolist()
        return dict(zip(STATS, found, strict=True)) | {"steps": [float(len(seen))]}

    def _recorded(
        self, policy: ActorCritic, optimizer: torch.optim.Optimizer, config: PPOConfig
    ) -> Callable[[], Any]:
        """One step of learning on what lies in the minibatch's place."""
        self._stats = batch_stats = torch.zeros(len(STATS), device=policy.device)

        def work() -> None:
            total, stats = loss(policy, self._part, config)
            descend(policy, optimizer, total, stats["kl"], config)
            batch_stats.copy_(torch.stack([stats[name] for name in STATS]))

        if not self.graphed:
            return work
        before = [p.detach().clone() for p in policy.parameters()]
        rates = [torch.as_tensor(group["lr"]).clone() for group in optimizer.param_groups]
        moments = {p: {n: t.clone() for n, t in s.items()} for p, s in optimizer.state.items()}

        @torch.no_grad()
        def undo() -> None:
            for parameter, was in zip(policy.parameters(), before, strict=True):
                parameter.copy_(was)
                for name, tensor in optimizer.state[parameter].items():
                    old = moments.get(parameter, {}).get(name)
                    tensor.zero_() if old is None else tensor.copy_(old)
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                if isinstance(group["lr"], Tensor):
                    group["lr"].copy_(rate)
            optimizer.zero_grad(set_to_none=True)  # so that the graph has gradients of its own

        graph, _ = capture(work, undo)
        return graph.replay
