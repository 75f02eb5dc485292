"""How much evidence a batch holds: seed families, rows counted one by one, effective samples."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from burgerbot.learn.rollout import Rollout, plain

SEED_BITS = 53  # a JSON number holds that many exactly


def seed_families(seed: int, **counts: int) -> dict[str, list[int]]:
    """Draw pools of seeds that have no seed in common.

    Each pool is a child of ``SeedSequence(seed)``, and each of its seeds a child of the pool. So a
    larger pool begins with the seeds of a smaller one, and neighbouring ``seed`` share nothing.

    Args:
        seed: Of the whole, 0 or more.
        **counts: Name of a pool -> how many seeds; the order of the pools matters.

    Returns:
        Name -> distinct seeds, plain ints below 2**53.

    Raises:
        ValueError: No pool, or one without a seed.

    >>> pools = seed_families(13, training=2, evaluation=1)
    >>> sorted(map(len, pools.values())), pools["training"] == seed_families(13, all=2)["all"]
    ([1, 2], True)

    Source: NumPy, "Parallel random number generation", ``SeedSequence.spawn``.
    """
    if not counts or min(counts.values()) < 1:
        raise ValueError(f"counts: expected pools of 1 seed or more, got {counts}")
    children = np.random.SeedSequence(seed).spawn(len(counts))
    return {
        name: [
            int(grandchild.generate_state(1, np.uint64)[0]) >> (64 - SEED_BITS)
            for grandchild in child.spawn(count)
        ]
        for (name, count), child in zip(counts.items(), children, strict=True)
    }


class Account(NamedTuple):
    """What the rows of a rollout are.

    Attributes:
        rows: T * N.
        transitions: Rows that are no reset rows.
        distinct: Transitions that differ in family, observation or action.
        episodes: Episodes that ended.
        reasons: How they ended: ``delivered``, ``crashed``, ``timeout``.
        families: Seed families.
    """

    rows: int
    transitions: int
    distinct: int
    episodes: int
    reasons: dict[str, int]
    families: int


def account(rollout: Rollout, families: Any = None) -> Account:
    """Count what a rollout is made of.

    Args:
        rollout: Arrays or tensors ``[T, N, ...]``.
        families: N labels; None: each robot is a family of its own.

    Returns:
        Account: With the reasons of ``reset_reasons``.

    Raises:
        ValueError: Not one label a robot.
    """
    valid = plain(rollout.valid)
    steps, robots = valid.shape
    group = _groups(np.arange(robots) if families is None else families, robots)
    transitions = int(valid.sum())
    facts = [np.broadcast_to(group, (steps, robots)), rollout.observations, rollout.actions]
    lines = np.concatenate(
        [plain(part)[valid].reshape(transitions, -1).astype(np.float64) for part in facts], axis=1
    )
    distinct = len({line.tobytes() for line in lines + 0.0})  # + 0.0: -0.0 is 0.0
    reasons = reset_reasons(rollout)
    episodes = sum(reasons.values())
    return Account(steps * robots, transitions, distinct, episodes, reasons, len(np.unique(group)))


def reset_reasons(rollout: Rollout) -> dict[str, int]:
    """Count why episodes ended: ``delivered``, ``crashed`` or ``timeout``.

    A termination that paid more than 0 is a delivery, as in every BurgerBot world; a termination
    at the step limit is no timeout, and a reset row ends nothing.
    """
    rewards, terminated, truncated, valid = (
        plain(part)
        for part in (rollout.rewards, rollout.terminated, rollout.truncated, rollout.valid)
    )
    ended = terminated & valid
    return {
        "delivered": int((ended & (rewards > 0)).sum()),
        "crashed": int((ended & (rewards <= 0)).sum()),
        "timeout": int((truncated & ~terminated & valid).sum()),
    }


def icc(values: Any, families: Any) -> float:
    """Estimate the intraclass correlation: the share of the variance that a family has in common.

    ``(MSB - MSW) / (MSB + (m - 1) MSW)``, with the mean squares between and within families. For
    vectors the squares are summed over the coordinates first. Of families of different sizes,
    ``m`` is the usual size for this estimator, ``(N - sum(m_i^2) / N) / (F - 1)``.

    Args:
        values: Finite numbers ``[N]`` or ``[N, ...]``: one number, or one vector, for each robot.
        families: N labels.

    Returns:
        About 0 for families that share nothing (it may fall below), 1 for copies; NaN where all
        values are the same.

    Raises:
        ValueError: One family only, no family of two, or other shapes.

    >>> icc([1.0, 1.0, 3.0, 3.0], ["a", "a", "b", "b"])
    1.0
    >>> round(icc([1.0, 3.0, 3.0, 5.0], ["a", "a", "b", "b"]), 6)
    0.333333

    Source: Fisher (1925), chapter 7; Donner (1986), "A review of inference procedures for the
    intraclass correlation coefficient", section 2.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 0 or not np.isfinite(array).all():
        raise ValueError(f"values: expected finite numbers [N, ...], got shape {array.shape}")
    rows = array.reshape(len(array), -1)
    group = _groups(families, len(rows))
    sizes = np.bincount(group)
    if len(sizes) < 2 or sizes.max() < 2:
        raise ValueError(
            "families: expected two or more, one of them of two or more values, got families of "
            f"{sizes.tolist()[:8]}: what differs between and within them cannot be told apart"
        )
    rows = rows - rows.mean(axis=0)
    sums = np.zeros((len(sizes), rows.shape[1]))
    np.add.at(sums, group, rows)
    means = sums / sizes[:, None]
    between = float((sizes[:, None] * means**2).sum()) / (len(sizes) - 1)
    within = float(((rows - means[group]) ** 2).sum()) / (len(rows) - len(sizes))
    size = (len(rows) - (sizes**2).sum() / len(rows)) / (len(sizes) - 1)
    total = between + (size - 1) * within
    return float((between - within) / total) if total > 0 else float("nan")


def effective_samples(n: float, family_size: float, icc: float) -> float:
    """How many independent values tell as much about the mean as n values in families.

    ``n / (1 + (m - 1) * icc)``; what n is divided by is the design effect.

    Args:
        n: Values in all, above 0.
        family_size: m, values in each family, 1 or more.
        icc: Intraclass correlation, 1 or less; NaN gives NaN.

    Raises:
        ValueError: A number out of range, or a correlation so far below 0 that families of this
            size cannot have it.

    >>> effective_samples(100, 10, 0.0), effective_samples(100, 10, 1.0)
    (100.0, 10.0)

    Source: Kish (1965), "Survey sampling", section 5.4.
    """
    if not n > 0:
        raise ValueError(f"n: expected a number above 0, got {n!r}")
    if not family_size >= 1:
        raise ValueError(f"family_size: expected 1 or more, got {family_size!r}")
    effect = 1.0 + (family_size - 1.0) * icc
    if icc > 1.0 or effect <= 0.0:
        raise ValueError(
            f"icc: expected a number from above {-1 / (family_size - 1):g} to 1, got {icc!r}"
            if family_size > 1
            else f"icc: expected 1 or less, got {icc!r}"
        )
    return float(n / effect)


def _groups(families: Any, count: int) -> np.ndarray:
    """Labels of any kind as indices ``[count]``."""
    labels = families.tolist() if isinstance(families, np.ndarray) else list(families)
    if len(labels) != count:
        raise ValueError(f"families: expected {count} labels, got {len(labels)}")
    labels = [tuple(label) if isinstance(label, list) else label for label in labels]
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return np.array([places[label] for label in labels], dtype=np.int64)
