# %% leaves the inner loop only says="the loop over the epochs too"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                break
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% skips the minibatch and goes on says="goes on to its end"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                continue
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% looks after the step says="look before the step"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
    return seen, steps


# %% looks at the end of an epoch says="goes on to its end"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
        if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
            return seen, steps
    return seen, steps


# %% looks at the mean of an epoch says="goes on to its end|another one is looked at"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None:
                recent = [noted["kl"] for noted in seen[-minibatches:]]
                if sum(recent) / len(recent) > 1.5 * target_kl:
                    return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% never stops says="goes on to its end"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% raises the flag and finishes the epoch says="another one is looked at"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    stop = False
    for _ in range(epochs):
        if stop:
            break
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                stop = True
                continue
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% forgets the 1.5 says="1.5 times target_kl"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% stops at the limit itself says="only what is \\*above\\*"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] >= 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% stops below the limit says="looked at"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] < 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% takes None for 0 says="each of its minibatches|counts the steps|runs to its end"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if seen[-1]["kl"] > 1.5 * (target_kl or 0.0):
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% compares with None says="target_kl may be None"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if seen[-1]["kl"] and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% does not note the last one says="why the update ended"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            noted = {name: float(number) for name, number in stats.items()}
            if target_kl is not None and noted["kl"] > 1.5 * target_kl:
                return seen, steps
            seen.append(noted)
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% counts the minibatches looked at says="counts the steps that were taken"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            steps += 1
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
    return seen, steps


# %% returns nothing when it stops says="two things are returned"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return None
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% notes tensors says="a tensor is noted"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append(dict(stats))
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% notes detached tensors says="a tensor is noted"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: torch.as_tensor(number).detach() for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% notes the KL only says="under its own names"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({"kl": float(stats["kl"])})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% forgets zero_grad says="pile"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% takes gradients away after the step only says="in the first step too"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
            steps += 1
    return seen, steps


# %% takes gradients away after backward says="each step takes away|minibatch|up"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            total.backward()
            optimizer.zero_grad()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% does not shorten gradients says="scaled down to 0.5"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            steps += 1
    return seen, steps


# %% shortens after the step says="scaled down to 0.5"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            steps += 1
    return seen, steps


# %% makes every gradient 0.5 long says="shorter ones stay|up"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            for weight in policy.parameters():
                weight.grad *= 0.5 / weight.grad.norm()
            optimizer.step()
            steps += 1
    return seen, steps


# %% one order for all epochs says="draw a new one in each"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    parts = torch.randperm(size, generator=generator).tensor_split(minibatches)
    for _ in range(epochs):
        for rows in parts:
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% in the order of collection says="the order in which they were collected"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.arange(size).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% its own chance says="does not come from the generator"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% seeds the generator says="do not seed it inside"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    generator.manual_seed(0)
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% draws rows with replacement says="exactly once"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randint(size, (size,), generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% cuts rows off says="the parts are not alike"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).split(-(-size // minibatches)):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% drops the remainder says="exactly once"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator)[
            : size // minibatches * minibatches
        ].tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% minibatches for their size says="looks at each of its minibatches once"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% one epoch says="looks at each of its minibatches once"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(1):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% one epoch more says="looks at each of its minibatches once"
def update(loss, policy, optimizer, size, epochs, minibatches, target_kl, generator):
    seen, steps = [], 0
    for _ in range(epochs + 1):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% takes a target of 0 for none says="only None means no limit"
def update(
    loss: Callable[[Tensor], tuple[Tensor, dict]],
    policy: nn.Module,
    optimizer: torch.optim.Optimizer,
    size: int,
    epochs: int,
    minibatches: int,
    target_kl: float | None,
    generator: torch.Generator,
) -> tuple[list[dict[str, float]], int]:
    """Improve the policy, until the KL says that it is enough; return ``(seen, steps)``."""
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% cuts each entry by itself says="scales them all alike"
def update(
    loss: Callable[[Tensor], tuple[Tensor, dict]],
    policy: nn.Module,
    optimizer: torch.optim.Optimizer,
    size: int,
    epochs: int,
    minibatches: int,
    target_kl: float | None,
    generator: torch.Generator,
) -> tuple[list[dict[str, float]], int]:
    """Improve the policy, until the KL says that it is enough; return ``(seen, steps)``."""
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_value_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% stops at a negative KL says="not its size"
def update(
    loss: Callable[[Tensor], tuple[Tensor, dict]],
    policy: nn.Module,
    optimizer: torch.optim.Optimizer,
    size: int,
    epochs: int,
    minibatches: int,
    target_kl: float | None,
    generator: torch.Generator,
) -> tuple[list[dict[str, float]], int]:
    """Improve the policy, until the KL says that it is enough; return ``(seen, steps)``."""
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and abs(seen[-1]["kl"]) > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            steps += 1
    return seen, steps


# %% scales each tensor by itself says="the length is that of .all. gradients"
def update(
    loss: Callable[[Tensor], tuple[Tensor, dict]],
    policy: nn.Module,
    optimizer: torch.optim.Optimizer,
    size: int,
    epochs: int,
    minibatches: int,
    target_kl: float | None,
    generator: torch.Generator,
) -> tuple[list[dict[str, float]], int]:
    """Improve the policy, until the KL says that it is enough; return ``(seen, steps)``."""
    seen, steps = [], 0
    for _ in range(epochs):
        for rows in torch.randperm(size, generator=generator).tensor_split(minibatches):
            total, stats = loss(rows)
            seen.append({name: float(number) for name, number in stats.items()})
            if target_kl is not None and seen[-1]["kl"] > 1.5 * target_kl:
                return seen, steps
            optimizer.zero_grad()
            total.backward()
            [nn.utils.clip_grad_norm_([p], 0.5) for p in policy.parameters()]
            optimizer.step()
            steps += 1
    return seen, steps
