# %% keeps the potential after the end says="phi.s'. counts as 0"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return gamma * phi_next - phi


# %% treats the limit like an end says="a truncated step is shaped like any other"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return gamma * np.where(terminated | truncated, 0.0, phi_next) - phi


# %% gives no shaping at all in the last step says="phi.s. is still taken back"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return np.where(terminated, 0.0, gamma * phi_next - phi)


# %% forgets gamma says="gamma belongs to the next potential only"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return np.where(terminated, 0.0, phi_next) - phi


# %% discounts both potentials says="gamma belongs to the next potential only"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return gamma * (np.where(terminated, 0.0, phi_next) - phi)


# %% swaps now and next says="gamma belongs to the next potential only"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return gamma * phi - np.where(terminated, 0.0, phi_next)


# %% pays the potential itself as a bonus says="F = gamma . phi.s'. - phi.s."
def shaping(phi, phi_next, terminated, truncated, gamma):
    return np.where(terminated, 0.0, phi_next) + 0 * phi


# %% sets the potential to zero in place says="changed its inputs"
def shaping(phi, phi_next, terminated, truncated, gamma):
    phi_next[terminated] = 0.0
    return gamma * phi_next - phi


# %% lets truncation win over termination says="termination wins"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return gamma * np.where(terminated & ~truncated, 0.0, phi_next) - phi


# %% lets one end stop the whole batch says="its own flags"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return gamma * phi_next * (not terminated.any()) - phi


# %% adds everything up says="one F for each step"
def shaping(phi, phi_next, terminated, truncated, gamma):
    return (gamma * np.where(terminated, 0.0, phi_next) - phi).sum()
