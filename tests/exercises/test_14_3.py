"""Exercise 14.3: a rollout that never leaves the device."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from burgerbot.course.claims import ClaimFailed, equal, instance, that
from burgerbot.learn.rollout import Rollout
from burgerbot.world.torch_fake import ELSEWHERE, fake, reason
from burgerbot.world.torch_vector import TorchBurgerBot

FIELDS = (
    *("observations", "actions", "rewards", "terminated", "truncated", "next_observations"),
    *("valid", "log_probs", "values"),
)
WHY = {
    "observations": "row t holds what the robots saw *before* step t, as it was when `act` got it",
    "actions": "row t holds the actions of step t",
    "rewards": "row t holds what step t paid",
    "terminated": "row t holds the `terminated` of step t",
    "truncated": "row t holds the `truncated` of step t",
    "next_observations": "what an action led to is `info['final_obs']`: at the end of an episode "
    "what the robot sees next is the start of another one",
    "valid": "with auto-reset in the same step every row is a transition: `valid` is True "
    "everywhere, ends of episodes included",
    "log_probs": "row t holds the log-probability of the action of step t, as `act` gave it",
    "values": "row t holds the value of what was seen before step t, as `act` gave it",
}


class Script:
    """N robots whose every number is written down beforehand; buffers may be handed out again."""

    def __init__(self, num_envs, reuse=False):
        self.num_envs, self.reuse, self.t = num_envs, reuse, 0
        self.robots = torch.arange(num_envs)
        self.got, self.buffers, self.resets = [], None, 0
        self.device = torch.device("cpu")

    def reset(self, seed=None, mask=None):
        self.resets += 1
        return self.sight(0), {}

    def sight(self, t):
        """What robot i sees before step t: (10 t + i, -t)."""
        return torch.stack([10.0 * t + self.robots, -1.0 * t + 0.0 * self.robots], dim=1)

    def parts(self, t):
        """What step t hands out."""
        ends, cuts = (self.robots + t) % 3 == 2, (self.robots + 2 * t) % 5 == 1
        new, over = self.sight(t + 1), (ends | cuts)[:, None]
        return [new, 100.0 * t + self.robots, ends, cuts, torch.where(over, new + 0.5, new)]

    def step(self, actions):
        self.got.append(actions.clone())
        new = self.parts(self.t)
        self.t += 1
        if self.reuse and self.buffers is not None:
            for buffer, part in zip(self.buffers, new, strict=True):
                buffer.copy_(part)
        else:
            self.buffers = new
        seen, rewards, ends, cuts, final = self.buffers
        return seen, rewards, ends, cuts, {"final_obs": final, "_final_obs": ends | cuts}


class Act:
    """A policy whose numbers tell when it was asked, and about what."""

    def __init__(self, rude=False, graph=False, reuse=False):
        self.asked, self.rude, self.reuse, self.buffers = 0, rude, reuse, None
        self.weight = torch.ones((), requires_grad=graph)

    def __call__(self, seen):
        first = seen[:, 0].clone()
        actions = (first.long() * 7 + self.asked) % 4
        if self.rude:
            seen.mul_(0.001)
        self.asked += 1
        answer = actions, -0.5 * first * self.weight, 3.0 * first * self.weight
        if not self.reuse:
            return answer
        self.buffers = self.buffers or tuple(part.clone() for part in answer)
        for buffer, part in zip(self.buffers, answer, strict=True):
            buffer.copy_(part)
        return self.buffers


def expected_of(num_envs, steps):
    """What the rollout of a ``Script`` must hold, field by field, as lists."""
    script = Script(num_envs)
    rows = {name: [] for name in FIELDS}
    for t in range(steps):
        before = script.sight(t)
        _, rewards, ends, cuts, final = script.parts(t)
        first = before[:, 0]
        row = (
            *(before, (first.long() * 7 + t) % 4, rewards, ends, cuts, final),
            *(torch.ones(num_envs, dtype=torch.bool), -0.5 * first, 3.0 * first),
        )
        for name, part in zip(FIELDS, row, strict=True):
            rows[name].append(part)
    return {name: torch.stack(parts) for name, parts in rows.items()}


def rolled(answer, script, act, steps, where, seen=None):
    """The learner's rollout, once it has tensors of the right shape."""
    result = answer.device_rollout(script, act, steps, script.sight(0) if seen is None else seen)
    that(
        isinstance(result, tuple) and not isinstance(result, Rollout) and len(result) == 2,
        "two things are returned: the rollout, and what the robots see after it",
        yours=type(result).__name__,
        where=where,
    )
    rollout, after = result
    instance(rollout, Rollout, "the first thing is a `Rollout`", where=where)
    for name in FIELDS:
        part = getattr(rollout, name)
        instance(part, torch.Tensor, f"`{name}` is a tensor: nothing goes to NumPy", where=where)
        equal(
            tuple(part.shape[:2]),
            (steps, script.num_envs),
            f"`{name}` is time-major: T rows of N robots, one row for each step of *this* rollout, "
            "whoever is done on the way",
            where=where,
        )
    return rollout, after


def compare(rollout, num_envs, steps, where, hint=""):
    """Claim that each field is right, and name the first row that is not."""
    for name, wanted in expected_of(num_envs, steps).items():
        part = getattr(rollout, name)
        equal(tuple(part.shape), tuple(wanted.shape), f"`{name}` has another shape", where=where)
        that(
            part.dtype == wanted.dtype,
            f"`{name}` has another dtype than what it was made of",
            expected=str(wanted.dtype),
            yours=str(part.dtype),
            where=where,
        )
        for t in range(steps):
            if not torch.allclose(part[t].double(), wanted[t].double()):
                raise ClaimFailed(
                    hint or WHY[name],
                    expected=f"{name}[{t}] = {wanted[t].tolist()}",
                    yours=f"{name}[{t}] = {part[t].tolist()}",
                    where=f"{where}, row {t}",
                )


