# Fovea - small classifiers of the zoo.
# SPDX-License-Identifier: Apache-2.0
"""EfficientNet-Lite0, and torchvision's MobileNetV3-small and ResNet-18, up to their logits."""
import torch
from torch import nn

from zoo_efficientdet import STAGES, EfficientNetLite0, unit
from zoo_statistics import classifier

CLASSES = 1000


def mobilenetv3_small(pictures, seed):
    from torchvision.models import mobilenet_v3_small
    torch.manual_seed(seed)
    network = mobilenet_v3_small(weights=None)
    return classifier(network, network.classifier[-1], pictures, seed)


def resnet18(pictures, seed):
    from torchvision.models import resnet18 as definition
    torch.manual_seed(seed)
    network = definition(weights=None)
    return classifier(network, network.fc, pictures, seed)


class Lite0Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.top = EfficientNetLite0(), unit(STAGES[-1][3], 1280)
        self.last = nn.Linear(1280, CLASSES)

    def forward(self, x):
        return self.last(self.top(self.backbone(x)[-1]).mean((2, 3)))


def efficientnet_lite0(pictures, seed):
    torch.manual_seed(seed)
    network = Lite0Classifier()
    return classifier(network, network.last, pictures, seed)
