"""Robot steps a second on one device, from 1 robot to a million. PyTorch and NumPy only.

``python -m burgerbot bench --device cuda``, or, where the course is not installed,
``python -m burgerbot.scale.device_bench --device cuda``.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import torch

from burgerbot.learn.ppo import PPOConfig
from burgerbot.scale import machine
from burgerbot.scale.checks import count
from burgerbot.scale.cuda_graphs import why_not
from burgerbot.scale.device_tiers import ENV, line, measured, memory_needed
from burgerbot.scale.device_tiers import TIERS as TIERS
from burgerbot.scale.device_tiers import Row as Row
from burgerbot.scale.device_tiers import bytes_per_step as bytes_per_step
from burgerbot.scale.memory import free_memory
from burgerbot.world.torch_checks import known_device

ROBOTS = (1, 64, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576)
CONFIG = PPOConfig(steps=32, epochs=4, minibatches=4)
ROUNDS = 5
#: Seconds that the bench may take, by kind of device; larger N are then left out.
SECONDS = {"cpu": 60.0, "cuda": 180.0, "mps": 120.0}


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
            if where.type == "cpu" and (why := _too_large(tier, num_envs, config.steps)):
                leave_out(f"{tier}, {num_envs:,} robots: left out, {why}")
                continue
            began = time.perf_counter()
            try:
                for row, by_part in measured(tier, where, num_envs, rounds, config, copy, matmul):
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


def out_of_memory(error: BaseException) -> bool:
    """Tell whether an error says that memory ran out, on whichever device."""
    known = isinstance(error, (MemoryError, torch.OutOfMemoryError))
    return known or "allocate memory" in str(error) or "out of memory" in str(error).lower()


def _too_large(tier: str, num_envs: int, steps: int) -> str | None:
    """Why this would not fit into memory; a CPU's system ends a process instead of an error."""
    needs, free = memory_needed(tier, num_envs, steps), free_memory()
    if free is None or needs <= free:
        return None
    return f"it needs about {needs / 1e6:,.0f} MB of memory, and {free / 1e6:,.0f} are free"


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


if __name__ == "__main__":
    sys.exit(main())
