"""Exercise 14.1: the world on the device."""

import numpy as np
import torch

from burgerbot.course.claims import ClaimFailed, equal, instance, that
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import compile_kitchen

MAPS = ("..>O.\n.....\nO..G.", ".O.\n<..\n.G.\n...")
DTYPES = {
    "table": torch.int32,
    "rewards": torch.float32,
    "observations": torch.int64,
    "start": torch.int32,
    "state": torch.int32,
    "elapsed": torch.int32,
}
SMALLER = {
    torch.float64: "float64 takes twice the bytes, and some devices (mps) do not have it",
    torch.int64: "int64 takes twice the bytes, and bytes are what limits a step",
    torch.int16: "int16 has no room for the entries of a large kitchen",
}


def arrays_of(text, rewards=(-0.1, 1.5, -10.03, 50.2)):
    """The arrays of a kitchen, as the lesson gives them."""
    compiled = compile_kitchen(Kitchen.from_ascii(text))
    return {
        "table": compiled.table.astype(np.int64),
        "rewards": np.array(rewards),
        "observations": compiled.observations.copy(),
        "start": np.int64(compiled.start),
    }


def moved(answer, arrays, num_envs, device):
    """The learner's world, once its parts are tensors of the right kind on the right device."""
    where, kept = f"{num_envs} robots, device {device!r}", dict(arrays)
    try:
        world = answer.move_world(arrays, num_envs, device)
    except (AssertionError, RuntimeError) as error:
        if isinstance(error, (ClaimFailed, NotImplementedError)):
            raise
        raise ClaimFailed(
            "the world goes to the device that is asked for, whichever it is: pass `device` on, "
            f"and name none yourself (PyTorch said: {str(error)[:120]})",
            where=where,
        ) from None
    that(
        arrays.keys() == kept.keys() and all(arrays[name] is kept[name] for name in kept),
        "the caller's dictionary was changed: it is only read, and the world is a new one",
        where=where,
    )
    instance(world, dict, "a dictionary of six tensors is wanted", where=where)
    missing = [name for name in DTYPES if name not in world]
    that(
        not missing,
        "every tensor of the table above is needed by a step",
        expected=list(DTYPES),
        yours=list(world),
        where=where,
    )
    for name, dtype in DTYPES.items():
        instance(world[name], torch.Tensor, f"`{name}` is a tensor", where=where)
        wanted = torch.device(device)
        that(
            world[name].device.type == wanted.type,
            f"`{name}` is not on the device: a step that touches it would have to fetch it",
            expected=str(wanted),
            yours=str(world[name].device),
            where=where,
        )
        shape = {"table": arrays["table"].shape, "rewards": (4,)}.get(name, (num_envs,))
        shape = arrays["observations"].shape if name == "observations" else shape
        equal(
            tuple(world[name].shape),
            shape,
            f"`{name}` has another shape: the tables as they are, and one number for each robot",
            where=where,
        )
        that(
            world[name].dtype == dtype,
            f"`{name}` has another dtype. {SMALLER.get(world[name].dtype, '')}".strip(),
            expected=str(dtype),
            yours=str(world[name].dtype),
            where=where,
        )
    return world


def test_everything_is_there(answer):
    """Six tensors, with the dtypes and shapes of the table, on the device."""
    for text, num_envs in zip(MAPS, (5, 1), strict=True):
        moved(answer, arrays_of(text), num_envs, "cpu")


def test_on_the_device_that_is_asked_for(answer):
    """The device is the caller's choice, for every one of the tensors."""
    moved(answer, arrays_of(MAPS[0]), 3, "meta")
    moved(answer, arrays_of(MAPS[0]), 3, torch.device("cpu"))


def test_values_survive(answer):
    """Tables, rewards and starts are those of the arrays; the robots stand at their start."""
    for text, num_envs in zip(MAPS, (4, 7), strict=True):
        arrays = arrays_of(text)
        world = moved(answer, arrays, num_envs, "cpu")
        where = f"{num_envs} robots in\n{text}"
        for name in ("table", "observations"):
            equal(
                world[name].tolist(), arrays[name].tolist(), f"`{name}` is as it was", where=where
            )
        equal(
            world["rewards"].tolist(),
            arrays["rewards"].astype(np.float32).tolist(),
            "`rewards` is as it was, to the last digit of a float32",
            where=where,
        )
        start = [int(arrays["start"])] * num_envs
        equal(world["start"].tolist(), start, "each robot has the kitchen's start", where=where)
        equal(world["state"].tolist(), start, "the robots begin at their start", where=where)
        equal(world["elapsed"].tolist(), [0] * num_envs, "no step has been taken yet", where=where)


def test_nothing_shares_memory(answer):
    """Writing into one tensor changes no other tensor, no other robot, and no array."""
    arrays = arrays_of(MAPS[0])
    before = {name: np.array(array) for name, array in arrays.items()}
    world = moved(answer, arrays, 4, "cpu")
    for name in ("start", "state", "elapsed"):
        that(
            world[name].is_contiguous() and 0 not in world[name].stride(),
            f"all robots share one number of `{name}`: `expand` makes N names for one place. Give "
            "each robot its own",
            where="4 robots",
        )
    for name in DTYPES:
        values = {other: world[other].clone() for other in DTYPES if other != name}
        world[name].copy_(world[name] + 1)
        for other, value in values.items():
            that(
                torch.equal(world[other], value),
                f"writing into `{name}` changed `{other}`: they are one tensor with two names, and "
                "the first step would move it",
                where="4 robots",
            )
        for array, value in before.items():
            that(
                np.array_equal(arrays[array], value),
                f"writing into `{name}` changed the caller's array `{array}`: `from_numpy` and "
                "`as_tensor` share memory, `torch.tensor` copies",
                where="4 robots",
            )
    again = moved(answer, arrays, 4, "cpu")
    equal(
        again["state"].tolist(),
        [int(before["start"])] * 4,
        "a second world is a new one: nothing is kept from the first",
    )
