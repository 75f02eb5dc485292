"""Exercise 10.5: the loops of an update, and the stop that leaves both of them."""

import torch

from burgerbot.course.claims import ClaimFailed, close, equal, that


class Descent:
    """Plain gradient descent with learning rate 1 (torch's own takes seconds to load)."""

    def __init__(self, policy):
        self.param_groups = [{"params": list(policy.parameters()), "lr": 1.0}]

    def zero_grad(self, set_to_none=True):
        """Take the gradients away."""
        for weight in self.param_groups[0]["params"]:
            weight.grad = None if set_to_none or weight.grad is None else weight.grad.zero_()

    @torch.no_grad()
    def step(self):
        """Take a step, where there is a gradient."""
        for weight in self.param_groups[0]["params"]:
            if weight.grad is not None:
                weight -= weight.grad


class Tape:
    """A policy of two weights, its optimizer, and a loss whose KLs are written down beforehand."""

    def __init__(self, kls=(), pull=0.3, graph=False):
        self.policy = torch.nn.Linear(2, 1, bias=False)
        torch.nn.init.zeros_(self.policy.weight)
        self.optimizer = Descent(self.policy)
        self.kls, self.pull, self.graph = list(kls), pull, graph
        self.rows, self.weights = [], []

    def loss(self, rows):
        """A loss with a gradient of length ``pull``, and the next KL; 0 when they are used up."""
        self.weights.append(self.policy.weight.detach().clone()[0, 0].item())
        self.rows.append(rows.clone())
        k = len(self.rows) - 1
        kl = torch.tensor(self.kls[k] if k < len(self.kls) else 0.0)
        weight = self.policy.weight[0, 0]
        if self.graph:
            kl = kl + 0 * weight
        return -self.pull * weight, {"kl": kl, "clip_fraction": torch.tensor(0.25)}

    def run(self, answer, size, epochs, minibatches, target_kl, where, seed=5):
        """What the learner's update returns."""
        generator = torch.Generator().manual_seed(seed)
        got = answer.update(
            self.loss,
            self.policy,
            self.optimizer,
            size,
            epochs,
            minibatches,
            target_kl,
            generator,
        )
        that(
            isinstance(got, tuple) and len(got) == 2,
            "two things are returned, also after an early stop: `seen` and `steps`",
            expected="(seen, steps)",
            yours=type(got).__name__,
            where=where,
        )
        return got


def moved(tape):
    """How far the weight has come, in pulls."""
    return tape.policy.weight.detach()[0, 0].item() / tape.pull


def test_every_row_once_an_epoch(answer):
    """Each epoch deals every row to one minibatch, and the sizes differ by one at most."""
    for size, epochs, minibatches in ((12, 2, 3), (33, 2, 4), (10, 1, 3), (5, 3, 5), (7, 1, 1)):
        where = f"{size} rows, {epochs} epochs of {minibatches} minibatches"
        tape = Tape()
        tape.run(answer, size, epochs, minibatches, None, where)
        that(
            len(tape.rows) == epochs * minibatches,
            "each epoch looks at each of its minibatches once",
            expected=f"{epochs * minibatches} minibatches",
            yours=len(tape.rows),
            where=where,
        )
        for epoch in range(epochs):
            parts = tape.rows[epoch * minibatches : (epoch + 1) * minibatches]
            lengths = sorted(part.numel() for part in parts)
            dealt = sorted(torch.cat(parts).tolist())
            equal(
                dealt if len(dealt) == size else len(dealt),
                list(range(size)),
                "an epoch shows every row exactly once: draw an *order* of the rows, and cut it",
                where=f"{where}, epoch {epoch + 1}",
            )
            that(
                lengths[-1] - lengths[0] <= 1,
                "the parts are not alike: a short last one weighs as much as the others, and one "
                "of a single row has no deviation; `tensor_split` shares the rows out evenly",
                expected="sizes that differ by one at most",
                yours=[part.numel() for part in parts],
                where=f"{where}, epoch {epoch + 1}",
            )


def test_a_new_order_each_epoch(answer):
    """The order is random, new in each epoch, and comes from the generator that was given."""
    where = "40 rows, 2 epochs of 2 minibatches"

    def orders(seed, everywhere):
        torch.manual_seed(everywhere)
        tape = Tape()
        tape.run(answer, 40, 2, 2, None, where, seed)
        return torch.cat(tape.rows[:2]).tolist(), torch.cat(tape.rows[2:]).tolist()

    first, second = orders(1, 10)
    that(
        first != sorted(first),
        "the rows come in the order in which they were collected: one minibatch would be all of "
        "the first steps",
        where=where,
    )
    that(first != second, "both epochs have the same order: draw a new one in each", where=where)
    that(
        orders(1, 11) == (first, second),
        "the order does not come from the generator that was given: the run cannot be repeated",
        where=where,
    )
    that(
        orders(2, 10) != (first, second),
        "another generator gives the same order: do not seed it inside",
        where=where,
    )


