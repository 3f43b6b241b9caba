"""Fovea - a picture in the making: surfaces laid over each other, and which of them is seen where.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.drawing import colours
from fovea_training.drawing.surface import Annotation, Surface
from fovea_training.scenes import placement
from fovea_training.scenes.visible_objects import SceneObject, ignore_entangled_text, visible_object


class Canvas:
    """A picture in the making: pixels, and which surface is seen where."""

    def __init__(self, image: np.ndarray) -> None:
        self.image = image
        self.top_layer = np.zeros(image.shape[:2], np.int16)
        self.outlines: list[tuple[Annotation, int]] = []
        self.layers = 0

    def lay(self, rng: np.random.Generator, surface: Surface, matrix: np.ndarray) -> None:
        """Draws a surface through a homography, over all that is there."""
        height, width = self.image.shape[:2]
        corners = placement.projected(matrix, np.array([[0, 0], [surface.width, 0], [surface.width, surface.height], [0, surface.height]]))
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, [width, height])
        if (high - low).min() < 2:
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        # Pixel centres are at halves; OpenCV counts from the middle of the first pixel.
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        shift = np.array([[1, 0, -low[0] - 0.5], [0, 1, -low[1] - 0.5], [0, 0, 1]])
        local = shift @ matrix @ half
        pixels = cv2.warpPerspective(surface.pixels, local, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        opacity = cv2.warpPerspective(surface.opacity, local, size, flags=cv2.INTER_LINEAR)
        region = (slice(low[1], high[1]), slice(low[0], high[0]))
        self.layers += 1
        if rng.random() < 0.35:
            self._cast_shadow(rng, opacity, region)
        weight = opacity.astype(np.float32)[:, :, None] / 255
        self.image[region] = (self.image[region] * (1 - weight) + pixels * weight + 0.5).astype(np.uint8)
        self.top_layer[region][opacity > 127] = self.layers
        self.outlines += [(one.moved(placement.projected(matrix, one.outline)), self.layers) for one in surface.annotations]

    def _cast_shadow(self, rng: np.random.Generator, opacity: np.ndarray, region: tuple[slice, slice]) -> None:
        """A soft shadow beside a thing that lies or stands on something."""
        reach = max(1.0, 0.02 * max(opacity.shape))
        moved = np.float32([[1, 0, rng.normal(0, reach)], [0, 1, rng.normal(0, reach)]])
        soft = cv2.GaussianBlur(cv2.warpAffine(opacity, moved, opacity.shape[::-1]), (0, 0), reach)
        self.image[region] = (self.image[region] * (1 - rng.uniform(0.2, 0.7) * soft.astype(np.float32)[:, :, None] / 255)).astype(np.uint8)

    def cover(self, rng: np.random.Generator) -> None:
        """Lays something that is no object over the picture: fingers, a cable, a corner of a thing."""
        height, width = self.image.shape[:2]
        self.layers += 1
        mask = np.zeros((height, width), np.uint8)
        if rng.random() < 0.5:
            shade = colours.from_hue(rng.uniform(0.02, 0.08), rng.uniform(0.25, 0.6), rng.uniform(0.3, 0.95))
            thickness = int(rng.uniform(0.04, 0.16) * max(width, height))
        else:
            shade, thickness = colours.any_colour(rng), int(rng.integers(2, 30))
        start = rng.random(2) * [width, height]
        outward = start - np.array([width, height]) / 2
        end = start + outward / (np.linalg.norm(outward) + 1) * max(width, height) + rng.normal(0, 0.3, 2) * [width, height]
        cv2.line(mask, start.astype(int).tolist(), end.astype(int).tolist(), 255, max(2, thickness), cv2.LINE_AA)
        near = cv2.GaussianBlur(mask, (0, 0), max(1.0, thickness * 0.12)).astype(np.float32)[:, :, None] / 255
        weight = mask.astype(np.float32)[:, :, None] / 255
        self.image[:] = (self.image * (1 - weight) + shade * (0.55 + 0.45 * near) * weight).astype(np.uint8)
        self.top_layer[mask > 127] = self.layers

    def objects(self) -> list[SceneObject]:
        """What is seen of what was drawn."""
        found = [visible_object(annotation, layer, self.top_layer) for annotation, layer in self.outlines]
        objects = [one for one in found if one is not None]
        ignore_entangled_text(objects)
        return objects
