"""Exercise 14.2: a step for which the host never waits."""

import numpy as np
import torch

from burgerbot.course.claims import ClaimFailed, equal, instance, that
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import compile_kitchen
from burgerbot.world.torch_fake import waits

MAPS = ("..>O.\n.....\nO..G.", ".O.\n<..\n.G.\n...", ">G\n..")
NAMES = ("seen", "reward", "terminated", "truncated", "final")
DTYPES = (torch.int64, torch.float32, torch.bool, torch.bool, torch.int64)
REWARDS = (-0.125, 1.5, -10.0, 50.25)
FOREIGN = (
    "a number is made on the host and sent to the device in each step, and the host waits until it "
    "is there: `torch.tensor(0, device=...)` does that. Write the plain number, or `zeros_like`"
)


def world_of(text, starts, rewards=REWARDS):
    """The tensors of some robots, each with a start of its own."""
    compiled = compile_kitchen(Kitchen.from_ascii(text))
    start = torch.tensor(starts, dtype=torch.int32)
    return {
        "table": torch.tensor(compiled.table, dtype=torch.int32),
        "rewards": torch.tensor(rewards, dtype=torch.float32),
        "observations": torch.tensor(compiled.observations),
        "start": start,
        "state": start.clone(),
        "elapsed": torch.zeros(len(starts), dtype=torch.int32),
    }


def starts_in(text, number, rng):
    """Random clear states that are not the goal."""
    kitchen = Kitchen.from_ascii(text)
    cells = [r * kitchen.cols + c for r, c in kitchen.clear_cells() if (r, c) != kitchen.goal]
    return [int(rng.choice(cells)) * 4 + int(rng.integers(4)) for _ in range(number)]


def stepped(answer, world, actions, limit, where):
    """The learner's five tensors, once they are tensors of the right kind."""
    try:
        result = answer.device_step(world, actions, limit)
    except IndexError as error:
        raise ClaimFailed(
            "a look-up outside of a table: an action is looked up at `state * 4 + action`, and an "
            "entry holds the next state (`>> 2`) above the two bits of the outcome (`& 3`) "
            f"({error})",
            where=where,
        ) from None
    that(
        isinstance(result, tuple) and len(result) == 5,
        "five things are returned: seen, reward, terminated, truncated, final",
        yours=type(result).__name__ if not isinstance(result, tuple) else f"{len(result)} things",
        where=where,
    )
    number = len(actions)
    for name, dtype, part in zip(NAMES, DTYPES, result, strict=True):
        instance(part, torch.Tensor, f"`{name}` is a tensor, on the device", where=where)
        shape = (number, 4) if dtype == torch.int64 else (number,)
        equal(tuple(part.shape), shape, f"`{name}` has one row for each robot", where=where)
        that(
            part.dtype == dtype,
            f"`{name}` has another dtype",
            expected=str(dtype),
            yours=str(part.dtype),
            where=where,
        )
    return result


def slow(world, actions, limit):
    """The loop of the exercise, in Python's numbers; the world after it comes along."""
    table, look = world["table"].tolist(), world["observations"].tolist()
    rewards = world["rewards"].tolist()
    rows, state, elapsed = [], [], []
    for s, e, a, first in zip(
        world["state"].tolist(),
        world["elapsed"].tolist(),
        actions.tolist(),
        world["start"].tolist(),
        strict=True,
    ):
        entry = table[s * 4 + a]
        after, outcome, e = entry >> 2, entry & 3, e + 1
        ends, cut = outcome >= 2, e >= limit
        state.append(first if ends or cut else after)
        elapsed.append(0 if ends or cut else e)
        rows.append((look[state[-1]], rewards[outcome], ends, cut, look[after]))
    return [list(column) for column in zip(*rows, strict=True)], state, elapsed


