"""Gymnasium's vector wrappers over the native env give what they give over SyncVectorEnv."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers
from test_parity import assert_same, make, tape_of

MODES = list(AutoresetMode)
WRAPPERS = {
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "NormalizeObservation": wrappers.NormalizeObservation,
    "TransformReward": lambda envs: wrappers.TransformReward(envs, lambda reward: reward * 2),
    "DictInfoToList": wrappers.DictInfoToList,
}


def without_clock(infos):
    """Episode statistics but for the time that they took."""
    if isinstance(infos, dict):
        return {k: without_clock(v) for k, v in infos.items() if k not in ("t", "_t")}
    return infos


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("env_id", ["BurgerBot-v0", "BurgerBot-v1", "BurgerBotKitchens-v0"])
@pytest.mark.parametrize("name", WRAPPERS)
def test_wrapper_gives_the_same_over_native_and_sync(name, env_id, mode):
    """The same numbers come out, whichever env is inside, in every mode that it supports."""
    kwargs = {"max_episode_steps": 6}
    if name == "NormalizeObservation" and mode is not AutoresetMode.NEXT_STEP:
        for kind in ("sync", "native"):
            with pytest.raises(ValueError, match=r"Expected .*NEXT_STEP"):
                WRAPPERS[name](make(kind, env_id, 4, mode, kwargs))
        return
    if name == "RecordEpisodeStatistics" and mode is AutoresetMode.DISABLED:
        pytest.skip("over SyncVectorEnv, which empties the options, it forgets every row's sums")
    sync, native = (
        WRAPPERS[name](make(kind, env_id, 4, mode, kwargs)) for kind in ("sync", "native")
    )
    results = [envs.reset(seed=3) for envs in (sync, native)]
    assert_same(results[1][0], results[0][0], "reset")
    for t, actions in enumerate(tape_of(2, 4, 60)):
        below, above = sync.step(actions), native.step(actions)
        for a, b in zip(above[:4], below[:4], strict=True):
            assert_same(a, b, f"step {t}")
        if isinstance(below[4], list):
            for a, b in zip(above[4], below[4], strict=True):
                assert sorted(a) == sorted(b)
        else:
            assert_same(without_clock(above[4]), without_clock(below[4]), f"step {t}, infos")
        done = below[2] | below[3]
        if mode is AutoresetMode.DISABLED and done.any():
            resets = [envs.reset(options={"reset_mask": done.copy()}) for envs in (sync, native)]
            assert_same(resets[1][0], resets[0][0], f"step {t}, partial reset")


def test_episode_statistics_of_three_step_episodes_are_three_in_every_mode():
    """Length and return are right for every episode, not only for the first."""
    for mode in MODES:
        envs = gym.make_vec("BurgerBot-v0", 2, max_episode_steps=3, autoreset_mode=mode)
        envs = wrappers.RecordEpisodeStatistics(envs)
        envs.reset(seed=0)
        found = []
        for _ in range(20):
            _, _, terminations, truncations, infos = envs.step(np.array([1, 3]))
            if "episode" in infos:
                found += infos["episode"]["l"][infos["_episode"]].tolist()
            if mode is AutoresetMode.DISABLED and (done := terminations | truncations).any():
                envs.reset(options={"reset_mask": done})
        assert len(found) >= 10 and set(found) == {3}
