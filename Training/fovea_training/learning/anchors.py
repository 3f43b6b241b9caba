"""Fovea - shapes of boxes that stand for all others: k-means under the distance 1 - IoU (YOLO9000, arXiv:1612.08242, section 2).

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def shape_overlap(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """IoU `[N, M]` of boxes `[N, 2]` and `[M, 2]` (width, height) laid on one centre."""
    shared = np.minimum(first[:, None], second[None]).prod(axis=2)
    return shared / (first.prod(axis=1)[:, None] + second.prod(axis=1)[None] - shared)


def clustered_anchors(shapes: np.ndarray, seed: int = 0, rounds: int = 60) -> Tensor:
    """Six anchors for `shapes [N, 2]` (shares of the input), as `[2, 3, 2]`: the larger three for the coarse head."""
    rng = np.random.default_rng(seed)
    if len(shapes) > 20_000:
        shapes = shapes[rng.choice(len(shapes), 20_000, replace=False)]
    order = np.argsort(shapes.prod(axis=1))
    # Starting at quantiles of the area makes the result the same for any order of the boxes.
    centres = shapes[order[np.linspace(0, len(shapes) - 1, 8).astype(int)[1:-1]]].astype(np.float64)
    for _ in range(rounds):
        nearest = shape_overlap(shapes, centres).argmax(axis=1)
        centres = np.stack([np.median(shapes[nearest == k], axis=0) if (nearest == k).any() else centres[k] for k in range(6)])
    centres = centres[np.argsort(centres.prod(axis=1))]
    return torch.tensor(np.stack([centres[3:], centres[:3]]), dtype=torch.float32)


def mean_best_overlap(shapes: np.ndarray, anchors: Tensor) -> float:
    """How well anchors stand for shapes: the mean IoU of each with its best."""
    return float(shape_overlap(shapes, anchors.reshape(-1, 2).numpy()).max(axis=1).mean())
