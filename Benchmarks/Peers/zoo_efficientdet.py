# Fovea - a detector like EfficientDet-Lite0 of the zoo.
# SPDX-License-Identifier: Apache-2.0
"""EfficientNet-Lite0, three bidirectional pyramids of 64 channels, and shared heads.

Written after arXiv 1911.09070 in the form of its Lite models: ReLU6, no squeeze and excitation,
sums without weights. Normalizations of the heads are one a level, their convolutions shared. Two
outputs as the project exports them: scores, and offsets to the anchors.
"""
import torch
from torch import nn
from torch.nn import functional

from zoo_statistics import aim, finished, settle

CLASSES, ANCHORS, WIDTH, LEVELS, PYRAMIDS, DEPTH = 80, 9, 64, 5, 3, 3
# Of each stage: expansion, kernel, stride, channels, repeats (EfficientNet-B0 with a fixed stem).
STAGES = [(1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3),
          (6, 5, 2, 192, 4), (6, 3, 1, 320, 1)]
TAKEN = (2, 4, 6)


def unit(inputs, outputs, kernel=1, stride=1, groups=1, active=True):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
              nn.BatchNorm2d(outputs, eps=1e-3)]
    return nn.Sequential(*layers, *([nn.ReLU6()] if active else []))


class Inverted(nn.Module):
    """An inverted residual unit."""

    def __init__(self, inputs, outputs, expansion, kernel, stride):
        super().__init__()
        inner = inputs * expansion
        self.body = nn.Sequential(
            *([unit(inputs, inner)] if expansion > 1 else []),
            unit(inner, inner, kernel, stride, inner), unit(inner, outputs, active=False))
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.body(x) if self.adds else self.body(x)


class Merge(nn.Module):
    """A node of the pyramid: a sum, then a separable convolution."""

    def __init__(self):
        super().__init__()
        self.depthwise = nn.Conv2d(WIDTH, WIDTH, 3, 1, 1, groups=WIDTH, bias=False)
        self.pointwise = unit(WIDTH, WIDTH, active=False)

    def forward(self, *maps):
        total = maps[0]
        for other in maps[1:]:
            total = total + other
        return self.pointwise(self.depthwise(functional.relu6(total)))


class Pyramid(nn.Module):
    """Down through the levels and up again."""

    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList(Merge() for _ in range(LEVELS - 1))
        self.up = nn.ModuleList(Merge() for _ in range(LEVELS - 1))
        self.pool = nn.MaxPool2d(3, 2, 1)

    def forward(self, maps):
        inner = [maps[-1]]
        for merge, own in zip(self.down, maps[-2::-1]):
            # Doubled and cut: 3 rows become 5. Runtimes do not agree about a factor of 5/3.
            rows, columns = own.shape[-2:]
            above = functional.interpolate(inner[0], scale_factor=2.0, mode="nearest")
            inner.insert(0, merge(own, above[..., :rows, :columns]))
        found = [inner[0]]
        for level, merge in enumerate(self.up, 1):
            above = self.pool(found[-1])
            own = [maps[level]] if level == LEVELS - 1 else [maps[level], inner[level]]
            found.append(merge(*own, above))
        return found


class Head(nn.Module):
    """Separable convolutions that all levels share, with normalizations of their own."""

    def __init__(self, outputs):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(
            nn.Conv2d(WIDTH, WIDTH, 3, 1, 1, groups=WIDTH, bias=False),
            nn.Conv2d(WIDTH, WIDTH, 1)) for _ in range(DEPTH))
        self.norms = nn.ModuleList(nn.ModuleList(
            nn.BatchNorm2d(WIDTH, eps=1e-3) for _ in range(LEVELS)) for _ in range(DEPTH))
        self.gather = nn.Conv2d(WIDTH, WIDTH, 3, 1, 1, groups=WIDTH, bias=False)
        self.last = nn.Conv2d(WIDTH, ANCHORS * outputs, 1)
        self.outputs = outputs

    def forward(self, maps):
        rows = []
        for level, x in enumerate(maps):
            for layer, norms in zip(self.layers, self.norms):
                x = functional.relu6(norms[level](layer(x)))
            x = self.last(self.gather(x)).permute(0, 2, 3, 1)
            rows.append(x.reshape(x.shape[0], -1, self.outputs))
        return torch.cat(rows, 1)


class EfficientNetLite0(nn.Module):
    """The stem and the seven stages."""

    def __init__(self):
        super().__init__()
        self.stem, self.stages, inputs = unit(3, 32, 3, 2), nn.ModuleList(), 32
        for expansion, kernel, stride, outputs, repeats in STAGES:
            units = []
            for number in range(repeats):
                units.append(Inverted(inputs, outputs, expansion, kernel,
                                      stride if number == 0 else 1))
                inputs = outputs
            self.stages.append(nn.Sequential(*units))

    def forward(self, x):
        """What the stages give, one after the other."""
        x, maps = self.stem(x), []
        for stage in self.stages:
            x = stage(x)
            maps.append(x)
        return maps


class EfficientDetLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = EfficientNetLite0()
        taken, last = [STAGES[place][3] for place in TAKEN], STAGES[-1][3]
        self.laterals = nn.ModuleList(unit(n, WIDTH, active=False) for n in taken)
        self.extra, self.pool = unit(last, WIDTH, active=False), nn.MaxPool2d(3, 2, 1)
        self.pyramids = nn.ModuleList(Pyramid() for _ in range(PYRAMIDS))
        self.classes, self.boxes = Head(CLASSES), Head(4)

    def forward(self, x):
        stages = self.backbone(x)
        maps = [lateral(stages[place]) for lateral, place in zip(self.laterals, TAKEN)]
        maps.append(self.pool(self.extra(stages[-1])))
        maps.append(self.pool(maps[-1]))
        for pyramid in self.pyramids:
            maps = pyramid(maps)
        return self.classes(maps).sigmoid(), self.boxes(maps)


def efficientdet_lite_like(pictures, seed):
    torch.manual_seed(seed)
    network = EfficientDetLike()
    settle(network, pictures, seed)
    aim([network.classes.last], lambda: network(pictures), -4.0, 1.8)
    aim([network.boxes.last], lambda: network(pictures), 0.0, 0.8)
    return finished(network)
