# Fovea - the peers: how each runtime runs the network, and a process that does so on request.
# SPDX-License-Identifier: Apache-2.0
"""Run one peer in a process of its own.

    peers.py NAME FOLDER THREADS

Prints "ready" after the first inference; then, for every line with a number k on standard input, one
line of k times in milliseconds. Any program that speaks so can be measured by `compare --extra`.
Before that it prints "imported" when the interpreter has the runtime's package: from there to
"ready" is what the runtime needs from its files to the first result.
"""
import importlib
import pathlib
import sys
import time

import numpy as np


# Options of ncnn.
REDUCED_PRECISIONS = ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic",
                      "use_bf16_packed", "use_bf16_storage")


def onnxruntime(file):
    def make(folder, threads):
        import onnxruntime as runtime
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        session = runtime.InferenceSession(str(folder / file), options,
                                           providers=["CPUExecutionProvider"])
        feed = {session.get_inputs()[0].name: image(folder)}
        return lambda: session.run(None, feed)
    return make


def openvino(file, precision="f32"):
    """In float of 32 bits; in what the processor is fastest with where `precision` is None."""
    def make(folder, threads):
        import openvino as runtime
        compiled = runtime.Core().compile_model(
            str(folder / file), "CPU",
            {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY",
             **({"INFERENCE_PRECISION_HINT": precision} if precision else {})})
        request, value = compiled.create_infer_request(), image(folder)

        def run():
            found = request.infer({0: value})
            return [found[output] for output in compiled.outputs]
        return run
    return make


def ncnn(base, is_reduced=False):
    """In float of 32 bits; with the runtime's own choice of precision where `is_reduced`."""
    def make(folder, threads):
        import ncnn as runtime
        network = runtime.Net()
        network.opt.num_threads = threads
        network.opt.use_vulkan_compute = False
        for option in () if is_reduced else REDUCED_PRECISIONS:
            setattr(network.opt, option, False)
        network.load_param(str(folder / (base + ".param")))
        network.load_model(str(folder / (base + ".bin")))
        value = image(folder)[0]
        names = network.output_names()

        def run():
            with network.create_extractor() as extractor:
                extractor.input(network.input_names()[0], runtime.Mat(value))
                return [np.array(extractor.extract(name)[1]) for name in names]
        return run
    return make


def litert(file):
    def make(folder, threads):
        from ai_edge_litert.interpreter import Interpreter
        interpreter = Interpreter(str(folder / file), num_threads=threads)
        interpreter.allocate_tensors()
        source = interpreter.get_input_details()[0]
        value = image(folder)
        if value.shape != tuple(source["shape"]):                 # rows, columns, channels
            value = np.ascontiguousarray(value.transpose(0, 2, 3, 1))
        if source["dtype"] != np.float32:
            scale, zero = source["quantization"]
            value = np.round(value / scale + zero).astype(source["dtype"])
        outputs = [output["index"] for output in interpreter.get_output_details()]

        def run():
            interpreter.set_tensor(source["index"], value)
            interpreter.invoke()
            return [interpreter.get_tensor(index) for index in outputs]
        return run
    return make


def yardstick(folder, threads):
    """A float product of the shape of YOLOv3-tiny's heaviest layer, in NumPy's BLAS."""
    a = np.random.default_rng(1).random((1024, 4608), dtype=np.float32)
    b = np.random.default_rng(2).random((4608, 169), dtype=np.float32)
    c = np.empty((1024, 169), np.float32)
    return lambda: np.dot(a, b, out=c)


def image(folder):
    """The input that every peer is given: a calibration image, float planes in 0...1."""
    return np.load(folder / "input.npy")


YARDSTICK = "yardstick sgemm"
MAKERS = {
    YARDSTICK: yardstick,
    "onnxruntime fp32": onnxruntime("network.onnx"),
    "onnxruntime int8": onnxruntime("network.int8.onnx"),
    "openvino fp32": openvino("network.xml"),
    "openvino int8": openvino("network.int8.xml"),
    "openvino default": openvino("network.xml", precision=None),
    "ncnn fp32": ncnn("network.ncnn"),
    "ncnn default": ncnn("network.ncnn", is_reduced=True),
    "litert fp32": litert("network.tflite"),
    "litert int8": litert("network.int8.tflite"),
}
# What takes long to import, by the first word of a name.
PACKAGES = {"onnxruntime": "onnxruntime", "openvino": "openvino", "ncnn": "ncnn",
            "litert": "ai_edge_litert.interpreter", "yardstick": "numpy"}


def serve(run):
    """Answer every line of standard input."""
    run()
    print("ready", flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter()
            run()
            times.append((time.perf_counter() - start) * 1e3)
        print(*(f"{t:.4f}" for t in times), flush=True)


if __name__ == "__main__":
    importlib.import_module(PACKAGES[sys.argv[1].split()[0]])
    print("imported", flush=True)
    serve(MAKERS[sys.argv[1]](pathlib.Path(sys.argv[2]), int(sys.argv[3])))
