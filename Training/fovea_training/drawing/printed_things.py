"""Fovea - things with print on them: stickers, labels, cards, pages, packages, screens, marked parts.

Every function draws a `Surface` of about the size that is asked for.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.drawing import backgrounds, colours, textures, typesetting
from fovea_training.drawing.code_surface import code_surface, matrix_surface
from fovea_training.drawing.surface import Annotation, Surface
from fovea_training.drawing.text import typeface

_CODES = ("qrCode", "barcode", "dataMatrix")


def any_code(rng: np.random.Generator) -> str:
    """A class of code; linear ones are the most various, so they come most often."""
    return str(rng.choice(_CODES, p=[0.33, 0.4, 0.27]))


def _text_size(rng: np.random.Generator, side: int) -> int:
    """Height of an em: readable mostly, fine print at times."""
    return int(np.clip(rng.lognormal(np.log(15), 0.4), 7, max(8, side / 5)))


def _free_place(rng: np.random.Generator, surface: Surface, width: int, height: int) -> tuple[int, int] | None:
    """Left and top of a rectangle that covers no annotation that is there already."""
    room_x, room_y = surface.width - width, surface.height - height
    if room_x < 0 or room_y < 0:
        return None
    taken = [(one.outline.min(axis=0), one.outline.max(axis=0)) for one in surface.annotations if one.label != "document"]
    for _ in range(12):
        x, y = int(rng.integers(0, room_x + 1)), int(rng.integers(0, room_y + 1))
        if all(x > high[0] or y > high[1] or x + width < low[0] or y + height < low[1] for low, high in taken):
            return x, y
    return None


def sticker(rng: np.random.Generator, side: int) -> Surface:
    """A code on its quiet zone, nothing else."""
    return code_surface(rng, any_code(rng), side).rotated(int(rng.integers(0, 4)) if rng.random() < 0.3 else 0)


def has_text(annotations: list[Annotation]) -> bool:
    """Whether a sheet is one to read: without a line of text it may as well be the ground of a code."""
    return any(one.label == "textLine" for one in annotations)


def paper(rng: np.random.Generator, width: int, height: int) -> tuple[Surface, np.ndarray]:
    """A sheet with faint structure, and its colour."""
    ground = colours.paper(rng)
    surface = Surface.filled(width, height, ground)
    if rng.random() < 0.4:
        shade = textures.fractal_noise(rng, width, height, 0.3, 0.8)[:, :, None]
        surface.pixels[:] = np.clip(ground * (0.9 + 0.15 * shade), 0, 255).astype(np.uint8)
    return surface, ground


def _place_code(rng: np.random.Generator, surface: Surface, label: str, side: int, ground: np.ndarray) -> None:
    code = code_surface(rng, label, side, ground)
    if rng.random() < 0.15:
        code = code.rotated(int(rng.integers(1, 4)))
    corner = _free_place(rng, surface, code.width, code.height)
    if corner is not None:
        surface.paste(code, *corner)


def label(rng: np.random.Generator, side: int) -> Surface:
    """A label or card: codes and a few lines, a frame at times."""
    width, height = side, max(24, round(side * rng.uniform(0.35, 1.2)))
    surface, ground = paper(rng, width, height)
    ink = colours.ink_on(rng, ground)
    margin = max(2, round(side * rng.uniform(0.02, 0.08)))
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.2, 0.5, 0.22, 0.08]))):
        _place_code(rng, surface, any_code(rng), round(min(width, height * 1.6) * rng.uniform(0.25, 0.8)), ground)
    codes = len(surface.annotations)
    for _ in range(int(rng.integers(1, 5))):
        block = (round(width * rng.uniform(0.25, 0.9)), round(height * rng.uniform(0.1, 0.5)))
        corner = _free_place(rng, surface, *block)
        if corner is None:
            continue
        face = typeface(rng)
        size = _text_size(rng, side)
        limits = (corner[0] + margin, corner[1] + margin, block[0] - 2 * margin, block[1] - 2 * margin)
        if rng.random() < 0.2:
            typesetting.table(rng, surface, *limits, size, face, ink)
        else:
            typesetting.paragraph(rng, surface, *limits, size, face, ink)
    if rng.random() < 0.3:
        cv2.rectangle(surface.pixels, (1, 1), (width - 2, height - 2), ink.tolist(), int(rng.integers(1, 3)))
    if surface.annotations:
        surface.annotate_whole("document", counts=has_text(surface.annotations[codes:]))
    return surface


def page(rng: np.random.Generator, side: int) -> Surface:
    """A page, receipt, ticket or letter: heading, paragraphs, tables, codes."""
    width = side
    height = round(side * (rng.uniform(1.2, 1.5) if rng.random() < 0.7 else rng.uniform(1.5, 2.6)))
    surface, ground = paper(rng, width, height)
    ink = colours.ink_on(rng, ground)
    margin = round(width * rng.uniform(0.04, 0.14))
    inner = width - 2 * margin
    size = _text_size(rng, side)
    face = typeface(rng)
    y = margin
    if rng.random() < 0.7:
        y = typesetting.heading(rng, surface, margin, y, inner, round(size * rng.uniform(1.4, 2.6)), ink)
    while y < height - margin - size:
        kind = rng.random()
        span = min(height - margin - y, round(height * rng.uniform(0.1, 0.4)))
        if kind < 0.5:
            y = typesetting.paragraph(rng, surface, margin, y, inner, span, size, face, ink)
        elif kind < 0.65:
            y = typesetting.table(rng, surface, margin, y, inner, span, size, face, ink)
        elif kind < 0.82:
            name = any_code(rng)
            code = code_surface(rng, name, round(inner * (rng.uniform(0.3, 0.8) if name == "barcode" else rng.uniform(0.15, 0.5))), ground)
            if y + code.height < height - 2 and code.width < width:
                surface.paste(code, margin + int(rng.integers(0, max(1, inner - code.width + 1))), y)
                y += code.height
        elif kind < 0.9 and span > 12:
            picture = backgrounds.background(rng, inner // 2 + 4, span, 0.2)
            surface.pixels[y : y + span, margin : margin + picture.shape[1]] = picture[: surface.height - y]
            y += span
        y += round(size * rng.uniform(0.5, 2))
    if surface.annotations:
        surface.annotate_whole("document", counts=has_text(surface.annotations))
    return surface


def package(rng: np.random.Generator, side: int) -> Surface:
    """The side of a box, bottle or bag: coloured print, large words, fine print, and codes where they fit."""
    width, height = side, round(side * rng.uniform(0.6, 1.6))
    kind = rng.random()
    if kind < 0.5:
        ground = colours.any_colour(rng) if rng.random() < 0.6 else colours.paper(rng)
        surface = Surface.filled(width, height, ground)
    else:
        image = textures.any_texture(rng, width, height) if kind < 0.8 else backgrounds.background(rng, width, height, 0.15)
        ground = image.reshape(-1, 3).mean(axis=0)
        surface = Surface(image, np.full((height, width), 255, np.uint8))
    for _ in range(int(rng.integers(0, 8))):
        backgrounds.add_thing(rng, surface.pixels, side * rng.uniform(0.03, 0.25), 0.1)
    for _ in range(int(rng.choice([1, 2, 3], p=[0.75, 0.2, 0.05]))):
        name = any_code(rng)
        share = rng.uniform(0.2, 0.75) if name == "barcode" else rng.uniform(0.12, 0.6)
        _place_code(rng, surface, name, max(14, round(side * share)), ground)
    _package_text(rng, surface, side, ground)
    if kind < 0.5:
        surface.annotate_whole("document", counts=False)
    return surface


def _package_text(rng: np.random.Generator, surface: Surface, side: int, ground: np.ndarray) -> None:
    """Names in large letters and blocks of fine print on what is still free."""
    for _ in range(int(rng.integers(1, 7))):
        large = rng.random() < 0.4
        size = round(side * rng.uniform(0.05, 0.15)) if large else _text_size(rng, side)
        width = round(surface.width * rng.uniform(0.3, 0.9))
        height = max(8, round(size * 1.6) if large else round(surface.height * rng.uniform(0.05, 0.3)))
        corner = _free_place(rng, surface, width, height)
        if corner is None:
            continue
        left, top = corner
        region = surface.pixels[top : top + height, left : left + width]
        if rng.random() < 0.35:
            field = colours.any_colour(rng)
            region[:] = field.astype(np.uint8)
        else:
            field = region.reshape(-1, 3).mean(axis=0)
        ink = colours.ink_on(rng, field)
        if large:
            typesetting.heading(rng, surface, left + 2, top + 2, width - 4, size, ink)
        else:
            typesetting.paragraph(rng, surface, left + 2, top + 2, width - 4, height - 2, size, typeface(rng), ink)


def sheet(rng: np.random.Generator, side: int) -> Surface:
    """Rows of codes of one class on paper, as they come from a printer of labels."""
    name = any_code(rng)
    columns, rows = int(rng.integers(1, 5)), int(rng.integers(2, 6))
    pitch = side // columns
    surface, ground = paper(rng, side, max(24, round(pitch * rows * rng.uniform(0.6, 1.1))))
    code_side = max(12, round(pitch * rng.uniform(0.45, 0.8)))
    for row in range(rows):
        for column in range(columns):
            code = code_surface(rng, name, code_side, ground)
            left, top = column * pitch + (pitch - code.width) // 2, round((row + 0.5) * surface.height / rows - code.height / 2)
            fits = code.width <= pitch and code.height <= surface.height / rows and top >= 0 and top + code.height <= surface.height
            if fits and rng.random() < 0.92:
                surface.paste(code, left, top)
    if surface.annotations:
        surface.annotate_whole("document", counts=False)
    return surface


def screen(rng: np.random.Generator, side: int) -> Surface:
    """A display that shows a code or a page, with its raster of coloured pixels, in a dark frame."""
    inner = (package if rng.random() < 0.5 else label)(rng, side) if rng.random() < 0.5 else sticker(rng, round(side * 0.7))
    for one in inner.annotations:
        one.counts &= one.label != "document"
    period = rng.uniform(1.7, 4.0)
    y, x = np.mgrid[0 : inner.height, 0 : inner.width].astype(np.float32)
    depth = rng.uniform(0.05, 0.35)
    raster = np.stack([1 + depth * np.cos(2 * np.pi * (x / period + phase / 3)) for phase in range(3)], axis=2)
    raster *= 1 + 0.5 * depth * np.cos(2 * np.pi * y / period)[:, :, None]
    glow = np.array([rng.uniform(0.95, 1.1), 1.0, rng.uniform(0.85, 1.0)])
    inner.pixels[:] = np.clip(inner.pixels * raster * glow * rng.uniform(0.8, 1.1), 0, 255).astype(np.uint8)
    border = round(side * rng.uniform(0.02, 0.15))
    frame = Surface.filled(inner.width + 2 * border, inner.height + 2 * border, np.full(3, rng.uniform(5, 60)))
    frame.paste(inner, border, border)
    return frame


def marked_part(rng: np.random.Generator, side: int) -> Surface:
    """A Data Matrix (at times a QR code) marked directly on metal, plastic or a circuit board: low contrast, no quiet field."""
    code = matrix_surface(rng, "dataMatrix" if rng.random() < 0.8 else "qrCode", side)
    outline = code.annotations[0].outline
    low, high = outline.min(axis=0).astype(int), outline.max(axis=0).astype(int)
    grey = cv2.cvtColor(code.pixels[low[1] : high[1], low[0] : high[0]], cv2.COLOR_BGR2GRAY)
    mask = cv2.normalize(grey, None, 0, 1, cv2.NORM_MINMAX, cv2.CV_32F)
    border = round(side * rng.uniform(0.2, 1.2))
    width, height = mask.shape[1] + 2 * border, mask.shape[0] + 2 * border
    kind = rng.random()
    image = textures.brushed_metal(rng, width, height) if kind < 0.5 else textures.any_texture(rng, width, height)
    contrast = rng.uniform(0.3, 0.75) * (1 if rng.random() < 0.5 else -1)
    region = image[border : border + mask.shape[0], border : border + mask.shape[1]].astype(np.float32)
    marked = region * (1 - contrast * (1 - mask[:, :, None])) if contrast > 0 else region * (1 + contrast) + (1 - mask[:, :, None]) * 160
    image[border : border + mask.shape[0], border : border + mask.shape[1]] = np.clip(marked, 0, 255).astype(np.uint8)
    code.annotations[0].outline = outline - low + border
    return Surface(image, np.full((height, width), 255, np.uint8), code.annotations)


def sign(rng: np.random.Generator, side: int) -> Surface:
    """Large words alone: shop signs, titles, number plates."""
    size = max(10, round(side * rng.uniform(0.08, 0.25)))
    ground = colours.any_colour(rng)
    surface = Surface.filled(side, round(size * rng.uniform(1.6, 4)), ground)
    y = round(size * 0.3)
    while y + size < surface.height:
        y = typesetting.heading(rng, surface, 4, y, side - 8, size, colours.ink_on(rng, ground))
    return surface
