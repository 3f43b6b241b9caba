# Fovea - what was found in a picture.
# SPDX-License-Identifier: Apache-2.0
"""What was found in a picture."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Sequence, Union, overload

from . import _arrays

if TYPE_CHECKING:
    from ._picture import Picture


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


class Boxes:
    """All boxes as arrays: of NumPy where it is installed, else lists."""

    id = None
    is_track = False

    def __init__(self, results: Results) -> None:
        self._results = results

    def __len__(self) -> int:
        return len(self._results)

    @property
    def xyxy(self) -> Any:
        """Left, top, right and bottom in pixels: float32, shape (n, 4)."""
        return _arrays.array([o.box for o in self._results], "float32", 4)

    @property
    def xywh(self) -> Any:
        """Center x, center y, width and height in pixels: float32, shape (n, 4)."""
        return _arrays.array(
            [(x + w / 2, y + h / 2, w, h) for x, y, w, h in self._positions()], "float32", 4)

    @property
    def xyxyn(self) -> Any:
        """``xyxy`` in fractions of the picture."""
        w, h = self._results.width, self._results.height
        return _arrays.array(
            [(b.xmin / w, b.ymin / h, b.xmax / w, b.ymax / h)
             for b in (o.box for o in self._results)], "float32", 4)

    @property
    def xywhn(self) -> Any:
        """``xywh`` in fractions of the picture."""
        pw, ph = self._results.width, self._results.height
        return _arrays.array(
            [((x + w / 2) / pw, (y + h / 2) / ph, w / pw, h / ph)
             for x, y, w, h in self._positions()], "float32", 4)

    @property
    def conf(self) -> Any:
        """Confidences: float32, shape (n,)."""
        return _arrays.array([o.confidence for o in self._results], "float32")

    @property
    def cls(self) -> Any:
        """Numbers of classes, as floats like those of Ultralytics: float32, shape (n,)."""
        return _arrays.array([o.class_id for o in self._results], "float32")

    def _positions(self) -> list[tuple[float, float, float, float]]:
        return [o.position for o in self._results]


class Results:
    """What was found in a picture: a sequence of objects, best first.

        for found in model("dog.jpg"):
            print(found.label, found.confidence, found.box)
    """

    # What readers of Ultralytics' results ask for, and detectors of boxes do not have.
    obb = None
    masks = None
    keypoints = None
    probs = None

    def __init__(
        self,
        objects: list[Object],
        *,
        source: Any,
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
    ) -> None:
        self._objects = objects
        self._source = source
        self._source_format = source_format
        self._stated_orientation = stated_orientation
        self._labels = labels
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
        return f"<fovea.Results of {self.width} x {self.height}: {found or 'no objects'}{more}>"

    # Arrays, by the names that readers of Ultralytics' results use

    @property
    def boxes(self) -> Boxes:
        """All boxes as arrays."""
        return Boxes(self)

    @property
    def xyxy(self) -> Any:
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
    def path(self) -> Optional[str]:
        """The path of the picture; ``None`` for pixels and bytes."""
        import os

        if isinstance(self._source, (str, os.PathLike)):
            return os.fsdecode(self._source)
        return None

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

    def plot(self) -> Picture:
        """The upright picture with the boxes drawn on it.

            model("dog.jpg").plot().save("found.png")

        The picture is read again: pixels must not have changed since.

        Raises:
            Error: where the library that draws (cairo) is missing.
        """
        return self._picture().drawn(self)

    def _picture(self) -> Picture:
        """The upright picture without boxes."""
        from ._picture import Picture

        return Picture.open(
            self._source, orientation=self._stated_orientation, format=self._source_format)

    def save(self, path: str) -> str:
        """Writes the picture with its boxes to a .png or .jpg file; returns the path."""
        return self.plot().save(path)

    # Documents

    def to_json_object(self) -> dict[str, Any]:
        """What ``fovea detect --json`` prints about an image."""
        times = {name: rounded(value, 3) for name, value in self.milliseconds.items()}
        geometry = self.geometry
        return {
            "image": self.path,
            "width": self.width,
            "height": self.height,
            "orientation": self.orientation,
            "model": self.model,
            "backend": self.backend,
            "milliseconds": times,
            "geometry": {
                "input": list(geometry.input), "cropAndScale": geometry.crop_and_scale,
                "seen": list(geometry.seen), "padding": list(geometry.padding),
                "inputToImage": list(geometry.input_to_picture),
            },
            "objects": [
                {
                    "label": o.label,
                    "labelIndex": o.class_id,
                    "confidence": rounded(o.confidence, 6),
                    "bbox": [rounded(value, 3) for value in o.position],
                    "boundingBox": [rounded(value, 6) for value in o.bounding_box],
                }
                for o in self._objects
            ],
        }

    def json(self, indent: Optional[int] = None) -> str:
        """The text of ``to_json_object()``."""
        return json.dumps(self.to_json_object(), indent=indent, ensure_ascii=False)

    def to_row(self, path: Optional[str] = None) -> dict[str, Any]:
        """The row that ``fovea detect --jsonl`` writes about an image."""
        objects = [
            {
                "label": o.label, "score": rounded(o.confidence, 6),
                "xmin": rounded(o.box.xmin, 3), "ymin": rounded(o.box.ymin, 3),
                "xmax": rounded(o.box.xmax, 3), "ymax": rounded(o.box.ymax, 3),
            }
            for o in self._objects
        ]
        return {
            "path": self.path if path is None else path, "width": self.width,
            "height": self.height, "objects": objects, "error": None,
        }

    def to_dicts(self) -> list[dict[str, Any]]:
        """The objects as pipelines of Hugging Face give them."""
        return [
            {"score": o.confidence, "label": o.label, "box": dict(o.box._asdict())}
            for o in self._objects
        ]

    # Other packages

    def to_supervision(self) -> Any:
        """``supervision.Detections`` of the objects.

        Raises:
            ImportError: where supervision is not installed.
        """
        return supervision_detections(self._objects)

    def to_gradio(self) -> tuple[Any, list[tuple[tuple[int, int, int, int], str]]]:
        """The value of ``gradio.AnnotatedImage``: a picture, and boxes in whole pixels.

        Boxes are cut at the edges of the picture. The picture is an array of RGB.
        """
        numpy = _arrays.required_numpy("to_gradio")
        picture = self._picture()

        def inside(value: float, limit: int) -> int:
            return min(max(round(value), 0), limit)

        boxes = [
            (
                (
                    inside(o.box.xmin, self.width), inside(o.box.ymin, self.height),
                    inside(o.box.xmax, self.width), inside(o.box.ymax, self.height),
                ),
                o.label,
            )
            for o in self._objects
        ]
        return numpy.asarray(picture.numpy()), boxes


def supervision_detections(objects: Sequence[Object], **more: Any) -> Any:
    """``supervision.Detections`` of objects; ``more`` are further fields of it.

    Raises:
        ImportError: where supervision is not installed.
    """
    try:
        import supervision
    except ImportError as error:
        raise ImportError(
            "to_supervision needs supervision; install it with 'pip install supervision'"
        ) from error
    numpy = _arrays.required_numpy("to_supervision")
    boxes = numpy.array([o.box for o in objects], dtype=numpy.float32).reshape(-1, 4)
    return supervision.Detections(
        xyxy=boxes,
        confidence=numpy.array([o.confidence for o in objects], dtype=numpy.float32),
        class_id=numpy.array([o.class_id for o in objects], dtype=int),
        data={"class_name": numpy.array([o.label for o in objects], dtype=str)},
        **more,
    )


def rounded(value: float, digits: int) -> float:
    """A value rounded as the command rounds: halves away from zero."""
    scale = 10.0**digits
    scaled = value * scale
    if not math.isfinite(scaled):
        return value
    whole = float(math.trunc(scaled))
    if abs(scaled - whole) >= 0.5:
        whole += math.copysign(1.0, scaled)
    return whole / scale
