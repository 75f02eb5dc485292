"""Exercise 10.2: the clipped policy loss, and the clip fraction."""

import torch

from burgerbot.course.claims import ClaimFailed, close, that


def number(got, what, where):
    """One number, as a tensor."""
    if got is None:
        raise ClaimFailed(f"{what} returned None: is a return missing?", where=where)
    got = torch.as_tensor(got)
    that(
        got.numel() == 1,
        f"{what} is one number: the mean over the rows",
        expected="one number",
        yours=f"shape {tuple(got.shape)}",
        where=where,
    )
    return got


def loss_of(answer, ratios, advantages, clip, where, log_ratio=None):
    """The learner's loss, for ratios."""
    log_ratio = torch.tensor(ratios).log() if log_ratio is None else log_ratio
    return number(answer.clipped_loss(log_ratio, torch.tensor(advantages), clip), "the loss", where)


def gradient(answer, ratios, advantages, clip, where):
    """The gradient of the loss in each row's log ratio."""
    log_ratio = torch.tensor(ratios).log().requires_grad_()
    loss = loss_of(answer, ratios, advantages, clip, where, log_ratio)
    that(
        loss.requires_grad,
        "the loss has no graph: nothing can be learned from it",
        expected="a graph",
        yours="none",
        where=where,
    )
    loss.backward()
    return log_ratio.grad


def by_hand(ratios, advantages, clip):
    """Row by row."""
    total = 0.0
    for ratio, advantage in zip(ratios, advantages, strict=True):
        clipped = min(max(ratio, 1 - clip), 1 + clip)
        total += min(ratio * advantage, clipped * advantage)
    return -total / len(ratios)


def test_an_unchanged_policy(answer):
    """With all ratios 1 the loss is minus the mean advantage."""
    got = loss_of(answer, [1.0, 1.0, 1.0], [3.0, -1.0, 4.0], 0.2, "ratios 1, advantages 3 -1 4")
    that(
        abs(float(got) - 2.0) > 1e-5,
        "the minus is missing: a loss is brought *down*, and good actions should become likelier",
        expected=-2.0,
        yours=float(got),
        where="ratios 1, advantages 3 -1 4",
    )
    that(
        abs(float(got) + 6.0) > 1e-5,
        "this is the sum, and the mean over the rows is wanted: the size of a minibatch must not "
        "change the length of a step",
        expected=-2.0,
        yours=float(got),
        where="ratios 1, advantages 3 -1 4",
    )
    where = "ratios 1, advantages 3 -1 4"
    message = (
        "ratio 1 leaves minus the mean advantage: the ratio is exp(log_ratio), the clip reaches "
        "from 1 - clip to 1 + clip, and the advantages are taken as they come"
    )
    close(got.detach(), -2.0, message, where=where, tolerance=1e-5)


def test_four_corners(answer):
    """Good and bad actions, far above and far below 1: each as the table says."""
    cases = [
        (
            1.5,
            2.0,
            -2.4,
            "a good action that is likelier already gains no more: at most 1 + clip = 1.2",
        ),
        (
            0.5,
            2.0,
            -1.0,
            "a good action that got rarer counts in full: the minimum takes 0.5 = exp(lr)",
        ),
        (0.5, -2.0, 1.6, "a bad action that is rarer already gains no more: 0.8, not 0.5"),
        (1.5, -2.0, 3.0, "a bad action that got likelier counts in full: the minimum takes 1.5"),
    ]
    for ratio, advantage, loss, message in cases:
        where = f"ratio {ratio}, advantage {advantage}, clip 0.2"
        got = loss_of(answer, [ratio], [advantage], 0.2, where).detach()
        close(got, loss, message, where=where, tolerance=1e-5)


