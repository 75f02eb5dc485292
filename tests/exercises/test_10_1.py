"""Exercise 10.1: the logarithm of how much likelier an action is now."""

import math

import torch

from burgerbot.course.claims import ClaimFailed, close, that


def ratio_of(answer, logits, actions, old, where):
    """The learner's log ratio: a finite float tensor [B]."""
    got = answer.log_ratio(logits, actions.clone(), old.clone())
    that(
        isinstance(got, torch.Tensor),
        "a tensor is wanted: the gradient has to find its way back",
        expected="a tensor",
        yours=type(got).__name__,
        where=where,
    )
    if got.shape != actions.shape:
        shapes = {
            (len(actions), len(actions)): "a column [B, 1] minus a row [B] gives [B, B], each row "
            "with every other: pick the action's entry as [B], or squeeze it",
            (len(actions), logits.shape[-1]): "one number a row is wanted, that of the action "
            "taken, not one for every action",
            (): "one number for each row is wanted; means come later",
        }
        raise ClaimFailed(
            shapes.get(tuple(got.shape), "the log ratio has one number for each row"),
            expected=f"shape {tuple(actions.shape)}",
            yours=f"shape {tuple(got.shape)}",
            where=where,
        )
    return got


def batch(seed, rows, actions, scale=1.0):
    """Random logits, actions and old log-probabilities."""
    draws = torch.Generator().manual_seed(seed)
    logits = scale * torch.randn(rows, actions, generator=draws)
    taken = torch.randint(actions, (rows,), generator=draws)
    return logits, taken, -3 * torch.rand(rows, generator=draws)


def by_hand(logits, actions, old):
    """Row by row, with Python's floats."""
    result = []
    for row, action, before in zip(logits.tolist(), actions.tolist(), old.tolist(), strict=True):
        top = max(row)
        total = sum(math.exp(score - top) for score in row)
        result.append(row[action] - top - math.log(total) - before)
    return result


def test_twice_as_likely(answer):
    """Probabilities 1/2 and 1/4 now, 1/4 and 1/2 then: log 2 and -log 2."""
    logits = torch.tensor([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]).log()
    actions, old = torch.tensor([0, 1]), torch.tensor([0.25, 0.5]).log()
    where = "now 1/2 and 1/4, then 1/4 and 1/2"
    got = ratio_of(answer, logits, actions, old, where).detach()
    flipped = bool(torch.allclose(got, torch.tensor([-math.log(2), math.log(2)]), atol=1e-5))
    that(
        not flipped,
        "the sign is turned round: it is now minus then, so an action that has become likelier "
        "has a positive log ratio",
        expected=[0.6931, -0.6931],
        yours=got.tolist(),
        where=where,
    )
    ratios = bool(torch.allclose(got, torch.tensor([2.0, 0.5]), atol=1e-5))
    that(
        not ratios,
        "this is the ratio, and the *logarithm* of it is wanted: subtract, and leave the exp to "
        "those who need it",
        expected=[0.6931, -0.6931],
        yours=got.tolist(),
        where=where,
    )
    message = (
        "log(now / then): the logarithm of the taken action's softmax, over the scores of its own "
        "row, minus the old log-probability"
    )
    close(got, [math.log(2), -math.log(2)], message, where=where, tolerance=1e-5)


def test_an_unchanged_policy(answer):
    """The same policy now and then: all log ratios 0."""
    logits, actions, _ = batch(1, 50, 4)
    old = logits.log_softmax(-1)[torch.arange(50), actions]
    got = ratio_of(answer, logits, actions, old, "50 rows of an unchanged policy").detach()
    close(
        got,
        [0.0] * 50,
        "a policy that has not changed has ratio 1, log ratio 0, in every row",
        where="50 rows of an unchanged policy",
        tolerance=1e-5,
    )


def test_logits_are_scores(answer):
    """Adding the same number to all scores of a row changes nothing."""
    logits, actions, old = batch(2, 7, 3)
    plain = ratio_of(answer, logits, actions, old, "7 rows, 3 actions").detach()
    lifted = ratio_of(answer, logits + 2.5, actions, old, "the same, 2.5 higher").detach()
    close(
        lifted,
        plain.tolist(),
        "logits are scores, no log-probabilities: only their differences count, so `log_softmax` "
        "comes first",
        where="all logits raised by 2.5",
        tolerance=1e-4,
    )


def test_row_by_row(answer):
    """Random logits, 2 to 6 actions: as a loop with Python's floats says."""
    for seed, (rows, actions) in enumerate([(5, 4), (4, 4), (1, 3), (9, 2), (3, 6)]):
        logits, taken, old = batch(10 + seed, rows, actions, scale=2.0)
        where = f"{rows} rows, {actions} actions"
        got = ratio_of(answer, logits, taken, old, where).detach()
        close(
            got,
            by_hand(logits, taken, old),
            "each row's softmax runs over its own actions, and the entry that counts is that of "
            "the action *taken*, not of the likeliest one",
            where=where,
            tolerance=1e-4,
        )


def test_large_scores(answer):
    """Scores of 1000 and more give finite numbers."""
    logits = torch.tensor([[1000.0, 0.0, -500.0], [0.0, 3000.0, 2999.0]])
    actions, old = torch.tensor([1, 2]), torch.tensor([-0.5, -0.5])
    where = "logits up to 3000"
    got = ratio_of(answer, logits, actions, old, where).detach()
    that(
        bool(torch.isfinite(got).all()),
        "exp of 1000 is infinite in 32 bits, and log of a probability that is rounded to 0 is "
        "minus infinity: use `log_softmax`, which never leaves the logarithms",
        expected="finite numbers",
        yours=got.tolist(),
        where=where,
    )
    message = (
        "a probability close to 0 has a logarithm of its own, -1000 here: `log_softmax` keeps it, "
        "and a small number added inside of the log does not"
    )
    close(got, by_hand(logits, actions, old), message, where=where, tolerance=1e-3)


def test_the_gradient_reaches_the_logits(answer):
    """The gradient of a row is 1 - p for the action taken, and -p for the others."""
    logits, actions, old = batch(3, 6, 4)
    logits.requires_grad_()
    got = ratio_of(answer, logits, actions, old, "6 rows, 4 actions")
    that(
        got.requires_grad,
        "the graph is cut: without it no gradient reaches the policy; do not detach, and use no "
        "`no_grad` or NumPy here",
        expected="a tensor with a graph",
        yours="a tensor without one",
        where="logits that require a gradient",
    )
    got.sum().backward()
    wanted = torch.nn.functional.one_hot(actions, 4) - logits.detach().softmax(-1)
    close(
        logits.grad,
        wanted.tolist(),
        "the gradient goes through the whole softmax: raising one action lowers the others",
        where="gradient of the sum over 6 rows",
        tolerance=1e-5,
    )


def test_the_old_policy_is_data(answer):
    """What the caller handed in is as it was."""
    logits, actions, old = batch(4, 5, 3)
    copies = [part.clone() for part in (logits, actions, old)]
    answer.log_ratio(logits, actions, old)
    that(
        all(torch.equal(a, b) for a, b in zip(copies, (logits, actions, old), strict=True)),
        "an argument was changed in place: the batch is used again in the next epoch",
        where="5 rows",
    )
