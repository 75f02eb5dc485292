"""Exercise 03.4: count outcomes and visits of N robots."""

import copy
import sys

import gymnasium as gym
import numpy as np

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.course.claims import ClaimFailed, array_like, equal, that
from burgerbot.world.kitchen import CLASSIC, Kitchen

WIDE = Kitchen.from_ascii(">....\n..O..\n....G")  # 3 rows, 5 columns


def info(outcomes, reported):
    """One step's info, as a vector environment of v1 gives it."""
    outcomes, reported = np.array(outcomes), np.array(reported, dtype=bool)
    return {
        "outcome": outcomes,
        "_outcome": reported,
        "delivered": (outcomes == 3) & reported,
        "_delivered": reported.copy(),
    }


def slow_counts(infos, num_envs):
    """Step by step, robot by robot."""
    counts = np.zeros((num_envs, 4), dtype=np.int64)
    for step in infos:
        for robot in range(num_envs):
            if "outcome" in step and step["_outcome"][robot]:
                counts[robot, step["outcome"][robot]] += 1
    return counts


def counted(answer, infos, num_envs, where):
    """The learner's counts, shape and dtype looked at; the infos must stay as they were."""
    given = copy.deepcopy(infos)
    try:
        counts = answer.count_outcomes(given, num_envs)
    except KeyError as error:
        raise ClaimFailed(
            "a step in which no robot has reported has no such name in its dictionary: look "
            "before you read",
            yours=f"KeyError: {error}",
            where=where,
        ) from None
    array_like(counts, (num_envs, 4), np.int64, where=f"count_outcomes, {where}")
    same = all(
        step.keys() == kept.keys() and all(np.array_equal(step[k], kept[k]) for k in kept)
        for step, kept in zip(given, infos, strict=True)
    )
    equal(same, True, "the infos were changed: they belong to the caller", where=where)
    return counts


def test_a_real_zero_counts(answer):
    """An idle step that was reported counts, also for robots that do nothing else."""
    infos = [info([0, 0], [1, 1])] * 3
    counts = counted(answer, infos, 2, "2 robots stand for 3 steps")
    that(
        counts.tolist() != [[1, 0, 0, 0]] * 2,
        "one step was counted, and there are three: every dictionary of the list is a step",
        expected=[[3, 0, 0, 0]] * 2,
        yours=counts,
        where="outcome [0 0], _outcome [True True], three times",
    )
    equal(
        counts,
        [[3, 0, 0, 0], [3, 0, 0, 0]],
        "every report adds one in its robot's row: where the mask is True, outcome 0 is a real "
        "outcome, idle",
        where="outcome [0 0], _outcome [True True], three times",
    )


def test_counts_by_hand(answer):
    """Row n, column o: how often robot n had outcome o."""
    infos = [info([1, 0, 3], [1, 1, 1]), info([1, 0, 2], [1, 1, 1]), info([3, 1, 2], [1, 1, 1])]
    equal(
        counted(answer, infos, 3, "3 robots, 3 steps, all report"),
        [[0, 2, 0, 1], [2, 1, 0, 0], [0, 0, 2, 1]],
        "one row a robot, one column an outcome; every step adds one in each reporting robot's row",
        where="robot 0: 1 1 3, robot 1: 0 0 1, robot 2: 3 2 2",
    )


def test_a_missing_value_is_not_a_real_zero(answer):
    """Where the mask is False there is no report, whatever number stands there."""
    equal(
        counted(answer, [info([0, 0, 0], [0, 1, 0])], 3, "only robot 1 of 3 reports"),
        [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]],
        "a 0 under a False mask was counted as idle: it only fills the place of a report that "
        "is missing",
        where="outcome [0 0 0], _outcome [False True False]",
    )
    equal(
        counted(answer, [info([3, 2, 1], [0, 1, 0])], 3, "only robot 1 of 3 reports"),
        [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]],
        "a value under a False mask was counted: it means nothing, whatever it is",
        where="outcome [3 2 1], _outcome [False True False]",
    )


