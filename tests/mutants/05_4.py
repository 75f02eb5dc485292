# %% never closes says="workers are still there"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    envs.reset(seed=0)
    totals = np.zeros(envs.num_envs)
    for _ in range(steps):
        totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
    return totals


# %% closes at the end only says="workers are still there"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    envs.reset(seed=0)
    totals = np.zeros(envs.num_envs)
    for _ in range(steps):
        totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
    envs.close()
    return totals


# %% closes after an error only says="workers are still there"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    except BaseException:
        envs.close()
        raise


# %% forgets that a stop is no Exception says="workers are still there"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
    except Exception:
        envs.close()
        raise
    envs.close()
    return totals


# %% expects a KeyError only says="workers are still there"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
    except KeyError:
        envs.close()
        raise
    envs.close()
    return totals


# %% swallows the error says="the error was swallowed"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    totals = np.zeros(envs.num_envs)
    try:
        envs.reset(seed=0)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
    except Exception:
        print("a robot broke")
    finally:
        envs.close()
    return totals


# %% returns from finally says="do not return from a `finally`"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    totals = np.zeros(envs.num_envs)
    try:
        envs.reset(seed=0)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
    finally:
        envs.close()
        return totals


# %% turns the error into another says="the robot's own error"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    except Exception as error:
        raise RuntimeError("a robot broke") from error
    finally:
        envs.close()


# %% kills the workers and does not close says="the vector env was not closed"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    finally:
        for process in envs.processes:
            process.terminate()


# %% keeps the last rewards instead of adding says="add the rewards of each step"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        for _ in range(steps):
            totals = envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    finally:
        envs.close()


# %% resets before every step says="reset once"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            envs.reset(seed=0)
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    finally:
        envs.close()


# %% adds up all robots says="the array's shape|a NumPy array"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        total = 0.0
        for _ in range(steps):
            total += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1].sum()
        return total
    finally:
        envs.close()


# %% takes a step too many says="add the rewards of each step"
def total_rewards(env_fns, steps):
    envs = AsyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps + 1):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    finally:
        envs.close()


# %% uses no processes says="each robot gets a process of its own"
def total_rewards(env_fns, steps):
    envs = SyncVectorEnv(env_fns)
    try:
        envs.reset(seed=0)
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    finally:
        envs.close()


# %% resets before the try says="`reset` may raise just as"
def total_rewards(env_fns: Sequence[Callable[[], gym.Env]], steps: int) -> np.ndarray:
    """Run each robot in a process of its own, and leave no process, whatever happens."""
    envs = AsyncVectorEnv(env_fns)
    envs.reset(seed=0)
    try:
        totals = np.zeros(envs.num_envs)
        for _ in range(steps):
            totals += envs.step(np.zeros(envs.num_envs, dtype=np.int64))[1]
        return totals
    finally:
        envs.close()
