"""The capstone's plan, its methods, and the comparison as a command."""

import doctest
import json
from dataclasses import replace

import pytest
import torch

from burgerbot.learn import ledger
from burgerbot.learn.audit import audit
from burgerbot.learn.robustness import Fault, robustness
from burgerbot.scale import capstone, capstone_plan
from burgerbot.scale.capstone import at_random, learn, methods, one_step_ahead, plan_for, pools_for
from burgerbot.world.strata import STRATA
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens

FAULTS = {"as trained": Fault(), "push": Fault(push=0.1)}
TINY = replace(plan_for("cpu", 0.1), robots=512, steps=16_384, kitchens=2, faults=FAULTS)


def test_a_plan_for_any_device():
    """On a CPU 1,024 robots learn, and the plan says what it leaves out; a share is a share."""
    full, fast = plan_for("cpu"), plan_for("cpu", 0.1)
    assert full.robots == fast.robots == 1_024 and full.sizes == (1, 16, 256, 4_096, 65_536, 10**6)
    assert "Skipped: CUDA graphs" in full.says and "Instead: plain PyTorch" in full.says
    assert fast.steps == full.steps / 10 and fast.kitchens < full.kitchens
    assert list(fast.faults) == list(full.faults)[::2]
    assert capstone.best_device() in ("cpu", "cuda", "mps")


@pytest.mark.parametrize("share", [0.0, 1.5, float("nan")])
def test_a_wrong_share_is_refused(share):
    """Expected and got."""
    with pytest.raises(ValueError, match="share: expected above 0 to 1"):
        plan_for("cpu", share)


def test_a_device_that_is_not_there_is_refused():
    """By the device's own check, and by the command with status 2."""
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(ValueError, match="device: expected one that is here"):
        plan_for("cuda")
    assert capstone.main(["--device", "cuda"]) == 2


def test_methods_differ_in_their_epochs_only():
    """PPO of the plan, and one look at each rollout instead of four."""
    ppo, once = methods(TINY).values()
    assert (ppo.epochs, once.epochs) == (4, 1) and replace(once, epochs=4) == ppo


def test_pools_have_nothing_in_common():
    """Training kitchens and those of each stratum."""
    training, evaluation = pools_for(TINY)
    seeds = [*training, *(seed for pool in evaluation.values() for seed in pool)]
    assert len(training) == 512 and len(set(seeds)) == len(seeds)


def test_own_panel_drives_in_the_training_kitchens():
    """Each stratum's robots learned in a share of the families; the panel takes from that share."""
    training, _ = pools_for(TINY)
    envs = TorchBurgerBotKitchens(1_024, "cpu", stratum=list(STRATA), family=training)
    pairs = set(zip(envs.strata, envs._seeds, strict=True))
    found = capstone.own_panel({"a": one_step_ahead}, training, TINY)["a"]
    for name, part in found.faults["as trained"].items():
        assert {(name, int(seed)) for seed in part.families} <= pairs


def test_learning_fills_a_record_that_an_audit_finds_sound():
    """Steps, reasons, three throughputs; the moments saw what the policy learned from."""
    training, evaluation = pools_for(TINY)
    run = learn(TINY, TINY.config, training)
    own = capstone.own_panel({"a": run.policy.greedy}, training, TINY)["a"]
    panel = robustness({"a": run.policy.greedy}, evaluation, FAULTS)["a"]
    line = capstone.ledger_line("a", run, own, panel)
    assert line["steps"] == TINY.steps and sum(line["reset_reasons"].values()) > 0
    assert line["throughput"]["simulate_only"] > line["throughput"]["with_update"] > 0
    assert set(line["success"]) == set(line["training_success"]) == set(STRATA)
    assert {"fault, as trained", "fault, push", "optimum"} <= set(line["notes"])
    assert line["device"].startswith("cpu") and not audit(record=line)


def test_one_step_ahead_by_hand():
    """Straight on, to the side, round when all else is blocked, never into an obstacle."""
    seen = torch.zeros(5, 28)
    seen[:, 25:27] = torch.tensor([[600.0, 0], [0, 600], [0, -600], [600, 0], [300, 0]])
    seen[3, [7, 11, 13]] = 1  # ahead, left and right are blocked
    seen[4, 7] = 1
    assert one_step_ahead(seen).tolist()[:4] == [0, 2, 1, 1]
    assert one_step_ahead(seen).tolist()[4] in (1, 2)


def test_random_robots_repeat():
    """Actions of a generator of the device; log-probabilities and values are zeros."""
    seen = torch.zeros(100, 4)
    one, other = at_random("cpu", seed=3), at_random("cpu", seed=3)
    actions, log_probs, values = one(seen)
    assert torch.equal(actions, other(seen)[0]) and set(actions.tolist()) == {0, 1, 2, 3}
    assert not log_probs.any() and values.shape == (100,)


def test_the_comparison_is_one_command(monkeypatch, capsys, tmp_path):
    """Every method on one panel, then the ledger, as a table and as a file."""
    monkeypatch.setattr(capstone, "plan_for", lambda device, share: TINY)
    book = tmp_path / "book.jsonl"
    assert capstone.main(["--device", "cpu", "--ledger", str(book)]) == 0
    told = capsys.readouterr().out
    for words in ("PPO", "one epoch", "one step ahead", "as trained", "optimum", "success, open"):
        assert words in told
    first, second = ledger.read(book)
    assert first["evaluation_seeds"] == second["evaluation_seeds"]
    assert json.dumps(first, allow_nan=False)


def test_doctests():
    """The examples in the docstrings hold."""
    assert doctest.testmod(capstone_plan).failed == 0
