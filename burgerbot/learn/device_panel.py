"""The held-out panel on a device: quick enough to look at while training goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from burgerbot.learn.optima import LIMIT
from burgerbot.learn.policy import ActorCritic
from burgerbot.world.rules import DELIVERED
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens


class DevicePanel:
    """Ask how often a policy delivers in kitchens of its own: greedy, one episode a robot.

    The robots, starts and slips are those of ``panel.held_out`` with one episode, and so is the
    success. Intervals, optima and all the rest are told there.

    Args:
        families: Stratum -> seeds of its kitchens, which no training has seen.
        device: Where.
        robots: Robots in each kitchen.
        seed: Of the starts and the slips.

    Raises:
        ValueError: No stratum, an unknown one, or one without a seed.
    """

    def __init__(
        self,
        families: Mapping[str, Sequence[int]],
        device: torch.device | str,
        *,
        robots: int = 4,
        seed: int = 0,
    ) -> None:
        if not families or not all(len(seeds) for seeds in families.values()):
            raise ValueError(f"families: expected strata with seeds, got {dict(families)}")
        self._worlds = {}
        for place, (name, seeds) in enumerate(families.items()):
            envs = TorchBurgerBotKitchens(
                robots * len(seeds),
                device,
                stratum=name,
                family=list(seeds),
                max_episode_steps=LIMIT,
                statistics=False,
            )
            draws = np.random.SeedSequence([seed, place]).generate_state(envs.num_envs, np.uint64)
            self._worlds[name] = (envs, draws.tolist())

    @torch.no_grad()
    def __call__(self, policy: ActorCritic) -> dict[str, float]:
        """Share of episodes that deliver, by stratum; one read from the device each."""
        return {name: self._success(policy, *world) for name, world in self._worlds.items()}

    def _success(
        self, policy: ActorCritic, envs: TorchBurgerBotKitchens, seeds: list[int]
    ) -> float:
        """Of one stratum: each robot's first episode counts."""
        seen, _ = envs.reset(seed=seeds)
        over = torch.zeros(envs.num_envs, dtype=torch.bool, device=envs.device)
        delivered = over.clone()
        for _ in range(LIMIT):
            seen, _, terminated, truncated, info = envs.step(policy.greedy(seen))
            delivered |= ~over & (info["outcome"] == DELIVERED)
            over |= terminated | truncated
        return float(delivered.float().mean())
