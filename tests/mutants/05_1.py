# %% returns a lambda says="pickle cannot store this"
def env_factory(env_id, **kwargs):
    return lambda: gym.make(f"burgerbot:{env_id}", **kwargs)


# %% returns a function inside a function says="pickle cannot store this"
def env_factory(env_id, **kwargs):
    def make():
        import burgerbot

        return gym.make(env_id, **kwargs)

    return make


# %% fills in a function of the notebook says="pickle cannot store this"
def make(env_id, kwargs):
    import burgerbot

    return gym.make(env_id, **kwargs)


def env_factory(env_id, **kwargs):
    return partial(make, env_id, kwargs)


# %% returns an object of a class of the notebook says="pickle cannot store this"
class Factory:
    def __init__(self, env_id, kwargs):
        self.env_id, self.kwargs = env_id, kwargs

    def __call__(self):
        return gym.make(f"burgerbot:{self.env_id}", **self.kwargs)


def env_factory(env_id, **kwargs):
    return Factory(env_id, kwargs)


# %% counts on an import in the other process says="a fresh process knows no BurgerBot"
def env_factory(env_id, **kwargs):
    return partial(gym.make, env_id, **kwargs)


# %% builds the robot at once says="both calls gave the same robot"
def env_factory(env_id, **kwargs):
    env = gym.make(f"burgerbot:{env_id}", **kwargs)
    return lambda: env


# %% builds the robot at once, and pickles it says="both calls gave the same robot"
def env_factory(env_id, **kwargs):
    from operator import attrgetter

    class Held:
        env = gym.make(f"burgerbot:{env_id}", **kwargs)

    return partial(attrgetter("env"), Held)


# %% returns the environment itself says="not the environment itself"
def env_factory(env_id, **kwargs):
    return gym.make(f"burgerbot:{env_id}", **kwargs)


# %% forgets the arguments says="`kitchen` did not reach the environment"
def env_factory(env_id, **kwargs):
    return partial(gym.make, f"burgerbot:{env_id}")


# %% calls the bare class says="the bare class has no step limit|this is another environment"
def env_factory(env_id, **kwargs):
    from burgerbot.world.env import BurgerBotEnv

    return partial(BurgerBotEnv, **kwargs)


# %% makes the same robot whatever the id says="the id that was asked for is not the one made"
def env_factory(env_id, **kwargs):
    return partial(gym.make, "burgerbot:BurgerBot-v0", **kwargs)


# %% hands on one dictionary says="as one dictionary"
def env_factory(env_id: str, **kwargs) -> Callable[[], gym.Env]:
    """Return a function that makes a new BurgerBot in any process; ``"BurgerBot-v0"`` is an id."""
    return partial(gym.make, f"burgerbot:{env_id}", kwargs=kwargs)
