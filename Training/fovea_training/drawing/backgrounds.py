"""Fovea - backgrounds: textures and patterns, alone or as clutter of things that cover each other.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.drawing import colours, hard_negatives, textures


def _blob(rng: np.random.Generator, width: int, height: int, size: float) -> np.ndarray:
    """The outline of a thing: a rectangle, an ellipse, or a rounded or pointed polygon, `[N, 2]` in pixels."""
    centre = rng.random(2) * [width, height]
    kind = rng.random()
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal(0, 0.1)
    aspect = np.exp(rng.normal(0, 0.5))
    if kind < 0.35:
        points = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
        points = points * (1 + rng.normal(0, 0.12, (4, 2)))
    else:
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        radius = np.ones(24)
        if kind > 0.65:
            for order in range(2, 5):
                radius += rng.normal(0, 0.35 / order) * np.cos(order * angles + rng.uniform(0, 6.3))
        points = radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = points * [size * np.sqrt(aspect), size / np.sqrt(aspect)]
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return points @ rotation.T + centre


def add_thing(rng: np.random.Generator, image: np.ndarray, size: float, hard_share: float) -> None:
    """Lays one textured thing on the picture, with shading and an edge or a shadow at times."""
    height, width = image.shape[:2]
    outline = _blob(rng, width, height, size)
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, [width, height])
    extent = high - low
    if extent.min() < 3:
        return
    mask = np.zeros((extent[1], extent[0]), np.uint8)
    cv2.fillPoly(mask, [np.round((outline - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    kind = rng.random()
    if kind < hard_share and extent.min() > 20:
        fill = hard_negatives.any_pattern(rng, int(extent[0]), int(extent[1]))
    elif kind < 0.6 or extent.min() < 12:
        fill = textures.plain(rng, int(extent[0]), int(extent[1]))
    else:
        fill = textures.any_texture(rng, int(extent[0]), int(extent[1]))
    if rng.random() < 0.4:
        shade = np.linspace(rng.uniform(0.4, 1), rng.uniform(0.8, 1.2), extent[0], dtype=np.float32)[None, :, None]
        fill = np.clip(fill * shade, 0, 255).astype(np.uint8)
    region = image[low[1] : high[1], low[0] : high[0]]
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, size * 0.15)).astype(np.float32)[:, :, None] / 255
        region[:] = (region * (1 - 0.5 * soft)).astype(np.uint8)
    weight = mask.astype(np.float32)[:, :, None] / 255
    region[:] = (region * (1 - weight) + fill * weight).astype(np.uint8)
    if rng.random() < 0.3:
        cv2.polylines(image, [outline.astype(np.int32)], True, colours.any_colour(rng).tolist(), int(rng.integers(1, 3)), cv2.LINE_AA)


def dead_leaves(rng: np.random.Generator, width: int, height: int, hard_share: float) -> np.ndarray:
    """Things of all sizes that cover each other: how natural scenes are made, as statistics go."""
    image = textures.any_texture(rng, width, height)
    count = int(rng.integers(8, 90))
    largest = rng.uniform(0.15, 0.5) * min(width, height)
    sizes = np.sort(largest / (1 + rng.random(count) * rng.uniform(2, 25)))[::-1]
    for size in sizes:
        add_thing(rng, image, float(size), hard_share)
    return image


def room(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """A wall over a floor or table, with things before them."""
    edge = int(height * rng.uniform(0.2, 0.8))
    image = np.empty((height, width, 3), np.uint8)
    fill = hard_negatives.any_pattern if rng.random() < 0.3 else textures.any_texture
    image[:edge] = fill(rng, width, edge)
    image[edge:] = textures.any_texture(rng, width, height - edge)
    for _ in range(int(rng.integers(3, 30))):
        add_thing(rng, image, float(rng.uniform(0.02, 0.25) * max(width, height)), 0.2)
    return image


def slanted(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """The middle of the picture seen at an angle, filling the whole picture."""
    height, width = image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inner = corners + rng.uniform(0, 0.3, (4, 2)).astype(np.float32) * [width, height] * np.sign([width, height] / np.float32(2) - corners)
    matrix = cv2.getPerspectiveTransform(inner.astype(np.float32), corners)
    return cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def background(rng: np.random.Generator, width: int, height: int, hard_share: float) -> np.ndarray:
    """What stands behind the objects; `hard_share` is how much of it shall resemble codes."""
    kind = rng.random()
    if kind < hard_share:
        image = hard_negatives.any_pattern(rng, width, height)
        for _ in range(int(rng.integers(0, 6))):
            add_thing(rng, image, float(rng.uniform(0.03, 0.25) * max(width, height)), 0.3)
    elif kind < hard_share + 0.22:
        image = textures.any_texture(rng, width, height)
    elif kind < hard_share + 0.45:
        image = room(rng, width, height)
    else:
        image = dead_leaves(rng, width, height, hard_share)
    return slanted(rng, image) if rng.random() < 0.4 else image
