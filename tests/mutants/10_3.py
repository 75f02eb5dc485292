# %% forgets the minus says="minus belongs in"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return (every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% in bits says="in bits"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1) / np.log(2)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% means over the rows says="keep the rows"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1).mean()


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% sums over the rows says="keep the rows"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=0)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% means over the actions says="entropy log\\(A\\)"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).mean(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% softmax over the rows says="entropy log\\(A\\)|is in bits|row's own actions"
def entropy(logits):
    every = logits.log_softmax(dim=0)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% logarithm of a rounded softmax says="has no logarithm"
def entropy(logits):
    p = logits.softmax(dim=-1)
    return -(p * p.log()).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% zeros where the logarithm fails says="its gradient is not"
def entropy(logits):
    p = logits.softmax(dim=-1)
    return -torch.nan_to_num(p * p.log(), nan=0.0).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% surprise of the likeliest action says="own actions|softmax over"
def entropy(logits):
    return -logits.log_softmax(dim=-1).max(dim=-1).values


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% sums the log-probabilities says="never negative|entropy log\\(A\\)"
def entropy(logits):
    return -logits.log_softmax(dim=-1).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% takes logits for log-probabilities says="never negative|entropy log\\(A\\)"
def entropy(logits):
    return -(logits.softmax(dim=-1) * logits).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% weighs by detached probabilities says="goes through both"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp().detach() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% cuts the graph says="graph is cut"
def entropy(logits):
    every = logits.detach().log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% broadcasts says="each row compared with every other"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    return (values - returns).square().mean()


# %% sums up says="this is the sum"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square().sum()


# %% halves it says="half of the squared error"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return 0.5 * (values - returns).square().mean()


# %% absolute error says="absolute error"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).abs().mean()


# %% squares the mean says="square first"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).mean() ** 2


# %% keeps the rows says="one number: the mean"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values - returns).square()


# %% cuts the graph of the values says="graph is cut"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.shape != returns.shape:
        raise ValueError("shapes")
    return (values.detach() - returns).square().mean()


# %% reshapes in silence says="each row compared with every other"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    return (values.reshape(-1) - returns.reshape(-1)).square().mean()


# %% compares the number of axes only says="each row compared with every other"
def entropy(logits):
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values, returns):
    if values.ndim != returns.ndim:
        raise ValueError("shapes")
    return (values - returns).square().mean()


# %% refuses with an assert says="another error than was agreed on"
def entropy(logits: Tensor) -> Tensor:
    """Return ``[B]``: the entropy of each row's policy, in nats."""
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values: Tensor, returns: Tensor) -> Tensor:
    """Return the critic's mean squared error, one number with a graph."""
    assert values.shape == returns.shape
    return (values - returns).square().mean()


# %% takes the variance of the errors says="this is the variance of the errors"
def entropy(logits: Tensor) -> Tensor:
    """Return ``[B]``: the entropy of each row's policy, in nats."""
    every = logits.log_softmax(dim=-1)
    return -(every.exp() * every).sum(dim=-1)


def value_loss(values: Tensor, returns: Tensor) -> Tensor:
    """Return the critic's mean squared error, one number with a graph."""
    if values.shape != returns.shape:
        raise ValueError(f"expected one shape, got {values.shape} and {returns.shape}")
    return (values - returns).var(unbiased=False)
