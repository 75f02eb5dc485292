# %% takes m for m - 1 says="m - 1 is 0"
def effective_samples(n, family_size, icc):
    return n / (1 + family_size * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% takes the correlated share off says="copies: each family|m - 1 is 0"
def effective_samples(n, family_size, icc):
    return n * (1 - icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% divides n by the family says="m - 1 is 0|no correlation"
def effective_samples(n, family_size, icc):
    return n / family_size


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% mixes the ends says="one robot of each family"
def effective_samples(n, family_size, icc):
    return (1 - icc) * n + icc * n / family_size


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% takes the square root says="copies: each family"
def effective_samples(n, family_size, icc):
    return n / math.sqrt(1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% rounds to whole samples says="one robot of each family|n / [(]1"
def effective_samples(n, family_size, icc):
    return n // (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% counts a correlation below zero as zero says="holds below 0"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * max(icc, 0))


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% takes n for the family says="m - 1 is 0|no correlation|copies"
def effective_samples(n, family_size, icc):
    return n / (1 + (n - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect / robots_per_kitchen, 9))


# %% rounds down says="Round up|100 [*] 1.9"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.floor(target * effect / robots_per_kitchen + 1e-9)


# %% rounds to the nearest says="Round up|part of a kitchen"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return round(target * effect / robots_per_kitchen)


# %% counts robots says="target / m kitchens|count kitchens"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target * effect, 9))


# %% forgets the design effect says="however many it holds"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(target / robots_per_kitchen)


# %% divides by the design effect says="however many it holds|Round up"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return math.ceil(round(target / effect / robots_per_kitchen, 9))


# %% adds one to be sure says="one fewer would do|one kitchen for each|target / m"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return int(target * effect / robots_per_kitchen) + 1


# %% leaves a part of a kitchen says="part of a kitchen"
def effective_samples(n, family_size, icc):
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target, robots_per_kitchen, icc):
    effect = 1 + (robots_per_kitchen - 1) * icc
    return target * effect / robots_per_kitchen + 0.5


# %% returns the kitchens as a float says="held as a float"
def effective_samples(n: float, family_size: float, icc: float) -> float:
    """Return how many independent values n values in families of this size are worth."""
    return n / (1 + (family_size - 1) * icc)


def kitchens_needed(target: float, robots_per_kitchen: int, icc: float) -> int:
    """Return the fewest kitchens whose robots are worth ``target`` independent ones."""
    effect = 1 + (robots_per_kitchen - 1) * icc
    return float(math.ceil(round(target * effect / robots_per_kitchen, 9)))
