"""Fovea - a flat thing that can be placed in a scene: pixels, opacity, and what is printed on it.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np


@dataclass
class Annotation:
    """An object of a class, as a closed outline in the pixels of its surface (x right, y down, shape [N, 2]).

    What does not count may pass for an object of the class or not: it is neither to be found nor to be missed.
    """

    label: str
    outline: np.ndarray
    counts: bool = True

    def moved(self, outline: np.ndarray) -> Annotation:
        """The same object with another outline."""
        return replace(self, outline=outline)


def rectangle_outline(left: float, top: float, width: float, height: float, points_per_side: int = 6) -> np.ndarray:
    """The border of a rectangle as a polygon that stays true when the surface is bent."""
    along = np.linspace(0.0, 1.0, points_per_side, endpoint=False)
    zero, one = np.zeros_like(along), np.ones_like(along)
    x = np.concatenate([along, one, 1 - along, zero])
    y = np.concatenate([zero, along, one, 1 - along])
    return np.stack([left + x * width, top + y * height], axis=1)


@dataclass
class Surface:
    """Pixels `[height, width, 3]` (BGR, 8 bits), opacity `[height, width]` (0 is clear), and annotations."""

    pixels: np.ndarray
    opacity: np.ndarray
    annotations: list[Annotation] = field(default_factory=list)

    @staticmethod
    def filled(width: int, height: int, colour: np.ndarray | tuple[float, float, float]) -> Surface:
        """An opaque surface of one colour."""
        pixels = np.empty((height, width, 3), np.uint8)
        pixels[:] = np.asarray(colour, np.uint8)
        return Surface(pixels, np.full((height, width), 255, np.uint8))

    @property
    def width(self) -> int:
        """Pixels of a row."""
        return self.pixels.shape[1]

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.pixels.shape[0]

    def annotate_whole(self, label: str, counts: bool = True) -> None:
        """Marks the whole surface as an object."""
        self.annotations.insert(0, Annotation(label, rectangle_outline(0, 0, self.width, self.height, 12), counts))

    def paste(self, other: Surface, left: int, top: int) -> None:
        """Lays `other` on this surface; what reaches over the border is cut off, annotations are kept whole."""
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + other.width, self.width), min(top + other.height, self.height)
        if x0 >= x1 or y0 >= y1:
            return
        part = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        target = self.pixels[y0:y1, x0:x1]
        blend(target, other.pixels[part], other.opacity[part])
        offset = np.array([left, top], np.float64)
        self.annotations += [one.moved(one.outline + offset) for one in other.annotations]

    def ink(self, mask: np.ndarray, left: int, top: int, colour: np.ndarray) -> None:
        """Prints `mask` (0...255) in one colour."""
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + mask.shape[1], self.width), min(top + mask.shape[0], self.height)
        if x0 >= x1 or y0 >= y1:
            return
        blend(self.pixels[y0:y1, x0:x1], np.asarray(colour, np.uint8), mask[y0 - top : y1 - top, x0 - left : x1 - left])

    def rotated(self, quarter_turns: int) -> Surface:
        """The surface turned counterclockwise by multiples of 90 degrees."""
        turned = self
        for _ in range(quarter_turns % 4):
            width = turned.width
            annotations = [one.moved(np.stack([one.outline[:, 1], width - one.outline[:, 0]], axis=1)) for one in turned.annotations]
            turned = Surface(np.ascontiguousarray(np.rot90(turned.pixels)), np.ascontiguousarray(np.rot90(turned.opacity)), annotations)
        return turned

    def scaled(self, horizontal: float, vertical: float) -> Surface:
        """The surface in another number of pixels, averaged where it gets smaller."""
        size = (max(1, round(self.width * horizontal)), max(1, round(self.height * vertical)))
        factor = np.array([size[0] / self.width, size[1] / self.height])
        method = cv2.INTER_AREA if factor.min() < 1 else cv2.INTER_LINEAR
        return Surface(
            cv2.resize(self.pixels, size, interpolation=method),
            cv2.resize(self.opacity, size, interpolation=method),
            [one.moved(one.outline * factor) for one in self.annotations],
        )


def blend(target: np.ndarray, source: np.ndarray, opacity: np.ndarray) -> None:
    """Writes `source` over `target` in place, weighted by `opacity` (0...255)."""
    if opacity.min() == 255:
        target[:] = source
        return
    weight = opacity.astype(np.uint16)[:, :, None]
    target[:] = (source * weight + target * (255 - weight) + 127) // 255
