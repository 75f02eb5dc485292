"""When do processes pay? A cost model of three numbers, and a recommendation with its reasons.

One step of all N robots, in microseconds:

    in one process:     N * step_cost
    in N processes:     N * message_cost + rounds * step_cost

where rounds = ceil(N / cores) for steps that keep a core busy, and 1 for steps that only wait.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from burgerbot.scale.checks import cost, count, one_of
from burgerbot.scale.slow import KINDS

#: From this many workers on, one machine is not enough.
MANY_WORKERS = 100
#: To hand a process an action, wake it and read its answer. Measure yours with ``time_backend``.
MESSAGE_COST_US = 60.0


@dataclass(frozen=True)
class Recommendation:
    """Where to run the robots, and why.

    Attributes:
        backend: ``"one process"``, ``"processes"`` or ``"cluster"``.
        reasons: Sentences, the deciding one first.
        speedup: What the model expects of a process for each robot on one machine, over one
            process for all.
    """

    backend: str
    reasons: tuple[str, ...]
    speedup: float


def recommend_backend(
    step_cost_us: float,
    n_envs: int,
    cores: int,
    machines: int = 1,
    *,
    kind: str = "cpu",
    message_cost_us: float = MESSAGE_COST_US,
) -> Recommendation:
    """Choose between one process, processes and a cluster, by the model above.

    Args:
        step_cost_us: What one robot's step costs, in microseconds.
        n_envs: N robots.
        cores: Cores of one machine.
        machines: Machines that are to share the work.
        kind: ``"cpu"`` or ``"sleep"``, as ``SlowEnv`` has them.
        message_cost_us: What one message to a process and back costs, in microseconds.

    Returns:
        Recommendation: Several machines: a cluster. A model that expects no speed-up: one process.
        Else processes, and from 100 on a cluster.

    Raises:
        ValueError: A cost that is negative or not finite, a message for nothing, a count that is
            no whole number of 1 or more, or another kind.

    >>> recommend_backend(step_cost_us=5000, n_envs=8, cores=8).backend
    'processes'
    """
    step, message = cost("step_cost_us", step_cost_us), cost("message_cost_us", message_cost_us)
    n_envs, cores = count("n_envs", n_envs), count("cores", cores)
    one_of("kind", kind, KINDS)
    if not message:
        raise ValueError(f"message_cost_us: expected more than 0, got {message_cost_us!r}")
    rounds = math.ceil(n_envs / cores) if kind == "cpu" else 1
    alone, spread = n_envs * step, n_envs * message + rounds * step
    speedup = alone / spread
    model = (
        f"{n_envs} robots' steps take {alone:,.0f} us in one process and {spread:,.0f} us in "
        f"{n_envs} processes: {speedup:.2g} times as fast"
    )
    if count("machines", machines) > 1:
        why = f"{machines} machines: AsyncVectorEnv stays on one, Ray reaches all (lesson 12)"
        how = "let a worker step many robots, and send whole rollouts instead of single steps"
        return Recommendation("cluster", (why, how, f"on one machine, {model}"), speedup)
    if speedup <= 1.0:
        how = "to be faster, step all robots as arrays in this process (lesson 06)"
        return Recommendation("one process", (f"messages cost too much: {model}", how), speedup)
    if n_envs >= MANY_WORKERS:
        why = f"{n_envs} workers are too many for one machine: Ray takes several (lesson 12)"
        return Recommendation("cluster", (why, model), speedup)
    limit = "waiting needs no core" if kind == "sleep" else f"{cores} cores, {rounds} rounds"
    bound = f"never more than {n_envs / rounds:.3g} times as fast: {limit}"
    return Recommendation("processes", (f"messages are worth it: {model}", bound), speedup)
