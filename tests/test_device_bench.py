"""The device bench: what it reports, on sizes so small that the figures mean nothing."""

import json
import math
import subprocess
import sys

import pytest
import torch

from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.ppo import PPOConfig
from burgerbot.scale import device_bench, machine
from burgerbot.scale.device_bench import TIERS, bench, bytes_per_step, out_of_memory
from burgerbot.scale.device_tiers import memory_needed
from burgerbot.scale.device_training import Parts, flop_per_step
from burgerbot.world.torch_vector import TorchBurgerBot

CONFIG = PPOConfig(steps=4, epochs=1, minibatches=2)
CPU = torch.device("cpu")


@pytest.fixture
def quick(monkeypatch):
    """Rates of the machine that cost no time."""
    monkeypatch.setattr(machine, "copy_bandwidth", lambda device: 1e10)
    monkeypatch.setattr(machine, "matmul_rate", lambda device: 1e11)


def run(robots, **kwargs):
    return bench("cpu", robots, rounds=2, config=CONFIG, **kwargs)


def test_every_tier_is_measured_at_every_size(quick):
    """Rates, spread, the first round apart, fractions of the machine's rates: all plain JSON."""
    found = json.loads(json.dumps(run((1, 8)), allow_nan=False))
    rows = found["rows"]
    measured = [(row["num_envs"], row["tier"]) for row in rows]
    assert measured == [(n, tier) for n in (1, 8) for tier in TIERS]
    for row in rows:
        assert 0 < row["slowest"] <= row["steps_per_second"] <= row["fastest"]
        assert row["first_seconds"] > 0 and row["mode"] == "eager"
        simulate, update = row["tier"] == TIERS[0], row["tier"] == TIERS[2]
        assert (row["bytes_per_step"] is not None) == simulate
        assert (row["flop_per_step"] is not None) == update
        if simulate:
            moved = row["bytes_per_step"] * row["steps_per_second"]
            assert row["of_bandwidth"] == pytest.approx(moved / 1e10)
        if update:
            done = row["flop_per_step"] * row["steps_per_second"]
            assert row["of_matmul"] == pytest.approx(done / 1e11)
    assert set(found["parts"]) == {"1", "8"} and set(found["parts"]["8"]) == set(Parts._fields)
    assert found["machine"]["device"] == "cpu" and found["env"] == "BurgerBot-v1"


def test_a_round_of_simulation_takes_all_its_steps(monkeypatch):
    """A warm-up and two rounds of 20 steps, more than the tape is long, and one for the bytes."""
    taken, step = [], TorchBurgerBot.step
    monkeypatch.setattr(
        TorchBurgerBot, "step", lambda self, a: (taken.append(a.clone()), step(self, a))[1]
    )
    list(device_bench.measured("simulate", CPU, 64, 2, PPOConfig(steps=20), 1e10, 1e11))
    assert len(taken) == 3 * 20 + 1
    assert torch.equal(taken[0], taken[16]) and not torch.equal(taken[0], taken[1])


def test_what_is_left_out_is_said(quick):
    """No graphs on a CPU; no time left: one line each, and nothing larger is tried."""
    lines = []
    found = run((1, 2_048, 1_000_000), budget=1e-9, log=lines.append)
    assert "CUDA graphs need a CUDA device, and this is cpu" in found["skipped"][0]
    assert any("1,000,000 robots: left out, no time" in line for line in found["skipped"])
    assert all(row["num_envs"] == 1 for row in found["rows"])
    assert lines[0] == found["skipped"][0]


def test_a_size_that_does_not_fit_is_left_out_with_a_line(quick, monkeypatch):
    """Out of memory, as a device or as the host says it, ends one size and not the bench."""
    make = TorchBurgerBot.make

    def narrow(env_id, num_envs, *args, **kwargs):
        if num_envs == 8:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")
        return make(env_id, num_envs, *args, **kwargs)

    monkeypatch.setattr(TorchBurgerBot, "make", narrow)
    found = run((8, 9))
    assert [row["num_envs"] for row in found["rows"]] == [9, 9, 9]
    assert sum("8 robots: left out, out of memory" in line for line in found["skipped"]) == 3
    assert out_of_memory(MemoryError()) and not out_of_memory(RuntimeError("a bug"))