def test_every_row_is_written_down(answer):
    """Each field holds the numbers of its own step, in order; the last observations come along."""
    for num_envs, steps in ((3, 7), (3, 2), (5, 4), (1, 6), (1, 1)):
        script, act = Script(num_envs), Act()
        where = f"{num_envs} robots, {steps} steps"
        rollout, after = rolled(answer, script, act, steps, where)
        equal(act.asked, steps, "the policy is asked once in each step", where=where)
        equal(len(script.got), steps, "the robots take one step in each row", where=where)
        equal(script.resets, 0, "the robots drive on from `seen`: nothing is reset", where=where)
        compare(rollout, num_envs, steps, where)
        for t, did in enumerate(script.got):
            equal(
                did.tolist(),
                rollout.actions[t].tolist(),
                "the actions that are stored are those that were carried out",
                where=f"{where}, row {t}",
            )
        that(
            isinstance(after, torch.Tensor) and torch.equal(after, script.sight(steps)),
            "the second thing is what the robots see now: the next rollout begins with it",
            expected=script.sight(steps).tolist(),
            yours=after.tolist() if isinstance(after, torch.Tensor) else after,
            where=where,
        )


def test_observations_are_kept_before_the_policy_runs(answer):
    """A policy that scales its input in place spoils no row."""
    rollout, _ = rolled(answer, Script(3), Act(rude=True), 5, "a rude policy")
    compare(
        rollout,
        3,
        5,
        "`act` scales what it is given in place",
        "what was stored is what `act` left of it. Copy `seen` before you call `act`",
    )


def test_rows_are_copies(answer):
    """An env and a policy that hand out the same tensors at each step spoil no earlier row."""
    for script, act, who in (
        (Script(4, reuse=True), Act(), "the env reuses its tensors"),
        (Script(4), Act(reuse=True), "the policy reuses its tensors"),
    ):
        rollout, _ = rolled(answer, script, act, 6, who)
        compare(
            rollout,
            4,
            6,
            f"{who}, as a replayed graph does",
            "earlier rows have the numbers of the last step: the list holds one tensor often. Copy "
            "each row when you get it",
        )


def test_the_rollout_is_the_callers(answer):
    """A second rollout changes nothing of the first."""
    first, _ = rolled(answer, Script(3), Act(), 4, "a first rollout")
    script = Script(3)
    script.t = 9
    rolled(answer, script, Act(), 4, "a second rollout", script.sight(9))
    compare(
        first,
        3,
        4,
        "the first of two rollouts of one size",
        "the second rollout wrote over the first: take new memory in each call, for what you "
        "return belongs to the caller",
    )


def test_no_graph_is_kept(answer):
    """Nothing in the rollout remembers how it was computed."""
    rollout, _ = rolled(answer, Script(3), Act(graph=True), 4, "`act` gives a graph")
    for name in FIELDS:
        that(
            not getattr(rollout, name).requires_grad,
            f"`{name}` keeps autograd's graph: memory grows with each row, and the critic would be "
            "trained through its own targets. `detach()` it, or collect under `torch.no_grad()`",
            where="`act` gives log_probs and values with a graph",
        )
    compare(rollout, 3, 4, "`act` gives a graph")


def test_the_host_never_waits(answer):
    """With tensors that have no values the whole rollout goes through."""
    where = "3 robots, 4 steps on a fake device"
    with FakeTensorMode() as mode:
        script = Script(3)
        script.robots, script.device = fake(mode, torch.arange(3)), ELSEWHERE
        try:
            rollout, after = answer.device_rollout(script, Act(), 4, script.sight(0))
        except ClaimFailed:
            raise
        except Exception as error:
            why = reason(error) or f"{type(error).__name__}: {str(error)[:120]}"
            raise ClaimFailed(
                f"the host has to wait for the device while it collects: {why}", where=where
            ) from None
        parts = {name: getattr(rollout, name) for name in FIELDS} | {"the last seen": after}
        for name, part in parts.items():
            that(
                isinstance(part, torch.Tensor) and part.device == ELSEWHERE,
                f"`{name}` is not on the device: it was copied to the host, or its memory was "
                "taken there",
                expected="the device of the robots",
                yours=str(getattr(part, "device", type(part).__name__)),
                where=where,
            )


def test_two_rollouts_are_one(answer):
    """On a real kitchen, two rollouts that hand on `seen` are one long one."""

    def drive(lengths):
        envs = TorchBurgerBot(5, "cpu", ".>O.\n....\nO..G", max_episode_steps=6)
        seen, parts = envs.reset(seed=3)[0], []
        for steps in lengths:
            rollout, seen = answer.device_rollout(envs, grid, steps, seen)
            parts.append(rollout)
        return [torch.cat([getattr(part, name) for part in parts]) for name in FIELDS]

    def grid(seen):
        total = seen.sum(dim=1)
        return total * 7 % 4, -0.1 * total.float(), total.float()

    for name, whole, halves in zip(FIELDS, drive([14]), drive([9, 5]), strict=True):
        equal(halves.tolist(), whole.tolist(), WHY[name], where="14 steps against 9 + 5")
