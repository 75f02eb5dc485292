# %% turns the wrong way says="headings count with the clock"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action == TURN_LEFT:
        heading = (heading + 1) % 4
    elif action == TURN_RIGHT:
        heading = (heading - 1) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False


# %% lets the heading run past west says="past the end it goes on at the other end"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action == TURN_LEFT:
        heading = heading - 1
    elif action == TURN_RIGHT:
        heading = heading + 1
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False


# %% takes north for one row more says="Row 0 is the top"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action in (TURN_LEFT, TURN_RIGHT):
        heading = (heading + (1 if action == TURN_RIGHT else -1)) % 4
    elif action == FORWARD:
        ahead = row - MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False


# %% comes out at the far side says="index -1 is a wall"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action in (TURN_LEFT, TURN_RIGHT):
        heading = (heading + (1 if action == TURN_RIGHT else -1)) % 4
    elif action == FORWARD:
        ahead = (
            (row + MOVES[heading][0]) % kitchen.rows,
            (col + MOVES[heading][1]) % kitchen.cols,
        )
        if ahead in kitchen.obstacles:
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False


# %% drives into the wall says="a crash leaves the robot where it was"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action in (TURN_LEFT, TURN_RIGHT):
        heading = (heading + (1 if action == TURN_RIGHT else -1)) % 4
    elif action == FORWARD:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col):
            outcome = CRASHED
        else:
            outcome = DELIVERED if (row, col) == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False


# %% takes the goal for floor says="a delivery, not a move"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action in (TURN_LEFT, TURN_RIGHT):
        heading = (heading + (1 if action == TURN_RIGHT else -1)) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        outcome = MOVED if kitchen.is_clear(*ahead) else CRASHED
        if outcome == MOVED:
            row, col = ahead
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False


# %% pays for the last move of a delivery too says="not the move's .1 besides"
def step(kitchen, pose, action):
    row, col, heading = pose
    if action != FORWARD:
        turn = {TURN_LEFT: -1, TURN_RIGHT: 1, STOP: 0}[int(action)]
        return (row, col, (heading + turn) % 4), IDLE, -0.1, False, False
    ahead = row + MOVES[heading][0], col + MOVES[heading][1]
    if not kitchen.is_clear(*ahead):
        return pose, CRASHED, -10.0, True, False
    delivered = ahead == kitchen.goal
    reward = 1.0 + (50.0 if delivered else 0.0)
    return (*ahead, heading), DELIVERED if delivered else MOVED, reward, delivered, False


# %% ends the episode at a delivery alone says="a crash ends the episode"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action in (TURN_LEFT, TURN_RIGHT):
        heading = (heading + (1 if action == TURN_RIGHT else -1)) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome == DELIVERED, False


# %% sets both flags whenever an episode ends says="the robot never sets `truncated`"
def step(kitchen, pose, action):
    row, col, heading = pose
    outcome = IDLE
    if action in (TURN_LEFT, TURN_RIGHT):
        heading = (heading + (1 if action == TURN_RIGHT else -1)) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    done = outcome >= CRASHED
    return (row, col, heading), outcome, V0_REWARDS[outcome], done, done


# %% counts the steps itself says="`step` counts nothing"
calls = 0


def step(kitchen, pose, action):
    global calls
    calls += 1
    row, col, heading = pose
    outcome = IDLE
    if action in (TURN_LEFT, TURN_RIGHT):
        heading = (heading + (1 if action == TURN_RIGHT else -1)) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, calls >= 150


# %% delivers wherever the robot stands on the goal says="the step \\*onto\\* the goal"
def step(kitchen: Kitchen, pose: tuple[int, int, int], action: int) -> tuple:
    """Return ``((row, col, heading), outcome, reward, terminated, truncated)`` after one action."""
    row, col, heading = pose
    outcome = IDLE
    if action == TURN_LEFT:
        heading = (heading - 1) % 4
    elif action == TURN_RIGHT:
        heading = (heading + 1) % 4
    elif action == FORWARD:
        ahead = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(*ahead):
            outcome = CRASHED
        else:
            row, col = ahead
            outcome = DELIVERED if ahead == kitchen.goal else MOVED
    if (row, col) == kitchen.goal:
        outcome = DELIVERED
    return (row, col, heading), outcome, V0_REWARDS[outcome], outcome >= CRASHED, False
