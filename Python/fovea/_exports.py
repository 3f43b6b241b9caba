# Fovea - results as other packages and tools want them.
# SPDX-License-Identifier: Apache-2.0
"""Results as other packages and tools want them."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import _arrays
from ._boxes import Boxes, Object
from ._documents import Documents
from ._errors import FileError, failure
from ._shapes import Masks

if TYPE_CHECKING:
    from ._arrays import BytesArray
    from ._picture import Picture

_COLUMNS = {
    "xmin": "float64", "ymin": "float64", "xmax": "float64", "ymax": "float64",
    "confidence": "float64", "class": "int64", "name": "object",
}


class Exports(Documents):
    """What other packages and tools make of ``Results``."""

    if TYPE_CHECKING:

        @property
        def boxes(self) -> Boxes: ...

        def _picture(self) -> Picture: ...

    def _marked(self) -> tuple[Sequence[Object], Optional[Sequence[int]]]:
        """What is drawn and listed, and its identifiers."""
        return self._objects, None

    def summary(self) -> list[dict[str, Any]]:
        """A dictionary for each object, with the names that Ultralytics uses.

        >>> import fovea
        >>> found = fovea.Model("shapes.mlmodel")("shapes.png").summary()[0]
        >>> found["name"], found["class"], sorted(found["box"])
        ('red square', 0, ['x1', 'x2', 'y1', 'y2'])
        """
        objects, identifiers = self._marked()
        rows: list[dict[str, Any]] = []
        for place, one in enumerate(objects):
            box = dict(zip(("x1", "y1", "x2", "y2"), one.box))
            row = {"name": one.label, "class": one.class_id, "confidence": one.confidence}
            if identifiers is not None:
                row["track_id"] = identifiers[place]
            rows.append({**row, "box": box})
        return rows

    def to_df(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each object: xmin, ymin, xmax, ymax, confidence,
        class, name, and track_id of tracked ones.

        Raises:
            ImportError: where pandas is not installed.
        """
        pandas = _arrays.required("pandas", "to_df")
        objects, identifiers = self._marked()
        rows = [(*one.box, one.confidence, one.class_id, one.label) for one in objects]
        frame = pandas.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)
        if identifiers is not None:
            frame["track_id"] = pandas.Series(list(identifiers), dtype="int64")
        return frame

    def save_txt(
        self, path: Union[str, "os.PathLike[str]"], save_conf: bool = False
    ) -> str:
        """Writes a line for each object as YOLO's labels have it: the number of the class, the
        center, width and height in fractions of the picture, cut at its edges. Tracked objects have
        their identifiers at the end.

        Args:
            path: The file, which is replaced; or a folder, where it gets the picture's name.
            save_conf: Whether the confidence follows.

        Returns: the path of the file.
        """
        objects, identifiers = self._marked()
        lines = []
        for place, one in enumerate(objects):
            left, right = _inside(one.box.xmin, one.box.xmax, self.width)
            upper, lower = _inside(one.box.ymin, one.box.ymax, self.height)
            if left >= right or upper >= lower:
                continue
            numbers = [(left + right) / 2, (upper + lower) / 2, right - left, lower - upper]
            words = [str(one.class_id), *(f"{number:.6g}" for number in numbers)]
            words += [f"{one.confidence:.6g}"] if save_conf else []
            words += [] if identifiers is None else [str(identifiers[place])]
            lines.append(" ".join(words) + "\n")
        name = os.fsdecode(path)
        if name.endswith(os.sep) or os.path.isdir(name):
            name = os.path.join(name, self._stem() + ".txt")
        try:
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            with open(name, "w", encoding="utf-8") as file:
                file.writelines(lines)
        except OSError as error:
            raise failure(
                FileError, f"{name}: cannot be written: {error.strerror}") from error
        return name

    def save_crop(
        self, folder: Union[str, "os.PathLike[str]"], file_name: Optional[str] = None
    ) -> list[str]:
        """Writes what is in each box to a .jpg file in a folder of its class.

        Args:
            folder: Where the folders of classes are made.
            file_name: What the names begin with; the picture's name without.

        Returns: the paths of the files.
        """
        picture, paths = self._picture(), []
        stem = os.path.splitext(file_name)[0] if file_name else self._stem()
        for number, one in enumerate(self._marked()[0], 1):
            part = picture.cropped(one.box)
            if part is None:
                continue
            label = one.label.replace(os.sep, "_").replace("\0", "_").strip(". ") or "_"
            place = os.path.join(os.fsdecode(folder), label)
            try:
                os.makedirs(place, exist_ok=True)
            except OSError as error:
                raise FileError(f"{place}: cannot be made: {error.strerror}") from error
            paths.append(part.save(os.path.join(place, f"{stem}-{number}.jpg")))
        return paths

    def _stem(self) -> str:
        """The picture's name without its ending."""
        name = (self.path or "").split("?")[0].rstrip("/")
        return os.path.splitext(os.path.basename(name))[0] or "image"

    def to_supervision(self) -> Any:
        """``supervision.Detections`` of the objects.

        Raises:
            ImportError: where supervision is not installed.
        """
        return supervision_detections(self._objects, size=(self.width, self.height))

    def to_supervision_keypoints(self) -> Any:
        """``supervision.KeyPoints`` of the objects.

        Raises:
            ImportError: where supervision is not installed.
        """
        supervision = _arrays.required("supervision", "to_supervision_keypoints")
        numpy = _arrays.required_numpy("to_supervision_keypoints")
        found = [one for one in self._objects if one.keypoints]
        if not found:
            return supervision.KeyPoints.empty()
        points = [[(p.x, p.y) for p in one.keypoints] for one in found]
        sure = [[p.confidence for p in one.keypoints] for one in found]
        # Its name is longer from version 0.29 on.
        known = inspect.signature(supervision.KeyPoints).parameters
        name = "keypoint_confidence" if "keypoint_confidence" in known else "confidence"
        return supervision.KeyPoints(
            xy=numpy.array(points, dtype=numpy.float32),
            **{name: numpy.array(sure, dtype=numpy.float32)},
            class_id=numpy.array([one.class_id for one in found], dtype=int),
            data={"class_name": numpy.array([one.label for one in found], dtype=str)})

    def to_gradio(self) -> tuple[BytesArray, list[tuple[tuple[int, int, int, int], str]]]:
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
        return picture.numpy(), boxes


