# %% squares the distance from the old mean says="one from the new mean"
def welford(count, mean, m2, row):
    count = count + 1
    d = row - mean
    return count, mean + d / count, m2 + d * d


# %% squares the distance from the new mean says="one from the new mean"
def welford(count, mean, m2, row):
    count = count + 1
    mean = mean + (row - mean) / count
    return count, mean, m2 + (row - mean) ** 2


# %% divides by the old count says="the mean of one row is that row"
def welford(count, mean, m2, row):
    d = row - mean
    mean = mean + d / max(count, 2)
    return count + 1, mean, m2 + d * (row - mean)


# %% begins with an invented row says="nothing is assumed before it"
def welford(count, mean, m2, row):
    d = row - mean
    new = mean + d / (count + 2)
    return count + 1, new, m2 + d * (row - new)


# %% keeps the variance in place of the sum says="it is a sum"
def welford(count, mean, m2, row):
    count = count + 1
    d = row - mean
    mean = mean + d / count
    return count, mean, (m2 * (count - 1) + d * (row - mean)) / count


# %% divides the new term by n - 1 says="it is a sum"
def welford(count, mean, m2, row):
    count = count + 1
    d = row - mean
    mean = mean + d / count
    return count, mean, m2 + d * (row - mean) / max(count - 1, 1)


# %% forgets to add to m2 says="it is a sum|m2 grows"
def welford(count, mean, m2, row):
    count = count + 1
    d = row - mean
    mean = mean + d / count
    return count, mean, d * (row - mean)


# %% writes into the caller's mean says="`mean` was written into"
def welford(count, mean, m2, row):
    count += 1
    d = row - mean
    mean += d / count
    return count, mean, m2 + d * (row - mean)


# %% writes into the caller's m2 says="`m2` was written into"
def welford(count, mean, m2, row):
    count += 1
    d = row - mean
    new = mean + d / count
    m2 += d * (row - new)
    return count, new, m2


# %% keeps the row's dtype says="dtype is wrong"
def welford(count, mean, m2, row):
    count = count + 1
    d = row - mean
    new = mean + d / count
    return count, new.astype(row.dtype), (m2 + d * (row - new)).astype(row.dtype)


# %% calculates in float32 says="float64, whatever|lost in rounding|column's mean"
def welford(count, mean, m2, row):
    mean, m2, row = (np.asarray(part, dtype=np.float32) for part in (mean, m2, row))
    d = row - mean
    new = mean + d / (count + 1)
    return count + 1, new.astype(np.float64), (m2 + d * (row - new)).astype(np.float64)


# %% keeps sums of squares behind the scenes says="lost in rounding"
def welford(count, mean, m2, row):
    row = row.astype(np.float64)
    total, squares = mean * count + row, m2 + count * mean**2 + row**2
    return count + 1, total / (count + 1), squares - total**2 / (count + 1)


# %% joins the columns says="own mean|mean is that|the mean of one row|column's mean"
def welford(count, mean, m2, row):
    d = row.mean() - mean
    new = mean + d / (count + 1)
    return count + 1, new, m2 + d * (row.mean() - new)


# %% counts in float32 says="a float32 stops at"
def welford(count, mean, m2, row):
    count = np.float32(count) + np.float32(1)
    d = row - mean
    new = mean + d / float(count)
    return count, new, m2 + d * (row - new)


# %% counts the columns, not the rows says="exactly 1 with each row"
def welford(count, mean, m2, row):
    count = count + len(row)
    d = row - mean
    new = mean + d / count
    return count, new, m2 + d * (row - new)


# %% returns the variance only says="three things"
def welford(count, mean, m2, row):
    d = row - mean
    new = mean + d / (count + 1)
    return new, (m2 + d * (row - new)) / (count + 1)


# %% counts in floats says="the count is a whole number"
def welford(
    count: int, mean: np.ndarray, m2: np.ndarray, row: np.ndarray
) -> tuple[int, np.ndarray, np.ndarray]:
    """Return ``(count, mean, m2)`` once ``row`` is taken in."""
    count = count + 1.0
    d = row - mean
    new_mean = mean + d / count
    return count, new_mean, m2 + d * (row - new_mean)
