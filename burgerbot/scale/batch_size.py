"""How large should a PPO batch be? What four settings come to, what is wrong, and what is near.

    buffer      = n_envs * n_steps                 transitions of one rollout
    minibatches = ceil(buffer / batch_size)        in each of n_epochs passes over the buffer
    updates     = minibatches * n_epochs           gradient steps a rollout

Two kinds of training differ in what is usual: some robots on a CPU, as with Stable-Baselines3, and
thousands on one chip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from burgerbot.scale.checks import count

#: From this many robots on, the bounds for thousands hold.
THOUSANDS = 1_000
#: Fewest and most minibatches of a pass, and most passes, below THOUSANDS and from there on.
BOUNDS = {False: (32, 256, 15), True: (4, 8, 10)}
#: What SB3's RolloutBuffer holds beside the observation: the action (int64), and as float32 the
#: reward, episode start, value, log-probability, advantage and return.
BESIDE_BYTES = 8 + 6 * 4
#: An observation of BurgerBot-v0 and -v1: four int64.
OBSERVATION_BYTES = 32


@dataclass(frozen=True)
class BatchReport:
    """What a setting comes to.

    Attributes:
        n_envs, n_steps, batch_size, n_epochs: The setting.
        buffer: Transitions of one rollout.
        minibatches: Minibatches of one pass, a short last one included.
        remainder: Transitions in that short last one; 0 if there is none.
        updates: Gradient steps a rollout.
        memory_bytes: Of SB3's rollout buffer; the network and its gradients are not counted.
        warnings: What is wrong, each with its reason.
        suggestion: The nearest ``(n_steps, batch_size, n_epochs)`` without a warning; None if there
            is nothing to warn of.
    """

    n_envs: int
    n_steps: int
    batch_size: int
    n_epochs: int
    buffer: int
    minibatches: int
    remainder: int
    updates: int
    memory_bytes: int
    warnings: tuple[str, ...]
    suggestion: tuple[int, int, int] | None

    def __str__(self) -> str:
        size, unit = self.memory_bytes / 1024, "KiB"
        if size >= 1024:
            size, unit = size / 1024, "MiB"
        lines = [
            f"buffer        {self.buffer:,} transitions ({self.n_envs} robots x {self.n_steps} "
            "steps)",
            f"minibatches   {self.minibatches:,} a pass, of {self.batch_size:,} transitions",
            f"updates       {self.updates:,} gradient steps a rollout, in {self.n_epochs} passes",
            f"memory        {size:,.1f} {unit} for the rollout buffer",
        ]
        if self.remainder:
            lines[1] += f", the last of {self.remainder:,}"
        lines += [f"warning       {warning}" for warning in self.warnings]
        if self.suggestion:
            n_steps, batch_size, n_epochs = self.suggestion
            lines.append(
                f"nearest good  --n-steps {n_steps} --batch-size {batch_size} --n-epochs {n_epochs}"
            )
        return "\n".join(lines)


def check_batch(
    n_envs: int,
    n_steps: int,
    batch_size: int,
    n_epochs: int = 10,
    *,
    observation_bytes: int = OBSERVATION_BYTES,
) -> BatchReport:
    """Work out what a PPO setting comes to, and look for what is wrong with it.

    Args:
        n_envs: N robots.
        n_steps: Steps of each robot in one rollout.
        batch_size: Transitions of one minibatch.
        n_epochs: Passes over the buffer in each rollout.
        observation_bytes: Bytes of one observation, for the estimate of the memory.

    Raises:
        ValueError: A number that is no whole number of 1 or more; the message names it.

    >>> report = check_batch(n_envs=64, n_steps=2048, batch_size=4096)
    >>> report.buffer, report.minibatches, report.updates, report.warnings
    (131072, 32, 320, ())

    Source: Rudin et al. (2021) for thousands of robots; Schulman et al. (2017), tables 3 to 5, for
    the number of passes: 3 to 15.
    """
    given = {"n_envs": n_envs, "n_steps": n_steps, "batch_size": batch_size, "n_epochs": n_epochs}
    setting = {name: count(name, value) for name, value in given.items()}
    each = count("observation_bytes", observation_bytes) + BESIDE_BYTES
    buffer = setting["n_envs"] * setting["n_steps"]
    minibatches = math.ceil(buffer / setting["batch_size"])
    warnings = tuple(_warnings(buffer=buffer, **setting))
    return BatchReport(
        **setting,
        buffer=buffer,
        minibatches=minibatches,
        remainder=buffer % setting["batch_size"],
        updates=minibatches * setting["n_epochs"],
        memory_bytes=buffer * each,
        warnings=warnings,
        suggestion=_nearest(**setting) if warnings else None,
    )


def _warnings(n_envs: int, n_steps: int, batch_size: int, n_epochs: int, buffer: int) -> list[str]:
    """What is wrong, each as a sentence with its reason."""
    fewest, most, passes = BOUNDS[n_envs >= THOUSANDS]
    kind = "thousands of robots" if n_envs >= THOUSANDS else "a run of this scale"
    found = []
    minibatches, remainder = math.ceil(buffer / batch_size), buffer % batch_size
    if batch_size > buffer:
        found.append(
            f"batch_size {batch_size:,} is more than the buffer holds: each pass is one update "
            f"with all {buffer:,} transitions"
        )
    elif remainder > 1:
        found.append(
            f"the last minibatch is cut short, to {remainder:,} of {batch_size:,} transitions: it "
            "weighs as much as the others, so each of its transitions counts for more"
        )
    if 1 in (batch_size, remainder, buffer):
        found.append(
            "a minibatch of one transition: its advantage has no standard deviation to be divided "
            "by (NaN if the code does not look out for it)"
        )
    if minibatches < fewest:
        found.append(
            f"{minibatches:,} minibatches a pass, fewer than {fewest} for {kind}: the policy takes "
            "few steps for the transitions that were paid for"
        )
    if minibatches > most:
        found.append(
            f"{minibatches:,} minibatches a pass, more than {most} for {kind}: each gradient comes "
            "from few transitions, is noisy, and costs a call of its own"
        )
    if n_epochs > passes:
        found.append(
            f"{n_epochs:,} passes over each rollout, more than {passes} for {kind}: the policy "
            "moves away from the one that collected it, and learns its chances by heart"
        )
    return found


def _nearest(n_envs: int, n_steps: int, batch_size: int, n_epochs: int) -> tuple[int, int, int]:
    """The nearest setting without a warning: other minibatches first, then other steps too.

    Some multiple of the fewest minibatches times two always divides, so the search ends.
    """
    fewest, most, passes = BOUNDS[n_envs >= THOUSANDS]
    for away in range(n_steps + 2 * fewest + 1):
        for steps in (n_steps - away, n_steps + away):
            buffer = n_envs * steps
            sizes = [
                buffer // number
                for number in range(fewest, most + 1)
                if buffer % number == 0 and buffer // number >= 2
            ]
            if steps >= 1 and sizes:
                best = min(sizes, key=lambda size: abs(math.log(size / batch_size)))
                return steps, best, min(n_epochs, passes)
    raise AssertionError("unreachable")
