"""Run a notebook from top to bottom, and carry its outputs over."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from nbformat import NotebookNode

CELL_SECONDS = 600
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def execute_notebook(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Run a notebook top to bottom in a fresh kernel; progress and timing leave no trace.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell raised.
    """
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as scratch:
        os.environ["BURGERBOT_PROGRESS"] = str(Path(scratch) / "progress.json")
        try:
            client = NotebookClient(
                notebook,
                timeout=CELL_SECONDS,
                kernel_name=KERNEL["name"],
                resources={"metadata": {"path": str(folder)}},
                record_timing=False,
                store_widget_state=False,
                coalesce_streams=True,
            )
            client.execute()
        finally:
            del os.environ["BURGERBOT_PROGRESS"]
    notebook.metadata = {"kernelspec": dict(KERNEL)}
    return _without_widgets(notebook)


def with_outputs_of(before: NotebookNode, notebook: NotebookNode) -> NotebookNode | None:
    """The notebook with the outputs of an executed one, or None if their code differs."""
    ran, cells = (
        [cell for cell in book.cells if cell.cell_type == "code"] for book in (before, notebook)
    )
    if [cell.source for cell in ran] != [cell.source for cell in cells]:
        return None
    for old, new in zip(ran, cells, strict=True):
        new.outputs, new.execution_count = old.outputs, old.execution_count
    return notebook


def _without_widgets(notebook: NotebookNode) -> NotebookNode:
    """Drop live widgets, whose models end with the kernel; their still pictures stay."""
    live = "application/vnd.jupyter.widget-view+json"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if live not in o.get("data", {})]
    return notebook
