"""Fovea - a network of twice the channels that predicts what a trained one does (T. Chen et al., Net2Net, arXiv:1511.05641, section 2.3).

Every channel gets a twin. What reads a channel and its twin takes half of its weight from each, and a random number more from the one than
from the other: while twins are equal this changes nothing, but their gradients differ, so that they become two features.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from fovea_training.learning.network import Block, TinyDetector


def _reading_twins(weight: Tensor) -> Tensor:
    """Weights `[outputs, 2 inputs, ...]` for inputs and then their twins, as widely spread as so many inputs want: sqrt(1/2) of before."""
    apart = torch.randn_like(weight) * (weight.std() / 2)
    return torch.cat([weight / 2 + apart, weight / 2 - apart], dim=1)


def _doubled(block: Block, into: Block, parts: list[int]) -> None:
    """Twins of all channels of a block, each with random numbers of its own; `parts` are its inputs: tensors that are concatenated."""
    weights = [torch.cat([_reading_twins(part) for part in block[0].weight.split(parts, dim=1)], dim=1) for _ in range(2)]
    into[0].weight.copy_(torch.cat(weights))
    _double_normalisation(block[1], into[1])


def _double_normalisation(normalisation: nn.BatchNorm2d, into: nn.BatchNorm2d) -> None:
    for name, value in into.state_dict().items():
        before = normalisation.state_dict()[name]
        value.copy_(torch.cat([before, before]) if before.ndim else before)


def _beside(block: Block, into: Block) -> None:
    """Filters beside those of the first block, which reads pixels: they have no twins, are silent and stay so.

    Filters of random weights there were of little use to what learned to read them, and cost `int8` 2.5 dB: their ranges are not those of
    the others.
    """
    into[0].weight.zero_()
    into[0].weight[: len(block[0].weight)] = block[0].weight
    for name, before in block[1].state_dict().items():
        if before.ndim:
            into[1].state_dict()[name][: len(before)] = before


@torch.no_grad()
def widened(network: TinyDetector) -> TinyDetector:
    """The network with twice the channels; its predictions differ by rounding alone."""
    wide = TinyDetector(network.classes, network.anchors, 2 * network.width)
    _beside(network.stem[0], wide.stem[0])
    second, into = network.stem[1], wide.stem[1]
    # Nothing is read from the new filters of the first block.
    into[0].weight.copy_(torch.cat([torch.cat([second[0].weight, torch.zeros_like(second[0].weight)], dim=1)] * 2))
    _double_normalisation(second[1], into[1])
    blocks = [*network.stem[2:], *network.deep, network.coarse, network.lateral]
    for block, into in zip(blocks, [*wide.stem[2:], *wide.deep, wide.coarse, wide.lateral]):
        _doubled(block, into, [block[0].in_channels])
    lateral = network.lateral[0].out_channels
    _doubled(network.fine, wide.fine, [lateral, network.fine[0].in_channels - lateral])
    for head, into in ((network.coarse_head, wide.coarse_head), (network.fine_head, wide.fine_head)):
        into.weight.copy_(_reading_twins(head.weight))
        into.bias.copy_(head.bias)
    return wide.eval()
