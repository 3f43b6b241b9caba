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
from ._errors import ArgumentError
from ._library import encoded, library, make, text
from ._results import Box, Geometry, Object, Results

if TYPE_CHECKING:
    from ._video import Video

BACKENDS = {"auto": 0, "reference": 1, "blas": 2, "float": 3, "int8": 4}
CROPS = {
    "scaleToFill": 0, "scaleToFit": 1, "centerCrop": 2,
    "scaleToFitPlus90CCWRotation": 3, "scaleToFillPlus90CCWRotation": 4,
}
PADDINGS = {"centered": 0, "upperLeft": 1}
FILTERS = {"bilinear": 0, "area": 1}
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


def _choice(value: str, choices: dict[str, int], name: str) -> int:
    if value not in choices:
        raise ArgumentError(f"{name} is {value!r}; expected one of {', '.join(choices)}")
    return choices[value]


def _fraction(value: Optional[float], name: str) -> float:
    if value is None:
        return math.nan
    number = float(value)
    if not 0 <= number <= 1:
        raise ArgumentError(f"{name} is {value}; expected a number in 0...1")
    return number


def _colors(value: Union[float, Sequence[float]], name: str) -> list[float]:
    """Three numbers for red, green and blue."""
    numbers = [float(value)] * 3 if isinstance(value, (int, float)) else [float(n) for n in value]
    if len(numbers) != 3 or not all(math.isfinite(number) for number in numbers):
        raise ArgumentError(
            f"{name} is {value}; expected one number, or three for red, green and blue")
    return numbers


