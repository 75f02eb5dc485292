"""Exercise 04.2: which rows are transitions."""

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from burgerbot.course.claims import array_like, equal, that
from burgerbot.show.record import record_autoreset
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
KITCHENS = (">..G\n.O..", "...G\n>O..", "v.O.\n...G")  # 2x4; crashes and deliveries are near
LIMIT = 4
REST_ROW = (
    "in NEXT_STEP the row after a done is the reset row, and no transition: its action was ignored"
)
END_ROW = (
    "the row in which an episode ends is a real step with a real reward: the reset row is the one "
    "after it"
)
FIRST_ROW = (
    "row 0 follows on the rollout before: where `last_done` is True it is the reset row, and "
    "elsewhere it is a transition, whatever the last row of this rollout holds"
)
ALL_ROWS = "in SAME_STEP and DISABLED no row is lost to a reset: every row is a transition"


class Counting(BurgerBotEnv):
    """A robot that counts how often it was really stepped."""

    calls = 0

    def step(self, action):
        self.calls += 1
        return super().step(action)


def bools(*rows):
    """Flags [T, N] from rows of 0 and 1: one text a step, one character a robot."""
    return np.array([[mark == "1" for mark in row] for row in rows])


def masked(answer, terminated, truncated, last_done, mode, where):
    """The learner's mask, of the right kind."""
    got = answer.valid_transitions(terminated.copy(), truncated.copy(), last_done.copy(), mode)
    array_like(got, terminated.shape, bool, where=where)
    return got


def compare(got, terminated, truncated, last_done, mode, where):
    """Claim that a mask is right, and say which row was misread."""
    done = terminated | truncated
    resets = np.concatenate([last_done[None], done[:-1]])
    that(
        mode is not NEXT_STEP or not np.array_equal(got, resets) or np.array_equal(got, ~resets),
        "the mask is upside down: True marks a transition, False a reset row",
        expected=(~resets).astype(int).tolist(),
        yours=got.astype(int).tolist(),
        where=where,
    )
    for t, n in np.ndindex(done.shape):
        before = done[t - 1, n] if t else last_done[n]
        expected = mode is not NEXT_STEP or not before
        if mode is not NEXT_STEP:
            message = ALL_ROWS
        elif t == 0:
            message = FIRST_ROW
        else:
            message = END_ROW if done[t, n] else REST_ROW
            if not before and not done[t, n]:
                message = (
                    "only the robot that is done gets a reset row; here the robot was running, "
                    "and its row is a transition"
                )
        equal(got[t, n], expected, message, where=f"{where}, robot {n}, step {t}")


def test_row_after_a_done(answer):
    """NEXT_STEP: the row after a done is no transition; the done row itself is one."""
    terminated, truncated = bools("000", "100", "000", "001", "000"), np.zeros((5, 3), dtype=bool)
    last = np.zeros(3, dtype=bool)
    where = "NEXT_STEP, 5 steps of 3 robots, a first rollout"
    got = masked(answer, terminated, truncated, last, NEXT_STEP, where)
    compare(got, terminated, truncated, last, NEXT_STEP, where)


def test_both_flags_count_as_done(answer):
    """A truncated episode is followed by a reset row too, and both flags make one such row."""
    terminated, truncated = bools("00", "10", "00", "00"), bools("01", "10", "00", "00")
    last = np.zeros(2, dtype=bool)
    where = "NEXT_STEP, robot 0 has both flags in step 1, robot 1 is truncated in step 0"
    got = masked(answer, terminated, truncated, last, NEXT_STEP, where)
    compare(got, terminated, truncated, last, NEXT_STEP, where)


def test_row_zero_follows_the_rollout_before(answer):
    """NEXT_STEP: where `last_done` is True, row 0 is the reset row of the rollout before."""
    terminated, truncated = bools("0010", "0100", "0001"), bools("0000", "0000", "0001")
    last = np.array([True, False, False, True])
    where = "NEXT_STEP, last_done = [True, False, False, True]"
    got = masked(answer, terminated, truncated, last, NEXT_STEP, where)
    compare(got, terminated, truncated, last, NEXT_STEP, where)


