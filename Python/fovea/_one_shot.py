# Fovea - training a detector from one picture of each thing, in the words of Turi Create.
# SPDX-License-Identifier: Apache-2.0
"""Training a detector from one picture of each thing, in the words of Turi Create."""

from __future__ import annotations

import os
import shutil
from typing import Any, Optional

from ._errors import ArgumentError, FileError, OptionError
from ._object_detector import ObjectDetector, Path


class OneShotObjectDetector(ObjectDetector):
    """A detector of flat things, such as cards, logos and signs, from one picture of each.

        model = fovea.OneShotObjectDetector.create("cards/", backgrounds="table/", minutes=10)
        model = fovea.OneShotObjectDetector.create("stop.png", "stop sign")
        for found in model.predict("photo.jpg"):
            print(found.label, found.box)
        model.export_coreml("Cards.mlmodel")

    Each step of training pastes the pictures onto backgrounds, as a camera would see them.
    """

    @classmethod
    def create(  # type: ignore[override]
        cls, data: Path, target: Optional[str] = None, backgrounds: Optional[Path] = None, *,
        max_iterations: int = 0, batch_size: int = 0, output: Optional[Path] = None,
        **options: Any
    ) -> OneShotObjectDetector:
        """Trains a detector on single pictures of flat things.

        Args:
            data: A folder of pictures, whose classes are the names of the files, or of folders in
                it; or a single picture. Transparent pixels do not belong to the thing.
            target: The class of a single picture; the name of its file by default.
            backgrounds: A folder of pictures that things are pasted onto; drawn ones by default.
            max_iterations: Steps of training; 0 to train for ``minutes`` (20).
            batch_size: Views of a step; 0 for 16, or 8 at large sizes.
            output: The model to write, beside which the folder of the run stays. By default both
                are gone with the object, unless ``export_coreml`` has written a copy.
            **options: Those of ``fovea.train``, such as ``start_from``, ``minutes`` and ``seed``.

        Raises:
            Error: with the words of the program.
        """
        for name in ("starters", "annotations"):
            if name in options:
                raise OptionError(f"{name} is not for this class; data names the pictures")
        known = cls._named(options, max_iterations, batch_size)
        path, folder = cls._output(output)
        if target is None:
            known["starters"] = data
        else:
            known["starters"] = _named_picture(data, target, os.path.splitext(path)[0] + "-run")
        if backgrounds is not None:
            known["backgrounds"] = backgrounds
        return cls._trained(None, path, known, folder)

    def __repr__(self) -> str:
        return f"<fovea.OneShotObjectDetector of {', '.join(self.classes)}>"


def _named_picture(data: Path, target: str, run: str) -> str:
    """A copy of a picture in the folder of the run, where `--resume` finds it by its class."""
    source = os.fsdecode(data)
    if os.path.isdir(source):
        raise ArgumentError(
            f"{source}: is a folder, whose classes are the names of its files; leave target out")
    if not target or "/" in target or target.startswith("."):
        raise ArgumentError(f"target is {target!r}; expected the name of a class")
    folder = os.path.join(run, "starters")
    path = os.path.join(folder, target + os.path.splitext(source)[1])
    try:
        os.makedirs(folder, exist_ok=True)
        shutil.copyfile(source, path)
    except OSError as error:
        raise FileError(f"{source}: cannot be copied to {path}: {error.strerror}") from error
    return path
