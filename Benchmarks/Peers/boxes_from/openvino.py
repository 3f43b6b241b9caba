# Fovea - boxes by OpenVINO.
# SPDX-License-Identifier: Apache-2.0
import detection
import openvino


def load(folder):
    return openvino.Core().compile_model(folder / "network.xml", "CPU")


def detect(model, path):
    pixels, scale = detection.read(path)
    return detection.objects(model(pixels)[0], scale)
