"""The bootstrap: which Python the course runs in, and how its environment is made."""

from __future__ import annotations

import ast
import errno
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from burgerbot.course import environment, install
from burgerbot.course.environment import SetupError

ROOT = Path(__file__).resolve().parents[1]
BARE = (
    "burgerbot/__init__.py",
    "burgerbot/__main__.py",
    "burgerbot/course/__init__.py",
    "burgerbot/course/environment.py",
    "burgerbot/course/install.py",
)
HERE = list(sys.version_info[:2])


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what the bootstrap needs of the course, and a requirement nobody has."""
    for name in BARE:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "requirements.txt").write_text("burger-bun==9.9.9\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    return tmp_path


@pytest.fixture
def venv(clone: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A ``.venv`` whose Python reports what the test says; ``report=None``: it does not start."""
    fake = SimpleNamespace(root=clone, report={"python": HERE, "pip": True, "missing": []})
    (clone / ".venv").mkdir()
    monkeypatch.setattr(environment, "inspect_venv", lambda root: fake.report)
    fake.write_stamp = lambda text: install.write_stamp(clone, text)
    return fake


def bare(clone: Path, *args: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run a Python that has no installed package (-S) in the clone."""
    command = [sys.executable, "-S", *(["-c", code] if code else ["-m", "burgerbot"]), *args]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", BARE)
def test_bootstrap_parses_on_python_3_8(name):
    """What runs before the version check is free of newer syntax."""
    ast.parse((ROOT / name).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_help_needs_the_standard_library_only(clone):
    """On a bare Python, help is shown, nothing is installed, nothing third-party is loaded."""
    done = bare(clone, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for command in ("lab", "test", "grade", "hint", "progress", "build", "bench"):
        assert f"\n  {command} " in done.stdout
    assert not (clone / ".venv").exists()
    code = (
        "import sys; before = set(sys.modules); import burgerbot.course.install;"
        "import burgerbot.__main__; print({name.split('.')[0] for name in set(sys.modules)"
        " - before} - sys.stdlib_module_names)"
    )
    assert bare(clone, code=code).stdout.strip() == "{'burgerbot'}"


@pytest.mark.parametrize("version", [(3, 8), (3, 10), (3, 14), (4, 0)])
def test_wrong_python_is_named(version):
    """A Python outside 3.11 to 3.13 gets a sentence with expected, got and the way out."""
    with pytest.raises(SetupError) as caught:
        environment.check_python(version)
    message = str(caught.value)
    assert "Expected Python 3.11 to 3.13" in message
    assert f"got Python {version[0]}.{version[1]}" in message
    assert "burgerbot" in message or "in place of python" in message


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_supported_python_passes(version):
    """Python 3.11, 3.12 and 3.13 are accepted."""
    environment.check_python(version)


def test_wrong_python_gets_no_traceback(clone):
    """The whole command on an old Python prints one line and ends with status 1."""
    code = (
        "import runpy, sys; sys.version_info = (3, 10, 4, 'final', 0); sys.argv[1:] = ['lab'];"
        "runpy.run_module('burgerbot', run_name='__main__')"
    )
    done = bare(clone, code=code)
    assert done.returncode == 1
    assert done.stdout == "" and done.stderr.count("\n") == 1
    assert done.stderr.startswith("Expected Python 3.11 to 3.13, got Python 3.10")


def test_a_python_found_on_path_must_start(monkeypatch):
    """A name on PATH that does not run is not offered as the way out."""
    assert environment.runs(sys.executable) and not environment.runs("python3.99")
    monkeypatch.setattr(environment, "runs", lambda name: name == "python3.12")
    with pytest.raises(SetupError, match=r"with python3\.12 in place of"):
        environment.check_python((3, 9))


def test_missing_requirements_file_is_no_clone(clone):
    """Without requirements.txt, the message says that this is not a whole copy."""
    (clone / "requirements.txt").unlink()
    for args in (["--help"], ["test"]):
        done = bare(clone, *args)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert "Expected requirements.txt in" in done.stderr


@pytest.mark.parametrize(
    ("line", "found", "lacking"),
    [
        ("bun==2.13.0", "2.13.0", []),
        ("bun==2.13.0  # why", "2.13.0+cpu", []),
        ("bun[seeds]==2.13.0", "2.13.0.post302", []),
        ("bun==2.13.0", "2.13.1", ["bun: expected 2.13.0, got 2.13.1"]),
        ("bun==2.1", "2.13", ["bun: expected 2.1, got 2.13"]),
        ("bun==2.13.0", "", ["bun: expected 2.13.0, got none"]),
        ("# bun==2.13.0", "", []),
        ("bun>=2", "", []),
        ("", "", []),
    ],
)
def test_pins_are_compared_with_what_is_installed(clone, monkeypatch, line, found, lacking):
    """Another build of a pinned release will do; another release, or none, is named."""
    (clone / "requirements.txt").write_text(line + "\n", encoding="utf-8")
    monkeypatch.setattr(environment, "installed_version", lambda name: found)
    assert environment.missing(clone) == lacking


def test_installed_versions_are_read():
    """The real look-up finds pytest, and says nothing for a package nobody has."""
    assert environment.installed_version("pytest") == pytest.__version__
    assert environment.installed_version("burger-bun") == ""


def test_burgerbot_of_another_clone_does_not_count(clone, tmp_path_factory, monkeypatch):
    """``-e .`` asks for this very folder, so that lessons import this clone's package."""
    (clone / "requirements.txt").write_text("-e .\n", encoding="utf-8")
    other = tmp_path_factory.mktemp("other clone")
    for folder, lacking in ((clone, 0), (other, 1)):
        text = json.dumps({"url": folder.as_uri(), "dir_info": {"editable": True}})
        found = SimpleNamespace(read_text=lambda name, text=text: text)
        monkeypatch.setattr(metadata, "distribution", lambda name, found=found: found)
        assert len(environment.missing(clone)) == lacking


def test_environment_that_satisfies_is_used_as_it_is(clone, monkeypatch):
    """Nothing is made and nothing re-run where the running Python has all that is needed."""
    monkeypatch.setattr(environment, "missing", lambda root: [])
    monkeypatch.setattr(environment, "hand_over", lambda *args: pytest.fail("handed over"))
    environment.prepare(["lab"], clone)
    assert not (clone / ".venv").exists()


def test_same_command_goes_on_in_venv(venv, monkeypatch):
    """A ``.venv`` that stands is handed the same arguments, and pip is not asked."""
    seen = []
    monkeypatch.setattr(environment, "become", lambda command: seen.append(command))
    monkeypatch.setattr(install, "make", lambda root: pytest.fail("installed again"))
    monkeypatch.delenv(environment.HANDED_OVER, raising=False)
    venv.write_stamp(environment.stamp(venv.root, HERE))
    environment.prepare(["grade", "01.2"], venv.root)
    python = str(environment.venv_python(venv.root))
    assert seen == [[python, "-m", "burgerbot", "grade", "01.2"]]
    assert os.environ.pop(environment.HANDED_OVER) == "1"


def test_handing_over_never_loops(clone, monkeypatch):
    """Handed over and still lacking something: a sentence, not another round."""
    monkeypatch.setenv(environment.HANDED_OVER, "1")
    with pytest.raises(SetupError, match=r"burger-bun: expected 9\.9\.9, got none"):
        environment.prepare(["lab"], clone)
    assert environment.HANDED_OVER not in os.environ


def test_become_passes_the_exit_status_on():
    """The other program's exit status is the exit status."""
    code = (
        "import sys; from burgerbot.course.environment import become;"
        "become([sys.executable, '-c', 'raise SystemExit(7)'])"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60).returncode == 7


def test_standing_venv_is_found(venv):
    """Finished from these files, or made by hand with all that is needed: ready."""
    python = environment.venv_python(venv.root)
    assert environment.standing(venv.root) == python
    venv.write_stamp(environment.stamp(venv.root, HERE))
    assert environment.standing(venv.root) == python


def test_changed_requirements_are_installed(venv):
    """A set-up from other files, or one that lacks a package, is completed, not used."""
    venv.write_stamp(environment.stamp(venv.root, HERE))
    (venv.root / "requirements.txt").write_text("burger-bun==10\n", encoding="utf-8")
    assert environment.standing(venv.root) is None
    venv.write_stamp(environment.stamp(venv.root, HERE))
    venv.report["missing"] = ["burger-bun: expected 10, got 9"]
    assert environment.standing(venv.root) is None


def test_unfinished_venv_is_never_used(venv):
    """A set-up that was stopped is resumed, whatever it left behind."""
    venv.write_stamp(environment.UNFINISHED)
    assert environment.standing(venv.root) is None
    venv.report = None
    assert environment.standing(venv.root) is None


@pytest.mark.parametrize(
    ("report", "why"),
    [
        (None, "its Python does not start"),
        ({"python": [3, 9], "pip": True, "missing": []}, "it is made with Python 3.9"),
        ({"python": HERE, "pip": False, "missing": ["x"]}, "its pip is missing"),
    ],
)
def test_broken_venv_gets_a_way_out(venv, report, why):
    """A finished ``.venv`` that is broken now is named and left alone: delete it, run again."""
    venv.report = report
    venv.write_stamp("finished once")
    with pytest.raises(SetupError, match=f"is broken: {why}. Delete that folder and run the same"):
        environment.standing(venv.root)
    assert (venv.root / ".venv" / environment.STAMP).exists()


@pytest.mark.skipif(os.name == "nt", reason="makes a link in place of an environment")
def test_venv_is_inspected_by_its_own_python(clone):
    """A real Python answers with version, pip and gaps; a missing or wild one is not believed."""
    assert environment.inspect_venv(clone) is None
    python = environment.venv_python(clone)
    python.parent.mkdir(parents=True)
    python.symlink_to(Path(sys.executable).resolve())
    report = environment.inspect_venv(clone)
    assert report["python"] == HERE
    assert report["missing"] == ["burger-bun: expected 9.9.9, got none"]
    python.unlink()
    python.write_text("#!/bin/sh\necho hello\n", encoding="utf-8")
    python.chmod(0o755)
    assert environment.inspect_venv(clone) is None


def test_first_run_makes_then_installs_then_stamps(clone, monkeypatch, capsys):
    """venv, then pip; marked unfinished until both are done."""
    steps, reports = [], iter([None, {"python": HERE, "pip": True, "missing": []}])

    def run(command, root, say):
        steps.append((command[2], environment.read_stamp(root)))

    monkeypatch.setattr(install, "run", run)
    monkeypatch.setattr(environment, "inspect_venv", lambda root: next(reports))
    assert install.make(clone) == environment.venv_python(clone)
    assert steps == [("venv", environment.UNFINISHED), ("pip", environment.UNFINISHED)]
    assert environment.read_stamp(clone) == environment.stamp(clone, HERE)
    printed = capsys.readouterr().out
    assert printed.startswith("[ 0:00] making") and "ready" in printed.splitlines()[-1]


def test_stopped_install_is_resumed(venv, monkeypatch):
    """After Ctrl-C in pip, the next run goes on with pip and keeps what is there."""
    steps = []

    def run(command, root, say):
        steps.append(command[2])
        if len(steps) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(install, "run", run)
    kept = venv.root / ".venv" / "half of the packages"
    kept.write_text("", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        install.make(venv.root)
    assert environment.read_stamp(venv.root) == environment.UNFINISHED
    install.make(venv.root)
    assert steps == ["pip", "pip"] and kept.exists()


def test_half_made_venv_is_cleared(venv, monkeypatch):
    """A ``.venv`` stopped before it had pip is made anew from nothing."""
    rest = venv.root / ".venv" / "lib" / "rest"
    rest.mkdir(parents=True)
    venv.write_stamp(environment.UNFINISHED)
    venv.report = None
    monkeypatch.setattr(install, "run", lambda *args: None)
    with pytest.raises(SetupError, match="does not start"):  # the fake run makes no Python
        install.make(venv.root)
    assert not rest.exists()


@pytest.mark.parametrize(
    ("line", "news"),
    [
        ("Collecting ray==2.60.0 (from -r requirements.txt (line 9))\n", "fetching ray==2.60.0"),
        (
            "Processing /disk/torch-2.13.0.whl (from -r requirements.txt (line 7))\n",
            "torch-2.13.0.whl",
        ),
        ("Collecting six (from dateutil->-r requirements.txt (line 1))\n", ""),
        ("  Downloading torch-2.13.0-cp311.whl (530.1 MB)\n", "torch-2.13.0-cp311.whl (530.1 MB)"),
        ("  Downloading torch-2.13.0-cp311.whl (1.1 GB)\n", "torch-2.13.0-cp311.whl (1.1 GB)"),
        ("  Downloading six-1.17.0.whl (11 kB)\n", ""),
        ("  Downloading numpy-2.4.6-cp311.whl (16.6 MB)\n", ""),
        ("Installing collected packages: a, b, c\n", "installing 3 packages"),
        ("WARNING: whatever\n", ""),
    ],
)
def test_pip_is_told_in_short(line, news):
    """Of pip's many lines, those that begin a step worth knowing become one line each."""
    assert install.step(line).endswith(news) and bool(install.step(line)) == bool(news)


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by "
            "'NewConnectionError: [Errno 111] Connection refused'\n"
            "ERROR: Could not find a version that satisfies bun==1 (from versions: none)\n"
            "ERROR: No matching distribution found for bun==1\n",
            "is this machine online?",
        ),
        ("[Errno -3] Temporary failure in name resolution", "is this machine online?"),
        ("Read timed out.", "is this machine online?"),
        ("Max retries exceeded (Caused by SSLError('wrong version'))", "certificate"),
        ("CERTIFICATE_VERIFY_FAILED: unable to get local issuer", "certificate"),
        ("ERROR: [Errno 28] No space left on device", "The disk is full"),
        ("OSError: [Errno 13] Permission denied: '.venv/lib'", "cannot be written"),
        ("/usr/bin/python3: No module named venv", "apt install python3-venv"),
        ("The virtual environment was not created: ensurepip is not available", "python3-venv"),
        ("/x/.venv/bin/python: No module named pip", "Delete that folder"),
        (
            "ERROR: Could not find a version that satisfies torch==2.13.0 (from versions: 2.2.2)\n"
            "ERROR: No matching distribution found for torch==2.13.0\n",
            "There is no torch==2.13.0 for this Python on this system",
        ),
    ],
)
def test_failures_are_explained(clone, output, sentence):
    """What pip or venv wrote becomes one line: the cause and the way out."""
    message = install.explain(output, clone)
    assert sentence in message and "\n" not in message
    assert "run the same command again" in message or "start the command" in message


