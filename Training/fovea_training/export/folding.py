"""Fovea - batch normalisation multiplied into the convolution before it.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import nn

from fovea_training.learning.network import Block


@dataclass(frozen=True)
class Convolution:
    """Weights `[outputs, inputs, rows, columns]` and bias `[outputs]`, float32."""

    weights: np.ndarray
    bias: np.ndarray


def folded(block: Block) -> Convolution:
    """The convolution of a block with its normalisation inside, computed in float64: w' = w g / sqrt(v + e), b' = b - m g / sqrt(v + e)."""
    convolution, normalisation = block[0], block[1]
    weights = convolution.weight.detach().double().numpy()
    scale = normalisation.weight.detach().double().numpy() / np.sqrt(normalisation.running_var.double().numpy() + normalisation.eps)
    bias = normalisation.bias.detach().double().numpy() - normalisation.running_mean.double().numpy() * scale
    return Convolution((weights * scale[:, None, None, None]).astype(np.float32), bias.astype(np.float32))


def plain(convolution: nn.Conv2d) -> Convolution:
    """A convolution that has a bias of its own."""
    return Convolution(convolution.weight.detach().float().numpy(), convolution.bias.detach().float().numpy())
