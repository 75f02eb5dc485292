"""A policy in many versions, each a little better, with exact values: what staleness costs.

Version k of the policy takes the actions of a softmax over the best action values, sharper with
each version, as if a learner had made an update between one and the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from burgerbot.learn import oracle
from burgerbot.learn.advantages import gae
from burgerbot.learn.rollout import collect
from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.registration import MAX_STEPS
from burgerbot.world.rules import V1_REWARDS
from burgerbot.world.vector import BurgerBotVectorEnv

GAMMA, SHARPER = 0.97, 0.05  # discount; how much sharper each version is
NEWEST = 24


class StaleRows(NamedTuple):
    """T steps of N robots, ``[T, N]``, driven by an older version than the one that learns.

    Attributes:
        states, next_states: int64: local states, see ``rules.decode``.
        log_ratios: float64: log-probability of the action by the newest version, less that by the
            version that took it.
        rewards: float64.
        terminated, truncated, valid: bool: flags; valid is True throughout (SAME_STEP).
    """

    states: np.ndarray
    next_states: np.ndarray
    log_ratios: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    valid: np.ndarray


@cache
def version(k: int) -> np.ndarray:
    """Probabilities ``[S, 4]`` of version k in the classic kitchen, read-only.

    Raises:
        ValueError: A version below 0.
    """
    if k < 0:
        raise ValueError(f"version: expected 0 or more, got {k}")
    _, q = oracle.value_iteration(_model(), GAMMA)
    scores = np.exp(SHARPER * (k + 1) * (q - q.max(axis=1, keepdims=True)))
    found = scores / scores.sum(axis=1, keepdims=True)
    found.setflags(write=False)
    return found


def values_of(policy: np.ndarray) -> np.ndarray:
    """Exact values ``[S]`` of probabilities ``[S, 4]``."""
    return oracle.policy_evaluation(_model(), policy, GAMMA)


def between(policy: np.ndarray, older: np.ndarray) -> np.ndarray:
    """The policy whose values V-trace finds with ``rho_bar=1``: the smaller of both, normalized.

    Source: Espeholt and others (2018), equation 3.
    """
    both = np.minimum(policy, older)
    return np.asarray(both / both.sum(axis=1, keepdims=True))


def drive(lag: int, robots: int, steps: int, *, seed: int, newest: int = NEWEST) -> StaleRows:
    """Let the version ``lag`` before the newest drive N robots from the start, for T steps.

    Args:
        lag: 0 to ``newest``.
        robots, steps: N and T.
        seed: Of the draws.
        newest: The version that learns.
    """
    old, new = version(newest - lag), version(newest)
    thresholds = old.cumsum(axis=1)[:, :3]
    rng = np.random.default_rng(seed)
    envs = BurgerBotVectorEnv(
        robots, CLASSIC, V1_REWARDS, max_episode_steps=MAX_STEPS, autoreset_mode="SameStep"
    )

    def act(observations: np.ndarray) -> np.ndarray:
        draws = rng.random((robots, 1))
        return np.asarray((draws >= thresholds[_states(observations)]).sum(axis=1))

    rollout, _ = collect(envs, act, steps)
    states = _states(rollout.observations)
    ratios = np.log(new[states, rollout.actions]) - np.log(old[states, rollout.actions])
    after = _states(rollout.next_observations)
    return StaleRows(states, after, ratios, rollout.rewards, *rollout[3:5], rollout.valid)


def fit_critic(
    lag: int,
    target: Callable[..., Any],
    *,
    rounds: int = 60,
    robots: int = 64,
    steps: int = 32,
    seed: int = 0,
    newest: int = NEWEST,
) -> np.ndarray:
    """Learn the values of the newest version from rows of an older one, on a table.

    Each round collects anew, asks for targets, and moves the value of each state seen towards the
    mean of its targets, by a step that shrinks from 1 to 1 / 10.

    Args:
        lag: Versions between the one that drives and the one that learns.
        target: ``(rows, values, next_values) -> targets [T, N]``.
        rounds, robots, steps, seed, newest: See ``drive``.

    Returns:
        float64 ``[S]``; 0 where no robot has been.
    """
    values = np.zeros(len(version(newest)))
    for number, child in enumerate(np.random.SeedSequence(seed).spawn(rounds)):
        rows = drive(lag, robots, steps, seed=int(child.generate_state(1)[0]), newest=newest)
        targets = target(rows, values[rows.states], values[rows.next_states])
        total, count = np.zeros((2, len(values)))
        np.add.at(total, rows.states, targets - values[rows.states])
        np.add.at(count, rows.states, 1.0)
        values += max(1.0 / (1 + number / 4), 0.1) * total / np.maximum(count, 1.0)
    return values


def bias(target: Callable[..., Any], lags: Sequence[int], **options: Any) -> list[float]:
    """What ``fit_critic`` believes of the start, less its exact value, for each lag."""
    exact = values_of(version(options.get("newest", NEWEST)))[start()]
    return [float(fit_critic(lag, target, **options)[start()] - exact) for lag in lags]


def trusting(rows: StaleRows, values: np.ndarray, next_values: np.ndarray) -> np.ndarray:
    """Targets ``[T, N]`` that take the rows for fresh: returns, up to the end of the rollout."""
    flags = rows.terminated, rows.truncated
    _, returns = gae(rows.rewards, values, next_values, *flags, gamma=GAMMA, lam=1.0)
    return np.asarray(returns)


def start() -> int:
    """The state in which every episode begins."""
    return rules.compile_kitchen(CLASSIC).start


@cache
def _model() -> oracle.Model:
    """The classic kitchen with v1's rewards, without shaping."""
    return oracle.model(rules.compile_kitchen(CLASSIC), V1_REWARDS)


def _states(observations: np.ndarray) -> np.ndarray:
    """Local states of observations ``[..., 4]``."""
    return np.asarray(rules.encode(CLASSIC, *np.moveaxis(observations, -1, 0)[:3]))
