# Fovea - models by the names of the catalog.
# SPDX-License-Identifier: Apache-2.0
"""Models by the names of the catalog: what ``fovea.get`` has fetched."""

from __future__ import annotations

import os

from ._errors import Error, MissingFileError


def fetched(name: str, missing: MissingFileError) -> str:
    """The file of a model of the catalog. Runs the program, so it is asked for missing files only.

    Raises:
        MissingFileError: for a model that was not fetched; ``missing`` for a name of none.
    """
    if "/" in name or os.sep in name:
        raise missing
    from ._commands import get

    try:
        models = get()
    except Error:
        raise missing from None
    for model in models:
        if model["name"] != name:
            continue
        if model["isHere"]:
            return str(model["path"])
        raise MissingFileError(
            f"{name}: there is no such file here, and the model of that name is not in "
            f"{os.path.dirname(model['path'])}; run 'fovea get {name}'") from None
    raise missing
