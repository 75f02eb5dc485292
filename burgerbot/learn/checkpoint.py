"""Checkpoints: everything that a training run needs to go on as if nothing had happened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from burgerbot.learn.rollout import Carry, begin

if TYPE_CHECKING:
    from burgerbot.learn.ppo import Training

FORMAT = 1


def save(path: str | Path, run: Training, envs: Any, settings: dict[str, Any]) -> None:
    """Write a checkpoint; at every moment the file is whole, the old one or the new.

    Args:
        path: The file; it is written beside itself and then renamed.
        run: The training run.
        envs: Its environments; their ``state_dict()`` is kept if they have one.
        settings: What a run that goes on from here has to agree with.
    """
    state = {
        "format": FORMAT,
        "settings": settings,
        "policy": run.policy.state_dict(),
        "optimizer": run.optimizer.state_dict(),
        "objective": run.objective.state_dict(),
        "generator": run.generator.get_state(),
        "carry": run.carry._asdict(),
        "envs": envs.state_dict() if hasattr(envs, "state_dict") else None,
        "steps": run.steps,
        "updates": run.updates,
        "history": run.history,
    }
    path = Path(path)
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("wb") as file:
            torch.save(_packed(state), file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def load(path: str | Path, device: Any = "cpu") -> dict[str, Any]:
    """Read a checkpoint. No code in the file is run (``weights_only=True``).

    Raises:
        ValueError: The file is no checkpoint of this course.
    """
    try:
        state = _unpacked(torch.load(path, map_location=device, weights_only=True))
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path}: expected a checkpoint, got a file torch cannot read") from error
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ValueError(f"{path}: expected a checkpoint of format {FORMAT}, got another file")
    return state


def restore(path: str | Path, run: Training, envs: Any, settings: dict[str, Any]) -> None:
    """Bring a training run to where a checkpoint was written.

    Args:
        path: The file.
        run: A new run, changed in place.
        envs: Its environments; without a ``state_dict`` they begin new episodes.
        settings: What the checkpoint has to agree with.

    Raises:
        ValueError: The file is no checkpoint, or one of other settings; they are named.
    """
    state = load(path, run.policy.device)
    for name, wanted in settings.items():
        got = state["settings"].get(name)
        if got != wanted:
            raise ValueError(f"{path}: {name}: expected {wanted}, got a checkpoint of {got}")
    run.policy.load_state_dict(state["policy"])
    run.optimizer.load_state_dict(state["optimizer"])
    run.objective.load_state_dict(state["objective"])
    run.generator.set_state(state["generator"].cpu())
    run.steps, run.updates, run.history = state["steps"], state["updates"], state["history"]
    if state["envs"] is not None and hasattr(envs, "load_state_dict"):
        envs.load_state_dict(state["envs"])
        run.carry = Carry(**state["carry"])
    else:
        fresh = np.random.SeedSequence([settings.get("seed", 0), run.updates])
        run.carry = begin(envs, int(fresh.generate_state(1)[0]))


def _packed(tree: Any) -> Any:
    """Arrays as bytes with their dtype and shape, which ``weights_only`` lets through."""
    if isinstance(tree, dict):
        return {name: _packed(part) for name, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(_packed(part) for part in tree)
    if isinstance(tree, np.ndarray):
        flat = torch.frombuffer(bytearray(tree.tobytes()), dtype=torch.uint8) if tree.size else None
        return {"array": flat, "dtype": tree.dtype.str, "shape": list(tree.shape)}
    return tree.item() if isinstance(tree, np.generic) else tree


def _unpacked(tree: Any) -> Any:
    """What ``_packed`` packed."""
    if isinstance(tree, dict):
        if set(tree) == {"array", "dtype", "shape"}:
            data = b"" if tree["array"] is None else tree["array"].cpu().numpy().tobytes()
            return np.frombuffer(data, dtype=tree["dtype"]).reshape(tree["shape"]).copy()
        return {name: _unpacked(part) for name, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(_unpacked(part) for part in tree)
    return tree
