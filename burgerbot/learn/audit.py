"""Read a rollout and a ledger record, and name what is wrong with them as evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from burgerbot.learn.accounting import icc
from burgerbot.learn.rollout import Rollout, plain

#: Above this share of the variance of episode ends, what ends them is the step.
SYNCHRONIZED = 0.15
FEWEST_ROBOTS, FEWEST_STEPS = 8, 16  # below that, chance alone makes things look alike


class Finding(NamedTuple):
    """A fault: its name, and what shows it."""

    name: str
    message: str

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"


def audit(
    rollout: Rollout | None = None,
    record: Mapping[str, Any] | None = None,
    *,
    action_space: Any = None,
) -> list[Finding]:
    """Name the faults that make a batch less evidence than its size.

    - ``synchronized resets``: the robots' episodes end in the same steps. The measure is the
      intraclass correlation of the ends, the robots of one step being a family.
    - ``one schedule``: robots act alike step by step, or one seed stands twice in the record.
    - ``clipped actions``: actions outside the space, or in a box exactly on its bounds.
    - ``shared seeds``: the record evaluates on seeds that it learned from.
    - ``stale moments``: the policy's moments have seen fewer rows than it learned from.

    Args:
        rollout: Arrays or tensors ``[T, N, ...]``; None leaves the first three out.
        record: A record as ``ledger.read`` returns it; None leaves the rest out.
        action_space: The single action space (``n``, or ``low`` and ``high``); None leaves the
            actions' range unchecked.

    Returns:
        Findings, in the order above; none where all is sound.
    """
    found: list[Finding | None] = []
    if rollout is not None:
        parts: Any = (None if part is None else plain(part) for part in rollout)
        arrays = Rollout(*parts)
        found += [_synchronized(arrays), _one_schedule(arrays)]
        if action_space is not None:
            found += [_clipped(arrays, action_space)]
    if record is not None:
        found += [_repeated(record), _shared(record), _stale(record)]
    return [finding for finding in found if finding is not None]


def _synchronized(rollout: Rollout) -> Finding | None:
    """Episodes that end together."""
    ends = (rollout.terminated | rollout.truncated) & rollout.valid
    steps, robots = ends.shape
    if robots < FEWEST_ROBOTS or steps < FEWEST_STEPS:
        return None
    together = icc(ends.ravel(), np.arange(steps).repeat(robots))  # NaN where nothing ends
    if not together > SYNCHRONIZED:
        return None
    busiest = int(ends.sum(axis=1).argmax())
    return Finding(
        "synchronized resets",
        f"{ends[busiest].sum()} of {robots} robots end their episodes in step {busiest} "
        f"(correlation of the ends within a step {together:.2f}, below {SYNCHRONIZED} in a sound "
        "rollout); begin the robots' first episodes at different times",
    )


def _one_schedule(rollout: Rollout) -> Finding | None:
    """Columns of actions that are alike from the first row to the last, two robots being enough."""
    steps, robots = rollout.valid.shape
    if robots < 2 or steps < FEWEST_STEPS:
        return None
    columns = np.moveaxis(rollout.actions, 1, 0).reshape(robots, -1)
    varied = columns[(columns != columns[:, :1]).any(axis=1)]  # standing still is no schedule
    copies = len(varied) - len(np.unique(varied, axis=0))
    if not copies:
        return None
    return Finding(
        "one schedule",
        f"{copies} of {robots} robots act exactly as another one in all {steps} steps; give each "
        "robot draws of its own",
    )


def _clipped(rollout: Rollout, space: Any) -> Finding | None:
    """Actions that the environment did not, or cannot have, carried out as they are."""
    actions = rollout.actions[rollout.valid]
    whole = hasattr(space, "n")
    low = getattr(space, "start", 0) if whole else space.low
    high = low + space.n - 1 if whole else space.high
    outside = (actions < low) | (actions > high)
    bounds = np.zeros_like(outside) if whole else (actions == low) | (actions == high)
    rows = (outside | bounds).reshape(len(actions), -1).any(axis=1).sum()
    if not rows:
        return None
    return Finding(
        "clipped actions",
        f"{rows} of {len(actions)} actions are outside of the action space or on its bounds: what "
        "was stored is not what was carried out, or its log-probability belongs to another action",
    )


def _repeated(record: Mapping[str, Any]) -> Finding | None:
    """One seed for several families."""
    for name in ("training_seeds", "evaluation_seeds"):
        seeds = list(record[name])
        if len(set(seeds)) < len(seeds):
            return Finding(
                "one schedule",
                f"{name} holds {len(seeds)} seeds, and {len(set(seeds))} different ones",
            )
    return None


def _shared(record: Mapping[str, Any]) -> Finding | None:
    """Evaluation on what was learned from."""
    evaluation = set(record["evaluation_seeds"])
    both = evaluation & set(record["training_seeds"])
    if not both:
        return None
    return Finding(
        "shared seeds",
        f"{len(both)} of {len(evaluation)} evaluation seeds were trained on, such as {min(both)}; "
        "spawn the pools from one SeedSequence",
    )


def _stale(record: Mapping[str, Any]) -> Finding | None:
    """Moments that stopped learning before the policy did."""
    count, steps = record["moments_count"], record["steps"]
    if count is None or count >= steps:
        return None
    return Finding(
        "stale moments",
        f"the policy learned from {steps} transitions, its moments from {count} rows; save and "
        "load them together",
    )
