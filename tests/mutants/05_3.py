# %% draws straight lines without logarithms says="Take logarithms"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.subtract(async_rates, sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] + t * (costs_us[i + 1] - costs_us[i])


# %% takes logarithms of the rates only says="of the rates and of the costs"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] + t * (costs_us[i + 1] - costs_us[i])


# %% takes logarithms of the costs only says="Take logarithms of the rates"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.subtract(async_rates, sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t


# %% takes the first point that is ahead says="Take logarithms"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    return costs_us[behind[-1] + 1]


# %% takes the middle between the two points says="straight in the logarithms"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    return np.sqrt(costs_us[behind[-1]] * costs_us[behind[-1] + 1])


# %% takes the first crossing says="the last crossing counts"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    if ahead[-1] <= 0:
        return None
    for i in range(len(ahead) - 1):
        if ahead[i] <= 0 < ahead[i + 1]:
            t = ahead[i] / (ahead[i] - ahead[i + 1])
            return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t
    return None


# %% takes any crossing, in either direction says="nothing says that it pays"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    for i in reversed(range(len(ahead) - 1)):
        if (ahead[i] <= 0) != (ahead[i + 1] <= 0):
            t = ahead[i] / (ahead[i] - ahead[i + 1])
            return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t
    return None


# %% looks for the wrong sign says="the lines do cross here"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(sync_rates) - np.log(async_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t


# %% returns the first cost where async is always ahead says="async is ahead everywhere"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0:
        return costs_us[0]
    if behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t


# %% runs off the end where async is never ahead says="async is not ahead at the last point"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t


# %% lets all points have a say says="no other point has a say|straight in the logarithms"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    if ahead[-1] <= 0 or (ahead > 0).all():
        return None
    slope, level = np.polyfit(np.log(costs_us), ahead, 1)
    return np.exp(-level / slope)


# %% measures the way from the wrong end says="straight in the logarithms"
def crossover(costs_us, sync_rates, async_rates):
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead <= 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i + 1] / (ahead[i + 1] - ahead[i])
    return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t


# %% takes a tie for a lead says="not ahead there|level is not ahead"
def crossover(
    costs_us: Sequence[float], sync_rates: Sequence[float], async_rates: Sequence[float]
) -> float | None:
    """Return the step cost from which on async stays ahead; None if the lines do not cross so.

    The costs rise; the rates are steps per second at each of them.
    """
    ahead = np.log(async_rates) - np.log(sync_rates)
    behind = np.flatnonzero(ahead < 0)
    if len(behind) == 0 or behind[-1] == len(ahead) - 1:
        return None
    i = behind[-1]
    t = ahead[i] / (ahead[i] - ahead[i + 1])
    return costs_us[i] * (costs_us[i + 1] / costs_us[i]) ** t
