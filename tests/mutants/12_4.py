# %% takes the mean of the next values says="best. action"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].mean(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% takes the best of this state as well says="action .taken"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"]].max(axis=1) + 1e-3)


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% takes the best over all rows says="each row has"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max())
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% forgets the discount says="discounted"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% keeps the sign says=".absolute. error"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]]


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% cuts bad surprises off says=".absolute. error"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.maximum(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]], 0.0)


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% goes on after a termination says="after a termination"
def first_priorities(q, rows, gamma):
    later = q[rows["next_states"]].max(axis=1)
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% learns while it looks says="only reads"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    errors = rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]]
    q[rows["states"], rows["actions"]] += 0.5 * errors
    return np.abs(errors)


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% divides by the sum of the priorities says="sum of the .powers"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    return priorities**alpha / priorities.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% forgets alpha says="raise each priority"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    return priorities / priorities.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% a power of the share says="raise each priority"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    return (priorities / priorities.sum()) ** alpha


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% a softmax of the priorities says="share of the sum"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = np.exp(alpha * priorities)
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.max()


# %% weighs often drawn ones more says="often weighs.little|weighs little"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** beta
    return w / w.max()


# %% leaves the weights as they are says="largest weight is 1"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    return (len(probabilities) * probabilities) ** -beta


# %% divides the weights by their sum says="largest weight is 1"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = (len(probabilities) * probabilities) ** -beta
    return w / w.sum()


# %% always undoes everything says="undoes half"
def first_priorities(q, rows, gamma):
    later = np.where(rows["terminated"], 0.0, q[rows["next_states"]].max(axis=1))
    return np.abs(rows["rewards"] + gamma * later - q[rows["states"], rows["actions"]])


def chances(priorities, alpha):
    powers = priorities**alpha
    return powers / powers.sum()


def importance_weights(probabilities, beta):
    w = 1 / (len(probabilities) * probabilities)
    return w / w.max()
