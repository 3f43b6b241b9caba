# Fovea - tiny object detectors on ordinary CPUs, from Python.
# SPDX-License-Identifier: Apache-2.0
"""Fovea runs tiny object detectors on ordinary CPUs. It opens models as they
are: those of Core ML, ONNX, TensorFlow Lite and Darknet.

    import fovea

    model = fovea.Model("YOLOv3TinyInt8LUT.mlmodel")
    for found in model("dog.jpg"):
        print(found.label, found.confidence, found.box)

* ``Model`` finds objects in pictures: paths, bytes, Pillow images, frames of OpenCV, arrays.
* ``Model.watch`` finds objects in videos, cameras and streams, and tracks them.
* ``codes``, ``text``, ``evaluate``, ``quantize`` and others do what the program of that name does.
* ``Session`` runs a network on arrays.
* ``fovea.batch.Detector`` works through pictures in Ray Data and Spark.
* ``import fovea.coremltools`` before ``import coremltools`` makes ``MLModel.predict`` work here.
"""

from typing import TYPE_CHECKING

from ._boxes import Box, Boxes, Object
from ._detect_options import DetectOptions
from ._errors import (
    ArgumentError,
    ClosedError,
    CommandError,
    Error,
    FileError,
    MissingFileError,
    ModelError,
    OptionError,
    OutputError,
    PictureError,
    ResourceError,
    UnsuitableModelError,
    VideoError,
)
from ._library import __version__
from ._model import Model
from ._model_options import ModelOptions
from ._open_model import Feature, Head, PictureInput
from ._picture import Picture, PlotOptions
from ._probs import Label, Labels, Probs
from ._results import Geometry, Results
from ._session import NodeArg, Session
from ._shapes import KeyPoint, Mask
from ._video import Frame, Track, Video, VideoResults
from ._watch_options import TrackOptions, WatchOptions

if TYPE_CHECKING:
    from ._commands import (
        codes, compare, compile, convert, depth, distill, embed, evaluate, faces, get, inspect,
        look, preview, quantize, rectangles, rectify, segment, text, track, train, transform, watch,
    )
    from ._annotations import annotations
    from ._export import export
    from ._object_detector import ObjectDetector
    from ._one_shot import OneShotObjectDetector
    from ._serving import Server, serve

_FUNCTIONS = frozenset((
    "codes", "compare", "compile", "convert", "depth", "distill", "embed", "evaluate", "faces",
    "get", "inspect", "look", "preview", "quantize", "rectangles", "rectify", "segment", "text",
    "track", "train", "transform", "watch",
))


def __getattr__(name: str) -> object:
    """The functions that run the program are imported when the first one is asked for."""
    if name == "export":
        from ._export import export

        return export
    if name in ("Server", "serve"):
        from . import _serving

        return getattr(_serving, name)
    if name == "annotations":
        from ._annotations import annotations

        return annotations
    if name == "ObjectDetector":
        from ._object_detector import ObjectDetector

        return ObjectDetector
    if name == "OneShotObjectDetector":
        from ._one_shot import OneShotObjectDetector

        return OneShotObjectDetector
    if name in _FUNCTIONS:
        from . import _commands

        return getattr(_commands, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    lazy = {
        "ObjectDetector", "OneShotObjectDetector", "Server", "annotations", "export", "serve",
    }
    return sorted({*globals(), *_FUNCTIONS, *lazy})


__all__ = [
    "ArgumentError",
    "Box",
    "Boxes",
    "ClosedError",
    "CommandError",
    "DetectOptions",
    "Error",
    "Feature",
    "FileError",
    "Frame",
    "Geometry",
    "Head",
    "KeyPoint",
    "Label",
    "Labels",
    "Mask",
    "MissingFileError",
    "Model",
    "ModelError",
    "ModelOptions",
    "NodeArg",
    "Object",
    "ObjectDetector",
    "OneShotObjectDetector",
    "OptionError",
    "OutputError",
    "Picture",
    "PictureError",
    "PictureInput",
    "PlotOptions",
    "Probs",
    "ResourceError",
    "Results",
    "Server",
    "Session",
    "Track",
    "TrackOptions",
    "UnsuitableModelError",
    "Video",
    "VideoError",
    "VideoResults",
    "WatchOptions",
    "__version__",
    "annotations",
    "codes",
    "compare",
    "convert",
    "depth",
    "distill",
    "embed",
    "evaluate",
    "export",
    "faces",
    "get",
    "inspect",
    "look",
    "preview",
    "quantize",
    "rectangles",
    "rectify",
    "segment",
    "serve",
    "text",
    "track",
    "train",
    "transform",
    "watch",
]
