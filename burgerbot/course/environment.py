"""Find the Python environment that the course runs in, or make it in ``.venv``.

Standard library only, and in a syntax that Python 3.8 can parse: this module runs before
anything is installed, and it is the one that says that a Python is too old.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

OLDEST, NEWEST = (3, 11), (3, 13)
STAMP = "burgerbot-setup.txt"  # in .venv: what was installed, or UNFINISHED
UNFINISHED = "unfinished"
HANDED_OVER = "BURGERBOT_HANDED_OVER"


class SetupError(Exception):
    """The environment cannot be made or used. The message says why, and the way out."""


def prepare(argv: list[str], root: Path) -> None:
    """Return if this interpreter can run the course; else go on in ``.venv``, made if need be.

    Args:
        argv: What follows ``python -m burgerbot``; run again in ``.venv`` where that is needed,
            and then this function does not return.
        root: The folder of the course, where requirements.txt lies.

    Raises:
        SetupError: Wrong Python version, not a clone, broken ``.venv``, or a failed install.
    """
    handed_over = os.environ.pop(HANDED_OVER, "")
    check_python(sys.version_info[:2])
    check_clone(root)
    lacking = missing(root)
    if not lacking:
        return
    if handed_over:
        raise broken(root, f"it still lacks what was installed: {'; '.join(lacking[:3])}")
    python = standing(root)
    if python is None:
        from burgerbot.course import install

        python = install.make(root)
    hand_over(python, argv)


def check_python(version: tuple[int, ...]) -> None:
    """Raise SetupError unless the course supports this version of Python."""
    if OLDEST <= tuple(version) <= NEWEST:
        return
    names = [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    here = [name for name in names if runs(name)]
    way_out = (
        f"Run the same command with {here[0]} in place of python."
        if here
        else f"Install one of them (python.org has it), and start the command with it: {names[0]} "
        f"-m burgerbot, or py -{dotted(NEWEST)} -m burgerbot on Windows."
    )
    raise SetupError(
        f"Expected Python {dotted(OLDEST)} to {dotted(NEWEST)}, got Python {dotted(version)} "
        f"({sys.executable}). {way_out}"
    )


def runs(python: str) -> bool:
    """Tell whether a Python of this name starts; a name on PATH alone proves nothing."""
    try:
        return subprocess.run([python, "-V"], capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def check_clone(root: Path) -> None:
    """Raise SetupError unless ``root`` is a clone of the course."""
    if not (root / "requirements.txt").is_file():
        raise SetupError(
            f"Expected requirements.txt in {root}, found none: this is not a whole copy of the "
            "course. Clone the repository and run the command in its folder."
        )


def ready(root: Path) -> bool:
    """Tell whether the course can run at once, here or in ``.venv``."""
    return not missing(root) or standing(root) is not None


def missing(root: Path) -> list[str]:
    """List what this interpreter lacks of requirements.txt: empty if it can run the course.

    A pin ``name==1.2.0`` is met by 1.2.0 and by other builds of it (1.2.0+cpu, 1.2.0.post3).
    ``-e .`` is met if burgerbot is installed from this very folder. Other lines are pip's.
    """
    lacking = []
    for line in (root / "requirements.txt").read_text(encoding="utf-8").splitlines():
        wanted = line.split("#")[0].strip()
        if wanted == "-e .":
            if not installed_from(root):
                lacking.append("burgerbot: expected to be installed from this folder")
        elif "==" in wanted:
            name, pin = (part.strip() for part in wanted.split("==", 1))
            found = installed_version(name.split("[")[0])
            if release(found) != release(pin):
                lacking.append(f"{name}: expected {pin}, got {found or 'none'}")
    return lacking


def standing(root: Path) -> Path | None:
    """Return the Python of ``.venv`` if it has all that the course needs, else None.

    Raises:
        SetupError: ``.venv`` was finished once, and is broken now.
    """
    if not os.path.lexists(root / ".venv"):
        return None
    report, made_from = inspect_venv(root), read_stamp(root)
    if made_from == UNFINISHED:
        return None
    if report is None:
        raise broken(root, "its Python does not start")
    if not OLDEST <= tuple(report["python"]) <= NEWEST:
        raise broken(root, f"it is made with Python {dotted(report['python'])}")
    if report["missing"] or made_from not in ("", stamp(root, report["python"])):
        if not report["pip"]:
            raise broken(root, "its pip is missing")
        return None
    return venv_python(root)


def hand_over(python: Path, argv: list[str]) -> NoReturn:
    """Run ``python -m burgerbot`` with the same arguments in another interpreter, and end."""
    os.environ[HANDED_OVER] = "1"
    become([str(python), "-m", "burgerbot", *argv])


def become(command: list[str], folder: Path | None = None) -> NoReturn:
    """Go on as another program, in ``folder``; its signals and exit status are this one's."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.chdir(folder or ".")
        os.execv(command[0], command)
    with subprocess.Popen(command, cwd=folder) as child:  # on Windows, exec gives the prompt back
        while True:
            try:
                sys.exit(child.wait())
            except KeyboardInterrupt:
                continue  # Ctrl-C reached the child too; Jupyter, for one, asks before it ends


def inspect_venv(root: Path) -> dict[str, Any] | None:
    """Ask the Python of ``.venv`` for its version, pip and gaps; None if it does not start."""
    command = [str(venv_python(root)), "-I", __file__, str(root)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return dict(json.loads(done.stdout))
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None


def venv_python(root: Path) -> Path:
    """Return where the Python of ``.venv`` lies on this system."""
    return root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def stamp(root: Path, version: Any) -> str:
    """Return the fingerprint of what ``.venv`` is made from."""
    digest = hashlib.sha256(repr(list(version)).encode())
    for name in ("requirements.txt", "pyproject.toml"):
        digest.update((root / name).read_bytes() if (root / name).is_file() else b"")
    return digest.hexdigest()


def read_stamp(root: Path) -> str:
    """Return what the last set-up wrote into ``.venv``; empty if somebody else made it."""
    try:
        return (root / ".venv" / STAMP).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def broken(root: Path, why: str) -> SetupError:
    """Make the error for a ``.venv`` that cannot be mended in place."""
    return SetupError(
        f"The environment in {root / '.venv'} is broken: {why}. "
        "Delete that folder and run the same command again; it makes a new one."
    )


def installed_version(name: str) -> str:
    """Return the version of an installed package; empty if it is not there."""
    from importlib import metadata

    try:
        return metadata.version(name) or ""
    except metadata.PackageNotFoundError:
        return ""


def installed_from(root: Path) -> bool:
    """Tell whether burgerbot is installed, editable, from this folder and no other."""
    from importlib import metadata
    from urllib.parse import urlparse
    from urllib.request import url2pathname

    try:
        direct = metadata.distribution("burgerbot").read_text("direct_url.json")
        folder = Path(url2pathname(urlparse(json.loads(direct or "{}")["url"]).path))
        return folder.resolve() == root.resolve()
    except (metadata.PackageNotFoundError, KeyError, ValueError, OSError):
        return False


def release(version: str) -> str:
    """Strip what tells builds of one release apart: 2.13.0+cpu and 2.13.0.post3 are 2.13.0."""
    return version.split("+")[0].split(".post")[0]


def dotted(version: tuple[int, ...]) -> str:
    """Write (3, 11) as 3.11."""
    return ".".join(str(part) for part in version)


if __name__ == "__main__":  # inspect_venv runs this file in the Python of .venv
    print(
        json.dumps(
            {
                "python": sys.version_info[:2],
                "pip": bool(installed_version("pip")),
                "missing": missing(Path(sys.argv[1])),
            }
        )
    )
