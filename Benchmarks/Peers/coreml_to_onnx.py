# Fovea - the network of a Core ML detector as an ONNX graph, up to its raw heads.
# SPDX-License-Identifier: Apache-2.0
"""Write the convolutional part of a Core ML neural network as ONNX.

    coreml_to_onnx.py MODEL.mlmodel OUT.onnx

Weights are dequantized to float32 and batch norms folded into the convolutions, so that every
runtime starts from the same numbers. The layers that decode boxes (reshapes, sigmoids, grids) are
left out: the outputs are the last convolutions, as every runtime's own examples have it. A pool with
stride 1 is a MaxPool with pads [0, 0, 1, 1]: a Pad layer before it would keep NNCF from quantizing
the convolution that follows.
"""
import importlib.util
import sys
import types

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 13


def load_specification(path):
    """The Core ML message in a file."""
    # Only the generated messages are needed: the package's own start-up takes seconds and warns
    # about other libraries' versions.
    if "coremltools" not in sys.modules:
        package = types.ModuleType("coremltools")
        package.__path__ = list(
            importlib.util.find_spec("coremltools").submodule_search_locations)
        sys.modules["coremltools"] = package
    from coremltools.proto import Model_pb2
    model = Model_pb2.Model()
    with open(path, "rb") as file:
        model.ParseFromString(file.read())
    return model


def network_of(model):
    """The model of a pipeline, or the model itself, that is a neural network."""
    kind = model.WhichOneof("Type")
    if kind == "pipeline":
        return next(network_of(stage) for stage in model.pipeline.models
                    if stage.WhichOneof("Type") in ("neuralNetwork", "pipeline"))
    if kind != "neuralNetwork":
        raise SystemExit(f"the model is of type {kind}; expected a neural network")
    return model


def unpack_codes(raw, count, bits):
    """Unsigned codes of 1 to 8 bits, stored most significant bit first."""
    data = np.frombuffer(raw, np.uint8)
    if bits == 8:
        return data[:count].astype(np.int64)
    planes = np.unpackbits(data)[:count * bits].reshape(count, bits).astype(np.int64)
    return planes @ (1 << np.arange(bits - 1, -1, -1))


def dequantized(stored, shape):
    """The float32 array that a WeightParams message stands for."""
    if len(stored.floatValue):
        return np.array(stored.floatValue, np.float32).reshape(shape)
    if len(stored.float16Value):
        return np.frombuffer(stored.float16Value, "<f2").astype(np.float32).reshape(shape)
    how = stored.quantization
    codes = unpack_codes(stored.rawValue, int(np.prod(shape)), how.numberOfBits)
    if how.WhichOneof("QuantizationType") == "lookupTableQuantization":
        return np.array(how.lookupTableQuantization.floatValue, np.float32)[codes].reshape(shape)
    column = (-1,) + (1,) * (len(shape) - 1)
    scale = np.array(how.linearQuantization.scale, np.float32).reshape(column)
    bias = np.array(how.linearQuantization.bias or [0], np.float32).reshape(column)
    return (codes.reshape(shape).astype(np.float32) * scale + bias).astype(np.float32)


