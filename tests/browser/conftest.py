"""A real JupyterLab on a copy of the course, and a real browser in front of it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a-token-for-the-tests"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Lab:
    """A running JupyterLab: its address, its folder of lessons, its environment."""

    token = TOKEN

    def __init__(self, lessons, port, environment):
        self.lessons, self.address = lessons, f"http://localhost:{port}"
        self.environment = environment

    def get(self, path):
        """One answer of the server's interface."""
        with urllib.request.urlopen(f"{self.address}{path}?token={TOKEN}", timeout=5) as answer:
            return json.load(answer)

    def stop_kernels(self):
        """Shut down every notebook's kernel; no page may show one."""
        for session in self.get("/api/sessions"):
            address = f"{self.address}/api/sessions/{session['id']}?token={TOKEN}"
            urllib.request.urlopen(urllib.request.Request(address, method="DELETE"), timeout=30)

    def wait_for(self, what, condition, seconds=90):
        """Ask until it holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(OSError, ValueError):
                if condition():
                    return
            time.sleep(0.3)
        raise AssertionError(f"{what}: not within {seconds} seconds")

    def wait_for_kernel(self, notebook):
        """The page says idle before a kernel exists: ask the server for this notebook's own."""

        def idle():
            kernels = [s["kernel"] for s in self.get("/api/sessions") if s["path"] == notebook]
            return "idle" in [kernel["execution_state"] for kernel in kernels]

        self.wait_for(f"a kernel for {notebook}", idle)


@contextmanager
def serve(folder):
    """``python -m burgerbot lab --no-browser`` on a copy of the lessons in a folder."""
    lessons = shutil.copytree(ROOT / "lessons", folder / "lessons")
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "burgerbot", "lab", "--no-browser", "--port", str(port)]
    command += ["--lessons", str(lessons), "--", f"--IdentityProvider.token={TOKEN}"]
    own = {"JUPYTER_CONFIG_DIR": folder / "jupyter", "BURGERBOT_PROGRESS": folder / "progress.json"}
    own |= {"FAST": 1, "OMP_NUM_THREADS": 1}
    environment = {**os.environ, **{name: str(value) for name, value in own.items()}}
    log = open(folder / "lab.log", "wb")  # noqa: SIM115 (open as long as the server runs)
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    lab = Lab(lessons, port, environment)
    try:
        lab.wait_for("the server", lambda: lab.get("/api/status"))
        yield lab
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            server.wait(15)
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        log.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab that the tests of a session share."""
    with serve(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture
def fresh_lab(tmp_path):
    """A JupyterLab for one test: untouched lessons, no progress."""
    with serve(tmp_path) as lab:
        yield lab


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium."""
    pytest.importorskip("playwright", reason="the browser tests need playwright")
    if CHROMIUM is None:
        pytest.skip("the browser tests need chromium")
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=quiet)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    """A fresh page; afterwards: no error in its console, no request to the outside."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    problems = []
    page.on("pageerror", lambda error: problems.append(f"error in the page: {error}"))
    page.on("console", lambda m: m.type == "error" and problems.append(f"console: {m.text}"))
    page.on("request", lambda request: outside(request.url) and problems.append(request.url))
    # Asked only when a file is about to be chosen, Playwright does not wait until the browser has
    # heard it, and a key press may come first: then no event follows. Asked here, it is in time.
    page.on("filechooser", lambda chooser: None)
    yield page
    page.close()
    assert problems == []


def outside(url):
    """Whether an address leaves this machine."""
    own = ("http://localhost", "ws://localhost", "file:", "data:", "blob:", "about:")
    return not url.startswith(own)
