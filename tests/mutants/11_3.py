# %% leaves a gamma in says="without a gamma"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + 0.99 * next_values - values
    return float(rho + rate * delta[valid].mean())


# %% leaves the values out says="plus the next value, minus the value"
def update_rho(rho, rewards, values, next_values, valid, rate):
    return float(rho + rate * (rewards[valid].mean() - rho))


# %% swaps the values says="plus the next value, minus the value"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + values - next_values
    return float(rho + rate * delta[valid].mean())


# %% forgets the next values says="plus the next value, minus the value"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho - values
    return float(rho + rate * delta[valid].mean())


# %% moves away from the error says="half of the way"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return float(rho - rate * delta[valid].mean())


# %% forgets rho in delta says="half of the way"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards + next_values - values
    return float(rho + rate * delta[valid].mean())


# %% puts the error in rho's place says="half of the way"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return float(rate * delta[valid].mean())


# %% forgets the rate says="half of the way"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return float(rho + delta[valid].mean())


# %% sums instead of averaging says="half of the way"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return float(rho + rate * delta[valid].sum())


# %% updates row by row says="moved within the rollout"
def update_rho(rho, rewards, values, next_values, valid, rate):
    for t in range(len(rewards)):
        delta = (rewards[t] - rho + next_values[t] - values[t])[valid[t]]
        rho = rho + rate * delta.mean() if delta.size else rho
    return float(rho)


# %% takes the mean of the advantages says="not of the advantages"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = np.where(valid, rewards - rho + next_values - values, 0.0)
    advantages, later = np.zeros_like(delta), 0.0
    for t in reversed(range(len(delta))):
        later = advantages[t] = delta[t] + 0.9 * later
    return float(rho + rate * advantages[valid].mean())


# %% counts the reset rows says="over the valid rows"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return float(rho + rate * delta.mean())


# %% leaves reset rows out of the sum and not out of the count says="over the valid rows"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return float(rho + rate * np.where(valid, delta, 0.0).mean())


# %% multiplies by the mask, and NaN stays NaN says="pick the valid rows"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return float(rho + rate * (delta * valid).sum() / valid.sum())


# %% averages robot by robot first says="over the valid rows"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    means = [delta[valid[:, n], n].mean() for n in range(delta.shape[1]) if valid[:, n].any()]
    return float(rho + rate * np.mean(means))


# %% returns one rho a robot says="return one number"
def update_rho(rho, rewards, values, next_values, valid, rate):
    delta = rewards - rho + next_values - values
    return rho + rate * delta.mean(axis=0)


# %% uses the next row's value for the next value says="as it was handed in"
def update_rho(rho, rewards, values, next_values, valid, rate):
    following = np.concatenate([values[1:], values[-1:]])
    delta = rewards - rho + following - values
    return float(rho + rate * delta[valid].mean())


# %% computes in the caller's rewards says="changed `rewards`"
def update_rho(rho, rewards, values, next_values, valid, rate):
    rewards -= rho
    rewards += next_values - values
    return float(rho + rate * rewards[valid].mean())


# %% moves rho a little in each row says="moved within the rollout"
def update_rho(rho, rewards, values, next_values, valid, rate):
    for t in range(len(rewards)):
        if valid[t].any():
            rho += (
                rate
                * (rewards[t] - rho + next_values[t] - values[t])[valid[t]].mean()
                / len(rewards)
            )
    return rho


# %% takes the median says="each step counts as much"
def update_rho(
    rho: float,
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    valid: np.ndarray,
    rate: float,
) -> float:
    """Return the new estimate of the average reward."""
    delta = rewards - rho + next_values - values
    return float(rho + rate * np.median(delta[valid]))
