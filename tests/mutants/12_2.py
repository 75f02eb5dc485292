# %% forgets gamma on the way back says="passed back with gamma"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% returns X for the targets says="targets are values . X"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, X


# %% passes targets back instead of their excess says="n-step return"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, targets, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = targets[t] = values[t] + rho[t] * error[t] + c[t] * passed
    return A, targets


# %% goes forwards says="n-step return"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in range(len(values)):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% turns the ratio over says="not its inverse"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(-log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% takes the logarithm for the ratio says="a log ratio of 0 is a ratio of"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = log_ratios
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% does not correct at all says="rho weighs the error"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    X, later = np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        later = X[t] = error[t] + gamma * np.where(terminated[t] | truncated[t], 0.0, later)
    return X, values + X


# %% leaves rho uncut says="smaller one of rho_bar"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = ratio, np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% cuts from below, as PPO clips says="rho weighs the error|nothing cuts it from below"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.clip(np.exp(log_ratios), 0.8, None)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% one bound for both weights says="two bounds"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    rho = c = np.minimum(rho_bar, np.exp(log_ratios))
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% passes back without c says="c of step t"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    rho = np.minimum(rho_bar, np.exp(log_ratios))
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + passed
    return A, values + X


# %% uses c of the next step says="c of step t"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[min(t + 1, len(c) - 1)] * passed
    return A, values + X


# %% weighs only the error of A says="weighed by rho"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * error[t] + passed
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% takes X for the advantage says="c has no"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    X, later = np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return X, values + X


# %% a truncation takes the value away says="a truncation does not"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio, done = np.exp(log_ratios), terminated | truncated
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(done, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(done[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% only a termination cuts says="after either flag"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X


# %% writes the targets into values says="written into"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, later = np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where(terminated[t] | truncated[t], 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = rho[t] * error[t] + c[t] * passed
        values[t] += later
    return A, values


# %% mixes the robots says="column stay its"
def vtrace(
    log_ratios, rewards, values, next_values, terminated, truncated, gamma, rho_bar=1.0, c_bar=1.0
):
    ratio = np.exp(log_ratios)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    error = rewards + gamma * np.where(terminated, 0.0, next_values) - values
    A, X, later = np.zeros_like(values), np.zeros_like(values), np.zeros(values.shape[1])
    for t in reversed(range(len(values))):
        passed = gamma * np.where((terminated[t] | truncated[t]).any(), 0.0, later)
        A[t] = rho[t] * (error[t] + passed)
        later = X[t] = rho[t] * error[t] + c[t] * passed
    return A, values + X
