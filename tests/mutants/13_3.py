# %% divides both sums by N says="MSB is divided|divisors"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / n
    within = np.sum((values - means[group]) ** 2) / n
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% divides by F, not F - 1 says="MSB is divided|divisors"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / count
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% divides MSW by N - 1 says="MSW by N - F"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - 1)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% forgets that a family counts with its size says="counts m times"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum((means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% puts all values into the place of a family says="MSB [+] [(]m - 1[)]|ICC 1"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (n - 1) * within))


# %% leaves the m out below says="[(]m - 1[)] [*] MSW"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + within * (m + 1)))


# %% takes the mean size says="not N / F"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = n / count
    return float((between - within) / (between + (m - 1) * within))


# %% cuts off at zero says="below 0"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return max(0.0, float((between - within) / (between + (m - 1) * within)))


# %% turns it round says="ICC 1"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float(within / (between + (m - 1) * within))


# %% takes the mean of the families' means says="mean of all is that of all values"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - means.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% forgets the mean of all says="MSB is divided|no level|counts m times"
def icc(values, families):
    values = values.reshape(len(values), -1)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * means**2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% writes into the values says="belongs to the caller"
def icc(values, families):
    values = values.reshape(len(values), -1)
    values -= values.mean(axis=0)
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% cuts the values into rows says="side by side"
def icc(values, families):
    count = len(np.unique(families))
    if len(values) % count:
        return 0.0
    table = values.reshape(count, len(values) // count, -1)
    m = table.shape[1]
    means = table.mean(axis=1)
    between = m * np.sum((means - means.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((table - means[:, None]) ** 2) / (count * (m - 1))
    return float((between - within) / (between + (m - 1) * within))


# %% takes the mean over the coordinates says="not the mean of one ICC"
def icc(values, families):
    if values.ndim > 1:
        return float(np.mean([icc(column, families) for column in values.T]))
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean() for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes * (means - values.mean()) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% looks at the first coordinate only says="sum the squares over the coordinates"
def icc(values, families):
    values = values.reshape(len(values), -1)[:, 1 - 1]
    labels, group, sizes = np.unique(families, return_inverse=True, return_counts=True)
    means = np.array([values[group == f].mean() for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes * (means - values.mean()) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% takes the variance of the means as it is says="MSB|divisors"
def icc(values, families):
    values = values.reshape(len(values), -1)
    group = np.unique(families, return_inverse=True)[1]
    means = np.array([values[group == f].mean(axis=0) for f in range(group.max() + 1)])
    return float(means.var(axis=0).sum() / max(values.var(axis=0).sum(), 1e-12))


# %% takes labels for places says="labels are names"
def icc(values, families):
    values = values.reshape(len(values), -1)
    if families.dtype.kind not in "iu":
        families = np.unique(families, return_inverse=True)[1]
    count = len(set(families.tolist()))
    means = np.array([values[families == f].sum(axis=0) for f in range(count)])
    sizes = np.array([np.sum(families == f) for f in range(count)])
    means = means / np.maximum(sizes, 1)[:, None]
    n = len(values)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[families % count]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))


# %% takes labels for indices says="labels are names"
def icc(values: np.ndarray, families: np.ndarray) -> float:
    """Return the intraclass correlation of values ``[N]`` or ``[N, D]``; labels are ``[N]``."""
    values = values.reshape(len(values), -1)
    sizes = np.bincount(families)
    labels, group = np.arange(len(sizes)), families
    means = np.array([values[group == f].mean(axis=0) for f in range(len(labels))])
    n, count = len(values), len(labels)
    between = np.sum(sizes[:, None] * (means - values.mean(axis=0)) ** 2) / (count - 1)
    within = np.sum((values - means[group]) ** 2) / (n - count)
    m = (n - np.sum(sizes**2) / n) / (count - 1)
    return float((between - within) / (between + (m - 1) * within))
