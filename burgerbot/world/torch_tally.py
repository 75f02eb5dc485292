"""Statistics of each robot, kept on its device."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from burgerbot.world.rules import CRASHED, DELIVERED


class Tally(NamedTuple):
    """What N robots did since the last reset of all; each ``[N]``.

    Nothing in it overflows: the counts are int64, and the sums float64 (float32 on mps, which has
    no float64).

    Attributes:
        running_return: float: what the episode under way has paid so far, shaping included.
        return_sum: float: what all finished episodes paid.
        length_sum: int64: the steps of all finished episodes.
        finished: int64: finished episodes. One that a masked reset breaks off is not counted.
        delivered, crashed: int64: deliveries and crashes, on an endless shift too. What was
            neither ran into the step limit.
    """

    running_return: Tensor
    return_sum: Tensor
    length_sum: Tensor
    finished: Tensor
    delivered: Tensor
    crashed: Tensor


def empty(num_envs: int, device: torch.device) -> Tally:
    """The tally of N robots that have done nothing yet."""
    floats = torch.float32 if device.type == "mps" else torch.float64
    dtypes = [floats] * 2 + [torch.int64] * 4
    return Tally(*(torch.zeros(num_envs, dtype=dtype, device=device) for dtype in dtypes))


def count(tally: Tally, reward: Tensor, outcome: Tensor, length: Tensor, done: Tensor) -> Tensor:
    """Write one step down, in place.

    Args:
        tally: Of the N robots.
        reward: What the step paid, ``[N]``.
        outcome: What happened, ``[N]``.
        length: Steps of the episode, this one included, ``[N]``.
        done: Whether the episode ends here, bool ``[N]``.

    Returns:
        What the episode has paid, this step included, ``[N]``.
    """
    # Products and sums in place: on a CPU, choices and temporaries would take most of the time.
    ended = done.to(tally.running_return.dtype)
    paid = tally.running_return + reward.to(ended.dtype)
    tally.return_sum.addcmul_(paid, ended)
    tally.running_return.copy_(paid).addcmul_(paid, ended, value=-1)
    tally.length_sum.add_(length * done.to(length.dtype))
    tally.finished.add_(done)
    tally.delivered.add_(outcome == DELIVERED)
    tally.crashed.add_(outcome == CRASHED)
    return paid


def restart(tally: Tally, rows: Tensor | None) -> None:
    """Begin anew: all of it, or (bool ``[N]``) the episodes under way of these robots."""
    if rows is None:
        for record in tally:
            record.zero_()
    else:
        tally.running_return.masked_fill_(rows, 0)
