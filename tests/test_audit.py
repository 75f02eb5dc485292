"""The audit: each fault is found where it was planted, and a sound run is left in peace."""

import doctest
from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest

from burgerbot.learn import audit as audit_module
from burgerbot.learn.accounting import seed_families
from burgerbot.learn.audit import audit
from burgerbot.learn.rollout import Rollout, collect
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv
from burgerbot.world.strata import STRATA
from burgerbot.world.vector import BurgerBotVectorEnv

POOLS = seed_families(2, training=32, evaluation=32)
FOUR = gym.spaces.Discrete(4)
RECORD = {
    "training_seeds": POOLS["training"],
    "evaluation_seeds": POOLS["evaluation"],
    "steps": 1000,
    "moments_count": 1032,
}


def drive(robots, steps, family=None, *, mode="SameStep", seed=0, warm=0, weights=(5, 2, 2, 1)):
    """A rollout of robots that draw their actions each for itself."""
    envs = BurgerBotKitchensVectorEnv(
        robots, list(STRATA), family, max_episode_steps=100, autoreset_mode=mode
    )
    rng = np.random.default_rng(seed)
    chance = np.array(weights) / sum(weights)
    carry = None
    for count in (warm, steps):
        if count:
            rollout, carry = collect(envs, lambda o: rng.choice(4, robots, p=chance), count, carry)
    return rollout


def names(*arguments, **options):
    """The names of what the audit finds."""
    return [finding.name for finding in audit(*arguments, **options)]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize(("robots", "steps"), [(8, 24), (32, 64), (256, 24), (8, 400)])
@pytest.mark.parametrize("family", [None, POOLS["training"][:1]])
def test_a_sound_run_is_left_in_peace(mode, robots, steps, family):
    """Nothing is found, whatever the autoreset mode, the size, and the number of families."""
    rollout = drive(robots, steps, family, mode=mode)
    assert audit(rollout, RECORD, action_space=FOUR) == []


@pytest.mark.parametrize("seed", range(5))
def test_a_sound_run_just_begun_is_left_in_peace(seed):
    """The first episodes of robots that crash and deliver end when they end."""
    assert audit(drive(64, 16, seed=seed), action_space=FOUR) == []


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_synchronized_resets_are_found(mode):
    """Robots that only turn all run out of time in step 99, and again in step 199."""
    rollout = drive(16, 220, mode=mode, weights=(0, 1, 1, 0))
    dry = np.arange(12)  # on the greasy floor they slide into something
    dry_rollout = Rollout(*(None if part is None else part[:, dry] for part in rollout))
    [found] = audit(dry_rollout, RECORD, action_space=FOUR)
    assert found.name == "synchronized resets"
    assert "12 of 12 robots end their episodes in step 99" in found.message
    assert str(found).startswith("synchronized resets: 12 of 12")


def test_half_of_the_robots_synchronized_are_found_too():
    """Every second robot ends with its kind."""
    sound = drive(32, 220)
    rollout = sound._replace(terminated=sound.terminated.copy(), truncated=sound.truncated.copy())
    rollout.terminated[:, ::2] = False
    rollout.truncated[:, ::2] = (np.arange(220) % 8 == 0)[:, None]
    assert names(rollout) == ["synchronized resets"]


def test_copies_are_one_schedule():
    """One generator for all, or one seed for all: the same actions in all steps."""
    envs = BurgerBotVectorEnv(8, max_episode_steps=150, autoreset_mode="SameStep")
    rng = np.random.default_rng(0)
    rollout, _ = collect(envs, lambda o: np.full(8, rng.integers(4)), 64)
    found = {finding.name: finding.message for finding in audit(rollout)}
    assert "7 of 8 robots act exactly as another one in all 64 steps" in found["one schedule"]
    assert "synchronized resets" in found  # copies end together too


def test_one_schedule_in_different_kitchens_is_found():
    """The episodes differ, the actions do not; and two copies among many are enough."""
    envs = BurgerBotKitchensVectorEnv(16, family=POOLS["training"][:16], autoreset_mode="SameStep")
    rng = np.random.default_rng(0)
    rollout, _ = collect(envs, lambda o: np.full(16, rng.choice(4, p=[0.4, 0.3, 0.2, 0.1])), 40)
    assert "one schedule" in names(rollout)
    rollout = drive(32, 64)
    rollout.actions[:, 5] = rollout.actions[:, 20]
    [found] = audit(rollout)
    assert found.name == "one schedule" and found.message.startswith("1 of 32")


