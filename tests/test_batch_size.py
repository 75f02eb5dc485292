"""The batch-size calculator."""

import warnings

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burgerbot.scale.batch_size import BOUNDS, THOUSANDS, check_batch

COUNTS = st.integers(1, 5_000)


def test_numbers_of_the_readme_example():
    """64 robots x 2,048 steps in minibatches of 4,096: 32 a pass, 320 updates, nothing to warn."""
    report = check_batch(64, 2048, 4096, 10)
    assert (report.buffer, report.minibatches, report.remainder) == (131_072, 32, 0)
    assert (report.updates, report.warnings, report.suggestion) == (320, (), None)
    assert "131,072 transitions" in str(report) and "8.0 MiB" in str(report)
    assert "2.1 KiB" in str(check_batch(1, 33, 16))


def test_numbers_of_rudin_et_al():
    """4,096 robots x 24 steps, 4 minibatches, 5 passes: right for thousands of robots."""
    report = check_batch(4096, 24, 24_576, 5)
    assert (report.buffer, report.minibatches, report.updates) == (98_304, 4, 20)
    assert report.warnings == ()


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ((1, 33, 32, 10), "one transition"),
        ((1, 1, 1, 10), "one transition"),
        ((8, 64, 1, 10), "one transition"),
        ((8, 250, 64, 10), "cut short, to 16 of 64"),
        ((4, 16, 128, 10), "more than the buffer holds"),
        ((8, 128, 64, 10), "16 minibatches a pass, fewer than 32"),
        ((64, 2048, 64, 10), "2,048 minibatches a pass, more than 256"),
        ((64, 2048, 4096, 16), "16 passes"),
        ((4096, 24, 98_304, 5), "1 minibatches a pass, fewer than 4"),
        ((4096, 24, 3072, 5), "32 minibatches a pass, more than 8"),
        ((4096, 24, 24_576, 11), "11 passes"),
    ],
)
def test_each_fault_is_named(setting, says):
    """Every fault has a sentence of its own, and a setting nearby is without it."""
    report = check_batch(*setting)
    assert any(says in warning for warning in report.warnings), report.warnings
    assert check_batch(setting[0], *report.suggestion).warnings == ()
    assert "nearest good" in str(report)


@pytest.mark.parametrize(
    ("setting", "ok"),
    [
        ((64, 16, 32, 15), True),  # 32 minibatches, 15 passes: the bounds themselves are good
        ((64, 16, 4, 15), True),  # 256 minibatches
        ((1000, 4, 1000, 10), True),
        ((1000, 8, 1000, 10), True),
        ((999, 4, 999, 10), False),  # 4 minibatches are too few below a thousand robots
    ],
)
def test_bounds_are_inclusive(setting, ok):
    """The bounds are still good."""
    assert (check_batch(*setting).warnings == ()) is ok


@given(n_envs=COUNTS, n_steps=COUNTS, batch_size=COUNTS, n_epochs=st.integers(1, 30))
def test_any_setting(n_envs, n_steps, batch_size, n_epochs):
    """The numbers add up, and what is suggested has nothing to warn of."""
    report = check_batch(n_envs, n_steps, batch_size, n_epochs)
    full = report.minibatches - (report.remainder > 0)
    assert full * batch_size + report.remainder == report.buffer == n_envs * n_steps
    assert report.updates == report.minibatches * n_epochs
    assert (report.suggestion is None) == (report.warnings == ())
    if report.suggestion:
        better = check_batch(n_envs, *report.suggestion)
        assert better.warnings == () and better.remainder == 0
        fewest, most, passes = BOUNDS[n_envs >= THOUSANDS]
        assert fewest <= better.minibatches <= most and better.n_epochs <= passes


def test_nearest_keeps_what_is_good():
    """The suggestion changes n_steps and n_epochs only where it has to, and batch_size little."""
    assert check_batch(8, 128, 64, 10).suggestion == (128, 32, 10)
    assert check_batch(64, 2048, 4096, 30).suggestion == (2048, 4096, 15)
    assert check_batch(1, 67, 2, 10).suggestion == (66, 2, 10)


@pytest.mark.parametrize("name", ["n_envs", "n_steps", "batch_size", "n_epochs"])
@pytest.mark.parametrize("value", [0, -3, 2.5, "64", None, True, float("nan")])
def test_other_input_is_refused_by_name(name, value):
    """Zero, negative and non-numeric input: an error that names the argument and the value."""
    setting = {"n_envs": 4, "n_steps": 32, "batch_size": 4, "n_epochs": 10, name: value}
    with pytest.raises(ValueError, match=f"{name}: expected a whole number.*{value!r}"):
        check_batch(**setting)


@pytest.mark.parametrize(
    ("env_id", "n_bytes"), [("BurgerBot-v1", 32), ("BurgerBotKitchens-v0", 112)]
)
def test_memory_is_that_of_sb3s_buffer(env_id, n_bytes):
    """The estimate equals the bytes of SB3's rollout buffer."""
    from stable_baselines3.common.buffers import RolloutBuffer

    env = gym.make(env_id)
    buffer = RolloutBuffer(24, env.observation_space, env.action_space, "cpu", n_envs=3)
    arrays = [value for value in vars(buffer).values() if hasattr(value, "nbytes")]
    report = check_batch(3, 24, 36, observation_bytes=n_bytes)
    assert report.memory_bytes == sum(array.nbytes for array in arrays)


def test_sb3_counts_updates_the_same():
    """SB3's PPO takes as many gradient steps as the report says, a short last one included."""
    from stable_baselines3 import PPO

    with warnings.catch_warnings(action="ignore"):
        model = PPO("MlpPolicy", gym.make("BurgerBot-v1"), n_steps=33, batch_size=16, n_epochs=3)
    steps = []
    step = model.policy.optimizer.step
    model.policy.optimizer.step = lambda *args: (steps.append(1), step(*args))
    model.learn(33)
    assert len(steps) == check_batch(1, 33, 16, 3).updates == 9
