# Fovea - what was found in a picture.
# SPDX-License-Identifier: Apache-2.0
"""What was found in a picture."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Union, overload

from . import _arrays
from ._boxes import Box, Boxes, Object
from ._errors import Error
from ._exports import Exports
from ._shapes import OBB, Keypoints, Masks

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._arrays import BytesArray, Float32Array
    from ._picture import Picture, PlotOptions

__all__ = ["Box", "Boxes", "Geometry", "Object", "Results"]


class Geometry(NamedTuple):
    """How the picture lay in the input of the network."""

    input: tuple[int, int]
    """Width and height of the input."""
    crop_and_scale: str
    seen: tuple[float, ...]
    """x, y, width and height of what was seen, in pixels of the upright picture."""
    padding: tuple[float, ...]
    """Top, left, bottom and right, in pixels of the input."""
    input_to_picture: tuple[float, ...]
    """x' = m[0] x + m[1] y + m[4], y' = m[2] x + m[3] y + m[5], both from the upper left."""


class Results(Exports):
    """What was found in a picture: a sequence of objects, best first.

    >>> import fovea
    >>> results = fovea.Model("shapes.mlmodel")("shapes.png")
    >>> len(results), results[0].label, results.names[0]
    (6, 'red square', 'red square')
    """

    # What readers of Ultralytics' results ask for, and detectors do not have.
    probs = None

    def __init__(
        self,
        objects: list[Object],
        *,
        source: Any,
        path: Optional[str],
        source_format: Optional[str],
        labels: list[str],
        size: tuple[int, int],
        orientation: int,
        stated_orientation: int,
        model: str,
        backend: str,
        milliseconds: dict[str, float],
        geometry: Geometry,
        left_out: Optional[str] = None,
        is_model_inside: bool = False,
    ) -> None:
        self._objects = objects
        self._source = source
        self._source_format = source_format
        self._stated_orientation = stated_orientation
        self._labels = labels
        self._is_model_inside = is_model_inside
        self.path = path
        """The path or the address of the picture; ``None`` for pixels and bytes."""
        self.width, self.height = size
        self.orientation = orientation
        """How the picture was turned: the number that EXIF has for it, 1...8."""
        self.model = model
        self.backend = backend
        self.milliseconds = milliseconds
        """The time of ``decode``, ``prepare``, ``inference`` and ``postprocess``."""
        self.geometry = geometry
        self.left_out = left_out
        """What the network found and is not among the results, such as "masks"; else ``None``."""

    # A sequence

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[Object]:
        return iter(self._objects)

    @overload
    def __getitem__(self, index: int) -> Object: ...

    @overload
    def __getitem__(self, index: slice) -> list[Object]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Object, list[Object]]:
        return self._objects[index]

    def __repr__(self) -> str:
        found = ", ".join(f"{o.label} {o.confidence:.2f}" for o in self._objects[:5])
        more = f", and {len(self) - 5} more" if len(self) > 5 else ""
        hint = "" if found or not self._is_model_inside else (
            f"; the detector inside knows only codes and text ({', '.join(self._labels)}); name "
            "another: fovea.Model(\"FILE\")")
        return (
            f"<fovea.Results of {self.width} x {self.height}: {found or 'no objects'}{more}{hint}>")

    # Arrays, by the names that readers of Ultralytics' results use

    @property
    def boxes(self) -> Boxes:
        """All boxes as arrays: of tracks with identifiers, where there are any."""
        objects, identifiers = self._marked()
        return Boxes(objects, (self.width, self.height), identifiers)

    @property
    def masks(self) -> Optional[Masks]:
        """The masks as arrays; ``None`` where no object has one."""
        found = [one.mask for one in self._objects if one.mask is not None]
        return Masks(found, (self.width, self.height)) if found else None

    @property
    def keypoints(self) -> Optional[Keypoints]:
        """The key points as arrays; ``None`` where no object has some."""
        found = [one.keypoints for one in self._objects if one.keypoints]
        return Keypoints(found, (self.width, self.height)) if found else None

    @property
    def obb(self) -> Optional[OBB]:
        """The turned boxes as arrays; ``None`` where no object has one. ``boxes`` are the upright
        boxes around them."""
        found = [one for one in self._objects if one.corners]
        return OBB(found, (self.width, self.height)) if found else None

    @property
    def xyxy(self) -> Float32Array:
        """Left, top, right and bottom in pixels: float32, shape (n, 4)."""
        return self.boxes.xyxy

    @property
    def names(self) -> dict[int, str]:
        """The name of each class."""
        return dict(enumerate(self._labels))

    @property
    def orig_shape(self) -> tuple[int, int]:
        """Height and width of the upright picture."""
        return self.height, self.width

    @property
    def orig_img(self) -> BytesArray:
        """The upright picture as OpenCV has it: uint8, height x width x 3, blue first. The picture
        is read again each time.

        Raises:
            ImportError: where NumPy is not installed.
        """
        numpy = _arrays.required_numpy("orig_img")
        found: BytesArray = numpy.ascontiguousarray(self._picture().numpy()[:, :, ::-1])
        return found

    @property
    def speed(self) -> dict[str, float]:
        """Milliseconds of ``preprocess``, ``inference`` and ``postprocess``."""
        times = self.milliseconds
        return {
            "preprocess": times["decode"] + times["prepare"], "inference": times["inference"],
            "postprocess": times["postprocess"],
        }

    def cpu(self) -> Results:
        """The results themselves, which lie in the memory of the processor."""
        return self

    # Drawing

    def plot(self, **options: Unpack[PlotOptions]) -> Picture:
        """The upright picture with the boxes drawn on it.

            model("dog.jpg").plot(line_width=4, font_size=30).save("found.png")

        The picture is read again: pixels must not have changed since.

        Args:
            **options: ``line_width`` and ``font_size`` in pixels, ``None`` for what fits the
                picture; ``labels`` and ``conf``, whether names and confidences are written.

        Raises:
            Error: where the library that draws (cairo) is missing.
        """
        return self._picture().drawn(self, **options)

    def _picture(self) -> Picture:
        """The upright picture without boxes."""
        from ._picture import Picture

        return Picture.open(
            self._source, orientation=self._stated_orientation, format=self._source_format)

    def save(
        self, path: Union[str, "os.PathLike[str]"], **options: Unpack[PlotOptions]
    ) -> str:
        """Writes the picture with its boxes to a .png or .jpg file; returns the path."""
        return self.plot(**options).save(path)

    def show(self, **options: Unpack[PlotOptions]) -> None:
        """Opens the picture with its boxes in the viewer of the system, through Pillow."""
        self.plot(**options).show()

    def _repr_png_(self) -> Optional[bytes]:
        """What notebooks show; they show the text where nothing can be drawn."""
        try:
            return self.plot().encode()
        except Error:
            return None
