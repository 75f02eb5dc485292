"""Exercise 01.2: one step of the robot."""

import numpy as np

from burgerbot.course.claims import close, equal, instance, that
from burgerbot.world.kitchen import HEADINGS, Kitchen, KitchenError

ACTIONS = ("forward", "turn_left", "turn_right", "stop")
FORWARD, LEFT, RIGHT, STOP = range(4)
IDLE, MOVED, CRASHED, DELIVERED = range(4)
LEFT_OF = {"north": "west", "west": "south", "south": "east", "east": "north"}
RIGHT_OF = {after: before for before, after in LEFT_OF.items()}
AHEAD = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
OPEN = Kitchen.from_ascii("v....\n.....\n.....\n....G")


def spot(kitchen, pose, action):
    """Where we are, in words."""
    row, col, heading = pose
    return (
        f"a {kitchen.rows}x{kitchen.cols} kitchen, robot at row {row}, col {col}, "
        f"facing {HEADINGS[heading]}, action {int(action)} ({ACTIONS[action]})"
    )


def taken(answer, kitchen, pose, action):
    """Take one step, and see that five things of the right kind come back."""
    where = spot(kitchen, pose, action)
    got = answer.step(kitchen, pose, action)
    that(
        isinstance(got, (tuple, list)) and len(got) == 5 and np.shape(got[0]) == (3,),
        "step returns five things, the pose first",
        expected="((row, col, heading), outcome, reward, terminated, truncated)",
        yours=repr(got),
        where=where,
    )
    for name, flag in zip(("terminated", "truncated"), got[3:], strict=True):
        instance(flag, (bool, np.bool_), f"`{name}` is True or False", where=where)
    return got, where


def by_the_map(kitchen, pose, action):
    """Outcome and pose, read off a map with a wall drawn around it."""
    wall = "O" * (kitchen.cols + 2)
    grid = [wall, *(f"O{line}O" for line in kitchen.to_ascii().split("\n")), wall]
    row, col, facing = pose[0], pose[1], HEADINGS[pose[2]]
    if action == STOP:
        return IDLE, pose
    if action != FORWARD:
        turned = {LEFT: LEFT_OF, RIGHT: RIGHT_OF}[action][facing]
        return IDLE, (row, col, HEADINGS.index(turned))
    ahead = row + AHEAD[facing][0], col + AHEAD[facing][1]
    cell = grid[ahead[0] + 1][ahead[1] + 1]
    outcome = {"O": CRASHED, "G": DELIVERED}.get(cell, MOVED)
    return outcome, pose if outcome == CRASHED else (*ahead, pose[2])


def lopsided_kitchens(count):
    """Random kitchens of unequal sides."""
    rng = np.random.default_rng(12)
    kitchens = []
    while len(kitchens) < count:
        rows, cols = rng.choice(np.arange(2, 7), size=2, replace=False).tolist()
        cells = list("OOGv" + "." * (rows * cols - 4))
        rng.shuffle(cells)
        lines = ["".join(cells[row * cols : (row + 1) * cols]) for row in range(rows)]
        try:
            kitchens.append(Kitchen.from_ascii("\n".join(lines)))
        except KitchenError:  # the goal was walled in
            continue
    return kitchens


def test_turns(answer):
    """A turn changes the heading by a quarter, and nothing else."""
    for heading, facing in enumerate(HEADINGS):
        for action, turned in ((LEFT, LEFT_OF[facing]), (RIGHT, RIGHT_OF[facing])):
            (pose, outcome, *_), where = taken(answer, OPEN, (1, 2, heading), action)
            equal(
                pose,
                (1, 2, HEADINGS.index(turned)),
                "headings count with the clock (north, east, south, west): a right turn adds 1, a "
                "left turn takes 1 away, and past the end it goes on at the other end",
                where=where,
            )
            equal(outcome, IDLE, "a turn is an idle step: outcome 0", where=where)


def test_stop(answer):
    """A stop changes nothing, and is an idle step."""
    (pose, outcome, *_), where = taken(answer, OPEN, (2, 1, 3), STOP)
    equal(
        pose, (2, 1, 3), "stop leaves the robot where it is, and facing where it faced", where=where
    )
    equal(outcome, IDLE, "stop is an idle step: outcome 0", where=where)


def test_forward_on_free_floor(answer):
    """Forward goes one cell the way the robot faces; row 0 is the top."""
    for heading, facing in enumerate(HEADINGS):
        (pose, outcome, *_), where = taken(answer, OPEN, (1, 2, heading), FORWARD)
        equal(
            pose,
            (1 + AHEAD[facing][0], 2 + AHEAD[facing][1], heading),
            "forward goes one cell the way the robot faces. Row 0 is the top: north is one row "
            "less",
            where=where,
        )
        equal(outcome, MOVED, "a move onto free floor is outcome 1", where=where)


