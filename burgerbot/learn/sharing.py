"""Groups of robots that share nothing, a kitchen, or everything, under one fixed policy.

What one robot of a group teaches is news only as far as it shares no luck with the others. Here
the policy is fixed and its values are exact, so that whatever differs from group to group is luck.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from burgerbot.learn import oracle
from burgerbot.learn.rollout import collect
from burgerbot.world import rules
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import CRASHED, FORWARD, V1_REWARDS
from burgerbot.world.strata import random_kitchen
from burgerbot.world.vector import BurgerBotVectorEnv

SHARING = ("nothing", "kitchen", "everything")
GAMMA, FAMILIES = 0.97, 64  # discount of the values; kitchens to draw from

#: What the policy sees: where the goal lies, and whether the way ahead is clear.
SITUATIONS = (
    *("goal ahead", "goal right", "goal behind", "goal left"),
    *("goal ahead, blocked", "goal right, blocked", "goal behind, blocked", "goal left, blocked"),
)
_TURNING = np.array([[1, 0, 0, -0.5], [0, 0, 1, -0.5], [0, 0.5, 0.5, -0.5], [0, 1, 0, -0.5]])
_BLOCKED = np.array([-2.0, 0.0, 0.0, 0.0])  # what a blocked way adds to the scores of the actions


class GroupRows(NamedTuple):
    """T steps of M groups of N robots, ``[T, M * N]``: group m is columns m * N to m * N + N - 1.

    Attributes:
        situations, actions: int: what the policy saw, and what it did.
        rewards, values, next_values: float64: with the exact values of the policy.
        terminated, truncated, valid: bool: flags, and True throughout (SAME_STEP).
    """

    situations: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    values: np.ndarray
    next_values: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    valid: np.ndarray


def policy() -> np.ndarray:
    """The fixed policy: probabilities ``[8, 4]`` of the actions in each situation.

    It has learned half of its job: it tends to turn towards the goal, to drive when the way is
    clear, and to do all the rest now and then.
    """
    scores = np.exp(np.concatenate([_TURNING, _TURNING + _BLOCKED]))
    return scores / scores.sum(axis=1, keepdims=True)


def situations(kitchen: Kitchen) -> np.ndarray:
    """The situation of every state of a kitchen, as an index into ``SITUATIONS``.

    Returns:
        int64 ``[S]``.

    >>> [SITUATIONS[i] for i in situations(Kitchen.from_ascii(">G"))[:4]]
    ['goal right, blocked', 'goal ahead', 'goal left, blocked', 'goal behind, blocked']
    """
    table = rules.compile_kitchen(kitchen).table
    states = np.arange(len(table) // 4)
    row, col, heading = rules.decode(kitchen, states)
    north, east = row - kitchen.goal[0], kitchen.goal[1] - col
    ahead = np.choose(heading, [north, east, -north, -east])
    right = np.choose(heading, [east, -north, -east, north])
    sideways = abs(right) > abs(ahead)
    where = np.where(sideways, np.where(right > 0, 1, 3), np.where(ahead < 0, 2, 0))
    return where + 4 * (table[states * 4 + FORWARD] & 3 == CRASHED)


def drive_groups(
    groups: int, robots: int, sharing: str, *, seed: int, steps: int = 32
) -> GroupRows:
    """Let M independent groups of N robots follow the policy, each group with a seed of its own.

    Each kitchen is one of the first ``FAMILIES`` of the stratum ``open``, drawn at random, and
    all episodes begin at its start. The rewards are those of BurgerBot-v1.

    Args:
        groups: M, independent of each other: their seeds are spawned from one ``SeedSequence``.
        robots: N, the robots of each group.
        sharing: What the robots of a group have in common: ``nothing``; the ``kitchen``, while
            each draws its own actions; or ``everything``, so that they are copies.
        seed: Of the whole; the same one gives the same rows.
        steps: T.

    Raises:
        ValueError: Another word for what is shared, or a count below 1.
    """
    if sharing not in SHARING:
        raise ValueError(f"sharing: expected one of {SHARING}, got {sharing!r}")
    if min(groups, robots, steps) < 1:
        raise ValueError(f"expected 1 group, robot and step or more, got {groups, robots, steps}")
    own_kitchens = robots if sharing == "nothing" else 1
    own_draws = 1 if sharing == "everything" else robots
    families, draws = [], []
    for child in np.random.SeedSequence(seed).spawn(groups):
        rng = np.random.default_rng(child)
        families.append(np.broadcast_to(rng.integers(FAMILIES, size=own_kitchens), robots))
        draws.append(np.broadcast_to(rng.random((steps, own_draws)), (steps, robots)))
    family = np.concatenate(families)
    kitchens, situation, value = _kitchens()
    envs = BurgerBotVectorEnv(
        len(family),
        [kitchens[i] for i in family],
        rewards=V1_REWARDS,
        shaping=1.0,
        gamma=GAMMA,
        max_episode_steps=150,
        autoreset_mode="SameStep",
    )
    thresholds, tape = policy().cumsum(axis=1)[:, :3], iter(np.concatenate(draws, axis=1))

    def states(observations: np.ndarray) -> np.ndarray:
        return np.asarray(rules.encode(kitchens[0], *np.moveaxis(observations, -1, 0)[:3]))

    def act(observations: np.ndarray) -> np.ndarray:
        seen = situation[family, states(observations)]
        return np.asarray((next(tape)[:, None] >= thresholds[seen]).sum(axis=1))

    rollout, _ = collect(envs, act, steps)
    before, after = states(rollout.observations), states(rollout.next_observations)
    return GroupRows(
        situation[family, before],
        rollout.actions,
        rollout.rewards,
        value[family, before],
        value[family, after],
        rollout.terminated,
        rollout.truncated,
        rollout.valid,
    )


@cache
def _kitchens() -> tuple[list[Kitchen], np.ndarray, np.ndarray]:
    """The kitchens, and for each of their states the situation and the exact value."""
    kitchens = [random_kitchen("open", family) for family in range(FAMILIES)]
    situation = np.stack([situations(kitchen) for kitchen in kitchens])
    value = [
        oracle.policy_evaluation(
            oracle.model(rules.compile_kitchen(kitchen), V1_REWARDS, shaping=1.0, gamma=GAMMA),
            policy()[seen],
            GAMMA,
        )
        for kitchen, seen in zip(kitchens, situation, strict=True)
    ]
    return kitchens, situation, np.stack(value)
