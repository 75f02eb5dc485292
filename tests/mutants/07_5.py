# %% saves no statistics says="of the statistics is another|shape that they had"
def save(path, weights, moments):
    with open(path, "wb") as file:
        pickle.dump(weights, file)


def load(path):
    with open(path, "rb") as file:
        weights = pickle.load(file)
    moments = RunningMoments((5,))
    moments.update(np.zeros((1, 5)))
    moments.freeze()
    return weights, moments


# %% lets np.savez name the file says="at exactly the path"
def save(path, weights, moments):
    parts = {f"weight {name}": array for name, array in weights.items()}
    np.savez(path, moments=json.dumps(moments.state_dict()), **parts)


def load(path):
    with np.load(path + ".npz") as file:
        weights = {n[7:]: file[n] for n in file if n != "moments"}
        state = json.loads(str(file["moments"]))
    moments = RunningMoments(np.shape(state["mean"]))
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments


# %% writes two files says="one file"
def save(path, weights, moments):
    with open(path, "wb") as file:
        pickle.dump(weights, file)
    with open(path + ".stats", "wb") as file:
        pickle.dump(moments, file)


def load(path):
    with open(path, "rb") as file:
        weights = pickle.load(file)
    with open(path + ".stats", "rb") as file:
        moments = pickle.load(file)
    moments.freeze()
    return weights, moments


# %% keeps the objects in this process says="not this process|nothing but the file"
KEPT = {}


def save(path, weights, moments):
    KEPT[path] = weights, moments
    open(path, "w").close()


def load(path):
    weights, moments = KEPT[path]
    moments.freeze()
    return weights, moments


# %% keeps the last moments in this process says="froze the moments|makes new moments|open"
LAST = []


def save(path, weights, moments):
    LAST[:] = [moments]
    with open(path, "wb") as file:
        pickle.dump(weights, file)


def load(path):
    with open(path, "rb") as file:
        weights = pickle.load(file)
    moments = LAST[0]
    moments.freeze()
    return weights, moments


# %% forgets dtypes in a text says="dtype of a weight"
def save(path, weights, moments):
    lists = {name: array.tolist() for name, array in weights.items()}
    with open(path, "w") as file:
        json.dump([lists, moments.state_dict()], file)


def load(path):
    with open(path) as file:
        lists, state = json.load(file)
    moments = RunningMoments(np.shape(state["mean"]))
    moments.load_state_dict(state)
    moments.freeze()
    return {name: np.array(values) for name, values in lists.items()}, moments


# %% rounds the statistics to float32 says="to the bit"
def save(path, weights, moments):
    state = {k: np.float32(v).tolist() for k, v in moments.state_dict().items()}
    with open(path, "wb") as file:
        pickle.dump((weights, state), file)


def load(path):
    with open(path, "rb") as file:
        weights, state = pickle.load(file)
    moments = RunningMoments(np.shape(state["mean"]))
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments


# %% saves mean and variance only says="`count` of the statistics"
def save(path, weights, moments):
    with open(path, "wb") as file:
        pickle.dump((weights, moments.mean, moments.var), file)


def load(path):
    with open(path, "rb") as file:
        weights, mean, var = pickle.load(file)
    moments = RunningMoments(mean.shape)
    state = {"count": 1, "mean": mean, "rest": np.zeros_like(mean), "m2": var}
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments


# %% drops what rounding left says="`rest` of the statistics"
def save(path, weights, moments):
    with open(path, "wb") as file:
        pickle.dump((weights, moments.mean, moments.var, moments.count), file)


def load(path):
    with open(path, "rb") as file:
        weights, mean, var, count = pickle.load(file)
    moments = RunningMoments(mean.shape)
    state = {"count": count, "mean": mean, "rest": np.zeros_like(mean), "m2": var * count}
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments


# %% forgets to freeze says="are open"
def save(path, weights, moments):
    with open(path, "wb") as file:
        pickle.dump((weights, moments), file)


def load(path):
    with open(path, "rb") as file:
        return pickle.load(file)


