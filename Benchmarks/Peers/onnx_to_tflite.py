# Fovea - the ONNX graph of coreml_to_onnx.py as a LiteRT flat buffer, in float or int8.
# SPDX-License-Identifier: Apache-2.0
"""Write LiteRT models without TensorFlow, with the schema that ai-edge-litert brings along.

int8 is what TensorFlow's post-training quantization makes: activations with one scale and zero point a
value from their extremes over the calibration images, symmetric weights with one scale an output
channel, int32 biases, float outputs. Pools, resizes, paddings and concatenations keep the scale
of what they move, so values that they join share one range.
"""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from onnx import helper, numpy_helper

MOVING = ("MaxPool", "Resize", "Concat")
KIND = schema.TensorType
OPERATOR = schema.BuiltinOperator
TYPES = {np.dtype(np.float32): KIND.FLOAT32, np.dtype(np.int32): KIND.INT32,
         np.dtype(np.int8): KIND.INT8}


def ranges(model, inputs):
    """The smallest and largest value of every activation over the inputs, zero included."""
    import onnx
    import onnxruntime
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    shown = {output.name for output in wide.graph.output}
    wide.graph.output.extend(helper.ValueInfoProto(name=node.output[0])
                             for node in wide.graph.node if node.output[0] not in shown)
    session = onnxruntime.InferenceSession(wide.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    source = session.get_inputs()[0].name
    found = {name: [0.0, 0.0] for name in names}
    for value in inputs:
        for name, result in zip(names, session.run(None, {source: value})):
            found[name] = [min(found[name][0], float(result.min())),
                           max(found[name][1], float(result.max()))]
    found[source] = [0.0, 1.0]
    changed = True
    while changed:
        changed = False
        for node in model.graph.node:
            joined = [name for name in (*node.input, *node.output) if name in found]
            if node.op_type in MOVING:
                union = [min(found[n][0] for n in joined), max(found[n][1] for n in joined)]
                changed |= any(found[n] != union for n in joined)
                found.update({n: union for n in joined})
    return found


class Writer:
    """The flat buffer's tables as they grow."""

    def __init__(self, model, value_ranges):
        self.graph = model.graph
        self.ranges = value_ranges
        self.weights = {w.name: numpy_helper.to_array(w) for w in self.graph.initializer}
        self.buffers, self.tensors = [schema.BufferT()], []
        self.codes, self.operators, self.index = {}, [], {}
        self.shapes, self.scales = {}, {}

    def tensor(self, name, shape, kind, scale=None, zero=None, axis=0, data=None):
        """Adds a tensor; returns its index."""
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = name.encode(), list(shape), kind
        tensor.quantization = schema.QuantizationParametersT()
        if scale is not None:
            scale = np.atleast_1d(scale).astype(np.float32)
            tensor.quantization.scale = scale
            tensor.quantization.zeroPoint = np.full(scale.size, zero or 0, np.int64)
            tensor.quantization.quantizedDimension = axis
        tensor.buffer = 0
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            tensor.buffer = len(self.buffers)
            self.buffers.append(buffer)
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def value(self, name, shape, like=None):
        """Adds an activation, [1, rows, columns, channels]; `like` names whose range it has."""
        self.shapes[name] = list(shape)
        if self.ranges is None:
            self.index[name] = self.tensor(name, shape, KIND.FLOAT32)
            return self.index[name]
        low, high = self.ranges[like or name]
        scale = max((high - low) / 255, 1e-8)
        zero = int(round(-128 - low / scale))
        self.scales[name] = scale
        self.index[name] = self.tensor(name, shape, KIND.INT8, scale, zero)
        return self.index[name]

    def constant(self, name, array, scale=None, axis=0):
        return self.tensor(name, array.shape, TYPES[array.dtype], scale, 0, axis, array)

    def operator(self, code, version, inputs, outputs, options_type=0, options=None, **fields):
        """Adds an operator; `fields` are set in its options."""
        if code not in self.codes:
            entry = schema.OperatorCodeT()
            entry.builtinCode = code
            entry.deprecatedBuiltinCode = min(code, 127)
            entry.version = version
            self.codes[code] = (len(self.codes), entry)
        operator = schema.OperatorT()
        operator.opcodeIndex = self.codes[code][0]
        operator.inputs, operator.outputs = list(inputs), list(outputs)
        operator.builtinOptionsType, operator.builtinOptions = options_type, options
        for field, setting in fields.items():
            setattr(options, field, setting)
        self.operators.append(operator)

    def padded(self, name, attributes, kernel, stride):
        """The value to read and the padding mode; explicit padding becomes an operator."""
        pads = list(attributes.get("pads", [0, 0, 0, 0]))
        _, rows, columns, channels = self.shapes[name]
        same = []
        for size, k, s in zip((rows, columns), kernel, stride):
            total = max(0, (-(-size // s) - 1) * s + k - size)
            same.append((total // 2, total - total // 2))
        if pads == [same[0][0], same[1][0], same[0][1], same[1][1]]:
            return name, schema.Padding.SAME
        if not any(pads):
            return name, schema.Padding.VALID
        output = name + ".padded"
        if output not in self.index:
            amounts = np.array([[0, 0], [pads[0], pads[2]], [pads[1], pads[3]], [0, 0]], np.int32)
            index = self.value(output, [1, rows + pads[0] + pads[2], columns + pads[1] + pads[3],
                                        channels], like=name)
            self.operator(OPERATOR.PAD, 2, [self.index[name],
                                            self.constant(output + ".by", amounts)], [index],
                          schema.BuiltinOptions.PadOptions, schema.PadOptionsT())
        return output, schema.Padding.VALID

    def convolution(self, node, attributes, source):
        weights, bias = self.weights[node.input[1]], self.weights[node.input[2]]
        kernel, stride = attributes["kernel_shape"], attributes["strides"]
        depthwise = attributes["group"] > 1
        source, padding = self.padded(source, attributes, kernel, stride)
        axis = 3 if depthwise else 0
        order = (1, 2, 3, 0) if depthwise else (0, 2, 3, 1)
        weights = weights.transpose(order)
        scale = None
        if self.ranges is not None:
            others = tuple(i for i in range(4) if i != axis)
            scale = np.maximum(np.abs(weights).max(axis=others), 1e-8) / 127
            shape = [1, 1, 1, 1]
            shape[axis] = -1
            weights = np.clip(np.round(weights / scale.reshape(shape)), -127, 127).astype(np.int8)
            bias_scale = scale * self.scales[source]
            bias = np.round(bias / bias_scale).astype(np.int32)
        inputs = [self.index[source], self.constant(node.input[1], weights, scale, axis),
                  self.constant(node.input[2], bias, None if scale is None else bias_scale)]
        _, rows, columns, _ = self.shapes[source]
        if padding == schema.Padding.SAME:
            size = [-(-rows // stride[0]), -(-columns // stride[1])]
        else:
            size = [(rows - kernel[0]) // stride[0] + 1, (columns - kernel[1]) // stride[1] + 1]
        output = [self.value(node.output[0], [1, *size, bias.size])]
        common = dict(padding=padding, strideH=stride[0], strideW=stride[1], dilationHFactor=1,
                      dilationWFactor=1)
        if depthwise:
            self.operator(OPERATOR.DEPTHWISE_CONV_2D, 3, inputs, output,
                          schema.BuiltinOptions.DepthwiseConv2DOptions,
                          schema.DepthwiseConv2DOptionsT(), depthMultiplier=1, **common)
        else:
            self.operator(OPERATOR.CONV_2D, 3, inputs, output,
                          schema.BuiltinOptions.Conv2DOptions, schema.Conv2DOptionsT(), **common)

    def node(self, node):
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        source, output = node.input[0], node.output[0]
        shape = list(self.shapes[source])
        inputs = [self.index[name] for name in node.input if name in self.index]
        if node.op_type == "Conv":
            if attributes["group"] not in (1, shape[3]) or list(attributes["dilations"]) != [1, 1]:
                raise ValueError(f"{output}: grouped or dilated convolution")
            self.convolution(node, attributes, source)
        elif node.op_type == "LeakyRelu":
            self.operator(OPERATOR.LEAKY_RELU, 2, inputs, [self.value(output, shape)],
                          schema.BuiltinOptions.LeakyReluOptions, schema.LeakyReluOptionsT(),
                          alpha=attributes["alpha"])
        elif node.op_type == "Relu":
            self.operator(OPERATOR.RELU, 2, inputs, [self.value(output, shape)])
        elif node.op_type == "MaxPool":
            kernel, stride = attributes["kernel_shape"], attributes["strides"]
            source, padding = self.padded(source, attributes, kernel, stride)
            if source not in node.input:
                raise ValueError(f"{output}: a pool with padding that LiteRT does not know")
            reach = [0, 0] if padding == schema.Padding.SAME else [k - 1 for k in kernel]
            size = [-(-(n - r) // s) for n, r, s in zip(shape[1:3], reach, stride)]
            self.operator(OPERATOR.MAX_POOL_2D, 2, inputs,
                          [self.value(output, [1, *size, shape[3]])],
                          schema.BuiltinOptions.Pool2DOptions, schema.Pool2DOptionsT(),
                          padding=padding, filterHeight=kernel[0], filterWidth=kernel[1],
                          strideH=stride[0], strideW=stride[1])
        elif node.op_type == "Resize":
            factor = self.weights[node.input[2]][2:].astype(int)
            size = np.array([shape[1] * factor[0], shape[2] * factor[1]], np.int32)
            self.operator(OPERATOR.RESIZE_NEAREST_NEIGHBOR, 2,
                          [inputs[0], self.constant(output + ".size", size)],
                          [self.value(output, [1, *map(int, size), shape[3]])],
                          schema.BuiltinOptions.ResizeNearestNeighborOptions,
                          schema.ResizeNearestNeighborOptionsT())
        elif node.op_type == "Concat":
            channels = sum(self.shapes[name][3] for name in node.input)
            self.operator(OPERATOR.CONCATENATION, 2, inputs,
                          [self.value(output, shape[:3] + [channels])],
                          schema.BuiltinOptions.ConcatenationOptions,
                          schema.ConcatenationOptionsT(), axis=3)
        elif node.op_type == "Add":
            self.operator(OPERATOR.ADD, 2, inputs, [self.value(output, shape)],
                          schema.BuiltinOptions.AddOptions, schema.AddOptionsT())
        else:
            raise ValueError(f"{output}: {node.op_type} is not known here")

    def finished(self):
        source = self.graph.input[0]
        _, channels, rows, columns = [d.dim_value for d in source.type.tensor_type.shape.dim]
        self.value(source.name, [1, rows, columns, channels])
        for node in self.graph.node:
            self.node(node)
        outputs = [self.index[output.name] for output in self.graph.output]
        if self.ranges is not None:
            floats = [self.tensor(output.name + ".float", self.shapes[output.name], KIND.FLOAT32)
                      for output in self.graph.output]
            for before, after in zip(outputs, floats):
                self.operator(OPERATOR.DEQUANTIZE, 2, [before], [after])
            outputs = floats
        graph = schema.SubGraphT()
        graph.tensors, graph.operators = self.tensors, self.operators
        graph.inputs, graph.outputs = [self.index[source.name]], outputs
        model = schema.ModelT()
        model.version, model.subgraphs, model.buffers = 3, [graph], self.buffers
        model.operatorCodes = [entry for _, entry in self.codes.values()]
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def convert(model, value_ranges=None):
    """The flat buffer of an ONNX model; int8 if the ranges of its values are given."""
    return Writer(model, value_ranges).finished()
