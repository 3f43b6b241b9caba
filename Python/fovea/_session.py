# Fovea - running a network on arrays.
# SPDX-License-Identifier: Apache-2.0
"""Running a network on arrays, by the names that ONNX Runtime uses."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union, cast

from . import _abi, _arrays, _pixels
from ._errors import ArgumentError
from ._library import encoded, library, make, text
from ._model_options import ModelOptions
from ._open_model import Feature, OpenModel, Path
from ._option_names import checked

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._arrays import Float32Array


class NodeArg(NamedTuple):
    """An input or an output of a session."""

    name: str
    shape: list[Optional[int]]
    """Sizes; ``None`` where they are known after a run only."""
    type: str
    """"tensor(float)" or "tensor(uint8)"."""


class Session:
    """A network that runs on arrays.

        session = fovea.Session("network.mlmodel")
        outputs = session.run(None, {"image": pixels})

    An image input takes uint8 of the shape [height, width, 3], red first, or [height, width]. Other
    inputs take numbers of every type. Outputs are arrays of float32. Any thread may call a session at
    any time.

    Args:
        model: A path, or the bytes of a .mlmodel or .fovea file.
        **options: Those that ``fovea.ModelOptions`` lists: ``backend``, ``threads``, ``size``, ...

    Raises:
        FileError, ModelError, ArgumentError
    """

    def __init__(
        self, model: Union[Path, bytes], **options: Unpack[ModelOptions]
    ) -> None:
        given = checked("Session", options, ModelOptions)
        given.setdefault("decodes_head", False)
        self._model = OpenModel(model, **cast(ModelOptions, given))

    @property
    def model(self) -> OpenModel:
        """What the file says about itself."""
        return self._model

    def get_inputs(self) -> list[NodeArg]:
        """The inputs, in the order of the file."""
        return [_node(feature) for feature in self._model.inputs if feature.run_type]

    def get_outputs(self) -> list[NodeArg]:
        """The outputs, in the order of the file."""
        return [_node(feature) for feature in self._model.outputs if feature.run_type]

    def run(
        self, output_names: Optional[Sequence[str]], input_feed: Mapping[str, Any]
    ) -> list[Any]:
        """The outputs of one run as arrays of NumPy.

        Args:
            output_names: Those to return, in this order; ``None`` for all.
            input_feed: An array, a number, or a nested list for each input.

        Raises:
            ArgumentError: for unknown or missing names, and wrong types or shapes.
            OutputError, ResourceError
        """
        outputs = self.run_named(input_feed)
        if output_names is None:
            return list(outputs.values())
        for name in output_names:
            if name not in outputs:
                raise ArgumentError(
                    f"there is no output '{name}'; the outputs are: {', '.join(outputs)}")
        return [outputs[name] for name in output_names]

    def run_named(self, input_feed: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs of one run by their names."""
        numpy = _arrays.required_numpy("Session.run")
        arrays = (_abi.Array * max(len(input_feed), 1))()
        owners = [
            _fill(target, name, value, numpy)
            for target, (name, value) in zip(arrays, input_feed.items())
        ]
        handle = make(library.fovea_model_run, self._model._handle, arrays, len(input_feed))
        del owners
        try:
            return dict(
                taken(library.fovea_result_array(handle, index).contents, numpy)
                for index in range(library.fovea_result_array_count(handle))
            )
        finally:
            library.fovea_result_free(handle)

    def close(self) -> None:
        """Frees the network."""
        self._model.close()


def _node(feature: Feature) -> NodeArg:
    shape = [None if size < 0 else size for size in feature.shape or []]
    type = "tensor(uint8)" if feature.run_type == "uint8" else "tensor(float)"
    return NodeArg(feature.name, shape, type)


def _fill(target: _abi.Array, name: str, value: Any, numpy: Any) -> Any:
    """Describes an array to the library; returns what keeps its memory alive."""
    if not isinstance(name, str):
        raise ArgumentError(f"the name of an input is {name!r}; expected a text")
    view = None if isinstance(value, (bytes, bytearray)) else _pixels.memory(value)
    if view is None:
        try:
            converted = numpy.asarray(value)
        except Exception as error:
            raise ArgumentError(f"input '{name}' is no array: {error}") from error
        if converted.dtype.kind not in "fiu":
            raise ArgumentError(
                f"input '{name}' is of the type {type(value).__name__}; give an array of numbers")
        view = _pixels.memory(converted)
        if view is None:
            raise ArgumentError(f"input '{name}' is no array")
    rank = len(view.shape)
    if rank > 32:
        raise ArgumentError(f"input '{name}' has {rank} dimensions; at most 32 are taken")
    before, after = view.span
    target.size = ctypes.sizeof(_abi.Array)
    target.name = encoded(name, "the name of an input")
    target.type, target.rank = _pixels.TYPES[view.type], rank
    target.shape = (ctypes.c_int64 * rank)(*view.shape)
    target.strides = (ctypes.c_int64 * rank)(*view.strides)
    target.data, target.byte_count = view.address - before, before + after
    target.offset = before
    return view


def taken(array: _abi.Array, numpy: Any) -> tuple[str, Any]:
    """The name of an output, and a copy of its numbers."""
    shape = tuple(int(array.shape[axis]) for axis in range(array.rank))
    values = numpy.empty(shape, dtype=numpy.float32)
    if array.byte_count:
        ctypes.memmove(values.ctypes.data, array.data, array.byte_count)
    return text(array.name) or "", values
