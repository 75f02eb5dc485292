"""What the policy is built from: tanh networks, draws, and tables of what can be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from burgerbot.learn.moments import RunningMoments


def network(sizes: list[int], gain: float, draws: torch.Generator) -> nn.Sequential:
    """Linear layers with tanh between them, orthogonal weights and no bias at first."""
    layers: list[nn.Module] = []
    for i, (into, out) in enumerate(pairwise(sizes)):
        last = i == len(sizes) - 2
        linear = nn.Linear(into, out)
        nn.init.orthogonal_(linear.weight, gain if last else 2**0.5, generator=draws)
        nn.init.zeros_(linear.bias)
        layers += [linear] if last else [linear, nn.Tanh()]
    return nn.Sequential(*layers)


def moments_of(rows: Tensor) -> RunningMoments:
    """Moments of rows on any device: two sums there, one read back."""
    rows = rows.reshape(-1, rows.shape[-1])
    rows = (rows.cpu() if rows.device.type == "mps" else rows).double()
    mean = rows.mean(0)
    m2 = (rows - mean).square().sum(0)
    found = RunningMoments((rows.shape[-1],))
    sums = torch.stack([mean, m2]).tolist()
    parts = {"mean": sums[0], "rest": [0.0] * len(sums[0]), "m2": sums[1]}
    found.load_state_dict({"count": len(rows), **parts})
    return found


def drawn(
    logits: Tensor, values: Tensor, generator: torch.Generator | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Actions by the logits ``[N, A]``, with their log-probabilities and the values."""
    race = torch.empty_like(logits).exponential_(generator=generator).log_()
    actions = (logits - race).argmax(-1)
    log_probs = logits.log_softmax(-1).gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    return actions, log_probs, values


class Possible:
    """All rows of whole numbers that a ``MultiDiscrete`` space holds.

    Attributes:
        count: How many there are.

    >>> possible = Possible([2, 3])
    >>> possible.rows.tolist()
    [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    >>> int(possible.place(torch.tensor([1, 2])))
    5
    """

    def __init__(self, nvec: Sequence[int]) -> None:
        self._nvec = list(nvec)
        self.count = math.prod(self._nvec)

    @property
    def rows(self) -> Tensor:
        """int64 ``[count, columns]``."""
        every = torch.cartesian_prod(*map(torch.arange, self._nvec))
        return every.view(-1, len(self._nvec))

    def place(self, observations: Tensor) -> Tensor:
        """Which of the rows each observation ``[..., columns]`` is, int64 ``[...]``."""
        place = observations[..., 0].long()
        for column, size in enumerate(self._nvec[1:], 1):
            place = place * size + observations[..., column]
        return place