def test_last_row_does_not_reach_row_zero(answer):
    """An end in the last row concerns the next rollout, not row 0 of this one."""
    terminated, truncated = bools("000", "000", "101"), bools("000", "000", "010")
    last = np.zeros(3, dtype=bool)
    where = "NEXT_STEP, a first rollout of 3 steps; all robots end in the last one"
    got = masked(answer, terminated, truncated, last, NEXT_STEP, where)
    compare(got, terminated, truncated, last, NEXT_STEP, where)


def test_rollout_of_one_step(answer):
    """A rollout may be one step long: then `last_done` alone decides."""
    last = np.array([False, True, False, True, True])
    terminated, truncated = bools("10000"), bools("00100")
    where = "NEXT_STEP, a rollout of 1 step"
    got = masked(answer, terminated, truncated, last, NEXT_STEP, where)
    compare(got, terminated, truncated, last, NEXT_STEP, where)


def test_other_modes_lose_no_row(answer):
    """SAME_STEP and DISABLED: every row is a transition, also after a done."""
    terminated, truncated = bools("100", "110", "000", "001"), bools("001", "100", "000", "000")
    last = np.array([True, False, True])
    for mode in (SAME_STEP, DISABLED):
        where = f"{mode.name}, last_done = [True, False, True]"
        got = masked(answer, terminated, truncated, last, mode, where)
        compare(got, terminated, truncated, last, mode, where)


def test_arguments_stay_as_they_are(answer):
    """The flags and `last_done` are the caller's: they are read, not changed."""
    arguments = {
        "terminated": bools("010", "100", "000"),
        "truncated": bools("000", "101", "010"),
        "last_done": np.array([True, False, False]),
    }
    for mode in AutoresetMode:
        given = {name: array.copy() for name, array in arguments.items()}
        answer.valid_transitions(*given.values(), mode)
        for name, array in given.items():
            equal(
                array,
                arguments[name],
                f"your function changed `{name}`, which belongs to the caller: the learner still "
                "needs it",
                where=mode.name,
            )


def test_real_rollouts_cut_in_pieces(answer):
    """On both vector envs, cut anywhere, the mask marks the rows in which a robot was stepped."""
    rng = np.random.default_rng(42)
    for mode in AutoresetMode:
        for n in (1, 2, 5):
            kitchens = [KITCHENS[i % 3] for i in range(n)]
            sync = SyncVectorEnv(
                [lambda k=k: TimeLimit(Counting(k), LIMIT) for k in kitchens], autoreset_mode=mode
            )
            native = BurgerBotVectorEnv(n, kitchens, max_episode_steps=LIMIT, autoreset_mode=mode)
            for name, envs in (("BurgerBotVectorEnv", native), ("SyncVectorEnv", sync)):
                tape = rng.choice(4, size=(40, n), p=[0.6, 0.15, 0.15, 0.1])
                record = record_autoreset(envs, tape, seed=0)
                terminated, truncated = record["terminated"], record["truncated"]
                last, start, steps = np.zeros(n, dtype=bool), 0, np.zeros(n, dtype=int)
                for length in (1, 5, 2, 11, 1, 1, 19):
                    flags = [f[start : start + length] for f in (terminated, truncated)]
                    where = (
                        f"{mode.name}, {name}, N = {n}, a rollout of {length} steps that "
                        f"begins after {start} others"
                    )
                    got = masked(answer, *flags, last, mode, where)
                    compare(got, *flags, last, mode, where)
                    steps += got.sum(axis=0)
                    last, start = (flags[0] | flags[1])[-1], start + length
                if name == "SyncVectorEnv":
                    calls = [env.unwrapped.calls for env in envs.envs]
                    that(
                        np.array_equal(steps, calls),
                        "as many rows must be valid as the robot was really stepped",
                        expected=str(calls),
                        yours=str(steps.tolist()),
                        where=f"{mode.name}, {name}, N = {n}, 40 steps",
                    )
