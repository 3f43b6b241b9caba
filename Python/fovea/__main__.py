# Fovea - the command, from the wheel.
# SPDX-License-Identifier: Apache-2.0
"""The command ``fovea``: ``python -m fovea detect dog.jpg``, and ``python -m fovea export``."""

from __future__ import annotations

import os
import signal
import sys

from ._library import PROGRAM


def main() -> int:
    """Becomes the program that lies beside the library; comes back only where there is none, and
    from ``export``, which needs packages of Python."""
    if sys.argv[1:2] == ["export"]:
        from ._export import main as export

        return export(sys.argv[2:])
    # Python ignores these, and children would, too.
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_DFL)
    sys.stdout.flush()
    try:
        os.execv(PROGRAM, ["fovea", *sys.argv[1:]])
    except OSError as error:
        print(
            f"fovea: {PROGRAM}: the command cannot be started: {error.strerror}; install the wheel "
            "again, or run the program that Scripts/install puts into bin", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
