"""A robustness panel: the same held-out kitchens, with faults that no training has shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from burgerbot.learn import oracle
from burgerbot.learn.columns import columns
from burgerbot.learn.evaluation import Estimate, Evaluation
from burgerbot.learn.optima import LIMIT
from burgerbot.world.rules import DELIVERED, FORWARD, compile_kitchen
from burgerbot.world.strata import random_kitchen, start_states, stratum
from burgerbot.world.torch_faults import TorchFaultyKitchens, pushes

#: Observations ``[N, 28]`` -> actions ``[N]``, on one device.
Driver = Callable[[Tensor], Tensor]


class Fault(NamedTuple):
    """What is wrong with the world or the robot; see ``TorchFaultyKitchens``.

    Attributes:
        slip: Probability of sliding on every floor; None leaves each stratum its own.
        push: Probability of a push in each step.
        stuck: Stuck cells of the 25 that a robot sees.
    """

    slip: float | None = None
    push: float = 0.0
    stuck: int = 0


#: Training sees slip 0.15 on greasy floors, and none of the rest.
FAULTS = {
    "as trained": Fault(),
    "slip 0.1": Fault(slip=0.1),
    "slip 0.2": Fault(slip=0.2),
    "slip 0.3": Fault(slip=0.3),
    "push 0.05": Fault(push=0.05),
    "push 0.15": Fault(push=0.15),
    "stuck 2": Fault(stuck=2),
    "stuck 5": Fault(stuck=5),
}


@dataclass(frozen=True, eq=False)
class Robustness:
    """What a driver does in each stratum under each fault.

    Attributes:
        faults: Fault -> stratum -> its episodes; the families are seeds.
        optima: Fault -> stratum -> the exact optimum's success, map and odds known.
    """

    faults: dict[str, dict[str, Evaluation]]
    optima: dict[str, dict[str, float]]

    def success(self, fault: str, name: str | None = None) -> Estimate:
        """Share of deliveries with its interval, in one stratum, or (None) over all of them."""
        parts = self.faults[fault]
        chosen = list(parts.values()) if name is None else [parts[name]]
        delivered = np.concatenate([np.asarray(part.delivered) for part in chosen])
        labels = [f"{i} {seed}" for i, part in enumerate(chosen) for seed in part.families.tolist()]
        ones = np.ones(delivered.shape)
        whole = Evaluation(
            ones, ones, delivered, delivered, np.array(labels), None, chosen[0].confidence
        )
        return whole.estimate(delivered)

    def optimum(self, fault: str) -> float:
        """The exact optimum's success over all strata."""
        return float(np.mean(list(self.optima[fault].values())))

    @property
    def worst(self) -> tuple[str, float]:
        """The fault with the least success over all strata, and that success."""
        shares = {fault: self.success(fault).mean for fault in self.faults}
        fault = min(shares, key=lambda name: shares[name])
        return fault, shares[fault]

    def __str__(self) -> str:
        strata = list(next(iter(self.faults.values())))
        lines = [("fault", *strata, "all", "interval", "optimum")]
        for fault in self.faults:
            mean, low, high = self.success(fault)
            shares = [f"{self.success(fault, name).mean:.2f}" for name in strata]
            best = f"{self.optimum(fault):.2f}"
            lines.append((fault, *shares, f"{mean:.2f}", f"{low:.2f} to {high:.2f}", best))
        return columns(lines)


