"""What the capstone does on this device: how many robots, how many steps, which kitchens."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from burgerbot.learn.accounting import seed_families
from burgerbot.learn.ppo import PPOConfig
from burgerbot.learn.robustness import FAULTS, Fault
from burgerbot.scale import machine
from burgerbot.scale.cuda_graphs import why_not
from burgerbot.world.strata import STRATA
from burgerbot.world.torch_checks import known_device

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
