# Fovea - YOLOX-nano of the zoo, written here: its package cannot be installed everywhere.
# SPDX-License-Identifier: Apache-2.0
"""YOLOX-nano (arXiv 2107.08430): depthwise CSPDarknet, path aggregation, a decoupled head.

Rows of center and size in pixels, objectness and classes, as the project's export has them with
decoding in the network. The input is bytes, not divided by anything.
"""
import torch
from torch import nn

from zoo_statistics import aim, finished, settle

CLASSES, WIDTH, STRIDES = 80, 0.25, (8, 16, 32)


class Unit(nn.Sequential):
    """Convolution, normalization and SiLU."""

    def __init__(self, inputs, outputs, kernel=1, stride=1, groups=1):
        super().__init__(
            nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs, eps=1e-3), nn.SiLU())


def separable(inputs, outputs, kernel=3, stride=1):
    return nn.Sequential(Unit(inputs, inputs, kernel, stride, inputs), Unit(inputs, outputs))


class Bottleneck(nn.Module):
    def __init__(self, channels, shortcut):
        super().__init__()
        self.body = nn.Sequential(Unit(channels, channels), separable(channels, channels))
        self.shortcut = shortcut

    def forward(self, x):
        return self.body(x) + x if self.shortcut else self.body(x)


class CrossStage(nn.Module):
    """Bottlenecks on half of the channels."""

    def __init__(self, inputs, outputs, count, shortcut=True):
        super().__init__()
        half = outputs // 2
        self.main, self.aside = Unit(inputs, half), Unit(inputs, half)
        self.body = nn.Sequential(*(Bottleneck(half, shortcut) for _ in range(count)))
        self.out = Unit(2 * half, outputs)

    def forward(self, x):
        return self.out(torch.cat((self.body(self.main(x)), self.aside(x)), 1))


class Focus(nn.Module):
    """Every second pixel of every second row, four times, as channels."""

    def __init__(self, outputs):
        super().__init__()
        self.unit = Unit(12, outputs, 3)

    def forward(self, x):
        return self.unit(torch.cat((x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2],
                                    x[..., 1::2, 1::2]), 1))


class PyramidPooling(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.reduce, self.out = Unit(channels, channels // 2), Unit(2 * channels, channels)
        self.pools = nn.ModuleList(nn.MaxPool2d(k, 1, k // 2) for k in (5, 9, 13))

    def forward(self, x):
        x = self.reduce(x)
        return self.out(torch.cat([x, *(pool(x) for pool in self.pools)], 1))


class Features(nn.Module):
    """The backbone and the pyramid above it: three maps of 1/8, 1/16 and 1/32."""

    def __init__(self):
        super().__init__()
        a, b, c, d, e = (int(n * WIDTH) for n in (64, 128, 256, 512, 1024))
        self.stages = nn.ModuleList([
            nn.Sequential(Focus(a), separable(a, b, stride=2), CrossStage(b, b, 1),
                          separable(b, c, stride=2), CrossStage(c, c, 3)),
            nn.Sequential(separable(c, d, stride=2), CrossStage(d, d, 3)),
            nn.Sequential(separable(d, e, stride=2), PyramidPooling(e),
                          CrossStage(e, e, 1, shortcut=False))])
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.lateral, self.reduce = Unit(e, d), Unit(d, c)
        self.middle = CrossStage(2 * d, d, 1, False)
        self.fine = CrossStage(2 * c, c, 1, False)
        self.down1, self.down2 = separable(c, c, stride=2), separable(d, d, stride=2)
        self.out1, self.out2 = CrossStage(2 * c, d, 1, False), CrossStage(2 * d, e, 1, False)

    def forward(self, x):
        x0 = self.stages[0](x)
        x1 = self.stages[1](x0)
        top = self.lateral(self.stages[2](x1))
        middle = self.reduce(self.middle(torch.cat((self.up(top), x1), 1)))
        fine = self.fine(torch.cat((self.up(middle), x0), 1))
        out1 = self.out1(torch.cat((self.down1(fine), middle), 1))
        return fine, out1, self.out2(torch.cat((self.down2(out1), top), 1))


class Yolox(nn.Module):
    def __init__(self, side):
        super().__init__()
        self.features = Features()
        width = int(256 * WIDTH)
        stems = [int(n * WIDTH) for n in (256, 512, 1024)]

        def tower():
            return nn.Sequential(separable(width, width), separable(width, width))
        self.stems = nn.ModuleList(Unit(n, width) for n in stems)
        self.class_towers = nn.ModuleList(tower() for _ in stems)
        self.box_towers = nn.ModuleList(tower() for _ in stems)
        self.classes = nn.ModuleList(nn.Conv2d(width, CLASSES, 1) for _ in stems)
        self.boxes = nn.ModuleList(nn.Conv2d(width, 4, 1) for _ in stems)
        self.objects = nn.ModuleList(nn.Conv2d(width, 1, 1) for _ in stems)
        cells, strides = [], []
        for stride in STRIDES:
            line = torch.arange(side // stride).float()
            rows, columns = torch.meshgrid(line, line, indexing="ij")
            cells.append(torch.stack((columns, rows), 2).view(1, -1, 2))
            strides.append(torch.full((1, cells[-1].shape[1], 1), float(stride)))
        self.register_buffer("cells", torch.cat(cells, 1))
        self.register_buffer("strides", torch.cat(strides, 1))

    def forward(self, x):
        rows = []
        for level, feature in enumerate(self.features(x)):
            stem = self.stems[level](feature)
            box = self.box_towers[level](stem)
            rows.append(torch.cat((
                self.boxes[level](box), self.objects[level](box).sigmoid(),
                self.classes[level](self.class_towers[level](stem)).sigmoid()), 1).flatten(2))
        rows = torch.cat(rows, 2).permute(0, 2, 1)
        return torch.cat(((rows[..., :2] + self.cells) * self.strides,
                          torch.exp(rows[..., 2:4]) * self.strides, rows[..., 4:]), 2)


def ncnn_form(network):
    """Change the network for ncnn, which cannot take every second row: as it shuffles pixels."""
    focus = network.features.stages[0][0]
    first = focus.unit[0]
    channels = [(row + 2 * column) * 3 + color for color in range(3) for row in range(2)
                for column in range(2)]
    first.weight.data = first.weight.data[:, channels]
    network.features.stages[0][0] = nn.Sequential(nn.PixelUnshuffle(2), focus.unit)


def yolox_nano(pictures, seed):
    torch.manual_seed(seed)
    network = Yolox(pictures.shape[-1])
    settle(network, pictures, seed)

    def run():
        network(pictures)
    aim(network.classes, run, -2.5, 1.8)
    aim(network.boxes, run, 0.6, 0.9)
    aim(network.objects, run, -2.5, 1.8)
    return finished(network)
