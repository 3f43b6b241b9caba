"""Fovea - the state of a training in one file: weights, their moving average, the optimiser, and how far it has come.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import copy
import os
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from fovea_training.classes import CLASS_NAMES
from fovea_training.learning.network import ANCHORS_PER_HEAD, TinyDetector


class MovingAverage:
    """An exponential moving average of a network, which forgets faster while it is young."""

    def __init__(self, network: TinyDetector, decay: float = 0.999) -> None:
        self.network = copy.deepcopy(network).eval()
        self.decay, self.updates = decay, 0

    @torch.no_grad()
    def update(self, network: TinyDetector) -> None:
        """Moves the average a little towards the network."""
        self.updates += 1
        decay = min(self.decay, (1 + self.updates) / (20 + self.updates))
        current = network.state_dict()
        for name, value in self.network.state_dict().items():
            if value.dtype.is_floating_point:
                value.lerp_(current[name], 1 - decay)
            else:
                value.copy_(current[name])


@dataclass
class TrainingState:
    """What `save` writes; `step` is also the number of the next batch, which is all that the position in the data is."""

    network: TinyDetector
    average: MovingAverage
    optimiser: torch.optim.Optimizer
    step: int

    def save(self, path: Path) -> None:
        """Writes the state; a file that is there is replaced only by a whole one."""
        content = {
            "classes": CLASS_NAMES,
            "width": self.network.width,
            "network": self.network.state_dict(),
            "average": self.average.network.state_dict(),
            "updates": self.average.updates,
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }
        unfinished = path.with_suffix(".unfinished")
        torch.save(content, unfinished)
        os.replace(unfinished, path)

    def restore(self, path: Path) -> None:
        """Goes on from a file."""
        content = torch.load(path, weights_only=True, map_location=self.network.anchors.device)
        self.network.load_state_dict(content["network"])
        self.average.network.load_state_dict(content["average"])
        self.average.updates = content["updates"]
        self.optimiser.load_state_dict(content["optimiser"])
        self.step = content["step"]


def condense(checkpoint: Path, path: Path, objectness_shift: float = 0.0) -> None:
    """Writes the averaged network of a checkpoint alone; weights of convolutions, which are nearly all of it, with 16 bits.

    `objectness_shift` is added to the objectness of all predictions before its sigmoid: it moves what a confidence means and keeps the
    order of what is found.
    """
    content = _of_these_classes(checkpoint)
    for head in ("coarse_head.bias", "fine_head.bias"):
        content["average"][head].view(ANCHORS_PER_HEAD, -1)[:, 4] += objectness_shift
    average = {name: value.half() if value.ndim == 4 else value for name, value in content["average"].items()}
    torch.save({"classes": content["classes"], "width": content["width"], "average": average}, path)


def trained_network(path: Path) -> TinyDetector:
    """The averaged network of a checkpoint, whole or condensed, ready to predict."""
    content = _of_these_classes(path)
    state: dict[str, Tensor] = content["average"]
    network = TinyDetector(len(CLASS_NAMES), state["anchors"], content["width"])
    network.load_state_dict(state)
    return network.eval()


def _of_these_classes(path: Path) -> dict:
    content = torch.load(path, weights_only=True, map_location="cpu")
    if tuple(content["classes"]) != CLASS_NAMES:
        raise ValueError(f"{path} was trained for the classes {content['classes']}, not {CLASS_NAMES}: train again")
    return content
