"""A moving picture of a wall of robots that learn, from a real training run.

``python -m burgerbot.show.learning .github/images/learning.gif`` makes the one in the README.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from burgerbot.world import rules
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.render import (
    BODY,
    BUN,
    COUNTER,
    COUNTER_TOP,
    EYE,
    FLOOR,
    LETTUCE,
    LINE,
    PATTY,
    TILE,
    TYRE,
    paint,
)

ROBOTS, ACROSS = 24, 8
#: Pixels of a cell, of the gap between kitchens, and of the lines above them.
CELL, GAP, HEAD = 11, 10, 30
#: Steps shown of each policy, and milliseconds of a step.
SHOWN, MILLISECONDS = 32, 110
#: Transitions after which a policy is shown.
STAGES = (0, 12_000, 24_000, 60_000)
GOOD, BAD = LETTUCE, (213, 94, 0)


@dataclass(frozen=True)
class Stage:
    """What a wall of robots did after some training.

    Attributes:
        trained: Transitions that the policy had learned from.
        observations: ``[SHOWN, ROBOTS, 4]``, as the robots saw them.
        outcomes: ``[SHOWN, ROBOTS]``, of the step before: ``CRASHED``, ``DELIVERED``, or else
            ``IDLE``.
    """

    trained: int
    observations: np.ndarray
    outcomes: np.ndarray


def learn_in_stages(stages: tuple[int, ...] = STAGES, seed: int = 1) -> list[Stage]:
    """Train PPO on ``BurgerBot-v1`` and let a wall of robots drive at each stage.

    Args:
        stages: Transitions after which to look, ascending; 0 is before any training.
        seed: Of the training.

    Returns:
        One stage each.
    """
    import gymnasium as gym

    import burgerbot  # noqa: F401  (registers the environments)
    from burgerbot.learn.policy import ActorCritic
    from burgerbot.learn.ppo import PPOConfig, Training, train

    config = PPOConfig(minibatches=8, gamma=0.97, learning_rate=1e-3, entropy=0.01)
    envs = gym.make_vec("BurgerBot-v1", num_envs=16)
    fresh = ActorCritic.of(envs, hidden=config.hidden, seed=seed)
    seen = [watch(fresh, 0)] if 0 in stages else []
    waiting = [stage for stage in stages if stage > 0]

    def look(run: Training) -> None:
        while waiting and run.steps >= waiting[0]:
            waiting.pop(0)
            seen.append(watch(run.policy, run.steps))

    if waiting:
        train(envs, config, waiting[-1], seed=seed, callback=look)
    return seen


def watch(policy: Any, trained: int, warm_up: int = 60, seed: int = 7) -> Stage:
    """Let a wall of robots drive by a policy, and note what they see; their paces differ soon."""
    import gymnasium as gym
    import torch
    from gymnasium.vector import AutoresetMode

    kwargs: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}
    envs = gym.make_vec("BurgerBot-v1", num_envs=ROBOTS, **kwargs)
    generator = torch.Generator().manual_seed(seed)
    observation, _ = envs.reset(seed=seed)
    observations, outcomes = [], []
    for _ in range(warm_up + SHOWN):
        with torch.no_grad():
            actions = policy.act(torch.as_tensor(observation), generator)[0].numpy()
        observation, _, terminated, _, infos = envs.step(actions)
        delivered = np.zeros(ROBOTS, dtype=bool)
        for i in np.flatnonzero(terminated):
            delivered[i] = bool((infos["final_obs"][i][:2] == CLASSIC.goal).all())
        observations.append(observation)
        ended = np.where(delivered, rules.DELIVERED, rules.CRASHED)
        outcomes.append(np.where(terminated, ended, rules.IDLE))
    return Stage(trained, np.array(observations[warm_up:]), np.array(outcomes[warm_up:]))


def frames(stages: list[Stage]) -> list[Any]:
    """Draw every step of every stage as a picture of the whole wall."""
    from PIL import Image, ImageDraw, ImageFont

    side = CLASSIC.cols * CELL
    down = -(-ROBOTS // ACROSS)
    size = (ACROSS * (side + GAP) + GAP, HEAD + down * (side + GAP))
    large, small = ImageFont.load_default(17), ImageFont.load_default(14)
    maps: dict[tuple[int, int, int], Any] = {}
    pictures = []
    for stage in stages:
        done = {rules.CRASHED: 0, rules.DELIVERED: 0}
        flash = np.zeros((ROBOTS, 2), dtype=int)  # outcome, and for how many frames it glows
        for seen, outcomes in zip(stage.observations, stage.outcomes, strict=True):
            picture = Image.new("RGB", size, FLOOR)
            draw = ImageDraw.Draw(picture)
            for i, (row, col, heading, _) in enumerate(seen.tolist()):
                if outcomes[i]:
                    done[int(outcomes[i])] += 1
                    flash[i] = outcomes[i], 3
                pose = (row, col, heading)
                if pose not in maps:
                    maps[pose] = Image.fromarray(paint(CLASSIC, *pose)).resize((side, side), 1)
                x, y = GAP + i % ACROSS * (side + GAP), HEAD + i // ACROSS * (side + GAP)
                picture.paste(maps[pose], (x, y))
                draw.rectangle((x - 1, y - 1, x + side, y + side), None, COUNTER)
                if flash[i, 1]:
                    _mark(draw, x, y, side, delivered=flash[i, 0] == rules.DELIVERED)
                    flash[i, 1] -= 1
            title = f"after {stage.trained:,} steps of training"
            draw.text((GAP, 5), title, fill=BODY, font=large)
            says = f"{done[rules.DELIVERED]} delivered, {done[rules.CRASHED]} crashed"
            draw.text((size[0] - GAP, 7), says, fill=TYRE, font=small, anchor="ra")
            pictures.append(picture)
    return pictures


def _mark(draw: Any, x: int, y: int, side: int, delivered: bool) -> None:
    """A frame around a kitchen, and a tick or a cross on it: the shape says it without colour."""
    colour = GOOD if delivered else BAD
    draw.rectangle((x - 4, y - 4, x + side + 3, y + side + 3), None, colour, 4)
    a, b, c, d = x + side // 3, x + 2 * side // 3, y + side // 3, y + 2 * side // 3
    if delivered:
        draw.line((a, (c + d) // 2, a + side // 8, d, b, c), colour, 5, joint="curve")
    else:
        draw.line((a, c, b, d), colour, 5)
        draw.line((a, d, b, c), colour, 5)


def save_gif(pictures: list[Any], path: Path) -> None:
    """Write pictures as an endless GIF of few colours; the last of them stays a while."""
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in palette_colours() for part in colour])
    few = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    times = [MILLISECONDS] * (len(few) - 1) + [1500]
    few[0].save(path, save_all=True, append_images=few[1:], duration=times, loop=0, optimize=True)


def palette_colours() -> list[tuple[int, int, int]]:
    """The colours of the drawing, and those half way between them that edges need."""
    paints = [FLOOR, TILE, LINE, COUNTER, COUNTER_TOP, BUN, LETTUCE, PATTY, BODY, TYRE, EYE, BAD]
    mixed = [(a, b) for a in (FLOOR, TILE) for b in (COUNTER, COUNTER_TOP, BODY, TYRE, BUN, PATTY)]
    mixed += [(BODY, TYRE), (BODY, EYE), (COUNTER, COUNTER_TOP), (BUN, LETTUCE), (LETTUCE, PATTY)]
    halves = [tuple((x + y) // 2 for x, y in zip(a, b, strict=True)) for a, b in mixed]
    return [*paints, *((r, g, b) for r, g, b in halves)]


def main(path: str) -> None:
    """Train, draw, save, and say what the picture shows."""
    stages = learn_in_stages()
    save_gif(frames(stages), Path(path))
    for stage in stages:
        crashed, delivered = ((stage.outcomes == k).sum() for k in (rules.CRASHED, rules.DELIVERED))
        print(f"{stage.trained:>7,} steps: {delivered} delivered, {crashed} crashed")
    print(f"{path}: {Path(path).stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:2])
