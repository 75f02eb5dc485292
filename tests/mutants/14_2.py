# %% resets only if somebody is done says="`if` on a tensor"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(after)
    world["elapsed"].copy_(elapsed)
    if done.any():
        world["state"].copy_(torch.where(done, world["start"], after))
        world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% indexes by the flags says="the shape of a result depends on values"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(after)
    world["state"][done] = world["start"][done]
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% looks for the done rows with nonzero says="the shape of a result depends on values"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    rows = done.nonzero().squeeze(1)
    after_reset = after.clone()
    after_reset[rows] = world["start"][rows]
    world["state"].copy_(after_reset)
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% goes through the robots one by one says="a value is read back"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(after)
    for i in range(len(done)):
        if done[i]:
            world["state"][i] = world["start"][i]
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% works in NumPy says="a tensor comes to the host|a value is read back"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = torch.from_numpy(world["elapsed"].cpu().numpy() + 1)
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% makes the zeros on the host says="two devices"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, torch.zeros(len(done), dtype=torch.int32), elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% gives the world new tensors says="is another tensor after the step"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"] = torch.where(done, world["start"], after)
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% gives the world a new counter says="is another tensor after the step"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"] = torch.where(done, 0, elapsed)
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% shows the state before the reset says="observation of its state .after. the reset"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[after], world["rewards"][outcome], terminated, truncated, look[after]


# %% shows the start as the final observation says="before. any reset"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return (
        look[world["state"]],
        world["rewards"][outcome],
        terminated,
        truncated,
        look[world["state"]],
    )


# %% has final observations for the done only says="before. any reset"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return (
        look[world["state"]],
        world["rewards"][outcome],
        terminated,
        truncated,
        look[after] * done.unsqueeze(1),
    )


# %% calls the step limit a termination says="the step limit has a flag of its own"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    terminated = done
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% takes truncation back where the robot crashed says="also where the same step terminates"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    truncated = truncated & ~terminated
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% lets an episode run one step longer says="from the limit on"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed > limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% counts the step only after the flags says="from the limit on"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, world["elapsed"] >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% forgets to reset the counter says="puts the robot's own counter to 0"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(elapsed)
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% resets everybody's counter says="every other robot's counts on"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(elapsed * (~done).all())
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% resets everybody when one is done says="observation of its state|their action led|at its start"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done.any(), world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% resets to the first robot's start says="observation of its state|own start"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"][0], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% does not reset says="observation of its state|back at its start"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(after)
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% writes into the actions says="the caller's `actions` were written into"
def device_step(world, actions, limit):
    entry = world["table"][actions.add_(world["state"] * 4)]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% hands out one buffer for ever says="a later step changed the `seen`"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    if "seen" not in world:
        world["seen"] = look[world["state"]]
    world["seen"].copy_(look[world["state"]])
    return world["seen"], world["rewards"][outcome], terminated, truncated, look[after]


# %% forgets that a delivery ends an episode says="2 .crashed. or 3 .delivered."
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome == 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% swaps the flags says="`terminated` is True where"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], truncated, terminated, look[after]


# %% pays in float64 says="`reward` has another dtype"
def device_step(world, actions, limit):
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return (
        look[world["state"]],
        world["rewards"].double()[outcome],
        terminated,
        truncated,
        look[after],
    )


# %% truncates at the limit exactly says="from the limit on"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed == limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% swaps next state and outcome says="a look-up outside of a table"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry & 3, entry >> 2
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% computes the index in int16 says="int16 ends at 32,767"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][(world["state"].short() * 4 + actions.short()).int()]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% computes the index in uint8 says="int16 ends at 32,767|outcome"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][(world["state"].to(torch.uint8) * 4 + actions.to(torch.uint8)).int()]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% counts in int8 says="counter of steps is lost|from the limit on"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = (world["elapsed"] + 1).to(torch.int8)
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% counts in float32 says="float32 counts to 16,777,216"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = (world["elapsed"].float() + 1).int()
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% sends a zero to the device in each step says="made on the host and sent to the device"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(
        torch.where(done, torch.tensor(0, dtype=torch.int32, device=elapsed.device), elapsed)
    )
    look = world["observations"]
    return look[world["state"]], world["rewards"][outcome], terminated, truncated, look[after]


# %% keeps a buffer in the function says="a later step changed the `seen`"
def device_step(
    world: dict[str, torch.Tensor], actions: torch.Tensor, limit: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``(seen, reward, terminated, truncated, final)``; state and elapsed are updated."""
    entry = world["table"][world["state"] * 4 + actions]
    after, outcome = entry >> 2, entry & 3
    elapsed = world["elapsed"] + 1
    terminated, truncated = outcome >= 2, elapsed >= limit
    done = terminated | truncated
    world["state"].copy_(torch.where(done, world["start"], after))
    world["elapsed"].copy_(torch.where(done, 0, elapsed))
    look = world["observations"]
    box = device_step.__dict__.setdefault(tuple(actions.shape), torch.zeros_like(look[after]))
    box.copy_(look[world["state"]])
    return box, world["rewards"][outcome], terminated, truncated, look[after]
