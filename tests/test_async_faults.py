"""Real faults of worker processes, each in a program of its own: a clear error, and nobody left.

Each program runs in a new session, so that "nobody left" can be asked of the system: no process of
its group is there any more, helpers of multiprocessing included.
"""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from burgerbot.course.manifest import load_course
from burgerbot.course.source import read_cells, strip_markers

pytestmark = pytest.mark.skipif(
    not hasattr(os, "killpg"), reason="asks for processes left in a way that POSIX systems have"
)
METHODS = multiprocessing.get_all_start_methods()
OWN, *OTHERS = sorted(METHODS, key=lambda method: method != multiprocessing.get_start_method())
START_METHODS = pytest.mark.parametrize(  # the system's own in every run, the others in long ones
    "method", [OWN, *(pytest.param(method, marks=pytest.mark.slow) for method in OTHERS)]
)

HEAD = """
import multiprocessing, signal, sys, time
from functools import partial
import numpy as np
from gymnasium.vector import AsyncVectorEnv
from burgerbot.scale.backends import FaultyEnv, SlowEnv, end_workers
# What a shell starts in the background ignores Ctrl-C, and so do all that it starts: not this one.
signal.signal(signal.SIGINT, signal.default_int_handler)
multiprocessing.set_start_method({method!r})
robots = [partial(SlowEnv, {cost_us!r}, "sleep")] * 3
idle = np.zeros(3, dtype=int)
"""


class Program:
    """A program that runs in a session of its own."""

    def __init__(self, *command):
        folder = str(Path(__file__).parents[1])
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"},
        )

    def end(self, seconds=30.0):
        """Wait for its end: what it printed, what it complained of, its exit status."""
        output, errors = self.process.communicate(timeout=seconds)
        return output, errors, self.process.returncode

    def group_is_gone(self, seconds=10.0):
        """Whether every process of its session ends within some seconds after it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not any(map(self._in_group, psutil.process_iter())):
                return True
            time.sleep(0.02)
        return False

    def _in_group(self, process):
        """Whether a process is of this session, and more than an entry that nobody has reaped."""
        try:
            ended = process.status() == psutil.STATUS_ZOMBIE
            return os.getpgid(process.pid) == self.process.pid and not ended
        except (psutil.Error, OSError):
            return False


@pytest.fixture
def program():
    """Start programs; the last act of the test is to end them all."""
    started = []

    def start(*command):
        started.append(Program(*command))
        return started[-1]

    yield start
    for each in started:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(each.process.pid, signal.SIGKILL)
        each.process.communicate()


def lesson_cells():
    """The lesson's imports, the solution of 05.5, and the cell in which a worker is killed."""
    lesson = next(lesson for lesson in load_course().lessons if lesson.number == "05")
    cells = read_cells(lesson.source)
    wanted = [
        *(c for c in cells if "imports" in c.metadata.get("tags", [])),
        *(c for c in cells if "exercise:05.5" in c.metadata.get("tags", [])),
        *(c for c in cells if c.metadata.get("id") == "killed-worker"),
    ]
    assert len(wanted) == 3
    return [strip_markers(cell.source) for cell in wanted]


@START_METHODS
def test_the_lessons_killed_worker(program, method):
    """The cell ends within 10 s with a clear error, and leaves no process behind."""
    first = f"import multiprocessing\nmultiprocessing.set_start_method({method!r})"
    last = (
        "import psutil\n"
        "time.sleep(0.1)\n"
        "names = [' '.join(p.cmdline()) for p in psutil.Process().children(recursive=True)]\n"
        "print('workers:', [n for n in names if 'tracker' not in n and 'forkserver' not in n])"
    )
    run = program("-c", "\n\n".join([first, *lesson_cells(), last]))
    output, errors, code = run.end()
    assert code == 0, errors
    lines = output.splitlines()
    assert lines[0].startswith("RuntimeError: a worker is gone or silent"), output
    assert "EOFError" in lines[1] or "Connection" in lines[1]
    [after] = [line for line in lines if line.startswith("after ")]
    assert float(after.split()[1]) < 10
    assert "processes left: 0" in lines
    assert "workers: []" in lines
    assert run.group_is_gone()


@START_METHODS
def test_a_worker_killed_under_a_plain_step(program, method):
    """Without any guard the error still arrives, and the program's end ends the other workers."""
    source = """
envs = AsyncVectorEnv(robots)
envs.reset(seed=0)
envs.processes[1].kill()
envs.processes[1].join()
envs.step(idle)
"""
    run = program("-c", HEAD.format(method=method, cost_us=0.0) + source)
    _, errors, code = run.end()
    assert code == 1
    assert "BrokenPipeError" in errors or "ConnectionResetError" in errors or "EOFError" in errors
    assert run.group_is_gone()


