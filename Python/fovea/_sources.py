# Fovea - what a picture, several pictures or a video may be.
# SPDX-License-Identifier: Apache-2.0
"""What a picture, several pictures or a video may be."""

from __future__ import annotations

import os
import re
from typing import Any, Iterator, NamedTuple, Optional

from ._errors import ArgumentError, MissingFileError
from ._fetching import fetched, is_address

PICTURE_ENDINGS = (
    ".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp", ".gif",
)
"""Of the files that are taken from folders, as by the program."""
_VIDEO_ENDINGS = (
    ".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".m2ts", ".mts",
    ".wmv", ".flv", ".ogv", ".3gp", ".mjpeg", ".mjpg", ".m3u8", ".h264", ".hevc", ".y4m",
)
_STREAM = re.compile(r"(rtsps?|rtmps?|udp|rtp|srt|tcp)://|camera:", re.IGNORECASE)
_NUMBERED = re.compile(r"%0?\d*d")


class Opened(NamedTuple):
    """A picture that the library can look at, and the path or address that it came from."""

    picture: Any
    path: Optional[str]


def opened(source: Any) -> Opened:
    """One picture: addresses are fetched, and open files are read.

    Raises:
        ArgumentError, FileError
    """
    if isinstance(source, (str, os.PathLike)):
        path = os.fsdecode(source)
        return Opened(fetched(path) if is_address(path) else source, path)
    if is_open_file(source):
        name = getattr(source, "name", None)
        return Opened(_read(source), name if isinstance(name, str) else None)
    return Opened(source, None)


def is_open_file(source: Any) -> bool:
    """Whether a source is read like a file, and is no buffer, such as mmap."""
    if not callable(getattr(source, "read", None)):
        return False
    try:
        memoryview(source).release()
    except TypeError:
        return True
    return False


def _read(file: Any) -> bytes:
    content = file.read()
    if isinstance(content, str):
        raise ArgumentError("the file was opened as text; open it with the mode \"rb\"")
    return bytes(content)


def is_video(source: Any) -> bool:
    """Whether a source is a video, a camera or a stream, by its name."""
    if isinstance(source, int):
        return not isinstance(source, bool)
    if not isinstance(source, (str, os.PathLike)):
        return False
    path = os.fsdecode(source)
    name = path.split("?")[0].split("#")[0] if "://" in path else path
    if _STREAM.match(path) or name.lower().endswith(_VIDEO_ENDINGS):
        return not os.path.isdir(path)
    return bool(_NUMBERED.search(path)) and not is_address(path) and not os.path.exists(path)


def is_several(source: Any) -> bool:
    """Whether a source is several pictures: a list, a folder, a pattern, or what is iterated."""
    if isinstance(source, (list, tuple)):
        return True
    if isinstance(source, (str, os.PathLike)):
        path = os.fsdecode(source)
        return not is_address(path) and (os.path.isdir(path) or _is_pattern(path))
    return _is_iterable(source)


def is_lazy(source: Any) -> bool:
    """Whether several pictures come one after the other, perhaps without an end."""
    return not isinstance(source, (list, tuple, str, os.PathLike))


def _is_pattern(path: str) -> bool:
    return any(letter in path for letter in "*?[") and not os.path.exists(path)


def _is_iterable(source: Any) -> bool:
    if isinstance(source, (bytes, bytearray, memoryview, dict, set, frozenset, type)):
        return False
    if not hasattr(source, "__iter__") or hasattr(source, "read") or hasattr(source, "getexif"):
        return False
    # Arrays are pictures.
    return not any(
        hasattr(source, name) for name in ("__array_interface__", "__dlpack__")
    ) and not _has_buffer(source)


def _has_buffer(source: Any) -> bool:
    try:
        memoryview(source).release()
    except (TypeError, ValueError, BufferError):
        return False
    return True


def pictures(source: Any) -> Iterator[Any]:
    """The pictures of a source, one after the other; lists and folders in it are gone through.

    Raises:
        ArgumentError: for a video among pictures.
        MissingFileError: for a folder without pictures, and a pattern that nothing fits.
    """
    if not is_several(source):
        if isinstance(source, (str, os.PathLike)) and is_video(source):
            raise ArgumentError(
                f"{os.fsdecode(source)}: is a video; give it alone, or to model.watch()")
        yield source
    elif isinstance(source, (str, os.PathLike)):
        yield from _files(os.fsdecode(source))
    else:
        for one in source:
            yield from pictures(one)


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        found = [
            os.path.join(path, name) for name in sorted(os.listdir(path), key=_natural_order)
            if name.lower().endswith(PICTURE_ENDINGS)
        ]
        if not found:
            raise MissingFileError(
                f"{path}: holds no images ({', '.join(PICTURE_ENDINGS)})")
        return found
    from glob import glob

    found = sorted(filter(os.path.isfile, glob(path, recursive=True)), key=_natural_order)
    if not found:
        raise MissingFileError(f"{path}: there is no such file, and none that fits the pattern")
    return found


def _natural_order(name: str) -> list[Any]:
    """What sorts names so that 9 comes before 10."""
    parts = re.split("([0-9]+)", name)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]
