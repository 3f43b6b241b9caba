# Fovea - the command, from the library in the wheel.
# SPDX-License-Identifier: Apache-2.0
"""The command ``fovea``: ``python -m fovea detect dog.jpg``."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

from ._library import library


def main() -> int:
    """Runs the command with the arguments of the process; returns its exit code."""
    # The command ends at Ctrl-C like any other, and not when Python looks next.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = [os.fsencode(argument) for argument in sys.argv]
    array = (ctypes.c_char_p * len(arguments))(*arguments)
    sys.stdout.flush()
    return int(library.fovea_command_run(len(arguments), array))


if __name__ == "__main__":
    sys.exit(main())
