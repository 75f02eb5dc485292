"""The ledger: one line for each run, added at the end and never changed."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burgerbot.learn.ledger_record import FIELDS as FIELDS
from burgerbot.learn.ledger_record import THROUGHPUT as THROUGHPUT
from burgerbot.learn.ledger_record import check as check
from burgerbot.learn.ledger_record import record as record


class LedgerWarning(UserWarning):
    """A line of a ledger that cannot be read, and was skipped."""


def append(path: str | Path, record: Mapping[str, Any]) -> None:
    """Add a record at the end of a ledger, and make the file if there is none.

    The line is written by one call on a file opened for appending, so that several programs can
    write to one ledger. Where a crash has left a torn line, the record begins on a new one.

    Args:
        path: The ledger, a file of JSON lines.
        record: What ``record`` returns.

    Raises:
        ValueError, TypeError: As ``check`` does; the ledger stays as it was.
        OSError: The line could not be written whole.
    """
    line = json.dumps(check(record), allow_nan=False).encode() + b"\n"
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags, 0o666)
    try:
        end = os.lseek(file, 0, os.SEEK_END)
        if end:
            os.lseek(file, end - 1, os.SEEK_SET)
            if os.read(file, 1) != b"\n":
                line = b"\n" + line
        written = os.write(file, line)
        if written != len(line):
            raise OSError(f"{path}: expected to write {len(line)} bytes, wrote {written}")
        os.fsync(file)
    finally:
        os.close(file)


def read(path: str | Path) -> list[dict[str, Any]]:
    """Read the records of a ledger, the oldest first.

    A line that is no record is skipped with a ``LedgerWarning``: a crash may have torn it.

    Raises:
        FileNotFoundError: No such file.
    """
    records = []
    for number, line in enumerate(Path(path).read_bytes().split(b"\n"), start=1):
        if line.strip():
            try:
                records.append(check(json.loads(line.decode())))
            except (ValueError, TypeError) as error:
                warnings.warn(
                    f"{path}, line {number}: skipped, it is no record ({error})",
                    LedgerWarning,
                    stacklevel=2,
                )
    return records
