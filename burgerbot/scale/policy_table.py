"""A trained policy as a look-up table in JSON, which a robot reads without any library.

One key for each observation, ``"row,col,heading,sensor"``; its value is a dict of the four action
names with 1.0 for the chosen one and 0.0 elsewhere. ``on_robot.py`` is the reader on the robot.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from burgerbot.world.rules import ACTIONS

PolicyTable = dict[str, dict[str, float]]
#: How many values row, column, heading and sensor of the classic kitchen have: 588 in all.
CLASSIC_SIZES = (7, 7, 4, 3)


def export_policy(
    policy: Any, path: str | Path | None = None, *, sizes: Sequence[int] = CLASSIC_SIZES
) -> PolicyTable:
    """Ask a policy about every observation, and write its choices down.

    Args:
        policy: A function of observations int64 ``[B, 4]`` that returns actions int ``[B]``, or an
            SB3 model, whose greedy action is taken. (SB3 normalizes no such observations, so that
            the model alone decides.)
        path: A JSON file to write; none if left out.
        sizes: How many values each of the four numbers has; an SB3 model knows its own.

    Returns:
        dict: The table, in the order of the observations.

    Raises:
        ValueError: Observations of another kind, or actions that are not ``[B]`` integers 0 to 3.

    >>> export_policy(lambda seen: seen[:, 2], sizes=(1, 1, 2, 1))["0,0,1,0"]["turn_left"]
    1.0
    """
    choose: Callable[[np.ndarray], Any] = policy
    if hasattr(policy, "predict"):
        sizes = getattr(policy.observation_space, "nvec", ())
        choose = lambda seen: policy.predict(seen, deterministic=True)[0]  # noqa: E731
    if len(sizes) != 4:
        raise ValueError("policy: expected one of the observations [row, col, heading, sensor]")
    seen = np.indices(tuple(sizes)).reshape(4, -1).T
    actions = np.asarray(choose(seen.copy()))
    if actions.shape != (len(seen),) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"policy: expected {len(seen)} integers, got shape {actions.shape}, {actions.dtype}"
        )
    if ((actions < 0) | (actions > 3)).any():
        raise ValueError(f"policy: expected actions 0 to 3, got {np.unique(actions).tolist()}")
    table = {
        ",".join(map(str, key)): {name: float(i == action) for i, name in enumerate(ACTIONS)}
        for key, action in zip(seen.tolist(), actions.tolist(), strict=True)
    }
    if path is not None:
        lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in table.items())
        Path(path).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8", newline="\n")
    return table


def load_policy(source: str | Path | Mapping[str, Mapping[str, float]]) -> np.ndarray:
    """Read a table back as an array of actions.

    Args:
        source: A JSON file, or the table itself.

    Returns:
        int64 ``[rows, cols, 4, 3]``: ``actions[tuple(observations.T)]`` acts for N robots.

    Raises:
        ValueError: A key is missing, is not four numbers, or has not one 1.0 among 0.0s.
    """
    table = source
    if not isinstance(source, Mapping):
        table = json.loads(Path(source).read_text(encoding="utf-8"))
    if not isinstance(table, Mapping) or not table:
        raise ValueError("table: expected a dict of observations, got none")
    keys = {key: _numbers(key) for key in table}
    sizes = tuple(int(n) + 1 for n in np.array(list(keys.values())).max(axis=0))
    actions = np.full(sizes, -1, dtype=np.int64)
    for key, place in keys.items():
        actions[place] = _choice(key, table[key])
    if (actions < 0).any():
        missing = ",".join(map(str, np.argwhere(actions < 0)[0].tolist()))
        raise ValueError(f"table: expected {actions.size} keys, got {len(table)}: no {missing!r}")
    return actions


def _numbers(key: str) -> tuple[int, ...]:
    """The four numbers of a key."""
    parts = key.split(",")
    if len(parts) != 4 or not all(part.isdecimal() and part.isascii() for part in parts):
        raise ValueError(f"table: expected keys such as '0,0,1,2', got {key!r}")
    return tuple(int(part) for part in parts)


def _choice(key: str, row: Mapping[str, float]) -> int:
    """The action that a row chooses."""
    if set(row) != set(ACTIONS) or sorted(row.values()) != [0.0, 0.0, 0.0, 1.0]:
        raise ValueError(f"table[{key!r}]: expected one 1.0 among {', '.join(ACTIONS)}, got {row}")
    return max(range(len(ACTIONS)), key=lambda action: row[ACTIONS[action]])
