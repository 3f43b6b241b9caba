# Fovea - masks, key points and corners as the library gives them.
# SPDX-License-Identifier: Apache-2.0
"""Masks, key points and corners of objects, from the library's structures and back."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Optional

from . import _abi
from ._library import check, library, text
from ._shapes import KeyPoint, Mask


_USUAL_OUTLINE = 4096
"""Numbers of the outlines of a mask, which are traced again for one that has more."""


def shapes(
    result: ctypes.c_void_p, index: int, found: Any
) -> tuple[
    Optional[Mask], tuple[KeyPoint, ...], tuple[tuple[float, float], ...], Optional[float]]:
    """What an object has beside its box: mask, key points, corners and rotation."""
    mask = _mask(result, index, found.mask.contents) if found.mask else None
    points = tuple(
        KeyPoint(text(p.name) or "", p.x, p.y, p.confidence)
        for p in (found.keypoints[place] for place in range(found.keypoint_count)))
    corners = tuple(
        (found.corners[2 * place], found.corners[2 * place + 1]) for place in range(4)
    ) if found.corners else ()
    return mask, points, corners, None if math.isnan(found.rotation) else found.rotation


def _mask(result: ctypes.c_void_p, index: int, mask: Any) -> Mask:
    pixels = ctypes.create_string_buffer(mask.width * mask.height)
    message = ctypes.c_void_p()
    check(
        library.fovea_result_mask_pixels(
            result, index, pixels, len(pixels), ctypes.byref(message)), message)
    numbers = (ctypes.c_double * _USUAL_OUTLINE)()
    count = library.fovea_result_mask_outlines(result, index, numbers, len(numbers))
    if count > len(numbers):
        numbers = (ctypes.c_double * count)()
        library.fovea_result_mask_outlines(result, index, numbers, count)
    rings, place = [], 0
    while place < count:
        end = place + 1 + 2 * int(numbers[place])
        rings.append(tuple(zip(numbers[place + 1:end:2], numbers[place + 2:end:2])))
        place = end
    return Mask(
        (mask.x, mask.y, mask.width, mask.height), mask.area, text(mask.counts) or "", pixels.raw,
        tuple(rings))


def draw(box: Any, found: Any) -> list[Any]:
    """Lets a box be drawn with the mask, key points and corners of an object. Returns memory that
    has to live as long as the box."""
    held: list[Any] = []
    if found.corners:
        numbers = [number for corner in found.corners for number in corner]
        box.corners = (ctypes.c_double * 8)(*numbers)
    if found.mask is not None:
        box.mask_counts = found.mask.counts.encode()
    if found.keypoints:
        points = (_abi.KeyPoint * len(found.keypoints))()
        for point, given in zip(points, found.keypoints):
            point.size = ctypes.sizeof(_abi.KeyPoint)
            point.name = given.name.encode()
            point.x, point.y, point.confidence = given.x, given.y, given.confidence
        box.keypoints, box.keypoint_count = points, len(points)
        held.append(points)
    return held
