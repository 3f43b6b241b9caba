"""Fovea - surfaces bent and seen at an angle: where their pixels and outlines go.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.drawing.surface import Surface


def bent(rng: np.random.Generator, surface: Surface) -> Surface:
    """The surface on a cylinder (a bottle, a can, a rolled page) that is seen from the front.

    With the axis in the middle and half an angle `a` of the cylinder visible, a point at `u` in -1...1 of the flat width is seen at
    sin(a u) / sin(a).
    """
    angle = rng.uniform(0.3, 1.25)
    vertical_axis = rng.random() < 0.6
    extent = surface.width if vertical_axis else surface.height
    seen = (np.arange(extent, dtype=np.float32) + 0.5) / extent * 2 - 1
    flat = ((np.arcsin(np.clip(seen * np.sin(angle), -1, 1)) / angle + 1) / 2 * extent - 0.5).astype(np.float32)
    sag = rng.normal(0, 0.06) * (surface.height if vertical_axis else surface.width)
    sagging = sag * (np.sqrt(np.clip(1 - (seen * np.sin(angle)) ** 2, 0, 1)) - 1)
    x = np.arange(surface.width, dtype=np.float32)[None, :].repeat(surface.height, 0)
    y = np.arange(surface.height, dtype=np.float32)[:, None].repeat(surface.width, 1)
    shade = np.clip(np.sqrt(1 - (seen * np.sin(angle)) ** 2) * rng.uniform(0.2, 0.9) + rng.uniform(0.3, 0.8), 0.2, 1.1)
    if vertical_axis:
        x, y = flat[None, :].repeat(surface.height, 0), y + sagging[None, :].astype(np.float32)
        shade = shade[None, :, None]
    else:
        x, y = x + sagging[:, None].astype(np.float32), flat[:, None].repeat(surface.width, 1)
        shade = shade[:, None, None]
    pixels = cv2.remap(surface.pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    opacity = cv2.remap(surface.opacity, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    pixels = np.clip(pixels * shade, 0, 255).astype(np.uint8)

    def moved(outline: np.ndarray) -> np.ndarray:
        along, other = (0, 1) if vertical_axis else (1, 0)
        u = outline[:, along] / extent * 2 - 1
        result = outline.copy()
        result[:, along] = (np.sin(angle * u) / np.sin(angle) + 1) / 2 * extent
        result[:, other] -= sag * (np.cos(angle * u) - 1)
        return result

    return Surface(pixels, opacity, [one.moved(moved(one.outline)) for one in surface.annotations])


def crumpled(rng: np.random.Generator, surface: Surface) -> Surface:
    """Cloth or thin paper: points pushed to and fro by a smooth wave, with the light that shows it."""
    amplitude = rng.uniform(0.004, 0.02) * max(surface.width, surface.height)
    wave = rng.uniform(0.25, 1.0) * max(surface.width, surface.height)
    direction, phase = rng.uniform(0, np.pi), rng.uniform(0, 2 * np.pi, 2)
    push = np.array([np.cos(direction), np.sin(direction)]) * amplitude

    def offset(points_x: np.ndarray, points_y: np.ndarray) -> np.ndarray:
        return np.sin(2 * np.pi * points_x / wave + phase[0]) + 0.5 * np.sin(2 * np.pi * points_y / (0.7 * wave) + phase[1])

    y, x = np.mgrid[0 : surface.height, 0 : surface.width].astype(np.float32)
    lift = offset(x, y).astype(np.float32)
    pixels = cv2.remap(
        surface.pixels, x + lift * np.float32(push[0]), y + lift * np.float32(push[1]), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    shade = 1 + rng.uniform(0, 0.12) * cv2.Sobel(lift, cv2.CV_32F, 1, 0, scale=wave / 12)
    pixels = np.clip(pixels * shade[:, :, None], 0, 255).astype(np.uint8)

    def moved(outline: np.ndarray) -> np.ndarray:
        # One step of the inverse is exact to amplitude^2 / wave, a fraction of a pixel.
        return outline - offset(outline[:, 0], outline[:, 1])[:, None] * push

    return Surface(pixels, surface.opacity, [one.moved(moved(one.outline)) for one in surface.annotations])


def seen_at_an_angle(
    rng: np.random.Generator, width: float, height: float, centre: np.ndarray, scale: float, turn: float, tilt: float
) -> np.ndarray:
    """The homography of a plane that is turned in its own plane, tilted away and put at `centre`; `tilt` in radians."""
    axis = rng.uniform(0, 2 * np.pi)
    distance = rng.uniform(1.6, 4.0) * max(width, height)
    cosine, sine = np.cos(turn), np.sin(turn)
    rotation = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
    around = np.array([np.cos(axis), np.sin(axis), 0])
    rotation = cv2.Rodrigues(around * tilt)[0] @ rotation
    plane = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    # (X, Y) of the plane goes to rotation * (X, Y, 0) + (0, 0, distance), then is projected with the focal length `distance`.
    spatial = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    camera = np.diag([distance * scale, distance * scale, 1.0])
    shift = np.array([[1, 0, centre[0]], [0, 1, centre[1]], [0, 0, 1]])
    return shift @ camera @ spatial @ plane


def projected(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points `[N, 2]` through a homography."""
    homogeneous = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return homogeneous[:, :2] / homogeneous[:, 2:]
