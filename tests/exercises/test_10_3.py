"""Exercise 10.3: entropy, and the critic's loss."""

import math

import torch

from burgerbot.course.claims import ClaimFailed, close, that


def entropy_of(answer, logits, where):
    """The learner's entropy: a tensor [B]."""
    got = answer.entropy(logits.clone() if not logits.requires_grad else logits)
    that(
        isinstance(got, torch.Tensor) and got.shape == logits.shape[:1],
        "the entropy has one number for each row: sum over the actions, dim=-1, and keep the rows",
        expected=f"a tensor of shape {tuple(logits.shape[:1])}",
        yours=f"{type(got).__name__} of shape {tuple(getattr(got, 'shape', ()))}",
        where=where,
    )
    return got


def by_hand(rows):
    """Row by row, with Python's floats."""
    result = []
    for row in rows:
        top = max(row)
        weights = [math.exp(score - top) for score in row]
        shares = [weight / sum(weights) for weight in weights]
        result.append(-sum(p * math.log(p) for p in shares if p > 0))
    return result


def test_no_idea_and_certain(answer):
    """Equal scores: log(A). One score far above the others: 0."""
    for actions in (4, 2, 7):
        where = f"{actions} equal scores"
        got = entropy_of(answer, torch.zeros(3, actions), where).detach()
        bits = bool(torch.allclose(got, torch.full((3,), math.log2(actions)), atol=1e-5))
        that(
            not bits,
            "this is in bits, the logarithm to base 2; nats take the natural one",
            expected=math.log(actions),
            yours=got.tolist(),
            where=where,
        )
        that(
            bool((got >= 0).all()),
            "entropy is never negative: the logarithm of a probability is, so a minus belongs in "
            "front",
            expected=math.log(actions),
            yours=got.tolist(),
            where=where,
        )
        message = (
            "a policy with no idea has entropy log(A): first the softmax over each row's own "
            "actions, then the sum over them, not their mean, of p * log(p)"
        )
        close(got, [math.log(actions)] * 3, message, where=where, tolerance=1e-5)
    where = "scores 30, 0, 0"
    got = entropy_of(answer, torch.tensor([[30.0, 0.0, 0.0]]), where).detach()
    close(got, [0.0], "a policy that is certain has entropy 0", where=where, tolerance=1e-5)


def test_logits_are_scores(answer):
    """Adding the same number to all scores of a row changes nothing."""
    logits = torch.tensor([[0.3, -1.0, 2.0], [1.0, 1.0, 0.0]])
    got = entropy_of(answer, logits + 3.0, "two rows, all scores raised by 3").detach()
    close(
        got,
        by_hand(logits.tolist()),
        "logits are scores, no log-probabilities: the softmax over each row's actions comes first",
        where="two rows, all scores raised by 3",
        tolerance=1e-4,
    )


def test_row_by_row(answer):
    """Random scores, 2 to 6 actions: as a loop with Python's floats says."""
    draws = torch.Generator().manual_seed(3)
    for rows, actions in ((5, 4), (4, 4), (1, 3), (8, 2), (3, 6)):
        logits = 2 * torch.randn(rows, actions, generator=draws)
        where = f"{rows} rows, {actions} actions"
        message = "-sum of p * log(p) over the row's own actions"
        got = entropy_of(answer, logits, where).detach()
        close(got, by_hand(logits.tolist()), message, where=where, tolerance=1e-4)


def test_large_scores(answer):
    """Scores of 1000 and more give no NaN, in the entropy or in its gradient."""
    logits = torch.tensor([[1000.0, 0.0, -500.0], [0.0, 3000.0, 3000.0]], requires_grad=True)
    where = "logits up to 3000"
    got = entropy_of(answer, logits, where)
    that(
        bool(torch.isfinite(got).all()),
        "0 times minus infinity is NaN: a probability that is rounded to 0 has no logarithm, but "
        "`log_softmax` has one",
        expected=[0.0, 0.6931],
        yours=got.tolist(),
        where=where,
    )
    message = "of large scores too, only the differences count: here certain, and a coin"
    close(got.detach(), [0.0, math.log(2)], message, where=where, tolerance=1e-3)
    if got.requires_grad:
        got.sum().backward()
        that(
            bool(torch.isfinite(logits.grad).all()),
            "the entropy is finite, its gradient is not: one NaN there, and the whole network is",
            yours=logits.grad.tolist(),
            where=where,
        )


