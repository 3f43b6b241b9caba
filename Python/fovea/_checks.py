# Fovea - arguments that are no values of the library.
# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments before they become numbers of C."""

from __future__ import annotations

from typing import Optional

from ._errors import ArgumentError


def choice(value: str, choices: dict[str, int], name: str) -> int:
    """The number of one of several words."""
    if value not in choices:
        raise ArgumentError(f"{name} is {value!r}; expected one of {', '.join(choices)}")
    return choices[value]


def fraction(value: Optional[float], name: str) -> Optional[float]:
    """A number in 0...1, or ``None``."""
    if value is None:
        return None
    number = float(value)
    if not 0 <= number <= 1:
        raise ArgumentError(f"{name} is {value}; expected a number in 0...1")
    return number


def check_number(value: int, least: int, greatest: int, name: str) -> None:
    """Refuses what ctypes would cut off."""
    if not isinstance(value, int) or not least <= value <= greatest:
        raise ArgumentError(
            f"{name} is {value!r}; expected a whole number of at least {least}"
            + (f" and at most {greatest}" if greatest < 1 << 30 else ""))
