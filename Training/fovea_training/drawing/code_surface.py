"""Fovea - symbols as they are printed: colours, quiet zones, styles, wear, the digits below.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np

from fovea_training.drawing import colours, symbols, text
from fovea_training.drawing.surface import Annotation, Surface, rectangle_outline

#: Pixels of a module while modules are drawn as dots or rounded.
_STYLE_SCALE = 8


def printed(modules: np.ndarray, width: int, height: int, style: str, rng: np.random.Generator) -> np.ndarray:
    """Ink of a matrix of modules, 0...255, in `width` x `height` pixels."""
    ink = modules.astype(np.uint8) * 255
    if style != "square":
        ink = np.kron(ink, np.ones((_STYLE_SCALE, _STYLE_SCALE), np.uint8))
        if style == "dots":
            dot = np.zeros((_STYLE_SCALE, _STYLE_SCALE), np.uint8)
            radius = _STYLE_SCALE * rng.uniform(0.36, 0.5)
            axis = np.arange(_STYLE_SCALE) + 0.5 - _STYLE_SCALE / 2
            dot[axis[:, None] ** 2 + axis[None, :] ** 2 <= radius**2] = 1
            ink = ink * np.tile(dot, modules.shape)
        else:
            ink = cv2.threshold(cv2.GaussianBlur(ink, (0, 0), _STYLE_SCALE * 0.35), 127, 255, cv2.THRESH_BINARY)[1]
    else:
        # Whole pixels for a module first, so that averaging keeps every module the same size.
        enlarge = (max(1, -(-height // ink.shape[0])), max(1, -(-width // ink.shape[1])))
        ink = np.repeat(np.repeat(ink, enlarge[0], axis=0), enlarge[1], axis=1)
    method = cv2.INTER_AREA if ink.shape[0] >= height and ink.shape[1] >= width else cv2.INTER_LINEAR
    return cv2.resize(ink, (width, height), interpolation=method)


def _ground_and_ink(rng: np.random.Generator, ground: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """The two colours of a symbol: black on white mostly; on `ground` where that can be read; light on dark at times."""
    if ground is not None and rng.random() < 0.35 and not 90 < colours.luminance(ground) < 150:
        return ground, colours.ink_on(rng, ground)
    if rng.random() < 0.05:
        dark = colours.from_hue(rng.random(), rng.random(), rng.uniform(0, 0.35))
        return dark, colours.ink_on(rng, dark)
    kind = rng.random()
    if kind < 0.8:
        light = np.full(3, rng.uniform(220, 255))
    else:
        light = colours.from_hue(rng.random(), rng.uniform(0.05, 0.6), rng.uniform(0.8, 1.0))
    return light, colours.ink_on(rng, light)


def matrix_surface(rng: np.random.Generator, label: str, side: int, ground: np.ndarray | None = None) -> Surface:
    """A QR code or Data Matrix of about `side` pixels on its quiet zone."""
    modules = symbols.quick_response(rng) if label == "qrCode" else symbols.data_matrix(rng)
    width = side
    height = max(6, round(side * modules.shape[0] / modules.shape[1]))
    kind = rng.random()
    dotted = 0.08 if label == "qrCode" else 0.15
    style = "dots" if kind < dotted else "rounded" if kind < dotted + 0.05 else "square"
    background, ink_colour = _ground_and_ink(rng, ground)
    ink = printed(modules, width, height, style, rng)
    module = width / modules.shape[1]
    quiet = round(module * (rng.uniform(1.0, 5.0) if label == "qrCode" else rng.uniform(0.7, 4.0)))
    surface = Surface.filled(width + 2 * quiet, height + 2 * quiet, background)
    surface.ink(ink, quiet, quiet, ink_colour)
    if label == "qrCode" and side > 40 and rng.random() < 0.12:
        _logo(rng, surface, quiet + width // 2, quiet + height // 2, round(side * rng.uniform(0.08, 0.14)))
    surface.annotations.append(Annotation(label, rectangle_outline(quiet, quiet, width, height)))
    return surface


def _logo(rng: np.random.Generator, surface: Surface, x: int, y: int, radius: int) -> None:
    """A mark in the middle of a QR code, within what its error correction repairs."""
    field, mark = colours.paper(rng), colours.any_colour(rng)
    if rng.random() < 0.5:
        cv2.circle(surface.pixels, (x, y), radius + 2, field.tolist(), -1, cv2.LINE_AA)
        cv2.circle(surface.pixels, (x, y), radius, mark.tolist(), -1, cv2.LINE_AA)
    else:
        cv2.rectangle(surface.pixels, (x - radius - 1, y - radius - 1), (x + radius + 1, y + radius + 1), field.tolist(), -1)
        cv2.rectangle(surface.pixels, (x - radius, y - radius), (x + radius, y + radius), mark.tolist(), -1)


def linear_surface(rng: np.random.Generator, width: int, ground: np.ndarray | None = None) -> Surface:
    """A one-dimensional code, bars of about `width` pixels together, with or without its characters below."""
    modules, characters = symbols.linear(rng, symbols.linear_kind(rng))
    height = max(8, round(width * float(np.clip(rng.lognormal(np.log(0.42), 0.5), 0.1, 1.1))))
    background, ink_colour = _ground_and_ink(rng, ground)
    ink = printed(modules[None, :], width, height, "square", rng)
    module = width / len(modules)
    quiet = max(2, round(module * rng.uniform(3, 12)))
    margin = max(1, round(height * rng.uniform(0.02, 0.2)))
    below, digits = 0, None
    if rng.random() < 0.72:
        digits = _digits(rng, characters, width, height)
        below = 0 if digits is None else digits.shape[0] + 2 * max(1, round(digits.shape[0] * rng.uniform(0.08, 0.3)))
    surface = Surface.filled(width + 2 * quiet, height + 2 * margin + below, background)
    top = margin
    if digits is not None and rng.random() < 0.1:
        top, text_top = margin + below, margin
    else:
        text_top = margin + height + (below - (0 if digits is None else digits.shape[0])) // 2
    surface.ink(ink, quiet, top, ink_colour)
    if digits is not None:
        left = quiet + (width - digits.shape[1]) // 2
        surface.ink(digits, left, text_top, ink_colour)
        surface.annotations.append(Annotation("textLine", rectangle_outline(left, text_top, digits.shape[1], digits.shape[0])))
    surface.annotations.append(Annotation("barcode", rectangle_outline(quiet, top, width, height)))
    return surface


def _digits(rng: np.random.Generator, characters: str, width: int, height: int) -> np.ndarray | None:
    """The characters below the bars, spread over their width as digits of retail codes are."""
    face = text.typeface(rng, latin_share=1.0)
    shown = " ".join(characters) if rng.random() < 0.3 else characters
    if rng.random() < 0.4 and len(characters) > 8:
        shown = characters[0] + "  " + characters[1:7] + "  " + characters[7:]
    size = int(np.clip(min(height * rng.uniform(0.16, 0.4), width * 1.5 / max(4, len(shown))), 5, 60))
    return text.line_mask(shown, face.path, size)


def code_surface(rng: np.random.Generator, label: str, side: int, ground: np.ndarray | None = None) -> Surface:
    """A code of any class, about `side` pixels along its longer side, with print defects at times."""
    surface = linear_surface(rng, side, ground) if label == "barcode" else matrix_surface(rng, label, side, ground)
    if side > 48 and rng.random() < 0.15:
        _wear(rng, surface)
    return surface


def _wear(rng: np.random.Generator, surface: Surface) -> None:
    """Scratches, a streak that the print head left out, or ink that did not take."""
    height, width = surface.pixels.shape[:2]
    kind = rng.random()
    if kind < 0.4:
        for _ in range(int(rng.integers(1, 6))):
            ends = (rng.random((2, 2)) * [width, height]).astype(int)
            shade = float(rng.uniform(150, 255)) if rng.random() < 0.7 else float(rng.uniform(0, 100))
            cv2.line(surface.pixels, ends[0].tolist(), ends[1].tolist(), [shade] * 3, int(rng.integers(1, 3)), cv2.LINE_AA)
    elif kind < 0.7:
        x = int(rng.integers(0, max(1, width - 2)))
        surface.pixels[:, x : x + int(rng.integers(1, 3))] = 240
    else:
        spots = cv2.resize(rng.random((max(2, height // 3), max(2, width // 3)), np.float32), (width, height))
        surface.pixels[spots > 0.88] = 235
