"""The commands of ``python -m burgerbot``. Heavy imports stand inside them: help stays quick."""

from __future__ import annotations

import errno
import json as jsonlib
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from burgerbot.course import environment

if TYPE_CHECKING:
    from burgerbot.course.manifest import Course, Exercise
    from burgerbot.course.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
START = "00_start_here.ipynb"  # where the lab opens
STYLES = {"passed": "green", "not started": "dim", "timed out": "magenta"}  # the rest is red

app = typer.Typer(
    help="The BurgerBot course: vectorized reinforcement learning, lesson by lesson.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command(context_settings={"allow_extra_args": True})
def lab(
    context: typer.Context,
    browser: Annotated[bool, typer.Option(help="Open a browser window.")] = True,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to serve on.")] = None,
    ip: Annotated[str, typer.Option(help="Address to serve on.")] = "localhost",
    lessons: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Open the notebooks of another folder.")
    ] = None,
) -> None:
    """Open JupyterLab on the lessons. What follows -- goes to Jupyter."""
    lessons = (lessons or ROOT / "lessons").resolve()
    if not lessons.is_dir():
        fail(f"Expected the folder {lessons}, found none. Make it: python -m burgerbot build")
    if port is not None and not port_is_free(ip, port):
        fail(f"Expected a free port, got {port}, which another program uses. Choose another one.")
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
    ours = str(ROOT / ".jupyter")  # where the question about news is turned off
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(
        filter(None, [ours, os.environ.get("JUPYTER_CONFIG_PATH")])
    )
    environment.become([*command, *context.args], ROOT)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(context: typer.Context) -> None:
    """Run the tests of the course, several at a time. What follows goes to pytest."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # each process keeps to one core
    command = [sys.executable, "-m", "pytest", *side_by_side(context.args), *context.args]
    environment.become(command, ROOT)


@app.command()
def grade(
    wanted: Annotated[
        list[str] | None, typer.Argument(metavar="[NN | NN.k]...", help="All, if none is named.")
    ] = None,
    lessons: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Grade the notebooks of another folder.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object only.")] = False,
    everybody: Annotated[
        bool,
        typer.Option("--all", help="Grade a class: the last argument is a folder of folders."),
    ] = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --all: write JUnit XML too.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="With --all: for each student.")] = 600.0,
) -> None:
    """Grade saved notebooks; exit status 0 only if all that was asked for passed."""
    from burgerbot.course import grader
    from burgerbot.course.progress_file import Progress

    course = open_course()
    if everybody:
        grade_everybody(course, wanted, lessons, json, junit, seconds)
        return
    if junit:
        fail("Expected --all with --junit: it reports on a class.", status=2)
    exercises = select(course, wanted)
    folder = lessons or ROOT / "lessons"
    if not folder.is_dir():
        fail(f"Expected a folder of notebooks, got {folder}, which is none.", status=2)
    own = folder.resolve() == (ROOT / "lessons").resolve()
    progress = Progress.load(ROOT) if own else None  # another folder is somebody else's work
    verdicts = []
    for exercise in exercises:
        verdict = grader.grade(course, exercise, folder)
        verdicts.append(verdict)
        if progress:
            progress.record(verdict)
        if not json:
            show_line(exercise, verdict.status)
    if json:
        typer.echo(jsonlib.dumps({verdict.id: verdict.status for verdict in verdicts}))
    else:
        show_cards(verdicts)
    if any(verdict.status != "passed" for verdict in verdicts):
        raise typer.Exit(1)


@app.command()
def hint(exercise: Annotated[str, typer.Argument(metavar="NN.k")]) -> None:
    """Show the next hint for an exercise."""
    from burgerbot.course.manifest import UnknownExercise
    from burgerbot.course.progress_file import Progress

    try:
        typer.echo(Progress.load(ROOT).next_hint(open_course().exercise(exercise)))
    except UnknownExercise as error:
        fail(str(error), status=2)


@app.command()
def progress(
    wanted: Annotated[
        list[str] | None, typer.Argument(metavar="[NN | NN.k]...", help="List these exercises.")
    ] = None,
) -> None:
    """Show the course as a table, and what you have solved of it."""
    from burgerbot.course.progress_file import Progress
    from burgerbot.course.progress_table import ProgressTable

    course, saved = open_course(), Progress.load(ROOT)
    if not wanted:
        typer.echo(repr(ProgressTable.of(course, saved)))
        return
    for exercise in select(course, wanted):
        show_line(exercise, saved.status(exercise.id))


@app.command()
def build(
    numbers: Annotated[
        list[str] | None, typer.Argument(metavar="[NN]...", help="All lessons, if none is named.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; compare.")] = False,
    execute: Annotated[bool, typer.Option(help="Run the solution notebooks.")] = True,
    instructor: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the teacher's notebooks there, only.")
    ] = None,
) -> None:
    """Make the notebooks from solutions/*.py, or check that they are up to date."""
    from burgerbot.course import build as builder

    course = open_course()
    if instructor:
        from burgerbot.course.instructor import build_instructor
        from burgerbot.course.source import CourseError

        try:
            build_instructor(course, instructor, log=typer.echo)
        except CourseError as error:
            fail(str(error), status=2)
        return
    known = [lesson.number for lesson in course.lessons]
    for number in numbers or ():
        if number not in known:
            fail(f"Expected lessons among {', '.join(known)}; got {number!r}.", status=2)
    if not check:
        builder.build(course, numbers or None, execute=execute, log=typer.echo)
        return
    problems = builder.check(course)
    for problem in problems:
        typer.echo(problem)
    if problems:
        fail("Make them anew: python -m burgerbot build")
    typer.echo("The notebooks are what their sources make.")


@app.command()
def bench(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object only.")] = False,
    device: Annotated[
        str | None,
        typer.Option(metavar="cpu|cuda|mps", help="On one device, from 1 robot to a million."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=1, help="With --device: time to spend.")
    ] = None,
) -> None:
    """Measure how many steps a second the worlds make on this machine."""
    if device is not None:
        from burgerbot.scale import device_bench

        words = ["--device", device, *(["--json"] if json else [])]
        words += [] if seconds is None else ["--seconds", str(seconds)]
        raise typer.Exit(device_bench.main(words))
    if seconds is not None:
        fail("Expected --device with --seconds.", status=2)
    from burgerbot.scale import bench as benchmark

    benchmark.main(as_json=json)


@app.command()
def batch_size(
    n_envs: Annotated[int, typer.Option(help="Robots.")],
    n_steps: Annotated[int, typer.Option(help="Steps of each robot in one rollout.")],
    batch_size: Annotated[int, typer.Option(help="Transitions of one minibatch.")],
    n_epochs: Annotated[int, typer.Option(help="Passes over each rollout.")] = 10,
) -> None:
    """Work out what a PPO batch setting comes to, and what is wrong with it."""
    from burgerbot.scale.batch_size import check_batch

    try:
        typer.echo(check_batch(n_envs, n_steps, batch_size, n_epochs))
    except ValueError as error:
        fail(f"--{str(error).replace('_', '-', 1)}", status=2)


ledger = typer.Typer(help="Read the ledger of training runs.", no_args_is_help=True)
app.add_typer(ledger, name="ledger")


@ledger.command("show")
def show_ledger(
    file: Annotated[Path, typer.Argument(help="A ledger, one JSON object a line.")],
) -> None:
    """Print the runs of a ledger side by side, and what is wrong with them."""
    from burgerbot.learn.ledger_table import show

    try:
        typer.echo(show(file))
    except (OSError, ValueError) as error:
        fail(f"Expected a ledger, got {file}: {error}", status=2)


def side_by_side(args: list[str]) -> list[str]:
    """Return what has pytest run in several processes, unless the options say how or forbid it."""
    own = ("-n", "--numprocesses", "--dist", "--pdb", "--trace", "-s", "--capture", "-p", "-m")
    processes = min(os.cpu_count() or 1, 4)
    if processes == 1 or any(arg.startswith(own) for arg in args):
        return []
    return [f"-n{processes}", "--dist=loadfile"]  # a file's fixtures and verdicts are made once


def fail(message: str, status: int = 1) -> NoReturn:
    """Print one sentence to the standard error and end."""
    typer.echo(message, err=True)
    raise typer.Exit(status)


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


def open_course() -> Course:
    """Read the course, or end with the rule that one of its sources breaks."""
    from burgerbot.course.manifest import load_course
    from burgerbot.course.source import CourseError

    try:
        return load_course(ROOT)
    except CourseError as error:
        fail(str(error))


def select(course: Course, wanted: list[str] | None) -> list[Exercise]:
    """Return the exercises asked for, each once, or end with the list of what there is."""
    from burgerbot.course.manifest import UnknownExercise

    try:
        chosen = [exercise for name in wanted or (None,) for exercise in course.select(name)]
    except UnknownExercise as error:
        fail(str(error), status=2)
    return list({exercise.id: exercise for exercise in chosen}.values())


def grade_everybody(
    course: Course,
    wanted: list[str] | None,
    lessons: Path | None,
    json: bool,
    junit: Path | None,
    seconds: float,
) -> None:
    """Grade a class's folder, print a line for each student, and end with what became of it."""
    from burgerbot.course import classroom

    names = list(wanted or ())
    folder = lessons or (Path(names.pop()) if names else None)
    if folder is None or not folder.is_dir():
        fail(f"Expected a folder with a folder for each student, got {folder}.", status=2)
    exercises = select(course, names)

    def log(line: str) -> None:
        typer.echo(line, err=json)  # the standard output is for the JSON

    try:
        reports = classroom.grade_class(course, folder, exercises, seconds, log)
    except ValueError as error:
        fail(str(error), status=2)
    if junit:
        junit.write_text(classroom.junit(course, reports), encoding="utf-8")
    if json:
        statuses = {r.student: {v.id: v.status for v in r.verdicts} for r in reports}
        typer.echo(jsonlib.dumps(statuses))
    if any(report.passed < len(exercises) for report in reports):
        raise typer.Exit(1)


def show_line(exercise: Exercise, status: str, indent: str = "") -> None:
    """Print one exercise and how it stands; the word says it, the colour only helps."""
    from rich.console import Console
    from rich.text import Text

    line = Text(f"{indent}{exercise.id:<6}").append(
        f"{status:<12}", style=STYLES.get(status, "bold red")
    )
    Console(highlight=False, soft_wrap=True).print(line.append(exercise.title))


def show_cards(verdicts: list[Verdict]) -> None:
    """Print what there is to say about each exercise that was tried and did not pass."""
    for verdict in verdicts:
        if verdict.status not in ("passed", "not started"):
            typer.echo("\n" + verdict.text())
    passed = sum(verdict.status == "passed" for verdict in verdicts)
    typer.echo(f"\n{passed} of {len(verdicts)} passed.")
