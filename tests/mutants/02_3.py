# %% drives on after the end says="none after it"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total, terminated = [start], 0.0, False
    for t in range(limit):
        state = states[-1]
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        terminated = terminated or entry & 3 >= 2
    return Episode(states, total, terminated, True)


# %% lets a crash go on says="a crash .outcome 2. ends"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit):
        state = states[-1]
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 == 3:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% says truncated is not terminated says="not the opposite of terminated"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total, terminated = [start], 0.0, False
    while not terminated and len(states) <= limit:
        state = states[-1]
        total += gamma ** (len(states) - 1) * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        terminated = entry & 3 >= 2
    return Episode(states, total, terminated, not terminated)


# %% takes one step too many says="exactly `limit`"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit + 1):
        state = states[-1]
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% discounts the first reward says="the first reward counts in full"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total, weight = [start], 0.0, 1.0
    for t in range(limit):
        state = states[-1]
        weight *= gamma
        total += weight * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% forgets to discount says="the second times gamma"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit):
        state = states[-1]
        total += reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% leaves out the last reward says="the last one too"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit):
        state = states[-1]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
        total += gamma**t * reward[state, policy[state]]
    return Episode(states, total, False, True)


# %% leaves out the last state says="the state after each step"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total, state = [], 0.0, start
    for t in range(limit):
        states.append(state)
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        state = entry >> 2
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% asks the policy once, at the start says="policy.state."
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total, action = [start], 0.0, policy[start]
    for t in range(limit):
        state = states[-1]
        total += gamma**t * reward[state, action]
        entry = int(table[state * 4 + action])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% pays the reward of the state it comes to says="`reward.state, action.`"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit):
        entry = int(table[states[-1] * 4 + policy[states[-1]]])
        states.append(entry >> 2)
        total += gamma**t * reward[states[-1], policy[states[-1]]]
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% keeps the states of the episode before says="make a new list each time"
def rollout(table, reward, policy, start, limit, gamma=1.0, states=[]):
    total = 0.0
    states.append(start)
    for t in range(limit):
        state = states[-1]
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, False, True)


# %% calls the limit a termination says="terminated is False"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit):
        state = states[-1]
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, t + 1 == limit)
    return Episode(states, total, True, True)


# %% counts the start as a step says="the start among the states is no step"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit):
        state = states[-1]
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return Episode(states, total, True, len(states) >= limit)
    return Episode(states, total, False, True)


# %% returns a bare tuple says="return an `Episode"
def rollout(table, reward, policy, start, limit, gamma=1.0):
    states, total = [start], 0.0
    for t in range(limit):
        state = states[-1]
        total += gamma**t * reward[state, policy[state]]
        entry = int(table[state * 4 + policy[state]])
        states.append(entry >> 2)
        if entry & 3 >= 2:
            return states, total, True, t + 1 == limit
    return states, total, False, True
