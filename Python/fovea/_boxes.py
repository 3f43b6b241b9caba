# Fovea - boxes, one by one and as arrays.
# SPDX-License-Identifier: Apache-2.0
"""Boxes, one by one and as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, NamedTuple, Optional, Sequence, Union

from . import _arrays

if TYPE_CHECKING:
    from ._arrays import Float32Array, Int64Array
    from ._shapes import KeyPoint, Mask


class Box(NamedTuple):
    """A box in pixels of the upright picture, counted from its upper left corner."""

    xmin: float
    ymin: float
    xmax: float
    ymax: float

    @property
    def width(self) -> float:
        """From the left side to the right one."""
        return self.xmax - self.xmin

    @property
    def height(self) -> float:
        """From the upper side to the lower one."""
        return self.ymax - self.ymin


class Object(NamedTuple):
    """An object that was found."""

    label: str
    """The class with the highest score."""
    confidence: float
    """The score of that class, 0...1."""
    box: Box
    """Where it is, in pixels of the upright picture. It may reach beyond the picture."""
    class_id: int
    """The number of the class."""
    position: tuple[float, float, float, float]
    """x, y, width and height in pixels, from the upper left, as the library gave them."""
    bounding_box: tuple[float, float, float, float]
    """x, y, width and height in fractions of the upright picture, from its lower left."""
    mask: Optional[Mask] = None
    """The pixels of the object, where the network finds masks."""
    keypoints: tuple[KeyPoint, ...] = ()
    """The key points of the object, where the network finds some."""
    corners: tuple[tuple[float, float], ...] = ()
    """The corners of a turned box, clockwise, in pixels; empty where boxes are not turned."""
    rotation: Optional[float] = None
    """By how much the box is turned, in radians, clockwise; ``None`` where it is not turned, and
    where x and y were scaled differently."""


class Boxes(Sequence["Boxes"]):
    """Boxes as arrays of NumPy; as lists where it is not installed. A sequence: each element is
    the ``Boxes`` of one box.

    >>> import fovea
    >>> found = fovea.Model("shapes.mlmodel")("shapes.png")
    >>> [len(found.boxes), len(found.boxes[0]), len(found.boxes[1:3])]
    [6, 1, 2]
    >>> for box in found.boxes[:1]:
    ...     print(found.names[int(box.cls[0])], [round(float(side)) for side in box.xyxy[0]])
    red square [360, 227, 444, 313]
    """

    def __init__(
        self, objects: Sequence[Object], size: tuple[int, int],
        identifiers: Optional[Sequence[int]] = None,
    ) -> None:
        self._objects = objects
        self._size = size
        self._identifiers = identifiers

    def __len__(self) -> int:
        return len(self._objects)

    def __getitem__(self, index: Union[int, slice]) -> Boxes:
        if not isinstance(index, slice):
            place = range(len(self))[index]
            index = slice(place, place + 1)
        identifiers = None if self._identifiers is None else self._identifiers[index]
        return Boxes(self._objects[index], self._size, identifiers)

    def __iter__(self) -> Iterator[Boxes]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        tracked = ", tracked" if self.is_track else ""
        return f"<fovea.Boxes: {len(self)}{tracked}>"

    @property
    def is_track(self) -> bool:
        """Whether the boxes have identifiers."""
        return self._identifiers is not None

    @property
    def id(self) -> Optional[Int64Array]:
        """Identifiers of tracked objects: int64, shape (n,); ``None`` where nothing is tracked."""
        if self._identifiers is None:
            return None
        found: Int64Array = _arrays.array(self._identifiers, "int64")
        return found

    @property
    def xyxy(self) -> Float32Array:
        """Left, top, right and bottom in pixels: float32, shape (n, 4)."""
        return _rows([one.box for one in self._objects])

    @property
    def xywh(self) -> Float32Array:
        """Center x, center y, width and height in pixels: float32, shape (n, 4)."""
        return _rows([(x + w / 2, y + h / 2, w, h) for x, y, w, h in self._positions()])

    @property
    def xyxyn(self) -> Float32Array:
        """``xyxy`` in fractions of the picture."""
        w, h = self._size
        return _rows(
            [(b.xmin / w, b.ymin / h, b.xmax / w, b.ymax / h)
             for b in (one.box for one in self._objects)])

    @property
    def xywhn(self) -> Float32Array:
        """``xywh`` in fractions of the picture."""
        return _rows(self.centers_in_fractions())

    @property
    def conf(self) -> Float32Array:
        """Confidences: float32, shape (n,)."""
        found: Float32Array = _arrays.array([one.confidence for one in self._objects], "float32")
        return found

    @property
    def cls(self) -> Float32Array:
        """Numbers of classes, as floats like those of Ultralytics: float32, shape (n,)."""
        found: Float32Array = _arrays.array([one.class_id for one in self._objects], "float32")
        return found

    def centers_in_fractions(self) -> list[tuple[float, float, float, float]]:
        """``xywhn`` in full precision, without NumPy."""
        width, height = self._size
        return [
            ((x + w / 2) / width, (y + h / 2) / height, w / width, h / height)
            for x, y, w, h in self._positions()
        ]

    def _positions(self) -> list[tuple[float, float, float, float]]:
        return [one.position for one in self._objects]


def _rows(rows: Sequence[tuple[float, float, float, float]]) -> Float32Array:
    found: Float32Array = _arrays.array(rows, "float32", 4)
    return found
