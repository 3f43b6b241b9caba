"""Fovea - colours of print, paper and things (BGR, 0...255).

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import colorsys

import numpy as np

_LUMINANCE = np.array([0.114, 0.587, 0.299])


def luminance(colour: np.ndarray) -> float:
    """How bright a colour looks, 0...255."""
    return float(np.dot(colour, _LUMINANCE))


def from_hue(hue: float, saturation: float, value: float) -> np.ndarray:
    """A colour by hue, saturation and value, each 0...1."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return np.array([blue, green, red]) * 255


def any_colour(rng: np.random.Generator) -> np.ndarray:
    """Any colour; strong ones are rarer than dull ones."""
    return from_hue(rng.random(), rng.random() ** 2, rng.random() ** 0.7)


def paper(rng: np.random.Generator) -> np.ndarray:
    """White and cream mostly, cardboard sometimes, coloured paper at times."""
    kind = rng.random()
    if kind < 0.65:
        return np.clip(np.full(3, rng.uniform(225, 255)) + np.array([rng.uniform(-25, 2), 0, 0]), 0, 255)
    if kind < 0.8:
        return from_hue(rng.uniform(0.05, 0.12), rng.uniform(0.25, 0.55), rng.uniform(0.55, 0.85))
    return from_hue(rng.random(), rng.uniform(0.1, 0.8), rng.uniform(0.75, 1.0))


def ink_on(rng: np.random.Generator, ground: np.ndarray) -> np.ndarray:
    """A colour that can be read on `ground`: mostly black on light and white on dark."""
    if luminance(ground) > 110:
        if rng.random() < 0.75:
            return np.full(3, rng.uniform(0, 50))
        ink = from_hue(rng.random(), rng.uniform(0.4, 1.0), rng.uniform(0.1, 0.6))
        return ink if luminance(ground) - luminance(ink) > 70 else np.full(3, 15.0)
    if rng.random() < 0.8:
        return np.full(3, rng.uniform(215, 255))
    ink = from_hue(rng.random(), rng.uniform(0.0, 0.5), 1.0)
    return ink if luminance(ink) - luminance(ground) > 80 else np.full(3, 250.0)
