"""How much memory is left."""

from __future__ import annotations

from pathlib import Path


def free_memory() -> int | None:
    """Bytes that this process may still get, by the limits of its group or machine; Linux only."""
    found = []
    try:
        group = Path("/sys/fs/cgroup")
        limit = (group / "memory.max").read_text().strip()
        if limit.isdecimal():
            found.append(int(limit) - int((group / "memory.current").read_text()))
    except OSError:
        pass
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found.append(1024 * int(line.split()[1]))
    except OSError:
        pass
    return min(found, default=None)
