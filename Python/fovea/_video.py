# Fovea - objects in videos, cameras and streams.
# SPDX-License-Identifier: Apache-2.0
"""Objects in videos, cameras and streams."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple, Optional, Sequence

from . import _abi, _arrays
from ._boxes import Box, Object
from ._errors import ClosedError
from ._exports import supervision_detections
from ._library import check, library, make, text
from ._picture import Picture
from ._results import Results

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._picture import PlotOptions


class Track(NamedTuple):
    """An object that keeps its identifier from picture to picture."""

    id: int
    """From 1; never given to another object."""
    label: str
    confidence: float
    """That of its last detection."""
    box: Box
    """Where it is, in pixels of the upright picture."""
    object: Optional[int]
    """Its place among the results; ``None`` where it was not seen and should be by now."""

    @property
    def is_predicted(self) -> bool:
        """Whether the object was not seen in this picture."""
        return self.object is None


class Frame(NamedTuple):
    """A picture of a video, and what became of all pictures up to it.

    ``decoded`` = ``taken`` + ``dropped`` + those that wait.
    """

    number: int
    """The place among the decoded pictures, from 0."""
    time: float
    """Seconds from the start of the source; always greater than before."""
    stated_time: Optional[float]
    """Seconds, as the source says."""
    age: float
    """Seconds from the picture's arrival to the start of the detection."""
    latency: float
    """Seconds from the picture's arrival to its result."""
    is_time_estimated: bool
    is_late: bool
    """Whether the result came after the deadline."""
    is_damaged: bool
    """Whether the decoder filled in damaged parts."""
    decoded: int
    taken: int
    dropped: int
    """Pictures that newer ones replaced."""
    late: int
    damaged: int
    lost: int
    """Coded pictures that no picture could be made of."""
    passed_errors: int
    reconnects: int


class VideoResults(Results):
    """What was found in one picture of a video: ``Results`` with ``frame`` and ``tracks``.

    The decoded picture is kept as long as the results are.
    """

    def __init__(self, handle: ctypes.c_void_p, source: str, found: dict[str, Any]) -> None:
        self._handle: Optional[ctypes.c_void_p] = handle
        super().__init__(
            **found, source=source, path=source, source_format=None, stated_orientation=0)
        self.frame = _frame(library.fovea_result_frame(handle).contents)
        self.tracks = [
            _track(library.fovea_result_track(handle, index).contents)
            for index in range(library.fovea_result_track_count(handle))
        ]
        """The objects that keep their identifiers, in the order of these."""

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            library.fovea_result_free(self._handle)

    def __getstate__(self) -> dict[str, Any]:
        """All but the picture, which stays in this process."""
        return {**self.__dict__, "_handle": None}

    @property
    def picture(self) -> Picture:
        """A copy of the upright picture."""
        return self._picture()

    def _picture(self) -> Picture:
        if self._handle is None:
            raise ClosedError(
                f"{self.path}: the picture stayed in the process that watches; draw there")
        return Picture(make(library.fovea_result_copy_picture, self._handle))

    def _marked(self) -> tuple[Sequence[Object], Optional[Sequence[int]]]:
        """The tracks, if there are any, else the objects."""
        if not self.tracks:
            return super()._marked()
        numbers = {name: number for number, name in self.names.items()}
        objects = [_as_object(one, one.label, numbers.get(one.label, 0)) for one in self.tracks]
        return objects, [one.id for one in self.tracks]

    def _stem(self) -> str:
        """The video's name, and the number of the picture."""
        return f"{super()._stem()}-{self.frame.number}"

    def plot(self, **options: Unpack[PlotOptions]) -> Picture:
        """The upright picture with its boxes: those of the tracks, with identifiers, if there are
        any, else those of the objects. Options are those of ``Results.plot``.

        Raises:
            Error: where the library that draws (cairo) is missing.
        """
        if not self.tracks:
            return super().plot(**options)
        boxes = [_as_object(one, f"{one.id} {one.label}", -1) for one in self.tracks]
        return self._picture().drawn(boxes, **options)

    def to_json_object(self) -> dict[str, Any]:
        """As for a picture, with ``frame`` and ``tracks``."""
        tracks = [{**one._asdict(), "box": one.box._asdict()} for one in self.tracks]
        return {**super().to_json_object(), "frame": self.frame._asdict(), "tracks": tracks}

    def to_supervision(self) -> Any:
        """``supervision.Detections`` of the tracks, with ``tracker_id``, if there are any, else of
        the objects.

        Raises:
            ImportError: where supervision is not installed.
        """
        if not self.tracks:
            return super().to_supervision()
        objects, identifiers = self._marked()
        numpy = _arrays.required_numpy("to_supervision")
        return supervision_detections(
            objects, tracker_id=numpy.array(identifiers, dtype=int))


class Video:
    """The results of a source, one after another. See ``Model.watch``."""

    def __init__(
        self, handle: ctypes.c_void_p, source: str,
        found: Callable[[ctypes.c_void_p], dict[str, Any]],
    ) -> None:
        self._handle: Optional[ctypes.c_void_p] = handle
        self._found = found
        self.source = source

    def __iter__(self) -> Iterator[VideoResults]:
        return self

    def __next__(self) -> VideoResults:
        if self._handle is None:
            raise StopIteration
        try:
            # Python looks at signals between calls: Ctrl-C need not wait for a picture.
            while not _is_ready(self._handle):
                pass
            result = make(library.fovea_video_next, self._handle)
        except ClosedError:
            # Another thread has closed it, unless it is that of a parent process.
            if self._handle is None:
                raise StopIteration from None
            raise
        if not result.value:
            self.close()
            raise StopIteration
        return VideoResults(result, self.source, self._found(result))

    def close(self) -> None:
        """Ends the source. A thread that waits for a picture of it gets no more."""
        handle, self._handle = self._handle, None
        if handle is not None:
            library.fovea_video_close(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __enter__(self) -> Video:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<fovea.Video {self.source}>"


def _is_ready(handle: Optional[ctypes.c_void_p]) -> bool:
    """Whether the next picture or the end is there; waits for it a while."""
    ready, message = ctypes.c_int32(), ctypes.c_void_p()
    check(
        library.fovea_video_wait(handle, 0.1, ctypes.byref(ready), ctypes.byref(message)), message)
    return bool(ready)


def _frame(frame: _abi.Frame) -> Frame:
    values = {name: getattr(frame, name) for name in Frame._fields[1:]}
    for name in ("is_time_estimated", "is_late", "is_damaged"):
        values[name] = bool(values[name])
    stated = values["stated_time"]
    values["stated_time"] = None if math.isnan(stated) else stated
    return Frame(frame.index, **values)


def _as_object(track: Track, label: str, class_id: int) -> Object:
    """A track as what draws and lists objects takes it."""
    box = track.box
    return Object(
        label, track.confidence, box, class_id, (box.xmin, box.ymin, box.width, box.height),
        (0, 0, 0, 0))


def _track(track: _abi.Track) -> Track:
    box = Box(track.x, track.y, track.x + track.width, track.y + track.height)
    return Track(
        track.identifier, text(track.label) or "", track.confidence, box,
        None if track.object < 0 else track.object)
