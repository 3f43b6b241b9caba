"""Fovea - sheets with one code below the other, each with its caption: stock lists, order forms, sheets to scan from.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fovea_training.drawing import code_surface, colours, symbols, text, typesetting
from fovea_training.drawing.printed_things import any_code, has_text, paper
from fovea_training.drawing.surface import Annotation, Surface, rectangle_outline


@dataclass(frozen=True)
class _Style:
    """What all codes of a list have in common: class, symbology, ink, the caption's face and place, and sizes in pixels."""

    label: str
    symbology: str
    ink: np.ndarray
    face: text.Typeface
    captions: str
    size: int
    width: int
    height: int


def code_list(rng: np.random.Generator, side: int) -> Surface:
    """A sheet of `side` pixels width with two to ten rows of codes of one kind, in one or two columns."""
    surface, ground = paper(rng, side, round(side * rng.uniform(0.7, 1.6)))
    columns, rows = int(rng.choice([1, 2], p=[0.7, 0.3])), int(rng.integers(2, 11))
    margin = round(side * rng.uniform(0.02, 0.1))
    across, down = (side - 2 * margin) // columns, (surface.height - 2 * margin) // rows
    style = _style(rng, across, down, colours.ink_on(rng, ground))
    # A list is set flush left or each code in the middle of its field, with the same gap for all.
    indent = round((across - style.width) * (0.5 if rng.random() < 0.4 else rng.uniform(0, 0.3)))
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.96:
                _entry(rng, surface, style, margin + column * across, indent, margin + row * down, across)
    if surface.annotations:
        surface.annotate_whole("document", counts=has_text(surface.annotations))
    return surface


def _style(rng: np.random.Generator, across: int, down: int, ink: np.ndarray) -> _Style:
    """A style for entries of `across` x `down` pixels."""
    label = "barcode" if rng.random() < 0.75 else any_code(rng)
    captions = str(rng.choice(["above", "below", "beside", "none"], p=[0.35, 0.35, 0.2, 0.1]))
    size = int(np.clip(down * rng.uniform(0.16, 0.4), 7, 30))
    room = down - (round(size * 1.5) if captions in ("above", "below") else 0)
    height = max(8, round(room * rng.uniform(0.55, 0.92)))
    width = max(16, round(across * rng.uniform(0.35, 0.6 if captions == "beside" else 0.92)))
    if label != "barcode":
        width = height = min(width, height)
    face = text.typeface(rng, latin_share=0.95)
    return _Style(label, symbols.linear_kind(rng), ink, face, captions, size, width, height)


def _entry(rng: np.random.Generator, surface: Surface, style: _Style, left: int, indent: int, top: int, across: int) -> None:
    """One code with its caption, in a field from `left`, `top` on that is `across` pixels wide."""
    modules, caption = _symbol(rng, style)
    if rng.random() < 0.3:
        caption = text.words(rng, style.face, int(rng.integers(1, 4)))
    code_left, code_top = left + indent, top
    if style.captions == "above":
        printed = typesetting.print_line(surface, caption, style.face, style.size, left + min(indent, 8), top, across - 8, style.ink)
        code_top += max(printed, style.size) + max(1, style.size // 4)
    height = max(1, round(style.width * modules.shape[0] / modules.shape[1])) if style.label != "barcode" else style.height
    surface.ink(code_surface.printed(modules, style.width, height, "square", rng), code_left, code_top, style.ink)
    surface.annotations.append(Annotation(style.label, rectangle_outline(code_left, code_top, style.width, height)))
    if style.captions == "below":
        y, room = code_top + height + max(1, style.size // 4), style.width
        typesetting.print_line(surface, caption, style.face, style.size, code_left, y, room, style.ink, 0.5)
    elif style.captions == "beside":
        x = code_left + style.width + style.size
        typesetting.print_line(surface, caption, style.face, style.size, x, code_top, left + across - x, style.ink)


def _symbol(rng: np.random.Generator, style: _Style) -> tuple[np.ndarray, str]:
    """Modules `[rows, columns]` and a caption."""
    if style.label == "barcode":
        modules, characters = symbols.linear(rng, style.symbology)
        return modules[None, :], characters
    modules = symbols.quick_response(rng) if style.label == "qrCode" else symbols.data_matrix(rng)
    return modules, text.words(rng, style.face, 1)
