"""The scalar environment: Gymnasium's contract, seeds, flags, rewards and clear errors."""

import copy
import itertools
import pickle
import subprocess
import sys
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import oracle
from burgerbot.world import draws, rules
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.kitchen import CLASSIC, Kitchen, KitchenError
from burgerbot.world.rules import V0_REWARDS, V1_REWARDS, compile_kitchen

IDS = pytest.mark.parametrize("env_id", ["BurgerBot-v0", "BurgerBot-v1"])
#: The shortest delivery: 12 moves and 2 turns.
DELIVERY = oracle.rollout(
    oracle.model(compile_kitchen(CLASSIC), V1_REWARDS),
    oracle.value_iteration(oracle.model(compile_kitchen(CLASSIC), V1_REWARDS), 0.9)[1].argmax(1),
    compile_kitchen(CLASSIC).start,
    150,
)


def delivery_actions():
    """The actions of the shortest delivery, from its states."""
    table = compile_kitchen(CLASSIC).table.reshape(-1, 4) >> 2
    states = DELIVERY[0]
    return [int(np.flatnonzero(table[s] == after)[0]) for s, after in itertools.pairwise(states)]


def tape(env, actions, seed):
    """A run as plain data, resetting at each episode's end."""
    rows = [env.reset(seed=seed)[0].tolist()]
    for action in actions:
        obs, reward, terminated, truncated, info = env.step(action)
        rows.append((obs.tolist(), reward, terminated, truncated, info))
        if terminated or truncated:
            rows.append(env.reset()[0].tolist())
    return rows


@IDS
def test_gymnasium_and_sb3_checkers_pass_without_warnings(env_id):
    """check_env on the unwrapped, registered env, and SB3's, have nothing to say."""
    code = (
        "import sys, warnings, burgerbot, gymnasium as gym\n"
        "from gymnasium.utils.env_checker import check_env\n"
        "from stable_baselines3.common.env_checker import check_env as sb3_check_env\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    from burgerbot.world.registration import register_envs; register_envs()\n"
        "    check_env(gym.make(sys.argv[1]).unwrapped)\n"
        "    sb3_check_env(gym.make(sys.argv[1]).unwrapped)\n"
        "    sb3_check_env(gym.make(sys.argv[1]))\n"
        "print([str(warning.message) for warning in caught])"
    )
    command = [sys.executable, "-c", code, env_id]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip().split("\n")[-1] == "[]", done.stdout


@IDS
def test_two_seeded_runs_agree_to_the_bit(env_id):
    """The same seed and actions give the same run, unseeded resets included; slip too."""
    actions = np.random.default_rng(3).integers(0, 4, 400).tolist()
    for kwargs in ({}, {"slip": 0.3}):
        first, second = (tape(gym.make(env_id, **kwargs), actions, seed=9) for _ in range(2))
        assert first == second
    assert tape(gym.make(env_id, slip=0.3), actions, seed=10) != first


@IDS
def test_pickle_and_deepcopy_continue_the_same_run(env_id):
    """A copy made in mid-episode goes on as the original does, its generator included."""
    env = gym.make(env_id, slip=0.5)
    env.reset(seed=4)
    env.step(1)
    twins = [copy.deepcopy(env.unwrapped), pickle.loads(pickle.dumps(env.unwrapped))]
    steps = [env.unwrapped.step(1)[:4] for _ in range(1)]
    for twin in twins:
        again = [twin.step(1)[:4] for _ in range(1)]
        assert repr(again) == repr(steps)


def test_prefix_makes_the_env_in_a_fresh_interpreter():
    """gym.make("burgerbot:BurgerBot-v0") needs no import of burgerbot."""
    code = "import gymnasium as gym; print(gym.make('burgerbot:BurgerBot-v0').reset(seed=0)[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[0 0 1 1]"


@pytest.mark.parametrize("context", ["fork", "spawn", "forkserver"])
def test_prefix_works_inside_async_workers(context):
    """Workers of AsyncVectorEnv make the env by its prefixed id under every start method."""
    if context not in __import__("multiprocessing").get_all_start_methods():
        pytest.skip(f"no {context} here")
    envs = gym.make_vec(
        "burgerbot:BurgerBot-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": context},
    )
    try:
        observations, _ = envs.reset(seed=0)
        assert observations.tolist() == [[0, 0, 1, 1]] * 2
        assert envs.step(np.array([0, 1]))[1].tolist() == [1.0, -0.1]
    finally:
        envs.close()


