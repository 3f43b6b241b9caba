"""Fovea - blocks of text, tables and rules, printed on a surface with a box for each line.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import numpy as np

from fovea_training.drawing import text
from fovea_training.drawing.surface import Annotation, Surface, rectangle_outline


def print_line(surface: Surface, line: str, face: text.Typeface, size: int, left: int, top: int, widest: int, colour: np.ndarray,
               alignment: float = 0.0) -> int:  # fmt: skip
    """Prints one line, cut at `widest` pixels; returns the height of its ink (0: nothing fitted)."""
    ink = text.line_mask(line, face.path, size)
    while ink is not None and ink.shape[1] > widest and " " in line:
        line = line[: max(line.rfind(" "), 0)]
        ink = text.line_mask(line, face.path, size) if line else None
    if ink is None or ink.shape[1] > widest or top + ink.shape[0] > surface.height:
        return 0
    x = left + round((widest - ink.shape[1]) * alignment)
    surface.ink(ink, x, top, colour)
    surface.annotations.append(Annotation("textLine", rectangle_outline(x, top, ink.shape[1], ink.shape[0])))
    return ink.shape[0]


def paragraph(rng: np.random.Generator, surface: Surface, left: int, top: int, width: int, height: int, size: int,
              face: text.Typeface, colour: np.ndarray) -> int:  # fmt: skip
    """Fills a rectangle with lines; returns where the next thing may begin."""
    pitch = round(size * rng.uniform(1.2, 1.9))
    alignment = 0.0 if rng.random() < 0.8 else 0.5
    per_line = max(1, round(width / (size * 3.2)))
    y = top
    while y + size <= top + height:
        count = per_line if rng.random() < 0.8 else int(rng.integers(1, per_line + 1))
        print_line(surface, text.words(rng, face, count), face, size, left, y, width, colour, alignment)
        y += pitch
        if rng.random() < 0.08:
            y += pitch // 2
    return y


def table(rng: np.random.Generator, surface: Surface, left: int, top: int, width: int, height: int, size: int,
          face: text.Typeface, colour: np.ndarray) -> int:  # fmt: skip
    """Cells with short texts between rules; returns where the next thing may begin."""
    columns = int(rng.integers(2, 5))
    pitch = round(size * rng.uniform(1.6, 2.4))
    rows = min(int(rng.integers(2, 9)), height // max(1, pitch))
    if rows < 1:
        return top
    for row in range(rows):
        y = top + row * pitch
        for column in range(columns):
            if rng.random() < 0.85:
                x = left + round(width * column / columns) + 3
                print_line(surface, text.words(rng, face, 1), face, size, x, y + (pitch - size) // 2, width // columns - 6, colour)
        surface.pixels[y : y + 1, left : left + width] = colour.astype(np.uint8)
    if rng.random() < 0.6:
        for column in range(columns + 1):
            x = min(left + round(width * column / columns), surface.width - 1)
            surface.pixels[top : top + rows * pitch, x : x + 1] = colour.astype(np.uint8)
    return top + rows * pitch


def heading(rng: np.random.Generator, surface: Surface, left: int, top: int, width: int, size: int, colour: np.ndarray) -> int:
    """A few large words; returns where the next thing may begin."""
    face = text.typeface(rng)
    line = text.words(rng, face, int(rng.integers(1, 4)))
    printed = print_line(surface, line, face, size, left, top, width, colour, float(rng.choice([0.0, 0.5])))
    return top + printed + round(size * 0.5)
