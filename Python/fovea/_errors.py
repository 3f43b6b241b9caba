# Fovea - why something could not be done.
# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Their messages are the lines that the command ``fovea`` prints."""

from __future__ import annotations


class Error(Exception):
    """Something could not be done. The message names the place, the cause and the remedy."""


class ArgumentError(Error, ValueError):
    """A value outside its range, an unknown name, or an array of the wrong type or shape."""


class ClosedError(Error, ValueError):
    """A model that was closed."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class ModelError(Error):
    """A file that is no model, is damaged, or asks for what this build cannot do."""


class UnsuitableModelError(ModelError):
    """A model that is no detector, or no classifier."""


class PictureError(Error, ValueError):
    """Bytes that are no picture, or a damaged or too large one."""


class VideoError(Error, ValueError):
    """A source that is no video, or breaks the rules of its format."""


class OutputError(Error, ArithmeticError):
    """A network put out what is no number."""


class ResourceError(Error, MemoryError):
    """Memory or threads are lacking."""


CLASSES: dict[int, type[Error]] = {
    1: ArgumentError,
    2: ClosedError,
    3: ModelError,
    10: FileError,
    11: ModelError,
    12: PictureError,
    13: UnsuitableModelError,
    14: VideoError,
    20: ArgumentError,
    21: ArgumentError,
    22: OutputError,
    30: ResourceError,
    31: ResourceError,
}
