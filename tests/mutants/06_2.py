# %% loops over the robots says="Python goes through the robots one by one"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    draw = np.broadcast_to(draw, state.shape)
    next_state = np.zeros(len(state), dtype=np.int64)
    reward = np.zeros(len(state))
    terminated = np.zeros(len(state), dtype=bool)
    for i in range(len(state)):
        entry = table[state[i] * 4 + (0 if draw[i] < slip else action[i])]
        next_state[i] = entry >> 2
        reward[i] = rewards[entry & 3]
        terminated[i] = entry & 3 >= 2
    return next_state, reward, terminated


# %% loops in a comprehension says="Python goes through the robots one by one"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = np.array([table[s * 4 + a] for s, a in zip(state, action)])
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% calls np.vectorize says="Python goes through the robots one by one"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = np.vectorize(lambda s, a: table[s * 4 + a])(state, action)
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% gives every robot every action says="one entry a robot"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table.reshape(-1, 4)[state][:, action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% ignores the grease says="its own draw is below slip|own state, action and draw"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% slides where it should not says="the floor is dry"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw >= slip, 0, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% slides at the draw too says="with slip 0 none does"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw <= slip, 0, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% lets all slide if one does says="its own draw is below slip|own state, action and draw"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    if np.any(draw < slip):
        action = np.zeros_like(action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% draws for itself says="its own draw is below slip|own state, action and draw"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    draw = np.random.default_rng(0).random(len(state))
    action = np.where(draw < slip, 0, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% writes into the caller's actions says="`action` belongs to the caller"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action[np.broadcast_to(draw < slip, action.shape)] = 0
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% writes into the caller's states says="`state` belongs to the caller"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table[state * 4 + action]
    state[:] = entry >> 2
    return state, rewards[entry & 3], entry & 3 >= 2


# %% takes the table as sorted by action says="looks up entry `state.i. . 4 . action.i.`"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table[action * (len(table) // 4) + state]
    return entry >> 2, rewards[entry & 3], entry & 3 >= 2


# %% leaves the outcome in the next state says="all of it but the last two bits"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table[state * 4 + action]
    return entry, rewards[entry & 3], entry & 3 >= 2


# %% pays by action says="rewards.outcome.i.."
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[action], entry & 3 >= 2


# %% pays in float32 says="dtype is wrong"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards.astype(np.float32)[entry & 3], entry & 3 >= 2


# %% lets a crash go on says="a crash .outcome 2. terminates"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], entry & 3 > 2


# %% flags with numbers says="dtype is wrong"
def batched_step(table, rewards, state, action, draw=1.0, slip=0.0):
    action = np.where(draw < slip, 0, action)
    entry = table[state * 4 + action]
    return entry >> 2, rewards[entry & 3], (entry & 3) // 2