def same_padding(size, kernel, stride, mode):
    """Padding before and after an axis in Core ML's mode `same`."""
    total = max(0, (-(-size // stride) - 1) * stride + kernel - size)
    small = total // 2
    return (small, total - small) if mode == 0 else (total - small, small)


def paddings(parameters, size, kernel, stride):
    """ONNX pads [top, left, bottom, right] of a convolution or pool."""
    kind = parameters.WhichOneof(parameters.DESCRIPTOR.oneofs[0].name)
    if kind == "same":
        edges = [same_padding(*axis, parameters.same.asymmetryMode)
                 for axis in zip(size, kernel, stride)]
    elif kind == "valid":
        amounts = parameters.valid.paddingAmounts.borderAmounts
        edges = [(a.startEdgeSize, a.endEdgeSize) for a in amounts] or [(0, 0), (0, 0)]
    else:
        raise SystemExit(f"padding {kind} is not known here")
    return [edges[0][0], edges[1][0], edges[0][1], edges[1][1]]


def pair(values, default):
    return [int(v) for v in values] or [default, default]


class GraphWriter:
    """The ONNX graph as it grows: nodes, weights and the shape of every value."""

    def __init__(self, network):
        self.nodes, self.weights, self.shapes, self.macs = [], [], {}, 0
        self.layers = network.neuralNetwork.layers
        self.users = {}
        for layer in self.layers:
            for name in layer.input:
                self.users.setdefault(name, []).append(layer)

    def constant(self, name, array):
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, kind, inputs, output, shape, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        self.shapes[output] = shape

    def convolution(self, layer):
        p = layer.convolution
        kernel, stride = pair(p.kernelSize, 3), pair(p.stride, 1)
        dilation, groups = pair(p.dilationFactor, 1), max(1, p.nGroups)
        weights = dequantized(p.weights, (p.outputChannels, p.kernelChannels, *kernel))
        bias = (dequantized(p.bias, (p.outputChannels,)) if p.hasBias
                else np.zeros(p.outputChannels, np.float32))
        output = layer.output[0]
        users = self.users.get(output, [])
        if len(users) == 1 and users[0].WhichOneof("layer") == "batchnorm":
            weights, bias = self.fold(users[0].batchnorm, weights, bias)
            output = users[0].output[0]
        size = self.shapes[layer.input[0]][1:]
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
        pads = paddings(p, size, reach, stride)
        rows, columns = ((n + pads[i] + pads[i + 2] - reach[i]) // stride[i] + 1
                         for i, n in enumerate(size))
        self.macs += weights.size * rows * columns
        self.node("Conv", [layer.input[0], self.constant(output + ".w", weights),
                           self.constant(output + ".b", bias)], output,
                  [p.outputChannels, rows, columns], kernel_shape=kernel, strides=stride,
                  dilations=dilation, group=groups, pads=pads)

    @staticmethod
    def fold(p, weights, bias):
        """The weights and bias of a convolution that does the batch norm after it as well."""
        gamma, beta, mean, variance = (
            dequantized(getattr(p, field), (p.channels,)).astype(np.float64)
            for field in ("gamma", "beta", "mean", "variance"))
        scale = gamma / np.sqrt(variance + (p.epsilon or 1e-5))
        return ((weights * scale[:, None, None, None]).astype(np.float32),
                ((bias - mean) * scale + beta).astype(np.float32))

    def activation(self, layer):
        kind = layer.activation.WhichOneof("NonlinearityType")
        shape = self.shapes[layer.input[0]]
        if kind == "leakyReLU":
            self.node("LeakyRelu", layer.input, layer.output[0], shape,
                      alpha=layer.activation.leakyReLU.alpha)
        else:
            self.node("Relu", layer.input, layer.output[0], shape)

    def pooling(self, layer):
        p = layer.pooling
        if p.type != p.MAX or p.globalPooling:
            raise SystemExit(f"layer {layer.name}: only max pools are known here")
        kernel, stride = pair(p.kernelSize, 3), pair(p.stride, 1)
        channels, *size = self.shapes[layer.input[0]]
        pads = paddings(p, size, kernel, stride)
        shape = [channels] + [(n + pads[i] + pads[i + 2] - kernel[i]) // stride[i] + 1
                              for i, n in enumerate(size)]
        self.node("MaxPool", layer.input, layer.output[0], shape, kernel_shape=kernel,
                  strides=stride, pads=pads)

    def upsample(self, layer):
        factor = pair(layer.upsample.scalingFactor, 1)
        channels, rows, columns = self.shapes[layer.input[0]]
        scales = self.constant(layer.name + ".scales", np.array([1, 1, *factor], np.float32))
        self.node("Resize", [layer.input[0], "", scales], layer.output[0],
                  [channels, rows * factor[0], columns * factor[1]], mode="nearest",
                  coordinate_transformation_mode="asymmetric", nearest_mode="floor")

    def sum(self, layer):
        self.node("Add", layer.input, layer.output[0], self.shapes[layer.input[0]])

    def concatenation(self, layer):
        shapes = [self.shapes[name] for name in layer.input]
        self.node("Concat", layer.input, layer.output[0],
                  [sum(s[0] for s in shapes)] + shapes[0][1:], axis=1)

    def writer(self, layer):
        """What writes a layer, or None when the layer belongs to the decoding of boxes."""
        kind = layer.WhichOneof("layer")
        if any(name not in self.shapes for name in layer.input) or not layer.input:
            return None
        if kind == "activation" and layer.activation.WhichOneof("NonlinearityType") not in (
                "leakyReLU", "ReLU"):
            return None
        if kind in ("add", "addBroadcastable", "concat", "concatND") and len(layer.input) < 2:
            return None
        return {"convolution": self.convolution, "activation": self.activation,
                "pooling": self.pooling, "upsample": self.upsample, "add": self.sum,
                "addBroadcastable": self.sum, "concat": self.concatenation,
                "concatND": self.concatenation}.get(kind)

    def heads(self, written):
        """Values that only the decoding uses, in the order of the layers."""
        return [name for layer in written for name in layer.output
                if name in self.shapes and all(user not in written for user in
                                               self.users.get(name, []))]


def convert(path):
    """The ONNX model, the side lengths of its input and its multiply-adds."""
    model = network_of(load_specification(path))
    image = next(f for f in model.description.input if f.type.WhichOneof("Type") == "imageType")
    scale = [p.scaler.channelScale for p in model.neuralNetwork.preprocessing
             if p.WhichOneof("preprocessor") == "scaler"]
    if len(scale) != 1 or abs(scale[0] * 255 - 1) > 1e-6:
        raise SystemExit(f"{path}: pixels are not divided by 255; the peers' input would differ")
    side = [image.type.imageType.height, image.type.imageType.width]
    graph = GraphWriter(model)
    graph.shapes[image.name] = [3, *side]
    written = []
    for layer in graph.layers:
        write = graph.writer(layer)
        if write:
            write(layer)
            written.append(layer)
        elif layer.WhichOneof("layer") == "batchnorm" and layer.output[0] in graph.shapes:
            written.append(layer)
    heads = graph.heads(written)
    value = lambda name: helper.make_tensor_value_info(  # noqa: E731
        name, TensorProto.FLOAT, [1, *graph.shapes[name]])
    onnx_graph = helper.make_graph(graph.nodes, "detector", [value(image.name)],
                                   [value(name) for name in heads], graph.weights)
    result = helper.make_model(onnx_graph, opset_imports=[helper.make_opsetid("", OPSET)])
    result.ir_version = 8
    onnx.checker.check_model(result, full_check=True)
    return result, side, graph.macs


if __name__ == "__main__":
    converted, sides, macs = convert(sys.argv[1])
    onnx.save(converted, sys.argv[2])
    outputs = [(o.name, [d.dim_value for d in o.type.tensor_type.shape.dim])
               for o in converted.graph.output]
    print(f"{sys.argv[2]}: input {sides}, {macs / 1e6:.1f} MMAC, outputs {outputs}")
