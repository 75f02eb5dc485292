"""Infos of N robots at once, taken apart: one dict a robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def split_infos(infos: Mapping[str, Any], num_envs: int) -> list[dict[str, Any]]:
    """Turn the infos of a Gymnasium vector environment into one dict a robot.

    Gymnasium reports a key as an array ``[N]`` beside a mask ``_key``: where the mask is False the
    robot reported nothing, and the number in the array stands for nothing. Such a robot does not
    get the key. A key without a mask, as some vector wrappers write, is everybody's.

    Args:
        infos: What ``step`` or ``reset`` returned; left as it is.
        num_envs: N.

    Returns:
        list: N dicts. Numbers come as Python's, rows of arrays as copies, nested infos as dicts.

    >>> split_infos({"hit": np.array([0, 7]), "_hit": np.array([False, True])}, 2)
    [{}, {'hit': 7}]
    """
    split: list[dict[str, Any]] = [{} for _ in range(num_envs)]
    holes: dict[bytes, list[int]] = {}  # the robots that a mask leaves out; most masks come often
    for key, values, mask in _columns(infos, num_envs):
        for info, value in zip(split, values, strict=False):
            info[key] = value
        if mask is None:
            continue
        code = mask.tobytes()
        if code not in holes:
            holes[code] = (~mask).nonzero()[0].tolist()
        for i in holes[code]:
            del split[i][key]
    return split


def pick_infos(
    infos: Mapping[str, Any], num_envs: int, rows: Sequence[int]
) -> list[dict[str, Any]]:
    """Do the same for a few robots, ``rows``."""
    picked: list[dict[str, Any]] = [{} for _ in rows]
    for key, values, mask in _columns(infos, num_envs):
        given = None if mask is None else mask.tolist()
        for info, i in zip(picked, rows, strict=True):
            if given is None or given[i]:
                info[key] = values[i]
    return picked


def _columns(infos: Mapping[str, Any], num_envs: int) -> Any:
    """Each key with its N values and its mask, None where it has none."""
    for key, value in infos.items():
        if key[:1] == "_" and key[1:] in infos:
            continue  # the mask of another key
        if type(value) is np.ndarray and value.shape[:1] == (num_envs,):
            values = value.tolist() if value.ndim == 1 else [row.copy() for row in value]
        elif isinstance(value, Mapping):
            values = split_infos(value, num_envs)
        else:
            values = [value] * num_envs  # said of all
        yield key, values, infos.get("_" + key)
