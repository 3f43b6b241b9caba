"""Fovea - patterns that look like codes or text and are neither.

Every function draws `[height, width, 3]` (BGR, 8 bits).
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.drawing import colours, textures


def _two_colours(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    if rng.random() < 0.35:
        return np.full(3, rng.uniform(0, 70)), np.full(3, rng.uniform(180, 255))
    return colours.any_colour(rng), colours.any_colour(rng)


def _mixed(rng: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    """Two colours by a mask of 0...1."""
    first, second = _two_colours(rng)
    weight = np.clip(mask, 0, 1).astype(np.float32)[:, :, None]
    image = (first * (1 - weight) + second * weight).astype(np.float32)
    if rng.random() < 0.5:
        image *= 0.7 + 0.6 * textures.fractal_noise(rng, mask.shape[1], mask.shape[0], 0.4, 0.7)[:, :, None]
    return np.clip(image, 0, 255).astype(np.uint8)


def _wave(position: np.ndarray, sharpness: float, duty: float) -> np.ndarray:
    """A periodic profile of 0...1 with soft edges; `position` counts periods."""
    return 1 / (1 + np.exp(-sharpness * (np.cos(2 * np.pi * position) - np.cos(np.pi * duty))))


def _axes(rng: np.random.Generator, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Turned coordinates in pixels; mostly upright."""
    angle = rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.08) if rng.random() < 0.7 else rng.uniform(0, np.pi)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle)), y * np.float32(np.cos(angle)) - x * np.float32(np.sin(angle))


