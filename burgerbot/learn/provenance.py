"""Where a result comes from: versions, git commit, and the memory that it took."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

PACKAGES = ("burgerbot", "gymnasium", "numpy", "torch", "stable-baselines3", "ray")
ROOT = Path(__file__).resolve().parents[2]


def versions() -> dict[str, str]:
    """Versions of Python and of what is installed of ``PACKAGES``; nothing is imported for it."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def commit(root: Path = ROOT) -> str | None:
    """The git commit of the course, ``-dirty`` if files differ from it; None without git.

    Args:
        root: The folder that holds ``.git``.
    """
    if not (root / ".git").exists():  # a folder within somebody else's repository is not it
        return None
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def peak_memory_mb() -> float | None:
    """The most memory this process has held so far, in MB (10**6 bytes); None on Windows."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
