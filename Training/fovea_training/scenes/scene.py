"""Fovea - one picture from one seed: a background, printed things before it, light, a camera, and the boxes.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from fovea_training.classes import CODE_CLASSES
from fovea_training.drawing import backgrounds, code_lists, colours, printed_things
from fovea_training.drawing.surface import Surface
from fovea_training.scenes import camera, lighting, placement
from fovea_training.scenes.canvas import Canvas
from fovea_training.scenes.visible_objects import SceneObject

_ASPECTS = (4 / 3, 3 / 4, 1.0, 16 / 9, 9 / 16, 3 / 2, 2 / 3)
_ASPECT_SHARES = (0.32, 0.26, 0.14, 0.08, 0.08, 0.06, 0.06)

_THINGS = (
    printed_things.sticker,
    printed_things.label,
    printed_things.page,
    printed_things.package,
    printed_things.screen,
    printed_things.marked_part,
    printed_things.sign,
    printed_things.sheet,
)
_THING_SHARES = (0.33, 0.19, 0.1, 0.14, 0.06, 0.07, 0.06, 0.05)

#: The same where it is sheets and their lines of text that are to be learned.
_WRITTEN_SHARES = (0.04, 0.36, 0.34, 0.12, 0.0, 0.0, 0.14, 0.0)


class Subject(Enum):
    """What is in the scenes of a set: anything at all, things to read, sheets with one code below the other."""

    ANYTHING, WRITTEN, LISTED = range(3)


#: Kinds of scenes, in the order of `_composed`: from here on several things, a page, the background alone.
_SEVERAL_FROM, _PAGE_FROM, _EMPTY_FROM = 0.38, 0.72, 0.86

#: Between which of these the scenes of a subject lie.
_KINDS = {Subject.ANYTHING: (0.0, 1.0), Subject.WRITTEN: (_SEVERAL_FROM, _EMPTY_FROM), Subject.LISTED: (_PAGE_FROM, _EMPTY_FROM)}


@dataclass
class Scene:
    """A picture `[height, width, 3]` (BGR, 8 bits) and its objects."""

    image: np.ndarray
    objects: list[SceneObject]


def _turn(rng: np.random.Generator) -> float:
    """The angle at which people hold a camera or put a thing down, in radians."""
    kind = rng.random()
    if kind < 0.62:
        return float(rng.normal(0, 0.1))
    if kind < 0.8:
        return float(rng.choice([-1, 1, 2]) * np.pi / 2 + rng.normal(0, 0.1))
    return float(rng.uniform(-np.pi, np.pi))


def _tilt(rng: np.random.Generator) -> float:
    """How far a plane leans away, in radians."""
    return float(abs(rng.normal(0, 0.35)) if rng.random() < 0.8 else rng.uniform(0.3, 0.95))


def _shaped(rng: np.random.Generator, surface: Surface) -> Surface:
    """Flat, bent or crumpled."""
    kind = rng.random()
    if min(surface.width, surface.height) > 24:
        if kind < 0.14:
            surface = placement.bent(rng, surface)
        elif kind < 0.2:
            surface = placement.crumpled(rng, surface)
    return surface


def _thing(rng: np.random.Generator, side: int, shares: tuple[float, ...]) -> Surface:
    """A printed thing for a scene of several."""
    maker = _THINGS[int(rng.choice(len(_THINGS), p=shares))]
    if maker is printed_things.sticker or maker is printed_things.marked_part:
        side = max(12, round(side * 0.6))
    elif side < 48:
        return printed_things.sticker(rng, max(12, side))
    return _shaped(rng, maker(rng, side))


def _close_up(rng: np.random.Generator, canvas: Canvas) -> None:
    """One printed thing that fills much of the picture, with a code near its middle: how people photograph codes."""
    height, width = canvas.image.shape[:2]
    kind = rng.random()
    if kind < 0.62:
        surface = printed_things.package(rng, round(max(width, height) * rng.uniform(0.8, 2.0)))
    elif kind < 0.74:
        surface = printed_things.sticker(rng, round(min(width, height) * rng.uniform(0.3, 0.98)))
    elif kind < 0.84:
        surface = printed_things.label(rng, round(max(width, height) * rng.uniform(0.6, 1.5)))
    elif kind < 0.92:
        surface = printed_things.marked_part(rng, round(min(width, height) * rng.uniform(0.15, 0.8)))
    else:
        surface = printed_things.screen(rng, round(min(width, height) * rng.uniform(0.5, 1.2)))
    surface = _shaped(rng, surface)
    codes = [one.outline for one in surface.annotations if one.label in CODE_CLASSES]
    aim = np.array([surface.width, surface.height]) / 2
    if codes:
        outline = codes[int(rng.integers(0, len(codes)))]
        # People step back until the code is in the picture.
        shrink = min(1.0, rng.uniform(0.2, 0.95) * min(width, height) / float(np.ptp(outline, axis=0).max()))
        surface = surface.scaled(shrink, shrink)
        aim = outline.mean(axis=0) * shrink
    centre = np.array([width, height]) * rng.uniform(0.3, 0.7, 2)
    matrix = placement.seen_at_an_angle(rng, surface.width, surface.height, centre, 1.0, _turn(rng), min(_tilt(rng), 0.6))
    shift = centre - placement.projected(matrix, aim[None])[0]
    canvas.lay(rng, surface, np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]]) @ matrix)


def _several(rng: np.random.Generator, canvas: Canvas, shares: tuple[float, ...] = _THING_SHARES) -> None:
    """One to seven things of any size before the background."""
    height, width = canvas.image.shape[:2]
    for _ in range(int(rng.choice([1, 2, 3, 4, 5, 7], p=[0.28, 0.25, 0.2, 0.13, 0.09, 0.05]))):
        side = float(np.exp(rng.uniform(np.log(22), np.log(0.95 * max(width, height)))))
        detail = rng.uniform(1.0, 1.3)
        surface = _thing(rng, round(side * detail), shares)
        centre = np.array([width, height]) * rng.uniform(0.05, 0.95, 2)
        matrix = placement.seen_at_an_angle(rng, surface.width, surface.height, centre, 1 / detail, _turn(rng), _tilt(rng))
        canvas.lay(rng, surface, matrix)


def _page_view(rng: np.random.Generator, canvas: Canvas, maker: Callable[[np.random.Generator, int], Surface]) -> None:
    """A page on a table, mostly seen from above."""
    height, width = canvas.image.shape[:2]
    side = round(min(width, height) * rng.uniform(0.45, 1.1))
    surface = maker(rng, side)
    if rng.random() < 0.2:
        surface = _shaped(rng, surface)
    centre = np.array([width, height]) * rng.uniform(0.35, 0.65, 2)
    turn = float(rng.normal(0, 0.06)) if rng.random() < 0.75 else _turn(rng)
    canvas.lay(rng, surface, placement.seen_at_an_angle(rng, surface.width, surface.height, centre, 1.0, turn, min(_tilt(rng), 0.7)))


def _bare_symbol(rng: np.random.Generator) -> Canvas:
    """A picture that is a code and little else: what an encoder writes, a scan, a cut-out. Any aspect, so that stretching is seen too."""
    surface = printed_things.sticker(rng, round(np.exp(rng.uniform(np.log(60), np.log(420)))))
    margin = rng.uniform(0.0, 0.6, 4) * min(surface.width, surface.height) * (rng.random() < 0.6)
    left, top, right, bottom = (round(value) for value in margin)
    ground = surface.pixels[0, 0] if rng.random() < 0.6 else colours.paper(rng)
    width, height = surface.width + left + right, surface.height + top + bottom
    canvas = Canvas(Surface.filled(width, height, ground).pixels)
    turn = float(rng.normal(0, 0.04)) if rng.random() < 0.4 else 0.0
    centre = np.array([left + surface.width / 2, top + surface.height / 2])
    canvas.lay(rng, surface, placement.seen_at_an_angle(rng, surface.width, surface.height, centre, 1.0, turn, 0.0))
    return canvas


def _strongest_blur(objects: list[SceneObject]) -> float:
    """The radius of blur that leaves the smallest code that counts recognisable, in pixels."""
    sides = [min(one.box[2] - one.box[0], one.box[3] - one.box[1]) for one in objects if one.label in CODE_CLASSES and not one.ignored]
    return float(np.clip(min(sides) * 0.045, 0.7, 6.0)) if sides else 3.0


def _composed(rng: np.random.Generator, width: int, height: int, subject: Subject) -> Canvas:
    """A picture of one of the kinds, before light and camera."""
    kind = rng.uniform(*_KINDS[subject])
    canvas = Canvas(backgrounds.background(rng, width, height, 0.45 if kind > _EMPTY_FROM else 0.15))
    if kind < _SEVERAL_FROM:
        _close_up(rng, canvas)
        if rng.random() < 0.15:
            _several(rng, canvas)
    elif kind < _PAGE_FROM:
        _several(rng, canvas, _WRITTEN_SHARES if subject is Subject.WRITTEN else _THING_SHARES)
    elif kind < _EMPTY_FROM:
        _page_view(rng, canvas, code_lists.code_list if subject is Subject.LISTED else printed_things.page)
    if rng.random() < 0.14:
        canvas.cover(rng)
    return canvas


def draw_scene(seed: int, subject: Subject = Subject.ANYTHING) -> Scene:
    """The scene of a seed: about 170 000 pixels, of seven aspects; bare symbols, which are among anything only, may be smaller."""
    rng = np.random.default_rng(seed)
    if rng.random() < 0.06 and subject is Subject.ANYTHING:
        canvas = _bare_symbol(rng)
        objects = canvas.objects()
        if rng.random() < 0.5:
            return Scene(canvas.image, objects)
    else:
        side = rng.uniform(380, 520)
        aspect = float(rng.choice(_ASPECTS, p=_ASPECT_SHARES))
        canvas = _composed(rng, round(side * aspect**0.5), round(side / aspect**0.5), subject)
        objects = canvas.objects()
    image = lighting.lit(rng, canvas.image)
    return Scene(camera.photographed(rng, image, _strongest_blur(objects)), objects)
