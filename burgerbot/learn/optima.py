"""The exact optimum of random kitchens, to stand beside what a policy did in them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from burgerbot.learn import oracle
from burgerbot.world.registration import ENVS
from burgerbot.world.rules import V1_REWARDS, compile_kitchen
from burgerbot.world.strata import random_kitchen, start_states, stratum

LIMIT = ENVS["BurgerBotKitchens-v0"][2] or 0  # steps of an episode


class Optimum(NamedTuple):
    """The best that anyone could do who knows the whole map: share of deliveries, mean return."""

    success: float
    mean_return: float


@cache
def optimum(name: str, seed: int) -> Optimum:
    """The exact optimum in one kitchen, averaged over all starts, within the step limit.

    Two optima: the one that delivers most often, and the one with the best return.

    Args:
        name: The stratum.
        seed: Of the kitchen.

    >>> optimum("open", 0).success
    1.0
    """
    kitchen = random_kitchen(name, seed)
    world, starts, slip = compile_kitchen(kitchen), start_states(kitchen), stratum(name).slip
    best = []
    for rewards in ((0.0, 0.0, 0.0, 1.0), V1_REWARDS):
        values, _ = oracle.finite_horizon(oracle.model(world, rewards, slip=slip), LIMIT)
        best.append(float(values[LIMIT, starts].mean()))
    return Optimum(*best)
