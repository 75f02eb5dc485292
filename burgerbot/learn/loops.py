"""What a policy without memory does on a dry floor, from every start: no chance is left in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from burgerbot.world.kitchen import Kitchen
from burgerbot.world.observe import egocentric
from burgerbot.world.rules import CRASHED, DELIVERED, compile_kitchen, step
from burgerbot.world.strata import start_states


def greedy_actions(policy: Callable[[np.ndarray], Any], kitchen: Kitchen) -> np.ndarray:
    """The best action by a policy's scores in every state of a kitchen, int64 ``[S]``.

    Args:
        policy: Observations ``[S, 28]`` -> scores ``[S, 4]``.
        kitchen: Where.
    """
    return np.asarray(policy(egocentric(kitchen))).argmax(axis=1)


def endings(actions: np.ndarray, kitchen: Kitchen) -> dict[str, np.ndarray]:
    """Follow a table of actions from every start until it delivers, crashes, or goes in circles.

    Whoever comes to a state for the second time does there what it did the first time, and so
    comes back for ever.

    Args:
        actions: int ``[S]``.
        kitchen: Where; its floor is dry.

    Returns:
        ``delivered``, ``crashed``, ``circles`` -> start states, int64, ascending.

    >>> kitchen = Kitchen.from_ascii(">.G")
    >>> {name: len(found) for name, found in endings(np.zeros(12, int), kitchen).items()}
    {'delivered': 2, 'crashed': 6, 'circles': 0}
    """
    world, starts = compile_kitchen(kitchen), start_states(kitchen)
    state, last = starts.copy(), np.zeros(len(starts), dtype=np.int64)
    for _ in range(world.num_states):
        after, outcome = step(world.table, state, actions[state])
        goes_on = last < CRASHED
        state, last = np.where(goes_on, after, state), np.where(goes_on, outcome, last)
    return {
        "delivered": starts[last == DELIVERED],
        "crashed": starts[last == CRASHED],
        "circles": starts[last < CRASHED],
    }
