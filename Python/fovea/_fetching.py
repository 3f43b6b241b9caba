# Fovea - pictures from the web.
# SPDX-License-Identifier: Apache-2.0
"""Pictures from the web, within a limit of bytes and of time."""

from __future__ import annotations

import time
from typing import Any

from ._errors import ArgumentError, FileError, MissingFileError
from ._library import __version__

MAXIMUM_BYTES = 64 << 20
MAXIMUM_SECONDS = 30.0
_BLOCK = 1 << 16


def is_address(text: str) -> bool:
    """Whether a text is an address of the web."""
    return text[:8].lower().startswith(("http://", "https://"))


def fetched(
    address: str, maximum_bytes: int = MAXIMUM_BYTES, maximum_seconds: float = MAXIMUM_SECONDS
) -> bytes:
    """What lies at an address.

    Raises:
        MissingFileError: where the server has nothing there.
        FileError: for all other failures, too many bytes, and too much time.
        ArgumentError: for what is no address, and for a stream.
    """
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    deadline = time.monotonic() + maximum_seconds
    try:
        request = Request(address, headers={"User-Agent": f"fovea/{__version__}"})
        with urlopen(request, timeout=maximum_seconds) as answer:  # noqa: S310
            return _content(answer, address, maximum_bytes, deadline)
    except HTTPError as error:
        kind = MissingFileError if error.code in (404, 410) else FileError
        raise kind(f"{address}: the server answers {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise _slow(address) from error
    except (OSError, HTTPException) as error:
        if isinstance(error, FileError):
            raise
        if isinstance(getattr(error, "reason", None), TimeoutError):
            raise _slow(address) from error
        reason = getattr(error, "reason", error)
        raise FileError(f"{address}: cannot be fetched: {reason}") from error
    except ValueError as error:
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"{address}: is no address: {error}") from error


def _content(answer: Any, address: str, maximum_bytes: int, deadline: float) -> bytes:
    kind = answer.headers.get_content_type()
    if kind.startswith(("video/", "multipart/")):
        raise ArgumentError(f"{address}: is a video ({kind}); give it to model.watch()")
    blocks: list[bytes] = []
    count = 0
    # read1 gives what is there, so a server that drips cannot hold the clock up.
    while block := answer.read1(_BLOCK):
        blocks.append(block)
        count += len(block)
        if count > maximum_bytes:
            raise FileError(f"{address}: has more than {maximum_bytes >> 20} MiB; fetch it yourself")
        if time.monotonic() > deadline:
            raise _slow(address)
    stated = answer.headers.get("Content-Length")
    if stated is not None and stated.isdigit() and int(stated) != count:
        raise FileError(f"{address}: ended after {count} of {stated} bytes")
    return b"".join(blocks)


def _slow(address: str) -> FileError:
    return FileError(f"{address}: took too long; fetch it yourself, or try again")
