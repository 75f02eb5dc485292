"""A ledger as a table: the facts of runs side by side, and what is wrong with them below."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burgerbot.learn import ledger
from burgerbot.learn.audit import audit

ACROSS = 4  # runs beside each other; the next ones follow below


def show(path: str | Path) -> str:
    """The ledger in this file, ready to print; lines that were skipped are named below.

    Raises:
        OSError: No such file, or none that can be read.
        ValueError: No record in it.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        records = ledger.read(path)
    skipped = [str(warning.message) for warning in caught]
    if not records:
        raise ValueError("\n".join(["no record in it", *skipped]))
    return "\n\n".join([table(records), *skipped])


def table(records: Sequence[dict[str, Any]]) -> str:
    """Records side by side, a row for each fact.

    Of the settings, those that differ are shown. ``0.95 > 0.93`` is the success on the training
    seeds and on the evaluation seeds; a dash stands for what was not measured.

    Args:
        records: As ``ledger.read`` returns them, one or more.
    """
    blocks = []
    for start in range(0, len(records), ACROSS):
        block = records[start : start + ACROSS]
        rows = {name: [row(record) for record in block] for name, row in _rows(records).items()}
        names, columns = list(rows), list(zip(*rows.values(), strict=True))
        widths = [max(map(len, column)) for column in columns]
        first = max(map(len, names))
        lines = [
            "  ".join(
                [name.ljust(first)]
                + [cell.rjust(width) for cell, width in zip(rows[name], widths, strict=True)]
            ).rstrip()
            for name in names
        ]
        blocks.append("\n".join(lines))
    found = [
        f"{record['run']}: {finding}" for record in records for finding in audit(record=record)
    ]
    return "\n\n".join([*blocks, *(["\n".join(found)] if found else [])])


def _rows(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Name of each row -> how a record fills it."""
    rows: dict[str, Any] = {
        "run": lambda r: r["run"],
        "training seeds": lambda r: str(len(set(r["training_seeds"]))),
        "evaluation seeds": lambda r: str(len(set(r["evaluation_seeds"]))),
        "steps": lambda r: f"{r['steps']:,}",
    }
    for name in ledger.THROUGHPUT:
        rows[f"{name.replace('_', ' ')}, steps/s"] = lambda r, n=name: _count(r["throughput"][n])
    for stratum in _names(records, "success", "training_success"):
        rows[f"success, {stratum}"] = lambda r, s=stratum: _success(r, s)
    rows["success, mean"] = _mean_success
    for reason in _names(records, "reset_reasons"):
        rows[f"resets, {reason}"] = lambda r, n=reason: _share(r["reset_reasons"], n)
    for name in _names(records, "config"):
        if len({repr(record["config"].get(name)) for record in records}) > 1:
            rows[f"config, {name}"] = lambda r, n=name: str(r["config"].get(n, "-"))
    for name in _names(records, "notes"):
        rows[name] = lambda r, n=name: _note(r["notes"].get(n))
    rows["device"] = lambda r: r["device"]
    rows["peak memory, MB"] = lambda r: _count(r["peak_memory_mb"])
    rows["commit"] = lambda r: r["commit"] or "-"
    for name in _names(records, "versions"):
        if len({record["versions"].get(name) for record in records}) > 1:
            rows[f"version, {name}"] = lambda r, n=name: r["versions"].get(n, "-")
    return rows


def _names(records: Sequence[dict[str, Any]], *fields: str) -> list[str]:
    """All names that occur in these fields, in the order in which they do."""
    return list(dict.fromkeys(name for r in records for field in fields for name in r[field]))


def _success(record: dict[str, Any], stratum: str) -> str:
    """Success on the training seeds, then on the evaluation seeds."""
    cells = (record[field].get(stratum) for field in ("training_success", "success"))
    return " > ".join("-" if cell is None else f"{cell:.2f}" for cell in cells)


def _mean_success(record: dict[str, Any]) -> str:
    """The mean over strata, of both."""
    cells = []
    for field in ("training_success", "success"):
        known = [share for share in record[field].values() if share is not None]
        cells.append(f"{sum(known) / len(known):.2f}" if known else "-")
    return " > ".join(cells)


def _share(reasons: dict[str, int], name: str) -> str:
    """How often, in percent of all."""
    total = sum(reasons.values())
    return f"{100 * reasons[name] / total:.1f} %" if total and name in reasons else "-"


def _count(value: float | None) -> str:
    """A whole number with commas."""
    return "-" if value is None else f"{value:,.0f}"


def _note(value: Any) -> str:
    """A note, short."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return "-" if value is None else str(value)
