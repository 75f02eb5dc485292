"""A course of one lesson with two exercises, for the tests of the course machine."""

import shutil
from pathlib import Path

LESSON = '''\
# %% [markdown] minutes=5
# # Tiny

# %% tags=["imports"]
import numpy as np

# %% tags=["given"]
def half(x):
    return x / 2

# %% [markdown]
# ## Exercise 01.1: Double a number
# | x | answer |
# |---|---|
# | 2 | 4 |

# %% tags=["exercise:01.1"] minutes=1 difficulty=1 seconds=2
def double(x):
    """Twice x."""
    # BEGIN SOLUTION
    return 2 * x
    # END SOLUTION

# %% tags=["check:01.1"]
1 + 1

# %% [markdown] tags=["hints:01.1"]
# 1. Add it to `x`,
#    once.
# 2. Multiply.

# %% [markdown]
# ## Exercise 01.2: Halve a number

# %% tags=["exercise:01.2"] minutes=2 difficulty=2
def halve(x):
    # BEGIN SOLUTION
    return half(x)
    # END SOLUTION

# %% tags=["check:01.2"]
2 + 2

# %% [markdown] tags=["hints:01.2"]
# 1. One.
# 2. Two.
# 3. Three.
'''

TEST_1 = '''\
from burgerbot.course.claims import equal

def test_doubles(answer):
    """Twice the number comes back."""
    equal(answer.double(3), 6, "twice means times two", where="x = 3")
    equal(answer.double(-1), -2, "negative numbers double too", where="x = -1")
'''

TEST_2 = '''\
from burgerbot.course.claims import close

def test_halves(answer):
    """Half the number comes back."""
    close(answer.halve(3), 1.5, "half means divided by two")
'''


def make(root: Path) -> Path:
    """Write the tiny course under ``root`` and return it."""
    here = Path(__file__).parent
    for folder in ("solutions", "burgerbot", "lessons", "tests/exercises", "tests/mutants"):
        (root / folder).mkdir(parents=True)
    (root / "solutions" / "01_tiny.py").write_text(LESSON)
    (root / "tests" / "exercises" / "test_01_1.py").write_text(TEST_1)
    (root / "tests" / "exercises" / "test_01_2.py").write_text(TEST_2)
    shutil.copy(here / "exercises" / "pytest.ini", root / "tests" / "exercises")
    (root / "pyproject.toml").write_text('[tool.burgerbot]\nrepository = "someone/fork"\n')
    (root / "README.md").write_text("a\n<!-- lessons -->\n<!-- /lessons -->\nb\n")
    return root
