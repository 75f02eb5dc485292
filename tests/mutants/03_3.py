# %% puts the robots last says="axis 0 counts robots"
def batch_layout(o, a, n):
    return {
        "observations": ((*o.shape, n), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% flattens to one-hot says="length of the one-hot form"
def batch_layout(o, a, n):
    return {
        "observations": ((n, gym.spaces.flatdim(o)), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% gives a single number of an observation a column says="a single number has the shape"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *(o.shape or (1,))), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% flattens pictures says="a single number has the shape"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *([int(np.prod(o.shape))] if o.shape else [])), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% gives actions a column says="shape of one action"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *(a.shape or (1,))), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% takes every action for one number says="shape of one action"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n,), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% gives rewards and flags a column says="NumPy would broadcast"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n, 1), float),
        "terminations": ((n, 1), bool),
        "truncations": ((n, 1), bool),
    }


# %% gives rewards and flags one number for all says="NumPy would broadcast"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((), float),
        "terminations": ((), bool),
        "truncations": ((), bool),
    }


# %% makes rewards float32 says="rewards are float64"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), np.float32),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% makes rewards of the observations' dtype says="rewards are float64"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), o.dtype),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% makes flags integers says="flags are bool"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), int),
        "truncations": ((n,), int),
    }


# %% makes all observations float32 says="keep the dtype of their space"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), np.dtype(np.float32)),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% makes all actions int64 says="dtype of the action space"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), np.dtype(np.int64)),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% calls the flags as one robot does says="these five names"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminated": ((n,), bool),
        "truncated": ((n,), bool),
    }


# %% leaves the shapes of one robot says="shape of one; a single"
def batch_layout(o, a, n):
    return {
        "observations": (o.shape, o.dtype),
        "actions": (a.shape, a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


# %% stacks whatever comes says="cast in silence"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    return np.stack(observations)


# %% casts in silence says="cast in silence"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations):
        if np.shape(seen) != space.shape:
            raise ValueError(f"robot {i}: wrong shape")
    return np.array(observations, dtype=space.dtype)


# %% takes what NumPy can cast safely says="cast in silence"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations):
        if seen not in space:
            raise ValueError(f"robot {i}: not in the space")
    return np.array(observations, dtype=space.dtype)


# %% fills row by row and lets NumPy broadcast says="a wrong shape was taken"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    batch = np.empty((len(observations), *space.shape), space.dtype)
    for i, seen in enumerate(observations):
        if np.asarray(seen).dtype != space.dtype:
            raise ValueError(f"robot {i}: wrong dtype")
        try:
            batch[i] = seen
        except ValueError:
            raise ValueError(f"robot {i}: wrong shape") from None
    return batch


# %% compares with the first robot says="not the one that the space promises"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    first = observations[0]
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray):
            raise ValueError(f"robot {i}: no array")
        if (seen.shape, seen.dtype) != (first.shape, first.dtype):
            raise ValueError(f"robot {i}: unlike robot 0")
    return np.stack(observations)


# %% looks at the first robot alone says="cast in silence"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    if (observations[0].shape, observations[0].dtype) != (space.shape, space.dtype):
        raise ValueError("robot 0 does not fit")
    return np.stack(observations)


# %% takes lists says="a list was taken for an array"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations):
        if (np.shape(seen), np.asarray(seen).dtype) != (space.shape, space.dtype):
            raise ValueError(f"robot {i}: does not fit")
    return np.array(observations)


# %% counts robots from 1 says="which robot it was"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations, start=1):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != (
            space.shape,
            space.dtype,
        ):
            raise ValueError(f"robot {i} does not fit")
    return np.stack(observations)


# %% says nothing of the robot says="which robot it was"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for seen in observations:
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != (
            space.shape,
            space.dtype,
        ):
            raise ValueError("an observation does not fit")
    return np.stack(observations)


# %% returns a list says="a NumPy array is wanted"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != (
            space.shape,
            space.dtype,
        ):
            raise ValueError(f"robot {i} does not fit")
    return list(observations)


# %% hands out a view of one observation says="not a new array"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != (
            space.shape,
            space.dtype,
        ):
            raise ValueError(f"robot {i} does not fit")
    return observations[0][None] if len(observations) == 1 else np.stack(observations)


# %% stacks along the last axis says="the array's shape is wrong"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != (
            space.shape,
            space.dtype,
        ):
            raise ValueError(f"robot {i} does not fit")
    return np.stack(observations, axis=-1)


# %% joins instead of stacking says="the array's shape is wrong"
def batch_layout(o, a, n):
    return {
        "observations": ((n, *o.shape), o.dtype),
        "actions": ((n, *a.shape), a.dtype),
        "rewards": ((n,), float),
        "terminations": ((n,), bool),
        "truncations": ((n,), bool),
    }


def stack_observations(space, observations):
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != (
            space.shape,
            space.dtype,
        ):
            raise ValueError(f"robot {i} does not fit")
    return np.concatenate(observations)


# %% fills one buffer again and again says="fill a new array at each call"
def batch_layout(
    observation_space: gym.Space, action_space: gym.Space, num_envs: int
) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
    """Return name -> ``(shape, dtype)`` of what N robots take and give; spaces of one robot."""
    one = (num_envs,)
    return {
        "observations": (one + observation_space.shape, observation_space.dtype),
        "actions": (one + action_space.shape, action_space.dtype),
        "rewards": (one, np.dtype(np.float64)),
        "terminations": (one, np.dtype(np.bool_)),
        "truncations": (one, np.dtype(np.bool_)),
    }


def stack_observations(space: gym.Space, observations: list[np.ndarray]) -> np.ndarray:
    """Return N observations as one new array, or refuse what the space does not promise."""
    promised = space.shape, space.dtype
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != promised:
            raise ValueError(f"robot {i}: expected {promised}, got {seen!r}")
    key = (space.shape, str(space.dtype), len(observations))
    buffer = stack_observations.__dict__.setdefault(
        key, np.empty((len(observations), *space.shape), space.dtype)
    )
    return np.stack(observations, out=buffer)


# %% refuses with another error says="waits for a ValueError"
def batch_layout(
    observation_space: gym.Space, action_space: gym.Space, num_envs: int
) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
    """Return name -> ``(shape, dtype)`` of what N robots take and give; spaces of one robot."""
    one = (num_envs,)
    return {
        "observations": (one + observation_space.shape, observation_space.dtype),
        "actions": (one + action_space.shape, action_space.dtype),
        "rewards": (one, np.dtype(np.float64)),
        "terminations": (one, np.dtype(np.bool_)),
        "truncations": (one, np.dtype(np.bool_)),
    }


def stack_observations(space: gym.Space, observations: list[np.ndarray]) -> np.ndarray:
    """Return N observations as one new array, or refuse what the space does not promise."""
    promised = space.shape, space.dtype
    for i, seen in enumerate(observations):
        if not isinstance(seen, np.ndarray) or (seen.shape, seen.dtype) != promised:
            raise TypeError(f"robot {i}: expected {promised}, got {seen!r}")
    return np.stack(observations)
