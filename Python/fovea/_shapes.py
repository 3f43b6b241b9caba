# Fovea - masks, key points and turned boxes of objects.
# SPDX-License-Identifier: Apache-2.0
"""Masks, key points and turned boxes of objects, one by one and as arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence

from . import _arrays
from ._boxes import Boxes

if TYPE_CHECKING:
    import numpy as np

    from ._arrays import Float32Array
    from ._boxes import Object

__all__ = ["KeyPoint", "Keypoints", "Mask", "Masks", "OBB"]


class KeyPoint(NamedTuple):
    """A key point of an object, in pixels of the upright picture. It may lie outside."""

    name: str
    """What it is: ``left_wrist``; ``point 3`` where neither the file nor its shape tells."""
    x: float
    y: float
    confidence: float
    """0...1; 1 where the network does not say."""


class Mask(NamedTuple):
    """Which pixels of the picture belong to an object."""

    box: tuple[int, int, int, int]
    """x, y, width and height of the box around them, in pixels from the upper left."""
    area: int
    """How many pixels they are."""
    counts: str
    """All of the picture, as COCO's compressed run lengths."""
    pixels: bytes
    """A byte for each pixel of the box, row by row: 1 for those of the object, else 0."""
    rings: tuple[tuple[tuple[float, float], ...], ...]
    """The outer outlines: x and y of the corners of each connected part, clockwise."""

    def rle(self, size: tuple[int, int]) -> dict[str, Any]:
        """What COCO's tools read. ``size``: width and height of the picture."""
        return {"size": [size[1], size[0]], "counts": self.counts}


class Masks:
    """The masks of objects as arrays, by the names that readers of Ultralytics' results use. A
    sequence: each element is the ``Masks`` of one object."""

    def __init__(self, masks: Sequence[Mask], size: tuple[int, int]) -> None:
        self._masks = masks
        self._size = size

    def __len__(self) -> int:
        return len(self._masks)

    def __getitem__(self, index: int) -> Masks:
        return Masks([self._masks[index]], self._size)

    @property
    def data(self) -> np.ndarray[Any, Any]:
        """bool, shape (n, height, width) of the upright picture.

        Raises:
            ImportError: where NumPy is not installed.
        """
        numpy = _arrays.required_numpy("masks.data")
        width, height = self._size
        found = numpy.zeros((len(self._masks), height, width), dtype=bool)
        for plane, mask in zip(found, self._masks):
            x, y, columns, rows = mask.box
            part = numpy.frombuffer(mask.pixels, dtype=numpy.uint8).reshape(rows, columns)
            plane[y:y + rows, x:x + columns] = part
        plain: np.ndarray[Any, Any] = found
        return plain

    @property
    def xy(self) -> list[Float32Array]:
        """The outlines in pixels: for each object float32, shape (corners, 2). Those of several
        parts follow each other; ``Object.mask.rings`` keeps them apart."""
        return [
            _arrays.array([corner for ring in mask.rings for corner in ring], "float32", 2)
            for mask in self._masks
        ]

    @property
    def xyn(self) -> list[Float32Array]:
        """``xy`` in fractions of the picture."""
        width, height = self._size
        return [
            _arrays.array(
                [(x / width, y / height) for ring in mask.rings for x, y in ring], "float32", 2)
            for mask in self._masks
        ]


class Keypoints:
    """The key points of objects as arrays. Every object of a network has as many."""

    def __init__(self, points: Sequence[Sequence[KeyPoint]], size: tuple[int, int]) -> None:
        self._points = points
        self._size = size

    def __len__(self) -> int:
        return len(self._points)

    def __getitem__(self, index: int) -> Keypoints:
        return Keypoints([self._points[index]], self._size)

    @property
    def names(self) -> list[str]:
        """What the points are, in their order."""
        return [one.name for one in self._points[0]] if self._points else []

    @property
    def xy(self) -> Float32Array:
        """x and y in pixels: float32, shape (n, points, 2)."""
        return self._array([[(p.x, p.y) for p in one] for one in self._points], 2)

    @property
    def xyn(self) -> Float32Array:
        """``xy`` in fractions of the picture."""
        w, h = self._size
        return self._array([[(p.x / w, p.y / h) for p in one] for one in self._points], 2)

    @property
    def conf(self) -> Float32Array:
        """Confidences: float32, shape (n, points); 1 where the network does not say."""
        return self._array([[(p.confidence,) for p in one] for one in self._points], 1)

    @property
    def data(self) -> Float32Array:
        """x, y in pixels and confidence: float32, shape (n, points, 3)."""
        return self._array([[(p.x, p.y, p.confidence) for p in one] for one in self._points], 3)

    def _array(self, rows: list[list[tuple[float, ...]]], columns: int) -> Float32Array:
        flat: Any = _arrays.array([number for one in rows for number in one], "float32", columns)
        if _arrays.numpy() is None:
            count = len(rows[0]) if rows else 0
            nested = [flat[place * count:(place + 1) * count] for place in range(len(rows))]
            found: Any = [[n[0] for n in one] for one in nested] if columns == 1 else nested
            return found  # type: ignore[no-any-return]
        shape = (len(rows), len(rows[0]) if rows else 0)
        shaped: Float32Array = flat.reshape(shape if columns == 1 else (*shape, columns))
        return shaped


class OBB:
    """The turned boxes of objects as arrays, by the names that readers of Ultralytics' results
    use."""

    def __init__(self, objects: Sequence[Object], size: tuple[int, int]) -> None:
        self._objects = objects
        self._size = size

    def __len__(self) -> int:
        return len(self._objects)

    def __getitem__(self, index: int) -> OBB:
        return OBB([self._objects[index]], self._size)

    @property
    def xyxyxyxy(self) -> Float32Array:
        """The four corners in pixels: float32, shape (n, 4, 2)."""
        return self._corners((1.0, 1.0))

    @property
    def xyxyxyxyn(self) -> Float32Array:
        """``xyxyxyxy`` in fractions of the picture."""
        return self._corners((float(self._size[0]), float(self._size[1])))

    @property
    def xywhr(self) -> Float32Array:
        """Center x and y, width and height in pixels and the angle in radians, clockwise: float32,
        shape (n, 5). The angle is NaN where x and y were scaled differently: the corners then form
        no rectangle."""
        rows = []
        for one in self._objects:
            (ax, ay), (bx, by), (cx, cy), (dx, dy) = one.corners
            rows.append((
                (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4, math.hypot(bx - ax, by - ay),
                math.hypot(dx - ax, dy - ay),
                math.nan if one.rotation is None else one.rotation))
        found: Float32Array = _arrays.array(rows, "float32", 5)
        return found

    @property
    def xyxy(self) -> Float32Array:
        """The upright boxes around them: float32, shape (n, 4)."""
        return self._upright.xyxy

    @property
    def conf(self) -> Float32Array:
        """Confidences: float32, shape (n,)."""
        return self._upright.conf

    @property
    def cls(self) -> Float32Array:
        """Numbers of classes, as floats like those of Ultralytics: float32, shape (n,)."""
        return self._upright.cls

    @property
    def _upright(self) -> Boxes:
        return Boxes(self._objects, self._size)

    def _corners(self, scale: tuple[float, float]) -> Float32Array:
        rows = [(x / scale[0], y / scale[1]) for one in self._objects for x, y in one.corners]
        flat: Any = _arrays.array(rows, "float32", 2)
        if _arrays.numpy() is None:
            found: Any = [flat[place:place + 4] for place in range(0, len(flat), 4)]
            return found  # type: ignore[no-any-return]
        shaped: Float32Array = flat.reshape(-1, 4, 2)
        return shaped
