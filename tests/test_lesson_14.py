"""What the text of lesson 14 claims beyond what its cells compute, and its set-up cell."""

import os
import subprocess
import sysconfig
import tomllib
import venv
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from burgerbot.course.source import read_cells, strip_markers
from burgerbot.learn.robustness import FAULTS, robustness
from burgerbot.scale import capstone
from burgerbot.world.registration import ENVS
from burgerbot.world.strata import STRATA, stratum
from burgerbot.world.torch_fake import READS, SHAPES, waits
from burgerbot.world.torch_faults import CELLS

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "solutions" / "14_gpu_capstone.py"


@cache
def cells():
    """The lesson's code cells, solutions in place."""
    return [c for c in read_cells(SOURCE) if c.cell_type == "code"]


@cache
def lesson():
    """The names of the imports, given cells and exercises."""
    names = {"__name__": "lesson"}
    for cell in cells():
        kinds = {tag.split(":")[0] for tag in cell.metadata.get("tags", [])}
        if kinds & {"imports", "given", "exercise"}:
            exec(compile(strip_markers(cell.source), cell.source[:20], "exec"), names)
    return names


def starting(words):
    """The source of the one cell that begins with these words."""
    (source,) = (cell.source for cell in cells() if cell.source.startswith(words))
    return source


def test_a_robot_is_a_dozen_bytes():
    """Beside tables that are the same for a million robots."""
    names = lesson()
    one, many = (names["move_world"](names["host_world"](), n, "cpu") for n in (1, 1001))
    grown = sum(many[name].nbytes - one[name].nbytes for name in one)
    assert grown == 12 * 1000


def test_the_three_steps_are_stopped_for_what_the_text_says():
    """The step alone by nothing, the mean by a read, the positive ones by their number."""
    names = lesson()
    world = names["move_world"](names["host_world"](), 8, "cpu")
    actions = torch.zeros(8, dtype=torch.int64)
    asks = (lambda r: r, lambda r: r.mean().item(), lambda r: r[r > 0])
    found = [
        waits(lambda w, a, ask=ask: ask(names["device_step"](w, a, 150)[1]), world, actions)
        for ask in asks
    ]
    assert found == [None, READS, SHAPES]


def test_the_step_is_the_package_s():
    """To the bit, in all of 200 steps of 4,096 robots."""
    names = dict(lesson()) | {"DEVICE": torch.device("cpu")}
    exec(starting("twin, world ="), names)
    assert names["same"] == 200


def test_a_question_costs_most_in_the_middle():
    """60 microseconds of orders, 20 of road: more than twice as fast without near 1e5 robots."""
    robots = np.geomspace(64, 2**22, 40)
    orders, road, work = 60.0, 20.0, 5.0 + robots / 2_000
    ratio = (orders + work + road) / np.maximum(orders, work)
    assert 5e4 < robots[ratio.argmax()] < 2e5 and ratio.max() > 2
    assert ratio[0] < 1.5 and ratio[-1] < 1.1
    for number in ("60.0", "20.0", "2_000"):
        assert number in starting("robots = np.geomspace")


def test_numbers_of_the_text():
    """512 kitchens, four strata, four epochs against one, slip 0.15 on greasy floors, 25 cells."""
    plan = capstone.plan_for("cpu")
    training, evaluation = capstone.pools_for(plan)
    assert len(training) == 512 and len(evaluation) == len(STRATA) == 4
    assert [config.epochs for config in capstone.methods(plan).values()] == [4, 1]
    assert {name: stratum(name).slip for name in STRATA if stratum(name).slip} == {"greasy": 0.15}
    assert CELLS == 25 and plan.config.hidden == (64, 64) and ENVS["BurgerBot-v0"][2] == 150
    assert float(torch.tensor(2.0**24) + 1) == 16_777_216 and np.ceil(16_777_216 / 10**6) == 17


