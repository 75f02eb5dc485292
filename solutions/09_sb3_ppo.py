# %% [markdown] minutes=60
# # 09 · SB3's PPO: how do I train it with the library everyone uses?
#
# In this lesson you train BurgerBot with Stable-Baselines3 until it drives the shortest delivery
# there is, and put the result onto a robot that has no Python library at all.
#
# Afterwards you can
#
# 1. give SB3 N robots, in one process or in many, or all in one array;
# 2. choose the batch, count in transitions, and save a policy with all that it needs;
# 3. say where the time of a training goes, and how far several runs lie apart.
#
# **Time** about 60 minutes. **You need** lessons [04](04_autoreset.ipynb),
# [07](07_running_moments.ipynb) and [08](08_rollouts_and_advantages.ipynb). **The machine** can be
# any laptop: two cells train for longer, one of them for some minutes, with a progress bar.
#
# Previous: [08 · Rollouts and advantages](08_rollouts_and_advantages.ipynb) · Next:
# [10 · PPO by hand](10_ppo_by_hand.ipynb)

# %% [markdown]
# This cell brings in what the lesson uses. It loads PyTorch, which takes some seconds. Run it
# first.

# %% tags=["imports"]
import json
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    SubprocVecEnv,
    VecEnv,
    VecMonitor,
    VecNormalize,
)
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tqdm.auto import tqdm

from burgerbot import show
from burgerbot.course import budget, check, hint, solution
from burgerbot.scale import measure, on_robot, sb3
from burgerbot.scale.batch_size import check_batch
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import ACTIONS

# %% tags=["given"]
torch.set_num_threads(1)  # the networks here are small: more threads would only wait for each other
SCRATCH = Path(tempfile.mkdtemp())
V1, KITCHENS = "burgerbot:BurgerBot-v1", "burgerbot:BurgerBotKitchens-v0"
PERCENT = {"xlabel": "transitions", "ylabel": "percent of the exact optimum"}

# %% [markdown]
# The names above stand for the two worlds of this lesson, a folder for files, and the axes of two
# charts.
#
# ## The library everyone uses
#
# **Stable-Baselines3**, SB3 for short, holds tested versions of the well-known algorithms. You met
# the parts of **PPO** in lesson 08: collect a rollout, work out advantages, improve the policy on
# it in several passes; lesson 10 writes it line by line. Here you use it as it comes:
#
# | you write | it is |
# |---|---|
# | `PPO("MlpPolicy", envs, seed=0)` | a **model**: the policy and all that is needed to train it |
# | `"MlpPolicy"` | a small network; BurgerBot's four numbers are turned into 21 inputs, 0 or 1 |
# | `model.learn(10_000)` | trains for 10,000 **transitions**, single steps of any robot |
# | `model.predict(observations, deterministic=True)` | the **greedy** actions: the likeliest ones |
#
# SB3 was there before Gymnasium's vector environments, and has an interface of its own, the
# `VecEnv`. Its `step` returns four things, not five: the flags are one, `done`, and the infos are a
# list of dicts, one for each robot.

# %% [markdown]
# ## Exercise 09.1: Make robots for SB3
#
# SB3 makes its robots with `make_vec_env`. What you choose there decides how fast you train, and
# whether five runs are five runs.
#
# | what is wanted | with |
# |---|---|
# | `n_envs` robots, one after the other in this process | `vec_env_cls=DummyVecEnv` |
# | or a process for each, if `processes` is true | `vec_env_cls=SubprocVecEnv` |
# | robot i of run r begins with seed `r * n_envs + i` | `seed=...`: SB3 gives robot i that plus i |
#
# The last row is a trap. With the seeds 0 and 1 for two runs of four robots, the first run gets the
# seeds 0, 1, 2, 3 and the second 1, 2, 3, 4. Three of four robots live through the same draws: the
# two runs are hardly two. (`make_vec_env` also puts a `Monitor` around each robot, which notes the
# return and length of its episodes. You need do nothing for it.)


# %% tags=["exercise:09.1"] minutes=6 difficulty=1 seconds=90
def make_robots(env_id: str, n_envs: int, run: int, processes: bool = False) -> VecEnv:
    """Return ``n_envs`` robots for SB3, seeded for this run and for no other."""
    # BEGIN SOLUTION
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env(env_id, n_envs, seed=run * n_envs, vec_env_cls=kind)
    # END SOLUTION


# %% tags=["check:09.1"]
check("09.1")

# %% [markdown]
# The check takes some seconds: it starts processes. A hint is at `hint("09.1")`; after a pass,
# `solution("09.1")` shows one way to write it.

