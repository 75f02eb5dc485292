# %% binds the loop variable late says="late binding"
def make_factories(env_id, kitchens):
    factories = []
    for kitchen in kitchens:
        factories.append(lambda: gym.make(env_id, kitchen=kitchen))
    return factories


# %% binds the index late says="late binding"
def make_factories(env_id, kitchens):
    return [lambda: gym.make(env_id, kitchen=kitchens[i]) for i in range(len(kitchens))]


# %% defines a function in the loop, with the same trap says="late binding"
def make_factories(env_id, kitchens):
    factories = []
    for kitchen in kitchens:

        def factory():
            return gym.make(env_id, kitchen=kitchen)

        factories.append(factory)
    return factories


# %% builds the environment as a default says="built before any factory was called"
def make_factories(env_id, kitchens):
    return [lambda env=gym.make(env_id, kitchen=kitchen): env for kitchen in kitchens]


# %% makes N views of one robot says="built before any factory was called"
def make_factories(env_id, kitchens):
    env = gym.make(env_id, kitchen=kitchens[0]) if kitchens else None
    return [lambda: env for _ in kitchens]


# %% keeps what it has built says="a second call builds another"
def make_factories(env_id, kitchens):
    from functools import cache

    def factory(kitchen):
        return cache(lambda: gym.make(env_id, kitchen=kitchen))

    return [factory(kitchen) for kitchen in kitchens]


# %% shares a robot between equal kitchens says="one and the same robot"
def make_factories(env_id, kitchens):
    built = {}

    def factory(kitchen, calls):
        def build():
            calls.append(kitchen)
            key = kitchen, len(calls)
            if key not in built:
                built[key] = gym.make(env_id, kitchen=kitchen)
            return built[key]

        return build

    return [factory(kitchen, []) for kitchen in kitchens]


# %% returns environments says="a function that builds an environment"
def make_factories(env_id, kitchens):
    return [gym.make(env_id, kitchen=kitchen) for kitchen in kitchens]


# %% forgets the kitchen says="hand it on as .kitchen="
def make_factories(env_id, kitchens):
    return [lambda: gym.make(env_id) for _ in kitchens]


# %% builds the bare robot says="no step limit"
def make_factories(env_id, kitchens):
    def factory(kitchen):
        return lambda: gym.make(env_id, kitchen=kitchen).unwrapped.__class__(kitchen)

    return [factory(kitchen) for kitchen in kitchens]


# %% always builds v1 says="of the name .env_id"
def make_factories(env_id, kitchens):
    def factory(kitchen):
        return lambda: gym.make(
            "BurgerBot-v1" if env_id == "BurgerBot-v0" else env_id, kitchen=kitchen
        )

    return [factory(kitchen) for kitchen in kitchens]


# %% leaves the last kitchen out says="one factory a kitchen"
def make_factories(env_id, kitchens):
    def factory(i):
        return lambda: gym.make(env_id, kitchen=kitchens[i])

    return [factory(i) for i in range(len(kitchens) - 1)]


# %% returns one function says="a list of factories"
def make_factories(env_id, kitchens):
    return lambda: [gym.make(env_id, kitchen=kitchen) for kitchen in kitchens]
