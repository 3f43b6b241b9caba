"""Fovea - networks between where a training began and where it came to.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import torch

from fovea_training.learning.network import TinyDetector


@torch.no_grad()
def blend(network: TinyDetector, earlier: TinyDetector, share: float) -> None:
    """Moves `network` back towards the one it was trained from: weights become (1 - share) of its own and share of the earlier one's.

    M. Wortsman et al., Robust fine-tuning of zero-shot models, arXiv:2109.01903: what lies between is often better than both.
    """
    others = earlier.state_dict()
    for name, own in network.state_dict().items():
        if own.is_floating_point():
            own.copy_(own.double() * (1 - share) + others[name].double() * share)
