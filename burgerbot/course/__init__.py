"""The course machine: lessons built from one source each, exercises graded by their tests.

``from burgerbot.course import check, hint, solution, budget`` is all that a notebook needs; they
are loaded at first use, so that the command line can start before anything is installed.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burgerbot.course.notebook import budget, check, hint, solution

__all__ = ["budget", "check", "hint", "solution"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from burgerbot.course import notebook

    return getattr(notebook, name)
