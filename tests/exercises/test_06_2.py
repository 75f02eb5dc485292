"""Exercise 06.2: one step of N robots at once."""

import sys

import numpy as np

from burgerbot.course.claims import array_like, close, equal, that
from burgerbot.world.kitchen import Kitchen, KitchenError
from burgerbot.world.rules import compile_kitchen

REWARDS = np.array([-0.25, 2.0, -7.0, 40.0])
FORWARD, LEFT, RIGHT, STOP = range(4)
NAMES = ("forward", "turn_left", "turn_right", "stop")
CORRIDOR = compile_kitchen(Kitchen.from_ascii(">.G")).table


def slow(table, rewards, state, action, draw, slip):
    """Robot by robot: next state, reward, terminated."""
    rows = []
    for s, a, d in zip(state.tolist(), action.tolist(), draw.tolist(), strict=True):
        after, outcome = divmod(int(table[s * 4 + (FORWARD if d < slip else a)]), 4)
        rows.append((after, rewards[outcome], outcome in (2, 3)))
    return [np.array(column) for column in zip(*rows, strict=True)]


def stepped(answer, where, table, rewards, state, action, *rest):
    """Take one step, and see that the right kinds of things come back and nothing was changed."""
    given = [np.array(x) for x in (table, rewards, state, action, *rest)]
    given = [x if x.ndim else x.item() for x in given]
    kept = [np.array(x) for x in given]
    got = answer.batched_step(*given)
    that(
        isinstance(got, (tuple, list)) and len(got) == 3,
        "three things come back, the next state first",
        expected="(next_state, reward, terminated)",
        yours=repr(got)[:200],
        where=where,
    )
    names = ("table", "rewards", "state", "action", "draw", "slip")
    for name, before, after in zip(names, kept, given, strict=False):
        equal(
            np.array(after),
            before,
            f"`{name}` belongs to the caller, and the step wrote into it: make a new array",
            where=where,
        )
    (number,) = np.shape(state)
    that(
        isinstance(got[0], np.ndarray) and got[0].shape == (number,) and got[0].dtype.kind in "iu",
        "`next_state` is an integer array with one entry a robot",
        expected=f"an integer array of shape ({number},)",
        yours=f"{type(got[0]).__name__} of shape {np.shape(got[0])}, "
        f"dtype {np.asarray(got[0]).dtype}",
        where=where,
    )
    array_like(got[1], (number,), np.float64, where=f"`reward`, {where}")
    array_like(got[2], (number,), np.bool_, where=f"`terminated`, {where}")
    return got


def lopsided_tables(count, seed=0):
    """Tables of random kitchens of unequal sides."""
    rng = np.random.default_rng(seed)
    tables = []
    while len(tables) < count:
        rows, cols = rng.choice(np.arange(2, 6), size=2, replace=False).tolist()
        cells = list("OGv" + "." * (rows * cols - 3))
        rng.shuffle(cells)
        lines = ["".join(cells[row * cols : (row + 1) * cols]) for row in range(rows)]
        try:
            kitchen = Kitchen.from_ascii("\n".join(lines))
        except KitchenError:  # the goal was walled in
            continue
        tables.append((f"a {rows}x{cols} kitchen", compile_kitchen(kitchen).table))
    return tables


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


def test_kinds(answer):
    """Next states are integers, rewards float64, flags bool; each has one entry a robot."""
    for number in (1, 5):
        state, action = np.full(number, 1), np.full(number, STOP)
        stepped(answer, f"{number} robots on >.G", CORRIDOR, REWARDS, state, action)


def test_five_robots_by_hand(answer):
    """On `>.G`, five robots with five states and actions: each does its own."""
    state, action = np.array([1, 5, 1, 5, 3]), np.array([FORWARD, FORWARD, LEFT, STOP, FORWARD])
    where = "the map >.G, states 1, 5, 1, 5, 3, actions forward, forward, left, stop, forward"
    next_state, reward, terminated = stepped(answer, where, CORRIDOR, REWARDS, state, action)
    that(
        next_state.tolist() != [5, 9, 5, 9, 3],
        "every robot has driven forward, whatever its action: without draws the floor is dry, and "
        "a robot slides only where `draw < slip`",
        expected=[5, 9, 0, 5, 3],
        yours=next_state,
        where=where,
    )
    equal(
        next_state,
        [5, 9, 0, 5, 3],
        "robot i looks up entry `state[i] * 4 + action[i]`, and the next state is all of it but "
        "the last two bits",
        where=where,
    )
    close(
        reward,
        [2.0, 40.0, -0.25, -0.25, -7.0],
        "the reward of robot i is `rewards[outcome[i]]`, the outcome being the last two bits of "
        "its entry",
        where=where,
    )
    equal(
        terminated,
        [False, True, False, False, True],
        "a crash (outcome 2) terminates, and so does a delivery (3); a move or an idle step "
        "does not",
        where=where,
    )


