"""Several methods, one panel: ``python -m burgerbot.scale.capstone --device cuda``.

Trains in random kitchens on one device, asks each method to drive the same held-out kitchens with
and without faults, and writes a ledger. PyTorch and NumPy only.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from burgerbot.learn import ledger, ledger_table
from burgerbot.learn.accounting import seed_families
from burgerbot.learn.device import collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig, Training, train
from burgerbot.learn.robustness import FAULTS, Driver, Fault, Robustness, robustness
from burgerbot.learn.rollout import Carry, Rollout
from burgerbot.scale import machine
from burgerbot.scale.cuda_graphs import GraphedCollect, StaticUpdate, why_not
from burgerbot.world.observe import CELL_MM, VIEW
from burgerbot.world.strata import STRATA
from burgerbot.world.torch_checks import known_device
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens

ROOMY = 32 * 2**30  # bytes of a device that counts as large
SIZES = (1, 16, 256, 4_096, 65_536, 1_000_000)  # robots of the bench
#: Settings of the training, for a CPU and for an accelerator.
SMALL = PPOConfig(
    steps=16, epochs=4, minibatches=8, learning_rate=2e-3, gamma=0.97, lam=0.9, entropy=0.01
)
LARGE = replace(SMALL, minibatches=4, learning_rate=1e-3, adaptive_kl=0.01)


@dataclass(frozen=True)
class Plan:
    """How much work a device gets: one plan for a laptop, Colab's T4 and a large GPU.

    Attributes:
        device: Where.
        says: What was found, what is skipped, and what runs instead.
        sizes: Robots of the bench.
        bench_steps: Steps of each round there.
        robots, steps: Robots that learn, and transitions to learn from.
        config: Of the training.
        kitchens: Held-out kitchens of each stratum.
        faults: Of the robustness panel.
    """

    device: torch.device
    says: str
    sizes: tuple[int, ...]
    bench_steps: int
    robots: int
    steps: int
    config: PPOConfig
    kitchens: int
    faults: dict[str, Fault]


class Learned(NamedTuple):
    """A method after its training: what drives, and what the ledger is to know."""

    policy: ActorCritic
    facts: dict[str, Any]


def best_device() -> str:
    """``"cuda"``, ``"mps"`` or ``"cpu"``: the first that is there."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def plan_for(device: str, share: float = 1.0) -> Plan:
    """Choose the amount of work for a device. Nothing is refused for want of a GPU.

    Args:
        device: ``"cpu"``, ``"cuda"`` or ``"mps"``.
        share: Of the full amount, above 0 to 1: below 0.5, fewer kitchens and faults too.

    Raises:
        ValueError: A device that is not there, or a share out of range.

    >>> plan = plan_for("cpu")
    >>> plan.robots, max(plan.sizes)
    (1024, 1000000)
    """
    if not 0.0 < share <= 1.0:
        raise ValueError(f"share: expected above 0 to 1, got {share!r}")
    where = known_device(device)
    robots, config, kind = 1_024, SMALL, "CPU"
    if where.type != "cpu":
        memory = torch.cuda.mem_get_info(where)[1] if where.type == "cuda" else 0
        robots, kind = (16_384, "large GPU") if memory >= ROOMY else (4_096, "GPU")
        config = LARGE
    steps = robots * (640 if where.type == "cpu" else 1_280)
    about = machine.describe(where)
    says = f"{kind}: {about['name']}, PyTorch {about['torch']}, {robots:,} robots learn."
    if (reason := why_not(where)) is not None:
        says += (
            f"\nSkipped: CUDA graphs and the fused kernel ({reason})."
            "\nInstead: plain PyTorch, tensors without values, and the limit by arithmetic."
        )
    whole = share >= 0.5
    rollout = config.steps * robots
    return Plan(
        where,
        says,
        SIZES,
        4 if where.type == "cpu" else 32,
        robots,
        max(1, round(steps * share / rollout)) * rollout,
        config,
        32 if whole else 8,
        FAULTS if whole else {name: FAULTS[name] for name in list(FAULTS)[::2]},
    )


def methods(plan: Plan) -> dict[str, PPOConfig]:
    """What is trained: the course's PPO, and the same with one epoch, at equal steps."""
    return {"PPO": plan.config, "one epoch": replace(plan.config, epochs=1)}


def pools_for(plan: Plan, seed: int = 14) -> tuple[list[int], dict[str, list[int]]]:
    """Seeds of 512 training kitchens, and of the held-out ones of each stratum; none in common."""
    pools = seed_families(seed, training=512, **dict.fromkeys(STRATA, plan.kitchens))
    return pools["training"], {name: pools[name] for name in STRATA}


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


def at_random(device: torch.device | str, seed: int = 0) -> Callable[[Tensor], Any]:
    """A policy of random actions for ``collect``, with log-probabilities and values of 0."""
    draws = torch.Generator(torch.device(device)).manual_seed(seed)

    def act(seen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        none = torch.zeros(len(seen), device=seen.device)
        actions = torch.randint(0, 4, (len(seen),), generator=draws, device=seen.device)
        return actions, none, none

    return act


def drive(step: Callable[[Tensor], Any], tape: Tensor) -> None:
    """Carry out a tape of actions ``[T, N]``."""
    for actions in tape:
        step(actions)


def asking(step: Callable[[Tensor], Any]) -> Callable[[Tensor], float]:
    """The same step, and after it the host reads the mean of its second result, the reward."""
    return lambda actions: step(actions)[1].mean().item()


def one_step_ahead(observations: Tensor) -> Tensor:
    """Drive to the clear neighbouring cell that is nearest to the goal, as the crow flies.

    No learning: the best that looks one step ahead, by what the robot sees.

    Args:
        observations: float32 ``[N, 28]``, see ``observe.egocentric``.

    Returns:
        int64 ``[N]``.
    """
    ahead, right = observations[:, -3] / CELL_MM, observations[:, -2] / CELL_MM
    middle = VIEW * VIEW // 2
    costs = []
    sides = ((middle - VIEW, 1, 0), (middle - 1, 0, -1), (middle + 1, 0, 1), (middle + VIEW, -1, 0))
    for turns, (cell, forward, aside) in zip((0, 1, 1, 2), sides, strict=True):
        far = (ahead - forward).square() + (right - aside).square() + turns
        costs.append(torch.where(observations[:, cell] > 0.5, 1e6, far))
    front, left, to_right, behind = costs
    return torch.stack([front, torch.minimum(left, behind), to_right], dim=1).argmin(1)


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
