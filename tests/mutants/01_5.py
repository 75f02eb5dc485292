# %% paints numbers from 0 to 1 says="dtype is wrong"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR) / 255
    row, col, heading = pose
    frame[row * size : (row + 1) * size, col * size : (col + 1) * size] = np.array(BODY) / 255
    return frame


# %% leaves the dtype to NumPy says="dtype is wrong"
def render(kitchen, pose, size):
    frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR)
    row, col, heading = pose
    frame[row * size : (row + 1) * size, col * size : (col + 1) * size] = BODY
    return frame


# %% swaps width and height says="shape is wrong"
def render(kitchen, pose, size):
    return np.full((kitchen.cols * size, kitchen.rows * size, 3), FLOOR, dtype=np.uint8)


# %% paints in shades of grey says="shape is wrong"
def render(kitchen, pose, size):
    return np.full((kitchen.rows * size, kitchen.cols * size), 250, dtype=np.uint8)


# %% takes no notice of the size says="shape is wrong"
def render(kitchen, pose, size):
    return np.full((kitchen.rows * 48, kitchen.cols * 48, 3), FLOOR, dtype=np.uint8)


def painted(kitchen, pose, size, frame=None, flip=False, swap=False, back=False, front=True):
    """What the wrong answers below have in common."""
    if frame is None:
        frame = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)

    def cell(row, col):
        row, col = (col, row) if swap else (row, col)
        row = kitchen.rows - 1 - row if flip else row
        return frame[row * size : (row + 1) * size, col * size : (col + 1) * size]

    for place in kitchen.obstacles:
        cell(*place)[:] = COUNTER
    cell(*kitchen.goal)[:] = BUN
    robot, edge = cell(*pose[:2]), size // 4
    robot[:] = BODY
    sides = [robot[:edge], robot[:, -edge:], robot[-edge:], robot[:, :edge]]
    if front:
        sides[(pose[2] + 2 * back) % 4][:] = EYE
    return frame


# %% takes x for the row says="indexed .row, col."
def render(kitchen, pose, size):
    return painted(kitchen, pose, size, swap=True)


# %% puts row 0 at the bottom says="upside down"
def render(kitchen, pose, size):
    return painted(kitchen, pose, size, flip=True)


# %% shows no heading says="looks the same from all sides"
def render(kitchen, pose, size):
    return painted(kitchen, pose, size, front=False)


# %% paints the front at the back says="not on the side that the robot faces"
def render(kitchen, pose, size):
    return painted(kitchen, pose, size, back=True)


# %% mirrors east and west says="not on the side that the robot faces"
def render(kitchen, pose, size):
    return painted(kitchen, (*pose[:2], -pose[2] % 4), size)


# %% paints the front over the whole robot says="more than half|not seen in its cell"
def render(kitchen, pose, size):
    frame = painted(kitchen, pose, size)
    row, col, _ = pose
    frame[row * size : (row + 1) * size, col * size : (col + 1) * size] = EYE
    return frame


# %% paints the goal on top of the robot says="paint it last"
def render(kitchen, pose, size):
    frame = painted(kitchen, pose, size)
    row, col = kitchen.goal
    frame[row * size : (row + 1) * size, col * size : (col + 1) * size] = BUN
    return frame


# %% paints blue, green, red says="has another colour"
def render(kitchen, pose, size):
    return painted(kitchen, pose, size)[..., ::-1].copy()


# %% leaves a trail on a floor that it keeps says="not seen in its cell|leaves a trail|has changed"
kept = {}


def render(kitchen, pose, size):
    key = (kitchen, size)
    if key not in kept:
        kept[key] = np.full((kitchen.rows * size, kitchen.cols * size, 3), FLOOR, dtype=np.uint8)
    return painted(kitchen, pose, size, frame=kept[key])


# %% hands out the picture that it keeps says="has changed"
screens = {}


def render(kitchen, pose, size):
    key = (kitchen, size)
    fresh = painted(kitchen, pose, size)
    screens.setdefault(key, np.empty_like(fresh))[:] = fresh
    return screens[key]


# %% hands out its cache of pictures says="give a copy"
pictures = {}


def render(kitchen, pose, size):
    key = (kitchen, pose, size)
    if key not in pictures:
        pictures[key] = painted(kitchen, pose, size)
    return pictures[key]
