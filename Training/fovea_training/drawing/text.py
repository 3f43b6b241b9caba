"""Fovea - words that look like words, and lines of them as masks of ink.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import string
from dataclasses import dataclass

import numpy as np

from fovea_training.drawing import fonts

_ONSETS = ("b c d f g h j k l m n p r s t v w z st tr pr ch sh th br cr gr pl cl fl qu sp sc".split()) + [""]
_NUCLEI = "a e i o u a e i o ea ou ai ie oo y".split()
_CODAS = ["", "", "", "n", "r", "s", "t", "l", "m", "nd", "st", "ck", "ng", "x", "p"]


@dataclass(frozen=True)
class Typeface:
    """A font file, and the script in which it writes (`None` is Latin)."""

    path: str
    script: fonts.Script | None


def typeface(rng: np.random.Generator, latin_share: float = 0.8) -> Typeface:
    """A face to set a whole text in."""
    if rng.random() < latin_share:
        files = fonts.latin_files()
        return Typeface(files[int(rng.integers(0, len(files)))], None)
    script = fonts.SCRIPTS[int(rng.integers(0, len(fonts.SCRIPTS)))]
    files = fonts.script_files(script)
    return Typeface(files[int(rng.integers(0, len(files)))], script)


def _latin_word(rng: np.random.Generator) -> str:
    count = int(rng.choice([1, 2, 3, 4], p=[0.3, 0.4, 0.2, 0.1]))
    picks = rng.random((count, 3))
    return "".join(_ONSETS[int(a * len(_ONSETS))] + _NUCLEI[int(b * len(_NUCLEI))] + _CODAS[int(c * len(_CODAS))] for a, b, c in picks)


def _number(rng: np.random.Generator) -> str:
    digits = "".join(str(digit) for digit in rng.integers(0, 10, int(rng.integers(1, 9))))
    kind = rng.random()
    if kind < 0.2:
        return f"{digits[:3]}.{rng.integers(0, 100):02d}"
    if kind < 0.3:
        return f"{rng.integers(1, 32):02d}.{rng.integers(1, 13):02d}.20{rng.integers(10, 40)}"
    if kind < 0.4:
        return string.ascii_uppercase[int(rng.integers(0, 26))] + "-" + digits
    return digits


def _foreign_word(rng: np.random.Generator, script: fonts.Script) -> str:
    sizes = np.array([last - first + 1 for first, last in script.ranges])
    letters = []
    for pick in rng.integers(0, sizes.sum(), int(rng.integers(1, 8))):
        for (first, _), size in zip(script.ranges, sizes):
            if pick < size:
                letters.append(chr(first + int(pick)))
                break
            pick -= size
    return "".join(letters)


def words(rng: np.random.Generator, face: Typeface, count: int) -> str:
    """A line of `count` words in the script of the face."""
    capitals = rng.random()
    parts = []
    for index in range(count):
        if rng.random() < 0.15:
            word = _number(rng)
        elif face.script is not None:
            word = _foreign_word(rng, face.script)
        else:
            word = _latin_word(rng)
            if capitals < 0.2:
                word = word.upper()
            elif capitals < 0.5 or (index == 0 and capitals < 0.8):
                word = word.capitalize()
        parts.append(word + ("," if rng.random() < 0.08 else ""))
    return " ".join(parts) + ("." if rng.random() < 0.2 else "")


def line_mask(text: str, path: str, size: int) -> np.ndarray | None:
    """The ink of a line, 0...255, cut to where there is ink; `None` if there is none."""
    mask = fonts.font(path, size).getmask(text, mode="L")
    if mask.size[0] == 0 or mask.size[1] == 0:
        return None
    ink = np.array(mask, np.uint8).reshape(mask.size[::-1])
    rows, columns = ink.max(axis=1) > 64, ink.max(axis=0) > 64
    if not rows.any():
        return None
    top, bottom = int(rows.argmax()), len(rows) - int(rows[::-1].argmax())
    left, right = int(columns.argmax()), len(columns) - int(columns[::-1].argmax())
    return ink[top:bottom, left:right]
