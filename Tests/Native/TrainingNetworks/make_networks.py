#!/usr/bin/env python3
# Fovea - gradients of whole networks, as torch computes them.
# SPDX-License-Identifier: Apache-2.0
"""Write networks and what torch says of them, for the test beside this file.

    python3 make_networks.py          needs torch; writes NAME.txt here

Weights, the picture and the gradients of outputs follow from one generator, so that a file holds
only the operations, and of each result its largest element, its product with numbers of the
generator, and some elements.
"""
import math
import pathlib

import numpy as np
import torch

FOLDER = pathlib.Path(__file__).resolve().parent
SAMPLES = 12
MASK = (1 << 64) - 1


class Numbers:
    """The generator of main.c: numbers of -1 to 1."""

    def __init__(self, seed):
        self.state = seed

    def take(self, count):
        bits = np.empty(count, np.int64)
        state = self.state
        for i in range(count):
            state = (state * 6364136223846793005 + 1442695040888963407) & MASK
            bits[i] = state >> 33
        self.state = state
        return bits.astype(np.float32) / np.float32(1 << 30) - np.float32(1)


class Network:
    """Operations, in the words of main.c and in torch's, value by value."""

    def __init__(self, name, rows, columns):
        self.name, self.lines = name, [f"picture {rows} {columns}"]
        picture = (np.abs(Numbers(1).take(rows * columns * 3)) * np.float32(255)).astype(np.uint8)
        pixels = torch.from_numpy(picture.reshape(rows, columns, 3).astype(np.float64) / 255)
        self.values = [pixels.permute(2, 0, 1)[None]]
        self.numbers, self.weighing = Numbers(2), Numbers(4)
        self.convolutions, self.outputs = [], []

    def add(self, value, line):
        self.lines.append(line)
        self.values.append(value)
        return len(self.values) - 1

    def activated(self, x, function):
        if function == "leaky":
            return torch.nn.functional.leaky_relu(x, 0.1)
        if function == "relu6":
            return torch.clamp(x, 0, 6)
        return torch.nn.functional.silu(x) if function == "silu" else x

    def convolution(self, source, outputs, kernel=1, stride=1, groups=1, function="none",
                    before=None, after=None):
        x = self.values[source]
        inputs = x.shape[1] // groups
        before = kernel // 2 if before is None else before
        after = kernel // 2 if after is None else after
        gain = 1 if function == "none" else 2
        scale = np.float32(math.sqrt(3 * gain / (inputs * kernel * kernel)))
        weights = self.numbers.take(outputs * inputs * kernel * kernel) * scale
        bias = self.numbers.take(outputs) * np.float32(0.1)
        shape = (outputs, inputs, kernel, kernel)
        w = torch.tensor(weights.reshape(shape).astype(np.float64), requires_grad=True)
        b = torch.tensor(bias.astype(np.float64), requires_grad=True)
        self.convolutions.append((w, b))
        padded = torch.nn.functional.pad(x, (before, after, before, after))
        y = torch.nn.functional.conv2d(padded, w, b, stride, 0, 1, groups)
        line = (f"convolution {source} {outputs} {kernel} {stride} {before} {after} {groups} "
                f"{scale:.9g} {function}")
        return self.add(self.activated(y, function), line)

    def depthwise(self, source, kernel, stride=1, function="none", **padding):
        channels = self.values[source].shape[1]
        return self.convolution(source, channels, kernel, stride, channels, function, **padding)

    def sum(self, a, b):
        return self.add(self.values[a] + self.values[b], f"sum {a} {b}")

    def product(self, a, b):
        return self.add(self.values[a] * self.values[b], f"product {a} {b}")

    def sigmoid(self, a):
        return self.add(torch.sigmoid(self.values[a]), f"sigmoid {a}")

    def mean(self, a):
        return self.add(self.values[a].mean((2, 3), keepdim=True), f"mean {a}")

    def concatenation(self, *sources):
        numbers = " ".join(map(str, sources))
        return self.add(torch.cat([self.values[s] for s in sources], 1),
                        f"concatenation {len(sources)} {numbers}")

    def part(self, source, first, count):
        return self.add(self.values[source][:, first:first + count],
                        f"part {source} {first} {count}")

    def maximum(self, source, kernel, stride):
        y = torch.nn.functional.max_pool2d(self.values[source], kernel, stride, kernel // 2)
        return self.add(y, f"maximum {source} {kernel} {stride} {kernel // 2}")

    def doubled(self, source):
        y = torch.nn.functional.interpolate(self.values[source], scale_factor=2, mode="nearest")
        return self.add(y, f"doubled {source}")

    def output(self, source):
        self.lines.append(f"output {source}")
        self.outputs.append(source)

    def samples(self, kind, place, numbers):
        numbers = numbers.reshape(-1)
        product = float(self.weighing.take(len(numbers)).astype(np.float64) @ numbers)
        step = max(len(numbers) // SAMPLES, 1)
        chosen = range(step // 2, len(numbers), step)
        found = " ".join(f"{i} {numbers[i]:.9g}" for i in chosen)
        self.lines.append(f"{kind} {place} {abs(numbers).max():.9g} {product:.9g} "
                          f"{len(chosen)} {found}")

    def write(self):
        given = Numbers(3)
        total = 0
        for output in self.outputs:
            value = self.values[output][0].permute(1, 2, 0)
            gradient = given.take(value.numel()).reshape(value.shape).astype(np.float64)
            total = total + (value * torch.from_numpy(gradient)).sum()
        total.backward()
        self.lines.append("expected")
        for place, output in enumerate(self.outputs):
            value = self.values[output][0].permute(1, 2, 0)
            self.samples("output", place, value.detach().numpy())
        for place, (w, b) in enumerate(self.convolutions):
            self.samples("weights", place, w.grad.numpy())
            self.samples("bias", place, b.grad.numpy())
        path = FOLDER / f"{self.name}.txt"
        path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
        count = sum(w.numel() + b.numel() for w, b in self.convolutions)
        print(f"{path.name}: {len(self.convolutions)} convolutions, {count} numbers")


def small_detector():
    """Bottlenecks with depthwise layers and sums, and two heads, as yolo-fastest-1.1-xl has."""
    n = Network("fast-detector", 160, 160)

    def bottleneck(x, wide, narrow, kernel=3, stride=1):
        y = n.convolution(x, wide, function="leaky")
        y = n.depthwise(y, kernel, stride, "leaky")
        y = n.convolution(y, narrow)
        same = stride == 1 and n.values[x].shape[1] == narrow
        return n.sum(x, y) if same else y

    x = n.convolution(0, 16, 3, 2, function="leaky")
    x = bottleneck(bottleneck(x, 16, 8), 16, 8)
    x = bottleneck(x, 48, 16, stride=2)
    for _ in range(2):
        x = bottleneck(x, 64, 16)
    x = bottleneck(x, 64, 16, stride=2)
    for _ in range(2):
        x = bottleneck(x, 96, 16)
    x = bottleneck(x, 96, 32)
    for _ in range(4):
        x = bottleneck(x, 192, 32)
    near = x = bottleneck(x, 192, 48, stride=2)
    for _ in range(4):
        near = x = bottleneck(x, 272, 48)
    x = bottleneck(x, 272, 96, stride=2)
    for _ in range(5):
        x = bottleneck(x, 448, 96)
    pooled = [n.maximum(x, k, 1) for k in (3, 5, 9)]
    x = n.convolution(n.concatenation(*pooled, x), 96, function="leaky")

    def head(x, channels):
        for _ in range(2):
            x = n.convolution(n.depthwise(x, 5, function="leaky"), channels)
        n.output(n.convolution(x, 75))

    head(x, 96)
    head(n.concatenation(n.doubled(x), near), 144)
    n.write()


def efficient_backbone():
    """Bottlenecks of EfficientNet-Lite0 with TensorFlow's padding, and a neck."""
    n = Network("efficient-backbone", 128, 128)

    def bottleneck(x, expansion, narrow, kernel, stride):
        inputs = n.values[x].shape[1]
        y = n.convolution(x, inputs * expansion, function="relu6") if expansion > 1 else x
        padding = {} if stride == 1 else {"before": kernel // 2 - 1, "after": kernel // 2}
        y = n.depthwise(y, kernel, stride, "relu6", **padding)
        y = n.convolution(y, narrow)
        return n.sum(x, y) if stride == 1 and inputs == narrow else y

    x = n.convolution(0, 32, 3, 2, function="relu6", before=0, after=1)
    x = bottleneck(x, 1, 16, 3, 1)
    taken = []
    for narrow, kernel, stride, count in ((24, 3, 2, 2), (40, 5, 2, 2), (80, 3, 2, 3),
                                          (112, 5, 1, 3), (192, 5, 2, 4), (320, 3, 1, 1)):
        for i in range(count):
            x = bottleneck(x, 6, narrow, kernel, stride if i == 0 else 1)
        taken.append(x)
    neck = n.convolution(taken[5], 64, function="relu6")
    for level in (3, 1):
        other = n.convolution(taken[level], 64, function="relu6")
        neck = n.sum(n.doubled(neck), other)
        n.output(n.convolution(n.convolution(neck, 64, 3, function="relu6"), 24))
    # A gate, as squeeze and excitation has it.
    gate = n.sigmoid(n.convolution(n.mean(neck), 64))
    n.output(n.convolution(n.product(neck, gate), 24))
    n.write()


def distance_detector():
    """C2f blocks, pooling of three sizes, two ways through a neck, and heads, as YOLOv8n has."""
    n = Network("distance-detector", 128, 128)

    def conv(x, outputs, kernel=3, stride=1):
        return n.convolution(x, outputs, kernel, stride, function="silu")

    def c2f(x, outputs, count, sums):
        y = conv(x, outputs, 1)
        half = outputs // 2
        parts = [n.part(y, 0, half), n.part(y, half, half)]
        for _ in range(count):
            z = conv(conv(parts[-1], half), half)
            parts.append(n.sum(parts[-1], z) if sums else z)
        return conv(n.concatenation(*parts), outputs, 1)

    x = c2f(conv(conv(0, 16, 3, 2), 32, 3, 2), 32, 1, True)
    third = c2f(conv(x, 64, 3, 2), 64, 2, True)
    fourth = c2f(conv(third, 128, 3, 2), 128, 2, True)
    x = conv(c2f(conv(fourth, 256, 3, 2), 256, 1, True), 128, 1)
    pools = [x]
    for _ in range(3):
        pools.append(n.maximum(pools[-1], 5, 1))
    fifth = conv(n.concatenation(*pools), 256, 1)
    fourth = c2f(n.concatenation(n.doubled(fifth), fourth), 128, 1, False)
    third = c2f(n.concatenation(n.doubled(fourth), third), 64, 1, False)
    fourth = c2f(n.concatenation(conv(third, 64, 3, 2), fourth), 128, 1, False)
    fifth = c2f(n.concatenation(conv(fourth, 128, 3, 2), fifth), 256, 1, False)
    for level in (third, fourth, fifth):
        n.output(n.convolution(conv(conv(level, 64), 64), 64))
        n.output(n.convolution(conv(conv(level, 80), 80), 80))
    n.write()


if __name__ == "__main__":
    small_detector()
    efficient_backbone()
    distance_detector()
