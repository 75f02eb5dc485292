"""The device environment: nothing read back, buffers in place, statistics, clear refusals."""

import doctest
import io
import subprocess
import sys
import textwrap

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode
from test_parity import WORLDS, tape_of
from torch._subclasses.fake_tensor import FakeTensorMode

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.world import torch_checks, torch_kitchens, torch_tally, torch_vector
from burgerbot.world.kitchen import CLASSIC, Kitchen, KitchenError
from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens
from burgerbot.world.torch_vector import TorchBurgerBot

IDS = ("BurgerBot-v0", "BurgerBot-v1", "BurgerBotKitchens-v0", "BurgerBotShift-v0")
EVERYTHING = pytest.mark.parametrize("world", WORLDS)


def make(world, num_envs):
    """The device env of one of the ladder's worlds."""
    env_id, kwargs = WORLDS[world]
    return TorchBurgerBot.make(env_id, num_envs, "cpu", **kwargs)


def tapes(seed, num_envs, length):
    """Random actions ``[T, N]`` in which forward is common."""
    return torch.from_numpy(tape_of(seed, num_envs, length))


def flat(step):
    """The tensors of a step or a reset, by name."""
    *parts, info = step
    named = dict(zip(("observations", "rewards", "terminated", "truncated"), parts, strict=False))
    for name, value in info.items():
        inside = value if isinstance(value, dict) else {"": value}
        named |= {name + key: tensor for key, tensor in inside.items()}
    return named


def assert_equal(ours, expected, where):
    """Two steps are equal, tensor for tensor."""
    ours, expected = flat(ours), flat(expected)
    assert list(ours) == list(expected), where
    for name in expected:
        assert ours[name].dtype == expected[name].dtype, f"{where}, {name}"
        assert torch.equal(ours[name].cpu(), expected[name].cpu()), f"{where}, {name}"


def reset_both(envs, twin):
    """Begin two environments with the same seed."""
    envs.reset(0)
    twin.reset(0)


# Nothing is read back


@EVERYTHING
def test_step_needs_no_value(world):
    """With fake tensors, which have no values, every step goes through."""
    envs = make(world, 4)
    envs.reset(0)
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        for _ in range(2):
            step = envs.step(mode.from_tensor(torch.zeros(4, dtype=torch.long)))
        assert step[0].shape[0] == 4


@pytest.mark.parametrize(
    "peek",
    [
        lambda envs, step: step[1][0].item(),
        lambda envs, step: bool((step[2] | step[3]).any()),
        lambda envs, step: bool(envs._state.any()),
        lambda envs, step: step[2].nonzero(),
        lambda envs, step: step[0][step[2]],
    ],
)
def test_a_step_that_peeks_is_caught(peek):
    """The test above does see ``item``, ``if done.any()``, ``nonzero`` and indexing by flags."""
    envs = make("v0", 4)
    envs.reset(0)
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        step = envs.step(mode.from_tensor(torch.zeros(4, dtype=torch.long)))
        with pytest.raises(Exception, match=r"_local_scalar_dense|nonzero|data|symbolic"):
            peek(envs, step)


@EVERYTHING
def test_one_graph_gives_what_eager_gives(world):
    """``torch.compile`` takes the step as one graph, and its steps are equal to the bit."""
    torch._dynamo.reset()
    eager, compiled = make(world, 5), make(world, 5)
    step = torch.compile(compiled.step, fullgraph=True, backend="eager")
    assert_equal(compiled.reset(3), eager.reset(3), "reset")
    for t, actions in enumerate(tapes(0, 5, 30)):
        assert_equal(step(actions), eager.step(actions), f"step {t}")
    assert_equal(compiled.reset(), eager.reset(), "reset")


# Buffers and outputs


@EVERYTHING
def test_buffers_stay_where_they_are(world):
    """Steps, masked resets and loads write in place, so a captured graph stays good."""
    envs = make(world, 6)
    envs.reset(0)
    places = {name: record.data_ptr() for name, record in envs._records().items()}
    state = envs.state_dict()
    for actions in tapes(0, 6, 9):
        envs.step(actions)
    envs.reset(mask=torch.arange(6) < 3)
    envs.load_state_dict(state)
    envs.reset()
    assert {name: record.data_ptr() for name, record in envs._records().items()} == places