def test_pushes_help_who_goes_in_circles_and_slip_hurts_everybody():
    """On the lesson's own panel, for the driver that has learned nothing, and for the optimum."""
    _, evaluation = capstone.pools_for(capstone.plan_for("cpu"))
    wanted = ("as trained", "slip 0.3", "push 0.15", "stuck 5")
    faults = {name: FAULTS[name] for name in wanted}
    found = robustness({"a": capstone.one_step_ahead}, evaluation, faults)["a"]
    share = {name: found.success(name).mean for name in wanted}
    best = {name: found.optimum(name) for name in wanted}
    assert share["push 0.15"] > share["as trained"] + 0.02 > share["stuck 5"] + 0.07
    assert best["as trained"] - best["slip 0.3"] > 0.2
    assert best["stuck 5"] == best["as trained"]
    assert abs(best["push 0.15"] - best["as trained"]) < 0.02
    lost = share["as trained"] - share["slip 0.3"]
    assert best["as trained"] - best["slip 0.3"] > lost / 2  # not the policy's fault


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_slower_method_is_the_better_one():
    """PPO reaches 0.9 in kitchens never seen, one epoch does not, and neither is an accident."""
    plan = capstone.plan_for("cpu")
    training, evaluation = capstone.pools_for(plan)
    runs = {
        name: capstone.learn(plan, config, training, seed=1)
        for name, config in capstone.methods(plan).items()
    }
    drivers = {name: run.policy.greedy for name, run in runs.items()}
    drivers["none"] = capstone.one_step_ahead
    faults = {name: FAULTS[name] for name in ("as trained", "slip 0.3", "stuck 5")}
    found = robustness(drivers, evaluation, faults)
    share = {name: panel.success("as trained").mean for name, panel in found.items()}
    assert share["PPO"] > 0.9 > share["one epoch"] and share["PPO"] > share["none"] + 0.04
    ppo = found["PPO"]
    assert ppo.optimum("stuck 5") - ppo.success("stuck 5").mean > 0.1
    slip = ppo.success("as trained").mean - ppo.success("slip 0.3").mean
    assert ppo.optimum("as trained") - ppo.optimum("slip 0.3") > 0.6 * slip
    rates = [run.facts["throughput"]["with_update"] for run in runs.values()]
    assert all(rate > 0 for rate in rates)


def test_the_set_up_cell_names_the_repository_and_nothing_else():
    """The address is that of pyproject.toml; one clone, one install, of the package alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    source = starting("import importlib.util")
    assert f'"https://github.com/{project["tool"]["burgerbot"]["repository"]}"' in source
    assert source.count("subprocess.run") == 2 and '"-e", "./burgerbot"' in source
    assert 'find_spec("burgerbot") is None' in source  # elsewhere it does nothing


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_set_up_cell_works_in_a_fresh_environment(tmp_path):
    """Its own commands, with a local clone as the address, in an environment without the course."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git clone, so there is nothing to clone from")
    venv.create(tmp_path / "env", with_pip=False)
    folder = "Scripts" if os.name == "nt" else "bin"
    python = tmp_path / "env" / folder / ("python.exe" if os.name == "nt" else "python")
    # Like Colab it has the usual packages, here those of the tests, but not the course.
    base = {"base": str(tmp_path / "env"), "platbase": str(tmp_path / "env")}
    inside = Path(sysconfig.get_path("purelib", vars=base))
    (inside / "usual.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    work = tmp_path / "content"
    work.mkdir()
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(code):
        command = [str(python), "-c", code]
        return subprocess.run(
            command, cwd=work, env=environment, capture_output=True, text=True, check=False
        )

    before = run(
        "import importlib.util as u; print(u.find_spec('burgerbot'), u.find_spec('torch'))"
    )
    if not before.stdout.startswith("None ModuleSpec"):
        pytest.skip(f"the packages of the tests cannot be lent out here: {before.stdout}")
    address = starting("import importlib.util").split('COURSE = "')[1].split('"')[0]
    source = starting("import importlib.util").replace(address, ROOT.as_uri())
    asks = "import burgerbot, burgerbot.course as c; print(burgerbot.__file__)\n"
    asks += "from burgerbot.course.manifest import load_course; print(len(load_course().lessons))"
    done = run(f"{source}\n{asks}")
    if "No matching distribution found for hatchling" in done.stderr:
        pytest.skip("no package index can be reached for the build of the package")
    assert done.returncode == 0, done.stderr
    place, lessons = done.stdout.strip().splitlines()[-2:]
    assert Path(place) == work / "burgerbot" / "burgerbot" / "__init__.py" and int(lessons) >= 9
    # A new kernel, started anywhere, finds it too.
    later = subprocess.run(
        [str(python), "-c", "import burgerbot; print(burgerbot.__file__)"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert later.stdout.strip() == place, later.stderr
