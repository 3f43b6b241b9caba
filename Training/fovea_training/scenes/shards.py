"""Fovea - scenes on disk: shards of a few hundred JPEG pictures in one file, with an index beside it.

A shard is `scenes-NNNNNN.jpegs`, pictures one after the other, and `scenes-NNNNNN.json`:
`{"firstSeed", "scenes": [{"offset", "length", "width", "height", "objects": [[class, left, top, right, bottom, ignored]]}]}`.
The index is written last, under its final name only when it is whole: a shard without an index does not exist.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from fovea_training.classes import CLASS_NAMES
from fovea_training.scenes.scene import Scene, Subject, draw_scene

SCENES_PER_SHARD = 200

#: First seeds of the sets; they never meet.
VALIDATION_SEEDS, HELD_OUT_SEEDS = 500_000, 9_000_000

#: The same of what is trained on, and the number of the first shard, by what the scenes are of.
TRAINING_SETS = {Subject.ANYTHING: (1_000_000, 0), Subject.WRITTEN: (3_000_000, 100_000), Subject.LISTED: (6_000_000, 200_000)}


def encoded(scene: Scene, seed: int) -> bytes:
    """The picture as a JPEG file, at a quality that the seed decides."""
    quality = int(np.random.default_rng([seed, 1]).integers(55, 96))
    return cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def write_shard(folder: Path, number: int, first_seed: int, count: int, subject: Subject) -> None:
    """Draws `count` scenes of a subject and writes them as shard `number`; does nothing if it is there."""
    index_path = folder / f"scenes-{number:06d}.json"
    if index_path.exists():
        return
    entries, offset = [], 0
    with open(folder / f"scenes-{number:06d}.jpegs", "wb") as pictures:
        for seed in range(first_seed, first_seed + count):
            scene = draw_scene(seed, subject)
            data = encoded(scene, seed)
            pictures.write(data)
            objects = [[CLASS_NAMES.index(one.label), *(round(value, 2) for value in one.box), int(one.ignored)] for one in scene.objects]
            height, width = scene.image.shape[:2]
            entries.append({"offset": offset, "length": len(data), "width": width, "height": height, "objects": objects})
            offset += len(data)
    unfinished = index_path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps({"firstSeed": first_seed, "scenes": entries}, separators=(",", ":")))
    os.replace(unfinished, index_path)


@dataclass(frozen=True)
class StoredScene:
    """Where a scene lies, and its objects as rows of class, left, top, right, bottom (shares of the picture), ignored."""

    path: str
    offset: int
    length: int
    objects: np.ndarray

    def picture(self) -> np.ndarray:
        """The decoded picture, BGR."""
        with open(self.path, "rb") as pictures:
            pictures.seek(self.offset)
            return cv2.imdecode(np.frombuffer(pictures.read(self.length), np.uint8), cv2.IMREAD_COLOR)


def stored_scenes(folder: Path) -> list[StoredScene]:
    """All scenes of a folder, in the order of their shards."""
    scenes = []
    for index_path in sorted(folder.glob("scenes-*.json")):
        for entry in json.loads(index_path.read_text())["scenes"]:
            objects = np.array(entry["objects"], np.float32).reshape(-1, 6)
            objects[:, 1:5] /= np.array([entry["width"], entry["height"]] * 2, np.float32)
            scenes.append(StoredScene(str(index_path.with_suffix(".jpegs")), entry["offset"], entry["length"], objects))
    return scenes
