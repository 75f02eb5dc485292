"""The policy as plain arrays: what a worker needs to act, without PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

CLIP = 10.0

#: Name -> array: what ``weights_of`` gives and ``NumpyPolicy`` takes.
Weights = dict[str, np.ndarray]


def weights_of(policy: Any) -> Weights:
    """Copy the numbers of an ``ActorCritic``, with what it centres and scales observations by.

    They are copies: an optimizer writes into a policy's own memory, and whoever acts by arrays that
    share it acts by whatever stands there at the moment.

    Args:
        policy: An ``ActorCritic`` on any device.

    Returns:
        Name -> float32 array: ``actor.0.weight``, ``actor.0.bias``, ..., ``critic.0.weight``, ...,
        and ``nvec`` (int64) or ``offset`` and ``scale``.
    """
    weights = {n: np.array(p.detach().cpu().numpy()) for n, p in policy.named_parameters()}
    if policy.nvec is not None:
        return weights | {"nvec": np.array(policy.nvec)}
    scaling = {"offset": policy.offset, "scale": policy.scale}
    return weights | {n: np.array(t.cpu().numpy()) for n, t in scaling.items()}


class NumpyPolicy:
    """An ``ActorCritic``'s twin that computes with NumPy: the same logits, values and chances.

    Args:
        weights: From ``weights_of``; read, never written, so they may be read-only.

    Raises:
        ValueError: Names are missing.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        self.actor, self.critic = _layers(weights, "actor"), _layers(weights, "critic")
        self.offset, self.scale = weights.get("offset"), weights.get("scale")
        nvec = weights.get("nvec")
        if nvec is None and (self.offset is None or self.scale is None):
            raise ValueError(f"weights: expected nvec, or offset and scale, got {list(weights)}")
        self.width = self.actor[0][0].shape[1]
        self.begins = None if nvec is None else np.cumsum([0, *nvec[:-1]])

    def encode(self, observations: Any) -> np.ndarray:
        """What the networks read: one-hot codes, or measurements on one scale.

        Args:
            observations: ``[N, features]``.

        Returns:
            float32 ``[N, width]``.
        """
        seen = np.asarray(observations)
        if self.begins is None:
            scaled = (seen - self.offset) * self.scale
            return np.clip(scaled, -CLIP, CLIP).astype(np.float32)
        codes = np.zeros((len(seen), self.width), dtype=np.float32)
        np.put_along_axis(codes, seen + self.begins, np.float32(1.0), axis=1)
        return codes

    def __call__(self, observations: Any) -> np.ndarray:
        """Logits, float32 ``[N, A]``: the policy that ``evaluate`` takes."""
        return _forward(self.actor, self.encode(observations))

    def value(self, observations: Any) -> np.ndarray:
        """Values, float32 ``[N]``."""
        return _forward(self.critic, self.encode(observations))[:, 0]

    def act(
        self, observations: Any, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw an action for each robot.

        ``action = argmax(logit - log(exponential draw))``, as ``ActorCritic.act`` has it; the
        draws are others.

        Args:
            observations: ``[N, features]``.
            rng: Source of the draws.

        Returns:
            ``(actions int64 [N], log_probs float32 [N], values float32 [N])``.
        """
        read = self.encode(observations)
        logits = _forward(self.actor, read)
        actions = (logits - np.log(rng.standard_exponential(logits.shape))).argmax(axis=1)
        above = logits - logits.max(axis=1, keepdims=True)
        log_probs = above[np.arange(len(actions)), actions] - np.log(np.exp(above).sum(axis=1))
        return actions, log_probs, _forward(self.critic, read)[:, 0]


def _layers(weights: Mapping[str, np.ndarray], part: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weight and bias of each linear layer of a part, in order."""
    places = sorted(
        int(n.split(".")[1]) for n in weights if n.startswith(f"{part}.") and n.endswith(".weight")
    )
    if not places:
        raise ValueError(f"weights: expected {part}.0.weight and so on, got {list(weights)}")
    return [(weights[f"{part}.{i}.weight"], weights[f"{part}.{i}.bias"]) for i in places]


def _forward(layers: list[tuple[np.ndarray, np.ndarray]], x: np.ndarray) -> np.ndarray:
    """Linear layers with tanh between them."""
    for i, (weight, bias) in enumerate(layers):
        x = x @ weight.T + bias
        if i < len(layers) - 1:
            np.tanh(x, out=x)
    return x
