"""Exercise 04.3: what the action led to, and what the robot sees."""

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from burgerbot.course.claims import ClaimFailed, array_like, equal, that
from burgerbot.world.env import BurgerBotEnv
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import compile_kitchen
from burgerbot.world.vector import BurgerBotVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode
KITCHENS = (">..G\n.O..", "...G\n>O..", "v.O.\n...G", "..>G\n....")  # 2x4, four starts
LIMIT = 4


class ByHand:
    """N scalar envs in a loop: what each action led to, and what is seen after the resets."""

    def __init__(self, mode, kitchens):
        self.mode = mode
        self.envs = [TimeLimit(BurgerBotEnv(kitchen), LIMIT) for kitchen in kitchens]
        self.over = [False] * len(kitchens)
        for env in self.envs:
            env.reset()

    def step(self, actions):
        rows = []
        for i, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            if self.over[i]:  # only in NEXT_STEP: this step is the reset
                obs, _ = env.reset()
                rows.append((obs, obs, 0.0, False, False))
                self.over[i] = False
                continue
            led_to, reward, terminated, truncated, _ = env.step(int(action))
            over, seen = terminated or truncated, led_to
            if self.mode is NEXT_STEP:
                self.over[i] = over
            elif over:
                seen, _ = env.reset()
            rows.append((led_to, seen, reward, terminated, truncated))
        return [np.array(column) for column in zip(*rows, strict=True)]


def make(backend, mode, kitchens):
    """One of the two vector envs, reset."""
    if backend == "BurgerBotVectorEnv":
        envs = BurgerBotVectorEnv(
            len(kitchens), kitchens, max_episode_steps=LIMIT, autoreset_mode=mode
        )
    else:
        envs = SyncVectorEnv(
            [lambda k=k: TimeLimit(BurgerBotEnv(k), LIMIT) for k in kitchens], autoreset_mode=mode
        )
    envs.reset(seed=0)
    return envs


def taken(answer, envs, actions, mode, where):
    """The learner's five arrays, or the reason why there are none."""
    try:
        got = answer.take_step(envs, actions.copy())
    except KeyError as error:
        raise ClaimFailed(
            "this key is not in the infos. `final_obs` and `_final_obs` are there in SAME_STEP "
            "only, and only in a step in which somebody is done (`final_observation` is their "
            "name in older tutorials)",
            yours=f"KeyError: {error}",
            where=where,
        ) from None
    except ValueError as error:
        if "reset_mask" not in str(error):
            raise
        raise ClaimFailed(
            "call reset only where `done.any()`: a mask without any True is refused",
            yours=f"ValueError: {error}",
            where=where,
        ) from None
    except ResetNeeded as error:
        raise ClaimFailed(
            "an episode is over and was stepped again: step once, then reset those that are done",
            yours=f"ResetNeeded: {error}",
            where=where,
        ) from None
    that(
        isinstance(got, tuple) and len(got) == 5,
        "return the five arrays `next_obs, obs, rewards, terminated, truncated`",
        expected="a tuple of 5",
        yours=type(got).__name__ + (f" of {len(got)}" if isinstance(got, tuple) else ""),
        where=where,
    )
    shape = (envs.num_envs, *envs.single_observation_space.shape)
    for name, array in zip(("next_obs", "obs"), got[:2], strict=True):
        array_like(array, shape, envs.single_observation_space.dtype, where=f"{name}, {where}")
    return got


def judge(got, hand, mode, where):
    """Claim that both observations are right, robot by robot."""
    led_to, seen, _, terminated, truncated = hand
    for n in range(len(led_to)):
        done = terminated[n] or truncated[n]
        here = f"{where}, robot {n}, "
        here += "terminated" if terminated[n] else "truncated" if truncated[n] else "on its way"
        if mode is NEXT_STEP:
            message = "in NEXT_STEP `next_obs` is what `step` returned, in every row"
        elif not done:
            message = (
                "this robot is on its way: its `next_obs` is what `step` returned. The last "
                "observation of robot n belongs into row n alone"
            )
        elif mode is SAME_STEP:
            message = (
                "an action never leads to a start: where an episode ends, terminated or "
                'truncated, the last observation is in `infos["final_obs"]`, and `step` returned '
                "the first one of the next episode"
            )
        else:
            message = (
                "in DISABLED `next_obs` is what `step` returned, before your reset; what the "
                "reset returns is the start of the next episode"
            )
        equal(got[0][n], led_to[n], f"next_obs: {message}", where=here)
        if mode is NEXT_STEP:
            message = (
                "in NEXT_STEP the env resets by itself, in the next step: return what `step` "
                "returned, and call no reset"
            )
        elif mode is SAME_STEP:
            message = (
                "what the robot sees now is what `step` returned: its new start where it is done. "
                "If you write last observations into that array, you change what the robot sees: "
                "write them into a copy, and call no reset"
            )
        elif done:
            message = (
                "in DISABLED nobody resets this robot but you: it is done, so reset it, and return "
                "what the reset shows"
            )
        else:
            message = (
                "this robot is on its way, and your reset put it back to its start: reset only "
                "those that are done, by the mask"
            )
        equal(got[1][n], seen[n], f"obs: {message}", where=here)


