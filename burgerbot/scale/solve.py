"""From a cold process to 0.90 success in kitchens never seen: ``python -m burgerbot.scale.solve``.

PyTorch and NumPy only.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import torch

from burgerbot.learn.accounting import seed_families
from burgerbot.learn.device import collect_on_device
from burgerbot.learn.device_panel import DevicePanel
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig, Training, train
from burgerbot.scale.cuda_graphs import GraphedCollect, StaticUpdate, why_not
from burgerbot.world.strata import STRATA
from burgerbot.world.torch_checks import known_device
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens

TARGET, MARGIN = 0.90, 0.01
KITCHENS = 64  # of each stratum, held out
#: Robots, training kitchens and settings: for a CPU in a hurry, for a CPU that uses all its time,
#: and for an accelerator.
SMALL: tuple[int, int, PPOConfig] = (
    1_024,
    512,
    PPOConfig(
        steps=16, epochs=2, minibatches=8, learning_rate=2e-3, gamma=0.97, lam=0.9, entropy=0.01
    ),
)
LONG: tuple[int, int, PPOConfig] = (
    2_048,
    2_048,
    PPOConfig(
        steps=16, epochs=3, minibatches=16, learning_rate=2e-3, gamma=0.97, lam=0.9, entropy=0.01
    ),
)
LARGE: tuple[int, int, PPOConfig] = (
    16_384,
    512,
    PPOConfig(
        steps=16,
        epochs=3,
        minibatches=16,
        learning_rate=1e-3,
        gamma=0.97,
        lam=0.9,
        entropy=0.01,
        adaptive_kl=0.01,
    ),
)


def solve(
    device: str,
    *,
    target: float = TARGET,
    seconds: float = 300.0,
    seed: int = 0,
    setting: tuple[int, int, PPOConfig] | None = None,
    strata: Sequence[str] = tuple(STRATA),
    looks: int = 10,
    began: float | None = None,
) -> dict[str, Any]:
    """Train in random kitchens of all strata until a held-out panel says that it is enough.

    The panel's kitchens have seeds of their own. Its mean over the strata is looked at every few
    updates. Whoever looks often is lucky once: it stops at 0.01 above the target, and a second
    panel, of other kitchens again, has the last word.

    Args:
        device: ``"cpu"``, ``"cuda"`` or ``"mps"``.
        target: Success to reach; above 1 trains until the time is up, and on a CPU the learning
            rate falls to 0 by then.
        seconds: When to stop in any case.
        seed: Of everything.
        setting: Robots, training kitchens and settings; if left out ``LARGE``, or on a CPU
            ``SMALL``, or ``LONG`` where it uses all its time.
        strata: Which kitchens, in training and after it.
        looks: Updates between two looks at the panel.
        began: ``time.perf_counter()`` at the moment from which seconds count; now if left out.

    Returns:
        ``seconds`` (to the last look), ``steps``, ``success`` and ``confirmed`` by stratum, and
        ``curve``: ``[seconds, steps, success]`` of each look.

    Raises:
        ValueError: A device that is not there, or no time.
    """
    began = time.perf_counter() if began is None else began
    where = known_device(device)
    if not seconds > 0:
        raise ValueError(f"seconds: expected more than 0, got {seconds!r}")
    long = where.type == "cpu" and target > 1
    own = LARGE if where.type != "cpu" else LONG if long else SMALL
    robots, kitchens, config = setting or own
    names = [f"{use} {name}" for use in ("look", "confirm") for name in strata]
    pools = seed_families(seed, train=kitchens, **dict.fromkeys(names, KITCHENS))
    panel, last = (
        DevicePanel({name: pools[f"{use} {name}"] for name in strata}, where)
        for use in ("look", "confirm")
    )
    envs = TorchBurgerBotKitchens(
        robots, where, stratum=list(strata), family=pools["train"], statistics=False
    )
    policy = ActorCritic.of(envs, config.hidden, seed).to(where)
    curve: list[list[float]] = []
    found: dict[str, float] = {}

    def look(run: Training) -> bool:
        elapsed = time.perf_counter() - began
        if long:
            for group in run.optimizer.param_groups:
                group["lr"] = config.learning_rate * max(1.0 - elapsed / seconds, 0.01)
        if run.updates % looks and elapsed < seconds:
            return True
        found.update(panel(run.policy))
        success = sum(found.values()) / len(found)
        curve.append([time.perf_counter() - began, run.steps, success])
        return success < target + MARGIN and elapsed < seconds

    graphs: dict[str, Any] = {"collect": collect_on_device}
    if why_not(where) is None:
        graphs = {"collect": GraphedCollect(envs, policy, seed), "improve": StaticUpdate()}
    run = train(envs, config, 10**15, seed=seed, policy=policy, callback=look, **graphs)
    return {
        "device": str(where),
        "torch": torch.__version__,
        "seconds": curve[-1][0],
        "steps": run.steps,
        "updates": run.updates,
        "success": dict(found),
        "confirmed": last(run.policy),
        "curve": curve,
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run it as a command; print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m burgerbot.scale.solve")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    parser.add_argument("--target", type=float, default=TARGET, help="success to stop at")
    parser.add_argument("--seconds", type=float, default=300.0, help="when to stop in any case")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)
    found = solve(args.device, target=args.target, seconds=args.seconds, seed=args.seed)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
