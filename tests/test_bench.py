"""The benchmark: what it reports, on rounds so small that the figures mean nothing."""

import json

import gymnasium as gym
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from burgerbot.scale import bench
from burgerbot.world.vector import BurgerBotVectorEnv

PLAN = ((bench.NATIVE, 3, 4), (bench.SYNC, 3, 2), (bench.NATIVE, 5, 2))


@pytest.fixture
def tiny(monkeypatch):
    """The whole benchmark with few steps and one round."""
    scalar, vector = bench.scalar_rows, bench.vector_rows
    monkeypatch.setattr(bench, "scalar_rows", lambda: scalar(steps=40, rounds=1))
    monkeypatch.setattr(bench, "vector_rows", lambda: vector(PLAN, rounds=1))


def test_rows_follow_the_plan():
    """One row for each line of the plan, in its order, each slowest <= median <= fastest."""
    rows = bench.vector_rows(PLAN, rounds=3)
    assert [(row.system, row.num_envs) for row in rows] == [line[:2] for line in PLAN]
    for row in rows:
        assert 0 < row.slowest <= row.steps_per_second <= row.fastest


def test_plan_holds_what_the_course_promises():
    """Native at 64, 1,024 and 16,384 robots; SyncVectorEnv beside it where it is not too slow."""
    sizes = {
        name: [n for system, n, _ in bench.VECTOR_PLAN if system == name]
        for name in (bench.NATIVE, bench.SYNC)
    }
    assert sizes == {bench.NATIVE: [64, 1_024, 16_384], bench.SYNC: [64, 1_024]}


def test_both_systems_do_the_same_work(monkeypatch):
    """Native and SyncVectorEnv run the same world in the same autoreset mode, resets included."""
    made, actions = [], []
    make_vec = gym.make_vec

    def spy(*args, **kwargs):
        made.append(make_vec(*args, **kwargs))
        step = made[-1].step
        done = []

        def counted(action):
            result = step(action)
            done.append((result[2] | result[3]).sum())
            actions.append(action)
            return result

        made[-1].step, made[-1].ended = counted, done
        return made[-1]

    monkeypatch.setattr(bench.gym, "make_vec", spy)
    bench.vector_rows(((bench.NATIVE, 8, 40), (bench.SYNC, 8, 40)), rounds=1)
    native, sync = made
    assert type(native.unwrapped) is BurgerBotVectorEnv and type(sync.unwrapped) is SyncVectorEnv
    for envs in made:
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        assert envs.spec.id == "BurgerBot-v0"
    assert native.ended == sync.ended and sum(native.ended) > 20


def test_systems_take_turns():
    """Rounds are interleaved, and the warm-up round is not counted."""
    order = []
    systems = [bench.System(name, 1, 10, lambda name=name: order.append(name)) for name in "ab"]
    rows = bench.measure(systems, rounds=2)
    assert "".join(order) == "ababab"
    assert [row.system for row in rows] == ["a", "b"]


def test_json_holds_it_all(tiny, capsys):
    """--json prints one object: machine, versions, each row and each ratio."""
    bench.main(as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"machine", "cores", "versions", "rows", "ratios"}
    assert set(found["versions"]) == {"python", "numpy", "gymnasium"}
    assert len(found["rows"]) == 4 + len(PLAN)
    rate = {(row["system"], row["num_envs"]): row["steps_per_second"] for row in found["rows"]}
    assert found["ratios"].keys() == {
        "class / plain",
        "gym.make / FrozenLake",
        "native / SyncVectorEnv, 3 robots",
    }
    ratio = found["ratios"]["native / SyncVectorEnv, 3 robots"]
    assert ratio == rate[bench.NATIVE, 3] / rate[bench.SYNC, 3]


def test_table_shows_each_row_and_ratio(tiny, capsys):
    """Without --json a person reads a table."""
    bench.main()
    lines = capsys.readouterr().out.strip().split("\n")
    assert len(lines) == 1 + 4 + len(PLAN) + 3
    assert len({len(line) for line in lines[: 5 + len(PLAN)]}) == 1, "columns line up"
    assert all(line.endswith("x") for line in lines[-3:])