def test_steps_are_taken(answer):
    """Without a limit each minibatch gives one step with its own gradient."""
    where = "8 rows, 3 epochs of 2 minibatches, a gradient of 0.3, learning rate 1"
    tape = Tape()
    seen, steps = tape.run(answer, 8, 3, 2, None, where)
    equal(steps, 6, "`steps` counts the steps that were taken", where=where)
    that(len(seen) == 6, "`seen` has a dict for each minibatch", yours=len(seen), where=where)
    close(
        tape.weights,
        [0.3 * k for k in range(6)],
        "each step takes away the gradients of the step before: forget `zero_grad`, and they pile "
        "up",
        where=f"{where}: the weight at each minibatch",
        tolerance=1e-4,
    )
    close(moved(tape), 6.0, "the last step is taken too", where=where, tolerance=1e-4)


def test_gradients_left_from_before(answer):
    """What was in the gradients before the update does not count."""
    tape, where = Tape(), "a gradient left over from something else"
    tape.policy.weight.grad = torch.full((1, 2), 9.0)
    tape.run(answer, 4, 1, 1, None, where)
    weight = tape.policy.weight.detach().tolist()
    message = "old gradients are taken away before `backward`, in the first step too"
    close(weight, [[0.3, 0.0]], message, where=where, tolerance=1e-4)


def test_long_gradients_are_shortened(answer):
    """A gradient of length 40 moves by 0.5, one of length 0.3 by 0.3."""
    for pull, wanted in ((40.0, 0.5), (0.3, 0.3)):
        where = f"one minibatch, a gradient of length {pull}, learning rate 1"
        tape = Tape(pull=pull)
        tape.run(answer, 4, 1, 1, None, where)
        close(
            tape.policy.weight.detach()[0, 0].item(),
            wanted,
            "gradients longer than 0.5 are scaled down to 0.5, after `backward` and before the "
            "step; shorter ones stay",
            where=where,
            tolerance=1e-4,
        )


def test_one_length_for_all_weights(answer):
    """Gradients of 3, 4 in one tensor and 12 in another: length 13, and all are scaled alike."""
    policy = torch.nn.Linear(2, 1)
    for weights in policy.parameters():
        torch.nn.init.zeros_(weights)

    def loss(rows):
        w, b = policy.parameters()
        return -(3 * w[0, 0] + 4 * w[0, 1] + 12 * b[0]), {"kl": 0.0}

    where = "one minibatch, gradients 3 4 and 12 in two tensors, learning rate 1"
    answer.update(loss, policy, Descent(policy), 4, 1, 1, None, torch.Generator().manual_seed(6))
    got = torch.cat([weights.detach().flatten() for weights in policy.parameters()])
    for wrong, message in {
        (0.5, 0.5, 0.5): "each entry is cut to 0.5 by itself: that turns the step into another "
        "direction; `clip_grad_norm_` scales them all alike",
        (0.3, 0.4, 0.5): "each tensor is scaled by itself: the length is that of *all* gradients "
        "together, so `policy.parameters()` go in at once",
    }.items():
        that(
            not torch.allclose(got, torch.tensor(wrong), atol=1e-3),
            message,
            expected=[1.5 / 13, 2 / 13, 6 / 13],
            yours=got.tolist(),
            where=where,
        )
    message = "the gradients of all weights together are scaled down to length 0.5"
    close(got, [1.5 / 13, 2 / 13, 6 / 13], message, where=where, tolerance=1e-4)


def stops(answer, at, epochs=3, minibatches=4, target=0.02, kl=0.05):
    """An update whose minibatch number ``at``, from 0, is the first that is too much."""
    where = (
        f"{epochs} epochs of {minibatches} minibatches, target_kl {target}, a KL of {kl} at "
        f"minibatch {at + 1} of {epochs * minibatches} and 0 elsewhere"
    )
    tape = Tape([0.0] * at + [kl])
    return tape, *tape.run(answer, 40, epochs, minibatches, target, where), where


def test_the_stop_leaves_everything(answer):
    """After the minibatch that is too much nothing is looked at, in no epoch."""
    for at in (5, 0, 3, 4, 11):
        tape, _, _, where = stops(answer, at)
        that(
            len(tape.rows) != 12 or at == 11,
            "the update goes on to its end: a KL above 1.5 * target_kl ends it, and each "
            "minibatch is looked at by itself",
            expected=f"{at + 1} minibatches looked at",
            yours=len(tape.rows),
            where=where,
        )
        that(
            len(tape.rows) == at + 1,
            "after the minibatch that was too much, another one is looked at: the stop leaves the "
            "whole update, the loop over the epochs too, and at once",
            expected=f"{at + 1} minibatches looked at",
            yours=len(tape.rows),
            where=where,
        )


