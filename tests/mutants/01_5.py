# %% leaves the dtype to NumPy says="dtype is wrong"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame


# %% swaps width and height says="shape is wrong"
def render(kitchen, pose, size):
    frame = np.full((kitchen.cols * size, kitchen.rows * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame


# %% takes no notice of the size says="shape is wrong"
def render(kitchen, pose, size):
    size = 48
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame


# %% takes x for the row says="indexed .row, col."
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[col * size : (col + 1) * size, row * size : (row + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame


# %% puts row 0 at the bottom says="upside down"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame[::-1].copy()


# %% paints blue, green, red says="red first"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame[..., ::-1].copy()


# %% shows no heading says="looks the same from all sides"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    return frame


# %% paints the front at the back says="not on the side that the robot faces"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading - 2][:] = TYRE
    return frame


# %% mirrors east and west says="not on the side that the robot faces"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][-heading][:] = TYRE
    return frame


# %% paints the goal on top of the robot says="paint it last"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    cell(*kitchen.goal)[:] = BUN
    return frame


# %% leaves a trail on a floor that it keeps says="leaves a trail"
floors = {}


def render(kitchen, pose, size):
    key = (kitchen, size)
    if key not in floors:
        shape = (kitchen.rows * size, kitchen.cols * size, 3)
        floors[key] = np.full(shape, FLOOR, dtype=np.uint8)
    frame = floors[key]

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame.copy()


# %% hands out the picture that it keeps says="has changed"
screens = {}


def render(kitchen, pose, size):
    shape = (kitchen.rows * size, kitchen.cols * size, 3)
    frame = screens.setdefault(shape, np.empty(shape, dtype=np.uint8))
    frame[:] = FLOOR

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame


# %% hands out its cache of pictures says="give a copy"
from functools import cache


@cache
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    row, col, heading = pose
    robot, edge = cell(row, col), size // 4
    robot[:] = BODY
    [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]][heading][:] = TYRE
    return frame


# %% rounds the width of the bumper says="drops the remainder"
def render(kitchen: Kitchen, pose: tuple[int, int, int], size: int) -> np.ndarray:
    """Return a picture: uint8 ``[rows * size, cols * size, 3]``, row 0 at the top."""
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row: int, col: int) -> np.ndarray:
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN

    row, col, heading = pose
    robot, edge = cell(row, col), round(size / 4)
    robot[:] = BODY
    fronts = [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]]
    fronts[heading][:] = TYRE
    return frame
