# %% [markdown] tags=["page"]
# # Start here
#
# BurgerBot is a robot that carries burgers through a kitchen. In this course you build its world,
# run thousands of it at once, and train it, until the best bot that there can be is yours. This
# page shows how a lesson works, what to do when you are stuck, and how to keep your work.
#
# First: [01 · Meet BurgerBot](01_burgerbot_env.ipynb)

# %% [markdown]
# ## How a lesson works
#
# A lesson is a **notebook**: text, and between it grey **cells** of code. Click into a cell and
# press Shift and Enter: the cell runs, what it gives appears below it, and the next cell is yours.
# Try it with this one.

# %%
from burgerbot.course import progress, restore_work, save_work

print("This cell has run. Its names are there for the cells below.")

# %% [markdown]
# Go from top to bottom, and run every cell. A star in the brackets, `[*]`, means that the cell is
# still at work. Then a lesson asks four things of you.
#
# - **Predict**: say a number or a word aloud, or write it down, *before* you run the next cell.
#   You will remember what surprised you.
# - **An exercise** is a function whose body says `raise NotImplementedError("01.1")`. Read what it
#   must do, write your own lines in the place of that one, and run the cell.
# - **A check**, `check("01.1")`: run it. A card says passed, or what is not right yet: what was
#   expected, what yours gave, and for which robot and step.
# - **Try it yourself**: play. Nothing there is graded.
#
# Lessons follow one another, and each one takes about an hour. The exercises of a lesson do not
# need each other: if one does not yield, go on, and come back. Where a later cell needs a function
# that you have not written, it stops with `NotImplementedError` and the exercise's number.

# %% [markdown]
# ## When you are stuck
#
# 1. Read the card again. It names what went wrong and shows the smallest case in which it does.
#    Take that case, and work it out on paper.
# 2. Ask for a hint: `hint("01.1")` in a new cell (press Esc, then B). Each call says a little
#    more. The next one is also folded away at the foot of the card.
# 3. Print. Shapes first: most slips in this course are a wrong axis.
# 4. Look at the answer: `solution("01.1", force=True)`. Then close it, and write it yourself.
#    After a pass, `solution("01.1")` opens without more ado: compare.
#
# | what happens | what helps |
# |---|---|
# | `NameError: name 'np' is not defined` | run the lesson from its first cell: the imports |
# | a cell does not end | the square button at the top stops it |
# | an answer acts as before your change | run its cell again: `check` sees what *ran* |
# | all is in disorder | Kernel, Restart Kernel and Run up to Selected Cell |
# | a lesson is spoilt | in a terminal, `python3 -m burgerbot build 01 --no-execute`: see below |
# | `[*]` everywhere, and nothing moves | Kernel, Restart Kernel |
# | a word that you do not know | look into the [glossary](glossary.ipynb) |
#
# A spoilt lesson is put aside, not thrown away: you get a fresh `01_burgerbot_env.ipynb`, and what
# was there is kept beside it as `01_burgerbot_env-before-build.ipynb`. Your progress stays.

# %% [markdown]
# ## How far you are
#
# Run this cell whenever you like. In a terminal, `python3 -m burgerbot progress` shows the same,
# and `python3 -m burgerbot grade` grades all that you have saved.

# %%
progress()

# %% [markdown]
# ## Take your work along
#
# On your own machine your work lies in the folder of the course, and stays there. **Binder forgets
# everything** some minutes after you leave. So before you go: save your notebooks (Ctrl and S, on
# a Mac Cmd and S, in each), run the next cell, and click its link. It downloads one small file
# with every notebook that you have changed, and your progress.

# %%
save_work()

# %% [markdown]
# When you come back, on any machine: run the next cell, press its button, and choose that file.
# Nothing of yours is lost by it: a notebook in which you have done *other* work since stays as it
# is, and the answer says so. If you want the saved one in its place, the answer says how; what was
# there before is then kept beside it.

# %%
restore_work()

# %% [markdown]
# ## The lessons
#
# Each lesson asks one question.
#
# <!-- lessons -->
# <!-- /lessons -->
#
# You need Python and NumPy, and no knowledge of reinforcement learning: the words come one by one,
# and all of them stand in the [glossary](glossary.ipynb). After the last lesson,
# [where next](15_where_next.ipynb) looks back and ahead.
#
# Next: [01 · Meet BurgerBot](01_burgerbot_env.ipynb)