def test_an_error_that_is_no_lack_of_memory_is_raised(quick, monkeypatch):
    """A bug is not left out with a line."""

    def broken(*args, **kwargs):
        raise RuntimeError("a bug")

    monkeypatch.setattr(TorchBurgerBot, "make", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run((1,))


def test_bytes_of_a_step_are_counted_by_hand():
    """v0: 167 bytes, of which two observations of 32 bytes are read and written."""
    envs = TorchBurgerBot(5, "cpu", statistics=False)
    envs.reset(seed=0)
    records, action, flags = 4 + 4, 8, 1 + 1
    looked_up = 2 * 32 + 4 + 4  # observations, reward, entry
    written = 2 * 32 + 4 + flags + 1 + 4  # observations, reward, flags, _final_obs, outcome
    assert bytes_per_step(envs) == action + 2 * records + looked_up + written


def test_operations_of_a_step_are_counted_by_hand():
    """2 -> 3 -> 2 and 2 -> 3 -> 1: 12 and 9 weights; forward twice that, backward twice forward."""
    policy = ActorCritic(2, features=2, hidden=(3,))
    config = PPOConfig(steps=10, epochs=4, minibatches=2)
    actor, critic = 24, 18
    wanted = 2 * (actor + critic) + critic + 4 * 3 * (actor + critic)
    assert flop_per_step(policy, config, 7) == wanted
    few = ActorCritic(2, nvec=[3], hidden=(3,))  # three possible rows; 200 are asked as three
    actor, critic = 2 * (9 + 6), 2 * (9 + 3)
    wanted = (3 / 400) * (2 * actor + 3 * critic) + (3 / 200) * 12 * (actor + critic)
    assert flop_per_step(few, config, 40) == pytest.approx(wanted)


def test_the_machines_rates_are_positive():
    """Small copies and small products."""
    assert machine.copy_bandwidth(CPU, mib=1, rounds=2) > 0
    assert machine.matmul_rate(CPU, size=32, rounds=2) > 0
    assert machine.peak_bytes(CPU) is None or machine.peak_bytes(CPU) > 1e6
    assert not math.isnan(machine.seconds(lambda: None, CPU))


def test_a_device_that_is_not_there_is_refused(capsys):
    """The error says what there is; the exit status is 2."""
    with pytest.raises(ValueError, match="device: expected"):
        bench("abacus")
    assert device_bench.main(["--device", "abacus"]) == 2
    assert "expected" in capsys.readouterr().err
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="cuda"):
            bench("cuda")


BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked}:
            raise ImportError(name + " is blocked")
sys.meta_path.insert(0, Block())
sys.argv = ["burgerbot", *{argv}]
import runpy
runpy.run_module("burgerbot", run_name="__main__")
"""
ABSENT = ("gymnasium", "typer", "rich", "matplotlib", "ray", "stable_baselines3", "IPython")


def bare(*argv):
    """Run ``python -m burgerbot`` where only PyTorch and NumPy are."""
    code = BLOCKED.format(blocked=set(ABSENT), argv=list(argv))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=110)


def test_the_command_runs_on_a_machine_with_pytorch_and_numpy_only():
    """No Gymnasium, no Typer, nothing installed: one JSON object on the standard output."""
    done = bare("bench", "--device", "cpu", "--json", "--robots", "1", "4", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {row["num_envs"] for row in found["rows"]} == {1, 4}
    assert "simulate" in done.stderr


def test_the_command_line_passes_its_options_on(monkeypatch):
    """``bench --device`` goes to this bench; ``--seconds`` alone is refused."""
    from typer.testing import CliRunner

    from burgerbot.course.cli import app

    seen = []
    monkeypatch.setattr(device_bench, "main", lambda words: seen.append(words) or 0)
    assert CliRunner().invoke(app, ["bench", "--device", "mps", "--json"]).exit_code == 0
    assert CliRunner().invoke(app, ["bench", "--device=cpu", "--seconds", "3"]).exit_code == 0
    assert seen == [["--device", "mps", "--json"], ["--device", "cpu", "--seconds", "3.0"]]
    assert CliRunner().invoke(app, ["bench", "--seconds", "3"]).exit_code == 2


def test_the_report_and_the_race_to_the_target_need_no_more():
    """Both modules are imported where only PyTorch and NumPy are."""
    code = BLOCKED.split("sys.argv")[0].format(blocked=set(ABSENT))
    code += "import burgerbot.scale.device_report, burgerbot.scale.solve\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr


def test_the_table_names_the_machine_and_the_parts(quick, capsys):
    """Without ``--json``: a line a row, the rates, and where an update's time goes."""
    assert device_bench.main(["--robots", "2", "--rounds", "1"]) == 0
    out = capsys.readouterr().out
    assert "copies 10.0 GB/s, multiplies matrices at 100 GFLOP/s" in out
    assert "an update of 2 robots" in out and "% of the copy bandwidth" in out


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_on_cuda_both_modes_are_measured():
    """Eager and graphed."""
    found = bench("cuda", (64,), rounds=2, config=CONFIG)
    assert {row["mode"] for row in found["rows"]} == {"eager", "graphed"}


def test_what_does_not_fit_into_memory_is_left_out(quick, monkeypatch):
    """A CPU's system would end the process; the line says what is needed and what there is."""
    monkeypatch.setattr(device_bench, "free_memory", lambda: 1_000_000)
    found = run((1, 2_000))
    assert [(row["num_envs"], row["tier"]) for row in found["rows"]] == [
        *((1, tier) for tier in TIERS),
        *((2_000, tier) for tier in TIERS[:1]),
    ]
    assert (
        "with update, 2,000 robots: left out, it needs about 3 MB of memory, and 1 are free"
        in (found["skipped"])
    )


@pytest.mark.skipif(sys.platform != "linux", reason="reads peak and present memory in /proc")
@pytest.mark.parametrize("tier", TIERS)
def test_no_tier_takes_more_memory_than_is_said(tier):
    """The peak of a process of its own, less what it had before."""
    program = f"""
import torch
from burgerbot.learn.ppo import PPOConfig
from burgerbot.scale.device_tiers import measured

def status(key):
    return next(int(x.split()[1]) for x in open("/proc/self/status") if x.startswith(key)) * 1024

def measure(robots):
    list(measured({tier!r}, torch.device("cpu"), robots, 2, PPOConfig(steps=8, epochs=1), 1.0, 1.0))

torch.set_num_threads(1)
measure(1024)
before = status("VmRSS")
measure(2**17)
print(status("VmHWM") - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert 0.2 < int(done.stdout) / memory_needed(tier, 2**17, 8) <= 1.0
