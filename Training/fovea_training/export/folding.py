"""Fovea - convolutions as arrays, the normalisation behind them inside.

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
    """The convolution of a block with its normalisation inside."""
    weights, bias = block.folded()
    return Convolution(weights.float().numpy(), bias.float().numpy())


def plain(convolution: nn.Conv2d) -> Convolution:
    """A convolution that has a bias of its own."""
    return Convolution(convolution.weight.detach().float().numpy(), convolution.bias.detach().float().numpy())
