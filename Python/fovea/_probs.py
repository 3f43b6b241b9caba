# Fovea - the classes of a picture, as readers of Ultralytics' results expect them.
# SPDX-License-Identifier: Apache-2.0
"""The classes of a picture, as readers of Ultralytics' results expect them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _arrays

if TYPE_CHECKING:
    from ._arrays import Float32Array


class Label(NamedTuple):
    """A class that a picture may belong to."""

    label: str
    confidence: float
    class_id: int


class Labels(list[Label]):
    """The classes of a picture, the most probable first."""

    @property
    def probs(self) -> Probs:
        """The same by the names that readers of Ultralytics' results use."""
        return Probs(self)


class Probs:
    """The probabilities of all classes."""

    def __init__(self, labels: list[Label]) -> None:
        self._labels = labels

    @property
    def top1(self) -> int:
        """The number of the most probable class."""
        return self._labels[0].class_id

    @property
    def top5(self) -> list[int]:
        """The numbers of the five most probable classes."""
        return [label.class_id for label in self._labels[:5]]

    @property
    def top1conf(self) -> float:
        """The probability of the most probable class."""
        return self._labels[0].confidence

    @property
    def top5conf(self) -> Float32Array:
        """The probabilities of the five most probable classes: float32, shape (5,)."""
        found: Float32Array = _arrays.array(
            [label.confidence for label in self._labels[:5]], "float32")
        return found

    @property
    def data(self) -> Float32Array:
        """The probabilities of all classes, by their numbers: float32, shape (n,)."""
        ordered = sorted(self._labels, key=lambda label: label.class_id)
        found: Float32Array = _arrays.array([label.confidence for label in ordered], "float32")
        return found

    def __repr__(self) -> str:
        found = ", ".join(f"{one.label} {one.confidence:.2f}" for one in self._labels[:5])
        return f"<fovea.Probs: {found}>"
