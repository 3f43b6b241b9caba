# Fovea - a model that finds objects.
# SPDX-License-Identifier: Apache-2.0
"""A model that finds objects, or names what is in a picture."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Iterator, Optional, Union, cast, overload

from . import _abi, _arrays, _pixels, _sources
from ._detect_options import (
    CallOptions, KnownOptions, LookOptions, detect_options, look_options,
)
from ._errors import ArgumentError, PictureError
from ._library import encoded, library, make, text
from ._open_model import OpenModel, Path
from ._option_names import checked
from ._probs import Label, Labels
from ._results import Box, Geometry, Object, Results
from ._session import taken
from ._shape_reading import shapes
from ._watch_options import TrackOptions, WatchOptions, video_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._arrays import BytesArray, Float32Array
    from ._video import Video


class Model(OpenModel):
    """A model that finds objects in pictures, or names what is in them.

    >>> import fovea
    >>> model = fovea.Model("shapes.mlmodel")
    >>> for found in model("shapes.png", confidence=0.5, max_objects=2):
    ...     print(found.label, [round(side) for side in found.box])
    red square [360, 227, 444, 313]
    green square [194, 50, 274, 130]

    Any thread may call a model at any time; calls run at the same time. A child of ``fork()`` may go
    on using a model that its parent opened.

    Args:
        model: A path of a .mlmodel, .mlpackage, .mlmodelc or .fovea file, the name of a model that
            ``fovea.get`` has fetched, the bytes of a .mlmodel or .fovea file, or ``None`` for the
            detector inside (codes, lines of text, documents).
        **options: Those that ``fovea.ModelOptions`` lists, such as ``backend`` and ``size``.

    A model that was opened by its path can be pickled: another process opens it again.

    Raises:
        FileError, ModelError, ArgumentError
    """

    @overload
    def __call__(
        self, source: Union[list[Any], tuple[Any, ...]], **options: Unpack[CallOptions]
    ) -> list[Results]: ...

    @overload
    def __call__(self, source: int, **options: Unpack[CallOptions]) -> Video: ...

    @overload
    def __call__(self, source: Any, **options: Unpack[CallOptions]) -> Results: ...

    def __call__(
        self, source: Any, **options: Unpack[CallOptions]
    ) -> Union[Results, list[Results], Iterator[Results]]:
        """The objects in a picture, best first, or those of several pictures.

        >>> import fovea
        >>> model = fovea.Model("shapes.mlmodel")
        >>> len(model("shapes.png"))
        6
        >>> [len(found) for found in model(["shapes.png", "shapes.png"], classes=[0])]
        [2, 2]

        Args:
            source: A picture: a path, an address, the bytes of a file, an open file, a Pillow
                image, a ``Picture``, or an array of uint8: height x width x 3 as OpenCV has it
                (blue first), x 4, or height x width. Several: a list of these, a folder, or a
                pattern such as "holiday/*.jpg"; they give a list. Anything else that is iterated,
                such as a generator, gives results one after the other. A video's name or the
                number of a camera gives what ``watch`` gives.
            **options: As for ``detect``.
        """
        if _sources.is_video(source):
            given = checked("__call__", options, KnownOptions)
            return self.watch(source, **cast(WatchOptions, given))
        if not _sources.is_several(source):
            return self.detect(source, **options)
        results = self.stream(source, **options)
        return results if _sources.is_lazy(source) else list(results)

    def stream(self, source: Any, **options: Unpack[CallOptions]) -> Iterator[Results]:
        """The results of a picture, of several, or of a video, one after the other, as they are
        asked for.

        >>> import fovea
        >>> model = fovea.Model("shapes.mlmodel")
        >>> for found in model.stream("*.png"):
        ...     print(found.path, len(found))
        shapes.png 6
        """
        if _sources.is_video(source):
            given = checked("stream", options, KnownOptions)
            return self.watch(source, **cast(WatchOptions, given))
        chosen = cast(CallOptions, checked("stream", options, CallOptions))
        return (self.detect(one, **chosen) for one in _sources.pictures(source))

    def detect(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[KnownOptions]
    ) -> Results:
        """The objects in one picture, best first.

        >>> import fovea
        >>> found = fovea.Model("shapes.mlmodel").detect("shapes.png", max_objects=1)
        >>> found[0].label
        'red square'

        Args:
            source: A path, an address, the bytes of a file, an open file, a Pillow image, a
                ``Picture``, or an array of uint8.
            format: Of an array: "rgb", "bgr", "rgba", "bgra", "gray", "nv12" or "yuyv". ``None``
                for what OpenCV gives: "bgr", "bgra" or "gray" by the number of channels.
            **options: Those that ``fovea.DetectOptions`` lists, such as ``confidence``. ``conf``,
                ``classes``, ``max_det`` and ``agnostic_nms`` are further names of ``confidence``,
                ``only``, ``max_objects`` and ``class_agnostic``.

        Raises:
            OptionError: for a word that is no option.
            ArgumentError: for an option outside its range, an unknown class, or no picture.
            FileError, PictureError: for a file that cannot be read.
            UnsuitableModelError: for a model that is no detector.
        """
        given = cast(KnownOptions, checked("detect", options, KnownOptions))
        chosen = detect_options(given, self.labels)
        picture, path = _sources.opened(source)
        handle, stated = self._look("detect", picture, chosen, format)
        try:
            return Results(
                **self._found(handle, given.get("crop_and_scale", "scaleToFill")), source=picture,
                path=path, source_format=format, stated_orientation=stated)
        finally:
            library.fovea_result_free(handle)

    def track(self, source: Union[Path, int], **options: Unpack[TrackOptions]) -> Video:
        """As ``watch``, and objects keep identifiers from picture to picture.

            for results in model.track("street.mp4"):
                print(results.boxes.id, results.boxes.xyxy)
        """
        given = checked("track", options, TrackOptions)
        return self.watch(source, **cast(WatchOptions, {**given, "track": True}))

    def watch(self, source: Union[Path, int], **options: Unpack[WatchOptions]) -> Video:
        """The objects in a video, a camera or a stream, picture by picture.

            for results in model.watch("rtsp://camera/live", track=True):
                print(results.frame.time, [(one.id, one.label) for one in results.tracks])

        Pictures are decoded ahead on a thread of the library. A loop that is slower than a camera
        gets the newest picture each time; of a file it gets every picture.

        Args:
            source: A path, an address, a camera ("camera:0", or its number), numbered pictures such
                as "frame-%04d.jpg", or "-" for standard input.
            **options: Those that ``fovea.WatchOptions`` lists: ``track``, ``keep``, ``deadline`` and
                others, and those of ``detect``.

        Raises:
            FileError: the source is missing, or gives nothing.
            VideoError: it is no video.
            ModelError: its codec, or this machine without FFmpeg's libraries, cannot be used.
            ArgumentError, UnsuitableModelError
        """
        from ._video import Video

        given = cast(WatchOptions, checked("watch", options, WatchOptions))
        chosen, opening = detect_options(given, self.labels), video_options(given)
        if isinstance(source, (list, tuple)) or not isinstance(source, (str, int, os.PathLike)):
            raise ArgumentError(
                f"a video cannot be {_pixels.named(source)}; give a path, an address, or the "
                "number of a camera")
        name = f"camera:{source}" if isinstance(source, int) else os.fsdecode(source)
        handle = make(
            library.fovea_video_open, self._handle, encoded(name, "a source"),
            ctypes.byref(chosen), ctypes.byref(opening))
        crop = given.get("crop_and_scale", "scaleToFill")
        return Video(handle, name, lambda result: self._found(result, crop))

    def classify(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[LookOptions]
    ) -> Labels:
        """The classes of a picture, the most probable first.

            found = model.classify("cat.jpg")
            print(found[0].label, found.probs.top1, found.probs.top5)

        The center of the picture is looked at, unless ``crop_and_scale`` says otherwise.

        Args:
            source: As for ``detect``.
            format: As for ``detect``.
            **options: How the picture is looked at, as for ``detect``.

        Raises:
            UnsuitableModelError: for a model that is no classifier; others as ``detect``.
        """
        chosen = look_options(cast(LookOptions, checked("classify", options, LookOptions)))
        handle, _ = self._look("classify", _sources.opened(source).picture, chosen, format)
        try:
            count = library.fovea_result_label_count(handle)
            found = [library.fovea_result_label(handle, index).contents for index in range(count)]
            return Labels(
                Label(text(label.name) or "", label.confidence, label.class_index)
                for label in found)
        finally:
            library.fovea_result_free(handle)

    # Maps

    def segment(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[LookOptions]
    ) -> BytesArray:
        """The class of every pixel of a picture, by a network for that: an array of height x
        width. 255 stands for no class; with more than 255 classes it is 65535, and the array is of
        uint16.

            classes = fovea.Model("deeplab.onnx").segment("street.jpg")

        Args:
            source: As for ``detect``.
            format: As for ``detect``.
            **options: How the picture is looked at, as for ``detect``.

        Raises:
            UnsuitableModelError: for a network that writes no classes; others as ``detect``.
            ImportError: where NumPy is not installed.
        """
        found = self._map("segment", 0, source, format, options)
        wide = found.max(initial=0) > 255 or len(self.labels) > 255
        classes: BytesArray = found.astype("uint16" if wide else "uint8")
        return classes

    def depth(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[LookOptions]
    ) -> Float32Array:
        """How far every pixel of a picture is, by a network for that: height x width, float32. NaN
        stands where the network did not see the picture. Otherwise as ``segment``.
        """
        found: Float32Array = self._map("depth", 1, source, format, options)
        return found

    def transform(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[LookOptions]
    ) -> BytesArray:
        """Another picture of a picture, by a network for that: height x width x 3, uint8, red
        first. Otherwise as ``segment``.
        """
        picture: BytesArray = self._map("transform", 2, source, format, options).astype("uint8")
        return picture

    def embed(
        self, source: Any, *, format: Optional[str] = None, **options: Unpack[LookOptions]
    ) -> Float32Array:
        """The numbers by which a network compares pictures: float32. Otherwise as ``segment``."""
        found: Float32Array = self._map("embed", 3, source, format, options)
        return found

    def _map(
        self, verb: str, kind: int, source: Any, format: Optional[str], options: Any
    ) -> Any:
        numpy = _arrays.required_numpy(f"Model.{verb}")
        chosen = look_options(cast(LookOptions, checked(verb, options, LookOptions)))
        handle, _ = self._look("map", _sources.opened(source).picture, chosen, format, kind)
        try:
            return taken(library.fovea_result_array(handle, 0).contents, numpy)[1]
        finally:
            library.fovea_result_free(handle)

    # Calling the library

    def _look(
        self, verb: str, source: Any, options: _abi.DetectOptions, format: Optional[str],
        *kind: int
    ) -> tuple[ctypes.c_void_p, int]:
        """The result's handle, and the orientation to read the picture again with; 0 for EXIF."""
        found = _pixels.source(source, format)
        chosen = ctypes.byref(options)
        if isinstance(found, _pixels.File):
            function = getattr(library, f"fovea_{verb}_file")
            try:
                return make(function, self._handle, found.path, *kind, chosen), options.orientation
            except PictureError as error:
                if not _sources.is_video(source):
                    raise
                raise PictureError(
                    f"{error}; Model.watch looks at videos, cameras and streams") from None
        if isinstance(found, _pixels.Encoded):
            function = getattr(library, f"fovea_{verb}_bytes")
            result = make(function, self._handle, found.address, found.length, *kind, chosen)
            return result, options.orientation
        if options.orientation == 0:
            options.orientation = found.orientation
        function = getattr(library, f"fovea_{verb}_pixels")
        result = make(function, self._handle, ctypes.byref(found.pixels), *kind, chosen)
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
                    (x, y, width, height), tuple(found.bounding_box),
                    *shapes(handle, index, found)))
        info = library.fovea_result_picture(handle).contents
        return {
            "objects": objects, "labels": labels,
            "size": (int(info.width), int(info.height)), "orientation": int(info.orientation),
            "model": self.path, "backend": self.backend, "is_model_inside": self.is_inside,
            "left_out": self.head and self.head.left_out,
            "milliseconds": {
                "decode": info.decode_ms, "prepare": info.prepare_ms,
                "inference": info.inference_ms, "postprocess": info.postprocess_ms,
            },
            "geometry": Geometry(
                (int(info.input_width), int(info.input_height)), crop, tuple(info.seen),
                tuple(info.padding), tuple(info.input_to_picture)),
        }
