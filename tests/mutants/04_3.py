# %% takes the reset observation for the last one says="an action never leads to a start"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs
    if mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% looks for the old name says="an action never leads to a start"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if "final_observation" in infos:
        next_obs[done] = np.stack(infos["final_observation"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% asks for the old name and stops says="not in the infos"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_observation"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% looks for final_obs where nobody is done says="not in the infos"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP:
        for i in np.flatnonzero(infos["_final_obs"]):
            next_obs[i] = infos["final_obs"][i]
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% takes last observations of terminated robots only says="terminated or truncated, the last"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and terminated.any():
        next_obs[terminated] = np.stack(infos["final_obs"][terminated])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% takes last observations of truncated robots only says="terminated or truncated, the last"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    cut = truncated & ~terminated
    if mode is SAME_STEP and cut.any():
        next_obs[cut] = np.stack(infos["final_obs"][cut])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% writes into the array that the robot sees says="write them into a copy"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% swaps the two observations says="an action never leads to a start"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return obs, next_obs, rewards, terminated, truncated


# %% puts last observations into the first rows says="belongs into row n alone"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        found = [final for final in infos["final_obs"] if final is not None]
        for i, final in enumerate(found):
            next_obs[i] = final
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% makes an array of objects says="dtype is wrong"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs
    if mode is SAME_STEP and done.any():
        next_obs = obs.astype(object)
        for i in np.flatnonzero(done):
            next_obs[i] = infos["final_obs"][i]
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% hands out the array of objects itself says="shape is wrong"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs
    if mode is SAME_STEP and done.any():
        next_obs = infos["final_obs"]
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% takes what the reset returned for what the action led to says="before your reset"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    if mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    return next_obs, obs, rewards, terminated, truncated


# %% resets everybody when one is done says="reset only those that are done"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset()
    return next_obs, obs, rewards, terminated, truncated


# %% leaves the reset to nobody says="nobody resets this robot but you"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    return next_obs, obs, rewards, terminated, truncated


# %% resets terminated robots only says="nobody resets this robot but you"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED and terminated.any():
        obs, _ = envs.reset(options={"reset_mask": terminated})
    return next_obs, obs, rewards, terminated, truncated


# %% resets with an empty mask says="a mask without any True is refused"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED:
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% resets by hand in NEXT_STEP too says="call no reset"
def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs.copy()
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% keeps one array for all steps says="has changed since it was returned"
kept = {}


def take_step(envs, actions):
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = kept.setdefault(obs.shape, obs.copy())
    next_obs[:] = obs
    if mode is SAME_STEP and done.any():
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated


# %% seeds every reset says="your reset has a seed"
def take_step(envs: VectorEnv, actions: np.ndarray) -> tuple:
    """Step all robots; return ``(next_obs, obs, rewards, terminated, truncated)``."""
    obs, rewards, terminated, truncated, infos = envs.step(actions)
    mode, done = envs.metadata["autoreset_mode"], terminated | truncated
    next_obs = obs
    if mode is SAME_STEP and done.any():
        next_obs = obs.copy()
        next_obs[done] = np.stack(infos["final_obs"][done])
    elif mode is DISABLED and done.any():
        obs, _ = envs.reset(seed=0, options={"reset_mask": done})
    return next_obs, obs, rewards, terminated, truncated
