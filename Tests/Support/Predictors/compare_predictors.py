"""Compares the objects of Fovea with those of Ultralytics' own predictor.

    compare_predictors.py FOVEA IMAGES FOLDER
"""

import glob
import json
import os
import subprocess
import sys

import numpy
import torch
from PIL import Image
from pycocotools import mask as run_lengths
from ultralytics import YOLO

SIZE = 640
CONFIDENCE = 0.5
# All that is above the confidence is compared, without suppression: drawn weights give many objects
# nearly the same score, so that each program would keep another one.
LIMIT = 10000
# What is measured of an object, and what it may differ: boxes, corners and points in pixels, masks
# in one minus their intersection over union.
NETWORKS = [
    ("yolov8n-seg", "segment"), ("yolo11n-seg", "segment"), ("yolo26n-seg", "segment"),
    ("yolov8n-pose", "pose"), ("yolo26n-pose", "pose"), ("yolo11n-obb", "obb"),
    ("yolo26n-obb", "obb"),
    # With rows that the network chooses itself.
    ("yolo26n-seg-end", "segment"), ("yolo26n-pose-end", "pose"), ("yolo26n-obb-end", "obb"),
    # With a suppression inside, which Fovea cuts off and does itself.
    ("yolov8n-seg-nms", "segment"), ("yolo11n-pose-nms", "pose"), ("yolo11n-obb-nms", "obb"),
    ("yolov8n-obb-nms", "obb"),
]
# What the exporter is told for names that end so. A threshold of overlaps of 1 keeps all, as in the
# comparison.
FORMS = {"end": {"nms": False},
         "nms": {"nms": True, "conf": CONFIDENCE, "iou": 1.0, "max_det": 1000}}
# Masks of the predictor are sampled twice, and their edges are rounded to whole pixels.
MOST = {"box": 0.1, "corners": 0.1, "keypoints": 0.1, "mask": 0.03}
LEAST_PAIRED = 0.99


def pictures(images, folder):
    """Pictures of the size of the networks, so that nothing is resized by two programs."""
    paths = []
    for place in sorted(glob.glob(os.path.join(images, "*.jpg")))[:4]:
        path = os.path.join(folder, os.path.basename(place)[:-4] + ".png")
        Image.open(place).convert("RGB").resize((SIZE, SIZE), Image.BILINEAR).save(path)
        paths.append(path)
    return paths


def spread(net, batch, head, names, deviation, highest=None):
    """Gives each channel of the last layers the mean 0 and a deviation, as trained ones have them:
    drawn weights say nearly the same everywhere. With `highest`, that part of places is above 0."""
    layers = [branch[-1] for name in names for branch in getattr(head, name, None) or []]
    layers = [layer for layer in layers if isinstance(layer, torch.nn.Conv2d)]
    outputs = {}
    hooks = [layer.register_forward_hook(
        lambda layer, given, out: outputs.__setitem__(layer, out)) for layer in layers]
    net(batch)
    for hook in hooks:
        hook.remove()
    for layer, out in outputs.items():
        mean, scale = out.mean((0, 2, 3)), deviation / out.std((0, 2, 3)).clamp(min=1e-9)
        moved = (out - mean[:, None, None]) * scale[:, None, None]
        above = torch.quantile(moved.amax(1).flatten(), 1 - highest) if highest else 0
        layer.weight *= scale[:, None, None, None]
        layer.bias.copy_((layer.bias - mean) * scale - above)


def network(name, task, paths, folder):
    """The path of a network with drawn weights that finds some hundred objects."""
    path = os.path.join(folder, name + ".onnx")
    if os.path.exists(path):
        return path
    torch.manual_seed(7)
    base, _, form = name.rpartition("-")
    if form not in FORMS:
        base, form = name, None
    yolo = YOLO(base + ".yaml", task=task)
    batch = torch.stack([
        torch.from_numpy(numpy.array(Image.open(p))).permute(2, 0, 1).float() / 255
        for p in paths])
    net = yolo.model
    with torch.no_grad():
        net.train()
        for _ in range(4):
            net(batch)  # means and deviations of batch normalization
        net.eval()
        head = net.model[-1]
        if name.startswith("yolo26"):
            head.end2end = form == "end"
        # Scores, and factors of masks or places of points.
        spread(net, batch, head, ("cv3", "one2one_cv3"), 1.5, highest=0.005)
        if task != "obb":
            spread(net, batch, head, ("cv4", "one2one_cv4"), 1.0)
    yolo.model = net
    made = yolo.export(format="onnx", imgsz=SIZE, simplify=False, **FORMS.get(form, {"nms": None}))
    os.replace(made, path)
    return path


