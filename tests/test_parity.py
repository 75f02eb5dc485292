"""The differential ladder: scalar = SyncVectorEnv = AsyncVectorEnv = native, to the bit.

The first rung, ``ByHand``, steps scalar envs in a plain loop and follows each autoreset mode as
its documentation tells it; the others must give what it gives on every tape of actions.
"""

import copy

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.world.vector import BurgerBotVectorEnv

SHORT = ">.G"
LOPSIDED = "v.O..\n....O\n.O..G"
WORLDS = {  # id and keyword arguments; small kitchens and limits make every ending common
    "v0": ("BurgerBot-v0", {}),
    "v0, short": ("BurgerBot-v0", {"kitchen": SHORT, "max_episode_steps": 3}),
    "v0, 3x5": ("BurgerBot-v0", {"kitchen": LOPSIDED, "max_episode_steps": 7}),
    "v0, greasy": ("BurgerBot-v0", {"slip": 0.3}),
    "v1": ("BurgerBot-v1", {"max_episode_steps": 5}),
    "v1, short": ("BurgerBot-v1", {"kitchen": SHORT, "max_episode_steps": 2, "gamma": 0.9}),
    "v1, greasy": ("BurgerBot-v1", {"slip": 0.5, "kitchen": LOPSIDED}),
    "open": ("BurgerBotKitchens-v0", {}),
    "cluttered": ("BurgerBotKitchens-v0", {"stratum": "cluttered", "max_episode_steps": 3}),
    "corridor": ("BurgerBotKitchens-v0", {"stratum": "corridor", "family": 3}),
    "greasy": ("BurgerBotKitchens-v0", {"stratum": "greasy", "max_episode_steps": 6}),
    "shift": ("BurgerBotShift-v0", {}),
    "shift, short": ("BurgerBotShift-v0", {"kitchen": SHORT, "max_episode_steps": 4}),
}
MODES = list(AutoresetMode)
LADDER = settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


class ByHand:
    """N scalar envs in a loop: what each mode means, step by step."""

    def __init__(self, env_id, num_envs, mode, kwargs):
        self.envs = [gym.make(env_id, **kwargs) for _ in range(num_envs)]
        self.mode = mode

    def reset(self, seed=None, options=None):
        """Reset all, or those of the mask."""
        mask = (options or {}).get("reset_mask", [True] * len(self.envs))
        for i, env in enumerate(self.envs):
            if mask[i]:
                self.seen = getattr(self, "seen", [None] * len(self.envs))
                self.seen[i], _ = env.reset(seed=None if seed is None else seed + i)
        self.over = [False] * len(self.envs)
        return np.stack(self.seen)

    def step(self, actions):
        """One row a robot: (observation, reward, terminated, truncated, final observation)."""
        rows = []
        for i, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            final = None
            if self.mode is AutoresetMode.NEXT_STEP and self.over[i]:
                (observation, _), reward, terminated, truncated = env.reset(), 0.0, False, False
            else:
                observation, reward, terminated, truncated, _ = env.step(int(action))
            done = terminated or truncated
            if self.mode is AutoresetMode.SAME_STEP and done:
                final, (observation, _) = observation, env.reset()
            self.over[i], self.seen[i] = done, observation
            rows.append((observation, reward, terminated, truncated, final))
        return rows


def native_kwargs(mode, kwargs):
    """Keyword arguments of the native env, which takes the mode with the others."""
    return {**kwargs, "autoreset_mode": mode}


def make(kind, env_id, num_envs, mode, kwargs):
    """One rung of the ladder."""
    if kind == "native":
        return gym.make_vec(env_id, num_envs, **native_kwargs(mode, kwargs))
    vector_kwargs = {"autoreset_mode": mode}
    return gym.make_vec(
        env_id, num_envs, vectorization_mode=kind, vector_kwargs=vector_kwargs, **kwargs
    )