# %% [markdown] tags=["hints:09.1"]
# 1. One call of `make_vec_env` does it all. Its first two arguments are the id and the number of
#    robots.
# 2. `DummyVecEnv` and `SubprocVecEnv` are classes. Hand over the class itself, without calling it:
#    `vec_env_cls=SubprocVecEnv if processes else DummyVecEnv`.
# 3. The seed of robot 0 is `run * n_envs`: then run 0 uses 0 to n_envs - 1, run 1 the next n_envs
#    numbers, and so on.

# %% [markdown]
# `BurgerBotKitchens-v0` makes a kitchen out of its seed, so a seed can be seen. Count the kitchens
# that two runs of four robots share, with neighbouring seeds and with yours. **Predict** both
# numbers.

# %%
neighbours = [make_vec_env(KITCHENS, 4, seed=seed).reset() for seed in (0, 1)]
yours = [make_robots(KITCHENS, 4, run).reset() for run in (0, 1)]
for name, (a, b) in {"seeds 0 and 1": neighbours, "your runs 0 and 1": yours}.items():
    print(f"{name:18} share {sum((a == row).all(axis=1).any() for row in b)} of 4 kitchens")

# %% [markdown]
# And the other choice? You know the answer from lesson 05, in numbers: a message to a process costs
# more than a step of BurgerBot. **Predict** how many times faster `DummyVecEnv` is.

# %%
both = {f"processes={p}": make_robots(V1, 4, 0, processes=p) for p in (False, True)}
for name, rate in measure.step_rates(both, calls=budget(200, fast=20)).items():
    print(f"{name:16}{rate:10,.0f} steps/s with 4 robots")
both["processes=True"].close()

# %% [markdown]
# Keep `SubprocVecEnv` for worlds whose step is heavy, and count its memory: each process loads
# Python and PyTorch for itself. (`burgerbot:` before the id has the worker import the course first.
# A fresh process knows no BurgerBot.)

# %% [markdown]
# ## Exercise 09.2: Save the policy with its statistics
#
# A policy that was trained on normalized observations is worth nothing without the mean and the
# variance it was trained with, as lesson 07 showed. SB3's normalizer is `VecNormalize`, a wrapper
# around a `VecEnv`; `model.save` does *not* save it. "It was good yesterday, and now it drives
# into the wall" is how people find out.
#
# | step | with |
# |---|---|
# | save the model to `folder / "policy.zip"` | `model.save(path)` |
# | and the statistics to `folder / "statistics.pkl"` | `model.get_vec_normalize_env().save(path)` |
# | load the statistics around new `envs` | `VecNormalize.load(path, envs)`, path as `str` |
# | freeze them: evaluation moves nothing | `.training = False` |
# | see the true rewards again | `.norm_reward = False` |
# | load the model, with the normalized envs as its own | `PPO.load(path, env=...)` |
#
# Saving must leave the training as it is: its normalizer goes on learning.


# %% tags=["exercise:09.2"] minutes=8 difficulty=2
def save_run(model: PPO, folder: Path) -> None:
    """Save the model and the statistics of its ``VecNormalize`` into a folder that exists."""
    # BEGIN SOLUTION
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))
    # END SOLUTION


def load_run(folder: Path, envs: VecEnv) -> tuple[PPO, VecNormalize]:
    """Return the model and ``envs`` behind the saved statistics, frozen, with true rewards."""
    # BEGIN SOLUTION
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = False
    normalized.norm_reward = False
    return PPO.load(folder / "policy.zip", env=normalized), normalized
    # END SOLUTION


# %% tags=["check:09.2"]
check("09.2")

# %% [markdown]
# A hint is at `hint("09.2")`.

# %% [markdown] tags=["hints:09.2"]
# 1. Go down the table: two lines save, four lines load. The order matters in the second half:
#    statistics first, then the model that gets them as its environment.
# 2. `VecNormalize.load(str(folder / "statistics.pkl"), envs)` returns the normalized envs. Set its
#    two attributes, `training` and `norm_reward`, to False.
# 3. `PPO.load(folder / "policy.zip", env=normalized)` is the model; return it and `normalized`.

# %% [markdown]
# Try it on `BurgerBotKitchens-v0`, whose observations hold millimetres. A short training, then the
# same 200 observations to three loaded versions. **Predict**: how often does the policy choose as
# before, if the normalizer is a fresh one? And with none?

# %%
model = PPO("MlpPolicy", VecNormalize(make_robots(KITCHENS, 8, 0)), n_steps=128, seed=0)
model.learn(budget(20_000, fast=1_024))
save_run(model, SCRATCH)
loaded, frozen = load_run(SCRATCH, make_robots(KITCHENS, 8, 1))
raw = np.concatenate([make_robots(KITCHENS, 8, run).reset() for run in range(25)])
before, _ = model.predict(model.get_vec_normalize_env().normalize_obs(raw), deterministic=True)
fresh = VecNormalize(make_robots(KITCHENS, 8, 1), training=False)
for name, seen in {
    "its own statistics": frozen.normalize_obs(raw),
    "a fresh normalizer": fresh.normalize_obs(raw),
    "no normalizer": raw,
}.items():
    same = (loaded.predict(seen, deterministic=True)[0] == before).mean()
    print(f"{name:20} {same:4.0%} of the choices as before saving")