@EVERYTHING
def test_outputs_are_the_callers(world):
    """What was handed out never changes, and writing into it changes nothing."""
    envs, twin = make(world, 5), make(world, 5)
    kept = [envs.reset(0)]
    twin.reset(0)
    copies = [{n: x.clone() for n, x in flat(kept[0]).items()}]
    for t, actions in enumerate(tapes(0, 5, 30)):
        kept.append(envs.step(actions))
        copies.append({n: x.clone() for n, x in flat(kept[-1]).items()})
        rude = twin.step(actions.clone())
        assert_equal(rude, kept[-1], f"step {t}")
        for tensor in flat(rude).values():
            tensor.fill_(1)
    for before, now in zip(copies, kept, strict=True):
        assert all(torch.equal(before[name], x) for name, x in flat(now).items())


def test_outputs_go_to_others_without_a_copy():
    """NumPy takes observations, rewards and flags by DLPack, on the same memory."""
    envs = TorchBurgerBot(3, "cpu")
    envs.reset(0)
    for tensor in envs.step(torch.tensor([0, 1, 2]))[:4]:
        array = np.from_dlpack(tensor)
        assert array.ctypes.data == tensor.data_ptr() and tensor.is_contiguous()
        assert np.array_equal(array, tensor.numpy())


@pytest.mark.parametrize("dtype", torch_checks.INTEGERS)
def test_any_integers_are_actions_by_their_lowest_two_bits(dtype):
    """All integer dtypes do; numbers out of range do not leave the table."""
    envs, twin = (TorchBurgerBot(6, "cpu", slip=0.2) for _ in range(2))
    reset_both(envs, twin)
    wild = torch.tensor([4, 5, 127, 0, 2, 100]).to(dtype)
    assert_equal(envs.step(wild), twin.step(torch.tensor([0, 1, 3, 0, 2, 0])), "wild")
    if dtype.is_signed:
        below = torch.tensor([-1, -2, -3, -4, -128, 3]).to(dtype)
        assert_equal(envs.step(below), twin.step(torch.tensor([3, 2, 1, 0, 0, 3])), "negative")


# Statistics


@pytest.mark.parametrize("world", ["v0, 3x5", "v1, greasy", "greasy", "shift, short"])
def test_the_tally_is_what_a_slow_count_gives(world):
    """Returns, lengths, finished episodes, deliveries and crashes, robot by robot."""
    envs = make(world, 6)
    envs.reset(1)
    rows = [envs.step(actions) for actions in tapes(2, 6, 120)]
    for i in range(6):
        paid, length, sums = 0.0, 0, [0.0, 0, 0, 0, 0]
        for _, rewards, terminated, truncated, info in rows:
            paid, length = paid + rewards[i].item(), length + 1
            assert info["episode"]["r"][i].item() == pytest.approx(paid, abs=1e-9)
            assert info["episode"]["l"][i].item() == length
            outcome = info["outcome"][i].item()
            sums[3] += outcome == 3
            sums[4] += outcome == 2
            done = (terminated | truncated)[i].item()
            assert info["_episode"][i].item() is done
            if done:
                sums = [sums[0] + paid, sums[1] + length, sums[2] + 1, *sums[3:]]
                paid, length = 0.0, 0
        got = [record[i].item() for record in envs.tally]
        assert got == pytest.approx([paid, *sums], abs=1e-9)


def test_resets_restart_the_sums():
    """A reset drops the sums of episodes that it breaks off; a reset of all, the counts too."""
    envs = TorchBurgerBot(2, "cpu", ">..G")
    envs.reset(0)
    for action in (0, 0, 0, 0, 0):
        envs.step(torch.tensor([action, 3]))
    assert envs.tally.delivered.tolist() == [1, 0] and envs.tally.return_sum.tolist() == [52.0, 0]
    before = envs.tally.running_return.tolist()
    assert before == pytest.approx([2.0, -0.5])
    envs.reset(mask=torch.tensor([True, False]))
    assert envs.tally.running_return.tolist() == pytest.approx([0.0, -0.5])
    assert envs.tally.delivered.tolist() == [1, 0] and envs.tally.finished.tolist() == [1, 0]
    info = envs.step(torch.tensor([0, 3]))[4]
    assert info["episode"]["l"].tolist() == [1, 6] and info["episode"]["r"][0].item() == 1.0
    envs.reset()
    assert all(not record.any() for record in envs.tally)
    assert envs.step(torch.tensor([0, 3]))[4]["episode"]["l"].tolist() == [1, 1]