def test_shortest_delivery_pays_60_8_on_v0_and_47_9_on_v1():
    """Twelve moves and two turns end in a delivery, with the returns that the course quotes."""
    for env_id, total, delivered in (
        ("BurgerBot-v0", 60.8, [None, None]),
        ("BurgerBot-v1", 47.9, [False, True]),
    ):
        env = gym.make(env_id)
        env.reset(seed=0)
        steps = [env.step(action) for action in delivery_actions()]
        paid = [info.get("true_reward", reward) for _, reward, _, _, info in steps]
        assert len(steps) == 14 and sum(paid) == pytest.approx(total)
        assert [terminated for _, _, terminated, _, _ in steps] == [False] * 13 + [True]
        assert [info.get("delivered") for _, _, _, _, info in steps[-2:]] == delivered


def test_shaping_telescopes_to_minus_the_first_potential():
    """With shaping gamma 1 the shaping of a finished episode sums to the distance at the start."""
    env = gym.make("BurgerBot-v1", gamma=1.0)
    env.reset(seed=0)
    steps = [env.step(action) for action in delivery_actions()]
    shaping = sum(reward - info["true_reward"] for _, reward, _, _, info in steps)
    assert shaping == pytest.approx(12.0)


def test_a_greasy_floor_slides_draw_for_draw_as_the_rules_do():
    """Each step of a greasy env takes the next draw of its stream, as ``rules.step`` would."""
    compiled = compile_kitchen(CLASSIC)
    env = gym.make("BurgerBot-v0", slip=0.4)
    env.reset(seed=11)
    state, key = compiled.start, draws.stream(11)
    for count, action in enumerate([1, 2] * 30):
        draw = draws.uniform(key, count)
        state, outcome = rules.step(compiled.table, state, action, draw, 0.4)
        observation, reward, terminated, _, _ = env.step(action)
        assert observation.tolist() == compiled.observations[state].tolist()
        assert (reward, terminated) == (V0_REWARDS[outcome], outcome >= 2)
        if terminated:
            env.reset()
            state = compiled.start


def test_potential_is_zero_at_termination_and_kept_at_truncation():
    """A crash drops the potential of the next state; the step limit does not."""
    env = gym.make("BurgerBot-v1", max_episode_steps=1)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(3)
    assert (terminated, truncated) == (False, True)
    assert reward == pytest.approx(info["true_reward"] + 0.97 * -12 + 12)
    env.reset()
    env.step(1)
    env = BurgerBotEnv(rewards=V1_REWARDS, shaping=1.0)
    env.reset(seed=0)
    env.step(1)
    _, reward, terminated, _, info = env.step(0)
    assert terminated and info["outcome"] == 2 and reward == pytest.approx(-10 + 12)


def test_a_crash_at_the_limit_has_both_flags():
    """The last allowed step that also ends the episode is terminated and truncated."""
    env = gym.make("BurgerBot-v0", max_episode_steps=2)
    env.reset(seed=0)
    env.step(1)
    assert env.step(0)[2:4] == (True, True)


def test_step_limit_is_150_through_make_and_none_on_the_class():
    """The registered limit truncates at step 150; the bare class has no limit."""
    env = gym.make("BurgerBot-v0")
    env.reset(seed=0)
    flags = [env.step(3)[2:4] for _ in range(150)]
    assert flags == [(False, False)] * 149 + [(False, True)]
    bare = BurgerBotEnv()
    bare.reset(seed=0)
    assert not any(bare.step(3)[3] for _ in range(300))


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (-1, ValueError),
        (4, ValueError),
        (np.int64(7), ValueError),
        (1.5, TypeError),
        (0.5, TypeError),
        (float("nan"), TypeError),
        ("north", TypeError),
        (None, TypeError),
        ([0, 1], TypeError),
        (np.array([0, 1]), TypeError),
        (np.array([1]), TypeError),
        (np.array(1.0), TypeError),
    ],
)
def test_bad_action_is_refused_with_expected_and_got_and_loses_nothing(action, error):
    """A bad action names what is expected and what came, and the episode goes on untouched."""
    env = BurgerBotEnv()
    env.reset(seed=0)
    with pytest.raises(error, match=r"expected an integer: 0 forward, .* got"):
        env.step(action)
    assert env.step(0)[0].tolist() == [0, 1, 1, 0]


def test_actions_that_are_one_integer_behave_alike():
    """int, NumPy integers, 0-d arrays and tensors mean the same action."""
    torch = pytest.importorskip("torch")
    for action in (2, np.int64(2), np.uint8(2), np.array(2), torch.tensor(2)):
        env = BurgerBotEnv()
        env.reset(seed=0)
        assert env.step(action)[0].tolist() == [0, 0, 2, 1], repr(action)


def test_step_before_reset_and_after_the_end_is_refused():
    """step needs a running episode, bare and through gym.make."""
    for env in (BurgerBotEnv(), gym.make("BurgerBot-v0")):
        with pytest.raises(ResetNeeded, match="reset"):
            env.step(0)
    env = BurgerBotEnv()
    env.reset(seed=0)
    env.step(1)
    assert env.step(0)[2]
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)


