"""Exercise 09.1: robots for SB3."""

import gymnasium as gym
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import ClaimFailed, equal, instance, that

KITCHENS, V1 = "burgerbot:BurgerBotKitchens-v0", "burgerbot:BurgerBot-v1"


def first_of(seed):
    """The first observation of a kitchen with this seed."""
    return gym.make("BurgerBotKitchens-v0").reset(seed=seed)[0]


def test_robots_in_this_process(answer, monkeypatch):
    """Without `processes`, the robots stand in a DummyVecEnv: as many as asked for."""

    def started(*args, **kwargs):
        raise ClaimFailed(
            "without `processes`, all robots are in this process: `vec_env_cls=DummyVecEnv`",
            expected="DummyVecEnv",
            yours="SubprocVecEnv",
            where=where,
        )

    monkeypatch.setattr(SubprocVecEnv, "__init__", started)
    for n_envs in (1, 3, 12):
        where = f'make_robots("{V1}", {n_envs}, 0)'
        envs = answer.make_robots(V1, n_envs, 0)
        instance(
            envs,
            DummyVecEnv,
            "without `processes`, all robots are in this process: `vec_env_cls=DummyVecEnv`",
            where=where,
        )
        equal(envs.num_envs, n_envs, "`n_envs` robots are wanted", where=where)
        equal(
            envs.get_attr("spec")[0].id,
            "BurgerBot-v1",
            "the robots are of the id that was asked for",
            where=where,
        )


def test_every_robot_has_a_monitor(answer):
    """Each robot has a Monitor, which notes its returns."""
    envs = answer.make_robots(V1, 3, 0)
    that(
        all(envs.env_is_wrapped(Monitor)),
        "a Monitor around each robot notes its returns: `make_vec_env` puts it there",
        expected=[True] * 3,
        yours=envs.env_is_wrapped(Monitor),
        where=f'make_robots("{V1}", 3, 0)',
    )


def test_seeds_of_a_run(answer):
    """Robot i of run r begins with the seed r * n_envs + i."""
    for n_envs, run in ((3, 0), (3, 1), (2, 4)):
        envs = answer.make_robots(KITCHENS, n_envs, run)
        equal(
            envs.get_attr("spec")[0].id,
            "BurgerBotKitchens-v0",
            "the robots are of the id that was asked for: hand on `env_id`",
            where=f'make_robots("{KITCHENS}", {n_envs}, {run})',
        )
        seen = envs.reset()
        for i in range(n_envs):
            equal(
                seen[i],
                first_of(run * n_envs + i),
                "robot i of run r gets the seed `r * n_envs + i`; SB3 adds the i by itself, so "
                "`seed` is that of robot 0",
                where=f"run {run} with {n_envs} robots: robot {i}, seed {run * n_envs + i}",
            )


def test_runs_share_no_robot(answer):
    """Two runs with neighbouring numbers have no robot's draws in common."""
    first, second = (answer.make_robots(KITCHENS, 4, run).reset() for run in (2, 3))
    shared = {tuple(a) for a in first.tolist()} & {tuple(b) for b in second.tolist()}
    that(
        not shared,
        "two runs share seeds, so that some of their robots live through the same draws: space the "
        "runs by `n_envs`",
        expected="no first observation in common",
        yours=f"{len(shared)} of 4 in common",
        where="runs 2 and 3 with 4 robots",
    )


def test_the_same_run_again(answer):
    """The same run number gives the same robots again."""
    first, second = (answer.make_robots(KITCHENS, 3, 5).reset() for _ in range(2))
    equal(
        second,
        first,
        "the same run begins in the same way each time: all chance comes from `run`",
        where="run 5 with 3 robots, made twice",
    )


def test_robots_in_processes(answer):
    """With `processes`, each robot has a process of its own: a SubprocVecEnv."""
    where = f'make_robots("{KITCHENS}", 2, 3, processes=True)'
    envs = answer.make_robots(KITCHENS, 2, 3, processes=True)
    try:
        instance(
            envs,
            SubprocVecEnv,
            "with `processes`, each robot is in a process of its own: `vec_env_cls=SubprocVecEnv`",
            where=where,
        )
        equal(envs.num_envs, 2, "`n_envs` robots are wanted", where=where)
        equal(
            envs.reset(),
            [first_of(6), first_of(7)],
            "in processes the seeds are the same as in one process",
            where=where,
        )
    finally:
        envs.close()