@START_METHODS
def test_a_worker_that_raises(program, method):
    """The same error in the parent, and nobody left though nothing was closed."""
    source = """
robots[1] = partial(FaultyEnv, KeyError("battery"))
envs = AsyncVectorEnv(robots)
envs.reset(seed=0)
envs.step(idle)
start = time.perf_counter()
try:
    envs.step(idle)
except KeyError as error:
    print(repr(error), time.perf_counter() - start < 5)
raise SystemExit(7)
"""
    run = program("-c", HEAD.format(method=method, cost_us=0.0) + source)
    output, errors, code = run.end()
    assert (output.strip(), code) == ("KeyError(KeyError('battery')) True", 7), errors
    assert run.group_is_gone()


@START_METHODS
@pytest.mark.parametrize("pending", [False, True], ids=["idle", "in a step"])
def test_an_error_of_your_own_without_close(program, method, pending):
    """The program ends at once, even with a step under way, and so do its workers."""
    step = "envs.step_async(idle)" if pending else ""
    source = f"""
envs = AsyncVectorEnv(robots)
envs.reset(seed=0)
{step}
raise ValueError("mine")
"""
    run = program("-c", HEAD.format(method=method, cost_us=20e6 if pending else 0.0) + source)
    _, errors, code = run.end(15)
    assert code == 1 and "ValueError: mine" in errors
    assert run.group_is_gone()


@START_METHODS
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "stopped"])
def test_the_notebook_itself_goes(program, method, how):
    """If the parent is killed, or stopped by Ctrl-C in a step, its workers follow."""
    source = """
envs = AsyncVectorEnv(robots)
envs.reset(seed=0)
envs.step_async(idle)
print("stepping", flush=True)
envs.step_wait()
time.sleep(60)
"""
    run = program("-c", HEAD.format(method=method, cost_us=1e6) + source)
    assert run.process.stdout.readline() == "stepping\n"
    os.kill(run.process.pid, how) if how == signal.SIGKILL else os.killpg(run.process.pid, how)
    _, _, code = run.end(15)
    assert code == -how
    assert run.group_is_gone()


@START_METHODS
def test_end_workers_ends_them_in_any_state(program, method):
    """Idle, in a step, hanging, raised, dead, paused: nobody is left, and the call comes back."""
    source = """
import os, signal, warnings
warnings.simplefilter("ignore")
for fault in (None, "pending", "hang", "die", KeyError("battery"), "paused"):
    crew = list(robots)
    if fault in ("hang", "die") or isinstance(fault, KeyError):
        crew[1] = partial(FaultyEnv, fault, 1)
    envs = AsyncVectorEnv(crew)
    envs.reset(seed=0)
    if fault == "paused":
        os.kill(envs.processes[0].pid, signal.SIGSTOP)
    if fault is not None:
        envs.step_async(idle)
    if fault in ("die", "hang") or isinstance(fault, KeyError):
        try:
            envs.step_wait(timeout=0.3)
        except (EOFError, KeyError, multiprocessing.TimeoutError):
            pass
    end_workers(envs)
    print(envs.closed, [p.is_alive() for p in envs.processes], multiprocessing.active_children())
"""
    run = program("-c", HEAD.format(method=method, cost_us=0.0) + source)
    output, errors, code = run.end()
    assert code == 0, errors
    assert output.splitlines() == ["True [False, False, False] []"] * 6
    assert run.group_is_gone()


SCRIPT = """
import sys
from functools import partial
from gymnasium.vector import AsyncVectorEnv
from burgerbot.scale.backends import SlowEnv

def main():
    envs = AsyncVectorEnv([partial(SlowEnv, 0.0)] * 2, context=sys.argv[1])
    print(envs.reset(seed=0)[0].tolist())
    envs.close()

"""


@START_METHODS
def test_a_script_with_a_main_guard_starts_workers(program, tmp_path, method):
    """A child that imports the script again starts no workers of its own."""
    script = tmp_path / "guarded.py"
    script.write_text(SCRIPT + 'if __name__ == "__main__":\n    main()\n', encoding="utf-8")
    run = program(str(script), method)
    output, errors, code = run.end()
    assert (output, code) == ("[[0.0], [0.0]]\n", 0), errors
    assert run.group_is_gone()


@pytest.mark.slow
@pytest.mark.parametrize("method", [m for m in METHODS if m != "fork"])
def test_a_script_without_one_fails_and_says_so(program, tmp_path, method):
    """It would start itself again and again: Python refuses, and nobody is left."""
    script = tmp_path / "unguarded.py"
    script.write_text(SCRIPT + "main()\n", encoding="utf-8")
    run = program(str(script), method)
    _, errors, code = run.end()
    assert code == 1 and "bootstrapping phase" in errors
    assert run.group_is_gone()