def _inside(least: float, greatest: float, size: int) -> tuple[float, float]:
    """A span in fractions of the picture, cut at its edges."""
    return min(max(least / size, 0.0), 1.0), min(max(greatest / size, 0.0), 1.0)


def supervision_detections(
    objects: Sequence[Object], *, size: Optional[tuple[int, int]] = None, **more: Any
) -> Any:
    """``supervision.Detections`` of objects; ``more`` are further fields of it.

    Args:
        objects: With masks, where a network finds some, and corners of turned boxes.
        size: Width and height of the picture, which masks need.

    Raises:
        ImportError: where supervision is not installed.
    """
    supervision = _arrays.required("supervision", "to_supervision")
    numpy = _arrays.required_numpy("to_supervision")
    boxes = numpy.array([o.box for o in objects], dtype=numpy.float32).reshape(-1, 4)
    data = {"class_name": numpy.array([o.label for o in objects], dtype=str)}
    if objects and all(o.corners for o in objects):
        data["xyxyxyxy"] = numpy.array([o.corners for o in objects], dtype=numpy.float32)
    masks = [o.mask for o in objects if o.mask is not None]
    if masks and len(masks) == len(objects) and size is not None:
        more["mask"] = Masks(masks, size).data
    return supervision.Detections(
        xyxy=boxes,
        confidence=numpy.array([o.confidence for o in objects], dtype=numpy.float32),
        class_id=numpy.array([o.class_id for o in objects], dtype=int),
        data=data,
        **more,
    )
