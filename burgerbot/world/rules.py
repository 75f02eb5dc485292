"""The rules, compiled: one kitchen becomes one table, and a step is one look-up in it.

A state is ``(row, col, heading)`` packed into one integer; an entry of the table packs the next
state and what happened on the way::

    state = (row * cols + col) * 4 + heading
    table[state * 4 + action] = next_state << 2 | outcome
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from burgerbot.world.kitchen import MOVES, Kitchen
from burgerbot.world.observe import Observe, grid
from burgerbot.world.observe import (
    sensor as sensor,
)  # part of the rules, for those who rebuild them

ACTIONS = ("forward", "turn_left", "turn_right", "stop")
FORWARD, TURN_LEFT, TURN_RIGHT, STOP = range(4)
OUTCOMES = ("idle", "moved", "crashed", "delivered")
IDLE, MOVED, CRASHED, DELIVERED = range(4)


class Rewards(NamedTuple):
    """What each outcome pays, in the order of ``OUTCOMES``."""

    idle: float
    moved: float
    crashed: float
    delivered: float


#: BurgerBot-v0: moving pays, whether or not it leads anywhere.
V0_REWARDS = Rewards(idle=-0.1, moved=1.0, crashed=-10.0, delivered=50.0)
#: BurgerBot-v1: only a delivery pays, and standing still costs more than driving.
V1_REWARDS = Rewards(idle=-0.5, moved=-0.1, crashed=-10.0, delivered=50.0)


@dataclass(frozen=True, eq=False)
class Rules:
    """One kitchen, compiled. S is the number of states, ``rows * cols * 4``.

    Attributes:
        kitchen: The kitchen that was compiled.
        table: int32 ``[S * 4]``, read-only: ``next_state << 2 | outcome``.
        observations: ``[S, ...]``, read-only: what is seen in each state (see ``observe``).
        distance: float64 ``[S]``, read-only: moves from the state's cell to the goal.
        start: The state of the kitchen's start.
        endless: Whether a delivery or a crash leads back to the start instead of ending.
    """

    kitchen: Kitchen
    table: np.ndarray
    observations: np.ndarray
    distance: np.ndarray
    start: int
    endless: bool = False

    @property
    def num_states(self) -> int:
        """S, the number of states: cells times four headings."""
        return len(self.observations)


def step(table: Any, state: Any, action: Any, draw: Any = 1.0, slip: float = 0.0) -> tuple:
    """Take one step: look up the next state and the outcome.

    On a greasy floor the robot slides: where ``draw < slip`` the action becomes ``forward``.
    The draw is an argument, so the function is pure and every backend agrees draw for draw.

    Args:
        table: int ``[S * 4]``: a list for one robot, an array or a tensor for N of them.
        state: int or int ``[N]``, 0 to S - 1.
        action: int or int ``[N]``, 0 to 3.
        draw: Uniform draw in [0, 1), float or float ``[N]``; unused where ``slip`` is 0.
        slip: Probability of sliding, 0 to 1.

    Returns:
        ``(next_state, outcome)``, shaped like ``state``.

    >>> rules = compile_kitchen(Kitchen.from_ascii(">.G"))
    >>> step(rules.table.tolist(), rules.start, FORWARD)
    (5, 1)
    """
    action = action * (draw >= slip)  # forward is action 0
    entry = table[state * 4 + action]
    return entry >> 2, entry & 3


@lru_cache(maxsize=256)
def compile_kitchen(kitchen: Kitchen, observe: Observe = grid, endless: bool = False) -> Rules:
    """Compile a kitchen to tables; the same kitchen is compiled once.

    Args:
        kitchen: What to compile.
        observe: ``grid`` or ``egocentric``.
        endless: A delivery or a crash leads back to the start, and nothing ends.

    Returns:
        Rules: The tables, read-only, shared by everybody who asks for this kitchen.
    """
    start = int(encode(kitchen, *kitchen.start))
    table = np.array(
        [
            _entry(kitchen, row, col, heading, action)
            for row in range(kitchen.rows)
            for col in range(kitchen.cols)
            for heading in range(4)
            for action in range(4)
        ],
        dtype=np.int32,
    )
    if endless:
        table = np.where(table & 3 >= CRASHED, start << 2 | table & 3, table).astype(np.int32)
    return Rules(
        kitchen,
        table=_frozen(table),
        observations=_frozen(observe(kitchen)),
        distance=_frozen(kitchen.walking_distance().repeat(4).astype(np.float64)),
        start=start,
        endless=endless,
    )


def encode(kitchen: Kitchen, row: Any, col: Any, heading: Any) -> Any:
    """Pack ``(row, col, heading)`` into a state; ints or arrays.

    >>> encode(Kitchen.from_ascii(">.G"), 0, 2, 3)
    11
    """
    return (row * kitchen.cols + col) * 4 + heading


def decode(kitchen: Kitchen, state: Any) -> tuple:
    """Unpack a state into ``(row, col, heading)``; ints or arrays.

    >>> decode(Kitchen.from_ascii(">.G"), 11)
    (0, 2, 3)
    """
    return state // 4 // kitchen.cols, state // 4 % kitchen.cols, state % 4


def _entry(kitchen: Kitchen, row: int, col: int, heading: int, action: int) -> int:
    """One entry of the table, worked out from the map."""
    outcome = IDLE
    if action == TURN_LEFT:
        heading = (heading - 1) % 4
    elif action == TURN_RIGHT:
        heading = (heading + 1) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return int(encode(kitchen, row, col, heading)) << 2 | outcome


def _frozen(array: np.ndarray) -> np.ndarray:
    """Make a shared table read-only."""
    array.flags.writeable = False
    return array