def test_episodes_are_as_long_as_they_are():
    """Length and return are those of a limit of 3 for every episode, not for the first alone."""
    envs = TorchBurgerBot(2, "cpu", max_episode_steps=3)
    envs.reset(0)
    lengths = []
    for _ in range(12):
        _, _, _, truncated, info = envs.step(torch.tensor([3, 3]))
        if truncated.any():
            lengths.append(info["episode"]["l"].tolist())
            assert info["episode"]["r"].tolist() == pytest.approx([-0.3, -0.3])
    assert lengths == [[3, 3]] * 4 and envs.tally.finished.tolist() == [4, 4]
    assert envs.tally.length_sum.tolist() == [12, 12]


def test_counters_do_not_overflow():
    """Without a limit a robot counts its steps beyond 32 bits, and no flag rises."""
    envs = TorchBurgerBot.make("BurgerBotShift-v0", 1)
    envs.reset(0)
    state = envs.state_dict()
    state["elapsed"][:] = 2**31 - 1
    state["delivered"][:] = 2**31 - 1
    envs.load_state_dict(state)
    for action in [1, 2, 3]:
        *_, truncated, info = envs.step(torch.tensor([action]))
        assert not truncated.any()
    assert info["episode"]["l"].item() == 2**31 + 2
    far = TorchBurgerBot(1, max_episode_steps=2**40)
    far.reset(0)
    assert far.step(torch.tensor([3]))[4]["episode"]["l"].dtype == torch.int64


def test_without_statistics_the_robots_drive_the_same():
    """Only the statistics are missing."""
    kwargs = {"kitchens": ">.G\n...", "slip": 0.2}
    envs, lean = TorchBurgerBot(9, **kwargs), TorchBurgerBot(9, **kwargs, statistics=False)
    reset_both(envs, lean)
    assert lean.tally is None
    for actions in tapes(0, 9, 50):
        full = envs.step(actions)
        for name in ("episode", "_episode"):
            del full[4][name]
        assert_equal(lean.step(actions), full, "step")


# Masks and seeds


def test_masks_none_one_and_all():
    """No mask means all, an empty mask changes and draws nothing, with one robot too."""
    for num_envs in (1, 3):
        envs, twin = (
            TorchBurgerBotKitchens(num_envs, stratum="greasy", family=1) for _ in range(2)
        )
        reset_both(envs, twin)
        for actions in tapes(0, num_envs, 5):
            assert_equal(envs.step(actions), twin.step(actions), "before")
        nobody = torch.zeros(num_envs, dtype=torch.bool)
        for _ in range(3):
            seen, infos = envs.reset(mask=nobody)
            envs.reset(7, mask=nobody)
            assert infos == {} and torch.equal(seen, twin.reset(mask=nobody)[0])
        for actions in tapes(1, num_envs, 30):
            assert_equal(envs.step(actions), twin.step(actions), "after empty masks")
        assert torch.equal(envs.reset(mask=~nobody)[0], twin.reset()[0])


def test_draws_do_not_depend_on_the_batch():
    """Robot i of a small batch and of a large one with the same seed live the same life."""
    few, many = (TorchBurgerBotKitchens(n, stratum="greasy", family=2) for n in (3, 300))
    reset_both(few, many)
    tape = tapes(0, 300, 60)
    for actions in tape:
        a, b = few.step(actions[:3]), many.step(actions)
        assert torch.equal(a[0], b[0][:3]) and torch.equal(a[2], b[2][:3])


def test_without_a_seed_runs_differ_and_with_one_they_repeat():
    """The first reset without a seed takes one of its own; the same seed repeats the run."""
    runs = []
    for seed in (None, None, 5, 5):
        envs = TorchBurgerBotKitchens(50, family=1)
        runs.append(envs.reset(seed)[0])
    assert not torch.equal(runs[0], runs[1]) and torch.equal(runs[2], runs[3])


