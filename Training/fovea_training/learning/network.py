"""Fovea - the topology of YOLOv3-tiny, with a width multiplier.

J. Redmon, A. Farhadi: YOLOv3: An Incremental Improvement, arXiv:1804.02767, gives the boxes; the layers are those of the authors' tiny
configuration.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from fovea_training.classes import REFERENCE_SIDE
from fovea_training.learning.rounding import RoundingConvolution

#: Pixels of the input for a cell of either head; the coarse head comes first, as in the rows of the exported outputs.
STRIDES: tuple[int, int] = (32, 16)

ANCHORS_PER_HEAD = 3
LEAKY_SLOPE = 0.1
NORMALISATION_EPSILON = 1e-5


class Block(nn.Sequential):
    """Convolution without bias, batch normalisation, leaky rectifier; keeps height and width unless it pools."""

    def __init__(self, inputs: int, outputs: int, side: int) -> None:
        super().__init__(
            RoundingConvolution(inputs, outputs, side, padding=side // 2, bias=False),
            nn.BatchNorm2d(outputs, eps=NORMALISATION_EPSILON, momentum=0.03),
            nn.LeakyReLU(LEAKY_SLOPE, inplace=True),
        )

    def pooled(self, x: Tensor, pool: nn.Module) -> Tensor:
        """The largest of each pool; the rectifier never changes an order, so it comes last, where less is left."""
        convolution, normalisation, rectifier = self
        return rectifier(pool(normalisation(convolution(x))))

    @torch.no_grad()
    def folded(self) -> tuple[Tensor, Tensor]:
        """Weights and bias with the normalisation of now multiplied in: w' = w g / sqrt(v + e), b' = b - m g / sqrt(v + e), in float64."""
        convolution, normalisation, _ = self
        scale = self._scale()
        bias = normalisation.bias.double() - normalisation.running_mean.double() * scale
        return convolution.weight.double() * scale[:, None, None, None], bias

    @torch.no_grad()
    def unfold(self) -> None:
        """Takes the normalisation out of weights that have it multiplied in."""
        scale = self._scale()
        # Where it switches a channel off, the weights that were are unknown and of no use.
        self[0].weight.div_(scale.where(scale != 0, 1)[:, None, None, None])

    def _scale(self) -> Tensor:
        normalisation = self[1]
        return normalisation.weight.double() / (normalisation.running_var.double() + normalisation.eps).sqrt()

    @torch.no_grad()
    def frozen_halved(self, x: Tensor) -> Tensor:
        """`pooled` by 2 x 2, of a block that does not learn."""
        convolution, _, rectifier = self
        weights, bias = (part.float() for part in self.folded())
        return rectifier(_largest_of_four(nn.functional.conv2d(x, weights, bias, padding=convolution.padding)))


def _largest_of_four(x: Tensor) -> Tensor:
    """The largest of each 2 x 2, rows first: six times as fast as `max_pool2d` where channels are last and few."""
    batch, channels, rows, columns = x.shape
    pairs = x.permute(0, 2, 3, 1).reshape(batch, rows // 2, 2, columns * channels)
    pairs = torch.maximum(pairs[:, :, 0], pairs[:, :, 1]).view(batch, rows // 2, columns // 2, 2, channels)
    return torch.maximum(pairs[..., 0, :], pairs[..., 1, :]).permute(0, 3, 1, 2)


class TinyDetector(nn.Module):
    """Two heads of raw predictions `[batch, anchors, 5 + classes, rows, columns]`: x, y, width, height, objectness, classes.

    `anchors` is `[2, 3, 2]`: head (coarse first), anchor, width and height as shares of the reference input. What a layer sees of a thing
    depends on its pixels, so anchors keep their pixels when the input is smaller (`anchors_at`): weights then serve every size.
    """

    def __init__(self, classes: int, anchors: Tensor, width: float = 1.0) -> None:
        super().__init__()
        channels = [round(count * width) for count in (16, 32, 64, 128, 256, 512, 1024)]
        c16, c32, c64, c128, c256, c512, c1024 = channels
        self.classes, self.width, self.frozen_blocks = classes, width, 0
        self.register_buffer("anchors", anchors.clone().float())
        outputs = ANCHORS_PER_HEAD * (5 + classes)
        self.stem = nn.ModuleList([Block(3, c16, 3), Block(c16, c32, 3), Block(c32, c64, 3), Block(c64, c128, 3), Block(c128, c256, 3)])
        self.deep = nn.ModuleList([Block(c256, c512, 3), Block(c512, c1024, 3), Block(c1024, c256, 1)])
        self.coarse = Block(c256, c512, 3)
        self.coarse_head = RoundingConvolution(c512, outputs, 1)
        self.lateral = Block(c256, c128, 1)
        self.fine = Block(c128 + c256, c256, 3)
        self.fine_head = RoundingConvolution(c256, outputs, 1)
        self.pool = nn.MaxPool2d(2, 2)
        self.upsample = nn.Upsample(scale_factor=2, mode="nearest")
        self._initialise()

    def _initialise(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, a=LEAKY_SLOPE)
        for head in (self.coarse_head, self.fine_head):
            nn.init.normal_(head.weight, std=0.01)
            # Objects are rare: an objectness of 0.01 to begin with keeps the first steps from being about nothing else.
            bias = torch.zeros(ANCHORS_PER_HEAD, 5 + self.classes)
            bias[:, 4] = -4.6
            head.bias.data.copy_(bias.flatten())

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        """Raw predictions of the coarse and the fine head for `image [batch, 3, side, side]`, RGB in 0...1."""
        x = image
        for index, block in enumerate(self.stem[:-1]):
            x = block.frozen_halved(x) if index < self.frozen_blocks else block.pooled(x, self.pool)
        x = fine_features = self.stem[-1](x)
        x = self.deep[0](self.pool(x))
        # The pool of stride 1 takes the pixel to the right and below; the border repeats nothing, it has no value.
        x = nn.functional.max_pool2d(nn.functional.pad(x, (0, 1, 0, 1), value=float("-inf")), 2, 1)
        x = self.deep[2](self.deep[1](x))
        coarse = self.coarse_head(self.coarse(x))
        fine = self.fine_head(self.fine(torch.cat([self.upsample(self.lateral(x)), fine_features], dim=1)))
        return self._planes(coarse), self._planes(fine)

    def freeze(self, blocks: int) -> None:
        """Lets the first blocks, which see all pixels of the input and have few weights, learn no more: half the time of a step."""
        self.frozen_blocks = blocks
        self.stem[:blocks].requires_grad_(False)

    def round_while_learning(self) -> None:
        """Lets convolutions learn with 8 bits of their inputs and weights."""
        for module in self.modules():
            if isinstance(module, RoundingConvolution):
                module.rounds = True

    @torch.no_grad()
    def shift_objectness(self, amount: float) -> None:
        """Adds to the objectness of all predictions before its sigmoid: changes what a confidence means, not the order of what is found."""
        for head in (self.coarse_head, self.fine_head):
            head.bias.view(ANCHORS_PER_HEAD, -1)[:, 4] += amount

    def anchors_at(self, side: int) -> Tensor:
        """Anchors as shares of an input of `side` pixels."""
        return self.anchors * (REFERENCE_SIDE / side)

    def _planes(self, head: Tensor) -> Tensor:
        batch, _, rows, columns = head.shape
        return head.view(batch, ANCHORS_PER_HEAD, 5 + self.classes, rows, columns)


def decoded_boxes(raw: Tensor, anchors: Tensor) -> Tensor:
    """Boxes of a head: `[batch, anchors, 4, rows, columns]`, centre x, centre y, width, height as shares of the input.

    x = (column + 2 sigmoid(tx) - 0.5) / columns, width = anchor width * exp(tw), and so on: YOLOv3, section 2.1, with the reach of a cell
    doubled, so that a middle near its edge needs no infinite tx.
    """
    rows, columns = raw.shape[-2:]
    column = torch.arange(columns, device=raw.device).view(1, 1, 1, columns)
    row = torch.arange(rows, device=raw.device).view(1, 1, rows, 1)
    x = (2 * raw[:, :, 0].sigmoid() - 0.5 + column) / columns
    y = (2 * raw[:, :, 1].sigmoid() - 0.5 + row) / rows
    # exp(8) anchors are wider than any picture; the bound keeps an early step from overflowing.
    width = raw[:, :, 2].clamp(max=8).exp() * anchors[:, 0].view(1, -1, 1, 1)
    height = raw[:, :, 3].clamp(max=8).exp() * anchors[:, 1].view(1, -1, 1, 1)
    return torch.stack([x, y, width, height], dim=2)


def candidates(network: TinyDetector, image: Tensor) -> tuple[Tensor, Tensor]:
    """Confidence `[batch, N, classes]` and boxes `[batch, N, 4]`, in the order of the exported outputs: head, anchor, row, column."""
    confidence, boxes = [], []
    for raw, shapes in zip(network(image), network.anchors_at(image.shape[-1])):
        raw = raw.float()
        boxes.append(decoded_boxes(raw, shapes).permute(0, 1, 3, 4, 2).flatten(1, 3))
        scores = raw[:, :, 5:].sigmoid() * raw[:, :, 4:5].sigmoid()
        confidence.append(scores.permute(0, 1, 3, 4, 2).flatten(1, 3))
    return torch.cat(confidence, dim=1), torch.cat(boxes, dim=1)
