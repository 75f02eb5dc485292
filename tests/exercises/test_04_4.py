"""Exercise 04.4: returns and lengths of the episodes that ended."""

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from burgerbot.course.claims import close, equal, that
from burgerbot.show.record import record_autoreset
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
KITCHENS = (">..G\n.O..", "...G\n>O..", "v.O.\n...G")  # 2x4; crashes and deliveries are near
LIMIT = 4


def bools(*rows):
    """Flags [T, N] from rows of 0 and 1: one text a step, one character a robot."""
    return np.array([[mark == "1" for mark in row] for row in rows])


def measured(answer, rewards, terminated, truncated, valid, where):
    """The learner's returns and lengths, as two plain arrays."""
    arguments = [array.copy() for array in (rewards, terminated, truncated, valid)]
    got = answer.episode_stats(*arguments)
    that(
        isinstance(got, (tuple, list)) and len(got) == 2,
        "return two things: the returns and the lengths",
        expected="(returns, lengths)",
        yours=type(got).__name__,
        where=where,
    )
    for name, given in zip(("returns", "lengths"), got, strict=True):
        flat = isinstance(given, (list, tuple, np.ndarray)) and all(np.ndim(x) == 0 for x in given)
        that(
            flat,
            f"the {name} are one flat list or array: one number for each episode that ended",
            expected="a list or an array of one dimension",
            yours=repr(given),
            where=where,
        )
    returns, lengths = (np.array([float(x) for x in given]) for given in got)
    equal(
        len(returns), len(lengths), "each ended episode has one return and one length", where=where
    )
    return returns, lengths


def test_one_robot_by_hand(answer):
    """Two episodes of one robot: rewards 1, 2, 3 and then 4, 5."""
    rewards = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    terminated, truncated = bools("0", "0", "1", "0", "0"), bools("0", "0", "0", "0", "1")
    where = "1 robot, rewards 1 2 3 4 5, terminated in step 2, truncated in step 4"
    returns, lengths = measured(answer, rewards, terminated, truncated, terminated | True, where)
    equal(
        len(returns),
        2,
        "an episode ends where it is terminated and where it is truncated, and only what has ended "
        "is reported",
        where=where,
    )
    equal(
        lengths,
        [3, 2],
        "the row in which an episode ends is its last step, and the next episode counts from 0",
        where=where,
    )
    close(
        returns,
        [6.0, 9.0],
        "a return is the sum of the episode's own rewards, the last one included; the next episode "
        "begins again at 0",
        where=where,
    )


def test_running_episodes_are_not_reported(answer):
    """An episode that still runs after the last row does not appear; without ends, nothing does."""
    nothing = np.zeros((4, 3), dtype=bool)
    where = "3 robots, 4 steps, no flag"
    returns, _ = measured(answer, np.ones((4, 3)), nothing, nothing, ~nothing, where)
    message = (
        "no episode has ended here: one that is cut by the end of the rollout is neither as long "
        "nor as good as it will be"
    )
    equal(len(returns), 0, message, where=where)


def test_robots_are_kept_apart(answer):
    """When one robot ends, the sums of the others go on."""
    rewards = np.array([[1.0, 10.0, 0.25], [2.0, 20.0, 0.25], [4.0, 40.0, 0.25], [8.0, 80.0, 0.25]])
    terminated = bools("000", "100", "000", "100")
    truncated = bools("000", "000", "001", "010")
    where = "3 robots, 4 steps: robot 0 ends in steps 1 and 3, robot 1 in step 3, robot 2 in step 2"
    returns, lengths = measured(answer, rewards, terminated, truncated, terminated | True, where)
    equal(
        sorted(lengths),
        [2, 2, 3, 4],
        "each robot has a count of its own, and only the robot that ends begins again at 0",
        where=where,
    )
    close(
        np.sort(returns),
        [0.75, 3.0, 12.0, 150.0],
        "each robot has a sum of its own, with fractions, and only the robot that ends begins "
        "again at 0",
        where=where,
    )
    close(
        returns,
        [3.0, 0.75, 12.0, 150.0],
        "the order is wrong: list episodes as they end, by step, and within a step by robot",
        where=where,
    )
    equal(
        lengths,
        [2, 3, 2, 4],
        "returns and lengths must come in the same order: as the episodes end",
        where=where,
    )


def test_both_flags_are_one_episode(answer):
    """An episode with both flags appears once."""
    rewards = np.array([[1.0], [50.0], [1.0]])
    where = "1 robot, both flags in step 1"
    returns, lengths = measured(
        answer, rewards, bools("0", "1", "0"), bools("0", "1", "0"), bools("1", "1", "1"), where
    )
    equal(len(returns), 1, "both flags at once are one episode, reported once", where=where)
    close(returns, [51.0], "the sum of both rewards is its return", where=where)
    equal(lengths, [2], "it took two steps", where=where)


