# %% takes mean and deviation of every row says="the mean of the transitions is not 0"
def normalize(advantages, valid):
    shifted = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    return np.where(valid, shifted, 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% sets reset rows to zero and counts them says="the mean of the transitions is not 0"
def normalize(advantages, valid):
    kept = np.where(valid, advantages, 0.0)
    return np.where(valid, (kept - kept.mean()) / (kept.std() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% leaves something in the reset rows says="a reset row gets the advantage 0"
def normalize(advantages, valid):
    kept = advantages[valid]
    return (advantages - kept.mean()) / (kept.std() + 1e-8)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% drops the reset rows says="shape is wrong"
def normalize(advantages, valid):
    kept = advantages[valid]
    return (kept - kept.mean()) / (kept.std() + 1e-8)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% takes the sample's deviation says="the population's"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std(ddof=1) + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% divides by zero where all are alike says="without any spread"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / kept.std(), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% divides by the variance says="standard deviation of the transitions is not 1"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.var() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% only shifts says="standard deviation of the transitions is not 1"
def normalize(advantages, valid):
    return np.where(valid, advantages - advantages[valid].mean(), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% only scales says="the mean of the transitions is not 0"
def normalize(advantages, valid):
    return np.where(valid, advantages / (advantages[valid].std() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% normalizes each robot on its own says="order or the spacing|not one for each robot|not 1"
def normalize(advantages, valid):
    result = np.zeros_like(advantages)
    for n in range(advantages.shape[1]):
        kept = advantages[valid[:, n], n]
        result[valid[:, n], n] = (kept - kept.mean()) / (kept.std() + 1e-8) if len(kept) else 0.0
    return result


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% multiplies by the mask says="NaN times 0"
def normalize(advantages, valid):
    count = valid.sum()
    mean = (advantages * valid).sum() / count
    std = np.sqrt((((advantages - mean) * valid) ** 2).sum() / count)
    return (advantages - mean) / (std + 1e-8) * valid


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(((values - returns) ** 2 * valid).sum() / valid.sum())


# %% writes into the advantages says="changed `advantages"
def normalize(advantages, valid):
    kept = advantages[valid]
    advantages -= kept.mean()
    advantages /= kept.std() + 1e-8
    advantages[~valid] = 0.0
    return advantages


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns)[valid] ** 2))


# %% averages the loss over every row says="reset rows are in neither"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean(np.where(valid, values - returns, 0.0) ** 2))


# %% forgets the mask in the loss says="NaN times 0|reset rows are in neither|first"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.mean((values - returns) ** 2))


# %% sums the loss says="divided by the number of valid"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.sum((values - returns)[valid] ** 2))


# %% takes absolute errors says="squared errors"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    if not values.shape == returns.shape == valid.shape:
        raise ValueError("shapes differ")
    return float(np.abs((values - returns)[valid]).mean())


# %% lets shapes be stretched says="must be refused with a ValueError"
def normalize(advantages, valid):
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std() + 1e-8), 0.0)


def value_loss(values, returns, valid):
    errors = np.square(values - returns)
    return (
        float(np.where(valid, errors, 0.0).sum() / np.broadcast_to(valid, errors.shape).sum())
        if np.isfinite(errors).all()
        else float(np.mean(errors[valid]))
    )


# %% adds under the root says="added to the \\*deviation\\*"
def normalize(advantages: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Return ``[T, N]``: mean 0 and standard deviation 1 over the valid rows, 0 elsewhere."""
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / np.sqrt(kept.var() + 1e-8), 0.0)


def value_loss(values: np.ndarray, returns: np.ndarray, valid: np.ndarray) -> float:
    """Return the mean squared error of the valid rows."""
    if not values.shape == returns.shape == valid.shape:
        raise ValueError(f"expected one shape, got {values.shape, returns.shape, valid.shape}")
    return float(np.mean((values - returns)[valid] ** 2))


# %% does not compare the mask says="shapes that differ must be refused"
def normalize(advantages: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Return ``[T, N]``: mean 0 and standard deviation 1 over the valid rows, 0 elsewhere."""
    kept = advantages[valid]
    return np.where(valid, (advantages - kept.mean()) / (kept.std() + 1e-8), 0.0)


def value_loss(values: np.ndarray, returns: np.ndarray, valid: np.ndarray) -> float:
    """Return the mean squared error of the valid rows."""
    if not values.shape == returns.shape:
        raise ValueError(f"expected one shape, got {values.shape, returns.shape, valid.shape}")
    return float(np.mean((values - returns)[np.broadcast_to(valid, values.shape)] ** 2))