WHY = {
    "seen": "what a robot sees now is the observation of its state *after* the reset, where there "
    "was one",
    "reward": "a reward is that of the robot's own outcome",
    "terminated": "`terminated` is True where the outcome is 2 (crashed) or 3 (delivered), and "
    "nowhere else: the step limit has a flag of its own",
    "truncated": "`truncated` is True from the limit on, also where the same step terminates; the "
    "step under way counts",
    "final": "`final` is what each robot's action led to, *before* any reset, for all N robots",
}


HOW = {  # (terminated, truncated) -> what happens to the robot
    (False, False): "its episode goes on",
    (True, False): "its episode terminates",
    (False, True): "the limit truncates its episode",
    (True, True): "its episode terminates in the step that the limit truncates",
}


def compare(result, expected, where, hint=""):
    """Claim that five columns are right, and name the first robot for which one is not."""
    columns = list(zip(NAMES, result, expected, strict=True))
    for name, part, wanted in (*columns[1:], columns[0]):  # what the robots see follows from all
        for i, (got, right) in enumerate(zip(part.tolist(), wanted, strict=True)):
            if got != right:
                how = HOW[expected[2][i], expected[3][i]]
                raise ClaimFailed(
                    hint + WHY[name],
                    expected=right,
                    yours=got,
                    where=f"{where}, robot {i}: {how}",
                )


def test_a_step_by_hand(answer):
    """Two robots beside the goal: one delivers and is reset, the other turns."""
    world = world_of(MAPS[2], [1, 1])
    where = "kitchen '>G / ..', actions forward and turn_right, limit 9"
    result = stepped(answer, world, torch.tensor([0, 2]), 9, where)
    equal(result[1].tolist(), [50.25, -0.125], WHY["reward"], where=where)
    equal(result[2].tolist(), [True, False], WHY["terminated"], where=where)
    equal(result[3].tolist(), [False, False], WHY["truncated"], where=where)
    equal(result[4][:, :3].tolist(), [[0, 1, 1], [0, 0, 2]], WHY["final"], where=where)
    equal(result[0][:, :3].tolist(), [[0, 0, 1], [0, 0, 2]], WHY["seen"], where=where)
    equal(world["state"].tolist(), [1, 2], "the delivered robot is back at its start", where=where)
    equal(
        world["elapsed"].tolist(),
        [0, 1],
        "a reset puts the robot's own counter to 0, and every other robot's counts on",
        where=where,
    )


def test_every_robot_as_in_the_loop(answer):
    """Robots with starts of their own, over many steps, are those of the slow loop."""
    rng = np.random.default_rng(14)
    for text, number, limit in zip(MAPS, (7, 5, 1), (6, 9, 3), strict=True):
        world = world_of(text, starts_in(text, number, rng))
        world["elapsed"][-1] = limit + 2  # as after a run with a higher limit
        for t in range(40):
            actions = torch.tensor(rng.choice(4, size=number, p=[0.55, 0.15, 0.15, 0.15]))
            where = f"step {t} of {number} robots, limit {limit}, in\n{text}"
            expected, state, elapsed = slow(world, actions, limit)
            result = stepped(answer, world, actions, limit, where)
            compare(result, expected, where)
            equal(
                world["state"].tolist(),
                state,
                "the robots whose episode is over stand at their own start, and the others where "
                "their action led; the dictionary holds it for the next step",
                where=where,
            )
            equal(
                world["elapsed"].tolist(),
                elapsed,
                "`elapsed` counts each robot's own steps, from 0 after a reset",
                where=where,
            )


