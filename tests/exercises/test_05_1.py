"""Exercise 05.1: a factory that can go to any process."""

import json
import multiprocessing
import os
import pickle
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

from burgerbot.course.claims import equal, instance, that
from burgerbot.scale.backends import end_workers

LOPSIDED = ">..\n.O.\n..G\n..."

#: What a fresh process does with the bytes that it is sent; it has imported nothing of ours.
CHILD = """
import json, pickle, sys
try:
    factory = pickle.load(sys.stdin.buffer)
    env = factory()
    observation, _ = env.reset(seed=3)
    print(json.dumps(["fine", [int(x) for x in observation], env.unwrapped.kitchen.rows]))
except Exception as error:
    print(json.dumps([type(error).__name__, str(error)]))
"""


def pickled(factory, where):
    """The factory as bytes."""
    try:
        return pickle.dumps(factory)
    except Exception as error:
        that(
            False,
            "pickle cannot store this: it stores a function by its module and name, and a lambda, "
            "a function inside a function, or one that stands in this notebook has none that "
            "another process could look up. Fill in the arguments of a package's function instead",
            expected="pickle.dumps(factory) works",
            yours=f"{type(error).__name__}: {error}",
            where=where,
        )


def test_makes_the_environment(answer):
    """The factory takes no arguments, and makes the environment that `gym.make` makes."""
    where = 'env_factory("BurgerBot-v0")'
    factory = answer.env_factory("BurgerBot-v0")
    that(
        callable(factory) and not isinstance(factory, gym.Env),
        "return a function that makes the environment, not the environment itself",
        yours=type(factory).__name__,
        where=where,
    )
    try:
        env = factory()
    except TypeError as error:
        that(
            "kwargs" not in str(error),
            "the arguments arrive as one dictionary: hand them on one by one, `**kwargs`",
            yours=f"TypeError: {error}",
            where=where,
        )
        raise
    instance(env, gym.Env, "calling the factory makes an environment", where=where)
    equal(env.spec and env.spec.id, "BurgerBot-v0", "this is another environment", where=where)
    that(
        env.spec.max_episode_steps == 150,
        "let `gym.make` build it, and hand out what it made: the bare class has no step limit",
        expected=150,
        yours=repr(env.spec.max_episode_steps),
        where=where,
    )
    other = answer.env_factory("BurgerBot-v1")()
    equal(other.spec.id, "BurgerBot-v1", "the id that was asked for is not the one made")


def test_arguments_reach_the_environment(answer):
    """Keyword arguments go to `gym.make`."""
    env = answer.env_factory("BurgerBot-v0", kitchen=LOPSIDED, render_mode="ansi")()
    where = 'env_factory("BurgerBot-v0", kitchen=..., render_mode="ansi")'
    equal(env.unwrapped.kitchen.rows, 4, "`kitchen` did not reach the environment", where=where)
    equal(env.render_mode, "ansi", "`render_mode` did not reach the environment", where=where)


def test_every_call_makes_a_new_one(answer):
    """Two calls make two robots that share nothing."""
    factory = answer.env_factory("BurgerBot-v0")
    one, other = factory(), factory()
    that(
        one.unwrapped is not other.unwrapped,
        "both calls gave the same robot: build it when the factory is called, not before",
        where='factory = env_factory("BurgerBot-v0"), called twice',
    )


def test_plain_pickle_can_store_it(answer):
    """`pickle.dumps` and `pickle.loads` bring the factory through."""
    where = 'env_factory("BurgerBot-v0", kitchen=...)'
    data = pickled(answer.env_factory("BurgerBot-v0", kitchen=LOPSIDED), where)
    env = pickle.loads(data)()
    equal(env.unwrapped.kitchen.rows, 4, "the arguments were lost on the way", where=where)


def test_works_in_a_fresh_process(answer):
    """A process that has imported nothing of the course can build and reset the robot."""
    where = 'env_factory("BurgerBot-v0", kitchen=...), sent to a fresh Python'
    data = pickled(answer.env_factory("BurgerBot-v0", kitchen=LOPSIDED), where)
    child = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=data,
        capture_output=True,
        timeout=15,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    result = json.loads(child.stdout.decode().strip().split("\n")[-1])
    if result[0] in ("NameNotFound", "NamespaceNotFound", "UnregisteredEnv"):
        message = (
            "a fresh process knows no BurgerBot, for nobody has run `import burgerbot` there: an "
            'id of the form "burgerbot:BurgerBot-v0" makes `gym.make` import it'
        )
    else:
        message = (
            "a fresh process cannot find what was pickled: it looks a function up in its module, "
            "and cannot import your notebook"
        )
    fine = result[0] == "fine"
    that(fine, message, expected="an environment", yours=f"{result[0]}: {result[1]}", where=where)
    equal([*result[1], result[2]], [0, 0, 1, 1, 4], "another robot came out", where=where)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_start(answer, method):
    """AsyncVectorEnv starts two workers with it, in every way this system has."""
    factories = [
        answer.env_factory("BurgerBot-v0"),
        answer.env_factory("BurgerBot-v0", kitchen=">......\n.......\n......G"),
    ]
    envs = AsyncVectorEnv(factories, context=method, observation_mode="different")
    try:
        observations, _ = envs.reset(seed=1)
        equal(
            np.asarray(observations).tolist(),
            [[0, 0, 1, 1], [0, 0, 1, 2]],
            "the workers' robots are not those that were asked for",
            where=f"two workers, started by {method}",
        )
    finally:
        end_workers(envs)
