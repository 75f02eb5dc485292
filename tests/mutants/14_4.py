# %% never waits says="how fast .orders. are given"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        start = clock()
        run()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% does not wait at the end says="wait for the device before you stop|waited"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% does not wait at the start says="wait .before. you start the clock|paid for work"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% waits once before all rounds says="wait .before. you start|wait for the device before you stop"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    wait()
    for _ in range(rounds):
        start = clock()
        run()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% starts the clock before it waits says="wait .before. you start|paid for work"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        start = clock()
        wait()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% reads the clock before it waits says="wait for the device before you stop"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        end = clock()
        wait()
        speeds.append(robot_steps / (end - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% counts the warm-up says="let it count nowhere|with a single round too"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    speeds = []
    for _ in range(rounds + 1):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% does not warm up says="one run to warm up|the first run loads libraries"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% warms up by taking a round less says="one run to warm up|with a single round too|count nowhere"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(max(rounds - 1, 1)):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% takes the mean says="the median of the rounds"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.mean(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% takes the best says="the median of the rounds"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return max(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% takes the last says="the median of the rounds"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return speeds[-1]


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% returns seconds a step says="divide robot steps by seconds"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append((clock() - start) / robot_steps)
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% counts calls says="divide robot steps by seconds"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(1 / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% uses a clock of its own says="divide robot steps by seconds|how fast"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = time.perf_counter()
        run()
        wait()
        speeds.append(robot_steps / (time.perf_counter() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% divides all steps by all seconds says="count nowhere|the median of the rounds"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    wait()
    start = clock()
    for _ in range(rounds):
        run()
        wait()
    return rounds * robot_steps / (clock() - start)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% counts numbers, not bytes says="traffic is bytes, not numbers"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.numel() for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% takes four bytes for every number says="traffic is bytes, not numbers"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(4 * tensor.numel() for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% forgets what is written says="everything read and everything written"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in reads) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% counts a tensor in both lists once says="a tensor in both lists twice"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return (
        sum(tensor.nbytes for tensor in {id(t): t for t in [*reads, *writes]}.values()) / num_envs
    )


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% counts all robots says="shared by the robots"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes])


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% divides by the rows of the first tensor says="shared by the .*robots"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / len([*reads, *writes][0])


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% multiplies says="divided by bytes a step"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth * traffic


# %% turns the limit round says="divided by bytes a step"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth, traffic):
    return traffic / bandwidth


# %% forgets what is read says="everything read and everything written"
def steps_per_second(run, wait, robot_steps, rounds=5, clock=time.perf_counter):
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads, writes, num_envs):
    return sum(tensor.nbytes for tensor in writes) / num_envs


def speed_limit(bandwidth, traffic):
    return bandwidth / traffic


# %% takes the lower of two medians says="mean of the two .speeds. in the middle"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median_low(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% takes the higher of two medians says="mean of the two .speeds. in the middle"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median_high(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% divides by the median of the seconds says="robot steps by the median of the seconds"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(clock() - start)
    return robot_steps / statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% counts the warm-up among the rounds says="no round was measured"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(1, rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% rounds the speed says="nothing is rounded"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return round(statistics.median(speeds))


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% divides into whole speeds says="nothing is rounded"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps // (clock() - start))
    return statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% divides into whole bytes says="nothing is rounded"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) // num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% counts the memory behind the tensors says="not the whole tape"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(t.untyped_storage().nbytes() for t in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% adds the writes to the caller's reads says="the caller's lists were changed"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in (reads.extend(writes) or reads)) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth / traffic


# %% divides into a whole limit says="nothing is rounded"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return bandwidth // traffic


# %% cuts the limit to an int says="nothing is rounded"
def steps_per_second(
    run: Callable, wait: Callable, robot_steps: int, rounds: int = 5, clock=time.perf_counter
) -> float:
    """Return the median speed of some rounds, in robot steps a second."""
    run()
    speeds = []
    for _ in range(rounds):
        wait()
        start = clock()
        run()
        wait()
        speeds.append(robot_steps / (clock() - start))
    return statistics.median(speeds)


def traffic(reads: list[torch.Tensor], writes: list[torch.Tensor], num_envs: int) -> float:
    """Return the bytes that a robot step moves at the least."""
    return sum(tensor.nbytes for tensor in [*reads, *writes]) / num_envs


def speed_limit(bandwidth: float, traffic: float) -> float:
    """Return the robot steps a second that the memory allows."""
    return int(bandwidth / traffic)
