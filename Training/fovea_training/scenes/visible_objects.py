"""Fovea - the boxes of a scene: hulls of outlines, clipped, with what is hidden or too small marked as neither.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from fovea_training.classes import LEAST_SEEN, REFERENCE_SIDE, SMALLEST_SIDE
from fovea_training.drawing.surface import Annotation

#: Share of an outline that must be seen for an object to be left out without being held against the network.
IGNORED_FROM = 0.12

#: Overlap (IoU) of two boxes of text lines from which neither counts: lines that slant lie in each other's hulls.
TEXT_OVERLAP = 0.4

#: Shortest long side of a linear code in pixels of the reference input: below, bars are a grey patch.
SHORTEST_LINEAR = 22.0


@dataclass
class SceneObject:
    """A box in pixels of the picture (left, top, right, bottom); ignored objects need neither be found nor be missed."""

    label: str
    box: tuple[float, float, float, float]
    ignored: bool


def visible_object(annotation: Annotation, layer: int, top_layer: np.ndarray) -> SceneObject | None:
    """The object of an annotation in pixels of the picture, or `None` where too little of it is seen.

    `top_layer [height, width]` holds the number of the surface that is seen at a pixel; later surfaces have greater numbers.
    """
    label, outline = annotation.label, annotation.outline
    height, width = top_layer.shape
    whole = abs(cv2.contourArea(outline.astype(np.float32)))
    left, top = np.clip(outline.min(axis=0), 0, [width, height])
    right, bottom = np.clip(outline.max(axis=0), 0, [width, height])
    if right - left < 2 or bottom - top < 2 or whole < 4:
        return None
    x0, y0, x1, y1 = int(left), int(top), int(np.ceil(right)), int(np.ceil(bottom))
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round((outline - [x0, y0] - 0.5) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    seen = int(np.count_nonzero(mask.astype(bool) & (top_layer[y0:y1, x0:x1] <= layer))) / whole
    if seen < IGNORED_FROM:
        return None
    reference = outline * [REFERENCE_SIDE / width, REFERENCE_SIDE / height]
    sides = sorted(cv2.minAreaRect(reference.astype(np.float32))[1])
    small = sides[0] < SMALLEST_SIDE[label] or (label == "barcode" and sides[1] < SHORTEST_LINEAR)
    ignored = small or seen < LEAST_SEEN[label] or not annotation.counts
    return SceneObject(label, (float(left), float(top), float(right), float(bottom)), ignored)


def ignore_entangled_text(objects: list[SceneObject]) -> None:
    """Marks text lines whose boxes overlap so much that suppression could not keep both."""
    lines = [one for one in objects if one.label == "textLine" and not one.ignored]
    if len(lines) < 2:
        return
    boxes = np.array([one.box for one in lines])
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    overlap = shared / (areas[:, None] + areas[None, :] - shared)
    np.fill_diagonal(overlap, 0)
    for one, worst in zip(lines, overlap.max(axis=1)):
        one.ignored |= bool(worst > TEXT_OVERLAP)
