"""How good a policy is: as many episodes from each robot, nothing that learns, and an interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from burgerbot.learn import oracle
from burgerbot.learn.accounting import effective_samples as effective_samples
from burgerbot.learn.accounting import icc as icc
from burgerbot.learn.evaluation import Estimate as Estimate
from burgerbot.learn.evaluation import Evaluation as Evaluation
from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.rollout import Transition, advance, begin, plain
from burgerbot.world.rules import DELIVERED, Rules

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv


def evaluate(
    envs: VectorEnv,
    policy: Callable[[np.ndarray], Any],
    episodes_per_env: int,
    *,
    optimum: float | Sequence[float] | None = None,
    families: Sequence[Any] | None = None,
    seed: Any = None,
    confidence: float = 0.95,
    max_steps: int = 100_000,
) -> Evaluation:
    """Play the same number of episodes with each robot, and sum up.

    The first episodes to finish are the short ones, so taking those would favour whatever ends
    early; with a quota for each robot every robot counts alike. Works in all autoreset modes.
    Running moments, of wrappers and of the policy, are frozen meanwhile, then as they were.

    Args:
        envs: A vector environment; use one of its own, not the one that training goes on with.
        policy: Observations ``[N, ...]`` -> actions ``[N]``, or scores ``[N, A]`` (logits, values
            or probabilities), of which the best is taken.
        episodes_per_env: E, 1 or more.
        optimum: The best possible mean return, above 0: one number, or one for each robot.
        families: N labels; robots with the same one share a seed or a kitchen. None: all differ.
        seed: For the first reset.
        confidence: Of the intervals, between 0 and 1.
        max_steps: Steps after which it gives up.

    Returns:
        Evaluation: Every episode, with estimates.

    Raises:
        ValueError: An argument out of range, or rewards that a wrapper scales and that no
            ``true_reward`` in the infos stands beside.
        RuntimeError: Some robot has not finished its episodes after ``max_steps``.

    >>> from burgerbot.world.vector import BurgerBotVectorEnv
    >>> envs = BurgerBotVectorEnv(2, ["..>G", ">..G"])
    >>> evaluate(envs, lambda observations: np.zeros(2, int), 2).lengths.tolist()
    [[1, 1], [3, 3]]
    """
    robots, quota = envs.num_envs, episodes_per_env
    best = _checked(robots, quota, optimum, families, confidence)
    labels = np.arange(robots) if families is None else np.array(list(families))
    returns, lengths = np.zeros((robots, quota)), np.zeros((robots, quota), dtype=np.int64)
    ended, delivered = np.zeros((2, robots, quota), dtype=bool)
    told = True
    total, steps, count = np.zeros((3, robots))
    count, played = count.astype(np.int64), 0
    with _frozen(envs, policy):
        carry = begin(envs, seed)
        while (count < quota).any():
            if played == max_steps:
                raise RuntimeError(
                    f"{(count < quota).sum()} of {robots} robots have not finished {quota} "
                    f"episodes after {max_steps} steps: does every episode end?"
                )
            played += 1
            actions = _greedy(policy(carry.observations.copy()), robots)
            step, carry = advance(envs, actions, carry)
            total += np.where(step.valid, _true_rewards(envs, step), 0.0)
            steps += step.valid
            done = step.terminated | step.truncated
            rows = np.flatnonzero(done & (count < quota))
            place = rows, count[rows]
            returns[place], lengths[place] = total[rows], steps[rows]
            ended[place] = step.terminated[rows]
            outcome, known = _told(step, "outcome")
            delivered[place] = (outcome == DELIVERED)[rows]
            told &= bool(known[rows].all())
            total[done] = steps[done] = 0
            count[rows] += 1
    return Evaluation(
        returns, lengths, ended, delivered if told else None, labels, best, confidence
    )


def optimal_return(
    rules: Rules, rewards: Sequence[float], limit: int, *, slip: float = 0.0
) -> float:
    """The best mean return of an episode from the kitchen's start, within the step limit.

    Args:
        rules: A compiled kitchen.
        rewards: What idle, moved, crashed and delivered pay, without shaping.
        limit: Step limit.
        slip: Probability of sliding forward.

    >>> from burgerbot.world.kitchen import CLASSIC
    >>> from burgerbot.world.rules import V1_REWARDS, compile_kitchen
    >>> round(optimal_return(compile_kitchen(CLASSIC), V1_REWARDS, 150), 6)
    47.9
    """
    values, _ = oracle.finite_horizon(oracle.model(rules, rewards, slip=slip), limit)
    return float(values[limit, rules.start])


def _checked(
    robots: int, quota: int, optimum: Any, families: Any, confidence: float
) -> np.ndarray | None:
    """The optimum of each robot, after a look at the arguments."""
    if quota < 1:
        raise ValueError(f"episodes_per_env: expected 1 or more, got {quota}")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence: expected a number between 0 and 1, got {confidence!r}")
    if families is not None and len(families) != robots:
        raise ValueError(f"families: expected {robots} labels, got {len(families)}")
    if optimum is None:
        return None
    best = np.asarray(optimum, dtype=np.float64)
    if best.shape not in ((), (robots,)) or not (best > 0).all():
        raise ValueError(f"optimum: expected 1 or {robots} numbers above 0, got {optimum!r}")
    return np.broadcast_to(best, (robots,))


def _greedy(answer: Any, robots: int) -> np.ndarray:
    """Actions ``[N]``, the best ones where scores ``[N, A]`` are given."""
    given = plain(answer)
    actions = given.argmax(axis=1) if given.ndim == 2 else given
    if actions.shape != (robots,):
        raise ValueError(
            f"policy: expected actions ({robots},) or scores ({robots}, A), got {given.shape}"
        )
    return actions


def _told(step: Transition, name: str) -> tuple[np.ndarray, np.ndarray]:
    """What the infos say of each robot under this name, and of which robots they do."""
    values, known = np.zeros(len(step.valid)), np.zeros(len(step.valid), dtype=bool)
    for infos in (step.infos, step.infos.get("final_info", {})):
        if name in infos:
            mask = np.asarray(infos[f"_{name}"], dtype=bool)
            values, known = np.where(mask, infos[name], values), known | mask
    return values, known


def _true_rewards(envs: Any, step: Transition) -> np.ndarray:
    """The rewards without shaping, where the infos tell; refused where a wrapper scaled them."""
    values, known = _told(step, "true_reward")
    if not known[step.valid].all() and any(
        getattr(layer, "scales_rewards", False) for layer in _layers(envs)
    ):
        raise ValueError(
            "envs: a wrapper scales the rewards, and the infos tell no true_reward: the returns "
            "would be scaled too; evaluate without that wrapper"
        )
    return np.where(known, values, step.rewards)


def _layers(envs: Any) -> Iterator[Any]:
    """The environment's wrappers, from the outside in."""
    while envs is not None:
        yield envs
        envs = vars(envs).get("env")


@contextmanager
def _frozen(envs: Any, policy: Any) -> Iterator[None]:
    """Freeze all running moments in the wrappers and in the policy, then undo it."""
    owners = [*_layers(envs), policy, getattr(policy, "__self__", None)]
    found = [m for owner in owners for m in getattr(owner, "__dict__", {}).values()]
    opened = [m for m in found if isinstance(m, RunningMoments) and not m.frozen]
    for moments in opened:
        moments.freeze()
    try:
        yield
    finally:
        for moments in opened:
            moments.unfreeze()
