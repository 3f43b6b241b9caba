# Fovea - how a video is watched: the options, each declared once.
# SPDX-License-Identifier: Apache-2.0
"""How a video is watched: the options, each declared once."""

from __future__ import annotations

import ctypes
import math
from typing import Optional

from . import _abi
from ._detect_options import KnownOptions
from ._errors import ArgumentError
from ._library import library

_KEPT = {None: 0, "all": 1, "latest": 2}


class TrackOptions(KnownOptions, total=False):
    """How a video is watched, and what counts as an object."""

    camera_moves: bool
    """Whether the camera's motion is taken out of that of tracked objects."""
    keep: Optional[str]
    """"all" pictures, or the "latest"; ``None``: the latest of cameras and streams."""
    paced: bool
    """Whether a file comes at its own pace, as a camera does."""
    deadline: Optional[float]
    """The age in seconds at which a result is late."""
    reconnects: int
    """How often in a row a lost network source is opened again: 8 times without."""
    camera_size: Optional[tuple[int, int]]
    """Width and height that a camera is asked for."""
    camera_rate: Optional[float]
    """Pictures per second that a camera is asked for."""


class WatchOptions(TrackOptions, total=False):
    """As ``TrackOptions``, and whether there are tracks."""

    track: bool
    """Whether objects get identifiers that they keep."""


def video_options(given: WatchOptions) -> _abi.VideoOptions:
    """The options as the library reads them."""
    options = _abi.VideoOptions()
    library.fovea_video_options_init(ctypes.byref(options), ctypes.sizeof(options))
    keep, reconnects = given.get("keep"), given.get("reconnects", 8)
    if keep not in _KEPT:
        raise ArgumentError(f"keep is {keep!r}; expected \"all\", \"latest\" or None")
    options.keep = _KEPT[keep]
    options.paced = int(given.get("paced", False))
    options.track = int(given.get("track", False))
    options.camera_moves = int(given.get("camera_moves", False))
    if not isinstance(reconnects, int) or not 0 <= reconnects <= 1_000_000:
        raise ArgumentError(f"reconnects is {reconnects!r}; expected 0 to 1000000")
    options.maximum_reconnects = reconnects
    deadline, camera_size = given.get("deadline"), given.get("camera_size")
    options.deadline = math.nan if deadline is None else deadline
    if camera_size is not None:
        options.camera_width, options.camera_height = camera_size
    options.camera_rate = given.get("camera_rate") or 0.0
    return options
