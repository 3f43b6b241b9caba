"""Fovea - the detector as layers of a Core ML neural network.

Arrays are [sequence, batch, channel, height, width]; names below give the last three.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import numpy as np
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder
from coremltools.proto import FeatureTypes_pb2, Model_pb2

from fovea_training.export.folding import Convolution, folded, plain
from fovea_training.learning.network import ANCHORS_PER_HEAD, LEAKY_SLOPE, STRIDES, TinyDetector

RAW_CONFIDENCE, RAW_COORDINATES = "raw_confidence", "raw_coordinates"


class NetworkWriter:
    """Adds the layers of a detector for inputs of `side` x `side` pixels to a builder."""

    def __init__(self, network: TinyDetector, side: int) -> None:
        self.network, self.side = network, side
        self.builder = NeuralNetworkBuilder(
            [("image", datatypes.Array(3, side, side))], [(RAW_CONFIDENCE, None), (RAW_COORDINATES, None)], mode=None
        )
        #: The blocks and heads whose convolutions were written, by the names of their layers.
        self.modules: dict[str, str] = {}

    def written(self) -> Model_pb2.Model:
        """The whole network: image to confidence `[N, classes]` and coordinates `[N, 4]`."""
        coarse, fine = self._body()
        confidence, coordinates = zip(*(self._head(index, name) for index, name in enumerate((coarse, fine))))
        rows = sum(ANCHORS_PER_HEAD * (self.side // stride) ** 2 for stride in STRIDES)
        for parts, output, columns in ((confidence, RAW_CONFIDENCE, self.network.classes), (coordinates, RAW_COORDINATES, 4)):
            self.builder.add_elementwise(f"{output}_rows", list(parts), f"{output}_rows", mode="CONCAT")
            self.builder.add_reshape(output, f"{output}_rows", output, (1, rows, columns), mode=0)
        self.builder.set_pre_processing_parameters(image_input_names=["image"], is_bgr=False, image_scale=1 / 255)
        description = self.builder.spec.description
        for feature, columns in zip(description.output, (self.network.classes, 4)):
            del feature.type.multiArrayType.shape[:]
            feature.type.multiArrayType.shape.extend([rows, columns])
            feature.type.multiArrayType.dataType = FeatureTypes_pb2.ArrayFeatureType.DOUBLE
        description.input[0].shortDescription = "Picture in which objects are looked for"
        return self.builder.spec

    def _body(self) -> tuple[str, str]:
        """Everything before the decoding; names of the two heads."""
        network, x = self.network, "image"
        for index in range(len(network.stem)):
            x = self._block(f"stem.{index}", self._pool(x, 2) if index else x)
        fine_features = x
        x = self._pool(self._block("deep.0", self._pool(x, 2)), 1)
        x = self._block("deep.2", self._block("deep.1", x))
        coarse = self._convolution("coarse_head", plain(network.coarse_head), self._block("coarse", x))
        lateral = self._block("lateral", x)
        self.builder.add_upsample("upsample", 2, 2, lateral, "upsampled", mode="NN")
        self.builder.add_elementwise("join", ["upsampled", fine_features], "joined", mode="CONCAT")
        return coarse, self._convolution("fine_head", plain(network.fine_head), self._block("fine", "joined"))

    def _convolution(self, name: str, convolution: Convolution, source: str) -> str:
        outputs, inputs, side, _ = convolution.weights.shape
        layer = f"convolution{len(self.modules)}"
        self.modules[layer] = name
        self.builder.add_convolution(
            layer, kernel_channels=inputs, output_channels=outputs, height=side, width=side, stride_height=1, stride_width=1,
            border_mode="same" if side > 1 else "valid", groups=1, W=convolution.weights.transpose(2, 3, 1, 0), b=convolution.bias,
            has_bias=True, input_name=source, output_name=f"{layer}_sum",
        )  # fmt: skip
        return f"{layer}_sum"

    def _block(self, name: str, source: str) -> str:
        result = self._convolution(name, folded(self.network.get_submodule(name)), source)
        layer = result.removesuffix("_sum")
        self.builder.add_activation(f"{layer}_leaky", "LEAKYRELU", result, f"{layer}_out", params=[LEAKY_SLOPE])
        return f"{layer}_out"

    def _pool(self, source: str, stride: int) -> str:
        # At stride 1 the odd pixel of "same" goes to the bottom and right, as in training.
        kind = "VALID" if stride == 2 else "SAME"
        self.builder.add_pooling(f"{source}_pool", 2, 2, stride, stride, "MAX", kind, source, f"{source}_pooled")
        return f"{source}_pooled"

    def _head(self, index: int, source: str) -> tuple[str, str]:
        """Decodes a head into rows (anchor, row, column): names of `[rows, 1, classes]` and `[rows, 1, 4]`."""
        builder, classes = self.builder, self.network.classes
        cells = self.side // STRIDES[index]
        prefix, count, area = f"head{index}_", ANCHORS_PER_HEAD, cells * cells
        row, column = np.mgrid[0:cells, 0:cells].astype(np.float32)
        # (2 sigmoid - 0.5 + cell) / cells is (sigmoid + cell / 2 - 0.25) * 2 / cells.
        grid = (np.stack([column.ravel(), row.ravel()]) / 2 - 0.25)[:, None].repeat(count, axis=1)
        anchors = self.network.anchors_at(self.side)[index].numpy().T[:, :, None].repeat(area, axis=2)

        def part(name: str, first: int, last: int) -> str:
            builder.add_slice(prefix + name, prefix + "values", prefix + name, "channel", first, last)
            return prefix + name

        builder.add_reshape(prefix + "planes", source, prefix + "planes", (count, classes + 5, area), mode=0)
        builder.add_permute(prefix + "values", (0, 2, 1, 3), prefix + "planes", prefix + "values")
        builder.add_activation(prefix + "offset", "SIGMOID", part("centre", 0, 2), prefix + "offset")
        builder.add_load_constant(prefix + "grid", prefix + "grid", grid, [2, count, area])
        builder.add_elementwise(prefix + "cell", [prefix + "offset", prefix + "grid"], prefix + "cell", mode="ADD")
        builder.add_elementwise(prefix + "xy", prefix + "cell", prefix + "xy", mode="MULTIPLY", alpha=2 / cells)
        builder.add_unary(prefix + "growth", part("size", 2, 4), prefix + "growth", "exp")
        builder.add_load_constant(prefix + "anchors", prefix + "anchors", np.ascontiguousarray(anchors), [2, count, area])
        builder.add_elementwise(prefix + "extent", [prefix + "growth", prefix + "anchors"], prefix + "extent", mode="MULTIPLY")
        builder.add_elementwise(prefix + "box", [prefix + "xy", prefix + "extent"], prefix + "box", mode="CONCAT")
        builder.add_activation(prefix + "objectness", "SIGMOID", part("object", 4, 5), prefix + "objectness")
        builder.add_activation(prefix + "classes", "SIGMOID", part("class", 5, classes + 5), prefix + "classes")
        builder.add_elementwise(prefix + "tiled", [prefix + "objectness"] * classes, prefix + "tiled", mode="CONCAT")
        builder.add_elementwise(prefix + "score", [prefix + "classes", prefix + "tiled"], prefix + "score", mode="MULTIPLY")
        names = []
        for name, columns in (("score", classes), ("box", 4)):
            builder.add_permute(f"{prefix}{name}_last", (0, 2, 3, 1), prefix + name, f"{prefix}{name}_last")
            builder.add_reshape(f"{prefix}{name}_rows", f"{prefix}{name}_last", f"{prefix}{name}_rows", (count * area, 1, columns), mode=0)
            names.append(f"{prefix}{name}_rows")
        return names[0], names[1]
