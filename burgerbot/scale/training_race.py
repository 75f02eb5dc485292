"""PPO of this course beside Stable-Baselines3's: the same robots, batch, epochs and networks.

``python -m burgerbot.scale.training_race [--json]``, on a quiet machine; quote ratios only.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import gymnasium as gym
import torch
from stable_baselines3 import PPO

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import policy as policies
from burgerbot.learn.device import collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig, train
from burgerbot.learn.rollout import collect
from burgerbot.scale.bench import System, measure
from burgerbot.scale.device_training import flop_per_step
from burgerbot.scale.machine import matmul_rate
from burgerbot.scale.sb3 import GymToSB3
from burgerbot.world.torch_vector import TorchBurgerBot

ENV = "BurgerBot-v1"
SB3, ARRAYS = "Stable-Baselines3", "ours, native environment"
DEVICE, EACH = "ours, on the device", "ours, on the device, each row"


def race(
    num_envs: int = 1_024,
    config: PPOConfig | None = None,
    *,
    updates: int = 4,
    rounds: int = 5,
) -> dict[str, Any]:
    """Train in turns, and compare robot steps a second: medians of interleaved rounds.

    "each row" works every row of a minibatch out by itself, as SB3 does; the others ask for each
    of the 588 possible observations once (see ``ActorCritic.asks``). The gradients are the same.

    Args:
        num_envs: N.
        config: Batch, epochs and networks; T = 32, 4 epochs, 4 minibatches, 64x64 if left out.
        updates: Updates a round.
        rounds: Rounds that count, after one to warm up.

    Returns:
        ``rows``, ``ratios`` (to SB3) and ``of_matmul`` (of the matrix rate measured here).
    """
    config = config or PPOConfig(steps=32, epochs=4, minibatches=4)
    size = config.steps * num_envs
    native = gym.make_vec(ENV, num_envs=num_envs, autoreset_mode="SameStep")
    device = TorchBurgerBot.make(ENV, num_envs, statistics=False)
    model = PPO(
        "MlpPolicy",
        GymToSB3(gym.make_vec(ENV, num_envs=num_envs, autoreset_mode="SameStep")),
        n_steps=config.steps,
        batch_size=size // config.minibatches,
        n_epochs=config.epochs,
        learning_rate=config.learning_rate,
        policy_kwargs={"net_arch": list(config.hidden)},
        device="cpu",
    )
    policy = ActorCritic.of(device, config.hidden)

    def ours(envs: Any, how: Callable[..., Any]) -> Callable[[], None]:
        def run() -> None:
            train(envs, config, updates * size, collect=how, policy=policy)

        return run

    on_device = ours(device, collect_on_device)

    def each() -> None:
        with each_row():
            on_device()

    runs: dict[str, Callable[[], Any]] = {
        SB3: lambda: model.learn(updates * size),
        ARRAYS: ours(native, collect),
        DEVICE: on_device,
        EACH: each,
    }
    rows = measure(
        [System(name, num_envs, updates * size, run) for name, run in runs.items()], rounds
    )
    rates = {row.system: row.steps_per_second for row in rows}
    most = matmul_rate(torch.device("cpu"))
    share = {DEVICE: flop_per_step(policy, config, num_envs) * rates[DEVICE] / most}
    with each_row():
        share[EACH] = flop_per_step(policy, config, num_envs) * rates[EACH] / most
    return {
        "rows": [asdict(row) for row in rows],
        "ratios": {name: rate / rates[SB3] for name, rate in rates.items() if name != SB3},
        "matmul_flop_per_second": most,
        "of_matmul": share,
        "threads": torch.get_num_threads(),
    }


@contextmanager
def each_row() -> Iterator[None]:
    """Have every row worked out by itself, for a comparison."""
    before = policies.ASKED_ONCE
    policies.ASKED_ONCE = 0
    try:
        yield
    finally:
        policies.ASKED_ONCE = before


def main(argv: Sequence[str] | None = None) -> int:
    """Run the race as a command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m burgerbot.scale.training_race")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--robots", type=int, default=1_024, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count")
    args = parser.parse_args(argv)
    found = race(args.robots, rounds=args.rounds)
    if args.json:
        print(json.dumps(found))
        return 0
    for row in found["rows"]:
        name, rate = row["system"], row["steps_per_second"]
        ratio = found["ratios"].get(name)
        share = found["of_matmul"].get(name)
        print(
            f"{name:<32}{rate:>12,.0f} steps/s"
            + (f"  {ratio:5.2f}x SB3" if ratio else "")
            + (f"  {100 * share:4.1f}% of the matrix rate" if share else "")
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
