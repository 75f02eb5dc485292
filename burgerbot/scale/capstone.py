"""Several methods, one panel: ``python -m burgerbot.scale.capstone --device cuda``.

Trains in random kitchens on one device, asks each method to drive the same held-out kitchens with
and without faults, and writes a ledger. PyTorch and NumPy only.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from burgerbot.learn import ledger, ledger_table
from burgerbot.learn.device import collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig, Training, train
from burgerbot.learn.robustness import Driver, Fault, Robustness, robustness
from burgerbot.learn.rollout import Carry, Rollout
from burgerbot.scale import machine
from burgerbot.scale.capstone_plan import Plan as Plan
from burgerbot.scale.capstone_plan import best_device as best_device
from burgerbot.scale.capstone_plan import methods as methods
from burgerbot.scale.capstone_plan import plan_for as plan_for
from burgerbot.scale.capstone_plan import pools_for as pools_for
from burgerbot.scale.cuda_graphs import GraphedCollect, StaticUpdate, why_not
from burgerbot.scale.unlearned import asking as asking
from burgerbot.scale.unlearned import at_random as at_random
from burgerbot.scale.unlearned import drive as drive
from burgerbot.scale.unlearned import one_step_ahead as one_step_ahead
from burgerbot.world.strata import STRATA
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens


class Learned(NamedTuple):
    """A method after its training: what drives, and what the ledger is to know."""

    policy: ActorCritic
    facts: dict[str, Any]


def learn(
    plan: Plan,
    config: PPOConfig,
    families: Sequence[int],
    *,
    seed: int = 0,
    collect: Callable[..., tuple[Rollout, Carry]] = collect_on_device,
    bar: Any = None,
) -> Learned:
    """Train on one device, in kitchens of all strata, and time it.

    Args:
        plan: How many robots and steps, and where.
        config: See ``PPOConfig``.
        families: Seeds of the kitchens, a divisor of the robots.
        seed: Of the networks, the draws and the starts.
        collect: What collects, where no CUDA graph does.
        bar: A progress bar of tqdm, whose total is ``plan.steps``.
    """
    device = plan.device
    envs = TorchBurgerBotKitchens(plan.robots, device, stratum=list(STRATA), family=list(families))
    policy = ActorCritic.of(envs, config.hidden, seed).to(device)
    policy.update_moments(envs.reset(seed=seed)[0])
    parts: dict[str, Any] = {"collect": collect}
    if why_not(device) is None:
        parts = {"collect": GraphedCollect(envs, policy, seed), "update": StaticUpdate()}

    def tell(run: Training) -> None:
        if bar is not None:
            bar.update(min(run.steps, plan.steps) - bar.n)

    start = time.perf_counter()
    run = train(envs, config, plan.steps, seed=seed, policy=policy, callback=tell, **parts)
    machine.wait_for(device)
    taken = time.perf_counter() - start
    tally = envs.tally
    assert tally is not None
    counts = [int(part.sum()) for part in (tally.delivered, tally.crashed, tally.finished)]
    rows = config.steps * plan.robots
    act = policy.acting(run.generator, rows)
    collecting = machine.seconds(lambda: collect_on_device(envs, act, config.steps), device)
    tape = torch.randint(0, 4, (config.steps, plan.robots), device=device)
    stepping = machine.seconds(lambda: drive(envs.step, tape), device)
    return Learned(
        policy,
        {
            "config": {**vars(config), "robots": plan.robots, "seed": seed},
            "training_seeds": list(families),
            "strata": list(STRATA),
            "steps": run.steps,
            "moments_count": None if policy.moments is None else policy.moments.count,
            "reset_reasons": {
                "delivered": counts[0],
                "crashed": counts[1],
                "timeout": counts[2] - counts[0] - counts[1],
            },
            "throughput": {
                "simulate_only": rows / stepping,
                "with_policy": rows / collecting,
                "with_update": run.steps / taken,
            },
            "device": f"{device} {machine.describe(device)['name']}",
        },
    )


def own_panel(
    drivers: Mapping[str, Driver], training: Sequence[int], plan: Plan
) -> dict[str, Robustness]:
    """Let drivers drive in some of the kitchens that they learned in, without faults.

    Args:
        drivers: Name -> driver.
        training: Seeds, as ``learn`` took them: each stratum got its share, one after another.
        plan: Where, and how many kitchens of each stratum.
    """
    each = len(training) // len(STRATA)
    own = {
        name: list(training[i * each :][: min(each, plan.kitchens)])
        for i, name in enumerate(STRATA)
    }
    return robustness(drivers, own, {"as trained": Fault()}, device=plan.device)


def ledger_line(
    name: str, learned: Learned, training: Robustness, held_out: Robustness
) -> dict[str, Any]:
    """A record of a method: training panel, held-out panel, robustness panel.

    Args:
        name: Of the run.
        learned: From ``learn``.
        training, held_out: Of its driver; the first fault of each is none.
    """
    fault = next(iter(held_out.faults))
    own, found = (
        {name: panel.success(fault, name).mean for name in panel.faults[fault]}
        for panel in (training, held_out)
    )
    seeds = [seed for part in held_out.faults[fault].values() for seed in part.families.tolist()]
    return ledger.record(
        name,
        **learned.facts,
        evaluation_seeds=list(dict.fromkeys(seeds)),
        success=found,
        training_success=own,
        notes={
            "optimum": held_out.optimum(fault),
            **{f"fault, {name}": held_out.success(name).mean for name in held_out.faults},
        },
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison as a command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m burgerbot.scale.capstone")
    parser.add_argument("--device", default=best_device(), help="cpu, cuda or mps")
    parser.add_argument("--share", type=float, default=1.0, help="of the full amount of work")
    parser.add_argument("--ledger", help="a file to add the records to")
    args = parser.parse_args(argv)
    try:
        plan = plan_for(args.device, args.share)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(plan.says, flush=True)
    training, evaluation = pools_for(plan)
    runs = {name: learn(plan, config, training) for name, config in methods(plan).items()}
    drivers: dict[str, Any] = {name: run.policy.greedy for name, run in runs.items()}
    own = own_panel(drivers, training, plan)
    drivers["one step ahead"] = one_step_ahead
    found = robustness(drivers, evaluation, plan.faults, device=plan.device)
    for name, panel in found.items():
        print(f"\n{name}\n{panel}")
    records = [ledger_line(name, runs[name], own[name], found[name]) for name in runs]
    print(f"\n{ledger_table.table(records)}")
    for record in records if args.ledger else ():
        ledger.append(args.ledger, record)
    return 0


if __name__ == "__main__":
    sys.exit(main())
