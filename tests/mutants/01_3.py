# %% does not hand the seed on says="the same seed must give the same start"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.np_random.integers(len(cells))]
        drawn = (row, col, int(self.np_random.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% draws from np.random says="`random` and `np.random` know nothing of it"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[np.random.randint(len(cells))]
        drawn = (row, col, int(np.random.randint(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% seeds np.random for the whole program says="one generator for the whole program"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is not None:
            np.random.seed(seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[np.random.randint(len(cells))]
        drawn = (row, col, int(np.random.randint(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% makes a new generator at every reset says="make no new one"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        rng = np.random.default_rng(seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        drawn = (*cells[rng.integers(len(cells))], int(rng.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% takes no seed for seed 0 says="no seed .None. means go on"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed or 0)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.np_random.integers(len(cells))]
        drawn = (row, col, int(self.np_random.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% keeps one generator for all robots says="two robots draw from one generator"
class RandomStart(gym.Env):
    shared = np.random.default_rng(0)

    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            type(self).shared = np.random.default_rng(seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.shared.integers(len(cells))]
        drawn = (row, col, int(self.shared.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% starts on the goal now and then says="leave the goal out"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        cells = list(self.kitchen.clear_cells())
        row, col = cells[self.np_random.integers(len(cells))]
        drawn = (row, col, int(self.np_random.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% starts inside a counter says="a wall or an obstacle"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        k = self.kitchen
        drawn = k.goal
        while drawn[:2] == k.goal:
            drawn = tuple(self.np_random.integers([k.rows, k.cols, 4]).tolist())
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% leaves the last column and heading out says="the upper bound of"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.np_random.integers(len(cells) - 1)]
        drawn = (row, col, int(self.np_random.integers(3)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% chooses a row first and a column then says="does not come up as often"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row = self.np_random.choice(sorted({row for row, _ in cells}))
        col = self.np_random.choice([c for r, c in cells if r == row])
        drawn = (int(row), int(col), int(self.np_random.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose), {}


# %% returns the observation alone says="reset returns two things"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.np_random.integers(len(cells))]
        drawn = (row, col, int(self.np_random.integers(4)))
        self.pose = (options or {}).get("pose", drawn)
        return np.array(self.pose)


# %% takes no notice of the options says="asks for this start"
class RandomStart(gym.Env):
    def __init__(self, kitchen=CLASSIC):
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.np_random.integers(len(cells))]
        self.pose = (row, col, int(self.np_random.integers(4)))
        return np.array(self.pose), {}


# %% expects a pose in any options says="name no pose"
class RandomStart(gym.Env):
    """A robot that begins every episode somewhere else."""

    def __init__(self, kitchen: Kitchen = CLASSIC) -> None:
        self.kitchen = kitchen

    def reset(self, *, seed=None, options=None) -> tuple[np.ndarray, dict]:
        """Set ``self.pose``; return it as an int64 array of shape (3,), and an empty dictionary."""
        super().reset(seed=seed)
        cells = [cell for cell in self.kitchen.clear_cells() if cell != self.kitchen.goal]
        row, col = cells[self.np_random.integers(len(cells))]
        drawn = (row, col, int(self.np_random.integers(4)))
        self.pose = options["pose"] if options is not None else drawn
        return np.array(self.pose, dtype=np.int64), {}
