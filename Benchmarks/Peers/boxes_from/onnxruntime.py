# Fovea - boxes by ONNX Runtime.
# SPDX-License-Identifier: Apache-2.0
import detection
import onnxruntime


def load(folder):
    return onnxruntime.InferenceSession(folder / "network.onnx")


def detect(model, path):
    pixels, scale = detection.read(path)
    return detection.objects(model.run(None, {model.get_inputs()[0].name: pixels})[0], scale)
