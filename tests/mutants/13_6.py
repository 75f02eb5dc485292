# %% resamples robots says="far too narrow"
def family_interval(delivered, families, seed=0):
    group = np.arange(len(families))
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% takes the mean of the families' means says="large family counts"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = (wins / episodes)[drawn].mean(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% takes a 90 % interval says="not that of a 95"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.05, 0.95])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% turns the interval round says="lower end comes first"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(high), float(low)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% shows one standard deviation says="holds 68 %"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = shares.mean() - shares.std(), shares.mean() + shares.std()
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% gives smallest and largest says="not that of a 95"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.0, 1.0])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% draws without replacement says="draw with replacement"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    rng = np.random.default_rng(seed)
    drawn = np.array([rng.permutation(len(wins)) for _ in range(1000)])
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% draws half of the families says="not that of a 95"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins) // 2))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% forgets the seed says="must give the same interval"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng().integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% divides by all episodes says="lies between|large family|within a family|not that of"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes.sum()
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% takes families in blocks says="go by the labels|far too narrow|different|share 0"
def family_interval(delivered, families, seed=0):
    count = len(np.unique(families))
    means = np.array([part.mean() for part in np.array_split(delivered, count)])
    drawn = np.random.default_rng(seed).integers(count, size=(1000, count))
    low, high = np.quantile(means[drawn].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% draws robots within families too says="within a family"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    rng = np.random.default_rng(seed)
    rates = wins / episodes
    shares = (rng.binomial(episodes[drawn], rates[drawn]).sum(axis=1)) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% forgets the stratum says="stood still|not mixed"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% forgets the families says="stood still"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% drives in the first kitchen only says="stood still|half of the episodes"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds[0])
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% takes all strata at once says="not mixed|stratum that was asked"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    parts = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        parts[name] = evaluate(envs, policy, 1, seed=0).delivered
    share = float(np.concatenate(list(parts.values())).mean())
    return dict.fromkeys(families, (share, share, share))


# %% one robot a kitchen, whatever was asked says="each seed gets `robots`"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, seeds)
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% labels the robots in turns says="interval goes from 0 to 1"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.tile(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% lets every robot be its own family says="interval goes from 0 to 1"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.arange(len(delivered)))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% reports success without its interval says="three numbers"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = float(delivered.mean())
    return found


# %% reports failures says="stood still"
def family_interval(delivered, families, seed=0):
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(policy, families, robots=4):
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (1 - float(delivered.mean()), *interval)
    return found


# %% always draws with seed 0 says="four seeds give the same interval"
def family_interval(
    delivered: np.ndarray, families: np.ndarray, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % interval of the share of deliveries; families ``[N]`` are resampled."""
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(0).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(
    policy: Callable, families: dict[str, list[int]], robots: int = 4
) -> dict[str, tuple[float, float, float]]:
    """Return stratum -> ``(success, low, high)``, each on its own seeds."""
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% reports the middle of the interval says="not the middle of the interval"
def family_interval(
    delivered: np.ndarray, families: np.ndarray, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % interval of the share of deliveries; families ``[N]`` are resampled."""
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(
    policy: Callable, families: dict[str, list[int]], robots: int = 4
) -> dict[str, tuple[float, float, float]]:
    """Return stratum -> ``(success, low, high)``, each on its own seeds."""
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = ((interval[0] + interval[1]) / 2, *interval)
    return found


# %% mistakes quantiles for percentiles says="calls them 2.5 and 97.5"
def family_interval(
    delivered: np.ndarray, families: np.ndarray, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % interval of the share of deliveries; families ``[N]`` are resampled."""
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = np.percentile(shares, [0.025, 0.975])
    return float(low), float(high)


def panel(
    policy: Callable, families: dict[str, list[int]], robots: int = 4
) -> dict[str, tuple[float, float, float]]:
    """Return stratum -> ``(success, low, high)``, each on its own seeds."""
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found


# %% goes one standard error to each side says="holds 68 %"
def family_interval(
    delivered: np.ndarray, families: np.ndarray, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % interval of the share of deliveries; families ``[N]`` are resampled."""
    _, group = np.unique(families, return_inverse=True)
    wins = np.bincount(group, delivered.sum(axis=1))
    episodes = np.bincount(group) * delivered.shape[1]
    drawn = np.random.default_rng(seed).integers(len(wins), size=(1000, len(wins)))
    shares = wins[drawn].sum(axis=1) / episodes[drawn].sum(axis=1)
    low, high = shares.mean() - shares.std(), shares.mean() + shares.std()
    return float(low), float(high)


def panel(
    policy: Callable, families: dict[str, list[int]], robots: int = 4
) -> dict[str, tuple[float, float, float]]:
    """Return stratum -> ``(success, low, high)``, each on its own seeds."""
    found = {}
    for name, seeds in families.items():
        envs = gym.make_vec(KITCHENS, robots * len(seeds), stratum=name, family=seeds)
        delivered = evaluate(envs, policy, 1, seed=0).delivered
        interval = family_interval(delivered, np.repeat(seeds, robots))
        found[name] = (float(delivered.mean()), *interval)
    return found
