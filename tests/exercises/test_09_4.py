"""Exercise 09.4: a callback that counts transitions."""

from types import SimpleNamespace

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import equal, instance, that


class Model(SimpleNamespace):
    """A model that only counts; its robots take no steps."""

    def __init__(self, n_envs, begin=0):
        super().__init__(num_timesteps=begin, envs=SimpleNamespace(num_envs=n_envs), logger=None)

    def get_env(self):
        return self.envs


def run(answer, n_envs, every, calls, begin=0, measure=None, target=1e9):
    """Call the learner's callback ``calls`` times; return it and what it returned."""
    model = Model(n_envs, begin)
    callback = answer.EveryTransitions(every, measure or (lambda model: 0.0), target)
    instance(callback, BaseCallback, "the class is a `BaseCallback`")
    callback.init_callback(model)
    going = []
    for _ in range(calls):
        model.num_timesteps += n_envs
        going.append(callback.on_step())
    return callback, going


def times(callback, where):
    """When the callback measured."""
    for entry in callback.history:
        that(
            isinstance(entry, tuple) and len(entry) == 2,
            "`history` holds tuples `(num_timesteps, measurement)`",
            yours=entry,
            where=where,
        )
    return [int(entry[0]) for entry in callback.history]


def due(n_envs, every, calls, begin=0):
    """The calls in which a multiple of ``every`` is among the new transitions."""
    found = []
    for call in range(calls):
        new = range(begin + call * n_envs + 1, begin + (call + 1) * n_envs + 1)
        if any(number % every == 0 for number in new):
            found.append(new[-1])
    return found


def test_one_robot(answer):
    """With one robot, every tenth transition is measured."""
    where = "1 robot, every 10, 35 calls"
    callback, _ = run(answer, 1, 10, 35)
    equal(
        times(callback, where),
        [10, 20, 30],
        "measure when `num_timesteps` reaches a multiple of `every`, not before the first",
        where=where,
    )


def test_several_robots(answer):
    """With four robots a call is four transitions: 12, 20, 32, 40."""
    where = "4 robots, every 10, 11 calls"
    callback, _ = run(answer, 4, 10, 11)
    that(
        list(times(callback, where)) != [10, 20, 30, 40],
        "note `num_timesteps` as it is in this call, not the multiple that was passed: nobody has "
        "measured after exactly 10 transitions",
        expected=[12, 20, 32, 40],
        yours=times(callback, where),
        where=where,
    )
    equal(
        times(callback, where),
        [12, 20, 32, 40],
        "a call is `n_envs` transitions, and a multiple of `every` may be passed without being hit"
        ": count transitions, not calls, and look for the first call at or beyond it",
        where=where,
    )


def test_more_robots_than_transitions_between(answer):
    """Where every call passes multiples, each call measures, once."""
    where = "16 robots, every 10, 4 calls"
    callback, _ = run(answer, 16, 10, 4)
    equal(
        times(callback, where),
        [16, 32, 48, 64],
        "a call that passes two multiples measures once, and the next call is not left out",
        where=where,
    )


def test_random_numbers(answer):
    """For any number of robots, `every` and start."""
    rng = np.random.default_rng(4)
    for _ in range(30):
        n_envs, every, calls = (int(n) for n in rng.integers(1, 30, size=3))
        where = f"{n_envs} robots, every {every}, {calls} calls"
        callback, _ = run(answer, n_envs, every, calls)
        equal(
            times(callback, where),
            due(n_envs, every, calls),
            "measure in each call among whose new transitions is a multiple of `every`",
            where=where,
        )


def test_a_second_learn(answer):
    """A training that goes on from 100 transitions measures at the next multiples."""
    where = "4 robots, every 30, from 100 transitions on, 12 calls"
    callback, _ = run(answer, 4, 30, 12, begin=100)
    equal(
        times(callback, where),
        [120],
        "a second `learn` may go on counting from 100: what was passed before is not made up for, "
        "and multiples are those of `num_timesteps` itself",
        where=where,
    )


def test_what_is_measured(answer):
    """The model itself is measured, once each time, and the value noted."""
    seen = []

    def measure(model):
        seen.append(model)
        return float(model.num_timesteps) / 2

    callback, _ = run(answer, 3, 6, 6, measure=measure)
    where = "3 robots, every 6, 6 calls"
    equal(len(seen), 3, "measure once each time, and in no other call", where=where)
    that(
        all(isinstance(model, Model) for model in seen),
        "`measure` is given `self.model`",
        expected="the model",
        yours=type(seen[0]).__name__,
        where=where,
    )
    equal(
        [tuple(entry) for entry in callback.history],
        [(6, 3.0), (12, 6.0), (18, 9.0)],
        "`history` holds `(num_timesteps, what measure returned)`",
        where=where,
    )


def test_goes_on_until_the_target(answer):
    """_on_step returns True until a measurement is at the target or above, then False."""
    values = iter([1.0, 7.0, 9.5, 10.0])
    _, going = run(answer, 2, 4, 8, measure=lambda model: next(values), target=10.0)
    where = "measurements 1, 7, 9.5 and 10 in calls 2, 4, 6 and 8; the target is 10"
    that(
        all(kind is not None for kind in going),
        "`_on_step` must return True to go on: None counts as False and ends the training",
        expected=[True] * 7 + [False],
        yours=going,
        where=where,
    )
    equal(
        [bool(kind) for kind in going],
        [True] * 7 + [False],
        "return True as long as no measurement has reached the target, in calls without a "
        "measurement too, and False when one is at the target or above",
        where=where,
    )


def test_each_callback_has_its_own_history(answer):
    """Two callbacks share nothing."""
    first, _ = run(answer, 1, 5, 20)
    second, _ = run(answer, 1, 5, 5)
    equal(len(second.history), 1, "two callbacks share one history", where="a second callback")
    equal(len(first.history), 4, "two callbacks share one history", where="the first callback")


def test_in_a_real_training(answer):
    """In SB3's own loop: 4 robots, 40 transitions, stopped at 24."""
    model = PPO(
        "MlpPolicy",
        make_vec_env("BurgerBot-v1", 4, seed=0),
        n_steps=5,
        batch_size=20,
        n_epochs=1,
        device="cpu",
        policy_kwargs={"net_arch": [4]},
    )
    callback = answer.EveryTransitions(8, lambda model: model.num_timesteps, 24.0)
    model.learn(40, callback=callback)
    equal(
        times(callback, "PPO with 4 robots"),
        [8, 16, 24],
        "in SB3's own loop the callback measures at these transitions, and ends it at the target",
        where="PPO with 4 robots, every 8, target 24 reached at 24 of 40 transitions",
    )
