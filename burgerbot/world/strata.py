"""Random kitchens of four kinds, each solvable by construction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from burgerbot.world.kitchen import MOVES, Cell, Kitchen

SIDE = 7


@dataclass(frozen=True)
class Stratum:
    """A kind of kitchen: how many loose obstacles, whether it has walls, and how greasy it is."""

    fewest: int
    most: int
    walls: bool = False
    slip: float = 0.0


STRATA = {
    "open": Stratum(5, 7),
    "cluttered": Stratum(10, 14),
    "corridor": Stratum(0, 2, walls=True),
    "greasy": Stratum(5, 7, slip=0.15),
}


def stratum(name: str) -> Stratum:
    """The stratum of this name.

    Raises:
        ValueError: There is none; the message lists what there is.
    """
    if name not in STRATA:
        raise ValueError(f"stratum: expected one of {', '.join(STRATA)}; got {name!r}")
    return STRATA[name]


def random_kitchen(name: str, seed: int) -> Kitchen:
    """Draw a kitchen; the same name and seed give the same one.

    Walls come first, each with a door. Then obstacles fall one by one, and one that would cut the
    clear floor in two is put elsewhere: every clear cell stays within reach of every other.

    Args:
        name: ``open``, ``cluttered``, ``corridor`` or ``greasy``.
        seed: 0 or more.

    Raises:
        ValueError: An unknown name.
    """
    kind = stratum(name)
    rng = np.random.default_rng(seed)
    blocked = _walls(rng) if kind.walls else set()
    count = len(blocked) + int(rng.integers(kind.fewest, kind.most + 1))
    cells = [(row, col) for row in range(SIDE) for col in range(SIDE)]
    for index in rng.permutation(len(cells)):
        if len(blocked) == count:
            break
        if cells[index] not in blocked and _connected(blocked | {cells[index]}):
            blocked.add(cells[index])
    free = [cell for cell in cells if cell not in blocked]
    start, goal = (free[i] for i in rng.choice(len(free), size=2, replace=False))
    heading = int(rng.integers(4))
    return Kitchen(SIDE, SIDE, frozenset(blocked), goal, (*start, heading))


def _walls(rng: np.random.Generator) -> set[Cell]:
    """One wall across the kitchen, and a second one across one of the halves, a door in each."""
    across, along = int(rng.integers(2, SIDE - 2)), int(rng.integers(2, SIDE - 2))
    # The second wall reaches the first, but never its door.
    doors = [i for i in range(SIDE) if i != along]
    wall = {(across, i) for i in range(SIDE)} - {(across, int(rng.choice(doors)))}
    half = range(across) if rng.integers(2) else range(across + 1, SIDE)
    wall |= {(i, along) for i in half} - {(int(rng.choice(half)), along)}
    return {(col, row) for row, col in wall} if rng.integers(2) else wall


def _connected(blocked: set[Cell]) -> bool:
    """Whether the clear floor is in one piece."""
    free = {(r, c) for r in range(SIDE) for c in range(SIDE)} - blocked
    edge = [next(iter(sorted(free)))]
    reached = set(edge)
    while edge:
        row, col = edge.pop()
        ahead = {(row + dr, col + dc) for dr, dc in MOVES} & free - reached
        reached |= ahead
        edge += ahead
    return reached == free


def start_states(kitchen: Kitchen) -> np.ndarray:
    """States in which an episode may begin: every clear cell but the goal, every heading.

    Returns:
        int64 ``[n]``, ascending.
    """
    cells = [row * kitchen.cols + col for row, col in kitchen.clear_cells()]
    cells.remove(kitchen.goal[0] * kitchen.cols + kitchen.goal[1])
    return (np.array(cells)[:, None] * 4 + np.arange(4)).ravel()
