"""The robustness panel: the same for all drivers, beside an exact optimum."""

import doctest

import numpy as np
import pytest
import torch

from burgerbot.learn import oracle, panel
from burgerbot.learn import robustness as module
from burgerbot.learn.optima import LIMIT, optimum
from burgerbot.learn.robustness import FAULTS, Fault, best_success, robustness
from burgerbot.scale.capstone import one_step_ahead
from burgerbot.show import fault_chart
from burgerbot.world.rules import compile_kitchen
from burgerbot.world.strata import random_kitchen, start_states
from burgerbot.world.torch_faults import pushes

FAMILIES = {"open": [3, 4], "greasy": [103, 104]}
SOME = {"as trained": Fault(), "push 0.15": Fault(push=0.15), "stuck 5": Fault(stuck=5)}


@pytest.fixture(scope="module")
def panels():
    drivers = {"one step": one_step_ahead, "stops": lambda seen: torch.full((len(seen),), 3)}
    return robustness(drivers, FAMILIES, SOME, robots=8)


def test_without_faults_it_is_the_held_out_panel(panels):
    """Episode for episode what ``panel.held_out`` finds on the native environment."""
    known = panel.held_out(lambda o: one_step_ahead(torch.tensor(o)), FAMILIES, robots=8)
    for name, found in panels["one step"].faults["as trained"].items():
        expected = known.strata[name]
        for part in ("lengths", "terminated", "delivered"):
            assert np.array_equal(getattr(found, part), getattr(expected, part))
        assert found.returns == pytest.approx(expected.returns, rel=1e-4)
        assert found.families.tolist() == expected.families.tolist()


def test_success_pools_strata_and_resamples_families(panels):
    """A mean over all episodes, an interval around it; a robot that stops delivers nothing."""
    one = panels["one step"]
    shares = [one.success("stuck 5", name).mean for name in FAMILIES]
    assert one.success("stuck 5").mean == pytest.approx(np.mean(shares))
    mean, low, high = one.success("as trained")
    assert low <= mean <= high
    assert panels["stops"].success("as trained").mean == 0
    assert one.worst[1] == min(one.success(fault).mean for fault in SOME)


def test_drivers_meet_the_same_faults():
    """Twice the same driver is twice the same panel."""
    twice = robustness({"a": one_step_ahead, "b": one_step_ahead}, FAMILIES, SOME, robots=2)
    assert str(twice["a"]) == str(twice["b"])


def test_the_optimum_without_pushes_is_the_oracles():
    """Success of the exact finite-horizon optimum, slip included."""
    assert best_success("greasy", 103, 0.15, 0.0) == pytest.approx(optimum("greasy", 103).success)
    kitchen = random_kitchen("cluttered", 5)
    model = oracle.model(compile_kitchen(kitchen), (0, 0, 0, 1), slip=0.3)
    values, _ = oracle.finite_horizon(model, LIMIT)
    expected = values[LIMIT, start_states(kitchen)].mean()
    assert best_success("cluttered", 5, 0.3, 0.0) == pytest.approx(expected)


def test_the_optimum_bounds_any_driver_under_pushes():
    """A policy followed by simulation, with pushes and slip, stays below it."""
    kitchen = random_kitchen("greasy", 103)
    world, led, starts = compile_kitchen(kitchen), pushes(kitchen), start_states(kitchen)
    model = oracle.model(world, (0.0, 0.0, 0.0, 1.0), slip=0.2)
    actions = oracle.value_iteration(model, 0.97)[1].argmax(axis=1)
    rng, alive = np.random.default_rng(0), np.repeat(starts, 20)
    delivered = 0
    for _ in range(LIMIT):
        did = np.where(rng.random(len(alive)) < 0.2, 0, actions[alive])
        after, paid = model.next_state[alive, did], model.reward[alive, did]
        over = model.terminated[alive, did]
        delivered += (paid > 0).sum()
        alive = after[~over]
        pushed = rng.random(len(alive)) < 0.15
        alive = np.where(pushed, led[alive, rng.integers(4, size=len(alive))], alive)
    share = delivered / (20 * len(starts))
    best = best_success("greasy", 103, 0.2, 0.15)
    assert 0.5 * best < share < best + 0.03


def test_the_usual_faults_are_those_of_the_course():
    """Slip up to 0.3, pushes and stuck cells, and the first is none."""
    assert FAULTS["as trained"] == Fault() == next(iter(FAULTS.values()))
    assert max(fault.slip or 0 for fault in FAULTS.values()) == 0.3
    assert any(f.push for f in FAULTS.values()) and any(f.stuck for f in FAULTS.values())


def test_the_chart_tells_what_it_shows(panels):
    """A line a fault, with every method and the optimum; other faults are refused."""
    plot = fault_chart(panels, title="Faults")
    lines = plot.text.splitlines()
    assert lines[0] == "Faults" and len(lines) == 1 + len(SOME)
    assert lines[1].startswith("as trained: one step ") and "stops 0.00; optimum" in lines[1]
    axes = plot.figure.axes[0]
    assert axes.get_title() == "Faults" and axes.get_xlabel() and axes.get_ylabel()
    assert fault_chart(panels, title="x", alt="Mine.").alt == "Mine."
    one = robustness({"a": one_step_ahead}, {"open": [3]}, {"none": Fault()}, robots=1)
    for wrong in ({}, {**panels, **one}):
        with pytest.raises(ValueError, match="expected 1 to 6 methods with the same faults"):
            fault_chart(wrong, title="x")


@pytest.mark.parametrize(
    ("drivers", "families", "faults", "says"),
    [
        ({}, FAMILIES, SOME, "drivers"),
        ({"a": one_step_ahead}, {}, SOME, "families"),
        ({"a": one_step_ahead}, {"open": []}, SOME, "open"),
        ({"a": one_step_ahead}, FAMILIES, {}, "faults"),
    ],
)
def test_misuse_is_refused(drivers, families, faults, says):
    """Expected one or more, got none."""
    with pytest.raises(ValueError, match=f"{says}: expected one or more"):
        robustness(drivers, families, faults)


def test_doctests():
    """The examples in the docstrings hold."""
    assert doctest.testmod(module).failed == 0
