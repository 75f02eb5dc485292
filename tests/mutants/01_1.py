# %% counts the robot's own cell says="the cell the robot stands on is not ahead"
def sensor_reading(kitchen, row, col, heading):
    clear = 0
    while clear < 5 and kitchen.is_clear(row, col):
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        clear += 1
    return clear // 2


# %% sees through obstacles says="stop at the first wall or obstacle"
def sensor_reading(kitchen, row, col, heading):
    ahead = [(row + k * MOVES[heading][0], col + k * MOVES[heading][1]) for k in range(1, 6)]
    return sum(kitchen.is_clear(*cell) for cell in ahead) // 2


# %% has no range limit says="at most five cells"
def sensor_reading(kitchen, row, col, heading):
    clear = 0
    while True:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col):
            return clear // 2
        clear += 1


# %% sees only four cells says="at most five cells"
def sensor_reading(kitchen, row, col, heading):
    for clear in range(4):
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col):
            return clear // 2
    return 4 // 3


# %% looks around the edge of the map says="index -1 is not a cell"
def sensor_reading(kitchen, row, col, heading):
    clear = 0
    while clear < 5:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if row >= kitchen.rows or col >= kitchen.cols or (row, col) in kitchen.obstacles:
            break
        clear += 1
    return clear // 2


# %% halves without dropping the remainder says="without the remainder"
def sensor_reading(kitchen, row, col, heading):
    clear = 0
    while clear < 5:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col):
            break
        clear += 1
    return clear / 2


# %% rounds up says="drop the remainder"
def sensor_reading(kitchen, row, col, heading):
    clear = 0
    while clear < 5:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col):
            break
        clear += 1
    return min((clear + 1) // 2, 2)


# %% takes the burger for an obstacle says="the goal does not end the view"
def sensor_reading(kitchen: Kitchen, row: int, col: int, heading: int) -> int:
    """Count the clear cells ahead, up to five; halve, and drop the remainder: 0, 1 or 2."""
    clear = 0
    while clear < 5:
        row, col = row + MOVES[heading][0], col + MOVES[heading][1]
        if not kitchen.is_clear(row, col) or (row, col) == kitchen.goal:
            break
        clear += 1
    return clear // 2
