# Fovea - a model that finds objects.
# SPDX-License-Identifier: Apache-2.0
"""A model that finds objects, or names what is in a picture."""

from __future__ import annotations

import ctypes
import math
import os
from typing import (
    TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Union, overload,
)

from . import _abi, _pixels
from ._checks import check_number, choice
from ._detect_options import (
    DetectOptions, LookOptions, check_names, detect_options, look_options,
)
from ._errors import ArgumentError
from ._library import encoded, library, make, text
from ._results import Box, Geometry, Object, Results

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._video import Video

BACKENDS = {"auto": 0, "reference": 1, "blas": 2, "float": 3, "int8": 4}
COLORS = {1: "rgb", 2: "bgr", 3: "gray", 4: "gray_float16"}
KINDS = {
    1: "image", 2: "array", 3: "double", 4: "int64", 5: "string", 6: "dictionary", 7: "sequence",
    8: "state",
}
TYPE_NAMES = {number: name for name, number in _pixels.TYPES.items()}

Path = Union[str, "os.PathLike[str]"]


class Label(NamedTuple):
    """A class that a picture may belong to."""

    label: str
    confidence: float
    class_id: int


class PictureInput(NamedTuple):
    """What an array of a model becomes when it is given pictures: pixels * scale + bias."""

    input: str
    """The name of the array."""
    color: str
    """The order of its channels: "rgb", "bgr" or "gray"."""
    scale: tuple[float, ...]
    """In the order of the channels."""
    bias: tuple[float, ...]
    reason: str
    """Why these numbers."""


class Head(NamedTuple):
    """How a detector's outputs are read that are no scores and boxes themselves."""

    name: str
    """As ``--head`` of the command."""
    because: Optional[str]
    """By what it was recognized; ``None`` for a compiled file."""
    left_out: Optional[str]
    """What the outputs hold that is not reported, such as "masks"."""


class Feature(NamedTuple):
    """An input or an output of a model."""

    name: str
    kind: str
    """"image", "array", "double", "int64", "string", "dictionary", "sequence" or "state"."""
    shape: Optional[list[int]]
    """The shape in use; -1 for sizes that are known after a run only."""
    type: Optional[str]
    """The type of an array's elements in the file, such as "float16"."""
    run_type: Optional[str]
    """What a run takes or gives: "uint8" for an image that is taken, else "float32"."""
    color: Optional[str]
    """Of an image in the file: "rgb", "bgr", "gray" or "gray_float16"."""
    is_optional: bool
    description: str


def _colors(value: Union[float, Sequence[float]], name: str) -> list[float]:
    """Three numbers for red, green and blue."""
    numbers = [float(value)] * 3 if isinstance(value, (int, float)) else [float(n) for n in value]
    if len(numbers) != 3 or not all(math.isfinite(number) for number in numbers):
        raise ArgumentError(
            f"{name} is {value}; expected one number, or three for red, green and blue")
    return numbers


