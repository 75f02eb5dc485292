"""An actor and a critic: two small tanh networks over the same observation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burgerbot.learn.encoder import Encoder
from burgerbot.learn.networks import Possible, drawn, network

#: With at most so many possible observations, a CPU asks each of them once for a whole batch.
ASKED_ONCE = 1 << 16


class ActorCritic(Encoder):
    """Say how likely each action is, and what the observation is worth.

    Both read observations as ``Encoder`` puts them, and are networks of their own, as in
    Stable-Baselines3.

    Args:
        num_actions: A, of a ``Discrete`` action space.
        nvec, features: What the observations are, see ``Encoder``.
        hidden: Width of each hidden layer.
        seed: Of the first weights.

    Attributes:
        moments, width: See ``Encoder``; the moments are saved with the weights.
        possible: With ``nvec``, all observations that there can be; else None.

    Raises:
        ValueError: Neither or both of ``nvec`` and ``features``, or a size below 1.

    Source: Andrychowicz and others (2021), "What matters for on-policy deep actor-critic methods",
    for the small last layer of the actor.
    """

    def __init__(
        self,
        num_actions: int,
        *,
        nvec: Sequence[int] | None = None,
        features: int | None = None,
        hidden: Sequence[int] = (64, 64),
        seed: int = 0,
    ) -> None:
        super().__init__(nvec=nvec, features=features)
        if min(sizes := [num_actions, *hidden]) < 1:
            raise ValueError(f"expected sizes of 1 or more, got {sizes}")
        self.possible = None if self.nvec is None else Possible(self.nvec)
        draws = torch.Generator().manual_seed(seed)
        self.actor = network([self.width, *hidden, num_actions], 0.01, draws)
        self.critic = network([self.width, *hidden, 1], 1.0, draws)
        self.num_actions = int(num_actions)

    @classmethod
    def of(cls, envs: Any, hidden: Sequence[int] = (64, 64), seed: int = 0) -> ActorCritic:
        """Build the networks that fit a vector environment.

        Args:
            envs: A Gymnasium vector environment (``MultiDiscrete`` or one-axis ``Box``
                observations, ``Discrete`` actions), or one with ``num_actions`` and ``nvec`` or
                ``features``, as ``TorchBurgerBot`` has them.

        Raises:
            TypeError: Other spaces.
        """
        if hasattr(envs, "num_actions"):
            nvec, features = getattr(envs, "nvec", None), getattr(envs, "features", None)
            features = features if nvec is None else None
            return cls(envs.num_actions, nvec=nvec, features=features, hidden=hidden, seed=seed)
        seen, acts = envs.single_observation_space, envs.single_action_space
        nvec = getattr(seen, "nvec", None)
        box = nvec is None and hasattr(seen, "low") and len(seen.shape) == 1
        if not hasattr(acts, "n") or not (box or (nvec is not None and nvec.ndim == 1)):
            raise TypeError(
                "expected Discrete actions and MultiDiscrete or one-axis Box observations, "
                f"got {acts} and {seen}"
            )
        features = seen.shape[0] if box else None
        return cls(int(acts.n), nvec=nvec, features=features, hidden=hidden, seed=seed)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits ``[..., A]`` and values ``[...]`` of observations ``[..., features]``."""
        seen, place = self._questions(observations)
        read = self.encode(seen)
        logits, values = self.actor(read), self.critic(read).squeeze(-1)
        return (logits, values) if place is None else (logits[place], values[place])

    def logits(self, observations: Tensor) -> Tensor:
        """Logits ``[..., A]``."""
        seen, place = self._questions(observations)
        logits = self.actor(self.encode(seen))
        return logits if place is None else logits[place]

    def value(self, observations: Tensor) -> Tensor:
        """Values ``[...]``."""
        seen, place = self._questions(observations)
        values = self.critic(self.encode(seen)).squeeze(-1)
        return values if place is None else values[place]

    @torch.no_grad()
    def act(
        self, observations: Tensor, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Draw an action for each robot.

        The largest of ``logit - log(exponential draw)`` falls on each action as often as the
        softmax says, and nothing is read back to the host for it.

        Args:
            observations: ``[N, features]``.
            generator: Source of the draws, on the policy's device; None for torch's own.

        Returns:
            ``(actions int64 [N], log_probs [N], values [N])``, without a graph.
        """
        logits, values = self(observations)
        return drawn(logits, values, generator)

    @torch.no_grad()
    def acting(self, generator: torch.Generator, rows: int) -> Callable[[Any], Any]:
        """What ``collect`` takes: ``act`` as the policy is now, for some rows of observations.

        Where there are few possible observations, all of them are asked now and looked up later.

        Args:
            generator: Source of the draws.
            rows: About how many rows of observations there will be.
        """
        possible = self.possible
        if possible is None or self.asks(rows) == rows:
            return lambda seen: self.act(torch.as_tensor(seen, device=self.device), generator)
        logits, values = self(possible.rows)

        def act(seen: Any) -> tuple[Tensor, Tensor, Tensor]:
            place = possible.place(torch.as_tensor(seen))
            return drawn(logits[place], values[place], generator)

        return act

    @torch.no_grad()
    def greedy(self, observations: Tensor) -> Tensor:
        """The likeliest action of each robot, int64 ``[N]``."""
        return self.logits(observations).argmax(-1)

    def evaluate_actions(
        self, observations: Tensor, actions: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Say how likely actions are now, with a graph.

        Args:
            observations: ``[B, features]``.
            actions: int64 ``[B]``.

        Returns:
            ``(log_probs [B], entropy [B] in nats, values [B])``.
        """
        seen, place = self._questions(observations)
        read = self.encode(seen)
        every = self.actor(read).log_softmax(-1)
        entropy, values = -(every.exp() * every).sum(-1), self.critic(read).squeeze(-1)
        if place is None:
            return every.gather(-1, actions.unsqueeze(-1)).squeeze(-1), entropy, values
        log_probs = every.flatten().index_select(0, place * self.num_actions + actions)
        return log_probs, entropy.index_select(0, place), values.index_select(0, place)

    @torch.no_grad()
    def scores(self, observations: np.ndarray) -> np.ndarray:
        """Logits ``[N, A]`` of an array of observations: the policy that ``evaluate`` takes."""
        return self.logits(torch.as_tensor(observations, device=self.device)).cpu().numpy()

    def asks(self, rows: int) -> int:
        """How many observations the networks work out for a batch of so many rows.

        Whole numbers take few values: of ``[7, 7, 4, 3]`` there are 588 rows. A batch of twice as
        many or more asks for each possible row once, and looks the answers up; the sums are the
        same. Not on an accelerator: it would add up the gradients of the rows in no fixed order.
        """
        if self.possible is None or self.device.type != "cpu":
            return rows
        few = 2 * self.possible.count <= rows and self.possible.count <= ASKED_ONCE
        return self.possible.count if few else rows

    def _questions(self, observations: Tensor) -> tuple[Tensor, Tensor | None]:
        """What to ask the networks, and where the answer to each observation then lies, if anew."""
        rows = observations.numel() // self.features
        if self.possible is None or self.asks(rows) == rows:
            return observations, None
        return self.possible.rows, self.possible.place(observations)
