# Fovea - a network of the zoo in the format of every peer.
# SPDX-License-Identifier: Apache-2.0
"""Write a network for every peer, quantized where the peer can.

Each function takes a Case (see zoo_files.py). Files have the names that peers.py reads.
"""
import copy
import importlib.util
import pathlib
import shutil
import subprocess
import warnings

import peer_models
from zoo_litert import after_weights, write_tflite, write_tflite_int8

OPSET = 17
# What has weights: the operations that a quantizer is for.
WEIGHTED = ("Conv", "ConvTranspose", "MatMul", "Gemm")


def write_onnx(case):
    import torch
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")      # about shapes that become constants
        torch.onnx.export(copy.deepcopy(case.network), case.example,
                          case.folder / "network.onnx", opset_version=OPSET,
                          input_names=["image"], dynamo=False)


def decoding(model):
    """Names of the nodes that decode; see zoo_litert.after_weights."""
    nodes = [(node.input, node.output, node.op_type in WEIGHTED) for node in model.graph.node]
    return [node.name for node, decodes in zip(model.graph.node, after_weights(nodes)) if decodes]


def write_onnx_int8(case):
    import onnx
    model = onnx.load(case.folder / "network.onnx")
    peer_models.write_onnx_int8(case.folder, model, case.inputs, decoding)


def write_openvino(case):
    peer_models.write_openvino(case.folder, None, case.inputs)


def write_openvino_int8(case):
    import nncf
    options = {"model_type": nncf.ModelType.TRANSFORMER} if case.description.is_transformer else {}
    peer_models.write_openvino_int8(case.folder, None, case.inputs, **options)


def write_ncnn(case):
    import torch
    program = pathlib.Path(importlib.util.find_spec("pnnx").origin).with_name("pnnx")
    # pnnx writes a dozen files beside its input.
    work = case.folder / "pnnx"
    work.mkdir(exist_ok=True)
    network = copy.deepcopy(case.network)
    case.description.ncnn_form(network)
    case.expect("ncnn", network)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.trace(network, case.example, strict=False, check_trace=False).save(
            work / "network.pt")
    sides = ",".join(str(n) for n in case.example.shape)
    subprocess.run([program, "network.pt", f"inputshape=[{sides}]", "fp16=0"], cwd=work,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Operations that ncnn has not are left with the names of others: "torch.topk", "aten::pow".
    kinds = {line.split()[0] for line in (work / "network.ncnn.param").read_text().splitlines()}
    unknown = sorted(kind for kind in kinds if "." in kind or ":" in kind)
    if unknown:
        raise ValueError("ncnn has not the operations " + ", ".join(unknown))
    for ending in ("param", "bin"):
        (work / f"network.ncnn.{ending}").rename(case.folder / f"network.ncnn.{ending}")
    shutil.rmtree(work)


WRITERS = {
    "onnxruntime fp32": write_onnx,
    "onnxruntime int8": write_onnx_int8,
    "openvino fp32": write_openvino,
    "openvino int8": write_openvino_int8,
    "openvino default": None,                # the same file as openvino fp32
    "ncnn fp32": write_ncnn,
    "ncnn default": None,
    "litert fp32": write_tflite,
    "litert int8": write_tflite_int8,
}
