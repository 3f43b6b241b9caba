"""Fovea - batches by number: the same number is the same batch, so that a run that was stopped goes on where it was.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from fovea_training.learning import augmentation
from fovea_training.scenes.shards import StoredScene


@dataclass(frozen=True)
class Phase:
    """A stretch of the training at one size of the input."""

    side: int
    steps: int
    #: Smallest side of a crop as a share of the scene: small inputs look at parts, so that small things stay as large as they will be.
    smallest_window: float

    @staticmethod
    def parsed(text: str) -> list[Phase]:
        """Phases from `side:steps,side:steps`."""
        phases = []
        for part in text.split(","):
            side, steps = (int(number) for number in part.split(":"))
            phases.append(Phase(side, steps, float(np.clip(side / 416 * 0.75, 0.35, 0.75))))
        return phases


class Batches(Dataset):
    """Batch `step` of a training: images `[count, 3, side, side]` (8 bits, RGB) and objects `[total, 7]` (picture, class, box, ignored).

    Every scene is seen once before any is seen again. A mosaic takes the three scenes that follow as well.
    """

    def __init__(self, scenes: list[StoredScene], phases: list[Phase], count: int, seed: int, mosaic_share: float) -> None:
        self.scenes, self.phases, self.count, self.seed, self.mosaic_share = scenes, phases, count, seed, mosaic_share
        self._epoch, self._order = -1, np.zeros(0, int)

    def __len__(self) -> int:
        return sum(phase.steps for phase in self.phases)

    def phase_of(self, step: int) -> Phase:
        """The phase to which a step belongs."""
        for phase in self.phases:
            if step < phase.steps:
                return phase
            step -= phase.steps
        return self.phases[-1]

    def _scene(self, position: int) -> StoredScene:
        epoch, place = divmod(position, len(self.scenes))
        if epoch != self._epoch:
            self._epoch, self._order = epoch, np.random.default_rng([self.seed, epoch]).permutation(len(self.scenes))
        return self.scenes[int(self._order[place])]

    def __getitem__(self, step: int) -> tuple[Tensor, Tensor]:
        phase = self.phase_of(step)
        images, rows = [], []
        for place in range(self.count):
            position = step * self.count + place
            rng = np.random.default_rng([self.seed, 7, position])
            if rng.random() < self.mosaic_share:
                image, objects = self._mosaic(rng, position, phase)
            else:
                image, objects = self._single(rng, position, phase.side, phase.smallest_window)
            objects = augmentation.ignored_where_small(objects, phase.side)
            images.append(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
            rows.append(np.column_stack([np.full(len(objects), place, np.float32), objects]))
        stacked = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2)
        return stacked, torch.from_numpy(np.concatenate(rows).astype(np.float32))

    def _single(self, rng: np.random.Generator, position: int, side: int, smallest: float) -> tuple[np.ndarray, np.ndarray]:
        scene = self._scene(position)
        image = scene.picture()
        window = augmentation.window_of(rng, smallest) if rng.random() < 0.7 else np.array([0, 0, 1, 1], np.float32)
        objects = augmentation.cropped(scene.objects.copy(), window)
        image = augmentation.coloured(rng, augmentation.resized_window(rng, image, window, side))
        if rng.random() < 0.2:
            image, objects = augmentation.turned(image, objects, int(rng.integers(1, 4)))
        return image, objects

    def _mosaic(self, rng: np.random.Generator, position: int, phase: Phase) -> tuple[np.ndarray, np.ndarray]:
        """Four scenes in the quarters of a picture; crops keep their things at the size they have elsewhere."""
        side = phase.side // 2
        quarters, rows = [], []
        for quarter in range(4):
            image, objects = self._single(rng, position + quarter, side, 0.35)
            corner = np.array([quarter % 2, quarter // 2] * 2, np.float32)
            objects[:, 1:5] = (objects[:, 1:5] + corner) / 2
            quarters.append(image)
            rows.append(objects)
        image = np.vstack([np.hstack(quarters[:2]), np.hstack(quarters[2:])])
        return image, np.concatenate(rows)
