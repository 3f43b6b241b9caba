# Fovea - an open model file, and what it says about itself.
# SPDX-License-Identifier: Apache-2.0
"""An open model file, and what it says about itself."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union, cast

from . import _pixels
from ._errors import ArgumentError, MissingFileError
from ._library import encoded, library, make, text
from ._model_options import ModelOptions, model_options
from ._option_names import checked

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

COLORS = {1: "rgb", 2: "bgr", 3: "gray", 4: "gray_float16"}
KINDS = {
    1: "image", 2: "array", 3: "double", 4: "int64", 5: "string", 6: "dictionary", 7: "sequence",
    8: "state",
}
TYPE_NAMES = {number: name for name, number in _pixels.TYPES.items()}

Path = Union[str, "os.PathLike[str]"]


class PictureInput(NamedTuple):
    """What an array of a model becomes when it is given pictures: pixels * scale + bias."""

    input: str
    """The name of the array."""
    color: str
    """The order of its channels: "rgb", "bgr" or "gray"."""
    scale: tuple[float, ...]
    """In the order of the channels."""
    bias: tuple[float, ...]
    reason: str
    """Why these numbers."""


class Head(NamedTuple):
    """How a detector's outputs are read that are no scores and boxes themselves."""

    name: str
    """As ``--head`` of the command."""
    because: Optional[str]
    """By what it was recognized; ``None`` for a compiled file."""
    left_out: Optional[str]
    """What the outputs hold that is not reported, such as "masks"."""


class Feature(NamedTuple):
    """An input or an output of a model."""

    name: str
    kind: str
    """"image", "array", "double", "int64", "string", "dictionary", "sequence" or "state"."""
    shape: Optional[list[int]]
    """The shape in use; -1 for sizes that are known after a run only."""
    type: Optional[str]
    """The type of an array's elements in the file, such as "float16"."""
    run_type: Optional[str]
    """What a run takes or gives: "uint8" for an image that is taken, else "float32"."""
    color: Optional[str]
    """Of an image in the file: "rgb", "bgr", "gray" or "gray_float16"."""
    is_optional: bool
    description: str


def _opened(name: str, chosen: Any) -> tuple[str, ctypes.c_void_p]:
    """The path and the handle of a model that a path names, or a name of the catalog."""
    function = library.fovea_model_open
    try:
        return name, make(function, encoded(name, "the path of a model"), chosen)
    except MissingFileError as missing:
        from ._model_names import fetched

        path = fetched(name, missing)
        return path, make(function, encoded(path, "the path of a model"), chosen)


class OpenModel:
    """An open model file, and what it says about itself."""

    def __init__(
        self, model: Union[Path, bytes, None] = None, **options: Unpack[ModelOptions]
    ) -> None:
        self._handle: Optional[ctypes.c_void_p] = None
        given = checked(type(self).__name__, options, ModelOptions)
        chosen = ctypes.byref(model_options(cast(ModelOptions, given)))
        self._reopening: Optional[tuple[Optional[str], dict[str, Any]]] = None
        if model is None:
            self.path = "CodesAndText"
            self._handle = make(library.fovea_model_open_codes_and_text, chosen)
            self._reopening = None, given
        elif isinstance(model, (str, os.PathLike)):
            self.path, self._handle = _opened(os.fsdecode(model), chosen)
            self._reopening = os.path.abspath(self.path), given
        elif isinstance(model, (bytes, bytearray, memoryview)):
            self.path = str(given.get("name") or "model")
            content = bytes(model)
            self._handle = make(
                library.fovea_model_open_bytes, content, len(content), chosen)
        else:
            raise ArgumentError(
                f"a model cannot be {_pixels.named(model)}; give a path, the bytes of a file, or "
                "None for the detector inside")
        self._describe()

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled model is its path and its options: another process opens it again."""
        if self._reopening is None:
            raise ArgumentError(
                f"{self.path} was opened from bytes, which are not kept; only a model that was "
                "opened by its path can be pickled")
        return _reopened, (type(self), *self._reopening)

    @property
    def names(self) -> dict[int, str]:
        """The name of each class, by its number."""
        return dict(enumerate(self.labels))

    @property
    def is_inside(self) -> bool:
        """Whether it is the detector inside, which ``fovea.Model()`` opens."""
        return self._reopening is not None and self._reopening[0] is None

    def _describe(self) -> None:
        handle = self._handle
        info = library.fovea_model_get_info(handle).contents
        self.name = text(info.name) or ""
        self.backend = text(info.backend) or ""
        """The arithmetic that was chosen: "reference", "blas", "float" or "int8"."""
        self.function = text(info.function)
        self.labels = [
            text(library.fovea_model_label(handle, index)) or ""
            for index in range(info.label_count)
        ]
        self.functions = [
            text(library.fovea_model_function(handle, index)) or ""
            for index in range(info.function_count)
        ]
        self.metadata = {
            text(library.fovea_model_metadata_key(handle, index)) or "":
                text(library.fovea_model_metadata_value(handle, index)) or ""
            for index in range(info.metadata_count)
        }
        self.short_description = text(info.short_description) or ""
        self.author = text(info.author) or ""
        self.license = text(info.license) or ""
        self.version = text(info.version) or ""
        self.detects = bool(info.detects)
        self.classifies = bool(info.classifies)
        self.predicted_label = text(info.predicted_label)
        self.predicted_probabilities = text(info.predicted_probabilities)
        self.input_size = (int(info.width), int(info.height)) if info.width else None
        self.confidence = float(info.confidence)
        """The least confidence of an object unless a call says otherwise."""
        self.iou = float(info.iou)
        """The greatest overlap of two objects unless a call says otherwise."""
        self.picture = self._picture(info)
        """What pixels become in a detector or classifier that reads an array, else ``None``."""
        head = text(info.head)
        self.head = head and Head(head, text(info.head_reason), text(info.left_out))
        """How a detector's outputs are read that are no scores and boxes, else ``None``."""
        self.session_bytes = int(info.session_bytes)
        """The memory of a run; runs at the same time need it once each."""
        self.threads = int(info.threads)
        self.inputs = [
            self._feature(library.fovea_model_input(handle, index))
            for index in range(info.input_count)
        ]
        self.outputs = [
            self._feature(library.fovea_model_output(handle, index))
            for index in range(info.output_count)
        ]

    @staticmethod
    def _picture(info: Any) -> Optional[PictureInput]:
        name = text(info.picture_input)
        if name is None:
            return None
        count = 1 if COLORS[info.color] == "gray" else 3
        return PictureInput(
            input=name, color=COLORS[info.color], scale=tuple(info.scale[:count]),
            bias=tuple(info.bias[:count]), reason=text(info.picture_reason) or "")

    @staticmethod
    def _feature(pointer: Any) -> Feature:
        feature = pointer.contents
        return Feature(
            name=text(feature.name) or "", kind=KINDS.get(feature.kind, "none"),
            shape=[int(feature.shape[axis]) for axis in range(feature.rank)]
            if feature.run_type else None,
            type=TYPE_NAMES.get(feature.type), run_type=TYPE_NAMES.get(feature.run_type),
            color=COLORS.get(feature.color), is_optional=bool(feature.is_optional),
            description=text(feature.short_description) or "")

    def close(self) -> None:
        """Frees the model. Calls that run at the moment end as usual; later ones raise
        ``ClosedError``."""
        if self._handle is not None:
            library.fovea_model_close(self._handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            library.fovea_model_close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<fovea.{type(self).__name__} {self.path} ({self.backend})>"


def _reopened(kind: type[OpenModel], path: Optional[str], options: ModelOptions) -> OpenModel:
    return kind(path, **options)
