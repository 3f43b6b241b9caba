# Fovea - how a model is opened: the options, each declared once.
# SPDX-License-Identifier: Apache-2.0
"""How a model is opened: the options, each declared once."""

from __future__ import annotations

import ctypes
import math
from typing import Optional, Sequence, TypedDict, Union

from . import _abi
from ._checks import check_number, choice
from ._errors import ArgumentError
from ._library import encoded, library

BACKENDS = {"auto": 0, "reference": 1, "blas": 2, "float": 3, "int8": 4}
_TEXTS = ("function", "head", "boxes", "scores", "task", "name")


class ModelOptions(TypedDict, total=False):
    """How a model is opened."""

    backend: str
    """"auto", "reference", "blas", "float" or "int8"."""
    threads: int
    """That share the work of a call; 0 for all that the process may use."""
    size: Optional[tuple[int, int]]
    """Width and height of the input, where the model allows several."""
    function: Optional[str]
    """The function of an ML Program that has several."""
    head: Optional[str]
    """How outputs are read, as ``--head`` of the command."""
    boxes: Optional[str]
    """What coordinates of a detector's boxes count: "pixels" or "fractions"."""
    scores: Optional[str]
    """What its scores are: "probabilities", "logits" or "softmax"."""
    task: Optional[str]
    """What it finds: "detect", "segment", "pose" or "obb"."""
    last_stage: Optional[int]
    """The last stage of a pipeline to run, from 0."""
    coded_weights: bool
    """Whether "float" keeps coded weights as codes: less memory, same results."""
    decodes_head: bool
    """Whether a detector's outputs become boxes and scores, which they do without."""
    name: Optional[str]
    """What messages call bytes."""
    scale: Union[float, Sequence[float], None]
    """For a model that reads an array: what pixels, 0 to 255, are multiplied by; one number, or
    three for red, green and blue. ``None``, also below: as the file or its kind says."""
    bias: Union[float, Sequence[float], None]
    """What is added then."""
    color: Optional[str]
    """The order of the array's channels: "rgb", "bgr" or "gray"."""


def model_options(given: ModelOptions) -> _abi.ModelOptions:
    """The options as the library reads them."""
    threads, last_stage = given.get("threads", 0), given.get("last_stage")
    check_number(threads, 0, (1 << 31) - 1, "threads")
    check_number(0 if last_stage is None else last_stage, 0, 1 << 30, "last_stage")
    options = _abi.ModelOptions()
    library.fovea_model_options_init(ctypes.byref(options), ctypes.sizeof(options))
    options.backend = choice(given.get("backend", "auto"), BACKENDS, "backend")
    options.threads = threads
    options.last_stage = -1 if last_stage is None else last_stage
    options.outputs = 0 if given.get("decodes_head", True) else 1
    options.coded_weights = int(given.get("coded_weights", False))
    _choose_pixels(options, given)
    size = given.get("size")
    if size is not None:
        if len(size) != 2:
            raise ArgumentError(f"size is {size}; expected width and height")
        for side in size:
            check_number(side, 1, 1 << 30, "a side of size")
        options.width, options.height = size
    for name in _TEXTS:
        value = given.get(name)
        setattr(options, name, None if value is None else encoded(str(value), name))
    return options


def _choose_pixels(options: _abi.ModelOptions, given: ModelOptions) -> None:
    """What pixels become in an array."""
    scale, bias, color = given.get("scale"), given.get("bias"), given.get("color")
    if scale is not None:
        options.scale[:] = _colors(scale, "scale")
        if 0 in options.scale[:]:
            raise ArgumentError(f"scale is {scale}; no number may be 0")
    if bias is not None:
        if scale is None:
            raise ArgumentError("bias needs scale: elements are pixels * scale + bias")
        options.bias[:] = _colors(bias, "bias")
    if color is not None:
        options.color = choice(color, {"rgb": 1, "bgr": 2, "gray": 3}, "color")


def _colors(value: Union[float, Sequence[float]], name: str) -> list[float]:
    """Three numbers for red, green and blue."""
    numbers = [float(value)] * 3 if isinstance(value, (int, float)) else [float(n) for n in value]
    if len(numbers) != 3 or not all(math.isfinite(number) for number in numbers):
        raise ArgumentError(
            f"{name} is {value}; expected one number, or three for red, green and blue")
    return numbers
