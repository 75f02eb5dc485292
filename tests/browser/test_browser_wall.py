"""The wall of kitchens in a real browser: every robot at every step."""

import json
import re

import numpy as np
import pytest

from burgerbot.show import play_wall
from burgerbot.world import rules, strata
from burgerbot.world.vector import BurgerBotVectorEnv

pytestmark = pytest.mark.browser


def drive(kitchens, steps):
    """States ``[T + 1, N]`` of robots that drive at random, each reset by the step after an end."""
    envs = BurgerBotVectorEnv(len(kitchens), kitchens, max_episode_steps=20)
    seen, _ = envs.reset(seed=0)
    tape = np.random.default_rng(0).choice(4, p=[0.6, 0.2, 0.15, 0.05], size=(steps, len(seen)))
    rows = [seen] + [envs.step(actions)[0] for actions in tape]
    return np.array([rules.encode(kitchens[0], *row.T[:3]) for row in rows])


def test_the_browser_shows_every_state(page, tmp_path):
    """At each step of the slider every robot stands where its state says; then it plays."""
    kitchens = [strata.random_kitchen("cluttered", seed) for seed in range(6)]
    states = drive(kitchens, 30)
    player = play_wall(kitchens, states)
    across, dx, dy = json.loads(player.data)["grid"]
    page_file = tmp_path / "wall.html"
    page_file.write_text(f"<!doctype html><meta charset=utf-8>{player._repr_html_()}")
    page.goto(page_file.as_uri())
    for t, row in enumerate(states):
        robots = page.locator(".bb-robot > g")
        moves = robots.evaluate_all("all => all.map(g => g.style.transform)")
        for i, state in enumerate(row):
            r, c, heading = rules.decode(kitchens[i], int(state))
            x, y, angle = map(float, re.findall(r"-?\d+", moves[i]))
            place = (i % across * dx + 100 * c + 50, i // across * dy + 100 * r + 50)
            assert ((x, y), angle / 90 % 4) == (place, heading), (t, i)
        assert page.locator(".bb-caption").inner_text().startswith(f"step {t} of 30: ")
        page.locator(".bb-next").click()
    page.locator(".bb-play").click()
    page.wait_for_function("document.querySelector('.bb-slider').value > 1")
    assert page.locator(".bb-play").inner_text() == "Pause"