def test_random_kitchens(answer):
    """Everywhere in random kitchens, all robots at once do what each does alone."""
    rng = np.random.default_rng(1)
    for name, table in lopsided_tables(6):
        number = int(rng.integers(40, 90))
        state = rng.integers(len(table) // 4, size=number)
        action = rng.integers(4, size=number)
        got = stepped(answer, f"{name}, {number} robots", table, REWARDS, state, action)
        compare(got, slow(table, REWARDS, state, action, np.ones(number), 0.0), name, state, action)


def test_other_integers(answer):
    """Every slip counts, and states and actions of dtype int32 or int8 are taken as well."""
    table = lopsided_tables(1, seed=5)[0][1]
    rng = np.random.default_rng(2)
    state, action = rng.integers(len(table) // 4, size=30), rng.integers(4, size=30)
    for dtypes in ((np.int32, np.int64), (np.int64, np.int8), (np.int32, np.uint8)):
        where = f"state {np.dtype(dtypes[0])}, action {np.dtype(dtypes[1])}"
        given = state.astype(dtypes[0]), action.astype(dtypes[1])
        got = stepped(answer, where, table, REWARDS, *given, np.linspace(0, 0.9, 30), 0.5)
        draws = np.linspace(0, 0.9, 30)
        expected = slow(table, REWARDS, state, action, draws, 0.5)
        compare(got, expected, where, state, action, draw=draws, slip=0.5)


def test_no_slip_without_a_draw(answer):
    """Left out, `draw` and `slip` mean a dry floor: nobody slides."""
    rng = np.random.default_rng(3)
    state, action = rng.integers(12, size=50), rng.integers(4, size=50)
    expected = slow(CORRIDOR, REWARDS, state, action, np.ones(50), 0.0)
    got = stepped(answer, "no draw, no slip", CORRIDOR, REWARDS, state, action)
    compare(got, expected, "no draw, no slip", state, action)
    got = stepped(answer, "draws of 0, slip 0", CORRIDOR, REWARDS, state, action, np.zeros(50), 0.0)
    compare(
        got,
        expected,
        "draws of 0, slip 0",
        state,
        action,
        hint="a robot slides where `draw < slip`; with slip 0 none does, even where the draw is 0",
    )


def test_slip(answer):
    """Where the robot's own draw is below `slip`, its action becomes forward; elsewhere not."""
    state, action = np.full(4, 1), np.array([LEFT, LEFT, STOP, RIGHT])
    draw = np.array([0.1, 0.9, 0.24, 0.25])
    where = "the map >.G, four robots in state 1, draws 0.1, 0.9, 0.24, 0.25, slip 0.25"
    next_state = stepped(answer, where, CORRIDOR, REWARDS, state, action, draw, 0.25)[0]
    equal(
        next_state,
        [5, 0, 5, 2],
        "a robot slides where its own draw is below slip (`draw < slip`, not at it), and sliding "
        "means that its action becomes forward, 0",
        where=where,
    )


def test_slip_in_random_kitchens(answer):
    """On greasy floors each robot slides, or not, by its own draw."""
    rng = np.random.default_rng(4)
    for slip, (name, table) in zip((0.15, 0.5, 0.85, 1.0), lopsided_tables(4, seed=9), strict=True):
        state, action = rng.integers(len(table) // 4, size=60), rng.integers(4, size=60)
        draw = rng.random(60)
        where = f"{name}, slip {slip}"
        got = stepped(answer, where, table, REWARDS, state, action, draw, slip)
        expected = slow(table, REWARDS, state, action, draw, slip)
        compare(got, expected, where, state, action, draw=draw, slip=slip)


def test_no_loop(answer):
    """A step of 2,000 robots runs as many lines of Python as a step of 20."""
    rng = np.random.default_rng(6)
    counts = {}
    for number in (20, 2000):
        arguments = rng.integers(12, size=number), rng.integers(4, size=number), rng.random(number)
        counts[number] = python_events(
            lambda arguments=arguments: answer.batched_step(CORRIDOR, REWARDS, *arguments, 0.2)
        )
    that(
        counts[2000] < counts[20] + 100,
        "Python goes through the robots one by one: a loop, a comprehension or `np.vectorize`. Let "
        "the index be an array, and NumPy does all of them in one go",
        expected=f"about {counts[20]} lines of Python, as with 20 robots",
        yours=f"{counts[2000]} lines of Python with 2,000 robots",
    )


def compare(got, expected, where, state, action, hint="", draw=None, slip=0.0):
    """Claim that three arrays are right, and name the first robot for which one is not."""
    for name, yours, wanted in zip(
        ("next state", "reward", "`terminated`"), got, expected, strict=True
    ):
        wrong = np.flatnonzero(np.asarray(yours) != wanted)
        if len(wrong):
            i = int(wrong[0])
            here = f"state {state[i]}, action {action[i]} ({NAMES[action[i]]})"
            message = f"the {name} is not that of the robot's own state, action and draw"
            if draw is not None:
                slides = bool(draw[i] < slip)
                here += f", draw {draw[i]:.3f}, slip {slip}"
                message += (
                    f". This robot {'slides' if slides else 'does not slide'}: its own draw is "
                    f"{'' if slides else 'not '}below slip, so its action "
                    f"{'becomes forward' if slides else 'stays what it is'}"
                )
            equal(
                yours[i],
                wanted[i],
                hint or message,
                where=f"{where}, robot {i} of {len(state)}: {here}",
            )