def test_the_offending_minibatch_moves_nothing(answer):
    """The KL is looked at before the step: as many steps as minibatches that were all right."""
    for at in (0, 1, 5):
        tape, seen, steps, where = stops(answer, at)
        that(
            round(moved(tape), 4) != at + 1,
            "the minibatch that was too much has moved the weights: look before the step",
            expected=f"{at} steps",
            yours=f"{at + 1} steps",
            where=where,
        )
        close(moved(tape), float(at), "steps before the stop", where=where, tolerance=1e-4)
        equal(steps, at, "`steps` counts the steps that were taken, no others", where=where)
        that(
            len(seen) == at + 1,
            "the minibatch that was too much was looked at, so it is noted too: without it nobody "
            "sees why the update ended",
            expected=f"{at + 1} dicts",
            yours=len(seen),
            where=where,
        )
        kls = [noted["kl"] for noted in seen]
        close(kls, [0.0] * at + [0.05], "the KLs, in order", where=where, tolerance=1e-4)


def test_the_limit(answer):
    """1.4 times target_kl goes on, 1.6 times stops, and exactly 1.5 times goes on."""
    for factor, ends in ((1.4, False), (1.6, True), (1.5, False)):
        tape, _, _, where = stops(answer, 2, target=0.5, kl=0.5 * factor)
        that(
            (len(tape.rows) == 3) == ends,
            "the limit is 1.5 times target_kl, and only what is *above* it stops the update",
            expected="a stop" if ends else "no stop",
            yours="no stop" if ends else "a stop",
            where=where,
        )


def test_only_what_is_above(answer):
    """A negative estimate is below any limit."""
    tape, where = Tape([-1.0] * 6), "target_kl 0.02, a noted KL of -1 at all of 6 minibatches"
    _, steps = tape.run(answer, 12, 2, 3, 0.02, where)
    message = "a negative KL is an estimate that is too low by chance, and no reason to stop: only "
    equal(steps, 6, f"{message}what is *above* the limit is too much, not its size", where=where)


def test_a_target_of_zero(answer):
    """target_kl 0 is a target: the first KL above 0 ends the update."""
    tape, where = Tape([0.0, 0.1]), "target_kl 0, KLs 0 and 0.1"
    _, steps = tape.run(answer, 12, 2, 3, 0.0, where)
    message = "0 is a target, the strictest of all; only None means no limit: ask `is not None`"
    equal(steps, 1, message, where=where)


def test_a_tiny_target(answer):
    """With target_kl 1e-12 the second minibatch ends the update, after one step."""
    tape = Tape([0.0, 1e-6, 1e-6])
    where = "target_kl 1e-12, KLs 0, 1e-6, 1e-6"
    _, steps = tape.run(answer, 40, 10, 4, 1e-12, where)
    equal(steps, 1, "the first step is taken, the second is not, and then all ends", where=where)
    equal(len(tape.rows), 2, "the stop leaves the whole update", where=where)


def test_no_target_no_stop(answer):
    """target_kl None: no KL is too large."""
    where = "target_kl None, KLs of 100"
    tape = Tape([100.0] * 6)
    try:
        _, steps = tape.run(answer, 12, 2, 3, None, where)
    except TypeError as error:
        raise ClaimFailed(
            "target_kl may be None: then there is no limit",
            yours=f"TypeError: {error}",
            where=where,
        ) from None
    equal(steps, 6, "without a target the update runs to its end", where=where)


def test_notes_are_numbers(answer):
    """Everything that the loss tells is noted, as numbers that hold no graph."""
    tape, where = Tape([0.01, 0.02], graph=True), "2 minibatches, a KL with a graph"
    seen, _ = tape.run(answer, 8, 1, 2, None, where)
    for noted in seen:
        that(
            isinstance(noted, dict) and set(noted) == {"kl", "clip_fraction"},
            "all that the loss tells is noted, under its own names",
            expected=["clip_fraction", "kl"],
            yours=sorted(noted) if isinstance(noted, dict) else type(noted).__name__,
            where=where,
        )
        that(
            not any(isinstance(number, torch.Tensor) for number in noted.values()),
            "a tensor is noted: it may hold the whole graph that it was computed from, and memory "
            "grows with each minibatch; note `float(...)`",
            expected="numbers",
            yours=[type(number).__name__ for number in noted.values()],
            where=where,
        )
    close([noted["kl"] for noted in seen], [0.01, 0.02], "the KLs", where=where, tolerance=1e-4)
    clips = [noted["clip_fraction"] for noted in seen]
    close(clips, [0.25, 0.25], "the clip fractions", where=where, tolerance=1e-4)