def test_unknown_failure_keeps_what_was_said(venv):
    """A failure without a name shows its error line and where all of it can be read."""
    output = "working\nERROR: the oven is cold\nnote: see above\n"
    message = install.explain(output, venv.root)
    assert "the oven is cold (all of it: " in message
    assert (venv.root / ".venv" / install.LOG).read_text(encoding="utf-8") == output


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "cannot be written"),
        (OSError(errno.EROFS, "Read-only file system"), "cannot be written"),
        (OSError(errno.ENOSPC, "No space left on device"), "The disk is full"),
    ],
)
def test_folder_that_cannot_be_written(clone, monkeypatch, error, sentence):
    """Not writable, or full: said before anything is started."""

    def refuse(*args, **kwargs):
        raise error

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(SetupError, match=sentence):
        install.make(clone)


def test_steps_and_silence_are_told(clone, monkeypatch):
    """A long silence is filled with what still goes on; a failed step raises its cause."""
    monkeypatch.setattr(install, "HEARTBEAT", 0.1)
    code = (
        "import time; print('Installing collected packages: a, b', flush=True); time.sleep(0.5);"
        "raise SystemExit('No space left on device')"
    )
    said = []
    with pytest.raises(SetupError, match="The disk is full"):
        install.run([sys.executable, "-c", code], clone, said.append)
    assert said[:2] == ["installing 2 packages", "still installing 2 packages"]


