# %% merges whole states says="shared past was counted again"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, after)
    return shared


# %% counts every report says="same call, tried again"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    for key, before, after in reports:
        shared = merge(shared, delta(before, after))
    return shared


# %% subtracts the means says="means cannot"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = ma - mb
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% forgets what lies between says="between. the"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    return n, (na * ma - nb * mb) / n, qa - qb


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% takes the distance to the mean after says="between. the"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = ma - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% divides by nothing says="divided by 0"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% of nothing, returns the shared mean says="not the shared ones"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, mb.copy(), qb.copy()
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% takes shared for everybody's before says="`before` of its own|`before` .of its own|do not take"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / max(na, 1)


def gather(shared, reports):
    seen, start = set(), shared
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(start, after))
    return shared


# %% keeps only what the workers added says="shared past|each once|one pass"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen, total = set(), (0, np.zeros_like(shared[1]), np.zeros_like(shared[2]))
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            total = merge(total, delta(before, after))
    return total


# %% one report a worker count, by its numbers says="compare keys only"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen, keys = set(), set()
    for key, before, after in reports:
        numbers = after[0], after[1].tobytes()
        if key not in keys and (numbers not in seen or after[0] == 110):
            seen.add(numbers)
            keys.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% the last report wins says="was left out"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    found = shared
    for key, before, after in reports:
        found = merge(shared, delta(before, after))
    return found


# %% writes into what it was given says="written into"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = na - nb
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    ma *= na
    ma -= nb * mb
    ma /= n
    d = ma - mb
    return n, ma, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% divides the count says="whole number"
def delta(before, after):
    (nb, mb, qb), (na, ma, qa) = before, after
    n = float(na - nb)
    if n == 0:
        return 0, np.zeros_like(mb), np.zeros_like(qb)
    mean = (na * ma - nb * mb) / n
    d = mean - mb
    return n, mean, qa - qb - d**2 * nb * n / na


def gather(shared, reports):
    seen = set()
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% counts one report a worker says="compare the .whole. key"
def delta(before: State, after: State) -> State:
    """Return ``(count, mean, m2)`` of the rows that were added."""
    (n_before, mean_before, m2_before), (n_after, mean_after, m2_after) = before, after
    n = n_after - n_before
    if n == 0:
        return 0, np.zeros_like(mean_before), np.zeros_like(m2_before)
    mean = (n_after * mean_after - n_before * mean_before) / n
    d = mean - mean_before
    return n, mean, m2_after - m2_before - d**2 * n_before * n / n_after


def gather(shared: State, reports: Sequence[tuple]) -> State:
    """Return the shared state with all that the reports add, each report once."""
    seen = set()
    for key, before, after in reports:
        if (key[0] if isinstance(key, tuple) else key) not in seen:
            seen.add(key[0] if isinstance(key, tuple) else key)
            shared = merge(shared, delta(before, after))
    return shared


# %% remembers the keys of earlier calls says="begin each call with no key seen"
def delta(before: State, after: State) -> State:
    """Return ``(count, mean, m2)`` of the rows that were added."""
    (n_before, mean_before, m2_before), (n_after, mean_after, m2_after) = before, after
    n = n_after - n_before
    if n == 0:
        return 0, np.zeros_like(mean_before), np.zeros_like(m2_before)
    mean = (n_after * mean_after - n_before * mean_before) / n
    d = mean - mean_before
    return n, mean, m2_after - m2_before - d**2 * n_before * n / n_after


def gather(shared, reports, seen=set()):
    """Return the shared state with all that the reports add, each report once."""
    for key, before, after in reports:
        if key not in seen:
            seen.add(key)
            shared = merge(shared, delta(before, after))
    return shared


# %% leaves out reports of the same size says="one of the two reports was left out"
def delta(before: State, after: State) -> State:
    """Return ``(count, mean, m2)`` of the rows that were added."""
    (n_before, mean_before, m2_before), (n_after, mean_after, m2_after) = before, after
    n = n_after - n_before
    if n == 0:
        return 0, np.zeros_like(mean_before), np.zeros_like(m2_before)
    mean = (n_after * mean_after - n_before * mean_before) / n
    d = mean - mean_before
    return n, mean, m2_after - m2_before - d**2 * n_before * n / n_after


def gather(shared: State, reports: Sequence[tuple]) -> State:
    """Return the shared state with all that the reports add, each report once."""
    seen = set()
    for key, before, after in reports:
        if after[0] not in seen:
            seen.add(after[0])
            shared = merge(shared, delta(before, after))
    return shared
