"""How much PyTorch's graphs hold in memory: to see what a stored number drags along."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor


@contextmanager
def watch() -> Iterator[Callable[[], int]]:
    """Count the bytes that graphs made inside this context hold for a backward pass.

    A tensor that two operations save counts twice. What a graph holds is let go when ``backward``
    has run through it, or when nobody holds one of its results any more.

    Yields:
        A function without arguments that returns the bytes held now; it goes on counting down
        after the context has ended.

    >>> with watch() as held:
    ...     x = torch.ones(1000, requires_grad=True)
    ...     y = (x * x).sum()
    ...     before = held()
    ...     y = y.item()
    >>> before, held()
    (8000, 0)

    Source: https://pytorch.org/docs/stable/autograd.html#saved-tensors-default-hooks
    """
    total = 0

    class Saved:
        """A tensor that a graph holds."""

        def __init__(self, tensor: Tensor) -> None:
            nonlocal total
            # Detached: a tensor that knew its graph, held by that graph, would never be let go.
            self.tensor, self.bytes = tensor.detach(), tensor.nbytes
            total += self.bytes

        def __del__(self) -> None:
            nonlocal total
            total -= self.bytes

    def unpack(saved: Any) -> Tensor:
        return saved.tensor

    with torch.autograd.graph.saved_tensors_hooks(Saved, unpack):
        yield lambda: total
