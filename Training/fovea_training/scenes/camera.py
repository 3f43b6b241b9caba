"""Fovea - what a camera does to a scene: blur, too few pixels, noise, sharpening, compression.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np


def _disc(radius: float) -> np.ndarray:
    """The point spread of a lens out of focus, with an edge of a pixel."""
    reach = int(np.ceil(radius))
    axis = np.arange(-reach, reach + 1, dtype=np.float32)
    kernel = np.clip(radius + 0.5 - np.hypot(axis[:, None], axis[None, :]), 0, 1)
    return kernel / kernel.sum()


def _path(rng: np.random.Generator, length: float) -> np.ndarray:
    """The point spread of a camera that moves: a straight or bent line."""
    side = int(np.ceil(length)) | 1
    kernel = np.zeros((side + 2, side + 2), np.float32)
    angle, bend = rng.uniform(0, np.pi), rng.normal(0, 0.4)
    steps = np.linspace(-0.5, 0.5, 9) * length
    turns = angle + bend * np.linspace(-0.5, 0.5, 9)
    points = (np.stack([steps * np.cos(turns), steps * np.sin(turns)], axis=1) + (side + 1) / 2) * 8
    cv2.polylines(kernel, [np.round(points).astype(np.int32)], False, 1.0, 1, cv2.LINE_AA, 3)
    return kernel / max(kernel.sum(), 1e-6)


def blurred(rng: np.random.Generator, image: np.ndarray, strongest: float) -> np.ndarray:
    """Out of focus, moved, or sharp; `strongest` is the largest radius in pixels that leaves the objects recognisable."""
    kind = rng.random()
    if kind < 0.35:
        return image
    amount = strongest * rng.random() ** 2
    if kind < 0.6:
        return cv2.GaussianBlur(image, (0, 0), max(0.3, 0.7 * amount))
    if kind < 0.8:
        return cv2.filter2D(image, -1, _disc(max(0.6, amount)))
    return cv2.filter2D(image, -1, _path(rng, max(1.5, 2.0 * amount)))


def coarse(rng: np.random.Generator, image: np.ndarray, most: float) -> np.ndarray:
    """Fewer pixels than it seems: digital zoom, thumbnails, video."""
    height, width = image.shape[:2]
    factor = rng.uniform(1.1, most)
    down = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_NEAREST)[int(rng.choice(3, p=[0.6, 0.3, 0.1]))]
    up = (cv2.INTER_LINEAR, cv2.INTER_CUBIC)[int(rng.integers(0, 2))]
    small = cv2.resize(image, (max(8, int(width / factor)), max(8, int(height / factor))), interpolation=down)
    return cv2.resize(small, (width, height), interpolation=up)


def noisy(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Noise of the sensor: grows with the root of the light, partly coloured and smeared by what the camera does against it."""
    height, width = image.shape[:2]
    strength = np.exp(rng.uniform(np.log(0.8), np.log(16)))
    grain = rng.standard_normal((height, width), np.float32)[:, :, None]
    coloured = cv2.resize(rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), np.float32), (width, height))
    if rng.random() < 0.3:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.8)[:, :, None] * 1.8
    level = np.sqrt(0.15 + np.clip(image, 0, 255) / 255)
    return image + strength * level * (grain + 0.5 * coloured)


def sharpened(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Halos around edges, as telephones draw them."""
    return image + rng.uniform(0.3, 1.5) * (image - cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 2.0)))


def photographed(rng: np.random.Generator, image: np.ndarray, strongest_blur: float) -> np.ndarray:
    """A lit scene (float) as 8 bits from a camera."""
    image = blurred(rng, image, strongest_blur)
    if rng.random() < 0.25:
        image = coarse(rng, image, 1 + min(2.0, strongest_blur))
    if rng.random() < 0.75:
        image = noisy(rng, image)
    if rng.random() < 0.25:
        image = sharpened(rng, image)
    result = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.07:
        result = cv2.cvtColor(cv2.cvtColor(result, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.4:
        # An earlier generation of compression; the last one is that of the stored file.
        quality = int(rng.integers(25, 92))
        result = cv2.imdecode(cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return result
