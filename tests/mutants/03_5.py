# %% takes the first of the largest says=".argmax. alone always takes the first"
def pick_actions(q, states, epsilon, rng):
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), q[states].argmax(axis=1))


# %% breaks ties by noise says="noise that is added to .q."
def pick_actions(q, states, epsilon, rng):
    greedy = (q[states] + 1e-6 * rng.random((len(states), 4))).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% takes close values for ties says="values that differ by little are no tie"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = np.isclose(values, values.max(axis=1, keepdims=True))
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% breaks all ties alike says="every robot breaks its own tie"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(4), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% takes the last of the largest says="each must be equally likely"
def pick_actions(q, states, epsilon, rng):
    greedy = 3 - q[states][:, ::-1].argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% chooses among the tied by a product with q says="largest of .q.states"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = (largest * values * rng.random(values.shape)).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% compares with the largest of all robots says="largest of .q.states"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max()
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% draws once for all robots says="by a draw of its own"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    if rng.random() < epsilon:
        return rng.integers(4, size=len(states))
    return greedy


# %% gives all explorers one action says="by a draw of its own"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4), greedy)


# %% explores when it should not says="nobody explores"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) > epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% leaves the best action out of the random ones says="one case of four"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    other = (greedy + rng.integers(1, 4, size=len(states))) % 4
    return np.where(explores, other, greedy)


# %% never takes action 3 at random says="equally likely, the best one included|one case of four"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(3, size=len(states)), greedy)


# %% takes one robot per row of q says="the shape .N,."
def pick_actions(q, states, epsilon, rng):
    values = q
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(q)) < epsilon
    return np.where(explores, rng.integers(4, size=len(q)), greedy)


# %% ignores the states says="look up the rows by .states."
def pick_actions(q, states, epsilon, rng):
    values = q[np.arange(len(states)) % len(q)]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% compares along the wrong axis says="the shape .N,."
def pick_actions(q, states, epsilon, rng):
    explores = rng.random(4) < epsilon
    return np.where(explores, rng.integers(4, size=4), q[states].argmax(axis=0))


# %% returns floats says="actions are integers"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, np.floor(4 * rng.random(len(states))), greedy)


# %% returns a list says="return a NumPy array"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy).tolist()


# %% returns a column says="makes the shape .N,."
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random((len(states), 1)) < epsilon
    return np.where(explores, rng.integers(4, size=(len(states), 1)), greedy[:, None])


# %% draws from np.random says="some draw does not come from .rng.|draws from .np.random."
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = np.random.random(len(states)) < epsilon
    return np.where(explores, np.random.randint(4, size=len(states)), greedy)


# %% makes a generator of its own says="do not make or seed another"
def pick_actions(q, states, epsilon, rng):
    rng = np.random.default_rng(0)
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% makes an unseeded generator says="some draw does not come from .rng."
def pick_actions(q, states, epsilon, rng):
    rng = np.random.default_rng()
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% breaks ties with np.random says="ties are broken by draws that do not|draws from .np.random."
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, np.random.random(values.shape), -1.0).argmax(axis=1)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% uses one draw for the decision and the action says="whether it explores says nothing"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    draws = rng.random(len(states))
    return np.where(draws < epsilon, (4 * draws).astype(int), greedy)


# %% explores every second robot says="by a draw of its own"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = np.arange(len(states)) % 2 < 2 * epsilon - rng.random()
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% explores in blocks of robots says="neighbouring robots explore together"
def pick_actions(q, states, epsilon, rng):
    values = q[states]
    largest = values == values.max(axis=1, keepdims=True)
    greedy = np.where(largest, rng.random(values.shape), -1.0).argmax(axis=1)
    explores = (rng.random(len(states) // 2 + 1) < epsilon).repeat(2)[: len(states)]
    return np.where(explores, rng.integers(4, size=len(states)), greedy)


# %% breaks ties in the caller's q says="it belongs to the caller"
def pick_actions(q, states, epsilon, rng):
    q += 1e-12 * rng.random(q.shape)
    explores = rng.random(len(states)) < epsilon
    return np.where(explores, rng.integers(4, size=len(states)), q[states].argmax(axis=1))


# %% loops over robots says="goes through the robots one by one"
def pick_actions(q, states, epsilon, rng):
    actions = []
    for state in states:
        if rng.random() < epsilon:
            actions.append(rng.integers(4))
        else:
            best = np.flatnonzero(q[state] == q[state].max())
            actions.append(rng.choice(best))
    return np.array(actions)
