"""Exercise 10.4: three estimates of a KL divergence."""

import math

import torch

from burgerbot.course.claims import ClaimFailed, close, that


def estimates(answer, log_ratio, where):
    """The learner's three numbers, as floats, none of which holds a graph."""
    got = answer.kl_estimates(log_ratio)
    if got is None:
        raise ClaimFailed("kl_estimates returned None: is a return missing?", where=where)
    that(
        len(got) == 3,
        "three estimates are wanted: k1, k2 and k3",
        expected=3,
        yours=len(got),
        where=where,
    )
    numbers = []
    for name, k in zip(("k1", "k2", "k3"), got, strict=True):
        that(
            not getattr(k, "requires_grad", False),
            f"{name} still has a graph: whoever notes it keeps everything in memory that it was "
            "computed from; detach, or use no_grad",
            expected="no graph",
            yours="a graph",
            where=where,
        )
        k = torch.as_tensor(k)
        that(
            k.numel() == 1,
            f"{name} is one number: the mean over the rows",
            expected="one number",
            yours=f"shape {tuple(k.shape)}",
            where=where,
        )
        numbers.append(float(k))
    return numbers


def sample(old, new, rows):
    """The log ratios of a sample that holds each action exactly as often as the old policy says."""
    counts = [round(p * rows) for p in old]
    pairs = zip(counts, old, new, strict=True)
    return torch.tensor([math.log(q / p) for count, p, q in pairs for _ in range(count)])


def test_no_change(answer):
    """Log ratios 0: all three are 0."""
    got = estimates(answer, torch.zeros(5), "5 log ratios of 0")
    close(got, [0.0, 0.0, 0.0], "two equal policies have a distance of 0", where="log ratios 0")


def test_one_row(answer):
    """Log ratio log 2: -0.693, 0.240 and 0.307."""
    lr = math.log(2)
    where = "one row, log ratio log 2"
    k1, k2, k3 = estimates(answer, torch.tensor([lr]), where)
    that(
        abs(k1 - lr) > 1e-5,
        "the sign of k1 is turned round: the log ratio is new minus old, and KL takes old minus "
        "new",
        expected=-lr,
        yours=k1,
        where=where,
    )
    close(k1, -lr, "k1 is -lr", where=where, tolerance=1e-5)
    that(
        abs(k2 - lr**2) > 1e-5,
        "k2 is *half* the square: without the half it is twice the KL",
        expected=lr**2 / 2,
        yours=k2,
        where=where,
    )
    close(k2, lr**2 / 2, "k2 is lr**2 / 2", where=where, tolerance=1e-5)
    that(
        abs(k3 - (math.exp(-lr) - 1 + lr)) > 1e-5,
        "this k3 has the ratio upside down: with draws from the old policy it is exp(lr) - 1 - lr, "
        "lr new minus old",
        expected=1 - lr,
        yours=k3,
        where=where,
    )
    close(k3, 1 - lr, "k3 is exp(lr) - 1 - lr", where=where, tolerance=1e-5)


def test_k1_and_k3_are_right_on_average(answer):
    """On a sample that is as the old policy says, k1 and k3 are the exact KL."""
    for old, new in (
        ((0.5, 0.25, 0.125, 0.125), (0.25, 0.25, 0.25, 0.25)),
        ((0.25, 0.75), (0.625, 0.375)),
        ((0.125, 0.375, 0.5), (0.25, 0.5, 0.25)),
    ):
        where = f"old {old}, new {new}"
        exact = sum(p * math.log(p / q) for p, q in zip(old, new, strict=True))
        k1, _, k3 = estimates(answer, sample(old, new, 64), where)
        message = "the mean over the rows comes last: exp of a mean is not a mean of exp"
        close(k1, exact, f"k1: {message}", where=where, tolerance=1e-5)
        close(k3, exact, f"k3: {message}", where=where, tolerance=1e-5)


def test_only_k1_can_be_negative(answer):
    """On random log ratios k2 and k3 are never negative, whatever k1 is."""
    draws = torch.Generator().manual_seed(4)
    for rows in (1, 2, 5, 64):
        log_ratio = 0.3 + torch.randn(rows, generator=draws)
        where = f"{rows} random rows"
        k1, k2, k3 = estimates(answer, log_ratio, where)
        close(k1, -log_ratio.mean().item(), "k1 is the mean of -lr", where=where, tolerance=1e-4)
        that(
            k2 >= 0 and k3 >= 0,
            "k2 and k3 are never negative: each row's square, and each row's exp(lr) - 1 - lr, is "
            "0 or more",
            yours=[k2, k3],
            where=where,
        )
        squares = log_ratio.square().mean().item() / 2
        message = "k2 is the mean of the halved squares, not the halved square of the mean"
        close(k2, squares, message, where=where, tolerance=1e-4)


def test_numbers_to_look_at(answer):
    """From a log ratio with a graph come numbers without one, and the graph is left whole."""
    logits = torch.tensor([0.5, -0.25, 0.1], requires_grad=True)
    log_ratio = 2 * logits
    estimates(answer, log_ratio, "a log ratio with a graph")
    that(
        log_ratio.requires_grad and log_ratio.tolist() == (2 * logits).tolist(),
        "the log ratio that was handed in was changed: the loss is still to be learned from it",
        where="a log ratio with a graph",
    )
    log_ratio.sum().backward()
