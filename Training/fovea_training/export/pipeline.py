"""Fovea - a network and its suppression as one Core ML pipeline, with what a reader should know about it.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from coremltools.proto import FeatureTypes_pb2, Model_pb2

from fovea_training.classes import CLASS_NAMES
from fovea_training.export.network_layers import RAW_CONFIDENCE, RAW_COORDINATES
from fovea_training.learning.detections import SOFT_SUPPRESSION, SUPPRESSION_OVERLAP, VOTING_OVERLAP
from fovea_training.learning.evaluation import WORKING_THRESHOLD

_DOUBLE = FeatureTypes_pb2.ArrayFeatureType.DOUBLE

#: First version of the format that has suppression; half-precision weights need 2.
_SPECIFICATION_VERSION = 3

_CONFIDENCE_NOTE = 'Boxes x class confidence (see the metadata "classes")'
_COORDINATES_NOTE = "Boxes x [x, y, width, height]: centre and size as shares of the picture, from the top left"


def _array(feature: Model_pb2.FeatureDescription, name: str, shape: list[int], note: str) -> None:
    feature.name, feature.shortDescription = name, note
    feature.type.multiArrayType.shape.extend(shape)
    feature.type.multiArrayType.dataType = _DOUBLE


def _rows(feature: Model_pb2.FeatureDescription, name: str, columns: int, note: str) -> None:
    """An array of any number of rows."""
    feature.name, feature.shortDescription = name, note
    feature.type.multiArrayType.dataType = _DOUBLE
    for lower, upper in ((0, -1), (columns, columns)):
        limits = feature.type.multiArrayType.shapeRange.sizeRanges.add()
        limits.lowerBound, limits.upperBound = lower, upper


def _threshold(feature: Model_pb2.FeatureDescription, name: str, default: float, optional: bool) -> None:
    feature.name = name
    feature.shortDescription = f"(optional) overrides the threshold in the model ({default:g})"
    feature.type.doubleType.SetInParent()
    # Optional in the interface of the whole only, as other writers of such pipelines have it.
    feature.type.isOptional = optional


def _outputs(description: Model_pb2.ModelDescription) -> None:
    _rows(description.output.add(), "confidence", len(CLASS_NAMES), _CONFIDENCE_NOTE)
    _rows(description.output.add(), "coordinates", 4, _COORDINATES_NOTE)


def _suppression(stage: Model_pb2.Model, rows: int) -> None:
    """Fills the stage that keeps the best boxes."""
    description = stage.description
    _array(description.input.add(), RAW_CONFIDENCE, [rows, len(CLASS_NAMES)], _CONFIDENCE_NOTE)
    _array(description.input.add(), RAW_COORDINATES, [rows, 4], _COORDINATES_NOTE)
    _threshold(description.input.add(), "iouThreshold", SUPPRESSION_OVERLAP, optional=False)
    _threshold(description.input.add(), "confidenceThreshold", WORKING_THRESHOLD, optional=False)
    _outputs(description)
    parameters = stage.nonMaximumSuppression
    parameters.pickTop.perClass = True
    parameters.stringClassLabels.vector.extend(CLASS_NAMES)
    parameters.iouThreshold, parameters.confidenceThreshold = SUPPRESSION_OVERLAP, WORKING_THRESHOLD
    parameters.confidenceInputFeatureName, parameters.coordinatesInputFeatureName = RAW_CONFIDENCE, RAW_COORDINATES
    parameters.iouThresholdInputFeatureName, parameters.confidenceThresholdInputFeatureName = "iouThreshold", "confidenceThreshold"
    parameters.confidenceOutputFeatureName, parameters.coordinatesOutputFeatureName = "confidence", "coordinates"


def pipeline(network: Model_pb2.Model, metadata: dict[str, str]) -> Model_pb2.Model:
    """Network and suppression as one model that takes a picture and gives the boxes that are left."""
    whole = Model_pb2.Model()
    whole.specificationVersion = _SPECIFICATION_VERSION
    first, second = whole.pipeline.models.add(), whole.pipeline.models.add()
    first.CopyFrom(network)
    first.specificationVersion = second.specificationVersion = _SPECIFICATION_VERSION
    _suppression(second, network.description.output[0].type.multiArrayType.shape[0])
    whole.description.input.add().CopyFrom(network.description.input[0])
    _threshold(whole.description.input.add(), "iouThreshold", SUPPRESSION_OVERLAP, optional=True)
    _threshold(whole.description.input.add(), "confidenceThreshold", WORKING_THRESHOLD, optional=True)
    _outputs(whole.description)
    _describe(whole, metadata)
    return whole


def _describe(whole: Model_pb2.Model, metadata: dict[str, str]) -> None:
    note = whole.description.metadata
    note.shortDescription = (
        "Finds QR codes, linear barcodes, Data Matrix symbols, lines of text and documents. The topology of YOLOv3-tiny, trained on drawn "
        "scenes alone."
    )
    note.author = "Fovea"
    note.license = "Apache-2.0"
    note.versionString = metadata.get("version", "1")
    standard = {
        "type": "object_detector",
        "classes": ",".join(CLASS_NAMES),
        "iou_threshold": f"{SUPPRESSION_OVERLAP:g}",
        "non_maximum_suppression_threshold": f"{SUPPRESSION_OVERLAP:g}",
        "box_voting_threshold": f"{VOTING_OVERLAP:g}",
        "soft_suppression": f"{SOFT_SUPPRESSION:g}",
        "confidence_threshold": f"{WORKING_THRESHOLD:g}",
    }
    for key, value in (standard | metadata).items():
        note.userDefined[key] = value


def in_half_precision(model: Model_pb2.Model) -> Model_pb2.Model:
    """The model with convolutions' weights and biases as 16-bit floats; grids and anchors stay as they are."""
    half = Model_pb2.Model()
    half.CopyFrom(model)
    for layer in half.pipeline.models[0].neuralNetwork.layers:
        if layer.WhichOneof("layer") == "convolution":
            for values in (layer.convolution.weights, layer.convolution.bias):
                packed = np.array(values.floatValue, np.float32).astype("<f2").tobytes()
                values.ClearField("floatValue")
                values.float16Value = packed
    return half


def write_model(model: Model_pb2.Model, path: Path) -> None:
    """Writes the same bytes for the same model: maps in order."""
    path.write_bytes(model.SerializeToString(deterministic=True))
