# %% compares with the version at the answer says="between the .question."
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(None)
        else:
            asked[worker].popleft()
            lag = version - version
            if lag <= max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped


# %% takes the last question says=".oldest. open question"
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(list)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].pop()
            if lag <= max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped


# %% remembers one question a worker says=".oldest. open question"
def policy_lags(log, max_lag):
    version, lags, dropped, asked = 0, [], 0, {}
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker] = version
        else:
            lag = version - asked[worker]
            if lag <= max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped


# %% one queue for all workers says="each worker apart"
def policy_lags(log, max_lag):
    version, lags, dropped, asked = 0, [], 0, deque()
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked.append(version)
        else:
            lag = version - asked.popleft()
            if lag <= max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped


# %% drops the bound itself says="bound itself is still good"
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].popleft()
            if lag < max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped


# %% keeps what is too old says="not in the list"
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lags.append(version - asked[worker].popleft())
            dropped += lags[-1] > max_lag
    return lags, dropped


# %% cuts the lag at the bound says="not in the list"
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].popleft()
            lags.append(min(lag, max_lag))
            dropped += lag > max_lag
    return lags, dropped


# %% leaves a dropped question open says="still closes its question"
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        elif version - asked[worker][0] <= max_lag:
            lags.append(version - asked[worker].popleft())
        else:
            dropped += 1
    return lags, dropped


# %% forgets to count what it drops says="counts what was thrown away"
def policy_lags(log, max_lag):
    version, lags = 0, []
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].popleft()
            if lag <= max_lag:
                lags.append(lag)
    return lags, 0


# %% uses up the log says="belongs to the caller"
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    while log:
        what, worker = log.pop(0)
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].popleft()
            if lag <= max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped


# %% returns a histogram says="one number for each answer"
def policy_lags(log, max_lag):
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].popleft()
            if lag <= max_lag:
                lags.append(lag)
            else:
                dropped += 1
    return Counter(lags), dropped


# %% throws away what is older than 2 versions says="the bound itself is still good"
def policy_lags(log: Sequence[tuple], max_lag: int) -> tuple[list[int], int]:
    """Return the lags of the answers that were used, and how many were dropped."""
    version, lags, dropped = 0, [], 0
    asked = defaultdict(deque)
    for what, worker in log:
        if what == "publish":
            version += 1
        elif what == "ask":
            asked[worker].append(version)
        else:
            lag = version - asked[worker].popleft()
            if lag <= 2:
                lags.append(lag)
            else:
                dropped += 1
    return lags, dropped
