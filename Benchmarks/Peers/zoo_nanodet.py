# Fovea - a detector like NanoDet of the zoo.
# SPDX-License-Identifier: Apache-2.0
"""ShuffleNetV2 1.0x, a pyramid of depthwise units, and heads of generalized focal loss.

Written after NanoDet-Plus-m (Apache license): four levels, boxes as distances to the four sides,
each the mean of a distribution over eight steps. Two outputs: scores, and corners in pixels.
"""
import torch
from torch import nn
from torch.nn import functional

from zoo_statistics import aim, finished, settle

CLASSES, STEPS, STRIDES, WIDTH = 80, 8, (8, 16, 32, 64), 96


def unit(inputs, outputs, kernel=1, stride=1, groups=1, active=True):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
              nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers, *([nn.LeakyReLU(0.1)] if active else []))


def separable(inputs, outputs, stride=1):
    return nn.Sequential(unit(inputs, inputs, 5, stride, inputs), unit(inputs, outputs))


class Shuffle(nn.Module):
    """A unit of ShuffleNetV2: half of the channels pass, then all are shuffled."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        half = outputs // 2
        into = inputs if stride > 1 else inputs // 2
        self.aside = nn.Sequential(unit(inputs, inputs, 3, stride, inputs, False),
                                   unit(inputs, half)) if stride > 1 else None
        self.main = nn.Sequential(unit(into, half), unit(half, half, 3, stride, half, False),
                                  unit(half, half))

    def forward(self, x):
        if self.aside is None:
            aside, x = x.chunk(2, dim=1)
        else:
            aside = self.aside(x)
        x = torch.cat((aside, self.main(x)), 1)
        count, channels, rows, columns = x.shape
        return x.view(count, 2, channels // 2, rows, columns).transpose(1, 2).reshape(
            count, channels, rows, columns)


class Ghost(nn.Module):
    """Half of the channels from a 1x1 convolution, half from a depthwise one of those."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.primary = unit(inputs, outputs // 2)
        self.cheap = unit(outputs // 2, outputs // 2, 5, groups=outputs // 2)

    def forward(self, x):
        x = self.primary(x)
        return torch.cat((x, self.cheap(x)), 1)


class NanoDetLike(nn.Module):
    CHANNELS, REPEATS = (24, 116, 232, 464), (4, 8, 4)

    def __init__(self, side):
        super().__init__()
        stem, *widths = self.CHANNELS
        self.stem = nn.Sequential(unit(3, stem, 3, 2), nn.MaxPool2d(3, 2, 1))
        self.stages, inputs = nn.ModuleList(), stem
        for outputs, count in zip(widths, self.REPEATS):
            self.stages.append(nn.Sequential(Shuffle(inputs, outputs, 2), *(
                Shuffle(outputs, outputs, 1) for _ in range(count - 1))))
            inputs = outputs
        self.laterals = nn.ModuleList(unit(n, WIDTH) for n in widths)
        self.downward = nn.ModuleList(Ghost(2 * WIDTH, WIDTH) for _ in range(2))
        self.upward = nn.ModuleList(Ghost(2 * WIDTH, WIDTH) for _ in range(2))
        self.strided = nn.ModuleList(separable(WIDTH, WIDTH, 2) for _ in range(2))
        self.extra = nn.ModuleList(separable(WIDTH, WIDTH, 2) for _ in range(2))
        self.towers = nn.ModuleList(nn.Sequential(separable(WIDTH, WIDTH), separable(WIDTH, WIDTH))
                                    for _ in STRIDES)
        self.heads = nn.ModuleList(nn.Conv2d(WIDTH, CLASSES + 4 * STEPS, 1) for _ in STRIDES)
        points, strides = [], []
        for stride in STRIDES:
            line = torch.arange(-(-side // stride)).float() * stride
            rows, columns = torch.meshgrid(line, line, indexing="ij")
            points.append(torch.stack((columns, rows), -1).reshape(-1, 2))
            strides.append(torch.full((len(points[-1]), 1), float(stride)))
        self.register_buffer("points", torch.cat(points))
        self.register_buffer("strides", torch.cat(strides))
        self.register_buffer("steps", torch.arange(STEPS).float().view(1, STEPS))

    def pyramid(self, x):
        x = self.stem(x)
        maps = []
        for stage, lateral in zip(self.stages, self.laterals):
            x = stage(x)
            maps.append(lateral(x))
        fine, middle, top = maps

        def doubled(x):
            return functional.interpolate(x, scale_factor=2.0, mode="bilinear",
                                          align_corners=False)
        middle = self.downward[0](torch.cat((doubled(top), middle), 1))
        fine = self.downward[1](torch.cat((doubled(middle), fine), 1))
        middle = self.upward[0](torch.cat((self.strided[0](fine), middle), 1))
        last = self.upward[1](torch.cat((self.strided[1](middle), top), 1))
        return fine, middle, last, self.extra[0](top) + self.extra[1](last)

    def forward(self, x):
        rows = torch.cat([head(tower(feature)).flatten(2) for feature, tower, head in zip(
            self.pyramid(x), self.towers, self.heads)], 2).permute(0, 2, 1)
        scores, distances = rows.split([CLASSES, 4 * STEPS], dim=-1)
        distances = functional.softmax(distances.reshape(len(rows), -1, 4, STEPS), dim=-1)
        distances = functional.linear(distances, self.steps).squeeze(-1) * self.strides
        corners = torch.cat((self.points - distances[..., :2],
                             self.points + distances[..., 2:]), -1)
        return scores.sigmoid(), corners


def nanodet_like(pictures, seed):
    torch.manual_seed(seed)
    network = NanoDetLike(pictures.shape[-1])
    settle(network, pictures, seed)
    aim(network.heads, lambda: network(pictures), -3.0, 1.8)
    return finished(network)
