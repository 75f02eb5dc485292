"""Exercise 03.2: seeds for N copies."""

import random
from itertools import pairwise

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils import seeding

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import equal, instance, that

NEIGHBOURS = (0, 1, 2, 3)


@pytest.fixture(autouse=True)
def global_generators_put_back():
    """Whatever a test does to the global generators, the notebook's stay as they were."""
    before = np.random.get_state(), random.getstate()
    yield
    np.random.set_state(before[0])
    random.setstate(before[1])


class Draws(gym.Env):
    """Observes a fresh number of its own generator at each reset, and writes down its resets."""

    observation_space = gym.spaces.Box(0, 1, (2,), np.float64)
    action_space = gym.spaces.Discrete(1000)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seeds = [*getattr(self, "seeds", []), seed]
        return self.np_random.random(2), {"drawn": 1}

    def step(self, action):
        return self.np_random.random(2), 0.0, False, False, {}


def new_envs(num_envs):
    """N robots that draw."""
    return gym.vector.SyncVectorEnv([Draws] * num_envs)


def spawned(answer, base_seed, count):
    """Seeds of one run, as Python ints from 0 up."""
    where = f"spawn_seeds({base_seed}, {count})"
    try:
        seeds = answer.spawn_seeds(base_seed, count)
    except ValueError as error:
        that(
            "2**32" not in str(error),
            "a base seed may be any whole number from 0 up; `np.random.seed` takes small ones "
            "only, and it seeds the whole program. `np.random.SeedSequence` does neither",
            yours=f"ValueError: {error}",
            where=where,
        )
        raise
    instance(seeds, (list, tuple), "a list of seeds is wanted", where=where)
    that(
        len(seeds) == count,
        "one seed for each place is wanted",
        expected=f"{count} seeds",
        yours=f"{len(seeds)}",
        where=where,
    )
    for seed in seeds:
        that(
            isinstance(seed, int) and not isinstance(seed, bool),
            "a seed must be a Python int: Gymnasium refuses NumPy's numbers (`.tolist()` turns a "
            "whole array into Python's), and it takes no `SeedSequence` (its `generate_state` "
            "makes the numbers)",
            expected="int",
            yours=type(seed).__name__,
            where=where,
        )
        that(seed >= 0, "a seed cannot be negative", yours=seed, where=where)
    return list(seeds)


def start(answer, envs, base_seed):
    """Reset with a base seed: observations, and the seeds that each robot got."""
    where = f"seeded_reset(envs, {base_seed}), {envs.num_envs} robots"
    for env in envs.envs:
        env.seeds = []
    got = answer.seeded_reset(envs, base_seed)
    that(
        isinstance(got, tuple) and len(got) == 2 and isinstance(got[1], dict),
        "return what `envs.reset` returned: the observations and the info dictionary",
        expected="(observations, infos)",
        yours=repr(got),
        where=where,
    )
    seeds = [list(env.seeds) for env in envs.envs]
    that(
        all(len(given) == 1 for given in seeds),
        "every robot is reset once: one call of `envs.reset` for all of them",
        expected="1 reset of each robot",
        yours=f"{[len(given) for given in seeds]} resets",
        where=where,
    )
    return got[0], [given[0] for given in seeds]


def test_python_ints(answer):
    """The seeds are a list of Python ints, as many as asked for."""
    for base_seed, count in ((0, 1), (7, 5), (123, 64)):
        spawned(answer, base_seed, count)


def test_all_different(answer):
    """No seed comes twice in one run."""
    for base_seed, count in ((0, 4), (1, 64), (9, 1500)):
        seeds = spawned(answer, base_seed, count)
        that(
            len(set(seeds)) == count,
            "two robots have one seed: they would play the same episodes",
            expected=f"{count} different seeds",
            yours=f"{len(set(seeds))} different ones",
            where=f"spawn_seeds({base_seed}, {count})",
        )


def test_repeatable_and_different(answer):
    """The same base seed gives the same seeds, whatever was drawn before; another gives others."""
    for base_seed in (*NEIGHBOURS, 2**40):
        np.random.seed(1)
        first = spawned(answer, base_seed, 6)
        np.random.seed(2)
        np.random.random(3)
        equal(
            spawned(answer, base_seed, 6),
            first,
            "the same base seed must give the same seeds: they have to follow from `base_seed` "
            "alone",
            where=f"spawn_seeds({base_seed}, 6), called twice",
        )


