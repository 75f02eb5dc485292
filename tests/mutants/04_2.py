# %% masks the row in which the episode ends says="the row in which an episode ends is a real step"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    return ~done if mode is NEXT_STEP else np.ones_like(done)


# %% masks both the end and the reset says="the row in which an episode ends is a real step"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode is not NEXT_STEP:
        return np.ones_like(done)
    return ~np.concatenate([last_done[None], done[:-1]]) & ~done


# %% counts the reset row as a transition says="the row after a done is the reset row"
def valid_transitions(terminated, truncated, last_done, mode):
    return np.ones_like(terminated)


# %% forgets the rollout before says="row 0 follows on the rollout before"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    valid = np.ones_like(done)
    if mode is NEXT_STEP:
        valid[1:] = ~done[:-1]
    return valid


# %% rolls the last row round to row 0 says="whatever the last row of this rollout holds"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode is not NEXT_STEP:
        return np.ones_like(done)
    resets = np.roll(done, 1, axis=0)
    resets[0] |= last_done
    return ~resets


# %% carries over the wrong way round says="row 0 follows on the rollout before"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode is not NEXT_STEP:
        return np.ones_like(done)
    return np.concatenate([last_done[None], ~done[:-1]])


# %% masks rows in every mode says="every row is a transition"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    return ~np.concatenate([last_done[None], done[:-1]])


# %% masks the first rows in every mode says="every row is a transition"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    valid = np.ones_like(done)
    if mode is NEXT_STEP:
        valid[1:] = ~done[:-1]
    valid[0] = ~last_done
    return valid


# %% takes DISABLED for NEXT_STEP says="every row is a transition"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode is SAME_STEP:
        return np.ones_like(done)
    return ~np.concatenate([last_done[None], done[:-1]])


# %% compares the mode with a text says="the row after a done is the reset row"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode != "NEXT_STEP":
        return np.ones_like(done)
    return ~np.concatenate([last_done[None], done[:-1]])


# %% looks at terminations only says="the row after a done is the reset row"
def valid_transitions(terminated, truncated, last_done, mode):
    if mode is not NEXT_STEP:
        return np.ones_like(terminated)
    return ~np.concatenate([last_done[None], terminated[:-1]])


# %% returns the reset rows instead says="upside down"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode is not NEXT_STEP:
        return np.zeros_like(done)
    return np.concatenate([last_done[None], done[:-1]])


# %% shifts robots instead of steps says="."
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode is not NEXT_STEP:
        return np.ones_like(done)
    valid = np.ones_like(done)
    valid[:, 1:] = ~done[:, :-1]
    valid[0] &= ~last_done
    return valid


# %% drops the row of all robots when one is done says="only the robot that is done"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    valid = np.ones_like(done)
    if mode is NEXT_STEP:
        before = np.concatenate([last_done[None], done[:-1]])
        valid[before.any(axis=1)] = False
    return valid


# %% returns T - 1 rows says="shape is wrong"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    return ~done[:-1] if mode is NEXT_STEP else np.ones_like(done)


# %% returns numbers instead of bools says="dtype is wrong"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    if mode is not NEXT_STEP:
        return np.ones(done.shape)
    return 1.0 - np.concatenate([last_done[None], done[:-1]])


# %% notes the last row in the caller's array says="your function changed `last_done`"
def valid_transitions(terminated, truncated, last_done, mode):
    done = terminated | truncated
    valid = np.ones_like(done)
    if mode is NEXT_STEP:
        valid = ~np.concatenate([last_done[None], done[:-1]])
    last_done |= done[-1]
    return valid


# %% joins the flags in the caller's array says="belongs to the caller"
def valid_transitions(terminated, truncated, last_done, mode):
    terminated |= truncated
    if mode is not NEXT_STEP:
        return np.ones_like(terminated)
    return ~np.concatenate([last_done[None], terminated[:-1]])
