"""One measurement of the device bench: a tier, with some robots, eager and as a CUDA graph."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from typing import Any

import torch

from burgerbot.learn.device import begin_on_device, collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig
from burgerbot.scale import machine
from burgerbot.scale.cuda_graphs import GraphedRollout, why_not
from burgerbot.scale.device_training import flop_per_step, time_training
from burgerbot.scale.unlearned import drive
from burgerbot.world.torch_vector import TorchBurgerBot

ENV = "BurgerBot-v1"
TIERS = ("simulate", "with policy", "with update")


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes:
        tier: One of ``TIERS``: random actions drawn beforehand; a policy's; a policy that learns.
        mode: ``"eager"`` or ``"graphed"``.
        num_envs: N.
        steps_per_second, slowest, fastest: Robot steps a second: median and extremes.
        first_seconds: The first round, which counts nowhere: memory, libraries, capture.
        bytes_per_step: What a robot step moves at least (``simulate``).
        of_bandwidth: That, of the copy bandwidth measured in the same run.
        flop_per_step: Float operations of the matrix products of a robot step (``with update``).
        of_matmul: That, of the matrix rate measured in the same run.
        peak_bytes: Most memory held; of the whole process on a CPU.
    """

    tier: str
    mode: str
    num_envs: int
    steps_per_second: float
    slowest: float
    fastest: float
    first_seconds: float
    bytes_per_step: float | None = None
    of_bandwidth: float | None = None
    flop_per_step: float | None = None
    of_matmul: float | None = None
    peak_bytes: int | None = None


def measured(
    tier: str,
    device: torch.device,
    num_envs: int,
    rounds: int,
    config: PPOConfig,
    copy: float,
    matmul: float,
) -> Iterator[tuple[Row, dict[str, float] | None]]:
    """Measure one tier at one N.

    Args:
        tier: One of ``TIERS``.
        device: Where.
        num_envs: N.
        rounds: Rounds that count, after one to warm up.
        config: Of the training; its ``steps`` are those of a round.
        copy: Copy bandwidth of the device, bytes a second.
        matmul: Its matrix rate, float operations a second.

    Yields:
        A row for each mode, and (``with update``) the median seconds of an update by part.
    """
    envs = TorchBurgerBot.make(ENV, num_envs, device, statistics=False)
    steps = config.steps * num_envs
    if tier == "with update":
        timed, run = time_training(envs, config, rounds)
        whole, timed = [sum(part) for part in timed], timed[1:]
        flop = flop_per_step(run.policy, config, num_envs)
        row = _row(tier, "eager", num_envs, steps, whole, device)
        more = {"flop_per_step": flop, "of_matmul": flop * row.steps_per_second / matmul}
        medians = [statistics.median(column) for column in zip(*timed, strict=True)]
        yield Row(**asdict(row) | more), dict(zip(timed[0]._fields, medians, strict=True))
        return
    envs.reset(seed=0)
    policy = ActorCritic.of(envs, config.hidden).to(device)
    draws = torch.Generator(device=device).manual_seed(0)
    rollouts: dict[str, Callable[[], Any]] = {}
    if tier == "simulate":
        tape = torch.randint(0, 4, (16, num_envs), generator=draws, device=device)
        rollouts["eager"] = lambda: drive(envs.step, islice(cycle(tape), config.steps))
        if why_not(device) is None:
            rollouts["graphed"] = GraphedRollout(envs, config.steps)
    else:
        carry = begin_on_device(envs, 0)
        rollouts["eager"] = lambda: collect_on_device(
            envs, policy.acting(draws, steps), config.steps, carry
        )
    for mode, rollout in rollouts.items():
        taken = [machine.seconds(rollout, device) for _ in range(rounds + 1)]
        row = _row(tier, mode, num_envs, steps, taken, device)
        if tier == "simulate":
            moved = bytes_per_step(envs)
            of = moved * row.steps_per_second / copy
            row = Row(**asdict(row) | {"bytes_per_step": moved, "of_bandwidth": of})
        yield row, None


def memory_needed(tier: str, num_envs: int, steps: int) -> int:
    """About how many bytes a tier takes at most, with its eager rollout of T steps.

    Rows of a rollout, and of what an update makes of it, as measured with a million robots; a test
    holds that no measurement takes more.
    """
    a_row = {"simulate": 0, "with policy": 120, "with update": 240}[tier]
    return num_envs * (300 + a_row * steps)


def bytes_per_step(envs: TorchBurgerBot) -> float:
    """Bytes that one robot step moves at least: every input read once, every output written once.

    Read: the action, the robot's records (state, elapsed steps), one row of each table. Written:
    the records, and all that ``step`` hands out. One step is taken for it.
    """
    actions = torch.zeros(envs.num_envs, dtype=torch.int64, device=envs.device)
    seen, reward, terminated, truncated, info = envs.step(actions)
    kept = [part for part in envs.state_dict().values() if isinstance(part, torch.Tensor)]
    told = [part for part in info.values() if isinstance(part, torch.Tensor)]
    written = sum(part.nbytes for part in (seen, reward, terminated, truncated, *told))
    looked_up = 2 * seen.nbytes + reward.nbytes + info["outcome"].nbytes
    records = 2 * sum(part.nbytes for part in kept)
    return (actions.nbytes + records + looked_up + written) / envs.num_envs


def line(row: Row) -> str:
    """One row as text."""
    fraction = row.of_bandwidth if row.of_matmul is None else row.of_matmul
    of = {"simulate": "copy bandwidth", "with update": "matrix rate"}.get(row.tier)
    share = f"  {100 * (fraction or 0):5.1f}% of the {of}" if of else ""
    return (
        f"{row.tier:<12} {row.mode:<8}{row.num_envs:>10,} robots{row.steps_per_second:>16,.0f} "
        f"steps/s{share}"
    )


def _row(
    tier: str, mode: str, num_envs: int, steps: int, taken: list[float], device: torch.device
) -> Row:
    """A row of seconds, the first of which warmed up."""
    first, *rest = taken
    return Row(
        tier,
        mode,
        num_envs,
        steps / statistics.median(rest),
        steps / max(rest),
        steps / min(rest),
        first,
        peak_bytes=machine.peak_bytes(device),
    )
