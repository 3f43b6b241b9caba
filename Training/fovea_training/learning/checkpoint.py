"""Fovea - the state of a training in one file: weights, their moving average, the optimiser, and how far it has come.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import copy
import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from fovea_training.classes import CLASS_NAMES
from fovea_training.learning.network import Block, TinyDetector


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


class CodedWeights(NamedTuple):
    """Weights of a convolution, its normalisation inside: a table of at most 256 values and the code of each."""

    table: Tensor
    codes: Tensor


def save_condensed(network: TinyDetector, tables: dict[str, CodedWeights], path: Path) -> None:
    """Writes a network alone; for weights of convolutions, which are nearly all of it, `tables`, by the names of blocks and heads."""
    average = network.state_dict() | {_weights_of(network, name): weights._asdict() for name, weights in tables.items()}
    torch.save({"classes": CLASS_NAMES, "width": network.width, "average": average}, path)


def trained_network(path: Path) -> TinyDetector:
    """The averaged network of a checkpoint, whole or condensed, ready to predict."""
    content = _of_these_classes(path)
    stored: dict[str, Tensor | dict[str, Tensor]] = content["average"]
    network = TinyDetector(len(CLASS_NAMES), stored["anchors"], content["width"])
    decoded = {name: value["table"][value["codes"].int()] for name, value in stored.items() if isinstance(value, dict)}
    network.load_state_dict(stored | decoded)
    for name, module in network.named_modules():
        if isinstance(module, Block) and _weights_of(network, name) in decoded:
            module.unfold()
    return network.eval()


def _weights_of(network: TinyDetector, name: str) -> str:
    """What the state calls the weights of a block or a head."""
    return f"{name}.0.weight" if isinstance(network.get_submodule(name), Block) else f"{name}.weight"


def _of_these_classes(path: Path) -> dict:
    content = torch.load(path, weights_only=True, map_location="cpu")
    if tuple(content["classes"]) != CLASS_NAMES:
        raise ValueError(f"{path} was trained for the classes {content['classes']}, not {CLASS_NAMES}: train again")
    return content
