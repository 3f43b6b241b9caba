# Fovea - boxes on pictures, as a function.
# SPDX-License-Identifier: Apache-2.0
"""The command ``fovea annotations`` as a function.

It has a file of its own: ``from __future__ import annotations`` would take its name.
"""

import os
from typing import TYPE_CHECKING, Optional

from ._commands import Document, Path, _document

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import _command_table as table


def annotations(
    action: str, pictures: Path, output: Optional[Path] = None, /,
    **options: "Unpack[table.AnnotationsOptions]"
) -> Document:
    """Boxes on pictures: "check" says what is wrong, "convert", "draw", "split" and "propose" write.

        fovea.annotations("check", "pictures/", annotations="labels/")["findings"]
        fovea.annotations("convert", "pictures/", "instances.json", to="coco")
    """
    own = [] if output is None else ["-o", os.fsdecode(output)]
    return _document("annotations", [action, pictures], options, *own)
