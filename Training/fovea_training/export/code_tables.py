"""Fovea - weights as the quantiser writes them: a table of values and the code of each weight.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch
from coremltools.proto import Model_pb2

from fovea_training.classes import REFERENCE_SIDE
from fovea_training.export.network_layers import NetworkWriter
from fovea_training.export.pipeline import pipeline, write_model
from fovea_training.learning.checkpoint import CodedWeights
from fovea_training.learning.network import TinyDetector


def _tables_of(model: Model_pb2.Model) -> dict[str, CodedWeights]:
    """The 8-bit tables of a model's convolutions, by the names of layers; those that were kept as they are have none."""
    tables = {}
    for layer in model.pipeline.models[0].neuralNetwork.layers:
        weights = layer.convolution.weights
        if layer.WhichOneof("layer") == "convolution" and weights.HasField("quantization"):
            assert weights.quantization.numberOfBits == 8, f"{layer.name}: codes of {weights.quantization.numberOfBits} bits"
            shape = (layer.convolution.outputChannels, layer.convolution.kernelChannels, *layer.convolution.kernelSize)
            codes = np.frombuffer(weights.rawValue, np.uint8).reshape(shape)
            table = np.array(weights.quantization.lookupTableQuantization.floatValue, np.float32)
            tables[layer.name] = CodedWeights(torch.from_numpy(table), torch.from_numpy(codes.copy()))
    return tables


def code_tables(network: TinyDetector, command: str) -> dict[str, CodedWeights]:
    """What `command` (`fovea`) makes of the convolutions, normalisation inside, by the names of the modules that hold them."""
    writer = NetworkWriter(network, REFERENCE_SIDE)
    with tempfile.TemporaryDirectory() as folder:
        whole, quantised = Path(folder, "whole.mlmodel"), Path(folder, "quantised.mlmodel")
        write_model(pipeline(writer.written(), {}), whole)
        subprocess.run([command, "quantize", str(whole), "--bits", "8", "-o", str(quantised)], check=True, stdout=subprocess.DEVNULL)
        model = Model_pb2.Model()
        model.ParseFromString(quantised.read_bytes())
    return {writer.modules[layer]: weights for layer, weights in _tables_of(model).items()}
