"""Exercise 07.4: an evaluation that moves nothing."""

import json

import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorWrapper

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import close, equal, that
from burgerbot.learn.normalize import NormalizeVectorEnv

KITCHENS = "BurgerBotKitchens-v0"
STEPS, SEED = 40, 5


class Spy(VectorWrapper):
    """Writes down what goes in and out."""

    def __init__(self, envs):
        super().__init__(envs)
        self.seeds, self.seen, self.paid = [], [], []

    def reset(self, *, seed=None, options=None):
        self.seeds.append(seed)
        seen, infos = self.env.reset(seed=seed, options=options)
        self.seen.append(seen.copy())
        return seen, infos

    def step(self, actions):
        seen, rewards, *rest = self.env.step(actions)
        self.seen.append(seen.copy())
        self.paid.append(rewards.copy())
        return seen, rewards, *rest


class Policy:
    """Drives by a fixed rule, and keeps what it was shown."""

    def __init__(self):
        self.shown = []

    def __call__(self, rows):
        self.shown.append(np.array(rows))
        return np.arange(len(rows)) % 3 * (len(self.shown) % 2)


def make(number=3, limit=7):
    """A spy on a few robots with short episodes."""
    return Spy(gym.make_vec(KITCHENS, number, max_episode_steps=limit, autoreset_mode="SameStep"))


def trained(clip=10.0, rewards=True):
    """A wrapper in the middle of its training."""
    envs = NormalizeVectorEnv(make(4, 9), rewards=rewards, clip=clip)
    envs.reset(seed=0)
    for actions in np.random.default_rng(0).integers(4, size=(30, 4)):
        envs.step(actions)
    return envs


def run(answer, training, where, steps=STEPS):
    """The learner's result, the spy and the policy."""
    envs, policy = make(), Policy()
    try:
        result = answer.mean_reward(training, envs, policy, steps, SEED)
    except ValueError as error:
        that(
            "no rows seen" not in str(error),
            "a fresh wrapper has seen no rows, and so it cannot normalize: it needs the statistics "
            "of the training, by `load_state_dict(training.state_dict())`",
            yours=f"ValueError: {error}",
            where=where,
        )
        raise
    equal(len(envs.paid), steps, "take exactly `steps` steps in `envs`", where=where)
    equal(envs.seeds, [SEED], "reset `envs` once, with `seed=seed`", where=where)
    return result, envs, policy


def test_training_stays_as_it_is(answer):
    """Not one bit of the training's statistics moves, and its robots take no step."""
    training = trained()
    where = f"a training in progress; {STEPS} steps in an env of its own"
    before, steps = json.dumps(training.state_dict()), len(training.env.paid)
    count = training.moments.count
    run(answer, training, where)
    equal(
        len(training.env.paid),
        steps,
        "`training` was stepped: its robots are in the middle of their episodes",
        where=where,
    )
    equal(
        training.moments.count,
        count,
        "the training's statistics took in rows of the evaluation: give `envs` a wrapper of its "
        "own",
        where=where,
    )
    that(
        json.dumps(training.state_dict()) == before,
        "the training's statistics have moved",
        where=where,
    )


def test_training_goes_on(answer):
    """A training that was not frozen is not frozen afterwards; one that was still is."""
    training = trained()
    run(answer, training, "a training that is not frozen")
    that(
        not (training.moments.frozen or training.returns.frozen),
        "the training was left frozen: from now on it learns with old statistics, and nothing says "
        "so",
        where="a training that is not frozen, after the evaluation",
    )
    training.freeze()
    run(answer, training, "a training that is frozen")
    that(
        training.frozen,
        "the training was frozen before, and is to stay so",
        where="a frozen training, after the evaluation",
    )


def test_policy_sees_the_training_normalization(answer):
    """The policy sees observations normalized by the training's statistics, at every step."""
    for clip in (10.0, 0.75):
        training = trained(clip=clip)
        where = f"{STEPS} steps, clip {clip}"
        _, envs, policy = run(answer, training, where)
        equal(len(policy.shown), STEPS, "ask the policy once for each step", where=where)
        for t, (shown, seen) in enumerate(zip(policy.shown, envs.seen, strict=False)):
            here = f"{where}; step {t}"
            equal(shown.shape, seen.shape, "the policy sees one row a robot", where=here)
            that(
                not np.allclose(shown, seen),
                "the policy was shown raw observations: it has only ever seen normalized ones",
                where=here,
            )
            wide = clip == 10.0
            close(
                shown,
                training.moments.normalize(seen, clip),
                "the policy is to see what it would see in training now: the training's mean and "
                "variance, from the first step to the last, and its clip. "
                + (
                    "(The order is wrap, load, freeze, reset: what is not frozen moves with every "
                    "row, the first one too)"
                    if wide
                    else "(`clip=training.clip`)"
                ),
                where=here,
                tolerance=1e-5,
            )


def test_raw_rewards(answer):
    """The result is the mean of the rewards as the env pays them."""
    for rewards in (True, False):
        training = trained(rewards=rewards)
        for steps in (1, STEPS):
            where = f"{steps} steps of 3 robots; rewards scaled in training: {rewards}"
            result, envs, _ = run(answer, training, where, steps=steps)
            equal(np.shape(result), (), "the result is one number", where=where)
            close(
                result,
                np.mean(envs.paid),
                "the mean over robots and steps of the rewards as `envs` pays them: a scaled "
                "reward is no result, and a sum depends on how long you look",
                where=where,
            )


def test_twice(answer):
    """Two evaluations of one policy with one seed agree."""
    training = trained()
    first, second = (run(answer, training, "the same call, twice")[0] for _ in range(2))
    equal(first, second, "nothing has moved, so nothing differs", where="the same call, twice")
