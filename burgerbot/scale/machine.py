"""What a machine can do at most, and clocks that wait for it. PyTorch and NumPy only."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch


def wait_for(device: torch.device) -> None:
    """Wait until the device has done all that it was told.

    Without it a clock measures how fast the host gives orders, not how fast they are carried out.
    """
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()


def seconds(run: Callable[[], Any], device: torch.device) -> float:
    """Time one call, with a wait for the device on both sides."""
    wait_for(device)
    start = time.perf_counter()
    run()
    wait_for(device)
    return time.perf_counter() - start


def copy_bandwidth(device: torch.device, mib: int | None = None, rounds: int = 5) -> float:
    """Measure how many bytes a second the memory moves, reads and writes counted.

    Args:
        device: Where.
        mib: Size of what is copied; 1,024 MiB on an accelerator, 64 MiB on a CPU if left out.
        rounds: Rounds that count; the median of them is taken.
    """
    mib = mib or (64 if device.type == "cpu" else 1024)
    source = torch.ones(mib << 18, device=device)
    target = torch.empty_like(source)
    return 2 * source.nbytes / _median(lambda: target.copy_(source), device, rounds)


def matmul_rate(device: torch.device, size: int | None = None, rounds: int = 5) -> float:
    """Measure how many float32 operations a second large matrices are multiplied with.

    In float32 throughout, as PyTorch does it if nobody says otherwise: no TF32.

    Args:
        device: Where.
        size: Rows and columns; 8,192 on an accelerator, 1,024 on a CPU if left out.
        rounds: Rounds that count; the median of them is taken.
    """
    size = size or (1024 if device.type == "cpu" else 8192)
    a, b = torch.ones(2, size, size, device=device)
    return 2 * size**3 / _median(lambda: torch.mm(a, b), device, rounds)


def peak_bytes(device: torch.device) -> int | None:
    """Most memory held at once: since ``forget_peak`` on CUDA, of the whole process on a CPU."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if device.type == "mps":
        return torch.mps.driver_allocated_memory()
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def forget_peak(device: torch.device) -> None:
    """Let go of memory that nobody uses, and measure the peak from here on."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)


def describe(device: torch.device) -> dict[str, Any]:
    """The device and the versions, ready for JSON."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else platform.machine()
    return {
        "device": str(device),
        "name": name,
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def _median(run: Callable[[], Any], device: torch.device, rounds: int) -> float:
    """Median seconds of some rounds, after one to warm up."""
    return statistics.median([seconds(run, device) for _ in range(rounds + 1)][1:])
