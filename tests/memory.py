"""How much memory a lesson takes: its kernel, all processes of the kernel, and the Jupyter server.

``python tests/memory.py [NN]...`` executes the solved lessons, as long as they take, and prints a
table; with FAST=1, their short versions. Binder gives 2 GB to all of it together.
"""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

CAP = 2_000_000_000
#: What the Jupyter server of a session took at most where it was measured (see ``server``).
SERVER = 200_000_000


class Peak:
    """Sample the memory of all children of this process; ``bytes`` is the most there ever was.

    Shared pages count once for all who share them (PSS) where the system tells; else as RSS.
    """

    def __init__(self, seconds=0.2):
        self.bytes, self._seconds, self._over = 0, seconds, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _watch(self):
        me = psutil.Process()
        while not self._over.wait(self._seconds):
            children = me.children(recursive=True)
            self.bytes = max(self.bytes, sum(size_of(child) for child in children))


def size_of(process):
    """The memory of one process; 0 if it has just gone."""
    with suppress(psutil.Error, OSError):
        try:
            return process.memory_full_info().pss
        except AttributeError:
            return process.memory_info().rss
    return 0


def server(seconds=15):
    """The memory of a JupyterLab server that has answered and waits."""
    command = [sys.executable, "-m", "burgerbot", "lab", "--no-browser", "--port", "18999"]
    with Peak() as peak:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        child.terminate()
        child.wait()
    return peak.bytes


def main(numbers):
    """Print the table."""
    from burgerbot.course import build
    from burgerbot.course.manifest import load_course

    course = load_course(Path(__file__).resolve().parents[1])
    measured = server()
    short = " (FAST)" if os.environ.get("FAST") else ""
    print(f"| lesson{short} | kernel and workers, MB | with the server ({measured / 1e6:.0f} MB) |")
    print("|---|---|---|", flush=True)
    for lesson in course.lessons:
        if numbers and lesson.number not in numbers:
            continue
        with Peak() as peak:
            build.execute_notebook(build.solution_notebook(lesson), course.root / "solutions")
        total = peak.bytes + measured
        verdict = "" if total < CAP else " over 2 GB"
        print(
            f"| {lesson.number} | {peak.bytes / 1e6:.0f} | {total / 1e6:.0f}{verdict} |", flush=True
        )


if __name__ == "__main__":
    main(sys.argv[1:])
