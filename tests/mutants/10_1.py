# %% turns the sign round says="now minus then"
def log_ratio(logits, actions, old_log_probs):
    return old_log_probs - logits.log_softmax(-1)[torch.arange(len(actions)), actions]


# %% returns the ratio says="the \\*logarithm\\* of it"
def log_ratio(logits, actions, old_log_probs):
    return (logits.log_softmax(-1)[torch.arange(len(actions)), actions] - old_log_probs).exp()


# %% forgets to squeeze says="each row with every other"
def log_ratio(logits, actions, old_log_probs):
    return logits.log_softmax(-1).gather(-1, actions[:, None]) - old_log_probs


# %% indexes columns for all rows says="each row with every other"
def log_ratio(logits, actions, old_log_probs):
    return logits.log_softmax(-1)[:, actions] - old_log_probs


# %% keeps every action says="not one for every action"
def log_ratio(logits, actions, old_log_probs):
    return logits.log_softmax(-1) - old_log_probs[:, None]


# %% means over the rows says="means come later"
def log_ratio(logits, actions, old_log_probs):
    chosen = logits.log_softmax(-1)[torch.arange(len(actions)), actions]
    return (chosen - old_log_probs).mean()


# %% takes logits for log-probabilities says="log\\(now / then\\)"
def log_ratio(logits, actions, old_log_probs):
    return logits[torch.arange(len(actions)), actions] - old_log_probs - 0.3


# %% takes logits as they are says="only their differences count|log ratio 0, in every row"
def log_ratio(logits, actions, old_log_probs):
    return logits[torch.arange(len(actions)), actions] - old_log_probs


# %% takes the softmax for its logarithm says="log\\(now / then\\)"
def log_ratio(logits, actions, old_log_probs):
    return logits.softmax(-1)[torch.arange(len(actions)), actions] - old_log_probs


# %% takes the logarithm of a rounded softmax says="use `log_softmax`"
def log_ratio(logits, actions, old_log_probs):
    return logits.softmax(-1).log()[torch.arange(len(actions)), actions] - old_log_probs


# %% writes the softmax out says="use `log_softmax`"
def log_ratio(logits, actions, old_log_probs):
    odds = logits.exp()
    shares = odds / odds.sum(dim=-1, keepdim=True)
    return shares[torch.arange(len(actions)), actions].log() - old_log_probs


# %% hides the trouble with a small number says="a small number added inside"
def log_ratio(logits, actions, old_log_probs):
    return (logits.softmax(-1) + 1e-8).log()[torch.arange(len(actions)), actions] - old_log_probs


# %% softmax over the rows says="log\\(now / then\\)|its own actions"
def log_ratio(logits, actions, old_log_probs):
    return logits.log_softmax(0)[torch.arange(len(actions)), actions] - old_log_probs


# %% takes the likeliest action says="action \\*taken\\*|log\\(now / then\\)"
def log_ratio(logits, actions, old_log_probs):
    return logits.log_softmax(-1).max(-1).values - old_log_probs


# %% takes probabilities for the old ones says="log\\(now / then\\)"
def log_ratio(logits, actions, old_log_probs):
    return logits.log_softmax(-1)[torch.arange(len(actions)), actions] - old_log_probs.log()


# %% cuts the graph says="graph is cut"
def log_ratio(logits, actions, old_log_probs):
    with torch.no_grad():
        return logits.log_softmax(-1)[torch.arange(len(actions)), actions] - old_log_probs


# %% a gradient for the taken action alone says="lowers the others"
def log_ratio(logits, actions, old_log_probs):
    rows = torch.arange(len(actions))
    return logits[rows, actions] - logits.logsumexp(-1).detach() - old_log_probs


# %% NumPy in between says="graph is cut|a tensor is wanted"
def log_ratio(logits, actions, old_log_probs):
    every = logits.detach().log_softmax(-1).numpy()
    return every[np.arange(len(actions)), actions.numpy()] - old_log_probs.numpy()


# %% subtracts in place from the batch says="changed in place"
def log_ratio(logits, actions, old_log_probs):
    chosen = logits.log_softmax(-1)[torch.arange(len(actions)), actions]
    result = chosen - old_log_probs
    with torch.no_grad():
        old_log_probs.copy_(chosen)
    return result
