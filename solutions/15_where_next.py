# %% [markdown] tags=["page"]
# # Where next?
#
# You have come to the end. This page looks back at what you built, helps you to check that nothing
# was left out, and says where to go from here.

# %% [markdown]
# ## What stands
#
# Run this cell. What is not green yet is worth another evening.

# %%
from burgerbot.course import progress, save_work

progress()

# %% [markdown]
# ## What you built
#
# | | you wrote | and now you know |
# |---|---|---|
# | [01] | an environment that two checkers accept | what `reset` and `step` promise |
# | [02] | the exact optimum | that a reward can ask for something else than you meant |
# | [03] | a factory, seeds, batches | why one robot at a time is slow |
# | [04] | the mask of valid transitions | where the last observation of an episode goes |
# | [05] | a step that survives a dead worker | when processes pay, and when they do not |
# | [06] | N robots in one line of NumPy | that a small world is a table, and a step a look-up |
# | [07] | moments that run, merge and freeze | how an evaluation can change what it measures |
# | [08] | rollouts, returns, advantages | how good a step was, and when more robots help |
# | [09] | training with SB3, an adapter | which settings hang together |
# | [10] | PPO, line by line | what each line is for, and when an update should stop |
# | [11] | average reward | that the fault may lie in the objective, not in the learner |
# | [12] | workers on several machines | what stale weights cost |
# | [13] | an account of a rollout, a panel | how many lessons a million samples teach |
# | [14] | a world on the GPU | how far one chip goes, and what reading one value back costs |

# %% [markdown]
# ## Three habits to keep
#
# **Know the best first.** Wherever a problem is small enough, work out the exact optimum, and
# report what you learn as a percentage of it. "The reward went up" is no result.
#
# **Keep three claims apart.** That it is fast, that it learns, and that it holds up where it was
# not trained are three statements, and each needs a measurement of its own.
#
# **Test against a slow twin.** Each fast thing in this course has a slow one that says the same,
# to the bit. Write the slow one first, and keep it.

# %% [markdown]
# ## Where to go
#
# - **Make it yours.** `import burgerbot` registers the environments anywhere, so your own code can
#   use them: `gym.make("BurgerBot-v1")`, `gym.make_vec("BurgerBotKitchens-v0", 512)`. Give the
#   robot a battery, or a second robot to avoid.
# - **Continuous actions.** Wheels do not turn by quarters. [MuJoCo's tasks in
#   Gymnasium](https://gymnasium.farama.org/environments/mujoco/) need a Gaussian policy; the rest
#   of your PPO stays.
# - **Pixels.** [The Arcade Learning Environment](https://ale.farama.org/) has hundreds of games;
#   here the vector environment comes in C++.
# - **Partial sight.** [Minigrid](https://minigrid.farama.org/) shows the robot a small window only:
#   a policy needs memory.
# - **Read good code.** [CleanRL](https://docs.cleanrl.dev/) keeps each algorithm in one file.
# - **The books.** Sutton and Barto, [*Reinforcement Learning: An
#   Introduction*](http://incompleteideas.net/book/the-book-2nd.html); Puterman, *Markov Decision
#   Processes*, for the proofs behind lessons 02 and 11.
# - **The craft.** Huang and others (2022), [The 37 implementation details of
#   PPO](https://iclr-blog-track.github.io/2022/03/25/ppo-implementation-details/); Henderson and
#   others (2018), [Deep reinforcement learning that matters](https://arxiv.org/abs/1709.06560).
#
# Found something that could be better? `CONTRIBUTING.md` shows how to add an exercise in five
# steps.

# %% [markdown]
# ## Take it along
#
# One file with all that you have written:

# %%
save_work()

# %% [markdown]
# Back to the [start](00_start_here.ipynb) · [Glossary](glossary.ipynb)
