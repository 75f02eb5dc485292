# %% leaves the tables on the host says="is not on the device"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name]) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% forgets the device of the counters says="`elapsed` is not on the device"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32)
    return world


# %% names the device itself says="name none yourself|is not on the device"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device="cuda") for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device="cuda"
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device="cuda")
    return world


# %% uses whatever device is best here says="is not on the device|name none yourself"
def move_world(arrays, num_envs, device):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% keeps the table's int64 says="bytes are what limits a step"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int64, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% packs the table into int16 says="int16 has no room"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int16, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% keeps float64 rewards says="some devices .mps. do not have it"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float64, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% makes the observations floats says="`observations` has another dtype"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.float32}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% lets PyTorch choose the counters' dtype says="`elapsed` has another dtype"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, device=device)
    return world


# %% expands one start to all robots says="`expand` makes N names"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.tensor(int(arrays["start"]), dtype=torch.int32, device=device).expand(
            num_envs
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% gives start and state one tensor says="they are one tensor with two names"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["state"] = world["start"]
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% shares the observations with the array says="`from_numpy` and `as_tensor` share memory"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.as_tensor(arrays[name]).to(kinds[name]).to(device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% puts the robots into state 0 says="each robot has the kitchen's start|begin at their start"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full((num_envs,), 0, dtype=torch.int32, device=device)
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% has one start for all says="one number for each robot"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["start"] = torch.tensor(int(arrays["start"]), dtype=torch.int32, device=device)
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    return world


# %% forgets elapsed says="every tensor of the table above"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    return world


# %% counts from 1 says="no step has been taken yet"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.ones(num_envs, dtype=torch.int32, device=device)
    return world


# %% turns the table round says="another shape"
def move_world(arrays, num_envs, device):
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    for name in ("start", "state"):
        world[name] = torch.full(
            (num_envs,), int(arrays["start"]), dtype=torch.int32, device=device
        )
    world["elapsed"] = torch.zeros(num_envs, dtype=torch.int32, device=device)
    world["table"] = world["table"].reshape(-1, 4)
    return world


# %% casts in the caller's dictionary says="caller's dictionary was changed"
def move_world(
    arrays: dict[str, np.ndarray], num_envs: int, device: torch.device | str
) -> dict[str, torch.Tensor]:
    """Return the six tensors of N robots, all of them on the device."""
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    arrays["table"] = arrays["table"].astype(np.int32)
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    like = {"size": (num_envs,), "dtype": torch.int32, "device": device}
    for name in ("start", "state"):
        world[name] = torch.full(fill_value=int(arrays["start"]), **like)
    world["elapsed"] = torch.zeros(**like)
    return world


# %% takes the start out of the caller's dictionary says="caller's dictionary was changed"
def move_world(
    arrays: dict[str, np.ndarray], num_envs: int, device: torch.device | str
) -> dict[str, torch.Tensor]:
    """Return the six tensors of N robots, all of them on the device."""
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    begin = arrays.pop("start")
    arrays = {**arrays, "start": begin}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    like = {"size": (num_envs,), "dtype": torch.int32, "device": device}
    for name in ("start", "state"):
        world[name] = torch.full(fill_value=int(arrays["start"]), **like)
    world["elapsed"] = torch.zeros(**like)
    return world


# %% rounds the rewards to float16 says="to the last digit of a float32"
def move_world(
    arrays: dict[str, np.ndarray], num_envs: int, device: torch.device | str
) -> dict[str, torch.Tensor]:
    """Return the six tensors of N robots, all of them on the device."""
    kinds = {"table": torch.int32, "rewards": torch.float32, "observations": torch.int64}
    world = {name: torch.tensor(arrays[name], dtype=kinds[name], device=device) for name in kinds}
    like = {"size": (num_envs,), "dtype": torch.int32, "device": device}
    for name in ("start", "state"):
        world[name] = torch.full(fill_value=int(arrays["start"]), **like)
    world["elapsed"] = torch.zeros(**like)
    world["rewards"] = world["rewards"].half().float()
    return world
