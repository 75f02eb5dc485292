# %% forgets the offset in the next states says="next states must lead there too"
def stack_tables(tables):
    return np.concatenate(tables)


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% adds the offset without a shift says="next states must lead there too|must not touch"
def stack_tables(tables):
    states = len(tables[0]) // 4
    return np.concatenate([t + k * states for k, t in enumerate(tables)]).astype(np.int32)


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% adds the kitchen number to the entry says="must not touch the outcome"
def stack_tables(tables):
    return np.concatenate([t + k for k, t in enumerate(tables)]).astype(np.int32)


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% counts entries for states says="not S . 4, the entries"
def stack_tables(tables):
    offsets = np.arange(len(tables)) * len(tables[0])
    joined = [t + (o << 2) for t, o in zip(tables, offsets)]
    return np.concatenate(joined).astype(np.int32)


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% adds into the kitchens' own tables says="own table was changed"
def stack_tables(tables):
    for k, table in enumerate(tables):
        table += k * len(table)
    return np.concatenate(tables)


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% joins in int64 says="dtype is wrong"
def stack_tables(tables):
    return np.concatenate([t.astype(np.int64) + k * len(t) for k, t in enumerate(tables)])


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% stacks to two dimensions says="shape is wrong"
def stack_tables(tables):
    return np.stack([t + np.int32(k * len(t)) for k, t in enumerate(tables)])


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% puts the last kitchen first says="next states must lead there too|left its kitchen"
def stack_tables(tables):
    joined = [t + np.int32(k * len(t)) for k, t in enumerate(tables)]
    return np.concatenate(joined[::-1])


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% uses the first kitchen for all says="not that of the kitchen's own table"
def stack_tables(tables):
    return np.concatenate([tables[0] + np.int32(k * len(t)) for k, t in enumerate(tables)])


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% hands a single table on says="make a new array"
def stack_tables(tables):
    if len(tables) == 1:
        return tables[0]
    return np.concatenate([t + np.int32(k * len(t)) for k, t in enumerate(tables)])


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% joins in int16 says="bits were lost|leads? to states"
def stack_tables(tables):
    joined = [t.astype(np.int16) + np.int16(k * len(t) % 2**15) for k, t in enumerate(tables)]
    return np.concatenate(joined).astype(np.int32)


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% deals the states out in turn says="begin at k . S"
def stack_tables(tables):
    return np.concatenate([t + np.int32(k * len(t)) for k, t in enumerate(tables)])


def place(kitchen, local, num_states):
    return local * num_states + kitchen


def locate(state, num_states):
    return state // num_states, state % num_states


# %% adds in place says="`local` was written into"
def stack_tables(tables):
    return np.concatenate([t + np.int32(k * len(t)) for k, t in enumerate(tables)])


def place(kitchen, local, num_states):
    local += kitchen * num_states
    return local


def locate(state, num_states):
    return state // num_states, state % num_states


# %% returns the local state first says="kitchen first"
def stack_tables(tables):
    return np.concatenate([t + np.int32(k * len(t)) for k, t in enumerate(tables)])


def place(kitchen, local, num_states):
    return kitchen * num_states + local


def locate(state, num_states):
    return state % num_states, state // num_states


# %% places single numbers only says="takes single numbers only"
def stack_tables(tables: list[np.ndarray]) -> np.ndarray:
    """Join K packed tables of one size into one: int32 ``[K * S * 4]``."""
    num_states = len(tables[0]) // 4
    joined = [table + (k * num_states << 2) for k, table in enumerate(tables)]
    return np.concatenate(joined).astype(np.int32)


def place(kitchen, local, num_states: int):
    """Return the state among all kitchens that is state ``local`` of ``kitchen``."""
    return int(kitchen) * num_states + int(local)


def locate(state, num_states: int):
    """Return ``(kitchen, local)`` of a state among all kitchens."""
    return state // num_states, state % num_states
