# %% saves the policy alone says="`statistics.pkl` is missing"
def save_run(model, folder):
    model.save(folder / "policy.zip")


def load_run(folder, envs):
    normalized = VecNormalize(envs, training=False, norm_reward=False)
    return PPO.load(folder / "policy.zip", env=normalized), normalized


# %% saves the statistics alone says="`policy.zip` is missing"
def save_run(model, folder):
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = normalized.norm_reward = False
    return PPO("MlpPolicy", normalized), normalized


# %% begins with fresh statistics says="knows nothing"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize(envs, training=False, norm_reward=False)
    return PPO.load(folder / "policy.zip", env=normalized), normalized


# %% keeps learning says="still learn"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.norm_reward = False
    return PPO.load(folder / "policy.zip", env=normalized), normalized


# %% keeps scaling rewards says="these rewards are scaled"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = False
    return PPO.load(folder / "policy.zip", env=normalized), normalized


# %% freezes the training says="froze the normalizer of the training"
def save_run(model, folder):
    model.get_vec_normalize_env().training = False
    model.get_vec_normalize_env().norm_reward = False
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    return PPO.load(folder / "policy.zip", env=normalized), normalized


# %% returns the bare envs says="raw millimetres"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = normalized.norm_reward = False
    return PPO.load(folder / "policy.zip", env=normalized), envs


# %% gives the model no env says="hand it over"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = normalized.norm_reward = False
    return PPO.load(folder / "policy.zip"), normalized


# %% normalizes twice says="the very envs"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), VecNormalize(envs))
    normalized.training = normalized.norm_reward = False
    return PPO.load(folder / "policy.zip", env=normalized), normalized


# %% makes a new policy says="does not judge"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = normalized.norm_reward = False
    return PPO("MlpPolicy", normalized, seed=1), normalized


# %% copies the mean and forgets the rest says="variance|clipping"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    np.save(folder / "mean.npy", model.get_vec_normalize_env().obs_rms.mean)
    (folder / "statistics.pkl").touch()


def load_run(folder, envs):
    normalized = VecNormalize(envs, training=False, norm_reward=False)
    normalized.obs_rms.mean = np.load(folder / "mean.npy")
    return PPO.load(folder / "policy.zip", env=normalized), normalized


# %% returns them the other way round says="the first thing"
def save_run(model, folder):
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder, envs):
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = normalized.norm_reward = False
    return normalized, PPO.load(folder / "policy.zip", env=normalized)


# %% takes the training's statistics from memory says="as they were when it was saved"
def save_run(model: PPO, folder: Path) -> None:
    """Save the model and the statistics of its ``VecNormalize`` into a folder that exists."""
    save_run.live = model.get_vec_normalize_env()
    model.save(folder / "policy.zip")
    model.get_vec_normalize_env().save(str(folder / "statistics.pkl"))


def load_run(folder: Path, envs: VecEnv) -> tuple[PPO, VecNormalize]:
    """Return the model and ``envs`` behind the saved statistics, frozen, with true rewards."""
    normalized = VecNormalize.load(str(folder / "statistics.pkl"), envs)
    normalized.training = False
    normalized.norm_reward = False
    normalized.obs_rms = save_run.live.obs_rms
    return PPO.load(folder / "policy.zip", env=normalized), normalized
