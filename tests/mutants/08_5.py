# %% adds with += and loses rows says="only the last row"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    gradient[seen] += advantages[valid][:, None] * (taken - probabilities[seen])
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% moves the action taken only says="actions not taken"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * taken * (1 - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% forgets to subtract the probabilities says="by advantage times .1 - p."
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * taken)
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% has the sign turned round says="by advantage times .1 - p."
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (probabilities[seen] - taken))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% divides by the probability says="by advantage times .1 - p."
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(
        gradient,
        seen,
        advantages[valid][:, None] * (taken - probabilities[seen]) / probabilities[seen],
    )
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% divides by the number of robots says="a mean: the sum over all steps"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.shape[1]


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% returns the sum says="a mean: the sum over all steps"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% counts the reset rows says="neither the sum nor the count"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.size


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% learns from reset rows says="neither the sum nor the count"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations.ravel()
    taken = np.eye(probabilities.shape[1])[actions.ravel()]
    np.add.at(gradient, seen, advantages.ravel()[:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% normalizes the advantages first says="as they are"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    advantages = (advantages - advantages[valid].mean()) / (advantages[valid].std() + 1e-8)
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% centres the advantages says="as they are"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    advantages = advantages - advantages[valid].mean()
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% averages within each situation says="a mean: the sum|number of valid rows|not the slope"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    counts = np.bincount(seen, minlength=len(gradient))
    return gradient / np.maximum(counts, 1)[:, None]


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% writes into the advantages says="changed `advantages`"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    advantages[~valid] = 0.0
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% divides by M says="divided by M - 1"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% takes the mean of the variances says="not their mean"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).mean())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% takes standard deviations says="not a standard deviation"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.std(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% takes the spread of all numbers together says="their sum"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(ddof=1))


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% takes the spread within each gradient says="within a gradient"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.reshape(len(gradients), -1).var(axis=1, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% forgets to subtract the mean says="trace|their sum"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float((gradients**2).sum() / (len(gradients) - 1))


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% returns one variance a number says="one number"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return gradients.var(axis=0, ddof=1)


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[0])


# %% takes no logarithms says="both logarithms"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(sizes, variances, 1)[0])


# %% takes the logarithm of the variances only says="both logarithms"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(sizes, np.log(variances), 1)[0])


# %% swaps the axes says="both logarithms|sizes along"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(variances) + 1e-9 * np.arange(len(sizes)), np.log(sizes), 1)[0])


# %% returns the intercept says="both logarithms"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.polyfit(np.log(sizes), np.log(variances), 1)[1])


# %% uses the first two points only says="no two of them decide alone"
def policy_gradient(probabilities, situations, actions, advantages, valid):
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients):
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances):
    return float(np.log(variances[1] / variances[0]) / np.log(sizes[1] / sizes[0]))


# %% joins the first and the last point says="fitted to all points"
def policy_gradient(
    probabilities: np.ndarray,
    situations: np.ndarray,
    actions: np.ndarray,
    advantages: np.ndarray,
    valid: np.ndarray,
) -> np.ndarray:
    """Return ``[K, 4]``: how each score should move."""
    gradient, seen = np.zeros(probabilities.shape), situations[valid]
    taken = np.eye(probabilities.shape[1])[actions[valid]]
    np.add.at(gradient, seen, advantages[valid][:, None] * (taken - probabilities[seen]))
    return gradient / valid.sum()


def total_variance(gradients: np.ndarray) -> float:
    """Return the sum of the sample variances of all numbers of a gradient."""
    return float(gradients.var(axis=0, ddof=1).sum())


def loglog_slope(sizes, variances) -> float:
    """Return the slope of ``log(variances)`` against ``log(sizes)``."""
    return float(
        (np.log(variances[-1]) - np.log(variances[0])) / (np.log(sizes[-1]) - np.log(sizes[0]))
    )
