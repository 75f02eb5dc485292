# %% takes no notice of the mask says="counted as idle"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            counts[np.arange(num_envs), info["outcome"]] += 1
    return counts


# %% multiplies by the mask says="counted as idle"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            counts[np.arange(num_envs), info["outcome"] * info["_outcome"]] += 1
    return counts


# %% reads an empty info as idle says="adds nothing"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    nothing = np.zeros(num_envs, dtype=int)
    for info in infos:
        robots = np.flatnonzero(info.get("_outcome", np.ones(num_envs)))
        counts[robots, info.get("outcome", nothing)[robots]] += 1
    return counts


# %% takes 0 for a missing value says="outcome 0 is a real"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"] & (info["outcome"] > 0))
            counts[robots, info["outcome"][robots]] += 1
    return counts


# %% reads a name that may be missing says="look before you read"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        robots = np.flatnonzero(info["_outcome"])
        counts[robots, info["outcome"][robots]] += 1
    return counts


# %% stops at the first empty info says="the others count as always"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" not in info:
            break
        robots = np.flatnonzero(info["_outcome"])
        counts[robots, info["outcome"][robots]] += 1
    return counts


# %% keeps the last step only says="every dictionary of the list is a step"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            counts[:] = np.eye(4, dtype=int)[info["outcome"]] * info["_outcome"][:, None]
    return counts


# %% counts all robots as one says="every report adds one in its robot's row"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            np.add.at(counts, (slice(None), info["outcome"][info["_outcome"]]), 1)
    return counts


# %% puts the outcomes in the rows says="the array's shape is wrong"
def count_outcomes(infos, num_envs):
    counts = np.zeros((4, num_envs), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[info["outcome"][robots], robots] += 1
    return counts


# %% counts in floats says="the array's dtype is wrong"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4))
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


# %% takes the infos apart says="they belong to the caller"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        outcome, mask = info.pop("outcome", None), info.pop("_outcome", None)
        if outcome is not None:
            counts[np.flatnonzero(mask), outcome[mask]] += 1
    return counts


# %% marks missing values in the caller's array says="they belong to the caller"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            info["outcome"][~info["_outcome"]] = -1
            for outcome in range(4):
                counts[:, outcome] += info["outcome"] == outcome
    return counts


# %% counts deliveries alone says="outcome 0 is a real"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "delivered" in info:
            counts[:, 3] += info["delivered"] & info["_delivered"]
    return counts


# %% shifts reports onto the first robots says="a 0 under a False mask|it means nothing"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            reports = info["outcome"][info["_outcome"]]
            counts[np.arange(len(reports)), reports] += 1
    return counts


# %% adds without add.at says="adds once a cell, not once a robot"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    visits[observations[..., 0], observations[..., 1]] += 1
    return visits


# %% adds step by step without add.at says="adds once a cell, not once a robot"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    for seen in observations:
        visits[seen[:, 0], seen[:, 1]] += 1
    return visits


# %% adds robot by robot without add.at says="every step counts"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    for robot in range(observations.shape[1]):
        visits[observations[:, robot, 0], observations[:, robot, 1]] += 1
    return visits


# %% marks cells that were visited says="adds once a cell, not once a robot"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    visits[observations[..., 0], observations[..., 1]] = 1
    return visits


# %% swaps row and column says="observation 0 is the row"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    rows, cols = np.minimum(observations[..., 1], kitchen.rows - 1), observations[..., 0]
    np.add.at(visits, (rows, np.minimum(cols, kitchen.cols - 1)), 1)
    return visits


# %% swaps rows and columns of the result says="the array's shape is wrong"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.cols, kitchen.rows), dtype=np.int64)
    np.add.at(visits, (observations[..., 1], observations[..., 0]), 1)
    return visits


# %% numbers the cells by the rows says="observation 0 is the row|every step counts"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    cells = observations[..., 0] * kitchen.rows + observations[..., 1]
    counts = np.bincount(cells.ravel(), minlength=kitchen.rows * kitchen.cols)
    return counts[: kitchen.rows * kitchen.cols].reshape(kitchen.rows, kitchen.cols)


# %% looks at the last step only says="every step counts"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    np.add.at(visits, (observations[-1, :, 0], observations[-1, :, 1]), 1)
    return visits


# %% looks at the first robot only says="not the first one alone"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    np.add.at(visits, (observations[:, 0, 0], observations[:, 0, 1]), 1)
    return visits


# %% leaves out the first step says="every step counts"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    np.add.at(visits, (observations[1:, :, 0], observations[1:, :, 1]), 1)
    return visits


# %% returns the share, not the count says="the array's dtype is wrong"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    np.add.at(visits, (observations[..., 0], observations[..., 1]), 1)
    return visits / visits.sum()


# %% makes one long row says="the array's shape is wrong"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    cells = observations[..., 0] * kitchen.cols + observations[..., 1]
    return np.bincount(cells.ravel(), minlength=kitchen.rows * kitchen.cols)


# %% clips the observations in place says="the observations were changed"
def count_outcomes(infos, num_envs):
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            robots = np.flatnonzero(info["_outcome"])
            counts[robots, info["outcome"][robots]] += 1
    return counts


def count_visits(kitchen, observations):
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    observations[..., 2:] = 0
    np.add.at(visits, (observations[..., 0], observations[..., 1]), 1)
    return visits


# %% loops over robots says="goes through the robots one by one"
def count_outcomes(infos: list[dict], num_envs: int) -> np.ndarray:
    """Return int64 ``[N, 4]``: how many steps of each outcome each robot has reported."""
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for info in infos:
        if "outcome" in info:
            for n in range(num_envs):
                if info["_outcome"][n]:
                    counts[n, info["outcome"][n]] += 1  # each robot once: += will do
    return counts


def count_visits(kitchen: Kitchen, observations: np.ndarray) -> np.ndarray:
    """Return int64 ``[rows, cols]``: how often a robot was seen in each cell."""
    visits = np.zeros((kitchen.rows, kitchen.cols), dtype=np.int64)
    np.add.at(visits, (observations[..., 0], observations[..., 1]), 1)
    return visits
