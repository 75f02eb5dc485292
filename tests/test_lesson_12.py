"""What lesson 12 says of crews, beside its exercises."""

import os
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from burgerbot.course.manifest import load_course
from burgerbot.course.source import read_cells
from burgerbot.learn import rare_reward, stale
from burgerbot.learn.replay import PrioritizedReplay
from burgerbot.learn.vtrace import vtrace
from burgerbot.scale import drills, workers
from burgerbot.scale.local_crew import LocalTransport
from burgerbot.show.crews import crew_diagram

LESSON = next(lesson for lesson in load_course().lessons if lesson.number == "12")
CELLS = read_cells(LESSON.source)
TEXT = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")


def block(language):
    """The one code block of the text in this language."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    return found


@pytest.fixture(scope="module")
def answers():
    """The functions of the reference solutions, from their cells."""
    namespace = {}
    for kind in ("imports", "given", "exercise"):
        for cell in CELLS:
            if any(tag.split(":")[0] == kind for tag in cell.metadata.get("tags", [])):
                exec(cell.source, namespace)
    return namespace


def test_five_exercises_in_their_order():
    """They are about what the course plan says, and nothing in between is missing."""
    assert [e.id for e in LESSON.exercises] == [f"12.{k}" for k in range(1, 6)]
    names = [re.findall(r"^def (\w+)", e.solution, re.MULTILINE) for e in LESSON.exercises]
    assert [name[0] for name in names] == [
        *("policy_lags", "vtrace", "delta", "first_priorities", "collect_from")
    ]


def test_the_learners_lags_are_the_crews(answers):
    """The log of a crew, read by exercise 12.1, gives the crew's own report."""
    for in_flight, max_lag in ((1, 8), (2, 8), (6, 3)):
        log, report = drills.record(LocalTransport, 25, in_flight=in_flight, max_lag=max_lag)
        lags, dropped = answers["policy_lags"](log, max_lag)
        assert Counter(lags) == report.lags and dropped == report.dropped


def test_two_in_flight_are_one_or_two_updates_old():
    """As the text and the picture's words have it."""
    _, report = drills.record(LocalTransport, 60)
    assert report.lags[1] + report.lags[2] > 0.9 * report.lags.total()


def test_the_learners_vtrace_is_the_packages(answers):
    """On random rows, with lambda 1."""
    rng = np.random.default_rng(0)
    numbers = [rng.normal(size=(9, 4)) for _ in range(4)]
    flags = [rng.random((9, 4)) < 0.2 for _ in range(2)]
    ours = vtrace(*numbers, *flags, gamma=0.9, rho_bar=1.5, c_bar=0.8)
    theirs = answers["vtrace"](*numbers, *flags, 0.9, 1.5, 0.8)
    np.testing.assert_allclose(theirs, ours)


def test_vtrace_corrects_what_the_text_says(answers):
    """At lag 8: about 5 points off without, within 1 with, and about 0 without a bound."""

    def target(rows, values, next_values, rho_bar=1.0):
        numbers = rows.log_ratios, rows.rewards, values, next_values
        flags = rows.terminated, rows.truncated
        return answers["vtrace"](*numbers, *flags, stale.GAMMA, rho_bar)[1]

    free = lambda *rows: target(*rows, rho_bar=np.inf)  # noqa: E731
    [none], [cut], [unbounded] = (stale.bias(t, [8]) for t in (stale.trusting, target, free))
    assert -6 < none < -4.5 and -1 < cut < -0.4 and abs(unbounded) < 0.2


def test_the_learners_draws_are_the_replays(answers):
    """Chances and weights of exercise 12.4, and the replay's."""
    p = np.array([0.5, 3.0, 1.0, 8.0])
    replay = PrioritizedReplay(9, alpha=0.7, floor=1e-12)
    replay.add({"x": np.arange(4)}, p)
    chances = answers["chances"](p, 0.7)
    np.testing.assert_allclose(chances, replay.chances(range(4)))
    weights = answers["importance_weights"](chances, 0.4)
    np.testing.assert_allclose(weights, replay.weights(range(4), 0.4))


