# Fovea - checkpoints of PyTorch as ONNX files, by the exporter that the user has.
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of PyTorch as ONNX files, by the exporter that the user has installed.

    python -m fovea export yolo11n.pt [--size 640 | --size 480x640] [--nms]
"""

from __future__ import annotations

import os
import sys
from typing import Any, Optional, Union

from ._errors import ArgumentError, CommandError, Error, MissingFileError

_INSTALL = "pip install ultralytics onnx"
_USAGE = "usage: python -m fovea export FILE.pt [--size N or WIDTHxHEIGHT] [--nms]"


def export(
    checkpoint: Union[str, "os.PathLike[str]"], *,
    size: Union[int, tuple[int, int], None] = None, nms: bool = False
) -> str:
    """Writes an ONNX file beside a checkpoint of Ultralytics, by their exporter; returns its path.

        model = fovea.Model(fovea.export("yolo11n.pt"))

    A checkpoint is a program in part: open those that you trust. Ultralytics fetches the weights
    that it names itself where there is no such file. Its license is the AGPL.

    Args:
        checkpoint: The .pt file.
        size: The side of the input, or its width and height; ``None`` for the checkpoint's own.
        nms: Whether the file also suppresses boxes. Fovea does that itself, and sooner.

    Raises:
        ImportError: where ultralytics or onnx is not installed.
        Error: where it cannot be exported.
    """
    path = os.fsdecode(checkpoint)
    if not path.lower().endswith(".pt"):
        raise ArgumentError(f"{path}: is no checkpoint of Ultralytics; expected a .pt file")
    if os.path.dirname(path) and not os.path.exists(path):
        raise MissingFileError(f"{path}: there is no such file; check the path")
    options: dict[str, Any] = {"format": "onnx", "nms": nms}
    if size is not None:
        options["imgsz"] = size if isinstance(size, int) else [size[1], size[0]]
    # It would install packages by itself.
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    try:
        import onnx  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
        from ultralytics import YOLO  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError(
            f"export needs {error.name or 'ultralytics'}, which is not installed; install it with "
            f"'{_INSTALL}'"
        ) from error
    try:
        options["simplify"] = _is_installed("onnxslim")
        return os.fsdecode(YOLO(path).export(**options))
    except Exception as error:
        if isinstance(error, FileNotFoundError):
            raise MissingFileError(f"{path}: there is no such file; check the path") from error
        raise CommandError(f"{path}: cannot be exported by Ultralytics: {error}") from error


def _is_installed(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def main(arguments: list[str]) -> int:
    """Exports, opens what was written, and says how to go on."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE + "\n\nWrites FILE.onnx by the exporter of Ultralytics, which you install:\n"
              f"{_INSTALL}", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    try:
        path, size, nms = _parsed(arguments)
        written = export(path, size=size, nms=nms)
        from ._model import Model

        with Model(written, threads=1) as model:
            sides = "x".join(map(str, model.input_size or ()))
            print(f"{written}: {len(model.labels)} classes, {sides}")
    except (Error, ImportError) as error:
        print(f"fovea export: {error}", file=sys.stderr)
        return 2 if isinstance(error, ArgumentError) else 1
    print(f"next: fovea detect --model {written} IMAGE")
    return 0


def _parsed(arguments: list[str]) -> tuple[str, Union[int, tuple[int, int], None], bool]:
    paths: list[str] = []
    size: Optional[str] = None
    nms = False
    rest = iter(arguments)
    for word in rest:
        if word == "--nms":
            nms = True
        elif word == "--size" or word.startswith("--size="):
            size = word[7:] if "=" in word else next(rest, "")
        elif word.startswith("-"):
            raise ArgumentError(f"unknown option {word!r}; {_USAGE}")
        else:
            paths.append(word)
    if len(paths) != 1:
        raise ArgumentError(f"{len(paths)} files are named, expected 1; {_USAGE}")
    if size is None:
        return paths[0], None, nms
    sides = size.split("x")
    if not 1 <= len(sides) <= 2 or not all(side.isdecimal() and int(side) for side in sides):
        raise ArgumentError(f"--size is {size!r}; expected N or WIDTHxHEIGHT")
    if len(sides) == 1:
        return paths[0], int(sides[0]), nms
    return paths[0], (int(sides[0]), int(sides[1])), nms
