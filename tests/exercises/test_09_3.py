"""Exercise 09.3: the batch-size calculator."""

from numbers import Integral

import numpy as np

from burgerbot.course.claims import equal, instance, that

NAMES = ("buffer", "minibatches", "last", "updates")
PASSES = 7


def plan(answer, *setting):
    """The learner's four numbers."""
    where = f"batch_plan{setting}"
    numbers = answer.batch_plan(*setting)
    instance(numbers, (tuple, list), "return four numbers, as a tuple", where=where)
    equal(len(numbers), 4, "return four numbers: buffer, minibatches, last, updates", where=where)
    for name, number in zip(NAMES, numbers, strict=True):
        instance(number, Integral, f"`{name}` is a whole number, not a float", where=where)
    return dict(zip(NAMES, numbers, strict=True))


def slow(buffer, batch_size, passes):
    """Deal the transitions out, one by one, as SB3 does."""
    minibatches = [list(range(start, min(start + batch_size, buffer)))
                   for start in range(0, buffer, batch_size)]  # fmt: skip
    return len(minibatches), len(minibatches[-1]), passes * len(minibatches)


def test_even_batches(answer):
    """64 robots, 2,048 steps, minibatches of 4,096: 131,072 transitions in 32."""
    got = plan(answer, 64, 2048, 4096, 10)
    where = "batch_plan(64, 2048, 4096, 10)"
    equal(got["buffer"], 131_072, "the buffer holds `n_envs * n_steps` transitions", where=where)
    equal(got["minibatches"], 32, "a pass has `buffer / batch_size` minibatches", where=where)
    equal(
        got["last"],
        4096,
        "where all minibatches are full, the last one holds `batch_size`, not 0",
        where=where,
    )
    equal(
        got["updates"], 320, "each of the `n_epochs` passes takes every minibatch once", where=where
    )


def test_random_settings(answer):
    """On random settings, the numbers are those of dealing the transitions out one by one."""
    rng = np.random.default_rng(3)
    settings = [tuple(int(n) for n in rng.integers(1, 40, size=4)) for _ in range(40)]
    for n_envs, n_steps, batch_size, n_epochs in [*settings, (1, 33, 32, 10), (3, 5, 99, 2)]:
        setting = (n_envs, n_steps, batch_size, n_epochs)
        got, where = plan(answer, *setting), f"batch_plan{setting}"
        minibatches, last, updates = slow(n_envs * n_steps, batch_size, n_epochs)
        equal(got["buffer"], n_envs * n_steps, "the buffer holds `n_envs * n_steps`", where=where)
        equal(
            got["minibatches"],
            minibatches,
            "what is left over makes a minibatch too, a short one: round up (a buffer smaller than "
            "`batch_size` makes one)",
            where=where,
        )
        equal(
            got["last"],
            last,
            "the last minibatch holds what the full ones left over; `batch_size` if that is "
            "nothing, and the whole buffer if the buffer is smaller than `batch_size`",
            where=where,
        )
        equal(got["updates"], updates, "updates are `minibatches * n_epochs`", where=where)


def test_good_sizes_by_hand(answer):
    """8 robots, 9 steps, 3 to 9 minibatches: 72 transitions in 3, 4, 6, 8 or 9."""
    where = "good_batch_sizes(8, 9, 3, 9)"
    got = answer.good_batch_sizes(8, 9, 3, 9)
    instance(got, (list, tuple, np.ndarray), "return a list of sizes", where=where)
    that(
        {9, 12, 18} - set(got) or {8, 24} <= set(got),
        "`fewest` and `most` minibatches are good themselves",
        expected=[8, 9, 12, 18, 24],
        yours=list(got),
        where=where,
    )
    equal(
        list(got),
        [8, 9, 12, 18, 24],
        "the sizes that divide the buffer into `fewest` to `most` minibatches, the smallest size "
        "first",
        where=where,
    )


def test_good_sizes_of_random_settings(answer):
    """Every size that divides the buffer and makes a good number of minibatches, and no other."""
    rng = np.random.default_rng(5)
    for _ in range(25):
        n_envs, n_steps = (int(n) for n in rng.integers(1, 60, size=2))
        fewest = int(rng.integers(1, 20))
        most = fewest + int(rng.integers(0, 60))
        buffer = n_envs * n_steps
        wanted = [
            size
            for size in range(2, buffer + 1)
            if buffer % size == 0 and fewest <= buffer // size <= most
        ]
        where = f"good_batch_sizes({n_envs}, {n_steps}, {fewest}, {most}), buffer {buffer}"
        got = list(answer.good_batch_sizes(n_envs, n_steps, fewest, most))
        that(
            1 not in got,
            "a minibatch of one transition has no standard deviation to divide its advantage by",
            expected=wanted,
            yours=got,
            where=where,
        )
        equal(
            got,
            wanted,
            "every size of 2 or more that leaves no remainder and makes `fewest` to `most` "
            "minibatches belongs in the list, sorted, and no other",
            where=where,
        )


def test_default_bounds(answer):
    """Without bounds, 32 to 256 minibatches."""
    equal(
        list(answer.good_batch_sizes(16, 128)),
        [8, 16, 32, 64],
        "left out, `fewest` is 32 and `most` is 256",
        where="good_batch_sizes(16, 128), buffer 2048",
    )
    equal(
        list(answer.good_batch_sizes(1, 16)),
        [],
        "where no size is good, the list is empty",
        where="good_batch_sizes(1, 16), buffer 16",
    )
