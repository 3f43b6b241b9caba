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
* ``Session`` runs a network on arrays.
* ``fovea.batch.Detector`` works through pictures in Ray Data and Spark.
* ``import fovea.coremltools`` before ``import coremltools`` makes ``MLModel.predict`` work here.
"""

from ._detect_options import DetectOptions
from ._errors import (
    ArgumentError,
    ClosedError,
    Error,
    FileError,
    ModelError,
    OutputError,
    PictureError,
    ResourceError,
    UnsuitableModelError,
    VideoError,
)
from ._library import __version__
from ._model import Feature, Head, Label, Model, PictureInput
from ._picture import Picture
from ._results import Box, Boxes, Geometry, Object, Results
from ._session import NodeArg, Session
from ._video import Frame, Track, Video, VideoResults

__all__ = [
    "ArgumentError",
    "Box",
    "Boxes",
    "ClosedError",
    "DetectOptions",
    "Error",
    "Feature",
    "FileError",
    "Frame",
    "Geometry",
    "Head",
    "Label",
    "Model",
    "ModelError",
    "NodeArg",
    "Object",
    "OutputError",
    "Picture",
    "PictureError",
    "PictureInput",
    "ResourceError",
    "Results",
    "Session",
    "Track",
    "UnsuitableModelError",
    "Video",
    "VideoError",
    "VideoResults",
    "__version__",
]