def test_reset_rows_do_not_count(answer):
    """A row that is not valid adds no step, and its reward belongs to nobody."""
    rewards = np.array([[1.0], [1.0], [1.0], [-7.0], [1.0], [1.0], [1.0], [-7.0]])
    terminated, truncated = bools(*"00100010"), bools(*"00000000")
    valid = bools(*"11101110")
    where = "3-step episodes of 1 robot, rows 3 and 7 are reset rows (not valid), with reward -7"
    returns, lengths = measured(answer, rewards, terminated, truncated, valid, where)
    equal(
        lengths,
        [3, 3],
        "every one of these episodes has 3 steps: a reset row is no step of the next episode",
        where=where,
    )
    close(
        returns,
        [3.0, 3.0],
        "the reward of a reset row belongs to no episode: it is 0 in Gymnasium, but a wrapper may "
        "have changed it",
        where=where,
    )


def test_row_zero_may_be_a_reset_row(answer):
    """The rollout before may have ended with a done: then row 0 is a reset row."""
    rewards = np.array([[9.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    terminated, truncated = bools("00", "00", "11"), bools("00", "00", "00")
    where = "2 robots, 3 steps; row 0 of robot 0 is a reset row (not valid), with reward 9"
    returns, lengths = measured(
        answer, rewards, terminated, truncated, bools("01", "11", "11"), where
    )
    equal(lengths, [2, 3], "row 0 is not valid for robot 0: it is no step of it", where=where)
    close(
        returns, [2.0, 3.0], "row 0 is not valid for robot 0: its reward is nobody's", where=where
    )


def test_arguments_stay_as_they_are(answer):
    """Rewards, flags and mask are the caller's: they are read, not changed."""
    arguments = {
        "rewards": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        "terminated": bools("10", "00", "01"),
        "truncated": bools("00", "01", "01"),
        "valid": bools("11", "01", "10"),
    }
    given = {name: array.copy() for name, array in arguments.items()}
    answer.episode_stats(*given.values())
    for name, array in given.items():
        equal(
            array, arguments[name], f"your function changed `{name}`, which belongs to the caller"
        )


def by_hand(kitchens, tape, mode):
    """Scalar envs, one after the other: each ended episode's end, robot, return and length."""
    episodes = []
    for i, kitchen in enumerate(kitchens):
        env = TimeLimit(BurgerBotEnv(kitchen), LIMIT)
        env.reset()
        total, steps, over = 0.0, 0, False
        for t, action in enumerate(tape[:, i]):
            if over:
                env.reset()
                total, steps, over = 0.0, 0, False
                if mode is NEXT_STEP:
                    continue
            _, reward, terminated, truncated, _ = env.step(int(action))
            total, steps, over = total + reward, steps + 1, terminated or truncated
            if over:
                episodes.append((t, i, total, steps))
    return [np.array(column) for column in zip(*sorted(episodes), strict=True)][2:]


def test_real_rollouts(answer):
    """In every mode, on both vector envs, the numbers are those of single robots in a loop."""
    rng = np.random.default_rng(44)
    for mode in AutoresetMode:
        for n in (1, 2, 5):
            kitchens = [KITCHENS[i % 3] for i in range(n)]
            sync = SyncVectorEnv(
                [lambda k=k: TimeLimit(BurgerBotEnv(k), LIMIT) for k in kitchens],
                autoreset_mode=mode,
            )
            native = BurgerBotVectorEnv(n, kitchens, max_episode_steps=LIMIT, autoreset_mode=mode)
            tape = rng.choice(4, size=(40, n), p=[0.6, 0.15, 0.15, 0.1])
            expected = by_hand(kitchens, tape, mode)
            for name, envs in (("BurgerBotVectorEnv", native), ("SyncVectorEnv", sync)):
                record = record_autoreset(envs, tape, seed=0)
                flags = record["terminated"], record["truncated"]
                where = f"{mode.name}, {name}, 40 random steps, N = {n}"
                got = measured(answer, record["rewards"], *flags, ~record["reset"], where)
                equal(
                    len(got[0]),
                    len(expected[0]),
                    "one entry for each episode that ended",
                    where=where,
                )
                equal(got[1], expected[1], "the lengths are those of the steps taken", where=where)
                close(got[0], expected[0], "a return is the sum of its steps' rewards", where=where)


def test_three_steps_are_three_in_every_mode(answer):
    """A 3-step episode has length 3 and return 52, the first and all that follow, in every mode."""
    for mode in AutoresetMode:
        envs = BurgerBotVectorEnv(2, ">..G", autoreset_mode=mode)
        record = record_autoreset(envs, np.zeros((16, 2), dtype=int), seed=0)
        flags = record["terminated"], record["truncated"]
        where = f"{mode.name}, 16 steps of 2 robots in `>..G`, always forward"
        returns, lengths = measured(answer, record["rewards"], *flags, ~record["reset"], where)
        count = 8 if mode is NEXT_STEP else 10
        equal(lengths, [3] * count, "every delivery takes 3 steps, in every mode", where=where)
        close(returns, [52.0] * count, "every delivery pays 1 + 1 + 50", where=where)