def found_by_predictor(path, task, picture):
    """Objects of Ultralytics: label, score, box, corners, points and mask."""
    result = YOLO(path, task=task).predict(
        picture, imgsz=SIZE, conf=CONFIDENCE, iou=1.0, max_det=LIMIT, retina_masks=True,
        verbose=False, device="cpu")[0]
    boxes = result.obb if task == "obb" else result.boxes
    objects = []
    for index in range(len(boxes)):
        one = {"class": int(boxes.cls[index]), "score": float(boxes.conf[index]),
               "box": boxes.xyxy[index].numpy()}
        if task == "obb":
            one["corners"] = result.obb.xyxyxyxy[index].numpy().reshape(4, 2)
        if task == "pose":
            one["keypoints"] = result.keypoints.data[index].numpy()
        if task == "segment":
            one["mask"] = result.masks.data[index].numpy() > 0.5
        objects.append(one)
    return objects


def found_by_fovea(command, path, picture):
    """The same objects of Fovea."""
    run = subprocess.run(
        [command, "detect", "--model", path, picture, "--json", "--confidence", str(CONFIDENCE),
         "--iou", "1", "--max", str(LIMIT)], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    objects = []
    for found in json.loads(run.stdout)["images"][0]["objects"]:
        x, y, width, height = found["bbox"]
        one = {"class": found["labelIndex"], "score": found["confidence"],
               "box": numpy.array([x, y, x + width, y + height])}
        if "corners" in found:
            one["corners"] = numpy.array(found["corners"]).reshape(4, 2)
        if "keypoints" in found:
            one["keypoints"] = numpy.array(found["keypoints"]).reshape(-1, 3)
        if "segmentation" in found:
            one["mask"] = run_lengths.decode(found["segmentation"]).astype(bool)
        objects.append(one)
    return objects


def difference(one, other, kind):
    """How far two objects are apart."""
    if kind == "mask":
        both = numpy.logical_and(one["mask"], other["mask"]).sum()
        return 1 - both / max(1, numpy.logical_or(one["mask"], other["mask"]).sum())
    if kind == "corners":
        # The first corner is another one here and there.
        return min(numpy.abs(numpy.roll(one["corners"], turn, 0)[::way] - other["corners"]).max()
                   for turn in range(4) for way in (1, -1))
    if kind == "keypoints":
        # The predictor moves points into the picture.
        inside = [side["keypoints"][:, :2].clip(0, SIZE) for side in (one, other)]
        return numpy.abs(inside[0] - inside[1]).max()
    return numpy.abs(one["box"].clip(0, SIZE) - other["box"].clip(0, SIZE)).max()


def compare(command, name, task, paths, folder):
    """Prints a row; whether the network agrees."""
    path = network(name, task, paths, folder)
    kind = {"segment": "mask", "pose": "keypoints", "obb": "corners"}[task]
    wanted = paired = 0
    worst = {"box": 0.0, kind: 0.0}
    for picture in paths:
        theirs = found_by_predictor(path, task, picture)
        ours = found_by_fovea(command, path, picture)
        wanted += max(len(theirs), len(ours))
        kinds = ["corners"] if task == "obb" else ["box", kind]
        for one in theirs:
            near = [other for other in ours if other["class"] == one["class"]
                    and abs(other["score"] - one["score"]) < 1e-3
                    and difference(one, other, kinds[0]) <= MOST[kinds[0]]]
            near = sorted(near, key=lambda other: max(difference(one, other, k) for k in kinds))
            if near:
                paired += 1
                ours = [other for other in ours if other is not near[0]]
                for what in kinds:
                    worst[what] = max(worst[what], float(difference(one, near[0], what)))
    agrees = wanted >= 20 and paired >= LEAST_PAIRED * wanted and all(
        worst[what] <= MOST[what] for what in worst)
    print(f"{'ok  ' if agrees else 'FAIL'} {name:17} {paired:5} of {wanted:5} objects,"
          + ", ".join(f" {what} {value:.4f}" for what, value in worst.items()), flush=True)
    return agrees


def main():
    command, images, folder = sys.argv[1:]
    paths = pictures(images, folder)
    failed = [name for name, task in NETWORKS
              if not compare(command, name, task, paths, folder)]
    print(f"{len(NETWORKS) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


main()
