# %% solves for the rows instead of the columns says="equations are those of `transition.T`"
def average_reward(transition, reward):
    states = len(reward)
    equations = np.vstack([transition - np.eye(states), np.ones(states)])
    share = np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]
    return share, float(share @ reward)


# %% multiplies until it settles, which a loop never does says="never settle"
def average_reward(transition, reward):
    share = np.zeros(len(reward))
    share[0] = 1.0
    for _ in range(3000):
        share = share @ transition
    return share, float(share @ reward)


# %% multiplies from an even start, which only hides the rhythm says="states that are never visited"
def average_reward(transition, reward):
    share = np.full(len(reward), 1 / len(reward))
    for _ in range(3000):
        share = share @ transition
    return share, float(share @ reward)


# %% averages over time, with the first steps in it says="near, but not exact"
def average_reward(transition, reward):
    share, total = np.eye(len(reward))[0], np.zeros(len(reward))
    for _ in range(1000):
        total += share
        share = share @ transition
    return total / 1000, float(total @ reward / 1000)


# %% counts a simulated walk says="near, but not exact"
def average_reward(transition, reward):
    rng, state, counts = np.random.default_rng(0), 0, np.zeros(len(reward))
    for _ in range(1000):
        counts[state] += 1
        state = rng.choice(len(reward), p=transition[state])
    return counts / 1000, float(counts @ reward / 1000)


# %% takes the plain mean of the rewards says="weights each state's reward by the share"
def average_reward(transition, reward):
    states = len(reward)
    equations = np.vstack([transition.T - np.eye(states), np.ones(states)])
    share = np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]
    return share, float(np.mean(reward))


# %% takes the reward of the most frequent state says="weights each state's reward by the share"
def average_reward(transition, reward):
    states = len(reward)
    equations = np.vstack([transition.T - np.eye(states), np.ones(states)])
    share = np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]
    return share, float(reward[share.argmax()])


# %% leaves the eigenvector as it comes says="sum to 1"
def average_reward(transition, reward):
    values, vectors = np.linalg.eig(transition.T)
    share = vectors[:, np.argmin(np.abs(values - 1))].real
    return share, float(share @ reward)


# %% leaves the eigenvector complex says="dtype is wrong"
def average_reward(transition, reward):
    values, vectors = np.linalg.eig(transition.T.astype(complex))
    share = vectors[:, np.argmin(np.abs(values - 1))]
    share = share / share.sum()
    return share, float((share @ reward).real)


# %% takes the eigenvectors of the rows says="equations are those of `transition.T`"
def average_reward(transition, reward):
    values, vectors = np.linalg.eig(transition)
    share = vectors[:, np.argmin(np.abs(values - 1))].real
    share = share / share.sum()
    return share, float(share @ reward)


# %% leaves out that shares sum to 1 says="sum to 1"
def average_reward(transition, reward):
    states = len(reward)
    share = np.linalg.lstsq(transition.T - np.eye(states), np.zeros(states), rcond=None)[0]
    return share, float(share @ reward)


# %% discounts the visits says="near, but not exact"
def average_reward(transition, reward):
    states = len(reward)
    start = np.full(states, 1 / states)
    share = 0.01 * np.linalg.solve(np.eye(states) - 0.99 * transition.T, start)
    return share, float(share @ reward)


# %% keeps the shares in whole numbers says="dtype is wrong"
def average_reward(transition, reward):
    states = len(reward)
    equations = np.vstack([transition.T - np.eye(states), np.ones(states)])
    share = np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]
    out = np.zeros_like(reward)
    out[:] = share
    return out, float(out @ reward)


# %% returns one rho a state says="rho is one number"
def average_reward(transition, reward):
    states = len(reward)
    equations = np.vstack([transition.T - np.eye(states), np.ones(states)])
    share = np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]
    return share, share * reward


# %% returns rho only says="return two things"
def average_reward(transition, reward):
    states = len(reward)
    equations = np.vstack([transition.T - np.eye(states), np.ones(states)])
    share = np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]
    return float(share @ reward)


# %% subtracts the identity in place says="changed `transition`"
def average_reward(transition, reward):
    states = len(reward)
    transition -= np.eye(states)
    equations = np.vstack([transition.T, np.ones(states)])
    share = np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]
    return share, float(share @ reward)
