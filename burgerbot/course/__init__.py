"""The course machine: lessons built from one source each, exercises graded by their tests.

``from burgerbot.course import check, hint, solution, budget`` is all that a lesson needs; the start
page has ``progress``, ``save_work`` and ``restore_work`` too. They are loaded at first use, so that
the command line can start before anything is installed.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burgerbot.course.notebook import budget, check, hint, progress, solution
    from burgerbot.course.work import restore_work, save_work

__all__ = ["budget", "check", "hint", "progress", "restore_work", "save_work", "solution"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from burgerbot.course import notebook, work

    return getattr(work if name.endswith("_work") else notebook, name)
