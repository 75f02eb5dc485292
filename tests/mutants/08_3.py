# %% shifts the flags by one row, as older libraries store them says="one row off"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    terminated = np.concatenate([terminated[1:], terminated[:1] & False])
    truncated = np.concatenate([truncated[1:], truncated[:1] & False])
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% masks with the flags of the row before says="one row off"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    terminated = np.concatenate([terminated[:1] & False, terminated[:-1]])
    truncated = np.concatenate([truncated[:1] & False, truncated[:-1]])
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% cuts the sum before the end too says="belongs to the same episode"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    done = terminated | truncated
    after = np.concatenate([done[1:], done[:1] & False])
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~done[t] * ~after[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% treats a truncation as a termination says="keeps its bootstrap"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    done = terminated | truncated
    delta = rewards + gamma * np.where(done, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~done[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% lets the sum run over a truncation says="ends the sum"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~terminated[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% lets the truncation win says="termination wins"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated & ~truncated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% bootstraps after a termination says="no bootstrap"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * next_values - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% loses the reward of the last step says="its reward counts"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = np.where(terminated, 0, rewards + gamma * next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% takes the values of the next row says="whatever comes next in the array"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    following = np.concatenate([values[1:], next_values[-1:]])
    delta = rewards + gamma * np.where(terminated, 0, following) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% forgets gamma in the sum says="`gamma . lambda` times"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% forgets lambda says="`gamma . lambda` times"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% leaves the last row 0 says="the last row has nothing after it"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards) - 1)):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% adds the value instead of subtracting it says="rewards . gamma"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) + values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% sums forwards says="sums up the past"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, before = np.zeros_like(values), 0.0
    for t in range(len(rewards)):
        before = delta[t] + gamma * lam * before
        advantages[t] = before
        before = ~(terminated | truncated)[t] * before
    return advantages, advantages + values


# %% returns are rewards plus bootstrap says="advantages plus the values"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    target = rewards + gamma * np.where(terminated, 0, next_values)
    delta = target - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, target.astype(values.dtype)


# %% makes one array of both says="they are one array"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    returns = advantages
    returns += values
    return advantages, returns


# %% always makes float64 says="dtype is wrong"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros(values.shape), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% writes into the next values says="changed `next_values`"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    next_values[terminated] = 0
    delta = rewards + gamma * next_values - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * ~(terminated | truncated)[t] * later
        advantages[t] = later
    return advantages, advantages + values


# %% ends the sums of all robots together says="ends with its own episodes"
def gae(rewards, values, next_values, terminated, truncated, gamma, lam):
    delta = rewards + gamma * np.where(terminated, 0, next_values) - values
    advantages, later = np.zeros_like(values), 0.0
    for t in reversed(range(len(rewards))):
        later = delta[t] + gamma * lam * (not (terminated | truncated)[t].any()) * later
        advantages[t] = later
    return advantages, advantages + values