def robustness(
    drivers: Mapping[str, Driver],
    families: Mapping[str, Sequence[int]],
    faults: Mapping[str, Fault] = FAULTS,
    *,
    device: torch.device | str = "cpu",
    robots: int = 4,
    seed: int = 0,
) -> dict[str, Robustness]:
    """Let drivers drive held-out kitchens under each fault, one episode a robot.

    Kitchens, starts and draws are the same for every driver and every fault. So what differs is
    the driver, or the fault.

    Args:
        drivers: Name -> observations ``[N, 28]`` to actions ``[N]``, as ``ActorCritic.greedy``.
        families: Stratum -> seeds of its kitchens, which no training has seen.
        faults: Name -> fault.
        device: Where the robots and the drivers are.
        robots: Robots in each kitchen.
        seed: Of the starts, the slips and the faults.

    Returns:
        Name of the driver -> Robustness.

    Raises:
        ValueError: No driver, no fault, no stratum, or a stratum without a seed.
    """
    given = {"drivers": drivers, "faults": faults, "families": families, **families}
    for what, names in given.items():
        if not len(names):
            raise ValueError(f"{what}: expected one or more, got none")
    found: dict[str, dict[str, dict[str, Evaluation]]] = {
        driver: {fault: {} for fault in faults} for driver in drivers
    }
    optima: dict[str, dict[str, float]] = {fault: {} for fault in faults}
    for fault, wrong in faults.items():
        for place, (name, seeds) in enumerate(families.items()):
            envs = TorchFaultyKitchens(
                robots * len(seeds),
                device,
                stratum=name,
                family=list(seeds),
                max_episode_steps=LIMIT,
                statistics=False,
                **wrong._asdict(),
            )
            draws = np.random.SeedSequence([seed, place]).generate_state(envs.num_envs, np.uint64)
            labels = np.repeat(np.array(seeds), robots)
            for driver, act in drivers.items():
                found[driver][fault][name] = one_episode(envs, act, draws.tolist(), labels)
            slip = stratum(name).slip if wrong.slip is None else wrong.slip
            shares = [best_success(name, int(seed), slip, wrong.push) for seed in seeds]
            optima[fault][name] = float(np.mean(shares))
    return {driver: Robustness(parts, optima) for driver, parts in found.items()}


@torch.no_grad()
def one_episode(
    envs: TorchFaultyKitchens, driver: Driver, seeds: list[int], families: np.ndarray
) -> Evaluation:
    """Play the first episode of each robot; the host reads once, at the end.

    Args:
        envs: N robots, with a step limit and shaped rewards.
        driver: Who drives.
        seeds: One for each robot.
        families: N labels.
    """
    seen, _ = envs.reset(seed=seeds)
    running = torch.ones(envs.num_envs, dtype=torch.bool, device=envs.device)
    paid = torch.zeros(envs.num_envs, device=envs.device)
    lengths = torch.zeros_like(running, dtype=torch.int64)
    delivered, ended = torch.zeros_like(running), torch.zeros_like(running)
    for _ in range(envs.limit or 0):
        seen, _, terminated, truncated, info = envs.step(driver(seen))
        paid += running * info["true_reward"]
        lengths += running
        delivered |= running & (info["outcome"] == DELIVERED)
        ended |= running & terminated
        running = running & ~(terminated | truncated)
    returns, steps, stops, arrived = (
        part.cpu().numpy()[:, None] for part in (paid, lengths, ended, delivered)
    )
    return Evaluation(returns.astype(np.float64), steps, stops, arrived, families, None, 0.95)


@cache
def best_success(name: str, seed: int, slip: float, push: float) -> float:
    """The largest share of deliveries in one kitchen over all starts, within the step limit.

    The best driver knows the map and all odds, and needs no sensor.

    Args:
        name, seed: Of the kitchen.
        slip, push: As ``Fault`` has them.

    >>> best_success("open", 0, 0.0, 0.0)
    1.0
    """
    kitchen = random_kitchen(name, seed)
    world, led = oracle.model(compile_kitchen(kitchen), (0.0, 0.0, 0.0, 1.0)), pushes(kitchen)
    values = np.zeros(len(led))
    for _ in range(LIMIT):
        later = (1 - push) * values + push * values[led].mean(axis=1)
        worth = world.reward + np.where(world.terminated, 0.0, later[world.next_state])
        values = ((1 - slip) * worth + slip * worth[:, [FORWARD]]).max(axis=1)
    return float(values[start_states(kitchen)].mean())
