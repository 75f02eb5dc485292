"""Lines of cells, one under the other: how panels print themselves."""

from __future__ import annotations

from collections.abc import Sequence


def columns(lines: Sequence[Sequence[str]]) -> str:
    """Set cells in columns, the first to the left, the others to the right.

    Args:
        lines: Rows of as many cells each.

    >>> print(columns([("fault", "all"), ("slip", "0.5")]))
    fault  all
    slip   0.5
    """
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    return "\n".join(
        "  ".join(
            [line[0].ljust(first)]
            + [cell.rjust(width) for cell, width in zip(line[1:], others, strict=True)]
        )
        for line in lines
    )
