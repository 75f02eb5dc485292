"""A trained SB3 model and the statistics that it was trained with: one folder, kept together."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import stable_baselines3
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import VecEnv, VecNormalize

POLICY, STATISTICS, LIST = "policy.zip", "statistics.pkl", "contents.json"


def save_trained(model: BaseAlgorithm, folder: str | Path) -> None:
    """Save a model, and the ``VecNormalize`` that it was trained through if there is one.

    Args:
        model: Any SB3 model with its environment.
        folder: Where to; made if it is missing. A list with checksums is written last, so that
            files of two different runs are not taken for one.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LIST).unlink(missing_ok=True)
    (folder / STATISTICS).unlink(missing_ok=True)
    model.save(folder / POLICY)
    names, normalizer = [POLICY], model.get_vec_normalize_env()
    if normalizer is not None:
        normalizer.save(str(folder / STATISTICS))
        names.append(STATISTICS)
    contents = {
        "algorithm": type(model).__name__,
        "version": stable_baselines3.__version__,
        "files": {name: _checksum(folder / name) for name in names},
    }
    (folder / LIST).write_text(json.dumps(contents, indent=1) + "\n", encoding="utf-8")


def load_trained(folder: str | Path, envs: VecEnv) -> tuple[Any, VecEnv]:
    """Load a model, and put its statistics, frozen, in front of ``envs``.

    Load only what you trust: the statistics are a pickle, and a pickle can run any code.

    Args:
        folder: What ``save_trained`` wrote.
        envs: Environments without a normalizer, of the kind that the model was trained on.

    Returns:
        ``(model, envs)``: the model, whose environment is the second. Where there are statistics,
        that is a ``VecNormalize`` with ``training=False`` and ``norm_reward=False``: evaluation
        moves no statistics, and rewards are the environment's own.

    Raises:
        FileNotFoundError: The folder is not complete.
        ValueError: Its files do not belong together.
    """
    folder = Path(folder)
    if not (folder / LIST).exists():
        raise FileNotFoundError(f"{folder}: expected {LIST}, found none: was it saved to the end?")
    contents = json.loads((folder / LIST).read_text(encoding="utf-8"))
    for name, checksum in contents["files"].items():
        if not (folder / name).exists():
            raise FileNotFoundError(f"{folder}: expected {name}, which the model was saved with")
        if _checksum(folder / name) != checksum:
            raise ValueError(f"{folder / name}: expected the file that {LIST} lists, got another")
    if STATISTICS in contents["files"]:
        envs = VecNormalize.load(str(folder / STATISTICS), envs)
        envs.training = envs.norm_reward = False
    algorithm = getattr(stable_baselines3, contents["algorithm"])
    return algorithm.load(folder / POLICY, env=envs, device="cpu"), envs


def _checksum(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
