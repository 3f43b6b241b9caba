"""Fovea - from candidates to detections: thresholds, greedy and soft suppression, box voting, as `fovea detect` does it.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch

from fovea_training.learning.network import TinyDetector, candidates

SUPPRESSION_OVERLAP = 0.45

#: What overlaps a box that is kept by as much moves it.
VOTING_OVERLAP = 0.5

#: The part of its overlap with a better object that an object loses of its confidence.
SOFT_SUPPRESSION = 1.0

MOST_DETECTIONS = 100


@dataclass
class Detections:
    """Boxes `[N, 4]` (left, top, right, bottom as shares of the picture), class numbers and confidences, best first."""

    boxes: np.ndarray
    classes: np.ndarray
    confidences: np.ndarray


def overlaps(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """IoU of one box with `[N, 4]` others."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=1)
    return shared / (np.prod(box[2:] - box[:2]) + np.prod(others[:, 2:] - others[:, :2], axis=1) - shared + 1e-12)


def suppressed(confidence: np.ndarray, centres: np.ndarray, threshold: float) -> Detections:
    """Suppression inside each class, greedy and then soft; every candidate stands for its best class."""
    classes = confidence.argmax(axis=1)
    scores = confidence.max(axis=1)
    chosen = np.flatnonzero(scores >= threshold)
    chosen = chosen[np.argsort(-scores[chosen], kind="stable")]
    boxes = np.column_stack([centres[:, :2] - centres[:, 2:] / 2, centres[:, :2] + centres[:, 2:] / 2])
    kept: list[int] = []
    voters = chosen
    while len(chosen):
        best, chosen = chosen[0], chosen[1:]
        kept.append(int(best))
        rivals = (classes[chosen] == classes[best]) & (overlaps(boxes[best], boxes[chosen]) > SUPPRESSION_OVERLAP)
        chosen = chosen[~rivals]
    lowered = np.array([_lowered(boxes, classes, scores, kept, place) for place in range(len(kept))])
    left = np.argsort(-lowered, kind="stable")[:MOST_DETECTIONS]
    left = left[lowered[left] >= threshold]
    voted = [_voted(boxes, scores, best, voters[classes[voters] == classes[best]]) for best in np.array(kept, int)[left]]
    return Detections(np.array(voted).reshape(-1, 4).clip(0, 1), classes[kept][left], lowered[left])


def _lowered(boxes: np.ndarray, classes: np.ndarray, scores: np.ndarray, kept: list[int], place: int) -> float:
    """What a box that stayed keeps of its score beside better ones of its class (`CSources/detect/fov_suppression.c`)."""
    own = kept[place]
    better = [other for other in kept[:place] if classes[other] == classes[own]]
    overlap = overlaps(boxes[own], boxes[better]).max() if better else 0.0
    return float(scores[own]) * (1 - SOFT_SUPPRESSION * overlap)


def _voted(boxes: np.ndarray, scores: np.ndarray, best: int, voters: np.ndarray) -> np.ndarray:
    """The mean of a box and those that fit it, by the squares of their scores (`CSources/detect/fov_suppression.c`)."""
    fitting = voters[(voters == best) | (overlaps(boxes[best], boxes[voters]) >= VOTING_OVERLAP)]
    return np.average(boxes[fitting], axis=0, weights=scores[fitting].astype(float) ** 2)


def network_input(picture: np.ndarray, side: int) -> torch.Tensor:
    """A BGR picture stretched to the input, `[1, 3, side, side]`, RGB in 0...1; large pictures are averaged down."""
    method = cv2.INTER_AREA if min(picture.shape[:2]) > 2 * side else cv2.INTER_LINEAR
    resized = cv2.cvtColor(cv2.resize(picture, (side, side), interpolation=method), cv2.COLOR_BGR2RGB)
    return torch.from_numpy(resized).permute(2, 0, 1)[None].float() / 255


@torch.inference_mode()
def detect(network: TinyDetector, inputs: torch.Tensor, threshold: float) -> list[Detections]:
    """Detections of a batch of inputs."""
    confidence, boxes = candidates(network, inputs.to(network.anchors.device))
    return [suppressed(c, b, threshold) for c, b in zip(confidence.cpu().numpy(), boxes.cpu().numpy())]
