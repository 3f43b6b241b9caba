# Fovea - a network of the zoo for LiteRT, in float and int8.
# SPDX-License-Identifier: Apache-2.0
"""Convert with litert-torch, quantize with ai-edge-quantizer."""
import copy
import re

import numpy as np

WEIGHTED = ("CONV_2D", "DEPTHWISE_CONV_2D", "CONV_2D_TRANSPOSE", "FULLY_CONNECTED", "BATCH_MATMUL")


def write_tflite(case):
    import litert_torch
    # The runtime computes with channels last: an input in that order spares it a transposition.
    network = litert_torch.to_channel_last_io(copy.deepcopy(case.network), args=[0])
    example = case.example.permute(0, 2, 3, 1).contiguous()
    litert_torch.convert(network, (example,)).export(str(case.folder / "network.tflite"))


def after_weights(nodes):
    """Which nodes come after the last ones with weights, in a list of the same length.

    A node is its inputs, its outputs and whether it has weights. What comes last turns numbers of
    the network into boxes and scores. Quantized together, pixels and scores would share 256 steps,
    and all scores become 0.
    """
    makers = {name: place for place, (_, outputs, _) in enumerate(nodes) for name in outputs}
    before = set()
    waiting = [place for place, (_, _, has_weights) in enumerate(nodes) if has_weights]
    while waiting:
        place = waiting.pop()
        if place not in before:
            before.add(place)
            waiting += [makers[name] for name in nodes[place][0] if name in makers]
    return [place not in before for place in range(len(nodes))]


def decoding(path):
    """An expression that fits the quantizer's names of the nodes that decode."""
    from ai_edge_quantizer.utils import tfl_flatbuffer_utils as files
    model = files.read_model(str(path))
    graph, names = model.subgraphs[0], []
    kinds = [files.TFL_OP_CODE_TO_NAME.get(code.builtinCode) for code in model.operatorCodes]
    operators = [(op.inputs, op.outputs, kinds[op.opcodeIndex] in WEIGHTED)
                 for op in graph.operators]
    for op, decodes in zip(graph.operators, after_weights(operators)):
        if decodes:
            names.append(re.escape(files.get_op_scope(op, graph.tensors)))
    return "^(" + "|".join(names) + ")$"


def write_tflite_int8(case):
    from ai_edge_litert.interpreter import Interpreter
    from ai_edge_quantizer import algorithm_manager, quantizer, qtyping, recipe
    path = case.folder / "network.tflite"
    work = quantizer.Quantizer(str(path))
    operations = qtyping.TFLOperationName
    if case.description.is_transformer:
        # Sampling at points is gathering here: places in 256 steps would be somewhere else.
        for operation in WEIGHTED[:-1]:
            work.add_static_config(".*", operations(operation), 8, 8)
    else:
        work.load_quantization_recipe(recipe.static_wi8_ai8())
    for expression, operation in ((".*", operations.INPUT), (".*", operations.OUTPUT),
                                  (decoding(path), operations.ALL_SUPPORTED)):
        work.update_quantization_recipe(
            expression, operation,
            algorithm_key=algorithm_manager.AlgorithmName.NO_QUANTIZE)
    name, parts = next(iter(Interpreter(str(path)).get_signature_list().items()))
    feeds = [{parts["inputs"][0]: np.ascontiguousarray(value.transpose(0, 2, 3, 1))}
             for value in case.inputs]
    ranges = work.calibrate({name: feeds})
    work.quantize(ranges).export_model(str(case.folder / "network.int8.tflite"), overwrite=True)
