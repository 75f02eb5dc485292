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
