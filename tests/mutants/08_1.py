# %% keeps the caller's arrays says="no copy"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.rows = steps, {}

    def add(self, **row):
        for name, values in row.items():
            if len(self.rows.get(name, [])) == self.steps:
                raise IndexError("full")
            self.rows.setdefault(name, []).append(values)

    def take(self):
        if not self.rows or any(len(r) < self.steps for r in self.rows.values()):
            raise RuntimeError("not full")
        rows, self.rows = self.rows, {}
        return {name: np.stack(r) for name, r in rows.items()}


# %% puts robots first says="shape is wrong"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            self.rows.setdefault(name, []).append(values.copy())
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return {name: np.stack(r, axis=1) for name, r in rows.items()}


# %% makes everything float64 says="dtype is wrong"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape))
            self.rows[name][self.size] = values
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% counts before it writes says="there is still room|one row late"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        self.size += 1
        for name, values in row.items():
            if self.size == 1:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% stores rewards one row late says="one row late"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            late = self.size + (name == "rewards")
            if late < self.steps:
                self.rows[name][late] = values
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% hands out rows of zeros says="not full must refuse"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values
        self.size += 1

    def take(self):
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% stays full after take says="there is still room"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        return {name: array.copy() for name, array in self.rows.items()}


# %% writes the next rollout into the arrays it gave away says="handed out have changed"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            if name not in self.rows:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        self.size = 0
        return self.rows


# %% overwrites the oldest row when full says="would overwrite one"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        for name, values in row.items():
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size % self.steps] = values
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% puts the newest row first says="row of its own step"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            self.rows.setdefault(name, []).insert(0, values.copy())
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return {name: np.stack(r) for name, r in rows.items()}


# %% flattens time and robots says="shape is wrong"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            self.rows.setdefault(name, []).append(values.copy())
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return {name: np.concatenate(r) for name, r in rows.items()}


# %% returns lists says="a NumPy array is wanted"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            self.rows.setdefault(name, []).append(values.copy())
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% shares its rows between all buffers says="two buffers write into the same rows|still room"
class RolloutBuffer:
    rows = {}

    def __init__(self, steps):
        self.steps, self.size = steps, 0

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            if name not in self.rows or self.rows[name].shape != (self.steps, *values.shape):
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        self.size = 0
        rows = {name: array.copy() for name, array in self.rows.items()}
        self.rows.clear()
        return rows


# %% returns the last name only says="each name that was added"
class RolloutBuffer:
    def __init__(self, steps):
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row):
        if self.size == self.steps:
            raise IndexError("full")
        for name, values in row.items():
            if self.size == 0:
                self.rows = {name: np.zeros((self.steps, *values.shape), values.dtype)}
            if name in self.rows:
                self.rows[name][self.size] = values
        self.size += 1

    def take(self):
        if self.size < self.steps:
            raise RuntimeError("not full")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% keeps the rows of all buffers together says="in `self`, not in the class"
class RolloutBuffer:
    """T rows of N robots; every array is ``[T, N, ...]``."""

    def __init__(self, steps: int) -> None:
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row: np.ndarray) -> None:
        """Copy arrays ``[N, ...]``, one a name, into the next row."""
        if self.size == self.steps:
            raise IndexError(f"the buffer holds {self.steps} rows and is full")
        for name, values in row.items():
            self.rows = (
                RolloutBuffer.__dict__.get("all_rows", self.rows) if self.size else self.rows
            )
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values
        self.size += 1
        RolloutBuffer.all_rows = self.rows

    def take(self) -> dict[str, np.ndarray]:
        """Hand out the full buffer, and begin a new one."""
        if self.size < self.steps:
            raise RuntimeError(f"expected {self.steps} rows, got {self.size}")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows


# %% refuses with another error says="another error than was agreed on"
class RolloutBuffer:
    """T rows of N robots; every array is ``[T, N, ...]``."""

    def __init__(self, steps: int) -> None:
        self.steps, self.size, self.rows = steps, 0, {}

    def add(self, **row: np.ndarray) -> None:
        """Copy arrays ``[N, ...]``, one a name, into the next row."""
        if self.size == self.steps:
            raise ValueError(f"the buffer holds {self.steps} rows and is full")
        for name, values in row.items():
            if self.size == 0:
                self.rows[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.rows[name][self.size] = values
        self.size += 1

    def take(self) -> dict[str, np.ndarray]:
        """Hand out the full buffer, and begin a new one."""
        if self.size < self.steps:
            raise RuntimeError(f"expected {self.steps} rows, got {self.size}")
        rows, self.rows, self.size = self.rows, {}, 0
        return rows
