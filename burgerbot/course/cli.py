"""The commands of ``python -m burgerbot``. Heavy imports stand inside them: help stays quick."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from burgerbot.course import environment, launch
from burgerbot.course.terminal import fail, open_course, select, show_line

ROOT = Path(__file__).resolve().parents[2]

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
    if port is not None and not launch.port_is_free(ip, port):
        fail(f"Expected a free port, got {port}, which another program uses. Choose another one.")
    command = launch.jupyter_lab(lessons, ip=ip, port=port, browser=browser)
    launch.use_settings_of(ROOT)
    environment.become([*command, *context.args], ROOT)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(context: typer.Context) -> None:
    """Run the tests of the course, several at a time. What follows goes to pytest."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # each process keeps to one core
    environment.become(launch.pytest(context.args), ROOT)


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
    from burgerbot.course import grade_command

    if junit and not everybody:
        fail("Expected --all with --junit: it reports on a class.", status=2)
    course, names = open_course(ROOT), wanted or []
    if everybody:
        grade_command.grade_class(
            course, names, lessons, as_json=json, junit=junit, seconds=seconds
        )
    else:
        grade_command.grade_one(course, names, lessons, as_json=json)


@app.command()
def hint(exercise: Annotated[str, typer.Argument(metavar="NN.k")]) -> None:
    """Show the next hint for an exercise."""
    from burgerbot.course.manifest import UnknownExercise
    from burgerbot.course.progress_file import Progress

    try:
        typer.echo(Progress.load(ROOT).next_hint(open_course(ROOT).exercise(exercise)))
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

    course, saved = open_course(ROOT), Progress.load(ROOT)
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
    """Make the notebooks from solutions/*.py, or check them. What you wrote into one is kept."""
    from burgerbot.course import build as builder

    course = open_course(ROOT)
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