def test_row_by_row(answer):
    """Random ratios and advantages, other clips: as a loop says."""
    draws = torch.Generator().manual_seed(2)
    for rows, clip in ((7, 0.2), (1, 0.2), (40, 0.1), (40, 0.5)):
        ratios = (0.6 * torch.randn(rows, generator=draws)).exp().tolist()
        advantages = (0.3 + 2 * torch.randn(rows, generator=draws)).tolist()
        where = f"{rows} rows, clip {clip}"
        got = loss_of(answer, ratios, advantages, clip, where).detach()
        message = (
            "minimum and clip work row by row, on the ratio; the mean comes last, and `clip` is "
            "the argument, not always 0.2"
        )
        close(got, by_hand(ratios, advantages, clip), message, where=where, tolerance=1e-4)


def test_where_the_gradient_is_zero(answer):
    """No gradient where an action has been praised or blamed enough, and a full one elsewhere."""
    ratios, advantages = [1.5, 0.5, 0.5, 1.5, 1.1, 0.9], [2.0, 2.0, -2.0, -2.0, 2.0, -2.0]
    where = f"ratios {ratios}, advantages {advantages}, clip 0.2"
    got = gradient(answer, ratios, advantages, 0.2, where)
    rows = zip(ratios, advantages, [0, 1, 0, 1, 1, 1], strict=True)
    wanted = [-r * a * on / 6 for r, a, on in rows]
    that(
        bool((got[[0, 2]].abs() < 1e-6).all()),
        "an action that has been praised, or blamed, beyond the clip still gets a gradient",
        expected=wanted,
        yours=got.tolist(),
        where=where,
    )
    that(
        bool((got[[1, 3]].abs() > 1e-6).all()),
        "a mistake must be taken back: a good action that got rarer, or a bad one that got "
        "likelier, keeps its gradient however far it is",
        expected=wanted,
        yours=got.tolist(),
        where=where,
    )
    close(got, wanted, "the gradient of each row", where=where, tolerance=1e-5)


def fraction_of(answer, ratios, clip, where):
    """The learner's clip fraction."""
    return number(
        answer.clip_fraction(torch.tensor(ratios).log(), clip), "the clip fraction", where
    )


def test_the_clip_fraction(answer):
    """The share of rows outside of 1 - clip to 1 + clip, on both sides."""
    for ratios, clip, wanted in (
        ([1.0, 1.1, 0.9, 1.0], 0.2, 0.0),
        ([1.3, 1.0, 1.0, 1.0], 0.2, 0.25),
        ([0.7, 1.0, 1.0, 1.0], 0.2, 0.25),
        ([0.7, 1.3, 3.0, 1.1, 0.95], 0.2, 0.6),
        ([0.7, 1.3, 3.0, 1.1, 0.95], 0.4, 0.2),
    ):
        where = f"ratios {ratios}, clip {clip}"
        got = fraction_of(answer, ratios, clip, where).detach().double()
        message = (
            "the clip fraction counts the rows whose ratio is outside of 1 - clip to 1 + clip, "
            "above *and* below, as a share of all rows"
        )
        close(got, wanted, message, where=where, tolerance=1e-5)


def test_the_clip_is_in_the_ratio(answer):
    """A ratio of 1.21 is outside and one of 0.81 inside, though their logarithms say otherwise."""
    for ratios, wanted in (([1.21, 1.21, 1.21, 0.81], 0.75), ([0.81, 0.81, 1.0, 1.0], 0.0)):
        where = f"ratios {ratios}, clip 0.2"
        got = fraction_of(answer, ratios, 0.2, where).detach().double()
        close(got, wanted, "the *ratio* is compared with the clip, not its logarithm", where=where)


def test_arguments_stay(answer):
    """The advantages and log ratios that were handed in are as they were."""
    log_ratio, advantages = torch.tensor([0.5, -0.5]), torch.tensor([1.0, 2.0])
    answer.clipped_loss(log_ratio, advantages, 0.2)
    answer.clip_fraction(log_ratio, 0.2)
    that(
        log_ratio.tolist() == [0.5, -0.5] and advantages.tolist() == [1.0, 2.0],
        "an argument was changed in place: the advantages are used again in the next epoch",
        yours=[log_ratio.tolist(), advantages.tolist()],
        where="two rows",
    )
