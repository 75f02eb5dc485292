"""Saved vector environments: a twin that loads the state goes on to the bit."""

import copy
import io
import json
import pickle

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode
from test_parity import SHORT, WORLDS, assert_same, climb, tape_of

import burgerbot  # noqa: F401  (registers the environments)

MODES = list(AutoresetMode)
WORLDS = {
    **WORLDS,
    "two strata": ("BurgerBotKitchens-v0", {"stratum": ["open", "greasy"], "family": [3, 5]}),
}


def drive(envs, tape):
    """Take the actions of a tape; in DISABLED mode reset the robots that are done."""
    for actions in tape:
        done = np.logical_or(*envs.step(actions)[2:4])
        if envs.autoreset_mode is AutoresetMode.DISABLED and done.any():
            envs.reset(options={"reset_mask": done})


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("world", WORLDS)
def test_a_loaded_twin_goes_on_to_the_bit(world, mode):
    """Saved at any step, resets without a seed included, and the saved env is not changed."""
    env_id, kwargs = WORLDS[world]
    envs, twin = (gym.make_vec(env_id, 8, autoreset_mode=mode, **kwargs) for _ in range(2))
    envs.reset(seed=[5, 6, 7, 8, None, 10, 2**70, 12])
    twin.reset(seed=99)
    drive(twin, tape_of(1, 8, 5))
    for part in range(6):
        drive(envs, tape_of(part, 8, 1 + 3 * part))
        twin.load_state_dict(envs.state_dict())
        climb_on(envs, twin, tape_of(100 + part, 8, 12))
    twin.load_state_dict(envs.state_dict())
    assert_same(twin.reset()[0], envs.reset()[0], "reset without a seed")
    climb(envs, twin, mode, None, tape_of(7, 8, 12))
    climb(envs, twin, mode, 4, tape_of(8, 8, 12))


def climb_on(lower, upper, tape):
    """As ``climb``, without the reset."""
    for t, actions in enumerate(tape):
        below, above = lower.step(actions), upper.step(actions)
        for a, b in zip(above, below, strict=True):
            assert_same(a, b, f"step {t}")
        done = below[2] | below[3]
        if lower.autoreset_mode is AutoresetMode.DISABLED and done.any():
            again = [e.reset(options={"reset_mask": done.copy()})[0] for e in (lower, upper)]
            assert_same(again[1], again[0], f"step {t}, partial reset")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_an_episode_that_waits_for_its_reset_is_saved_so(mode):
    """Saved between an episode's end and its reset, the twin resets that robot too."""
    envs, twin = (gym.make_vec("BurgerBot-v0", 2, autoreset_mode=mode) for _ in range(2))
    envs.reset(seed=0)
    envs.step(np.array([1, 0]))
    envs.step(np.array([0, 0]))  # robot 0 crashes
    twin.load_state_dict(envs.state_dict())
    if mode is AutoresetMode.DISABLED:
        with pytest.raises(gym.error.ResetNeeded, match=r"robots \[0\] are over"):
            twin.step(np.array([0, 0]))
    else:
        climb_on(envs, twin, np.array([[2, 0], [0, 0]]))


@pytest.mark.parametrize("world", ["greasy", "v0, greasy"])
def test_first_resets_without_a_seed_agree(world):
    """Saved before the first reset, both draw the same seeds of their own."""
    env_id, kwargs = WORLDS[world]
    envs, twin = (gym.make_vec(env_id, 3, **kwargs) for _ in range(2))
    twin.reset(seed=1)
    twin.load_state_dict(envs.state_dict())
    with pytest.raises(gym.error.ResetNeeded):
        twin.step(np.zeros(3, dtype=int))
    climb(envs, twin, AutoresetMode.NEXT_STEP, None, tape_of(0, 3, 40))


def test_the_state_is_plain_and_a_copy():
    """JSON, pickle and torch's weights-only load give it back; stepping leaves it as it was."""
    envs = gym.make_vec("BurgerBotKitchens-v0", 3, stratum="greasy")
    envs.reset(seed=[np.int64(1), 2, 2**80])
    drive(envs, tape_of(0, 3, 9))
    state = envs.state_dict()
    kept = copy.deepcopy(state)
    buffer = io.BytesIO()
    torch.save(state, buffer)
    buffer.seek(0)
    for again in (
        json.loads(json.dumps(state)),
        pickle.loads(pickle.dumps(state)),
        torch.load(buffer, weights_only=True),
    ):
        assert again == state
    twin = gym.make_vec("BurgerBotKitchens-v0", 3, stratum="greasy")
    twin.load_state_dict(state)
    drive(twin, tape_of(1, 3, 30))
    assert state == kept


def test_another_environments_state_is_refused_and_nothing_changes():
    """Other arguments, torn or impossible records: said, and the run goes on as its twin does."""
    kwargs = {"kitchen": [SHORT, "G.>"], "slip": 0.4}
    envs, twin = (gym.make_vec("BurgerBot-v0", 4, **kwargs) for _ in range(2))
    for each in (envs, twin):
        each.reset(seed=0)
    state = envs.state_dict()
    others = {
        "num_envs": gym.make_vec("BurgerBot-v0", 2, **kwargs),
        "kitchens": gym.make_vec("BurgerBot-v0", 4, kitchen=SHORT, slip=0.4),
        "slip": gym.make_vec("BurgerBot-v0", 4, **{**kwargs, "slip": 0.3}),
        "rewards": gym.make_vec("BurgerBot-v1", 4, shaping=0.0, **kwargs),
        "max_episode_steps": gym.make_vec("BurgerBot-v0", 4, max_episode_steps=9, **kwargs),
        "autoreset_mode": gym.make_vec("BurgerBot-v0", 4, autoreset_mode="SameStep", **kwargs),
    }
    for name, other in others.items():
        with pytest.raises(ValueError, match=f"expected {name} .*, got "):
            envs.load_state_dict(other.state_dict())
    for broken, says in (
        ({"state": [0, 0, 0]}, r"state\['state'\]: expected 4 numbers, got 3"),
        ({"state": [0, 0, 0, 12]}, r"state\['state'\]: expected numbers from 0 to 11"),
        ({"elapsed": [0, 0, 0, -1]}, r"state\['elapsed'\]: expected numbers from 0"),
        ({"draws": [0, 0, 0, -1]}, r"state\['draws'\]: expected whole numbers"),
        ({"keys": ["a", 1, 2, 3]}, r"state\['keys'\]: expected whole numbers"),
        ({"more": 1}, r"state: expected \['draws', "),
    ):
        with pytest.raises(ValueError, match=says):
            envs.load_state_dict({**state, **broken})
    kitchens = gym.make_vec("BurgerBotKitchens-v0", 2, family=3)
    with pytest.raises(ValueError, match="expected families"):
        kitchens.load_state_dict(gym.make_vec("BurgerBotKitchens-v0", 2).state_dict())
    kitchens.reset(seed=0)
    with pytest.raises(ValueError, match="expected whole numbers"):
        kitchens.load_state_dict({**kitchens.state_dict(), "seeds": [None, 1]})
    climb_on(envs, twin, tape_of(2, 4, 20))