def test_stop_leaves_no_installer_behind(clone):
    """Ctrl-C ends the running step at once."""

    def stop(text):
        raise KeyboardInterrupt

    code = "import time; print('Installing collected packages: a', flush=True); time.sleep(60)"
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        install.run([sys.executable, "-c", code], clone, stop)
    assert time.monotonic() - started < 30  # not the minute that the step would have slept


@pytest.mark.slow
def test_offline_first_run_and_its_resumption(clone):
    """A real first run without network: one sentence, status 1; the next one goes on."""
    offline = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PIP_")},
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_RETRIES": "0",
    }
    for begins in ("making the course's environment", "completing the environment"):
        done = subprocess.run(
            [sys.executable, "-S", "-m", "burgerbot", "lab"],
            cwd=clone,
            env=offline,
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == 1
        assert begins in done.stdout
        assert done.stderr.count("\n") == 1 and "is this machine online?" in done.stderr


@pytest.mark.slow
def test_first_run_makes_the_environment_that_the_next_one_uses(clone, tmp_path_factory):
    """The first run makes ``.venv``, installs, and goes on in it; the next goes on at once."""
    wheels = tmp_path_factory.mktemp("wheels")
    about = "Metadata-Version: 2.1\nName: burger-bun\nVersion: 9.9.9\n"
    with zipfile.ZipFile(wheels / "burger_bun-9.9.9-py3-none-any.whl", "w") as wheel:
        wheel.writestr("burger_bun-9.9.9.dist-info/METADATA", about)
        wheel.writestr("burger_bun-9.9.9.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any")
        wheel.writestr("burger_bun-9.9.9.dist-info/RECORD", "")
    (clone / "burgerbot/course/cli.py").write_text(
        "import sys\ndef app(prog_name): print(sys.prefix, sys.argv[1:])\n", encoding="utf-8"
    )
    settings = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    went_on = f"{clone / '.venv'} ['lab', '--port', '8888']"
    for steps in (["making", "fetching burger_bun-9.9.9-py3", "installing 1", "ready"], []):
        done = subprocess.run(
            [sys.executable, "-S", "-m", "burgerbot", "lab", "--port", "8888"],
            cwd=clone,
            env=settings,
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert (done.returncode, done.stderr) == (0, "")
        *told, last = done.stdout.splitlines()
        assert last == went_on and len(told) == len(steps)
        assert all(step in line for step, line in zip(steps, told, strict=True))
