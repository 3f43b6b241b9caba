# Fovea - how the wheel is tagged.
# SPDX-License-Identifier: Apache-2.0
"""Gives the wheel its version and its tag: one for every Python, and for one platform.

``Scripts/build-wheel`` puts the library and the command into the package before.
"""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def version() -> str:
    """The version in the C headers."""
    header = (HERE.parent / "include/fovea/fovea_base.h").read_text()
    numbers = [
        re.search(rf"#define FOVEA_VERSION_{part} (\d+)", header) for part in
        ("MAJOR", "MINOR", "PATCH")
    ]
    return ".".join(number.group(1) for number in numbers if number)


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # this file is also read for its version
    BuildHookInterface = object  # type: ignore[assignment, misc]


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc, type-arg]
    """Tags the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Checks that both are there, and says which machines the wheel is for."""
        for name in ("libfovea.so.0", "fovea"):
            if not (HERE / "fovea" / name).exists():
                raise RuntimeError(f"fovea/{name} is missing; run Scripts/build-wheel")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{platform.machine()}"
