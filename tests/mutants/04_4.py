# %% counts the reset row as a step says="a reset row is no step"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += 1
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
    return returns, lengths


# %% adds the reward of the reset row says="belongs to no episode"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += rewards[t]
        steps += valid[t]
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
    return returns, lengths


# %% takes one step off all episodes but the first says="begins again|counts from 0|own rewards"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += 1
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done], steps[done] = 0, -1
    return returns, lengths


# %% never begins again at 0 says="counts from 0"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        returns.extend(total[done])
        lengths.extend(steps[done])
    return returns, lengths


# %% begins again for all robots when one ends says="only the robot that ends"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        returns.extend(total[done])
        lengths.extend(steps[done])
        if done.any():
            total[:] = 0
            steps[:] = 0
    return returns, lengths


# %% leaves the last step out says="the row in which an episode ends is its last step"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
    return returns, lengths


# %% reports the episodes that still run says="is cut by the end|an episode ends where"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    done = terminated | truncated
    done[-1] = True
    for t in range(len(done)):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        returns.extend(total[done[t]])
        lengths.extend(steps[done[t]])
        total[done[t]] = steps[done[t]] = 0
    return returns, lengths


# %% knows terminations only says="where it is terminated and where it is truncated"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
    return returns, lengths


# %% reports an episode with both flags twice says="reported once"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t in range(len(rewards)):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        for n in range(rewards.shape[1]):
            for flag in (terminated[t, n], truncated[t, n]):
                if flag:
                    returns.append(total[n])
                    lengths.append(steps[n])
            if terminated[t, n] or truncated[t, n]:
                total[n] = steps[n] = 0
    return returns, lengths


# %% lists robot by robot says="as they end, by step"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    for n in range(rewards.shape[1]):
        total, steps = 0.0, 0
        for t in range(len(rewards)):
            if valid[t, n]:
                total, steps = total + rewards[t, n], steps + 1
            if terminated[t, n] or truncated[t, n]:
                returns.append(total)
                lengths.append(steps)
                total, steps = 0.0, 0
    return returns, lengths


# %% keeps one list a robot says="one flat list or array"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    for n in range(rewards.shape[1]):
        total, steps, own, counts = 0.0, 0, [], []
        for t in range(len(rewards)):
            if valid[t, n]:
                total, steps = total + rewards[t, n], steps + 1
            if terminated[t, n] or truncated[t, n]:
                own.append(total)
                counts.append(steps)
                total, steps = 0.0, 0
        returns.append(own)
        lengths.append(counts)
    return returns, lengths


# %% adds up in whole numbers says="with fractions"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1], dtype=int), np.zeros(rewards.shape[1], dtype=int)
    for t in range(len(rewards)):
        for n in range(rewards.shape[1]):
            if valid[t, n]:
                total[n] += rewards[t, n]
                steps[n] += 1
            if terminated[t, n] or truncated[t, n]:
                returns.append(total[n])
                lengths.append(steps[n])
                total[n] = steps[n] = 0
    return returns, lengths


# %% gives mean rewards for returns says="a return is the sum"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        returns.extend(total[done] / steps[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
    return returns, lengths


# %% keeps one sum for all robots says="a sum of its own|a count of its own"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = 0.0, 0
    for t in range(len(rewards)):
        for n in range(rewards.shape[1]):
            if valid[t, n]:
                total, steps = total + rewards[t, n], steps + 1
            if terminated[t, n] or truncated[t, n]:
                returns.append(total)
                lengths.append(steps)
                total, steps = 0.0, 0
    return returns, lengths


# %% throws the masked rows away and mixes up the robots says="."
def episode_stats(rewards, terminated, truncated, valid):
    done = (terminated | truncated)[valid]
    ends = np.flatnonzero(done)
    starts = np.concatenate([[0], ends[:-1] + 1])
    paid = rewards[valid]
    returns = [paid[a : b + 1].sum() for a, b in zip(starts, ends)]
    return returns, [b + 1 - a for a, b in zip(starts, ends)]


# %% takes the time limit away from both-flag episodes says="the sum of both|reported once"
def episode_stats(rewards, terminated, truncated, valid):
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated ^ truncated):
        total += np.where(valid[t], rewards[t], 0.0)
        steps += valid[t]
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
    return returns, lengths


# %% clears the rewards of the caller says="belongs to the caller"
def episode_stats(rewards, terminated, truncated, valid):
    rewards *= valid
    returns, lengths = [], []
    total, steps = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], dtype=int)
    for t, done in enumerate(terminated | truncated):
        total += rewards[t]
        steps += valid[t]
        returns.extend(total[done])
        lengths.extend(steps[done])
        total[done] = steps[done] = 0
    return returns, lengths
