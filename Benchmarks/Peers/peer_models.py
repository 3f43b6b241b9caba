# Fovea - one network in the format of every peer, quantized where the peer can.
# SPDX-License-Identifier: Apache-2.0
"""Write a Core ML detector for every peer into a folder, once, and check each against ONNX Runtime.

Called by `compare`; by hand: peer_models.py MODEL.mlmodel CALIBRATION FOLDER
"""
import json
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import numpy as np

import coreml_to_onnx
import peers

CALIBRATION_IMAGES = 64
# Mean relative error of the heads beyond which a file does not compute the network. Quantized
# networks with depthwise convolutions lose much more than plain ones.
FLOAT_LIMIT, INT8_LIMIT = 1e-3, 0.5


def calibration_inputs(folder, side):
    """The first images of a folder as network inputs, [1, 3, rows, columns] in 0...1."""
    from PIL import Image
    paths = sorted(p for p in pathlib.Path(folder).iterdir()
                   if p.suffix.lower() in (".jpg", ".jpeg", ".png"))[:CALIBRATION_IMAGES]
    if not paths:
        raise SystemExit(f"{folder}: no .jpg or .png images to calibrate with")
    inputs = []
    for path in paths:
        with Image.open(path) as image:
            scaled = image.convert("RGB").resize((side[1], side[0]), Image.BILINEAR)
        planes = np.asarray(scaled, np.float32).transpose(2, 0, 1) / 255
        inputs.append(np.ascontiguousarray(planes[None]))
    return inputs


def write_onnx(folder, model, inputs):
    import onnx
    onnx.save(model, folder / "network.onnx")


def write_onnx_int8(folder, model, inputs, excluded=lambda model: []):
    """Quantize network.onnx; `excluded` names the nodes of the prepared model that stay in float."""
    import onnx
    from onnxruntime.quantization import (
        CalibrationDataReader, QuantFormat, QuantType, quant_pre_process, quantize_static)

    name = model.graph.input[0].name

    class Reader(CalibrationDataReader):
        def __init__(self):
            self.feeds = iter([{name: value} for value in inputs])

        def get_next(self):
            return next(self.feeds, None)

    prepared = str(folder / "network.prepared.onnx")
    quant_pre_process(str(folder / "network.onnx"), prepared, skip_symbolic_shape=True)
    quantize_static(prepared, str(folder / "network.int8.onnx"), Reader(),
                    quant_format=QuantFormat.QDQ, per_channel=True,
                    nodes_to_exclude=excluded(onnx.load(prepared)),
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)


def write_openvino(folder, model, inputs):
    import openvino
    converted = openvino.convert_model(str(folder / "network.onnx"))
    openvino.save_model(converted, str(folder / "network.xml"), compress_to_fp16=False)


def write_openvino_int8(folder, model, inputs, **options):
    import nncf
    import openvino
    float_model = openvino.Core().read_model(str(folder / "network.xml"))
    quantized = nncf.quantize(float_model, nncf.Dataset(inputs), subset_size=len(inputs),
                              preset=nncf.QuantizationPreset.MIXED, **options)
    openvino.save_model(quantized, str(folder / "network.int8.xml"), compress_to_fp16=False)


def write_ncnn(folder, model, inputs):
    program = pathlib.Path(sysconfig.get_paths()["platlib"], "pnnx", "pnnx")
    sides = ",".join(str(n) for n in inputs[0].shape)
    # pnnx writes a dozen files beside its input.
    work = folder / "pnnx"
    work.mkdir(exist_ok=True)
    shutil.copy(folder / "network.onnx", work)
    subprocess.run([program, "network.onnx", f"inputshape=[{sides}]", "fp16=0"], cwd=work,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for ending in ("param", "bin"):
        (work / f"network.ncnn.{ending}").rename(folder / f"network.ncnn.{ending}")
    shutil.rmtree(work)


def write_tflite(folder, model, inputs):
    import onnx_to_tflite
    (folder / "network.tflite").write_bytes(onnx_to_tflite.convert(model))


def write_tflite_int8(folder, model, inputs):
    import onnx_to_tflite
    (folder / "network.int8.tflite").write_bytes(
        onnx_to_tflite.convert(model, onnx_to_tflite.ranges(model, inputs)))


WRITERS = {
    "onnxruntime fp32": write_onnx,
    "onnxruntime int8": write_onnx_int8,
    "openvino fp32": write_openvino,
    "openvino int8": write_openvino_int8,
    "ncnn fp32": write_ncnn,
    "litert fp32": write_tflite,
    "litert int8": write_tflite_int8,
}


def relative_error(found, expected):
    """Mean absolute difference over mean absolute value, the worst of all outputs.

    Outputs are matched by their count of values: peers name and order them differently.
    """
    expected = {e.size: e for e in expected}
    worst = 0.0
    for output in found:
        other = expected[output.size]
        if output.ndim == 4 and output.shape != other.shape:      # rows, columns, channels
            output = output.transpose(0, 3, 1, 2)
        output = output.reshape(other.shape)
        worst = max(worst, float(np.abs(output - other).mean() / np.abs(other).mean()))
    return worst


def write_all(path, calibration, folder, say):
    """Write every peer's file; returns per peer its error, or the reason why it is left out."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    model, side, macs = coreml_to_onnx.convert(path)
    inputs = calibration_inputs(calibration, side)
    facts = {"side": side, "mmac": macs / 1e6, "images": len(inputs), "error": {}, "skipped": {}}
    say(f"{pathlib.Path(path).name}: {side[1]} x {side[0]}, {macs / 1e6:.1f} MMAC, "
        f"{len(inputs)} images for calibration")
    np.save(folder / "input.npy", inputs[0])
    expected = None
    for name, write in WRITERS.items():
        say(f"  writing {name}")
        try:
            write(folder, model, inputs)
            outputs = peers.MAKERS[name](folder, 1)()
        except Exception as error:  # noqa: BLE001  (whatever a converter throws)
            facts["skipped"][name] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            say(f"  SKIPPED {name}: {facts['skipped'][name]}")
            continue
        expected = expected or outputs
        error = relative_error(outputs, expected)
        limit = INT8_LIMIT if "int8" in name else FLOAT_LIMIT
        if not error <= limit:
            facts["skipped"][name] = f"mean relative error {error:.3g}, more than {limit:g}"
            say(f"  SKIPPED {name}: {facts['skipped'][name]}")
            continue
        facts["error"][name] = error
        say(f"  {name}: mean relative error of the heads {error:.2e}")
    (folder / "facts.json").write_text(json.dumps(facts, indent=1))
    return facts


if __name__ == "__main__":
    write_all(*sys.argv[1:4], print)
