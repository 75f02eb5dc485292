"""Measurements of an SB3 training: how good the policy is, how noisy its gradient, where time goes.

For models of the classic kitchen's observations, ``[row, col, heading, sensor]``.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper

from burgerbot.learn import oracle
from burgerbot.scale import bench
from burgerbot.scale.policy_table import export_policy, load_policy
from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.registration import MAX_STEPS


def drive(actions: np.ndarray, kitchen: Kitchen = CLASSIC) -> tuple[list[int], bool]:
    """Drive one robot from the start by a table of actions, on a dry floor.

    Args:
        actions: int ``[rows, cols, 4, 3]``, as ``load_policy`` returns it.
        kitchen: Where.

    Returns:
        ``(states, delivered)``: the states visited, the start included, at most 151.
    """
    world = rules.compile_kitchen(kitchen)
    states, outcome = [world.start], rules.IDLE
    while outcome < rules.CRASHED and len(states) <= MAX_STEPS:
        action = int(actions[tuple(world.observations[states[-1]])])
        after, outcome = rules.step(world.table, states[-1], action)
        states.append(int(after))
    return states, outcome == rules.DELIVERED


def percent_of_optimum(model: Any, kitchen: Kitchen = CLASSIC) -> float:
    """Compare a policy's delivery with the shortest there is.

    The greedy policy drives once. ``100 * fewest steps / its steps`` if it delivers, else 0.

    Args:
        model: An SB3 model, or what else ``export_policy`` takes.
        kitchen: Where.
    """
    states, delivered = drive(load_policy(export_policy(model)), kitchen)
    fewest = oracle.delivery_length(rules.compile_kitchen(kitchen))
    return 100.0 * fewest / (len(states) - 1) if delivered else 0.0


def gradient_spread(model: OnPolicyAlgorithm, rollouts: int) -> float:
    """Measure how much the policy's gradient differs from rollout to rollout.

    The policy stays as it is. Each rollout begins with a reset, is as long as the model's own, and
    gives one gradient of ``-mean(advantage * log_prob)``, advantages not normalized.

    Args:
        model: An A2C or PPO model.
        rollouts: How many, 2 or more.

    Returns:
        float: The trace of the gradients' covariance: the variances of all weights, summed.
    """
    envs: Any = model.get_env()
    found = []
    if model.ep_info_buffer is None:  # before the first ``learn``
        model._setup_learn(1)
    silent = _Silent()
    silent.init_callback(model)
    for _ in range(rollouts):
        model._last_obs = envs.reset()
        model._last_episode_starts = np.ones(envs.num_envs, dtype=bool)
        model.collect_rollouts(envs, silent, model.rollout_buffer, model.n_steps)
        data = next(model.rollout_buffer.get(None))
        _, log_prob, _ = model.policy.evaluate_actions(data.observations, data.actions.flatten())
        model.policy.zero_grad()
        (-(data.advantages * log_prob).mean()).backward()
        weights = [w.grad.flatten() for w in model.policy.parameters() if w.grad is not None]
        found.append(np.concatenate([grad.numpy() for grad in weights]).astype(np.float64))
    model.policy.zero_grad()
    return float(np.var(found, axis=0, ddof=1).sum())


def step_rates(envs: dict[str, VecEnv], calls: int, rounds: int = 5) -> dict[str, float]:
    """Measure robot steps a second through SB3's interface, in turns: medians of several rounds.

    Args:
        envs: What to step, by name; all with the same number of robots N.
        calls: Calls of ``step`` a round. Actions are random, drawn beforehand, the same for all.
        rounds: Rounds, after one to warm up.
    """
    num_envs = next(iter(envs.values())).num_envs
    actions = np.random.default_rng(0).integers(0, 4, (calls, num_envs))
    systems = [
        bench.System(name, num_envs, actions.size, partial(_take, venv, actions))
        for name, venv in envs.items()
    ]
    return {row.system: row.steps_per_second for row in bench.measure(systems, rounds)}


def time_parts(model: OnPolicyAlgorithm, transitions: int) -> dict[str, float]:
    """Train, and measure where the time goes.

    Args:
        model: A model that has an environment.
        transitions: How many to train for.

    Returns:
        Seconds: ``"step the robots"``, ``"ask the policy"`` (with all else that collecting takes),
        ``"update"`` (with the rest), and ``"total"``.
    """
    envs: Any = model.get_env()
    clock = _Clock(envs)
    model.env = clock
    start = time.perf_counter()
    callback = _Silent()
    model.learn(transitions, callback=callback)
    total = time.perf_counter() - start
    return {
        "step the robots": clock.seconds,
        "ask the policy": callback.seconds - clock.seconds,
        "update": total - callback.seconds,
        "total": total,
    }


def _take(envs: VecEnv, actions: np.ndarray) -> None:
    """Reset, and take every row of actions."""
    envs.reset()
    for row in actions:
        envs.step(row)


class _Clock(VecEnvWrapper):
    """Counts the seconds that the steps take."""

    seconds = 0.0

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> Any:
        start = time.perf_counter()
        result = self.venv.step_wait()
        self.seconds += time.perf_counter() - start
        return result


class _Silent(BaseCallback):
    """Interferes with nothing; counts the seconds between a rollout's start and its end."""

    seconds = 0.0

    def _on_rollout_start(self) -> None:
        self._start = time.perf_counter()

    def _on_rollout_end(self) -> None:
        self.seconds += time.perf_counter() - self._start

    def _on_step(self) -> bool:
        return True
