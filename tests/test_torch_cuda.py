"""The device environment on CUDA: what the CPU gives, no waiting, and replays that drive on.

These tests need PyTorch, NumPy and pytest, nothing else of the course.
"""

import pytest
import torch

from burgerbot.learn.device import begin_on_device, collect_on_device
from burgerbot.learn.policy import ActorCritic
from burgerbot.world.torch_vector import TorchBurgerBot

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]
STRATA = ["open", "greasy", "corridor", "cluttered"]
WORLDS = {
    "v0": ("BurgerBot-v0", {}),
    "v0, greasy": ("BurgerBot-v0", {"slip": 0.3, "kitchen": [">.G\n...", "G.>\n..."]}),
    "v1": ("BurgerBot-v1", {"max_episode_steps": 5}),
    "kitchens": ("BurgerBotKitchens-v0", {"stratum": STRATA, "family": [3, 5]}),
    "shift": ("BurgerBotShift-v0", {}),
}
EVERYTHING = pytest.mark.parametrize("world", WORLDS)


def make(world, num_envs, device):
    """One of the worlds."""
    env_id, kwargs = WORLDS[world]
    return TorchBurgerBot.make(env_id, num_envs, device, **kwargs)


def tapes(num_envs, length):
    """Random actions ``[T, N]`` in which forward is common."""
    generator = torch.Generator().manual_seed(0)
    dice = torch.randint(10, (length, num_envs), generator=generator)
    return (dice - 4).clamp(0) % 4


def flat(step):
    """The tensors of a step, on the CPU."""
    *parts, info = step
    inside = [
        v for value in info.values() for v in (value.values() if type(value) is dict else [value])
    ]
    return [part.cpu() for part in [*parts, *inside]]


def assert_equal(ours, expected, where):
    """Two steps are equal, tensor for tensor."""
    for a, b in zip(flat(ours), flat(expected), strict=True):
        assert a.dtype == b.dtype and torch.equal(a, b), where


@EVERYTHING
def test_cuda_equals_the_cpu_and_never_waits(world):
    """Sync debug mode "error" lets every step pass, and the steps are the CPU's to the bit."""
    here, there = make(world, 64, "cpu"), make(world, 64, "cuda")
    assert_equal(there.reset(3), here.reset(3), "reset")
    tape = tapes(64, 200)
    on_device = tape.cuda()
    torch.cuda.set_sync_debug_mode("error")
    try:
        steps = [there.step(actions) for actions in on_device]
    finally:
        torch.cuda.set_sync_debug_mode("default")
    for t, actions in enumerate(tape):
        assert_equal(steps[t], here.step(actions), f"step {t}")
    assert_equal(there.reset(), here.reset(), "reset without a seed")


@EVERYTHING
def test_replays_of_a_captured_step_drive_on(world):
    """A CUDA graph of one step advances the robots and their draws at each replay."""
    eager, captured = make(world, 64, "cuda"), make(world, 64, "cuda")
    assert_equal(captured.reset(3), eager.reset(3), "reset")
    tape = tapes(64, 200).cuda()
    actions, state = tape[0].clone(), captured.state_dict()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        captured.step(actions)  # warm-up
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step = captured.step(actions)
    captured.load_state_dict(state)
    for t, taken in enumerate(tape):
        actions.copy_(taken)
        graph.replay()
        assert_equal(step, eager.step(taken), f"step {t}")


@EVERYTHING
def test_rollouts_never_wait(world):
    """A rollout with the course's policy reads nothing back either."""
    envs = make(world, 64, "cuda")
    policy = ActorCritic.of(envs).cuda()
    generator = torch.Generator("cuda").manual_seed(0)
    carry = begin_on_device(envs, 0)
    torch.cuda.set_sync_debug_mode("error")
    try:
        rollout, carry = collect_on_device(
            envs, lambda seen: policy.act(seen, generator), 20, carry
        )
    finally:
        torch.cuda.set_sync_debug_mode("default")
    assert rollout.rewards.shape == (20, 64) and rollout.rewards.is_cuda


def test_a_saved_run_goes_on_on_another_device():
    """Saved on CUDA and loaded on the CPU, the run goes on to the bit."""
    there, here = make("kitchens", 64, "cuda"), make("kitchens", 64, "cpu")
    there.reset(3)
    tape = tapes(64, 60)
    for actions in tape:
        there.step(actions.cuda())
    here.load_state_dict(there.state_dict())
    for t, actions in enumerate(tape):
        assert_equal(there.step(actions.cuda()), here.step(actions), f"step {t}")


def test_memory_is_flat():
    """10,000 steps of 65,536 robots take what 10 take."""
    envs = make("kitchens", 65536, "cuda")
    envs.reset(0)
    tape = tapes(65536, 10).cuda()

    def peak(steps):
        torch.cuda.reset_peak_memory_stats()
        for t in range(steps):
            envs.step(tape[t % 10])
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated()

    few = peak(10)
    assert peak(10_000) == few


def test_actions_on_another_device_are_refused():
    """A tensor on the CPU is no action of a robot on CUDA."""
    envs = TorchBurgerBot(2, "cuda")
    envs.reset(0)
    with pytest.raises(ValueError, match="expected a tensor on cuda:0, got one on cpu"):
        envs.step(torch.zeros(2, dtype=torch.long))
