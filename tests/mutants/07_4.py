# %% does not freeze says="from the first step to the last"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% freezes after the reset says="from the first step to the last"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    seen, _ = wrapped.reset(seed=seed)
    wrapped.freeze()
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% begins with fresh statistics says="the training's mean and variance"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    seen, _ = wrapped.reset(seed=seed)
    wrapped.freeze()
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% shares the training's moments says="took in rows of the evaluation"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.moments = training.moments
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% leaves the training frozen says="left frozen"
def mean_reward(training, envs, policy, steps, seed):
    training.freeze()
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.moments = training.moments
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% opens a training that was frozen says="is to stay so"
def mean_reward(training, envs, policy, steps, seed):
    training.freeze()
    seen, _ = envs.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = envs.step(policy(training.moments.normalize(seen, training.clip)))
        total += reward.mean()
    training.unfreeze()
    return total / steps


# %% evaluates in the training env says="exactly `steps` steps in `envs`|was stepped"
def mean_reward(training, envs, policy, steps, seed):
    seen, _ = training.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = training.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% shows raw observations says="shown raw observations"
def mean_reward(training, envs, policy, steps, seed):
    seen, _ = envs.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = envs.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% normalizes all but the first observation says="shown raw observations"
def mean_reward(training, envs, policy, steps, seed):
    seen, _ = envs.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = envs.step(policy(seen))
        seen = training.moments.normalize(seen, training.clip)
        total += reward.mean()
    return total / steps


# %% reports scaled rewards says="a scaled reward is no result"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip, rewards=True)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% forgets the clip says="and its clip"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% forgets the seed says="with `seed=seed`"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset()
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% adds up the robots says="a sum depends on how long you look"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.sum()
    return total / steps


# %% returns the total says="a sum depends on how long you look"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total


# %% returns one number a robot says="one number"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset(seed=seed)
    total = np.zeros(envs.num_envs)
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward
    return total / steps


# %% takes one step too many says="exactly `steps` steps"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps + 1):
        seen, reward, *_ = wrapped.step(policy(seen))
        total += reward.mean()
    return total / steps


# %% normalizes twice says="the training's mean and variance"
def mean_reward(training, envs, policy, steps, seed):
    wrapped = NormalizeVectorEnv(envs, clip=training.clip)
    wrapped.load_state_dict(training.state_dict())
    wrapped.freeze()
    seen, _ = wrapped.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = wrapped.step(policy(training.moments.normalize(seen, training.clip)))
        total += reward.mean()
    return total / steps


# %% loads no statistics says="a fresh wrapper has seen no rows"
def mean_reward(
    training: NormalizeVectorEnv, envs: VectorEnv, policy, steps: int, seed: int
) -> float:
    """Return the mean raw reward, per robot and step, of a policy in ``envs``."""
    frozen = NormalizeVectorEnv(envs, clip=training.clip)
    frozen.freeze()
    sight, _ = frozen.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        sight, reward, *_ = frozen.step(policy(sight))
        total += reward.mean()
    return total / steps
