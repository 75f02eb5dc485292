# %% forgets that episodes end says="the episode ends here"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after = (table >> 2).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = reward + gamma * values[after]
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q


# %% lets only a delivery end the episode says="the episode ends here"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = reward + gamma * np.where(outcome == 3, 0.0, values[after])
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q


# %% masks the reward along with the bootstrap says="the episode ends here"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = (reward + gamma * values[after]) * (outcome < 2)
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q


# %% averages over the actions says="2 / .1 - gamma."
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = reward + gamma * np.where(outcome >= 2, 0.0, values[after])
        change = np.abs(q.mean(axis=1) - values).max()
        values = q.mean(axis=1)
        if change <= tolerance:
            return values, q


# %% stops when values fall says="compare its absolute value"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = reward + gamma * np.where(outcome >= 2, 0.0, values[after])
        change = (q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, reward + gamma * np.where(outcome >= 2, 0.0, values[after])


# %% counts to two hundred sweeps says="the loop stopped too early"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    for _ in range(200):
        q = reward + gamma * np.where(outcome >= 2, 0.0, values[after])
        values = q.max(axis=1)
    return values, q


# %% takes the reward of the next state says="only the reward of this step"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    arriving = np.where(outcome >= 2, reward, reward.max(axis=1)[after])
    arriving = np.where(after == np.arange(len(reward))[:, None], reward, arriving)
    while True:
        q = arriving + gamma * np.where(outcome >= 2, 0.0, values[after])
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q


# %% discounts the reward too says="2 / .1 - gamma."
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = gamma * (reward + np.where(outcome >= 2, 0.0, values[after]))
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q


# %% returns the policy in place of the action values says="shape is wrong"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = reward + gamma * np.where(outcome >= 2, 0.0, values[after])
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q.argmax(axis=1)


# %% adds the future to the caller's rewards says="changed its inputs"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values, pay = np.zeros(len(reward)), reward.copy()
    while True:
        q = reward
        q[:] = pay + gamma * np.where(outcome >= 2, 0.0, values[after])
        change = np.abs(q.max(axis=1) - values).max()
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q


# %% watches the start alone says="in every state"
def value_iteration(table, reward, gamma, tolerance=1e-8):
    after, outcome = (table >> 2).reshape(-1, 4), (table & 3).reshape(-1, 4)
    values = np.zeros(len(reward))
    while True:
        q = reward + gamma * np.where(outcome >= 2, 0.0, values[after])
        change = np.abs(q.max(axis=1) - values)[-1]
        values = q.max(axis=1)
        if change <= tolerance:
            return values, q
