"""Exercise 04.1: episodes, counted from the flags."""

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from burgerbot.course.claims import equal, that
from burgerbot.show.record import record_autoreset
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.vector import BurgerBotVectorEnv

KITCHENS = (">..G\n.O..", "...G\n>O..", "v.O.\n...G")  # 2x4; crashes and deliveries are near
LIMIT = 4


def bools(*rows):
    """Flags [T, N] from rows of 0 and 1: one text a step, one character a robot."""
    return np.array([[mark == "1" for mark in row] for row in rows])


def counted(answer, terminated, truncated, where):
    """The learner's two numbers."""
    got = answer.count_episodes(terminated.copy(), truncated.copy())
    pair = isinstance(got, (tuple, list, np.ndarray)) and len(got) == 2
    that(
        pair and all(np.ndim(number) == 0 for number in got),
        "return two whole numbers: how many episodes were terminated, and how many were truncated "
        "only, over all robots and steps",
        expected="(terminated, truncated only)",
        yours=repr(got),
        where=where,
    )
    return tuple(got)


def test_running_episodes_are_not_counted(answer):
    """What still runs after the last row is not counted, and an end in the last row is."""
    nothing = np.zeros((4, 3), dtype=bool)
    equal(
        counted(answer, nothing, nothing, "4 steps, 3 robots, no flag"),
        (0, 0),
        "no flag was True, so no episode has ended: those that still run belong to the rollout in "
        "which they end",
        where="4 steps, 3 robots, no flag",
    )
    got = counted(answer, bools("010", "000", "001"), nothing[:3], "3 steps, 3 robots")
    that(
        got[0] != 2 or got[1] == 0,
        "an episode that was terminated is not one of those that were truncated only: no flag of "
        "`truncated` is True here",
        expected="(2, 0)",
        yours=str(got),
        where="terminated: robot 1 in step 0, robot 2 in step 2; truncated: nobody",
    )
    equal(
        sum(got),
        2,
        "count ends, not starts: an end in the last row counts, a robot that is still running "
        "does not",
        where="terminated: robot 1 in step 0, robot 2 in step 2, the last one",
    )


def test_one_end_of_each_kind(answer):
    """One episode terminates, two are truncated: the count is (1, 2)."""
    equal(
        counted(answer, bools("00", "01", "00"), bools("10", "00", "01"), "3 steps, 2 robots"),
        (1, 2),
        "the first number counts the True in `terminated`, the second those of `truncated`: one "
        "robot may end in any step, whatever the other robots do",
        where="terminated: robot 1 in step 1; truncated: robot 0 in step 0, robot 1 in step 2",
    )


def test_both_flags_are_one_episode(answer):
    """A crash or a delivery at the time limit sets both flags: one episode, and terminated."""
    got = counted(answer, bools("000", "101"), bools("000", "110"), "2 steps, 3 robots")
    where = "step 1: robot 0 has both flags, robot 1 is truncated, robot 2 is terminated"
    that(
        got != (1, 1),
        "an episode with both flags was left out: it did end",
        expected="(2, 1)",
        yours=str(got),
        where=where,
    )
    equal(
        sum(got),
        3,
        "both flags at once are one episode, not two: these are three episodes",
        where=where,
    )
    equal(
        got,
        (2, 1),
        "where both flags are True, termination wins: the episode counts as terminated",
        where=where,
    )


def test_episodes_of_one_step(answer):
    """In SAME_STEP and DISABLED a robot may end in every single row: each is an episode."""
    equal(
        counted(answer, bools("10", "10", "10"), bools("00", "00", "01"), "3 steps, 2 robots"),
        (3, 1),
        "three ends in three rows are three episodes of one step each: every True counts, also "
        "next to another True",
        where="robot 0 is terminated in steps 0, 1 and 2; robot 1 is truncated in step 2",
    )


def test_flags_stay_as_they_are(answer):
    """The flags are the caller's: they are read, not changed."""
    terminated, truncated = bools("01", "10"), bools("11", "00")
    answer.count_episodes(terminated, truncated)
    for name, flags, before in (
        ("terminated", terminated, bools("01", "10")),
        ("truncated", truncated, bools("11", "00")),
    ):
        equal(flags, before, f"your function changed `{name}`, which belongs to the caller")


def test_counts_of_real_rollouts(answer):
    """In every mode, on both vector envs, the counts are those of a slow loop over the robots."""
    rng = np.random.default_rng(41)
    for mode in AutoresetMode:
        for n in (1, 2, 7):
            kitchens = [KITCHENS[i % 3] for i in range(n)]
            sync = SyncVectorEnv(
                [lambda k=k: TimeLimit(BurgerBotEnv(k), LIMIT) for k in kitchens],
                autoreset_mode=mode,
            )
            native = BurgerBotVectorEnv(n, kitchens, max_episode_steps=LIMIT, autoreset_mode=mode)
            for name, envs in (("BurgerBotVectorEnv", native), ("SyncVectorEnv", sync)):
                tape = rng.choice(4, size=(37, n), p=[0.6, 0.15, 0.15, 0.1])
                record = record_autoreset(envs, tape, seed=0)
                terminated, truncated = record["terminated"], record["truncated"]
                where = f"{mode.name}, {name}, 37 random steps, N = {n}"
                ended = limited = 0
                for t, i in np.ndindex(terminated.shape):
                    ended += bool(terminated[t, i])
                    limited += bool(truncated[t, i]) and not terminated[t, i]
                equal(
                    counted(answer, terminated, truncated, where),
                    (ended, limited),
                    "each True in `terminated` is one episode, and so is each True in `truncated` "
                    "where `terminated` is False",
                    where=where,
                )
