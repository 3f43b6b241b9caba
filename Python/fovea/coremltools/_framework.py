# Fovea - what coremltools asks of Apple's framework.
# SPDX-License-Identifier: Apache-2.0
"""What coremltools asks of Apple's framework, answered by Fovea."""

from __future__ import annotations

from typing import Any, Optional

from .._arrays import required_numpy
from .._errors import Error
from .._open_model import Feature
from .._session import Session

# Types of arrays that the framework takes; coremltools makes float32 of float16 before.
_TAKEN = ("float32", "float64", "int32", "int8")
# Types of arrays that it gives; coremltools has none for float16.
_GIVEN = {"float64": "float64", "int32": "int32"}


class _MLModelProxy:
    """A model. Failures are ``RuntimeError``, as those of the framework are."""

    def __init__(
        self, path: str, compute_units: str = "ALL", function_name: str = "",
        optimization_hints: Optional[dict[str, str]] = None, asset: Any = None
    ) -> None:
        if asset is not None:
            raise RuntimeError(
                "model assets are read by Apple's framework only; open the model by its path")
        self._path = path
        try:
            self._session = Session(path, function=function_name or None)
        except Error as error:
            raise RuntimeError(str(error)) from error
        model = self._session.model
        self._inputs = {feature.name: feature for feature in model.inputs}

    def predict(self, features: dict[str, Any], state: Any = None) -> dict[str, Any]:
        """The outputs for a dictionary of inputs."""
        if state is not None:
            raise RuntimeError("models with a state are not run; use one without")
        feed = {
            name: _taken(name, value, self._inputs.get(name)) for name, value in features.items()}
        try:
            outputs = self._session.run_named(feed)
        except Error as error:
            raise RuntimeError(str(error)) from error
        return self._given(outputs)

    def batchPredict(self, features: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The outputs for each dictionary of inputs."""
        return [self.predict(one) for one in features]

    def newState(self) -> Any:
        """A state; Fovea has none."""
        raise RuntimeError("models with a state are not run; use one without")

    def get_compiled_model_path(self) -> str:
        """The path of the model: nothing is compiled on the way."""
        return self._path

    @staticmethod
    def maximum_supported_specification_version() -> int:
        """The newest version of Core ML's files: that of iOS 26."""
        return 10

    @staticmethod
    def auto_set_specification_version(specification: bytes) -> bytes:
        """The bytes of a specification, whose version stays as it is."""
        return specification

    @staticmethod
    def get_available_compute_devices() -> list[Any]:
        """The CPU."""
        return [_MLCPUComputeDeviceProxy()]

    get_all_compute_devices = get_available_compute_devices

    @staticmethod
    def compileModel(path: str) -> str:
        """Compiled folders are written by Apple's compiler only."""
        raise RuntimeError("models are compiled by Apple's compiler only; they run without")

    # Outputs

    def _given(self, outputs: dict[str, Any]) -> dict[str, Any]:
        model = self._session.model
        best, probabilities = model.predicted_label, model.predicted_probabilities
        kind = next((f.kind for f in model.outputs if f.name == best), "string")
        labels = [int(label) if kind == "int64" else label for label in model.labels]
        found: dict[str, Any] = {}
        for feature in model.outputs:
            if feature.name in outputs:
                found[feature.name] = _converted(outputs[feature.name], feature, labels)
        if best and best not in found and probabilities and probabilities in outputs:
            scores = outputs[probabilities].reshape(-1)
            found[best] = labels[int(scores.argmax())]
        return found


def _taken(name: str, value: Any, feature: Optional[Feature]) -> Any:
    """An input as Fovea takes it."""
    numpy = required_numpy("coremltools")
    if isinstance(value, numpy.ndarray):
        if value.dtype.name not in _TAKEN:
            raise RuntimeError(f"Unsupported array type: {value.dtype.name}")
        return value
    if hasattr(value, "mode") and hasattr(value, "tobytes"):
        return _pixels(name, value, feature, numpy)
    if isinstance(value, (bool, int, float)):
        return numpy.float64(value)
    if isinstance(value, (str, bytes)):
        raise RuntimeError(f"input '{name}' is a text; such inputs are not run")
    if isinstance(value, dict):
        raise RuntimeError(f"input '{name}' is a dictionary; such inputs are not run")
    raise RuntimeError(f"value type not convertible: input '{name}' is a {type(value).__name__}")


def _pixels(name: str, image: Any, feature: Optional[Feature], numpy: Any) -> Any:
    """The bytes of a Pillow image: height x width x 3, red first, or height x width."""
    if feature is not None and feature.kind != "image":
        raise RuntimeError(f"input '{name}' is no image; give an array")
    if image.mode == "F":
        return numpy.asarray(image, dtype=numpy.float32)
    if image.mode not in ("RGB", "L"):
        raise RuntimeError(f"input '{name}' has the mode {image.mode}; convert it to RGB or L")
    return numpy.asarray(image)


def _converted(values: Any, feature: Feature, labels: list[Any]) -> Any:
    """An output as the framework gives it."""
    if feature.kind == "double":
        return float(values.reshape(-1)[0])
    if feature.kind == "int64":
        return int(values.reshape(-1)[0])
    if feature.kind == "dictionary":
        return dict(zip(labels, (float(value) for value in values.reshape(-1))))
    if feature.kind == "image":
        return _image(values, feature)
    type = _GIVEN.get(feature.type or "", "float32")
    return values.round().astype(type) if type == "int32" else values.astype(type)


def _image(values: Any, feature: Feature) -> Any:
    """An image that a network has made, [channels, height, width], as a Pillow image.

    Colors are RGBA, as Core Video has them; gray is L, and half-precision gray F.
    """
    from PIL import Image

    numpy = required_numpy("coremltools")
    planes = values.reshape((-1,) + values.shape[-2:])
    if feature.color == "gray_float16":
        return Image.fromarray(planes[0])
    pixels = numpy.clip(numpy.rint(planes), 0, 255).astype(numpy.uint8)
    if feature.color == "gray":
        return Image.fromarray(pixels[0])
    order = (2, 1, 0) if feature.color == "bgr" else (0, 1, 2)
    opaque = numpy.full(pixels.shape[1:], 255, dtype=numpy.uint8)
    return Image.fromarray(numpy.stack([pixels[plane] for plane in order] + [opaque], axis=-1))


class _State:
    """A state of a model."""


class _MLModelAssetProxy:
    """A compiled model in memory."""


class _MLCPUComputeDeviceProxy:
    """The processor."""


class _MLGPUComputeDeviceProxy:
    """A GPU, of which Fovea uses none."""


class _MLNeuralEngineComputeDeviceProxy:
    """A neural engine, of which Fovea uses none."""


class _MLComputePlanProxy:
    """A plan of the framework."""


class _MLModelStructureProgramOperationProxy:
    """An operation in a plan of the framework."""


class _MLModelStructureNeuralNetworkLayerProxy:
    """A layer in a plan of the framework."""
