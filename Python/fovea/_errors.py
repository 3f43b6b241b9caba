# Fovea - why something could not be done.
# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Their messages are the lines that the command ``fovea`` prints."""

from __future__ import annotations


class Error(Exception):
    """Something could not be done. The message names the place, the cause and the remedy."""


class ArgumentError(Error, ValueError):
    """A value outside its range, an unknown name, or an array of the wrong type or shape."""


class OptionError(ArgumentError, TypeError):
    """A word that is no option, or two words for one option."""


class ClosedError(Error, ValueError):
    """A model that was closed."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file, a folder or an address where nothing is."""


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


class CommandError(Error):
    """What a function that runs the program could not do."""


# Programs know them by this name, and so do tracebacks.
for _class in list(globals().values()):
    if isinstance(_class, type) and issubclass(_class, Error):
        _class.__module__ = "fovea"


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

# How the library and the program say it.
_MISSING = (": there is no such file", ": there is no such folder")


def failure(kind: type[Error], message: str) -> Error:
    """The exception with a message of the library or of the program."""
    missing = any(words in message for words in _MISSING) and issubclass(MissingFileError, kind)
    return (MissingFileError if missing else kind)(message)
