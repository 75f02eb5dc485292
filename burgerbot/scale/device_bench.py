"""Robot steps a second on one device, from 1 robot to a million. PyTorch and NumPy only.

``python -m burgerbot bench --device cuda``, or, where the course is not installed,
``python -m burgerbot.scale.device_bench --device cuda``.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch

from burgerbot.learn.device import begin_on_device, collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig
from burgerbot.scale import machine
from burgerbot.scale.checks import count
from burgerbot.scale.cuda_graphs import GraphedRollout, why_not
from burgerbot.scale.device_training import flop_per_step, time_training
from burgerbot.world.torch_checks import known_device
from burgerbot.world.torch_vector import TorchBurgerBot

ENV = "BurgerBot-v1"
ROBOTS = (1, 64, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576)
TIERS = ("simulate", "with policy", "with update")
CONFIG = PPOConfig(steps=32, epochs=4, minibatches=4)
ROUNDS = 5
#: Seconds that the bench may take, by kind of device; larger N are then left out.
SECONDS = {"cpu": 60.0, "cuda": 180.0, "mps": 120.0}


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


def bench(
    device: str,
    robots: Sequence[int] = ROBOTS,
    *,
    budget: float | None = None,
    rounds: int = ROUNDS,
    tiers: Sequence[str] = TIERS,
    config: PPOConfig = CONFIG,
    log: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Measure the tiers for each number of robots.

    Args:
        device: ``"cpu"``, ``"cuda"`` or ``"mps"``.
        robots: N, ascending.
        budget: Seconds; what would not fit any more is left out. ``SECONDS`` if left out.
        rounds: Rounds that count, after one to warm up.
        tiers: Which of ``TIERS``.
        config: Of the training; its ``steps`` are those of a round.
        log: Told of each row, and of what is left out.

    Returns:
        ``machine``, ``rates``, ``rows``, ``parts`` (seconds of an update by part, for each N) and
        ``skipped``; ready for JSON.

    Raises:
        ValueError: A device that is not there, or a number of robots or rounds below 1.
    """
    where = known_device(device)
    for number in (*robots, rounds):
        count("robots and rounds", number)
    budget = SECONDS[where.type] if budget is None else budget
    start, spent = time.perf_counter(), dict.fromkeys(TIERS, 0.0)
    copy, matmul = machine.copy_bandwidth(where), machine.matmul_rate(where)
    rows: list[Row] = []
    parts: dict[str, dict[str, float]] = {}
    skipped: list[str] = []

    def leave_out(why: str) -> None:
        skipped.append(why)
        log(why)

    if (reason := why_not(where)) is not None:
        leave_out(f"graphed: left out, {reason}")
    for before, num_envs in zip((0, *robots), robots, strict=False):
        for tier in tiers:
            left = budget - (time.perf_counter() - start)
            needs = spent[tier] * (max(num_envs / max(before, 1), 1.0) if before >= 1024 else 1.0)
            if needs > left or spent[tier] == math.inf:
                spent[tier] = math.inf
                leave_out(f"{tier}, {num_envs:,} robots: left out, no time ({left:.0f} s left)")
                continue
            began = time.perf_counter()
            try:
                for row, by_part in _measure(tier, where, num_envs, rounds, config, copy, matmul):
                    rows.append(row)
                    log(line(row))
                    if by_part:
                        parts[str(num_envs)] = by_part
            except (MemoryError, RuntimeError) as error:
                if not out_of_memory(error):
                    raise
                leave_out(f"{tier}, {num_envs:,} robots: left out, out of memory")
            machine.forget_peak(where)
            spent[tier] = time.perf_counter() - began
    return {
        "machine": machine.describe(where),
        "env": ENV,
        "rates": {"copy_bytes_per_second": copy, "matmul_flop_per_second": matmul},
        "rows": [asdict(row) for row in rows],
        "parts": parts,
        "skipped": skipped,
    }


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


def out_of_memory(error: BaseException) -> bool:
    """Tell whether an error says that memory ran out, on whichever device."""
    known = isinstance(error, (MemoryError, torch.OutOfMemoryError))
    return known or "allocate memory" in str(error) or "out of memory" in str(error).lower()


def line(row: Row) -> str:
    """One row as text."""
    fraction = row.of_bandwidth if row.of_matmul is None else row.of_matmul
    of = {"simulate": "copy bandwidth", "with update": "matrix rate"}.get(row.tier)
    share = f"  {100 * (fraction or 0):5.1f}% of the {of}" if of else ""
    return (
        f"{row.tier:<12} {row.mode:<8}{row.num_envs:>10,} robots{row.steps_per_second:>16,.0f} "
        f"steps/s{share}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench as a command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m burgerbot bench", description=bench.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--robots", type=int, nargs="+", default=list(ROBOTS), metavar="N")
    parser.add_argument("--seconds", type=float, help="time to spend; larger N are left out")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds that count")
    args = parser.parse_args(argv)

    def log(text: str) -> None:
        print(text, file=sys.stderr if args.json else sys.stdout, flush=True)

    try:
        found = bench(args.device, args.robots, budget=args.seconds, rounds=args.rounds, log=log)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(found))
        return 0
    rates, about = found["rates"], found["machine"]
    print(
        f"{about['name']} ({about['device']}), PyTorch {about['torch']}: copies "
        f"{rates['copy_bytes_per_second'] / 1e9:,.1f} GB/s, multiplies matrices at "
        f"{rates['matmul_flop_per_second'] / 1e9:,.0f} GFLOP/s"
    )
    for num_envs, by_part in found["parts"].items():
        total = sum(by_part.values())
        shares = ", ".join(f"{name} {100 * part / total:.0f}%" for name, part in by_part.items())
        print(f"an update of {int(num_envs):,} robots, {total:.4f} s: {shares}")
    return 0


def _measure(
    tier: str,
    device: torch.device,
    num_envs: int,
    rounds: int,
    config: PPOConfig,
    copy: float,
    matmul: float,
) -> Iterator[tuple[Row, dict[str, float] | None]]:
    """The rows of one tier at one N, with the parts of an update."""
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
        rollouts["eager"] = lambda: [envs.step(tape[t % 16]) for t in range(config.steps)]
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


if __name__ == "__main__":
    sys.exit(main())