def assert_same(yours, expected, where):
    """Equal values, shapes and dtypes, through dicts and object arrays."""
    if isinstance(expected, dict):
        assert sorted(yours) == sorted(expected), where
        for key in expected:
            assert_same(yours[key], expected[key], f"{where}, {key}")
        return
    yours, expected = np.asarray(yours), np.asarray(expected)
    assert (yours.dtype, yours.shape) == (expected.dtype, expected.shape), where
    if expected.dtype == object:
        for i, (a, b) in enumerate(zip(yours, expected, strict=True)):
            assert (a is None) == (b is None), f"{where}[{i}]"
            if b is not None:
                assert_same(a, b, f"{where}[{i}]")
    else:
        assert np.array_equal(yours, expected), f"{where}: {yours} is not {expected}"


def tape_of(seed, num_envs, length):
    """A tape of random actions in which forward is common."""
    rng = np.random.default_rng(seed)
    return rng.choice(4, size=(length, num_envs), p=[0.5, 0.2, 0.2, 0.1])


def climb(lower, upper, mode, seed, tape):
    """Take the same actions on two rungs and compare everything that comes back."""
    results = [envs.reset(seed=seed) for envs in (lower, upper)]
    assert_same(results[1][0], results[0][0], "reset")
    assert_same(results[1][1], results[0][1], "reset infos")
    for t, actions in enumerate(tape):
        below, above = lower.step(actions), upper.step(actions)
        names = ("observations", "rewards", "terminations", "truncations", "infos")
        for name, a, b in zip(names, above, below, strict=True):
            assert_same(a, b, f"step {t}, {name}")
        done = below[2] | below[3]
        if mode is AutoresetMode.DISABLED and done.any():
            below, above = (e.reset(options={"reset_mask": done.copy()}) for e in (lower, upper))
            assert_same(above[0], below[0], f"step {t}, partial reset")
            assert_same(above[1], below[1], f"step {t}, partial reset infos")


@pytest.mark.parametrize("num_envs", [1, 2, 7, 64])
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("world", WORLDS)
def test_native_equals_sync(world, mode, num_envs):
    """Native and SyncVectorEnv agree: observations, rewards, flags, infos, finals, dtypes."""
    env_id, kwargs = WORLDS[world]
    sync, native = (make(kind, env_id, num_envs, mode, kwargs) for kind in ("sync", "native"))
    assert native.observation_space == sync.observation_space
    assert native.action_space == sync.action_space
    assert native.metadata["autoreset_mode"] is sync.metadata["autoreset_mode"]

    @LADDER
    @given(st.integers(0, 2**32), st.integers(0, 2**32))
    def agree(seed, tape_seed):
        climb(sync, native, mode, seed, tape_of(tape_seed, num_envs, 12 if num_envs > 7 else 30))

    agree()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("world", WORLDS)
def test_sync_equals_scalar_by_hand(world, mode):
    """SyncVectorEnv gives what a plain loop over scalar envs gives."""
    env_id, kwargs = WORLDS[world]
    by_hand, sync = ByHand(env_id, 3, mode, kwargs), make("sync", env_id, 3, mode, kwargs)
    assert_same(sync.reset(seed=5)[0], by_hand.reset(seed=5), "reset")
    for t, actions in enumerate(tape_of(7, 3, 60)):
        rows = by_hand.step(actions)
        observations, rewards, terminations, truncations, infos = sync.step(actions)
        for i, (observation, reward, terminated, truncated, final) in enumerate(rows):
            assert_same(observations[i], observation, f"step {t}, robot {i}")
            assert rewards[i] == reward, f"step {t}, robot {i}"
            assert (terminations[i], truncations[i]) == (terminated, truncated)
            if final is not None:
                assert_same(infos["final_obs"][i], final, f"step {t}, robot {i}, final")
        done = terminations | truncations
        if mode is AutoresetMode.DISABLED and done.any():
            again = by_hand.reset(options={"reset_mask": done})
            assert_same(sync.reset(options={"reset_mask": done})[0], again, f"step {t}, reset")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("world", ["v0, short", "v1, greasy", "greasy", "shift, short"])
