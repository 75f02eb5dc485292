# %% overwrites the final states says="`after` was written into"
def auto_reset(after, terminated, elapsed, start, limit):
    elapsed = elapsed + 1
    truncated = elapsed >= limit
    done = terminated | truncated
    after[done] = start[done]
    return after.copy(), np.where(done, 0, elapsed), truncated, after


# %% hands out the reset state as the final one says="must not overwrite it"
def auto_reset(after, terminated, elapsed, start, limit):
    elapsed = elapsed + 1
    truncated = elapsed >= limit
    done = terminated | truncated
    state = np.where(done, start, after)
    return state, np.where(done, 0, elapsed), truncated, state.copy()


# %% returns one array twice says="the same memory"
def auto_reset(after, terminated, elapsed, start, limit):
    elapsed = elapsed + 1
    truncated = elapsed >= limit
    done = terminated | truncated
    state = np.where(done, start, after)
    return state, np.where(done, 0, elapsed), truncated, state


# %% keeps counting over the end says="a new episode begins with 0 steps"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 >= limit
    done = terminated | truncated
    return np.where(done, start, after), elapsed + 1, truncated, after.copy()


# %% counts the reset as a step says="a new episode begins with 0 steps"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 >= limit
    done = terminated | truncated
    return np.where(done, start, after), np.where(done, 0, elapsed) + 1, truncated, after.copy()


# %% counts in the caller's array says="`elapsed` was written into"
def auto_reset(after, terminated, elapsed, start, limit):
    elapsed += 1
    truncated = elapsed >= limit
    done = terminated | truncated
    return np.where(done, start, after), np.where(done, 0, elapsed), truncated, after.copy()


# %% cuts one step too late says="the limit is reached where that is the limit or more"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed >= limit
    done = terminated | truncated
    return np.where(done, start, after), np.where(done, 0, elapsed + 1), truncated, after.copy()


# %% cuts only exactly at the limit says="the limit is reached where that is the limit or more"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 == limit
    done = terminated | truncated
    return np.where(done, start, after), np.where(done, 0, elapsed + 1), truncated, after.copy()


# %% lets termination hide the limit says="Gymnasium reports both flags"
def auto_reset(after, terminated, elapsed, start, limit):
    limit_reached = elapsed + 1 >= limit
    done = terminated | limit_reached
    truncated = limit_reached & ~terminated
    return np.where(done, start, after), np.where(done, 0, elapsed + 1), truncated, after.copy()


# %% reports every end as truncated says="terminated is not truncated"
def auto_reset(after, terminated, elapsed, start, limit):
    done = terminated | (elapsed + 1 >= limit)
    return np.where(done, start, after), np.where(done, 0, elapsed + 1), done, after.copy()


# %% leaves truncated robots where they are says="a truncated episode is over too"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 >= limit
    return (
        np.where(terminated, start, after),
        np.where(terminated | truncated, 0, elapsed + 1),
        truncated,
        after.copy(),
    )


# %% sends everybody back if one is done says="only a robot whose episode is over goes back"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 >= limit
    done = terminated | truncated
    state = start.copy() if done.any() else after.copy()
    return state, np.where(done, 0, elapsed + 1), truncated, after.copy()


# %% keeps one start for all says="each to its own start"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 >= limit
    done = terminated | truncated
    return np.where(done, start[0], after), np.where(done, 0, elapsed + 1), truncated, after.copy()


# %% swaps the two choices of where says="nobody goes to the start"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 >= limit
    done = terminated | truncated
    return np.where(done, after, start), np.where(done, elapsed + 1, 0), truncated, after.copy()


# %% keeps the final states of finished robots only says="for every robot"
def auto_reset(after, terminated, elapsed, start, limit):
    truncated = elapsed + 1 >= limit
    done = terminated | truncated
    final = np.where(done, after, -1)
    return np.where(done, start, after), np.where(done, 0, elapsed + 1), truncated, final


# %% loops over robots says="goes through the robots one by one"
def auto_reset(
    after: np.ndarray,
    terminated: np.ndarray,
    elapsed: np.ndarray,
    start: np.ndarray,
    limit: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return ``(state, elapsed, truncated, final)``, each ``[N]``."""
    count = elapsed + 1
    truncated = count >= limit
    over = terminated | truncated
    return (
        np.array([s if o else a for o, s, a in zip(over, start, after)]),
        np.where(over, 0, count),
        truncated,
        after,
    )


# %% goes on where both flags are up says="with both flags an episode is over"
def auto_reset(
    after: np.ndarray,
    terminated: np.ndarray,
    elapsed: np.ndarray,
    start: np.ndarray,
    limit: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return ``(state, elapsed, truncated, final)``, each ``[N]``."""
    count = elapsed + 1
    truncated = count >= limit
    over = terminated ^ truncated
    return np.where(over, start, after), np.where(over, 0, count), truncated, after
