"""Fovea - scenes as a folder of JPEG files with annotations in COCO's JSON.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from fovea_training.classes import CLASS_NAMES
from fovea_training.scenes.scene import Scene
from fovea_training.scenes.shards import encoded


def write_coco(folder: Path, scenes: Iterable[tuple[int, Scene]]) -> int:
    """Writes `folder/images/SEED.jpg` and `folder/instances.json` for seeds and scenes; returns the bytes of it all.

    Objects that need neither be found nor be missed are crowds, as COCO marks them.
    """
    images_folder = folder / "images"
    images_folder.mkdir(parents=True, exist_ok=True)
    images: list[dict] = []
    annotations: list[dict] = []
    total = 0
    for seed, scene in scenes:
        data = encoded(scene, seed)
        total += len(data)
        (images_folder / f"{seed}.jpg").write_bytes(data)
        height, width = scene.image.shape[:2]
        images.append({"id": len(images) + 1, "file_name": f"{seed}.jpg", "width": width, "height": height})
        for one in scene.objects:
            left, top, right, bottom = (round(value, 1) for value in one.box)
            box = [left, top, round(right - left, 1), round(bottom - top, 1)]
            annotations.append({"id": len(annotations) + 1, "image_id": len(images), "category_id": CLASS_NAMES.index(one.label) + 1,
                                "bbox": box, "area": round(box[2] * box[3], 1), "iscrowd": int(one.ignored)})  # fmt: skip
    categories = [{"id": number, "name": name} for number, name in enumerate(CLASS_NAMES, 1)]
    text = json.dumps({"images": images, "annotations": annotations, "categories": categories}, separators=(",", ":"))
    (folder / "instances.json").write_text(text + "\n")
    return total + len(text)