class OpenModel:
    """An open model file, and what it says about itself."""

    def __init__(
        self,
        model: Union[Path, bytes, None] = None,
        *,
        backend: str = "auto",
        threads: int = 0,
        size: Optional[tuple[int, int]] = None,
        function: Optional[str] = None,
        head: Optional[str] = None,
        boxes: Optional[str] = None,
        scores: Optional[str] = None,
        task: Optional[str] = None,
        last_stage: Optional[int] = None,
        coded_weights: bool = False,
        decodes_head: bool = True,
        name: Optional[str] = None,
        scale: Union[float, Sequence[float], None] = None,
        bias: Union[float, Sequence[float], None] = None,
        color: Optional[str] = None,
    ) -> None:
        self._handle: Optional[ctypes.c_void_p] = None
        check_number(threads, 0, (1 << 31) - 1, "threads")
        check_number(0 if last_stage is None else last_stage, 0, 1 << 30, "last_stage")
        options = _abi.ModelOptions()
        library.fovea_model_options_init(ctypes.byref(options), ctypes.sizeof(options))
        options.backend = choice(backend, BACKENDS, "backend")
        options.threads = threads
        options.last_stage = -1 if last_stage is None else last_stage
        options.outputs = 0 if decodes_head else 1
        options.coded_weights = int(coded_weights)
        if scale is not None:
            options.scale[:] = _colors(scale, "scale")
            if 0 in options.scale[:]:
                raise ArgumentError(f"scale is {scale}; no number may be 0")
        if bias is not None:
            if scale is None:
                raise ArgumentError("bias needs scale: elements are pixels * scale + bias")
            options.bias[:] = _colors(bias, "bias")
        if color is not None:
            options.color = choice(color, {"rgb": 1, "bgr": 2, "gray": 3}, "color")
        if size is not None:
            if len(size) != 2:
                raise ArgumentError(f"size is {size}; expected width and height")
            for side in size:
                check_number(side, 1, 1 << 30, "a side of size")
            options.width, options.height = size
        options.function = None if function is None else encoded(function, "function")
        options.head = None if head is None else encoded(head, "head")
        options.boxes = None if boxes is None else encoded(boxes, "boxes")
        options.scores = None if scores is None else encoded(scores, "scores")
        options.task = None if task is None else encoded(task, "task")
        options.name = None if name is None else encoded(name, "name")
        if model is None:
            self.path = "CodesAndText"
            self._handle = make(library.fovea_model_open_codes_and_text, ctypes.byref(options))
        elif isinstance(model, (str, os.PathLike)):
            self.path = os.fsdecode(model)
            self._handle = make(
                library.fovea_model_open, encoded(self.path, "the path of a model"),
                ctypes.byref(options))
        elif isinstance(model, (bytes, bytearray, memoryview)):
            self.path = name or "model"
            content = bytes(model)
            self._handle = make(
                library.fovea_model_open_bytes, content, len(content), ctypes.byref(options))
        else:
            raise ArgumentError(
                f"a model cannot be a {type(model).__name__}; give a path, the bytes of a file, or "
                "None for the detector inside")
        self._describe()

    def _describe(self) -> None:
        handle = self._handle
        info = library.fovea_model_get_info(handle).contents
        self.name = text(info.name) or ""
        self.backend = text(info.backend) or ""
        """The arithmetic that was chosen: "reference", "blas", "float" or "int8"."""
        self.function = text(info.function)
        self.labels = [
            text(library.fovea_model_label(handle, index)) or ""
            for index in range(info.label_count)
        ]
        self.functions = [
            text(library.fovea_model_function(handle, index)) or ""
            for index in range(info.function_count)
        ]
        self.metadata = {
            text(library.fovea_model_metadata_key(handle, index)) or "":
                text(library.fovea_model_metadata_value(handle, index)) or ""
            for index in range(info.metadata_count)
        }
        self.short_description = text(info.short_description) or ""
        self.author = text(info.author) or ""
        self.license = text(info.license) or ""
        self.version = text(info.version) or ""
        self.detects = bool(info.detects)
        self.classifies = bool(info.classifies)
        self.predicted_label = text(info.predicted_label)
        self.predicted_probabilities = text(info.predicted_probabilities)
        self.input_size = (int(info.width), int(info.height)) if info.width else None
        self.confidence = float(info.confidence)
        """The least confidence of an object unless a call says otherwise."""
        self.iou = float(info.iou)
        """The greatest overlap of two objects unless a call says otherwise."""
        self.picture = self._picture(info)
        """What pixels become in a detector or classifier that reads an array, else ``None``."""
        head = text(info.head)
        self.head = head and Head(head, text(info.head_reason), text(info.left_out))
        """How a detector's outputs are read that are no scores and boxes, else ``None``."""
        self.session_bytes = int(info.session_bytes)
        """The memory of a run; runs at the same time need it once each."""
        self.threads = int(info.threads)
        self.inputs = [
            self._feature(library.fovea_model_input(handle, index))
            for index in range(info.input_count)
        ]
        self.outputs = [
            self._feature(library.fovea_model_output(handle, index))
            for index in range(info.output_count)
        ]

    @staticmethod
    def _picture(info: Any) -> Optional[PictureInput]:
        name = text(info.picture_input)
        if name is None:
            return None
        count = 1 if COLORS[info.color] == "gray" else 3
        return PictureInput(
            input=name, color=COLORS[info.color], scale=tuple(info.scale[:count]),
            bias=tuple(info.bias[:count]), reason=text(info.picture_reason) or "")

    @staticmethod
    def _feature(pointer: Any) -> Feature:
        feature = pointer.contents
        return Feature(
            name=text(feature.name) or "", kind=KINDS.get(feature.kind, "none"),
            shape=[int(feature.shape[axis]) for axis in range(feature.rank)]
            if feature.run_type else None,
            type=TYPE_NAMES.get(feature.type), run_type=TYPE_NAMES.get(feature.run_type),
            color=COLORS.get(feature.color), is_optional=bool(feature.is_optional),
            description=text(feature.short_description) or "")

    def close(self) -> None:
        """Frees the model. Calls that run at the moment end as usual; later ones raise
        ``ClosedError``."""
        if self._handle is not None:
            library.fovea_model_close(self._handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            library.fovea_model_close(self._handle)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<fovea.{type(self).__name__} {self.path} ({self.backend})>"


class Model(OpenModel):
    """A model that finds objects in pictures, or names what is in them.

        model = fovea.Model("YOLOv3TinyInt8LUT.mlmodel")
        for found in model("dog.jpg", confidence=0.4):
            print(found.label, found.confidence, found.box)

    Any thread may call a model at any time; calls run at the same time. A child of ``fork()`` may go
    on using a model that its parent opened.

    Args:
        model: A path of a .mlmodel, .mlpackage, .mlmodelc or .fovea file, the bytes of a .mlmodel or
            .fovea file, or ``None`` for the detector inside (codes, lines of text, documents).
        backend: "auto", "reference", "blas", "float" or "int8".
        threads: That share the work of a call; 0 for all that the process may use.
        size: Width and height of the input, where the model allows several.
        function: The function of an ML Program that has several.
        head: How outputs are read, as ``--head`` of the command.
        boxes: What coordinates of a detector's boxes count: "pixels" or "fractions".
        scores: What its scores are: "probabilities", "logits" or "softmax".
        task: What it finds: "detect", "segment", "pose" or "obb".
        last_stage: The last stage of a pipeline to run, from 0.
        coded_weights: Whether "float" keeps coded weights as codes: less memory, same results.
        name: What messages call bytes.
        scale: For a model that reads an array: what pixels, 0 to 255, are multiplied by; one number,
            or three for red, green and blue. ``None``, also below: as the file or its kind says.
        bias: What is added then.
        color: The order of the array's channels: "rgb", "bgr" or "gray".

    Raises:
        FileError, ModelError, ArgumentError
    """

    @overload
    def __call__(
        self, source: Union[list[Any], tuple[Any, ...]], **options: Any
    ) -> list[Results]: ...

    @overload
    def __call__(self, source: Any, **options: Any) -> Results: ...

    def __call__(self, source: Any, **options: Any) -> Union[Results, list[Results]]:
        """The objects in a picture, best first; for a list of pictures a list of results.

        Args:
            source: A path, the bytes of a file, a Pillow image, a ``Picture``, or an array of uint8:
                height x width x 3 as OpenCV has it (blue first), x 4, or height x width. Or a list
                of these.
            **options: As for ``detect``.
        """
        if isinstance(source, (list, tuple)):
            return [self.detect(one, **options) for one in source]
        return self.detect(source, **options)

    def stream(self, sources: Iterable[Any], **options: Any) -> Iterator[Results]:
        """The results of pictures one after the other, as they are asked for."""
        for source in sources:
            yield self.detect(source, **options)

    def detect(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[DetectOptions]
    ) -> Results:
        """The objects in a picture, best first.

        Args:
            source: A path, the bytes of a file, a Pillow image, a ``Picture``, or an array of uint8.
            format: Of an array: "rgb", "bgr", "rgba", "bgra", "gray", "nv12" or "yuyv". ``None``
                for what OpenCV gives: "bgr", "bgra" or "gray" by the number of channels.
            **options: Those that ``fovea.DetectOptions`` lists, such as ``confidence``.

        Raises:
            ArgumentError: for an option outside its range, an unknown class, or no picture.
            FileError, PictureError: for a file that cannot be read.
            UnsuitableModelError: for a model that is no detector.
        """
        check_names("detect", options, DetectOptions)
        chosen = detect_options(options)
        handle, stated = self._look("detect", source, chosen, format)
        try:
            return Results(
                **self._found(handle, options.get("crop_and_scale", "scaleToFill")), source=source, source_format=format,
                stated_orientation=stated)
        finally:
            library.fovea_result_free(handle)

    def watch(
        self,
        source: Union[Path, int],
        *,
        track: bool = False,
        camera_moves: bool = False,
        keep: Optional[str] = None,
        paced: bool = False,
        deadline: Optional[float] = None,
        reconnects: int = 8,
        camera_size: Optional[tuple[int, int]] = None,
        camera_rate: Optional[float] = None,
        **options: Unpack[DetectOptions],
    ) -> Video:
        """The objects in a video, a camera or a stream, picture by picture.

            for results in model.watch("rtsp://camera/live", track=True):
                print(results.frame.time, [(one.id, one.label) for one in results.tracks])

        Pictures are decoded ahead on a thread of the library. A loop that is slower than a camera
        gets the newest picture each time; of a file it gets every picture.

        Args:
            source: A path, an address, a camera ("camera:0", or its number), numbered pictures such
                as "frame-%04d.jpg", or "-" for standard input.
            track: Whether objects get identifiers that they keep.
            camera_moves: Whether the camera's motion is taken out of that of tracked objects.
            keep: "all" pictures, or the "latest"; ``None``: the latest of cameras and streams.
            paced: Whether a file comes at its own pace, as a camera does.
            deadline: The age in seconds at which a result is late.
            reconnects: How often in a row a lost network source is opened again.
            camera_size: Width and height that a camera is asked for.
            camera_rate: Pictures per second that a camera is asked for.
            **options: As for ``detect``.

        Raises:
            FileError: the source is missing, or gives nothing.
            VideoError: it is no video.
            ModelError: its codec, or this machine without FFmpeg's libraries, cannot be used.
            ArgumentError, UnsuitableModelError
        """
        from ._video import Video, options_of

        check_names("watch", options, DetectOptions)
        chosen = detect_options(options)
        opening = options_of(
            track, camera_moves, keep, paced, deadline, reconnects, camera_size, camera_rate)
        name = f"camera:{source}" if isinstance(source, int) else os.fsdecode(source)
        handle = make(
            library.fovea_video_open, self._handle, encoded(name, "a source"),
            ctypes.byref(chosen), ctypes.byref(opening))
        crop = options.get("crop_and_scale", "scaleToFill")
        return Video(handle, name, lambda result: self._found(result, crop))

    def classify(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[LookOptions]
    ) -> list[Label]:
        """The classes of a picture, the most probable first.

        Args:
            source: As for ``detect``.
            format: As for ``detect``.
            **options: How the picture is looked at, as for ``detect``.

        Raises:
            UnsuitableModelError: for a model that is no classifier; others as ``detect``.
        """
        check_names("classify", options, LookOptions)
        chosen = look_options(options)
        handle, _ = self._look("classify", source, chosen, format)
        try:
            count = library.fovea_result_label_count(handle)
            found = [library.fovea_result_label(handle, index).contents for index in range(count)]
            return [
                Label(text(label.name) or "", label.confidence, label.class_index)
                for label in found
            ]
        finally:
            library.fovea_result_free(handle)

    # Calling the library

    def _look(
        self, verb: str, source: Any, options: _abi.DetectOptions, format: Optional[str]
    ) -> tuple[ctypes.c_void_p, int]:
        """The result's handle, and the orientation to read the picture again with; 0 for EXIF."""
        found = _pixels.source(source, format)
        chosen = ctypes.byref(options)
        if isinstance(found, _pixels.File):
            function = getattr(library, f"fovea_{verb}_file")
            return make(function, self._handle, found.path, chosen), options.orientation
        if isinstance(found, _pixels.Encoded):
            function = getattr(library, f"fovea_{verb}_bytes")
            result = make(function, self._handle, found.address, found.length, chosen)
            return result, options.orientation
        if options.orientation == 0:
            options.orientation = found.orientation
        function = getattr(library, f"fovea_{verb}_pixels")
        result = make(function, self._handle, ctypes.byref(found.pixels), chosen)
        return result, options.orientation

    def _found(self, handle: ctypes.c_void_p, crop: str) -> dict[str, Any]:
        """What a result of the library says: arguments of ``Results``."""
        objects = []
        labels = self.labels
        for index in range(library.fovea_result_object_count(handle)):
            found = library.fovea_result_object(handle, index).contents
            x, y, width, height = found.x, found.y, found.width, found.height
            class_id = found.class_index
            objects.append(
                Object(
                    labels[class_id] if class_id < len(labels) else text(found.label) or "",
                    found.confidence, Box(x, y, x + width, y + height), class_id,
                    (x, y, width, height), tuple(found.bounding_box)))
        info = library.fovea_result_picture(handle).contents
        return {
            "objects": objects, "labels": labels,
            "size": (int(info.width), int(info.height)), "orientation": int(info.orientation),
            "model": self.path, "backend": self.backend,
            "left_out": self.head and self.head.left_out,
            "milliseconds": {
                "decode": info.decode_ms, "prepare": info.prepare_ms,
                "inference": info.inference_ms, "postprocess": info.postprocess_ms,
            },
            "geometry": Geometry(
                (int(info.input_width), int(info.input_height)), crop, tuple(info.seen),
                tuple(info.padding), tuple(info.input_to_picture)),
        }
