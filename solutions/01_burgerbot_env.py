# %% [markdown] minutes=50
# # Meet BurgerBot: what is an environment?

# %% tags=["imports"]
import numpy as np

from burgerbot.course import check, hint
from burgerbot.world.kitchen import CLASSIC, MOVES

# %% [markdown]
# ## Exercise 01.1: Read the distance sensor
#
# The robot sees straight ahead, up to five cells.
#
# | clear cells ahead | reading |
# |---|---|
# | 0 or 1 | 0 |
# | 2 or 3 | 1 |
# | 4 or 5 | 2 |

# %% tags=["exercise:01.1"] minutes=8 difficulty=1
def sensor_reading(kitchen, row: int, col: int, heading: int) -> int:
    """Count the clear cells ahead, up to five, and halve: 0, 1 or 2."""
    # BEGIN SOLUTION
    clear = 0
    while clear < 5:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col):
            break
        clear += 1
    return clear // 2
    # END SOLUTION


# %% tags=["check:01.1"]
check("01.1")

# %% [markdown] tags=["hints:01.1"]
# 1. Start one cell ahead of the robot, not on it. `MOVES[heading]` is the step of one move.
# 2. Loop at most five times; stop at the first cell where `kitchen.is_clear` says no.
# 3. Halve the count with `//`: 5 clear cells give `5 // 2`, which is 2.
