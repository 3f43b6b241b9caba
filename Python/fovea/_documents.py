# Fovea - results as documents.
# SPDX-License-Identifier: Apache-2.0
"""Results as documents: those that the command prints, and those of other packages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from ._boxes import Object
    from ._results import Geometry


class Documents:
    """What ``Results`` can be written as."""

    if TYPE_CHECKING:
        _objects: list[Object]
        width: int
        height: int
        orientation: int
        model: str
        backend: str
        milliseconds: dict[str, float]
        geometry: Geometry
        path: Optional[str]

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
                    **_shape(o, (self.width, self.height)),
                }
                for o in self._objects
            ],
        }

    def json(self, indent: Optional[int] = None) -> str:
        """The text of ``to_json_object()``."""
        import json

        return json.dumps(self.to_json_object(), indent=indent, ensure_ascii=False)

    def to_row(self, path: Optional[str] = None) -> dict[str, Any]:
        """The row that ``fovea detect --jsonl`` writes about an image."""
        objects = [
            {
                "label": o.label, "score": rounded(o.confidence, 6),
                "xmin": rounded(o.box.xmin, 3), "ymin": rounded(o.box.ymin, 3),
                "xmax": rounded(o.box.xmax, 3), "ymax": rounded(o.box.ymax, 3),
                **_shape(o, (self.width, self.height)),
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


def _shape(one: Object, size: tuple[int, int]) -> dict[str, Any]:
    """Masks, key points and corners, as far as the object has some."""
    found: dict[str, Any] = {}
    if one.mask is not None:
        found["segmentation"] = one.mask.rle(size)
    if one.keypoints:
        found["keypoints"] = [
            number for p in one.keypoints
            for number in (rounded(p.x, 3), rounded(p.y, 3), rounded(p.confidence, 5))]
    if one.corners:
        found["corners"] = [[rounded(x, 3), rounded(y, 3)] for x, y in one.corners]
    if one.rotation is not None:
        found["rotation"] = rounded(one.rotation, 6)
    return found


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