# %% [markdown]
# The course's own pair, `save_trained` and `load_trained` in `burgerbot.scale.sb3`, also writes
# checksums, so that a policy and statistics of two different runs are not taken for one. A last
# word of care: `statistics.pkl` is a pickle, and a pickle can run any program when it is loaded.
# Load only what you trust.

# %% [markdown]
# ## Exercise 09.3: Work out the batch
#
# PPO collects a rollout and then learns from it: it deals the transitions out to **minibatches**,
# takes one **gradient step** on each, a small change of the weights, and goes through all of them
# again, some passes long. A pass is also called an **epoch**. Lesson 10 takes that apart. `n_envs`,
# `n_steps`, `batch_size`, `n_epochs`: SB3 takes four numbers, and what matters is made of them.
# Most trainings that "just do not learn" can be seen to be odd here, before they run.
#
# | what | formula | unit |
# |---|---|---|
# | `buffer` | `n_envs * n_steps` | transitions a rollout |
# | `minibatches` | `buffer / batch_size`, rounded **up** | a pass |
# | `last` | what is left for the last minibatch; `batch_size` if it is full | transitions |
# | `updates` | `minibatches * n_epochs` | gradient steps a rollout |
#
# A short last minibatch weighs as much as a full one. So look for sizes that divide the buffer: in
# `good_batch_sizes`, every size of 2 or more that does, and makes `fewest` to `most` minibatches,
# both included, the smallest size first.


# %% tags=["exercise:09.3"] minutes=8 difficulty=2
def batch_plan(
    n_envs: int, n_steps: int, batch_size: int, n_epochs: int
) -> tuple[int, int, int, int]:
    """Return ``(buffer, minibatches, last, updates)``."""
    # BEGIN SOLUTION
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, min(last, batch_size), minibatches * n_epochs
    # END SOLUTION


