# %% returns a bare instance says="does not come from `gym.make"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    env = entry_point()
    check_env(env)
    return env


# %% does not register says="not in Gymnasium's register"
def register_bot(env_id, entry_point, max_episode_steps=150):
    env = gym.wrappers.TimeLimit(entry_point(), max_episode_steps)
    check_env(env.unwrapped)
    return env


# %% takes the wrappers off before it returns says="takes the limit off"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    env = gym.make(env_id).unwrapped
    check_env(env)
    return env


# %% registers no limit says="hand `max_episode_steps` on"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env


# %% writes the limit down once and for all says="not the one that was asked for"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=150)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env


# %% ends an episode one step late says="not the one that was asked for"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps + 1)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env


# %% puts a longer limit over a shorter one says="not the one that was asked for"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=100)
    env = gym.wrappers.TimeLimit(gym.make(env_id), max_episode_steps)
    check_env(env.unwrapped)
    return env


# %% does not check says="call `check_env`"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    return gym.make(env_id)


# %% swallows what the check says says="let its complaint out"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    env = gym.make(env_id)
    try:
        check_env(env.unwrapped)
    except AssertionError as error:
        print(error)
    return env


# %% checks a bare instance says="forgets its seed came through"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    check_env(entry_point())
    return gym.make(env_id)


# %% checks the wrappers too says="not at the wrappers around it"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    env = gym.make(env_id)
    check_env(env)
    return env


# %% registers twice says="Gymnasium warns that an id is registered twice"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env


# %% keeps an id that is there already says="the old entry is still in the register"
def register_bot(env_id, entry_point, max_episode_steps=150):
    if env_id not in gym.registry:
        gym.register(env_id, entry_point=entry_point, max_episode_steps=max_episode_steps)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env


# %% gives the limit to this one environment only says="the limit belongs to the id"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point)
    env = gym.make(env_id, max_episode_steps=max_episode_steps)
    check_env(env.unwrapped)
    return env


# %% loses the keywords says="a keyword of `gym.make` is lost"
def register_bot(env_id, entry_point, max_episode_steps=150):
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=lambda: entry_point(), max_episode_steps=max_episode_steps)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env


# %% calls the class says="hand on the class as it is"
def register_bot(env_id: str, entry_point, max_episode_steps: int = 150) -> gym.Env:
    """Register a class under a name, make one, check it, and return what ``gym.make`` made."""
    gym.registry.pop(env_id, None)
    gym.register(env_id, entry_point=entry_point(), max_episode_steps=max_episode_steps)
    env = gym.make(env_id)
    check_env(env.unwrapped)
    return env