def test_priorities_pay_where_rewards_are_rare():
    """In a short corridor they gain nothing, in a long one they need clearly fewer batches."""
    short, long = rare_reward.corridor(4), rare_reward.corridor(20)
    assert short.rewards > 300 and 0 < long.rewards < 15
    found = rare_reward.compare([short, long], runs=2)
    alike, prioritized, weighted = found.values()
    assert prioritized[0] > 0.7 * alike[0]
    assert prioritized[1] < 0.7 * alike[1]
    assert prioritized[1] < weighted[1] < alike[1]


def test_the_learners_loop_on_workers_that_are_killed(answers):
    """Exercise 12.5 with the workers of the lesson: one loss, and the worker is back."""
    pair = drills.Pair(LocalTransport)
    collect_from = answers["collect_from"]
    before, _ = collect_from(pair.workers, pair.weights, 4, iter(range(200, 300)))
    pair.kill(1)
    after, report = collect_from(pair.workers, pair.weights, 6, iter(range(300, 400)))
    assert [index for index, _ in before] == [0, 1, 0, 1]
    assert [index for index, _ in after] == [0, 0, 1, 0, 1, 0]
    assert report == {"lost": 1, "gone": 0}


@pytest.mark.parametrize("name", ["IMPALA", "Ape-X"])
def test_diagrams_have_words(name):
    """Each names workers, learner and what lies between, in its alt text too."""
    picture = crew_diagram(name)
    assert picture.alt == repr(picture) and "learner" in picture.alt
    assert picture.svg.startswith("<svg") and picture.svg.isascii() and "<title" in picture.svg
    assert ("queue" if name == "IMPALA" else "replay") in picture.svg


def test_there_are_two_diagrams():
    """An unknown name is refused."""
    with pytest.raises(ValueError, match="expected one of IMPALA, Ape-X"):
        crew_diagram("RLlib")


# --- the SLURM page ---


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_the_job_script_is_sound_shell():
    """bash reads it without complaint, and sbatch its first line, without which it is refused."""
    script = block("bash")
    first, *options = script.split("set -euo")[0].splitlines()
    assert first == "#!/bin/bash"
    assert len(options) == 4 and all(line.startswith("#SBATCH --") for line in options)
    assert subprocess.run(["bash", "-n"], input=script, text=True, timeout=20).returncode == 0
    assert "python train.py" in script and "RAY_AUTH_MODE=token" in script


@pytest.mark.ray
@pytest.mark.timeout(200)
@pytest.mark.xdist_group("ray")
def test_the_job_script_uses_options_that_ray_has():
    """``ray symmetric-run`` takes the address, the number of nodes and Ray's own options."""
    pytest.importorskip("ray")
    line = [sys.executable, "-m", "ray.scripts.scripts"]
    for command, options in (
        ("symmetric-run", ("--address", "--min-nodes", "--num-cpus", "-- ")),
        ("get-auth-token", ("--generate",)),
    ):
        found = subprocess.run(
            [*line, command, "--help"], capture_output=True, text=True, timeout=90
        )
        assert all(option in found.stdout for option in options), found.stderr


@pytest.mark.ray
@pytest.mark.timeout(300)
@pytest.mark.xdist_group("ray")
def test_the_program_of_the_page_runs_on_two_nodes(tmp_path):
    """As it stands in the text, but for fewer workers, robots and steps; it saves its run."""
    program = block("python")
    for long, short in (
        ("WORKERS, STEPS = 14, 2_000_000", "WORKERS, STEPS = 2, 2_000"),
        ("num_envs=64", "num_envs=4"),
    ):
        assert long in program
        program = program.replace(long, short)
    (tmp_path / "train.py").write_text(program)
    try:
        with workers.simulated_nodes(1, 1) as cluster:
            done = subprocess.run(
                [sys.executable, "train.py"],
                cwd=tmp_path,
                env={**os.environ, "RAY_ADDRESS": cluster.address, "OMP_NUM_THREADS": "1"},
                capture_output=True,
                text=True,
                timeout=200,
            )
    except workers.RayUnavailable as error:
        pytest.skip(str(error))
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ updates; fragments used", done.stdout)
    assert (tmp_path / "run.pt").exists()
