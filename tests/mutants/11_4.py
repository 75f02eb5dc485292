# %% leaves a gamma in says="no gamma before `next_values`|exact rho and values"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + 0.99 * np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% leaves a gamma in the sum says="from the last row back"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + 0.99 * lam * later
    return advantages, advantages + v - v.mean()


# %% forgets rho says="the reward less rho"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% adds rho says="the reward less rho"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated + rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% subtracts rho from the finished advantages says="the reward less rho"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages - rho, advantages - rho + v - v.mean()


# %% cuts the sum at a termination says="the sum goes on"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * ~terminated[t] * later
    return advantages, advantages + v - v.mean()


# %% takes the future away at a termination says="drives on from the start"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, 0.0, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% values the final observation at a termination says="drives on from the start"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + v2 - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% leaves rho out of rows that terminate says="rho is taken from this row as well"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    goes_on, ends = r - rho + v2 - v, r - cost + begins - v
    delta = np.where(terminated, ends, goes_on)
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% forgets the cost says="a reset costs"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% adds the cost says="a reset costs"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r + cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% pays the cost in every row says="a reset costs"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% pays the cost instead of the reward says="drives on from the start|the sum of the deltas"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    paid = np.where(terminated, -cost, r)
    delta = paid - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% reads the reset values as one a step says="one number a robot"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    start = begins[:, None] if len(begins) == len(r) else begins
    delta = r - cost * terminated - rho + np.where(terminated, start, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% gives all robots one start says="one number a robot"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins[0], v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% forgets lambda says="each delta is 0.5 here"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + later
    return advantages, advantages + v - v.mean()


# %% sums forwards says="from the last row back"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, before = np.zeros_like(v), 0.0
    for t in range(len(r)):
        before = advantages[t] = delta[t] + lam * before
    return advantages, advantages + v - v.mean()


# %% returns the one-step errors says="each delta is 0.5 here"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    delta = delta.astype(v.dtype)
    return delta, delta + v - v.mean()


# %% takes the values of the next row says="need not be"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    following = np.concatenate([v[1:], v2[-1:]])
    delta = r - cost * terminated - rho + np.where(terminated, begins, following) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% leaves the returns where they are says="the returns are centred"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v


# %% centres each robot by itself says="one. mean of the values"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean(axis=0)


# %% centres the returns by their own mean says="one. mean of the values"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    returns = advantages + v
    return advantages, returns - returns.mean()


# %% centres the advantages too says="each delta is 0.5 here"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages - advantages.mean(), advantages + v - v.mean()


# %% always makes float64 says="dtype is wrong"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros(v.shape), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% writes into the next values says="changed `next_values`"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    v2[terminated] = np.broadcast_to(begins, v2.shape)[terminated]
    delta = r - cost * terminated - rho + v2 - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + v - v.mean()


# %% makes one array of both says="exact rho and values"
def differential_advantages(r, v, v2, terminated, begins, rho, lam, cost=0.0):
    delta = r - cost * terminated - rho + np.where(terminated, begins, v2) - v
    advantages, later = np.zeros_like(v), 0.0
    for t in reversed(range(len(r))):
        later = advantages[t] = delta[t] + lam * later
    returns = advantages
    returns += v - v.mean()
    return advantages, returns


# %% subtracts the cost from the caller's rewards says="changed `rewards`"
def differential_advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    terminated: np.ndarray,
    reset_values: np.ndarray,
    rho: float,
    lam: float,
    cost: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(advantages, returns)``, both ``[T, N]``."""
    led_to = np.where(terminated, reset_values, next_values)
    rewards -= cost * terminated
    delta = rewards - rho + led_to - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + values - values.mean()


# %% inverts the mask of terminations says="here none did"
def differential_advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    terminated: np.ndarray,
    reset_values: np.ndarray,
    rho: float,
    lam: float,
    cost: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(advantages, returns)``, both ``[T, N]``."""
    led_to = np.where(~terminated, reset_values, next_values)
    delta = rewards - cost * terminated - rho + led_to - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + values - values.mean()


# %% subtracts the rollout's own mean reward says="with the rho that is handed in"
def differential_advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    next_values: np.ndarray,
    terminated: np.ndarray,
    reset_values: np.ndarray,
    rho: float,
    lam: float,
    cost: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(advantages, returns)``, both ``[T, N]``."""
    led_to = np.where(terminated, reset_values, next_values)
    delta = rewards - cost * terminated - rewards.mean() + led_to - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = advantages[t] = delta[t] + lam * later
    return advantages, advantages + values - values.mean()
