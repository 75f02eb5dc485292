# %% forgets the minus says="minus is missing"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% sums up says="this is the sum"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).sum()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% keeps the rows says="one number: the mean"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% takes the maximum says="gains no more"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.maximum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% clips without the minimum says="the minimum takes 0.5"
def clipped_loss(log_ratio, advantages, clip):
    return -(log_ratio.exp().clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% does not clip says="gains no more"
def clipped_loss(log_ratio, advantages, clip):
    return -(log_ratio.exp() * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% minimum of the ratios, then times the advantage says="0.8, not 0.5|counts in full"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -(torch.minimum(ratio, ratio.clamp(1 - clip, 1 + clip)) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% clips above only says="0.8, not 0.5"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(max=1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% clips to minus clip and clip says="leaves minus the mean advantage"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(-clip, clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% clips the logarithm says="gains no more"
def clipped_loss(log_ratio, advantages, clip):
    ratio, clipped = log_ratio.exp(), log_ratio.clamp(-clip, clip).exp()
    return -torch.minimum(ratio * advantages, clipped * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% takes the log ratio for the ratio says="leaves minus the mean advantage"
def clipped_loss(log_ratio, advantages, clip):
    clipped = log_ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(log_ratio * advantages, clipped * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% minimum of the means says="the mean comes last|beyond the clip|the gradient of each row"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum((ratio * advantages).mean(), (clipped * advantages).mean())


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% always clips at 0.2 says="not always 0.2"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% cuts the graph says="no graph"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.detach().exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% drops the rows outside says="counts in full|gains no more"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    inside = (ratio - 1).abs() <= clip
    return -(ratio * advantages * inside).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% a clipped row keeps its gradient says="still gets a gradient"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    clipped = ratio + (ratio.clamp(1 - clip, 1 + clip) - ratio).detach()
    return -torch.minimum(ratio * advantages, clipped * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% normalizes advantages unasked says="leaves minus the mean advantage"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% counts above only says="above \\*and\\* below"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return (log_ratio.exp() > 1 + clip).float().mean()


# %% compares the logarithm says="not its logarithm"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return (log_ratio.abs() > clip).float().mean()


# %% counts rows, no share says="share of all rows"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().sum()


# %% counts what is inside says="outside of 1 - clip"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() <= clip).float().mean()


# %% writes into the log ratio says="changed in place"
def clipped_loss(log_ratio, advantages, clip):
    ratio = log_ratio.exp()
    with torch.no_grad():
        log_ratio.clamp_(-clip, clip)
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def clip_fraction(log_ratio, clip):
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()


# %% takes the minimum of two means says="row by row"
def clipped_loss(log_ratio: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """Return PPO's policy loss of B rows, one number with a graph."""
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum((ratio * advantages).mean(), (clipped * advantages).mean())


def clip_fraction(log_ratio: Tensor, clip: float) -> Tensor:
    """Return the share of rows whose ratio is more than ``clip`` away from 1."""
    return ((log_ratio.exp() - 1).abs() > clip).float().mean()
