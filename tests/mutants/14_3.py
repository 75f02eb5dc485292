# %% takes what is seen next for what was led to says="info..final_obs"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, seen)
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% keeps what is seen after the step says="what the robots saw .before. step"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (seen, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% keeps the rows without a copy says="the list holds one tensor often"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% keeps seen after the policy has been at it says="what `act` left of it"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% keeps the graph says="keeps autograd's graph"
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% is robot-major says="time-major"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column, dim=1) for column in zip(*rows))), seen


# %% brings the rows to the host says="comes to the host|was copied to the host"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().cpu().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% goes through NumPy says="a value is read back|comes to the host"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append(
            [torch.tensor(part.detach().cpu().numpy()) for part in (*row, valid, log_probs, values)]
        )
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% takes the memory on the host says="taken there|two devices|comes to the host"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    kept = []
    for column in zip(*rows):
        place = torch.empty((steps, *column[0].shape), dtype=column[0].dtype)
        for t, part in enumerate(column):
            place[t] = part
        kept.append(place)
    return Rollout(*kept), seen


# %% marks the ends as invalid says="`valid` is True everywhere"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = ~(terminated | truncated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% resets the robots first says="nothing is reset"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows, seen = [], envs.reset()[0]
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% asks the policy twice says="asked once in each step"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions = act(seen)[0]
        _, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% stops at the first end says="one step in each row|once in each step|time-major"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
        if terminated.any():
            break
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% hands back the first observations says="what the robots see now"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows, first = [], seen.clone()
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), first


# %% hands back the final observations says="what the robots see now"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), info["final_obs"]


# %% swaps the flags says="`terminated` of step t"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, truncated, terminated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% swaps log-probabilities and values says="log-probability of the action"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, values, log_probs)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% acts on the first observations for ever says="robots saw|actions of step t|before. step t"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        later, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), later


# %% stores the actions of the step before says="actions that are stored|actions of step t"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows, last = [], None
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        last, did = actions, actions if last is None else last
        row = (before, did, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% returns a plain tuple says="is a `Rollout`"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return tuple(torch.stack(column) for column in zip(*rows)), seen


# %% keeps the rewards as numbers says="a value is read back"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        rewards = torch.tensor(rewards.tolist(), device=rewards.device)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% makes everything a float says="another dtype than what it was made of"
@torch.no_grad()
def device_rollout(envs, act, steps, seen):
    rows = []
    for t in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().float().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows))), seen


# %% copies what the env gives, not what the policy gives says="the list holds one tensor often"
@torch.no_grad()
def device_rollout(
    envs, act: Callable, steps: int, seen: torch.Tensor
) -> tuple[Rollout, torch.Tensor]:
    """Return the rollout, and what the robots see after it."""
    rows = []
    for _ in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append(
            [
                *(part.detach().clone() for part in (*row, valid)),
                log_probs.detach(),
                values.detach(),
            ]
        )
    return Rollout(*(torch.stack(column) for column in zip(*rows, strict=True))), seen


# %% keeps the actions without a copy says="the list holds one tensor often"
@torch.no_grad()
def device_rollout(
    envs, act: Callable, steps: int, seen: torch.Tensor
) -> tuple[Rollout, torch.Tensor]:
    """Return the rollout, and what the robots see after it."""
    rows = []
    for _ in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append(
            [
                part if part is actions else part.detach().clone()
                for part in (*row, valid, log_probs, values)
            ]
        )
    return Rollout(*(torch.stack(column) for column in zip(*rows, strict=True))), seen


# %% stops when all are done says="whoever is done on the way"
@torch.no_grad()
def device_rollout(
    envs, act: Callable, steps: int, seen: torch.Tensor
) -> tuple[Rollout, torch.Tensor]:
    """Return the rollout, and what the robots see after it."""
    rows = []
    for _ in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        if torch.all(terminated | truncated):
            break
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows, strict=True))), seen


# %% keeps the rows of earlier calls says="each step of .this. rollout"
@torch.no_grad()
def device_rollout(
    envs, act: Callable, steps: int, seen: torch.Tensor
) -> tuple[Rollout, torch.Tensor]:
    """Return the rollout, and what the robots see after it."""
    rows = device_rollout.__dict__.setdefault("rows", [])
    for _ in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    return Rollout(*(torch.stack(column) for column in zip(*rows, strict=True))), seen


# %% keeps its memory between calls says="second rollout wrote over the first"
@torch.no_grad()
def device_rollout(
    envs, act: Callable, steps: int, seen: torch.Tensor
) -> tuple[Rollout, torch.Tensor]:
    """Return the rollout, and what the robots see after it."""
    rows = []
    for _ in range(steps):
        before = seen.clone()
        actions, log_probs, values = act(seen)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        row = (before, actions, rewards, terminated, truncated, info["final_obs"])
        valid = torch.ones_like(terminated)
        rows.append([part.detach().clone() for part in (*row, valid, log_probs, values)])
    new = [torch.stack(column) for column in zip(*rows, strict=True)]
    kept = device_rollout.__dict__.setdefault(tuple(new[0].shape), new)
    for a, b in zip(kept, new):
        a.copy_(b)
    return Rollout(*kept), seen
