"""Exercise 09.5: a Gymnasium vector env for SB3."""

from collections.abc import Mapping
from types import SimpleNamespace

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from stable_baselines3.common.vec_env import DummyVecEnv

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import array_like, close, equal, instance, that


class Script(VectorEnv):
    """Three robots whose steps stand in a list; observation [step, robot]."""

    def __init__(self, steps=()):
        self.num_envs = 3
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.render_mode = None
        self.single_observation_space = gym.spaces.Box(-99, 99, (2,), np.float32)
        self.single_action_space = gym.spaces.Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, 3)
        self.action_space = batch_space(self.single_action_space, 3)
        self.steps, self.t, self.seen = list(steps), 0, SimpleNamespace(seeds=[], actions=[])

    def observe(self, sign=1):
        return np.array([[sign * self.t, sign * i] for i in range(3)], np.float32)

    def reset(self, *, seed=None, options=None):
        self.seen.seeds.append(list(seed) if isinstance(seed, (list, tuple)) else seed)
        self.t = 0
        return self.observe(), {}

    def step(self, actions):
        self.seen.actions.append(np.array(actions))
        self.t += 1
        terminated, truncated, infos, finals = self.steps[self.t - 1]
        terminated, truncated = np.array(terminated, bool), np.array(truncated, bool)
        done = terminated | truncated
        batch = mask_of(infos)
        if done.any():
            final = np.full(3, None, dtype=object)
            for i in np.flatnonzero(done):
                final[i] = self.observe(-1)[i]
            batch |= {"final_obs": final, "_final_obs": done.copy()}
            batch |= {"final_info": mask_of(finals), "_final_info": done.copy()}
        rewards = np.array([0.1, -0.5, 40.0]) * self.t
        return self.observe(), rewards, terminated, truncated, batch


def mask_of(infos):
    """Infos of three robots, None where one says nothing, as Gymnasium batches them."""
    batch = {}
    for key, values in infos.items():
        mask = np.array([value is not None for value in values])
        batch[key] = np.array([0 if value is None else value for value in values])
        batch[f"_{key}"] = mask
    return batch


NO, YES = [False] * 3, [True] * 3
#: terminated, truncated, infos of those that go on, infos of those that end.
QUIET = (NO, NO, {}, {})
ENDS = (
    [True, False, True],
    [False, True, True],
    {},
    {"outcome": [2, 0, 3], "hit": [7, None, None]},
)


def take(answer, steps, actions=((0, 1, 2),)):
    """Build the learner's adapter on a script, reset it, and take its steps."""
    envs = Script(steps)
    adapter = answer.Adapter(envs)
    adapter.reset()
    results = [adapter.step(np.array(row)) for row in actions]
    for result in results:
        that(
            isinstance(result, tuple) and len(result) == 4,
            "SB3 takes four things from a step: observations, rewards, dones, infos",
            expected="a tuple of 4",
            yours=f"{type(result).__name__} of {len(result)}",
        )
        infos = result[3]
        instance(infos, list, "infos are a list here, one dict a robot, not a dict of arrays")
        that(
            len(infos) == 3 and all(isinstance(info, Mapping) for info in infos),
            "there is one dict for each robot, even if it holds little",
            expected="3 dicts",
            yours=f"{len(infos)} of {sorted({type(info).__name__ for info in infos})}",
        )
        that(
            len({id(info) for info in infos}) == 3,
            "the dicts of the robots are one dict, three times: `[{}] * n` is n names for one. "
            "Make a new one for each robot",
            expected="3 different dicts",
            yours=f"{len({id(info) for info in infos})}",
        )
    return envs, adapter, results


def test_reset(answer):
    """reset returns the observations alone, and uses the seeds that were set, once."""
    envs = Script()
    adapter = answer.Adapter(envs)
    adapter.seed(7)
    seen = adapter.reset()
    where = "seed(7), then reset()"
    that(
        not isinstance(seen, tuple),
        "SB3's `reset` returns the observations alone, without the infos",
        expected="an array",
        yours="a tuple",
        where=where,
    )
    equal(seen, envs.observe(), "reset returns the observations", where=where)
    that(
        np.array_equal(envs.seen.seeds[0], [7, 8, 9]),
        "the seeds that `seed()` has set, `self._seeds`, one a robot, go into the next reset",
        expected=[7, 8, 9],
        yours=repr(envs.seen.seeds[0]),
        where=where,
    )
    adapter.reset()
    that(
        envs.seen.seeds[1] in (None, [None] * 3),
        "the seeds are for one reset only: `self._reset_seeds()`. Else every training rollout that "
        "resets begins with the same draws",
        expected="no seeds",
        yours=envs.seen.seeds[1],
        where="a second reset()",
    )


