"""Fovea - variations of stored scenes that stay honest: crops, quarter turns, mosaics, light, colour. No mirroring: text has a direction.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.classes import CLASS_NAMES, LEAST_SEEN, REFERENCE_SIDE, SMALLEST_SIDE

_SMALLEST = np.array([SMALLEST_SIDE[name] for name in CLASS_NAMES], np.float32)
_LEAST_SEEN = np.array([LEAST_SEEN[name] for name in CLASS_NAMES], np.float32)

#: Share of a box that must remain after a crop for it to be ignored instead of forgotten.
_IGNORED_FROM = 0.1

_REDUCTIONS = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_LINEAR)


def cropped(objects: np.ndarray, window: np.ndarray) -> np.ndarray:
    """Objects (class, left, top, right, bottom, ignored) in shares of a window (left, top, right, bottom) of the picture."""
    if len(objects) == 0:
        return objects
    extent = np.concatenate([window[2:] - window[:2]] * 2)
    boxes = (objects[:, 1:5] - np.concatenate([window[:2]] * 2)) / extent
    clipped = boxes.clip(0, 1)
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    share = np.prod(clipped[:, 2:] - clipped[:, :2], axis=1) / np.maximum(area, 1e-12)
    result = objects.copy()
    result[:, 1:5] = clipped
    result[share < _LEAST_SEEN[objects[:, 0].astype(int)], 5] = 1
    return result[share >= _IGNORED_FROM]


def turned(image: np.ndarray, objects: np.ndarray, quarter_turns: int) -> tuple[np.ndarray, np.ndarray]:
    """Picture and objects, turned counterclockwise by multiples of 90 degrees."""
    for _ in range(quarter_turns % 4):
        image = np.rot90(image)
        left, top, right, bottom = objects[:, 1:5].T
        objects = np.column_stack([objects[:, 0], top, 1 - right, bottom, 1 - left, objects[:, 5]]).astype(np.float32)
    return np.ascontiguousarray(image), objects


def window_of(rng: np.random.Generator, smallest: float) -> np.ndarray:
    """A window with sides of `smallest`...1 of the picture's, about as wide as high."""
    side = rng.uniform(smallest, 1.0)
    extent = np.clip(side * np.exp(rng.normal(0, 0.08, 2)), smallest, 1.0)
    corner = rng.random(2) * (1 - extent)
    return np.concatenate([corner, corner + extent]).astype(np.float32)


def resized_window(rng: np.random.Generator, image: np.ndarray, window: np.ndarray, side: int) -> np.ndarray:
    """The window of a picture in `side` x `side` pixels."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = (window * [width, height, width, height]).round().astype(int)
    part = image[y0 : max(y1, y0 + 2), x0 : max(x1, x0 + 2)]
    method = _REDUCTIONS[int(rng.integers(0, len(_REDUCTIONS)))]
    return cv2.resize(part, (side, side), interpolation=method)


def coloured(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Another exposure and white balance through one table a channel; negative at times."""
    if rng.random() < 0.4:
        return image
    gain = np.exp(rng.normal(0, 0.05, 3)) * np.exp(rng.normal(0, 0.15))
    offset = rng.normal(0, 8)
    levels = np.arange(256)
    table = np.clip(levels[:, None] * gain + offset, 0, 255).astype(np.uint8)
    return cv2.LUT(image, table[None, :, :])


def ignored_where_small(objects: np.ndarray, side: int) -> np.ndarray:
    """Marks what has become too small for an input of `side` pixels; four fifths of the limit, as boxes here are hulls."""
    if len(objects):
        shorter = (objects[:, 3:5] - objects[:, 1:3]).min(axis=1) * min(side, REFERENCE_SIDE)
        objects[shorter < 0.8 * _SMALLEST[objects[:, 0].astype(int)], 5] = 1
    return objects
