"""The same training on few families and on many: kitchens, labels, drivers, and a record."""

import numpy as np
import pytest

from burgerbot.learn import ledger, sharing
from burgerbot.learn.accounting import seed_families
from burgerbot.learn.audit import audit
from burgerbot.learn.family_runs import SETTINGS, kitchens, labels, train_on, wanderer
from burgerbot.learn.ledger_table import table
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv
from burgerbot.world.strata import STRATA, random_kitchen

POOLS = seed_families(4, training=8, **dict.fromkeys(STRATA, 3))
EVALUATION = {name: POOLS[name] for name in STRATA}


@pytest.mark.parametrize("families", [1, 2, 8])
def test_every_seed_has_a_kitchen_in_every_stratum(families):
    """As many robots in each; robots with one label share a kitchen, others do not."""
    seeds = POOLS["training"][:families]
    envs = kitchens(seeds, 64)
    envs.reset(seed=0)
    names = labels(envs)
    assert len(set(names)) == 4 * families
    assert {names.count(name) for name in names} == {64 // (4 * families)}
    for robot, name in enumerate(names):
        stratum, seed = name.split()
        assert stratum == envs.strata[robot] and int(seed) in seeds
        kitchen = envs._world.kitchens[envs._assigned[robot]]
        assert kitchen == random_kitchen(stratum, int(seed))
    with pytest.raises(ValueError, match="multiple"):
        kitchens(POOLS["training"], 40)


def test_the_wanderer_follows_the_half_learned_policy():
    """In every state of two kitchens: the probabilities of its situation, and other draws."""
    for kitchen in (random_kitchen("cluttered", 3), random_kitchen("corridor", 5)):
        seen = BurgerBotKitchensVectorEnv._observe(kitchen)
        expected = sharing.policy()[sharing.situations(kitchen)]
        drive = wanderer(0)
        drawn = np.stack([drive(seen) for _ in range(600)])
        often = np.stack([(drawn == action).mean(axis=0) for action in range(4)], axis=1)
        assert often == pytest.approx(expected, abs=5 * 0.5 / np.sqrt(600))
        assert not np.array_equal(wanderer(1)(seen), wanderer(2)(seen))


def test_a_short_run_has_a_sound_record(tmp_path):
    """All facts are there, the audit is silent, and the table shows it."""
    seeds = POOLS["training"]
    done = train_on(seeds, EVALUATION, run="short", steps=4000, robots=64)
    one = done.record
    assert one["steps"] == 4096 and one["moments_count"] == 4096 + 64
    assert one["training_seeds"] == seeds
    assert set(one["evaluation_seeds"]) == {s for pool in EVALUATION.values() for s in pool}
    assert one["config"]["robots"] == 64
    assert one["config"]["learning_rate"] == SETTINGS["learning_rate"]
    assert sum(one["reset_reasons"].values()) > 50
    assert all(rate > 0 for rate in one["throughput"].values())
    assert one["notes"]["robots per kitchen"] == 2
    assert one["success"] == done.held_out.success
    assert one["training_success"] == done.training.success
    assert done.rollout.valid.shape == (64, 64)
    assert audit(done.rollout, one) == []
    ledger.append(tmp_path / "runs.jsonl", one)
    assert "short" in table(ledger.read(tmp_path / "runs.jsonl"))


def test_one_family_tells_no_interval():
    """A single kitchen in each stratum: success, and no idea how far off it is."""
    done = train_on(POOLS["training"][:1], EVALUATION, run="one", steps=1000, robots=16)
    own = done.training
    assert np.isnan(own.strata["open"].success.low) and np.isnan(own.correlation("open"))
    assert own.strata["open"].returns.size == 64
    assert "nan" in str(own) or "-" in str(own)