def test_robots_that_stand_still_are_no_schedule():
    """Nor is a rollout too short to tell."""
    assert "one schedule" not in names(drive(16, 40, weights=(0, 0, 0, 1)))
    assert names(drive(256, 8)) == []


def test_seeds_that_stand_twice_are_found():
    """Families that were drawn by hand, one of them twice."""
    [found] = audit(record=RECORD | {"training_seeds": [4, 5, 4]})
    assert str(found) == "one schedule: training_seeds holds 3 seeds, and 2 different ones"
    assert names(record=RECORD | {"evaluation_seeds": [1, 1]}) == ["one schedule"]


def test_shared_seeds_are_found():
    """Evaluation on two of the training families."""
    leak = POOLS["evaluation"][:30] + POOLS["training"][4:6]
    [found] = audit(record=RECORD | {"evaluation_seeds": leak})
    assert found.name == "shared seeds" and "2 of 32 evaluation seeds" in found.message
    assert str(min(POOLS["training"][4:6])) in found.message


def test_stale_moments_are_found():
    """Moments that were loaded from an earlier run; a policy without any is sound."""
    [found] = audit(record=RECORD | {"moments_count": 500})
    assert found.name == "stale moments" and "1000 transitions, its moments from 500" in str(found)
    assert names(record=RECORD | {"moments_count": None}) == []
    assert names(record=RECORD | {"moments_count": 1000}) == []


def test_clipped_actions_are_found():
    """Numbers outside a Discrete space; in a Box outside, or exactly on the bounds."""
    rollout = drive(16, 32)
    rollout.actions[3, 4] = 5
    [found] = audit(rollout, action_space=FOUR)
    assert found.name == "clipped actions" and "1 of 512 actions" in found.message
    shifted = gym.spaces.Discrete(4, start=1)
    assert names(drive(16, 32), action_space=shifted) == ["clipped actions"]
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=(32, 16, 2)).astype(np.float32)
    box = gym.spaces.Box(-1.0, 1.0, (2,), np.float32)
    assert names(rollout._replace(actions=drawn), action_space=box) == ["clipped actions"]
    clipped = rollout._replace(actions=drawn.clip(-1, 1))
    assert names(clipped, action_space=box) == ["clipped actions"]
    assert names(rollout._replace(actions=np.tanh(drawn) * 0.99), action_space=box) == []
    assert names(clipped, action_space=SimpleNamespace(low=box.low, high=box.high)) != []


def test_reset_rows_do_not_count():
    """In NEXT_STEP an action that was not used may be anything, and a flag there is none."""
    rollout = drive(16, 64, mode="NextStep")
    assert not rollout.valid.all()
    rollout.actions[~rollout.valid] = 77
    assert audit(rollout, action_space=FOUR) == []


def test_a_rollout_of_tensors_and_one_of_one_robot():
    """Tensors are welcome; one robot shares nothing with anybody."""
    torch = pytest.importorskip("torch")
    envs = BurgerBotVectorEnv(8, autoreset_mode="SameStep")
    rollout, _ = collect(envs, lambda o: np.full(8, o[0, 1] % 3), 32)
    tensors = Rollout(*(None if part is None else torch.as_tensor(part) for part in rollout))
    assert audit(tensors) == audit(rollout) != []
    alone = Rollout(*(None if part is None else part[:, :1] for part in rollout))
    assert audit(alone) == []
    assert audit() == []


def test_all_faults_at_once_come_in_order():
    """One batch with everything wrong."""
    envs = BurgerBotVectorEnv(8, max_episode_steps=10, autoreset_mode="SameStep")
    rng = np.random.default_rng(0)
    rollout, _ = collect(envs, lambda o: np.full(8, rng.integers(1, 3)), 64)
    rollout.actions[0, 0] = 9
    record = RECORD | {"evaluation_seeds": POOLS["training"], "moments_count": 0}
    assert names(rollout, record, action_space=FOUR) == [
        *("synchronized resets", "one schedule", "clipped actions"),
        *("shared seeds", "stale moments"),
    ]


def test_examples_in_the_docstrings():
    """The doctests run."""
    assert doctest.testmod(audit_module).failed == 0
