# Fovea - pictures as files, for the program.
# SPDX-License-Identifier: Apache-2.0
"""Pictures as files, for the program: what is none is written to a folder that goes again."""

from __future__ import annotations

import os
from typing import Any, Iterable, Optional

from ._sources import opened


class PictureFiles:
    """The paths of pictures, as long as the block lasts."""

    def __init__(self, pictures: Iterable[Any]) -> None:
        self._pictures = pictures
        self._folder: Any = None
        self.paths: list[str] = []
        self.names: list[Optional[str]] = []
        """What the caller knows the pictures by; ``None`` for pixels and bytes."""

    def __enter__(self) -> PictureFiles:
        try:
            for picture in self._pictures:
                found = opened(picture)
                self.names.append(found.path)
                is_path = isinstance(found.picture, (str, os.PathLike))
                self.paths.append(
                    os.fsdecode(found.picture) if is_path else self._written(found.picture))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def _written(self, picture: Any) -> str:
        if isinstance(picture, (bytes, bytearray)):
            path = self.place("bytes")
            with open(path, "wb") as file:
                file.write(picture)
            return path
        from ._picture import Picture

        return Picture.open(picture).save(self.place("pixels.png"))

    def place(self, name: str) -> str:
        """A path of a file that goes with the block."""
        if self._folder is None:
            from tempfile import TemporaryDirectory

            self._folder = TemporaryDirectory(prefix="fovea-")
        return os.path.join(self._folder.name, f"{len(self.paths)}-{name}")
