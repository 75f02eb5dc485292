"""Pushes and stuck sensor cells: what they do, and that nothing else changes."""

import doctest

import numpy as np
import pytest
import torch

from burgerbot.world import torch_faults, torch_vector
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.torch_fake import waits
from burgerbot.world.torch_faults import TorchFaultyKitchens, pushes
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens

SETTING = {"stratum": ["open", "greasy"], "family": [3, 4, 5]}


def make(num_envs=12, **faults):
    return TorchFaultyKitchens(num_envs, "cpu", **SETTING, **faults)


def tape(length, num_envs=12, seed=0):
    draws = torch.Generator().manual_seed(seed)
    return torch.randint(0, 4, (length, num_envs), generator=draws)


def test_without_faults_it_is_the_plain_world():
    """The same observations, rewards, flags and final observations, to the bit."""
    plain, faulty = TorchBurgerBotKitchens(12, "cpu", **SETTING), make()
    assert torch.equal(plain.reset(seed=5)[0], faulty.reset(seed=5)[0])
    for actions in tape(150):
        (*one, info), (*other, told) = plain.step(actions), faulty.step(actions)
        for a, b in zip((*one, info["final_obs"]), (*other, told["final_obs"]), strict=True):
            assert torch.equal(a, b)


def test_a_push_leads_to_a_clear_neighbour():
    """Up to four ways, never into an obstacle or the goal; the heading stays."""
    kitchen = Kitchen.from_ascii("..O\n>.G\n...")
    led = pushes(kitchen)
    middle = (1 * 3 + 1) * 4
    for heading in range(4):
        state = middle + heading
        assert led[state].tolist() == [4 + heading, state, 28 + heading, 12 + heading]
    assert led.shape == (36, 4) and (led % 4 == np.arange(36)[:, None] % 4).all()


def test_pushes_are_as_frequent_as_they_should_be():
    """Of the robots that stand still, the share that moves is push times the clear sides."""
    envs = TorchFaultyKitchens(4096, "cpu", family=3, push=0.2, max_episode_steps=None)
    envs.reset(seed=0)
    led = envs._pushes.view(-1, 4).long()
    moved, free = 0.0, 0.0
    stop = torch.full((4096,), 3)
    for _ in range(20):
        before = envs._state.clone().long()
        pushed = envs.step(stop)[-1]["pushed"]
        after = envs._state.long()
        assert torch.equal(pushed, after != before)
        assert (led[before] == after[:, None]).any(dim=1)[pushed].all()
        moved += pushed.float().mean().item()
        free += (led[before] != before[:, None]).float().mean().item()
    assert moved == pytest.approx(0.2 * free, rel=0.03)


def test_a_push_is_what_the_action_led_to():
    """The observation and the final observation agree where an episode goes on."""
    envs = make(push=0.9)
    envs.reset(seed=1)
    for actions in tape(60):
        seen, _, _, _, info = envs.step(actions)
        on = ~info["_final_obs"]
        assert torch.equal(seen[on], info["final_obs"][on])
        assert not (info["pushed"] & info["_final_obs"]).any()


def test_stuck_cells_read_the_same_for_ever():
    """So many cells a robot, others elsewhere; the goal is seen as ever."""
    plain, faulty = TorchBurgerBotKitchens(12, "cpu", **SETTING), make(stuck=4)
    rows = [(plain.reset(seed=5)[0], faulty.reset(seed=5)[0])]
    for actions in tape(200):
        rows.append((plain.step(actions)[0], faulty.step(actions)[0]))
    true, seen = (torch.stack(part) for part in zip(*rows, strict=True))
    assert torch.equal(true[..., 25:], seen[..., 25:])
    sticks = faulty._sticks
    assert sticks.sum(dim=1).tolist() == [4] * 12 and len({tuple(s) for s in sticks.tolist()}) > 6
    assert torch.equal(true[..., :25][:, ~sticks], seen[..., :25][:, ~sticks])
    assert (seen[..., :25] == seen[:1, :, :25])[:, sticks].all()
    assert set(seen[0, :, :25][sticks].tolist()) == {0.0, 1.0}


def test_a_seed_repeats_everything_and_batches_agree():
    """The same seed gives the same run, and a robot has the same faults in a batch of any size."""

    def run(num_envs):
        envs = TorchFaultyKitchens(num_envs, "cpu", family=7, slip=0.1, push=0.3, stuck=3)
        envs.reset(seed=9)
        return torch.stack([envs.step(a[:num_envs])[0][:3] for a in tape(80)])

    assert torch.equal(run(12), run(12)) and torch.equal(run(12), run(3))


def test_it_saves_and_resumes():
    """State, pushes and stuck cells come along; a twin with other faults is refused."""
    envs, twin = make(push=0.3, stuck=3), make(push=0.3, stuck=3)
    envs.reset(seed=0)
    twin.reset(seed=1)
    for actions in tape(10):
        envs.step(actions)
    twin.load_state_dict(envs.state_dict())
    for actions in tape(40, seed=1):
        assert torch.equal(envs.step(actions)[0], twin.step(actions)[0])
    other = make(push=0.2, stuck=3)
    other.reset(seed=0)
    with pytest.raises(ValueError, match="push"):
        other.load_state_dict(envs.state_dict())


def test_nothing_is_read_back():
    """A step with all faults needs no value."""
    envs = make(push=0.3, stuck=3)
    envs.reset(seed=0)

    def step(buffers, actions):
        for name, buffer in buffers.items():
            setattr(envs, name, buffer)
        (seen, *rest, info), envs.device = envs.step(actions), envs.device
        return [seen, *rest, info["final_obs"]]

    names = [name for name, part in vars(envs).items() if isinstance(part, torch.Tensor)]
    buffers = {name: getattr(envs, name) for name in names}
    tables, envs.tally = envs._tables, None
    device = envs.device

    def whole(buffers, tables, actions):
        envs._tables, envs.device = tables, actions.device
        return step(buffers, actions)

    try:
        assert waits(whole, buffers, tables, tape(1)[0]) is None
    finally:
        envs.device = device


@pytest.mark.parametrize(
    ("faults", "says"),
    [({"push": 1.5}, "push"), ({"stuck": 26}, "0 to 25 cells, got 26"), ({"stuck": -1}, "got -1")],
)
def test_misuse_is_refused(faults, says):
    """Expected and got."""
    with pytest.raises(ValueError, match=says):
        make(**faults)


def test_doctests():
    """The examples in the docstrings hold."""
    assert doctest.testmod(torch_faults).failed == 0
    assert issubclass(TorchFaultyKitchens, torch_vector.TorchBurgerBot)
