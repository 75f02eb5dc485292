"""What a ledger's record holds, and what is wrong with one that does not."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from burgerbot.learn import provenance

THROUGHPUT = ("simulate_only", "with_policy", "with_update")

#: Each field of a record, and what it has to be.
FIELDS = {
    "run": "a name",
    "config": "a mapping",
    "training_seeds": "a list of whole numbers, one or more",
    "evaluation_seeds": "a list of whole numbers",
    "strata": "a list of names",
    "steps": "a whole number, 0 or more",
    "moments_count": "a whole number, 0 or more, or None",
    "throughput": f"{', '.join(THROUGHPUT)}: steps per second, above 0, or None",
    "training_success": "stratum -> share from 0 to 1, or None",
    "success": "stratum -> share from 0 to 1, or None",
    "reset_reasons": "reason -> count, 0 or more",
    "versions": "name -> version",
    "commit": "a text, or None",
    "device": "a name",
    "peak_memory_mb": "a number above 0, or None",
    "notes": "a mapping",
}


def record(
    run: str,
    *,
    config: Any,
    training_seeds: Sequence[int],
    evaluation_seeds: Sequence[int],
    strata: Sequence[str],
    steps: int,
    success: Mapping[str, float | None],
    training_success: Mapping[str, float | None] | None = None,
    reset_reasons: Mapping[str, int] | None = None,
    throughput: Mapping[str, float | None] | None = None,
    moments_count: int | None = None,
    device: str = "cpu",
    peak_memory_mb: float | None = None,
    notes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Make a record of a run; versions, git commit and peak memory are looked up here.

    Args:
        run: A name for the run.
        config: Its settings: a mapping or a dataclass.
        training_seeds, evaluation_seeds: Seed families that it learned from, and that it was
            evaluated on.
        strata: Strata that it learned from.
        steps: Transitions that it learned from.
        success, training_success: Stratum -> share of deliveries on the evaluation seeds, and on
            the training seeds.
        reset_reasons: Why episodes ended -> how many.
        throughput: Steps per second, by ``THROUGHPUT``; None where it was not measured.
        moments_count: Rows that the policy's running moments have seen; None if it has none.
        device: Such as ``cpu`` or ``cuda:0 NVIDIA H200``.
        peak_memory_mb: Largest memory in use; that of this process if left out.
        notes: What else is worth keeping.

    Raises:
        ValueError, TypeError: As ``check`` does.
    """
    if dataclasses.is_dataclass(config) and not isinstance(config, type):
        config = dataclasses.asdict(config)
    return check(
        {
            "run": run,
            "config": config,
            "training_seeds": training_seeds,
            "evaluation_seeds": evaluation_seeds,
            "strata": strata,
            "steps": steps,
            "moments_count": moments_count,
            "throughput": {name: (throughput or {}).get(name) for name in THROUGHPUT}
            | dict(throughput or {}),
            "training_success": training_success or {},
            "success": success,
            "reset_reasons": reset_reasons or {},
            "versions": provenance.versions(),
            "commit": provenance.commit(),
            "device": device,
            "peak_memory_mb": peak_memory_mb or provenance.peak_memory_mb(),
            "notes": notes or {},
        }
    )


def check(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as plain numbers, texts, lists and dicts, or say what is wrong with it.

    Raises:
        ValueError: A field that is missing, unknown or out of range, or a number that is not
            finite; the message names it.
        TypeError: A value that JSON has no word for.
    """
    if not isinstance(record, Mapping):
        raise TypeError(f"record: expected a mapping, got {type(record).__name__}")
    missing = [name for name in FIELDS if name not in record]
    unknown = [str(name) for name in record if name not in FIELDS]
    if missing or unknown:
        raise ValueError(
            f"record: expected the fields {', '.join(FIELDS)}; "
            f"missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}"
        )
    whole = {name: _plain(record[name], name) for name in FIELDS}
    for name, value in whole.items():
        if not _fits(name, value):
            text = repr(value)
            text = text if len(text) < 80 else text[:77] + "..."
            raise ValueError(f"{name}: expected {FIELDS[name]}; got {text}")
    return whole


def _plain(value: Any, where: str) -> Any:
    """JSON's own types, all the way down."""
    if hasattr(value, "tolist"):  # arrays, tensors and their scalars
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{where}: expected a finite number, got {value}")
        return value
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise TypeError(f"{where}: expected names that are texts, got {name!r}")
        return {name: _plain(part, f"{where}.{name}") for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part, f"{where}[{i}]") for i, part in enumerate(value)]
    raise TypeError(
        f"{where}: expected numbers, texts, lists and mappings, got {type(value).__name__}"
    )


def _fits(name: str, value: Any) -> bool:
    """Whether a plain value is what ``FIELDS`` asks for."""
    if name in ("run", "device"):
        return isinstance(value, str) and bool(value.strip())
    if name == "commit":
        return value is None or isinstance(value, str)
    if name in ("training_seeds", "evaluation_seeds"):
        seeds = isinstance(value, list) and all(_whole(seed) for seed in value)
        return seeds and (name == "evaluation_seeds" or len(value) > 0)
    if name == "strata":
        return isinstance(value, list) and all(isinstance(part, str) for part in value)
    if name in ("steps", "moments_count"):
        return _whole(value) or (name == "moments_count" and value is None)
    if name == "peak_memory_mb":
        return value is None or (_number(value) and value > 0)
    if not isinstance(value, dict):
        return False
    parts = value.values()
    if name == "throughput":
        rates = all(part is None or (_number(part) and part > 0) for part in parts)
        return set(value) == set(THROUGHPUT) and rates
    if name in ("success", "training_success"):
        return all(part is None or (_number(part) and 0 <= part <= 1) for part in parts)
    if name == "reset_reasons":
        return all(_whole(part) for part in parts)
    if name == "versions":
        return all(isinstance(part, str) for part in parts)
    return True


def _number(value: Any) -> bool:
    """A number that is no truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _whole(value: Any) -> bool:
    """A whole number, 0 or more."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
