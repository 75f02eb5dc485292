"""What a robot sees: one row of a table for each state, compiled once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from burgerbot.world.kitchen import MOVES, Kitchen

if TYPE_CHECKING:
    import gymnasium as gym

CELL_MM = 300.0
SENSOR_RANGE = 5
VIEW = 5  # the egocentric view is VIEW x VIEW cells around the robot

Observe = Callable[[Kitchen], np.ndarray]


def grid(kitchen: Kitchen) -> np.ndarray:
    """Observe the pose and the sensor.

    Returns:
        int64 ``[S, 4]``: ``(row, col, heading, sensor)`` of each state.
    """
    rows = [
        (row, col, heading, sensor(kitchen, row, col, heading))
        for row in range(kitchen.rows)
        for col in range(kitchen.cols)
        for heading in range(4)
    ]
    return np.array(rows, dtype=np.int64)


def egocentric(kitchen: Kitchen) -> np.ndarray:
    """Observe what lies around the robot and where the goal is, as seen from the robot.

    Returns:
        float32 ``[S, 28]``: 25 cells (1 blocked, 0 clear) of the 5x5 square around the robot,
        turned so that the robot faces up, row by row from far left to near right; then the goal's
        place ahead and to the right and its straight distance, in millimetres, 300 a cell.
    """
    reach = VIEW // 2
    blocked = np.ones((kitchen.rows + 2 * reach, kitchen.cols + 2 * reach), dtype=np.float32)
    for row, col in kitchen.clear_cells():
        blocked[row + reach, col + reach] = 0.0
    views = np.lib.stride_tricks.sliding_window_view(blocked, (VIEW, VIEW))
    turned = [np.rot90(views, heading, axes=(2, 3)) for heading in range(4)]
    cells = np.stack(turned, axis=2).reshape(-1, VIEW * VIEW)

    rows, cols = np.indices((kitchen.rows, kitchen.cols))[..., None]
    south, east = kitchen.goal[0] - rows, kitchen.goal[1] - cols
    down, right = np.array(MOVES).T  # of one move, by heading
    ahead = south * down + east * right
    aside = south * right - east * down
    straight = np.hypot(ahead, aside)
    goal = CELL_MM * np.stack([ahead, aside, straight], axis=-1).reshape(-1, 3)
    return np.concatenate([cells, goal.astype(np.float32)], axis=1)


def space(kitchen: Kitchen, observe: Observe) -> gym.spaces.Space[Any]:
    """The observation space that belongs to ``grid`` or ``egocentric``."""
    import gymnasium as gym  # here, since the device env runs where there is no Gymnasium

    if observe is grid:
        return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3])
    side = CELL_MM * (max(kitchen.rows, kitchen.cols) - 1)
    corner = CELL_MM * float(np.hypot(kitchen.rows - 1, kitchen.cols - 1))
    low = np.array([0.0] * VIEW**2 + [-side, -side, 0.0], dtype=np.float32)
    high = np.array([1.0] * VIEW**2 + [side, side, corner], dtype=np.float32)
    return gym.spaces.Box(low, high, dtype=np.float32)


def sensor(kitchen: Kitchen, row: int, col: int, heading: int) -> int:
    """Read the distance sensor: 0 for 0-1 clear cells ahead, 1 for 2-3, 2 for 4-5.

    >>> sensor(Kitchen.from_ascii(">..OG\\n....."), 0, 0, 1)
    1
    """
    dr, dc = MOVES[heading]
    clear = 0
    while clear < SENSOR_RANGE:
        row, col = row + dr, col + dc
        if not kitchen.is_clear(row, col):
            break
        clear += 1
    return clear // 2
