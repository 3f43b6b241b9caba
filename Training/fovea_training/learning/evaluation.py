"""Fovea - average precision by pycocotools, recall at the working threshold, and false codes on pictures without any.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import contextlib
import io
import math
from pathlib import Path

import cv2
import numpy as np
import torch
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from fovea_training.classes import CLASS_NAMES, CODE_CLASSES, REFERENCE_SIDE
from fovea_training.learning.detections import Detections, detect, network_input, overlaps
from fovea_training.learning.network import TinyDetector
from fovea_training.scenes.shards import StoredScene

WORKING_THRESHOLD = 0.25
_LOWEST_CONFIDENCE = 0.005

#: Names of files that are taken for pictures.
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")


def detections_of(network: TinyDetector, scenes: list[StoredScene], side: int, batch: int = 16) -> list[Detections]:
    """Detections of every scene at a low threshold."""
    network.eval()
    found: list[Detections] = []
    for start in range(0, len(scenes), batch):
        inputs = torch.cat([network_input(scene.picture(), side) for scene in scenes[start : start + batch]])
        found += detect(network, inputs.contiguous(memory_format=torch.channels_last), _LOWEST_CONFIDENCE)
    return found


def coco_data(objects: list[np.ndarray]) -> dict:
    """Annotations in COCO's form, in pixels of the reference input; ignored objects are crowds."""
    annotations = []
    for picture, rows in enumerate(objects):
        for label, left, top, right, bottom, ignored in rows.tolist():
            box = [value * REFERENCE_SIDE for value in (left, top, right - left, bottom - top)]
            annotations.append({"id": len(annotations) + 1, "image_id": picture + 1, "category_id": int(label) + 1, "bbox": box,
                                "area": box[2] * box[3], "iscrowd": int(ignored)})  # fmt: skip
    return {
        "images": [{"id": picture + 1, "width": REFERENCE_SIDE, "height": REFERENCE_SIDE} for picture in range(len(objects))],
        "annotations": annotations,
        "categories": [{"id": index + 1, "name": name} for index, name in enumerate(CLASS_NAMES)],
    }


def _results(found: list[Detections]) -> list[dict]:
    return [
        {
            "image_id": picture + 1,
            "category_id": int(label) + 1,
            "score": float(score),
            "bbox": [float(v) * REFERENCE_SIDE for v in (box[0], box[1], box[2] - box[0], box[3] - box[1])],
        }  # fmt: skip
        for picture, one in enumerate(found)
        for box, label, score in zip(one.boxes, one.classes, one.confidences)
    ]


def average_precision(objects: list[np.ndarray], found: list[Detections]) -> dict[str, float]:
    """AP and AP50 over all classes, of each class, and by size (COCO's limits, at the reference input)."""
    results = _results(found)
    if not results:
        return {"AP": 0.0, "AP50": 0.0}
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = coco_data(objects)
        truth.createIndex()
        evaluator = COCOeval(truth, truth.loadRes(results), "bbox")
        evaluator.evaluate()
        evaluator.accumulate()
        evaluator.summarize()
    numbers = dict(zip(("AP", "AP50", "AP75", "AP small", "AP medium", "AP large"), (float(v) for v in evaluator.stats[:6])))
    precision = evaluator.eval["precision"]
    for index, name in enumerate(CLASS_NAMES):
        for key, overlap in (("AP", slice(None)), ("AP50", slice(0, 1))):
            values = precision[overlap, :, index, 0, 2]
            numbers[f"{key} {name}"] = float(values[values > -1].mean()) if (values > -1).any() else float("nan")
        for size, limit in (("small", 1), ("medium", 2), ("large", 3)):
            values = precision[0, :, index, limit, 2]
            numbers[f"AP50 {name} {size}"] = float(values[values > -1].mean()) if (values > -1).any() else float("nan")
    return numbers


def recall_at_work(objects: list[np.ndarray], found: list[Detections]) -> dict[str, float]:
    """Share of the objects of each class that are found with IoU 0.5 at the working threshold."""
    hits, wholes = dict.fromkeys(CLASS_NAMES, 0), dict.fromkeys(CLASS_NAMES, 0)
    for rows, one in zip(objects, found):
        for row in rows[rows[:, 5] == 0]:
            name = CLASS_NAMES[int(row[0])]
            mine = (one.classes == int(row[0])) & (one.confidences >= WORKING_THRESHOLD)
            wholes[name] += 1
            hits[name] += bool(mine.any() and overlaps(row[1:5], one.boxes[mine]).max() >= 0.5)
    return {f"recall {name}": hits[name] / wholes[name] if wholes[name] else float("nan") for name in CLASS_NAMES}


def false_codes(network: TinyDetector, folder: Path, side: int) -> dict[str, float]:
    """Detections of each class for each picture of a folder without codes, at the working threshold."""
    network.eval()
    counts = np.zeros(len(CLASS_NAMES))
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
    for path in files:
        one = detect(network, network_input(cv2.imread(str(path), cv2.IMREAD_COLOR), side), WORKING_THRESHOLD)[0]
        counts += np.bincount(one.classes, minlength=len(CLASS_NAMES))
    numbers = {f"false {name}": count / len(files) for name, count in zip(CLASS_NAMES, counts)}
    numbers["false codes"] = sum(numbers[f"false {name}"] for name in CODE_CLASSES)
    return numbers


def rounded(numbers: dict[str, float]) -> dict[str, float | None]:
    """Numbers as they go into JSON: four digits, and nothing for what could not be measured."""
    return {key: None if math.isnan(value) else round(value, 4) for key, value in numbers.items()}
