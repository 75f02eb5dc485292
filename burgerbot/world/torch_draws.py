"""The draws of ``draws`` on a device, to the bit, in whole numbers only.

PyTorch's int64 holds the same 64 bits as uint64: sums and products wrap around alike, and a shift
to the right becomes uint64's with a mask. So a robot draws what its scalar twin draws, on any
device and in a batch of any size. A generator of the device would promise neither.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from burgerbot.world import draws

BITS = 53  # of a uniform draw
MOST = 1 << 8  # choices that ``below`` can draw from without overflow


def _signed(word: int) -> int:
    """The int64 with the bits of this uint64."""
    return word - (1 << 64) if word >> 63 else word


#: What a stream's word grows by from one draw to the next.
GOLDEN = _signed(draws.GOLDEN)
_FIRST, _SECOND = _signed(0xBF58476D1CE4E5B9), _signed(0x94D049BB133111EB)


def plant(words: Tensor, keys: np.ndarray, given: np.ndarray | None, rows: Tensor) -> None:
    """Begin streams anew, in place.

    Args:
        words: int64 ``[N]``, the streams' words: each is its key before the first draw, and a
            draw adds ``GOLDEN`` first.
        keys: uint64 ``[N]``, of ``draws.stream``.
        given: bool ``[N]``, which robots have a key; None means all.
        rows: bool ``[N]`` on the device, which robots are to begin anew if they have one.
    """
    if given is not None:
        rows = rows & torch.as_tensor(given, device=words.device)
    new = torch.as_tensor(keys.view(np.int64), device=words.device)
    words.copy_(torch.where(rows, new, words))


def bits(word: Tensor) -> Tensor:
    """The draw that belongs to a word: ``draws.uniform`` times ``2**53``.

    ``word += golden;  bits(word) * 2**-53 == draws.uniform(key, n)`` for n = 0, 1, ...

    Args:
        word: int64 ``[N]``.

    Returns:
        int64 ``[N]``, 0 to ``2**53 - 1``.

    Source: SplitMix64, Steele, Lea and Flood (2014), "Fast splittable pseudorandom number
    generators".
    """
    word = (word ^ _shifted(word, 30)) * _FIRST
    word = (word ^ _shifted(word, 27)) * _SECOND
    return _shifted(word ^ _shifted(word, 31), 64 - BITS)


def threshold(probability: float) -> int:
    """The number that ``bits`` is below with this probability.

    ``bits(word) < threshold(p)`` is ``draws.uniform(key, n) < p``, without a float on the device.
    """
    return math.ceil(probability * 2**BITS)


def below(word: Tensor, count: Tensor) -> Tensor:
    """Draw a number from 0 to ``count - 1``: ``int(draws.uniform(key, n) * count)``.

    Args:
        word: int64 ``[N]``.
        count: int64 ``[N]``, 1 to ``MOST``.

    Returns:
        int64 ``[N]``.
    """
    return portion(bits(word), count)


def portion(draw: Tensor, count: Tensor) -> Tensor:
    """The whole part of ``(draw * 2**-53) * count``, as float64 numbers give it.

    Their product is rounded, which once in ``2**45`` draws or so lifts it to the next whole
    number; so half a unit in its last place is added here before the cut.
    """
    product = draw * count
    whole = product >> BITS
    half = whole | whole >> 1
    half = half | half >> 2
    half = half | half >> 4
    return (product + ((half + 1) >> 1)) >> BITS


def _shifted(word: Tensor, by: int) -> Tensor:
    """Shift to the right and fill with zeros, as uint64 does."""
    return (word >> by) & ((1 << (64 - by)) - 1)