def test_async_equals_sync(world, mode):
    """AsyncVectorEnv, with its worker processes, gives what SyncVectorEnv gives."""
    env_id, kwargs = WORLDS[world]
    sync, parallel = (make(kind, env_id, 2, mode, kwargs) for kind in ("sync", "async"))
    try:
        climb(sync, parallel, mode, 11, tape_of(3, 2, 40))
    finally:
        parallel.close(terminate=True)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_many_kitchens_by_offsets_equal_separate_envs(mode):
    """Robots in different kitchens share one table, and each lives in its own kitchen."""
    maps = [LOPSIDED, ">....\n.....\n....G", "..G..\n..O..\n..^.."]
    makers = [
        lambda text=text: gym.make("BurgerBot-v1", kitchen=text, max_episode_steps=9)
        for text in maps
        for _ in range(2)
    ]
    sync = SyncVectorEnv(makers, autoreset_mode=mode)
    kwargs = native_kwargs(mode, {"kitchen": maps, "max_episode_steps": 9})
    climb(sync, gym.make_vec("BurgerBot-v1", 6, **kwargs), mode, 2, tape_of(4, 6, 80))


def test_every_ending_occurs_on_the_ladder():
    """The tapes do reach crashes, deliveries, limits, and both flags in one step."""
    seen = set()
    for world in ("v0, short", "v0, 3x5", "v1"):
        env_id, kwargs = WORLDS[world]
        native = make("native", env_id, 64, AutoresetMode.NEXT_STEP, kwargs)
        native.reset(seed=0)
        for actions in tape_of(1, 64, 40):
            _, rewards, terminations, truncations, _ = native.step(actions)
            seen |= set(zip((rewards > 20).tolist(), terminations, truncations, strict=True))
    assert {(True, True, False), (True, True, True), (False, True, False)} <= seen
    assert {(False, True, True), (False, False, True), (False, False, False)} <= seen


@pytest.mark.parametrize("kind", ["sync", "native"])
def test_partial_reset_leaves_running_rows_and_the_callers_dict_alone(kind):
    """A masked reset changes the masked rows only, and the native env keeps the dict as it is."""
    envs = make(kind, "BurgerBot-v0", 3, AutoresetMode.DISABLED, {})
    envs.reset(seed=0)
    envs.step(np.array([0, 2, 0]))
    options = {"reset_mask": np.array([True, False, False])}
    kept = copy.deepcopy(options)
    assert envs.reset(options=options)[0].tolist() == [[0, 0, 1, 1], [0, 0, 2, 1], [0, 1, 1, 0]]
    if kind == "native":
        assert_same(options, kept, "options")
    assert envs.step(np.array([0, 0, 2]))[0].tolist() == [[0, 1, 1, 0], [1, 0, 2, 0], [0, 1, 2, 0]]


@pytest.mark.parametrize("world", ["v0", "greasy"])
def test_partial_reset_draws_nothing_for_running_rows(world):
    """Rows that are not reset go on with the same draws as if nothing had happened."""
    env_id, kwargs = WORLDS[world]
    alone, beside = (make("native", env_id, 4, AutoresetMode.DISABLED, kwargs) for _ in range(2))
    mask = np.array([True, False, False, True])
    for envs in (alone, beside):
        envs.reset(seed=3)
    for _ in range(5):
        beside.reset(options={"reset_mask": mask})
    for _ in range(3):
        a, b = (envs.step(np.full(4, 2)) for envs in (alone, beside))
        assert np.array_equal(a[0][1:3], b[0][1:3]) and np.array_equal(a[1][1:3], b[1][1:3])


def test_returned_arrays_are_never_written_again():
    """Everything handed out at one step is unchanged after fifty more."""
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        envs = make("native", "BurgerBot-v1", 5, mode, {"max_episode_steps": 4})
        kept = [envs.reset(seed=0)]
        for actions in tape_of(0, 5, 50):
            kept.append(envs.step(actions))
            if len(kept) == 6:
                snapshot = copy.deepcopy(kept)
        for before, now in zip(snapshot, kept, strict=False):
            for a, b in zip(before, now, strict=True):
                assert_same(b, a, f"{mode}")


