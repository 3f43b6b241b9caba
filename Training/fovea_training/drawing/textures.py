"""Fovea - textures of things that are no objects: noise, wood, cloth, leaves, skies and walls.

Every function draws `[height, width, 3]` (BGR, 8 bits).
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.drawing import colours


def fractal_noise(rng: np.random.Generator, width: int, height: int, coarsest: float, persistence: float) -> np.ndarray:
    """Sum of octaves of smooth noise, about 0...1, `[height, width]`; `coarsest` is the first cell as a share of the longer side."""
    total = np.zeros((height, width), np.float32)
    cell = max(2.0, max(width, height) * coarsest)
    amplitude, whole = 1.0, 0.0
    while cell >= 1.5 and amplitude > 0.02:
        grid = rng.random((int(height / cell) + 2, int(width / cell) + 2), np.float32)
        total += amplitude * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC if cell > 3 else cv2.INTER_LINEAR)
        whole += amplitude
        amplitude *= persistence
        cell /= 2
    return np.clip(total / whole, 0, 1)


def coloured(rng: np.random.Generator, values: np.ndarray, stops: int | None = None) -> np.ndarray:
    """A grey picture of 0...1 through a ramp of related colours."""
    count = stops or int(rng.integers(2, 5))
    hue, spread = rng.random(), rng.uniform(0, 0.25)
    ramp = np.stack(
        [
            colours.from_hue(hue + rng.normal(0, spread), rng.random() ** 1.5, float(np.clip(level + rng.normal(0, 0.15), 0, 1)))
            for level in np.sort(rng.random(count))
        ]
    )
    if rng.random() < 0.2:
        ramp = ramp[::-1]
    table = np.stack([np.interp(np.linspace(0, 1, 256), np.linspace(0, 1, count), ramp[:, c]) for c in range(3)], axis=1)
    stretched = cv2.normalize(values, None, 0, 255, cv2.NORM_MINMAX).astype(np.uint8)
    return table.astype(np.uint8)[stretched]


def plain(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """One colour that changes slowly."""
    corners = np.clip(colours.any_colour(rng) + rng.normal(0, 25, (2, 2, 3)), 0, 255).astype(np.float32)
    return cv2.resize(corners, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def cloudy(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Natural-looking noise: stone, earth, foliage out of focus, skies."""
    return coloured(rng, fractal_noise(rng, width, height, rng.uniform(0.05, 0.6), rng.uniform(0.4, 0.85)))


def wood(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Grain: noise stretched along one axis, with rings, on planks at times."""
    across = fractal_noise(rng, 8, height, 0.5, 0.8)
    bent = fractal_noise(rng, width, height, 0.7, 0.4)
    grain = cv2.resize(across, (width, height), interpolation=cv2.INTER_LINEAR)
    rings = np.sin((grain * rng.uniform(4, 14) + bent * rng.uniform(2, 9)) * np.pi)
    values = 0.6 * grain + 0.2 * rings.astype(np.float32) + 0.1 * bent
    hue, value = rng.uniform(0.04, 0.12), rng.uniform(0.45, 0.95)
    light, dark = (
        colours.from_hue(hue, rng.uniform(0.2, 0.6), value),
        colours.from_hue(hue, rng.uniform(0.4, 0.8), value * rng.uniform(0.4, 0.8)),
    )
    mix = cv2.normalize(values, None, 0, 1, cv2.NORM_MINMAX)[:, :, None]
    image = light * (1 - mix) + dark * mix
    if rng.random() < 0.5:
        for y in range(int(rng.integers(8, 60)), height, int(rng.integers(30, 110))):
            image[y : y + int(rng.integers(1, 3))] *= 0.45
    image = image.astype(np.uint8)
    return image if rng.random() < 0.5 else np.ascontiguousarray(cv2.resize(image.transpose(1, 0, 2), (width, height)))


def marble(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Veins: ridges of noise."""
    ridges = 1 - np.abs(2 * fractal_noise(rng, width, height, rng.uniform(0.1, 0.5), 0.6) - 1)
    return coloured(rng, ridges ** rng.uniform(1, 8))


def speckle(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Sand, gravel, asphalt, carpet: fine noise of a grain size."""
    grain = rng.uniform(1.0, 6.0)
    values = rng.random((max(2, int(height / grain)), max(2, int(width / grain))), np.float32) ** rng.uniform(0.5, 3)
    return coloured(rng, cv2.resize(values, (width, height), interpolation=cv2.INTER_CUBIC))


def brushed_metal(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Streaks of grey in one direction."""
    streaks = cv2.resize(rng.random((height, 4), np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    shade = fractal_noise(rng, width, height, 0.8, 0.5)
    grey = rng.uniform(70, 190) + 45 * (streaks - 0.5) + 90 * (shade - 0.5)
    return np.clip(grey[:, :, None] * rng.uniform(0.9, 1.1, 3), 0, 255).astype(np.uint8)


def strokes(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Grass, hair, twigs: many thin curves."""
    image = cloudy(rng, width, height)
    direction, spread = rng.uniform(0, np.pi), rng.uniform(0.1, 1.5)
    base = colours.any_colour(rng)
    for _ in range(int(rng.integers(40, 300))):
        start = rng.random(2) * [width, height]
        angle = direction + rng.normal(0, spread)
        steps = np.linspace(0, rng.uniform(10, 120), 5)
        bend = angle + steps * rng.normal(0, 0.01)
        points = start + np.stack([steps * np.cos(bend), steps * np.sin(bend)], axis=1)
        shade = np.clip(base * rng.uniform(0.3, 1.4), 0, 255)
        cv2.polylines(image, [points.astype(np.int32)], False, shade.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)
    return image


TEXTURES = (plain, cloudy, cloudy, wood, marble, speckle, brushed_metal, strokes)


def any_texture(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """One of the textures of this file."""
    return TEXTURES[int(rng.integers(0, len(TEXTURES)))](rng, width, height)
