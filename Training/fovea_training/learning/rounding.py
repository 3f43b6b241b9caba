"""Fovea - convolutions that compute, while they learn, with what 8-bit integers leave of their inputs and weights.

What they learn then does not depend on what the `int8` backend rounds away. The gradient is that without rounding (Y. Bengio et al.,
arXiv:1308.3432); the rounding is that of B. Jacob et al., arXiv:1712.05877.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

_LEAST = 1e-12


def rounded_inputs(x: Tensor) -> Tensor:
    """Values in 255 steps over the range of each picture, which contains 0."""
    with torch.no_grad():
        low = x.amin(dim=(1, 2, 3), keepdim=True).clamp(max=0).float()
        step = (x.amax(dim=(1, 2, 3), keepdim=True).clamp(min=0).float() - low).clamp(min=_LEAST) / 255
        # 0 is a level: what surrounds the picture is no error.
        lost = x / step
        lost = lost.round().sub_(lost).mul_(step).to(x.dtype)
    return x + lost


def rounded_weights(weights: Tensor) -> Tensor:
    """Weights in steps of a 127th of the largest of each output; a normalisation multiplied in changes the steps alike."""
    with torch.no_grad():
        step = weights.abs().amax(dim=(1, 2, 3), keepdim=True).clamp(min=_LEAST) / 127
        lost = (weights / step).round() * step - weights
    return weights + lost


class RoundingConvolution(nn.Conv2d):
    """A convolution that rounds while it learns, where `rounds` says so."""

    rounds = False

    def forward(self, x: Tensor) -> Tensor:
        """The convolution of `x`."""
        if not (self.rounds and self.training):
            return super().forward(x)
        return self._conv_forward(rounded_inputs(x), rounded_weights(self.weight), self.bias)
