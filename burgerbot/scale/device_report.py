"""What a device can do, in one command: ``python -m burgerbot.scale.device_report --device cuda``.

Random robots (eager and graphed), the fused kernel, training, and the time from a cold process to
0.90 success in kitchens never seen. What a device lacks is said, not hidden. PyTorch and NumPy
only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import torch

from burgerbot.learn.device import collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig, Training, train
from burgerbot.scale import fused, machine
from burgerbot.scale.cuda_graphs import GraphedCollect, StaticUpdate, why_not
from burgerbot.scale.device_bench import bench
from burgerbot.scale.device_training import flop_per_step
from burgerbot.world.torch_checks import known_device
from burgerbot.world.torch_vector import TorchBurgerBot

BUG = 1e12  # robot steps a second that no device makes: a clock that did not wait
#: Robots of each part, on a CPU and on an accelerator.
RANDOM = {"cpu": (1_024, 16_384), "cuda": (16_384, 1_048_576), "mps": (16_384, 1_048_576)}
TRAINING = {"cpu": (1_024,), "cuda": (4_096, 16_384, 65_536), "mps": (4_096, 16_384)}
FUSED = {"cpu": (1_024, 320), "cuda": (1_048_576, 32_000)}


def report(device: str, *, solve: bool = True, log: Callable[[str], None] = print) -> dict:
    """Measure all parts, and say of each what was left out and why.

    Args:
        device: ``"cpu"``, ``"cuda"`` or ``"mps"``.
        solve: Whether to train from a cold process to 0.90.
        log: Told of each figure.

    Returns:
        ``simulate``, ``fused``, ``training``, ``solve``, ``skipped``; ready for JSON.
    """
    where = known_device(device)
    found: dict[str, Any] = {"machine": machine.describe(where), "skipped": []}

    def leave_out(why: str) -> None:
        found["skipped"].append(why)
        log(f"left out: {why}")

    plain = bench(device, RANDOM[where.type], rounds=5, tiers=("simulate",), log=log)
    found["rates"], found["simulate"] = plain["rates"], plain["rows"]
    found["skipped"] += plain["skipped"]
    found["fused"] = _fused(where, plain, leave_out, log)
    found["training"] = [
        row for robots in TRAINING[where.type] for row in _training(where, robots, plain, log)
    ]
    if solve:
        start = time.perf_counter()
        command = [sys.executable, "-m", "burgerbot.scale.solve", "--device", device]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            leave_out(f"time to 0.90: {done.stderr.strip().splitlines()[-1:]}")
        else:
            found["solve"] = json.loads(done.stdout) | {"cold": time.perf_counter() - start}
            told = {name: round(s, 3) for name, s in found["solve"]["confirmed"].items()}
            log(
                f"0.90 held-out success {found['solve']['cold']:.1f} s after the process began, "
                f"{found['solve']['steps']:,} steps; other held-out kitchens: {told}"
            )
    return found


def _fused(
    device: torch.device,
    plain: dict[str, Any],
    leave_out: Callable[[str], None],
    log: Callable[[str], None],
) -> dict[str, Any]:
    """The fused kernel; where it cannot run, its reference, and the arithmetic of the limit."""
    moved = plain["rows"][-1]["bytes_per_step"]
    bandwidth = plain["rates"]["copy_bytes_per_second"]
    memory = fused.limits(bandwidth, moved)["memory"]
    log(f"through memory, {moved:.0f} bytes a step: at most {memory:,.0f} steps/s here")
    reason = fused.why_not(device)
    if reason is not None:
        leave_out(reason)
    robots, steps = FUSED["cpu" if reason else device.type]
    drive = fused.reference if reason else fused.fused
    world, crowd = fused.begin(robots, device)
    taken = [machine.seconds(lambda: drive(world, crowd, steps), device) for _ in range(6)]
    rate = robots * steps / statistics.median(taken[1:])
    name = drive.__name__
    log(f"fused ({name}), {robots:,} robots, {steps:,} steps: {rate:,.0f} steps/s{_bug(rate)}")
    return {
        "kernel": name,
        "num_envs": robots,
        "steps_per_second": rate,
        "first_seconds": taken[0],
        "memory_limit": memory,
    }


def _training(
    device: torch.device, robots: int, plain: dict[str, Any], log: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Training rates: eager, and in graphs where there are some."""
    config = PPOConfig(steps=32, epochs=4, minibatches=4)
    rows = []
    for mode in ("eager", "graphed"):
        if mode == "graphed" and why_not(device) is not None:
            continue
        envs = TorchBurgerBot.make("BurgerBot-v1", robots, device, statistics=False)
        policy = ActorCritic.of(envs, config.hidden).to(device)
        parts: dict[str, Any] = {"collect": collect_on_device}
        if mode == "graphed":
            envs.reset(seed=0)
            parts = {"collect": GraphedCollect(envs, policy), "improve": StaticUpdate()}
        ends = [time.perf_counter()]

        def note(run: Training, ends: list[float] = ends) -> bool:
            machine.wait_for(device)
            ends.append(time.perf_counter())
            return len(ends) < 12

        train(envs, config, 10**15, policy=policy, callback=note, **parts)
        taken = [after - before for before, after in pairwise(ends)]
        rate = config.steps * robots / statistics.median(taken[2:])
        share = rate * flop_per_step(policy, config, robots)
        share /= plain["rates"]["matmul_flop_per_second"]
        log(
            f"training, {mode}, {robots:,} robots: {rate:,.0f} steps/s{_bug(rate)}, "
            f"{100 * share:.1f}% of the matrix rate"
        )
        rows.append(
            {
                "mode": mode,
                "num_envs": robots,
                "steps_per_second": rate,
                "of_matmul": share,
                "first_seconds": taken[0],
            }
        )
    return rows


def _bug(rate: float) -> str:
    """A remark on a figure that cannot be."""
    return " (a bug: no device is that fast)" if rate > BUG else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the report as a command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m burgerbot.scale.device_report")
    parser.add_argument("--device", default="cuda", help="cpu, cuda or mps")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--no-solve", action="store_true", help="without the time to 0.90")
    args = parser.parse_args(argv)

    def log(text: str) -> None:
        print(text, file=sys.stderr if args.json else sys.stdout, flush=True)

    try:
        found = report(args.device, solve=not args.no_solve, log=log)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
