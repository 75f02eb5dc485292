# %% shifts in the dtype that came in says="Widen first"
def pack(next_state, outcome):
    if (next_state < 0).any() or (next_state.astype(np.int64) >= 2**29).any():
        raise ValueError("does not fit")
    return (next_state << 2 | outcome).astype(np.int32).ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% adds inside the shift says="but `.` binds tighter than"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 + outcome.astype(np.int64)).astype(np.int32).ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% makes room for one bit only says="moves two bits to the left"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 1 | outcome.astype(np.int64)).astype(np.int32).ravel()


def unpack(entry):
    return entry >> 1, entry & 1


# %% sorts the table by action says="side by side"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32).T.ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% flattens in memory order says="however the array lies in memory"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32).ravel(order="K")


def unpack(entry):
    return entry >> 2, entry & 3


# %% leaves the table wide says="dtype is wrong"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% keeps states and actions apart says="shape is wrong"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32)


def unpack(entry):
    return entry >> 2, entry & 3


# %% checks nothing says="does not fit, and must be refused"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    return (wide << 2 | outcome).astype(np.int32).ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% checks after int32 has cut it says="does not fit, and must be refused"
def pack(next_state, outcome):
    table = (next_state.astype(np.int64) << 2 | outcome).astype(np.int32).ravel()
    if (table < 0).any():
        raise ValueError("does not fit")
    return table


def unpack(entry):
    return entry >> 2, entry & 3


# %% takes the sign bit for one more says="does not fit, and must be refused"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**30).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32).ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% stops one bit too early says="29 are left"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**28).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32).ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% packs into the caller's array says="changed the caller's array `next_state`"
def pack(next_state, outcome):
    if (next_state < 0).any() or (next_state.astype(np.int64) >= 2**29).any():
        raise ValueError("does not fit")
    if next_state.dtype.itemsize < 4:
        return (next_state.astype(np.int32) << 2 | outcome).ravel()
    next_state <<= 2
    next_state |= outcome
    return next_state.astype(np.int32).ravel()


def unpack(entry):
    return entry >> 2, entry & 3


# %% reads one bit of the outcome says="the last two bits are the outcome"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32).ravel()


def unpack(entry):
    return entry >> 2, entry & 2


# %% swaps what it returns says="all bits but the last two"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32).ravel()


def unpack(entry):
    return entry & 3, entry >> 2


# %% divides into fractions says="all bits but the last two|whole numbers"
def pack(next_state, outcome):
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError("does not fit")
    return (wide << 2 | outcome).astype(np.int32).ravel()


def unpack(entry):
    return entry / 4, entry % 4


# %% unpacks single numbers only says="takes one entry only"
def pack(next_state: np.ndarray, outcome: np.ndarray) -> np.ndarray:
    """Return int32 ``[S * 4]``: ``table[s * 4 + a] = next_state[s, a] << 2 | outcome[s, a]``."""
    wide = next_state.astype(np.int64)
    if (wide < 0).any() or (wide >= 2**29).any():
        raise ValueError(f"expected states from 0 to 2**29 - 1, got {wide.min()} to {wide.max()}")
    return (wide << 2 | outcome.astype(np.int64)).astype(np.int32).ravel()


def unpack(entry):
    """Return ``(next_state, outcome)`` of an entry, or of an array of them."""
    return int(entry) >> 2, int(entry) & 3
