"""Rollouts ``[T, N]`` of any vector environment, in every autoreset mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from burgerbot.learn.advantages import gae as gae  # the other half of a rollout

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv

#: Observations ``[N, ...]`` -> actions ``[N]``, or ``(actions, log_probs, values)``.
Policy = Callable[[np.ndarray], Any]
NEXT_STEP, SAME_STEP, DISABLED = MODES = ("NextStep", "SameStep", "Disabled")


class Rollout(NamedTuple):
    """T steps of N robots, row by row. Every array belongs to whoever holds it.

    Attributes:
        observations: ``[T, N, ...]``: what each robot saw before the step.
        actions: ``[T, N, ...]``: what it did.
        rewards: float ``[T, N]``: what that step paid.
        terminated, truncated: bool ``[T, N]``: the flags of that step.
        next_observations: ``[T, N, ...]``: what the action led to, the last observation of the
            episode where one ends; never the first of the next episode.
        valid: bool ``[T, N]``: False where the row is a reset and no transition (NEXT_STEP).
        log_probs, values: float ``[T, N]``, where the policy gives them, else None.
    """

    observations: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    next_observations: np.ndarray
    valid: np.ndarray
    log_probs: np.ndarray | None = None
    values: np.ndarray | None = None


class Carry(NamedTuple):
    """What one rollout hands on to the next.

    Attributes:
        observations: ``[N, ...]``: what the robots see now.
        resetting: bool ``[N]``: robots whose next row is a reset row (NEXT_STEP).
    """

    observations: np.ndarray
    resetting: np.ndarray


class Transition(NamedTuple):
    """One step of N robots, told alike in every autoreset mode; fields as in ``Rollout``."""

    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    next_observations: np.ndarray
    valid: np.ndarray
    infos: dict[str, Any]


def begin(envs: VectorEnv, seed: Any = None) -> Carry:
    """Reset all robots; the carry of a first rollout.

    Raises:
        TypeError: Observations that are not arrays.
    """
    observations, _ = envs.reset(seed=seed)
    if not isinstance(observations, np.ndarray):
        raise TypeError(f"observations: expected an array, got {type(observations).__name__}")
    return Carry(observations.copy(), np.zeros(envs.num_envs, dtype=bool))


def advance(envs: VectorEnv, actions: Any, carry: Carry) -> tuple[Transition, Carry]:
    """Step all robots once, and in DISABLED mode reset those that are done.

    Args:
        envs: A Gymnasium vector environment, in any autoreset mode.
        actions: ``[N, ...]``.
        carry: From ``begin``, or from the step before.

    Returns:
        ``(transition, carry)``.

    Raises:
        ValueError: No autoreset mode in the metadata.
    """
    mode = autoreset_mode(envs)
    returned, rewards, terminated, truncated, infos = envs.step(actions)
    terminated, truncated = np.array(terminated, dtype=bool), np.array(truncated, dtype=bool)
    done, led_to, sees = terminated | truncated, np.array(returned), np.array(returned)
    if mode == SAME_STEP and done.any():
        led_to[done] = np.stack(list(infos["final_obs"][done]))
    elif mode == DISABLED and done.any():
        # A dict and a mask of its own for each reset: Gymnasium's vector environments empty it.
        sees = np.array(envs.reset(options={"reset_mask": done.copy()})[0])
    step = Transition(
        np.array(rewards), terminated, truncated, led_to, ~carry.resetting, dict(infos)
    )
    return step, Carry(sees, done if mode == NEXT_STEP else np.zeros_like(done))


def collect(
    envs: VectorEnv, policy: Policy, steps: int, carry: Carry | None = None
) -> tuple[Rollout, Carry]:
    """Let a policy drive N robots for T steps, and write every row down.

    Works in all autoreset modes. In NEXT_STEP the rows that are resets are marked by ``valid``,
    across rollouts too, as long as the carry is handed on.

    Args:
        envs: A Gymnasium vector environment whose observations are arrays.
        policy: Called once a step with the observations; tensors are welcome, their graph is not
            kept.
        steps: T, 1 or more.
        carry: What the rollout before handed on; None resets all robots first.

    Returns:
        ``(rollout, carry)``.

    Raises:
        ValueError: No step, no autoreset mode, or a policy whose answer has another shape.
        TypeError: Observations that are not arrays.

    >>> from burgerbot.world.vector import BurgerBotVectorEnv
    >>> envs = BurgerBotVectorEnv(1, ">G")
    >>> rollout, carry = collect(envs, lambda observations: np.array([0]), 3)
    >>> rollout.terminated[:, 0].tolist(), rollout.valid[:, 0].tolist()
    ([True, False, True], [True, False, True])
    """
    if steps < 1:
        raise ValueError(f"steps: expected 1 or more, got {steps}")
    carry = begin(envs) if carry is None else carry
    rows: list[list[Any]] = []
    for _ in range(steps):
        actions, log_probs, values = _answer(policy, carry.observations.copy(), envs.num_envs)
        seen = carry.observations
        step, carry = advance(envs, actions, carry)
        rows.append([seen, actions, *step[:5], log_probs, values])
    arrays: Any = (None if c[0] is None else np.stack(c) for c in zip(*rows, strict=True))
    return Rollout(*arrays), carry


def autoreset_mode(envs: VectorEnv) -> str:
    """The environment's autoreset mode, one of ``MODES``, as its metadata says.

    Raises:
        ValueError: It says none.
    """
    found = envs.metadata.get("autoreset_mode")
    mode = getattr(found, "value", found)
    if mode not in MODES:
        raise ValueError(
            f"envs.metadata['autoreset_mode']: expected an AutoresetMode of Gymnasium 1.1 or "
            f"newer, got {found!r}"
        )
    return str(mode)


def plain(answer: Any) -> np.ndarray:
    """An array of its own from an array, a list or a tensor, without the tensor's graph."""
    if hasattr(answer, "detach"):
        answer = answer.detach().cpu().numpy()
    return np.array(answer)


def _answer(
    policy: Policy, observations: np.ndarray, num_envs: int
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
    """A policy's actions, and its log-probabilities and values if it gives them."""
    given = policy(observations)
    parts = given if isinstance(given, tuple) else (given, None, None)
    if len(parts) != 3:
        raise ValueError(
            "policy: expected actions, or a tuple (actions, log_probs, values), "
            f"got a tuple of {len(parts)}"
        )
    actions, log_probs, values = (None if part is None else plain(part) for part in parts)
    if actions is None or actions.shape[:1] != (num_envs,):
        got = None if actions is None else actions.shape
        raise ValueError(f"policy, actions: expected shape ({num_envs}, ...), got {got}")
    for name, part in (("log_probs", log_probs), ("values", values)):
        if part is not None and part.shape != (num_envs,):
            raise ValueError(f"policy, {name}: expected shape ({num_envs},), got {part.shape}")
    return actions, log_probs, values
