# %% multiplies the row by the number of rows says="row . cols . col"
def compile_table(kitchen):
    size = kitchen.rows * kitchen.cols * 4
    table = np.zeros(size * 4, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.rows + col) * 4
            ahead, outcome = (row + dr, col + dc), 1
            after = (ahead[0] * kitchen.rows + ahead[1]) * 4 + heading
            if not kitchen.is_clear(*ahead):
                after, outcome = here + heading, 2
            elif ahead == kitchen.goal:
                outcome = 3
            for action, (state, what) in enumerate(
                [
                    (after, outcome),
                    (here + (heading - 1) % 4, 0),
                    (here + (heading + 1) % 4, 0),
                    (here + heading, 0),
                ]
            ):
                table[((here + heading) * 4 + action) % (size * 4)] = state % size << 2 | what
    return table


# %% swaps left and right says="turning left takes 1"
def compile_table(kitchen):
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.cols + col) * 4
            ahead, outcome = (row + dr, col + dc), 1
            after = (ahead[0] * kitchen.cols + ahead[1]) * 4 + heading
            if not kitchen.is_clear(*ahead):
                after, outcome = here + heading, 2
            elif ahead == kitchen.goal:
                outcome = 3
            base = (here + heading) * 4
            table[base] = after << 2 | outcome
            table[base + 1] = here + (heading + 1) % 4 << 2
            table[base + 2] = here + (heading - 1) % 4 << 2
            table[base + 3] = here + heading << 2
    return table


# %% lets a crashed robot enter the counter says="the robot stays"
def compile_table(kitchen):
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.cols + col) * 4
            ahead = (row + dr, col + dc)
            inside = 0 <= ahead[0] < kitchen.rows and 0 <= ahead[1] < kitchen.cols
            after = (ahead[0] * kitchen.cols + ahead[1]) * 4 + heading if inside else here + heading
            outcome = 1 if kitchen.is_clear(*ahead) else 2
            if ahead == kitchen.goal:
                outcome = 3
            base = (here + heading) * 4
            table[base] = after << 2 | outcome
            table[base + 1] = here + (heading - 1) % 4 << 2
            table[base + 2] = here + (heading + 1) % 4 << 2
            table[base + 3] = here + heading << 2
    return table


# %% drives out at one edge and in at the other says="not the last one"
def compile_table(kitchen):
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.cols + col) * 4
            ahead = ((row + dr) % kitchen.rows, (col + dc) % kitchen.cols)
            after, outcome = (ahead[0] * kitchen.cols + ahead[1]) * 4 + heading, 1
            if ahead in kitchen.obstacles:
                after, outcome = here + heading, 2
            elif ahead == kitchen.goal:
                outcome = 3
            base = (here + heading) * 4
            table[base] = after << 2 | outcome
            table[base + 1] = here + (heading - 1) % 4 << 2
            table[base + 2] = here + (heading + 1) % 4 << 2
            table[base + 3] = here + heading << 2
    return table


# %% says delivered wherever the robot is on the goal says="outcome 0, wherever it is"
def compile_table(kitchen):
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    goal = kitchen.goal[0] * kitchen.cols + kitchen.goal[1]
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.cols + col) * 4
            clear = kitchen.is_clear(row + dr, col + dc)
            ahead = ((row + dr) * kitchen.cols + col + dc) * 4 if clear else here
            choices = [
                (ahead + heading, 1 if clear else 2),
                (here + (heading - 1) % 4, 0),
                (here + (heading + 1) % 4, 0),
                (here + heading, 0),
            ]
            for action, (state, outcome) in enumerate(choices):
                if state // 4 == goal and outcome != 2:
                    outcome = 3
                table[(here + heading) * 4 + action] = state << 2 | outcome
    return table


# %% packs with a plus that binds tighter than the shift says="next_state << 2 . outcome"
def compile_table(kitchen):
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.cols + col) * 4
            ahead, outcome = (row + dr, col + dc), 1
            after = (ahead[0] * kitchen.cols + ahead[1]) * 4 + heading
            if not kitchen.is_clear(*ahead):
                after, outcome = here + heading, 2
            elif ahead == kitchen.goal:
                outcome = 3
            base = (here + heading) * 4
            table[base] = after << 2 + outcome
            table[base + 1] = here + (heading - 1) % 4 << 2
            table[base + 2] = here + (heading + 1) % 4 << 2
            table[base + 3] = here + heading << 2
    return table


# %% leaves the dtype to NumPy says="dtype is wrong"
def compile_table(kitchen):
    return np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int64)


# %% gives one row of four a state says="shape is wrong"
def compile_table(kitchen):
    return np.zeros((kitchen.rows * kitchen.cols * 4, 4), dtype=np.int32)


# %% takes the goal for plain floor says="outcome 3"
def compile_table(kitchen):
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.cols + col) * 4
            clear = kitchen.is_clear(row + dr, col + dc)
            ahead = ((row + dr) * kitchen.cols + col + dc) * 4 if clear else here
            base = (here + heading) * 4
            table[base] = ahead + heading << 2 | (1 if clear else 2)
            table[base + 1] = here + (heading - 1) % 4 << 2
            table[base + 2] = here + (heading + 1) % 4 << 2
            table[base + 3] = here + heading << 2
    return table


# %% gives a turn from north a heading of minus one says="must not change"
def compile_table(kitchen):
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        for heading, (dr, dc) in enumerate(MOVES):
            here = (row * kitchen.cols + col) * 4
            ahead, outcome = (row + dr, col + dc), 1
            after = (ahead[0] * kitchen.cols + ahead[1]) * 4 + heading
            if not kitchen.is_clear(*ahead):
                after, outcome = here + heading, 2
            elif ahead == kitchen.goal:
                outcome = 3
            base = (here + heading) * 4
            table[base] = after << 2 | outcome
            table[base + 1] = here + heading - 1 << 2
            table[base + 2] = here + heading + 1 << 2
            table[base + 3] = here + heading << 2
    return table


# %% multiplies by the rows says="\\*columns\\* of one row|row and column must not change"
def compile_table(kitchen: Kitchen) -> np.ndarray:
    """Return int32 ``[rows * cols * 16]``: ``table[s * 4 + a] = next_state << 2 | outcome``."""
    table = np.zeros(kitchen.rows * kitchen.cols * 16, dtype=np.int32)
    for row, col in kitchen.clear_cells():
        cell = (row * kitchen.rows + col) * 4
        for heading, (dr, dc) in enumerate(MOVES):
            state, ahead = cell + heading, (row + dr, col + dc)
            if not kitchen.is_clear(*ahead):
                after, outcome = state, 2
            else:
                after = (ahead[0] * kitchen.rows + ahead[1]) * 4 + heading
                outcome = 3 if ahead == kitchen.goal else 1
            table[state * 4 + 0] = after << 2 | outcome
            table[state * 4 + 1] = (cell + (heading - 1) % 4) << 2
            table[state * 4 + 2] = (cell + (heading + 1) % 4) << 2
            table[state * 4 + 3] = state << 2
    return table
