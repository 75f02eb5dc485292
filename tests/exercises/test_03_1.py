"""Exercise 03.1: factories that build N environments."""

import gymnasium as gym
import pytest

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import equal, instance, that
from burgerbot.world.kitchen import CLASSIC, Kitchen

MAPS = [">.O.\n...G", "..>.\nG...", ">.O.\n...G", "v...\nO..G", "...G\n^..."]
KITCHENS = [Kitchen.from_ascii(text) for text in MAPS]  # the first and the third are equal


@pytest.fixture
def builds():
    """Register an environment that writes down whenever one is built."""
    log = []

    def entry(kitchen=CLASSIC):
        log.append(kitchen)
        return gym.make("BurgerBot-v1", kitchen=kitchen).unwrapped

    gym.register("LessonThreeCounted-v0", entry_point=entry)
    yield log
    gym.registry.pop("LessonThreeCounted-v0")


def made(answer, env_id="BurgerBot-v1", kitchens=KITCHENS):
    """The learner's factories, as many as there are kitchens, and each can be called."""
    factories = answer.make_factories(env_id, list(kitchens))
    instance(factories, (list, tuple), "return a list of factories, one a kitchen")
    that(
        len(factories) == len(kitchens),
        "one factory a kitchen is wanted",
        expected=f"{len(kitchens)} factories",
        yours=f"{len(factories)}",
    )
    for i, factory in enumerate(factories):
        that(
            callable(factory) and not isinstance(factory, gym.Env),
            "a factory is a function that builds an environment when it is called; this is "
            "something else (the environment itself?)",
            yours=type(factory).__name__,
            where=f"factory {i}",
        )
    return factories


def test_one_factory_per_kitchen(answer):
    """There is one factory a kitchen, each a function; called, it gives an environment."""
    for i, factory in enumerate(made(answer)):
        instance(factory(), gym.Env, "a factory returns the environment", where=f"factory {i}()")


def test_nothing_is_built_before_the_call(answer, builds):
    """Making the factories builds nothing; each call of one builds one environment."""
    factories = made(answer, "LessonThreeCounted-v0")
    equal(
        len(builds),
        0,
        "environments were built before any factory was called: put `gym.make` inside the function "
        "(a default such as `env=gym.make(...)` is worked out at once)",
        where="after make_factories, before any call",
    )
    for calls in (1, 2):
        built = factories[1]()
        that(
            len(builds) or calls > 1,
            "the factory builds an environment of another name: hand `env_id` on to `gym.make`",
            expected="LessonThreeCounted-v0",
            yours=getattr(built.spec, "id", built),
            where="factory 1, call 1",
        )
        equal(
            len(builds),
            calls,
            "each call of a factory builds one environment, and a second call builds another: one "
            "that is kept and handed out again is shared by whoever calls",
            where=f"factory 1, call {calls}",
        )


def test_each_factory_knows_its_own_kitchen(answer):
    """Factory i builds in kitchen i, in whatever order they are called."""
    factories = made(answer)
    for i in (3, 0, 4, 1, 2):
        kitchen = factories[i]().unwrapped.kitchen
        if i < 4:
            that(
                kitchen != KITCHENS[-1],
                "late binding: this factory builds the last kitchen. A function looks a loop "
                "variable up when it is called, and then the loop is over",
                expected=KITCHENS[i].to_ascii(),
                yours=kitchen.to_ascii(),
                where=f"factory {i} of {len(KITCHENS)}",
            )
        that(
            kitchen == KITCHENS[i],
            "factory i builds an environment in kitchen i: hand it on as `kitchen=`",
            expected=KITCHENS[i].to_ascii(),
            yours=kitchen.to_ascii(),
            where=f"factory {i} of {len(KITCHENS)}",
        )


def test_no_two_robots_are_the_same_object(answer):
    """All environments are different objects: a step of one moves no other."""
    factories = made(answer)
    envs = [factory() for factory in [*factories, *factories]]
    for name, objects in (("", envs), (" without its wrappers", [env.unwrapped for env in envs])):
        equal(
            len({id(thing) for thing in objects}),
            len(envs),
            "several factories, or several calls, hand out one and the same robot"
            f"{name}: build a new one at each call",
            where=f"{len(factories)} factories, each called twice: how many different robots",
        )


def test_env_id_is_honoured(answer):
    """The environment is the one that `gym.make(env_id)` makes, with its step limit."""
    for env_id in ("BurgerBot-v0", "BurgerBot-v1"):
        for i, factory in enumerate(made(answer, env_id, KITCHENS[:2])):
            env, where = factory(), f"{env_id}, factory {i}()"
            that(
                env.spec is not None and env.spec.max_episode_steps == 150,
                "this robot has no step limit: build it with `gym.make`, not from its class, and "
                "leave the wrappers on",
                where=where,
            )
            equal(env.spec.id, env_id, "build the environment of the name `env_id`", where=where)


def test_no_kitchens_no_factories(answer):
    """An empty list of kitchens gives an empty list."""
    equal(list(made(answer, kitchens=[])), [], "no kitchens, no factories")
