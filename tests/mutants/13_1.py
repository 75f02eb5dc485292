# %% counts upwards from the base says="share a seed|moves|changed|in both"
def seed_families(seed, training, evaluation):
    return list(range(seed, seed + training)), list(
        range(seed + training, seed + training + evaluation)
    )


# %% counts in blocks far apart says="share a seed|neighbouring"
def seed_families(seed, training, evaluation):
    return (
        [seed + i for i in range(training)],
        [10**6 + seed + i for i in range(evaluation)],
    )


# %% uses one parent for both says="in both lists"
def seed_families(seed, training, evaluation):
    children = np.random.SeedSequence(seed).spawn(max(training, evaluation))
    seeds = [int(c.generate_state(1, np.uint64)[0]) for c in children]
    return seeds[:training], seeds[:evaluation]


# %% cuts one row of children in two says="evaluation seeds changed"
def seed_families(seed, training, evaluation):
    children = np.random.SeedSequence(seed).spawn(training + evaluation)
    seeds = [int(c.generate_state(1, np.uint64)[0]) for c in children]
    return seeds[:training], seeds[training:]


# %% puts the evaluation seeds first says="wrong length"
def seed_families(seed, training, evaluation):
    pools = np.random.SeedSequence(seed).spawn(2)
    a, b = (
        [int(c.generate_state(1, np.uint64)[0]) for c in p.spawn(n)]
        for p, n in zip(pools, (training, evaluation))
    )
    return b, a


# %% returns NumPy numbers says="plain Python ints"
def seed_families(seed, training, evaluation):
    pools = np.random.SeedSequence(seed).spawn(2)
    return tuple(
        [c.generate_state(1, np.uint64)[0] for c in p.spawn(n)]
        for p, n in zip(pools, (training, evaluation))
    )


# %% returns the children themselves says="plain Python ints"
def seed_families(seed, training, evaluation):
    pools = np.random.SeedSequence(seed).spawn(2)
    return pools[0].spawn(training), pools[1].spawn(evaluation)


# %% asks the parent each time says="stands twice"
def seed_families(seed, training, evaluation):
    pools = np.random.SeedSequence(seed).spawn(2)
    return tuple(
        [int(p.generate_state(1, np.uint64)[0]) for _ in p.spawn(n)]
        for p, n in zip(pools, (training, evaluation))
    )


# %% draws small numbers says="stands twice|in both"
def seed_families(seed, training, evaluation):
    rng = np.random.default_rng(seed)
    return rng.integers(1000, size=training).tolist(), rng.integers(1000, size=evaluation).tolist()


# %% draws both lists from one generator says="changed with the number of training"
def seed_families(seed, training, evaluation):
    rng = np.random.default_rng(seed)
    return (
        rng.integers(2**62, size=training).tolist(),
        rng.integers(2**62, size=evaluation).tolist(),
    )


# %% forgets the seed says="same call must give the same"
def seed_families(seed, training, evaluation):
    pools = np.random.SeedSequence().spawn(2)
    return tuple(
        [int(c.generate_state(1, np.uint64)[0]) for c in p.spawn(n)]
        for p, n in zip(pools, (training, evaluation))
    )


# %% takes neighbouring roots says="share a seed"
def seed_families(seed, training, evaluation):
    pools = np.random.SeedSequence(seed), np.random.SeedSequence(seed + 1)
    return tuple(
        [int(c.generate_state(1, np.uint64)[0]) for c in p.spawn(n)]
        for p, n in zip(pools, (training, evaluation))
    )


# %% lets the count into the seed says="must begin with the shorter"
def seed_families(seed, training, evaluation):
    pools = np.random.SeedSequence([seed, training]), np.random.SeedSequence([seed, evaluation, 1])
    return tuple(
        [int(c.generate_state(1, np.uint64)[0]) for c in p.spawn(n)]
        for p, n in zip(pools, (training, evaluation))
    )


# %% takes 32 bits says="64 bits"
def seed_families(seed: int, training: int, evaluation: int) -> tuple[list[int], list[int]]:
    """Return ``(training seeds, evaluation seeds)`` that have nothing in common."""
    pools = np.random.SeedSequence(seed).spawn(2)
    lists = [
        [int(child.generate_state(1, np.uint32)[0]) for child in pool.spawn(count)]
        for pool, count in zip(pools, (training, evaluation), strict=True)
    ]
    return lists[0], lists[1]
