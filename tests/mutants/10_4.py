# %% turns the log ratio round says="sign of k1"
def kl_estimates(log_ratio):
    lr = -log_ratio.detach()
    return (-lr).mean(), (lr**2 / 2).mean(), (lr.exp() - 1 - lr).mean()


# %% k1 without the minus says="sign of k1"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return lr.mean(), (lr**2 / 2).mean(), (lr.exp() - 1 - lr).mean()


# %% k2 without the half says="\\*half\\* the square"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), (lr**2).mean(), (lr.exp() - 1 - lr).mean()


# %% k3 upside down says="upside down"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), (lr**2 / 2).mean(), ((-lr).exp() - 1 + lr).mean()


# %% k3 with a plus says="k3 is exp"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), (lr**2 / 2).mean(), (lr.exp() - 1 + lr).mean()


# %% k3 without its 1 says="distance of 0"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), (lr**2 / 2).mean(), (lr.exp() - lr).mean()


# %% ratio times its logarithm says="k3"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), (lr**2 / 2).mean(), (lr.exp() * lr - lr.exp() + 1).mean()


# %% means first says="mean over the rows comes last"
def kl_estimates(log_ratio):
    lr = log_ratio.detach().mean()
    return -lr, lr**2 / 2, lr.exp() - 1 - lr


# %% k2 of the mean says="not the halved square of the mean"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), lr.mean() ** 2 / 2, (lr.exp() - 1 - lr).mean()


# %% k2 is half the variance says="k2 is"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), lr.var(correction=0) / 2, (lr.exp() - 1 - lr).mean()


# %% k1 made positive says="k1"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return lr.mean().abs(), (lr**2 / 2).mean(), (lr.exp() - 1 - lr).mean()


# %% k1 never below 0 says="k1 is"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean().clamp(min=0), (lr**2 / 2).mean(), (lr.exp() - 1 - lr).mean()


# %% sums up says="k1|mean"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).sum(), (lr**2 / 2).sum(), (lr.exp() - 1 - lr).sum()


# %% keeps the rows says="one number: the mean"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return -lr, lr**2 / 2, lr.exp() - 1 - lr


# %% keeps the graph says="still has a graph"
def kl_estimates(log_ratio):
    lr = log_ratio
    return (-lr).mean(), (lr**2 / 2).mean(), (lr.exp() - 1 - lr).mean()


# %% detaches the caller's tensor says="was changed"
def kl_estimates(log_ratio):
    lr = log_ratio.detach_() if log_ratio.requires_grad else log_ratio
    return (-lr).mean(), (lr**2 / 2).mean(), (lr.exp() - 1 - lr).mean()


# %% leaves k2 out says="three estimates"
def kl_estimates(log_ratio):
    lr = log_ratio.detach()
    return (-lr).mean(), (lr.exp() - 1 - lr).mean()
