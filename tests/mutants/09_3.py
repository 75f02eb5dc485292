# %% rounds down says="round up"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = buffer // batch_size
    return buffer, minibatches, batch_size, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% divides as a float says="whole number"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = buffer / batch_size
    return buffer, minibatches, batch_size, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% says 0 for a full last one says="not 0"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    return buffer, minibatches, buffer % batch_size, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% forgets that the buffer may be small says="the whole buffer if|full ones left over"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = batch_size if buffer < batch_size else buffer % batch_size or batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% counts one minibatch more each time says="`buffer / batch_size` minibatches"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = buffer // batch_size + 1
    return buffer, minibatches, batch_size, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% forgets the robots says="`n_envs . n_steps`"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    minibatches = -(-n_steps // batch_size)
    return n_steps, minibatches, n_steps - (minibatches - 1) * batch_size, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% counts one pass says="passes takes every minibatch"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    return buffer, minibatches, buffer - (minibatches - 1) * batch_size, minibatches


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% rounds up once for all passes says="updates are"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, -(-buffer * n_epochs // batch_size)


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% leaves out the bounds themselves says="good themselves"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest < buffer // s < most]


# %% leaves out the most says="good themselves"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [buffer // n for n in range(most - 1, fewest - 1, -1) if buffer % n == 0 and buffer > n]


# %% takes numbers for sizes says="good themselves|divide the buffer into"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [n for n in range(fewest, most + 1) if buffer % n == 0]


# %% takes sizes with a remainder says="divide the buffer into|no remainder"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if fewest <= -(-buffer // s) <= most]


# %% takes single transitions says="one transition has no standard deviation"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(1, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]


# %% sorts the largest first says="smallest size first"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    good = [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]
    return good[::-1]


# %% takes powers of two only says="divide the buffer into"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    sizes = [2**k for k in range(1, 20)]
    return [s for s in sizes if buffer % s == 0 and fewest <= buffer // s <= most]


# %% ignores the bounds says="divide the buffer into"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=32, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and 3 <= buffer // s <= 256]


# %% has other defaults says="`fewest` is 32"
def batch_plan(n_envs, n_steps, batch_size, n_epochs):
    buffer = n_envs * n_steps
    minibatches = -(-buffer // batch_size)
    last = buffer - (minibatches - 1) * batch_size
    return buffer, minibatches, last, minibatches * n_epochs


def good_batch_sizes(n_envs, n_steps, fewest=4, most=256):
    buffer = n_envs * n_steps
    return [s for s in range(2, buffer + 1) if buffer % s == 0 and fewest <= buffer // s <= most]
