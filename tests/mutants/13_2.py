# %% counts reset rows as transitions says="leaves reset rows out|no transition"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape).reshape(-1, 1)
    table = np.hstack([owner, observations.reshape(valid.size, -1), actions.reshape(-1, 1)])
    return {
        "rows": valid.size,
        "transitions": valid.size,
        "distinct": len(np.unique(table, axis=0)),
        "terminated": int(terminated.sum()),
        "truncated": int((truncated & ~terminated).sum()),
        "families": len(np.unique(families)),
    }


# %% counts flags of reset rows says="reset row is no transition"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int(terminated.sum()),
        "truncated": int((truncated & ~terminated).sum()),
        "families": len(np.unique(families)),
    }


# %% forgets the family says="only the family|differ in their family"
def account(families, observations, actions, terminated, truncated, valid):
    seen, did = observations[valid].reshape(valid.sum(), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% forgets the action says="differ in their action"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen = observations[valid].reshape(len(owner), -1)
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% looks at one number of an observation says="whole obs|as they are|row by row|no transition"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1)[:, -1:], actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% adds the observation up says="nothing added up|not summed"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen = observations[valid].reshape(len(owner), -1).sum(axis=1, keepdims=True)
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, actions[valid][:, None]]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% turns observations into whole numbers says="whole numbers"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1).astype(int), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% spreads labels along the time axis says="time axis|column n"
def account(families, observations, actions, terminated, truncated, valid):
    steps, robots = valid.shape
    owner = np.repeat(families, steps).reshape(steps, robots)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% counts both flags twice says="termination wins"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% lets the truncation win says="every termination"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & ~truncated & valid).sum()),
        "truncated": int((truncated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% counts robots as families says="different labels"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(families),
    }


# %% counts steps as rows says="T [*] N"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": len(valid),
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% multiplies by the mask instead of leaving rows out says="no transition|row by row|counts once"
def account(families, observations, actions, terminated, truncated, valid):
    owner = np.broadcast_to(families, valid.shape).reshape(-1, 1)
    table = np.hstack([owner, observations.reshape(valid.size, -1), actions.reshape(-1, 1)])
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(table * valid.reshape(-1, 1), axis=0)),
        "terminated": int((terminated * valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% writes into the rollout says="belongs to the caller"
def account(families, observations, actions, terminated, truncated, valid):
    truncated &= ~terminated
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% counts in floats says="an int and not a float"
def account(
    families: np.ndarray,
    observations: np.ndarray,
    actions: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    valid: np.ndarray,
) -> dict[str, int]:
    """Return what the rows of a rollout are."""
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": float(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% counts the families of valid rows only says="of all robots, not of the valid rows"
def account(
    families: np.ndarray,
    observations: np.ndarray,
    actions: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    valid: np.ndarray,
) -> dict[str, int]:
    """Return what the rows of a rollout are."""
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(owner)),
    }


# %% compares the rows of each step only says="not step by step"
def account(
    families: np.ndarray,
    observations: np.ndarray,
    actions: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    valid: np.ndarray,
) -> dict[str, int]:
    """Return what the rows of a rollout are."""
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": sum(
            len(
                {
                    (int(families[n]), observations[t, n].tobytes(), int(actions[t, n]))
                    for n in range(valid.shape[1])
                    if valid[t, n]
                }
            )
            for t in range(len(valid))
        ),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated & valid).sum()),
        "families": len(np.unique(families)),
    }


# %% counts truncations in reset rows says="a reset row is no transition"
def account(
    families: np.ndarray,
    observations: np.ndarray,
    actions: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    valid: np.ndarray,
) -> dict[str, int]:
    """Return what the rows of a rollout are."""
    owner = np.broadcast_to(families, valid.shape)[valid][:, None]
    seen, did = observations[valid].reshape(len(owner), -1), actions[valid][:, None]
    return {
        "rows": valid.size,
        "transitions": int(valid.sum()),
        "distinct": len(np.unique(np.hstack([owner, seen, did]), axis=0)),
        "terminated": int((terminated & valid).sum()),
        "truncated": int((truncated & ~terminated).sum()),
        "families": len(np.unique(families)),
    }
