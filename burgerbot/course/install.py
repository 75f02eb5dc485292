"""Make ``.venv`` and install requirements.txt into it, saying what happens.

Standard library only, in a syntax that Python 3.8 can parse; see environment.py.
"""

from __future__ import annotations

import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from burgerbot.course import environment
from burgerbot.course.environment import SetupError

LOG = "burgerbot-setup.log"  # in .venv: all that the step said that failed
HEARTBEAT = 20.0  # seconds of silence after which a line says what is still going on

AGAIN = "then run the same command again; it goes on where it stopped."
# What venv or pip writes, and the sentence with the way out that it stands for. First match wins.
CAUSES = (
    (
        r"No space left|Errno 28\b|WinError 112\b|not enough space",
        "The disk is full. Free some space (the course takes up to 10 GB on Linux, about 3 GB "
        "elsewhere), " + AGAIN,
    ),
    (
        r"No module named '?venv|ensurepip is not available|No module named '?ensurepip",
        "This Python comes without the module that makes environments. Install it (on Debian and "
        "Ubuntu: sudo apt install python3-venv), " + AGAIN,
    ),
    (
        r"No module named '?pip\b",
        "The environment in .venv is broken: its pip is missing. Delete that folder and run the "
        "same command again; it makes a new one.",
    ),
    (
        r"SSLError|CERTIFICATE_VERIFY_FAILED",
        "The download was refused because a certificate is not trusted. Set the clock right, or "
        "give pip your network's certificate in PIP_CERT, " + AGAIN,
    ),
    (
        r"Permission denied|Errno 13\b|WinError 5\b|Read-only file system|Errno 30\b",
        "The folder .venv cannot be written. Make the folder of the course writable for you, or "
        "clone it to another place, " + AGAIN,
    ),
    (
        r"\(from versions: (?!none\)).*\)\s+.*No matching distribution found for (?P<what>\S+)",
        "There is no {what} for this Python on this system. README.md lists the tested platforms "
        "and Pythons; start the command with one of them.",
    ),
    (
        r"name resolution|Name or service not known|getaddrinfo failed|nodename nor servname|"
        r"NewConnectionError|NameResolutionError|Connection (refused|reset|aborted)|"
        r"Network is unreachable|Max retries exceeded|ProxyError|timed out|IncompleteRead|"
        r"\(from versions: none\)",
        "No package could be downloaded: is this machine online? Connect it (behind a proxy, set "
        "HTTPS_PROXY), " + AGAIN,
    ),
)


def make(root: Path) -> Path:
    """Make or complete ``.venv``, print the progress, and return its Python.

    A run that was stopped half-way is resumed. An environment that the learner made at
    ``.venv`` is completed, not replaced.

    Raises:
        SetupError: With the cause and the way out; what is installed so far is kept.
    """
    started = time.monotonic()
    venv, python = root / ".venv", environment.venv_python(root)

    def say(text: str) -> None:
        seconds = int(time.monotonic() - started)
        print(f"[{seconds // 60:2d}:{seconds % 60:02d}] {text}", flush=True)

    report = environment.inspect_venv(root)
    if report and report["pip"]:
        say(f"completing the environment in {venv}")
    else:
        say(f"making the course's environment in {venv} (once; takes minutes)")
        clear(root)
        run([sys.executable, "-m", "venv", "--prompt", "burgerbot", str(venv)], root, say)
    write_stamp(root, environment.UNFINISHED)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    run([*pip, "install", "--progress-bar", "off", "-r", "requirements.txt"], root, say)
    report = environment.inspect_venv(root)
    if report is None:
        raise environment.broken(root, "its Python does not start")
    write_stamp(root, environment.stamp(root, report["python"]))
    say("the environment is ready")
    return python


def run(command: list[str], root: Path, say: Callable[[str], None]) -> None:
    """Run one step of the set-up; raise SetupError with the cause if it fails."""
    output, doing = [], "working"
    try:
        process = subprocess.Popen(
            command,
            cwd=str(root),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise SetupError(explain(str(error), root)) from None
    with process:
        try:
            for line in timed_lines(process):
                begun = step(line or "")
                doing = begun or doing
                if begun:
                    say(begun)
                elif line is None:
                    say(f"still {doing}")
                else:
                    output.append(line)
        except BaseException:  # Ctrl-C above all: leave no pip behind
            process.terminate()
            raise
    if process.returncode:
        raise SetupError(explain("".join(output), root))


def timed_lines(process: subprocess.Popen[str]) -> Iterator[str | None]:
    """Yield the lines that a process writes, and None after each HEARTBEAT of silence."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in process.stdout or ():
            lines.put(line)
        lines.put("")  # no line is empty: each has its newline

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=HEARTBEAT)
        except queue.Empty:
            yield None
            continue
        if not line:
            return
        yield line


def step(line: str) -> str:
    """Name the step that a line of pip begins; empty if it begins none worth a line."""
    found = re.match(r"\s*(?:Collecting|Processing) (?:\S*/)?(\S+) \(from -r ", line)
    if found:
        return f"fetching {found.group(1)}"
    found = re.match(r"\s*Downloading (\S+) \(([\d.]+) ([MG]B)\)", line)
    if found and (found.group(3) == "GB" or float(found.group(2)) >= 20):
        name = found.group(1).rsplit("/", 1)[-1]
        return f"downloading {name} ({found.group(2)} {found.group(3)})"
    if line.startswith("Installing collected packages:"):
        return f"installing {line.count(',') + 1} packages"
    return ""


def explain(output: str, root: Path) -> str:
    """Return one sentence and the way out for what a failed step wrote."""
    for pattern, sentence in CAUSES:
        found = re.search(pattern, output)
        if found:
            return sentence.format(**found.groupdict())
    said = re.findall(r"^\s*(?:\w*Error|ERROR): (.+)", output, re.MULTILINE) or [output]
    log = root / ".venv" / LOG
    try:
        log.write_text(output, encoding="utf-8")
        where = f" (all of it: {log})"
    except OSError:
        where = ""
    return f"Installing the course failed: {said[-1].strip()}{where}. Mend the cause, {AGAIN}"


def clear(root: Path) -> None:
    """Empty ``.venv``, its stamp last, so that a stop in between is seen as unfinished."""
    write_stamp(root, environment.UNFINISHED)
    for entry in (root / ".venv").iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name != environment.STAMP:
            entry.unlink()


def write_stamp(root: Path, text: str) -> None:
    """Write what ``.venv`` holds into it; raise SetupError if that cannot be written."""
    try:
        (root / ".venv").mkdir(exist_ok=True)
        (root / ".venv" / environment.STAMP).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise SetupError(explain(str(error), root)) from None
