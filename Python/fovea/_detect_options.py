# Fovea - the options of a detection, each declared once.
# SPDX-License-Identifier: Apache-2.0
"""The options of ``Model.detect``, ``watch`` and ``classify``, each declared once."""

from __future__ import annotations

import ctypes
from typing import Any, Mapping, Optional, Sequence, TypedDict

from . import _abi
from ._checks import check_number, choice, fraction
from ._classes import Classes, names_of
from ._errors import ArgumentError
from ._library import encoded, library

CROPS = {
    "scaleToFill": 0, "scaleToFit": 1, "centerCrop": 2,
    "scaleToFitPlus90CCWRotation": 3, "scaleToFillPlus90CCWRotation": 4,
}
PADDINGS = {"centered": 0, "upperLeft": 1}
FILTERS = {"bilinear": 0, "area": 1}


class LookOptions(TypedDict, total=False):
    """How a picture is looked at."""

    crop_and_scale: str
    """"scaleToFill", which it is without, "scaleToFit", "centerCrop", "scaleToFitPlus90CCWRotation"
    or "scaleToFillPlus90CCWRotation". ``classify`` crops the center without."""
    padding: str
    """Where "scaleToFit" puts the picture: "centered" or "upperLeft"."""
    filter: str
    """"bilinear" or "area"."""
    region: Optional[tuple[float, float, float, float]]
    """x, y, width and height of the part to look at: fractions of the upright picture, from its
    upper left."""
    orientation: Optional[int]
    """How to turn the picture, 1...8; ``None`` for what its EXIF says."""
    decode_full: bool
    """Whether large JPEG files are decoded at their full size."""


class Numbers(TypedDict, total=False):
    """Numbers in 0...1; ``None`` for the model's own. The library knows them by these names."""

    confidence: Optional[float]
    """The least confidence."""
    iou: Optional[float]
    """The greatest overlap of two objects."""
    box_voting: Optional[float]
    """The least overlap of a box that votes."""
    soft_suppression: Optional[float]
    """The part of its overlap that a score loses."""


class DetectOptions(LookOptions, Numbers, total=False):
    """What counts as an object, and how a picture is looked at."""

    only: Optional[Classes]
    """Only objects of these classes: names, numbers, or both."""
    max_objects: Optional[int]
    """The best so many objects stay."""
    class_agnostic: Optional[bool]
    """Whether objects also displace those of other classes; ``None`` for the model's own."""
    multi_label: bool
    """Whether a box may stand for objects of several classes."""
    match_aspect: bool
    """Whether the allowed size of the input nearest to the picture's aspect is used."""


class KnownOptions(DetectOptions, total=False):
    """The options of a detection, and the names that they have elsewhere."""

    conf: Optional[float]
    """``confidence``"""
    classes: Optional[Classes]
    """``only``"""
    max_det: Optional[int]
    """``max_objects``"""
    agnostic_nms: Optional[bool]
    """``class_agnostic``"""


class CallOptions(KnownOptions, total=False):
    """The options of ``Model.__call__``."""

    format: Optional[str]
    """Of arrays, as for ``Model.detect``."""


def look_options(options: LookOptions) -> _abi.DetectOptions:
    """The options as the library reads them."""
    chosen = _abi.DetectOptions.from_buffer_copy(_DEFAULTS)
    if "crop_and_scale" in options:
        chosen.crop_and_scale = choice(options["crop_and_scale"], CROPS, "crop_and_scale")
    chosen.padding = choice(options.get("padding", "centered"), PADDINGS, "padding")
    chosen.filter = choice(options.get("filter", "bilinear"), FILTERS, "filter")
    region, orientation = options.get("region"), options.get("orientation")
    if region is not None:
        if len(region) != 4:
            raise ArgumentError(f"region is {region}; expected x, y, width and height")
        chosen.region_x, chosen.region_y = region[0], region[1]
        chosen.region_width, chosen.region_height = region[2], region[3]
    if orientation is not None:
        check_number(orientation, 1, 8, "orientation")
        chosen.orientation = orientation
    chosen.decode_full = int(options.get("decode_full", False))
    return chosen


def detect_options(options: DetectOptions, labels: Sequence[str]) -> _abi.DetectOptions:
    """The options as the library reads them, for a model that has these classes."""
    chosen = look_options(options)
    chosen.match_aspect = int(options.get("match_aspect", False))
    chosen.multi_label = int(options.get("multi_label", False))
    class_agnostic = options.get("class_agnostic")
    chosen.class_agnostic = -1 if class_agnostic is None else int(class_agnostic)
    max_objects, only = options.get("max_objects"), options.get("only")
    if max_objects is not None:
        check_number(max_objects, 1, 1 << 62, "max_objects")
        chosen.maximum_count = max_objects
    if only is not None:
        only = names_of(only, labels)
        names = (ctypes.c_char_p * len(only))(*[encoded(name, "a class") for name in only])
        chosen.labels, chosen.label_count = names, len(only)
    given: Mapping[str, Any] = options
    numbers = {name: fraction(given.get(name), name) for name in Numbers.__annotations__}
    settings = [
        _abi.Setting(name.encode(), number)
        for name, number in numbers.items() if number is not None
    ]
    if settings:
        chosen.settings = (_abi.Setting * len(settings))(*settings)
        chosen.setting_count = len(settings)
    return chosen


def _default_options() -> bytes:
    options = _abi.DetectOptions()
    library.fovea_detect_options_init(ctypes.byref(options), ctypes.sizeof(options))
    return bytes(options)


_DEFAULTS = _default_options()