def test_writing_into_returned_arrays_changes_nothing():
    """A caller may write into what it got; the env goes on as its twin does."""
    twins = [make("native", "BurgerBot-v1", 3, AutoresetMode.NEXT_STEP, {}) for _ in range(2)]
    for envs in twins:
        envs.reset(seed=0)
    for actions in tape_of(5, 3, 20):
        first, second = (envs.step(actions.copy()) for envs in twins)
        for a, b in zip(first, second, strict=True):
            assert_same(b, a, "twins")
        for array in (*first[:4], *first[4].values()):
            array[:] = 1


@pytest.mark.parametrize(
    ("actions", "error", "says"),
    [
        ([0, 1], ValueError, r"expected shape \(3,\), got \(2,\)"),
        ([[0], [1], [2]], ValueError, r"expected shape \(3,\), got \(3, 1\)"),
        ([0, 4, 0], ValueError, r"actions\[1\]: expected 0, 1, 2 or 3, got 4"),
        ([0, 0, -1], ValueError, r"actions\[2\]: expected 0, 1, 2 or 3, got -1"),
        ([0.0, 1.0, 2.0], TypeError, "expected integers from 0 to 3, got dtype float64"),
        ([True, False, True], TypeError, "got dtype bool"),
        ([None, 1, 2], TypeError, "got dtype object"),
        (2, ValueError, r"got \(\)"),
    ],
)
def test_bad_actions_are_refused_and_nothing_is_lost(actions, error, says):
    """Bad actions are named with the robot, and the run goes on as if they had not been sent."""
    envs, twin = (make("native", "BurgerBot-v0", 3, MODES[0], {"slip": 0.2}) for _ in range(2))
    for each in (envs, twin):
        each.reset(seed=0)
    with pytest.raises(error, match=says):
        envs.step(np.array(actions))
    for each in zip(envs.step(np.arange(3)), twin.step(np.arange(3)), strict=True):
        assert_same(*each, "after the refusal")


def test_misuse_is_refused():
    """step before reset, a finished row in DISABLED mode, bad masks, seeds and sizes."""
    envs = make("native", "BurgerBot-v0", 2, AutoresetMode.DISABLED, {"kitchen": SHORT})
    with pytest.raises(gym.error.ResetNeeded, match="reset"):
        envs.step(np.array([0, 0]))
    with pytest.raises(gym.error.ResetNeeded, match="reset all robots once"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.reset(seed=[1, None])
    with pytest.raises(ValueError, match="expected 2 seeds, got 3"):
        envs.reset(seed=[1, 2, 3])
    for mask, error in (
        ([True, False], TypeError),
        (np.array([1, 0]), TypeError),
        (np.array([True]), ValueError),
        (np.array([False, False]), ValueError),
    ):
        with pytest.raises(error, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    envs.step(np.array([1, 3]))
    envs.step(np.array([0, 3]))
    with pytest.raises(gym.error.ResetNeeded, match=r"robots \[0\] are over"):
        envs.step(np.array([0, 0]))
    for kwargs, says in (
        ({"num_envs": 0}, "num_envs: expected 1 or more"),
        ({"num_envs": 3, "kitchen": [SHORT, ">..G"]}, "multiple of 2 kitchens"),
        ({"num_envs": 2, "kitchen": [SHORT, ">..G"]}, "expected one or more of one size"),
        ({"slip": -1}, "slip: expected a number from 0 to 1"),
        ({"render_mode": "human"}, "would open a window"),
    ):
        with pytest.raises(ValueError, match=says):
            BurgerBotVectorEnv(**kwargs)


def test_pictures_one_a_robot():
    """Both render modes give one picture a robot, of the kitchen that it is in."""
    maps = [LOPSIDED, "..G..\n..O..\n..^.."]
    for mode in ("ansi", "rgb_array"):
        envs = gym.make_vec("BurgerBot-v0", 2, kitchen=maps, render_mode=mode)
        envs.reset(seed=0)
        pictures = envs.render()
        assert len(pictures) == 2
    assert pictures[0].shape == (144, 240, 3) and not np.array_equal(*pictures)