# %% freezes before it saves says="froze the moments of the training"
def save(path, weights, moments):
    moments.freeze()
    with open(path, "wb") as file:
        pickle.dump((weights, moments), file)


def load(path):
    with open(path, "rb") as file:
        return pickle.load(file)


# %% lets names collide says="keep weights and statistics apart|dtype of a weight"
def save(path, weights, moments):
    parts = {**weights, **{k: np.array(v) for k, v in moments.state_dict().items()}}
    with open(path, "wb") as file:
        pickle.dump(parts, file)


def load(path):
    with open(path, "rb") as file:
        parts = pickle.load(file)
    names = ("count", "mean", "rest", "m2")
    state = {name: parts[name] for name in names}
    moments = RunningMoments(state["mean"].shape)
    moments.load_state_dict(state)
    moments.freeze()
    return {k: v for k, v in parts.items() if k not in ("rest", "m2")}, moments


# %% gives the statistics one fixed width says="shape that they had|to the bit"
def save(path, weights, moments):
    state = {k: np.ravel(v).tolist() for k, v in moments.state_dict().items()}
    with open(path, "wb") as file:
        pickle.dump((weights, state), file)


def load(path):
    with open(path, "rb") as file:
        weights, state = pickle.load(file)
    state["count"] = state["count"][0]
    moments = RunningMoments(len(state["mean"]))
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments


# %% writes to the end of the file says="replaces the first"
def save(path, weights, moments):
    with open(path, "ab") as file:
        pickle.dump((weights, moments), file)


def load(path):
    with open(path, "rb") as file:
        weights, moments = pickle.load(file)
    moments.freeze()
    return weights, moments


# %% saves the weights as they are called says="no more and no fewer"
def save(path, weights, moments):
    with open(path, "wb") as file:
        pickle.dump(({k.replace(" ", "_"): v for k, v in weights.items()}, moments), file)


def load(path):
    with open(path, "rb") as file:
        weights, moments = pickle.load(file)
    moments.freeze()
    return weights, moments


# %% returns the moments first says="the weights are a dictionary|. is a `RunningMoments`|shape"
def save(path, weights, moments):
    with open(path, "wb") as file:
        pickle.dump((moments, weights), file)


def load(path):
    with open(path, "rb") as file:
        moments, weights = pickle.load(file)
    moments.freeze()
    return moments, weights


# %% leaves out a name that is its own says="the same names come back"
def save(path: str, weights: dict[str, np.ndarray], moments: RunningMoments) -> None:
    """Write weights and statistics to one file."""
    parts = {
        name if name != "file" else "f": array
        for name, array in weights.items()
        if name != "moments"
    }
    with open(path, "wb") as file:
        np.savez(file, moments=json.dumps(moments.state_dict()), **parts)


def load(path: str) -> tuple[dict[str, np.ndarray], RunningMoments]:
    """Read ``(weights, moments)`` back; the moments are frozen."""
    with np.load(path) as file:
        weights = {n.removeprefix("weight "): file[n] for n in file if n != "moments"}
        state = json.loads(str(file["moments"]))
    moments = RunningMoments(np.shape(state["mean"]))
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments


# %% writes names in lower case says="the same names come back"
def save(path: str, weights: dict[str, np.ndarray], moments: RunningMoments) -> None:
    """Write weights and statistics to one file."""
    parts = {f"weight {name.lower()}": array for name, array in weights.items()}
    with open(path, "wb") as file:
        np.savez(file, moments=json.dumps(moments.state_dict()), **parts)


def load(path: str) -> tuple[dict[str, np.ndarray], RunningMoments]:
    """Read ``(weights, moments)`` back; the moments are frozen."""
    with np.load(path) as file:
        weights = {n.removeprefix("weight "): file[n] for n in file if n != "moments"}
        state = json.loads(str(file["moments"]))
    moments = RunningMoments(np.shape(state["mean"]))
    moments.load_state_dict(state)
    moments.freeze()
    return weights, moments
