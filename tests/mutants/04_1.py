# %% counts both flags twice says="one episode, not two"
def count_episodes(terminated, truncated):
    return int(terminated.sum()), int(truncated.sum())


# %% takes either flag alone for truncated only says="is not one of those that were truncated only"
def count_episodes(terminated, truncated):
    return int(terminated.sum()), int((terminated ^ truncated).sum())


# %% lets truncation win says="termination wins"
def count_episodes(terminated, truncated):
    return int((terminated & ~truncated).sum()), int(truncated.sum())


# %% leaves episodes with both flags out says="was left out"
def count_episodes(terminated, truncated):
    one = terminated ^ truncated
    return int((one & terminated).sum()), int((one & truncated).sum())


# %% counts the episodes that still run says="no flag was True"
def count_episodes(terminated, truncated):
    done = terminated | truncated
    running = int((~done[-1]).sum())
    return int(terminated.sum()) + running, int((truncated & ~terminated).sum())


# %% does not look at the last row says="count ends, not starts"
def count_episodes(terminated, truncated):
    terminated, truncated = terminated[:-1], truncated[:-1]
    return int(terminated.sum()), int((truncated & ~terminated).sum())


# %% counts the changes from False to True says="every True counts"
def count_episodes(terminated, truncated):
    def rises(flags):
        before = np.concatenate([np.zeros_like(flags[:1]), flags[:-1]])
        return int((flags & ~before).sum())

    return rises(terminated), rises(truncated & ~terminated)


# %% counts the steps in which anybody ended says="."
def count_episodes(terminated, truncated):
    truncated = truncated & ~terminated
    return int(terminated.any(axis=1).sum()), int(truncated.any(axis=1).sum())


# %% counts the robots that ended at least once says="whatever the other robots|every True counts"
def count_episodes(terminated, truncated):
    truncated = truncated & ~terminated
    return int(terminated.any(axis=0).sum()), int(truncated.any(axis=0).sum())


# %% gives one number a robot says="two whole numbers"
def count_episodes(terminated, truncated):
    return terminated.sum(axis=0), (truncated & ~terminated).sum(axis=0)


# %% gives the total alone says="two whole numbers"
def count_episodes(terminated, truncated):
    return int((terminated | truncated).sum())


# %% swaps the two numbers says="the first number counts"
def count_episodes(terminated, truncated):
    return int((truncated & ~terminated).sum()), int(terminated.sum())


# %% clears the caller's flags says="belongs to the caller"
def count_episodes(terminated, truncated):
    truncated &= ~terminated
    return int(terminated.sum()), int(truncated.sum())