def good_batch_sizes(n_envs: int, n_steps: int, fewest: int = 32, most: int = 256) -> list[int]:
    """Return the batch sizes without a remainder that make ``fewest`` to ``most`` minibatches."""
    # BEGIN SOLUTION
    buffer = n_envs * n_steps
    counts = [number for number in range(fewest, most + 1) if buffer % number == 0]
    return [buffer // number for number in reversed(counts) if buffer // number >= 2]
    # END SOLUTION


# %% tags=["check:09.3"]
check("09.3")

# %% [markdown]
# A hint is at `hint("09.3")`.

# %% [markdown] tags=["hints:09.3"]
# 1. Rounding up without floats: `-(-buffer // batch_size)`. Mind a batch size that is larger than
#    the buffer: there is one minibatch then, and it holds the whole buffer.
# 2. All minibatches but the last are full, so `last = buffer - (minibatches - 1) * batch_size`.
# 3. For the sizes, go through the *numbers* of minibatches, `range(fewest, most + 1)`. Keep those
#    with `buffer % number == 0`; the size is `buffer // number`. Many minibatches make small ones.

# %% [markdown]
# Three settings: SB3's defaults with one robot, the setting of this lesson's trainings, and one
# with two slips in it. The report of the last one follows. **Predict** what it warns of.

# %%
for setting in [(1, 2048, 64, 10), (16, 64, 256, 10), (64, 2048, 100, 30)]:
    print(setting, batch_plan(*setting), good_batch_sizes(*setting[:2])[:6])
print(check_batch(64, 2048, 100, 30))

# %% [markdown]
# The same report, from a terminal, for settings of your own:
#
# ```
# python -m burgerbot batch-size --n-envs 64 --n-steps 2048 --batch-size 4096 --n-epochs 10
# ```
#
# The bounds are rules of thumb. Too few minibatches, and the policy takes few steps for the
# transitions that you paid for; too many, and each gradient is noise. With thousands of robots
# other bounds are usual: 4 minibatches of 24,576 (Rudin et al. 2021). A rule of thumb is where you
# begin. This lesson's own setting makes only 4 minibatches of 256, and the calculator warns of it;
# it was found by trying, with ten runs for each candidate, and it is the runs that decide.

# %% [markdown]
# ## Exercise 09.4: Count in transitions, not in calls
#
# A training that you cannot watch is a training that you cannot trust. SB3 calls your **callback**
# after each step of the `VecEnv`. With N robots that is N transitions at once, so whoever counts
# calls, measures N times too rarely: `EvalCallback(eval_freq=10)` with 4 robots fires after 40, 80,
# 120 transitions.
#
# Write one that counts transitions, `num_timesteps` in SB3. It measures in each call in which a
# multiple of `every` is reached or passed:
#
# | robots | `every` | calls after ... transitions | measures at |
# |---|---|---|---|
# | 1 | 10 | 1, 2, 3, ... | 10, 20, 30, ... |
# | 4 | 10 | 4, 8, 12, ... | 12, 20, 32, 40, ... |
# | 16 | 10 | 16, 32, 48, ... | 16, 32, 48, ...: once a call, not twice |
#
# Each time, `(num_timesteps, measure(model))` is appended to `history`. A measurement of `target`
# or more ends the training: `_on_step` returns False. In all other calls it returns True.
#
# What a callback finds: `self.num_timesteps`, `self.model`, `self.training_env.num_envs`. A second
# `learn` may go on counting where the first one stopped, so do not count from 0 yourself.


# %% tags=["exercise:09.4"] minutes=10 difficulty=2
class EveryTransitions(BaseCallback):
    """Measure the model each time that ``every`` more transitions have been collected."""

    def __init__(self, every: int, measure: Callable[[PPO], float], target: float) -> None:
        super().__init__()
        self.every, self.measure, self.target = every, measure, target
        self.history: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        """Measure if it is time; return False if the target is reached."""
        # BEGIN SOLUTION
        now = self.num_timesteps
        before = now - self.training_env.num_envs
        if now // self.every == before // self.every:
            return True
        self.history.append((now, self.measure(self.model)))
        return self.history[-1][1] < self.target
        # END SOLUTION


# %% tags=["check:09.4"]
check("09.4")

# %% [markdown]
# A hint is at `hint("09.4")`.

# %% [markdown] tags=["hints:09.4"]
# 1. Before this call there were `self.num_timesteps - self.training_env.num_envs` transitions. Was
#    a multiple of `every` passed on the way from there to here?
# 2. `x // every` counts the multiples up to x. Compare it for before and for now.
# 3. If the two are equal, return True. Else append `(self.num_timesteps,
#    self.measure(self.model))`, and return whether the measurement is below the target.

# %% [markdown]
# ## Watch it learn
#
# Now train. What is measured is a share of the exact optimum: `percent_of_optimum` lets the greedy
# policy drive one delivery. The fewest steps there are, 14 by lesson 02, divided by the policy's
# own steps, are its percentage; no delivery is 0. The settings need a word each:
#
# | setting | why |
# |---|---|
# | `gamma=0.97`, `gae_lambda=0.9` | v1's shaping was made for 0.97; lambda is that of lesson 08 |
# | `learning_rate` falls from 0.002 to almost 0 | large steps first, fine ones at the end |
# | `ent_coef=0.03` | a bonus for **entropy**, that is, for a policy that still tries things out |
# | `net_arch=[64]` | one layer of 64 units is enough for 21 inputs |
#
# **Predict** the shape of the curve: does it climb step by step, or jump?


# %% tags=["given"]
SETTINGS = {
    "n_steps": 64,
    "batch_size": 256,
    "n_epochs": 10,
    "gamma": 0.97,
    "gae_lambda": 0.9,
    "learning_rate": LinearSchedule(2e-3, 1e-4, 1.0),
    "ent_coef": 0.03,
    "policy_kwargs": {"net_arch": [64]},
    "device": "cpu",
}
STEPS = budget(50_000, fast=4_096)


def fit(n_envs):
    """The settings, with minibatches no larger than the rollout."""
    return SETTINGS | {"batch_size": min(256, SETTINGS["n_steps"] * n_envs)}


# %%
model = PPO("MlpPolicy", make_robots(V1, 16, 0), seed=0, tensorboard_log=str(SCRATCH), **SETTINGS)
watch = EveryTransitions(1024, measure.percent_of_optimum, target=101.0)
model.learn(STEPS, callback=watch)
steps, percent = zip(*watch.history, strict=True)
print(f"best {max(percent):.1f} percent, after {steps[int(np.argmax(percent))]:,} transitions")

# %%
alt = "Percent of the optimum against transitions: 0 for a long time, then a jump to nearly 100."
show.line_chart({"greedy": (steps, percent)}, title="One run of PPO", alt=alt, **PERCENT)

# %% [markdown]
# The curve stays at 0 for long: a policy that stops one cell before the goal delivers nothing. Then
# it jumps, and the rest is small change: a turn too many, here or there. How early the jump comes
# differs from run to run. One run says little, as you will see below.
#
# Two things are watched in a real training: this **evaluation**, greedy, in episodes of its own and
# without shaping; and the return of the training episodes, which still explores and is paid the
# shaping. Those who use **TensorBoard** get the second for free: `tensorboard_log=` writes it to a
# file, and `tensorboard --logdir FOLDER` in a terminal shows it in a browser. What it would show
# stands in that file:

# %%
events = EventAccumulator(str(SCRATCH / "PPO_1")).Reload()
print(*[tag for tag in events.Tags()["scalars"] if tag.startswith(("rollout", "train"))], sep="\n")
curve = [(e.step, round(e.value, 1)) for e in events.Scalars("rollout/ep_rew_mean")]
print("ep_rew_mean:", curve[0], "...", curve[-1])

# %% [markdown]
# `ep_rew_mean` is SB3's name for the mean return of the last hundred training episodes. Near the
# end it lies *above* what the best delivery is truly worth, 47.9, for the shaping is counted in.
# It is a fine sign of life, and no measure of how good the policy is. `explained_variance` says
# how well the critic predicts returns: 1 is perfect, 0 is no better than a constant. `approx_kl`
# and `clip_fraction` are subjects of lesson 10.

# %% [markdown]
# ## Exercise 09.5: Adapt a Gymnasium vector env to SB3
#
# In lesson 06 you stepped all robots with one gather. SB3 does not take such an environment:

# %%
try:
    PPO("MlpPolicy", gym.make_vec(V1, num_envs=16, autoreset_mode="SameStep"))
except ValueError as error:
    print("ValueError:", str(error).split(". ")[0])

# %% [markdown]
# `make_vec_env` is one way out, an **adapter** the other: an object that speaks SB3's language on
# the outside and Gymnasium's on the inside. Its heart is the translation of a step in SAME_STEP
# mode:
#
# | SB3 wants | Gymnasium gave |
# |---|---|
# | `rewards`, float32 | `rewards`, float64 |
# | `dones`, bool | true where `terminated` or `truncated` is |
# | `infos`: a list of N dicts | a dict of arrays `[N]`, each beside its mask: `_key` for `key` |
# | robot i's dict: what it reported, no more | `infos[key][i]`, only where `infos["_" + key][i]` |
# | ... in a step that ends its episode | the same, out of `infos["final_info"]` |
# | `"terminal_observation"`, only in such a step | `infos["final_obs"][i]` |
# | `"TimeLimit.truncated"`, always | true where it was cut **and** did not terminate |
#
# The last two carry the point of lesson 08. At a cut the future is missing from the reward, so SB3
# adds gamma * V(terminal observation). At a termination there is no future. A step can be both:
# then termination wins. Whoever writes `True` there, gives a robot that crashed a future.
#
# The rest of the interface is in `AdapterBase`: `self.envs` holds the vector env, `self._seeds` the
# seeds that `seed()` has set, one a robot, each None if there is none. They are for one reset only:
# `self._reset_seeds()` clears them.


# %% tags=["given"]
class AdapterBase(VecEnv):
    """What SB3 also asks for: attributes of robots, which a native env has once for all."""

    def __init__(self, envs: gym.vector.VectorEnv):
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def close(self):
        self.envs.close()

    def get_attr(self, attr_name, indices=None):
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name, value, indices=None):
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name, *args, indices=None, **kwargs):
        raise NotImplementedError("a native env has no methods of single robots")

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False for _ in self._get_indices(indices)]


