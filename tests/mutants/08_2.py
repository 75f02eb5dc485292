# %% treats a truncation as a termination says="a truncation is no termination"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(terminated[t] | truncated[t], 0.0, after)
        returns[t] = after = rewards[t] + gamma * after
    return returns


# %% lets the truncation win says="termination wins"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(terminated[t], 0.0, after)
        after = np.where(truncated[t], next_values[t], after)
        returns[t] = after = rewards[t] + gamma * after
    return returns


# %% forgets the bootstrap after the last row says="goes on after the last row"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), np.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        returns[t] = after = rewards[t] + gamma * np.where(terminated[t], 0.0, after)
    return returns


# %% does not discount the bootstrap says="gamma times|times gamma"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1] / max(gamma, 1e-9)
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t] / max(gamma, 1e-9), after)
        returns[t] = after = rewards[t] + gamma * np.where(terminated[t], 0.0, after)
    return returns


# %% lets the future leak over a termination says="no future"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        returns[t] = after = rewards[t] + gamma * after
    return returns


# %% looks at the flags of the next row says="no future|its reward counts"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        if t + 1 < len(rewards):
            after = np.where(truncated[t + 1], next_values[t], after)
            after = np.where(terminated[t + 1], 0.0, after)
        returns[t] = after = rewards[t] + gamma * after
    return returns


# %% looks at the flags of the row before says="no future|its own reward"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        if t > 0:
            after = np.where(truncated[t - 1], next_values[t - 1], after)
            after = np.where(terminated[t - 1], 0.0, after)
        returns[t] = after = rewards[t] + gamma * after
    return returns


# %% masks the reward of the last step too says="its reward counts"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        returns[t] = after = np.where(terminated[t], 0.0, rewards[t] + gamma * after)
    return returns


# %% discounts the reward of the step itself says="its own reward|count starts at the step"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        returns[t] = after = gamma * (rewards[t] + np.where(terminated[t], 0.0, after))
    return returns


# %% sums forwards, over the past says="sums up the past"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, before = np.zeros(rewards.shape), np.zeros(rewards.shape[1])
    for t in range(len(rewards)):
        returns[t] = before = rewards[t] + gamma * before
        before = np.where(terminated[t] | truncated[t], 0.0, before)
    return returns


# %% ends the episodes of all robots together says="whose flag it is"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        if truncated[t].any():
            after = next_values[t]
        if terminated[t].any():
            after = 0.0
        returns[t] = after = rewards[t] + gamma * after
    return returns


# %% makes the returns in the dtype of the rewards says="dtype is wrong"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros_like(rewards), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        after = rewards[t] + gamma * np.where(terminated[t], 0.0, after)
        returns[t] = after
    return returns


# %% writes into the rewards says="changed `rewards`"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns = rewards if rewards.dtype == np.float64 else rewards.astype(np.float64)
    after = next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        returns[t] = after = rewards[t] + gamma * np.where(terminated[t], 0.0, after)
    return returns


# %% bootstraps in every row says="own reward plus gamma times the return|only the last row needs"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    return rewards + gamma * np.where(terminated, 0.0, next_values)


# %% sums without a discount says="discounted more"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[t], after)
        returns[t] = after = rewards[t] + np.where(terminated[t], 0.0, after)
    return returns


# %% takes the bootstrap of a truncation from the row after it says="same row"
def discounted_returns(rewards, next_values, terminated, truncated, gamma):
    returns, after = np.zeros(rewards.shape), next_values[-1]
    for t in reversed(range(len(rewards))):
        after = np.where(truncated[t], next_values[min(t + 1, len(rewards) - 1)], after)
        returns[t] = after = rewards[t] + gamma * np.where(terminated[t], 0.0, after)
    return returns