def test_arrays_of_a_step(answer):
    """Observations as they come, rewards float32, dones bool."""
    envs, _, [(seen, rewards, dones, _)] = take(answer, [QUIET], [(3, 0, 1)])
    where = "one quiet step of three robots"
    equal(
        envs.seen.actions[0], [3, 0, 1], "the actions go on to the vector env as given", where=where
    )
    equal(seen, envs.observe(), "the observations are those that the step returned", where=where)
    array_like(rewards, (3,), np.float32, where="rewards")
    close(rewards, [0.1, -0.5, 40.0], "the rewards are the step's own", where=where)
    array_like(dones, (3,), bool, where="dones")
    equal(dones, NO, "nobody is done", where=where)


def test_dones(answer):
    """A robot is done if it terminated or was truncated."""
    _, _, [(_, _, dones, _)] = take(answer, [ENDS])
    equal(
        dones,
        YES,
        "`done` means that the episode is over, by either flag: `terminated | truncated`",
        where="robot 0 terminated, robot 1 truncated, robot 2 both",
    )


def test_time_limit_truncated(answer):
    """Every dict says whether the episode was cut: True only where it did not terminate too."""
    _, _, results = take(answer, [QUIET, ENDS], [(0, 0, 0)] * 2)
    for step, expected in enumerate(([False] * 3, [False, True, False])):
        for i, info in enumerate(results[step][3]):
            where = f"step {step}, robot {i}"
            that(
                "TimeLimit.truncated" in info,
                "`TimeLimit.truncated` stands in every dict, in a step without an end too",
                expected=expected[i],
                yours="no such key",
                where=where,
            )
            equal(
                info["TimeLimit.truncated"],
                expected[i],
                "`TimeLimit.truncated` is True where an episode was cut and did not terminate: to "
                "a robot that crashed or delivered at the limit, SB3 must add no future",
                where=f"{where}: terminated {step and ENDS[0][i]}, truncated {step and ENDS[1][i]}",
            )


def test_terminal_observations(answer):
    """Where an episode ended, and only there, the dict holds its last observation."""
    envs, _, [(seen, _, _, infos)] = take(answer, [ENDS])
    for i, info in enumerate(infos):
        where = f"robot {i}, whose episode ended"
        that(
            "terminal_observation" in info,
            "`terminal_observation` is missing: the observations already show the next episode, "
            "and SB3 needs the last one of this episode for its value",
            where=where,
        )
        equal(
            info["terminal_observation"],
            envs.observe(-1)[i],
            "the terminal observation is that of this robot, out of `final_obs`, not the first one "
            "of the next episode",
            where=where,
        )
        equal(seen[i], envs.observe()[i], "the observation is the next episode's", where=where)
    some = ([False, True, False], NO, {}, {})
    _, _, [(_, _, _, infos)] = take(answer, [some])
    for i in (0, 2):
        that(
            "terminal_observation" not in infos[i],
            "a robot that goes on has no terminal observation, not even None",
            expected="no such key",
            yours=infos[i],
            where=f"robot {i}, which goes on while robot 1 ends",
        )


def test_masked_infos(answer):
    """A robot's dict holds what the robot reported, its own value, and nothing else."""
    step = (NO, NO, {"outcome": [1, 0, 2], "hit": [None, 0, None]}, {})
    _, _, [(_, _, _, infos)] = take(answer, [step])
    for i, wanted in enumerate(({"outcome": 1}, {"outcome": 0, "hit": 0}, {"outcome": 2})):
        where = f"robot {i}; robot 1 alone reported a hit, of 0"
        got = {key: infos[i][key] for key in infos[i] if key != "TimeLimit.truncated"}
        that(
            not any(key.startswith("_") for key in got),
            "the masks are Gymnasium's bookkeeping and do not belong in a robot's dict",
            expected=wanted,
            yours=got,
            where=where,
        )
        equal(
            sorted(got),
            sorted(wanted),
            "a robot has a key exactly where its mask is True: a value under a False mask stands "
            "for nothing, and a reported 0 is a report",
            where=where,
        )
        for key, value in wanted.items():
            that(
                np.ndim(got[key]) == 0,
                "each dict holds its own robot's value, not the array of all",
                expected=value,
                yours=got[key],
                where=where,
            )
            equal(got[key], value, f"`{key}` is that of another robot", where=where)