# %% tags=["exercise:09.5"] minutes=15 difficulty=3
class Adapter(AdapterBase):
    """A Gymnasium vector env in SAME_STEP mode, for SB3."""

    def reset(self) -> np.ndarray:
        """Begin N episodes with the seeds that were set; return the observations alone."""
        # BEGIN SOLUTION
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        return observations
        # END SOLUTION

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for ``step_wait``."""
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """Take the step; return ``(observations, rewards, dones, infos)``."""
        # BEGIN SOLUTION
        observations, rewards, terminated, truncated, batch = self.envs.step(self.actions)
        dones, infos = terminated | truncated, []
        for i, done in enumerate(dones):
            source = batch["final_info"] if done else batch
            keys = [k for k in source if f"_{k}" in source and not k.startswith("final_")]
            info = {k: source[k][i] for k in keys if source[f"_{k}"][i]}
            info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            if done:
                info["terminal_observation"] = batch["final_obs"][i]
            infos.append(info)
        return observations, rewards.astype(np.float32), dones, infos
        # END SOLUTION


# %% tags=["check:09.5"]
check("09.5")

# %% [markdown]
# A hint is at `hint("09.5")`.

# %% [markdown] tags=["hints:09.5"]
# 1. `reset` is three lines: reset with `seed=self._seeds`, clear the seeds, return the first of the
#    two things. In `step_wait`, begin with `self.envs.step(self.actions)` and work out `dones`.
# 2. Build the list robot by robot. Where it is done, look into `batch["final_info"]`, else into
#    `batch`. A key belongs to the robot if its mask is True there: `source["_" + key][i]`. Leave
#    out the masks, and `final_obs` and `final_info` themselves.
# 3. `info["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])` for every robot, and
#    `info["terminal_observation"] = batch["final_obs"][i]` for those that are done. The rewards
#    become `rewards.astype(np.float32)`.

# %% [markdown]
# The course's version, `GymToSB3`, does the same for every kind of vector env, and takes the infos
# apart column by column. With 64 robots, how fast do the three step? **Predict** an order.


# %%
def native(n_envs):
    """Robots in one array, in the mode that SB3 needs."""
    return gym.make_vec(V1, num_envs=n_envs, autoreset_mode="SameStep")


contestants = {
    "DummyVecEnv": make_robots(V1, 64, 0),
    "your adapter": VecMonitor(Adapter(native(64))),
    "GymToSB3": VecMonitor(sb3.GymToSB3(native(64))),
}
rates = measure.step_rates(contestants, calls=budget(400, fast=20))
for name, rate in rates.items():
    print(f"{name:14}{rate:10,.0f} steps/s, {rate / rates['DummyVecEnv']:.1f} times DummyVecEnv")

# %% [markdown]
# Each of the three notes returns and lengths of episodes, so the comparison is fair: `VecMonitor`
# is the `Monitor` of whole vector envs. With the course's adapter, stepping became several times
# as fast. Will the *training*? **Predict** the last line of each block.

# %%
for name in ("DummyVecEnv", "GymToSB3"):
    model = PPO("MlpPolicy", contestants[name], seed=0, **SETTINGS)
    parts = measure.time_parts(model, budget(3 * 8192, fast=8192))
    print(name, *(f"   {part:16}{seconds:6.2f} s" for part, seconds in parts.items()), sep="\n")

# %% [markdown]
# The first line shrinks, and the sum hardly moves. Stepping was a small part of the whole; most of
# the time goes into the update, which is the same for both. (This is called **Amdahl's law**: a
# part that takes a tenth of the time can save a tenth of it, however fast it gets.) The faster
# world pays where the update is cheap for each transition: fewer passes, larger minibatches, more
# robots. Lesson 14 puts everything on one chip for that reason.

# %% [markdown]
# ## Ten runs
#
# Does it work every time? **Predict** how many of ten runs reach 100 percent. Your callback ends a
# run as soon as it does. PPO's seed seeds the robots too, and a thousand between two runs keeps
# them apart.


# %%
def train(n_envs, run, steps, target):
    """One training through the adapter; return your callback, which has seen it all."""
    model = PPO("MlpPolicy", sb3.GymToSB3(native(n_envs)), seed=1000 * run, **fit(n_envs))
    watch, start = EveryTransitions(1024, measure.percent_of_optimum, target), time.perf_counter()
    model.learn(steps, callback=watch)
    watch.seconds = time.perf_counter() - start
    return watch


runs = [train(16, run, STEPS, target=100.0) for run in tqdm(range(budget(10, fast=2)))]
reached = [run.history[-1][0] for run in runs if run.history[-1][1] == 100.0]
print(f"{len(reached)} of {len(runs)} runs reached 100 percent, after these transitions:")
print(*(f"{when:,}" for when in reached))
print(f"{np.mean([run.seconds for run in runs]):.1f} seconds a run")
curves = {f"run {i}": tuple(zip(*run.history, strict=True)) for i, run in enumerate(runs[:5])}
alt = "Percent of the optimum for five runs: each stays at 0, then jumps, some early, some late."
show.line_chart(curves, title="Five runs, each up to its end", alt=alt, **PERCENT)

# %% [markdown]
# Nothing but the seed differs, and yet the jump comes early in one run and late in another. Whoever
# compares two settings by one run each, compares seeds. Give the number of runs and their spread
# beside every result, as the next table does. (To end a run at its best measurement flatters the
# policy where measurements are noisy. Here nothing is: one kitchen, one greedy drive, and the exact
# optimum to hold it against.)
#
# ## One robot, or sixteen?
#
# The same number of transitions, by 1, 4, 8 and 16 robots: more robots make larger rollouts, and
# fewer of them. **Predict** for each column which way it goes:
#
# | column | what it is |
# |---|---|
# | a rollout | transitions of one rollout, `n_envs * n_steps` |
# | gradient spread | variance, from rollout to rollout, of the untrained policy's gradient |
# | seconds | wall-clock of a whole run, median over five seeds |
# | percent | of the exact optimum, at the end: worst, median and best of five seeds |
# | first 100 | transitions until a run first drove the optimum, median of those that did |

# %%
LESS, table = budget(30_720, fast=2_048), {}
for n_envs in tqdm((1, 4, 8, 16)):
    model = PPO("MlpPolicy", sb3.GymToSB3(native(n_envs)), seed=9, **fit(n_envs))
    spread = measure.gradient_spread(model, budget(30, fast=3))
    table[n_envs] = spread, [train(n_envs, 20 + k, LESS, 101.0) for k in range(budget(5, fast=2))]

# %%
print("robots  a rollout  gradient spread  seconds   percent: worst median  best  first 100")
for n_envs, (spread, found) in table.items():
    seconds = np.median([run.seconds for run in found])
    last = [run.history[-1][1] for run in found]
    at_100 = [[when for when, percent in run.history if percent == 100.0] for run in found]
    firsts = [times[0] for times in at_100 if times]
    first = f"{np.median(firsts):10,.0f}" if firsts else "     never"
    print(f"{n_envs:6}{n_envs * SETTINGS['n_steps']:11,}{spread:17.4f}{seconds:9.1f}", end="")
    print(f"{min(last):16.0f}{np.median(last):7.0f}{max(last):6.0f} {first} ({len(firsts)} runs)")

# %% [markdown]
# Column by column. The spread of the gradient falls about as fast as the number of robots grows:
# that is lesson 08's law. The seconds fall too, since one question to the network serves all robots
# at once; and with one robot, whose rollout is a single minibatch, each gradient step is for 64
# transitions, not for 256. For the percentages look at the worst and the best before the median:
# five seeds of one row can lie far apart. And mind the brackets in the last column. A median over
# the runs that got there says nothing about those that did not: few early runs are not better than
# many later ones.
#
# Is one robot worse, then? With *these* settings, which were found with sixteen. Its minibatch is
# its whole rollout, 64 steps in a row of one robot, which resemble each other, and it is used ten
# times. A setting belongs to its number of robots. Whoever changes one and keeps the other,
# compares two things at once; but that is what happens when a program's `n_envs` is raised or
# lowered, so it is worth having seen.
#
# ## Exercise 09.6: Export the policy as a look-up table
#
# The robot in the kitchen has a small chip and MicroPython: no NumPy, no PyTorch, a few hundred
# kilobytes. A policy of 588 observations fits: write down its choice for each, and the robot only
# has to look it up. The file is JSON:
#
# | part | form | example |
# |---|---|---|
# | a key for *each* observation, 588 | `"row,col,heading,sensor"`, no spaces | `"0,6,2,1"` |
# | its value: a dict of the four names | 1.0 for the chosen one, else 0.0 | `{"stop": 0.0, ...}` |
#
# Why all, when a robot never stands in an obstacle? Because a missing key stops a robot in the
# middle of the floor, and a useless one costs less than a
# hundred bytes.
#
# `choose` is a function of observations, int64 `[B, 4]`, that returns the actions, `[B]`. The names
# are in `ACTIONS`, in the order of the actions 0 to 3.


# %% tags=["exercise:09.6"] minutes=10 difficulty=2
def export_table(choose: Callable[[np.ndarray], np.ndarray], path: Path) -> None:
    """Write the choices for all 588 observations to a JSON file."""
    # BEGIN SOLUTION
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist(), strict=True)
    }
    path.write_text(json.dumps(table))
    # END SOLUTION


# %% tags=["check:09.6"]
check("09.6")

# %% [markdown]
# A hint is at `hint("09.6")`.

# %% [markdown] tags=["hints:09.6"]
# 1. Four nested loops, or `np.indices((7, 7, 4, 3)).reshape(4, -1).T`, give all observations as an
#    array `[588, 4]`. Ask `choose` once, about all of them.
# 2. NumPy's numbers write themselves as `np.int64(3)` in some places: turn the array into Python's
#    with `.tolist()` first. The key is `",".join(str(number) for number in row)`.
# 3. The value is `{name: float(index == action) for index, name in enumerate(ACTIONS)}`, and
#    `path.write_text(json.dumps(table))` writes the file.

# %% [markdown]
# This is all that runs on the robot, ten lines without the blank ones. `ujson` is MicroPython's
# name for `json`; the comments are for the course's own checks.

# %%
print(Path(on_robot.__file__).read_text())

# %% [markdown]
# Your table of the best of the ten policies drives here, through that reader. The kitchen answers
# with observations, the table with names of actions.

# %%
best = max(runs, key=lambda run: run.history[-1][1]).model
export_table(lambda seen: best.predict(seen, deterministic=True)[0], SCRATCH / "policy.json")
table, env = on_robot.load(SCRATCH / "policy.json"), gym.make("BurgerBot-v1")
seen, done = [env.reset(seed=0)[0]], False
while not done:
    name = on_robot.act(table, *seen[-1].tolist())
    observation, _, terminated, truncated, info = env.step(ACTIONS.index(name))
    seen, done = [*seen, observation], terminated or truncated
print(len(table), "keys,", (SCRATCH / "policy.json").stat().st_size // 1024, "KiB;", end=" ")
print("delivered:", info["delivered"], "after", len(seen) - 1, "steps")

# %%
show.play(CLASSIC, seen, title="Driven by a look-up table in JSON")

# %% [markdown]
# No network is left: what took PyTorch to learn, takes a dict to use. That works because this world
# has 588 observations. The millimetres of `BurgerBotKitchens-v0` have no such list, and a robot
# there needs the network, and its statistics.

# %% [markdown]
# ## When this goes wrong
#
# **"It trains longer than I asked, and my minibatch has one row."** SB3 always ends the rollout
# that it has begun. Ask for 40 transitions in rollouts of 33, and get 66. And 33 transitions in
# minibatches of 32 leave a last one of a single row, whose advantage has no standard deviation.
# SB3 warns, and leaves that row unnormalized; code of your own may divide by it and turn all
# weights into NaN.

# %%
with warnings.catch_warnings(record=True, action="always") as caught:
    model = PPO("MlpPolicy", make_robots(V1, 1, 0), n_steps=33, batch_size=32).learn(40)
print("warned:", str(caught[0].message).strip().split("\n")[0])
finite = all(bool(torch.isfinite(weight).all()) for weight in model.policy.parameters())
print(model.num_timesteps, "transitions; all weights finite:", finite)

# %% [markdown]
# **"I set `target_kl`, and it seems to learn nothing."** `target_kl` stops the passes over a
# rollout once the policy has moved too far. It leaves *all* loops of this rollout, before the step
# that would go further. Set absurdly low, the first update is also the last:

# %%
for target_kl in (None, 1e-12):
    model = PPO("MlpPolicy", make_robots(V1, 4, 0), n_steps=64, target_kl=target_kl).learn(256)
    print(f"target_kl={target_kl}: {model._n_updates} passes begun, of {model.n_epochs}")

# %% [markdown]
# **"The return went up, and the robot got worse."** Rewards can be scaled too, by `VecNormalize`.
# Whoever notes returns *outside* of it, notes the scaled ones, and their scale changes as the
# training goes on. The monitor belongs inside, next to the robots. Here all robots drive straight
# ahead, twice the same way. **Predict**: by how much do the two lines differ?

# %%
for name, wrap in {
    "monitor inside": lambda robots: VecNormalize(VecMonitor(robots), norm_obs=False),
    "monitor outside": lambda robots: VecMonitor(VecNormalize(robots, norm_obs=False)),
}.items():
    robots, returns = wrap(sb3.GymToSB3(native(8))), []
    robots.seed(0)
    robots.reset()
    for _ in range(100):
        infos = robots.step(np.zeros(8, dtype=np.int64))[3]
        returns += [info["episode"]["r"] for info in infos if "episode" in info]
    print(f"{name:16} mean return {np.mean(returns):7.2f} over {len(returns)} episodes")

# %% [markdown]
# Evaluate with `norm_reward=False` too, as your `load_run` does.
#
# **"The mean over my evaluation episodes is too low."** If two robots drive, one in episodes of 1
# step and one in episodes of 10, the first four episodes to finish are all of the first robot.
# SB3's `evaluate_policy` gives each robot its own share: of four episodes, two each. Do the same
# in code of your own, or use this course's `evaluate`.
#
# ## What was measured
#
# - How many of ten runs reached the exact optimum, and after how many transitions.
# - Steps a second through `DummyVecEnv`, `SubprocVecEnv` and an adapter, and where the rest of a
#   training's time goes.
# - One robot against sixteen, at equal transitions, over five seeds each.
#
# ## Try it yourself
#
# - The settings were found by trying. Change one of them, and use five runs before you believe
#   anything: `ent_coef=0`, `gae_lambda=1`, `n_epochs=1`.
# - Train on `BurgerBot-v0` instead, whose reward lesson 02 took apart. What does the policy do?
# - Give `GymToSB3` a thousand robots and `check_batch` the same. Which settings do you choose now?
# - Copy `policy.json` and the ten lines to a board with MicroPython, if you have one.
#
# ## Sources
#
# - Raffin and others (2021), [Stable-Baselines3: reliable reinforcement learning
#   implementations](https://jmlr.org/papers/v22/20-1364.html)
# - Schulman and others (2017), [Proximal policy optimization
#   algorithms](https://arxiv.org/abs/1707.06347)
# - Pardo and others (2018), [Time limits in reinforcement
#   learning](https://arxiv.org/abs/1712.00378)
# - Rudin and others (2021), [Learning to walk in minutes using massively parallel deep
#   reinforcement learning](https://arxiv.org/abs/2109.11978)
# - Henderson and others (2018), [Deep reinforcement learning that
#   matters](https://arxiv.org/abs/1709.06560)
#
# Previous: [08 · Rollouts and advantages](08_rollouts_and_advantages.ipynb) · Next:
# [10 · PPO by hand](10_ppo_by_hand.ipynb)
