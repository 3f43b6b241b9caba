# Fovea - predict() of coremltools on Linux.
# SPDX-License-Identifier: Apache-2.0
"""Makes ``predict`` of coremltools work here. Import it before coremltools:

    import fovea.coremltools
    import coremltools as ct

    model = ct.models.MLModel("model.mlpackage")
    outputs = model.predict({"image": picture})

coremltools reaches Apple's framework through a module of its own, ``coremltools.libcoremlpython``,
which its packages for Linux do not have. This import puts one there that runs models with Fovea.
Nothing of coremltools is changed. All compute units mean the CPU.

``python -m fovea.coremltools script.py`` does the same for a script that is not changed.
"""

from __future__ import annotations

import sys

from . import _framework

_NAME = "coremltools.libcoremlpython"


def _install() -> None:
    present = sys.modules.get(_NAME)
    if present is _framework:
        return
    if present is not None or "coremltools.models" in sys.modules:
        raise ImportError(
            "fovea.coremltools must be imported before coremltools, which has looked for its "
            "framework already")
    sys.modules[_NAME] = _framework


_install()