def test_runs_share_no_seed(answer):
    """Runs with different base seeds have no seed in common, whatever their sizes."""
    for mine, other in ((4, 4), (8, 3), (3, 64), (1500, 1500)):
        for one in NEIGHBOURS:
            for two in NEIGHBOURS:
                if one == two:
                    continue
                shared = set(spawned(answer, one, mine)) & set(spawned(answer, two, other))
                that(
                    len(shared) < max(mine, other),
                    "two base seeds give the same seeds: they must follow from `base_seed`",
                    expected="other seeds",
                    yours=f"all {len(shared)} in common",
                    where=f"{mine} robots with base seed {one}, {other} with base seed {two}",
                )
                that(
                    not shared,
                    "two runs share seeds, so they are not independent. A base seed plus a number, "
                    "or times one, runs into the next run's seeds sooner or later: let "
                    "`np.random.SeedSequence` scramble it",
                    expected="no seed in common",
                    yours=f"{len(shared)} in common, such as {sorted(shared)[:3]}",
                    where=f"{mine} robots with base seed {one}, {other} with base seed {two}",
                )


def test_global_generators_untouched(answer):
    """`np.random` and `random`, which belong to the whole program, are left alone."""
    before = np.random.get_state()[1].tolist(), np.random.get_state()[2], random.getstate()
    spawned(answer, 3, 5)
    start(answer, new_envs(3), 3)
    after = np.random.get_state()[1].tolist(), np.random.get_state()[2], random.getstate()
    that(
        before == after,
        "your code seeds or uses `np.random` or `random`: that changes everybody else's draws. A "
        "`SeedSequence` needs neither",
    )


def test_every_robot_gets_its_own_seed(answer):
    """seeded_reset gives each robot a seed of its own, and runs share none of them."""
    runs = {}
    for base_seed in NEIGHBOURS:
        observations, seeds = start(answer, new_envs(5), base_seed)
        where = f"seeded_reset(envs, {base_seed}), 5 robots"
        that(
            None not in seeds,
            "a robot was reset without a seed: hand the list to `envs.reset(seed=...)`",
            yours=f"seeds {seeds}",
            where=where,
        )
        that(
            len(set(seeds)) == 5 and len(np.unique(observations, axis=0)) == 5,
            "robots share a seed: they play the same episode",
            yours=f"seeds {seeds}",
            where=where,
        )
        runs[base_seed] = set(seeds)
    for one, two in pairwise(NEIGHBOURS):
        that(
            not runs[one] & runs[two],
            "two runs with neighbouring base seeds share robots' seeds: `envs.reset(seed=5)` means "
            "5, 6, 7 and so on, so pass the list of spawned seeds",
            expected="no seed in common",
            yours=f"{len(runs[one] & runs[two])} of 5 in common",
            where=f"seeded_reset(envs, {one}) and seeded_reset(envs, {two})",
        )


def test_reset_repeats(answer):
    """The same base seed repeats the first observations and what follows without a seed."""
    envs = new_envs(3)
    runs = []
    for _ in range(2):
        first, _ = start(answer, envs, 11)
        runs.append(np.concatenate([first, envs.reset()[0]]))
        envs.reset(seed=99)
    equal(runs[1], runs[0], "the same base seed must give the same episodes", where="base seed 11")


def test_action_space_is_seeded(answer):
    """Random actions repeat too: the batched action space has a seed of its own."""
    envs, samples = new_envs(4), {}
    for base_seed in (11, 12, 11):
        start(answer, envs, base_seed)
        drawn = [envs.action_space.sample().tolist() for _ in range(3)]
        if base_seed in samples:
            equal(
                drawn,
                samples[base_seed],
                "random actions do not repeat: `envs.reset` does not seed the action space. Call "
                "`envs.action_space.seed`, on the batched space, not on `single_action_space`",
                where=f"envs.action_space.sample() after seeded_reset(envs, {base_seed}), twice",
            )
        that(
            drawn not in [other for key, other in samples.items() if key != base_seed],
            "two base seeds give the same random actions: seed the action space from `base_seed` "
            "too",
            where=f"envs.action_space.sample() after seeded_reset(envs, {base_seed})",
        )
        samples[base_seed] = drawn


def test_action_space_shares_no_stream(answer):
    """The action space's seed is no robot's seed."""
    for base_seed in NEIGHBOURS:
        envs = new_envs(4)
        _, seeds = start(answer, envs, base_seed)
        state = envs.action_space.np_random.bit_generator.state
        for i, seed in enumerate(seeds):
            that(
                seeding.np_random(seed)[0].bit_generator.state != state,
                "the action space has the seed of a robot: its actions and that robot's luck come "
                "from the same draws. Spawn one seed more than there are robots",
                where=f"robot {i} after seeded_reset(envs, {base_seed})",
            )


def test_works_on_the_courses_own_vector_env(answer):
    """seeded_reset needs nothing that only SyncVectorEnv has."""
    envs = gym.make_vec("BurgerBotKitchens-v0", num_envs=3)
    first = [answer.seeded_reset(envs, 4)[0] for _ in range(2)]
    equal(first[1], first[0], "the same base seed must give the same kitchens", where="base seed 4")
