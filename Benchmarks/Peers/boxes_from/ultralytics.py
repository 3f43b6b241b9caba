# Fovea - boxes by Ultralytics, which runs ONNX files with ONNX Runtime.
# SPDX-License-Identifier: Apache-2.0
import ultralytics


def load(folder):
    return ultralytics.YOLO(folder / "network.onnx", task="detect")


def detect(model, path):
    boxes = model(path, conf=0.7, iou=0.45, verbose=False)[0].boxes
    return list(zip(boxes.cls.tolist(), boxes.conf.tolist(), boxes.xyxy.tolist()))
