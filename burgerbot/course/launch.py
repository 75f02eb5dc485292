"""What ``lab`` and ``test`` go on as: JupyterLab and pytest, with the options of the course."""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path

START = "00_start_here.ipynb"  # where the lab opens


def jupyter_lab(lessons: Path, *, ip: str, port: int | None, browser: bool) -> list[str]:
    """Return the command that serves a folder of notebooks, and asks nothing of the outside.

    Args:
        lessons: The folder.
        ip: Address to serve on.
        port: Port to serve on, and no other; None for one that is free.
        browser: Open a browser window.
    """
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={lessons}", f"--ip={ip}"]
    command += [  # no news, no look for updates, no catalogue: nothing is asked of the outside
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    if (lessons / START).is_file():
        command.append(f"--LabApp.default_url=/lab/tree/{START}")
    if port is not None:
        command += [f"--port={port}", "--ServerApp.port_retries=0"]
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container there is nobody else
    return command


def use_settings_of(root: Path) -> None:
    """Have Jupyter read the course's own settings first: they turn its question about news off."""
    known = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(
        filter(None, [str(root / ".jupyter"), known])
    )


def port_is_free(ip: str, port: int) -> bool:
    """Tell whether no other program listens there; an address of no use is left to Jupyter."""
    try:
        found = socket.getaddrinfo(ip or None, port, type=socket.SOCK_STREAM)
    except socket.gaierror:
        return True
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # a port just left counts as free; Windows means another thing
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    return False
    return True


def pytest(options: list[str]) -> list[str]:
    """Return the command that runs the tests, several at a time, with options of pytest's."""
    return [sys.executable, "-m", "pytest", *side_by_side(options), *options]


def side_by_side(options: list[str]) -> list[str]:
    """Return what has pytest run in several processes, unless the options say how or forbid it."""
    own = ("-n", "--numprocesses", "--dist", "--pdb", "--trace", "-s", "--capture", "-p", "-m")
    processes = min(os.cpu_count() or 1, 4)
    if processes == 1 or any(option.startswith(own) for option in options):
        return []
    return [f"-n{processes}", "--dist=loadfile"]  # a file's fixtures and verdicts are made once
