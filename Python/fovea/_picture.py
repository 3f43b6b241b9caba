# Fovea - a decoded picture.
# SPDX-License-Identifier: Apache-2.0
"""A decoded, upright picture: to draw on, to look at, to save."""

from __future__ import annotations

import ctypes
import math
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence, TypedDict, Union, cast

from . import _abi, _arrays, _pixels, _sources
from ._errors import ArgumentError
from ._library import check, encoded, library, make
from ._option_names import checked
from ._shape_reading import draw

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._arrays import BytesArray
    from ._boxes import Box, Object
    from ._results import Results


class PlotOptions(TypedDict, total=False):
    """How boxes are drawn."""

    line_width: Optional[float]
    """In pixels; ``None`` for what fits the picture."""
    font_size: Optional[float]
    """The height of letters in pixels; ``None`` for what fits the picture."""
    labels: bool
    """Whether names and confidences are written."""
    conf: bool
    """Whether confidences are written."""


class Picture:
    """A decoded, upright picture of red, green and blue bytes."""

    _pixel_format = "rgb"

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle: Optional[ctypes.c_void_p] = handle
        pixels = library.fovea_picture_pixels(handle).contents
        self.width = int(pixels.width)
        self.height = int(pixels.height)
        self._data = ctypes.string_at(pixels.data, self.width * self.height * 3)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            library.fovea_picture_close(handle)

    @classmethod
    def open(
        cls, source: Any, *, orientation: Optional[int] = None, format: Optional[str] = None
    ) -> Picture:
        """A picture from what ``Model`` takes: a path, bytes, a Pillow image, an array.

        Raises:
            ArgumentError, FileError, PictureError
        """
        found = _pixels.source(_sources.opened(source).picture, format)
        if isinstance(found, _pixels.File):
            return cls(make(library.fovea_picture_open, found.path, orientation or 0))
        if isinstance(found, _pixels.Encoded):
            return cls(
                make(library.fovea_picture_decode, found.address, found.length, orientation or 0))
        return cls(
            make(
                library.fovea_picture_copy, ctypes.byref(found.pixels),
                orientation or found.orientation))

    def drawn(
        self, results: Union[Results, Sequence[Object]], **options: Unpack[PlotOptions]
    ) -> Picture:
        """A copy with the boxes of results, or of some objects, drawn on it.

        >>> import fovea
        >>> picture = fovea.Picture.open("shapes.png")
        >>> found = fovea.Model("shapes.mlmodel")(picture)
        >>> picture.drawn(found, line_width=3, labels=False)
        <fovea.Picture of 480 x 360>
        """
        given = cast(PlotOptions, checked("plot", options, PlotOptions))
        style = _abi.DrawingStyle(
            ctypes.sizeof(_abi.DrawingStyle), given.get("line_width") or 0.0,
            given.get("font_size") or 0.0)
        labels = given.get("labels", True)
        confidences = labels and given.get("conf", True)
        boxes = (_abi.Box * max(len(results), 1))()
        held: list[object] = []
        for box, found in zip(boxes, results):
            box.size = ctypes.sizeof(_abi.Box)
            box.label = found.label.encode() if labels else None
            box.class_index = found.class_id
            box.confidence = found.confidence if confidences else math.nan
            box.x, box.y, box.width, box.height = found.position
            held.append(draw(box, found))
        return Picture(
            make(
                library.fovea_picture_draw_styled, self._handle, boxes, len(results),
                ctypes.byref(style)))

    def cropped(self, box: Box) -> Optional[Picture]:
        """A copy of the part in a box, in whole pixels; ``None`` where the box is outside."""
        left, right = (min(max(round(x), 0), self.width) for x in (box.xmin, box.xmax))
        upper, lower = (min(max(round(y), 0), self.height) for y in (box.ymin, box.ymax))
        if left >= right or upper >= lower:
            return None
        row = 3 * self.width
        content = b"".join(
            self._data[y * row + 3 * left:y * row + 3 * right] for y in range(upper, lower))
        return _of_samples(right - left, lower - upper, content)

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_samples, (self.width, self.height, self._data)

    def save(self, path: Union[str, os.PathLike[str]], quality: int = 90) -> str:
        """Writes a .png or .jpg file; returns the path.

        Args:
            path: The file. Its ending says the format.
            quality: That of a JPEG file, 1...100.
        """
        name = os.fsdecode(path)
        format = self._format(name)
        self._check_quality(quality)
        message = ctypes.c_void_p()
        check(
            library.fovea_picture_write(
                self._handle, encoded(name, "the path of a picture"), format, quality,
                ctypes.byref(message)),
            message)
        return name

    def encode(self, format: str = "png", quality: int = 90) -> bytes:
        """The bytes of a "png" or "jpeg" file."""
        self._check_quality(quality)
        data, count, message = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
        check(
            library.fovea_picture_encode(
                self._handle, self._format("." + format), quality, ctypes.byref(data),
                ctypes.byref(count), ctypes.byref(message)),
            message)
        try:
            return ctypes.string_at(data.value or 0, count.value)
        finally:
            library.fovea_free(data)

    @staticmethod
    def _check_quality(quality: int) -> None:
        if not isinstance(quality, int) or not 1 <= quality <= 100:
            raise ArgumentError(f"{quality!r} is no JPEG quality; use 1...100")

    @staticmethod
    def _format(name: str) -> int:
        lower = name.lower()
        if lower.endswith(".png"):
            return 0
        if lower.endswith((".jpg", ".jpeg")):
            return 1
        raise ArgumentError(f"{name}: the ending says no format; use .png, .jpg or .jpeg")

    def tobytes(self) -> bytes:
        """The samples, height x width x 3, red first."""
        return self._data

    def numpy(self) -> BytesArray:
        """An array of shape (height, width, 3), red first."""
        found: BytesArray = _arrays.required_numpy("Picture.numpy").array(self)
        return found

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The samples as NumPy, Pillow and others read them, without a copy."""
        return {
            "version": 3, "typestr": "|u1", "shape": (self.height, self.width, 3),
            "data": self._data}

    def pil(self) -> Any:
        """A Pillow image of the mode RGB."""
        Image = _arrays.required("PIL.Image", "Picture.pil", "pillow")
        return Image.frombytes("RGB", (self.width, self.height), self._data)

    def show(self) -> None:
        """Opens the picture in the viewer of the system, through Pillow."""
        self.pil().show()

    def _repr_png_(self) -> bytes:
        return self.encode()

    def __repr__(self) -> str:
        return f"<fovea.Picture of {self.width} x {self.height}>"


def _of_samples(width: int, height: int, content: bytes) -> Picture:
    """A picture of red, green and blue bytes without gaps."""
    samples = memoryview(content).cast("B", (height, width, 3))
    return Picture.open(samples, format="rgb")
