# Fovea - the shared library, and calling it.
# SPDX-License-Identifier: Apache-2.0
"""The shared library that lies beside this file, and calling it."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from . import _abi
from ._errors import CLASSES, ArgumentError, Error, failure

FILE_PATH = os.environ.get("FOVEA_LIBRARY") or os.path.join(
    os.path.dirname(__file__), "libfovea.so.0")
"""Of the library."""

PROGRAM = os.path.join(os.path.dirname(FILE_PATH), "fovea")
"""The program ``fovea`` of the same build, beside it."""


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(FILE_PATH)
    except OSError as error:
        raise ImportError(
            f"{FILE_PATH}: the library of Fovea cannot be loaded: {error}; install a wheel that fits "
            "this machine (Linux on x86-64 with glibc 2.34 or newer)"
        ) from error
    _abi.declare(library)
    return library


library = _load()


def text(value: bytes | None) -> str | None:
    """A text of the library."""
    return None if value is None else value.decode("utf-8", "replace")


def encoded(value: str, what: str) -> bytes:
    """A text for the library, which takes no zero bytes.

    Bytes of a file name that are no UTF-8 come through as they are, and are refused there.
    """
    if "\0" in value:
        raise ArgumentError(f"{what} has a zero byte; leave it out")
    return value.encode("utf-8", "surrogateescape")


def check(status: int, message: ctypes.c_void_p) -> None:
    """Raises the exception for a status that is not 0, and frees the message."""
    if status == 0:
        return
    words = None
    if message.value:
        words = text(ctypes.string_at(message.value))
        library.fovea_free(message)
    if words is None:
        words = text(library.fovea_status_name(status)) or f"status {status}"
    raise failure(CLASSES.get(status, Error), words)


def make(function: Any, *arguments: Any) -> ctypes.c_void_p:
    """Calls a function that gives a handle; the GIL is free meanwhile."""
    handle, message = ctypes.c_void_p(), ctypes.c_void_p()
    check(function(*arguments, ctypes.byref(handle), ctypes.byref(message)), message)
    return handle


__version__ = text(library.fovea_version_string()) or ""
