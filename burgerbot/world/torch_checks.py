"""Arguments of the device environment, checked without reading a value back from the device."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burgerbot.world import draws
from burgerbot.world.kitchen import Kitchen

INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def known_device(device: torch.device | str) -> torch.device:
    """The device, as tensors on it name it, if it is there.

    Raises:
        ValueError: An unknown name, or a device that this machine does not have.
    """
    try:
        found = torch.device(device)
    except (RuntimeError, TypeError) as error:
        raise ValueError(f"device: expected cpu, cuda or mps, got {device!r}") from error
    there = {
        "cpu": 1,
        "cuda": torch.cuda.device_count() if torch.cuda.is_available() else 0,
        "mps": int(torch.backends.mps.is_available()),
    }
    if (found.index or 0) >= there.get(found.type, 0):
        names = [f"{kind}:{i}" for kind, count in there.items() for i in range(count)]
        raise ValueError(f"device: expected one that is here ({', '.join(names)}), got {device!r}")
    # As tensors there say it, so that the two can be compared.
    return torch.device("cpu") if found.type == "cpu" else torch.empty(0, device=found).device


def robot_count(num_envs: int) -> int:
    """The number of robots, 1 or more."""
    if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
        raise ValueError(f"num_envs: expected 1 or more, got {num_envs!r}")
    return int(num_envs)


def kitchen_list(kitchens: Any) -> list[Kitchen]:
    """One kitchen or several, given as kitchens or their maps.

    Raises:
        TypeError, ValueError: Something else, such as a tensor on some device, or none.
        KitchenError: A map that cannot be used.
    """
    given = list(kitchens) if isinstance(kitchens, (list, tuple)) else [kitchens]
    if not given:
        raise ValueError("kitchens: expected one or more, got none")
    for kitchen in given:
        if not isinstance(kitchen, (Kitchen, str)):
            where = f" on {kitchen.device}" if isinstance(kitchen, Tensor) else ""
            kind = type(kitchen).__name__
            raise TypeError(f"kitchens: expected kitchens or their maps, got a {kind}{where}")
    return [k if isinstance(k, Kitchen) else Kitchen.from_ascii(k) for k in given]


def step_limit(limit: int | None) -> int | None:
    """The step limit, 1 or more, or None for none."""
    if limit is not None and not (isinstance(limit, (int, np.integer)) and limit >= 1):
        raise ValueError(f"max_episode_steps: expected None, or 1 or more, got {limit!r}")
    return None if limit is None else int(limit)


def enough_memory(num_envs: int, each: int, device: torch.device) -> None:
    """Refuse more robots than the device has memory for.

    Args:
        num_envs: N.
        each: Bytes that one robot takes at the peak of a step.
        device: Where.

    Raises:
        MemoryError: It needs more than is free (of a CPU: more than the machine has at all).
    """
    if device.type == "cuda":
        free = torch.cuda.mem_get_info(device)[0]
    elif hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    else:
        return
    if num_envs * each > free:
        raise MemoryError(
            f"num_envs: {num_envs:,} robots need {num_envs * each / 2**30:,.1f} GiB on {device}, "
            f"which has {free / 2**30:,.1f} GiB; it has room for {free // each:,}"
        )


def device_tensor(
    name: str, given: Any, num_envs: int, dtypes: Sequence[torch.dtype], device: torch.device
) -> Tensor:
    """A tensor ``[N]`` of one of these dtypes on the device; its values are not looked at.

    Raises:
        TypeError, ValueError: No tensor, or one of another dtype, shape or device.
    """
    if not isinstance(given, Tensor):
        raise TypeError(f"{name}: expected a tensor on {device}, got {type(given).__name__}")
    if given.device != device:
        raise ValueError(f"{name}: expected a tensor on {device}, got one on {given.device}")
    if given.shape != (num_envs,):
        raise ValueError(f"{name}: expected shape ({num_envs},), got {tuple(given.shape)}")
    if given.dtype not in dtypes:
        kind = "bool" if dtypes == (torch.bool,) else "integers from 0 to 3"
        raise TypeError(f"{name}: expected {kind}, got dtype {given.dtype}")
    return given


def robot_seeds(
    seed: int | Sequence[int | None] | None, num_envs: int, first: bool
) -> Sequence[int | None] | None:
    """One seed a robot: s + i for an int s, each its own for a list, None to keep its stream.

    Args:
        seed: What ``reset`` got.
        num_envs: N.
        first: Whether no robot has a stream yet: then those without a seed get one of their own.

    Returns:
        N seeds, or None if no robot gets one.

    Raises:
        ValueError: A list of another length.
    """
    if isinstance(seed, (int, np.integer)):
        return range(int(seed), int(seed) + num_envs)
    if seed is not None and len(seed) != num_envs:
        raise ValueError(f"seed: expected {num_envs} seeds, got {len(seed)}")
    if not first:
        return seed
    base = int(np.random.default_rng().integers(2**63))
    if seed is None:
        return range(base, base + num_envs)
    return [base + i if s is None else int(s) for i, s in enumerate(seed)]


def stream_keys(seeds: Sequence[int | None]) -> tuple[np.ndarray, np.ndarray | None]:
    """``draws.stream`` of each seed, uint64 ``[N]``, and which robots have one (None: all)."""
    if isinstance(seeds, range):
        first = np.array([seeds.start & draws.WORD], dtype=np.uint64)
        return draws.stream(first + np.arange(len(seeds), dtype=np.uint64)), None
    words = np.array([int(seed or 0) & draws.WORD for seed in seeds], dtype=np.uint64)
    return draws.stream(words), np.array([seed is not None for seed in seeds])