def test_arrays_handed_out_are_the_callers():
    """Later steps do not change what was returned, and writing into it changes nothing."""
    env = BurgerBotEnv()
    first, _ = env.reset(seed=0)
    second = env.step(0)[0]
    assert first.tolist() == [0, 0, 1, 1]
    second[:] = 99
    first[:] = 99
    assert env.reset(seed=0)[0].tolist() == [0, 0, 1, 1]
    assert env.step(0)[0].tolist() == [0, 1, 1, 0]


def test_ansi_shows_the_map_with_the_robot_on_it():
    """The text picture has the robot where it stands, facing where it faces."""
    env = gym.make("BurgerBot-v0", render_mode="ansi")
    env.reset(seed=0)
    env.step(0)
    env.step(2)
    assert env.render().split("\n")[0] == ".v.O..."
    assert env.render().split("\n")[6] == "......G"


@pytest.mark.parametrize("text", ["v.O..\n....O\n.O..G", ">G", CLASSIC.to_ascii()])
def test_rgb_array_is_crisp_and_follows_the_robot(text):
    """A picture of rows x cols cells, more than one colour, new each time, changed by a turn."""
    env = BurgerBotEnv(text, render_mode="rgb_array")
    env.reset(seed=0)
    before = env.render()
    kitchen = Kitchen.from_ascii(text)
    assert before.dtype == np.uint8 and before.shape == (kitchen.rows * 48, kitchen.cols * 48, 3)
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 10
    kept = before.copy()
    before[:] = 0
    assert np.array_equal(env.render(), kept)
    env.step(1)
    assert not np.array_equal(env.render(), kept)


def test_rendering_imports_no_pygame_and_needs_no_display():
    """A frame is drawn in a process without display, with neither pygame nor matplotlib."""
    code = (
        "import os, sys; os.environ.pop('DISPLAY', None)\n"
        "import burgerbot, gymnasium as gym\n"
        "env = gym.make('BurgerBot-v0', render_mode='rgb_array'); env.reset(seed=0); env.render()\n"
        "print(sorted({'pygame', 'matplotlib', 'torch', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_human_and_unknown_render_modes_are_refused():
    """A window is refused by make and by the class, with the modes that there are."""
    for make in (BurgerBotEnv, lambda **k: gym.make("BurgerBot-v0", **k)):
        with pytest.raises(ValueError, match=r"'rgb_array'.*'ansi'"):
            make(render_mode="human")
    with pytest.raises(ValueError, match="expected None or one of"):
        BurgerBotEnv(render_mode="hologram")
    env = BurgerBotEnv()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="expected render_mode"):
        env.render()


@pytest.mark.parametrize(
    ("kwargs", "error", "match"),
    [
        ({"kitchen": "..G"}, KitchenError, "start"),
        ({"kitchen": 7}, KitchenError, "expected a string, got int"),
        ({"slip": 1.5}, ValueError, "slip: expected a number from 0 to 1, got 1.5"),
        ({"slip": "a lot"}, ValueError, "slip: expected a number from 0 to 1, got 'a lot'"),
        ({"gamma": -0.1}, ValueError, "gamma: expected"),
        ({"rewards": (1, 2, 3)}, ValueError, "rewards: expected 4 finite numbers"),
        ({"rewards": (1, 2, 3, float("nan"))}, ValueError, "rewards: expected 4 finite numbers"),
        ({"bogus": 1}, TypeError, "bogus"),
    ],
)
def test_bad_arguments_are_refused_by_make(kwargs, error, match):
    """make passes keyword arguments on, and each bad one gets its own message."""
    with pytest.raises(error, match=match):
        gym.make("BurgerBot-v0", **kwargs)


def test_make_takes_a_map():
    """gym.make accepts another kitchen as text, and its spaces follow."""
    env = gym.make("BurgerBot-v0", kitchen="v.O..\n....O\n.O..G")
    assert env.observation_space == gym.spaces.MultiDiscrete([3, 5, 4, 3])
    assert env.reset(seed=0)[0].tolist() == [0, 0, 2, 1]


def test_importing_burgerbot_loads_nothing_heavy():
    """import burgerbot loads neither torch, ray, matplotlib nor the environment itself."""
    code = (
        "import sys, burgerbot\n"
        "heavy = {'torch', 'ray', 'matplotlib', 'IPython', 'burgerbot.world.env', 'pytest'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_seeding_is_the_envs_own_and_registration_happens_once():
    """The global generators are neither read nor changed, and a second registration is silent."""
    import random

    from burgerbot.world.registration import register_envs

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_envs()
    np.random.seed(0)
    random.seed(0)
    before = np.random.get_state()[1].tolist(), random.getstate()
    env = gym.make("BurgerBot-v0", slip=0.5)
    env.reset(seed=1)
    env.step(1)
    assert (np.random.get_state()[1].tolist(), random.getstate()) == before
