# %% takes the run as the seed says="gets the seed"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env(env_id, n_envs, seed=run, vec_env_cls=kind)


# %% sets no seed says="gets the seed"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env(env_id, n_envs, vec_env_cls=kind)


# %% gives every run the same seeds says="gets the seed"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env(env_id, n_envs, seed=0, vec_env_cls=kind)


# %% counts runs from one says="gets the seed"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env(env_id, n_envs, seed=(run + 1) * n_envs, vec_env_cls=kind)


# %% leaves a gap of one too few says="gets the seed"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env(env_id, n_envs, seed=run * (n_envs - 1), vec_env_cls=kind)


# %% gives all robots one seed says="gets the seed"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    envs = make_vec_env(env_id, n_envs, vec_env_cls=kind)
    envs._seeds = [run * n_envs] * n_envs
    return envs


# %% makes one robot says="`n_envs` robots"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env(env_id, seed=run * n_envs, vec_env_cls=kind)


# %% makes no processes says="a process of its own"
def make_robots(env_id, n_envs, run, processes=False):
    return make_vec_env(env_id, n_envs, seed=run * n_envs)


# %% always makes processes says="all robots are in this process"
def make_robots(env_id, n_envs, run, processes=False):
    return make_vec_env(env_id, n_envs, seed=run * n_envs, vec_env_cls=SubprocVecEnv)


# %% swaps the two kinds says="all robots are in this process"
def make_robots(env_id, n_envs, run, processes=False):
    kind = DummyVecEnv if processes else SubprocVecEnv
    return make_vec_env(env_id, n_envs, seed=run * n_envs, vec_env_cls=kind)


# %% forgets the monitor says="a Monitor around each robot"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    envs = kind([lambda: gym.make(env_id)] * n_envs)
    envs.seed(run * n_envs)
    return envs


# %% always makes the classic says="gets the seed|as many|robot"
def make_robots(env_id, n_envs, run, processes=False):
    kind = SubprocVecEnv if processes else DummyVecEnv
    return make_vec_env("burgerbot:BurgerBot-v1", n_envs, seed=run * n_envs, vec_env_cls=kind)


# %% hands over a gymnasium vector env says="all robots are in this process"
def make_robots(env_id, n_envs, run, processes=False):
    return gym.make_vec(env_id, num_envs=n_envs)


# %% starts processes unasked, for many says="all robots are in this process"
def make_robots(env_id: str, n_envs: int, run: int, processes: bool = False) -> VecEnv:
    """Return ``n_envs`` robots for SB3, seeded for this run and for no other."""
    kind = SubprocVecEnv if processes or n_envs > 8 else DummyVecEnv
    return make_vec_env(env_id, n_envs, seed=run * n_envs, vec_env_cls=kind)
