"""SB3's PPO, made ready for a comparison with another one: one update, and a whole training."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from gymnasium.vector import VectorEnv
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import Tensor, nn

from burgerbot.learn.ppo import Batch
from burgerbot.scale.measure import percent_of_optimum
from burgerbot.scale.sb3 import GymToSB3


class PolicyOfSB3(nn.Module):
    """SB3's policy with the interface of ``ActorCritic``: logits ``[B, A]`` and values ``[B]``.

    Attributes:
        optimizer: SB3's own, of the same weights.
    """

    def __init__(self, policy: Any) -> None:
        super().__init__()
        self.policy, self.optimizer = policy, policy.optimizer

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values of observations ``[B, features]``."""
        logits = self.policy.get_distribution(observations).distribution.logits
        return logits, self.policy.predict_values(observations).squeeze(-1)


def one_update(envs: VectorEnv, **settings: Any) -> tuple[PolicyOfSB3, Batch, Tensor]:
    """Let SB3 collect one rollout and learn from it.

    Args:
        envs: Robots in ``SAME_STEP`` mode.
        **settings: Of SB3's ``PPO``.

    Returns:
        ``(policy, batch, weights)``: a copy of the policy as it was before it learned, what it
        collected, and the weights, in a row, after SB3 has learned.
    """
    model = PPO("MlpPolicy", GymToSB3(envs), device="cpu", **settings)
    keep = _Keep()
    model.learn(1, callback=keep)
    data = next(model.rollout_buffer.get())
    batch = Batch(
        data.observations.long(),
        data.actions.flatten().long(),
        data.old_log_prob,
        data.advantages,
        data.returns,
    )
    return PolicyOfSB3(keep.policy), batch, weights(model.policy)


def train(envs: VectorEnv, total: int, **settings: Any) -> tuple[PPO, list[dict[str, Any]]]:
    """Train with SB3, and measure after each update.

    Args:
        envs: Robots of the classic kitchen in ``SAME_STEP`` mode.
        total: Transitions.
        **settings: Of SB3's ``PPO``.

    Returns:
        ``(model, history)``: a dict for each update, ``when`` (transitions) and ``percent`` (of the
        exact optimum).
    """
    watch = _Percent()
    model = PPO("MlpPolicy", GymToSB3(envs), device="cpu", **settings)
    model.learn(total, callback=watch)
    return model, [*watch.history[1:], watch.look()]


def weights(policy: nn.Module) -> Tensor:
    """All weights in a row, without a graph."""
    return nn.utils.parameters_to_vector(policy.parameters()).detach().clone()


class _Keep(BaseCallback):
    """Keeps a copy of the policy as it was before it learned."""

    policy: Any = None

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.policy = deepcopy(self.model.policy)


class _Percent(BaseCallback):
    """Notes the percentage before each rollout."""

    def __init__(self) -> None:
        super().__init__()
        self.history: list[dict[str, Any]] = []

    def look(self) -> dict[str, Any]:
        """What there is to note now."""
        return {"when": self.model.num_timesteps, "percent": percent_of_optimum(self.model)}

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self.history.append(self.look())
