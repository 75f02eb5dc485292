"""Run one exercise's tests on a namespace, in this process, and say how they ended.

The notebook calls ``run_tests`` on its live objects. The terminal grader starts
``python -m burgerbot.course.runner JOBS REPORTS`` in a fresh process, which executes the cells and
then does the same.
"""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from burgerbot.course.claims import ClaimFailed
from burgerbot.course.verdict import ERROR, PASSED, TIMED_OUT, TimeLimit, Verdict, explain


class _Answer:
    """The learner's objects, by attribute: ``answer.sensor_reading``."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

    def __getattr__(self, name: str) -> Any:
        if name not in self._namespace:
            raise ClaimFailed(
                f"`{name}` is not defined: keep the name that the exercise gives, and run its cell"
            )
        return self._namespace[name]


class _Answers:
    """A pytest plugin: runs the tests on one answer after another, up to each one's first failure.

    Starting pytest and reading the tests takes longer than most tests do; so all answers to one
    exercise share a start.
    """

    def __init__(self, jobs: list[Job], report: Callable[[Verdict], None]) -> None:
        self.jobs = jobs  # what is still to be done
        self.report = report
        self.namespace: dict[str, Any] = {}
        self.passes = 0
        self.verdict: Verdict | None = None

    @pytest.fixture
    def answer(self) -> _Answer:
        return _Answer(self.namespace)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        while self.jobs:
            job = self.jobs.pop(0)
            try:
                self.report(self._grade(job, session.items))
            except TimeLimit as limit:  # it rang in pytest itself: the others get a fresh start
                self.report(explain(job.id, limit))
                break
        return True

    def _grade(self, job: Job, items: list[pytest.Item]) -> Verdict:
        stopped = run_cells(job.id, job.cells, job.namespace, job.seconds)
        if stopped:
            return stopped
        self.namespace, self.passes, self.verdict = job.namespace, 0, None
        self.job = job
        with _time_limit(job.seconds):
            for item in items:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                if self.verdict is not None:
                    return self.verdict
        if self.passes:
            return Verdict(job.id, PASSED)
        return Verdict(job.id, ERROR, message=f"no test of {job.id} ran")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report = yield
        if call.excinfo is not None and self.verdict is None:
            claim = (getattr(item, "obj", None).__doc__ or item.name).strip().split("\n")[0]
            self.verdict = explain(self.job.id, call.excinfo.value, claim)
        elif report.when == "call" and report.passed:
            self.passes += 1
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        while report.failed and self.jobs:
            name = self.jobs.pop(0).id
            message = f"the tests of {name} could not be read: {report.longreprtext}"
            self.report(Verdict(name, ERROR, message=message))


#: The cells above an answer get this long more: a cold torch takes its time.
IMPORT_SECONDS = 40.0


@dataclass(frozen=True)
class Job:
    """One answer to grade: cells to run first, the names they find and define, the time limit."""

    id: str
    cells: list[str]
    namespace: dict[str, Any]
    seconds: float


def run_tests(
    exercise_id: str, test_file: Path, namespace: dict[str, Any], seconds: float
) -> Verdict:
    """Run an exercise's tests on the learner's objects.

    Args:
        exercise_id: ``"NN.k"``.
        test_file: Its test module; read anew at each call.
        namespace: The learner's names and objects.
        seconds: Time limit; kept where the system has timers and this is the main thread.

    Returns:
        Verdict: ``passed`` only if at least one test ran and all passed.
    """
    verdicts: list[Verdict] = []
    run_jobs(test_file, [Job(exercise_id, [], namespace, seconds)], verdicts.append)
    return verdicts[0]


def run_jobs(test_file: Path, jobs: list[Job], report: Callable[[Verdict], None]) -> None:
    """Run the tests of one module on several answers; report each verdict as soon as it is known.

    Args:
        test_file: The test module; read anew at each call.
        jobs: The answers, each with its own time limit.
        report: Gets one verdict a job, in order.
    """
    waiting = list(jobs)
    while waiting:
        plugin, known, before = _Answers(waiting, report), set(sys.modules), len(waiting)
        try:
            with _plain_pytest():
                code = pytest.main([str(test_file), *_options(test_file.parent)], plugins=[plugin])
        finally:
            for name in set(sys.modules) - known:
                if getattr(sys.modules[name], "__file__", None) == str(test_file):
                    del sys.modules[name]
        if len(waiting) == before or code == pytest.ExitCode.INTERRUPTED:
            break
    for job in jobs[len(jobs) - len(waiting) :]:
        report(Verdict(job.id, ERROR, message=f"the tests of {job.id} did not run ({code!r})"))


def _options(folder: Path) -> list[str]:
    """How pytest is started: bare, so that it starts in no time."""
    return [
        "--noconftest",
        "--import-mode=importlib",
        f"--rootdir={folder}",
        f"--config-file={folder / 'pytest.ini'}",
        "--capture=no",
        *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:unraisableexception"),
    ]


def run_cells(
    exercise_id: str, cells: list[str], namespace: dict[str, Any], seconds: float
) -> Verdict | None:
    """Execute cells into a namespace; a verdict if one of them raises, else None."""
    for index, source in enumerate(cells):
        name = f"<cell of {exercise_id}>" if index == len(cells) - 1 else f"<given {index + 1}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        try:
            given = index < len(cells) - 1  # what is imported there is not the answer's doing
            with _time_limit(seconds + IMPORT_SECONDS if given else seconds):
                exec(compile(source, name, "exec"), namespace)
        except BaseException as error:
            verdict = explain(exercise_id, error, "the cell runs")
            return verdict if verdict.status == TIMED_OUT else replace(verdict, status=ERROR)
    return None


def main(jobs_file: str, reports_file: str) -> None:
    """Grade a JSON list of jobs ``{"id", "test_file", "cells", "seconds"}``.

    Each verdict is appended to a file as soon as it is known.
    """

    def report(verdict: Verdict) -> None:
        with open(reports_file, "a", encoding="utf-8") as reports:
            reports.write(json.dumps(asdict(verdict)) + "\n")

    submitted = json.loads(Path(jobs_file).read_text(encoding="utf-8"))
    for test_file, group in groupby(submitted, key=lambda job: str(job["test_file"])):
        jobs = [
            Job(job["id"], job["cells"], {"__name__": "__main__"}, job["seconds"]) for job in group
        ]
        run_jobs(Path(test_file), jobs, report)


@contextlib.contextmanager
def _plain_pytest() -> Iterator[None]:
    """No third-party plugins and no output: that starts in 0.3 s, not in 5."""
    before = {
        name: os.environ.get(name) for name in ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_ADDOPTS")
    }
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    silence = io.StringIO()
    try:
        with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise ``TimeLimit`` in this thread after ``seconds``, where the system can."""
    timers = hasattr(signal, "setitimer")
    if not timers or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: Any) -> None:
        raise TimeLimit(seconds)

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    main(*sys.argv[1:3])
