# Fovea - SSDLite on MobileNetV3 of the zoo, from torchvision.
# SPDX-License-Identifier: Apache-2.0
"""ssdlite320_mobilenet_v3_large up to its suppression: scores, and boxes over the picture."""
import torch
from torch import nn
from torch.nn import functional

from zoo_statistics import aim, finished, settle

CLASSES = 80


class Ssdlite(nn.Module):
    def __init__(self, network, side):
        super().__init__()
        from torchvision.models.detection.image_list import ImageList
        self.backbone, self.head = network.backbone.eval(), network.head.eval()
        empty = torch.zeros(1, 3, side, side)
        with torch.no_grad():
            maps = list(self.backbone(empty).values())
            corners = network.anchor_generator(ImageList(empty, [(side, side)]), maps)[0] / side
        self.register_buffer("centers", (corners[:, :2] + corners[:, 2:]) / 2)
        self.register_buffer("sizes", corners[:, 2:] - corners[:, :2])

    def predictions(self, x):
        found = self.head(list(self.backbone(x).values()))
        return found["cls_logits"], found["bbox_regression"]

    def forward(self, x):
        logits, offsets = self.predictions(x)
        scores, offsets = functional.softmax(logits, dim=-1)[0], offsets[0]
        centers = offsets[:, :2] * 0.1 * self.sizes + self.centers
        sizes = torch.exp(torch.clamp(offsets[:, 2:] * 0.2, max=4.135)) * self.sizes
        return scores[:, 1:], torch.cat((centers, sizes), 1)


def last_convolutions(part):
    return [m for m in part.modules() if isinstance(m, nn.Conv2d) and m.bias is not None]


def ssdlite(pictures, seed):
    from torchvision.models.detection import ssdlite320_mobilenet_v3_large
    torch.manual_seed(seed)
    network = Ssdlite(ssdlite320_mobilenet_v3_large(
        weights=None, weights_backbone=None, num_classes=CLASSES + 1), pictures.shape[-1])

    def run(x=pictures):
        return network.predictions(x)
    settle(network, pictures, seed, run)
    aim(last_convolutions(network.head.classification_head), run, 0.0, 2.0)
    aim(last_convolutions(network.head.regression_head), run, 0.0, 1.2)
    return finished(network)
