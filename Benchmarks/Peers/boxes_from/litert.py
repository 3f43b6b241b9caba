# Fovea - boxes by LiteRT.
# SPDX-License-Identifier: Apache-2.0
import os

import detection
from ai_edge_litert.interpreter import Interpreter


def load(folder):
    interpreter = Interpreter(str(folder / "network.tflite"), num_threads=os.cpu_count())
    interpreter.allocate_tensors()
    return interpreter


def detect(model, path):
    pixels, scale = detection.read(path)
    taken, given = model.get_input_details()[0], model.get_output_details()[0]
    if taken["shape"][-1] == 3:
        pixels = pixels.transpose(0, 2, 3, 1)
    model.set_tensor(taken["index"], pixels)
    model.invoke()
    return detection.objects(model.get_tensor(given["index"]), scale)