def test_steps_without_any_report(answer):
    """A dictionary without the name counts nothing, first, last or alone."""
    step = info([1, 3], [1, 1])
    for infos, expected in (
        ([{}, step], [[0, 1, 0, 0], [0, 0, 0, 1]]),
        ([step, {}, step], [[0, 2, 0, 0], [0, 0, 0, 2]]),
        ([{}, {}], [[0] * 4] * 2),
        ([], [[0] * 4] * 2),
    ):
        equal(
            counted(answer, infos, 2, f"{infos.count({})} of {len(infos)} infos are empty"),
            expected,
            "a step without the name `outcome` has no report: it adds nothing, and the others "
            "count as always",
            where=f"{infos.count({})} of {len(infos)} infos are empty",
        )


def test_counts_of_random_infos(answer):
    """Many random steps of 1, 7 and 33 robots agree with a slow loop."""
    rng = np.random.default_rng(3)
    for num_envs, steps in ((1, 20), (7, 40), (33, 5)):
        infos = [
            info(rng.choice(4, num_envs, p=[0.4, 0.3, 0.1, 0.2]), rng.random(num_envs) < 0.7)
            for _ in range(steps)
        ]
        where = f"{num_envs} robots, {steps} steps"
        equal(
            counted(answer, infos, num_envs, where),
            slow_counts(infos, num_envs),
            "the counts of each robot and outcome must add up over all steps",
            where=where,
        )


def test_counts_of_real_robots(answer):
    """On BurgerBot-v1, with episodes that end, N robots count like N robots one by one."""
    tapes = np.array([[0] * 12, [1, 2] * 6, [3] * 12, [0, 0, 1] * 4, [2, 0, 0] * 4])  # [N, T]
    alone = np.zeros((5, 4), dtype=np.int64)
    for robot, tape in enumerate(tapes):
        env = gym.make("BurgerBot-v1", kitchen=WIDE)
        env.reset()
        over = False
        for action in tape:
            if over:  # in this step the vector environment only resets the robot
                env.reset()
                over = False
            else:
                _, _, terminated, truncated, seen = env.step(action)
                alone[robot, seen["outcome"]] += 1
                over = terminated or truncated
    envs = gym.make_vec("BurgerBot-v1", 5, vectorization_mode="sync", kitchen=WIDE)
    envs.reset(seed=1)
    infos = [envs.step(actions)[4] for actions in tapes.T]
    equal(
        counted(answer, infos, 5, "BurgerBot-v1 in a 3x5 kitchen, 5 robots, 12 steps"),
        alone,
        "after an episode's end there is a step in which the robot is only reset: it reports "
        "nothing then",
        where="BurgerBot-v1 in a 3x5 kitchen, 5 robots, 12 steps",
    )


def visited(answer, kitchen, observations, where):
    """The learner's visits, shape and dtype looked at; the observations must stay."""
    given = observations.copy()
    visits = answer.count_visits(kitchen, given)
    array_like(visits, (kitchen.rows, kitchen.cols), np.int64, where=f"count_visits, {where}")
    equal(given, observations, "the observations were changed", where=where)
    return visits


def test_where_one_robot_was(answer):
    """Row first, column second; the heading and the sensor are no places."""
    expected = np.zeros((3, 5), dtype=int)
    expected[2, 1] = 1
    where = "one robot, one step, observation [2, 1, 0, 2], a kitchen of 3 rows and 5 columns"
    try:
        visits = visited(answer, WIDE, np.array([[[2, 1, 0, 2]]]), where)
    except IndexError as error:
        visits = f"IndexError: {error}"
    that(
        np.any(visits),
        "nothing was counted, and there is one step: every step counts, the first and the last too",
        expected=expected,
        yours=visits,
        where=where,
    )
    equal(
        visits,
        expected,
        "observation 0 is the row and observation 1 the column, and `visits[row, col]` is counted",
        where=where,
    )