def test_crash(answer):
    """At a wall or an obstacle the robot crashes, and stays where it was."""
    kitchen = Kitchen.from_ascii("v.O..\n.....\nO...G")
    walls = [(0, 1, 0), (1, 4, 1), (2, 2, 2), (1, 0, 3), (0, 4, 0), (2, 3, 2)]
    for pose in [*walls, (0, 1, 1), (0, 3, 3), (1, 2, 0), (1, 0, 2)]:
        (after, outcome, *_), where = taken(answer, kitchen, pose, FORWARD)
        far_side = (
            (pose[0] + AHEAD[HEADINGS[pose[2]]][0]) % 3,
            (pose[1] + AHEAD[HEADINGS[pose[2]]][1]) % 5,
        )
        that(
            pose not in walls or tuple(after[:2]) != far_side,
            "the robot came out at the far side: index -1 is a wall, though Python reads it as the "
            "last row or column. `kitchen.is_clear` knows the walls",
            expected=pose,
            yours=after,
            where=where,
        )
        equal(after, pose, "a crash leaves the robot where it was", where=where)
        equal(outcome, CRASHED, "a wall or an obstacle ahead means a crash: outcome 2", where=where)


def test_delivery(answer):
    """Driving onto the goal is a delivery, and the robot ends on the goal."""
    kitchen = Kitchen.from_ascii("v....\n..G..\n.....")
    for pose in ((0, 2, 2), (2, 2, 0), (1, 1, 1), (1, 3, 3)):
        (after, outcome, *_), where = taken(answer, kitchen, pose, FORWARD)
        equal(after, (1, 2, pose[2]), "a delivery ends with the robot on the goal", where=where)
        equal(
            outcome,
            DELIVERED,
            "entering the goal is a delivery, not a move: outcome 3",
            where=where,
        )


def test_only_driving_onto_the_goal_delivers(answer):
    """A robot that stands on the goal and turns, stops or hits a wall delivers nothing."""
    kitchen = Kitchen.from_ascii("v....\n....G")
    for heading, action, expected in ((1, STOP, IDLE), (0, LEFT, IDLE), (1, FORWARD, CRASHED)):
        (_, outcome, *_), where = taken(answer, kitchen, (1, 4, heading), action)
        equal(
            outcome,
            expected,
            "a delivery is the step *onto* the goal: what a step does depends on where it leads, "
            "and a robot that stands on the goal already turns and stops like anywhere else",
            where=where,
        )


def test_rewards(answer):
    """Idle pays -0.1, moved 1, crashed -10, delivered 50."""
    kitchen = Kitchen.from_ascii("v..\n..G")
    cases = [
        ((0, 1, 2), STOP, -0.1, "a stop pays -0.1"),
        ((0, 1, 2), LEFT, -0.1, "a turn pays -0.1, like a stop: time passes"),
        ((0, 1, 2), RIGHT, -0.1, "a turn pays -0.1, like a stop: time passes"),
        ((0, 1, 2), FORWARD, 1.0, "a move pays +1"),
        ((0, 1, 0), FORWARD, -10.0, "a crash pays -10, and not the move's +1: nothing moved"),
        ((1, 1, 1), FORWARD, 50.0, "a delivery pays +50, and not the move's +1 besides"),
    ]
    for pose, action, paid, message in cases:
        (_, _, reward, *_), where = taken(answer, kitchen, pose, action)
        close(reward, paid, message, where=where)


def test_flags(answer):
    """A crash and a delivery terminate; the robot itself never truncates."""
    kitchen = Kitchen.from_ascii("v..\n..G")
    cases = [
        ((0, 1, 2), STOP, False, "after a stop the episode goes on"),
        ((0, 1, 2), LEFT, False, "after a turn the episode goes on"),
        ((0, 1, 2), FORWARD, False, "after a move the episode goes on"),
        ((0, 1, 0), FORWARD, True, "a crash ends the episode: `terminated` is True"),
        ((1, 1, 1), FORWARD, True, "a delivery ends the episode: `terminated` is True"),
    ]
    for pose, action, ends, message in cases:
        (_, _, _, terminated, truncated), where = taken(answer, kitchen, pose, action)
        equal(terminated, ends, message, where=where)
        equal(
            truncated,
            False,
            "the robot never sets `truncated`: that flag is for a limit outside the world, and "
            "Gymnasium's TimeLimit sets it",
            where=where,
        )


def test_a_long_wait_is_not_truncated(answer):
    """Two hundred stops in a row: `truncated` stays False, since `step` keeps no count."""
    for number in range(1, 201):
        (_, _, _, _, truncated), where = taken(answer, OPEN, (1, 2, 0), STOP)
        equal(
            truncated,
            False,
            "`step` counts nothing: the limit of 150 steps is kept outside, by TimeLimit",
            where=f"{where}, call {number}",
        )


def test_every_pose_of_random_kitchens(answer):
    """Everywhere in random kitchens, a step agrees with the map, in whatever order it is asked."""
    rng = np.random.default_rng(3)
    cases = [
        (kitchen, (row, col, heading), np.int64(action))
        for kitchen in lopsided_kitchens(6)
        for row, col in kitchen.clear_cells()
        if (row, col) != kitchen.goal
        for heading in range(4)
        for action in range(4)
    ]
    for index in rng.permutation(len(cases)):
        kitchen, pose, action = cases[index]
        outcome, after = by_the_map(kitchen, pose, action)
        got, where = taken(answer, kitchen, pose, action)
        where += "; the map:\n" + kitchen.draw(*pose)
        equal(got[1], outcome, "the outcome is not what the map says", where=where)
        equal(got[0], after, "the robot is not where the map says", where=where)
        equal(got[3], outcome >= CRASHED, "only a crash or a delivery terminates", where=where)
        paid = (-0.1, 1.0, -10.0, 50.0)[outcome]
        close(got[2], paid, "the reward does not belong to the outcome", where=where)
