# Fovea - boxes by ncnn.
# SPDX-License-Identifier: Apache-2.0
import detection
import ncnn
import numpy as np


def load(folder):
    network = ncnn.Net()
    network.load_param(str(folder / "network.ncnn.param"))
    network.load_model(str(folder / "network.ncnn.bin"))
    return network


def detect(model, path):
    pixels, scale = detection.read(path)
    extractor = model.create_extractor()
    extractor.input("in0", ncnn.Mat(pixels[0]).clone())
    return detection.objects(np.array(extractor.extract("out0")[1]), scale)