def test_final_infos(answer):
    """In a step that ends an episode, the dict is made out of final_info."""
    mixed = (
        [False, True, False],
        NO,
        {"outcome": [1, None, 0]},
        {"outcome": [None, 3, None], "hit": [None, 5, None]},
    )
    _, _, [(_, _, _, infos)] = take(answer, [mixed])
    that(
        infos[1].get("outcome") == 3,
        "what the last step of an episode reported stands in `final_info`",
        expected=3,
        yours=infos[1].get("outcome", "no such key"),
        where="robot 1, which delivered",
    )
    equal(infos[1].get("hit"), 5, "every key of `final_info` counts", where="robot 1")
    for i, outcome in ((0, 1), (2, 0)):
        that(
            "outcome" in infos[i] and infos[i]["outcome"] == outcome,
            "a robot that goes on has its own info, not somebody's final one",
            expected=outcome,
            yours=infos[i].get("outcome", "no such key"),
            where=f"robot {i}, which goes on",
        )
        that(
            "hit" not in infos[i],
            "a robot that goes on has nothing out of `final_info`",
            yours=infos[i],
            where=f"robot {i}",
        )
    for i, info in enumerate(infos):
        extra = set(info) & {"final_obs", "final_info"}
        that(
            not extra,
            "`final_obs` and `final_info` are Gymnasium's names: SB3 knows `terminal_observation`",
            yours=sorted(extra),
            where=f"robot {i}",
        )


def test_dicts_of_their_own(answer):
    """No two robots share a dict, and no later step changes one."""
    _, _, results = take(answer, [QUIET, ENDS], [(0, 0, 0)] * 2)
    first = results[0][3]
    first[0]["mark"] = 1
    that(
        "mark" not in first[1] and "mark" not in results[1][3][0],
        "robots share one dict: what is written for one is written for all",
        where="infos of two robots and two steps",
    )
    equal(
        first[1]["TimeLimit.truncated"],
        False,
        "a later step has changed the infos of an earlier one",
        where="infos of the first step, looked at after the second",
    )


def test_same_as_dummy_vec_env(answer):
    """BurgerBot-v1, 300 random steps: all that DummyVecEnv gives, the adapter gives."""
    for how in ("native", "sync"):
        if how == "native":
            envs = gym.make_vec("BurgerBot-v1", num_envs=5, autoreset_mode="SameStep")
        else:
            made = [lambda: gym.make("BurgerBot-v1")] * 5
            envs = SyncVectorEnv(made, autoreset_mode=AutoresetMode.SAME_STEP)
        mine, dummy = answer.Adapter(envs), DummyVecEnv([lambda: gym.make("BurgerBot-v1")] * 5)
        mine.seed(3)
        dummy.seed(3)
        equal(mine.reset(), dummy.reset(), "the first observations differ", where=how)
        rng = np.random.default_rng(8)
        for step in range(300):
            actions = rng.choice(4, size=5, p=[0.4, 0.3, 0.2, 0.1])
            got, wanted = mine.step(actions), dummy.step(actions)
            where = f"{how}, BurgerBot-v1, step {step}"
            for k, name in enumerate(("observations", "rewards", "dones")):
                equal(got[k], wanted[k], f"the {name} differ from DummyVecEnv's", where=where)
            for i in range(5):
                equal(
                    sorted(got[3][i]),
                    sorted(wanted[3][i]),
                    "a robot's info has other keys than with DummyVecEnv",
                    where=f"{where}, robot {i}",
                )
                for key, value in wanted[3][i].items():
                    equal(
                        got[3][i][key],
                        value,
                        f"`{key}` differs from DummyVecEnv's",
                        where=f"{where}, robot {i}",
                    )
