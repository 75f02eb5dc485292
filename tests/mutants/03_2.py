# %% adds a number to the base seed says="runs into the next run's seeds"
def spawn_seeds(base_seed, count):
    return [base_seed + i for i in range(count)]


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% spaces base seeds by the number of robots says="runs into the next run's seeds"
def spawn_seeds(base_seed, count):
    return [base_seed * count + i for i in range(count)]


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% spaces base seeds by a thousand says="runs into the next run's seeds"
def spawn_seeds(base_seed, count):
    return [base_seed * 1000 + i for i in range(count)]


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% seeds one sequence per robot with base plus i says="runs into the next run's seeds"
def spawn_seeds(base_seed, count):
    return [int(np.random.SeedSequence(base_seed + i).generate_state(1)[0]) for i in range(count)]


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% returns an array says="a list of seeds"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count)


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(int(last))
    return envs.reset(seed=[int(seed) for seed in seeds])


# %% returns NumPy's numbers says="a Python int"
def spawn_seeds(base_seed, count):
    return list(np.random.SeedSequence(base_seed).generate_state(count))


def seeded_reset(envs, base_seed):
    *seeds, last = [int(seed) for seed in spawn_seeds(base_seed, envs.num_envs + 1)]
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% spawns sequences, not numbers says="a Python int"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).spawn(count)


def seeded_reset(envs, base_seed):
    seeds = [int(s.generate_state(1)[0]) for s in spawn_seeds(base_seed, envs.num_envs + 1)]
    envs.action_space.seed(seeds[-1])
    return envs.reset(seed=seeds[:-1])


# %% forgets the base seed says="follow from .base_seed. alone"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence().generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% takes 0 for no seed says="follow from .base_seed. alone"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed or None).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% gives all robots one seed says="two robots have one seed"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(1, np.uint64).tolist() * count


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% builds the same sequence for every robot says="two robots have one seed"
def spawn_seeds(base_seed, count):
    return [int(np.random.SeedSequence(base_seed).generate_state(1)[0]) for _ in range(count)]


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% draws small seeds says="two robots have one seed"
def spawn_seeds(base_seed, count):
    return np.random.default_rng(base_seed).integers(10_000, size=count).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% uses the global generator says="that changes everybody else's draws"
def spawn_seeds(base_seed, count):
    np.random.seed(base_seed % 2**32)
    return [int(seed) for seed in np.random.randint(2**62, size=count)]


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)


# %% hands the base seed to reset says="pass the list of spawned seeds"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    envs.action_space.seed(spawn_seeds(base_seed, 1)[0])
    return envs.reset(seed=base_seed)


# %% repeats one spawned seed for all robots says="robots share a seed"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    one, last = spawn_seeds(base_seed, 2)
    envs.action_space.seed(last)
    return envs.reset(seed=[one] * envs.num_envs)


# %% resets without the seeds says="reset without a seed"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset()


# %% leaves the action space alone says="does not seed the action space"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    return envs.reset(seed=spawn_seeds(base_seed, envs.num_envs))


# %% seeds the space of one robot says="not on .single_action_space"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.single_action_space.seed(last)
    return envs.reset(seed=seeds)


# %% seeds the action space with a constant says="two base seeds give the same random actions"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    envs.action_space.seed(0)
    return envs.reset(seed=spawn_seeds(base_seed, envs.num_envs))


# %% gives the action space a robot's seed says="the seed of a robot"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    seeds = spawn_seeds(base_seed, envs.num_envs)
    envs.action_space.seed(seeds[0])
    return envs.reset(seed=seeds)


# %% resets twice says="every robot is reset once"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    envs.reset(seed=seeds)
    return envs.reset()


# %% returns the observations alone says="return what .envs.reset. returned"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    return envs.reset(seed=seeds)[0]


# %% returns nothing says="return what .envs.reset. returned"
def spawn_seeds(base_seed, count):
    return np.random.SeedSequence(base_seed).generate_state(count, np.uint64).tolist()


def seeded_reset(envs, base_seed):
    *seeds, last = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(last)
    envs.reset(seed=seeds)


# %% leaves the base seed out says="two base seeds give the same seeds"
def spawn_seeds(base_seed: int, count: int) -> list[int]:
    """Return ``count`` seeds from ``np.random.SeedSequence(0)``."""
    return np.random.SeedSequence(0).generate_state(count, np.uint64).tolist()


def seeded_reset(envs: gym.vector.VectorEnv, base_seed: int) -> tuple[np.ndarray, dict]:
    """Reset all robots and seed the action space; return what ``envs.reset`` returned."""
    *seeds, for_actions = spawn_seeds(base_seed, envs.num_envs + 1)
    envs.action_space.seed(for_actions)
    return envs.reset(seed=seeds)
