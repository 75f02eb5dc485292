# %% adds the sums of squares and no more says="between"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    return n, ma + (mb - ma) * (nb / n if n else 0), qa + qb


# %% takes the mean of the means says="by the share of B"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    return n, (ma + mb) / 2, qa + qb + (mb - ma) ** 2 * (na * nb / n if n else 0)


# %% moves by the share of A says="by the share of B"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    d = mb - ma
    return n, ma + d * (na / n if n else 0), qa + qb + d**2 * (na * nb / n if n else 0)


# %% does not square the distance says="between"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    d = mb - ma
    return n, ma + d * (nb / n if n else 0), qa + qb + d * (na * nb / n if n else 0)


# %% forgets to divide by n says="between"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    d = mb - ma
    return n, ma + d * (nb / n if n else 0), qa + qb + d**2 * (na * nb)


# %% adds the distance once says="between"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    d = mb - ma
    return n, ma + d * (nb / n if n else 0), qa + qb + d**2


# %% works one row at a time, and takes B for one row says="between|share of B"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    d = mb - ma
    mean = ma + d * (nb / n if n else 0)
    return n, mean, qa + qb + d * (mb - mean)


# %% averages the sums of squares by weight says="between"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = max(na + nb, 1)
    return na + nb, (na * ma + nb * mb) / n, (na * qa + nb * qb) / n


# %% divides by zero where both are empty says="divided by 0|0 / 0"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = np.float64(na + nb)
    d = mb - ma
    return na + nb, ma + d * nb / n, qa + qb + d**2 * na * nb / n


# %% throws A away where B is empty says="an empty set changes nothing|nA . nB"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    if not na or not nb:
        return na + nb, mb, qb
    n = na + nb
    d = mb - ma
    return n, ma + d * nb / n, qa + qb + d**2 * (na * (nb / n))


# %% writes into A says="set `a` was written into"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    d = mb - ma
    ma += d * (nb / n if n else 0)
    qa += qb + d**2 * (na * (nb / n if n else 0))
    return n, ma, qa


# %% goes by sums of squares says="lost in rounding|same variance|of the whole"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    squares = qa + na * ma**2 + qb + nb * mb**2
    mean = (na * ma + nb * mb) / max(n, 1)
    return n, mean, squares - n * mean**2


# %% multiplies counts that do not fit says="does not fit into an int32"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    if not n:
        return a
    d = mb - ma
    return n, ma + d * (nb / n), qa + qb + d**2 * (na * nb / n)


# %% uses n - 1 says="between"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    d = mb - ma
    return n, ma + d * (nb / n if n else 0), qa + qb + d**2 * (na * nb / max(n - 1, 1))


# %% returns variances says="between|sum of squares"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    share = nb / n if n else 0
    d = mb - ma
    return n, ma + d * share, (qa + qb + d**2 * (na * share)) / max(n, 1)


# %% forgets to count B says="nA . nB"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    share = nb / n if n else 0
    d = mb - ma
    return na, ma + d * share, qa + qb + d**2 * (na * share)


# %% lets one column speak for all says="of the whole"
def merge(a, b):
    (na, ma, qa), (nb, mb, qb) = a, b
    n = na + nb
    share = nb / n if n else 0
    d = (mb - ma).mean()
    return n, ma + (mb - ma) * share, qa + qb + d**2 * (na * share)


# %% counts in floats says="the count is a whole number"
def merge(a: tuple, b: tuple) -> tuple:
    """Join two ``(count, mean, m2)``; return ``(count, mean, m2)`` of all rows."""
    (count_a, mean_a, m2_a), (count_b, mean_b, m2_b) = a, b
    count = float(count_a + count_b)
    share = count_b / count if count else 0.0
    d = mean_b - mean_a
    return count, mean_a + d * share, m2_a + m2_b + d**2 * (count_a * share)
