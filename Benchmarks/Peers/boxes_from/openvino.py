# Fovea - boxes by OpenVINO.
# SPDX-License-Identifier: Apache-2.0
import common
import openvino


def load(folder):
    return openvino.Core().compile_model(folder / "network.xml", "CPU")


def detect(model, path):
    pixels, scale = common.read(path)
    return common.objects(model(pixels)[0], scale)
