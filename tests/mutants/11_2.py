# %% leaves a discount in says="in full"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + 0.99 * after
        returns[t] = after
    return returns


# %% discounts, but not what comes after the rollout says="without a discount|no discount"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), np.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + 0.99 * after
        returns[t] = after + last_values
    return returns


# %% forgets rho says="less rho"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values
    for t in reversed(range(len(rewards))):
        after = rewards[t] + after
        returns[t] = after
    return returns


# %% subtracts rho from the sum, once says="its reward less rho plus the return"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values
    for t in reversed(range(len(rewards))):
        after = rewards[t] + after
        returns[t] = after - rho
    return returns


# %% subtracts rho twice says="less rho \\(once\\)"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + after - rho
        returns[t] = after
    return returns


# %% subtracts rho from the last values too says="plus what comes after"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values - rho
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + after
        returns[t] = after
    return returns


# %% forgets what comes after the rollout says="plus what comes after"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), 0.0
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + after
        returns[t] = after
    return returns


# %% adds the last values in every row says="return of the row .after. it"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), 0.0
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + after + last_values
        returns[t] = after
    return returns


# %% sums forwards says="from the last row back"
def differential_returns(rewards, rho, last_values):
    return np.cumsum(rewards - rho, axis=0) + last_values


# %% is one row late says="the last row"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values + 0.0
    for t in reversed(range(len(rewards))):
        returns[t] = after
        after = rewards[t] - rho + after
    return returns


# %% gives one-step errors says="return of the row .after. it"
def differential_returns(rewards, rho, last_values):
    returns = rewards - rho
    returns[-1] += last_values
    return returns.astype(float)


# %% uses the last value of the first robot says="its own last value"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values[0]
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + after
        returns[t] = after
    return returns


# %% sums over the robots says="its own rewards"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values
    for t in reversed(range(len(rewards))):
        after = rewards[t].mean() - rho + after
        returns[t] = after
    return returns


# %% writes into the last values says="changed `last_values`"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros(rewards.shape), last_values
    if after.dtype != float:
        after = after.astype(float)
    for t in reversed(range(len(rewards))):
        after += rewards[t] - rho
        returns[t] = after
    return returns


# %% writes into the rewards says="changed `rewards`"
def differential_returns(rewards, rho, last_values):
    if rewards.dtype != float:
        rewards = rewards.astype(float)
    rewards -= rho
    rewards[-1] += last_values
    return np.ascontiguousarray(np.cumsum(rewards[::-1], axis=0)[::-1])


# %% keeps the dtype of the rewards says="dtype is wrong"
def differential_returns(rewards, rho, last_values):
    returns, after = np.zeros_like(rewards), last_values
    for t in reversed(range(len(rewards))):
        after = rewards[t] - rho + after
        returns[t] = after
    return returns


# %% returns T + 1 rows says="shape is wrong"
def differential_returns(rewards, rho, last_values):
    returns = np.zeros((len(rewards) + 1, rewards.shape[1]))
    returns[-1] = last_values
    for t in reversed(range(len(rewards))):
        returns[t] = rewards[t] - rho + returns[t + 1]
    return returns


# %% adds to the caller's last values says="changed `last_values`"
def differential_returns(rewards: np.ndarray, rho: float, last_values: np.ndarray) -> np.ndarray:
    """Return float64 ``[T, N]``: what each step and all later ones bring above the average."""
    returns, after = np.zeros(rewards.shape), last_values
    for t in reversed(range(len(rewards))):
        after += rewards[t] - rho
        returns[t] = after
    return returns