def test_every_robot_of_a_step_counts(answer):
    """Three robots in three cells are three visits."""
    expected = np.zeros((3, 5), dtype=int)
    expected[0, 0] = expected[0, 3] = expected[2, 4] = 1
    where = "one step, robots at (0, 0), (0, 3) and (2, 4)"
    equal(
        visited(answer, WIDE, np.array([[[0, 0, 1, 0], [0, 3, 2, 0], [2, 4, 1, 0]]]), where),
        expected,
        "every robot of a step counts, not the first one alone: axis 1 of the observations counts "
        "robots",
        where=where,
    )


def test_two_robots_on_one_cell_count_twice(answer):
    """Every robot counts, also where several stand on one cell in one step."""
    cells = np.array([[[0, 0, 1, 0], [0, 0, 2, 0], [0, 1, 1, 0]]])  # one step, three robots
    expected = np.zeros((3, 5), dtype=int)
    expected[0, :2] = 2, 1
    equal(
        visited(answer, WIDE, cells, "two robots at row 0, col 0, one at row 0, col 1"),
        expected,
        "`visits[cells] += 1` adds once a cell, not once a robot: robots on one cell get lost. "
        "`np.add.at` counts each",
        where="two robots at row 0, col 0, one at row 0, col 1",
    )


def test_a_cell_visited_in_several_steps(answer):
    """A robot that stays in a cell is counted in every step."""
    cells = np.array([[[2, 3, 0, 0]], [[2, 3, 1, 0]], [[2, 3, 1, 0]], [[1, 4, 1, 0]]])
    expected = np.zeros((3, 5), dtype=int)
    expected[2, 3], expected[1, 4] = 3, 1
    equal(
        visited(answer, WIDE, cells, "one robot, four steps"),
        expected,
        "every step counts: three steps at row 2, col 3, then one at row 1, col 4",
        where="one robot, four steps, a kitchen of 3 rows and 5 columns",
    )


def python_events(call):
    """How many lines, calls and returns of Python run while something is called."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def test_no_loop_over_robots(answer):
    """Ten steps of 2,000 robots run as many lines of Python as ten steps of 20."""
    rng, lines = np.random.default_rng(5), {"count_outcomes": [], "count_visits": []}
    for robots in (20, 2_000):
        infos = [info(rng.integers(4, size=robots), rng.random(robots) < 0.7) for _ in range(10)]
        seen = rng.integers([3, 5, 4, 3], size=(10, robots, 4))
        calls = {
            "count_outcomes": lambda i=infos, n=robots: answer.count_outcomes(i, n),
            "count_visits": lambda o=seen: answer.count_visits(WIDE, o),
        }
        for name, call in calls.items():
            lines[name].append(python_events(call))
    for name, (few, many) in lines.items():
        that(
            many < few + 500,
            "Python goes through the robots one by one, which takes longer with every robot. Loop "
            "over the steps if you like; inside, let arrays do all robots at once",
            expected=f"about {few} lines of Python, as with 20 robots",
            yours=f"{many} lines of Python with 2,000 robots",
            where=f"{name}, 10 steps",
        )


def test_visits_of_random_robots(answer):
    """Many robots in kitchens that are not square: every observation is counted once."""
    rng = np.random.default_rng(4)
    for kitchen in (WIDE, Kitchen.from_ascii(">.\n..\n.G\n.O"), CLASSIC):
        for steps, num_envs in ((6, 40), (30, 1), (1, 9)):
            sizes = [kitchen.rows, kitchen.cols, 4, 3]
            observations = rng.integers(sizes, size=(steps, num_envs, 4))
            expected = np.zeros((kitchen.rows, kitchen.cols), dtype=int)
            for row, col, *_ in observations.reshape(-1, 4):
                expected[row, col] += 1
            where = f"{kitchen.rows}x{kitchen.cols} kitchen, {steps} steps, {num_envs} robots"
            equal(
                visited(answer, kitchen, observations, where),
                expected,
                "observation 0 is the row and observation 1 the column; all steps and all robots "
                "add up to T * N visits",
                where=where,
            )
