# %% does not round up says="rounds are whole"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = n_envs / cores if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = n_envs / cores if kind == "cpu" else 1
    return math.inf if rounds >= n_envs else n_envs * message_cost_us / (n_envs - rounds)


# %% rounds down says="rounds are whole"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = max(n_envs // cores, 1) if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = max(n_envs // cores, 1) if kind == "cpu" else 1
    return math.inf if rounds >= n_envs else n_envs * message_cost_us / (n_envs - rounds)


# %% pays for one message only says="a message goes to each of N workers|takes 4 . 100 us"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return math.inf if rounds >= n_envs else message_cost_us / (n_envs - rounds)


# %% sends the messages of each round at once says="a message goes to each of N workers|takes 4"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (rounds * (message_cost_us + step_cost_us))


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return math.inf if rounds >= n_envs else rounds * message_cost_us / (n_envs - rounds)


# %% lets robots that wait queue for a core says="need no core"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores)
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores)
    return math.inf if rounds >= n_envs else n_envs * message_cost_us / (n_envs - rounds)


# %% divides the wrong way round says="the first divided by the second"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return (n_envs * message_cost_us + rounds * step_cost_us) / (n_envs * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return math.inf if rounds >= n_envs else n_envs * message_cost_us / (n_envs - rounds)


# %% believes that processes are always as fast as there are cores says="4 messages of 25 us"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    return min(n_envs, cores) if kind == "cpu" else n_envs


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    return 0.0


# %% subtracts instead of dividing says="the first divided by the second"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us - n_envs * message_cost_us - rounds * step_cost_us


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return math.inf if rounds >= n_envs else n_envs * message_cost_us / (n_envs - rounds)


# %% divides by zero on one core says="no step cost is high enough: return math.inf before"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * message_cost_us / (n_envs - rounds)


# %% returns 0 where processes never pay says="no step cost is high enough: return math.inf$"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * message_cost_us / (n_envs - rounds) if rounds < n_envs else 0.0


# %% takes a message for the break-even says="both take equally long"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    return message_cost_us


# %% adds the rounds in the break-even says="both take equally long"
def speedup(step_cost_us, message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us, n_envs, cores, kind="cpu"):
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return math.inf if rounds >= n_envs else n_envs * message_cost_us / (n_envs + rounds)


# %% returns None for never says="return math.inf. None cannot"
def speedup(
    step_cost_us: float, message_cost_us: float, n_envs: int, cores: int, kind: str = "cpu"
) -> float:
    """Return how many times as fast N processes are as one."""
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    return n_envs * step_cost_us / (n_envs * message_cost_us + rounds * step_cost_us)


def break_even_us(message_cost_us: float, n_envs: int, cores: int, kind: str = "cpu") -> float:
    """Return the step cost from which on N processes are faster; ``math.inf`` if none is."""
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    if rounds >= n_envs:
        return None
    return n_envs * message_cost_us / (n_envs - rounds)