def _check_number(value: int, least: int, greatest: int, name: str) -> None:
    # ctypes would cut off what does not fit.
    if not isinstance(value, int) or not least <= value <= greatest:
        raise ArgumentError(
            f"{name} is {value!r}; expected a whole number of at least {least}"
            + (f" and at most {greatest}" if greatest < 1 << 30 else ""))


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
        last_stage: Optional[int] = None,
        coded_weights: bool = False,
        decodes_head: bool = True,
        name: Optional[str] = None,
        scale: Union[float, Sequence[float], None] = None,
        bias: Union[float, Sequence[float], None] = None,
        color: Optional[str] = None,
    ) -> None:
        self._handle: Optional[ctypes.c_void_p] = None
        _check_number(threads, 0, 1024, "threads")
        _check_number(0 if last_stage is None else last_stage, 0, 1 << 30, "last_stage")
        options = _abi.ModelOptions()
        library.fovea_model_options_init(ctypes.byref(options), ctypes.sizeof(options))
        options.backend = _choice(backend, BACKENDS, "backend")
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
            options.color = _choice(color, {"rgb": 1, "bgr": 2, "gray": 3}, "color")
        if size is not None:
            if len(size) != 2:
                raise ArgumentError(f"size is {size}; expected width and height")
            for side in size:
                _check_number(side, 1, 1 << 30, "a side of size")
            options.width, options.height = size
        options.function = None if function is None else encoded(function, "function")
        options.head = None if head is None else encoded(head, "head")
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
        self,
        source: Any,
        *,
        confidence: Optional[float] = None,
        iou: Optional[float] = None,
        only: Optional[Sequence[str]] = None,
        max_objects: Optional[int] = None,
        class_agnostic: Optional[bool] = None,
        multi_label: bool = False,
        box_voting: Optional[float] = None,
        soft_suppression: Optional[float] = None,
        crop_and_scale: str = "scaleToFill",
        padding: str = "centered",
        filter: str = "bilinear",
        region: Optional[tuple[float, float, float, float]] = None,
        orientation: Optional[int] = None,
        match_aspect: bool = False,
        decode_full: bool = False,
        format: Optional[str] = None,
    ) -> Results:
        """The objects in a picture, best first.

        Args:
            source: A path, the bytes of a file, a Pillow image, a ``Picture``, or an array of uint8.
            confidence: The least confidence, 0...1. ``None`` here and below: the model's own.
            iou: The greatest overlap of two objects, 0...1.
            only: Only objects of these classes.
            max_objects: The best so many objects stay.
            class_agnostic: Whether objects also displace those of other classes.
            multi_label: Whether a box may stand for objects of several classes.
            box_voting: The least overlap of a box that votes, 0...1.
            soft_suppression: The part of its overlap that a score loses, 0...1.
            crop_and_scale: "scaleToFill", "scaleToFit", "centerCrop",
                "scaleToFitPlus90CCWRotation" or "scaleToFillPlus90CCWRotation".
            padding: Where "scaleToFit" puts the picture: "centered" or "upperLeft".
            filter: "bilinear" or "area".
            region: x, y, width and height of the part to look at: fractions of the upright picture,
                from its upper left.
            orientation: How to turn the picture, 1...8; ``None`` for what its EXIF says.
            match_aspect: Whether the allowed size of the input nearest to the picture's aspect is
                used.
            decode_full: Whether large JPEG files are decoded at their full size.
            format: Of an array: "rgb", "bgr", "rgba", "bgra", "gray", "nv12" or "yuyv". ``None``
                for what OpenCV gives: "bgr", "bgra" or "gray" by the number of channels.

        Raises:
            ArgumentError: for an option outside its range, an unknown class, or no picture.
            FileError, PictureError: for a file that cannot be read.
            UnsuitableModelError: for a model that is no detector.
        """
        chosen = self._detect_options(
            confidence=confidence, iou=iou, only=only, max_objects=max_objects,
            class_agnostic=class_agnostic, multi_label=multi_label, box_voting=box_voting,
            soft_suppression=soft_suppression, crop_and_scale=crop_and_scale, padding=padding,
            filter=filter, region=region, orientation=orientation, match_aspect=match_aspect,
            decode_full=decode_full)
        handle, stated = self._look("detect", source, chosen, format)
        try:
            return Results(
                **self._found(handle, crop_and_scale), source=source, source_format=format,
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
        **options: Any,
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
            **options: As for ``detect``, but ``format``.

        Raises:
            FileError: the source is missing, or gives nothing.
            VideoError: it is no video.
            ModelError: its codec, or this machine without FFmpeg's libraries, cannot be used.
            ArgumentError, UnsuitableModelError
        """
        from ._video import Video, options_of

        chosen = self._detect_options(**options)
        opening = options_of(
            track, camera_moves, keep, paced, deadline, reconnects, camera_size, camera_rate)
        name = f"camera:{source}" if isinstance(source, int) else os.fsdecode(source)
        handle = make(
            library.fovea_video_open, self._handle, encoded(name, "a source"),
            ctypes.byref(chosen), ctypes.byref(opening))
        crop = options.get("crop_and_scale", "scaleToFill")
        return Video(handle, name, lambda result: self._found(result, crop))

    def _detect_options(
        self,
        *,
        confidence: Optional[float] = None,
        iou: Optional[float] = None,
        only: Optional[Sequence[str]] = None,
        max_objects: Optional[int] = None,
        class_agnostic: Optional[bool] = None,
        multi_label: bool = False,
        box_voting: Optional[float] = None,
        soft_suppression: Optional[float] = None,
        crop_and_scale: str = "scaleToFill",
        padding: str = "centered",
        filter: str = "bilinear",
        region: Optional[tuple[float, float, float, float]] = None,
        orientation: Optional[int] = None,
        match_aspect: bool = False,
        decode_full: bool = False,
    ) -> _abi.DetectOptions:
        """The options of ``detect``, as the library reads them."""
        chosen = self._options(
            crop_and_scale, padding, filter, region, orientation, match_aspect, decode_full)
        chosen.confidence = _fraction(confidence, "confidence")
        chosen.iou = _fraction(iou, "iou")
        chosen.box_voting = _fraction(box_voting, "box_voting")
        chosen.soft_suppression = _fraction(soft_suppression, "soft_suppression")
        chosen.class_agnostic = -1 if class_agnostic is None else int(class_agnostic)
        chosen.multi_label = int(multi_label)
        if max_objects is not None:
            _check_number(max_objects, 1, 1 << 62, "max_objects")
            chosen.maximum_count = max_objects
        if only is not None:
            if isinstance(only, str):
                only = [only]
            if not only:
                raise ArgumentError("only needs the name of at least one class")
            names = (ctypes.c_char_p * len(only))(*[encoded(name, "a class") for name in only])
            chosen.labels, chosen.label_count = names, len(only)
        return chosen

    def classify(
        self,
        source: Any,
        *,
        crop_and_scale: str = "scaleToFill",
        padding: str = "centered",
        filter: str = "bilinear",
        region: Optional[tuple[float, float, float, float]] = None,
        orientation: Optional[int] = None,
        decode_full: bool = False,
        format: Optional[str] = None,
    ) -> list[Label]:
        """The classes of a picture, the most probable first. Arguments as for ``detect``.

        Raises:
            UnsuitableModelError: for a model that is no classifier; others as ``detect``.
        """
        chosen = self._options(
            crop_and_scale, padding, filter, region, orientation, False, decode_full)
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

    @staticmethod
    def _options(
        crop_and_scale: str, padding: str, filter: str,
        region: Optional[tuple[float, float, float, float]], orientation: Optional[int],
        match_aspect: bool, decode_full: bool,
    ) -> _abi.DetectOptions:
        options = _abi.DetectOptions.from_buffer_copy(_DEFAULT_OPTIONS)
        options.crop_and_scale = _choice(crop_and_scale, CROPS, "crop_and_scale")
        options.padding = _choice(padding, PADDINGS, "padding")
        options.filter = _choice(filter, FILTERS, "filter")
        if region is not None:
            if len(region) != 4:
                raise ArgumentError(f"region is {region}; expected x, y, width and height")
            options.region_x, options.region_y = region[0], region[1]
            options.region_width, options.region_height = region[2], region[3]
        if orientation is not None:
            _check_number(orientation, 1, 8, "orientation")
            options.orientation = orientation
        options.match_aspect, options.decode_full = int(match_aspect), int(decode_full)
        return options

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
            "milliseconds": {
                "decode": info.decode_ms, "prepare": info.prepare_ms,
                "inference": info.inference_ms, "postprocess": info.postprocess_ms,
            },
            "geometry": Geometry(
                (int(info.input_width), int(info.input_height)), crop, tuple(info.seen),
                tuple(info.padding), tuple(info.input_to_picture)),
        }


def _default_options() -> bytes:
    options = _abi.DetectOptions()
    library.fovea_detect_options_init(ctypes.byref(options), ctypes.sizeof(options))
    return bytes(options)


_DEFAULT_OPTIONS = _default_options()
