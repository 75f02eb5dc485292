"""Would this code make the host wait for a device? Asked without one, by tensors without values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

#: PyTorch's device for tensors without values; here it stands for any that is not the host.
ELSEWHERE = torch.device("meta")

READS = (
    "a value is read back: `.item()`, `int()`, `.tolist()`, or an `if` on a tensor; the host waits"
)
SHAPES = (
    "the shape of a result depends on values (indexing by flags, `nonzero`); the host waits for it"
)
DEVICES = "a tensor was made on the host and meets one of the device: two devices"
HOST = "a tensor comes to the host (`.cpu()`, or made there and returned); the host waits for it"


class _Copied(Exception):
    """Something was copied to the host."""


class _Watch(TorchDispatchMode):
    """Refuse copies from the device to the host."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        sources = [*args, *(kwargs or {}).values()]
        away = any(isinstance(one, Tensor) and one.device == ELSEWHERE for one in sources)
        copies = "copy" in str(func)
        if away and copies and isinstance(result, Tensor) and result.device.type == "cpu":
            raise _Copied
        return result


def waits(run: Callable[..., Any], *arguments: Any) -> str | None:
    """Run code on a device that is not there, and say why the host would have to wait for it.

    Every tensor among the arguments becomes a fake one: shape, dtype and a device that is not the
    host, but no values. Code that needs a value cannot go on, and that is the answer. Nothing is
    computed.

    Args:
        run: Called with the arguments.
        *arguments: Tensors, or dicts, lists and tuples of them; anything else goes through.

    Returns:
        A sentence, or None if nothing waits.

    >>> waits(lambda x: x.sum(), torch.ones(3)) is None
    True
    >>> waits(lambda x: x.sum().item(), torch.ones(3)) == READS
    True
    """
    mode = FakeTensorMode()
    with mode, _Watch():
        fakes = [fake(mode, argument) for argument in arguments]
        try:
            result = run(*fakes)
        except Exception as error:
            why = reason(error)
            if why is None:
                raise
            return why
    return HOST if any(part.device != ELSEWHERE for part in _tensors(result)) else None


def fake(mode: FakeTensorMode, value: Any) -> Any:
    """The same with fake tensors that are elsewhere; call it inside the mode.

    Args:
        mode: Where the tensors live.
        value: A tensor, or a dict, list or tuple of such; else it is returned as it is.
    """
    if isinstance(value, Tensor):
        empty = torch.empty(value.shape, dtype=value.dtype, device=ELSEWHERE)
        return FakeTensor(mode, empty, ELSEWHERE)
    if isinstance(value, dict):
        return {name: fake(mode, part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [fake(mode, part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def reason(error: BaseException) -> str | None:
    """What a fake tensor's error says about waiting; None if it is an error of another kind."""
    name = type(error).__name__
    known = {
        "_Copied": HOST,
        "DataDependentOutputException": READS,
        "DynamicOutputShapeException": SHAPES,
        "FakeTensorDeviceMismatchError": DEVICES,
    }
    if name in known:
        return known[name]
    text = str(error)
    if "two devices" in text or "same device" in text or "device mismatch" in text:
        return DEVICES
    if ".numpy()" in text or "numpy is not" in text.lower() or "_local_scalar_dense" in text:
        return READS
    return None


def _tensors(value: Any) -> list[Tensor]:
    """All tensors in a result."""
    if isinstance(value, Tensor):
        return [value]
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(parts, (list, tuple)) or isinstance(value, dict):
        return [tensor for part in parts for tensor in _tensors(part)]
    return []