def test_a_large_kitchen_and_a_long_episode(answer):
    """Indices, entries and counters need their 32 bits."""
    rng = np.random.default_rng(32)
    elapsed = [0, 126, 254, 32_766, 65_534, 2**24]
    states, number = 20_000, len(elapsed)
    entries = rng.integers(states, size=states * 4) * 4 + rng.integers(2, size=states * 4)
    start = torch.tensor(rng.integers(states, size=number), dtype=torch.int32)
    world = {
        "table": torch.tensor(entries, dtype=torch.int32),
        "rewards": torch.tensor(REWARDS),
        "observations": torch.tensor(rng.integers(9, size=(states, 4))),
        "start": start,
        "state": torch.tensor(rng.integers(states - 9, states, size=number), dtype=torch.int32),
        "elapsed": torch.tensor(elapsed, dtype=torch.int32),
    }
    hint = (
        "with 20,000 states an index and an entry reach 80,000: int16 ends at 32,767, int8 at 127. "
    )
    for t in range(4):
        actions, where = torch.tensor(rng.integers(4, size=number)), f"step {t}, 20,000 states"
        expected, state, counts = slow(world, actions, 2**25)
        compare(stepped(answer, world, actions, 2**25, where), expected, where, hint)
        equal(world["state"].tolist(), state, f"{hint}This is `state`", where=where)
        equal(
            world["elapsed"].tolist(),
            counts,
            "a counter of steps is lost in a small dtype: int8 ends at 127, int16 at 32,767, and "
            "float32 counts to 16,777,216 and stops",
            where=where,
        )


def test_buffers_stay_in_place(answer):
    """State and elapsed are written in place, so that a recorded step can be replayed."""
    world = world_of(MAPS[0], [8, 9, 10])
    buffers = dict(world)
    places = {name: tensor.data_ptr() for name, tensor in world.items()}
    for t in range(8):
        stepped(answer, world, torch.tensor([0, t % 4, 3]), 4, f"step {t}")
    for name, place in places.items():
        that(
            world.get(name) is buffers[name] and world[name].data_ptr() == place,
            f"`world[{name!r}]` is another tensor after the step: a replayed graph would go on "
            "with the old one. Write into it with `copy_`",
            where="3 robots, 8 steps",
        )


def test_what_is_handed_out_stays(answer):
    """No later step changes what a step returned, and no step writes into its arguments."""
    world = world_of(MAPS[1], [16, 17, 18, 19])
    tables = {name: world[name].clone() for name in ("table", "rewards", "observations", "start")}
    kept, copies = [], []
    for t in range(12):
        actions = torch.tensor([t % 4, (t + 1) % 4, 0, 0])
        given = actions.clone()
        kept.append(stepped(answer, world, actions, 5, f"step {t}"))
        copies.append([part.clone() for part in kept[-1]])
        that(
            torch.equal(actions, given),
            "the caller's `actions` were written into: `*=`, `+=` and methods with `_` at the end "
            "change a tensor in place",
            where=f"step {t}",
        )
    for name, before in tables.items():
        that(torch.equal(world[name], before), f"the step wrote into `{name}`", where="12 steps")
    for t, (parts, before) in enumerate(zip(kept, copies, strict=True)):
        for name, part, value in zip(NAMES, parts, before, strict=True):
            that(
                torch.equal(part, value),
                f"a later step changed the `{name}` of an earlier one: the caller got the world's "
                "own memory. Hand out a new tensor",
                where=f"step {t} of 12",
            )
        for name, part in zip(NAMES, parts, strict=True):
            part.fill_(1)
            that(
                all(torch.equal(world[n], v) for n, v in tables.items()),
                f"the caller wrote into `{name}`, and a table changed: hand out a new tensor",
                where=f"step {t} of 12",
            )


def test_the_host_never_waits(answer):
    """With tensors that have no values the step goes through: it asks for none."""
    for number in (1, 6):
        world = world_of(MAPS[0], [8] * number)
        actions = torch.zeros(number, dtype=torch.int64)
        try:
            why = waits(lambda w, a: answer.device_step(w, a, 5), world, actions)
        except Exception as error:
            foreign = "to FakeTensors" in str(error)
            raise ClaimFailed(
                FOREIGN
                if foreign
                else "the step cannot run on a device whose values the host does not see "
                f"({type(error).__name__}: {str(error)[:120]})",
                where=f"{number} robots on a fake device",
            ) from None
        that(
            why is None,
            f"the host has to wait for the device in each step: {why}",
            where=f"{number} robots on a fake device",
        )
