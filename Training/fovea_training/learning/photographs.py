"""Fovea - what is found of the codes in photographs that have no annotations: a decoder says where codes are.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from fovea_training.classes import CLASS_NAMES, CODE_CLASSES
from fovea_training.learning.detections import Detections, detect, network_input, overlaps
from fovea_training.learning.evaluation import PICTURE_SUFFIXES, WORKING_THRESHOLD
from fovea_training.learning.network import TinyDetector
from fovea_training.reading import around, hull, read_symbols

_LEAST_OVERLAP = 0.5


def is_found(label: str, corners: np.ndarray, found: Detections) -> bool:
    """Whether a detection of the class fits a symbol with these corners (shares of the picture).

    IoU 0.5 with the hull of a QR code or Data Matrix. Of a linear code a decoder knows one line through the bars: its middle must lie in
    the box, and along the line both must overlap by 0.5.
    """
    boxes = found.boxes[found.classes == CLASS_NAMES.index(label)]
    if len(boxes) == 0:
        return False
    read = hull(corners)
    if label != "barcode":
        return bool(overlaps(read, boxes).max() >= _LEAST_OVERLAP)
    along = int(np.ptp(corners[:, 1]) > np.ptp(corners[:, 0]))
    low, high = boxes[:, along], boxes[:, along + 2]
    common = np.minimum(high, read[along + 2]) - np.maximum(low, read[along])
    whole = np.maximum(high, read[along + 2]) - np.minimum(low, read[along])
    return bool((around(boxes, corners) & (common >= _LEAST_OVERLAP * whole)).any())


def recall_of_read_codes(network: TinyDetector, folder: Path, side: int) -> dict[str, float]:
    """Share of the codes that a decoder reads in the pictures below `folder` that are found at the working threshold, and their number."""
    network.eval()
    hits, wholes = dict.fromkeys(CODE_CLASSES, 0), dict.fromkeys(CODE_CLASSES, 0)
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in PICTURE_SUFFIXES):
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        found = detect(network, network_input(image, side), WORKING_THRESHOLD)[0]
        for label, corners in read_symbols(image):
            wholes[label] += 1
            hits[label] += is_found(label, corners / image.shape[1::-1], found)
    recalls = {f"recall {name}": hits[name] / wholes[name] if wholes[name] else float("nan") for name in CODE_CLASSES}
    return recalls | {f"read {name}": float(wholes[name]) for name in CODE_CLASSES}
