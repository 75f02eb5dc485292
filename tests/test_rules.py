"""The compiled table against the rules worked out move by move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC, Kitchen

LOPSIDED = Kitchen.from_ascii("v.O..\n....O\n.O..G")
KITCHENS = pytest.mark.parametrize("kitchen", [CLASSIC, LOPSIDED], ids=["classic", "3x5"])


def by_hand(kitchen, row, col, heading, action):
    """The rules as a story: pose after the action, and the outcome's name."""
    if action == 3:
        return (row, col, heading), "idle"
    if action in (1, 2):
        return (row, col, (heading + {1: 3, 2: 1}[action]) % 4), "idle"
    ahead = {
        0: (row - 1, col),
        1: (row, col + 1),
        2: (row + 1, col),
        3: (row, col - 1),
    }[heading]
    inside = ahead[0] in range(kitchen.rows) and ahead[1] in range(kitchen.cols)
    if not inside or ahead in kitchen.obstacles:
        return (row, col, heading), "crashed"
    return (*ahead, heading), "delivered" if ahead == kitchen.goal else "moved"


@KITCHENS
def test_table_is_the_rules_for_every_state_and_action(kitchen):
    """Every entry agrees with the rules told as a story: no wrap at walls, no step on a crash."""
    compiled = rules.compile_kitchen(kitchen)
    assert compiled.table.dtype == np.int32 and compiled.table.shape == (compiled.num_states * 4,)
    for state in range(compiled.num_states):
        for action in range(4):
            pose, outcome = by_hand(kitchen, *rules.decode(kitchen, state), action)
            after, code = rules.step(compiled.table, state, action)
            assert rules.decode(kitchen, int(after)) == pose
            assert rules.OUTCOMES[code] == outcome


@KITCHENS
def test_encode_and_decode_are_inverse(kitchen):
    """Packing and unpacking give back every pose, one by one and as arrays."""
    states = np.arange(kitchen.rows * kitchen.cols * 4)
    row, col, heading = rules.decode(kitchen, states)
    assert np.array_equal(rules.encode(kitchen, row, col, heading), states)
    assert col.max() == kitchen.cols - 1 and row.max() == kitchen.rows - 1


@KITCHENS
def test_observations_are_pose_and_sensor(kitchen):
    """Row s of the observation table is (row, col, heading, sensor) of state s."""
    compiled = rules.compile_kitchen(kitchen)
    assert compiled.observations.dtype == np.int64
    for state, observation in enumerate(compiled.observations.tolist()):
        pose = rules.decode(kitchen, state)
        assert observation == [*pose, rules.sensor(kitchen, *pose)]


def test_sensor_counts_clear_cells_to_five_and_halves():
    """On a long floor: 0-1 clear cells read 0, 2-3 read 1, 4-5 and more read 2."""
    floor = Kitchen.from_ascii(">........G")
    readings = [rules.sensor(floor, 0, col, 1) for col in range(10)]
    assert readings == [2, 2, 2, 2, 2, 2, 1, 1, 0, 0]
    assert rules.sensor(floor, 0, 5, 0) == 0


@given(st.lists(st.tuples(st.integers(0, 195), st.integers(0, 3), st.floats(0, 1)), min_size=1))
def test_one_robot_and_many_agree_draw_for_draw(samples):
    """The same step on Python ints and on arrays gives the same states and outcomes."""
    table = rules.compile_kitchen(CLASSIC).table
    state, action, draw = (np.array(column) for column in zip(*samples, strict=True))
    after, outcome = rules.step(table, state, action, draw, 0.3)
    for i, (s, a, d) in enumerate(samples):
        assert rules.step(table.tolist(), s, a, d, 0.3) == (after[i], outcome[i])


def test_slip_turns_the_action_into_forward_below_the_probability():
    """A draw below the probability slides; a draw equal to it does not."""
    compiled = rules.compile_kitchen(Kitchen.from_ascii(">.G"))
    turn = rules.TURN_LEFT
    assert rules.step(compiled.table, compiled.start, turn, 0.1499, 0.15)[1] == rules.MOVED
    assert rules.step(compiled.table, compiled.start, turn, 0.15, 0.15)[1] == rules.IDLE
    assert rules.step(compiled.table, compiled.start, turn, 0.0, 0.0)[1] == rules.IDLE


def test_a_kitchen_is_compiled_once_and_its_tables_are_read_only():
    """Equal kitchens share one set of tables, which nobody can write to."""
    first = rules.compile_kitchen(CLASSIC)
    assert rules.compile_kitchen(Kitchen.from_ascii(CLASSIC.to_ascii())) is first
    for table in (first.table, first.observations, first.distance):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0
