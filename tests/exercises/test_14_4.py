"""Exercise 14.4: honest speeds, and what the memory allows."""

import statistics

import torch

from burgerbot.course.claims import ClaimFailed, close, equal, that


class Device:
    """A device with a queue, and a clock that only this device and its host move.

    An order takes the host 0.01 s; the work is done when somebody waits.
    """

    def __init__(self, works, left=0.0):
        self.works, self.left = list(works), left  # seconds of each run; of what was ordered before
        self.now, self.runs, self.waits = 0.0, 0, 0

    def run(self):
        self.now += 0.01
        work = self.works[min(self.runs, len(self.works) - 1)]
        self.left += work
        self.runs += 1

    def wait(self):
        self.now += self.left
        self.left = 0.0
        self.waits += 1

    def clock(self):
        return self.now


def measured(answer, device, robot_steps, rounds):
    """What the learner's function says of a device."""
    try:
        return answer.steps_per_second(device.run, device.wait, robot_steps, rounds, device.clock)
    except (statistics.StatisticsError, IndexError) as error:
        raise ClaimFailed(
            "no round was measured: the warm-up is another run, and `rounds` rounds come after it "
            f"({error})",
            where=f"rounds={rounds}",
        ) from None


def test_the_clock_waits_at_the_end(answer):
    """Speed is that of the work, not of the orders."""
    device = Device([0.29])
    got = measured(answer, device, 1000, 3)
    that(
        device.waits > 0,
        "the clock never waited for the device: that is how fast *orders* are given",
        expected="about 3,333 robot steps a second",
        yours=got,
        where="orders take 0.01 s, the work of 1,000 robot steps 0.29 s",
    )
    close(
        got,
        1000 / 0.3,
        "1,000 robot steps in 0.01 s of orders and 0.29 s of work: wait for the device before you "
        "stop the clock, and divide robot steps by seconds; nothing is rounded",
        where="3 rounds, all alike",
    )


def test_earlier_orders_are_not_yours_to_pay(answer):
    """What was in the queue before a round is worked off before its clock starts."""
    got = measured(answer, Device([0.99], left=30.0), 500, 1)
    close(
        got,
        500.0,
        "the round paid for work that was ordered before it, or for the warm-up: wait *before* you "
        "start the clock too",
        where="30 s of older work in the queue, then 0.99 s a run",
    )
    got = measured(answer, Device([0.99], left=30.0), 500, 3)
    close(got, 500.0, "wait on both sides of every round", where="the same, 3 rounds")


def test_the_warm_up_counts_nowhere(answer):
    """The first run takes long and is not measured; then come as many rounds as asked for."""
    device = Device([99.99, 0.19])
    close(
        measured(answer, device, 100, 3),
        500.0,
        "the first run loads libraries and takes memory: call it before the rounds, and let it "
        "count nowhere",
        where="a first run of 99.99 s, later ones of 0.19 s",
    )
    equal(device.runs, 4, "one run to warm up, and one in each of 3 rounds", where="3 rounds")
    device = Device([50.0, 0.24])
    close(
        measured(answer, device, 100, 1),
        400.0,
        "with a single round too, the warm-up is another run",
        where="1 round",
    )


def test_the_median_counts(answer):
    """One slow round, or one lucky one, says nothing about the machine."""
    for works, wanted, what in (
        ([1.0, 0.19, 0.19, 9.99], 500.0, "one of three rounds was disturbed"),
        ([1.0, 0.49, 0.01, 0.49], 200.0, "one of three rounds was lucky"),
        ([1.0, 0.09, 0.39, 0.19, 0.79, 0.99], 250.0, "five rounds, all different"),
    ):
        close(
            measured(answer, Device(works), 100, len(works) - 1),
            wanted,
            "the median of the rounds is wanted: not the mean, the best, the last or the total",
            where=what,
        )
    close(
        measured(answer, Device([1.0, 0.39, 0.09, 0.49, 0.19]), 100, 4),
        375.0,
        "of an even number of rounds the median is the mean of the two *speeds* in the middle: "
        "neither one of the two, nor robot steps by the median of the seconds",
        where="four rounds, of 0.4, 0.1, 0.5 and 0.2 s",
    )


def test_traffic_counts_bytes(answer):
    """Each tensor counts with its dtype, once for each list that it stands in."""
    state = torch.zeros(8, dtype=torch.int32)
    actions = torch.zeros(8, dtype=torch.int64)
    reward, flag = torch.zeros(8), torch.zeros(8, dtype=torch.bool)
    seen = torch.zeros(8, 28)
    for reads, writes, wanted, what in (
        ([actions], [flag], 9.0, "int64 read, bool written"),
        ([state, actions], [reward], 16.0, "int32 and int64 read, float32 written"),
        ([], [seen, flag], 113.0, "observations of 28 numbers, and a flag"),
        ([state], [state], 8.0, "a state updated in place: it is read and written"),
        ([state, state], [], 8.0, "a tensor that is read twice"),
    ):
        lists = list(reads), list(writes)
        got = answer.traffic(*lists, 8)
        that(
            (len(lists[0]), len(lists[1])) == (len(reads), len(writes)),
            "the caller's lists were changed: make a new one of the two, `[*reads, *writes]`",
            where=f"8 robots, {what}",
        )
        close(
            got,
            wanted,
            "traffic is bytes, not numbers: `nbytes` of everything read and everything written, a "
            "tensor in both lists twice, shared by the robots",
            where=f"8 robots, {what}",
        )
    close(
        answer.traffic([torch.zeros(6)], [torch.zeros(9)], 3),
        20.0,
        "the bytes of all tensors are shared by the `num_envs` robots",
        where="60 bytes, 3 robots",
    )
    close(
        answer.traffic([torch.zeros(5, dtype=torch.bool)], [], 2),
        2.5,
        "bytes for each robot on average: nothing is rounded",
        where="5 bytes, 2 robots",
    )
    close(
        answer.traffic([torch.zeros(64, 3)[7]], [], 3),
        4.0,
        "a row of a tape is read, and not the whole tape: `nbytes` of the tensor, not of the "
        "memory that it lies in",
        where="one row of a tape of 64 rows, 3 robots",
    )


def test_the_limit(answer):
    """The memory moves so many bytes a second; a step needs so many."""
    for bandwidth, need, wanted in ((4.8e12, 120.0, 4e10), (2e10, 80.0, 2.5e8), (10.0, 4.0, 2.5)):
        close(
            answer.speed_limit(bandwidth, need),
            wanted,
            "bytes a second, divided by bytes a step, are steps a second; nothing is rounded",
            where=f"{bandwidth:g} bytes a second, {need:g} bytes a step",
        )
