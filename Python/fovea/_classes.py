# Fovea - classes by name or by number.
# SPDX-License-Identifier: Apache-2.0
"""Classes by name or by number."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence, Union

from ._errors import ArgumentError

Classes = Union[str, int, Sequence[Union[str, int]]]
"""A class or several, each by its name or its number."""


def names_of(classes: Any, labels: Sequence[str]) -> list[str]:
    """The names of classes.

    Raises:
        ArgumentError: for what is neither a name nor a number of ``labels``.
    """
    if isinstance(classes, str) or not hasattr(classes, "__iter__"):
        classes = [classes]
    names = [one if isinstance(one, str) else _name(one, labels) for one in classes]
    if not names:
        raise ArgumentError("only needs the name of at least one class")
    return names


def _name(value: Any, labels: Sequence[str]) -> str:
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)
    except TypeError:
        raise ArgumentError(
            f"only has {value!r}; expected names or numbers of classes") from None
    if not 0 <= number < len(labels):
        known = f"the model's classes are 0 to {len(labels) - 1}" if labels else (
            "the model has no names of classes")
        raise ArgumentError(f"only has the class {number}; {known}")
    if list(labels).count(labels[number]) > 1:
        raise ArgumentError(
            f"only has the class {number}, and several are called {labels[number]!r}; choose among "
            "the results by class_id")
    return labels[number]
