# %% forgets to divide by tau says="divided by tau"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2, h
    raise RuntimeError("not settled")


# %% multiplies by tau says="divided by tau"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 * tau, h
    raise RuntimeError("not settled")


# %% never waits says="with tau below 1 the changes of all states become"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2, h
    raise RuntimeError("not settled")


# %% swaps the old and the new share says="whatever tau is|undoes it"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = tau * h + (1 - tau) * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return (float(change.max() + change.min()) / 2 / tau if tau < 1 else 5.0), h
    raise RuntimeError("not settled")


# %% takes the change after subtracting says="before. `new.0.` is subtracted"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        new = new - new[0]
        change = new - h
        h = new
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% takes the worst action says="best action"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).min(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% averages over the actions says="best action"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).mean(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% leaves a discount in says="without a discount"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + 0.99 * h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% returns values that grow says="h of state 0 is 0|relative to state 0"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% subtracts the mean says="relative to state 0"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new.mean()
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% waits for changes of 0 says="compare their largest with their smallest"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if np.abs(change).max() <= tolerance:
            return float(change.max()) / tau, h
    raise RuntimeError("not settled")


# %% returns whatever there is after the last sweep says="raise RuntimeError"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            break
    return float(change.max() + change.min()) / 2 / tau, h


# %% stops when state 0 has settled says="changes of .all. states"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h, last = np.zeros(len(reward)), np.inf
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if abs(change[0] - last) <= tolerance:
            return float(change[0]) / tau, h
        last = change[0]
    raise RuntimeError("not settled")


# %% gives up one sweep early says="one sweep is enough|gave up"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps - 1):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% divides h by tau too says="only the gain is divided by tau"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h / tau
    raise RuntimeError("not settled")


# %% returns the largest h for the gain says="the change of a sweep"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(h.max()), h
    raise RuntimeError("not settled")


# %% adds the rewards of all sweeps into the caller's array says="changed `reward`"
def relative_value_iteration(next_state, reward, tau=0.5, tolerance=1e-9, sweeps=5000):
    h = np.zeros(len(reward))
    reward *= tau
    for _ in range(sweeps):
        new = (1 - tau) * h + (reward + tau * h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError("not settled")


# %% does one sweep too many says="a sweep too many"
def relative_value_iteration(
    next_state: np.ndarray,
    reward: np.ndarray,
    tau: float = 0.5,
    tolerance: float = 1e-9,
    sweeps: int = 5000,
) -> tuple[float, np.ndarray]:
    """Return ``(gain, h)``: the best average reward, and h ``[S]`` with ``h[0] == 0``."""
    h = np.zeros(len(reward))
    for _ in range(sweeps + 1):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise RuntimeError(f"not settled after {sweeps} sweeps")


# %% refuses with another error says="another error than was agreed on"
def relative_value_iteration(
    next_state: np.ndarray,
    reward: np.ndarray,
    tau: float = 0.5,
    tolerance: float = 1e-9,
    sweeps: int = 5000,
) -> tuple[float, np.ndarray]:
    """Return ``(gain, h)``: the best average reward, and h ``[S]`` with ``h[0] == 0``."""
    h = np.zeros(len(reward))
    for _ in range(sweeps):
        new = (1 - tau) * h + tau * (reward + h[next_state]).max(axis=1)
        change = new - h
        h = new - new[0]
        if change.max() - change.min() <= tolerance:
            return float(change.max() + change.min()) / 2 / tau, h
    raise ValueError(f"not settled after {sweeps} sweeps")
