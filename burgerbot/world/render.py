"""Paint a kitchen as an RGB array with NumPy alone: no window, no display, no pygame."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from burgerbot.world.kitchen import Kitchen

#: Colours of Okabe and Ito's palette, told apart by colour-blind readers too.
FLOOR, TILE, LINE = (250, 246, 238), (244, 238, 226), (222, 213, 196)
COUNTER, COUNTER_TOP = (74, 78, 86), (112, 118, 128)
BUN, LETTUCE, PATTY = (230, 159, 0), (0, 158, 115), (110, 60, 20)
BODY, TYRE, EYE = (0, 114, 178), (40, 40, 46), (255, 255, 255)
MAX_PIXELS = 1024


def paint(kitchen: Kitchen, row: int, col: int, heading: int) -> np.ndarray:
    """Paint the kitchen with the robot at ``(row, col)`` facing ``heading``.

    Returns:
        uint8 ``[rows * size, cols * size, 3]``, a new array; a cell is 48 pixels wide, less in a
        kitchen that would be over 1,024 pixels.
    """
    size = min(48, MAX_PIXELS // max(kitchen.rows, kitchen.cols))
    frame = _background(kitchen, size).copy()
    _paste(frame, _robot(size, heading), row, col)
    return frame


@lru_cache(maxsize=64)
def _background(kitchen: Kitchen, size: int) -> np.ndarray:
    """The kitchen without the robot."""
    frame = np.empty((kitchen.rows * size, kitchen.cols * size, 3), dtype=np.uint8)
    for row in range(kitchen.rows):
        for col in range(kitchen.cols):
            cell = frame[row * size : (row + 1) * size, col * size : (col + 1) * size]
            cell[:] = FLOOR if (row + col) % 2 else TILE
            cell[-1:], cell[:, -1:] = LINE, LINE
    for row, col in kitchen.obstacles:
        _paste(frame, _counter(size), row, col)
    _paste(frame, _burger(size), *kitchen.goal)
    return frame


@lru_cache(maxsize=16)
def _counter(size: int) -> np.ndarray:
    """An obstacle: a kitchen counter with a lighter top."""
    x, y = _grid(size)
    block = _rounded(x, y, 0.5, 0.5, 0.44, 0.44)
    top = _rounded(x, y, 0.5, 0.44, 0.38, 0.34)
    return _layers(size, [(block, COUNTER), (top, COUNTER_TOP)])


@lru_cache(maxsize=16)
def _burger(size: int) -> np.ndarray:
    """The goal: a burger."""
    x, y = _grid(size)
    crown = ((x - 0.5) / 0.36) ** 2 + ((y - 0.48) / 0.32) ** 2 <= 1
    heel = _rounded(x, y, 0.5, 0.76, 0.35, 0.09)
    lettuce = _rounded(x, y, 0.5, 0.53, 0.4, 0.055)
    patty = _rounded(x, y, 0.5, 0.62, 0.37, 0.055)
    return _layers(
        size, [(crown & (y < 0.5), BUN), (heel, BUN), (patty, PATTY), (lettuce, LETTUCE)]
    )


@lru_cache(maxsize=64)
def _robot(size: int, heading: int) -> np.ndarray:
    """The robot: two tyres, a round body, and a white arrowhead that points where it faces."""
    x, y = _grid(size)
    tyres = _rounded(abs(x - 0.5), y, 0.36, 0.52, 0.07, 0.2)
    body = (x - 0.5) ** 2 + (y - 0.5) ** 2 <= 0.35**2
    arrow = (y > 0.22) & (y < 0.62) & (abs(x - 0.5) < (y - 0.22) * 0.5)
    notch = (y > 0.52) & (abs(x - 0.5) < (y - 0.52) * 1.4)
    facing_north = _layers(size, [(tyres, TYRE), (body, BODY), (arrow & ~notch, EYE)])
    return np.rot90(facing_north, -heading)


def _grid(size: int, sharpness: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates in [0, 1] of ``sharpness`` samples a pixel each way."""
    line = (np.arange(size * sharpness) + 0.5) / (size * sharpness)
    return line[None, :], line[:, None]


def _rounded(x: np.ndarray, y: np.ndarray, cx: float, cy: float, w: float, h: float) -> np.ndarray:
    """A box of half-width ``w`` and half-height ``h`` around (cx, cy) with round corners."""
    radius = min(w, h) * 0.5
    dx = np.maximum(abs(x - cx) - (w - radius), 0)
    dy = np.maximum(abs(y - cy) - (h - radius), 0)
    return dx**2 + dy**2 <= radius**2


def _layers(size: int, shapes: list[tuple[np.ndarray, tuple[int, int, int]]]) -> np.ndarray:
    """Paint shapes over each other and average the samples of each pixel: RGBA in [0, 255]."""
    samples = np.zeros((*shapes[0][0].shape, 4))
    for mask, colour in shapes:
        samples[mask] = (*colour, 255.0)
    n = len(samples) // size
    blocks = samples.reshape(size, n, size, n, 4)
    alpha = blocks[..., 3:].sum(axis=(1, 3))
    weighted = (blocks[..., :3] * blocks[..., 3:]).sum(axis=(1, 3)) / np.maximum(alpha, 1)
    return np.concatenate([weighted, alpha / n**2], axis=-1)


def _paste(frame: np.ndarray, sprite: np.ndarray, row: int, col: int) -> None:
    """Blend a sprite of one cell over the frame."""
    size = len(sprite)
    cell = frame[row * size : (row + 1) * size, col * size : (col + 1) * size]
    alpha = sprite[..., 3:] / 255
    cell[:] = np.round(sprite[..., :3] * alpha + cell * (1 - alpha))
