# %% mixes all columns says="column by column|each robot's row"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(
            len(rows),
            rows.mean() + np.zeros(rows.shape[1]),
            np.square(rows - rows.mean()).sum(axis=0),
        )

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% hands over the variance in place of m2 says="divided by n|`join` wants its m2"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), rows.var(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% takes a batch for one row says="each robot's row counts once"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(1, rows.mean(axis=0), np.zeros(rows.shape[1]))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% forgets what came before says="each robot's row counts once"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.count, self.mean = len(rows), rows.mean(axis=0)
        self.m2 = rows.var(axis=0) * len(rows)

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% takes the sample for the population says="divided by n"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        d = rows - rows.mean(axis=0)
        n = len(rows)
        self.join(n, rows.mean(axis=0), (d**2).sum(axis=0) * n / max(n - 1, 1))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% divides by the variance says="standard deviation"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        var = self.var
        z = np.where(var > 0, (rows - self.mean) / np.where(var > 0, var, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% adds a little to the variance says="nothing is added to it|thrown to the clip"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        z = (rows - self.mean) / np.sqrt(self.var + 1e-8)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% only guards the division says="thrown to the clip"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = (rows - self.mean) / np.where(std > 0, std, 1)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% divides by zero says="divided by 0|0 / 0"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        z = (rows - self.mean) / np.sqrt(self.var)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% uses the batch's own moments says="only looks|running mean|standard deviation"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = rows.std(axis=0)
        z = np.where(std > 0, (rows - rows.mean(axis=0)) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% takes in what it normalizes says="only looks"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        self.update(rows)
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% forgets the clip says="cut to"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return z.astype(np.float32)


# %% clips on one side says="cut to"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.minimum(z, clip).astype(np.float32)


# %% hands out float64 says="dtype is wrong"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip)


# %% lets NaN in says="poisons the mean"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% looks for NaN only says="poisons the mean"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(np.isnan(rows).any(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% names the robot in place of the column says="names the column"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% complains when it is too late says="the statistics have changed"
class Normalizer(Moments):
    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))
        bad = np.flatnonzero(~np.isfinite(self.mean))
        if len(bad):
            raise ValueError(f"column {bad[0]}")

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% takes 0 for what is not finite says="poisons the mean"
class Normalizer(Moments):
    def update(self, rows):
        rows[~np.isfinite(rows)] = 0
        rows = np.asarray(rows, dtype=np.float64)
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% adds up in the rows' dtype says="lost digits"
class Normalizer(Moments):
    def update(self, rows):
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        mean = rows.mean(axis=0)
        self.join(len(rows), mean, np.square(rows - mean).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% shares its statistics says="keep statistics in `self`"
class Normalizer(Moments):
    shared = None

    def __init__(self, width):
        if Normalizer.shared is None or len(Normalizer.shared["mean"]) != width:
            Moments.__init__(self, width)
            Normalizer.shared = self.__dict__
            self.fresh = True
        self.__dict__ = Normalizer.shared
        if self.count > 40:
            Moments.__init__(self, width)

    def update(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}")
        self.join(len(rows), rows.mean(axis=0), np.square(rows - rows.mean(axis=0)).sum(axis=0))

    def normalize(self, rows, clip=10.0):
        std = np.sqrt(self.var)
        z = np.where(std > 0, (rows - self.mean) / np.where(std > 0, std, 1), 0)
        return np.clip(z, -clip, clip).astype(np.float32)


# %% keeps the moments in the class says="not in the class"
class Normalizer(Moments):
    """Moments of all rows of all robots, and observations made small by them."""

    def update(self, rows: np.ndarray) -> None:
        """Take in rows ``[N, D]``, or refuse them with a ``ValueError`` that names the column."""
        rows = np.asarray(rows, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if len(bad):
            raise ValueError(f"column {bad[0]}: expected finite numbers")
        mean = rows.mean(axis=0)
        if (
            self.count == 0
            and hasattr(Normalizer, "shared")
            and Normalizer.shared[1].shape == mean.shape
        ):
            self.count, self.mean, self.m2 = Normalizer.shared
        Normalizer.shared = (len(rows), mean, np.square(rows - mean).sum(axis=0))
        self.join(len(rows), mean, np.square(rows - mean).sum(axis=0))

    def normalize(self, rows: np.ndarray, clip: float = 10.0) -> np.ndarray:
        """Return the rows normalized, float32 ``[N, D]``; the statistics stay as they are."""
        spread = np.sqrt(self.var)
        varies = spread > 0
        scaled = np.where(varies, (rows - self.mean) / np.where(varies, spread, 1.0), 0.0)
        return np.clip(scaled, -clip, clip).astype(np.float32)
