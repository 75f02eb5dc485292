"""How much memory is left."""

from __future__ import annotations

from pathlib import Path

#: Where a group's limit and its use stand: version 2 of control groups, and version 1.
GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def free_memory() -> int | None:
    """Bytes that this process may still get, by the limits of its group or machine; Linux only."""
    found = []
    for most, used in GROUPS:
        try:
            limit = Path(most).read_text().strip()
            if limit.isdecimal():  # "max": none; version 1 says so by a number beyond all memory
                found.append(max(int(limit) - int(Path(used).read_text()), 0))
        except OSError:
            pass
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found.append(1024 * int(line.split()[1]))
    except OSError:
        pass
    return min(found, default=None)