# Saved states


@EVERYTHING
def test_a_loaded_twin_goes_on_to_the_bit(world):
    """Saved in the middle of episodes, through ``torch.save``, into a twin with another past."""
    envs, twin = make(world, 6), make(world, 6)
    envs.reset([3, None, 5, 6, 2**70, 8])
    twin.reset(77)
    for part in range(4):
        for actions in tapes(part, 6, 3 + 5 * part):
            envs.step(actions)
        buffer = io.BytesIO()
        torch.save(envs.state_dict(), buffer)
        buffer.seek(0)
        twin.load_state_dict(torch.load(buffer, weights_only=True))
        for record, other in zip(envs._records().values(), twin._records().values(), strict=True):
            assert torch.equal(record, other)
        for t, actions in enumerate(tapes(50 + part, 6, 25)):
            assert_equal(twin.step(actions), envs.step(actions), f"step {t}")
    assert_equal(twin.reset(), envs.reset(), "reset without a seed")


def test_another_environments_state_is_refused_and_nothing_changes():
    """Other arguments and torn records: said, and the run goes on as its twin does."""
    kwargs = {"kitchens": [">.G", "G.>"], "slip": 0.4}
    envs, twin = (TorchBurgerBot(4, **kwargs) for _ in range(2))
    with pytest.raises(RuntimeError, match="call reset"):
        envs.state_dict()
    reset_both(envs, twin)
    state = envs.state_dict()
    for name, other in {
        "num_envs": TorchBurgerBot(2, **kwargs),
        "kitchens": TorchBurgerBot(4, kitchens=">.G", slip=0.4),
        "slip": TorchBurgerBot(4, **{**kwargs, "slip": 0.1}),
        "gamma": TorchBurgerBot(4, **kwargs, gamma=0.5),
        "max_episode_steps": TorchBurgerBot(4, **kwargs, max_episode_steps=9),
    }.items():
        other.reset(0)
        with pytest.raises(ValueError, match=f"expected {name} .*, got "):
            envs.load_state_dict(other.state_dict())
    for broken, says in (
        ({"state": torch.full((4,), 12, dtype=torch.int32)}, "expected numbers from 0 to 11"),
        ({"elapsed": torch.zeros(3, dtype=torch.int32)}, r"expected \(\(4,\), torch.int32\)"),
        ({"slip_words": torch.zeros(4)}, "torch.float32"),
        ({"more": 1}, "state: expected"),
    ):
        with pytest.raises(ValueError, match=says):
            envs.load_state_dict({**state, **broken})
    kitchens = TorchBurgerBotKitchens(2)
    kitchens.reset(0)
    with pytest.raises(ValueError, match="expected a list of 2 ints"):
        kitchens.load_state_dict({**kitchens.state_dict(), "seeds": [1]})
    for t, actions in enumerate(tapes(1, 4, 20)):
        assert_equal(envs.step(actions), twin.step(actions), f"step {t}")


# Refusals


@pytest.mark.parametrize(
    ("kwargs", "error", "says"),
    [
        ({"num_envs": 0}, ValueError, "num_envs: expected 1 or more, got 0"),
        ({"num_envs": -3}, ValueError, "num_envs: expected 1 or more"),
        ({"num_envs": True}, ValueError, "num_envs"),
        ({"num_envs": 2.5}, ValueError, "num_envs"),
        ({"device": "tpu"}, ValueError, "device: expected cpu, cuda or mps, got 'tpu'"),
        ({"device": "cuda:99"}, ValueError, r"device: expected one that is here \(cpu:0"),
        ({"device": "cpu:1"}, ValueError, "got 'cpu:1'"),
        ({"num_envs": 10**12}, MemoryError, "robots need .* GiB on cpu, which has .* room for"),
        ({"num_envs": 3, "kitchens": [">.G", "G.>"]}, ValueError, "multiple of 2 kitchens"),
        ({"num_envs": 2, "kitchens": [">.G", ">..G"]}, ValueError, "one or more of one size"),
        ({"kitchens": []}, ValueError, "kitchens: expected one or more, got none"),
        ({"kitchens": 7}, TypeError, "got a int"),
        ({"kitchens": torch.zeros(3, device="meta")}, TypeError, "got a Tensor on meta"),
        ({"kitchens": ">.O"}, KitchenError, "goal"),
        ({"kitchens": [torch.zeros(3, device="meta")]}, TypeError, "got a Tensor on meta"),
        ({"slip": 1.5}, ValueError, "slip: expected a number from 0 to 1"),
        ({"gamma": -1}, ValueError, "gamma"),
        ({"rewards": (1, 2)}, ValueError, "rewards: expected 4"),
        ({"max_episode_steps": 0}, ValueError, "max_episode_steps: expected None, or 1 or more"),
    ],
)
def test_bad_arguments_are_refused(kwargs, error, says):
    """Each says what was expected and what was given."""
    with pytest.raises(error, match=says):
        TorchBurgerBot(**kwargs)


@pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA device is here")
def test_an_absent_device_is_named():
    """Without CUDA the message says what there is."""
    with pytest.raises(ValueError, match=r"expected one that is here \(cpu:0.*\), got 'cuda'"):
        TorchBurgerBot(2, "cuda")


def test_a_full_gpu_is_refused_before_it_is_filled(monkeypatch):
    """The free memory of the GPU decides, and the message says how many robots fit."""
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (10**6, 10**9))
    with pytest.raises(MemoryError, match=r"1,048,576 robots need 0.\d GiB on cuda:0.*room for"):
        torch_checks.enough_memory(1_048_576, 400, torch.device("cuda:0"))


def test_families_and_strata_are_checked():
    """N is a multiple of both; an unknown stratum is named."""
    with pytest.raises(ValueError, match="multiple of 2 families"):
        TorchBurgerBotKitchens(3, family=[1, 2])
    with pytest.raises(ValueError, match="multiple of 2 strata"):
        TorchBurgerBotKitchens(3, stratum=["open", "greasy"])
    with pytest.raises(ValueError, match="expected one of open"):
        TorchBurgerBotKitchens(3, stratum="wet")
    with pytest.raises(ValueError, match="env_id: expected one of BurgerBot-v0"):
        TorchBurgerBot.make("BurgerBot-v9", 3)


def test_slip_can_be_set_for_a_robustness_panel():
    """A slip of one's own takes the place of every stratum's."""
    envs = TorchBurgerBotKitchens(400, stratum=["open", "greasy"], family=3, slip=0.3)
    envs.reset(0)
    before = envs._state.clone()
    envs.step(torch.full((400,), 3))
    slid = (envs._state != before) | (envs.tally.finished > 0)
    assert 0.2 < slid[:200].float().mean() < 0.4 and 0.2 < slid[200:].float().mean() < 0.4


@pytest.mark.parametrize(
    ("actions", "error", "says"),
    [
        (torch.zeros(2, dtype=torch.long), ValueError, r"expected shape \(3,\), got \(2,\)"),
        (torch.zeros(3, 1, dtype=torch.long), ValueError, r"got \(3, 1\)"),
        (torch.zeros(3), TypeError, "integers from 0 to 3, got dtype torch.float32"),
        (torch.zeros(3, dtype=torch.bool), TypeError, "got dtype torch.bool"),
        (torch.zeros(3, dtype=torch.long, device="meta"), ValueError, "on cpu, got one on meta"),
        (np.zeros(3, dtype=int), TypeError, "expected a tensor on cpu, got ndarray"),
        ([0, 0, 0], TypeError, "got list"),
    ],
)
def test_bad_actions_are_refused_and_nothing_is_lost(actions, error, says):
    """Dtype, shape and device are checked without looking at a value."""
    envs, twin = (TorchBurgerBot(3, slip=0.2) for _ in range(2))
    with pytest.raises(RuntimeError, match="call reset"):
        envs.step(torch.zeros(3, dtype=torch.long))
    reset_both(envs, twin)
    with pytest.raises(error, match=f"actions: .*{says}"):
        envs.step(actions)
    assert_equal(envs.step(torch.arange(3)), twin.step(torch.arange(3)), "after the refusal")


