# Fovea - what a program has to write itself where the runtime gives arrays.
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from PIL import Image


def read(path, side=640):
    image = Image.open(path).convert("RGB")
    pixels = np.asarray(image.resize((side, side), Image.BILINEAR), np.float32) / 255
    scale = (image.width / side, image.height / side)
    return np.ascontiguousarray(pixels.transpose(2, 0, 1))[None], scale


def overlaps(box, others):
    least = np.maximum(box[:2], others[:, :2])
    greatest = np.minimum(box[2:], others[:, 2:])
    common = np.prod(np.maximum(greatest - least, 0), axis=1)
    areas = np.prod(others[:, 2:] - others[:, :2], axis=1)
    return common / (np.prod(box[2:] - box[:2]) + areas - common)


def objects(output, scale, confidence=0.7, iou=0.45):
    rows = np.asarray(output).reshape(84, -1).T
    labels, scores = rows[:, 4:].argmax(1), rows[:, 4:].max(1)
    order = np.flatnonzero(scores >= confidence)
    order = order[np.argsort(-scores[order])]
    middle, half = rows[:, :2], rows[:, 2:4] / 2
    boxes = np.hstack([middle - half, middle + half])
    found = []
    while len(order):
        best, order = order[0], order[1:]
        found.append((int(labels[best]), float(scores[best]), boxes[best] * np.tile(scale, 2)))
        same = labels[order] == labels[best]
        order = order[~(same & (overlaps(boxes[best], boxes[order]) > iou))]
    return found
