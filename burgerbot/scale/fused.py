"""How far simulation alone can go: T steps of random robots in one kernel, nothing in between.

Between two steps of ``TorchBurgerBot`` every robot's state travels to memory and back, with
observations, rewards and flags. A random policy needs none of them: here a robot's state stays in
registers for all T steps. What is left is arithmetic and two look-ups a step.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from burgerbot.scale.checks import count
from burgerbot.world import draws, observe, torch_draws
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.registration import MAX_STEPS
from burgerbot.world.rules import CRASHED, DELIVERED, V0_REWARDS
from burgerbot.world.stack import stack_kitchens

DRAWN = 32  # actions that one word of 64 bits holds
BLOCK = 256  # robots that one program drives


class Robots(NamedTuple):
    """N robots that drive at random; every tensor ``[N]``, written in place.

    Attributes:
        state, elapsed: int32: where they are, and for how many steps of the episode.
        word: int64: the stream's word; the next draw adds ``GOLDEN`` first.
        paid: float32: sum of all rewards so far, in the order of the steps.
        crashed, delivered: int32: how often.
    """

    state: Tensor
    elapsed: Tensor
    word: Tensor
    paid: Tensor
    crashed: Tensor
    delivered: Tensor


class World(NamedTuple):
    """A kitchen on a device: ``table`` int32 and ``rewards`` float32 ``[S * 4]``, start, limit."""

    table: Tensor
    rewards: Tensor
    start: int
    limit: int


def begin(
    num_envs: int, device: torch.device | str, kitchen: Kitchen = CLASSIC, seed: int = 0
) -> tuple[World, Robots]:
    """Put N robots at the start of a kitchen, with the rewards and the limit of BurgerBot-v0.

    Args:
        num_envs: N.
        device: Where.
        kitchen: Which.
        seed: Robot i draws from the stream of seed + i.
    """
    count("num_envs", num_envs)
    stack = stack_kitchens([kitchen], observe.grid, V0_REWARDS)
    start = int(stack.starts[0])
    keys = draws.stream(np.arange(seed, seed + num_envs, dtype=np.uint64))

    def zeros(dtype: torch.dtype = torch.int32) -> Tensor:
        return torch.zeros(num_envs, dtype=dtype, device=device)

    world = World(
        torch.tensor(stack.table.astype(np.int32), device=device),
        torch.tensor(stack.rewards.astype(np.float32), device=device),
        start,
        MAX_STEPS,
    )
    word = torch.as_tensor(keys.view(np.int64), device=device)
    robots = Robots(zeros() + start, zeros(), word, zeros(torch.float32), zeros(), zeros())
    return world, robots


def why_not(device: torch.device) -> str | None:
    """Say why the kernel cannot run on a device; None if it can."""
    if device.type != "cuda":
        return f"the fused kernel needs a CUDA device, and this is {device.type}"
    try:
        importlib.import_module("triton")
    except ImportError:
        return "the fused kernel needs Triton, which is not installed"
    return None


def fused(world: World, robots: Robots, steps: int) -> None:
    """Drive all robots at random for T steps, in one kernel.

    Args:
        world, robots: From ``begin``; the robots are changed in place.
        steps: T, a multiple of 32.

    Raises:
        ValueError: Another number of steps.
        RuntimeError: No CUDA device, or no Triton; ``reference`` does the same anywhere.
    """
    blocks = _blocks(steps)
    reason = why_not(robots.state.device)
    if reason is not None:
        raise RuntimeError(reason)
    drive: Any = importlib.import_module("burgerbot.scale.fused_kernel").drive
    number = len(robots.state)
    grid: Any = (-(-number // BLOCK),)
    drive[grid](
        world.table,
        world.rewards,
        robots.state,
        robots.elapsed,
        robots.word,
        robots.paid,
        robots.crashed,
        robots.delivered,
        number,
        blocks,
        world.start,
        world.limit,
        GOLDEN=torch_draws.GOLDEN,
        FIRST=_signed(0xBF58476D1CE4E5B9),
        SECOND=_signed(0x94D049BB133111EB),
        BLOCK=BLOCK,
    )


def reference(world: World, robots: Robots, steps: int) -> None:
    """Do what ``fused`` does, to the bit, in plain PyTorch on any device; arguments as there."""
    blocks = _blocks(steps)
    for actions in random_actions(robots.word, blocks * DRAWN):
        index = robots.state * 4 + actions
        entry = world.table.index_select(0, index)
        robots.paid.add_(world.rewards.index_select(0, index))
        outcome, age = entry & 3, robots.elapsed + 1
        robots.crashed.add_(outcome == CRASHED)
        robots.delivered.add_(outcome == DELIVERED)
        done = (outcome >= CRASHED) | (age >= world.limit)
        robots.state.copy_(torch.where(done, world.start, entry >> 2))
        robots.elapsed.copy_(age.masked_fill(done, 0))
    robots.word.add_(_signed(draws.GOLDEN * blocks & draws.WORD))


def random_actions(word: Tensor, steps: int) -> Tensor:
    """The actions that robots draw next: each word of SplitMix64 holds 32, the lowest bits first.

    Args:
        word: int64 ``[N]``; it stays as it is.
        steps: T, a multiple of 32.

    Returns:
        int32 ``[T, N]``.
    """
    rows = []
    for block in range(_blocks(steps)):
        bits = _mixed(word + _signed(draws.GOLDEN * (block + 1) & draws.WORD))
        rows += [((bits >> 2 * k) & 3).int() for k in range(DRAWN)]
    return torch.stack(rows)


def limits(
    bandwidth: float, bytes_per_step: float, instructions: float = 0.0, per_step: float = 25.0
) -> dict[str, float]:
    """Work out what bounds a simulation, in robot steps a second.

    Args:
        bandwidth: Bytes a second that the memory moves.
        bytes_per_step: That a robot step moves, if every step goes through memory.
        instructions: That all lanes of the device carry out a second; 0 if unknown.
        per_step: Instructions of one robot step; the kernel's inner loop has about 25.

    Returns:
        ``memory``: if every step goes through memory; ``registers``: if none does.
    """
    found = {"memory": bandwidth / bytes_per_step}
    return found | ({"registers": instructions / per_step} if instructions else {})


def _blocks(steps: int) -> int:
    """Words of draws that so many steps take."""
    if count("steps", steps) % DRAWN:
        raise ValueError(f"steps: expected a multiple of {DRAWN}, got {steps}")
    return steps // DRAWN


def _mixed(word: Tensor) -> Tensor:
    """All 64 bits of a draw of SplitMix64; a shift to the right fills with zeros, by the mask."""
    word = (word ^ ((word >> 30) & 0x3FFFFFFFF)) * _signed(0xBF58476D1CE4E5B9)
    word = (word ^ ((word >> 27) & 0x1FFFFFFFFF)) * _signed(0x94D049BB133111EB)
    return word ^ ((word >> 31) & 0x1FFFFFFFF)


def _signed(word: int) -> int:
    """The int64 with the bits of this uint64."""
    return word - (1 << 64) if word >> 63 else word
