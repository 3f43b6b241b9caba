# Fovea - training a detector, in the words of Turi Create.
# SPDX-License-Identifier: Apache-2.0
"""Training a detector, in the words of Turi Create."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _commands
from ._errors import ArgumentError, FileError, OptionError
from ._model import Model

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._results import Results

Path = Union[str, "os.PathLike[str]"]


class ObjectDetector:
    """A detector that was trained on one's own pictures, in the words of Turi Create.

        model = fovea.ObjectDetector.create("pictures/", annotations="labels.json", minutes=20)
        print(model.training["averagePrecision50"], model.classes)
        model.evaluate("test/", annotations="test.json")
        for found in model.predict("photo.jpg"):
            print(found.label, found.box)
        model.export_coreml("Mine.mlmodel")

    ``fovea.train`` does the same with the words of the command.
    """

    def __init__(self, path: str, training: dict[str, Any], folder: Optional[Any] = None) -> None:
        self._path = path
        self._folder = folder  # removed with the object
        self._model: Optional[Model] = None
        #: What the training said: steps, labels, and the precision on pictures that it kept aside.
        self.training = training

    @classmethod
    def create(
        cls, dataset: Path, annotations: Optional[Path] = None, *, max_iterations: int = 0,
        batch_size: int = 0, output: Optional[Path] = None, **options: Any
    ) -> ObjectDetector:
        """Trains a detector on a folder of pictures.

        Args:
            dataset: The folder.
            annotations: What is in the pictures, in any form that ``fovea.annotations`` reads; what
                lies beside them by default.
            max_iterations: Steps of training; 0 to train for ``minutes`` (20).
            batch_size: Pictures of a step; 0 for 16, or 8 at large sizes.
            output: The model to write, beside which the folder of the run stays. By default both
                are gone with the object, unless ``export_coreml`` has written a copy.
            **options: Those of ``fovea.train``, such as ``start_from``, ``minutes`` and ``seed``.

        Raises:
            Error: with the words of the program.
        """
        known = cls._named(options, max_iterations, batch_size)
        if annotations is not None:
            known["annotations"] = annotations
        path, folder = cls._output(output)
        return cls._trained(dataset, path, known, folder)

    @staticmethod
    def _named(options: Any, max_iterations: int, batch_size: int) -> dict[str, Any]:
        """Options with those that Turi Create calls by other names."""
        known = dict(options)
        for name, theirs, value in (("steps", "max_iterations", max_iterations),
                                    ("batch", "batch_size", batch_size)):
            if value and name in known:
                raise OptionError(f"{theirs} and {name} are the same; give one of them")
            if value:
                known[name] = value
        return known

    @staticmethod
    def _output(output: Optional[Path]) -> tuple[str, Optional[Any]]:
        """The model to write, and a folder for it that is removed with the object."""
        if output is not None:
            return os.fsdecode(output), None
        folder = tempfile.TemporaryDirectory(prefix="fovea-")
        return os.path.join(folder.name, "trained.mlmodel"), folder

    @classmethod
    def _trained(
        cls, dataset: Optional[Path], path: str, options: Any, folder: Optional[Any]
    ) -> Self:
        return cls(path, _commands.train(dataset, path, **options), folder)

    @property
    def classes(self) -> list[str]:
        """The labels that the detector finds."""
        return list(self.training["labels"])

    @property
    def model(self) -> Model:
        """The model, opened at the first use."""
        if self._model is None:
            self._model = Model(self._path)
        return self._model

    def predict(
        self, dataset: Any, confidence_threshold: Optional[float] = None,
        iou_threshold: Optional[float] = None
    ) -> Union[Results, list[Results]]:
        """What is found in a picture, or in several. Thresholds are those of the model by default.

        A picture is what ``fovea.Model`` takes.
        """
        found = {"confidence": confidence_threshold, "iou": iou_threshold}
        options: Any = {name: value for name, value in found.items() if value is not None}
        results: Union[Results, list[Results]] = self.model(dataset, **options)
        return results

    def evaluate(
        self, dataset: Path, annotations: Optional[Path] = None, **options: Any
    ) -> dict[str, Any]:
        """Average precision on labeled pictures, as ``fovea.evaluate`` gives it."""
        known: Any = {**options, "annotations": dataset if annotations is None else annotations}
        return _commands.evaluate(self._path, dataset, **known)

    def export_coreml(self, filename: Path) -> str:
        """Writes the Core ML model, a detector with suppression of boxes; returns its path."""
        path = os.fsdecode(filename)
        ending = os.path.splitext(self._path)[1]
        if os.path.splitext(path)[1] != ending:
            raise ArgumentError(f"{path}: this model is written as {ending}; name such a file")
        try:
            if os.path.isdir(self._path):
                shutil.copytree(self._path, path, dirs_exist_ok=True)
            else:
                shutil.copyfile(self._path, path)
        except OSError as error:
            raise FileError(f"{path}: cannot be written: {error.strerror}") from error
        return path

    def __repr__(self) -> str:
        return f"<fovea.ObjectDetector of {', '.join(self.classes)}>"
