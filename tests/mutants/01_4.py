# %% gives the largest index for a size says="how many values there are, not the largest"
def make_spaces(kitchen):
    sizes = [kitchen.rows - 1, kitchen.cols - 1, 3, 2]
    return gym.spaces.MultiDiscrete(sizes), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    return np.array([*pose, sensor(kitchen, *pose)], dtype=np.int64)


# %% swaps rows and columns says="rows come first"
def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.cols, kitchen.rows, 4, 3]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    return np.array([*pose, sensor(kitchen, *pose)], dtype=np.int64)


# %% takes the sensor for a count of cells says="the sizes are rows, columns, 4 headings, 3"
def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 6]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    return np.array([*pose, sensor(kitchen, *pose)], dtype=np.int64)


# %% counts actions from 1 says="actions count from 0"
def make_spaces(kitchen):
    sizes = [kitchen.rows, kitchen.cols, 4, 3]
    return gym.spaces.MultiDiscrete(sizes), gym.spaces.Discrete(4, start=1)


def observe(kitchen, pose):
    return np.array([*pose, sensor(kitchen, *pose)], dtype=np.int64)


# %% observes floats says="dtype is wrong"
def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    return np.array([*pose, sensor(kitchen, *pose)], dtype=np.float32)


# %% returns a list says="a NumPy array is wanted"
def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    return [*pose, sensor(kitchen, *pose)]


# %% puts the column first says="the order is row, col"
def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    row, col, heading = pose
    return np.array([col, row, heading, sensor(kitchen, *pose)], dtype=np.int64)


# %% reads the sensor facing north whatever the heading says="the sensor is read where the robot is"
def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    row, col, heading = pose
    return np.array([row, col, heading, sensor(kitchen, row, col, 0)], dtype=np.int64)


# %% fills one array again and again says="an observation that was handed out has changed"
buffer = np.zeros(4, dtype=np.int64)


def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    buffer[:] = (*pose, sensor(kitchen, *pose))
    return buffer


# %% hands out its cache says="give a copy"
cache = {}


def make_spaces(kitchen):
    return gym.spaces.MultiDiscrete([kitchen.rows, kitchen.cols, 4, 3]), gym.spaces.Discrete(4)


def observe(kitchen, pose):
    key = (kitchen, pose)
    if key not in cache:
        cache[key] = np.array([*pose, sensor(kitchen, *pose)], dtype=np.int64)
    return cache[key]
