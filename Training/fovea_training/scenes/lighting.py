"""Fovea - light on a scene: gradients, shadows, glare, dusk.

All work on float pictures `[height, width, 3]`, BGR, about 0...255.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np


def gradient(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Light that falls off slowly over the picture."""
    height, width = image.shape[:2]
    strength = rng.uniform(0.05, 0.6)
    coarse = (1 + strength * (rng.random((3, 3)) * 2 - 1)).astype(np.float32)
    return image * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[:, :, None]


def shadow(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """The shadow of something outside the picture: one or two polygons with soft or hard edges."""
    height, width = image.shape[:2]
    # A quarter of the resolution is enough for what is blurred; hard edges get a pixel or two of penumbra.
    small = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
    for _ in range(int(rng.integers(1, 3))):
        centre = rng.random(2) * [small.shape[1], small.shape[0]]
        corners = int(rng.integers(3, 8))
        angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
        radius = rng.uniform(0.15, 0.9, corners) * max(small.shape)
        points = centre + radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        cv2.fillPoly(small, [points.astype(np.int32)], 1.0)
    small = cv2.GaussianBlur(small, (0, 0), float(np.exp(rng.uniform(np.log(0.4), np.log(15)))))
    mask = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)[:, :, None]
    depth = rng.uniform(0.25, 0.75) * np.array([rng.uniform(0.8, 1.0), 0.95, 1.0], np.float32)
    return image * (1 - mask * depth.astype(np.float32))


def glare(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """A lamp mirrored by foil or a screen: an ellipse that adds light."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height:4, 0:width:4].astype(np.float32)
    centre = rng.random(2) * [width, height]
    turn = rng.uniform(0, np.pi)
    long_axis = rng.uniform(0.03, 0.35) * max(width, height)
    short_axis = long_axis * rng.uniform(0.15, 1)
    u = ((x - centre[0]) * np.cos(turn) + (y - centre[1]) * np.sin(turn)) / long_axis
    v = ((y - centre[1]) * np.cos(turn) - (x - centre[0]) * np.sin(turn)) / short_axis
    spot = np.exp(-((u * u + v * v) ** rng.uniform(0.6, 2.0)))
    return image + rng.uniform(60, 260) * cv2.resize(spot.astype(np.float32), (width, height))[:, :, None]


def tone(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Exposure, contrast, gamma and the colour of the light."""
    gain = np.exp(rng.normal(0, 0.06, 3)) * np.exp(rng.normal(-0.05, 0.22))
    image = np.clip(image * gain.astype(np.float32), 0, 255)
    gamma = np.exp(rng.normal(0, 0.18))
    contrast = rng.uniform(0.65, 1.1)
    lift = rng.uniform(0, 1 - contrast) * 255 if contrast < 1 else 0
    return (255 * contrast) * (image * np.float32(1 / 255)) ** np.float32(gamma) + np.float32(lift)


def lit(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """A scene under some light."""
    result = image.astype(np.float32)
    if rng.random() < 0.7:
        result = gradient(rng, result)
    if rng.random() < 0.25:
        result = shadow(rng, result)
    if rng.random() < 0.12:
        result = glare(rng, result)
    return tone(rng, result) if rng.random() < 0.85 else result
