"""BurgerBot: a robot in a 7x7 kitchen, and a course on vectorized reinforcement learning.

Importing this package registers the environments with Gymnasium (if Gymnasium is there) and
loads nothing heavier, so that ``python3 -m burgerbot`` also works before anything is installed.
"""

import sys

__version__ = "0.1.0"

if sys.version_info >= (3, 11):  # noqa: UP036 (on an older Python, the command line says so)
    try:
        import gymnasium
    except ImportError:  # nothing installed yet: only the command line is needed
        pass
    else:
        from burgerbot.world.registration import register_envs

        register_envs()
        del gymnasium, register_envs
