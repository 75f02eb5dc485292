"""Tensors without values: what makes a host wait is seen, and what does not is not."""

import doctest

import pytest
import torch

from burgerbot.world import torch_fake
from burgerbot.world.torch_fake import DEVICES, HOST, READS, SHAPES, reason, waits

X, FLAGS = torch.ones(4), torch.tensor([True, False, True, False])
STATE, TABLE = torch.zeros(4, dtype=torch.int32), torch.arange(16, dtype=torch.int32)


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (lambda x, d, s, t: x.sum().item(), READS),
        (lambda x, d, s, t: 1 if d.any() else 0, READS),
        (lambda x, d, s, t: [bool(flag) for flag in d], READS),
        (lambda x, d, s, t: x.tolist(), READS),
        (lambda x, d, s, t: x.numpy(), READS),
        (lambda x, d, s, t: int(x[0]), READS),
        (lambda x, d, s, t: d.nonzero(), SHAPES),
        (lambda x, d, s, t: x[d], SHAPES),
        (lambda x, d, s, t: torch.where(d), SHAPES),
        (lambda x, d, s, t: x + torch.arange(4), DEVICES),
        (lambda x, d, s, t: x.cpu(), HOST),
        (lambda x, d, s, t: x.cpu().to(x.device), HOST),
        (lambda x, d, s, t: {"kept": [torch.empty(4)]}, HOST),
        (lambda x, d, s, t: torch.empty(4).copy_(x), HOST),
        (lambda x, d, s, t: t[s * 4 + s], None),
        (lambda x, d, s, t: torch.where(d, 0.0, x), None),
        (lambda x, d, s, t: x.copy_(x * 2 + 1), None),
        (lambda x, d, s, t: torch.stack([x, x.new_zeros(4)]), None),
        (lambda x, d, s, t: x * torch.tensor(4.0), None),
    ],
)
def test_what_waits(run, why):
    """Each kind by its name."""
    assert waits(run, X, FLAGS, STATE, TABLE) == why


def test_real_tensors_stay_as_they_are_and_other_errors_pass():
    """Nothing is computed, and a mistake that has nothing to do with waiting is raised."""
    x = torch.ones(3)
    assert waits(lambda world: world["a"][0].add_(5), {"a": (x, 1)}) is None
    assert x.tolist() == [1, 1, 1]
    with pytest.raises(KeyError):
        waits(lambda world: world["b"], {"a": x})
    assert reason(ValueError("no")) is None


def test_doctests():
    """The examples in the docstrings hold."""
    assert doctest.testmod(torch_fake).failed == 0