def stripes(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Blinds, radiators, corrugated iron, shirts, crossings: stripes of one period."""
    along, across = _axes(rng, width, height)
    period = rng.uniform(4, 60)
    phase = along / period
    if rng.random() < 0.35:
        phase += rng.uniform(0.2, 2.0) * textures.fractal_noise(rng, width, height, 0.5, 0.5)
    if rng.random() < 0.2:
        phase *= 1 + across / max(width, height) * rng.uniform(-0.5, 0.5)
    return _mixed(rng, _wave(phase, rng.uniform(2, 20), rng.uniform(0.15, 0.85)))


def curtain(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Folds, falling water, planks, bark: bands of all widths and tones with soft edges, one noise drawn out along an axis."""
    profile = textures.fractal_noise(rng, width, 2, rng.uniform(0.02, 0.2), rng.uniform(0.6, 1.0))[:1]
    values = np.repeat(cv2.normalize(profile, None, 0, 1, cv2.NORM_MINMAX), height, axis=0)
    if rng.random() < 0.5:
        values = values + rng.uniform(0.1, 0.6) * textures.fractal_noise(rng, width, height, 0.3, 0.8)
    if rng.random() < 0.4:
        values = 1 / (1 + np.exp(-rng.uniform(3, 8) * (values - values.mean())))
    image = textures.coloured(rng, values.astype(np.float32))
    return image if rng.random() < 0.7 else np.ascontiguousarray(cv2.resize(image.transpose(1, 0, 2), (width, height)))


def silhouettes(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Branches, crowds, machines before a bright sky: dark things without an order on a light ground."""
    light = colours.from_hue(rng.random(), rng.uniform(0, 0.25), rng.uniform(0.8, 1.0))
    image = np.empty((height, width, 3), np.uint8)
    image[:] = light.astype(np.uint8)
    for _ in range(int(rng.integers(5, 60))):
        dark = np.full(3, rng.uniform(10, 110))
        start = rng.random(2) * [width, height]
        if rng.random() < 0.4:
            axes = (rng.random(2) * 0.08 * max(width, height) + 1).astype(int)
            cv2.ellipse(
                image, start.astype(int).tolist(), axes.tolist(), float(rng.uniform(0, 180)), 0, 360, dark.tolist(), -1, cv2.LINE_AA
            )
        else:
            steps = np.cumsum(rng.normal(0, 0.07 * max(width, height), (int(rng.integers(2, 6)), 2)), axis=0) + start
            cv2.polylines(image, [steps.astype(np.int32)], False, dark.tolist(), int(rng.integers(1, 7)), cv2.LINE_AA)
    return image


def shelf(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Books, planks, folders: upright bands of many colours and widths, with plain spines."""
    image = np.zeros((height, width, 3), np.uint8)
    x = 0
    mean = rng.uniform(5, 40)
    palette = [colours.any_colour(rng) for _ in range(int(rng.integers(3, 9)))]
    while x < width:
        thickness = max(2, int(rng.normal(mean, mean * 0.4)))
        shade = palette[int(rng.integers(0, len(palette)))] * rng.uniform(0.6, 1.1)
        top = int(rng.uniform(0, 0.25) * height)
        profile = 1 - 0.5 * np.abs(np.linspace(-1, 1, thickness)) ** 2
        band = np.clip(shade[None, :] * profile[:, None], 0, 255).astype(np.uint8)
        shown = min(thickness, width - x)
        image[top:, x : x + shown] = band[None, :shown]
        if rng.random() < 0.4 and thickness > 6:
            y = int(rng.uniform(0.2, 0.8) * height)
            image[y : y + int(rng.integers(2, 12)), x : x + shown] = colours.any_colour(rng).astype(np.uint8)
        x += thickness
    return image


def grid(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Tiles, wire mesh, graph paper, window bars."""
    along, across = _axes(rng, width, height)
    period, ratio = rng.uniform(6, 70), rng.uniform(0.6, 1.8)
    duty, sharpness = rng.uniform(0.05, 0.4), rng.uniform(8, 40)
    lines = np.maximum(_wave(along / period, sharpness, duty), _wave(across / (period * ratio), sharpness, duty))
    return _mixed(rng, lines)


def checks(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Chess boards and tablecloths."""
    along, across = _axes(rng, width, height)
    period = rng.uniform(8, 80)
    first, second = _wave(along / period, 20, 0.5), _wave(across / period, 20, 0.5)
    return _mixed(rng, first * second + (1 - first) * (1 - second) if rng.random() < 0.6 else 0.5 * (first + second))


def cells(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Mosaics, crosswords, lit windows, bricks: a grid of cells that differ, with joints, some rows shifted."""
    columns, rows = int(rng.integers(3, 28)), int(rng.integers(3, 28))
    shift = rng.choice([0.0, 0.5], p=[0.6, 0.4])
    joint = rng.uniform(0.04, 0.3)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    v = y * rows / height
    u = x * columns / width + shift * (np.floor(v) % 2)
    inside = (u % 1 > joint) & (v % 1 > joint * columns / rows * rng.uniform(0.5, 1.5))
    count = int(rng.integers(2, 7))
    palette = np.stack([colours.any_colour(rng) for _ in range(count)])
    if rng.random() < 0.5:
        palette = np.clip(palette[0] * rng.uniform(0.7, 1.2, (count, 1)), 0, 255)
    picks = rng.integers(0, count, (rows + 1, columns + 2))
    image = palette[picks[np.minimum(np.floor(v).astype(int), rows), np.floor(u).astype(int)]]
    image[~inside] = colours.any_colour(rng)
    return image.astype(np.uint8)


def keyboard(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Keys with marks on them, or a keypad, or a panel of buttons."""
    body = colours.any_colour(rng) * rng.uniform(0.2, 1)
    image = np.empty((height, width, 3), np.uint8)
    image[:] = body.astype(np.uint8)
    pitch = rng.uniform(14, 60)
    key, mark = _two_colours(rng)
    gap = max(1, int(pitch * rng.uniform(0.05, 0.3)))
    for row in range(int(height / pitch) + 1):
        x = -pitch * rng.random()
        while x < width:
            span = pitch * (1 if rng.random() < 0.85 else rng.uniform(1.3, 3))
            left, top = int(x), int(row * pitch)
            right, bottom = int(x + span) - gap, int(row * pitch + pitch) - gap
            cv2.rectangle(image, (left, top), (right, bottom), key.tolist(), -1)
            cv2.rectangle(image, (left, top), (right, bottom), (key * 0.6).tolist(), 1)
            centre = (int(x + span * rng.uniform(0.25, 0.5)), int(row * pitch + pitch * rng.uniform(0.3, 0.55)))
            if rng.random() < 0.9:
                cv2.ellipse(
                    image,
                    centre,
                    (max(1, int(pitch * 0.1)), max(1, int(pitch * 0.15))),
                    0,
                    0,
                    float(rng.uniform(90, 360)),
                    mark.tolist(),
                    1,
                )
            x += span
    return image


def halftone(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Dots on a lattice whose size follows a picture: print, perforated metal, LED walls."""
    along, across = _axes(rng, width, height)
    period = rng.uniform(4, 40)
    level = textures.fractal_noise(rng, width, height, 0.5, 0.4) if rng.random() < 0.6 else np.float32(rng.uniform(0.3, 0.7))
    lattice = 0.25 * (2 + np.cos(2 * np.pi * along / period) + np.cos(2 * np.pi * across / period))
    return _mixed(rng, 1 / (1 + np.exp(-20 * (lattice - level))))


def chain_link(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """A fence before something."""
    image = textures.any_texture(rng, width, height)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    period = rng.uniform(12, 80)
    wire = np.maximum(_wave((x + y) / period, 40, 0.1), _wave((x - y) / period, 40, 0.1))
    shade = colours.any_colour(rng)
    return (image * (1 - wire[:, :, None]) + shade * wire[:, :, None]).astype(np.uint8)


def zebra(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Stripes that wander and fork, camouflage, spots."""
    along, _ = _axes(rng, width, height)
    noise = textures.fractal_noise(rng, width, height, rng.uniform(0.1, 0.5), 0.4)
    return _mixed(rng, _wave(along / rng.uniform(10, 80) + noise * rng.uniform(0.5, 5), rng.uniform(4, 20), rng.uniform(0.3, 0.7)))


def facade(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """A wall with rows of windows."""
    image = textures.any_texture(rng, width, height)
    pitch_x, pitch_y = rng.uniform(14, 90), rng.uniform(14, 90)
    share_x, share_y = rng.uniform(0.3, 0.75), rng.uniform(0.3, 0.75)
    glass, frame = colours.any_colour(rng), colours.any_colour(rng)
    bars = int(rng.integers(0, 3))
    for top in np.arange(pitch_y * 0.2, height, pitch_y):
        for left in np.arange(pitch_x * 0.2, width, pitch_x):
            corner = (int(left), int(top))
            opposite = (int(left + pitch_x * share_x), int(top + pitch_y * share_y))
            cv2.rectangle(image, corner, opposite, np.clip(glass * rng.uniform(0.4, 1.3), 0, 255).tolist(), -1)
            cv2.rectangle(image, corner, opposite, frame.tolist(), int(rng.integers(1, 3)))
            for bar in range(bars):
                x = int(left + pitch_x * share_x * (bar + 1) / (bars + 1))
                cv2.line(image, (x, corner[1]), (x, opposite[1]), frame.tolist(), 1)
    return image


def weave(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Cloth, baskets, knitting."""
    along, across = _axes(rng, width, height)
    period = rng.uniform(4, 24)
    over = np.sin(2 * np.pi * along / period) * np.sin(2 * np.pi * across / period)
    return _mixed(rng, 0.5 + 0.5 * over + 0.3 * (textures.fractal_noise(rng, width, height, 0.3, 0.7) - 0.5))


def scattered_modules(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Squares at random, without the finders of a code: pixel art, camouflage, compression blocks."""
    side = int(rng.integers(4, 30))
    smooth = textures.fractal_noise(rng, -(-width // side), -(-height // side), rng.uniform(0.15, 0.6), 0.6)
    small = textures.coloured(rng, smooth, int(rng.integers(2, 5)))
    return np.repeat(np.repeat(small, side, axis=0), side, axis=1)[:height, :width].copy()


PATTERNS = (
    *(stripes, stripes, curtain, curtain, shelf, shelf, grid, grid, checks, cells, cells),
    *(keyboard, halftone, chain_link, zebra, facade, facade, weave, scattered_modules, silhouettes),
)


def any_pattern(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """One of the patterns of this file."""
    return PATTERNS[int(rng.integers(0, len(PATTERNS)))](rng, width, height)