def test_bad_masks_and_seeds_are_refused():
    """A mask before the first reset, of another kind or length; seeds of another length."""
    envs = TorchBurgerBot(3)
    good = torch.tensor([True, False, True])
    with pytest.raises(RuntimeError, match="reset all robots once"):
        envs.reset(mask=good)
    envs.reset()
    for mask, error, says in (
        (good.int(), TypeError, "mask: expected bool, got dtype torch.int32"),
        (good[:2], ValueError, r"mask: expected shape \(3,\)"),
        (good.numpy(), TypeError, "mask: expected a tensor on cpu, got ndarray"),
    ):
        with pytest.raises(error, match=says):
            envs.reset(mask=mask)
    with pytest.raises(ValueError, match="seed: expected 3 seeds, got 2"):
        envs.reset([1, 2])


# Elsewhere


BARE = """
    import sys

    class Nothing:
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] in {blocked}:
                raise ImportError(f"{{name}} is not installed here")

    sys.meta_path.insert(0, Nothing())
    import torch
    from burgerbot.world.torch_vector import TorchBurgerBot
    from burgerbot.learn.device import collect_on_device

    for env_id in {ids}:
        envs = TorchBurgerBot.make(env_id, 4, "cpu")
        act = lambda seen: torch.randint(4, (4,))
        rollout, carry = collect_on_device(envs, act, 20)
        twin = TorchBurgerBot.make(env_id, 4, "cpu")
        twin.load_state_dict(envs.state_dict())
        assert rollout.rewards.shape == (20, 4)
    print("bare", "gymnasium" in sys.modules)
"""


def test_pytorch_and_numpy_are_enough():
    """Without Gymnasium and all else that the course installs, every world runs on a device."""
    blocked = {
        *("gymnasium", "ray", "matplotlib", "stable_baselines3", "hypothesis", "IPython"),
        *("ipywidgets", "jupytext", "nbformat", "rich", "typer", "tqdm", "pandas", "scipy"),
    }
    script = textwrap.dedent(BARE).format(blocked=blocked, ids=IDS)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "bare False", done.stderr


def test_what_a_trainer_reads():
    """Counts, sizes and the mode that stand in for spaces."""
    grid, wide = TorchBurgerBot(2, kitchens=[">.G\n..."] * 2), TorchBurgerBotKitchens(2)
    native = gym.make_vec("BurgerBot-v0", 2, kitchen=">.G\n...")
    assert grid.nvec == tuple(native.single_observation_space.nvec) and grid.features is None
    assert wide.features == 28 and wide.nvec is None
    assert grid.num_actions == native.single_action_space.n and grid.num_envs == 2
    assert AutoresetMode(grid.metadata["autoreset_mode"]) is AutoresetMode.SAME_STEP


def test_kitchens_may_be_kitchens_or_maps():
    """Both ways of writing the same list drive alike, each robot in its own kitchen."""
    maps = ["v.O..\n....O\n.O..G", ">....\n.....\n....G"]
    envs, twin = (
        TorchBurgerBot(4, "cpu", k) for k in (maps, [Kitchen.from_ascii(m) for m in maps])
    )
    reset_both(envs, twin)
    for actions in tapes(0, 4, 30):
        assert_equal(envs.step(actions), twin.step(actions), "step")
    assert TorchBurgerBot(1).reset(0)[0].tolist() == [[*CLASSIC.start, 1]]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("world", ["v0", "greasy"])
def test_memory_is_flat_over_ten_thousand_steps(world):
    """The process is no larger after 10,000 steps than after 1,000."""
    env_id, kwargs = WORLDS[world]
    kwargs = {**kwargs, "family": 1} if "Kitchens" in env_id else kwargs
    envs = TorchBurgerBot.make(env_id, 4096, "cpu", **kwargs)
    envs.reset(0)
    tape = tapes(0, 4096, 100)

    def drive(steps):
        for t in range(steps):
            envs.step(tape[t % 100])
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    early = drive(1000)
    assert drive(9000) < early + 2**24


def test_doctests():
    """The examples in the docstrings hold."""
    for module in (torch_vector, torch_kitchens, torch_tally):
        assert doctest.testmod(module).failed == 0
