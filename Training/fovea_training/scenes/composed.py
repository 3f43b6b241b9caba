"""Fovea - larger pictures to show: a table with a page, a package, a label and a marked part, all in view.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fovea_training.classes import CODE_CLASSES
from fovea_training.drawing import printed_things, textures
from fovea_training.drawing.surface import Surface
from fovea_training.scenes import camera, lighting, placement
from fovea_training.scenes.canvas import Canvas
from fovea_training.scenes.scene import Scene

#: What lies on the table: the maker, its side as a share of the picture's height, and where its middle lies.
_THINGS: tuple[tuple[Callable[[np.random.Generator, int], Surface], float, tuple[float, float]], ...] = (
    (printed_things.page, 0.58, (0.24, 0.5)),
    (printed_things.package, 0.42, (0.64, 0.33)),
    (printed_things.label, 0.36, (0.62, 0.78)),
    (printed_things.marked_part, 0.13, (0.88, 0.32)),
    (printed_things.sticker, 0.16, (0.88, 0.72)),
)


def _with_code(rng: np.random.Generator, maker: Callable[[np.random.Generator, int], Surface], side: int) -> Surface:
    """The first surface of a maker that carries a code and is no taller than the table."""
    while True:
        surface = maker(rng, side)
        if any(one.label in CODE_CLASSES for one in surface.annotations) and surface.height < 1.5 * side:
            return surface


def draw_composed_scene(seed: int, width: int = 1200, height: int = 900) -> Scene:
    """A table seen from above in daylight; every thing on it carries a code."""
    rng = np.random.default_rng(seed)
    canvas = Canvas(textures.wood(rng, width, height))
    for maker, share, centre in _THINGS:
        surface = _with_code(rng, maker, round(share * height))
        if maker is printed_things.package and rng.random() < 0.5:
            surface = placement.bent(rng, surface)
        middle = np.array(centre) * [width, height]
        turn, tilt = float(rng.normal(0, 0.12)), float(abs(rng.normal(0, 0.2)))
        canvas.lay(rng, surface, placement.seen_at_an_angle(rng, surface.width, surface.height, middle, 1.0, turn, tilt))
    image = lighting.gradient(rng, canvas.image.astype(np.float32))
    if rng.random() < 0.6:
        image = lighting.shadow(rng, image)
    return Scene(np.clip(camera.noisy(rng, image), 0, 255).astype(np.uint8), canvas.objects())