def play(answer, mode, n, seed):
    """Both vector envs, a random tape, judged step by step."""
    kitchens = [KITCHENS[i % len(KITCHENS)] for i in range(n)]
    for backend in ("BurgerBotVectorEnv", "SyncVectorEnv"):
        rng = np.random.default_rng(seed)
        envs, hand = make(backend, mode, kitchens), ByHand(mode, kitchens)
        for t in range(30):
            actions = rng.choice(4, size=n, p=[0.6, 0.15, 0.15, 0.1])
            where = f"{mode.name}, {backend}, N = {n}, step {t}"
            got, expected = taken(answer, envs, actions, mode, where), hand.step(actions)
            judge(got, expected, mode, where)
            for k, name in ((2, "rewards"), (3, "terminated"), (4, "truncated")):
                equal(got[k], expected[k], f"return `{name}` as `step` gave it", where=where)


def test_same_step(answer):
    """SAME_STEP: last observations come from the infos, and what is seen stays what it was."""
    for n, seed in ((1, 1), (5, 2), (8, 3)):
        play(answer, SAME_STEP, n, seed)


def test_disabled(answer):
    """DISABLED: what step returned, and then a reset of the robots that are done, no others."""
    for n, seed in ((1, 4), (5, 5), (8, 6)):
        play(answer, DISABLED, n, seed)


def test_reset_without_a_seed(answer):
    """DISABLED: the generators go on, so that later episodes do not repeat the first."""
    envs = make("BurgerBotVectorEnv", DISABLED, list(KITCHENS))
    seeds, reset = [], envs.reset

    def heard(*, seed=None, options=None):
        seeds.append(seed)
        return reset(seed=seed, options=options)

    envs.reset = heard
    for t in range(8):
        where = f"DISABLED, BurgerBotVectorEnv, 4 robots that drive forward, step {t}"
        taken(answer, envs, np.zeros(4, dtype=int), DISABLED, where)
        that(
            all(seed is None for seed in seeds),
            "your reset has a seed: it starts the robots' generators anew, so that every later "
            "episode is the same one. Only the first reset of a run is seeded, and not in here",
            expected='reset(options={"reset_mask": done})',
            yours=f"reset(seed={seeds[-1] if seeds else None!r}, options=...)",
            where=where,
        )


def test_next_step(answer):
    """NEXT_STEP: both observations are what step returned; nobody is reset by hand."""
    for n, seed in ((1, 7), (5, 8), (8, 9)):
        play(answer, NEXT_STEP, n, seed)


def test_arrays_keep_their_numbers(answer):
    """What was returned for one step is still the same after the next steps."""
    kitchens = list(KITCHENS)
    for mode in AutoresetMode:
        envs, kept = make("BurgerBotVectorEnv", mode, kitchens), []
        for t in range(8):
            where = f"{mode.name}, BurgerBotVectorEnv, 4 robots, step {t}"
            actions = np.array([0, 0, 1, 0]) if t % 3 else np.array([3, 0, 0, 2])
            got = taken(answer, envs, actions, mode, where)
            kept.append((where, got[:2], [array.copy() for array in got[:2]]))
        for where, arrays, copies in kept:
            for name, array, copy in zip(("next_obs", "obs"), arrays, copies, strict=True):
                equal(
                    array,
                    copy,
                    f"`{name}` has changed since it was returned: make a new array in each step, "
                    "since a rollout keeps them all",
                    where=where,
                )


def test_exact_values_have_no_error(answer):
    """Along the best way, reward + V(next_obs) - V(now) is 0: next_obs is where the action led."""
    kitchen = ">....G"
    rules, steps_left = compile_kitchen(Kitchen.from_ascii(kitchen)), {}
    for state, obs in enumerate(rules.observations):
        steps_left[tuple(obs)] = 50.0 + 4 - (state // 4)  # forward all the way, undiscounted
    for mode in (SAME_STEP, DISABLED):
        envs = make("BurgerBotVectorEnv", mode, [kitchen] * 2)
        now, _ = envs.reset(seed=0)
        for t in range(9):
            where = f"{mode.name}, `>....G`, always forward, at most 4 steps, step {t}"
            actions = np.zeros(2, dtype=int)
            next_obs, obs, rewards, terminated, _ = taken(answer, envs, actions, mode, where)
            for n in range(2):
                later = 0.0 if terminated[n] else steps_left[tuple(next_obs[n])]
                equal(
                    rewards[n] + later - steps_left[tuple(now[n])],
                    0.0,
                    "a bootstrap from `next_obs` makes an error where there is none: it is the "
                    "value of the wrong state",
                    where=where,
                )
            now = obs
