"""The button that lets a learner choose a file of saved work, for ``restore_work``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from burgerbot.course.cards import NoteCard


def restore_button(restore: Callable[[bytes], str]) -> widgets.VBox:
    """A button to choose a file, and a line under it that says what came of it."""
    button = widgets.FileUpload(
        accept=".zip",
        multiple=False,
        description="Choose a work file",
        layout=widgets.Layout(width="14em"),
        tooltip="A file that save_work made, such as burgerbot-work-2030-01-31-1200.zip",
    )
    button.add_class("bb-upload")
    answer = widgets.HTML()
    answer.add_class("bb-restored")

    def chosen(_change: Any) -> None:
        for upload in button.value:
            try:
                said = restore(bytes(upload["content"]))
            except (ValueError, OSError) as error:
                said = f"{upload['name']}: {error}"
            answer.value = NoteCard(said)._repr_html_()

    button.observe(chosen, names="value")
    return widgets.VBox([button, answer])