def test_the_bonus_can_be_learned(answer):
    """The gradient of the entropy pushes the scores together."""
    logits = torch.tensor([[1.0, 0.0, -1.0]], requires_grad=True)
    got = entropy_of(answer, logits, "scores 1, 0, -1")
    that(
        got.requires_grad,
        "the graph is cut: a bonus without a gradient changes nothing",
        expected="a graph",
        yours="none",
        where="scores 1, 0, -1",
    )
    got.sum().backward()
    shares = logits.detach().softmax(-1)
    wanted = -shares * (shares.log() + by_hand([[1.0, 0.0, -1.0]])[0])
    message = "the gradient goes through both, p and log(p)"
    close(logits.grad, wanted.tolist(), message, where="scores 1, 0, -1", tolerance=1e-5)


def loss_of(answer, values, returns, where):
    """The learner's value loss: one number."""
    got = answer.value_loss(values, returns)
    if got is None:
        raise ClaimFailed("value_loss returned None: is a return missing?", where=where)
    got = torch.as_tensor(got)
    that(
        got.numel() == 1,
        "the value loss is one number: the mean over the rows",
        expected="one number",
        yours=f"shape {tuple(got.shape)}",
        where=where,
    )
    return got


def test_the_squared_error(answer):
    """Errors 1, -2 and 3: the mean of 1, 4 and 9."""
    where = "values 2 0 4, returns 1 2 1"
    got = loss_of(answer, torch.tensor([2.0, 0.0, 4.0]), torch.tensor([1.0, 2.0, 1.0]), where)
    for wrong, message in {
        14.0: "this is the sum, and the mean over the rows is wanted",
        14 / 6: "half of the squared error: the weight 0.5 comes later, in the sum of all losses",
        2.0: "this is the mean absolute error; square the errors",
        (14 / 3) ** 0.5: "the root of it would be in points again, but its gradient is another",
        38 / 9: "this is the variance of the errors: a critic that is off by the same amount in "
        "every row would pay nothing",
        4 / 9: "the mean is squared, and errors of both signs cancel: square first",
    }.items():
        that(
            abs(float(got) - wrong) > 1e-4,
            message,
            expected=14 / 3,
            yours=float(got),
            where=where,
        )
    close(got.detach(), 14 / 3, "mean((values - returns)**2)", where=where, tolerance=1e-5)


def test_perfect_values_lose_nothing(answer):
    """Values that equal their returns have loss 0."""
    perfect = torch.tensor([1.0, 2.0, 3.0])
    got = loss_of(answer, perfect, perfect.clone(), "values and returns 1 2 3").detach()
    close(got, 0.0, "a perfect critic has loss 0", where="values and returns 1 2 3")


def test_shapes_that_differ(answer):
    """[B, 1] beside [B] is refused, whichever of the two it is."""
    flat = torch.tensor([1.0, 2.0, 3.0])
    for values, returns in ((flat[:, None], flat), (flat, flat[:, None]), (flat, flat[:1])):
        where = f"values {tuple(values.shape)}, returns {tuple(returns.shape)}"
        try:
            got = answer.value_loss(values, returns)
        except NotImplementedError:
            raise
        except ValueError:
            continue
        except Exception as error:
            raise ClaimFailed(
                "this is another error than was agreed on: a ValueError says what is wrong with "
                "the arguments; an `assert` says nothing, and `python -O` leaves it out",
                expected="ValueError",
                yours=f"{type(error).__name__}: {error}",
                where=where,
            ) from None
        raise ClaimFailed(
            "[B, 1] minus [B] is [B, B], each row compared with every other: no error, a wrong "
            "loss; refuse shapes that differ",
            expected="ValueError",
            yours=got,
            where=where,
        )


def test_the_critic_learns_not_the_returns(answer):
    """The gradient is 2 * error / B in the values."""
    values = torch.tensor([2.0, 0.0, 4.0], requires_grad=True)
    where = "values 2 0 4, returns 1 2 1"
    got = loss_of(answer, values, torch.tensor([1.0, 2.0, 1.0]), where)
    that(
        got.requires_grad,
        "the graph is cut: the critic cannot learn from this",
        expected="a graph",
        yours="none",
        where=where,
    )
    got.backward()
    message = "the gradient of a mean squared error"
    close(values.grad, [2 / 3, -4 / 3, 2.0], message, where=where, tolerance=1e-5)
