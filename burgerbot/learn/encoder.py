"""What the networks of a policy read: one-hot codes, or measurements on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.networks import moments_of

CLIP = 10.0


class Encoder(nn.Module):
    """Turn observations into numbers that a network learns from easily.

    Observations are whole numbers (``nvec``: each becomes a one-hot code) or measurements
    (``features``: each column is centred, scaled by ``moments`` and clipped at 10). The moments are
    part of the ``state_dict``.

    Args:
        nvec: How many values each number takes (``MultiDiscrete``), such as ``[7, 7, 4, 3]``.
        features: How many measurements there are (``Box`` of one axis). Give this or ``nvec``.

    Attributes:
        width: Columns of what the networks read.
        moments: ``RunningMoments`` of the measurements; None with ``nvec``. Frozen before they have
            seen anything, they leave measurements as they are, but for the clip.

    Raises:
        ValueError: Neither or both of ``nvec`` and ``features``, or a size below 1.

    >>> Encoder(nvec=[2, 3]).encode(torch.tensor([[1, 0]])).tolist()
    [[0.0, 1.0, 1.0, 0.0, 0.0]]
    """

    offset: Tensor
    scale: Tensor

    def __init__(self, *, nvec: Sequence[int] | None = None, features: int | None = None) -> None:
        super().__init__()
        if (nvec is None) == (features is None):
            raise ValueError(
                f"expected nvec or features, one of them, got nvec={nvec!r}, features={features!r}"
            )
        sizes = [int(size or 0) for size in ([features] if nvec is None else nvec)]
        if not sizes or min(sizes) < 1:
            raise ValueError(f"expected sizes of 1 or more, got {sizes}")
        self.nvec = None if nvec is None else sizes
        self.features = sizes[0] if nvec is None else len(sizes)
        self.width = sum(sizes)
        self.moments = RunningMoments((self.features,)) if nvec is None else None
        zeros = torch.zeros(self.features)
        if nvec is not None:  # where each one-hot code begins
            zeros = torch.tensor(np.cumsum([0, *sizes[:-1]]))
        self.register_buffer("offset", zeros, persistent=False)
        self.register_buffer("scale", torch.ones(self.features), persistent=False)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.scale.device

    def encode(self, observations: Tensor) -> Tensor:
        """What the networks read: one-hot codes, or measurements on one scale.

        Args:
            observations: ``[..., features]``, whole numbers with ``nvec``.

        Returns:
            float32 ``[..., width]``.
        """
        if self.nvec is None:
            return ((observations - self.offset) * self.scale).clamp(-CLIP, CLIP)
        codes = self.scale.new_zeros((*observations.shape[:-1], self.width))
        return codes.scatter_(-1, observations.long() + self.offset, 1.0)

    def update_moments(self, observations: Any) -> None:
        """Take measurements ``[..., features]``, array or tensor, into ``moments``.

        The policy changes by it: call it between updates, never between acting and learning.
        With ``nvec`` nothing happens.
        """
        if self.moments is None:
            return
        if isinstance(observations, Tensor):
            self.moments.merge(moments_of(observations))
        else:
            self.moments.update(observations)
        self._mirror()

    def get_extra_state(self) -> dict[str, Any] | None:
        """The moments, for ``state_dict``."""
        return None if self.moments is None else self.moments.state_dict()

    def set_extra_state(self, state: dict[str, Any] | None) -> None:
        """Take the moments over from a ``state_dict``."""
        if self.moments is not None and state is not None:
            self.moments.load_state_dict(state)
            self._mirror()

    def _mirror(self) -> None:
        """Copy the moments to where the networks are, in float32; a constant column becomes 0."""
        assert self.moments is not None
        if not self.moments.count:
            return
        std = np.sqrt(self.moments.var)
        scale = np.divide(1.0, std, out=np.zeros_like(std), where=std > 0)
        self.offset.copy_(torch.as_tensor(self.moments.mean))
        self.scale.copy_(torch.as_tensor(scale))
