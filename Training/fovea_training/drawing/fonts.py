"""Fovea - fonts of many scripts, from the font packages that the README names.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

_ROOT = Path("/usr/share/fonts")

_LATIN_PATTERNS = (
    "truetype/dejavu/*.ttf",
    "truetype/liberation/*.ttf",
    "truetype/freefont/*.ttf",
    "truetype/lato/Lato-[BHLMR]*.ttf",
    "truetype/open-sans/OpenSans-[BELR]*.ttf",
    "truetype/roboto/unhinted/*/*.ttf",
    "truetype/comic-neue/*.ttf",
    "truetype/inconsolata/*.otf",
    "truetype/dancingscript/*.ttf",
    "truetype/noto/NotoSans-*.ttf",
    "truetype/noto/NotoSerif-*.ttf",
    "opentype/ocr-a/*.otf",
    "opentype/comic-neue/*.otf",
    "truetype/inconsolata.ttf",
)


@dataclass(frozen=True)
class Script:
    """Letters of a script as ranges of code points, and the files that draw them."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    patterns: tuple[str, ...]


SCRIPTS: tuple[Script, ...] = (
    Script("Greek", ((0x391, 0x3A1), (0x3B1, 0x3C9)), ("truetype/dejavu/*.ttf", "truetype/noto/NotoSans-[BR]*.ttf")),
    Script("Cyrillic", ((0x410, 0x44F),), ("truetype/dejavu/*.ttf", "truetype/noto/NotoSerif-[BR]*.ttf")),
    Script("Arabic", ((0x627, 0x63A), (0x641, 0x64A)), ("truetype/noto/NotoNaskhArabic-*.ttf", "truetype/noto/NotoSansArabic-[BR]*.ttf")),
    Script("Hebrew", ((0x5D0, 0x5EA),), ("truetype/noto/NotoSansHebrew-[BR]*.ttf",)),
    Script("Devanagari", ((0x905, 0x914), (0x915, 0x939)), ("truetype/noto/NotoSansDevanagari-[BR]*.ttf",)),
    Script("Thai", ((0xE01, 0xE2E),), ("truetype/noto/NotoSansThai-[BR]*.ttf", "truetype/tlwg/*.ttf")),
    Script("Hangul", ((0xAC00, 0xD7A3),), ("opentype/noto/NotoSansCJK-[BR]*.ttc",)),
    Script("Kana", ((0x3042, 0x3093), (0x30A2, 0x30F3)), ("opentype/noto/NotoSansCJK-[BR]*.ttc",)),
    Script("Han", ((0x4E00, 0x7FFF),), ("opentype/noto/NotoSansCJK-[BR]*.ttc", "opentype/noto/NotoSerifCJK-[BR]*.ttc")),
)


def _files(patterns: tuple[str, ...]) -> tuple[str, ...]:
    found = sorted({str(path) for pattern in patterns for path in _ROOT.glob(pattern)})
    if not found:
        raise FileNotFoundError(f"no font matches {patterns} below {_ROOT}: install the font packages that Training/README.md names")
    return tuple(found)


@lru_cache(maxsize=1)
def latin_files() -> tuple[str, ...]:
    """The files that draw Latin letters, in a fixed order."""
    return _files(_LATIN_PATTERNS)


@cache
def script_files(script: Script) -> tuple[str, ...]:
    """The files that draw a script, in a fixed order."""
    return _files(script.patterns)


@lru_cache(maxsize=512)
def font(path: str, size: int) -> ImageFont.FreeTypeFont:
    """The font of a file with an em of `size` pixels."""
    return ImageFont.truetype(path, size)
